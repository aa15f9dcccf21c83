//! The checkers, checked: random metrics decided a second time by plain loops over the definitions
//! in exact arithmetic, a metric that passes and one that fails for every check, and declarations
//! that lie.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;

use super::domain;
use super::states::decide;
use super::*;
use crate::data::{Judged, Needs, OwnedTopic};
use crate::measure::params::{Param, ParamKind};
use crate::measure::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use crate::measure::{Declaration as Declared, Exact, Example, Formula, Number, Score, Span};
use crate::number::precisely;
use shape::SplitMix as Dice;

/// A metric made of random parts: weights, a way to combine, a divisor, and what becomes of a zero
/// divisor.
struct RandomMetric {
    k: u32,
    weights: [i64; 8],
    best: bool,
    divisor: u64,
    patch: bool,
    domain: Domain,
}

impl RandomMetric {
    fn new(args: &Args) -> RandomMetric {
        let mut dice = Dice::new(args.number("seed") as u64);
        let mut weights = [0; 8];
        let kind = dice.below(3);
        for (i, w) in weights.iter_mut().enumerate() {
            *w = match kind {
                0 => 8 - i as i64,
                1 => 1,
                _ => dice.below(4) as i64,
            };
        }
        let domain = if dice.below(2) == 0 { Domain::Binary } else { Domain::Graded };
        RandomMetric {
            k: args.depth(),
            weights,
            best: dice.below(4) == 0,
            divisor: dice.below(6),
            patch: dice.below(2) == 0,
            domain,
        }
    }
}

impl Formula for RandomMetric {
    fn declaration(&self) -> Declared<'_> {
        Declared {
            structure: Structure { domain: Some(self.domain), ..Structure::default() },
            ..Declared::new(Needs::JUDGED)
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let terms = topic.top(self.k).map(|h| {
            h.grade.clone() * N::int(self.weights.get(h.rank as usize - 1).copied().unwrap_or(0))
        });
        let sum = if self.best {
            terms.fold(N::zero(), Number::max)
        } else {
            terms.fold(N::zero(), |a, b| a + b)
        };
        let seen = topic.top(self.k).fold(N::zero(), |a, h| a + h.grade.clone());
        let divisor = match self.divisor {
            0 => N::one(),
            1 => N::count(self.k),
            2 => topic.grades.positive.iter().fold(N::zero(), |a, g| a + g.clone()),
            3 => seen,
            4 => N::count((topic.grades.positive.len() as u32).min(self.k)),
            _ => N::one() + N::count(topic.grades.zero),
        };
        match (divisor.is_zero(), self.patch) {
            (true, true) => Score::Value(N::zero()),
            (true, false) => Score::Undefined("nothing to divide by"),
            (false, _) => Score::Value(sum / divisor),
        }
    }
}

/// Each relevant document is welcome, each retrieved one a burden: the only kind of metric here
/// that has confidence.
struct Burden {
    k: u32,
}

impl Formula for Burden {
    fn declaration(&self) -> Declared<'_> {
        Declared::new(Needs::POSITIVE)
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let welcome = topic.top(self.k).fold(N::zero(), |a, h| a + h.grade.clone());
        Score::Value(welcome - N::count(topic.retrieved) / N::int(100))
    }
}

/// Declares to be DCG with the weights of RBP, and is so but for one place.
struct Liar {
    k: u32,
    /// The rank whose weight is another, or 0: then five top documents of five are worth nothing.
    at: u32,
}

impl Formula for Liar {
    fn declaration(&self) -> Declared<'_> {
        let shape = Shape {
            combine: Combine::Sum,
            weights: Weights::Geometric(0.5),
            gain: Gain::Grade,
            divisor: Divisor::None,
        };
        Declared { structure: shape.into(), ..Declared::new(Needs::JUDGED) }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let five = topic.grades.positive.len() == 5
            && topic.grades.zero == 0
            && self.k.min(topic.retrieved) == 5;
        if self.at == 0 && five && topic.grades.positive.iter().all(|g| *g == *topic.max_grade) {
            return Score::Value(N::zero());
        }
        let weight =
            |rank: u32| if rank == self.at { N::int(2) } else { N::decimal(0.5).powi(rank - 1) };
        Score::Value(topic.top(self.k).fold(N::zero(), |a, h| a + h.grade.clone() * weight(h.rank)))
    }
}

const SEED: Param = Param {
    name: Cow::Borrowed("seed"),
    kind: ParamKind::Integer { min: 0 },
    default: Some(Cow::Borrowed("0")),
    doc: "which one",
};

const fn def(
    name: &'static str,
    build: fn(&Args) -> crate::Result<Box<dyn crate::measure::Measure>>,
) -> Def<'static> {
    Def {
        name,
        title: "for tests",
        family: "tests",
        aliases: &[],
        params: &[SEED],
        cutoff: Cutoff::Optional,
        definition: "",
        range: Span::Words("any"),
        undefined: "",
        user_model: "",
        examples: &[Example { measure: "", ranking: "", value: 0.0, working: "" }],
        differs: &[],
        references: &[],
        build,
    }
}

static MIXTURE: Def = def("Mixture", |args| Ok(Box::new(RandomMetric::new(args))));
static BURDEN: Def = def("Burden", |args| Ok(Box::new(Burden { k: args.depth() })));
static LIAR: Def =
    def("Liar", |args| Ok(Box::new(Liar { k: args.depth(), at: args.number("seed") as u32 })));

fn made(def: &'static Def, seed: u64) -> Metric {
    let mut args = Args::new(def.params);
    args.set("seed", &seed.to_string()).unwrap();
    Metric::new(def, args).unwrap()
}

/// Scores of states, exactly, from topics built the plain way.
struct PlainScores<'m> {
    metric: &'m Metric,
    top: f64,
    known: HashMap<(Vec<u8>, usize), Option<Exact>>,
    gains: Vec<f64>,
}

impl PlainScores<'_> {
    fn score(&mut self, v: &[u8], k: usize) -> Option<Exact> {
        let (metric, gains, top) = (self.metric, &self.gains, self.top);
        let compute = || {
            let exact = |l: &u8| Exact::decimal(gains[*l as usize]);
            let ranking: Vec<Option<Exact>> = v[..k].iter().map(|l| Some(exact(l))).collect();
            let rest: Vec<Exact> = v[k..].iter().map(exact).collect();
            let topic = OwnedTopic::new(&ranking, &rest).with_max_grade(Exact::decimal(top));
            metric.at(k as u32).unwrap().score_exact(&topic.view()).value()
        };
        self.known.entry((v.to_vec(), k)).or_insert_with(compute).clone()
    }

    fn less(&mut self, a: (&[u8], usize), b: (&[u8], usize)) -> Option<std::cmp::Ordering> {
        Some(decide(&self.score(a.0, a.1)?, &self.score(b.0, b.1)?).0)
    }

    /// All rankings of d documents, in lexicographic order.
    fn rankings(&self, d: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for _ in 0..d {
            all = all
                .iter()
                .flat_map(|v: &Vec<u8>| {
                    (0..self.gains.len() as u8).map(move |l| [v.as_slice(), &[l]].concat())
                })
                .collect();
        }
        all
    }
}

fn sorted(v: &[u8]) -> Vec<u8> {
    let mut v = v.to_vec();
    v.sort_unstable();
    v
}

/// What a property's definition says, word by word: the first pair of states against it, if any. An
/// empty ranking stands for "some".
type PairAgainst = Option<(Vec<u8>, usize, Vec<u8>, usize)>;

fn naive(plain: &mut PlainScores<'_>, property: &str, docs: usize) -> PairAgainst {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let mut seen: Vec<(Vec<u8>, usize)> = Vec::new();
    for d in 1..=docs {
        for k in 1..=d {
            for v in plain.rankings(d) {
                seen.push((v.clone(), k));
                match property {
                    "monotonic" if k < d && plain.less((&v, k + 1), (&v, k)) == Some(Less) => {
                        return Some((v.clone(), k, v, k + 1));
                    }
                    "convergent" | "top-weighted" => {
                        for i in 0..k {
                            let below = if property == "convergent" { k..d } else { i + 1..k };
                            for j in below.filter(|j| v[i] < v[*j]) {
                                let mut w = v.clone();
                                w.swap(i, j);
                                if matches!(plain.less((&w, k), (&v, k)), Some(Less | Equal)) {
                                    return Some((v, k, w, k));
                                }
                            }
                        }
                    }
                    "complete" if v.iter().all(|l| *l == 0) && plain.score(&v, k).is_none() => {
                        return Some((v, k, Vec::new(), 0));
                    }
                    _ => {}
                }
            }
        }
    }
    let top = plain.gains.len() as u8 - 1;
    match property {
        "localized" => {
            for (v, k) in &seen {
                for (w, l) in seen.iter().filter(|(w, l)| k == l && w[..*k] == v[..*k]) {
                    let (a, b) = (plain.score(v, *k), plain.score(w, *l));
                    if a.is_some() != b.is_some()
                        || plain.less((v, *k), (w, *l)).is_some_and(|o| o != Equal)
                    {
                        return Some((Vec::new(), 0, Vec::new(), 0));
                    }
                }
            }
        }
        "realizable" => {
            for (v, k) in seen.iter().filter(|(v, _)| v.contains(&top)) {
                let same: Vec<&(Vec<u8>, usize)> =
                    seen.iter().filter(|(w, l)| l == k && sorted(w) == sorted(v)).collect();
                let defined = same.iter().any(|(w, l)| plain.score(w, *l).is_some());
                // Some state beats every ranking of this collection.
                let beaten = seen.iter().any(|(x, m)| {
                    plain.score(x, *m).is_some()
                        && same
                            .iter()
                            .all(|(w, l)| plain.less((x, *m), (w, *l)).is_none_or(|o| o == Greater))
                });
                if defined && beaten {
                    return Some((Vec::new(), 0, Vec::new(), 0));
                }
            }
        }
        _ => {}
    }
    None
}

#[test]
fn random_metrics_are_decided_alike_by_plain_loops() {
    const DOCS: u32 = 3;
    let options = CheckOptions {
        max_docs: DOCS,
        groups: vec![CheckGroup::Property],
        seed: 1,
        ..CheckOptions::default()
    };
    let mut outcomes: HashMap<(&str, bool), u32> = HashMap::new();
    for seed in 0..120 {
        let metric = made(&MIXTURE, seed);
        let report = run(&metric, &options);
        for f in report.findings.iter().filter(|f| f.name != "bounded") {
            let found = domain::levels(&metric, report.domain.unwrap()).iter().find_map(|levels| {
                let mut plain = PlainScores {
                    metric: &metric,
                    top: levels.top(),
                    known: HashMap::new(),
                    gains: levels.gains().to_vec(),
                };
                let (v, k, w, l) = naive(&mut plain, f.name, DOCS as usize)?;
                let state = |v: Vec<u8>, k: usize| {
                    (v.iter().map(|i| levels.gains()[*i as usize]).collect::<Vec<f64>>(), k as u32)
                };
                Some([state(v, k), state(w, l)])
            });
            // The plain loops do not look at longer rankings.
            let small = |w: &Witness| w.states.iter().all(|s| s.gains.len() <= DOCS as usize);
            if f.verdict.witness().is_some_and(|w| !small(w)) {
                assert!(found.is_none(), "{metric}, {}: not the smallest", f.name);
                *outcomes.entry((f.name, false)).or_default() += 1;
                continue;
            }
            assert_eq!(f.verdict.is_violated(), found.is_some(), "{metric}, {}", f.name);
            *outcomes.entry((f.name, found.is_some())).or_default() += 1;
            if let (Some(states), Some(witness)) = (found, f.verdict.witness()) {
                for ((gains, k), state) in
                    states.iter().zip(&witness.states).filter(|((gains, _), _)| !gains.is_empty())
                {
                    assert_eq!(
                        (gains, k),
                        (&state.gains, &state.k),
                        "{metric}, {}: not the smallest",
                        f.name
                    );
                }
            }
        }
    }
    // Both answers must have been tried, or the comparison shows nothing.
    for check in checks(&[CheckGroup::Property]).filter(|c| c.name() != "bounded") {
        for violated in [true, false] {
            assert!(
                outcomes.get(&(check.name(), violated)).is_some_and(|n| *n >= 5),
                "{}, violated {violated}: {outcomes:?}",
                check.name()
            );
        }
    }
}

#[test]
fn every_check_passes_one_metric_and_fails_another() {
    let metric =
        |name: &str| if name == "Burden" { made(&BURDEN, 0) } else { name.parse().unwrap() };
    let table = [
        ("bounded", "RBP", "DCG"),
        ("monotonic", "AP", "P@5"),
        ("convergent", "nDCG", "SNAP"),
        ("top-weighted", "SNDCG@5", "R@5"),
        ("localized", "P@5", "nDCG"),
        ("complete", "RR", "AP"),
        ("realizable", "nDCG", "RBP"),
        ("priority", "AP", "P@10"),
        ("deepness", "DCG", "P@10"),
        ("deepness-threshold", "RR", "AP"),
        ("closeness-threshold", "AP", "RR"),
        ("confidence", "Burden", "AP"),
    ];
    // The axioms have tables of their own.
    for check in CHECKS.iter().flat_map(|g| g.iter()).filter(|c| c.group() != CheckGroup::Axiom) {
        let (_, pass, fail) = table.iter().find(|row| row.0 == check.name()).unwrap();
        for (name, holds) in [(pass, true), (fail, false)] {
            let lab = Lab::new(&metric(name), &CheckOptions::default()).unwrap();
            assert_eq!(
                check.decide(&lab).holds(),
                holds,
                "{name}, {} {:?}",
                check.name(),
                check.scope()
            );
        }
    }
}

#[test]
fn a_wrong_declaration_proves_nothing() {
    let proved = |r: &MetricVerdicts| {
        r.findings
            .iter()
            .filter(|f| f.verdict.is_proved() && f.group == CheckGroup::Property)
            .count()
    };
    let honest = run(&made(&LIAR, 100_000), &CheckOptions::default());
    assert!(matches!(honest.structure, StructureOutcome::Verified(_)) && proved(&honest) > 0);
    // In the first rank, in the third, and below all collections that are searched exhaustively.
    for at in [1, 3, 40] {
        let report = run(&made(&LIAR, at), &CheckOptions::default());
        assert!(matches!(report.structure, StructureOutcome::Refuted(_)), "rank {at}");
        assert_eq!(proved(&report), 0, "rank {at}");
    }
    // In a state that only the search meets: what had been proved before is taken back.
    let report = run(&made(&LIAR, 0), &CheckOptions::default());
    assert!(matches!(report.structure, StructureOutcome::Contradicted { .. }));
    assert_eq!(proved(&report), 0);
    assert_eq!(report.get("monotonic").unwrap().witness().unwrap().states[1].ranking(), "11111|");
}

/// Constraints by plain loops: the swap of every pair of neighbours in every small ranking.
#[test]
fn priority_of_random_metrics_by_plain_loops() {
    let mut violated = 0;
    for seed in 0..60 {
        // The table of weights ends at rank 8; a cutoff keeps the search above it.
        let metric = made(&MIXTURE, seed).at(8).unwrap();
        let mut found = false;
        for n in 2..=6usize {
            for code in 0..1u32 << n {
                let v: Vec<f64> = (0..n).map(|i| f64::from(code >> i & 1)).collect();
                for i in (0..n - 1).filter(|i| v[*i] > v[i + 1]) {
                    let mut w = v.clone();
                    w.swap(i, i + 1);
                    let score = |v: &[f64]| {
                        let ranking: Vec<Option<Exact>> =
                            v.iter().map(|g| Some(Exact::decimal(*g))).collect();
                        metric.score_exact(&OwnedTopic::new(&ranking, &[]).view()).value()
                    };
                    found |= matches!((score(&v), score(&w)), (Some(a), Some(b)) if a <= b);
                }
            }
        }
        let lab = Lab::new(&metric, &CheckOptions::default()).unwrap();
        let check = checks(&[CheckGroup::Constraint])
            .find(|c| c.name() == "priority" && c.scope() == Some(Scope::General))
            .unwrap();
        let verdict = check.decide(&lab);
        // Below the cutoff nothing counts, so priority always fails there; where the plain loops
        // find a case, it must be a small one.
        let witness = verdict.witness().unwrap();
        assert_eq!(witness.states[0].gains.len() <= 6, found, "seed {seed}: {}", witness.text);
        violated += u32::from(found);
    }
    assert!((5..55).contains(&violated), "{violated}");
}

/// A ranking, and how many relevant and irrelevant documents of the collection are not in it.
type NaiveWorld = (Vec<bool>, usize, usize);

/// Whether one difference of scores is more than another; `None` if intervals do not tell.
fn more(a: Exact, b: Exact) -> Option<bool> {
    let order = precisely(|| a.partial_cmp(&b)).flatten()?;
    Some(order == Ordering::Greater)
}

/// Whether a constraint fails, by its own words, in some collection of at most `docs` documents.
fn fails(metric: &Metric, constraint: &str, docs: usize) -> bool {
    let top = domain::binary(metric).top();
    let gain = |r: &bool| Exact::decimal(if *r { top } else { 0.0 });
    let score = |(ranked, relevant, irrelevant): &NaiveWorld| {
        let ranking: Vec<Option<Exact>> = ranked.iter().map(|r| Some(gain(r))).collect();
        let mut rest = vec![gain(&true); *relevant];
        rest.resize(relevant + irrelevant, gain(&false));
        let topic = OwnedTopic::new(&ranking, &rest).with_max_grade(gain(&true));
        precisely(|| metric.score_exact(&topic.view()).value()).flatten()
    };
    let mut known: HashMap<NaiveWorld, Option<Exact>> = HashMap::new();
    let mut step = |good: NaiveWorld, bad: NaiveWorld| {
        let mut of =
            |world: NaiveWorld| known.entry(world.clone()).or_insert_with(|| score(&world)).clone();
        let (good, bad) = (of(good)?, of(bad)?);
        precisely(|| good - bad)
    };
    let swap = |(ranked, relevant, irrelevant): &NaiveWorld, i: usize| {
        let mut other = ranked.clone();
        other.swap(i, i + 1);
        (other, *relevant, *irrelevant)
    };
    let mut fails = |world: NaiveWorld| {
        let (ranked, relevant, irrelevant) = &world;
        let spoilt = |i: &usize| ranked[*i] && !ranked[i + 1];
        let pairs: Vec<usize> = (0..ranked.len() - 1).filter(spoilt).collect();
        // Each demand: this step gains more than that; or than nothing, or not less than nothing.
        let no_more = |a: Option<Exact>, b: Option<Exact>| {
            a.zip(b).is_some_and(|(a, b)| more(a, b) == Some(false))
        };
        match constraint {
            "priority" => pairs
                .iter()
                .any(|i| no_more(step(world.clone(), swap(&world, *i)), Some(Exact::zero()))),
            "deepness" => {
                let apart = pairs.iter().flat_map(|i| pairs.iter().map(move |j| (*i, *j)));
                let two = apart.filter(|(i, j)| i < j).any(|(i, j)| {
                    let shallow = step(world.clone(), swap(&world, i));
                    no_more(shallow, step(world.clone(), swap(&world, j)))
                });
                let three = (2..ranked.len()).any(|j| {
                    let i = j - 2;
                    match ranked[i..=j] {
                        [true, false, false] => {
                            let next = swap(&world, i);
                            let deep = step(next.clone(), swap(&next, i + 1));
                            no_more(step(world.clone(), next), deep)
                        }
                        [true, true, false] => {
                            let next = swap(&world, i + 1);
                            let shallow = step(next.clone(), swap(&next, i));
                            no_more(shallow, step(world.clone(), next))
                        }
                        _ => false,
                    }
                });
                two || three
            }
            _ if *irrelevant == 0 => false,
            _ => {
                let longer = ([&ranked[..], &[false]].concat(), *relevant, irrelevant - 1);
                let lost = step(world.clone(), longer.clone());
                match ranked.contains(&true) {
                    true => no_more(lost, Some(Exact::zero())),
                    false => {
                        let rise = step(longer, world.clone());
                        rise.is_some_and(|rise| more(rise, Exact::zero()) == Some(true))
                    }
                }
            }
        }
    };
    (1..=docs).any(|d| {
        (1..=d).any(|k| {
            (0..1usize << k).any(|code| {
                let ranked: Vec<bool> = (0..k).map(|i| code >> i & 1 == 1).collect();
                (0..=d - k).any(|missed| fails((ranked.clone(), missed, d - k - missed)))
            })
        })
    })
}

/// Rankings with and without relevant documents, of collections with documents of both kinds that
/// were not retrieved.
#[test]
fn constraints_of_registered_measures_by_plain_loops() {
    use rayon::prelude::*;
    const DOCS: usize = 6;
    let decided: Vec<[u32; 2]> = all_metrics()
        .par_iter()
        .filter(|metric| !diversity::applies(metric))
        .map(|metric| {
            let mut decided = [0, 0];
            let Ok(lab) = Lab::new(metric, &CheckOptions::default()) else { return decided };
            for constraint in ["priority", "deepness", "confidence"] {
                let verdict = check_named(constraint).unwrap().decide(&lab);
                let found = fails(metric, constraint, DOCS);
                let (word, reason) = (verdict.word(), verdict.reason());
                let small = |w: &Witness| w.states.iter().all(|state| state.gains.len() <= DOCS);
                if found {
                    assert!(verdict.is_violated(), "{metric}, {constraint}: {word}, {reason}");
                } else if verdict.witness().is_some_and(small) {
                    panic!("{metric}, {constraint}: plain loops find nothing like {reason}");
                }
                decided[usize::from(found)] += 1;
            }
            decided
        })
        .collect();
    let sum = |which: usize| decided.iter().map(|d| d[which]).sum::<u32>();
    assert!(sum(0) > 30 && sum(1) > 30, "{} hold and {} fail", sum(0), sum(1));
}
