//! What people get to see: its width, and what it says.

use super::*;
use crate::compare::{self, ComparisonSettings, FamilyScope, Procedure, Values};
use crate::data::Qrels;
use crate::io::{QrelsOptions, Source, read_qrels};
use crate::measure::parse_list;
use crate::report::OutputFormat;
use crate::report::table::{Style, Table};
use crate::score::{Evaluation, Scores, System};
use crate::stats::Test;
use crate::warning::Warnings;

const NAMES: [&str; 4] = ["bm25.run", "bm25-rm3.run", "dense_2.run", "hybrid&.run"];

fn data() -> (Qrels, Vec<String>) {
    let mut judged = String::from("90 0 d1 0\n");
    let mut runs = vec![String::new(); NAMES.len()];
    for topic in 0..20usize {
        for doc in 0..20usize {
            if (doc * 7 + topic * 3) % 5 < 2 {
                judged += &format!("{topic} 0 d{doc} {}\n", 1 + doc % 2);
            }
            for (r, run) in runs.iter_mut().enumerate() {
                let lucky = (doc * 7 + topic * 3) % 5 < 2 && (doc + topic) % (r + 2) > 0;
                let score = (doc * (2 * r + 3) + topic * (r + 1)) % 23 + 9 * usize::from(lucky) * r;
                *run += &format!("{topic} Q0 d{doc} 1 {score} r{r}\n");
            }
        }
    }
    let source = Source::from_bytes("qrels", judged);
    let qrels = read_qrels(&source, QrelsOptions::default(), &mut Warnings::default());
    (qrels.unwrap(), runs)
}

fn compared(measures: &str, settings: &ComparisonSettings) -> Comparison {
    let (qrels, runs) = data();
    let metrics = parse_list(measures).unwrap();
    let evaluation = Evaluation::new(&qrels, &metrics);
    let scores: Vec<Scores> = runs
        .iter()
        .map(|run| {
            let source = Source::from_bytes("run", run.as_str());
            evaluation.run(&source, &mut Warnings::default()).unwrap()
        })
        .collect();
    let systems: Vec<System<'_>> =
        NAMES.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
    compare::compare(&qrels, &metrics, &systems, settings, &mut Warnings::default()).unwrap()
}

/// Every table fits a terminal of 80 columns, without being broken into blocks.
#[test]
fn eighty_columns() {
    let style = Style { width: Some(80), ..Style::default() };
    let family_wise = Procedure::RandomisedTukey;
    for (baseline, test, correction) in [
        (None, Procedure::Paired(Test::Wilcoxon), Some(Correction::Bonferroni)),
        (Some(1), Procedure::default(), None),
        (None, family_wise, None),
    ] {
        let settings =
            ComparisonSettings { baseline, test, correction, ..ComparisonSettings::default() };
        let comparison = compared("AP nDCG@10", &settings);
        let ranks =
            compared("AP nDCG@10", &ComparisonSettings { values: Values::PooledRanks, ..settings });
        let mut tables: Vec<Table> = Vec::new();
        for measure in &comparison.measures {
            tables.extend([means(&comparison, measure), pairs(&comparison, measure)]);
        }
        tables[0].footnotes.extend(method(&comparison));
        tables.extend(changes(&comparison, &compare::changes(&comparison, &ranks).unwrap()));
        for table in &tables {
            let text = table.render(OutputFormat::Table, &style);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(80), "{widest:?}\n{text}");
            assert_eq!(text.lines().filter(|line| line.starts_with('─')).count(), 1, "{text}");
        }
    }
}

#[test]
fn p_values_say_what_they_are() {
    let titles = |settings: &ComparisonSettings| -> Vec<String> {
        let comparison = compared("AP RR", settings);
        let table = pairs(&comparison, &comparison.measures[0]);
        let all = table.columns.into_iter().map(|column| column.title);
        all.filter(|title| title.starts_with("p ")).collect()
    };
    let default = ComparisonSettings::default();
    assert_eq!(titles(&default), ["p raw", "p holm"]);
    let bh =
        ComparisonSettings { correction: Some(Correction::BenjaminiHochberg), ..default.clone() };
    assert_eq!(titles(&bh), ["p raw", "p bh"]);
    let none = ComparisonSettings { correction: Some(Correction::None), ..default.clone() };
    assert_eq!(titles(&none), ["p raw"]);
    let tukey = ComparisonSettings { test: Procedure::Tukey, ..default.clone() };
    assert_eq!(titles(&tukey), ["p family-wise"]);
    let line = |settings: &ComparisonSettings| {
        let comparison = compared("AP RR", settings);
        test_line(&comparison, &comparison.measures[1])
    };
    assert!(line(&default).contains("corrected by holm over 6 tests (6 pairs of one measure)"));
    let all = ComparisonSettings { family: FamilyScope::All, ..default };
    assert!(line(&all).contains("corrected by holm over 12 tests (6 pairs x 2 measures)"));
}

/// A pair is shown under the better system, with its numbers turned if they were the other way.
#[test]
fn pairs_are_shown_under_the_better_system() {
    let comparison = compared("AP", &ComparisonSettings::default());
    let measure = &comparison.measures[0];
    let order: Vec<&str> = measure.by_mean().iter().map(|s| s.name.as_str()).collect();
    let groups = shown(measure);
    assert_eq!(groups.iter().map(|(name, _)| *name).collect::<Vec<_>>(), order[..3]);
    for (name, others) in &groups {
        for shown in others {
            let mean = |name: &str| measure.systems.iter().find(|s| s.name == name).unwrap().mean;
            let difference = shown.sign(shown.pair.difference);
            assert!((difference - (mean(name) - mean(shown.other))).abs() < 1e-12);
            let interval = &shown.pair.interval;
            let (from, to) = shown.ends(interval.lower, interval.upper);
            assert!(from <= difference && difference <= to);
        }
    }
}

/// Measures that are tested on other topics are in a table of their own.
#[test]
fn one_set_of_topics_per_table_in_latex() {
    let settings = ComparisonSettings { baseline: Some(0), ..ComparisonSettings::default() };
    let comparison = compared("AP nDCG@5 AP(rel=2)", &settings);
    let text = latex(&comparison, &["a note".to_string()], &Style::default());
    insta::assert_snapshot!(text);
    let columns = text.lines().filter(|line| line.starts_with("\\begin{tabular}")).count();
    assert_eq!(columns, text.matches("\\label{").count());
    assert_eq!(text.matches("a note").count(), 1);
}
