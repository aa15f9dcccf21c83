//! Whether the values that a measure can take are equally spaced, and on what conditions.
//!
//! To Ferrante, Ferro and Fuhr (IEEE Access 9, 2021) a measure is on an interval scale, so that
//! means and t-tests of it have a meaning, only if the values that it gives to the rankings of one
//! length are equally spaced. Moffat (IEEE Access 10, 2022) answers that a score is already a
//! quantity, what its user gains, whose differences need no such spacing. Both are told; which to
//! follow is the reader's choice.
//!
//! Which rankings there are depends on their length and on how many documents are relevant (the
//! recall base), and so does the distance between neighbouring values. So all rankings of several
//! lengths are looked at, each for topics with few and with many relevant documents.

use serde::Serialize;

use crate::data::{Facet, OwnedTopic};
use crate::measure::Metric;

/// What the values of a measure look like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spacing {
    /// True if neighbouring values are all equally far apart, for each length, if at least as many
    /// documents of each grade exist as are retrieved.
    pub equal: bool,
    /// Three neighbouring values that are not, of the shortest rankings that have some.
    pub witness: Option<[f64; 3]>,
    /// The length of those rankings; the longest that were looked at if there are none.
    pub documents: u32,
    /// The grades went from 0 to this.
    pub max_grade: u32,
    /// True if the values are equally spaced for topics with fewer relevant documents, too.
    pub few_relevant: bool,
    /// True if the distance between neighbouring values depends on the length of the ranking.
    pub by_length: bool,
    /// True if it depends on how many documents are relevant.
    pub by_recall_base: bool,
}

/// Values closer than this are one.
const RESOLUTION: f64 = 1e-9;

/// The longest rankings that are looked at, if documents are relevant or not, and with grades.
const LONGEST: u32 = 6;
const LONGEST_GRADED: u32 = 4;

/// The values of all rankings of one length for topics with one recall base.
struct RankingValues {
    length: u32,
    /// How many documents of each grade above 0 there are.
    relevant: u32,
    sorted: Vec<f64>,
}

impl RankingValues {
    /// The values, none if the measure has no value for one of the rankings.
    fn new(metric: &Metric, max_grade: u32, length: u32, relevant: u32) -> Option<RankingValues> {
        let grades = max_grade as usize + 1;
        let mut sorted = Vec::new();
        for code in 0..grades.pow(length) {
            let ranking: Vec<usize> = (0..length).map(|i| code / grades.pow(i) % grades).collect();
            let count = |grade: usize| ranking.iter().filter(|g| **g == grade).count();
            if (1..grades).any(|grade| count(grade) > relevant as usize) {
                continue;
            }
            let rest: Vec<f64> = (1..grades)
                .flat_map(|grade| {
                    std::iter::repeat_n(grade as f64, relevant as usize - count(grade))
                })
                .chain(std::iter::repeat_n(0.0, length as usize))
                .collect();
            let ranked: Vec<Option<f64>> =
                ranking.iter().map(|grade| Some(*grade as f64)).collect();
            let topic = OwnedTopic::new(&ranked, &rest).with_max_grade(f64::from(max_grade));
            sorted.push(metric.score(&topic.view()).value()?);
        }
        sorted.sort_by(f64::total_cmp);
        sorted.dedup_by(|a, b| (*a - *b).abs() <= RESOLUTION);
        Some(RankingValues { length, relevant, sorted })
    }

    /// Three neighbours that are not equally far apart.
    fn uneven(&self) -> Option<[f64; 3]> {
        let uneven = |v: &&[f64]| ((v[2] - v[1]) - (v[1] - v[0])).abs() > RESOLUTION;
        self.sorted.windows(3).find(uneven).and_then(|v| v.try_into().ok())
    }

    /// The distance between neighbours; `None` if there is only one value.
    fn step(&self) -> Option<f64> {
        self.sorted.windows(2).map(|v| v[1] - v[0]).next()
    }

    /// Every ranking of this length exists.
    fn is_full(&self) -> bool {
        self.relevant >= self.length
    }
}

/// Looks at all rankings of a few documents with grades from 0 to this one (at most 3). `None` if
/// the measure needs more than grades, or has no value for some ranking in each of the topics.
pub fn spacing(metric: &Metric, max_grade: f64) -> Option<Spacing> {
    let max_grade = max_grade.clamp(1.0, 3.0) as u32;
    if metric.needs().facet != Facet::None || metric.needs().scores {
        return None;
    }
    let longest = if max_grade == 1 { LONGEST } else { LONGEST_GRADED };
    let bases = |length: u32| (1..=length).chain([2 * length]);
    let all: Vec<RankingValues> = (2..=longest)
        .flat_map(|length| bases(length).map(move |relevant| (length, relevant)))
        .filter_map(|(length, relevant)| RankingValues::new(metric, max_grade, length, relevant))
        .collect();
    let full = || all.iter().filter(|v| v.is_full());
    full().next()?;
    let witness = full().find_map(|v| Some((v.uneven()?, v.length)));
    let few = all.iter().filter(|v| !v.is_full());
    let differ = |same: fn(&RankingValues, &RankingValues) -> bool| {
        let step = |v: &RankingValues| v.step().filter(|_| v.uneven().is_none());
        all.iter().any(|a| {
            all.iter().filter(|b| same(a, b)).any(|b| match (step(a), step(b)) {
                (Some(x), Some(y)) => (x - y).abs() > RESOLUTION,
                _ => false,
            })
        })
    };
    Some(Spacing {
        equal: witness.is_none(),
        witness: witness.map(|(values, _)| values),
        documents: witness.map_or(longest, |(_, length)| length),
        max_grade,
        few_relevant: few.map(RankingValues::uneven).all(|uneven| uneven.is_none()),
        by_length: differ(|a, b| a.relevant == b.relevant),
        by_recall_base: differ(|a, b| a.length == b.length),
    })
}

impl Spacing {
    /// What it means, in a sentence or two.
    pub fn sentence(&self) -> String {
        let Spacing { documents, max_grade, .. } = self;
        let grades = if *max_grade == 1 {
            "relevant or not".to_string()
        } else {
            format!("with grades up to {max_grade}")
        };
        let Some([a, b, c]) = self.witness else {
            let mut text = format!(
                "an interval scale in the sense of Ferrante, Ferro and Fuhr (2021): the values of rankings of 2 to {documents} documents, {grades}, are \
                 equally spaced"
            );
            if !self.few_relevant {
                text += ", as long as no fewer documents are relevant than are retrieved";
            }
            let depends = match (self.by_length, self.by_recall_base) {
                (true, true) => {
                    Some("the length of the ranking and the number of relevant documents")
                }
                (true, false) => Some("the length of the ranking"),
                (false, true) => Some("the number of relevant documents"),
                (false, false) => None,
            };
            if let Some(what) = depends {
                text += &format!(
                    ". The distance between neighbouring values depends on {what}, so scores are on one scale only if that is the same"
                );
            }
            return text;
        };
        format!(
            "not an interval scale in the sense of Ferrante, Ferro and Fuhr (2021), who ask for equally spaced values: of {documents} documents, {grades}, \
             {a:.4}, {b:.4} and {c:.4} follow one another. Moffat (2022) holds that scores can be averaged as they are"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, max_grade: f64) -> Spacing {
        spacing(&name.parse().unwrap(), max_grade).unwrap()
    }

    /// Ferrante, Ferro and Fuhr: precision and recall of one topic are, RBP over relevant or not is
    /// if p = 1/2, the others are not.
    #[test]
    fn as_published() {
        for name in ["P@5", "P@10", "R@5", "RBP(p=0.5)", "Success@5", "NumRelRet"] {
            assert!(found(name, 1.0).equal, "{name}");
        }
        for name in ["AP", "RR", "DCG@5", "nDCG@10", "ERR", "RBP(p=0.8)", "bpref"] {
            assert!(!found(name, 1.0).equal, "{name}");
        }
        // P@5 counts the relevant, whatever their grades.
        assert!(found("P@5", 3.0).equal && !found("RBP(p=0.8)", 3.0).equal);
        assert_eq!(spacing(&"alpha-nDCG@5".parse().unwrap(), 1.0), None);
    }

    /// On which conditions: the length of the ranking, the recall base.
    #[test]
    fn the_conditions_are_told() {
        let conditions = |name: &str| {
            let s = found(name, 1.0);
            (s.few_relevant, s.by_length, s.by_recall_base)
        };
        assert_eq!(conditions("P@10"), (true, false, false));
        assert_eq!(conditions("SetP"), (true, true, false));
        assert_eq!(conditions("SetR"), (true, false, true));
        // With one relevant document RBP is 1/2, 1/4, 1/8 ... or 0.
        assert_eq!(conditions("RBP(p=0.5)"), (false, true, false));
        let sentence = found("SetR", 1.0).sentence();
        assert!(sentence.ends_with("depends on the number of relevant documents, so scores are on one scale only if that is the same"), "{sentence}");
        let sentence = found("RBP(p=0.5)", 1.0).sentence();
        assert!(sentence.contains("as long as no fewer documents are relevant"), "{sentence}");
    }

    #[test]
    fn the_witness_is_three_neighbours_of_the_shortest_rankings() {
        let rr = found("RR", 1.0);
        assert_eq!((rr.witness, rr.documents), (Some([0.0, 1.0 / 3.0, 0.5]), 3));
        assert!(rr.sentence().contains("0.0000, 0.3333 and 0.5000 follow one another"));
    }
}
