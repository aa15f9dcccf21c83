//! A look at the first rows of a run: do its scores mean what scores mean?
//!
//! Scores that are distances turn every ranking upside down, and judgements in the place of a run
//! have scores too. Both are seen in the first rows, so that nothing is paid for them later.

use super::detect::Head;
use super::row::{InputRow, RowSink, Wanted};
use super::{Content, Facet, Format, Source, read_rows};
use crate::data::{Run, id_text};
use crate::error::{Error, Result};
use crate::warning::{WarningKind, Warnings};

/// So many rows are looked at.
const ROWS: usize = 200;
/// Scores that rise along the file without ranks beside them are odd if every topic has so many.
const RISING: usize = 5;
/// Judgements hardly ever know more grades, nor higher ones.
const GRADES: usize = 8;
const HIGHEST: f64 = 20.0;

/// The first rows of a run, in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct Glance {
    rows: Vec<SeenRow>,
    /// Some row has a rank, which judgements never have.
    ranked: bool,
}

#[derive(Debug)]
struct SeenRow {
    topic: Vec<u8>,
    rank: Option<f64>,
    score: f64,
}

impl Glance {
    /// The first rows of a file. What is wrong with it is told by whoever reads all of it.
    pub(crate) fn of_source(source: &Source, format: Format) -> Glance {
        let mut glance = Glance::default();
        if let Ok(head) = Head::of(source) {
            let text = Source::from_bytes(source.name(), head.whole_lines()).like(source);
            let wanted = Wanted { content: Content::Run, facet: Facet::None };
            // Most files go on behind the head, so that its end is no end of anything.
            let _ = read_rows(&text, wanted, format, &mut glance);
        }
        glance
    }

    /// The first rows of a run in memory.
    pub(crate) fn of_run(run: &Run) -> Glance {
        let rows = run.topics().flat_map(|topic| {
            let name = run.topic_bytes(topic);
            run.documents(topic).map(move |(_, score)| SeenRow {
                topic: name.to_vec(),
                rank: None,
                score,
            })
        });
        Glance { rows: rows.take(ROWS).collect(), ranked: run.has_ranks() }
    }

    /// Warns if low scores seem to be the better ones.
    pub(crate) fn warn_of_reversal(&self, name: &str, warnings: &mut Warnings) {
        if let Some(example) = self.reversal() {
            warnings.add_example(WarningKind::ReversedScores, 1, name, &example);
        }
    }

    /// How the ranks contradict the scores, or how the scores rise, by an example.
    fn reversal(&self) -> Option<String> {
        let pairs = || {
            let same = |pair: &&[SeenRow]| pair[0].topic == pair[1].topic;
            self.rows.windows(2).filter(same).map(|pair| (&pair[0], &pair[1]))
        };
        let ranked = || {
            pairs().filter_map(|(a, b)| match (a.rank?, b.rank?) {
                (x, y) if x < y => Some((a, b)),
                (x, y) if x > y => Some((b, a)),
                _ => None,
            })
        };
        let rises = |(better, worse): &(&SeenRow, &SeenRow)| better.score < worse.score;
        let falls = |(better, worse): &(&SeenRow, &SeenRow)| better.score > worse.score;
        if ranked().filter(rises).count() > ranked().filter(falls).count() {
            let (better, worse) = ranked().find(rises)?;
            return Some(format!(
                "in topic {} rank {} has the score {}, rank {} has {}",
                id_text(&better.topic),
                better.rank.unwrap_or_default(),
                better.score,
                worse.rank.unwrap_or_default(),
                worse.score
            ));
        }
        if self.ranked {
            return None;
        }
        let mut topics: Vec<&[SeenRow]> = self.rows.chunk_by(|a, b| a.topic == b.topic).collect();
        // The last one may go on.
        if topics.len() > 1 {
            topics.pop();
        }
        let rising =
            |rows: &&[SeenRow]| rows.len() >= RISING && rows.is_sorted_by(|a, b| a.score < b.score);
        let first = topics.first()?.first()?;
        topics.iter().all(rising).then(|| {
            format!("topic {} begins with its lowest score {}", id_text(&first.topic), first.score)
        })
    }

    /// Whether the scores could be grades: whole, small, of few values, not all below 0 as the scores
    /// of a list of documents are, and without ranks, which judgements do not have.
    pub(crate) fn looks_like_grades(&self) -> bool {
        let mut values: Vec<f64> = self.rows.iter().map(|row| row.score).collect();
        values.sort_unstable_by(f64::total_cmp);
        let whole = values.iter().all(|x| x.fract() == 0.0 && x.abs() <= HIGHEST);
        values.dedup();
        let judged = values.last().is_some_and(|highest| *highest >= 0.0);
        whole && judged && !self.ranked && values.len() <= GRADES
    }

    /// Whether there are ranks beside the scores.
    pub(crate) fn has_ranks(&self) -> bool {
        self.ranked
    }
}

impl RowSink for Glance {
    fn row(&mut self, row: &InputRow<'_>) -> Result<()> {
        if self.rows.len() == ROWS {
            return Err(Error::usage("enough was seen"));
        }
        self.ranked |= row.rank.is_some();
        self.rows.push(SeenRow { topic: row.topic.to_vec(), rank: row.rank, score: row.value });
        Ok(())
    }

    fn bad(&mut self, _: WarningKind, _: Error) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{RunOptions, detect_run, read_run};

    fn glance(text: &str) -> Glance {
        let source = Source::from_bytes("run", text);
        let format = detect_run(&source).unwrap();
        Glance::of_source(&source, format)
    }

    #[test]
    fn ranks_that_contradict_scores_are_seen() {
        for (text, reversed) in [
            ("1 Q0 a 1 0.1 x\n1 Q0 b 2 0.2 x\n2 Q0 a 1 0.3 x\n", true),
            ("1 Q0 b 2 0.2 x\n1 Q0 a 1 0.1 x\n", true),
            ("1 Q0 a 1 0.2 x\n1 Q0 b 2 0.1 x\n", false),
            ("1 Q0 a 1 0.2 x\n1 Q0 b 2 0.2 x\n", false),
            // Ranks that say nothing.
            ("1 Q0 a 0 0.1 x\n1 Q0 b 0 0.2 x\n1 Q0 c 0 0.3 x\n", false),
            ("qid,docno,rank,score\n1,a,1,0.1\n1,b,2,0.2\n", true),
            (
                "[{\"qid\": \"1\", \"docno\": \"a\", \"rank\": 1, \"score\": 1}, {\"qid\": \"1\", \"docno\": \"b\", \"rank\": 2, \"score\": 3}]",
                true,
            ),
            ("{\"1\": {\"a\": 0.1, \"b\": 0.2, \"c\": 0.3, \"d\": 0.4, \"e\": 0.5}}", true),
            ("{\"1\": {\"a\": 0.1, \"b\": 0.2}}", false),
            ("{\"1\": {\"a\": 0.5, \"b\": 0.4, \"c\": 0.3, \"d\": 0.2, \"e\": 0.1}}", false),
        ] {
            assert_eq!(glance(text).reversal().is_some(), reversed, "{text}");
        }
        let seen = glance("7 Q0 a 1 0.1 x\n7 Q0 b 2 0.2 x\n").reversal().unwrap();
        assert_eq!(seen, "in topic 7 rank 1 has the score 0.1, rank 2 has 0.2");
    }

    #[test]
    fn grades_are_small_whole_and_few() {
        for (text, grades) in [
            ("{\"1\": {\"a\": 1, \"b\": 0}}", true),
            ("{\"1\": {\"a\": 1.5, \"b\": 0}}", false),
            ("{\"1\": {\"a\": 100, \"b\": 99}}", false),
            ("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n", false),
            ("{\"1\": {\"a\": -1, \"b\": -2}}", false),
            ("{\"1\": {\"a\": -1, \"b\": 0}}", true),
        ] {
            assert_eq!(glance(text).looks_like_grades(), grades, "{text}");
            // Read into memory, the same file says the same.
            let source = Source::from_bytes("run", text);
            let run = read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap();
            assert_eq!(Glance::of_run(&run).looks_like_grades(), grades, "{text}");
        }
    }

    #[test]
    fn the_head_of_a_long_file_is_enough() {
        let text: String = (0..9000).map(|i| format!("1 Q0 d{i} {} {i} x\n", i + 1)).collect();
        assert!(glance(&text).reversal().is_some());
    }
}
