//! Verdicts of one metric agree with one another, and so do those of one metric in two guises.

use super::lattice::{Lattice, Property, PropertySet};
use super::*;
use crate::choice::Choice;
use crate::component::Component;

/// Every registered measure, some with other parameters, and every file that is shipped.
fn all() -> Vec<Metric> {
    let others = [
        "P@1",
        "RBP(p=0.5)",
        "RBP(p=0.999)",
        "AP@3",
        "nDCG@3",
        "nDCG(gains={3:0})",
        "U(L=5)",
        "INST(T=0.5)",
        "Q(beta=0)",
        "INSQ(T=1)",
        "DCG@20",
        "nDCG(dcg=exp-log2)",
        "RR@3",
        "IPrec@0",
    ];
    all_metrics()
        .into_iter()
        .chain(others.iter().filter_map(|name| name.parse().ok()))
        .chain(files().into_iter().map(|(_, metric)| metric))
        .collect()
}

fn files() -> Vec<(String, Metric)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../components");
    let mut all: Vec<(String, Metric)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let file = Component::parse(&format!("components/{name}.toml"), &text).unwrap();
            (name, Metric::own(file).unwrap())
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

#[test]
fn verdicts_of_one_metric_agree() {
    let groups = vec![CheckGroup::Property, CheckGroup::Constraint];
    for report in run_all(&all(), &CheckOptions { groups, ..CheckOptions::default() }) {
        let metric = &report.metric;
        let holds = |property| report.of(property).is_some_and(Verdict::holds);
        assert!(
            matches!(report.structure, StructureOutcome::Absent | StructureOutcome::Verified(_)),
            "{metric}: {:?}",
            report.structure
        );
        let endless = metric.args().cutoff().is_none() && metric.depth().is_none();
        if endless && holds(Property::TopWeighted) {
            let priority = report.of(Property::Priority).unwrap();
            assert!(!priority.is_violated(), "{metric} is top-weighted, and {}", priority.reason());
        }
        for &property in Property::ALL {
            let name = property.name();
            if let Some(printed) = report.scoped(name, Scope::Printed)
                && holds(property)
            {
                assert!(!printed.is_violated(), "{metric}, {name}: {}", printed.reason());
            }
        }
        let has: PropertySet = Property::ALL.iter().copied().filter(|p| holds(*p)).collect();
        let set: PropertySet =
            has.iter().filter(|p| endless || PropertySet::SEVEN.contains(*p)).collect();
        let contradiction = Lattice::get().smallest(set);
        assert!(
            contradiction.is_none(),
            "{metric} has {set:?}: {}",
            contradiction.unwrap().derivation.text()
        );
    }
}

/// Files that say what a registered measure is. (ndcg and r_prec are not among them: they have no
/// cutoff, so at depth k they are the score of the truncated ranking, and not nDCG@k and RPrec@k.)
const SAME: [(&str, &str); 11] = [
    ("ap", "AP"),
    ("ap_at_n", "AP@10"),
    ("err", "ERR"),
    ("gmap", "GMAP"),
    ("logit_ap", "logitAP"),
    ("p_at_n", "P@10"),
    ("precision", "SetP"),
    ("rbp", "RBP"),
    ("recall", "SetR"),
    ("rr", "RR"),
    ("yaap", "yaAP"),
];

/// The logit of logit_ap.toml belongs to its average over queries, so the score of a topic is AP.
/// That of logitAP is held within bounds, and so ties where AP does not.
const APART: [&str; 3] = ["convergent", "top-weighted", "priority"];

#[test]
fn a_file_has_the_verdicts_of_the_measure_that_it_is() {
    let files = files();
    let mut differ = Vec::new();
    let mut apart = 0;
    for (file, measure) in SAME {
        let known = differ.len();
        let own = &files.iter().find(|(name, _)| name == file).unwrap().1;
        let own = own.args().cutoff().map_or(Ok(own.clone()), |k| own.at(k)).unwrap();
        compare(&own, &measure.parse().unwrap(), &mut differ);
        if measure == "logitAP" {
            let expected =
                |text: &String| APART.iter().any(|name| text.contains(&format!(", {name} ")));
            apart += differ.extract_if(known.., |text| expected(text)).count();
        }
    }
    assert_eq!(apart, APART.len(), "logitAP is clipped");
    // A formula that is P@k, and one that is DCG.
    for (text, measure) in [
        ("score = \"count(d in Rel where pos(d) <= k) / k\"", "P@10"),
        ("score = \"sum(d in D where pos(d) <= k : gain(d) / log2(pos(d) + 1))\"", "DCG@10"),
    ] {
        let file = Component::parse("own.toml", text).unwrap();
        let mut args = Args::new(crate::measure::Own::params(&*file));
        args.set_cutoff(Some(10));
        let own = Metric::own_with(file, args).unwrap();
        compare(&own, &measure.parse().unwrap(), &mut differ);
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

fn compare(own: &Metric, measure: &Metric, differ: &mut Vec<String>) {
    let options = CheckOptions::default();
    let (ours, theirs) = (run(own, &options), run(measure, &options));
    for f in &theirs.findings {
        let same = |g: &&Finding| g.name == f.name && g.scope == f.scope;
        let other = &ours.findings.iter().find(same).unwrap().verdict;
        // Of a file nothing is declared from which a bound could be proved.
        let undecided = other.outcome() == Outcome::Undecided;
        if other.outcome() != f.verdict.outcome() && !undecided {
            differ.push(format!(
                "{own} and {measure}, {} {:?}: {} ({}) and {} ({})",
                f.name,
                f.scope,
                other.word(),
                other.reason(),
                f.verdict.word(),
                f.verdict.reason()
            ));
        }
    }
}

/// A formula that computes with k has no score without it.
#[test]
fn a_missing_cutoff_is_an_error() {
    let read = |text: &str| Metric::own(Component::parse("own.toml", text).unwrap());
    let error = read("score = \"count(d in Rel where pos(d) <= k) / k\"").unwrap_err();
    assert!(error.to_string().contains("own.toml needs a cutoff"), "{error}");
    assert!(read("score = \"count(d in Rel where pos(d) <= k) / R\"").is_ok());
}
