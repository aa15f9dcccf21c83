//! What two organizations say of documents on the scales of a metric.
//!
//! The assessor's levels are grades: 1 for the lowest that is kept, 0 for what is not kept. The
//! system's levels are ranks, and a document on several counts with the highest.

use super::{Component, Measurement};
use crate::data::organization::{Documents, Occurrences};
use crate::expression::{Docs, Scale};
use crate::measure::{Metric, Score};
use crate::organization::OrganizationComparison;

/// The score of a topic's organizations by a metric from a file, and how much the topic weighs in its
/// average over topics, if it has a weight. `names` are those of the documents: of two on one level
/// the one whose name comes later stands first, as in a run.
pub(crate) fn of_organizations(
    metric: &Metric,
    comparison: &OrganizationComparison<'_>,
    names: &Documents,
) -> (Score, Option<f64>) {
    let Some(file) = Component::of(metric) else {
        return (Score::Undefined("the measure is not one from a file"), None);
    };
    let measure = file.measure(metric.args());
    match documents(file.alpha(), file.sigma(), comparison, names) {
        Ok(mut docs) => (measure.score_docs(&mut docs), measure.weight(&mut docs)),
        Err(why) => (Score::Undefined(why), None),
    }
}

/// A document as the system has it.
struct KeptDocument {
    document: usize,
    level: u32,
    score: Option<f64>,
}

fn documents(
    alpha: &Measurement,
    sigma: &Measurement,
    comparison: &OrganizationComparison<'_>,
    names: &Documents,
) -> Result<Docs<f64>, &'static str> {
    let (gold, system) = (comparison.gold_index(), comparison.system_index());
    let universe = comparison.universe();
    let known: Vec<usize> = (0..universe.len()).filter(|&document| universe[document]).collect();
    let grade = |document: usize| {
        let level = gold.levels(document).next();
        level.map_or(0.0, |level| f64::from(gold.level_count() as u32 - level))
    };
    let mut judged = vec![false; universe.len()];
    comparison.gold().discarded().iter().for_each(|&document| judged[document as usize] = true);
    known.iter().for_each(|&document| judged[document] |= gold.count(document) > 0);
    let mut grades: Vec<f64> = known.iter().map(|&document| grade(document)).collect();
    grades.sort_by(|a, b| b.total_cmp(a));
    if alpha.scale == Scale::Strict && grades.windows(2).any(|two| two[0] == two[1] && two[0] > 0.0)
    {
        return Err(
            "the gold standard has several documents on one level, and the metric's scale for assessors is strict",
        );
    }
    let above = |grade: &f64| grades.partition_point(|other| other > grade) as u32;
    let (ranks, scores) = ranking(comparison, &known, names, sigma.shares_ranks());
    let mut docs = Docs::new(gold.level_count() as f64);
    docs.alpha_is_rank = alpha.scale.is_order();
    let mut clusters: [Vec<Vec<u32>>; 2] = [Vec::new(), Vec::new()];
    for &document in &known {
        let grade = grade(document);
        if grade == 0.0 && !alpha.holds_zero() {
            continue;
        }
        let a = alpha
            .of_grade(&grade, above)
            .ok_or("a level of the gold standard is not on the metric's scale for assessors")?;
        let worth = if alpha.scale.is_order() { grade } else { alpha.worth(&a) };
        let (rank, pos) = match ranks[document] {
            Some((rank, shared)) => (Some(rank), f64::from(shared)),
            None => (None, f64::INFINITY),
        };
        let s = sigma
            .of_rank(rank, &pos, &scores)
            .ok_or("a level or score of the system is not on the metric's scale for systems")?;
        docs.push(a, worth, s, pos);
        if let Some(last) = docs.judged.last_mut() {
            *last = f64::from(judged[document]);
        }
        clusters[0].push(gold.clusters(document).to_vec());
        clusters[1].push(system.clusters(document).to_vec());
    }
    docs.clusters = Some(clusters);
    Ok(docs)
}

/// For each document its rank in the system's order, and the one that it shares with those of its
/// level; and the score at each rank: the system's own, or the number of the level from below.
fn ranking(
    comparison: &OrganizationComparison<'_>,
    known: &[usize],
    names: &Documents,
    shares_ranks: bool,
) -> (Vec<Option<(u32, u32)>>, Vec<f64>) {
    let index: &Occurrences<'_> = comparison.system_index();
    let mut own = vec![None; index.documents()];
    for &(document, score) in comparison.system().scores() {
        own[document as usize] = Some(score);
    }
    let mut kept: Vec<KeptDocument> = known
        .iter()
        .filter_map(|&document| {
            let level = index.levels(document).next()?;
            Some(KeptDocument { document, level, score: own[document] })
        })
        .collect();
    kept.sort_by(|a, b| {
        let name = |kept: &KeptDocument| names.name(kept.document as u32);
        let by_score = b.score.unwrap_or(0.0).total_cmp(&a.score.unwrap_or(0.0));
        a.level.cmp(&b.level).then(by_score).then_with(|| name(b).cmp(name(a)))
    });
    let mut ranks = vec![None; index.documents()];
    let mut first = 1;
    for (at, one) in kept.iter().enumerate() {
        let rank = at as u32 + 1;
        let tied = |before: &KeptDocument| {
            before.level == one.level && before.score == one.score && shares_ranks
        };
        if at == 0 || !tied(&kept[at - 1]) {
            first = rank;
        }
        ranks[one.document] = Some((rank, first));
    }
    let levels = index.level_count() as u32;
    let score = |one: &KeptDocument| one.score.unwrap_or(f64::from(levels - one.level));
    (ranks, kept.iter().map(score).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::organization::notation;
    use crate::organization::{OrganizationSettings, measure};

    fn file(text: &str) -> Metric {
        Metric::own(Component::parse("f.toml", text).unwrap()).unwrap()
    }

    fn both(metric: &Metric, name: Option<&str>, gold: &str, system: &str) -> [Option<f64>; 2] {
        let mut names = Documents::default();
        let gold = notation::parse(gold, &mut names).unwrap();
        let system = notation::parse(system, &mut names).unwrap();
        let settings = OrganizationSettings::default();
        let comparison = OrganizationComparison::new(&gold, &system, &settings);
        let built_in = name.and_then(|name| measure(name).unwrap().score(&comparison).value());
        [of_organizations(metric, &comparison, &names).0.value(), built_in]
    }

    const BCUBED: &str = "score = \"sum(d in D : count(x in D where together(x, d) and related(x, d)) / count(x in D where together(x, d))) / count(d in D)\"";

    #[test]
    fn levels_are_grades_and_ranks() {
        // a is worth 2, b and c 1; they stand at 1, 3 and 2, since later names come first.
        let gain = file("score = \"sum(d in D : gain(d) / pos(d)) / max_grade\"");
        let hand = (2.0 + 1.0 / 3.0 + 1.0 / 2.0) / 2.0;
        assert_eq!(both(&gain, None, "a / b c | e", "a / {b c}")[0], Some(hand));
        let weak = file(
            "score = \"sum(d in D : gain(d) / pos(d)) / max_grade\"\n[sigma]\nscale = \"weak\"\n",
        );
        let hand = (2.0 + 1.0 / 2.0 + 1.0 / 2.0) / 2.0;
        assert_eq!(both(&weak, None, "a / b c | e", "a / {b c}")[0], Some(hand));
        let judged = file("score = \"count(d in D where judged(d)) / count(d in D)\"");
        assert_eq!(both(&judged, None, "a b | c", "a x")[0], Some(0.75));
    }

    #[test]
    fn a_strict_assessor_has_no_ties() {
        let strict = file("score = \"min(d in D : alpha(d))\"\n[alpha]\nscale = \"strict\"\n");
        assert_eq!(both(&strict, None, "a b / c", "a")[0], None);
        assert_eq!(both(&strict, None, "a / b / c", "a")[0], Some(1.0));
    }

    #[test]
    fn scores_of_a_filter_are_read() {
        let mut names = Documents::default();
        let [a, b] = ["a", "b"].map(|name| names.intern(name));
        let gold = notation::parse("a | b", &mut names).unwrap();
        let mut builder = crate::data::organization::Organization::builder();
        builder.cluster([a]).unwrap();
        builder.cluster([b]).unwrap();
        builder.score(a, 0.75);
        builder.score(b, 0.5);
        let system = builder.build();
        let settings = OrganizationSettings::default();
        let comparison = OrganizationComparison::new(&gold, &system, &settings);
        let adm = Metric::own(crate::component::shipped("adm").unwrap()).unwrap();
        // 1 - |1 - 0.75| and 1 - |0 - 0.5|.
        assert_eq!(of_organizations(&adm, &comparison, &names).0, Score::Value(0.625));
    }

    proptest! {
        /// BCubed written down as a file is BCubed.
        #[test]
        fn bcubed_is_a_file(labels in proptest::collection::vec((0..3u8, 0..3u8), 1..8)) {
            let side = |of: fn(&(u8, u8)) -> u8| {
                let cluster = |c: u8| {
                    let own: Vec<String> = labels.iter().enumerate().filter(|(_, l)| of(l) == c).map(|(d, _)| format!("d{d}")).collect();
                    if own.is_empty() { String::new() } else { format!("{{{}}}", own.join(" ")) }
                };
                [0, 1, 2].map(cluster).join(" ")
            };
            let [found, expected] = both(&file(BCUBED), Some("bcubed_precision"), &side(|l| l.0), &side(|l| l.1));
            prop_assert!((found.unwrap() - expected.unwrap()).abs() < 1e-12);
        }
    }
}
