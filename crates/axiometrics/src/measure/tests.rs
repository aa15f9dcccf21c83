//! The registry as a whole: names, examples, folder, round trips.

mod naive;
mod spellings;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::data::{Needs, OwnedTopic};

/// The topic of an [`Example`].
pub(crate) fn topic<N: Number>(text: &str) -> OwnedTopic<N> {
    let (ranking, rest) = text.split_once('|').unwrap_or((text, ""));
    if text.contains('{') {
        let names: BTreeSet<&str> = text
            .split(['{', ',', '}'])
            .filter_map(|pair| pair.split_once(':'))
            .map(|pair| pair.0)
            .collect();
        let number = |name: &str| names.iter().position(|n| *n == name).unwrap() as u32;
        let set = |t: &str| -> Option<Vec<(u32, f64)>> {
            let inner = t.strip_prefix('{')?.strip_suffix('}').unwrap();
            let pairs =
                inner.split(',').filter(|p| !p.is_empty()).map(|p| p.split_once(':').unwrap());
            Some(pairs.map(|(facet, grade)| (number(facet), grade.parse().unwrap())).collect())
        };
        let ranking: Vec<_> = ranking.split_whitespace().map(set).collect();
        let rest: Vec<_> = rest.split_whitespace().filter_map(set).collect();
        return OwnedTopic::by_facet(&ranking, &rest);
    }
    let grade = |t: &str| (t != "-").then(|| N::decimal(t.parse().unwrap()));
    let ranking: Vec<Option<N>> = ranking.split_whitespace().map(grade).collect();
    let rest: Vec<N> = rest.split_whitespace().filter_map(grade).collect();
    OwnedTopic::new(&ranking, &rest)
}

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for def in definitions() {
        assert!(seen.insert(def.name), "{} is defined twice", def.name);
    }
    let mut aliases = BTreeSet::new();
    for def in definitions() {
        for alias in def.aliases {
            assert!(aliases.insert(alias.spelling), "{} is an alias twice", alias.spelling);
            assert!(
                alias.spelling == def.name || !seen.contains(alias.spelling),
                "{} names two measures",
                alias.spelling
            );
        }
    }
}

#[test]
fn definitions_are_complete_and_parameters_parse() {
    for def in definitions() {
        for (what, text) in [
            ("title", def.title),
            ("definition", def.definition),
            ("range", &def.range.to_string()),
            ("undefined", def.undefined),
            ("user model", def.user_model),
        ] {
            assert!(!text.is_empty(), "{}: no {what}", def.name);
        }
        assert!(
            !def.examples.is_empty() && !def.references.is_empty(),
            "{}: no example or reference",
            def.name
        );
        let args = Args::new(def.params);
        for param in def.params {
            assert!(
                param.default.is_none() || args.value(&param.name).is_some(),
                "{}: the default of {} does not parse",
                def.name,
                param.name
            );
        }
        for alias in def.aliases {
            let text = match (def.cutoff, alias.suffix) {
                (_, Suffix::Printed) => alias
                    .spelling
                    .split(['{', '}'])
                    .enumerate()
                    .map(|(at, piece)| if at % 2 == 0 { piece } else { "0.5" })
                    .collect::<String>()
                    .replace("k@0.5", "k@5")
                    .replace("k=0.5", "k=5")
                    .replace("K=0.5", "K=5"),
                (Cutoff::Required, _) => format!("{}@5", alias.spelling),
                (Cutoff::Param(_), _) => format!("{}@0.5", alias.spelling),
                _ => alias.spelling.to_string(),
            };
            assert_eq!(parse(&text).unwrap()[0].def().name, def.name, "{text}");
        }
    }
}

#[test]
fn examples_hold() {
    for def in definitions() {
        for example in def.examples {
            let metric: Metric = example.measure.parse().unwrap();
            assert_eq!(metric.def().name, def.name, "the example of another measure");
            let score = metric.score(&topic(example.ranking).view()).value().unwrap();
            assert!(
                (score - example.value).abs() < 5e-5,
                "{} of {}: {score}, not {}",
                example.measure,
                example.ranking,
                example.value
            );
        }
    }
}

#[test]
fn canonical_text_reads_back() {
    for def in definitions() {
        for example in def.examples {
            let metric: Metric = example.measure.parse().unwrap();
            assert_eq!(metric.to_string().parse::<Metric>().unwrap(), metric);
        }
    }
}

#[test]
fn the_folder_is_the_registry() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/measure");
    let plumbing = [
        "mod",
        "aggregate",
        "declaration",
        "def",
        "elsewhere",
        "metric",
        "params",
        "parse",
        "preference",
        "range",
        "spelling",
        "structure",
        "tests",
        "ties",
        "user",
        "utility",
    ];
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| !plumbing.contains(&name.as_str()))
        .collect();
    let families: BTreeSet<String> = definitions().map(|d| d.family.to_string()).collect();
    assert_eq!(files, families);
}

/// No score counts down to the cutoff: one far below the documents costs no more than any other, in
/// whatever number. (A test of time that runs for minutes, or hours, where one does.)
#[test]
fn cutoffs_beyond_the_documents_cost_nothing() {
    let own =
        ["CWL(c='i/(i+1)*(i<k)')@1000000", "CWL(c='if(g == 0, i/(i+1), 0) * (i < k)')@1000000"];
    let own = own.into_iter().chain([
        "CWL(c='log2(i+1)/log2(i+2)',depth=1000000)",
        "INSQ(T=100000)@4294967295",
        "SDCG(dcg=jk,b=1000000000)@4294967295",
        "ERR_IA(alpha=0)@4294967295",
        "alpha_DCG(alpha=0.000001)@4294967295",
    ]);
    let cut = definitions().filter(|def| matches!(def.cutoff, Cutoff::Optional | Cutoff::Required));
    let mut metrics: Vec<Metric> = own.map(|text| text.parse().unwrap()).collect();
    metrics.extend(cut.filter_map(|def| format!("{}@4294967295", def.name).parse().ok()));
    assert!(metrics.len() > 40, "{}", metrics.len());
    for text in ["0 1 0 0 2 - 1 | 1 1", "{a:1} {a:1,b:1} {} {b:1} | {b:1}"] {
        let (float, exact) = (topic::<f64>(text), topic::<Exact>(text));
        for metric in &metrics {
            for _ in 0..300 {
                metric.score(&float.view());
                metric.score_exact(&exact.view());
            }
        }
    }
}

#[test]
fn moffats_worked_numbers() {
    for (measure, ranking, printed) in [
        ("SDCG@5", "1 1 0 0 0", 0.55),
        ("SNDCG@5", "1 0 1 0 0", 0.92),
        ("SNAP@5", "1 0 0 0 1", 0.7),
        ("P@6", "1 1 1 1 1 0 | 1", 0.83),
        ("SDCG@6", "1 1 1 1 1 0 | 1", 0.89),
        ("nDCG@6", "1 1 1 1 1 0 | 1", 0.89),
        ("DCG@5", "1 1 0 0 0", 1.63),
    ] {
        let score =
            measure.parse::<Metric>().unwrap().score(&topic(ranking).view()).value().unwrap();
        assert!(
            (score - printed).abs() <= 0.005,
            "{measure} of {ranking} is {score}, printed {printed}"
        );
    }
}

#[test]
fn exact_arithmetic_agrees_with_floating_point() {
    for def in definitions() {
        for example in def.examples {
            let metric: Metric = example.measure.parse().unwrap();
            let score = metric.score_exact(&topic(example.ranking).view()).value().unwrap();
            assert!((score.to_f64() - example.value).abs() < 5e-5, "{}", example.measure);
        }
    }
}

/// Tells all that it sees of a topic.
struct Spy(Needs);

impl Formula for Spy {
    fn declaration(&self) -> Declaration<'_> {
        Declaration::new(self.0)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let seen = [
            topic.hits.iter().count() as u32,
            topic.grades.zero + topic.grades.negative,
            topic.facets.rows.len() as u32,
            topic.scores.len() as u32,
        ];
        Score::Value(seen.into_iter().fold(N::zero(), |all, n| all * N::int(10) + N::count(n)))
    }
}

impl Own for Spy {
    fn def(&self) -> Def<'_> {
        Def { name: "Spy", cutoff: Cutoff::Never, ..*REGISTRY[0][0] }
    }
    fn params(&self) -> Arc<[Param]> {
        Vec::new().into()
    }
    fn build(self: Arc<Self>, _args: &Args) -> crate::Result<Arc<dyn Measure>> {
        Ok(Arc::new(Spy(self.0)))
    }
}

/// A topic is read once for all measures; each sees what it asked for.
#[test]
fn needs_are_enforced() {
    let ranking = [Some(vec![(0, 2.0)]), Some(vec![(0, 0.0), (1, 0.0)]), Some(vec![(1, -1.0)])];
    let topic: OwnedTopic =
        OwnedTopic::by_facet(&ranking, &[vec![(0, 0.0)]]).with_scores(vec![3.0, 2.0, 1.0]);
    let exact: OwnedTopic<Exact> =
        OwnedTopic::by_facet(&ranking, &[vec![(0, 0.0)]]).with_scores(vec![3.0, 2.0, 1.0]);
    for (needs, seen) in [
        (Needs::POSITIVE, 1000.0),
        (Needs::JUDGED, 3300.0),
        (Needs::FACETS, 1050.0),
        (Needs { scores: true, ..Needs::POSITIVE }, 1003.0),
    ] {
        let spy = Metric::own(Arc::new(Spy(needs))).unwrap();
        assert_eq!(spy.score(&topic.view()), Score::Value(seen), "{needs:?}");
        let exact = spy.score_exact(&exact.view()).value().unwrap();
        assert_eq!(exact.to_f64(), seen, "{needs:?}");
    }
}

/// The ideal holds no gain below 0: no ranking is better than it. trec_eval gives 1.0 for the first.
#[test]
fn losses_have_no_place_in_the_ideal() {
    for (measure, ranking, expected) in [
        ("nDCG(gains={1:-1})", "2 | 1 0", 1.0),
        ("nDCG(gains={1:-1})", "1 2 | 0", (-1.0 + 2.0 / 3f64.log2()) / 2.0),
        ("IDCG(gains={1:-1})", "2 | 1 0", 2.0),
        ("SNDCG(gains={1:-1})@3", "2 0 1", 1.0),
        ("SNDCG(gains={1:-1})@3", "1 2 0", (-1.0 + 2.0 / 3f64.log2()) / 1.5),
    ] {
        let metric: Metric = measure.parse().unwrap();
        let found = metric.score(&topic(ranking).view()).value().unwrap();
        assert!((found - expected).abs() < 1e-12, "{measure} of {ranking}: {found}");
    }
}
