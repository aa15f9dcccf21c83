//! Judgements, laid out for scoring: by topic, the relevant documents first.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::builder::{BuilderRows, RowNumber};
use super::entries::{Entries, Entry};
use super::grades::{GradesByTopic, Unkept};
use super::id_text;
use super::judged::{FacetRow, Facets, GradesRef};
use super::names::Names;
use crate::error;
use crate::warning::Warnings;

/// Relevance judgements, built in memory or read from a file.
///
/// Ids are any bytes that are not empty, grades are finite, and each document is judged once in a
/// topic. A grade below 0 means pooled, but not assessed.
///
/// Within a topic documents come by descending grade, so that the relevant ones are a prefix, which
/// is all that most measures look at.
///
/// ```
/// use axiometrics::data::Qrels;
///
/// let mut qrels = Qrels::builder();
/// qrels.push("301", "d1", 2.0).push("301", "d2", 0.0).push("302", "d1", 1.0);
/// let qrels = qrels.build()?;
/// assert_eq!((qrels.len(), qrels.judgement_count(), qrels.max_grade()), (2, 3, 2.0));
///
/// let same = Qrels::from_columns(&["301", "301", "302"], &["d1", "d2", "d1"], &[2.0, 0.0, 1.0])?;
/// assert_eq!(same.topics(), qrels.topics());
///
/// let twice = Qrels::from_columns(&["301", "301"], &["d1", "d1"], &[2.0, 1.0]).unwrap_err();
/// assert!(twice.to_string().contains("document \"d1\" is in topic \"301\" twice"));
/// # Ok::<(), axiometrics::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Qrels {
    entries: Entries,
    grades: GradesByTopic,
    facets: Vec<FacetRow>,
    /// The facets of each topic, if they were read.
    facets_of: Vec<TopicFacets>,
    facet_names: Vec<String>,
    order: Vec<u32>,
    max_grade: f64,
    /// Somebody said what the maximum grade is; otherwise it is the highest that was judged.
    max_grade_given: bool,
    /// Only the documents with a grade above zero are here; of the others, only how many there are.
    positive_only: bool,
    /// Somebody wrote these judgements into the rankings themselves, so that they are no run that was
    /// given in the place of judgements.
    within_rankings: bool,
    /// The names of the topics in order, once somebody asked for them.
    names: OnceLock<Arc<Names>>,
}

#[derive(Debug, Default, Clone)]
struct TopicFacets {
    rows: Range<u32>,
    count: u32,
}

/// The same document judged twice in one topic of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DuplicateJudgement {
    pub(crate) topic: String,
    pub(crate) doc: String,
    /// The lines of both judgements.
    pub(crate) first: u64,
    pub(crate) second: u64,
}

/// The name of judgements that were given none.
const UNNAMED: &str = "qrels";

const GRADE: RowNumber =
    RowNumber { noun: "grade", expected: "a finite number", accepts: f64::is_finite };

/// Builds [`Qrels`] row by row.
#[derive(Debug)]
pub struct QrelsBuilder(BuilderRows);

impl QrelsBuilder {
    /// The name of the judgements in messages.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> QrelsBuilder {
        QrelsBuilder(self.0.named(name.into()))
    }

    /// Adds a judgement. Topics may come in any order.
    pub fn push(
        &mut self,
        topic: impl AsRef<[u8]>,
        doc: impl AsRef<[u8]>,
        grade: f64,
    ) -> &mut QrelsBuilder {
        self.0.push(topic.as_ref(), doc.as_ref(), grade, GRADE);
        self
    }

    /// The judgements. Empty ids, grades that are not finite and repeated documents are errors.
    pub fn build(self) -> error::Result<Qrels> {
        Ok(Qrels::grouped(self.0.strict(GRADE)?.1))
    }

    /// The judgements without the rows that are wrong, which are counted in `warnings`. Of a
    /// document that is judged more than once in a topic, the highest grade counts.
    pub fn build_lenient(self, warnings: &mut Warnings) -> error::Result<Qrels> {
        Ok(Qrels::grouped(self.0.lenient(warnings)?.1))
    }
}

/// Topics, documents and grades.
impl<T: AsRef<[u8]>, D: AsRef<[u8]>> Extend<(T, D, f64)> for QrelsBuilder {
    fn extend<I: IntoIterator<Item = (T, D, f64)>>(&mut self, rows: I) {
        for (topic, doc, grade) in rows {
            self.push(topic, doc, grade);
        }
    }
}

impl Qrels {
    /// Judgements with no rows yet.
    pub fn builder() -> QrelsBuilder {
        QrelsBuilder(BuilderRows::new(UNNAMED))
    }

    /// Judgements from columns of equal length.
    pub fn from_columns<T: AsRef<[u8]>, D: AsRef<[u8]>>(
        topics: &[T],
        docs: &[D],
        grades: &[f64],
    ) -> error::Result<Qrels> {
        let mut rows = BuilderRows::new(UNNAMED);
        rows.extend(topics, docs, grades, GRADE)?;
        QrelsBuilder(rows).build()
    }

    /// Judgements from the rows of a file, whose numbers are grades and not NaN; or the first
    /// duplicate.
    pub(crate) fn from_file(mut entries: Entries) -> Result<Qrels, DuplicateJudgement> {
        entries.group();
        if let Some(found) = entries.first_duplicate() {
            return Err(duplicate(
                &entries,
                found.topic,
                found.earlier,
                entries.line(found.earlier),
                entries.line(found.later),
            ));
        }
        Ok(Qrels::grouped(entries))
    }

    /// Judgements in which a document may come once per facet (subtopic, judgement group,
    /// stratum). `facets[i]` is the facet of the i-th row pushed, `lines[i]` its line, and the
    /// rows' own `line` is that i. A document's grade is the highest of its facets.
    pub(crate) fn with_facets(
        mut entries: Entries,
        facets: &[String],
        lines: &[u64],
    ) -> Result<Qrels, DuplicateJudgement> {
        entries.group();
        let mut names: Vec<String> = facets.to_vec();
        names.sort();
        names.dedup();
        let number = |row: &Entry| {
            names.binary_search(&facets[entries.line(row) as usize]).unwrap_or(0) as u32
        };
        // One row per document with its highest grade, and the facet rows beside it.
        let mut merged = Entries::new();
        let mut raw: Vec<(u32, Vec<u8>, u32, f64)> = Vec::with_capacity(entries.len());
        for topic in 0..entries.topic_count() as u32 {
            let name = merged.topic(entries.topic_name(topic));
            let line = |row: &Entry| lines[entries.line(row) as usize];
            let mut rows: Vec<(&Entry, u32)> =
                entries.rows(topic).iter().map(|row| (row, number(row))).collect();
            rows.sort_by(|(a, m), (b, n)| {
                entries.doc(a).cmp(entries.doc(b)).then(m.cmp(n)).then(a.start.cmp(&b.start))
            });
            for pair in rows.windows(2) {
                let [(a, m), (b, n)] = [pair[0], pair[1]];
                if entries.doc(a) == entries.doc(b) && m == n {
                    return Err(duplicate(&entries, topic, a, line(a), line(b)));
                }
            }
            for same in rows.chunk_by(|(a, _), (b, _)| entries.doc(a) == entries.doc(b)) {
                let doc = entries.doc(same[0].0);
                let best = same.iter().map(|(row, _)| row.value).fold(f64::NEG_INFINITY, f64::max);
                // The rows come from entries that fitted, so these fit.
                let _ = merged.push(name, doc, best, line(same[0].0));
                raw.extend(same.iter().map(|(row, facet)| (name, doc.to_vec(), *facet, row.value)));
            }
        }
        merged.group();
        let mut qrels = Qrels::grouped(merged);
        qrels.facets_of = vec![TopicFacets::default(); qrels.len()];
        raw.sort_by_key(|r| r.0);
        for rows in raw.chunk_by(|a, b| a.0 == b.0) {
            let topic = rows[0].0;
            let mut facet_rows: Vec<FacetRow> = Vec::with_capacity(rows.len());
            let mut by_id: Vec<(&[u8], u32)> =
                qrels.rows(topic).iter().zip(0..).map(|(r, i)| (qrels.entries.doc(r), i)).collect();
            by_id.sort_unstable();
            for (_, doc, facet, grade) in rows {
                if let Ok(at) = by_id.binary_search_by(|(id, _)| (*id).cmp(doc.as_slice())) {
                    facet_rows.push(FacetRow {
                        doc: by_id[at].1,
                        id_rank: at as u32,
                        facet: *facet,
                        grade: *grade,
                    });
                }
            }
            facet_rows.sort_by_key(|r| (r.doc, r.facet));
            let mut seen: Vec<u32> = facet_rows.iter().map(|r| r.facet).collect();
            seen.sort_unstable();
            seen.dedup();
            let start = qrels.facets.len() as u32;
            qrels.facets.extend(facet_rows);
            let rows = start..qrels.facets.len() as u32;
            qrels.facets_of[topic as usize] = TopicFacets { rows, count: seen.len() as u32 };
        }
        qrels.facet_names = names;
        Ok(qrels)
    }

    /// Judgements of which only those above zero were kept, with the grades of their topics. Enough
    /// for most measures, and much less to hold.
    pub(crate) fn positive_only(mut entries: Entries, grades: GradesByTopic) -> Qrels {
        entries.group();
        Qrels { positive_only: true, ..Qrels::of(entries, grades) }
    }

    /// False if documents without a grade above zero were not kept.
    pub fn is_complete(&self) -> bool {
        !self.positive_only
    }

    fn grouped(mut entries: Entries) -> Qrels {
        let mut grades = GradesByTopic::default();
        for topic in 0..entries.topic_count() as u32 {
            grades.add(entries.rows_mut(topic), Unkept::default());
        }
        Qrels::of(entries, grades)
    }

    fn of(entries: Entries, grades: GradesByTopic) -> Qrels {
        let (order, max_grade) = (entries.topics.sorted(), grades.highest());
        Qrels { entries, grades, order, max_grade, ..Qrels::default() }
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True if nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How many judgements there are.
    pub fn judgement_count(&self) -> usize {
        self.entries.len()
    }

    /// The topics, sorted by the bytes of their names.
    pub fn topics(&self) -> &[u32] {
        &self.order
    }

    /// The names of all topics, sorted by their bytes.
    pub(crate) fn names(&self) -> Arc<Names> {
        let names = || Arc::new(self.order.iter().map(|topic| self.topic_bytes(*topic)).collect());
        self.names.get_or_init(names).clone()
    }

    /// A topic's name.
    pub fn topic_name(&self, topic: u32) -> String {
        id_text(self.entries.topic_name(topic)).into_owned()
    }

    /// A topic's name as it stands in the file.
    #[inline]
    pub fn topic_bytes(&self, topic: u32) -> &[u8] {
        self.entries.topic_name(topic)
    }

    /// A topic by its name.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.entries.topics.find(name)
    }

    /// The highest grade in the file, 1 if none is above zero.
    pub fn max_grade(&self) -> f64 {
        self.max_grade
    }

    /// No grade above 0 but 1.
    pub fn is_binary(&self) -> bool {
        self.max_grade == 1.0 && self.grades.positive().iter().all(|grade| *grade == 1.0)
    }

    /// Some grade above 0 is below this one.
    pub(crate) fn has_grades_below(&self, grade: f64) -> bool {
        self.grades.positive().iter().any(|known| *known < grade)
    }

    /// If most grades are fractions and hardly two alike, as the scores of a run are: how many were
    /// looked at, and one of them.
    pub(crate) fn looks_like_scores(&self) -> Option<(usize, f64)> {
        const ENOUGH: usize = 1000;
        if self.within_rankings {
            return None;
        }
        let topics = self.topics().iter();
        let rows = topics.flat_map(|topic| self.rows(*topic)).map(|row| row.value);
        let mut grades: Vec<f64> = rows.filter(|grade| *grade > 0.0).take(ENOUGH).collect();
        let fractions = grades.iter().filter(|grade| grade.fract() != 0.0).count();
        let (all, example) = (grades.len(), grades.iter().copied().find(|g| g.fract() != 0.0)?);
        if 2 * fractions <= all {
            return None;
        }
        grades.sort_unstable_by(f64::total_cmp);
        grades.dedup();
        (2 * grades.len() > all).then_some((all, example))
    }

    /// The same judgements, which were written into the rankings themselves.
    pub(super) fn written_within_rankings(self) -> Qrels {
        Qrels { within_rankings: true, ..self }
    }

    /// The same judgements under another maximum grade.
    pub fn set_max_grade(&mut self, max_grade: f64) {
        (self.max_grade, self.max_grade_given) = (max_grade, true);
    }

    /// Whether the maximum grade is the highest that was judged, since nobody said another one.
    pub fn max_grade_is_judged(&self) -> bool {
        !self.max_grade_given
    }

    pub(crate) fn max_grade_ref(&self) -> &f64 {
        &self.max_grade
    }

    /// The grades of a topic.
    #[inline]
    pub fn grades(&self, topic: u32) -> GradesRef<'_> {
        self.grades.of(topic)
    }

    /// The facets of a topic, empty unless they were read.
    #[inline]
    pub fn facets(&self, topic: u32) -> Facets<'_> {
        self.facets_of.get(topic as usize).map_or(Facets::default(), |of| Facets {
            rows: &self.facets[of.rows.start as usize..of.rows.end as usize],
            count: of.count,
            weights: &[],
        })
    }

    /// The names of the facets, in byte order; empty unless they were read.
    pub fn facet_names(&self) -> &[String] {
        &self.facet_names
    }

    /// The judged documents of a topic, highest grade first.
    pub fn judgements(&self, topic: u32) -> impl Iterator<Item = (&[u8], f64)> {
        self.rows(topic).iter().map(|r| (self.entries.doc(r), r.value))
    }

    /// The rows of a topic: first those with a grade above zero, highest first, then zero, then
    /// below.
    pub(crate) fn rows(&self, topic: u32) -> &[Entry] {
        self.entries.rows(topic)
    }

    pub(crate) fn doc(&self, row: &Entry) -> &[u8] {
        self.entries.doc(row)
    }
}

fn duplicate(
    entries: &Entries,
    topic: u32,
    row: &Entry,
    first: u64,
    second: u64,
) -> DuplicateJudgement {
    let text = |bytes: &[u8]| id_text(bytes).into_owned();
    DuplicateJudgement {
        topic: text(entries.topic_name(topic)),
        doc: text(entries.doc(row)),
        first,
        second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Topics share what they have in common, and each still has its own grades: of one, two or
        /// more levels, and levels that come late.
        #[test]
        fn every_topic_has_its_grades_from_the_highest_down(
            topics in proptest::collection::vec(
                (0usize..4, proptest::collection::vec(0usize..4, 0..12)),
                1..30,
            ),
        ) {
            let levels = [[1.0; 4], [1.0, 2.0, 1.0, 2.0], [3.0, 1.0, 2.0, 0.0], [0.5, 3.0, 3.0, -1.0]];
            let grades = |(levelled, places): &(usize, Vec<usize>)| -> Vec<f64> {
                places.iter().map(|place| levels[*levelled][*place]).collect()
            };
            let mut qrels = Qrels::builder();
            for (number, topic) in topics.iter().enumerate() {
                // A document of grade 0, so that the topic is there.
                qrels.push(number.to_string(), "none", 0.0);
                for (doc, grade) in grades(topic).into_iter().enumerate() {
                    qrels.push(number.to_string(), doc.to_string(), grade);
                }
            }
            let qrels = qrels.build().unwrap();
            let (mut lowest, mut all_one) = (f64::INFINITY, true);
            for (number, topic) in topics.iter().enumerate() {
                let mut expected = grades(topic);
                expected.retain(|grade| *grade > 0.0);
                expected.sort_by(|a, b| b.total_cmp(a));
                let found = qrels.grades(qrels.find(number.to_string().as_bytes()).unwrap());
                prop_assert_eq!(found.positive, &expected[..]);
                prop_assert_eq!(found.judged() as usize, expected.len() + 1 + grades(topic).iter().filter(|g| **g == 0.0).count());
                lowest = expected.last().copied().unwrap_or(lowest).min(lowest);
                all_one &= expected.iter().all(|grade| *grade == 1.0);
            }
            prop_assert_eq!(qrels.has_grades_below(1.0), lowest < 1.0);
            prop_assert_eq!(qrels.is_binary(), all_one);
        }
    }
}
