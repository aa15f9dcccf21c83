//! `axio check`: which properties and constraints a metric has, with a witness for every No.

use std::path::{Path, PathBuf};

use anyhow::Context;
use axiometrics::check::axiom::{Reading, Settings, Single};
use axiometrics::check::organization::{self, OrganizationReport, Subject};
use axiometrics::check::{
    self, Evidence, Finding, Group, MOST_DOCS, Options, Report, Restrict, Verdict,
};
use axiometrics::choice::Choice;
use axiometrics::measure::Metric;
use axiometrics::report::{Dialect, Style, Table, verdicts};
use clap::{Args as ClapArgs, ValueEnum};

use crate::ExitCode;
use crate::args::choice;
use crate::output;

/// Decide the numeric properties and formal constraints of metrics, with a witness for every No.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  axio check nDCG@10\n  axio check all --only properties --format markdown\n  axio check SNAP --draw\n  axio check bcubed_f purity --only constraints\n  axio check components/ap.toml --only axioms\n  axio check components/adm.toml --only axioms --max-docs 3 --grades 5"
)]
pub(crate) struct Args {
    /// A measure with its parameters (`nDCG@5`, `RBP(p=0.8)`), a file (`my.toml`), a measure of
    /// organizations (`bcubed_f`), or `all`. Properties are those of the measure at every depth;
    /// constraints keep the cutoff.
    #[arg(required = true, value_name = "METRIC")]
    metrics: Vec<String>,
    /// Ask only this
    #[arg(long, value_delimiter = ',')]
    only: Vec<Only>,
    /// The largest collections to search exhaustively [default: 6; 3 to 5 for axioms, by what they
    /// cost]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DOCS)))]
    max_docs: Option<u32>,
    /// Axioms: how many values of a scale are tried [default: 4 levels, 4 numbers of a range, 2
    /// grades]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=9))]
    grades: Option<u32>,
    /// Where random cases start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Axioms: how a ranking is restricted to some of its documents [default: both ways, told apart
    /// where they differ]
    #[arg(long, value_parser = choice::<Restrict>(), value_name = "READING")]
    restrict: Option<Restrict>,
    /// Axioms: what the metric on one document is
    #[arg(long, value_parser = choice::<Single>(), default_value = Single::default().name(), value_name = "READING")]
    single: Single,
    /// Axioms: when a document is over- or under-estimated
    #[arg(long, value_parser = choice::<Reading>(), default_value = Reading::default().name(), value_name = "READING")]
    reading: Reading,
    /// How to write the verdicts
    #[arg(long, default_value = "table")]
    format: Format,
    /// Draw the witnesses, ranking beside ranking (table only)
    #[arg(long)]
    draw: bool,
    /// Write each witness as judgements and a run into this folder, for `axio eval` to replay
    #[arg(long, value_name = "DIR")]
    witness: Option<PathBuf>,
    /// Exit with 1 where a verdict is this
    #[arg(long, value_delimiter = ',', value_name = "VERDICT")]
    fail_on: Vec<FailOn>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Properties,
    Constraints,
    Axioms,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Violated,
    Weak,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Markdown,
    Latex,
    Csv,
    Json,
    Html,
}

/// More metrics than this are shown as a matrix, not one by one.
const IN_DETAIL: usize = 3;

/// What came out, for metrics of rankings and of organizations.
struct Reports {
    rankings: Vec<Report>,
    organizations: Vec<OrganizationReport>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let options = options(args);
    let reports = reports(&args.metrics, &options)?;
    if let Some(dir) = &args.witness {
        write_witnesses(dir, &reports)?;
    }
    output::stdout(render(args, &reports, &options, &output::terminal_style()).as_bytes())?;
    let rankings = reports.rankings.iter().any(|r| failed(&r.findings, &args.fail_on));
    let organizations = reports.organizations.iter().any(|r| failed(&r.findings, &args.fail_on));
    Ok(if rankings || organizations { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn failed<W: Evidence>(findings: &[Finding<W>], fail_on: &[FailOn]) -> bool {
    let fails = |v: &Verdict<W>| {
        fail_on.iter().any(|f| match f {
            FailOn::Violated => v.word() == "violated",
            FailOn::Weak => v.word() == "weak",
        })
    };
    findings.iter().any(|f| fails(&f.verdict))
}

/// Checks what was named; `all` is every registered measure. A name that both kinds of measure have
/// means both.
fn reports(names: &[String], options: &Options) -> anyhow::Result<Reports> {
    let mut metrics: Vec<Metric> = Vec::new();
    let mut subjects: Vec<Subject> = Vec::new();
    for name in names {
        if name == "all" {
            metrics.extend(check::all_metrics());
            subjects.extend(organization::all_subjects());
            continue;
        }
        let known = organization::subjects(name);
        match crate::args::metrics(name) {
            Ok(parsed) => metrics.extend(parsed),
            Err(_) if !known.is_empty() => {}
            Err(error) => return Err(error.into()),
        }
        subjects.extend(known);
    }
    Ok(Reports {
        rankings: check::run_all(&metrics, options),
        organizations: organization::run_all(&subjects, options),
    })
}

fn options(args: &Args) -> Options {
    let Args { restrict, single, reading, grades, .. } = *args;
    let axioms = Settings { restrict, single, reading, docs: args.max_docs, grades };
    let usual = Options::default();
    Options {
        max_docs: args.max_docs.unwrap_or(usual.max_docs),
        groups: groups(&args.only),
        seed: args.seed,
        axioms,
    }
}

fn groups(only: &[Only]) -> Vec<Group> {
    let asked = |o: Only| only.is_empty() || only.contains(&o);
    let all = [
        (Only::Properties, Group::Property),
        (Only::Constraints, Group::Constraint),
        (Only::Axioms, Group::Axiom),
    ];
    all.into_iter().filter(|(o, _)| asked(*o)).map(|(_, g)| g).collect()
}

fn render(args: &Args, reports: &Reports, options: &Options, style: &Style) -> String {
    let Reports { rankings, organizations } = reports;
    let few = rankings.len() + organizations.len() <= IN_DETAIL;
    let dialect = match args.format {
        Format::Json => return format!("{:#}\n", verdicts::to_json(rankings, organizations)),
        Format::Html => return verdicts::html(rankings, organizations, &options.groups),
        Format::Markdown if !few => return verdicts::page(rankings, organizations, options),
        Format::Markdown => Dialect::Markdown,
        Format::Latex => Dialect::Latex,
        Format::Csv => Dialect::Csv,
        Format::Table => Dialect::Text,
    };
    let matrices = || verdicts::matrices(rankings, organizations, &options.groups);
    // Programs and papers want one table, whatever was asked.
    if matches!(dialect, Dialect::Latex | Dialect::Csv) {
        return verdicts::Matrix::joined(matrices()).table().render(dialect, style);
    }
    let draw = args.draw && dialect == Dialect::Text;
    let drawn: Vec<String> = rankings
        .iter()
        .map(verdicts::drawings)
        .chain(organizations.iter().map(verdicts::drawings))
        .collect();
    if !few {
        let mut parts: Vec<String> =
            matrices().iter().map(|m| m.table().render(dialect, style)).collect();
        parts.extend(drawn.into_iter().filter(|d| draw && !d.is_empty()));
        return parts.join("\n");
    }
    let tables = rankings
        .iter()
        .map(verdicts::detail)
        .chain(organizations.iter().map(verdicts::organization_detail));
    let one = |(table, drawn): (Table, &String)| {
        let mut out = table.render(dialect, style);
        if draw && !drawn.is_empty() {
            out.push('\n');
            out.push_str(drawn.trim_end());
            out.push('\n');
        }
        out
    };
    tables.zip(&drawn).map(one).collect::<Vec<_>>().join("\n")
}

/// One folder per metric and check.
fn write_witnesses(dir: &Path, reports: &Reports) -> anyhow::Result<()> {
    for report in &reports.rankings {
        write_folders(dir, &report.metric.to_string(), &report.findings, |f, witness| {
            // Properties speak of the measure at every depth, constraints of the measure as typed.
            witness.files(|s: &check::State| match f.group {
                Group::Property => report
                    .metric
                    .at(s.k)
                    .map_or_else(|_| report.metric.to_string(), |m| m.to_string()),
                Group::Constraint | Group::Axiom => report.metric.to_string(),
            })
        })?;
    }
    for OrganizationReport { subject, findings, .. } in &reports.organizations {
        let name = subject.measure().definition().name;
        write_folders(dir, &subject.to_string(), findings, |_, instance| instance.files(name))?;
    }
    Ok(())
}

fn write_folders<W: Evidence>(
    dir: &Path,
    metric: &str,
    findings: &[Finding<W>],
    files: impl Fn(&Finding<W>, &W) -> Vec<(&'static str, String)>,
) -> anyhow::Result<()> {
    let name: String = metric
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "@=.-_".contains(c) { c } else { '_' })
        .collect();
    for f in findings {
        let Some(witness) = f.verdict.witness() else { continue };
        let check = f.version().map_or_else(|| f.name.to_string(), |v| format!("{}-{v}", f.name));
        let folder = dir.join(&name).join(check);
        std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        for (file, content) in files(f, witness) {
            let path = folder.join(file);
            std::fs::write(&path, content).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn args(line: &str) -> Args {
        Line::try_parse_from(std::iter::once("check").chain(line.split(' '))).unwrap().args
    }

    fn output(line: &str) -> String {
        let args = args(line);
        let options = options(&args);
        render(&args, &reports(&args.metrics, &options).unwrap(), &options, &Style::default())
    }

    #[test]
    fn few_metrics_are_told_in_detail_and_many_as_a_matrix() {
        let few = output("SNAP --only properties --max-docs 3 --draw");
        assert!(few.starts_with("SNAP\ncheck "), "{few}");
        assert!(few.contains("convergent    violated  searched  10|1 scores 1,"), "{few}");
        assert!(few.contains("   rank   state 1   state 2\n"), "{few}");
        let many = output("P@1 AP RR nDCG --only properties --max-docs 3");
        assert!(many.starts_with("metric  bounded  monotonic"), "{many}");
        assert!(
            many.contains(
                "\nRR      Y        Y          N           N             Y          Y         Y\n"
            ),
            "{many}"
        );
    }

    #[test]
    fn every_format_is_its_own() {
        let start = |format: &str| {
            output(&format!("AP --max-docs 3 --restrict renumber --format {format}"))
        };
        assert!(start("markdown").starts_with("**AP**\n\n| check "));
        assert!(start("latex").contains("\\begin{tabular}"));
        assert!(start("csv").starts_with("metric,bounded,"));
        assert!(start("html").starts_with("<!doctype html>"));
        let json: serde_json::Value = serde_json::from_str(&start("json")).unwrap();
        assert_eq!(json["metrics"][0]["verdicts"].as_array().unwrap().len(), 30);
    }

    #[test]
    fn axioms_are_told_by_both_readings_and_by_part() {
        let text = output("RBP --only axioms --max-docs 3");
        assert!(
            text.contains("axiom-12  renumber  violated")
                && text.contains("axiom-12  keep      holds"),
            "{text}"
        );
        let json: serde_json::Value =
            serde_json::from_str(&output("RBP --only axioms --max-docs 3 --format json")).unwrap();
        let twelve: Vec<&serde_json::Value> = json["metrics"][0]["verdicts"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|v| v["name"] == "axiom-12")
            .collect();
        assert_eq!(
            (&twelve[0]["restrict"], &twelve[1]["restrict"]),
            (&"renumber".into(), &"keep".into())
        );
        assert_eq!(
            (&twelve[0]["parts"][1]["part"], &twelve[0]["parts"][1]["verdict"]),
            (&"b".into(), &"violated".into())
        );
        assert!(twelve[1]["premises"].as_u64().unwrap() > 0);
        let matrix = output("RBP RR AP P@3 --only axioms --max-docs 3 --format csv");
        assert!(matrix.lines().any(|l| l.starts_with("RBP,") && l.ends_with(",N/y,Y")), "{matrix}");
        let kept = output("RBP --only axioms --max-docs 3 --restrict keep");
        assert!(!kept.contains("renumber") && kept.contains("axiom-12  holds"), "{kept}");
    }

    #[test]
    fn measures_of_organizations_have_tables_of_their_own() {
        let few = output("bcubed_f --draw");
        assert!(few.starts_with("bcubed_f\ncheck "), "{few}");
        assert!(few.contains("rag-bag            general  holds     sampled"), "{few}");
        let many = output("AP bcubed_f purity accuracy --max-docs 3 --only constraints");
        assert!(
            many.contains("\nmetric    homogeneity  completeness  rag-bag  size-vs-quantity\n"),
            "{many}"
        );
        assert!(many.contains("\naccuracy  y         depends\n"), "{many}");
        let joined = output("AP purity --max-docs 3 --only constraints --format csv");
        assert!(joined.contains("\npurity,,,,,,y,N,N,N"), "{joined}");
        assert!(output("purity --only properties").contains("\nsymmetry "));
    }

    #[test]
    fn instances_are_written_for_a_replay() {
        let dir = tempfile::tempdir().unwrap();
        run(&args(&format!("purity --witness {}", dir.path().display()))).unwrap();
        let read = |file: &str| {
            std::fs::read_to_string(dir.path().join("purity/completeness-general").join(file))
                .unwrap()
        };
        assert_eq!(read("gold-1.json"), "{\"1\":[[[\"a1\",\"a2\"]]]}\n");
        assert_eq!(read("system-2.json"), "{\"1\":[[[\"a1\"],[\"a2\"]]]}\n");
        assert!(read("README.txt").contains("axio organize gold-2.json system-2.json -m purity\n"));
    }

    #[test]
    fn witnesses_are_written_for_a_replay() {
        let dir = tempfile::tempdir().unwrap();
        let line = format!(
            "P@5 --only properties --max-docs 3 --fail-on violated --witness {}",
            dir.path().display()
        );
        assert_eq!(format!("{:?}", run(&args(&line)).unwrap()), format!("{:?}", ExitCode::from(1)));
        let read = |file: &str| {
            std::fs::read_to_string(dir.path().join("P@5/monotonic").join(file)).unwrap()
        };
        assert_eq!(read("expected.tsv"), "topic\tmeasure\tscore\n1\tP@1\t1\n2\tP@2\t0.5\n");
        assert!(
            read("README.txt")
                .contains("axio eval qrels.txt witness.run --per-topic --max-grade 1 -m 'P@1 P@2'")
        );
    }

    #[test]
    fn unknown_metrics_are_refused() {
        assert!(run(&args("nDGC@10")).unwrap_err().to_string().contains("did you mean nDCG"));
    }
}
