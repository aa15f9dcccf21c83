//! Whether the values that a measure can take are equally spaced.
//!
//! To Ferrante, Ferro and Fuhr (IEEE Access 9, 2021) a measure is on an interval scale, so that
//! means and t-tests of it have a meaning, only where the values it gives to the rankings of one
//! length are equally spaced. Moffat (IEEE Access 10, 2022) answers that a score is already a
//! quantity, what its user gains, whose differences need no such spacing. Both are told; which to
//! follow is the reader's choice.

use serde::Serialize;

use crate::data::{Facet, OwnedTopic};
use crate::measure::Metric;

/// What the values of a measure look like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spacing {
    /// True where neighbouring values are all equally far apart.
    pub equal: bool,
    /// Three neighbouring values that are not.
    pub witness: Option<[f64; 3]>,
    /// The length of the rankings that were looked at: all of them.
    pub documents: u32,
    /// Their grades went from 0 to this.
    pub max_grade: u32,
}

/// Values closer than this are one.
const RESOLUTION: f64 = 1e-9;

/// Looks at all rankings of a few documents with grades from 0 to this one (at most 3), for a topic
/// with as many documents of each grade. `None` where the measure needs more than grades, or has no
/// value for one of them.
pub fn spacing(metric: &Metric, max_grade: f64) -> Option<Spacing> {
    let max_grade = max_grade.clamp(1.0, 3.0) as u32;
    let documents = if max_grade == 1 { 5 } else { 4 };
    if metric.needs().facet != Facet::None || metric.needs().scores {
        return None;
    }
    let grades = max_grade as usize + 1;
    let mut values = Vec::new();
    for code in 0..grades.pow(documents) {
        let ranking: Vec<usize> = (0..documents).map(|i| code / grades.pow(i) % grades).collect();
        let left =
            |grade: usize| documents as usize - ranking.iter().filter(|g| **g == grade).count();
        let rest: Vec<f64> =
            (0..grades).flat_map(|grade| std::iter::repeat_n(grade as f64, left(grade))).collect();
        let ranked: Vec<Option<f64>> = ranking.iter().map(|grade| Some(*grade as f64)).collect();
        values.push(metric.score(&OwnedTopic::new(&ranked, &rest).view()).value()?);
    }
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| (*a - *b).abs() <= RESOLUTION);
    let uneven = |v: &&[f64]| ((v[2] - v[1]) - (v[1] - v[0])).abs() > RESOLUTION;
    let witness = values.windows(3).find(uneven).and_then(|v| v.try_into().ok());
    Some(Spacing { equal: witness.is_none(), witness, documents, max_grade })
}

impl Spacing {
    /// What it means, in one sentence.
    pub fn sentence(&self) -> String {
        let Spacing { documents, max_grade, .. } = self;
        match self.witness {
            None => format!(
                "an interval scale in the sense of Ferrante, Ferro and Fuhr (2021): the values of rankings of {documents} documents with grades up \
                 to {max_grade} are equally spaced"
            ),
            Some([a, b, c]) => format!(
                "not an interval scale in the sense of Ferrante, Ferro and Fuhr (2021), who ask for equally spaced values: of {documents} documents with \
                 grades up to {max_grade}, {a:.4}, {b:.4} and {c:.4} follow one another. Moffat (2022) holds that scores can be averaged as they are"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ferrante, Ferro and Fuhr: precision and recall of one topic are, RBP over relevant or not is
    /// where p = 1/2, the others are not.
    #[test]
    fn as_published() {
        let equal = |name: &str, max_grade: f64| {
            spacing(&name.parse().unwrap(), max_grade).map(|s| s.equal)
        };
        for name in ["P@5", "P@10", "R@5", "RBP(p=0.5)", "Success@5", "NumRelRet"] {
            assert_eq!(equal(name, 1.0), Some(true), "{name}");
        }
        for name in ["AP", "RR", "DCG@5", "nDCG@10", "ERR", "RBP(p=0.8)", "bpref"] {
            assert_eq!(equal(name, 1.0), Some(false), "{name}");
        }
        // P@5 counts the relevant, whatever their grades.
        assert_eq!((equal("P@5", 3.0), equal("RBP(p=0.8)", 3.0)), (Some(true), Some(false)));
        assert_eq!(equal("alpha-nDCG@5", 1.0), None);
    }

    #[test]
    fn the_witness_is_three_neighbours() {
        let found = spacing(&"RR".parse().unwrap(), 1.0).unwrap();
        assert_eq!(found.witness, Some([0.0, 0.2, 0.25]));
        assert!(found.sentence().contains("0.0000, 0.2000 and 0.2500 follow one another"));
    }
}
