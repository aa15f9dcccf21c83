//! From scores to comparisons: pairs, tests, one correction over the family.

use rayon::prelude::*;

use super::grouping::group;
use super::means::{MeasureMeans, means};
use super::model::{Comparison, Family, MeasureComparison, Pair};
use super::settings::{ComparisonSettings, FamilyScope, Procedure};
use crate::check::lattice::Property;
use crate::check::{self, CheckGroup, CheckOptions, Lab};
use crate::data::Qrels;
use crate::error::{Error, Result};
use crate::measure::{Aggregate, Metric};
use crate::score::{LeftOutMeasure, Measured, System};
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
    let mut measures = Vec::with_capacity(metrics.len());
    let mut failures: Vec<(String, Error)> = Vec::new();
    for (column, metric) in metrics.iter().enumerate() {
        match one_measure(qrels, metric, column, systems, settings, warnings) {
            Ok(measure) => measures.push(measure),
            Err(error) => failures.push((metric.name(), error)),
        }
    }
    if measures.is_empty()
        && let Some((metric, error)) = failures.first()
    {
        return Err(Error::usage(format!("{metric}: {error}")));
    }
    correct(&mut measures, settings)?;
    for measure in &mut measures {
        group(measure, settings)?;
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

fn warn(qrels: &Qrels, metric: &impl Measured, means: &MeasureMeans, warnings: &mut Warnings) {
    let name = metric.name();
    if let Some(topic) = means.example {
        let left_out = &means.left_out;
        let example = format!("topic {}; {left_out}", qrels.topic_name(topic));
        warnings.add_example(WarningKind::TopicLeftOut, left_out.total() as u64, &name, &example);
    }
    if means.topics <= FEW {
        warnings.count(WarningKind::FewTopics, means.topics as u64, &name);
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
) -> Result<MeasureComparison> {
    let means = means(qrels, metric, column, systems, settings)?;
    let tested = test(&means.scores, settings)?;
    let lower_is_better = metric.lower_is_better();
    let pairs: Vec<Pair> = tested
        .into_par_iter()
        .map(|tested| pair(tested, &means, lower_is_better))
        .collect::<Result<_>>()?;
    warn(qrels, metric, &means, warnings);
    Ok(MeasureComparison {
        column,
        measure: means.measure,
        asked: metric.metric().map(Metric::title).filter(|title| *title != metric.name()),
        definition: metric.definition(),
        lower_is_better,
        spacing: metric.metric().and_then(|m| check::spacing::spacing(m, qrels.max_grade())),
        topics: means.topics,
        left_out: means.left_out,
        left_out_topics: means.left_out_topics,
        eval_differs: means.eval_differs,
        family: Family { tests: 0, pairs: pairs.len(), measures: 1 },
        grouping: None,
        systems: means.systems,
        no_joint: None,
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

fn pair(tested: Tested, means: &MeasureMeans, lower_is_better: bool) -> Result<Pair> {
    let Tested { a, b, result, interval } = tested;
    let (first, second) = (&means.scores.rows()[a], &means.scores.rows()[b]);
    let [system, other] = [a, b].map(|at| &means.systems[at]);
    let counts = match lower_is_better {
        true => stats::wins_ties_losses(second, first)?,
        false => stats::wins_ties_losses(first, second)?,
    };
    Ok(Pair {
        a: system.name.clone(),
        b: other.name.clone(),
        difference: system.mean - other.mean,
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
