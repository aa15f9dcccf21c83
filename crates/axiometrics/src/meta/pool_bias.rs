//! Pool bias (Zobel, SIGIR 1998): what the documents that only one run or team brought into the
//! pool did to its scores and to the order of systems. They are taken out of the judgements, as if
//! that team had not been pooled, and all runs are scored again.

use std::borrow::Borrow;
use std::collections::HashSet;

use rayon::prelude::*;
use serde::Serialize;

use crate::align::Policy;
use crate::data::{Facet, Grades, Hit, Hits, Judged, Needs, Qrels, Run};
use crate::error::{Error, Result};
use crate::measure::Metric;
use crate::score::{CommonTopics, Evaluation, Ranking, System, usable_measures};
use crate::stats::kendall_tau_b;

/// Runs that were pooled together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// Its name.
    pub name: String,
    /// Its runs, by their place.
    pub runs: Vec<usize>,
}

/// What leaving out each team's own documents does.
#[derive(Debug, Clone, Serialize)]
pub struct PoolBias {
    /// Only documents down to this rank count as brought in by a run; all that it retrieved if
    /// absent.
    pub depth: Option<u32>,
    /// One entry per team.
    pub teams: Vec<TeamBias>,
}

/// What leaving out one team's own documents does.
#[derive(Debug, Clone, Serialize)]
pub struct TeamBias {
    /// The team.
    pub team: String,
    /// Judged documents that no other team brought in.
    pub unique: usize,
    /// Those among them with a grade above 0.
    pub relevant: usize,
    /// Topics that they leave without a relevant document. A score that is undefined without them
    /// counts as 0.
    pub emptied: usize,
    /// One entry per measure.
    pub measures: Vec<MeasureBias>,
}

/// The same, as one measure sees it.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureBias {
    /// The measure, with its parameters.
    pub measure: String,
    /// How many topics the means are over.
    pub topics: usize,
    /// The runs of the team.
    pub runs: Vec<RunBias>,
    /// Kendall's tau-b between the orders of all systems with and without the documents; absent
    /// if all systems tie.
    pub tau: Option<f64>,
}

/// A run with and without the documents that only its team brought in.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunBias {
    /// The run.
    pub run: String,
    /// Its mean.
    pub score: f64,
    /// Its mean without the documents.
    pub without: f64,
    /// Its place among all runs, 1 for the best.
    pub rank: usize,
    /// Its place when all runs are scored without the documents.
    pub rank_without: usize,
}

/// The judged documents of the rankings of several runs.
pub struct PooledRankings {
    /// Run by run, the ranking of each topic.
    runs: Vec<Vec<Ranking>>,
}

impl PooledRankings {
    /// Aligns the runs with the judgements, which must be complete.
    pub fn new(
        qrels: &Qrels,
        metrics: &[Metric],
        policy: Policy,
        runs: &[impl Borrow<Run> + Sync],
    ) -> Result<PooledRankings> {
        let needs = metrics.iter().fold(Needs::JUDGED, |all, metric| all.union(metric.needs()));
        if needs.facet != Facet::None {
            let error =
                Error::usage("what one team brought in is not known by subtopic or stratum");
            return Err(error.help("leave measures of subtopics, groups and strata out"));
        }
        let mut evaluation = Evaluation::new(qrels, &[]);
        evaluation.policy = Policy { needs, ..policy };
        Ok(PooledRankings {
            runs: runs
                .par_iter()
                .map(|run| evaluation.rankings(run.borrow()))
                .collect::<Result<_>>()?,
        })
    }

    /// The judged documents of a topic that this team alone brought in, as places in the topic's
    /// judgements.
    fn unique(&self, topic: u32, team: &Team, depth: Option<u32>) -> HashSet<u32> {
        let depth = depth.unwrap_or(u32::MAX);
        let brought = |run: usize| {
            let hits = self.runs[run][topic as usize].hits.iter();
            hits.filter(move |hit| hit.rank <= depth && hit.grade >= 0.0).map(|hit| hit.doc)
        };
        let mut own: HashSet<u32> = team.runs.iter().flat_map(|run| brought(*run)).collect();
        for run in (0..self.runs.len()).filter(|run| !team.runs.contains(run)) {
            brought(run).for_each(|doc| {
                own.remove(&doc);
            });
        }
        own
    }
}

/// Leaves out each team's own documents in turn. The systems are the runs that were read, in the
/// same order, with their scores by the measures. A measure that is undefined on every topic is
/// passed over.
pub fn pool_bias(
    qrels: &Qrels,
    metrics: &[Metric],
    systems: &[System<'_>],
    rankings: &PooledRankings,
    teams: &[Team],
    depth: Option<u32>,
) -> Result<PoolBias> {
    if systems.len() != rankings.runs.len()
        || teams.iter().flat_map(|t| &t.runs).any(|run| *run >= systems.len())
    {
        return Err(Error::usage("teams, runs and scores do not belong together"));
    }
    let judged: Vec<JudgedSystems> = usable_measures(qrels, metrics, systems)?
        .usable
        .into_iter()
        .map(|(column, metric)| {
            let common = CommonTopics::of_measure(qrels, column, metric, systems)?;
            let scores = common.matrix(column)?.rows().to_vec();
            Ok(JudgedSystems { qrels, metric, systems, rankings, topics: common.topics, scores })
        })
        .collect::<Result<_>>()?;
    let one = |team: &Team| {
        let left: Vec<Left> = (0..qrels.len() as u32)
            .filter_map(|topic| Left::new(qrels, rankings, topic, team, depth))
            .collect();
        Ok(TeamBias {
            team: team.name.clone(),
            unique: left.iter().map(|l| l.out.len()).sum(),
            relevant: left.iter().map(|l| l.relevant).sum(),
            emptied: left.iter().filter(|l| l.relevant > 0 && l.grades.positive.is_empty()).count(),
            measures: judged.iter().map(|by| by.without(&left, team)).collect::<Result<_>>()?,
        })
    };
    Ok(PoolBias { depth, teams: teams.par_iter().map(one).collect::<Result<_>>()? })
}

/// A topic from which documents were taken out.
struct Left {
    topic: u32,
    out: HashSet<u32>,
    /// How many of them have a grade above 0.
    relevant: usize,
    grades: Grades,
}

impl Left {
    /// `None` if the team brought in nothing of its own.
    fn new(
        qrels: &Qrels,
        rankings: &PooledRankings,
        topic: u32,
        team: &Team,
        depth: Option<u32>,
    ) -> Option<Left> {
        let out = rankings.unique(topic, team, depth);
        if out.is_empty() {
            return None;
        }
        let grades = || (0..).zip(qrels.judgements(topic)).map(|(doc, (_, grade))| (doc, grade));
        Some(Left {
            topic,
            relevant: grades().filter(|(doc, grade)| *grade > 0.0 && out.contains(doc)).count(),
            grades: Grades::new(
                grades().filter(|(doc, _)| !out.contains(doc)).map(|(_, grade)| grade),
            ),
            out,
        })
    }
}

/// All systems as one measure sees them.
struct JudgedSystems<'a> {
    qrels: &'a Qrels,
    metric: &'a Metric,
    systems: &'a [System<'a>],
    rankings: &'a PooledRankings,
    topics: Vec<u32>,
    /// System by system, the scores of the topics.
    scores: Vec<Vec<f64>>,
}

impl JudgedSystems<'_> {
    fn without(&self, left: &[Left], team: &Team) -> Result<MeasureBias> {
        let mut scores = self.scores.clone();
        for left in left {
            let Some(at) = self.topics.iter().position(|topic| *topic == left.topic) else {
                continue;
            };
            for (run, scores) in scores.iter_mut().enumerate() {
                scores[at] = self.score(left, run);
            }
        }
        let mean = |scores: &Vec<f64>| scores.iter().sum::<f64>() / scores.len() as f64;
        let (full, without): (Vec<f64>, Vec<f64>) =
            (self.scores.iter().map(mean).collect(), scores.iter().map(mean).collect());
        let run = |run: usize| RunBias {
            run: self.systems[run].name.to_string(),
            score: full[run],
            without: without[run],
            rank: place(&full, run),
            rank_without: place(&without, run),
        };
        Ok(MeasureBias {
            measure: self.metric.to_string(),
            topics: self.topics.len(),
            runs: team.runs.iter().map(|r| run(*r)).collect(),
            tau: kendall_tau_b(&full, &without)?,
        })
    }

    fn score(&self, left: &Left, run: usize) -> f64 {
        let ranking = &self.rankings.runs[run][left.topic as usize];
        let hits: Vec<Hit> =
            ranking.hits.iter().filter(|hit| !left.out.contains(&hit.doc)).copied().collect();
        let max_grade = self.qrels.max_grade();
        let judged = Judged {
            hits: Hits::new(&hits),
            retrieved: ranking.retrieved,
            grades: (&left.grades).into(),
            max_grade: &max_grade,
            facets: self.qrels.facets(left.topic),
            scores: &ranking.scores,
        };
        self.metric.score(&judged).value().unwrap_or(0.0)
    }
}

/// One more than the number of better systems.
fn place(means: &[f64], of: usize) -> usize {
    /// Sums in another order differ by as little.
    const RESOLUTION: f64 = 1e-12;
    1 + means.iter().filter(|mean| **mean > means[of] + RESOLUTION).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{QrelsOptions, RunOptions, Source, read_qrels, read_run};
    use crate::warning::Warnings;
    use proptest::prelude::*;

    fn judgements(text: &str) -> Qrels {
        read_qrels(
            &Source::from_bytes("q", text),
            QrelsOptions::default(),
            &mut Warnings::default(),
        )
        .unwrap()
    }

    fn means(qrels: &Qrels, metrics: &[Metric], runs: &[String], topics: usize) -> Vec<Vec<f64>> {
        let of = |run: &String| {
            let scores = Evaluation::new(qrels, metrics)
                .run(&Source::from_bytes("r", run.as_str()), &mut Warnings::default())
                .unwrap();
            (0..metrics.len())
                .map(|c| scores.column(c).flatten().sum::<f64>() / topics as f64)
                .collect()
        };
        runs.iter().map(of).collect()
    }

    fn bias(
        qrels: &Qrels,
        metrics: &[Metric],
        runs: &[String],
        teams: &[Team],
        depth: Option<u32>,
    ) -> PoolBias {
        let read = |run: &String| {
            let source = Source::from_bytes("r", run.as_str());
            read_run(&source, RunOptions::default(), &mut Warnings::default()).unwrap()
        };
        let runs: Vec<Run> = runs.iter().map(read).collect();
        let evaluation = Evaluation::new(qrels, metrics);
        let scores: Vec<_> = runs
            .iter()
            .map(|run| evaluation.score(run, &mut Warnings::default()).unwrap())
            .collect();
        let names: Vec<String> = (0..runs.len()).map(|i| format!("r{i}")).collect();
        let systems: Vec<System<'_>> =
            names.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
        let rankings = PooledRankings::new(qrels, metrics, Policy::default(), &runs).unwrap();
        pool_bias(qrels, metrics, &systems, &rankings, teams, depth).unwrap()
    }

    fn alone(runs: usize) -> Vec<Team> {
        (0..runs).map(|run| Team { name: format!("r{run}"), runs: vec![run] }).collect()
    }

    /// r0 alone has b, which is relevant, and n, which is not. Without b, one document is relevant,
    /// and r1 has it first.
    #[test]
    fn by_hand() {
        let qrels = judgements("1 0 a 1\n1 0 b 1\n1 0 n 0\n1 0 z 1\n");
        let runs = [
            "1 Q0 b 1 9 x\n1 Q0 a 2 8 x\n1 Q0 n 3 7 x\n".to_string(),
            "1 Q0 a 1 9 x\n1 Q0 u 2 8 x\n".to_string(),
        ];
        let metrics = ["AP".parse().unwrap(), "P@1".parse().unwrap()];
        let found = bias(&qrels, &metrics, &runs, &alone(2), None);
        let first = &found.teams[0];
        assert_eq!((first.unique, first.relevant, first.emptied), (2, 1, 0));
        let [ap, p] = [&first.measures[0], &first.measures[1]];
        // With: (1 + 1)/3; without b: the rank of a is still 2, of 2 relevant documents.
        assert!(
            (ap.runs[0].score - 2.0 / 3.0).abs() < 1e-15
                && (ap.runs[0].without - 0.25).abs() < 1e-15,
            "{ap:?}"
        );
        assert_eq!((ap.runs[0].rank, ap.runs[0].rank_without, ap.tau), (1, 2, Some(-1.0)));
        assert_eq!((p.runs[0].score, p.runs[0].without, p.tau), (1.0, 0.0, None));
        assert_eq!(
            (found.teams[1].unique, found.teams[1].measures[0].runs[0].without),
            (0, found.teams[1].measures[0].runs[0].score)
        );
        // Both runs as one team: nothing is anybody else's, and two topics' worth of documents go.
        let together =
            bias(&qrels, &metrics, &runs, &[Team { name: "t".into(), runs: vec![0, 1] }], None);
        assert_eq!((together.teams[0].unique, together.teams[0].relevant), (3, 2));
        // At depth 1 only r1 brought in a.
        let shallow = bias(&qrels, &metrics, &runs, &alone(2), Some(1));
        assert_eq!(
            shallow.teams.iter().map(|t| (t.unique, t.relevant)).collect::<Vec<_>>(),
            [(1, 1), (1, 1)]
        );
    }

    #[test]
    fn a_topic_may_lose_its_last_relevant_document() {
        let qrels = judgements("1 0 a 1\n2 0 c 1\n");
        let runs = ["1 Q0 a 1 9 x\n2 Q0 c 1 9 x\n".to_string(), "2 Q0 c 1 9 x\n".to_string()];
        let found = bias(&qrels, &["AP".parse().unwrap()], &runs, &alone(2), None);
        assert_eq!((found.teams[0].emptied, found.teams[0].measures[0].runs[0].without), (1, 0.5));
    }

    proptest! {
        /// By writing the judgements without the documents and scoring every run from scratch.
        #[test]
        fn as_scored_from_scratch(
            grades in prop::collection::vec(-1i8..3, 24),
            ranked in prop::collection::vec(prop::collection::vec(0usize..12, 1..9), 6),
            depth in prop::option::of(1u32..5),
        ) {
            // Two topics of twelve documents, three runs, the last two of one team.
            let line = |i: usize, grade: i8| format!("{} 0 d{} {grade}\n", i / 12, i % 12);
            let all: String = grades.iter().enumerate().map(|(i, g)| line(i, *g)).chain(["0 0 e 1\n".into(), "1 0 e 1\n".into()]).collect();
            let unique = |docs: &[usize]| {
                let mut seen = Vec::new();
                docs.iter().for_each(|d| if !seen.contains(d) { seen.push(*d) });
                seen
            };
            let docs = |run: usize, topic: usize| unique(&ranked[run * 2 + topic]);
            let run = |r: usize| -> String {
                (0..2).flat_map(|t| docs(r, t).into_iter().enumerate().map(move |(i, d)| format!("{t} Q0 d{d} {i} {} x\n", 100 - i))).collect()
            };
            let runs: Vec<String> = (0..3).map(run).collect();
            let teams = [Team { name: "a".into(), runs: vec![0] }, Team { name: "b".into(), runs: vec![1, 2] }];
            let metrics: Vec<Metric> = ["AP", "nDCG@3", "bpref", "RBP(p=0.5)", "P(judged_only=true)@2"].map(|m| m.parse().unwrap()).to_vec();
            let qrels = judgements(&all);
            let found = bias(&qrels, &metrics, &runs, &teams, depth);
            for (team, found) in teams.iter().zip(&found.teams) {
                let top = |r: usize, t: usize| docs(r, t).into_iter().take(depth.map_or(99, |d| d as usize)).collect::<Vec<_>>();
                let only = |i: usize| {
                    let has = |r: &usize| top(*r, i / 12).contains(&(i % 12));
                    grades[i] >= 0 && team.runs.iter().any(has) && !(0..3).filter(|r| !team.runs.contains(r)).any(|r| has(&r))
                };
                let kept: String = grades.iter().enumerate().filter(|(i, _)| !only(*i)).map(|(i, g)| line(i, *g)).collect();
                let mut reduced = judgements(&(kept + "0 0 e 1\n1 0 e 1\n"));
                reduced.set_max_grade(qrels.max_grade());
                prop_assert_eq!(found.unique, (0..24).filter(|i| only(*i)).count());
                let scratch = means(&reduced, &metrics, &runs, 2);
                for (column, measure) in found.measures.iter().enumerate() {
                    prop_assert_eq!(measure.topics, 2);
                    for (bias, run) in measure.runs.iter().zip(&team.runs) {
                        prop_assert!((bias.without - scratch[*run][column]).abs() < 1e-12, "{} {:?} {:?}", measure.measure, bias, scratch);
                    }
                }
            }
        }
    }
}
