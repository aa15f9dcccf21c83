//! The completions of a topic: every document that is not judged gets a grade.

use super::Vary;
use crate::data::{Facets, Grades, GradesRef, Hit, Hits, Judged, Qrels};

/// A topic whose open documents, those without a judgement, have grades that can be changed. They
/// are in the order of the ranking, and further documents of the collection come last.
#[derive(Debug)]
pub struct Completion {
    hits: Vec<Hit>,
    /// Where the open documents are among the hits.
    open: Vec<u32>,
    further: u32,
    /// At least as many top grades as the completion has, then the judged ones: a suffix of it is
    /// the collection of the completion. It grows when a completion needs it: most measures never
    /// ask for all documents of a collection of a hundred million.
    positive: Vec<f64>,
    judged: u32,
    zero: u32,
    negative: u32,
    max_grade: f64,
    retrieved: u32,
    /// How many of the open documents have the top grade.
    tops: u32,
    state: RelevantPart,
}

/// The grades that judgements have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradeScale {
    /// The highest.
    pub max_grade: f64,
    /// There is none but 0 and 1.
    pub binary: bool,
}

impl GradeScale {
    /// That of a topic, or of a collection, with these grades above 0.
    pub fn new(max_grade: f64, positive: &[f64]) -> GradeScale {
        let binary = max_grade == 1.0 && positive.iter().all(|grade| *grade == 1.0);
        GradeScale { max_grade, binary }
    }

    /// That of all judgements.
    pub fn of(qrels: &Qrels) -> GradeScale {
        GradeScale { max_grade: qrels.max_grade(), binary: qrels.is_binary() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RelevantPart {
    Prefix,
    Suffix,
}

/// The document number of a hit that no judgement has.
pub(super) const UNJUDGED: u32 = u32::MAX;

impl Completion {
    /// The completions of a topic, all open documents of grade 0.
    pub fn new(topic: &Judged<'_>, vary: Vary) -> Completion {
        let mut hits = Vec::with_capacity(topic.retrieved as usize);
        let mut open = Vec::with_capacity(topic.retrieved as usize);
        let mut unassessed = 0;
        let mut judged = topic.hits.iter().peekable();
        for rank in 1..=topic.retrieved {
            match judged.next_if(|h| h.rank == rank) {
                Some(hit) if hit.grade >= 0.0 => hits.push(*hit),
                known => {
                    unassessed += u32::from(known.is_some());
                    open.push(hits.len() as u32);
                    hits.push(Hit { rank, doc: UNJUDGED, grade: 0.0 });
                }
            }
        }
        // If no grade is above 0, none can be given.
        let max_grade = *topic.max_grade;
        let further = if max_grade > 0.0 { vary.further } else { 0 };
        Completion {
            judged: topic.grades.positive.len() as u32,
            zero: topic.grades.zero,
            negative: topic.grades.negative - unassessed.min(topic.grades.negative),
            retrieved: topic.retrieved,
            hits,
            open,
            further,
            positive: topic.grades.positive.to_vec(),
            max_grade,
            tops: 0,
            state: RelevantPart::Prefix,
        }
    }

    /// How many documents are open, further ones included; none if no grade is above 0.
    pub fn open(&self) -> u32 {
        if self.max_grade > 0.0 { self.open.len() as u32 + self.further } else { 0 }
    }

    /// How many of them were retrieved.
    pub fn open_retrieved(&self) -> u32 {
        if self.max_grade > 0.0 { self.open.len() as u32 } else { 0 }
    }

    /// None and so many, as numbers of top grades: first the one that takes less to get to.
    pub fn extremes(&self, many: u32) -> [u32; 2] {
        if self.tops == many { [many, 0] } else { [0, many] }
    }

    /// The ranks of the retrieved ones.
    pub fn open_ranks(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.open.iter().map(|at| self.hits[*at as usize].rank)
    }

    /// All retrieved documents with their grades, that of an open one being any; true for an open
    /// one.
    pub fn documents(&self) -> impl DoubleEndedIterator<Item = (&Hit, bool)> {
        self.hits.iter().map(|hit| (hit, hit.doc == UNJUDGED))
    }

    /// The highest grade.
    pub fn max_grade(&self) -> f64 {
        self.max_grade
    }

    /// How many documents were retrieved.
    pub fn retrieved(&self) -> u32 {
        self.retrieved
    }

    /// The judged documents, retrieved or not.
    pub fn judged_grades(&self) -> GradesRef<'_> {
        GradesRef {
            positive: &self.positive[self.positive.len() - self.judged as usize..],
            zero: self.zero,
            negative: self.negative,
        }
    }

    /// The grades there are.
    pub fn scale(&self) -> GradeScale {
        GradeScale::new(self.max_grade, self.judged_grades().positive)
    }

    /// The first t open documents have the top grade, the others 0.
    pub fn prefix(&mut self, t: u32) -> &mut Completion {
        self.turn(RelevantPart::Prefix, t);
        self
    }

    /// The last t open documents have the top grade, the others 0.
    pub fn suffix(&mut self, t: u32) -> &mut Completion {
        self.turn(RelevantPart::Suffix, t);
        self
    }

    fn turn(&mut self, state: RelevantPart, t: u32) {
        let total = self.open.len() as u32 + self.further;
        if self.state != state {
            // The complement of a prefix is a suffix: start from nothing.
            for at in &self.open {
                self.hits[*at as usize].grade = 0.0;
            }
            self.tops = 0;
            self.state = state;
        }
        let (from, to, grade) =
            if t >= self.tops { (self.tops, t, self.max_grade) } else { (t, self.tops, 0.0) };
        for i in from..to {
            let place = if state == RelevantPart::Prefix { i } else { total - 1 - i };
            if let Some(at) = self.open.get(place as usize) {
                self.hits[*at as usize].grade = grade;
            }
        }
        self.tops = t;
        let more = (t as usize + self.judged as usize).saturating_sub(self.positive.len());
        if more > 0 {
            // Twice as many as now, so that growing one by one costs no more than all at once.
            let more = more.max(self.positive.len()).min(total as usize);
            self.positive.splice(0..0, std::iter::repeat_n(self.max_grade, more));
        }
    }

    /// All retrieved documents in rank order, as this completion grades them.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The completion as a measure sees it.
    pub fn view(&self) -> Judged<'_> {
        let total = self.open.len() as u32 + self.further;
        let positive = self.positive.len() - (self.judged + self.tops) as usize;
        let grades = GradesRef {
            positive: &self.positive[positive..],
            zero: self.zero + total - self.tops,
            negative: self.negative,
        };
        Judged {
            hits: Hits::new(&self.hits),
            retrieved: self.retrieved,
            grades,
            max_grade: &self.max_grade,
            facets: Facets::default(),
            scores: &[],
        }
    }

    /// The collection in which so many open documents have this grade, and the others 0.
    pub fn grades_with(&self, t: u32, grade: f64) -> Grades {
        let judged = self.judged_grades().positive.iter().copied();
        Grades::new(judged.chain(std::iter::repeat_n(grade, t as usize)))
    }

    /// The hits and the collection if the open documents have these grades.
    pub fn with(&self, grades: impl Iterator<Item = f64> + Clone) -> (Vec<Hit>, Grades) {
        let mut hits = self.hits.clone();
        for (at, grade) in self.open.iter().zip(grades.clone()) {
            hits[*at as usize].grade = grade;
        }
        let mut collection =
            Grades::new(self.judged_grades().positive.iter().copied().chain(grades));
        collection.zero += self.zero;
        (hits, collection)
    }
}
