//! What columns are called: the header of a CSV file and the keys of a JSON record alike.

use super::row::{self, Row, Wanted};
use super::{Content, Facet};
use crate::warning::Kind;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Topic,
    Doc,
    Score,
    Rank,
    Grade,
    Iteration,
    Stratum,
}

const ROLES: usize = 7;

/// The names of each role, the plainest first: a table of PyTerrier has `docno` beside an internal
/// `docid`, and the text of a `query` beside its `qid`.
const NAMES: [(Role, &[&str]); ROLES] = [
    (Role::Topic, &["query_id", "qid", "q_id", "topic_id", "queryid", "topicid", "topic", "query"]),
    (
        Role::Doc,
        &[
            "docno",
            "doc_id",
            "corpus_id",
            "document_id",
            "docid",
            "pid",
            "passage_id",
            "did",
            "doc",
            "document",
        ],
    ),
    (Role::Score, &["score", "sim", "similarity"]),
    (Role::Rank, &["rank", "position"]),
    (Role::Grade, &["relevance", "label", "rel", "grade", "judgement", "judgment"]),
    (Role::Iteration, &["subtopic", "subtopic_id", "iteration", "iter", "facet", "group"]),
    (Role::Stratum, &["stratum"]),
];

/// What a column of this name is for, and how plain the name is (0 is plainest).
pub(crate) fn role(name: &[u8]) -> Option<(Role, usize)> {
    let name = std::str::from_utf8(name).ok()?.trim().to_ascii_lowercase().replace(['-', ' '], "_");
    NAMES
        .iter()
        .find_map(|(role, names)| names.iter().position(|n| *n == name).map(|at| (*role, at)))
}

/// One field of a record: its text, and its number where the format knows numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'r> {
    pub(crate) text: &'r [u8],
    pub(crate) number: Option<f64>,
}

/// For each role the best column so far.
#[derive(Debug)]
pub(crate) struct ByRole<T>([Option<(usize, T)>; ROLES]);

impl<T> Default for ByRole<T> {
    fn default() -> ByRole<T> {
        ByRole(Default::default())
    }
}

impl<T> ByRole<T> {
    /// Takes a column unless a plainer name came before.
    pub(crate) fn offer(&mut self, role: Role, plainness: usize, column: T) {
        let slot = &mut self.0[role as usize];
        if slot.as_ref().is_none_or(|(known, _)| plainness < *known) {
            *slot = Some((plainness, column));
        }
    }

    pub(crate) fn get(&self, role: Role) -> Option<&T> {
        self.0[role as usize].as_ref().map(|(_, column)| column)
    }

    /// True where rows can be told apart: a topic and a document are there.
    pub(crate) fn identify(&self) -> bool {
        self.get(Role::Topic).is_some() && self.get(Role::Doc).is_some()
    }

    /// Which columns the rows are made of, or what is missing.
    pub(crate) fn choose(&self, wanted: Wanted) -> Result<Chosen<&T>, &'static str> {
        let topic = self.get(Role::Topic).ok_or("a topic (query_id, qid or topic)")?;
        let doc = self.get(Role::Doc).ok_or("a document (doc_id, docno or corpus-id)")?;
        let (value, negated) = match wanted.content {
            Content::Run => match (self.get(Role::Score), self.get(Role::Rank)) {
                (Some(score), _) => (score, false),
                (None, Some(rank)) => (rank, true),
                (None, None) => return Err("a score or a rank"),
            },
            Content::Qrels => (
                self.get(Role::Grade)
                    .or(self.get(Role::Score))
                    .ok_or("a grade (relevance, label or score)")?,
                false,
            ),
        };
        let facet = match wanted.facet {
            Facet::None => self.get(Role::Iteration),
            Facet::Iteration => {
                Some(self.get(Role::Iteration).ok_or("a subtopic (subtopic, iteration or facet)")?)
            }
            Facet::Stratum => Some(self.get(Role::Stratum).ok_or("a stratum")?),
        };
        Ok(Chosen { topic, doc, value, negated, rank: self.get(Role::Rank), facet })
    }
}

/// The columns of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen<C> {
    pub(super) topic: C,
    pub(super) doc: C,
    pub(super) value: C,
    /// The value is a rank: the score is its negative.
    pub(super) negated: bool,
    rank: Option<C>,
    pub(super) facet: Option<C>,
}

/// Why fields make no row.
#[derive(Debug)]
pub(crate) struct Wrong<'r> {
    pub(crate) kind: Kind,
    pub(crate) found: &'r [u8],
    pub(crate) expected: &'static str,
}

impl<C: Copy> Chosen<C> {
    /// The same columns, each in other words.
    pub(crate) fn map<D>(self, f: impl Fn(C) -> D) -> Chosen<D> {
        let Chosen { topic, doc, value, negated, rank, facet } = self;
        Chosen {
            topic: f(topic),
            doc: f(doc),
            value: f(value),
            negated,
            rank: rank.map(&f),
            facet: facet.map(&f),
        }
    }

    /// The row in these fields.
    pub(crate) fn row<'r>(
        self,
        content: Content,
        line: u64,
        field: impl Fn(C) -> Field<'r>,
    ) -> Result<Row<'r>, Wrong<'r>> {
        let id = |column, expected| match field(column).text {
            [] => Err(Wrong { kind: Kind::MalformedLine, found: b"", expected }),
            text => Ok(text),
        };
        let number = |f: Field<'r>| {
            f.number.map_or_else(|| row::number(f.text, content), |x| row::check(x, content))
        };
        let topic = id(self.topic, "the id of a topic")?;
        let doc = id(self.doc, "the id of a document")?;
        let cell = field(self.value);
        let value = number(cell).map_err(|(kind, expected)| {
            let expected = if self.negated { "a number for the rank" } else { expected };
            Wrong { kind, found: cell.text, expected }
        })?;
        let rank = self.rank.and_then(|c| number(field(c)).ok());
        let facet = self.facet.map_or(b"".as_slice(), |c| field(c).text);
        Ok(Row { topic, doc, value: if self.negated { -value } else { value }, rank, facet, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_normal() {
        let mut all: Vec<&str> =
            NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(all.iter().all(|n| n.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')));
        all.sort_unstable();
        assert!(all.windows(2).all(|w| w[0] != w[1]));
        for (i, (role, _)) in NAMES.iter().enumerate() {
            assert_eq!(*role as usize, i);
        }
    }

    #[test]
    fn the_plainer_name_wins() {
        let mut columns = ByRole::default();
        for (i, name) in ["qid", "docid", "docno", "rank", "score", "query"].iter().enumerate() {
            let (role, plainness) = role(name.as_bytes()).unwrap();
            columns.offer(role, plainness, i);
        }
        assert_eq!((columns.get(Role::Topic), columns.get(Role::Doc)), (Some(&0), Some(&2)));
        assert_eq!(role(b" Query-ID ").unwrap().0, Role::Topic);
    }
}
