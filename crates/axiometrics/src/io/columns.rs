//! What columns are called: the header of a CSV file and the keys of a JSON record alike.

use std::str::FromStr;

use super::row::{self, InputRow, Wanted};
use super::{Content, Facet};
use crate::error::Error;
use crate::warning::WarningKind;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Topic,
    Doc,
    Score,
    Rank,
    Grade,
    /// What recommenders call both a grade and a score.
    Rating,
    Iteration,
    Stratum,
    /// A list of documents, best first.
    Retrieved,
    /// A list of relevant documents.
    Relevant,
}

const ROLES: usize = 10;

/// The names of each role, the plainest first: a table of PyTerrier has `docno` beside an internal
/// `docid`, and the text of a `query` beside its `qid`.
const NAMES: [(Role, &[&str]); ROLES] = [
    (
        Role::Topic,
        &[
            "query_id",
            "qid",
            "q_id",
            "topic_id",
            "queryid",
            "topicid",
            "topic",
            "user_id",
            "userid",
            "uid",
            "session_id",
            "question_id",
            "query",
            "user",
            "question",
            "id",
        ],
    ),
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
            "chunk_id",
            "did",
            "item_id",
            "itemid",
            "iid",
            "movie_id",
            "movieid",
            "product_id",
            "doc",
            "document",
            "item",
        ],
    ),
    (Role::Score, &["score", "sim", "similarity", "prediction", "predicted_score", "distance"]),
    (Role::Rank, &["rank", "position"]),
    (Role::Grade, &["relevance", "label", "rel", "grade", "judgement", "judgment"]),
    (Role::Rating, &["rating"]),
    (Role::Iteration, &["subtopic", "subtopic_id", "iteration", "iter", "facet", "group"]),
    (Role::Stratum, &["stratum"]),
    (
        Role::Retrieved,
        &[
            "retrieved_ids",
            "retrieved_doc_ids",
            "retrieved_docs",
            "retrieved_documents",
            "retrieved",
            "ranked_ids",
            "ranking",
            "results",
            "hits",
            "predicted_ids",
            "recommendations",
            "recommended_ids",
        ],
    ),
    (
        Role::Relevant,
        &[
            "relevant_ids",
            "relevant_doc_ids",
            "relevant_docs",
            "relevant_documents",
            "relevant",
            "gold_ids",
            "gold_doc_ids",
            "gold",
            "positive_ids",
            "positives",
            "ground_truth_ids",
            "ground_truth",
            "expected_ids",
            "target_ids",
        ],
    ),
];

/// What each role is called.
const NOUNS: [&str; ROLES] = [
    "topic",
    "document",
    "score",
    "rank",
    "grade",
    "rating",
    "subtopic",
    "stratum",
    "retrieved documents",
    "relevant documents",
];

/// A name as it is compared.
fn normal(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace(['-', ' '], "_")
}

/// What a column of this name is for, and how plain the name is (0 is plainest).
pub(crate) fn role(name: &[u8]) -> Option<(Role, usize)> {
    let name = normal(std::str::from_utf8(name).ok()?);
    NAMES
        .iter()
        .find_map(|(role, names)| names.iter().position(|n| *n == name).map(|at| (*role, at)))
}

/// What some columns of a table or keys of records are for, as somebody said:
/// `topic=user_id,doc=item_id,score=rating`, or by their numbers, `topic=1,doc=2,score=4`, if the
/// table has no header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns(Vec<(Role, String)>);

/// The words for the roles that a person can give.
const WORDS: [(&str, Role); 11] = [
    ("topic", Role::Topic),
    ("query", Role::Topic),
    ("doc", Role::Doc),
    ("document", Role::Doc),
    ("score", Role::Score),
    ("rank", Role::Rank),
    ("grade", Role::Grade),
    ("subtopic", Role::Iteration),
    ("stratum", Role::Stratum),
    ("retrieved", Role::Retrieved),
    ("relevant", Role::Relevant),
];

impl FromStr for Columns {
    type Err = Error;

    fn from_str(text: &str) -> crate::error::Result<Columns> {
        let help = "write for example topic=user_id,doc=item_id,score=rating, or topic=1,doc=2,score=3 for a table without a header";
        let mut columns = Columns::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let known = pair.split_once('=').and_then(|(word, name)| {
                let word = word.trim().to_ascii_lowercase();
                let (_, role) = WORDS.iter().find(|(known, _)| *known == word)?;
                Some((*role, name.trim().to_string())).filter(|(_, name)| !name.is_empty())
            });
            match known {
                Some(column) => columns.0.push(column),
                None => {
                    let words = WORDS.map(|(word, _)| word).join(", ");
                    return Err(Error::usage(format!(
                        "found \"{pair}\" among the columns, expected one of {words}, and = and a name"
                    ))
                    .help(help));
                }
            }
        }
        if columns.0.is_empty() {
            return Err(Error::usage("found no column, expected some").help(help));
        }
        Ok(columns)
    }
}

impl Columns {
    /// What a column of this name is for: as somebody said, or by its usual name.
    pub(crate) fn role(&self, name: &[u8]) -> Option<(Role, usize)> {
        let text = std::str::from_utf8(name).ok().map(normal)?;
        let said = self.0.iter().find(|(_, known)| normal(known) == text);
        match said {
            Some((role, _)) => Some((*role, 0)),
            None => role(name).map(|(role, plainness)| (role, plainness + 1)),
        }
    }

    /// The columns by their numbers, if somebody said any by number.
    pub(crate) fn by_number(&self) -> Option<ByRole<usize>> {
        let mut columns = ByRole::default();
        let mut any = false;
        for (role, name) in &self.0 {
            if let Some(number) = name.parse::<usize>().ok().filter(|n| *n > 0) {
                columns.offer(*role, 0, number - 1);
                any = true;
            }
        }
        any.then_some(columns)
    }
}

/// One field of a record: its text, and its number where the format knows numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordField<'r> {
    pub(crate) text: &'r [u8],
    pub(crate) number: Option<f64>,
}

/// For each role the best column so far.
#[derive(Debug)]
pub(crate) struct ByRole<T>([Option<Best<T>>; ROLES]);

/// The column with the plainest name.
#[derive(Debug)]
struct Best<T> {
    plainness: usize,
    column: T,
    /// Another column has a name that is as plain: the same name.
    repeated: bool,
}

impl<T> Default for ByRole<T> {
    fn default() -> ByRole<T> {
        ByRole(Default::default())
    }
}

impl<T> ByRole<T> {
    /// Takes a column unless a plainer name came before.
    pub(crate) fn offer(&mut self, role: Role, plainness: usize, column: T) {
        match &mut self.0[role as usize] {
            Some(best) if best.plainness < plainness => {}
            Some(best) if best.plainness == plainness => best.repeated = true,
            slot => *slot = Some(Best { plainness, column, repeated: false }),
        }
    }

    pub(crate) fn take(&mut self, role: Role) -> Option<T> {
        self.0[role as usize].take().map(|best| best.column)
    }

    pub(crate) fn get(&self, role: Role) -> Option<&T> {
        self.0[role as usize].as_ref().map(|best| &best.column)
    }

    /// What two columns of one name are for, if there are such.
    pub(crate) fn repeated(&self) -> Option<&'static str> {
        let at = self.0.iter().position(|slot| slot.as_ref().is_some_and(|best| best.repeated))?;
        Some(NOUNS[at])
    }

    /// True if there are a topic and a document, or a list of documents.
    pub(crate) fn identify(&self) -> bool {
        let documents = [Role::Doc, Role::Retrieved, Role::Relevant];
        self.get(Role::Topic).is_some() && documents.iter().any(|role| self.get(*role).is_some())
    }

    /// The columns of a topic, of a list of its documents and of a list of their numbers, if a table
    /// has no rows of single documents.
    pub(crate) fn lists(&self, wanted: Wanted) -> Option<(&T, &T, Option<&T>)> {
        if self.get(Role::Doc).is_some() {
            return None;
        }
        let (documents, numbers) = match wanted.content {
            Content::Run => (Role::Retrieved, Role::Score),
            Content::Qrels => (Role::Relevant, Role::Grade),
        };
        Some((self.get(Role::Topic)?, self.get(documents)?, self.get(numbers)))
    }

    /// True if only judgements are listed.
    pub(crate) fn lists_judgements(&self) -> bool {
        self.get(Role::Relevant).is_some()
            && self.get(Role::Retrieved).is_none()
            && self.get(Role::Doc).is_none()
    }

    /// Which columns the rows are made of, or what is missing.
    pub(crate) fn choose(&self, wanted: Wanted) -> Result<ChosenColumns<&T>, &'static str> {
        let topic = self.get(Role::Topic).ok_or("a topic (query_id, qid or topic)")?;
        let doc = self.get(Role::Doc).ok_or("a document (doc_id, docno or corpus-id)")?;
        let of = |role| self.get(role);
        let (value, negated) = match wanted.content {
            Content::Run => match (of(Role::Score).or(of(Role::Rating)), of(Role::Rank)) {
                (Some(score), _) => (score, false),
                (None, Some(rank)) => (rank, true),
                (None, None) => {
                    return Err("a score or a rank");
                }
            },
            Content::Qrels => (
                of(Role::Grade)
                    .or(of(Role::Rating))
                    .or(of(Role::Score))
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
        Ok(ChosenColumns { topic, doc, value, negated, rank: self.get(Role::Rank), facet })
    }
}

/// The columns of a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChosenColumns<C> {
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
pub(crate) struct WrongFields<'r> {
    pub(crate) kind: WarningKind,
    pub(crate) found: &'r [u8],
    pub(crate) expected: &'static str,
}

impl<C: Copy> ChosenColumns<C> {
    /// The same columns, each in other words.
    pub(crate) fn map<D>(self, f: impl Fn(C) -> D) -> ChosenColumns<D> {
        let ChosenColumns { topic, doc, value, negated, rank, facet } = self;
        ChosenColumns {
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
        field: impl Fn(C) -> RecordField<'r>,
    ) -> Result<InputRow<'r>, WrongFields<'r>> {
        let id = |column, expected| match field(column).text {
            [] => Err(WrongFields { kind: WarningKind::MalformedLine, found: b"", expected }),
            text => Ok(text),
        };
        let number = |f: RecordField<'r>| {
            f.number.map_or_else(|| row::number(f.text, content), |x| row::check(x, content))
        };
        let topic = id(self.topic, "the id of a topic")?;
        let doc = id(self.doc, "the id of a document")?;
        let cell = field(self.value);
        let value = number(cell).map_err(|(kind, expected)| {
            let expected = if self.negated { "a number for the rank" } else { expected };
            WrongFields { kind, found: cell.text, expected }
        })?;
        let rank = self.rank.and_then(|c| number(field(c)).ok());
        let facet = self.facet.map_or(b"".as_slice(), |c| field(c).text);
        Ok(InputRow {
            topic,
            doc,
            value: if self.negated { -value } else { value },
            rank,
            facet,
            line,
        })
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
        assert_eq!(columns.repeated(), None);
    }

    #[test]
    fn a_repeated_name_is_noticed_unless_a_plainer_one_replaces_it() {
        let repeated = |names: &[&str]| {
            let mut columns = ByRole::default();
            for (i, name) in names.iter().enumerate() {
                let (role, plainness) = role(name.as_bytes()).unwrap();
                columns.offer(role, plainness, i);
            }
            columns.repeated()
        };
        assert_eq!(repeated(&["qid", "docno", "score", "score"]), Some("score"));
        assert_eq!(repeated(&["docno", "Query-ID", "query_id"]), Some("topic"));
        assert_eq!(repeated(&["query", "query", "qid"]), None);
        assert_eq!(repeated(&["qid", "query", "query"]), None);
    }
}
