//! `axio check`: which properties and constraints a metric has, with a witness for every No.

mod own;
mod shape;

use std::path::{Path, PathBuf};

use anyhow::Context;
use axiometrics::Error;
use axiometrics::check::axiom::{AxiomSettings, Condition, EstimateReading, Single};
use axiometrics::check::family::family;
use axiometrics::check::organization::{self, OrganizationVerdicts, Subject};
use axiometrics::check::{
    self, CheckGroup, CheckOptions, Evidence, Finding, MOST_DOCS, MetricVerdicts, Outcome,
    RankingKind, Restrict, Verdict, Verdicts,
};
use axiometrics::choice::Choice;
use axiometrics::measure::Metric;
use axiometrics::report::OutputFormat;
use axiometrics::report::explanation::OwnAxiomReport;
use axiometrics::report::verdicts::{self, VerdictReport};
use clap::{Args as ClapArgs, ValueEnum};

use crate::ExitCode;
use crate::args::{Output, choice};
use crate::output;
use crate::progress;

/// Decide the numeric properties and formal constraints of metrics, with a witness for every No.
#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:\n  axio check nDCG@10\n  axio check all --only properties --format markdown\n  axio check DCG@5 SP@5 RPrec@5 P@5 nDCG@5 RBP --only properties --group\n  axio check SNAP --draw\n  axio check bcubed_f purity --only constraints\n  axio check AP adm --only axioms\n  axio check RBP --only axioms --drop 11\n  axio check components/adm.toml --only axioms --max-docs 3 --grades 5"
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
    /// if they differ]
    #[arg(long, value_parser = choice::<Restrict>(), value_name = "READING")]
    restrict: Option<Restrict>,
    /// Axioms: which rankings systems make [default: of some or all documents; what depends on it is
    /// told for both]
    #[arg(long, value_parser = choice::<RankingKind>(), value_name = "WHICH")]
    rankings: Option<RankingKind>,
    /// Axioms: leave a condition of the paper out, to see what it is for
    #[arg(long, value_parser = choice::<Condition>(), value_name = "CONDITION")]
    drop: Option<Condition>,
    /// Axioms: what the metric on one document is
    #[arg(long, value_parser = choice::<Single>(), default_value = Single::default().name(), value_name = "READING")]
    single: Single,
    /// Axioms: when a document is over- or under-estimated
    #[arg(long, value_parser = choice::<EstimateReading>(), default_value = EstimateReading::default().name(), value_name = "READING")]
    reading: EstimateReading,
    /// Decide axioms of your own instead: a file with name, if and then, conditions over two systems
    /// whose scores are `first` and `second`; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "only", "restrict", "drop", "single", "reading", "draw", "witness", "certificate",
        "columns", "sort", "group"
    ])]
    axiom: Vec<PathBuf>,
    /// Draw the witnesses, ranking beside ranking (table only)
    #[arg(long)]
    draw: bool,
    /// Write each witness as judgements and a run into this folder, for `axio eval` to replay
    #[arg(long, value_name = "DIR")]
    witness: Option<PathBuf>,
    /// Write for each verdict what an outsider needs to check it into this folder: the case as
    /// data, or the inequalities of the proof as SMT-LIB
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,
    /// Exit with 1 if a verdict is this; `weak` includes what always ties
    #[arg(long, value_delimiter = ',', value_name = "VERDICT")]
    fail_on: Vec<FailOn>,
    #[command(flatten)]
    shape: shape::Shape,
    #[command(flatten)]
    output: Output,
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

/// What came out, for metrics of rankings and of organizations.
struct Reports {
    rankings: Vec<MetricVerdicts>,
    organizations: Vec<OrganizationVerdicts>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let options = options(args);
    if !args.axiom.is_empty() {
        return own_axioms(args, &options);
    }
    refuse_without_effect(args, &options)?;
    let reports = reports(&args.metrics, &options)?;
    if args.certificate.is_some() && reports.rankings.is_empty() {
        let asked = args.metrics.join(" ");
        return Err(Error::usage(format!("--certificate has no effect for {asked}: it writes what proves the verdicts of measures of rankings"))
            .help("--witness DIR writes the counterexamples of measures of organizations")
            .into());
    }
    if reports.rankings.is_empty() && options.groups == [CheckGroup::Axiom] {
        let asked = args.metrics.join(" ");
        return Err(Error::usage(format!("the axioms do not speak of {asked}: they compare what an assessor and a system say of single documents, and it compares organizations"))
            .help("ask for constraints or properties: --only constraints,properties")
            .into());
    }
    let named = !args.metrics.iter().any(|name| name == "all");
    if named && !reports.organizations.is_empty() && options.groups == [CheckGroup::Axiom] {
        let names: Vec<&str> =
            reports.organizations.iter().map(|r| r.subject.measure().definition().name).collect();
        let names = names.join(", ");
        output::note(
            "note",
            &format!(
                "the axioms do not speak of measures of organizations ({names}); a file is named by its path, components/recall.toml"
            ),
        );
    }
    if let Some(dir) = &args.witness {
        write_witnesses(dir, &reports)?;
    }
    if let Some(dir) = &args.certificate {
        write_certificates(dir, &reports.rankings, &options)?;
    }
    args.output.report(&told(args, &reports, &options)?)?;
    for refuted in reports.rankings.iter().filter_map(MetricVerdicts::contradiction) {
        output::note("warning", &refuted);
    }
    let rankings = reports.rankings.iter().any(|r| failed(&r.findings, &args.fail_on));
    let organizations = reports.organizations.iter().any(|r| failed(&r.findings, &args.fail_on));
    Ok(if rankings || organizations { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Refuses options that would change nothing.
fn refuse_without_effect(args: &Args, options: &CheckOptions) -> axiometrics::Result<()> {
    let about_axioms = [
        ("--grades", args.grades.is_some()),
        ("--restrict", args.restrict.is_some()),
        ("--rankings", args.rankings.is_some()),
        ("--drop", args.drop.is_some()),
        ("--single", args.single != Single::default()),
        ("--reading", args.reading != EstimateReading::default()),
    ];
    let given = about_axioms.iter().find(|(_, given)| *given);
    if let Some((option, _)) = given.filter(|_| !options.groups.contains(&CheckGroup::Axiom)) {
        return Err(Error::usage(format!(
            "{option} has no effect: it is about axioms, which --only leaves out"
        ))
        .help(format!("remove {option}, or add axioms to --only")));
    }
    if args.draw && (args.output.format != OutputFormat::Table || args.shape.is_given()) {
        return Err(Error::usage(
            "--draw has no effect: it draws below the tables of single metrics",
        )
        .help("remove --draw, or use --format table without --columns, --sort and --group"));
    }
    Ok(())
}

/// The verdicts as they are to be told.
fn told<'r>(
    args: &Args,
    reports: &'r Reports,
    options: &'r CheckOptions,
) -> axiometrics::Result<VerdictReport<'r>> {
    let Reports { rankings, organizations } = reports;
    let matrices = || verdicts::matrices(rankings, organizations, &options.groups);
    let shaped = args.shape.is_given();
    if shaped && args.output.format == OutputFormat::Json {
        return Err(Error::usage("--columns, --sort and --group are for tables")
            .help("every --format but json has them"));
    }
    let shaped = shaped.then(|| args.shape.apply(matrices(), rankings, &options.groups));
    Ok(VerdictReport {
        rankings,
        organizations,
        options,
        shaped: shaped.transpose()?,
        draw: args.draw,
    })
}

fn own_axioms(args: &Args, options: &CheckOptions) -> anyhow::Result<ExitCode> {
    let metrics: Vec<Metric> = match args.metrics.iter().any(|name| name == "all") {
        true => check::all_metrics(),
        false => crate::args::metrics(&args.metrics.join(" "))?,
    };
    let decided = own::decide(&args.axiom, &metrics, options)?;
    let violated = decided.violated();
    let own::Decided { axioms, verdicts } = decided;
    args.output.report(&OwnAxiomReport { axioms: &axioms, verdicts })?;
    let failed = violated && args.fail_on.contains(&FailOn::Violated);
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn failed<W: Evidence>(findings: &[Finding<W>], fail_on: &[FailOn]) -> bool {
    let fails = |v: &Verdict<W>| {
        fail_on.iter().any(|f| match f {
            FailOn::Violated => v.outcome() == Outcome::Violated,
            FailOn::Weak => matches!(v.outcome(), Outcome::Weak | Outcome::Tied),
        })
    };
    findings.iter().any(|f| fails(&f.verdict))
}

/// Checks what was named; `all` is every registered measure. A name that both kinds of measure have
/// means both.
fn reports(names: &[String], options: &CheckOptions) -> anyhow::Result<Reports> {
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
    let total = metrics.len() + subjects.len();
    let (rankings, organizations) = progress::steps(total, "metrics", |steps| {
        // In parallel: threads that finish one half help with the other.
        rayon::join(
            || check::run_each(&metrics, options, |report| steps.done(|| brief(report))),
            || organization::run_each(&subjects, options, |report| steps.done(|| brief(report))),
        )
    });
    Ok(Reports { rankings, organizations })
}

/// The verdicts on one metric in a line, if there are any.
fn brief<R: Verdicts>(report: &R) -> Option<String> {
    if report.findings().is_empty() {
        return None;
    }
    let mut violated: Vec<&str> = report
        .findings()
        .iter()
        .filter(|f| f.verdict.outcome() == Outcome::Violated)
        .map(|f| f.name)
        .collect();
    violated.dedup();
    let violated = if violated.is_empty() { "nothing".to_string() } else { violated.join(", ") };
    Some(format!("{}: violated: {violated}", report.metric()))
}

fn options(args: &Args) -> CheckOptions {
    let Args { restrict, rankings, single, reading, drop, grades, max_docs: docs, .. } = *args;
    let axioms =
        AxiomSettings { restrict, rankings, single, reading, drop, docs, grades, trials: None };
    let usual = CheckOptions::default();
    CheckOptions {
        max_docs: args.max_docs.unwrap_or(usual.max_docs),
        groups: groups(&args.only),
        seed: args.seed,
        axioms,
        ..usual
    }
}

fn groups(only: &[Only]) -> Vec<CheckGroup> {
    let asked = |o: Only| only.is_empty() || only.contains(&o);
    let all = [
        (Only::Properties, CheckGroup::Property),
        (Only::Constraints, CheckGroup::Constraint),
        (Only::Axioms, CheckGroup::Axiom),
    ];
    all.into_iter().filter(|(o, _)| asked(*o)).map(|(_, g)| g).collect()
}

/// One folder per metric and check.
fn write_witnesses(dir: &Path, reports: &Reports) -> anyhow::Result<()> {
    for report in &reports.rankings {
        write_folders(dir, &report.metric.to_string(), &report.findings, |f, witness| {
            // Properties speak of the measure at every depth, constraints of the measure as typed.
            witness.files(|s: &check::State| match f.group {
                CheckGroup::Property => report
                    .metric
                    .at(s.k)
                    .map_or_else(|_| report.metric.to_string(), |m| m.to_string()),
                CheckGroup::Constraint | CheckGroup::Axiom => report.metric.to_string(),
            })
        })?;
    }
    for OrganizationVerdicts { subject, findings, .. } in &reports.organizations {
        let name = subject.measure().definition().name;
        write_folders(dir, &subject.to_string(), findings, |_, instance| instance.files(name))?;
    }
    Ok(())
}

/// One folder per metric and check.
fn write_certificates(
    dir: &Path,
    reports: &[MetricVerdicts],
    options: &CheckOptions,
) -> anyhow::Result<()> {
    for report in reports {
        let metric = dir.join(folder_name(&report.metric.to_string()));
        for certificate in check::certificates(report, options) {
            write_files(&metric.join(&certificate.check), &certificate.files)?;
        }
        if let Some(family) = family(&report.metric) {
            write_files(&metric.join("family"), &family.certificate())?;
        }
    }
    Ok(())
}

/// A metric as the name of a folder.
fn folder_name(metric: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "@=.-_".contains(c);
    metric.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

fn write_files<N: AsRef<Path>>(folder: &Path, files: &[(N, String)]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (file, content) in files {
        let path = folder.join(file);
        std::fs::write(&path, content).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn write_folders<W: Evidence>(
    dir: &Path,
    metric: &str,
    findings: &[Finding<W>],
    files: impl Fn(&Finding<W>, &W) -> Vec<(&'static str, String)>,
) -> anyhow::Result<()> {
    let name = folder_name(metric);
    for f in findings {
        let Some(witness) = f.verdict.witness() else { continue };
        let check = f.version().map_or_else(|| f.name.to_string(), |v| format!("{}-{v}", f.name));
        let folder = dir.join(&name).join(check);
        write_files(&folder, &files(f, witness))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axiometrics::report::{Report as _, Style};
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
        let reports = reports(&args.metrics, &options).unwrap();
        told(&args, &reports, &options).unwrap().render(args.output.format, &Style::default())
    }

    #[test]
    fn few_metrics_are_told_in_detail_and_many_as_a_matrix() {
        let few = output("SNAP --only properties --max-docs 3 --draw");
        assert!(few.starts_with("SNAP: properties\ncheck "), "{few}");
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
        assert!(start("markdown").starts_with("**AP: properties**\n\n| check "));
        assert!(start("latex").contains("\\begin{tabular}"));
        assert!(start("csv").starts_with("metric,bounded,"));
        assert!(start("tsv").starts_with("metric\tbounded\t"));
        assert!(start("jsonl").starts_with("{\"metric\":\"AP\",\"bounded\":\"Y\","));
        assert!(start("html").starts_with("<!doctype html>"));
        let json: serde_json::Value = serde_json::from_str(&start("json")).unwrap();
        // Axiom 11 is told for rankings of all documents and of some.
        assert_eq!(json["metrics"][0]["verdicts"].as_array().unwrap().len(), 31);
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
        assert!(matrix.lines().any(|l| l.starts_with("RBP,") && l.ends_with(",N/Y,Y")), "{matrix}");
        let kept = output("RBP --only axioms --max-docs 3 --restrict keep");
        assert!(!kept.contains("renumber") && kept.contains("axiom-12  holds"), "{kept}");
    }

    #[test]
    fn measures_of_organizations_have_tables_of_their_own() {
        let few = output("bcubed_f --draw");
        assert!(few.starts_with("bcubed_f: properties\ncheck "), "{few}");
        assert!(few.contains("rag-bag           general  holds    sampled"), "{few}");
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
    fn a_verdict_is_explained_by_the_statement_of_its_own_check() {
        let filtering = output("f1 --only constraints");
        assert!(filtering.contains("priority: keeping one more relevant document"), "{filtering}");
        assert!(!filtering.contains("swapping neighbours"), "{filtering}");
        assert!(
            filtering.contains("against r1 |") || filtering.contains("against r1 n1"),
            "{filtering}"
        );
        let diversity = output("alpha_nDCG --only constraints");
        assert!(diversity.contains("deepness-threshold: with one subtopic"), "{diversity}");
        assert!(diversity.contains("redundancy: at the end of a ranking"), "{diversity}");
        assert!(output("bcubed_f").contains("rag-bag: an odd document"));
        assert!(output("AP --only constraints").contains("priority: swapping neighbours"));
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
    fn a_measure_without_its_parameter_is_a_family() {
        let text = output("RBP --max-docs 3 --only constraints");
        assert!(
            text.contains("\nRBP by its p:\n")
                && text.contains("  closeness-threshold: if and only if p > 0.75487766"),
            "{text}"
        );
        assert!(!text.contains("convergent"), "only what was asked: {text}");
        assert!(!output("RBP(p=0.5) --max-docs 3").contains("by its p"));
    }

    #[test]
    fn certificates_hold_the_case_or_the_inequalities() {
        let dir = tempfile::tempdir().unwrap();
        let line =
            format!("SetAP --only properties --max-docs 3 --certificate {}", dir.path().display());
        run(&args(&line)).unwrap();
        let read =
            |file: &str| std::fs::read_to_string(dir.path().join("SetAP").join(file)).unwrap();
        let proof: serde_json::Value =
            serde_json::from_str(&read("convergent/certificate.json")).unwrap();
        assert_eq!(proof["verdict"], "holds");
        assert_eq!(proof["lemmas"][0]["file"], "lemma-1.smt2");
        assert!(read("convergent/lemma-1.smt2").ends_with("(check-sat)\n"));
        let case: serde_json::Value =
            serde_json::from_str(&read("monotonic/certificate.json")).unwrap();
        assert_eq!(case["witness"]["states"][0]["gains"], serde_json::json!([1.0, 0.0]));
    }

    #[test]
    fn unknown_metrics_are_refused() {
        assert!(run(&args("nDGC@10")).unwrap_err().to_string().contains("did you mean nDCG"));
    }
}
