//! Beyond relevance: what the top of a run's rankings shows of a catalogue.
//!
//! These measures look at the documents themselves and some at all topics together, which the
//! measures of the registry never do. They have definitions as those have, and their scores stand in
//! the same tables: [`extend`] adds their columns.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::align::Policy;
use crate::data::{Catalogue, Run, id_text};
use crate::error::{Error, Place, Result};
use crate::measure::{
    Aggregate, Args, Cutoff, Def, Elsewhere, Measure, Metric, Own, Param, Score, Span, Summary,
};
use crate::policy::Undefined;
use crate::remedy::{Remedy, Setting};
use crate::score::{MetricColumn, Scores};
use crate::warning::{WarningKind, Warnings};

/// A measure beyond relevance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Beyond {
    /// The share of the catalogue that is shown to somebody.
    Coverage,
    /// How unequally the items of the catalogue are shown.
    Gini,
    /// How unexpected the items are.
    Novelty,
    /// How unlike the items of a ranking are.
    IntraListDiversity,
}

/// All of them, in the order of the list of measures.
pub const BEYOND: [Beyond; 4] =
    [Beyond::Coverage, Beyond::Gini, Beyond::Novelty, Beyond::IntraListDiversity];

impl Beyond {
    /// How people write it, our name first.
    pub(crate) fn names(self) -> [&'static str; 4] {
        match self {
            Beyond::Coverage => {
                ["Coverage", "CatalogueCoverage", "CatalogCoverage", "catalog_coverage"]
            }
            Beyond::Gini => ["Gini", "GiniIndex", "gini_index", "GiniCoefficient"],
            Beyond::Novelty => ["Novelty", "MSI", "self_information", "SelfInformation"],
            Beyond::IntraListDiversity => {
                ["ILD", "IntraListDiversity", "intra_list_diversity", "IntraListDistance"]
            }
        }
    }

    /// The measure of this name.
    pub fn named(name: &str) -> Option<Beyond> {
        let known =
            |beyond: &Beyond| beyond.names().iter().any(|known| known.eq_ignore_ascii_case(name));
        BEYOND.into_iter().find(known)
    }

    /// The measure in a token such as `Coverage@10`, if it is one of these.
    pub fn parse(token: &str) -> Option<Result<Metric>> {
        let (name, cutoff) = token.split_once('@').map_or((token, None), |(n, k)| (n, Some(k)));
        let beyond = Beyond::named(name)?;
        let cutoff = cutoff.map(|k| k.parse::<u32>().ok().filter(|k| *k > 0));
        Some(match cutoff {
            Some(Some(k)) => beyond.at(k),
            Some(None) => Err(Error::usage(format!(
                "measure \"{token}\": expected a whole number of at least 1 for the cutoff"
            ))),
            None => {
                Err(Error::usage(format!("{name} needs a cutoff")).help(format!("write {name}@10")))
            }
        })
    }

    /// The measure of the top k.
    pub fn at(self, k: u32) -> Result<Metric> {
        let mut args = Args::new(Arc::from([]) as Arc<[Param]>);
        args.set_cutoff(Some(k));
        Metric::own_with(Arc::new(self), args)
    }

    fn needs(self, catalogue: &Catalogue) -> Result<()> {
        let missing = |what: &str, option: &'static str| {
            Err(Error::usage(format!("{} needs {what}", self.def().name))
                .help(Remedy::default().option("give a file with ", Setting::Named(option), "")))
        };
        match self {
            _ if catalogue.is_empty() && self != Beyond::IntraListDiversity => {
                missing("the items of the catalogue", "catalogue")
            }
            Beyond::IntraListDiversity if catalogue.is_empty() => {
                missing("what the items are like", "features")
            }
            _ => Ok(()),
        }
    }
}

impl Own for Beyond {
    fn def(&self) -> Def<'_> {
        let def = |name, title| Def {
            family: "beyond relevance",
            cutoff: Cutoff::Required,
            undefined: "never",
            user_model: "none: it is about the system, not about one user's need",
            ..Def::own(name, title)
        };
        match self {
            Beyond::Coverage => Def {
                definition: "Coverage@k = the share of the catalogue's items that are in the top k of some topic. A topic's own value is what it adds to those before it, in the order of their ids. By hand: tops {a, b} and {a, c} of a catalogue of 4 items cover 3/4; the topics add 2/4 and 1/4.",
                range: Span::UNIT,
                references: &[
                    "Ge, Delgado-Battenfeld and Jannach 2010, Beyond accuracy: evaluating recommender systems by coverage and serendipity",
                ],
                ..def("Coverage", "Catalogue coverage")
            },
            Beyond::Gini => Def {
                definition: "Gini@k = sum over i of (2i - n - 1) x_i / (n * sum of x), where x_1 <= ... <= x_n is how often each of the n items of the catalogue is in a top k. 0: all equally often; near 1: always the same few. It is of all topics together. By hand: items shown 0, 0, 1 and 3 times: (-3*0 - 1*0 + 1*1 + 3*3) / (4*4) = 0.625.",
                range: Span::UNIT,
                undefined: "for a single topic",
                references: &[
                    "Fleder and Hosanagar 2009, Blockbuster culture's next rise or fall: the impact of recommender systems on sales diversity",
                ],
                ..def("Gini", "Gini coefficient of exposure")
            },
            Beyond::Novelty => Def {
                definition: "Novelty@k = the mean, over the top k, of -log2 of the item's share of all interactions: its self-information in bits. Items without interactions are left out. By hand: shares 1/2 and 1/8 give (1 + 3)/2 = 2.",
                range: Span::Words("from 0 up"),
                undefined: "no item of the top k has interactions",
                references: &[
                    "Zhou et al. 2010, Solving the apparent diversity-accuracy dilemma of recommender systems",
                    "Castells, Hurley and Vargas 2015, Novelty and diversity in recommender systems",
                ],
                ..def("Novelty", "Novelty (mean self-information)")
            },
            Beyond::IntraListDiversity => Def {
                definition: "ILD@k = the mean, over all pairs of the top k, of 1 - the cosine of their features. By hand: features (1,0), (0,1) and (1,0) give distances 1, 0 and 1: 2/3.",
                range: Span::Between(0.0, 2.0),
                undefined: "fewer than two items of the top k have features",
                references: &[
                    "Ziegler et al. 2005, Improving recommendation lists through topic diversification",
                ],
                ..def("ILD", "Intra-list diversity")
            },
        }
    }

    fn params(&self) -> Arc<[Param]> {
        Arc::from([])
    }

    fn build(self: Arc<Self>, _: &Args) -> Result<Arc<dyn Measure>> {
        let aggregate = if *self == Beyond::Coverage { Aggregate::Sum } else { Aggregate::Mean };
        Ok(Arc::new(Elsewhere { why: "it is computed from the documents themselves", aggregate }))
    }
}

const NO_INTERACTIONS: &str = "the catalogue does not say how often each item was chosen";
const TOGETHER: &str = "it is of all topics together";

/// A summary that is known already.
#[derive(Debug)]
struct KnownSummary(Option<f64>);

impl Summary for KnownSummary {
    fn of(&self, _: &mut dyn Iterator<Item = Option<f64>>, _: Undefined) -> Option<f64> {
        self.0
    }

    fn undefined(&self) -> Option<Undefined> {
        Some(Undefined::Skip)
    }

    fn name(&self) -> &str {
        "of all topics"
    }
}

/// The scores of a run with columns for these measures behind the others. They are over the topics
/// of the scores. Undefined scores are counted in `warnings`.
pub fn extend(
    scores: &Scores,
    run: &Run,
    metrics: &[Metric],
    catalogue: &Catalogue,
    policy: &Policy,
    warnings: &mut Warnings,
) -> Result<Scores> {
    let wanted: Vec<(Beyond, &Metric)> =
        metrics.iter().filter_map(|metric| Some((*metric.own_as::<Beyond>()?, metric))).collect();
    let tops: Vec<Vec<&[u8]>> = (0..scores.len())
        .map(|row| {
            let topic = scores.topics().get(row).and_then(|name| run.find(name));
            let ranking = topic.map(|t| run.ranking(t, policy.ties, policy.scores));
            let depth = policy.depth.map_or(usize::MAX, |depth| depth as usize);
            ranking.into_iter().flatten().take(depth).map(|(id, _)| id).collect()
        })
        .collect();
    let mut columns = Vec::new();
    let mut values: Vec<Vec<Score>> = Vec::new();
    for (beyond, metric) in wanted {
        beyond.needs(catalogue)?;
        let k = metric.args().cutoff().unwrap_or(u32::MAX) as usize;
        let tops: Vec<&[&[u8]]> = tops.iter().map(|top| &top[..top.len().min(k)]).collect();
        let mut column = MetricColumn::from(metric);
        values.push(match beyond {
            Beyond::Coverage => coverage(run, &tops, catalogue)?,
            Beyond::Gini => {
                let gini = gini(exposure(run, &tops, catalogue)?);
                column.aggregate = Aggregate::Own(Arc::new(KnownSummary(gini)));
                vec![Score::Undefined(TOGETHER); tops.len()]
            }
            Beyond::Novelty if !catalogue.has_interactions() => {
                // No topic can be scored: a mean of zeros would say that nothing is new.
                column.aggregate = Aggregate::Own(Arc::new(KnownSummary(None)));
                vec![Score::Undefined(NO_INTERACTIONS); tops.len()]
            }
            Beyond::Novelty => tops.iter().map(|top| novelty(top, catalogue)).collect(),
            Beyond::IntraListDiversity => {
                tops.iter().map(|top| diversity(top, catalogue)).collect()
            }
        });
        columns.push(column);
    }
    for (column, values) in columns.iter().zip(&values) {
        warn_of_undefined(scores, column, values, warnings);
    }
    scores.with_columns(columns, &values)
}

/// Warns of topics that have no score, unless no topic has one by definition.
fn warn_of_undefined(
    scores: &Scores,
    column: &MetricColumn,
    values: &[Score],
    warnings: &mut Warnings,
) {
    let undefined = |(row, score): (usize, &Score)| match score {
        Score::Undefined(why) if *why != TOGETHER => Some((row, *why)),
        _ => None,
    };
    let all: Vec<(usize, &str)> = values.iter().enumerate().filter_map(undefined).collect();
    if let Some((row, why)) = all.first() {
        let example = format!("{} for topic {}: {why}", column.name, scores.topic(*row));
        let count = all.len() as u64;
        warnings.add_example(WarningKind::UndefinedScore, count, scores.name(), &example);
    }
}

fn number(run: &Run, id: &[u8], catalogue: &Catalogue) -> Result<usize> {
    catalogue.number(id).ok_or_else(|| {
        let message = format!("document \"{}\" is not in the catalogue", id_text(id));
        Error::input(Place::file(run.name()), message).help("add it to the catalogue")
    })
}

/// What each topic adds to the share of the catalogue that the topics before it cover.
fn coverage(run: &Run, tops: &[&[&[u8]]], catalogue: &Catalogue) -> Result<Vec<Score>> {
    let mut seen = HashSet::new();
    let mut added = Vec::with_capacity(tops.len());
    for top in tops {
        let before = seen.len();
        for id in *top {
            seen.insert(number(run, id, catalogue)?);
        }
        added.push(Score::Value((seen.len() - before) as f64 / catalogue.len() as f64));
    }
    Ok(added)
}

/// How often each item of the catalogue is shown.
fn exposure(run: &Run, tops: &[&[&[u8]]], catalogue: &Catalogue) -> Result<Vec<f64>> {
    let mut shown = vec![0.0; catalogue.len()];
    for id in tops.iter().copied().flatten() {
        shown[number(run, id, catalogue)?] += 1.0;
    }
    Ok(shown)
}

fn gini(mut shown: Vec<f64>) -> Option<f64> {
    shown.sort_unstable_by(f64::total_cmp);
    let (n, all) = (shown.len() as f64, shown.iter().sum::<f64>());
    let weighted = (1..).zip(&shown).map(|(i, x)| (2.0 * f64::from(i) - n - 1.0) * x);
    (all > 0.0).then(|| weighted.sum::<f64>() / (n * all))
}

fn novelty(top: &[&[u8]], catalogue: &Catalogue) -> Score {
    let bits: Vec<f64> = top
        .iter()
        .filter_map(|id| catalogue.share(id))
        .filter(|share| *share > 0.0)
        .map(|share| -share.log2())
        .collect();
    match bits.len() {
        0 => Score::Undefined("no item of the top k has interactions"),
        n => Score::Value(bits.iter().sum::<f64>() / n as f64),
    }
}

fn diversity(top: &[&[u8]], catalogue: &Catalogue) -> Score {
    let features: Vec<&[f64]> = top.iter().filter_map(|id| catalogue.features(id)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let distance = |a: &[f64], b: &[f64]| {
        let length = (dot(a, a) * dot(b, b)).sqrt();
        if length > 0.0 { 1.0 - dot(a, b) / length } else { 1.0 }
    };
    let pairs = features
        .iter()
        .enumerate()
        .flat_map(|(i, a)| features[i + 1..].iter().map(move |b| distance(a, b)));
    let distances: Vec<f64> = pairs.collect();
    match distances.len() {
        0 => Score::Undefined("fewer than two items of the top k have features"),
        n => Score::Value(distances.iter().sum::<f64>() / n as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Qrels;
    use crate::score::Evaluation;

    fn catalogue() -> Catalogue {
        let mut catalogue = Catalogue::default();
        for (id, count) in [("a", 4.0), ("b", 2.0), ("c", 1.0), ("d", 1.0)] {
            catalogue.insert(id.as_bytes(), Some(count));
        }
        for (id, features) in [("a", [1.0, 0.0]), ("b", [0.0, 1.0]), ("c", [1.0, 0.0])] {
            catalogue.describe(id.as_bytes(), features.to_vec());
        }
        catalogue
    }

    #[test]
    fn the_examples_of_the_definitions() {
        let qrels = Qrels::from_columns(&["1", "2"], &["a", "c"], &[1.0, 1.0]).unwrap();
        let run = Run::from_columns(
            &["1", "1", "1", "2", "2"],
            &["a", "b", "d", "a", "c"],
            &[3.0, 2.0, 1.0, 2.0, 1.0],
        )
        .unwrap();
        let metrics: Vec<Metric> = ["P@1".parse().unwrap()].to_vec();
        let scores =
            Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default()).unwrap();
        let beyond: Vec<Metric> = ["Coverage@2", "Gini@2", "Novelty@2", "ILD@2", "ild@3"]
            .map(|token| Beyond::parse(token).unwrap().unwrap())
            .to_vec();
        let names: Vec<String> = beyond.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["Coverage@2", "Gini@2", "Novelty@2", "ILD@2", "ILD@3"]);
        let with = |catalogue: &Catalogue, policy: &Policy| {
            let mut warnings = Warnings::default();
            let found = extend(&scores, &run, &beyond, catalogue, policy, &mut warnings).unwrap();
            (found, warnings.example_of(WarningKind::UndefinedScore).map(str::to_string))
        };
        let (found, told) = with(&catalogue(), &Policy::default());
        assert_eq!(told, None);
        let summary = |name: &str| found.summary(name, Undefined::Skip).unwrap().unwrap();
        assert_eq!(summary("P@1"), 0.5);
        // Tops {a, b} and {a, c}: 3 of 4 items; shown 2, 1, 1 and 0 times.
        assert_eq!(
            (summary("Coverage@2"), found.get("2", "Coverage@2")),
            (0.75, Some(Score::Value(0.25)))
        );
        // Sorted 0, 1, 1, 2: (-3*0 - 1*1 + 1*1 + 3*2) / (4*4).
        assert_eq!(summary("Gini@2"), 0.375);
        // Shares 1/2 and 1/4: 1.5 bits; 1/2 and 1/8: 2 bits.
        assert_eq!(summary("Novelty@2"), 1.75);
        // Distances 1 and 0.
        assert_eq!(summary("ILD@2"), 0.5);
        // A ranking that is cut off is what everything is computed from: tops {a} and {a}.
        let cut = Policy { depth: Some(1), ..Policy::default() };
        let (found, told) = with(&catalogue(), &cut);
        let summary = |name: &str| found.summary(name, Undefined::Skip).unwrap();
        assert_eq!(summary("Coverage@2"), Some(0.25));
        // Sorted 0, 0, 0, 2: 3*2 / (4*2).
        assert_eq!(summary("Gini@2"), Some(0.75));
        assert_eq!(summary("Novelty@2"), Some(1.0));
        let why = "ILD@2 for topic 1: fewer than two items of the top k have features";
        assert_eq!((summary("ILD@2"), told.as_deref()), (None, Some(why)));
        // Ids alone do not say how new an item is.
        let mut ids = Catalogue::default();
        ["a", "b", "c", "d"].iter().for_each(|id| ids.insert(id.as_bytes(), None));
        let (found, told) = with(&ids, &Policy::default());
        assert_eq!(found.summary("Novelty@2", Undefined::Zero).unwrap(), None);
        assert_eq!(found.summary("Coverage@2", Undefined::Zero).unwrap(), Some(0.75));
        assert!(told.unwrap().contains("Novelty@2 for topic 1: the catalogue does not say"));
    }

    #[test]
    fn the_gini_coefficient_is_the_mean_difference_of_pairs() {
        let naive = |x: &[f64]| {
            let n = x.len() as f64;
            let pairs = x.iter().flat_map(|a| x.iter().map(move |b| (a - b).abs()));
            pairs.sum::<f64>() / (2.0 * n * x.iter().sum::<f64>())
        };
        for shown in [vec![0.0, 0.0, 1.0, 3.0], vec![5.0], vec![2.0; 7], vec![0.0, 9.0, 4.0, 4.0]] {
            let found = gini(shown.clone()).unwrap();
            assert!((found - naive(&shown)).abs() < 1e-12, "{shown:?}: {found}");
        }
        assert_eq!(gini(vec![0.0, 0.0, 1.0, 3.0]), Some(0.625));
        assert_eq!(gini(vec![0.0; 3]), None);
    }

    #[test]
    fn what_is_missing_is_told() {
        assert!(Beyond::parse("nDCG@10").is_none());
        for token in ["Coverage", "Coverage@0", "Gini@x"] {
            assert!(Beyond::parse(token).unwrap().is_err());
        }
        assert!(Beyond::Novelty.needs(&Catalogue::default()).is_err());
    }
}
