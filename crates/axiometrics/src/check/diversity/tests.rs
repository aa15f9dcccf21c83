//! What must come out, every witness scored again from its text, and each constraint on a measure
//! that has it and one that has not.

use std::sync::LazyLock;

use super::*;
use crate::check::Verdicts;
use crate::data::OwnedTopic;

static REPORTS: LazyLock<Vec<MetricVerdicts>> = LazyLock::new(|| {
    let options = CheckOptions { groups: vec![CheckGroup::Constraint], ..CheckOptions::default() };
    all_metrics().iter().map(|m| super::super::run(m, &options)).collect()
});

/// The letters of the general verdicts, in the order of the statements.
fn letters(report: &MetricVerdicts) -> String {
    let letter = |name: &str| match report.get(name).unwrap().word() {
        "holds" => 'Y',
        "violated" => 'N',
        other => panic!("{}: {name} is {other}", report.metric),
    };
    statements().iter().map(|(name, _)| letter(name)).collect()
}

/// Priority, deepness, confidence, the two thresholds, aspect diversity, redundancy, monotonic
/// redundancy, saturation, aspect relevance.
#[test]
fn the_rows_of_the_measures() {
    let rows: Vec<(String, String)> =
        REPORTS.iter().map(|r| (r.metric.to_string(), letters(r))).collect();
    assert_eq!(rows.len(), registered());
    let expected: &[(&str, &str)] = &[
        ("alpha_nDCG", "YYNYNYYYNN"),
        ("alpha_DCG@10", "NNNYNYYYNN"),
        ("nERR_IA", "YYNYNYYYNN"),
        ("ERR_IA@10", "NNNYNYYYNN"),
        ("nNRBP", "YYNYNYYYNN"),
        ("NRBP", "YYNYNYYYNN"),
        ("AP_IA", "YNNNYYNNNN"),
        ("P_IA@10", "NNNYYYNNNN"),
        ("StRecall@10", "NNNYNNYNYN"),
        ("DSharp_nDCG@10", "NNNYYYYNNY"),
    ];
    let expected: Vec<(String, String)> =
        expected.iter().map(|(m, l)| (m.to_string(), l.to_string())).collect();
    assert_eq!(rows, expected);
}

/// Subtopics that bore at once are saturated by one document; those that never do are not redundant.
#[test]
fn parameters_decide() {
    let holds = |metric: &str, name: &str| {
        let constraint = CONSTRAINTS.iter().find(|c| c.name() == name).unwrap();
        constraint.decide(&metric.parse().unwrap()).holds()
    };
    assert!(holds("alpha_nDCG(alpha=1)", "saturation"));
    // What the sixtieth document adds is below any tolerance, but it adds something.
    assert!(!holds("alpha_nDCG(alpha=0.5)", "saturation"));
    assert!(!holds("alpha_nDCG(alpha=0.9)", "saturation"));
    assert!(holds("ERR_IA(alpha=0.5)@10", "redundancy"));
    assert!(!holds("ERR_IA(alpha=0)@10", "redundancy"));
}

/// A ranking in the notation of the witnesses, read back.
fn read(text: &str) -> OwnedTopic {
    let (ranked, missed) = text.split_once('|').unwrap_or((text, ""));
    let documents = |part: &str| -> Vec<Vec<(u32, f64)>> {
        part.split_whitespace()
            .map(|d| {
                d.chars().filter(char::is_ascii_lowercase).map(|c| (c as u32 - 97, 1.0)).collect()
            })
            .collect()
    };
    let ranked: Vec<Option<Vec<(u32, f64)>>> = documents(ranked).into_iter().map(Some).collect();
    OwnedTopic::by_facet(&ranked, &documents(missed))
}

#[test]
fn every_witness_scores_what_it_says() {
    let mut read_back = 0;
    for report in REPORTS.iter() {
        for (name, _) in statements().iter().skip(5) {
            let Some(witness) = report.get(name).unwrap().witness() else { continue };
            let words = witness.text.replace(", no more than ", "; ").replace(" with ", " scores ");
            let words = words.replace(", {", "; {");
            for part in words.split("; ").filter(|part| part.starts_with('{')) {
                let (ranking, score) = part.split_once(" scores ").unwrap();
                let score = score.split([',', ' ']).next().unwrap();
                let mut topic = read(ranking);
                if *name == "aspect-relevance" {
                    topic = topic.with_weights(vec![2.0 / 3.0, 1.0 / 3.0]);
                }
                let found = report.metric.score(&topic.view()).value().unwrap();
                assert_eq!(
                    crate::check::witness::number(found),
                    score,
                    "{}: {name}: {part}",
                    report.metric
                );
                read_back += 1;
            }
        }
    }
    assert!(read_back > 20, "{read_back}");
}

/// With one subtopic, ERR_IA is ERR in all but a factor, and nNRBP with alpha = 0 orders as RBP.
#[test]
fn one_subtopic_is_a_ranking() {
    let alone = alone::alone(&"NRBP(alpha=0,beta=0.8)".parse().unwrap()).unwrap();
    let rbp: Metric = "RBP(p=0.8)".parse().unwrap();
    for code in 1..1 << 5 {
        let ranking: Vec<Option<f64>> = (0..5).map(|i| Some(f64::from(code >> i & 1))).collect();
        let topic = OwnedTopic::new(&ranking, &[1.0]);
        let (a, b) = (alone.score(&topic.view()).value(), rbp.score(&topic.view()).value());
        assert!((a.unwrap() - b.unwrap()).abs() < 1e-12, "{code}: {a:?} {b:?}");
    }
}
