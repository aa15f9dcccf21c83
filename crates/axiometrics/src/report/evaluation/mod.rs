//! The scores of runs, in every format.

mod document;
mod lines;
mod tables;

use std::io::{self, Write};

use serde::Serialize;

use super::format::{OutputFormat, Rendering};
use super::lines::chosen;
use super::model::Report;
use super::table::{Cell, Style, Table};
use crate::choice::{Choice, choices};
use crate::data::Qrels;
use crate::measure::{Aggregate, Metric};
use crate::policy::Ties;
use crate::score::ranges::{Range, Ranger};
use crate::score::{Protocol, Scores, System};
use crate::warning::Warning;

/// The scores of runs by the same measures.
#[derive(Debug, Clone)]
pub struct EvaluationReport<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// The measures, in the order of the columns of the scores.
    pub metrics: &'a [Metric],
    /// The runs.
    pub runs: Vec<System<'a>>,
    /// How they were scored.
    pub protocol: Protocol,
    /// What was odd about the files.
    pub warnings: Vec<Warning>,
    /// How much is told.
    pub detail: Detail,
    /// What a score is of.
    pub unit: Unit,
    /// The column by which rows are sorted, the highest score first: the runs, or the topics if
    /// these are told.
    pub sort: Option<usize>,
    /// Only so many rows of each table are told.
    pub top: Option<usize>,
}

/// What a score is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unit {
    /// A single query.
    #[default]
    Topic,
    /// The queries that a person asked one after the other.
    Session,
}

choices! {
    Unit {
        Topic "topic",
        Session "session",
    }
}

impl Unit {
    /// So many of them, in words.
    fn count(self, n: usize) -> String {
        format!("{n} {}{}", self.name(), if n == 1 { "" } else { "s" })
    }
}

/// How much of the scores is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Detail {
    /// The summaries.
    #[default]
    Runs,
    /// The scores of the topics too, run by run.
    Topics,
    /// The scores of the topics too, a row per topic and a column per run.
    Matrix,
}

/// The summary's name in the column of topics.
const ALL: &str = "all";

impl<'a> EvaluationReport<'a> {
    /// The measure's own summary over the topics of a run.
    fn summary(&self, run: &System<'_>, column: usize) -> Option<f64> {
        run.scores.summary_value(column, self.protocol.undefined)
    }

    /// The range of that summary.
    fn summary_range(&self, run: &System<'_>, column: usize) -> Option<Range> {
        run.scores.summary_range(column, self.protocol.undefined)
    }

    /// The standard error of that summary, if it is a mean of scores some of which were sampled.
    fn standard_error(&self, run: &System<'_>, column: usize) -> Option<f64> {
        let mean = self.metrics[column].aggregate() == Aggregate::Mean;
        run.scores.mean_standard_error(column, self.protocol.undefined).filter(|_| mean)
    }

    /// True if scores come with their ranges.
    fn has_ranges(&self) -> bool {
        self.runs.iter().any(|run| run.scores.has_ranges())
    }

    fn has_topics(&self) -> bool {
        self.detail != Detail::Runs
    }

    /// Why a measure has no range, if ranges were asked for.
    fn no_range(&self, column: usize) -> Option<&'static str> {
        if !self.has_ranges() || self.protocol.ties == Ties::Range {
            return None;
        }
        let ranger = Ranger::new(&self.metrics[column]);
        ranger.refusal(self.qrels).or_else(|| {
            let why = ranger.refusal_of_short_rankings(self.protocol.tail?)?;
            let lacks = |System { scores, .. }: &System<'_>| {
                (0..scores.len()).any(|row| {
                    scores.value(row, column).is_some() && scores.range(row, column).is_none()
                })
            };
            self.runs.iter().any(lacks).then_some(why)
        })
    }

    /// The measures without a range, if ranges were asked for, each with the reason in a sentence.
    pub fn without_range(&self) -> Vec<String> {
        let sentence = |column: usize| {
            self.no_range(column).map(|why| format!("{} has no range: {why}", self.metrics[column]))
        };
        (0..self.metrics.len()).filter_map(sentence).collect()
    }

    /// The runs that are told, in their order.
    fn told(&self) -> Vec<System<'a>> {
        let mut runs = self.runs.clone();
        if self.detail == Detail::Runs {
            if let Some(column) = self.sort {
                let key = |run: &System<'_>| self.summary(run, column);
                runs.sort_by(|a, b| highest_first(key(a), key(b)));
            }
            runs.truncate(self.top.unwrap_or(usize::MAX));
        }
        runs
    }

    /// The rows of a run that are told, in their order; `None` for all of them as they are.
    fn rows_of(&self, scores: &Scores) -> Option<Vec<usize>> {
        if self.sort.is_none() && self.top.is_none() {
            return None;
        }
        let mut rows: Vec<usize> = (0..scores.len()).collect();
        if let Some(column) = self.sort {
            rows.sort_by(|a, b| highest_first(scores.value(*a, column), scores.value(*b, column)));
        }
        rows.truncate(self.top.unwrap_or(usize::MAX));
        Some(rows)
    }
}

/// The order of rows: numbers from the highest to the lowest, then those without one.
fn highest_first(a: Option<f64>, b: Option<f64>) -> std::cmp::Ordering {
    let number = |x: Option<f64>| x.unwrap_or(f64::NEG_INFINITY);
    number(b).total_cmp(&number(a))
}

impl Report for EvaluationReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        tables::tables(self)
    }

    fn rows(&self) -> Table {
        if self.detail == Detail::Matrix {
            return tables::joined_matrix(self);
        }
        let mut table = Table::new(lines::columns(self));
        let mut push = |run: &System<'_>, column: usize, topic: &str, value, range| {
            let title = self.metrics[column].title();
            let texts = [run.name, &title, topic].map(Cell::text);
            let numbers = tables::cells(self, value, range);
            table.push(texts.into_iter().chain(numbers).collect());
        };
        for run in &self.told() {
            for column in 0..self.metrics.len() {
                if self.has_topics() {
                    let all = || (0..run.scores.len()).collect();
                    for row in self.rows_of(run.scores).unwrap_or_else(all) {
                        let (value, range) =
                            (run.scores.value(row, column), run.scores.range(row, column));
                        push(run, column, &run.scores.topic(row), value, range);
                    }
                }
                push(run, column, ALL, self.summary(run, column), self.summary_range(run, column));
            }
        }
        table
    }

    fn document(&self, style: &Style) -> impl Serialize {
        document::document(self, style.places)
    }

    fn write_rows(
        &self,
        format: OutputFormat,
        style: &Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match (format.form(), self.detail) {
            (Rendering::Lines(form), Detail::Runs | Detail::Topics) => {
                lines::write(self, chosen(form, style), style.places, out)
            }
            _ => self.rows().write(format, style, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{self, QrelsOptions, Source};
    use crate::policy::{Missing, Policies};
    use crate::report::lines as plain;
    use crate::score::Evaluation;
    use crate::score::ranges::Vary;
    use crate::warning::Warnings;

    /// Topics with odd names, one that a run lacks, one that is undefined for a measure.
    const JUDGED: &str = "1 0 a 1\n1 0 b 2\n\"x,y\" 0 a 1\n3 0 a 0\n4 0 c 1\n";
    const RUNS: [(&str, &str); 2] = [
        (
            "one \"quoted\", with\ttab",
            "1 Q0 a 1 3 x\n1 Q0 z 2 2 x\n\"x,y\" Q0 q 1 1 x\n3 Q0 a 1 1 x\n",
        ),
        ("two", "1 Q0 b 1 3 x\n4 Q0 c 1 1 x\n\"x,y\" Q0 a 1 1 x\n"),
    ];

    fn with_report(ranges: bool, check: impl Fn(EvaluationReport<'_>)) {
        let qrels = io::read_qrels(
            &Source::from_bytes("q", JUDGED),
            QrelsOptions::default(),
            &mut Warnings::default(),
        )
        .unwrap();
        let metrics: Vec<Metric> = ["AP", "nDCG@2", "num_rel"].map(|m| m.parse().unwrap()).to_vec();
        let policies = Policies { missing: Missing::Skip, ..Policies::default() };
        let mut evaluation = Evaluation::under(&policies, &qrels, &metrics);
        evaluation.ranges = ranges.then(Vary::default);
        let scores = RUNS.map(|(name, text)| {
            evaluation.run(&Source::from_bytes(name, text), &mut Warnings::default()).unwrap()
        });
        check(EvaluationReport {
            unit: Unit::Topic,
            qrels: &qrels,
            metrics: &metrics,
            runs: scores.iter().map(|s| System { name: s.name(), scores: s }).collect(),
            protocol: Protocol::new(&qrels, &policies),
            warnings: Vec::new(),
            detail: Detail::Topics,
            sort: None,
            top: None,
        });
    }

    #[test]
    fn the_fast_lines_are_those_of_the_table_of_rows() {
        for (ranges, sort, top, detail) in [
            (false, None, None, Detail::Topics),
            (true, None, None, Detail::Topics),
            (true, Some(1), Some(2), Detail::Topics),
            (false, Some(0), Some(1), Detail::Runs),
            (false, None, None, Detail::Runs),
        ] {
            with_report(ranges, |report| {
                let report = EvaluationReport { sort, top, detail, ..report };
                for format in [OutputFormat::Tsv, OutputFormat::Csv, OutputFormat::Jsonl] {
                    for places in [None, Some(3)] {
                        let style = Style { places, ..Style::default() };
                        let Rendering::Lines(form) = format.form() else { panic!() };
                        let mut plainly = Vec::new();
                        plain::write(form, &report.rows(), &style, &mut plainly).unwrap();
                        let plainly = String::from_utf8(plainly).unwrap();
                        assert_eq!(report.render(format, &style), plainly, "{format:?}");
                    }
                }
            });
        }
    }

    #[test]
    fn rows_are_sorted_and_cut() {
        with_report(false, |report| {
            let report = EvaluationReport { detail: Detail::Runs, sort: Some(0), ..report };
            let names: Vec<&str> = report.told().iter().map(|run| run.name).collect();
            assert_eq!(names, ["two", RUNS[0].0]);
            let report = EvaluationReport { detail: Detail::Topics, top: Some(2), ..report };
            let topics: Vec<String> = report.tables(&Style::default())[1]
                .rows
                .iter()
                .map(|row| format!("{:?}", row.cells[0].content))
                .collect();
            // Ties keep the order of topics, and the summary is of all topics.
            assert_eq!(topics, ["Text(\"\\\"x,y\\\"\")", "Text(\"4\")", "Text(\"all\")"]);
        });
    }

    #[test]
    fn a_matrix_has_a_row_per_topic_and_a_column_per_run() {
        with_report(false, |report| {
            let metrics = &report.metrics[..1];
            let report = EvaluationReport { detail: Detail::Matrix, metrics, ..report };
            insta::assert_snapshot!(report.render(OutputFormat::Table, &Style::default()), @r#"
            AP
            topic  one "quoted", with�tab     two
            ─────────────────────────────────────
            "x,y"                  0.0000  1.0000
            1                      0.5000  0.5000
            3                           –       –
            4                           –  1.0000
            ─────────────────────────────────────
            all                    0.1667  0.8333
            3 topics (one "quoted", with�tab covers 3 of 4, two covers 3 of 4), max grade 2, ties docid-desc, missing skip, undefined zero, scores f64, axio 0.1.0
            "#);
            let tsv = report.render(OutputFormat::Tsv, &Style::default()).replace('\t', "→");
            insta::assert_snapshot!(tsv, @r#"
            topic→one "quoted", with tab→two
            "x,y"→0→1
            1→0.5→0.5
            3→NA→NA
            4→NA→1
            all→0.16666666666666666→0.8333333333333334
            "#);
        });
    }
}
