//! The judged topic: all that a measure may know of one ranking.
//!
//! It is sparse. A [`Hit`] is a retrieved document that matters: a relevant one, or, if a measure
//! asks for them ([`Needs`]), a judged non-relevant one. Everything else about the ranking is a
//! number: how many were retrieved, and the grades of the collection. One topic is read for all
//! measures at once; each sees no more of it than it asked for ([`Judged::narrowed`]).

use std::collections::BTreeSet;

use crate::number::Number;

/// A retrieved document that was judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<N = f64> {
    /// The rank, 1 at the top.
    pub rank: u32,
    /// Which judged document of the topic this is: an index into the topic's judgements.
    pub doc: u32,
    /// Its grade. Below 0: pooled, but not assessed, which most measures treat as unjudged.
    pub grade: N,
}

/// The hits of a ranking, by ascending rank, as far as somebody may see them.
#[derive(Debug)]
pub struct Hits<'a, N = f64> {
    all: &'a [Hit<N>],
    /// Only those with a grade above 0 are seen.
    positive: bool,
}

impl<'a, N> Hits<'a, N> {
    /// All of these, which come by ascending rank.
    pub fn new(all: &'a [Hit<N>]) -> Hits<'a, N> {
        Hits { all, positive: false }
    }

    /// Those of these that have a grade above 0.
    #[must_use]
    pub fn positive(self) -> Hits<'a, N> {
        Hits { positive: true, ..self }
    }
}

impl<'a, N: Number> Hits<'a, N> {
    /// One after the other from the top.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'a Hit<N>> + Clone + use<'a, N> {
        self.all.iter().filter(move |hit| !self.positive || hit.grade > N::zero())
    }

    /// Those down to a rank.
    #[must_use]
    pub fn down_to(self, rank: u32) -> Hits<'a, N> {
        Hits { all: &self.all[..self.all.partition_point(|hit| hit.rank <= rank)], ..self }
    }

    /// The one at a rank.
    pub fn at(self, rank: u32) -> Option<&'a Hit<N>> {
        let at = self.all.binary_search_by_key(&rank, |hit| hit.rank).ok()?;
        Some(&self.all[at]).filter(|hit| !self.positive || hit.grade > N::zero())
    }
}

/// The grades of one topic's judgements, as a collection: no document has a name here.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grades<N = f64> {
    /// The grades above zero, highest first: the ideal ranking.
    pub positive: Vec<N>,
    /// How many documents have grade zero.
    pub zero: u32,
    /// How many documents have a grade below zero (pooled, not assessed).
    pub negative: u32,
}

impl<N: Number> Grades<N> {
    /// The collection of these grades, in any order.
    pub fn new(grades: impl IntoIterator<Item = N>) -> Grades<N> {
        let mut all = Grades { positive: Vec::new(), zero: 0, negative: 0 };
        for g in grades {
            if g > N::zero() {
                all.positive.push(g);
            } else if g.is_zero() {
                all.zero += 1;
            } else {
                all.negative += 1;
            }
        }
        all.positive.sort_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
        all
    }
}

/// The same, borrowed from wherever the grades of all topics lie.
#[derive(Debug)]
pub struct GradesRef<'a, N = f64> {
    /// The grades above zero, highest first: the ideal ranking.
    pub positive: &'a [N],
    /// How many documents have grade zero.
    pub zero: u32,
    /// How many documents have a grade below zero.
    pub negative: u32,
}

impl<'a, N> From<&'a Grades<N>> for GradesRef<'a, N> {
    fn from(g: &'a Grades<N>) -> GradesRef<'a, N> {
        GradesRef { positive: &g.positive, zero: g.zero, negative: g.negative }
    }
}

impl<N: Number> GradesRef<'_, N> {
    /// R: how many judged documents have at least this grade.
    pub fn relevant(&self, rel: &N) -> u32 {
        let above = self.positive.partition_point(|g| g >= rel) as u32;
        if *rel <= N::zero() { above + self.zero } else { above }
    }

    /// How many documents were judged, and below this grade.
    pub fn nonrelevant(&self, rel: &N) -> u32 {
        self.judged() - self.relevant(rel)
    }

    /// How many documents were judged at all.
    pub fn judged(&self) -> u32 {
        self.positive.len() as u32 + self.zero
    }
}

// Views are copied whatever their number is, which `derive` cannot say.
impl<N> Clone for GradesRef<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for GradesRef<'_, N> {}
impl<N> Clone for Hits<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Hits<'_, N> {}
impl<N> Clone for Judged<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<N> Copy for Judged<'_, N> {}

/// What a measure needs to see of the judgements; the reader collects no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// All judged documents and the pooled ones with a grade below zero, not only those with a
    /// grade above zero.
    pub judged: bool,
    /// The second key of each judgement: subtopic, judgement group or stratum.
    pub facet: Facet,
    /// The scores of the run, rank by rank.
    pub scores: bool,
}

/// Which second key of a judgement is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Facet {
    /// None: every document is judged once in a topic.
    #[default]
    None,
    /// The second column of a TREC file, or a column called subtopic, iteration or facet: subtopics
    /// and judgement groups.
    Iteration,
    /// The fourth of five columns (`topic 0 document stratum grade`), or a column called stratum.
    Stratum,
}

impl Needs {
    /// Only the documents with a grade above zero.
    pub const POSITIVE: Needs = Needs { judged: false, facet: Facet::None, scores: false };
    /// All judged documents.
    pub const JUDGED: Needs = Needs { judged: true, facet: Facet::None, scores: false };
    /// The documents with a grade above zero, by facet.
    pub const FACETS: Needs = Needs { judged: false, facet: Facet::Iteration, scores: false };

    /// What a threshold needs: documents of grade zero matter if zero is relevant enough.
    pub fn for_threshold(rel: f64) -> Needs {
        Needs { judged: rel <= 0.0, facet: Facet::None, scores: false }
    }

    /// All that either needs. Of two facets the first is kept: no file has both.
    #[must_use]
    pub fn union(self, other: Needs) -> Needs {
        let facet = if self.facet == Facet::None { other.facet } else { self.facet };
        Needs { judged: self.judged || other.judged, facet, scores: self.scores || other.scores }
    }
}

/// What a measure may know of one topic: the hits, the number retrieved, the collection's grades.
#[derive(Debug)]
pub struct Judged<'a, N = f64> {
    /// The retrieved documents that matter, by ascending rank.
    pub hits: Hits<'a, N>,
    /// How many documents were retrieved.
    pub retrieved: u32,
    /// The grades of the topic's judgements. Those of 0 and below are counted only for who asked
    /// for them.
    pub grades: GradesRef<'a, N>,
    /// The highest grade that the judgements can give, over all topics.
    pub max_grade: &'a N,
    /// Judgements by facet (subtopic, judgement group or stratum), if they were asked for: rows of
    /// (document, facet, grade).
    pub facets: Facets<'a>,
    /// The scores of the ranked documents, from the top, if they were asked for.
    pub scores: &'a [f64],
}

/// The judgements of one topic with their second key: the subtopic of diversity judgements, the
/// group of judgement groups.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facets<'a> {
    /// The rows, sorted by document, then facet.
    pub rows: &'a [FacetRow],
    /// How many different facets the topic has, those without a row included.
    pub count: u32,
    /// The probability of each facet by its number, if the data gives them (intent
    /// probabilities); empty if all weigh the same.
    pub weights: &'a [f64],
}

/// One row of [`Facets`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetRow {
    /// The judged document, the same index as in [`Hit::doc`].
    pub doc: u32,
    /// The place of the document among those of the topic in byte order of their ids, for rules
    /// that break ties by id.
    pub id_rank: u32,
    /// The facet, numbered from 0 in byte order of the names of all topics: a topic need not have
    /// every number.
    pub facet: u32,
    /// The grade under this facet.
    pub grade: f64,
}

impl<'a> Facets<'a> {
    /// The rows of one document.
    pub fn of(&self, doc: u32) -> &'a [FacetRow] {
        let start = self.rows.partition_point(|r| r.doc < doc);
        let len = self.rows[start..].partition_point(|r| r.doc == doc);
        &self.rows[start..start + len]
    }

    /// The length of a table with a place for each facet number of the topic.
    pub fn table_len(&self) -> usize {
        self.rows.iter().map(|r| r.facet as usize + 1).max().unwrap_or(0)
    }

    /// The probability of a facet: as given, or the same for all.
    pub fn weight(&self, facet: u32) -> f64 {
        self.weights.get(facet as usize).copied().unwrap_or(if self.weights.is_empty() {
            1.0
        } else {
            0.0
        })
    }
}

impl<'a, N: Number> Judged<'a, N> {
    /// The same topic for one who asked for no more than this: whatever else was read for others is
    /// hidden.
    #[must_use]
    pub fn narrowed(&self, needs: Needs) -> Judged<'a, N> {
        let mut seen = *self;
        if !needs.judged {
            seen.hits = seen.hits.positive();
            seen.grades = GradesRef { zero: 0, negative: 0, ..seen.grades };
        }
        if needs.facet == Facet::None {
            seen.facets = Facets::default();
        }
        if !needs.scores {
            seen.scores = &[];
        }
        seen
    }

    /// The hits in the top k.
    pub fn top(&self, k: u32) -> impl Iterator<Item = &'a Hit<N>> + use<'a, N> {
        self.hits.iter().take_while(move |h| h.rank <= k)
    }

    /// The hits in the top k of at least this grade.
    pub fn relevant_top<'b>(
        &self,
        k: u32,
        rel: &'b N,
    ) -> impl Iterator<Item = &'a Hit<N>> + use<'a, 'b, N> {
        self.top(k).filter(move |h| h.grade >= *rel)
    }

    /// R: how many documents of the topic have at least this grade.
    pub fn relevant(&self, rel: &N) -> u32 {
        self.grades.relevant(rel)
    }
}

/// A judged topic that owns its parts: for examples, witnesses and tests.
#[derive(Debug, Clone)]
pub struct OwnedTopic<N = f64> {
    hits: Vec<Hit<N>>,
    retrieved: u32,
    grades: Grades<N>,
    max_grade: N,
    rows: Vec<FacetRow>,
    facets: u32,
    weights: Vec<f64>,
    scores: Vec<f64>,
}

impl<N: Number> OwnedTopic<N> {
    /// A ranking given by the grade of each document from the top, `None` for an unjudged one, and
    /// the grades of judged documents that were not retrieved. The maximum grade is the highest one
    /// seen, at least 1.
    pub fn new(ranking: &[Option<N>], unretrieved: &[N]) -> OwnedTopic<N> {
        let mut hits = Vec::new();
        for (i, g) in ranking.iter().enumerate() {
            if let Some(g) = g {
                hits.push(Hit { rank: i as u32 + 1, doc: hits.len() as u32, grade: g.clone() });
            }
        }
        let grades =
            Grades::new(hits.iter().map(|h| h.grade.clone()).chain(unretrieved.iter().cloned()));
        let max_grade = grades.positive.first().cloned().map_or(N::one(), |g| g.max(N::one()));
        OwnedTopic {
            hits,
            retrieved: ranking.len() as u32,
            grades,
            max_grade,
            rows: Vec::new(),
            facets: 0,
            weights: Vec::new(),
            scores: Vec::new(),
        }
    }

    /// A ranking whose documents have a grade for each facet: pairs of facet and grade, facets
    /// numbered from 0. A document's own grade is its highest one, 0 if it has none. Ids ascend
    /// from the top of the ranking through the unretrieved ones.
    pub fn by_facet(
        ranking: &[Option<Vec<(u32, f64)>>],
        unretrieved: &[Vec<(u32, f64)>],
    ) -> OwnedTopic<N> {
        let highest = |set: &Vec<(u32, f64)>| {
            N::decimal(set.iter().map(|(_, g)| *g).reduce(f64::max).unwrap_or(0.0))
        };
        let own: Vec<Option<N>> = ranking.iter().map(|set| set.as_ref().map(highest)).collect();
        let rest: Vec<N> = unretrieved.iter().map(highest).collect();
        let mut rows = Vec::new();
        for (doc, set) in (0u32..).zip(ranking.iter().flatten().chain(unretrieved)) {
            rows.extend(set.iter().map(|&(facet, grade)| FacetRow {
                doc,
                id_rank: doc,
                facet,
                grade,
            }));
        }
        rows.sort_by_key(|r| (r.doc, r.facet));
        let facets = rows.iter().map(|r| r.facet).collect::<BTreeSet<u32>>().len() as u32;
        OwnedTopic { rows, facets, ..OwnedTopic::new(&own, &rest) }
    }

    /// The same topic with a probability for each facet.
    #[must_use]
    pub fn with_weights(mut self, weights: Vec<f64>) -> OwnedTopic<N> {
        self.weights = weights;
        self
    }

    /// The same topic with the scores of the ranked documents.
    #[must_use]
    pub fn with_scores(mut self, scores: Vec<f64>) -> OwnedTopic<N> {
        self.scores = scores;
        self
    }

    /// The same topic under another maximum grade.
    #[must_use]
    pub fn with_max_grade(mut self, max_grade: N) -> OwnedTopic<N> {
        self.max_grade = max_grade;
        self
    }

    /// The view that a measure takes.
    pub fn view(&self) -> Judged<'_, N> {
        Judged {
            hits: Hits::new(&self.hits),
            retrieved: self.retrieved,
            grades: (&self.grades).into(),
            max_grade: &self.max_grade,
            facets: Facets { rows: &self.rows, count: self.facets, weights: &self.weights },
            scores: &self.scores,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_threshold() {
        let g = Grades::new([0.0, 2.0, 1.0, -1.0, 3.0, 0.0]);
        let g = GradesRef::from(&g);
        assert_eq!(g.positive, [3.0, 2.0, 1.0]);
        assert_eq!(
            (g.relevant(&1.0), g.relevant(&2.0), g.relevant(&0.0), g.judged()),
            (3, 2, 5, 5)
        );
        assert_eq!((g.nonrelevant(&1.0), g.nonrelevant(&3.0)), (2, 4));
    }
}
