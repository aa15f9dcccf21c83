//! From lines to judged topics: which documents of a ranking matter, and at which ranks.
//!
//! The ranking itself is never built. One table per topic holds the judged documents that matter and, as lines arrive, every document seen: a single
//! look-up tells a hit from a duplicate from a stranger. Ranks are worked out at the end of the topic, for the hits alone ([`rank`]).

mod rank;
mod table;

use crate::data::{Entry, Hit, Judged, Needs, Qrels};
use table::{Found, Table};

/// How documents with equal scores are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// By document id, descending in byte order, as trec_eval does.
    #[default]
    DocidDesc,
    /// By document id, ascending.
    DocidAsc,
    /// As they stand in the file.
    File,
}

/// How scores are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scores {
    /// As 64-bit numbers, as trec_eval 10 does.
    #[default]
    F64,
    /// Rounded to 32 bits first, as older versions and pytrec_eval do, which makes ties of some that are none.
    F32,
}

/// The choices that turn a run into judged topics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Policy {
    /// What the measures need to see.
    pub needs: Needs,
    /// The order of equal scores.
    pub ties: Ties,
    /// How scores are compared.
    pub scores: Scores,
    /// Rankings are cut off here, before anything is measured.
    pub depth: Option<u32>,
}

/// A document of the topic at hand: where its id stands in the topic's text.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
}

impl Span {
    fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.start as usize..(self.start + self.len) as usize]
    }
}

/// A hit before its rank is known.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    /// Which line of the topic.
    line: u32,
    /// Which row of the topic's judgements.
    row: u32,
}

/// Turns the documents of one topic after another into judged topics. All memory is kept from topic to topic.
pub struct Aligner<'q> {
    qrels: &'q Qrels,
    policy: Policy,
    rows: &'q [Entry],
    topic: u32,
    table: Table,
    scores: Vec<f64>,
    spans: Vec<Span>,
    candidates: Vec<Candidate>,
    hits: Vec<Hit>,
    /// Scores so far never rise, so the file's order is the ranking's up to ties.
    descending: bool,
    duplicates: u32,
    ranker: rank::Ranker,
}

impl<'q> Aligner<'q> {
    /// An aligner for these judgements.
    pub fn new(qrels: &'q Qrels, policy: Policy) -> Aligner<'q> {
        Aligner {
            qrels,
            policy,
            rows: &[],
            topic: 0,
            table: Table::default(),
            scores: Vec::new(),
            spans: Vec::new(),
            candidates: Vec::new(),
            hits: Vec::new(),
            descending: true,
            duplicates: 0,
            ranker: rank::Ranker::default(),
        }
    }

    /// A topic begins.
    pub fn begin(&mut self, topic: u32) {
        let rows = self.qrels.rows(topic);
        let matter = if self.policy.needs.judged { rows.len() } else { self.qrels.grades(topic).positive.len() };
        self.rows = &rows[..matter];
        self.topic = topic;
        self.restart();
    }

    /// A topic without judgements begins: only its duplicates are looked for.
    pub fn begin_unjudged(&mut self) {
        self.rows = &[];
        self.restart();
    }

    fn restart(&mut self) {
        self.table.restart(self.scores.len() + self.rows.len(), self.rows);
        self.scores.clear();
        self.spans.clear();
        self.candidates.clear();
        self.hits.clear();
        self.descending = true;
        self.duplicates = 0;
    }

    /// A document of the topic, at `start` of a text that stays where it is until [`Aligner::finish`]. False where the topic has it already; it is then left out,
    /// or, in `keep_best`, keeps the better of its two scores, which does not depend on the order of lines.
    #[inline(always)]
    pub(crate) fn document(&mut self, text: &[u8], start: u32, len: u32, hash: u64, score: f64, keep_best: bool) -> bool {
        let score = match self.policy.scores {
            Scores::F64 => score,
            Scores::F32 => f64::from(score as f32),
        };
        let span = Span { start, len };
        match self.table.find(hash) {
            Found::New => {}
            Found::Known(at) => {
                if let Some(row) = self.settle(at, hash, span, text) {
                    match row {
                        Settled::Hit(row) => self.candidates.push(Candidate { line: self.scores.len() as u32, row }),
                        Settled::Stranger => {}
                        Settled::Duplicate(line) => {
                            self.duplicates += 1;
                            if keep_best && score > self.scores[line] {
                                self.scores[line] = score;
                                // The order of lines no longer follows the scores.
                                self.descending = false;
                            }
                            return false;
                        }
                    }
                }
            }
        }
        if let Some(last) = self.scores.last() {
            self.descending &= score <= *last;
        }
        self.scores.push(score);
        self.spans.push(span);
        true
    }

    /// What a known hash means: a judged document, one seen before, or, once in a blue moon, another document with the same hash.
    #[inline(never)]
    fn settle(&mut self, mut at: usize, hash: u64, span: Span, text: &[u8]) -> Option<Settled> {
        let id = span.of(text);
        loop {
            if let Some(row) = self.table.judged(at) {
                let entry = &self.rows[row as usize];
                if self.qrels.doc(entry) == id {
                    return Some(if self.table.mark_seen(at) { Settled::Hit(row) } else { Settled::Duplicate(self.line_of(id, text)?) });
                }
            } else if let Some(line) = self.line_of(id, text) {
                return Some(Settled::Duplicate(line));
            }
            match self.table.find_after(at, hash) {
                Found::New => return Some(Settled::Stranger),
                Found::Known(next) => at = next,
            }
        }
    }

    fn line_of(&self, id: &[u8], text: &[u8]) -> Option<usize> {
        self.spans.iter().position(|s| s.of(text) == id)
    }

    /// How many documents stood in the topic more than once.
    pub fn duplicates(&self) -> u32 {
        self.duplicates
    }

    /// The topic is complete. `text` is that into which the spans point.
    pub(crate) fn finish(&mut self, text: &[u8]) -> Judged<'_> {
        let ranks = self.ranker.ranks(&self.scores, &self.spans, &self.candidates, text, self.policy.ties, self.descending);
        let depth = self.policy.depth.unwrap_or(u32::MAX);
        let rows = self.rows;
        let hits = self.candidates.iter().zip(ranks).map(|(c, rank)| Hit { rank: *rank, doc: c.row, grade: rows[c.row as usize].value });
        self.hits.extend(hits.filter(|h| h.rank <= depth));
        self.hits.sort_unstable_by_key(|h| h.rank);
        self.judged(self.topic, (self.scores.len() as u32).min(depth))
    }

    /// The topic as it would be with nothing retrieved.
    pub fn empty(&mut self, topic: u32) -> Judged<'_> {
        self.hits.clear();
        self.judged(topic, 0)
    }

    fn judged(&self, topic: u32, retrieved: u32) -> Judged<'_> {
        Judged {
            hits: &self.hits,
            retrieved,
            grades: self.qrels.grades(topic),
            max_grade: self.qrels.max_grade_ref(),
            facets: self.qrels.facets(topic),
        }
    }
}

enum Settled {
    Hit(u32),
    Stranger,
    /// Seen before, on this line of the topic.
    Duplicate(usize),
}
