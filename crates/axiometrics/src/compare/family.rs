//! From scores to comparisons: pairs, tests, one correction over the family.

use rayon::prelude::*;

use super::grouping::group;
use super::model::{Comparison, Family, Grouping, MeasureComparison, Pair, SystemMean};
use super::ranks::RankSet;
use super::settings::{ComparisonSettings, FamilyScope, Procedure, Values};
use super::values::values;
use crate::check::lattice::Property;
use crate::check::{self, CheckGroup, CheckOptions, Lab};
use crate::data::Qrels;
use crate::error::{Error, Result};
use crate::measure::{Aggregate, Metric};
use crate::policy::Undefined;
use crate::score::{CommonTopics, LeftOutMeasure, Measured, System};
use crate::stats::{self, Interval, ScoreMatrix, TestResult};
use crate::warning::{WarningKind, Warnings};

/// So few topics that no test on signs or ranks can reach 0.05.
const FEW: usize = 5;

/// Compares systems by each of the measures that their scores' columns hold. A measure by which
/// they cannot be compared is told with the reason, unless it is the only one.
pub fn compare<M: Measured>(
    qrels: &Qrels,
    metrics: &[M],
    systems: &[System<'_>],
    settings: &ComparisonSettings,
    warnings: &mut Warnings,
) -> Result<Comparison> {
    if systems.len() < 2 {
        return Err(
            Error::usage("one run has no other to be compared with").help("name at least two runs")
        );
    }
    let settings =
        &ComparisonSettings { correction: Some(settings.correction()?), ..settings.clone() };
    let (mut measures, mut matrices) = (Vec::with_capacity(metrics.len()), Vec::new());
    let mut failures: Vec<(String, Error)> = Vec::new();
    for (column, metric) in metrics.iter().enumerate() {
        match one_measure(qrels, metric, column, systems, settings, warnings) {
            Ok((measure, matrix)) => {
                measures.push(measure);
                matrices.push(matrix);
            }
            Err(error) => failures.push((metric.name(), error)),
        }
    }
    if measures.is_empty()
        && let Some((metric, error)) = failures.first()
    {
        return Err(Error::usage(format!("{metric}: {error}")));
    }
    correct(&mut measures, settings)?;
    for (measure, scores) in measures.iter_mut().zip(&matrices) {
        group(measure, scores, settings)?;
    }
    let not_compared: Vec<LeftOutMeasure> = failures
        .iter()
        .map(|(metric, error)| LeftOutMeasure {
            measure: metric.clone(),
            reason: error.message().to_string(),
        })
        .collect();
    not_compared.iter().for_each(|measure| measure.warn(warnings));
    Ok(Comparison {
        systems: systems.iter().map(|s| s.name.to_string()).collect(),
        baseline: settings.baseline.and_then(|b| systems.get(b)).map(|s| s.name.to_string()),
        measures,
        not_compared,
        settings: settings.clone(),
        warnings: warnings.list(),
    })
}

fn warn(qrels: &Qrels, metric: &impl Measured, common: &CommonTopics<'_>, warnings: &mut Warnings) {
    let name = metric.name();
    if let Some(topic) = common.example {
        let left_out = &common.left_out;
        let example = format!("topic {}; {left_out}", qrels.topic_name(topic));
        warnings.add_example(WarningKind::TopicLeftOut, left_out.total() as u64, &name, &example);
    }
    if common.topics.len() <= FEW {
        warnings.count(WarningKind::FewTopics, common.topics.len() as u64, &name);
    }
    if !matches!(metric.aggregate(), Aggregate::Mean | Aggregate::Sum | Aggregate::Own(_)) {
        warnings.count(WarningKind::ArithmeticMean, 1, &name);
    }
    if metric.metric().is_some_and(is_unbounded) {
        warnings.count(WarningKind::UnboundedMean, 1, &name);
    }
}

/// True if no number bounds the scores of a measure, so that topics have scales of their own. Asks
/// the laboratory, which looks at a measure at every depth: DCG@10 counts as DCG.
pub fn is_unbounded(metric: &Metric) -> bool {
    /// Small tables decide no otherwise: what grows beyond all bounds is shown by a family of deep
    /// rankings.
    const MAX_DOCS: u32 = 4;
    let options = CheckOptions {
        max_docs: MAX_DOCS,
        groups: vec![CheckGroup::Property],
        seed: 1,
        ..CheckOptions::default()
    };
    let Ok(lab) = Lab::new(metric, &options) else { return false };
    check::check_of(Property::Bounded).decide(&lab).is_violated()
}

fn one_measure(
    qrels: &Qrels,
    metric: &impl Measured,
    column: usize,
    systems: &[System<'_>],
    settings: &ComparisonSettings,
    warnings: &mut Warnings,
) -> Result<(MeasureComparison, ScoreMatrix)> {
    let common = CommonTopics::of_measure(qrels, column, metric, systems)?;
    let scores = values(common.matrix(column)?, settings.values)?;
    let on_scores = settings.values == Values::Scores;
    let confidence = 1.0 - settings.alpha;
    let means = scores.means();
    let mean_of = |(at, system): (usize, &System<'_>)| {
        let row = &scores.rows()[at];
        let interval =
            stats::mean_interval(settings.mean_interval, row, confidence, settings.resampling)?;
        Ok(SystemMean {
            name: system.name.to_string(),
            mean: means[at],
            interval: interval.within(metric.bounds().filter(|_| on_scores)),
            ranks: RankSet { best: 1, worst: systems.len() },
            letters: String::new(),
            eval_mean: system
                .scores
                .summary_value(column, settings.undefined)
                .filter(|_| on_scores),
        })
    };
    let of_systems: Vec<SystemMean> =
        systems.iter().enumerate().map(mean_of).collect::<Result<_>>()?;
    let tested = test(&scores, settings)?;
    let lower_is_better = metric.lower_is_better();
    let pairs: Vec<Pair> = tested
        .into_par_iter()
        .map(|t| pair(t, &scores, &means, systems, lower_is_better))
        .collect::<Result<_>>()?;
    warn(qrels, metric, &common, warnings);
    let measure = MeasureComparison {
        column,
        measure: metric.name(),
        asked: metric.metric().map(Metric::title).filter(|title| *title != metric.name()),
        definition: metric.definition(),
        lower_is_better,
        spacing: metric.metric().and_then(|m| check::spacing::spacing(m, qrels.max_grade())),
        topics: scores.topics(),
        left_out: common.left_out,
        left_out_topics: left_out_topics(qrels, &common, systems),
        eval_differs: eval_differs(metric, &common, &of_systems, settings.undefined),
        family: Family { tests: 0, pairs: pairs.len(), measures: 1 },
        grouping: Grouping { test: settings.test, correction: settings.correction()?, tests: 0 },
        systems: of_systems,
        no_joint: None,
        pairs,
    };
    Ok((measure, scores))
}

/// The topics that some system has, but not all can be compared on.
fn left_out_topics(
    qrels: &Qrels,
    common: &CommonTopics<'_>,
    systems: &[System<'_>],
) -> Vec<String> {
    if common.left_out.total() == 0 {
        return Vec::new();
    }
    let mut left_out = vec![false; qrels.len()];
    let topics = systems.iter().flat_map(|system| system.scores.topics().iter());
    for topic in topics.filter_map(|name| qrels.find(name)) {
        left_out[topic as usize] = true;
    }
    for topic in &common.topics {
        left_out[*topic as usize] = false;
    }
    let kept = qrels.topics().iter().filter(|topic| left_out[**topic as usize]);
    kept.map(|topic| qrels.topic_name(*topic)).collect()
}

/// Why an evaluation of the same runs gives other means, if it does.
fn eval_differs(
    metric: &impl Measured,
    common: &CommonTopics<'_>,
    systems: &[SystemMean],
    undefined: Undefined,
) -> Option<String> {
    let same = |system: &SystemMean| {
        system
            .eval_mean
            .is_none_or(|mean| (mean - system.mean).abs() <= 1e-12 * mean.abs().max(1.0))
    };
    if systems.iter().all(same) {
        return None;
    }
    let summary = match metric.aggregate() {
        Aggregate::Mean => None,
        Aggregate::GeometricMean => Some("the geometric mean"),
        Aggregate::Sum => Some("the sum"),
        Aggregate::Median => Some("the median"),
        Aggregate::HarmonicMean => Some("the harmonic mean"),
        Aggregate::Minimum => Some("the minimum"),
        Aggregate::Maximum => Some("the maximum"),
        Aggregate::Own(_) => Some("the summary that its file defines"),
    };
    if let Some(summary) = summary {
        return Some(format!("an evaluation gives {summary} over topics"));
    }
    let undefined = match undefined {
        Undefined::Zero => "counts an undefined score as 0",
        Undefined::One => "counts an undefined score as 1",
        Undefined::Skip | Undefined::Error => "leaves undefined scores out",
    };
    let left_out = &common.left_out;
    Some(format!(
        "an evaluation takes all topics of a run and {undefined}; left out here: {left_out}"
    ))
}

/// Two systems with what the test says of them.
struct Tested {
    a: usize,
    b: usize,
    result: TestResult,
    interval: Interval,
}

fn test(scores: &ScoreMatrix, settings: &ComparisonSettings) -> Result<Vec<Tested>> {
    let wanted = pairs(scores.systems(), settings.baseline)?;
    let (means, confidence) = (scores.means(), 1.0 - settings.alpha);
    // Family-wise tests look at all systems, whichever pairs are asked for.
    let among = |results: Vec<stats::PairResult>, margin: f64, method: &str| {
        let find = |&(a, b): &(usize, usize)| {
            let at = place(a.min(b), a.max(b), scores.systems());
            let centre = means[a] - means[b];
            let interval = Interval {
                lower: centre - margin,
                upper: centre + margin,
                confidence,
                method: method.to_string(),
            };
            Tested { a, b, result: results[at].result.clone(), interval }
        };
        wanted.iter().map(find).collect::<Vec<_>>()
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
            let margin = anova.tukey_margin(confidence)?;
            Ok(among(stats::tukey_hsd(scores)?, margin, &anova.tukey_method()))
        }
        Procedure::RandomisedTukey => {
            let margin =
                stats::randomised_tukey_margin(scores, settings.resampling, settings.alpha)?;
            let method =
                "randomised Tukey HSD, family-wise, ranges distributed as under no difference";
            Ok(among(stats::randomised_tukey(scores, settings.resampling)?, margin, method))
        }
    }
}

/// Where a pair stands among all pairs, the earlier system first.
fn place(a: usize, b: usize, systems: usize) -> usize {
    a * (2 * systems - a - 1) / 2 + b - a - 1
}

/// The pairs that are asked for: all, the earlier first, or each other system with the baseline.
fn pairs(systems: usize, baseline: Option<usize>) -> Result<Vec<(usize, usize)>> {
    match baseline {
        None => Ok((0..systems).flat_map(|a| (a + 1..systems).map(move |b| (a, b))).collect()),
        Some(b) if b < systems => Ok((0..systems).filter(|a| *a != b).map(|a| (a, b)).collect()),
        Some(b) => Err(Error::usage(format!("the baseline is system {b} of {systems}"))),
    }
}

fn pair(
    tested: Tested,
    scores: &ScoreMatrix,
    means: &[f64],
    systems: &[System<'_>],
    lower_is_better: bool,
) -> Result<Pair> {
    let Tested { a, b, result, interval } = tested;
    let (first, second) = (&scores.rows()[a], &scores.rows()[b]);
    let counts = match lower_is_better {
        true => stats::wins_ties_losses(second, first)?,
        false => stats::wins_ties_losses(first, second)?,
    };
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
        lower_is_better,
        wins: counts.wins,
        ties: counts.ties,
        losses: counts.losses,
        method: result.method,
        note: result.note.map(|note| note.to_string()),
        joint: None,
    })
}

/// Corrects within each family. A test that holds for all pairs of a measure is left as it is.
fn correct(measures: &mut [MeasureComparison], settings: &ComparisonSettings) -> Result<()> {
    let correction = settings.correction()?;
    let families: Vec<&mut [MeasureComparison]> = match settings.family {
        FamilyScope::Measure => measures.chunks_mut(1).collect(),
        FamilyScope::All => vec![measures],
    };
    for family in families {
        let count = family.len();
        let p: Vec<f64> = family.iter().flat_map(|m| &m.pairs).filter_map(|pair| pair.p).collect();
        let mut adjusted = correction.adjust(&p)?.into_iter();
        for measure in family {
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
    }
    Ok(())
}
