//! Rankings in one line, as papers write them: `11000`.
//!
//! Each digit is the grade of the document at that rank, `-` an unjudged document, and `+2` two
//! relevant documents that were not retrieved. Brackets hold documents with equal scores: `[10]1`.
//! Grades of more than one digit stand apart: `0.7 - 10`. What was not retrieved can also be named
//! by its grades, behind `|`: `120|31`, or by number and grade: `120+2:3`.
//!
//! ```
//! use axiometrics::data::Vector;
//!
//! let ranking: Vector = "[1-]0+2".parse()?;
//! assert_eq!(ranking.grades().collect::<Vec<_>>(), [Some(1.0), None, Some(0.0)]);
//! assert_eq!(ranking.unretrieved(), [1.0, 1.0]);
//!
//! let graded: Vector = "0.7 - 10 | 2".parse()?;
//! assert_eq!(graded.grades().collect::<Vec<_>>(), [Some(0.7), None, Some(10.0)]);
//! assert_eq!(graded.unretrieved(), [2.0]);
//! # Ok::<(), axiometrics::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Qrels, Run};
use crate::error::{Error, Result};

/// A judged ranking, written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    text: String,
    /// The documents of equal score, from the top; grades, `None` for an unjudged document.
    groups: Vec<Vec<Option<f64>>>,
    unretrieved: Vec<f64>,
}

/// More documents than this are not written down by hand.
const MOST: u32 = 1_000_000;

impl Vector {
    /// The grades from the top, `None` for an unjudged document.
    pub fn grades(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// The grades of the documents that were not retrieved.
    pub fn unretrieved(&self) -> &[f64] {
        &self.unretrieved
    }

    /// True if some documents have equal scores.
    pub fn has_ties(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    /// The judgements and the run of these rankings: each is a topic, named as it is written.
    /// The document at rank 3 is `d3`, one that was not retrieved `u1`.
    pub fn collection(rankings: &[Vector]) -> Result<(Qrels, Run)> {
        let (mut qrels, mut run) =
            (Qrels::builder().named("rankings"), Run::builder().named("rankings"));
        let mut seen = std::collections::HashSet::new();
        for Vector { text, groups, unretrieved } in rankings {
            if !seen.insert(text) {
                continue;
            }
            let mut rank = 0;
            let mut judged = 0;
            for (at, group) in groups.iter().enumerate() {
                for grade in group {
                    rank += 1;
                    let document = format!("d{rank}");
                    run.push(text, &document, (groups.len() - at) as f64);
                    if let Some(grade) = grade {
                        judged += 1;
                        qrels.push(text, &document, *grade);
                    }
                }
            }
            for (number, grade) in (1..).zip(unretrieved) {
                judged += 1;
                qrels.push(text, format!("u{number}"), *grade);
            }
            if judged == 0 {
                // A topic is known by its judgements: one document was pooled, and not assessed.
                qrels.push(text, "u1", -1.0);
            }
        }
        Ok((qrels.build()?.written_within_rankings(), run.build()?))
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Vector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Vector> {
        NotationReader::new(text).read()
    }
}

/// Reads the notation from left to right.
struct NotationReader<'t> {
    text: &'t str,
    rest: &'t str,
    /// Grades stand apart, and may have several digits.
    apart: bool,
    groups: Vec<Vec<Option<f64>>>,
    unretrieved: Vec<f64>,
    /// Within brackets.
    open: bool,
    /// Behind `|`.
    behind: bool,
}

impl<'t> NotationReader<'t> {
    fn new(text: &'t str) -> NotationReader<'t> {
        let text = text.trim();
        // The decimal point of `+2:0.5` says nothing of the ranking.
        let ranking = text.split(['+', '|']).next().unwrap_or(text).trim();
        NotationReader {
            text,
            rest: text,
            apart: ranking.contains(|c: char| c.is_whitespace() || c == '.' || c == ','),
            groups: Vec::new(),
            unretrieved: Vec::new(),
            open: false,
            behind: false,
        }
    }

    fn read(mut self) -> Result<Vector> {
        while let Some(c) = self.rest.chars().next() {
            let step = &self.rest[c.len_utf8()..];
            match c {
                _ if c.is_whitespace() || c == ',' => self.rest = step,
                '[' if !self.open && !self.behind => {
                    self.rest = step;
                    self.open = true;
                    self.groups.push(Vec::new());
                }
                ']' if self.open => {
                    self.rest = step;
                    self.open = false;
                }
                '-' if !self.behind => {
                    self.rest = step;
                    self.retrieved(None);
                }
                '+' if !self.open => {
                    self.rest = step;
                    self.counted()?;
                }
                '|' if !self.open && !self.behind => {
                    self.rest = step;
                    self.behind = true;
                    let grades = self.rest.trim();
                    self.apart = grades.contains(|c: char| c.is_whitespace() || c == '.');
                }
                '0'..='9' | '.' => {
                    let grade = self.grade()?;
                    if self.behind {
                        self.unretrieved.push(grade);
                    } else {
                        self.retrieved(Some(grade));
                    }
                }
                _ => return Err(self.wrong("a grade, `-`, `[`, `]`, `+` or `|`")),
            }
        }
        if self.open {
            return Err(self.wrong("`]`"));
        }
        self.groups.retain(|group| !group.is_empty());
        if self.groups.is_empty() {
            return Err(Error::usage(format!("\"{}\" has no document", self.text))
                .help("write the grade of each document from the top, as in 11000"));
        }
        let documents = self.groups.iter().map(Vec::len).sum::<usize>() + self.unretrieved.len();
        if documents > MOST as usize {
            return Err(Error::usage(format!("a ranking of {documents} documents is too long"))
                .help(format!("{MOST} are the most; write longer ones to files")));
        }
        Ok(Vector {
            text: self.text.to_string(),
            groups: self.groups,
            unretrieved: self.unretrieved,
        })
    }

    fn retrieved(&mut self, grade: Option<f64>) {
        match self.groups.last_mut().filter(|_| self.open) {
            Some(group) => group.push(grade),
            None => self.groups.push(vec![grade]),
        }
    }

    /// `2` or `2:3`, behind a plus.
    fn counted(&mut self) -> Result<()> {
        let digits =
            self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let count: u32 = match self.rest[..digits].parse() {
            Ok(count) if count <= MOST => count,
            _ => return Err(self.wrong(&format!("a number of documents up to {MOST}"))),
        };
        self.rest = &self.rest[digits..];
        let mut grade = 1.0;
        if let Some(rest) = self.rest.strip_prefix(':') {
            self.rest = rest;
            grade = self.number()?;
        }
        let room = (MOST as usize + 1).saturating_sub(self.unretrieved.len());
        self.unretrieved.extend(std::iter::repeat_n(grade, room.min(count as usize)));
        Ok(())
    }

    fn grade(&mut self) -> Result<f64> {
        if self.apart {
            return self.number();
        }
        let digit = self.rest.chars().next().and_then(|c| c.to_digit(10));
        let Some(digit) = digit else { return Err(self.wrong("a digit")) };
        self.rest = &self.rest[1..];
        Ok(f64::from(digit))
    }

    fn number(&mut self) -> Result<f64> {
        let numeric = |c: char| c.is_ascii_digit() || c == '.';
        let length = self.rest.len() - self.rest.trim_start_matches(numeric).len();
        let Some(number) = self.rest[..length].parse().ok().filter(|x: &f64| x.is_finite()) else {
            return Err(self.wrong("a grade"));
        };
        self.rest = &self.rest[length..];
        Ok(number)
    }

    /// What stands here instead of what was expected.
    fn wrong(&self, expected: &str) -> Error {
        let column = self.text[..self.text.len() - self.rest.len()].chars().count() + 1;
        let found = match self.rest.chars().next() {
            Some(c) => format!("\"{}\" at character {column}", c.escape_debug()),
            None => "the end".to_string(),
        };
        let text = self.text.escape_debug();
        Error::usage(format!("in the ranking \"{text}\": found {found}, expected {expected}")).help(
            "a ranking is the grade of each document from the top: 11000, 1-0 with an unjudged \
             document, 110+2 with two relevant ones that were not retrieved, [10]1 with a tie, or \
             apart: '0.7 - 10 | 2'",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grades(text: &str) -> (Vec<Vec<Option<f64>>>, Vec<f64>) {
        let vector: Vector = text.parse().unwrap();
        (vector.groups, vector.unretrieved)
    }

    #[test]
    fn every_form() {
        let one = |grade: f64| vec![Some(grade)];
        assert_eq!(grades("110"), (vec![one(1.0), one(1.0), one(0.0)], vec![]));
        assert_eq!(grades("1-"), (vec![one(1.0), vec![None]], vec![]));
        assert_eq!(grades("3+2"), (vec![one(3.0)], vec![1.0, 1.0]));
        assert_eq!(grades("3+1:3+2:0.5"), (vec![one(3.0)], vec![3.0, 0.5, 0.5]));
        assert_eq!(grades("[1-]0"), (vec![vec![Some(1.0), None], one(0.0)], vec![]));
        assert_eq!(
            grades(" 0.5 [1 -] | 2 10 "),
            (vec![one(0.5), vec![Some(1.0), None]], vec![2.0, 10.0])
        );
        assert_eq!(grades("12|34"), (vec![one(1.0), one(2.0)], vec![3.0, 4.0]));
        assert_eq!(grades("10, 0.5"), (vec![one(10.0), one(0.5)], vec![]));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, part) in [
            ("", "has no document"),
            ("+2", "has no document"),
            ("11x", "found \"x\" at character 3"),
            ("[11", "found the end, expected `]`"),
            ("1+", "found the end, expected a number of documents"),
            ("1]", "found \"]\" at character 2"),
            ("1.2.3 0", "expected a grade"),
            ("1+9999999", "expected a number of documents up to 1000000"),
            ("1+1000000+1000000", "is too long"),
        ] {
            let error = text.parse::<Vector>().unwrap_err();
            assert!(error.to_string().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn rankings_become_judgements_and_a_run() {
        let vectors: Vec<Vector> = ["[10]-+1", "--", "[10]-+1"].map(|t| t.parse().unwrap()).into();
        let (qrels, run) = Vector::collection(&vectors).unwrap();
        assert_eq!((qrels.len(), qrels.judgement_count(), run.len()), (2, 4, 5));
        assert_eq!(qrels.max_grade(), 1.0);
    }

    proptest! {
        #[test]
        fn never_panics(text in "[-0-9\\[\\]+|:., éx]{0,12}") {
            let _ = text.parse::<Vector>();
        }
    }
}
