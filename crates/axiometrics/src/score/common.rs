//! The topics on which several runs can be compared, matched by id.

use std::fmt;

use serde::Serialize;

use super::measured::Measured;
use super::ranges;
use super::scores::Scores;
use crate::data::Qrels;
use crate::error::{Error, Result};
use crate::measure::range::Range;
use crate::measure::{Aggregate, Score};
use crate::policy::{Missing, Undefined};
use crate::remedy::{Remedy, Setting};
use crate::stats::ScoreMatrix;
use crate::warning::{WarningKind, Warnings};

/// A run's scores, under the name it goes by.
#[derive(Debug, Clone, Copy)]
pub struct System<'a> {
    /// The name.
    pub name: &'a str,
    /// The scores; of all systems that are compared, columns are the same measures.
    pub scores: &'a Scores,
}

/// The scores of one column, system by system, undefined ones as 0. An error if the systems have
/// scores for different topics, which could not be set against one another.
pub(super) fn zeroed_columns(systems: &[System<'_>], column: usize) -> Result<Vec<Vec<f64>>> {
    if systems.windows(2).any(|pair| pair[0].scores.topics() != pair[1].scores.topics()) {
        let help = Remedy::default().option(
            "",
            Setting::Missing(Missing::Zero),
            " scores a missing topic as an empty ranking",
        );
        return Err(Error::usage("the runs have different topics").help(help));
    }
    let zeroed = |system: &System<'_>| {
        system.scores.column(column).map(|score| score.unwrap_or(0.0)).collect()
    };
    Ok(systems.iter().map(zeroed).collect())
}

/// Topics that no comparison can use, each counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// A run lacks them and missing topics are not scored.
    pub missing: usize,
    /// They have no relevant document, so that no ranking is better than another.
    pub no_relevant: usize,
    /// Some run's score is undefined.
    pub undefined: usize,
}

impl LeftOut {
    /// How many there are.
    pub fn total(&self) -> usize {
        self.missing + self.no_relevant + self.undefined
    }
}

/// The reasons there are, with their numbers.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.no_relevant, "without relevant documents"),
            (self.undefined, "with an undefined score"),
            (self.missing, "missing from a run"),
        ];
        let told: Vec<String> =
            reasons.iter().filter(|(n, _)| *n > 0).map(|(n, why)| format!("{n} {why}")).collect();
        f.write_str(&told.join(", "))
    }
}

/// A measure that cannot be used: a system's scores are all undefined, one is beyond all numbers
/// that can be compared, or no topic is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOutMeasure {
    /// The measure, with its parameters.
    pub measure: String,
    /// Why it is left out.
    pub reason: String,
}

impl LeftOutMeasure {
    /// Warns that the systems are not seen by it.
    pub fn warn(&self, warnings: &mut Warnings) {
        warnings.add_example(WarningKind::MeasureLeftOut, 1, &self.measure, &self.reason);
    }
}

/// The topics for which every system has a score by each of some measures.
#[derive(Debug, Clone)]
pub struct CommonTopics<'a> {
    systems: &'a [System<'a>],
    /// The topics, as numbers in the judgements, sorted by name.
    pub topics: Vec<u32>,
    /// The rows of the topics, system by system.
    rows: Vec<Vec<usize>>,
    /// What could not be used.
    pub left_out: LeftOut,
    /// One of the topics left out.
    pub example: Option<u32>,
}

impl<'a> CommonTopics<'a> {
    /// Matches the topics of the systems. `measures` are columns of the scores with their measures.
    pub fn new<M: Measured>(
        qrels: &Qrels,
        measures: &[(usize, &M)],
        systems: &'a [System<'a>],
    ) -> Result<CommonTopics<'a>> {
        let at: Vec<Vec<Option<usize>>> =
            systems.iter().map(|s| rows_by_topic(qrels, s.scores)).collect();
        let mut common = CommonTopics {
            systems,
            topics: Vec::new(),
            rows: vec![Vec::new(); systems.len()],
            left_out: LeftOut::default(),
            example: None,
        };
        for &topic in qrels.topics() {
            let rows: Option<Vec<usize>> = at.iter().map(|rows| rows[topic as usize]).collect();
            let reason = match &rows {
                None if at.iter().all(|rows| rows[topic as usize].is_none()) => continue,
                None => &mut common.left_out.missing,
                Some(_)
                    if measures
                        .iter()
                        .any(|(_, measure)| measure.without_relevant(qrels, topic)) =>
                {
                    &mut common.left_out.no_relevant
                }
                Some(rows) if undefined(measures, systems, rows) => &mut common.left_out.undefined,
                Some(rows) => {
                    common.topics.push(topic);
                    common.rows.iter_mut().zip(rows).for_each(|(all, row)| all.push(*row));
                    continue;
                }
            };
            *reason += 1;
            common.example = common.example.or(Some(topic));
        }
        if common.topics.is_empty() {
            return Err(Error::usage("no topic is left on which all runs have a score")
                .help("they share no judged topic with relevant documents"));
        }
        Ok(common)
    }

    /// The same for one measure: if no topic is left, the error names a system without any score.
    pub fn of_measure(
        qrels: &Qrels,
        column: usize,
        measure: &impl Measured,
        systems: &'a [System<'a>],
    ) -> Result<CommonTopics<'a>> {
        CommonTopics::new(qrels, &[(column, measure)], systems).map_err(|error| {
            let undefined = systems.iter().find(|s| {
                !s.scores.is_empty() && s.scores.column(column).all(|score| score.is_none())
            });
            match undefined {
                Some(System { name, scores }) => {
                    let why = match scores.score(0, column) {
                        Some(Score::Undefined(why)) => format!(": {why}"),
                        _ => String::new(),
                    };
                    Error::usage(format!("it is undefined on every topic of {name}{why}"))
                }
                None => error,
            }
        })
    }

    /// What unjudged documents could make of the mean of a system, numbered as the systems are; `None`
    /// if the score of a topic has no range.
    pub fn mean_range(&self, system: usize, column: usize) -> Option<Range> {
        let scores = self.systems.get(system)?.scores;
        let ranges = self.rows[system].iter().map(|row| scores.range(*row, column).map(Some));
        let ranges: Vec<Option<Range>> = ranges.collect::<Option<_>>()?;
        ranges::summarise(&Aggregate::Mean, &ranges, Undefined::Zero)
    }

    /// The topics that some system has, but that are not among those.
    pub fn left_out_topics(&self, qrels: &Qrels) -> Vec<String> {
        if self.left_out.total() == 0 {
            return Vec::new();
        }
        let mut left_out = vec![false; qrels.len()];
        let topics = self.systems.iter().flat_map(|system| system.scores.topics().iter());
        for topic in topics.filter_map(|name| qrels.find(name)) {
            left_out[topic as usize] = true;
        }
        for topic in &self.topics {
            left_out[*topic as usize] = false;
        }
        let kept = qrels.topics().iter().filter(|topic| left_out[**topic as usize]);
        kept.map(|topic| qrels.topic_name(*topic)).collect()
    }

    /// The scores in one column: a row per system, a column per topic.
    pub fn matrix(&self, column: usize) -> Result<ScoreMatrix> {
        let scores = |(system, rows): (&System<'_>, &Vec<usize>)| -> Vec<f64> {
            rows.iter().filter_map(|row| system.scores.value(*row, column)).collect()
        };
        ScoreMatrix::new(self.systems.iter().zip(&self.rows).map(scores).collect())
    }
}

/// Measures, by whether all systems can be compared by them on some topic.
#[derive(Debug)]
pub struct UsableMeasures<'m, M> {
    /// Those by which they can, with their columns.
    pub usable: Vec<(usize, &'m M)>,
    /// The others.
    pub left_out: Vec<LeftOutMeasure>,
}

/// The measures by which systems can be compared. An error if there is none.
pub fn usable_measures<'m, M: Measured>(
    qrels: &Qrels,
    measures: &'m [M],
    systems: &[System<'_>],
) -> Result<UsableMeasures<'m, M>> {
    let (mut usable, mut left_out) = (Vec::new(), Vec::new());
    for (column, measure) in measures.iter().enumerate() {
        let common = CommonTopics::of_measure(qrels, column, measure, systems);
        match common.and_then(|common| common.matrix(column)) {
            Ok(_) => usable.push((column, measure)),
            Err(error) => left_out.push(LeftOutMeasure {
                measure: measure.name(),
                reason: error.message().to_string(),
            }),
        }
    }
    match left_out.first() {
        Some(LeftOutMeasure { measure, reason }) if usable.is_empty() => {
            Err(Error::usage(format!("{measure}: {reason}")))
        }
        _ => Ok(UsableMeasures { usable, left_out }),
    }
}

fn rows_by_topic(qrels: &Qrels, scores: &Scores) -> Vec<Option<usize>> {
    let mut at = vec![None; qrels.len()];
    for (row, topic) in scores.topics().iter().enumerate() {
        if let Some(topic) = qrels.find(topic) {
            at[topic as usize] = Some(row);
        }
    }
    at
}

fn undefined<M>(measures: &[(usize, &M)], systems: &[System<'_>], rows: &[usize]) -> bool {
    systems.iter().zip(rows).any(|(system, row)| {
        measures.iter().any(|(column, _)| system.scores.value(*row, *column).is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{QrelsOptions, Source, read_qrels};
    use crate::measure::Metric;
    use crate::score::Evaluation;

    #[test]
    fn topics_are_matched_by_id_and_the_others_counted() {
        let mut warnings = Warnings::default();
        let judged = "9 0 a 1\n10 0 a 1\n10 0 b 2\n2 0 a 0\n3 0 a 1\n";
        let qrels =
            read_qrels(&Source::from_bytes("q", judged), QrelsOptions::default(), &mut warnings)
                .unwrap();
        let metrics: Vec<Metric> = ["P@1", "AP(rel=2)"].map(|m| m.parse().unwrap()).to_vec();
        let mut evaluation = Evaluation::new(&qrels, &metrics);
        evaluation.missing = Missing::Skip;
        let scores = |text: &str| {
            evaluation.run(&Source::from_bytes("r", text), &mut Warnings::default()).unwrap()
        };
        // The topics come in different orders.
        let one = scores("9 Q0 a 1 1 x\n10 Q0 c 1 1 x\n2 Q0 a 1 1 x\n3 Q0 a 1 1 x\n");
        let two = scores("10 Q0 b 1 1 x\n9 Q0 z 1 1 x\n2 Q0 a 1 1 x\n");
        let systems = [System { name: "one", scores: &one }, System { name: "two", scores: &two }];
        let common = CommonTopics::new(&qrels, &[(0, &metrics[0])], &systems).unwrap();
        let names: Vec<String> = common.topics.iter().map(|t| qrels.topic_name(*t)).collect();
        assert_eq!(names, ["10", "9"]);
        assert_eq!(common.left_out, LeftOut { missing: 1, no_relevant: 1, undefined: 0 });
        assert_eq!(common.matrix(0).unwrap().rows(), [[0.0, 1.0], [1.0, 0.0]]);
        // Only topic 10 has a document of grade 2.
        let high = CommonTopics::new(&qrels, &[(1, &metrics[1])], &systems).unwrap();
        assert_eq!((high.topics.len(), high.left_out.no_relevant), (1, 2));
        assert_eq!(LeftOut { missing: 1, no_relevant: 2, undefined: 4 }.total(), 7);
        // One whose score is undefined for one of them.
        let mut builder = Scores::builder("r", &["P@1"]);
        builder.push("9", &[crate::measure::Score::Undefined("no reason")]).unwrap();
        builder.push("10", &[crate::measure::Score::Value(1.0)]).unwrap();
        let three = builder.build().unwrap();
        let systems = [System { name: "one", scores: &one }, System { name: "3", scores: &three }];
        let common = CommonTopics::new(&qrels, &[(0, &metrics[0])], &systems).unwrap();
        let names: Vec<String> = common.topics.iter().map(|t| qrels.topic_name(*t)).collect();
        assert_eq!((names.as_slice(), common.left_out.undefined), (&["10".to_string()][..], 1));
        // 2 and 3 are missing from one of them.
        assert_eq!(common.left_out.missing, 2);
        // Topics that no system has are not among those to be compared.
        let few = [scores("9 Q0 a 1 1 x\n"), scores("9 Q0 a 1 1 x\n3 Q0 a 1 1 x\n")];
        let systems = few.each_ref().map(|scores| System { name: "few", scores });
        let common = CommonTopics::new(&qrels, &[(0, &metrics[0])], &systems).unwrap();
        assert_eq!(common.left_out, LeftOut { missing: 1, no_relevant: 0, undefined: 0 });
        let nothing = CommonTopics::new(&qrels, &[(0, &metrics[0])], &[]).unwrap();
        assert!(nothing.matrix(0).unwrap_err().is_usage());
    }
}
