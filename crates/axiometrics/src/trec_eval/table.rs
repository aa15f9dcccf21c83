//! What trec_eval's measures say of each topic, and of all.

use super::Evaluator;
use super::columns::{LineContent, TrecSummary};
use crate::data::{Hit, Judged};

/// The scores of a run, topic by topic.
#[derive(Debug)]
pub struct TrecScores<'e> {
    evaluator: &'e Evaluator,
    topics: Vec<TrecTopic>,
    /// Row after row a number for each line, 0 for one that has none.
    values: Vec<f64>,
    tag: Vec<u8>,
}

/// What is known of one topic: which row of the numbers is its own, and the grades at its top if a
/// line asks for them.
#[derive(Debug)]
pub(super) struct TrecTopic {
    pub(super) name: Vec<u8>,
    pub(super) row: usize,
    pub(super) grades: String,
}

/// What stands under one name, of a topic or of all.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum TrecValue<'t> {
    /// A score or a count.
    Number(f64),
    /// The grades of the first documents, a character each.
    Text(&'t str),
    /// The tag of the run.
    Tag(&'t [u8]),
}

impl TrecValue<'_> {
    /// The number, if it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            TrecValue::Number(x) => Some(x),
            _ => None,
        }
    }
}

impl<'e> TrecScores<'e> {
    pub(super) fn new(
        evaluator: &'e Evaluator,
        topics: Vec<TrecTopic>,
        values: Vec<f64>,
        tag: Vec<u8>,
    ) -> TrecScores<'e> {
        TrecScores { evaluator, topics, values, tag }
    }

    fn number(&self, topic: &TrecTopic, column: usize) -> f64 {
        self.values[topic.row * self.evaluator.lines.len() + column]
    }

    /// How many topics there are: those of run and judgements both, or all judged ones if topics
    /// that the run lacks count.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// True if there is no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// Whose scores they are.
    pub fn evaluator(&self) -> &'e Evaluator {
        self.evaluator
    }

    /// The names of the scores.
    pub fn names(&self) -> Vec<&'e str> {
        self.evaluator.names()
    }

    /// The topics, sorted by the bytes of their names.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.topics.iter().map(|topic| topic.name.as_slice())
    }

    /// The row of a topic.
    pub fn row_of(&self, topic: &[u8]) -> Option<usize> {
        self.topics.binary_search_by(|known| known.name.as_slice().cmp(topic)).ok()
    }

    /// The column of a name.
    pub fn column_of(&self, name: &str) -> Option<usize> {
        self.evaluator.lines.iter().position(|line| line.name == name)
    }

    /// What a topic has under a name.
    pub fn get(&self, topic: &str, name: &str) -> Option<TrecValue<'_>> {
        self.value(self.row_of(topic.as_bytes())?, self.column_of(name)?)
    }

    /// The same by row and column. The number of topics is 1 here, and a geometric mean the
    /// logarithm of the score.
    #[inline]
    pub fn value(&self, row: usize, column: usize) -> Option<TrecValue<'_>> {
        let topic = self.topics.get(row)?;
        Some(match self.evaluator.lines.get(column)?.what {
            LineContent::RunTag => TrecValue::Tag(&self.tag),
            LineContent::Topics => TrecValue::Number(1.0),
            LineContent::Grades(length) => {
                TrecValue::Text(&topic.grades[..topic.grades.len().min(length)])
            }
            LineContent::Number(..) => TrecValue::Number(self.number(topic, column)),
        })
    }

    /// What all topics have under a name, together.
    pub fn summary(&self, name: &str) -> Option<TrecValue<'_>> {
        self.summary_of(self.column_of(name)?)
    }

    /// The same by column; `None` if there is no topic or no summary of the column.
    pub fn summary_of(&self, column: usize) -> Option<TrecValue<'_>> {
        let count = self.topics.len() as f64;
        match self.evaluator.lines.get(column)?.what {
            LineContent::RunTag => Some(TrecValue::Tag(&self.tag)),
            LineContent::Topics => Some(TrecValue::Number(count)),
            LineContent::Grades(_) => None,
            LineContent::Number(_, summary) => {
                // In the order of topics, as trec_eval adds them up.
                let sum: f64 = self.topics.iter().map(|topic| self.number(topic, column)).sum();
                (!self.is_empty()).then(|| TrecValue::Number(summary.of(sum, count)))
            }
        }
    }
}

impl TrecSummary {
    /// The summary of so many numbers with this sum.
    pub fn of(self, sum: f64, count: f64) -> f64 {
        match self {
            TrecSummary::Sum => sum,
            TrecSummary::Mean => sum / count,
            TrecSummary::Geometric => (sum / count).exp(),
        }
    }
}

/// The grades of the first documents, a character each.
pub(super) fn grades(topic: &Judged<'_>, length: usize) -> String {
    let mut text = vec![b'-'; length.min(topic.retrieved as usize)];
    for Hit { rank, grade, .. } in topic.hits.iter() {
        if let Some(place) = text.get_mut(*rank as usize - 1) {
            *place = match *grade as i64 {
                10.. => b'>',
                grade @ 0..10 => b'0' + grade as u8,
                _ => b'.',
            };
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::OwnedTopic;

    #[test]
    fn a_character_for_each_grade() {
        let topic = OwnedTopic::new(
            &[Some(0.0), None, Some(9.0), Some(12.0), Some(-1.0), Some(1.0)],
            &[1.0],
        );
        assert_eq!(grades(&topic.view(), 5), "0-9>.");
        assert_eq!(grades(&topic.view(), 10), "0-9>.1");
    }
}
