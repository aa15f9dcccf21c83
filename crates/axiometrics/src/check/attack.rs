//! The proofs, attacked: random formulas, random component files and registered measures with
//! random parameters, and every "proved" tried by plain loops on cases far beyond those of the
//! search.
//!
//! Nothing here uses the tables of the search: scores come from topics built the plain way, in
//! exact arithmetic, and a property is its definition, written out.

use std::cmp::Ordering::{self, Greater, Less};
use std::collections::BTreeMap;

use super::lattice::Property;
use super::shape::SplitMix;
use super::states::decide;
use super::*;
use crate::choice::Choice;
use crate::component::Component;
use crate::data::OwnedTopic;
use crate::measure::params::ParamKind;
use crate::measure::{Exact, Metric, Number};

/// Pieces of formulas: what a document is worth, what a rank weighs, what is apart.
struct FormulaMaker {
    dice: SplitMix,
}

impl FormulaMaker {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.dice.below(of.len() as u64) as usize]
    }

    fn number(&mut self) -> &'static str {
        self.pick(&["0", "1", "2", "3", "4", "5", "7", "0.5", "0.2", "1.5", "10"])
    }

    /// What a document adds, or a factor of it.
    fn factor(&mut self) -> String {
        let (a, b, c) = (self.number(), self.number(), self.number());
        match self.dice.below(22) {
            0..=3 => "gain(d)".to_string(),
            4 => "1 / pos(d)".to_string(),
            5 => "1 / log2(pos(d) + 1)".to_string(),
            6 => format!("{}^(pos(d) - 1)", self.pick(&["0.5", "0.8", "0.99"])),
            7 => format!("if(gain(d) == {c}, {a}, gain(d))"),
            8 => format!("if(gain(d) >= {c}, {a}, {b})"),
            9 => format!("if(pos(d) > {c}, {a}, {b})"),
            10 => format!("min({c}, gain(d))"),
            11 => format!("max(0, gain(d) - {c})"),
            12 => format!("({c} - pos(d))"),
            13 => format!("if(count(x in D) > {c}, {a}, {b})"),
            14 => "count(x in Rel where pos(x) <= pos(d)) / pos(d)".to_string(),
            15 => format!("1 / (pos(d) - {c})"),
            16 => format!("abs(gain(d) - {c})"),
            17 => format!("if(R > {c}, {a}, 1)"),
            18 => format!("(2^gain(d) - {})", self.pick(&["1", "2"])),
            19 => "gain(d) / max_grade".to_string(),
            20 => format!("if(pos(d) <= {c} and gain(d) > 0, 1, 0)"),
            _ => format!("1 / (pos(d) + {})", self.pick(&["1", "2", "0.5"])),
        }
    }

    fn term(&mut self) -> String {
        let factors: Vec<String> = (0..1 + self.dice.below(3)).map(|_| self.factor()).collect();
        let product = factors.join(" * ");
        match self.dice.below(8) {
            0 => format!("{product} + {}", self.factor()),
            1 => format!("{product} - {}", self.factor()),
            _ => product,
        }
    }

    fn norm(&mut self) -> String {
        let c = self.number();
        match self.dice.below(12) {
            0..=2 => "R".to_string(),
            3 => "count(x in D)".to_string(),
            4 => format!("(R - {c} * count(x in D))"),
            5 => format!("(1 + {c} * R)"),
            6 => "max(x in D : gain(x))".to_string(),
            7 => "sum(x in D : gain(x))".to_string(),
            8 => format!("min({c}, R)"),
            9 => format!("(R - {c})"),
            10 => "sum(x in D : 1 / pos(x))".to_string(),
            _ => format!("if(count(x in Rel) > {c}, 1, -1)"),
        }
    }

    fn filter(&mut self) -> String {
        let c = self.number();
        match self.dice.below(6) {
            0 => format!(" where pos(d) <= {c}"),
            1 => format!(" where gain(d) > {c}"),
            2 => format!(" where count(x in D) > {c}"),
            3 => format!(" where pos(d) != {c}"),
            _ => String::new(),
        }
    }

    /// A formula, or a file of components.
    fn file(&mut self) -> String {
        if self.dice.below(2) == 0 {
            let (set, filter, term) = (self.pick(&["D", "Rel"]), self.filter(), self.term());
            let kind = self.pick(&["sum", "sum", "sum", "max"]);
            let mut score = format!("{kind}(d in {set}{filter} : {term})");
            if self.dice.below(3) > 0 {
                score = format!("{score} / {}", self.norm());
            }
            score = match self.dice.below(8) {
                0 => format!("min({}, {score})", self.number()),
                1 => format!("max({}, {score})", self.number()),
                2 => format!("if(R == 0, 0, {score})"),
                _ => score,
            };
            return format!("score = \"{score}\"\n{}", self.average());
        }
        let scales = self.pick(&[
            "[alpha]\nscale = \"ratio\"\n[sigma]\nscale = \"strict\"\n",
            "[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\ngain = [0, 1]\n[sigma]\nscale = \"strict\"\n",
        ]);
        let (over, term) = (self.pick(&["D", "Rel"]), self.term());
        let filter = self.filter().replace(" where ", "");
        let mut text = format!("{scales}[avgD]\nover = \"{over}\"\nterm = \"{term}\"\n");
        if !filter.is_empty() {
            text += &format!("where = \"{filter}\"\n");
        }
        text += &match self.dice.below(3) {
            0 => "agg = \"mean\"\n".to_string(),
            1 => "agg = \"sum\"\n".to_string(),
            _ => format!("agg = \"sum\"\nnorm = \"{}\"\n", self.norm()),
        };
        text += &format!("empty = \"{}\"\n", self.pick(&["undefined", "zero", "one"]));
        text + &self.average()
    }

    /// With what probability a user reads on.
    fn continuation(&mut self, height: u64) -> String {
        let n = self.pick(&["1", "2", "3", "5"]);
        let kinds = if height == 0 { 12 } else { 17 };
        let kind = self.dice.below(kinds);
        let mut part = || self.continuation(height - 1);
        match kind {
            0 => self.pick(&["0", "0.5", "0.8", "0.99", "1"]).to_string(),
            1 => "(i < k)".to_string(),
            2 => format!("(i < {n})"),
            3 => format!("(G < {n})"),
            4 => "(g == 0)".to_string(),
            5 => "(1 - g)".to_string(),
            6 => "(1 - 0.5 * g)".to_string(),
            7 => format!("(i / (i + {n}))"),
            8 => "((i + 1) / (i + 2))^2".to_string(),
            9 => format!("1 / ({n} + G)"),
            10 => "0.9^i".to_string(),
            11 => "log2(i + 1) / log2(i + 2)".to_string(),
            12 | 13 => format!("{} * {}", part(), part()),
            14 => format!("min({}, {})", part(), part()),
            15 => format!("max({}, {})", part(), part()),
            _ => {
                let (yes, no) = (part(), part());
                format!("if({}, {yes}, {no})", self.pick(&["i < 2", "i < k", "g > 0", "G < 1"]))
            }
        }
    }

    /// A user with an end: what others read takes long to add up.
    fn user(&mut self) -> Option<Metric> {
        let height = self.dice.below(3);
        let c = self.continuation(height);
        let depth = self.pick(&["4", "6", "12"]);
        let cutoff = self.pick(&["", "", "@1", "@3", "@10"]);
        format!("CWL(c='{c}',depth={depth}){cutoff}").parse().ok()
    }

    fn average(&mut self) -> String {
        let agg = self.pick(&["mean", "mean", "mean", "gmean", "hmean", "median", "min"]);
        let undefined = self.pick(&["skip", "zero", "error"]);
        match self.dice.below(3) {
            0 => String::new(),
            _ => format!("[avgQ]\nagg = \"{agg}\"\nundefined = \"{undefined}\"\n"),
        }
    }

    /// A registered measure, its numbers drawn anew.
    fn registered(&mut self) -> Option<Metric> {
        let defs: Vec<&Def> = definitions().collect();
        let def = defs[self.dice.below(defs.len() as u64) as usize];
        let mut args = Args::new(def.params);
        for param in def.params {
            if self.dice.below(2) == 0 {
                continue;
            }
            let text = match &param.kind {
                ParamKind::Number { .. } | ParamKind::Open { .. } => {
                    self.pick(&["0.1", "0.5", "0.75", "0.999", "1", "2", "3", "25"]).to_string()
                }
                ParamKind::Integer { .. } => self.pick(&["1", "2", "5", "20"]).to_string(),
                ParamKind::Word(words) => {
                    words[self.dice.below(words.len() as u64) as usize].to_string()
                }
                ParamKind::Flag => self.pick(&["true", "false"]).to_string(),
                ParamKind::Gains => {
                    let (a, b) = (self.number(), self.number());
                    self.pick(&["{1:%,2:#}", "{3:%}", "{7:#}"]).replace('%', a).replace('#', b)
                }
                ParamKind::Text => continue,
            };
            // What the measure does not take is left as it is.
            let _ = args.set(&param.name, &text);
        }
        if matches!(def.cutoff, Cutoff::Required | Cutoff::Optional) {
            let cutoff = 1 + self.dice.below(12) as u32;
            let given = def.cutoff == Cutoff::Required || self.dice.below(3) == 0;
            args.set_cutoff(given.then_some(cutoff));
        }
        Metric::new(def, args).ok()
    }
}

/// A metric under attack.
struct TargetMetric<'m> {
    metric: &'m Metric,
    gains: Vec<f64>,
    dice: SplitMix,
}

/// So many cases against each proof, of collections of up to so many documents.
const TRIALS: u32 = 60;
const DOCS: u64 = 14;

impl TargetMetric<'_> {
    fn top(&self) -> f64 {
        self.gains.iter().copied().fold(0.0, f64::max)
    }

    fn draw(&mut self, n: usize) -> Vec<f64> {
        let useless = self.dice.below(4);
        (0..n)
            .map(|_| match self.dice.below(4) < useless {
                true => 0.0,
                false => self.gains[self.dice.below(self.gains.len() as u64) as usize],
            })
            .collect()
    }

    /// The exact score of (v, k), by the metric at depth k or as typed.
    fn score(&self, v: &[f64], k: usize, at_depth: bool) -> Option<Exact> {
        let exact = |g: &f64| Exact::decimal(*g);
        let ranking: Vec<Option<Exact>> = v[..k].iter().map(|g| Some(exact(g))).collect();
        let rest: Vec<Exact> = v[k..].iter().map(exact).collect();
        let topic = OwnedTopic::new(&ranking, &rest).with_max_grade(Exact::decimal(self.top()));
        let metric = if at_depth { self.metric.at(k as u32).ok()? } else { self.metric.clone() };
        metric.score_exact(&topic.view()).value().filter(|x| !x.to_f64().is_nan())
    }

    /// A case against a property or constraint, by its definition.
    fn against(&mut self, property: Property) -> Option<String> {
        let d = 1 + self.dice.below(DOCS) as usize;
        let k = 1 + self.dice.below(d as u64) as usize;
        let v = match property {
            Property::Complete => vec![0.0; d],
            _ => self.draw(d),
        };
        let (i, j) = (self.dice.below(d as u64) as usize, self.dice.below(d as u64) as usize);
        let (i, j) = (i.min(j), i.max(j));
        let swapped = |i: usize, j: usize| {
            let mut w = v.clone();
            w.swap(i, j);
            w
        };
        let s = self.score(&v, k, true);
        match property {
            Property::Monotonic if k < d => {
                let deeper = self.score(&v, k + 1, true);
                order(&deeper, &s).filter(|o| *o == Less)?;
            }
            Property::Convergent | Property::TopWeighted => {
                let inside = property == Property::TopWeighted;
                let fits = i < k && v[i] < v[j] && (if inside { j < k } else { j >= k });
                let better = self.score(&swapped(i, j), k, true).filter(|_| fits);
                order(&better, &s).filter(|o| *o != Greater)?;
            }
            Property::Localized => {
                let tail = self.dice.below(DOCS) as usize;
                let w = [&v[..k], &self.draw(tail)].concat();
                let other = self.score(&w, k, true);
                let same = match (&s, &other) {
                    (None, None) => true,
                    (Some(_), Some(_)) => !matches!(order(&s, &other), Some(Less | Greater)),
                    _ => false,
                };
                if same {
                    return None;
                }
                return Some(format!("{v:?} and {w:?} at {k}"));
            }
            Property::Complete if s.is_none() => {}
            Property::Priority => {
                let binary: Vec<f64> =
                    v.iter().map(|g| if *g > 0.0 { self.top() } else { 0.0 }).collect();
                let at = (0..d - 1).find(|i| binary[*i] > binary[i + 1])?;
                let mut worse = binary.clone();
                worse.swap(at, at + 1);
                let (good, bad) = (self.score(&binary, d, false), self.score(&worse, d, false));
                order(&good, &bad).filter(|o| *o != Greater)?;
            }
            _ => return None,
        }
        Some(format!("{v:?} at {k}, {i} and {j}"))
    }
}

/// The order of two scores, if both are defined and it is certain.
fn order(a: &Option<Exact>, b: &Option<Exact>) -> Option<Ordering> {
    let (order, arithmetic) = decide(a.as_ref()?, b.as_ref()?);
    let far = (a.as_ref()?.to_f64() - b.as_ref()?.to_f64()).abs() > 1e-6;
    (arithmetic == Arithmetic::Exact || far).then_some(order)
}

/// The gains of a domain, of which the search knows a few.
fn gains(metric: &Metric, domain: Option<Domain>) -> Vec<f64> {
    match domain {
        Some(Domain::Graded) => (0..=8).map(|i| f64::from(i) / 8.0).collect(),
        Some(Domain::Integer) => (0..=8).map(f64::from).collect(),
        _ => domain::binary(metric).gains().to_vec(),
    }
}

/// What an attack came to.
#[derive(Debug, Default)]
struct Attack {
    metrics: u64,
    /// How many verdicts were proved, by check, each of which stood.
    proved: BTreeMap<String, u64>,
    fallen: Vec<String>,
}

fn attack(seeds: std::ops::Range<u64>, one: fn(u64) -> Attack) -> Attack {
    let parts: Vec<Attack> = seeds.into_par_iter().map(one).collect();
    let mut whole = Attack::default();
    for part in parts {
        whole.metrics += part.metrics;
        part.proved.into_iter().for_each(|(k, n)| *whole.proved.entry(k).or_default() += n);
        whole.fallen.extend(part.fallen);
    }
    whole
}

/// The seeds of every test. Beyond them rankings are searched no further than proofs need.
const USUAL: u64 = 150;

/// What is attacked; the search alone speaks against the first two.
const ATTACKED: [Property; 8] = [
    Property::Bounded,
    Property::Realizable,
    Property::Monotonic,
    Property::Convergent,
    Property::TopWeighted,
    Property::Localized,
    Property::Complete,
    Property::Priority,
];

/// Two metrics in three are registered ones with other parameters, the others are files.
fn attack_one(seed: u64) -> Attack {
    let mut maker = FormulaMaker { dice: SplitMix::new(seed) };
    let (metric, text) = if !seed.is_multiple_of(3) {
        (maker.registered(), String::new())
    } else {
        let text = maker.file();
        let file = Component::parse("attacked.toml", &text);
        (file.ok().and_then(|file| Metric::own(file).ok()), text)
    };
    metric.map_or(Attack::default(), |metric| attack_metric(&metric, &text, seed))
}

/// Users of every kind.
fn attack_user(seed: u64) -> Attack {
    let user = FormulaMaker { dice: SplitMix::new(seed) }.user();
    user.map_or(Attack::default(), |metric| attack_metric(&metric, "", seed))
}

fn attack_metric(metric: &Metric, text: &str, seed: u64) -> Attack {
    let mut attack = Attack { metrics: 1, ..Attack::default() };
    let groups = vec![CheckGroup::Property, CheckGroup::Constraint];
    let asked: Vec<&'static dyn Check> = checks(&groups)
        .filter(|c| Property::from_name(c.name()).is_ok_and(|p| ATTACKED.contains(&p)))
        .filter(|c| c.scope() != Some(Scope::Printed))
        .collect();
    // A proof is the same however far the search goes, which takes nearly all of the time.
    let reach = (seed >= USUAL).then_some(8);
    let options = CheckOptions { max_docs: 2, reach, groups, ..CheckOptions::default() };
    let report = run_checks(metric, &asked, &options);
    if let Some(error) = report.contradiction() {
        attack.fallen.push(format!("seed {seed}, {metric} {text}: {error}"));
    }
    let mut target = TargetMetric {
        metric,
        gains: gains(metric, report.domain),
        dice: SplitMix::new(seed ^ 0xa77ac4),
    };
    for f in report.findings.iter().filter(|f| matches!(f.verdict, Verdict::Proved { .. })) {
        let Some(property) = Property::from_name(f.name).ok() else { continue };
        let found = (0..TRIALS).find_map(|_| target.against(property));
        *attack.proved.entry(f.name.to_string()).or_default() += 1;
        if let Some(case) = found {
            attack.fallen.push(format!("seed {seed}, {metric} {text}: {}: {case}", f.name));
        }
    }
    attack
}

/// The seeds that `ATTACK` names, `100000` from 0 on or a stretch such as `5000..6000`; if it names
/// none, so many.
pub(super) fn seeds(usual: u64) -> std::ops::Range<u64> {
    let text = std::env::var("ATTACK").unwrap_or_else(|_| usual.to_string());
    let (from, to) = text.split_once("..").unwrap_or(("0", &text));
    from.parse().unwrap()..to.parse().unwrap()
}

/// As many metrics as `ATTACK` says: `ATTACK=100000 cargo nextest run -p axiometrics random_metrics
/// --no-capture` is the whole attack.
#[test]
fn no_proof_of_some_hundred_random_metrics_falls() {
    let attack = attack(seeds(USUAL), attack_one);
    println!("{} metrics, proved {:?}", attack.metrics, attack.proved);
    assert!(attack.fallen.is_empty(), "{}", attack.fallen.join("\n"));
    // An attack on nothing shows nothing.
    assert!(attack.metrics > 75, "{attack:?}");
    for name in ["monotonic", "convergent", "top-weighted", "localized", "complete"] {
        assert!(attack.proved.get(name).is_some_and(|n| *n >= 5), "{name}: {:?}", attack.proved);
    }
}

/// The same for users.
#[test]
fn no_proof_of_random_users_falls() {
    // Beyond the usual ones, for a search of rankings for each user takes long.
    let seeds = seeds(USUAL / 2);
    let attack = attack(seeds.start + USUAL..seeds.end + USUAL, attack_user);
    println!("{} users, proved {:?}", attack.metrics, attack.proved);
    assert!(attack.fallen.is_empty(), "{}", attack.fallen.join("\n"));
    assert!(attack.metrics > 25, "{attack:?}");
    for name in ["bounded", "localized", "complete", "realizable"] {
        assert!(attack.proved.get(name).is_some_and(|n| *n >= 5), "{name}: {:?}", attack.proved);
    }
}

/// The generator makes what it is said to make, and the attack finds what is false.
#[test]
fn the_attack_finds_what_is_false() {
    let p: Metric = "P@5".parse().unwrap();
    let mut target = TargetMetric { metric: &p, gains: vec![0.0, 1.0], dice: SplitMix::new(1) };
    for property in [Property::Monotonic, Property::TopWeighted, Property::Priority] {
        assert!((0..200).any(|_| target.against(property).is_some()), "{property:?}");
    }
    assert!((0..200).all(|_| target.against(Property::Convergent).is_none()));
}
