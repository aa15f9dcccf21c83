//! What people were seen to do: the rank of the last document that each of them read.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::data::{OwnedTopic, Vector};
use crate::error::{Error, Place, Result};
use crate::io::trec::refuse_lone_return;

/// Some people who did the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation {
    /// The last rank that they read.
    pub rank: u32,
    /// They may have read on.
    pub at_least: bool,
    /// How many they are.
    pub count: u32,
}

/// All that was observed.
///
/// As text: a line for each, with columns `rank`, `count` and `ranking`, of which the last two may
/// be absent, as may the header if there are ranks alone. A rank with a plus, `10+`, is that of
/// somebody who read at least so far. A ranking is what they read in, as in `10-1`.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    by_ranking: BTreeMap<String, (Shown, Vec<Observation>)>,
    max_grade: f64,
}

/// A ranking that people were shown; without one, nothing in it is relevant.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown(Option<Vector>);

impl Shown {
    /// As users see it.
    pub(super) fn topic(&self, max_grade: f64) -> OwnedTopic {
        let grades: Vec<Option<f64>> = self.0.iter().flat_map(Vector::grades).collect();
        let unretrieved = self.0.as_ref().map_or(&[][..], Vector::unretrieved);
        OwnedTopic::new(&grades, unretrieved).with_max_grade(max_grade)
    }
}

impl Observations {
    /// What was observed, by the ranking that was shown.
    pub fn by_ranking(&self) -> impl Iterator<Item = (&Shown, &[Observation])> {
        self.by_ranking.values().map(|(shown, seen)| (shown, seen.as_slice()))
    }

    /// The highest grade of all rankings, at least 1.
    pub fn max_grade(&self) -> f64 {
        self.max_grade
    }

    /// How many people there are.
    pub fn people(&self) -> u64 {
        self.all().map(|seen| u64::from(seen.count)).sum()
    }

    /// The mean of the last ranks, of those who were not seen to stop as far as they were seen.
    pub fn mean_rank(&self) -> f64 {
        let sum: f64 = self.all().map(|seen| f64::from(seen.rank) * f64::from(seen.count)).sum();
        sum / self.people() as f64
    }

    fn all(&self) -> impl Iterator<Item = &Observation> {
        self.by_ranking.values().flat_map(|(_, seen)| seen)
    }

    /// Reads them; `name` is that of the file, for messages.
    pub fn read(name: &str, text: &str) -> Result<Observations> {
        let mut columns = ObservationColumns { rank: 0, count: None, ranking: None };
        let mut by_ranking: BTreeMap<String, (Shown, Vec<Observation>)> = BTreeMap::new();
        let mut max_grade = 1.0f64;
        for (number, line) in (1u64..).zip(text.trim_start_matches('\u{feff}').lines()) {
            refuse_lone_return(line.as_bytes(), name, number)?;
            let fields: Vec<&str> = line.split([',', '\t']).map(str::trim).take(MOST).collect();
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if by_ranking.is_empty() && fields.contains(&"rank") {
                columns = ObservationColumns::named(name, number, &fields)?;
                continue;
            }
            let (shown, seen) = columns.observation(name, number, &fields)?;
            let grades = shown
                .0
                .iter()
                .flat_map(|v| v.grades().flatten().chain(v.unretrieved().iter().copied()));
            max_grade = grades.fold(max_grade, f64::max);
            let key = shown.0.as_ref().map_or(String::new(), Vector::to_string);
            by_ranking.entry(key).or_insert_with(|| (shown, Vec::new())).1.push(seen);
        }
        if by_ranking.is_empty() {
            return Err(Error::input(Place::file(name), "no rank was observed")
                .help("write the last rank that each user read, one in a line"));
        }
        Ok(Observations { by_ranking, max_grade })
    }
}

impl FromStr for Observations {
    type Err = Error;

    fn from_str(text: &str) -> Result<Observations> {
        Observations::read("observations", text)
    }
}

/// Where each thing stands in a line.
struct ObservationColumns {
    rank: usize,
    count: Option<usize>,
    ranking: Option<usize>,
}

impl ObservationColumns {
    fn named(file: &str, line: u64, header: &[&str]) -> Result<ObservationColumns> {
        let known = ["rank", "count", "ranking"];
        if let Some(name) = header.iter().find(|name| !known.contains(name)) {
            let place = Place::line(file, line);
            return Err(Error::expected(place, name.as_bytes(), "a column rank, count or ranking"));
        }
        let at = |name: &str| header.iter().position(|column| *column == name);
        Ok(ObservationColumns {
            rank: at("rank").unwrap_or(0),
            count: at("count"),
            ranking: at("ranking"),
        })
    }

    fn observation(&self, file: &str, line: u64, fields: &[&str]) -> Result<(Shown, Observation)> {
        let field = |at: usize| fields.get(at).copied().unwrap_or("");
        let wrong = |found: &str, expected: &str| {
            Err(Error::expected(Place::line(file, line), found.as_bytes(), expected))
        };
        let text = field(self.rank);
        let digits = text.strip_suffix('+').unwrap_or(text);
        let Some(rank) = digits.parse().ok().filter(|rank| (1..=DEEPEST).contains(rank)) else {
            return wrong(text, "a rank from 1 on, such as 3, or 10+ for at least 10");
        };
        let count = match self.count.map(field) {
            None => 1,
            Some(text) => match text.parse().ok().filter(|count| *count > 0) {
                Some(count) => count,
                None => return wrong(text, "a number of people, 1 or more"),
            },
        };
        let ranking = match self.ranking.map(field).filter(|text| !text.is_empty()) {
            None => None,
            Some(text) => match text.parse::<Vector>() {
                Ok(ranking) => Some(ranking),
                Err(_) => return wrong(text, "a ranking, such as 10-1"),
            },
        };
        Ok((Shown(ranking), Observation { rank, at_least: digits != text, count }))
    }
}

/// So many columns are looked at; only three have names.
const MOST: usize = 8;

/// No user reads farther.
const DEEPEST: u32 = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        let plain: Observations = "1\n3\n2+\n".parse().unwrap();
        assert_eq!((plain.people(), plain.mean_rank()), (3, 2.0));
        let counted: Observations = "count\trank\n2\t1\n# a comment\n\n1\t4\n".parse().unwrap();
        assert_eq!((counted.people(), counted.mean_rank()), (3, 2.0));
        let shown: Observations = "rank,ranking\n1,1-3\n2,\n".parse().unwrap();
        assert_eq!((shown.by_ranking().count(), shown.max_grade()), (2, 3.0));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, part) in [
            ("", "no rank was observed"),
            ("1\n2\r3\n", "2:2: found \"\\r3\", expected a carriage return only at the end"),
            ("1\n0\n", "2: found \"0\", expected a rank"),
            ("rank,who\n1,x\n", "1: found \"who\", expected a column"),
            ("rank,count\n1,0\n", "2: found \"0\", expected a number of people"),
            ("rank,ranking\n1,1x\n", "2: found \"1x\", expected a ranking"),
        ] {
            let error = text.parse::<Observations>().unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }
}
