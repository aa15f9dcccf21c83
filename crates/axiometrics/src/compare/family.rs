//! From scores to comparisons: pairs, tests, one correction over the family.

use rayon::prelude::*;

use super::model::{Comparison, Family, MeasureComparison, Pair, SystemMean};
use super::settings::{Procedure, Settings};
use crate::check::{self, Group, Lab, Options, Verdict};
use crate::data::Qrels;
use crate::error::{Error, Result};
use crate::measure::{Aggregate, Metric};
use crate::score::{CommonTopics, System};
use crate::stats::{self, Interval, ScoreMatrix, TestResult};
use crate::warning::{Kind, Warnings};

/// So few topics that no test on signs or ranks can reach 0.05.
const FEW: usize = 5;

/// Compares systems by each of the measures that their scores' columns hold.
pub fn compare(
    qrels: &Qrels,
    metrics: &[Metric],
    systems: &[System<'_>],
    settings: &Settings,
    warnings: &mut Warnings,
) -> Result<Comparison> {
    if systems.len() < 2 {
        return Err(
            Error::usage("one run has no other to be compared with").help("name at least two runs")
        );
    }
    let settings = &Settings { correction: Some(settings.correction()?), ..settings.clone() };
    let mut measures = Vec::with_capacity(metrics.len());
    for (column, metric) in metrics.iter().enumerate() {
        let common = CommonTopics::new(qrels, &[(column, metric)], systems)
            .map_err(|e| Error::usage(format!("{metric}: {e}")))?;
        warn(qrels, metric, &common, warnings);
        let spacing = check::spacing::spacing(metric, qrels.max_grade());
        measures.push(MeasureComparison {
            spacing,
            ..one_measure(metric, column, &common, systems, settings)?
        });
    }
    correct(&mut measures, settings)?;
    Ok(Comparison {
        systems: systems.iter().map(|s| s.name.to_string()).collect(),
        baseline: settings.baseline.and_then(|b| systems.get(b)).map(|s| s.name.to_string()),
        measures,
        settings: settings.clone(),
        warnings: warnings.list(),
    })
}

fn warn(qrels: &Qrels, metric: &Metric, common: &CommonTopics<'_>, warnings: &mut Warnings) {
    let name = metric.to_string();
    if let Some(topic) = common.example {
        let left_out = &common.left_out;
        let example = format!("topic {}; {left_out}", qrels.topic_name(topic));
        warnings.add_example(Kind::TopicLeftOut, left_out.total() as u64, &name, &example);
    }
    if common.topics.len() <= FEW {
        warnings.count(Kind::FewTopics, common.topics.len() as u64, &name);
    }
    if metric.aggregate() == Aggregate::GeometricMean {
        warnings.count(Kind::ArithmeticMean, 1, &name);
    }
    if is_unbounded(metric) {
        warnings.count(Kind::UnboundedMean, 1, &name);
    }
}

/// Asks the laboratory, which looks at a measure at every depth: DCG@10 counts as DCG.
fn is_unbounded(metric: &Metric) -> bool {
    /// Small tables decide no otherwise: what grows beyond all bounds is shown by a family of deep
    /// rankings.
    const MAX_DOCS: u32 = 4;
    let options = Options {
        max_docs: MAX_DOCS,
        groups: vec![Group::Property],
        seed: 1,
        ..Options::default()
    };
    let Ok(lab) = Lab::new(metric, &options) else { return false };
    let bounded = check::checks(&options.groups).find(|check| check.name() == "bounded");
    bounded.is_some_and(|check| matches!(check.decide(&lab), Verdict::Violated { .. }))
}

fn one_measure(
    metric: &Metric,
    column: usize,
    common: &CommonTopics<'_>,
    systems: &[System<'_>],
    settings: &Settings,
) -> Result<MeasureComparison> {
    let scores = common.matrix(column)?;
    let confidence = 1.0 - settings.alpha;
    let mean_of = |(system, (mean, row)): (&System<'_>, (f64, &Vec<f64>))| {
        let interval =
            stats::mean_interval(settings.mean_interval, row, confidence, settings.resampling)?
                .within(metric.def().range.bounds());
        Ok(SystemMean { name: system.name.to_string(), mean, interval })
    };
    let means = systems
        .iter()
        .zip(scores.means().into_iter().zip(scores.rows()))
        .map(mean_of)
        .collect::<Result<_>>()?;
    let tested = test(&scores, settings)?;
    let pairs: Vec<Pair> =
        tested.into_par_iter().map(|t| pair(t, &scores, systems)).collect::<Result<_>>()?;
    Ok(MeasureComparison {
        measure: metric.to_string(),
        definition: metric.def().definition.to_string(),
        spacing: None,
        topics: scores.topics(),
        left_out: common.left_out,
        family: Family { tests: 0, pairs: pairs.len(), measures: 1 },
        systems: means,
        pairs,
    })
}

/// Two systems with what the test says of them.
struct Tested {
    a: usize,
    b: usize,
    result: TestResult,
    interval: Interval,
}

fn test(scores: &ScoreMatrix, settings: &Settings) -> Result<Vec<Tested>> {
    let wanted = pairs(scores.systems(), settings.baseline)?;
    let (means, confidence) = (scores.means(), 1.0 - settings.alpha);
    let difference = |a: usize, b: usize| means[a] - means[b];
    // Family-wise tests look at all systems, whichever pairs are asked for.
    let among = |results: Vec<stats::PairResult>,
                 interval: &(dyn Fn(f64) -> Result<Interval> + Sync)| {
        let find = |(a, b): (usize, usize)| {
            let result = results
                .iter()
                .find(|r| (r.a, r.b) == (a.min(b), a.max(b)))
                .map(|r| r.result.clone());
            let result = result.ok_or_else(|| Error::usage("a pair of systems was not tested"))?;
            Ok(Tested { a, b, result, interval: interval(difference(a, b))? })
        };
        wanted.iter().copied().map(find).collect::<Result<Vec<_>>>()
    };
    match settings.test {
        Procedure::Paired(test) => {
            let (rows, options) = (scores.rows(), settings.options());
            let results: Vec<TestResult> = match settings.baseline {
                None => stats::all_pairs(test, scores, &options)?
                    .into_iter()
                    .map(|r| r.result)
                    .collect(),
                Some(_) => wanted
                    .par_iter()
                    .map(|(a, b)| stats::paired_test(test, &rows[*a], &rows[*b], &options))
                    .collect::<Result<_>>()?,
            };
            let intervals = stats::pair_intervals(test, scores, &wanted, confidence, &options)?;
            let tested = wanted.iter().zip(results).zip(intervals);
            Ok(tested
                .map(|((&(a, b), result), interval)| Tested { a, b, result, interval })
                .collect())
        }
        Procedure::Tukey => {
            let anova = stats::two_way_anova(scores)?;
            among(stats::tukey_hsd(scores)?, &|difference| {
                anova.tukey_interval(difference, confidence)
            })
        }
        Procedure::RandomisedTukey => {
            let margin =
                stats::randomised_tukey_margin(scores, settings.resampling, settings.alpha)?;
            let method =
                "randomised Tukey HSD, family-wise, ranges distributed as under no difference";
            let interval = |difference: f64| {
                Ok(Interval {
                    lower: difference - margin,
                    upper: difference + margin,
                    confidence,
                    method: method.to_string(),
                })
            };
            among(stats::randomised_tukey(scores, settings.resampling)?, &interval)
        }
    }
}

/// The pairs that are asked for: all, the earlier first, or each other system with the baseline.
fn pairs(systems: usize, baseline: Option<usize>) -> Result<Vec<(usize, usize)>> {
    match baseline {
        None => Ok((0..systems).flat_map(|a| (a + 1..systems).map(move |b| (a, b))).collect()),
        Some(b) if b < systems => Ok((0..systems).filter(|a| *a != b).map(|a| (a, b)).collect()),
        Some(b) => Err(Error::usage(format!("the baseline is system {b} of {systems}"))),
    }
}

fn pair(tested: Tested, scores: &ScoreMatrix, systems: &[System<'_>]) -> Result<Pair> {
    let Tested { a, b, result, interval } = tested;
    let (first, second) = (&scores.rows()[a], &scores.rows()[b]);
    let counts = stats::wins_ties_losses(first, second)?;
    let means = scores.means();
    Ok(Pair {
        a: systems[a].name.to_string(),
        b: systems[b].name.to_string(),
        difference: means[a] - means[b],
        interval,
        effect_size: stats::effect_size(first, second)?,
        statistic: result.statistic,
        p: result.p,
        p_corrected: None,
        significant: false,
        wins: counts.wins,
        ties: counts.ties,
        losses: counts.losses,
        method: result.method,
        note: result.note.map(|note| note.to_string()),
        joint: None,
    })
}

/// Corrects over all pairs of all measures together, or leaves a family-wise test as it is.
fn correct(measures: &mut [MeasureComparison], settings: &Settings) -> Result<()> {
    let correction = settings.correction()?;
    let count = measures.len();
    let p: Vec<f64> = measures.iter().flat_map(|m| &m.pairs).filter_map(|pair| pair.p).collect();
    let mut adjusted = correction.adjust(&p)?.into_iter();
    for measure in measures {
        for pair in measure.pairs.iter_mut().filter(|pair| pair.p.is_some()) {
            pair.p_corrected = adjusted.next();
            pair.significant = pair.p_corrected.is_some_and(|p| p <= settings.alpha);
        }
        measure.family = match settings.test.is_family_wise() {
            true => {
                let all = measure.systems.len() * (measure.systems.len() - 1) / 2;
                Family { tests: all, pairs: all, measures: 1 }
            }
            false => Family { tests: p.len(), pairs: measure.pairs.len(), measures: count },
        };
    }
    Ok(())
}
