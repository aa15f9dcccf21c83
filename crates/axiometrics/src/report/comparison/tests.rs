//! What people get to see: its width, and what it says.

use super::*;
use crate::compare::{self, ComparisonSettings, FamilyScope, Procedure, Values};
use crate::data::{Qrels, Run};
use crate::io::{QrelsOptions, RunOptions, Source, read_qrels, read_run};
use crate::measure::parse_list;
use crate::report::OutputFormat;
use crate::report::Report;
use crate::report::table::{Cell, CellContent, Style, Table};
use crate::score::{Evaluation, Scores, System};
use crate::stats::random::Random;
use crate::stats::{Correction, Test};
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

/// Judgements of this percentage of the documents and runs in random orders.
fn random_data(random: &mut Random, runs: usize, percentage: u64) -> (Qrels, Vec<Run>) {
    let (mut judged, mut texts) = (String::new(), vec![String::new(); runs]);
    for topic in 0..6u64 {
        for doc in 0..12u64 {
            if doc == 0 || random.below(100u64) < percentage {
                judged +=
                    &format!("{topic} 0 d{doc} {}\n", u64::from(doc == 0) + random.below(3u64));
            }
            for text in &mut texts {
                if random.below(4u64) > 0 {
                    *text += &format!("{topic} Q0 d{doc} 1 {} r\n", random.below(1000u64));
                }
            }
        }
        texts.iter_mut().for_each(|text| *text += &format!("{topic} Q0 last 1 -1 r\n"));
    }
    let source = |text: String| Source::from_bytes("file", text);
    let told = &mut Warnings::default();
    let qrels = read_qrels(&source(judged), QrelsOptions::default(), told).unwrap();
    let read = |text| read_run(&source(text), RunOptions::default(), &mut Warnings::default());
    (qrels, texts.into_iter().map(|text| read(text).unwrap()).collect())
}

/// The rows of a table of joint ranges: which system less which, and the numbers.
fn joint_rows(table: &Table, baseline: Option<&str>) -> Vec<(String, String, [f64; 3])> {
    let text = |cell: &Cell| match &cell.content {
        CellContent::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    let number = |cell: &Cell| match &cell.content {
        CellContent::Number(x) => *x,
        other => panic!("{other:?}"),
    };
    let (mut rows, mut under) = (Vec::new(), baseline.map(str::to_string));
    for row in &table.rows {
        let name = text(&row.cells[0]);
        if let Some(system) = name.strip_suffix(" minus") {
            under = Some(system.to_string());
            continue;
        }
        let numbers = [1, 2, 3].map(|column| number(&row.cells[column]));
        let (own, other) = (name.trim().to_string(), under.clone().unwrap());
        rows.push(if baseline.is_some() { (own, other, numbers) } else { (other, own, numbers) });
    }
    rows
}

type Said = (Option<f64>, Option<f64>, Option<[f64; 2]>);

/// What a sentence says of `first` less `second`: the difference or its least, and the range.
fn said(sentence: &str, first: &str, second: &str) -> Option<Said> {
    let number = |text: &str| {
        let end = text.find(|c: char| !"-.0123456789".contains(c)).unwrap_or(text.len());
        text[..end].trim_end_matches('.').parse::<f64>().unwrap()
    };
    let between = |a: &str, b: &str| sentence.starts_with(&format!("{a} is ahead of {b} by "));
    let sign = match (between(first, second), between(second, first)) {
        (true, _) => 1.0,
        (_, true) => -1.0,
        _ if sentence.starts_with(&format!("{first} and {second} are equal")) => 0.0,
        _ if sentence.starts_with(&format!("{second} and {first} are equal")) => 0.0,
        _ => return None,
    };
    let (mut difference, mut least) = (Some(0.0), None);
    if let Some((_, by)) = sentence.split_once(" by ") {
        match by.strip_prefix("at least ") {
            Some(by) => (difference, least) = (None, Some(sign * number(by))),
            None => difference = Some(sign * number(by)),
        }
    }
    let range = sentence.split_once(" minus ").map(|(before, after)| {
        let turned = !before.ends_with(&format!("({first}"));
        let (_, ends) = after.split_once(": ").unwrap();
        let (low, high) = ends.split_once(" to ").unwrap();
        let (low, high) = (number(low), number(high));
        if turned { [-high, -low] } else { [low, high] }
    });
    Some((difference, least, range))
}

/// Every sentence names the systems in the order that its numbers are for, whichever of the two
/// comes first in the comparison.
#[test]
fn sentences_on_joint_ranges_say_what_their_rows_show() {
    let metrics = parse_list("RBP(p=0.8) AP P@3 nDCG RR").unwrap();
    let (mut ranges_seen, mut leasts_seen, mut turned) = (0, 0, 0);
    for seed in 0..30 {
        let (qrels, runs) =
            random_data(&mut Random::new(seed, 0), 3, if seed % 2 == 0 { 33 } else { 97 });
        for (names, baseline) in [
            (["one", "two", "three"], None),
            (["three", "two", "one"], None),
            (["one", "two", "three"], Some(seed as usize % 3)),
        ] {
            let runs: Vec<&Run> =
                if names[0] == "one" { runs.iter().collect() } else { runs.iter().rev().collect() };
            let evaluation = Evaluation::new(&qrels, &metrics);
            let scores: Vec<Scores> = runs
                .iter()
                .map(|run| evaluation.score(run, &mut Warnings::default()).unwrap())
                .collect();
            let systems: Vec<System<'_>> = names
                .into_iter()
                .zip(&scores)
                .map(|(name, scores)| System { name, scores })
                .collect();
            let settings = ComparisonSettings { baseline, ..ComparisonSettings::default() };
            let told = &mut Warnings::default();
            let mut comparison =
                compare::compare(&qrels, &metrics, &systems, &settings, told).unwrap();
            let ranges = compare::JointRanges::new(&qrels, evaluation.policy, &runs).unwrap();
            compare::add_joint(
                &mut comparison,
                &qrels,
                &metrics,
                &systems,
                (&ranges, &[0, 1, 2]),
                told,
            )
            .unwrap();
            for measure in &comparison.measures {
                let table = joint(&comparison, measure).unwrap();
                let rows = joint_rows(&table, comparison.baseline.as_deref());
                assert_eq!(rows.len(), measure.pairs.len());
                for (first, second, [difference, low, high]) in rows {
                    let sentence = table
                        .footnotes
                        .iter()
                        .find(|line| said(line, &first, &second).is_some())
                        .unwrap_or_else(|| panic!("{first} {second}: {:?}", table.footnotes));
                    let near = |a: f64, b: f64| (a - b).abs() <= 0.00005 + 1e-9;
                    let (by, least, range) = said(sentence, &first, &second).unwrap();
                    let row =
                        format!("{first} minus {second}: {difference} {low} to {high}; {sentence}");
                    assert!(by.is_none_or(|by| near(by, difference)), "{row}");
                    let end = |least: f64| if least > 0.0 { low } else { high };
                    assert!(least.is_none_or(|least| near(least, end(least))), "{row}");
                    assert!(range.is_none_or(|[l, h]| near(l, low) && near(h, high)), "{row}");
                    assert_eq!(range.is_some(), sentence.contains("could"), "{row}");
                    ranges_seen += usize::from(range.is_some());
                    leasts_seen += usize::from(least.is_some());
                    turned += usize::from(range.is_some() && difference < 0.0);
                }
            }
        }
    }
    assert!(
        ranges_seen > 100 && leasts_seen > 10 && turned > 10,
        "{ranges_seen} {leasts_seen} {turned}"
    );
}

/// With a baseline, tests of the other pairs would be another family, whose letters could contradict
/// the marks. So no format has letters or ranks then; without one, letters are what the pairs say.
#[test]
fn marks_and_letters_never_contradict_in_any_format() {
    let metrics = parse_list("P@3 AP nDCG").unwrap();
    let (mut marked, mut lettered) = (0, 0);
    for seed in 0..8 {
        let (qrels, runs) = random_data(&mut Random::new(seed, 1), 4, 33);
        let evaluation = Evaluation::new(&qrels, &metrics);
        let scores: Vec<Scores> = runs
            .iter()
            .map(|run| evaluation.score(run, &mut Warnings::default()).unwrap())
            .collect();
        let systems: Vec<System<'_>> =
            NAMES.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
        for (baseline, correction) in [
            (Some(seed as usize % 4), None),
            (Some(seed as usize % 4), Some(Correction::None)),
            (None, None),
            (None, Some(Correction::None)),
        ] {
            let settings =
                ComparisonSettings { baseline, correction, alpha: 0.3, ..Default::default() };
            let told = &mut Warnings::default();
            let comparison = compare::compare(&qrels, &metrics, &systems, &settings, told).unwrap();
            let report = ComparisonReport {
                comparison: &comparison,
                changes: None,
                evaluation: None,
                only: Some(ComparisonTable::Means),
                notes: Notes::Auto,
            };
            let json: serde_json::Value =
                serde_json::from_str(&report.render(OutputFormat::Json, &Style::default()))
                    .unwrap();
            for format in OutputFormat::ALL {
                let text = report.render(*format, &Style::default());
                let for_people = format.is_for_people();
                let shows = match format {
                    OutputFormat::Json | OutputFormat::Jsonl => {
                        !text.contains("\"letters\":null") && !text.contains("\"letters\": null")
                    }
                    OutputFormat::Latex => text.contains("mathrm") || text.contains("letter"),
                    _ if for_people => text.contains("letter") || text.contains("ranks:"),
                    _ => text.lines().skip(1).any(|line| {
                        let separator = if *format == OutputFormat::Csv { ',' } else { '\t' };
                        let cells: Vec<&str> = line.split(separator).collect();
                        !cells[9].is_empty() || (baseline.is_some() && cells[7] != "NA")
                    }),
                };
                assert_eq!(shows, baseline.is_none(), "{format:?} {text}");
            }
            for measure in json["measures"].as_array().unwrap() {
                let letters = |name: &serde_json::Value| {
                    let systems = measure["systems"].as_array().unwrap();
                    let system = systems.iter().find(|system| system["name"] == *name).unwrap();
                    assert_eq!(
                        system["ranks"].is_null(),
                        settings.baseline.is_some() || correction.is_some()
                    );
                    system["letters"].as_str().map(str::to_string)
                };
                for pair in measure["pairs"].as_array().unwrap() {
                    let significant = pair["significant"].as_bool().unwrap();
                    marked += usize::from(significant && baseline.is_some());
                    let Some((own, other)) = letters(&pair["a"]).zip(letters(&pair["b"])) else {
                        assert!(baseline.is_some());
                        continue;
                    };
                    lettered += usize::from(significant);
                    let share = own.chars().any(|letter| other.contains(letter));
                    assert_eq!(share, !significant, "{pair}");
                }
            }
        }
    }
    assert!(marked > 10 && lettered > 10, "{marked} {lettered}");
}
