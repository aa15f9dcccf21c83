//! Strictness (Amigo, Gonzalo and Verdejo 2013, section 4.1): the largest gap between a high rank
//! by a measure and a low rank by another.

use serde::Serialize;

use crate::error::Result;
use crate::stats::{ScoreMatrix, average_ranks};

/// How many of the largest gaps the paper averages, to see whether one outlier decides.
const LARGEST: usize = 10;

/// The paper's strictness in both readings of its set O of system outputs. Near 0 is strict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strictness {
    /// O holds the outputs for all topics, ranked together. This gives numbers of the paper's kind.
    pub pooled: Gaps,
    /// O holds the outputs for one topic; the largest gap of all topics.
    pub within_topics: Gaps,
}

/// The largest gaps, negated, as shares of |O|.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Gaps {
    /// The negated largest gap.
    pub largest: f64,
    /// The negated mean of the ten largest gaps, over outputs and other measures.
    pub ten_largest: f64,
}

/// The output about which a measure and another disagree most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// The system and the topic, by their places in the matrices.
    pub(super) system: usize,
    pub(super) topic: usize,
    /// The other measure.
    pub(super) against: usize,
    /// The ranks among the outputs for all topics, the best first.
    pub(super) rank: f64,
    pub(super) rank_against: f64,
}

/// The strictness of each measure, given as matrices of systems by topics, against the measures
/// with these indices, and its largest gap. Equal scores share their mean rank.
pub(super) fn strictness(
    measures: &[ScoreMatrix],
    against: &[usize],
) -> Result<Vec<(Strictness, Option<Gap>)>> {
    let pooled =
        measures.iter().map(|m| average_ranks(&m.rows().concat())).collect::<Result<Vec<_>>>()?;
    let within = measures.iter().map(ranks_within_topics).collect::<Result<Vec<_>>>()?;
    let (systems, topics) = measures.first().map_or((0, 0), |m| (m.systems(), m.topics()));
    let outputs = pooled.first().map_or(0, Vec::len);
    Ok((0..measures.len())
        .map(|m| {
            let strictness = Strictness {
                pooled: gaps(&pooled, m, against, outputs),
                within_topics: gaps(&within, m, against, systems),
            };
            (strictness, widest(&pooled, m, against, topics))
        })
        .collect())
}

/// The largest gap above zero, the first of equal ones.
fn widest(ranks: &[Vec<f64>], measure: usize, against: &[usize], topics: usize) -> Option<Gap> {
    let mut found: Option<(f64, usize, usize)> = None;
    for &other in against.iter().filter(|other| **other != measure) {
        for (output, (own, others)) in ranks[measure].iter().zip(&ranks[other]).enumerate() {
            let gap = own - others;
            if gap > found.map_or(0.0, |(widest, ..)| widest) {
                found = Some((gap, output, other));
            }
        }
    }
    // Ranks count from the bottom inside, from the top for people.
    let from_top = |rank: f64| ranks[measure].len() as f64 + 1.0 - rank;
    found.map(|(_, output, other)| Gap {
        system: output / topics,
        topic: output % topics,
        against: other,
        rank: from_top(ranks[measure][output]),
        rank_against: from_top(ranks[other][output]),
    })
}

/// The ranks of the systems for each topic, topic by topic.
fn ranks_within_topics(scores: &ScoreMatrix) -> Result<Vec<f64>> {
    let of_topic = |topic: usize| {
        average_ranks(&scores.rows().iter().map(|row| row[topic]).collect::<Vec<_>>())
    };
    Ok((0..scores.topics()).map(of_topic).collect::<Result<Vec<_>>>()?.concat())
}

fn gaps(ranks: &[Vec<f64>], measure: usize, against: &[usize], outputs: usize) -> Gaps {
    let others = against.iter().filter(|other| **other != measure);
    let mut gaps: Vec<f64> = others
        .flat_map(|other| {
            ranks[measure]
                .iter()
                .zip(&ranks[*other])
                .map(|(own, other)| (own - other) / outputs as f64)
        })
        .collect();
    gaps.sort_by(|a, b| b.total_cmp(a));
    gaps.truncate(LARGEST);
    let mean = gaps.iter().sum::<f64>() / gaps.len().max(1) as f64;
    Gaps { largest: -gaps.first().copied().unwrap_or(0.0) + 0.0, ten_largest: -mean + 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> ScoreMatrix {
        ScoreMatrix::new(rows.iter().map(|r| r.to_vec()).collect()).unwrap()
    }

    /// Four outputs. By m they rank 4, 3, 1.5, 1.5; by m' 1, 4, 2, 3: the largest gap is 3 of 4
    /// outputs, and in the first topic 1 of 2 systems.
    #[test]
    fn by_hand() {
        let m = matrix(&[&[0.9, 0.5], &[0.1, 0.1]]);
        let other = matrix(&[&[0.1, 0.8], &[0.2, 0.3]]);
        let (found, gaps): (Vec<_>, Vec<_>) =
            strictness(&[m, other], &[1]).unwrap().into_iter().unzip();
        // The first system on the first topic is the best of four by m, the worst by m'.
        let gap = Gap { system: 0, topic: 0, against: 1, rank: 1.0, rank_against: 4.0 };
        assert_eq!(gaps, [Some(gap), None]);
        assert_eq!((found[0].pooled.largest, found[0].within_topics.largest), (-0.75, -0.5));
        // Gaps 3, -1, -0.5, -1.5 sum to 0.
        assert_eq!(found[0].pooled.ten_largest, 0.0);
        // Nothing to be compared with but itself.
        assert_eq!(found[1].pooled.largest, 0.0);
    }

    #[test]
    fn a_measure_agrees_with_itself() {
        let m = matrix(&[&[0.9, 0.5, 0.3], &[0.1, 0.1, 0.2]]);
        let found = strictness(&[m.clone(), m], &[0, 1]).unwrap();
        assert!(found.iter().all(|(s, gap)| s.pooled.largest == 0.0
            && s.within_topics.ten_largest == 0.0
            && gap.is_none()));
    }
}
