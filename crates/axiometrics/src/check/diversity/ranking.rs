//! Rankings of documents that serve subtopics, scored for a check.

use std::cmp::Ordering;

use crate::check::Arithmetic;
use crate::check::search::SearchTally;
use crate::check::states::{clearly, decide};
use crate::check::witness::number;
use crate::data::{FacetRow, Facets, Grades, Hit, Hits, Judged};
use crate::measure::{Metric, Number};

/// The subtopics that a document serves, one bit for each.
pub(super) type Served = u8;

/// The first two subtopics.
pub(super) const A: Served = 1;
pub(super) const B: Served = 2;

/// A ranking of some documents of a collection.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SubtopicRanking {
    /// What each document of the collection serves.
    pub collection: Vec<Served>,
    /// The documents by rank.
    pub ranked: Vec<usize>,
    /// The probabilities of the subtopics; empty if they are all the same.
    pub weights: Vec<f64>,
}

impl SubtopicRanking {
    /// A ranking, and documents that were not retrieved.
    pub(super) fn new(ranked: &[Served], missed: &[Served]) -> SubtopicRanking {
        SubtopicRanking {
            collection: [ranked, missed].concat(),
            ranked: (0..ranked.len()).collect(),
            weights: Vec::new(),
        }
    }

    /// The same ranking in a collection with one more document, which was not retrieved.
    pub(super) fn missing(mut self, document: Served) -> SubtopicRanking {
        self.collection.push(document);
        self
    }

    /// The same with a document at a rank, counted from 0, in exchange for one that was not
    /// retrieved.
    pub(super) fn exchanged(&self, rank: usize, document: usize) -> SubtopicRanking {
        let mut other = self.clone();
        other.ranked[rank] = document;
        other
    }

    fn rows(&self) -> Vec<FacetRow> {
        let row = |doc: u32, facet: u32| FacetRow { doc, id_rank: doc, facet, grade: 1.0 };
        let documents = (0u32..).zip(&self.collection);
        documents
            .flat_map(|(doc, served)| {
                (0..Served::BITS).filter(move |f| served >> f & 1 == 1).map(move |f| row(doc, f))
            })
            .collect()
    }

    /// Calls with the judged topic.
    fn judged<N: Number, T>(&self, take: impl FnOnce(&Judged<'_, N>) -> T) -> T {
        let rows = self.rows();
        let served = self.collection.iter().fold(0, |all, served| all | served);
        let hits: Vec<Hit<N>> = (1u32..)
            .zip(&self.ranked)
            .filter(|(_, doc)| self.collection[**doc] != 0)
            .map(|(rank, doc)| Hit { rank, doc: *doc as u32, grade: N::one() })
            .collect();
        let grade = |served: &Served| if *served == 0 { N::zero() } else { N::one() };
        let grades = Grades::new(self.collection.iter().map(grade));
        take(&Judged {
            hits: Hits::new(&hits),
            retrieved: self.ranked.len() as u32,
            grades: (&grades).into(),
            max_grade: &N::one(),
            facets: Facets { rows: &rows, count: served.count_ones(), weights: &self.weights },
            scores: &[],
        })
    }

    /// The score; `None` if it is undefined.
    pub(super) fn score(&self, metric: &Metric) -> Option<f64> {
        self.judged(|topic| metric.score(topic).value()).filter(|x| !x.is_nan())
    }

    /// As text: `{a} {a,b} | {b}`, the documents that were not retrieved after the bar.
    pub(super) fn text(&self) -> String {
        let name = |document: &usize| {
            let served = self.collection[*document];
            let letters: Vec<String> = ('a'..)
                .take(Served::BITS as usize)
                .enumerate()
                .filter(|(f, _)| served >> f & 1 == 1)
                .map(|(_, letter)| letter.to_string())
                .collect();
            format!("{{{}}}", letters.join(","))
        };
        let ranked: Vec<String> = self.ranked.iter().map(name).collect();
        let all = 0..self.collection.len();
        let missed: Vec<String> =
            all.filter(|d| !self.ranked.contains(d)).map(|d| name(&d)).collect();
        match missed.is_empty() {
            true => ranked.join(" "),
            false => {
                format!("{} | {}", ranked.join(" "), missed.join(" ")).trim_start().to_string()
            }
        }
    }

    /// With its score.
    pub(super) fn told(&self, metric: &Metric) -> String {
        let score = self.score(metric).map_or_else(|| "undefined".to_string(), number);
        format!("{} scores {score}", self.text())
    }
}

/// The order of two scores, exact if they are near; `None`, and one more skipped, if one is
/// undefined.
pub(super) fn compare(
    metric: &Metric,
    tally: &mut SearchTally,
    a: &SubtopicRanking,
    b: &SubtopicRanking,
) -> Option<Ordering> {
    let (Some(x), Some(y)) = (a.score(metric), b.score(metric)) else {
        tally.skipped += 1;
        return None;
    };
    tally.cases += 1;
    tally.last = Arithmetic::Exact;
    if let Some(order) = clearly(x, y) {
        return Some(order);
    }
    let exact =
        |ranking: &SubtopicRanking| ranking.judged(|topic| metric.score_exact(topic).value());
    Some(tally.note(decide(&exact(a)?, &exact(b)?)))
}

/// All rankings of up to so many documents, each serving some of so many subtopics; the shortest
/// first.
pub(super) fn all(subtopics: u32, most: usize) -> impl Iterator<Item = Vec<Served>> {
    let kinds = 1usize << subtopics;
    (0..=most).flat_map(move |n| {
        (0..kinds.pow(n as u32)).map(move |code| {
            (0..n).map(|i| (code / kinds.pow(i as u32) % kinds) as Served).collect()
        })
    })
}
