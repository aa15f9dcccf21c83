//! `axio check`: which properties and constraints a metric has, with a witness for every No.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use axiometrics::check::axiom::{Reading, Restrict, Settings, Single};
use axiometrics::check::{self, Group, MOST_DOCS, Options, Report, Verdict};
use axiometrics::choice::Choice;
use axiometrics::measure::Metric;
use axiometrics::report::{Dialect, Style, verdicts};
use clap::{Args as ClapArgs, ValueEnum};

use crate::args::choice;
use crate::output;

/// Decide the numeric properties and formal constraints of metrics, with a witness for every No.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  axio check nDCG@10\n  axio check all --only properties --format markdown\n  axio check SNAP --draw\n  axio check components/ap.toml --only axioms --restrict keep"
)]
pub(crate) struct Args {
    /// A measure with its parameters (`nDCG@5`, `RBP(p=0.8)`), a file (`my.toml`), or `all`. Properties are those of the measure at every depth; constraints keep the cutoff.
    #[arg(required = true, value_name = "METRIC")]
    metrics: Vec<String>,
    /// Ask only this
    #[arg(long, value_delimiter = ',')]
    only: Vec<Only>,
    /// The largest collections to search exhaustively
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DOCS)))]
    max_docs: u32,
    /// Where random cases start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Axioms: how a ranking is restricted to some of its documents
    #[arg(long, value_parser = choice::<Restrict>(), default_value = Restrict::default().name(), value_name = "READING")]
    restrict: Restrict,
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

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = metrics(&args.metrics)?;
    let options = options(args);
    let reports = check::run_all(&metrics, &options);
    if let Some(dir) = &args.witness {
        write_witnesses(dir, &reports)?;
    }
    output::stdout(render(args, &reports, &options).as_bytes())?;
    let failed = |v: &Verdict| {
        args.fail_on.iter().any(|f| match f {
            FailOn::Violated => v.word() == "violated",
            FailOn::Weak => v.word() == "weak",
        })
    };
    let any = reports.iter().flat_map(|r| &r.findings).any(|f| failed(&f.verdict));
    Ok(if any { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// The metrics that were named; `all` is every registered one.
fn metrics(names: &[String]) -> anyhow::Result<Vec<Metric>> {
    let mut all = Vec::new();
    for name in names {
        if name == "all" {
            all.extend(check::all_metrics());
        } else {
            all.extend(crate::args::metrics(name)?);
        }
    }
    Ok(all)
}

fn options(args: &Args) -> Options {
    let axioms = Settings { restrict: args.restrict, single: args.single, reading: args.reading };
    Options { max_docs: args.max_docs, groups: groups(&args.only), seed: args.seed, axioms }
}

fn groups(only: &[Only]) -> Vec<Group> {
    let asked = |o: Only| only.is_empty() || only.contains(&o);
    let all = [(Only::Properties, Group::Property), (Only::Constraints, Group::Constraint), (Only::Axioms, Group::Axiom)];
    all.into_iter().filter(|(o, _)| asked(*o)).map(|(_, g)| g).collect()
}

fn render(args: &Args, reports: &[Report], options: &Options) -> String {
    let few = reports.len() <= IN_DETAIL;
    let dialect = match args.format {
        Format::Json => return format!("{:#}\n", verdicts::to_json(reports)),
        Format::Html => return verdicts::html(reports, &options.groups),
        Format::Markdown if !few => return verdicts::page(reports, options),
        Format::Markdown => Dialect::Markdown,
        Format::Latex => Dialect::Latex,
        Format::Csv => Dialect::Csv,
        Format::Table => Dialect::Text,
    };
    // Programs and papers want one table, whatever was asked.
    if !few || matches!(dialect, Dialect::Latex | Dialect::Csv) {
        let mut out = verdicts::matrix(reports, &options.groups).render(dialect, &Style::default());
        if args.draw && dialect == Dialect::Text {
            out.push('\n');
            reports.iter().for_each(|r| out.push_str(&verdicts::drawings(r)));
        }
        return out;
    }
    let heading = if dialect == Dialect::Markdown { "## " } else { "" };
    let one = |r: &Report| {
        let mut out = format!("{heading}{}\n\n{}", r.metric, verdicts::detail(r).render(dialect, &Style::default()));
        if args.draw && dialect == Dialect::Text {
            out.push('\n');
            out.push_str(verdicts::drawings(r).trim_end());
            out.push('\n');
        }
        out
    };
    reports.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// One folder per metric and check.
fn write_witnesses(dir: &Path, reports: &[Report]) -> anyhow::Result<()> {
    for report in reports {
        let name: String =
            report.metric.to_string().chars().map(|c| if c.is_ascii_alphanumeric() || "@=.-_".contains(c) { c } else { '_' }).collect();
        for f in &report.findings {
            let Some(witness) = f.verdict.witness().filter(|w| !w.states.is_empty()) else { continue };
            let check = f.scope.map_or_else(|| f.name.to_string(), |s| format!("{}-{}", f.name, s.word()));
            let folder = dir.join(&name).join(check);
            std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
            // Properties speak of the measure at every depth, constraints of the measure as typed.
            let measure = |s: &check::State| match f.group {
                Group::Property => report.metric.at(s.k).map_or_else(|_| report.metric.to_string(), |m| m.to_string()),
                Group::Constraint | Group::Axiom => report.metric.to_string(),
            };
            for (file, content) in witness.files(measure) {
                let path = folder.join(file);
                std::fs::write(&path, content).with_context(|| path.display().to_string())?;
            }
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
        let reports = check::run_all(&metrics(&args.metrics).unwrap(), &options);
        render(&args, &reports, &options)
    }

    #[test]
    fn few_metrics_are_told_in_detail_and_many_as_a_matrix() {
        let few = output("SNAP --only properties --max-docs 3 --draw");
        assert!(few.starts_with("SNAP\n\ncheck "), "{few}");
        assert!(few.contains("convergent    violated  searched  10|1 scores 1,"), "{few}");
        assert!(few.contains("   rank   state 1   state 2\n"), "{few}");
        let many = output("P@1 AP RR nDCG --only properties --max-docs 3");
        assert!(many.starts_with("metric  bounded  monotonic"), "{many}");
        assert!(many.contains("\nRR      Y        Y          N           N             Y          Y         Y\n"), "{many}");
    }

    #[test]
    fn every_format_is_its_own() {
        let start = |format: &str| output(&format!("AP --max-docs 3 --format {format}"));
        assert!(start("markdown").starts_with("## AP\n\n| check "));
        assert!(start("latex").contains("\\begin{tabular}"));
        assert!(start("csv").starts_with("metric,bounded,"));
        assert!(start("html").starts_with("<!doctype html>"));
        let json: serde_json::Value = serde_json::from_str(&start("json")).unwrap();
        assert_eq!(json["metrics"][0]["verdicts"].as_array().unwrap().len(), 30);
    }

    #[test]
    fn witnesses_are_written_for_a_replay() {
        let dir = tempfile::tempdir().unwrap();
        let line = format!("P@5 --only properties --max-docs 3 --fail-on violated --witness {}", dir.path().display());
        assert_eq!(format!("{:?}", run(&args(&line)).unwrap()), format!("{:?}", ExitCode::from(1)));
        let read = |file: &str| std::fs::read_to_string(dir.path().join("P@5/monotonic").join(file)).unwrap();
        assert_eq!(read("expected.tsv"), "topic\tmeasure\tscore\n1\tP@1\t1\n2\tP@2\t0.5\n");
        assert!(read("README.txt").contains("axio eval qrels.txt witness.run --per-topic --max-grade 1 -m 'P@1 P@2'"));
    }

    #[test]
    fn unknown_metrics_are_refused() {
        assert!(run(&args("nDGC@10")).unwrap_err().to_string().contains("did you mean nDCG"));
    }
}
