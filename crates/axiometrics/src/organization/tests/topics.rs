//! Topics put together: missing ones, unknown ones, documents of others, scores without a value.

use crate::data::organization::{Catalogue, Organizations, notation};
use crate::organization::{Evaluation, Missing, Policy, Settings, Undefined, Warning, evaluate, measure};

fn side(catalogue: &mut Catalogue, topics: &[(&str, &str)]) -> Organizations {
    topics
        .iter()
        .map(|(topic, text)| (topic.to_string(), notation::parse(text, catalogue.entry(topic.to_string()).or_default()).unwrap()))
        .collect()
}

fn score(gold: &[(&str, &str)], system: &[(&str, &str)], name: &str, finite: bool, policy: Policy) -> Result<Evaluation, String> {
    let mut catalogue = Catalogue::new();
    let (gold, system) = (side(&mut catalogue, gold), side(&mut catalogue, system));
    let settings = Settings { finite, ..Settings::default() };
    evaluate(&gold, &system, &catalogue, &[measure(name).unwrap()], &settings, policy).map_err(|error| error.to_string())
}

#[test]
fn missing_topics() {
    let (gold, system) = ([("s", "a"), ("t", "a b")], [("s", "a"), ("u", "a")]);
    let empty = score(&gold, &system, "recall", false, Policy::default()).unwrap();
    assert_eq!(empty.means, [Some(0.5)]);
    assert_eq!(empty.warnings, [Warning::MissingTopics(1), Warning::UnknownTopics(1), Warning::MissingDocuments(2)]);
    let skipped = score(&gold, &system, "recall", false, Policy { missing: Missing::Skip, ..Policy::default() }).unwrap();
    assert_eq!((skipped.means, skipped.topics.len()), (vec![Some(1.0)], 1));
    let refused = score(&gold, &system, "recall", false, Policy { missing: Missing::Error, ..Policy::default() });
    assert_eq!(refused, Err("1 topics of the gold standard are missing".to_string()));
}

#[test]
fn undefined_scores() {
    let (gold, system) = ([("s", "a"), ("t", "{a b} a")], [("s", "a"), ("t", "{a b}")]);
    for (undefined, mean) in [(Undefined::Skip, 1.0), (Undefined::Zero, 0.5)] {
        let found = score(&gold, &system, "purity", false, Policy { undefined, ..Policy::default() }).unwrap();
        assert_eq!(found.means, [Some(mean)]);
        assert_eq!(found.warnings, [Warning::UndefinedScores("purity", 1, "a document lies in several clusters")]);
    }
    assert!(score(&gold, &system, "purity", false, Policy { undefined: Undefined::Error, ..Policy::default() }).is_err());
}

#[test]
fn nothing_in_common() {
    let message = |gold: &[_], system: &[_]| score(gold, system, "F", false, Policy::default()).unwrap_err();
    assert!(message(&[("t", "a")], &[("t", "b")]).starts_with("no document in common"));
    assert!(message(&[("t", "a")], &[("s", "a")]).starts_with("no topic in common"));
    let some = score(&[("s", "a"), ("t", "a")], &[("s", "a"), ("t", "b")], "F", false, Policy::default()).unwrap();
    assert_eq!(some.warnings, [Warning::NothingInCommon(1), Warning::UnknownDocuments(1), Warning::MissingDocuments(1)]);
}

#[test]
fn documents_of_other_topics() {
    let (gold, system) = ([("s", "{a b}"), ("t", "c")], [("s", "{a b c}"), ("t", "c")]);
    let finite = score(&gold, &system, "R_related", true, Policy::default()).unwrap();
    assert_eq!((finite.means, finite.warnings), (vec![Some(1.0)], vec![Warning::ForeignDocuments(1)]));
    // A document that the gold standard holds nowhere counts.
    let unknown = score(&gold, &[("s", "{a b x}"), ("t", "c")], "R_related", true, Policy::default()).unwrap();
    assert!((unknown.topics[0].1[0].value().unwrap() - 4.0 / 9.0).abs() < 1e-12);
    assert_eq!(unknown.warnings, [Warning::UnknownDocuments(1)]);
    let infinite = score(&gold, &system, "R_related", false, Policy::default()).unwrap();
    assert_eq!(infinite.warnings, [Warning::UnknownDocuments(1)]);
}
