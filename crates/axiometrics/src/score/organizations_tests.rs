//! Topics put together: missing ones, unknown ones, documents of others, scores without a value.

use super::Sightings;
use crate::data::organization::{DocumentCatalogue, Organizations, notation};
use crate::organization::{OrganizationSettings, measure};
use crate::policy::{Missing, Undefined};
use crate::score::{OrganizationEvaluation, Scores};
use crate::warning::{WarningKind, Warnings};

fn side(catalogue: &mut DocumentCatalogue, topics: &[(&str, &str)]) -> Organizations {
    topics
        .iter()
        .map(|(topic, text)| {
            (
                topic.to_string(),
                notation::parse(text, catalogue.entry(topic.to_string()).or_default()).unwrap(),
            )
        })
        .collect()
}

/// The scores of a measure, and the kinds of warnings with their counts.
fn score(
    gold: &[(&str, &str)],
    system: &[(&str, &str)],
    name: &str,
    choose: impl Fn(&mut OrganizationSettings, &mut Policies),
) -> Result<Found, String> {
    let mut catalogue = DocumentCatalogue::new();
    let (gold, system) = (side(&mut catalogue, gold), side(&mut catalogue, system));
    let (mut settings, mut policies) =
        (OrganizationSettings::default(), (Missing::Zero, Undefined::Skip));
    choose(&mut settings, &mut policies);
    let measures = [measure(name).unwrap()];
    let mut evaluation = OrganizationEvaluation::new(&gold, &catalogue, &measures, &settings);
    (evaluation.missing, evaluation.undefined) = policies;
    let mut warnings = Warnings::default();
    let scores =
        evaluation.system("mine", &system, &mut warnings).map_err(|error| error.to_string())?;
    Ok((scores, warnings.list().into_iter().map(|warning| (warning.kind, warning.count)).collect()))
}

type Policies = (Missing, Undefined);
type Found = (Scores, Vec<(WarningKind, u64)>);

fn mean(scores: &Scores) -> Option<f64> {
    scores.summary_of(0, Undefined::Skip).unwrap()
}

fn defaults(_: &mut OrganizationSettings, _: &mut Policies) {}

#[test]
fn missing_topics() {
    let (gold, system) = ([("s", "a"), ("t", "a b")], [("s", "a"), ("u", "a")]);
    let (empty, warnings) = score(&gold, &system, "recall", defaults).unwrap();
    assert_eq!(mean(&empty), Some(0.5));
    assert_eq!(
        warnings,
        [
            (WarningKind::MissingTopic, 1),
            (WarningKind::UnjudgedTopic, 1),
            (WarningKind::MissingDocument, 2)
        ]
    );
    let (skipped, _) =
        score(&gold, &system, "recall", |_, policies| policies.0 = Missing::Skip).unwrap();
    assert_eq!((mean(&skipped), skipped.len()), (Some(1.0), 1));
    let refused =
        score(&gold, &system, "recall", |_, policies| policies.0 = Missing::Error).unwrap_err();
    assert!(
        refused.starts_with("mine: 1 topics of the gold standard are missing, the first of them t"),
        "{refused}"
    );
    // Nothing is refused if nothing is missing.
    let (complete, _) =
        score(&gold, &gold, "recall", |_, policies| policies.0 = Missing::Error).unwrap();
    assert_eq!(mean(&complete), Some(1.0));
}

#[test]
fn undefined_scores() {
    let (gold, system) = ([("s", "a"), ("t", "{a b} a")], [("s", "a"), ("t", "{a b}")]);
    for (undefined, expected) in [(Undefined::Skip, 1.0), (Undefined::Zero, 0.5)] {
        let (found, warnings) =
            score(&gold, &system, "purity", |_, policies| policies.1 = undefined).unwrap();
        assert_eq!(found.summary("purity", undefined).unwrap(), Some(expected));
        assert_eq!(warnings, [(WarningKind::UndefinedScore, 1)]);
    }
    let refused =
        score(&gold, &system, "purity", |_, policies| policies.1 = Undefined::Error).unwrap_err();
    assert!(
        refused
            .contains("1 undefined score, purity for topic t: a document lies in several clusters"),
        "{refused}"
    );
}

#[test]
fn nothing_in_common() {
    let message = |gold: &[_], system: &[_]| score(gold, system, "F", defaults).unwrap_err();
    assert!(message(&[("t", "a")], &[("t", "b")]).starts_with("mine: no document in common"));
    assert!(message(&[("t", "a")], &[("s", "a")]).starts_with("mine: no topic in common"));
    let (_, warnings) =
        score(&[("s", "a"), ("t", "a")], &[("s", "a"), ("t", "b")], "F", defaults).unwrap();
    assert_eq!(
        warnings,
        [
            (WarningKind::NothingInCommon, 1),
            (WarningKind::UnknownDocument, 1),
            (WarningKind::MissingDocument, 1)
        ]
    );
}

/// A system without any document has no other documents than the gold standard.
#[test]
fn an_empty_system_is_scored() {
    let (found, warnings) = score(&[("t", "a b")], &[("t", "")], "recall", defaults).unwrap();
    assert_eq!((mean(&found), warnings), (Some(0.0), vec![(WarningKind::MissingDocument, 2)]));
}

#[test]
fn documents_of_other_topics() {
    let finite = |settings: &mut OrganizationSettings, _: &mut Policies| settings.finite = true;
    let (gold, system) = ([("s", "{a b}"), ("t", "c")], [("s", "{a b c}"), ("t", "c")]);
    let (own, warnings) = score(&gold, &system, "R_related", finite).unwrap();
    assert_eq!((mean(&own), warnings), (Some(1.0), vec![(WarningKind::ForeignDocument, 1)]));
    // A document that the gold standard holds nowhere counts.
    let (unknown, warnings) =
        score(&gold, &[("s", "{a b x}"), ("t", "c")], "R_related", finite).unwrap();
    assert!((unknown.value(0, 0).unwrap() - 4.0 / 9.0).abs() < 1e-12);
    assert_eq!(warnings, [(WarningKind::UnknownDocument, 1)]);
    let (_, warnings) = score(&gold, &system, "R_related", defaults).unwrap();
    assert_eq!(warnings, [(WarningKind::UnknownDocument, 1)]);
}

#[test]
fn the_first_instance_is_the_example() {
    let mut count = Sightings::default();
    for (n, example) in [(0, "nothing"), (2, "first"), (0, "nothing"), (1, "second")] {
        count.add(n, example);
    }
    assert_eq!((count.count, count.example.as_str()), (3, "first"));
}

/// Topics of every kind: flat or on levels, clustered or not, linked, overlapping, with a tail.
const TEXTS: [&str; 9] = [
    "a b c",
    "{a b} c",
    "a / b c",
    "{a b} / {c d} | e",
    "a b | c d",
    "a b c ~ a>b",
    "{a b} / c ~ a>c b>c",
    "{a b} {b c} d",
    "{a b c d} / e | f",
];

/// The text of a topic whose documents no other topic has.
fn own(text: &str, topic: &str) -> String {
    let named = |c: char| match c.is_ascii_alphabetic() {
        true => format!("{c}{topic}"),
        false => c.to_string(),
    };
    text.chars().map(named).collect()
}

/// Each topic is scored alone, and beside one of every other kind.
#[test]
fn a_topic_has_the_same_scores_alone_and_beside_others() {
    let all: Vec<_> = crate::organization::measures().collect();
    for finite in [false, true] {
        let settings = OrganizationSettings { finite, ..OrganizationSettings::default() };
        let scores = |gold: &[(&str, &str)], system: &[(&str, &str)]| {
            let mut catalogue = DocumentCatalogue::new();
            let (gold, system) = (side(&mut catalogue, gold), side(&mut catalogue, system));
            let evaluation = OrganizationEvaluation::new(&gold, &catalogue, &all, &settings);
            let scores = evaluation.system("mine", &system, &mut Warnings::default()).unwrap();
            (0..all.len()).map(|measure| scores.value(0, measure)).collect::<Vec<_>>()
        };
        for (gold, system, beside) in
            TEXTS.into_iter().flat_map(|g| TEXTS.map(|s| TEXTS.map(|b| (g, s, b)))).flatten()
        {
            let [gold, system] = [gold, system].map(|text| own(text, "s"));
            let beside = own(beside, "t");
            let alone = scores(&[("s", gold.as_str())], &[("s", system.as_str())]);
            let other = ("t", beside.as_str());
            let both = scores(&[("s", gold.as_str()), other], &[("s", system.as_str()), other]);
            for (measure, (alone, both)) in all.iter().zip(alone.iter().zip(&both)) {
                let name = measure.definition().name;
                assert_eq!(alone, both, "{name} finite {finite}: {gold}, {system} beside {beside}");
            }
        }
    }
}
