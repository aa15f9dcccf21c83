//! What unjudged documents could do to the differences of runs.

use std::borrow::Borrow;
use std::collections::HashSet;

use serde::Serialize;

use crate::align::Policy;
use crate::data::{Entries, Hit, Hits, Judged, Needs, Qrels, Run};
use crate::error::{Error, Result};
use crate::measure::Metric;
use crate::measure::range::RangeKind;
use crate::policy::BelowEnd;
use crate::score::ranges::{Absent, OUTSIDE_POOL, Range, Ranger, SharedDocument, Vary};
use crate::score::{Evaluation, Ranking};
use crate::warning::{self, Warnings};

/// The mean difference of two runs by one measure, the first less the second, and what unjudged
/// documents could make of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct JointDifference {
    /// As judged. It may lie outside the range, for measures that do not take an unjudged document
    /// for one that is not relevant.
    pub difference: f64,
    /// The lowest that it could be, if every document that either run retrieved were judged.
    pub low: f64,
    /// The highest.
    pub high: f64,
    /// What is known of these two.
    pub kind: RangeKind,
    /// How many unjudged documents either run retrieved, one that both retrieved counted once, over
    /// all topics.
    pub unjudged: u64,
    /// The share of unjudged documents in the top k of each run: k is the measure's cutoff, or all
    /// that was retrieved.
    pub shares: [f64; 2],
    /// The lowest and the highest mean of each run by itself.
    pub apart: [(f64, f64); 2],
}

/// What a joint range says of two runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JointVerdict {
    /// The first is better, whatever the unjudged documents are.
    CertainlyAhead,
    /// The first is worse, whatever they are.
    CertainlyBehind,
    /// No judgement parts them.
    Equal,
    /// Judging could turn the order round, or make them equal.
    CouldTurn,
}

/// Differences of means smaller than this are rounding.
pub(super) const ROUNDING: f64 = 1e-12;

impl JointDifference {
    /// Whether unjudged documents could change which run is better. A `CouldTurn` that rests on a
    /// bound may be a certain order after all, the other verdicts hold for every [`RangeKind`] but
    /// `Searched`.
    pub fn verdict(&self) -> JointVerdict {
        match (self.low, self.high) {
            (low, _) if low > ROUNDING => JointVerdict::CertainlyAhead,
            (_, high) if high < -ROUNDING => JointVerdict::CertainlyBehind,
            (low, high) if low >= -ROUNDING && high <= ROUNDING => JointVerdict::Equal,
            _ => JointVerdict::CouldTurn,
        }
    }

    /// The same of the second run less the first.
    #[must_use]
    pub fn turned(&self) -> JointDifference {
        let ([first, second], [alone, other]) = (self.shares, self.apart);
        // Never minus zero.
        JointDifference {
            difference: 0.0 - self.difference,
            low: 0.0 - self.high,
            high: 0.0 - self.low,
            shares: [second, first],
            apart: [other, alone],
            ..*self
        }
    }

    /// By how much the ranges of the two runs overlap; 0 if they do not.
    pub fn overlap(&self) -> f64 {
        let [a, b] = self.apart;
        (a.1.min(b.1) - a.0.max(b.0)).max(0.0)
    }

    /// The ranges of the two overlap by more than they differ: a reader of the two scores alone
    /// should not call one run better.
    pub fn is_unsafe(&self) -> bool {
        self.overlap() > self.difference.abs() + ROUNDING
    }

    /// Warns if the comparison is unsafe.
    pub fn warn(&self, measure: &str, a: &str, b: &str, warnings: &mut Warnings) {
        if self.is_unsafe() {
            let [first, second] = self.shares.map(|share| (100.0 * share).round());
            let shares = match (first, second) {
                (0.0, 0.0) => "less than 1%".to_string(),
                _ => format!("{first}% and {second}%"),
            };
            let example = format!("{a} and {b}, with {shares} unjudged");
            warnings.add_example(warning::WarningKind::UnsafeComparison, 1, measure, &example);
        }
    }
}

/// The rankings of some runs with every document that one of them retrieved, so that an unjudged
/// document is the same one in all of them.
pub struct JointRanges {
    /// The judgements, and what was retrieved and not judged with a grade below 0: pooled, but not
    /// assessed.
    pooled: Qrels,
    /// Run by run, the ranking of each topic.
    rankings: Vec<Vec<Ranking>>,
    /// What stands below the end of a ranking.
    pub below: BelowEnd,
}

impl JointRanges {
    /// Aligns the runs with the judgements, which must be complete.
    pub fn new(qrels: &Qrels, policy: Policy, runs: &[impl Borrow<Run>]) -> Result<JointRanges> {
        let pooled = pool(qrels, runs)?;
        let mut evaluation = Evaluation::new(&pooled, &[]);
        evaluation.policy = Policy { needs: Needs::JUDGED, ..policy };
        let rankings =
            runs.iter().map(|run| evaluation.rankings(run.borrow())).collect::<Result<_>>()?;
        Ok(JointRanges { pooled, rankings, below: BelowEnd::default() })
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.rankings.len()
    }

    /// True if there is no run.
    pub fn is_empty(&self) -> bool {
        self.rankings.is_empty()
    }

    /// The mean difference of two runs over these topics, and what it could be; or why the measure
    /// has no range. An undefined score counts as 0. Runs are numbered as they were given,
    /// topics as in the judgements.
    pub fn mean_difference(
        &self,
        metric: &Metric,
        a: usize,
        b: usize,
        topics: &[u32],
    ) -> std::result::Result<JointDifference, &'static str> {
        let n = topics.len() as f64;
        if n == 0.0 {
            return Err("there is no topic to compare on");
        }
        let depth = metric.args().cutoff().unwrap_or(u32::MAX);
        let mut ranger = Ranger::new(metric);
        let mut sum = JointDifference {
            difference: 0.0,
            low: 0.0,
            high: 0.0,
            kind: RangeKind::Exact,
            unjudged: 0,
            shares: [0.0; 2],
            apart: [(0.0, 0.0); 2],
        };
        let (mut unjudged, mut shown) = ([0u64; 2], [0u64; 2]);
        for topic in topics {
            let rankings = [a, b].map(|run| &self.rankings[run][*topic as usize]);
            let vary = self.vary(rankings);
            let shared = shared(&rankings[0].hits, &rankings[1].hits);
            let views = rankings.map(|ranking| self.view(*topic, ranking, &ranking.hits));
            let joint = or_zero(ranger.difference(&views[0], &views[1], &shared, vary))?;
            sum.low += joint.low / n;
            sum.high += joint.high / n;
            sum.kind = sum.kind.max(joint.kind);
            sum.unjudged += shared.len() as u64;
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                let judged: Vec<Hit> = rankings[side]
                    .hits
                    .iter()
                    .filter(|hit| hit.grade != OUTSIDE_POOL)
                    .copied()
                    .collect();
                let score = metric
                    .score(&self.view(*topic, rankings[side], &judged))
                    .value()
                    .unwrap_or(0.0);
                sum.difference += sign * score / n;
                let alone =
                    ranger.range(&views[side], vary).map_or(Range::point(0.0), Range::or_zero);
                sum.apart[side].0 += alone.low / n;
                sum.apart[side].1 += alone.high / n;
                unjudged[side] +=
                    views[side].top(depth).filter(|hit| hit.grade < 0.0).count() as u64;
                shown[side] += u64::from(rankings[side].retrieved.min(depth));
            }
        }
        sum.shares = [0, 1].map(|side| {
            if shown[side] == 0 { 0.0 } else { unjudged[side] as f64 / shown[side] as f64 }
        });
        Ok(sum)
    }

    /// The lowest and the highest difference of two runs on a topic; or why the measure has none.
    /// An undefined score counts as 0.
    pub fn difference(
        &self,
        metric: &Metric,
        (a, b): (usize, usize),
        topic: u32,
    ) -> std::result::Result<(f64, f64), &'static str> {
        let rankings = [a, b].map(|run| &self.rankings[run][topic as usize]);
        let shared = shared(&rankings[0].hits, &rankings[1].hits);
        let [a, b] = rankings.map(|ranking| self.view(topic, ranking, &ranking.hits));
        let mut ranger = Ranger::new(metric);
        let range = or_zero(ranger.difference(&a, &b, &shared, self.vary(rankings)))?;
        Ok((range.low, range.high))
    }

    /// The lowest and the highest score of a run on a topic; or why the measure has none. An
    /// undefined score counts as 0.
    pub fn score(
        &self,
        metric: &Metric,
        run: usize,
        topic: u32,
    ) -> std::result::Result<(f64, f64), &'static str> {
        let ranking = &self.rankings[run][topic as usize];
        let view = self.view(topic, ranking, &ranking.hits);
        let range = or_zero(Ranger::new(metric).range(&view, self.vary([ranking])))?;
        Ok((range.low, range.high))
    }

    /// What varies. Below the end of a ranking that is not there is nothing: the policy for missing
    /// topics has scored it.
    fn vary<const N: usize>(&self, rankings: [&Ranking; N]) -> Vary {
        let answered = rankings.iter().all(|ranking| ranking.retrieved > 0);
        Vary { further: 0, below: if answered { self.below } else { BelowEnd::None } }
    }

    fn view<'a>(&'a self, topic: u32, ranking: &Ranking, hits: &'a [Hit]) -> Judged<'a> {
        Judged {
            hits: Hits::new(hits),
            retrieved: ranking.retrieved,
            grades: self.pooled.grades(topic),
            max_grade: self.pooled.max_grade_ref(),
            facets: self.pooled.facets(topic),
            scores: &[],
        }
    }
}

/// Scores that are undefined whatever the judgements are both 0 in the means.
fn or_zero(range: std::result::Result<Range, Absent>) -> std::result::Result<Range, &'static str> {
    match range {
        Err(Absent::Refused(why)) => Err(why),
        Err(Absent::Undefined) => Ok(Range::point(0.0)),
        Ok(range) => Ok(range.or_zero()),
    }
}

/// The unjudged documents of two rankings, with their rank in each.
fn shared(a: &[Hit], b: &[Hit]) -> Vec<SharedDocument> {
    let unjudged = |hits: &[Hit]| {
        let mut found: Vec<(u32, u32)> =
            hits.iter().filter(|h| h.grade < 0.0).map(|h| (h.doc, h.rank)).collect();
        found.sort_unstable();
        found
    };
    let (a, b) = (unjudged(a), unjudged(b));
    let rank_in = |hits: &[(u32, u32)], doc: u32| {
        hits.binary_search_by_key(&doc, |(doc, _)| *doc).ok().map(|at| hits[at].1)
    };
    let mut all: Vec<SharedDocument> = a
        .iter()
        .map(|(doc, rank)| SharedDocument { in_a: Some(*rank), in_b: rank_in(&b, *doc) })
        .collect();
    let only_b = b.iter().filter(|(doc, _)| rank_in(&a, *doc).is_none());
    all.extend(only_b.map(|(_, rank)| SharedDocument { in_a: None, in_b: Some(*rank) }));
    all
}

/// The judgements with all that the runs retrieved. Topics keep their numbers.
fn pool(qrels: &Qrels, runs: &[impl Borrow<Run>]) -> Result<Qrels> {
    if !qrels.is_complete() {
        return Err(Error::usage(
            "joint ranges need all judgements, but only those above zero were read",
        ));
    }
    let mut pooled = Entries::new();
    // Topic by topic, so that no more than the documents of one are held a second time.
    for topic in 0..qrels.len() as u32 {
        let number = pooled.topic(qrels.topic_bytes(topic));
        let mut known: HashSet<&[u8]> = HashSet::new();
        for (doc, grade) in qrels.judgements(topic) {
            known.insert(doc);
            pooled.push(number, doc, grade, 0)?;
        }
        for run in runs.iter().map(Borrow::borrow) {
            let Some(ranked) = run.find(qrels.topic_bytes(topic)) else { continue };
            for (doc, _) in run.documents(ranked) {
                if known.insert(doc) {
                    pooled.push(number, doc, OUTSIDE_POOL, 0)?;
                }
            }
        }
    }
    let mut pooled = Qrels::from_file(pooled)
        .map_err(|d| Error::usage(format!("document {} is in topic {} twice", d.doc, d.topic)))?;
    pooled.set_max_grade(qrels.max_grade());
    Ok(pooled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{QrelsOptions, RunOptions, Source, read_qrels, read_run};

    fn in_memory(text: &str) -> Run {
        let source = Source::from_bytes("run", text);
        read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap()
    }

    fn qrels(text: &str) -> Qrels {
        read_qrels(
            &Source::from_bytes("qrels", text),
            QrelsOptions::default(),
            &mut Warnings::default(),
        )
        .unwrap()
    }

    fn mean(metric: &Metric, judged: &str, run: &str) -> f64 {
        let judged = qrels(judged);
        let metrics = [metric.clone()];
        let scores = Evaluation::new(&judged, &metrics)
            .run(&Source::from_bytes("run", run), &mut Warnings::default())
            .unwrap();
        scores.column(0).flatten().sum::<f64>() / scores.len() as f64
    }

    /// Every completion of the unjudged documents, by writing it into the judgements and scoring
    /// both runs.
    #[test]
    fn as_all_completions() {
        let judged = "1 0 a 2\n1 0 b 0\n2 0 a 1\n2 0 c 0\n";
        let runs = [
            "1 Q0 x 1 9 r\n1 Q0 a 2 8 r\n1 Q0 y 3 7 r\n2 Q0 a 1 9 r\n2 Q0 x 2 8 r\n",
            "1 Q0 b 1 9 r\n1 Q0 x 2 8 r\n1 Q0 z 3 7 r\n2 Q0 x 1 9 r\n2 Q0 a 2 8 r\n",
        ];
        let open = ["1 0 x", "1 0 y", "1 0 z", "2 0 x"];
        let qrels = qrels(judged);
        let mut joint = JointRanges::new(&qrels, Policy::default(), &runs.map(in_memory)).unwrap();
        joint.below = BelowEnd::None;
        for (name, kind) in [
            ("P@2", RangeKind::Exact),
            ("DCG@3", RangeKind::Exact),
            ("nDCG@3", RangeKind::Exact),
            ("RR", RangeKind::Exact),
            ("R@2", RangeKind::Exact),
            ("AP", RangeKind::Bound),
            ("Q", RangeKind::Bound),
        ] {
            let metric: Metric = name.parse().unwrap();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for code in 0..3usize.pow(open.len() as u32) {
                let grades = (0..open.len())
                    .map(|i| format!("{} {}\n", open[i], code / 3usize.pow(i as u32) % 3));
                let completed = judged.to_string() + &grades.collect::<String>();
                let difference =
                    mean(&metric, &completed, runs[0]) - mean(&metric, &completed, runs[1]);
                (low, high) = (low.min(difference), high.max(difference));
            }
            let found = joint.mean_difference(&metric, 0, 1, qrels.topics()).unwrap();
            assert_eq!((found.kind, found.unjudged), (kind, 4), "{name}");
            let judged = mean(&metric, judged, runs[0]) - mean(&metric, judged, runs[1]);
            assert!(
                (found.difference - judged).abs() < 1e-12,
                "{name}: {} and {judged}",
                found.difference
            );
            let (from, to) = (found.low, found.high);
            match kind {
                RangeKind::Exact => assert!(
                    (from - low).abs() < 1e-12 && (to - high).abs() < 1e-12,
                    "{name}: {found:?}, not {low} to {high}"
                ),
                _ => assert!(
                    from <= low + 1e-12 && to >= high - 1e-12,
                    "{name}: {found:?} does not hold {low} to {high}"
                ),
            }
            // If both runs hold the same unjudged documents in their top two, judging them
            // changes nothing.
            assert_eq!(from < to, name != "P@2", "{name}");
        }
    }

    /// Judgements in which each of six documents is relevant, not relevant, pooled and unassessed, or
    /// outside the pool, for two runs. Some of these measures treat documents outside the pool in
    /// another way than non-relevant ones.
    #[test]
    fn a_joint_range_holds_the_difference_of_the_scores() {
        let runs = ["abcdef", "fdbeca"].map(|docs| {
            let rows =
                docs.chars().zip(1..).map(|(doc, rank)| format!("1 Q0 {doc} 1 {} r\n", 9 - rank));
            rows.collect::<String>()
        });
        let loaded = [in_memory(&runs[0]), in_memory(&runs[1])];
        for code in 0..4usize.pow(6) {
            let grades = ["1", "0", "-1", ""];
            let rows =
                "abcdef".chars().zip(0..).map(|(doc, at)| (doc, grades[code / 4usize.pow(at) % 4]));
            let rows = rows.filter(|(_, grade)| !grade.is_empty());
            let text: String = rows.map(|(doc, grade)| format!("1 0 {doc} {grade}\n")).collect();
            if !text.contains(" 1\n") {
                continue;
            }
            let judged = qrels(&text);
            let joint = JointRanges::new(&judged, Policy::default(), &loaded).unwrap();
            for name in ["infAP", "Bpref", "AUC", "AP(judged_only=true)", "AP"] {
                let metric: Metric = name.parse().unwrap();
                let found = joint.mean_difference(&metric, 0, 1, judged.topics()).unwrap();
                let scores = [0, 1].map(|run| mean(&metric, &text, &runs[run]));
                let difference = scores[0] - scores[1];
                assert!((found.difference - difference).abs() < 1e-12, "{name} {text}: {found:?}");
                let holds = |(low, high): (f64, f64), x: f64| low - 1e-12 <= x && x <= high + 1e-12;
                assert!(holds((found.low, found.high), difference), "{name} {text}: {found:?}");
                for run in [0, 1] {
                    assert!(holds(found.apart[run], scores[run]), "{name} {text}: {found:?}");
                }
            }
        }
    }

    fn joint(judged: &str, runs: [&str; 2], measure: &str) -> JointDifference {
        let qrels = qrels(judged);
        let joint = JointRanges::new(&qrels, Policy::default(), &runs.map(in_memory)).unwrap();
        joint.mean_difference(&measure.parse().unwrap(), 0, 1, qrels.topics()).unwrap()
    }

    /// Both retrieved x, unjudged, at the same rank: the ranges overlap, but the order is certain.
    #[test]
    fn verdicts() {
        let judged = "1 0 a 1\n1 0 b 0\n";
        let [ahead, behind] = ["1 Q0 a 1 9 r\n1 Q0 x 2 8 r\n", "1 Q0 b 1 9 r\n1 Q0 x 2 8 r\n"];
        let found = joint(judged, [ahead, behind], "P@2");
        assert_eq!((found.difference, found.low, found.high, found.unjudged), (0.5, 0.5, 0.5, 1));
        assert_eq!((found.apart, found.shares), ([(0.5, 1.0), (0.0, 0.5)], [0.5, 0.5]));
        assert_eq!(found.verdict(), JointVerdict::CertainlyAhead);
        // x adds the same to both sums of precisions by itself, and 1/2 by its pair with a: 1
        // becomes (1 + 1/2)/2.
        let found = joint(judged, [ahead, behind], "AP");
        assert_eq!(
            (found.low, found.high, found.kind, found.verdict()),
            (0.75, 1.0, RangeKind::Bound, JointVerdict::CertainlyAhead)
        );
        assert_eq!(joint(judged, [behind, ahead], "P@2").verdict(), JointVerdict::CertainlyBehind);
        assert_eq!(joint(judged, [ahead, ahead], "P@2").verdict(), JointVerdict::Equal);
        // y makes up for a.
        let other = "1 Q0 y 1 9 r\n1 Q0 x 2 8 r\n";
        let found = joint(judged, [ahead, other], "P@2");
        assert_eq!(
            (found.low, found.high, found.unjudged, found.verdict()),
            (0.0, 0.5, 2, JointVerdict::CouldTurn)
        );
    }

    /// The ranges 0.5 to 1 and 0 to 1 overlap by 0.5, as much as the runs differ; if they differ
    /// by less, a warning follows.
    #[test]
    fn unsafe_comparisons() {
        let judged = "1 0 a 1\n1 0 b 0\n";
        let [a, x, xy] = [
            "1 Q0 a 1 9 r\n1 Q0 x 2 8 r\n",
            "1 Q0 x 1 9 r\n1 Q0 a 2 8 r\n",
            "1 Q0 x 1 9 r\n1 Q0 y 2 8 r\n",
        ];
        assert!(!joint(judged, [a, xy], "P@2").is_unsafe());
        let found = joint(judged, [a, x], "P@2");
        assert_eq!((found.overlap(), found.difference), (0.5, 0.0));
        let mut warnings = Warnings::default();
        found.warn("P@2", "one", "two", &mut warnings);
        insta::assert_snapshot!(
            warnings.list()[0].message,
            @"P@2: 1 pair of systems whose ranges overlap by more than they differ (for example one and two, with 50% and 50% unjudged)"
        );
    }
}
