//! Methods that learn from judged runs how far a rank can be trusted.

use super::method::{FusionDef, FusionParam, MethodSettings};
use super::topic::Topic;
use crate::data::{Qrels, Run};
use crate::error::{Error, Place, Result};
use crate::policy::{Rounding, Ties};

/// What a method learned of each run: a number by run, by rank or by segment of ranks.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned(pub Vec<Vec<f64>>);

impl Learned {
    /// As JSON: a list of numbers for each run.
    pub fn to_json(&self) -> String {
        serde_json::json!(self.0).to_string()
    }

    /// What [`Learned::to_json`] wrote. `name` is that of the file.
    pub fn from_json(name: &str, text: &str) -> Result<Learned> {
        serde_json::from_str(text).map(Learned).map_err(|error| {
            let message = format!("found no list of numbers for each run: {error}");
            Error::input(Place::file(name), message)
        })
    }
}

/// The hits of a judged topic: for each rank whether its document is relevant, at grade 1 or above.
type JudgedHits = Vec<bool>;

/// The hits of all judged topics, those that the run lacks with an empty list.
fn hit_lists(qrels: &Qrels, run: &Run) -> Result<Vec<JudgedHits>> {
    let topics = qrels.topics();
    if topics.is_empty() {
        return Err(Error::usage("there are no judgements to learn from"));
    }
    let lists = topics.iter().map(|topic| {
        let relevant: std::collections::HashSet<&[u8]> = qrels
            .judgements(*topic)
            .filter(|(_, grade)| *grade >= 1.0)
            .map(|(document, _)| document)
            .collect();
        let ranking = match run.find(qrels.topic_bytes(*topic)) {
            Some(topic) => run.ranking(topic, Ties::default(), Rounding::F64),
            None => Vec::new(),
        };
        ranking.into_iter().map(|(document, _)| relevant.contains(document)).collect()
    });
    Ok(lists.collect())
}

fn hits(list: &[bool]) -> f64 {
    list.iter().filter(|hit| **hit).count() as f64
}

/// A part of a list, as far as there is one.
fn part(list: &[bool], start: usize, end: usize) -> &[bool] {
    &list[start.min(list.len())..end.min(list.len())]
}

/// The mean over lists.
fn mean(lists: &[JudgedHits], value: impl Fn(&[bool]) -> f64) -> f64 {
    lists.iter().map(|list| value(list)).sum::<f64>() / lists.len() as f64
}

/// At each rank the share of relevant documents, among the topics that are ranked so deep.
fn by_rank(qrels: &Qrels, run: &Run, _: &MethodSettings<'_>) -> Result<Vec<f64>> {
    let lists = hit_lists(qrels, run)?;
    let deepest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let (mut found, mut seen) = (vec![0.0; deepest], vec![0.0; deepest]);
    for (rank, hit) in lists.iter().flat_map(|list| list.iter().enumerate()) {
        found[rank] += f64::from(u8::from(*hit));
        seen[rank] += 1.0;
    }
    Ok(found.iter().zip(seen).map(|(hits, topics)| hits / topics).collect())
}

/// The average precision of the run, averaged over topics.
fn average_precision(qrels: &Qrels, run: &Run, _: &MethodSettings<'_>) -> Result<Vec<f64>> {
    let lists = hit_lists(qrels, run)?;
    let relevant =
        |topic: &u32| qrels.judgements(*topic).filter(|(_, grade)| *grade >= 1.0).count() as f64;
    let precisions = |list: &JudgedHits| -> f64 {
        let ranks = (1..).zip(list).filter(|(_, hit)| **hit).map(|(rank, _)| f64::from(rank));
        (1..).zip(ranks).map(|(found, rank): (u32, f64)| f64::from(found) / rank).sum()
    };
    let each = qrels.topics().iter().zip(&lists).map(|(topic, list)| match relevant(topic) {
        0.0 => 0.0,
        all => precisions(list) / all,
    });
    Ok(vec![each.sum::<f64>() / lists.len() as f64])
}

fn by_share(qrels: &Qrels, run: &Run, settings: &MethodSettings<'_>) -> Result<Vec<f64>> {
    let lists = hit_lists(qrels, run)?;
    let segments = settings.get("segments") as usize;
    let share = |list: &[bool], segment: usize| {
        let size = list.len().div_ceil(segments);
        let part = part(list, segment * size, (segment + 1) * size);
        if part.is_empty() { 0.0 } else { hits(part) / part.len() as f64 }
    };
    Ok((0..segments).map(|segment| mean(&lists, |list| share(list, segment))).collect())
}

/// Where the segments of SegFuse end: each is about twice as long as the one before.
const SEGMENTS: [usize; 11] = [0, 5, 15, 35, 75, 155, 315, 635, 1275, 2555, 5115];

fn by_segment(qrels: &Qrels, run: &Run, _: &MethodSettings<'_>) -> Result<Vec<f64>> {
    let lists = hit_lists(qrels, run)?;
    let share = |list: &[bool], start: usize, end: usize| {
        hits(part(list, start, end)) / (end - start) as f64
    };
    Ok(SEGMENTS.windows(2).map(|ends| mean(&lists, |list| share(list, ends[0], ends[1]))).collect())
}

/// Where the intervals of BayesFuse end: trec_eval's cutoffs.
const INTERVALS: [usize; 10] = [0, 5, 10, 15, 20, 30, 100, 200, 500, 1000];
/// What a probability of 0 counts as, of relevance or of its opposite.
const LITTLE: f64 = 0.001;

/// At each rank the logarithm of the odds of relevance, the same within an interval.
fn by_odds(qrels: &Qrels, run: &Run, _: &MethodSettings<'_>) -> Result<Vec<f64>> {
    let lists = hit_lists(qrels, run)?;
    let above_zero = |p: f64| if p == 0.0 { LITTLE } else { p };
    let mut odds = Vec::with_capacity(1000);
    for ends in INTERVALS.windows(2) {
        let length = ends[1] - ends[0];
        let share = mean(&lists, |list| hits(part(list, ends[0], ends[1])) / length as f64);
        let share = above_zero(share);
        let log = (share / above_zero(1.0 - share)).ln();
        odds.extend(std::iter::repeat_n(log, length));
    }
    Ok(odds)
}

/// The sum over runs of what a rank is worth, given what was learned of the run, the rank from 0,
/// the length of the ranking and the score.
fn sum_of(
    topic: &Topic<'_>,
    settings: &MethodSettings<'_>,
    worth: impl Fn(&[f64], usize, usize, f64) -> f64,
) -> Vec<f64> {
    topic
        .rescored(|run, rank, length, score| worth(settings.learned(run), rank, length, score))
        .by_document(|scores| scores.iter().map(|(_, score)| score).sum())
}

fn at(learned: &[f64], place: usize) -> f64 {
    learned.get(place).copied().unwrap_or(0.0)
}

const fn base(name: &'static str, title: &'static str, definition: &'static str) -> FusionDef {
    FusionDef {
        name,
        title,
        definition,
        params: &[],
        weighted: false,
        reference: "",
        combine: |_, _| Vec::new(),
        learn: Some(by_rank),
    }
}

/// The methods.
pub(super) const METHODS: &[FusionDef] = &[
    FusionDef {
        reference: "Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, Estimating probabilities \
                    for effective data fusion, SIGIR 2010",
        learn: Some(average_precision),
        combine: |topic, settings| {
            sum_of(topic, settings, |learned, rank, _, _| at(learned, 0) / (rank + 1) as f64)
        },
        ..base("mapfuse", "MAPFuse", "The sum over runs of the run's MAP divided by the rank.")
    },
    FusionDef {
        params: &[FusionParam {
            name: "segments",
            default: None,
            range: (1.0, 1e6),
            whole: true,
            about: "into how many parts of equal length rankings are divided",
        }],
        reference: "Lillis, Toolan, Collier and Dunnion, ProbFuse: a probabilistic approach to \
                    data fusion, SIGIR 2006",
        learn: Some(by_share),
        combine: |topic, settings| {
            sum_of(topic, settings, |learned, rank, length, _| {
                let segment = rank / length.div_ceil(learned.len().max(1)).max(1);
                at(learned, segment) / (segment + 1) as f64
            })
        },
        ..base(
            "probfuse",
            "ProbFuse",
            "The sum over runs of the share of relevant documents in the segment of the ranking, \
             divided by the number of the segment.",
        )
    },
    FusionDef {
        reference: "Shokouhi, Segmentation of search engine results for effective data-fusion, \
                    ECIR 2007",
        learn: Some(by_segment),
        combine: |topic, settings| {
            sum_of(topic, settings, |learned, rank, _, score| {
                let segment = SEGMENTS.partition_point(|start| *start <= rank) - 1;
                at(learned, segment) * (score + 1.0)
            })
        },
        ..base(
            "segfuse",
            "SegFuse",
            "The sum over runs of the share of relevant documents in the segment of ranks (5, then \
             10, 20, 40 and so on), times the score plus 1.",
        )
    },
    FusionDef {
        reference: "Aslam and Montague, Models for metasearch, SIGIR 2001",
        learn: Some(by_odds),
        combine: |topic, settings| {
            let least = (LITTLE / (1.0 - LITTLE)).ln();
            let odds = topic.rescored(|run, rank, _, _| {
                settings.learned(run).get(rank).copied().unwrap_or(least)
            });
            let runs = topic.lists.len();
            odds.by_document(|scores| {
                let mut all = vec![least; runs];
                scores.iter().for_each(|(run, odds)| all[*run] = *odds);
                all.iter().sum()
            })
        },
        ..base(
            "bayesfuse",
            "BayesFuse",
            "The sum over runs of the logarithm of the odds that a document at its rank is \
             relevant; of 1 to 999 for a run that lacks it, and below rank 1000.",
        )
    },
    FusionDef {
        params: &[FusionParam {
            name: "w",
            default: None,
            range: (0.0, 1e6),
            whole: true,
            about: "how many ranks before and behind count too",
        }],
        reference: "Lillis, Toolan, Collier and Dunnion, Extending probabilistic data fusion using \
                    sliding windows, ECIR 2008",
        combine: |topic, settings| {
            let w = settings.get("w") as usize;
            let sums: Vec<Vec<f64>> = settings.learned.iter().map(|list| running(list)).collect();
            let within = |run: usize, rank: usize, length: usize, _: f64| {
                let sums = sums.get(run).map_or(&[][..], Vec::as_slice);
                let (first, last) = (rank.saturating_sub(w), (rank + w).min(length - 1));
                let up_to = |end: usize| at(sums, end.min(sums.len().saturating_sub(1)));
                (up_to(last + 1) - up_to(first)) / (last - first + 1) as f64
            };
            topic.rescored(within).by_document(|scores| scores.iter().map(|(_, score)| score).sum())
        },
        ..base(
            "slidefuse",
            "SlideFuse",
            "The sum over runs of the share of relevant documents at the ranks around its own.",
        )
    },
    FusionDef {
        reference: "Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, Estimating probabilities \
                    for effective data fusion, SIGIR 2010",
        combine: |topic, settings| sum_of(topic, settings, |learned, rank, _, _| at(learned, rank)),
        ..base(
            "posfuse",
            "PosFuse",
            "The sum over runs of the share of relevant documents at its rank.",
        )
    },
];

/// The sums of the first numbers: none, one, two and so on.
fn running(list: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for x in list {
        sums.push(sums[sums.len() - 1] + x);
    }
    sums
}
