//! The axioms once more, by plain loops over their definitions: all systems against all, scores
//! from topics as a reader of files makes them.

use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::collections::HashMap;

use super::tests::{file, finding};
use super::{AxiomSettings, Restrict};
use crate::check::Finding;
use crate::check::shape::SplitMix;
use crate::data::OwnedTopic;
use crate::measure::{Exact, Metric, Number};

/// A similarity in the language of files and in ours.
struct Sim {
    text: &'static str,
    value: fn(&[f64], &[f64], usize) -> f64,
}

/// A family of files: scales, and the pieces from which its members are put together.
struct FileFamily {
    scales: &'static str,
    /// The values of alpha and of sigma; sigma is a ranking if it has none.
    alpha: &'static [f64],
    sigma: &'static [f64],
    sims: &'static [Sim],
    terms: &'static [&'static str],
    /// Systems are read from the scores of a run.
    scores: bool,
    docs: usize,
}

const CATEGORIES: FileFamily = FileFamily {
    scales: "[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n[sigma]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n",
    alpha: &[0.0, 1.0],
    sigma: &[0.0, 1.0],
    sims: &[
        Sim { text: "if(a == s, 1, 0)", value: |a, s, d| f64::from(u8::from(a[d] == s[d])) },
        Sim { text: "if(a == 'R', 1, 0)", value: |a, _, d| a[d] },
        Sim {
            text: "count(x in D where alpha(x) == alpha(d)) / 4",
            value: |a, _, d| a.iter().filter(|x| **x == a[d]).count() as f64 / 4.0,
        },
        Sim {
            text: "if(s == 'R', count(x in Ret), 1)",
            value: |_, s, d| if s[d] > 0.0 { s.iter().sum() } else { 1.0 },
        },
    ],
    terms: &["sim", "1", "gain(d)", "if(s == 'R', 2, 1)", "sim * gain(d)"],
    scores: false,
    docs: 3,
};

const NUMBERS: FileFamily = FileFamily {
    scales: "[alpha]\nscale = \"interval\"\nrange = [0, 1]\n[sigma]\nscale = \"interval\"\nrange = [0, 1]\n",
    alpha: &[0.0, 0.25, 0.5, 1.0],
    sigma: &[0.0, 0.25, 0.5, 1.0],
    sims: &[
        Sim { text: "1 - abs(s - a)", value: |a, s, d| 1.0 - (s[d] - a[d]).abs() },
        Sim {
            text: "1 - abs(s - a) / 2 - s / 4",
            value: |a, s, d| 1.0 - (s[d] - a[d]).abs() / 2.0 - s[d] / 4.0,
        },
    ],
    terms: &["sim", "s", "a", "1 - s", "1 - a", "a * s", "sim * a"],
    scores: true,
    docs: 2,
};

const RANKS: FileFamily = FileFamily {
    scales: "[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n[sigma]\nscale = \"strict\"\n",
    alpha: &[0.0, 1.0],
    sigma: &[],
    sims: &[
        Sim { text: "-abs(pos(d) - 1)", value: |_, s, d| -(s[d] - 1.0).abs() },
        Sim {
            text: "if(a == 'R', -pos(d), pos(d) - 9)",
            value: |a, s, d| if a[d] > 0.0 { -s[d] } else { s[d] - 9.0 },
        },
        Sim {
            text: "-max(0, 1 + count(x in D where alpha(x) > alpha(d)) - pos(d), pos(d) - count(x in D where alpha(x) >= alpha(d)))",
            value: |a, s, d| {
                let (low, high) = block(a, d);
                -(low - s[d]).max(s[d] - high).max(0.0)
            },
        },
    ],
    terms: &[
        "gain(d) / pos(d)",
        "gain(d) * 0.5^pos(d)",
        "gain(d)",
        "gain(d) * count(x in Rel where pos(x) <= pos(d)) / pos(d)",
    ],
    scores: false,
    docs: 3,
};

/// The first and the last rank of the documents of this one's alpha in an ideal ranking.
fn block(alpha: &[f64], d: usize) -> (f64, f64) {
    let count = |wanted: fn(&f64, &f64) -> bool| {
        alpha.iter().filter(|a| wanted(a, &alpha[d])).count() as f64
    };
    (1.0 + count(|a, own| a > own), count(|a, own| a >= own))
}

/// A member of a family.
struct FamilyMember<'f> {
    family: &'f FileFamily,
    metric: Metric,
    sim: &'f Sim,
    restrict: Restrict,
    known: HashMap<Vec<(u64, u64)>, Option<Exact>>,
}

type PlainWorld = (Vec<f64>, Vec<f64>);

impl FamilyMember<'_> {
    fn new<'f>(
        family: &'f FileFamily,
        random: &mut SplitMix,
        restrict: Restrict,
    ) -> FamilyMember<'f> {
        let sim = &family.sims[random.below(family.sims.len() as u64) as usize];
        let term = family.terms[random.below(family.terms.len() as u64) as usize];
        // Kept ranks leave holes, which only metrics of the documents with a gain do not see.
        let sparse = restrict == Restrict::Keep;
        let term = if sparse && term.contains("sim") { "gain(d)" } else { term };
        let mut pick = |of: &[&'static str]| of[random.below(of.len() as u64) as usize];
        let over = if family.sigma.is_empty() { "Rel" } else { pick(&["D", "Rel", "Ret"]) };
        let over = if family.scores && over == "Ret" { "D" } else { over };
        let average = pick(&[
            "agg = \"mean\"\n",
            "agg = \"sum\"\n",
            "agg = \"max\"\n",
            "agg = \"sum\"\nnorm = \"1 + count(x in Rel)\"\n",
            "agg = \"sum\"\nnorm = \"max(x in Rel : 1)\"\n",
        ]);
        let empty = pick(&["undefined", "zero"]);
        let text = format!(
            "{}[sim]\nexpr = \"{}\"\n[avgD]\nover = \"{over}\"\nterm = \"{term}\"\n{average}empty = \"{empty}\"\n",
            family.scales, sim.text
        );
        FamilyMember {
            family,
            metric: file(&text, "sample.toml"),
            sim,
            restrict,
            known: HashMap::new(),
        }
    }

    fn ranks(&self) -> bool {
        self.family.sigma.is_empty()
    }

    fn alphas(&self, n: usize) -> Vec<Vec<f64>> {
        all_of(self.family.alpha, n)
    }

    fn sigmas(&self, n: usize) -> Vec<Vec<f64>> {
        if !self.ranks() {
            return all_of(self.family.sigma, n);
        }
        // Some documents may be left out; the others have the ranks from 1 on.
        let ranks: Vec<f64> = (1..=n).map(|r| r as f64).chain([f64::INFINITY]).collect();
        let retrieved = |s: &[f64]| s.iter().filter(|r| r.is_finite()).count();
        let without_gaps = |s: &Vec<f64>| (1..=retrieved(s)).all(|r| s.contains(&(r as f64)));
        all_of(&ranks, n).into_iter().filter(without_gaps).collect()
    }

    /// The score of some documents, from a ranking such as a file holds.
    fn score(&mut self, alpha: &[f64], sigma: &[f64], docs: &[usize]) -> Option<Exact> {
        let mut pairs: Vec<(f64, f64)> = docs.iter().map(|d| (sigma[*d], alpha[*d])).collect();
        pairs.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let key = pairs.iter().map(|(s, a)| (s.to_bits(), a.to_bits())).collect();
        let (ranks, keep, scores) =
            (self.ranks(), self.restrict == Restrict::Keep, self.family.scores);
        let metric = &self.metric;
        let compute = || {
            let grade = |a: f64| Exact::decimal(a);
            let (mut ranking, mut rest): (Vec<Option<Exact>>, Vec<Exact>) =
                (Vec::new(), Vec::new());
            for (s, a) in &pairs {
                if s.is_infinite() {
                    rest.push(grade(*a));
                    continue;
                }
                if ranks && keep {
                    ranking.resize(*s as usize - 1, None);
                }
                if ranks || scores || *s > 0.0 {
                    ranking.push(Some(grade(*a)));
                } else {
                    rest.push(grade(*a));
                }
            }
            let values = if scores { pairs.iter().map(|(s, _)| *s).collect() } else { Vec::new() };
            metric.score_exact(&OwnedTopic::new(&ranking, &rest).with_scores(values).view()).value()
        };
        self.known.entry(key).or_insert_with(compute).clone()
    }

    fn order(
        &mut self,
        x: (&PlainWorld, &[usize]),
        y: (&PlainWorld, &[usize]),
    ) -> Option<Ordering> {
        let (a, b) = (self.score(&x.0.0, &x.0.1, x.1)?, self.score(&y.0.0, &y.0.1, y.1)?);
        a.partial_cmp(&b)
    }

    fn sim(&self, world: &PlainWorld, d: usize) -> f64 {
        (self.sim.value)(&world.0, &world.1, d)
    }

    /// Over-estimated, under-estimated or right.
    fn direction(&self, (alpha, sigma): &PlainWorld, d: usize) -> Ordering {
        if !self.ranks() {
            return sigma[d].partial_cmp(&alpha[d]).unwrap();
        }
        let (low, high) = block(alpha, d);
        let below = sigma.iter().filter(|s| s.is_finite()).count() as f64;
        // What was left out comes after the ranking, in any order.
        let (first, last) = if sigma[d].is_finite() {
            (sigma[d], sigma[d])
        } else {
            (below + 1.0, sigma.len() as f64)
        };
        if last < low {
            Greater
        } else if first > high {
            Less
        } else {
            Equal
        }
    }

    fn system_prefers(&self, sigma: &[f64], d: usize, e: usize) -> Ordering {
        let order = sigma[d].partial_cmp(&sigma[e]).unwrap();
        if self.ranks() { order.reverse() } else { order }
    }

    fn worlds(&self, n: usize) -> Vec<PlainWorld> {
        self.alphas(n)
            .into_iter()
            .flat_map(|a| self.sigmas(n).into_iter().map(move |s| (a.clone(), s)))
            .collect()
    }
}

fn all_of(values: &[f64], n: usize) -> Vec<Vec<f64>> {
    (0..n).fold(vec![Vec::new()], |all, _| {
        all.iter()
            .flat_map(|v| values.iter().map(move |x| [v.as_slice(), &[*x]].concat()))
            .collect()
    })
}

fn subsets(n: usize) -> Vec<Vec<usize>> {
    (0..1 << n).map(|code: u32| (0..n).filter(|i| code >> i & 1 == 1).collect()).collect()
}

fn with(set: &[usize], d: usize) -> Vec<usize> {
    let mut all = [set, &[d]].concat();
    all.sort_unstable();
    all
}

/// What was met: premises, ties if more was wanted, and what is worse than a tie.
#[derive(Default)]
struct PremiseCount {
    premises: u64,
    ties: u64,
    against: u64,
}

impl PremiseCount {
    fn note(&mut self, wanted: Ordering, found: Option<Ordering>) {
        let Some(found) = found else { return };
        self.premises += 1;
        match found {
            _ if found == wanted => {}
            Equal => self.ties += 1,
            _ => self.against += 1,
        }
    }

    fn word(&self, weak: bool) -> &'static str {
        match self {
            PremiseCount { premises: 0, .. } => "vacuous",
            PremiseCount { ties: 0, against: 0, .. } => "holds",
            PremiseCount { against: 0, ties, premises } if weak && ties == premises => "ties",
            PremiseCount { against: 0, .. } if weak => "weak",
            _ => "violated",
        }
    }
}

fn same(a: f64, b: f64) -> Ordering {
    if (a - b).abs() < 1e-9 { Equal } else { a.partial_cmp(&b).unwrap() }
}

/// The axioms 1 to 10 and 12, word by word. All but the second compare systems under one judgement.
fn naive(sample: &mut FamilyMember<'_>, number: usize) -> PremiseCount {
    let mut count = PremiseCount::default();
    for n in 1..=sample.family.docs {
        let worlds = sample.worlds(n);
        for x in &worlds {
            for d in 0..n {
                for e in (0..n).filter(|e| *e != d) {
                    two_documents(sample, number, &mut count, x, d, e);
                }
            }
            let together =
                |y: &&PlainWorld| number == 2 || ([3, 4, 5, 12].contains(&number) && x.0 == y.0);
            for y in worlds.iter().filter(together) {
                two_worlds(sample, number, &mut count, x, y);
            }
        }
    }
    count
}

fn two_documents(
    sample: &mut FamilyMember<'_>,
    number: usize,
    count: &mut PremiseCount,
    x: &PlainWorld,
    d: usize,
    e: usize,
) {
    let n = x.0.len();
    let (assessor, system) =
        (x.0[d].partial_cmp(&x.0[e]).unwrap(), sample.system_prefers(&x.1, d, e));
    let sims = same(sample.sim(x, d), sample.sim(x, e));
    let directions = [sample.direction(x, d), sample.direction(x, e)];
    match number {
        1 if assessor == Equal && system == Equal => count.note(Equal, Some(sims)),
        6 if assessor == Greater && sims == Less && directions == [Greater; 2] => {
            let order = sample.order((x, &[e]), (x, &[d]));
            count.note(Greater, order);
        }
        7 if assessor == Greater
            && system == Greater
            && sims == Less
            && directions == [Less; 2] =>
        {
            let order = sample.order((x, &[e]), (x, &[d]));
            count.note(Greater, order);
        }
        8..=10 => {
            let premise = match number {
                8 => system == Greater && assessor != Less,
                9 => assessor == Greater && system != Less,
                _ => system == Equal && assessor == Equal,
            };
            for set in subsets(n)
                .into_iter()
                .filter(|set| premise && sims == Equal && !set.contains(&d) && !set.contains(&e))
            {
                let scores = [set.clone(), with(&set, d), with(&set, e)]
                    .map(|set| sample.score(&x.0, &x.1, &set));
                let [Some(before), Some(with_d), Some(with_e)] = scores else { continue };
                let change = |after: Exact| {
                    let change = after - before.clone();
                    if change < Exact::zero() { -change } else { change }
                };
                count.note(
                    if number == 10 { Equal } else { Greater },
                    change(with_d).partial_cmp(&change(with_e)),
                );
            }
        }
        _ => {}
    }
}

fn two_worlds(
    sample: &mut FamilyMember<'_>,
    number: usize,
    count: &mut PremiseCount,
    x: &PlainWorld,
    y: &PlainWorld,
) {
    let n = x.0.len();
    for d in 0..n {
        let alike = x.0[d] == y.0[d] && x.1[d] == y.1[d] && x != y;
        let sims = same(sample.sim(x, d), sample.sim(y, d));
        match number {
            2 => (0..n)
                .filter(|e| x.0[d] == y.0[*e] && x.1[d] == y.1[*e])
                .for_each(|e| count.note(Equal, Some(same(sample.sim(x, d), sample.sim(y, e))))),
            3 if alike => count.note(Equal, Some(sims)),
            4 if alike => {
                let order = sample.order((x, &[d]), (y, &[d]));
                count.note(Equal, order);
            }
            5 if sims == Greater => {
                let direction = sample.direction(x, d);
                if direction != Equal && direction == sample.direction(y, d) {
                    let order = sample.order((x, &[d]), (y, &[d]));
                    count.note(Greater, order);
                }
            }
            _ => {}
        }
    }
    if number == 12 {
        let whole: Vec<usize> = (0..n).collect();
        for part in subsets(n).into_iter().filter(|part| !part.is_empty() && part.len() < n) {
            let rest: Vec<usize> = whole.iter().copied().filter(|d| !part.contains(d)).collect();
            let (Some(on_part), Some(on_rest)) =
                (sample.order((x, &part), (y, &part)), sample.order((x, &rest), (y, &rest)))
            else {
                continue;
            };
            let wanted = match (on_part, on_rest) {
                (Greater, Greater | Equal) | (Equal, Greater) => Greater,
                (Equal, Equal) => Equal,
                _ => continue,
            };
            let order = sample.order((x, &whole), (y, &whole));
            count.note(wanted, order);
        }
    }
}

/// Axiom 11 for the parts a, b and c.
fn naive_range(sample: &mut FamilyMember<'_>) -> [bool; 3] {
    let mut fails = [false; 3];
    for n in 1..=sample.family.docs {
        let whole: Vec<usize> = (0..n).collect();
        for alpha in sample.alphas(n) {
            let mut lowest: Option<Exact> = None;
            for sigma in sample.sigmas(n) {
                let Some(score) = sample.score(&alpha, &sigma, &whole) else { continue };
                fails[0] |= score < Exact::zero() || score > Exact::one();
                let sorted =
                    (0..n).all(|i| (0..n).all(|j| alpha[i] <= alpha[j] || sigma[i] < sigma[j]));
                let complete = (0..n).all(|i| alpha[i] == 0.0 || sigma[i].is_finite());
                let ideal = if sample.ranks() { sorted && complete } else { alpha == sigma };
                fails[1] |= ideal && score != Exact::one();
                if lowest.as_ref().is_none_or(|l| score < *l) {
                    lowest = Some(score);
                }
            }
            fails[2] |= lowest.is_some_and(|l| !l.is_zero());
        }
    }
    fails
}

fn checked(sample: &FamilyMember<'_>, number: usize) -> Finding {
    let docs = Some(sample.family.docs as u32);
    let restrict = Some(sample.restrict);
    finding(
        number,
        &sample.metric,
        AxiomSettings { docs, restrict, trials: Some(0), ..AxiomSettings::default() },
    )
}

fn compare(
    family: &FileFamily,
    restrict: Restrict,
    samples: u64,
) -> HashMap<(usize, &'static str), u32> {
    let mut outcomes: HashMap<(usize, &'static str), u32> = HashMap::new();
    for seed in 0..samples {
        let mut sample = FamilyMember::new(family, &mut SplitMix::new(seed), restrict);
        let about =
            format!("seed {seed}\n{}", crate::component::Component::of(&sample.metric).unwrap());
        for number in (1..=10).chain([12]) {
            let (found, count) = (checked(&sample, number), naive(&mut sample, number));
            let word = count.word(number == 8 || number == 9);
            assert_eq!(
                found.verdict.word(),
                word,
                "{about}axiom {number}: {:?}, by plain loops {word}",
                found.verdict
            );
            if !sample.ranks() && (4..=10).contains(&number) && word != "violated" {
                assert_eq!(found.premises, Some(count.premises), "{about}axiom {number}");
            }
            *outcomes.entry((number, word)).or_default() += 1;
        }
        let fails = naive_range(&mut sample);
        let parts = checked(&sample, 11).parts;
        assert_eq!(
            parts.iter().map(|p| p.verdict.is_violated()).collect::<Vec<_>>(),
            fails,
            "{about}axiom 11: {parts:?}"
        );
    }
    outcomes
}

/// Every word that a family can lead to must have been met, or the comparison shows nothing.
fn met(outcomes: &HashMap<(usize, &'static str), u32>, expected: &[(usize, &'static str)]) {
    for (number, word) in expected {
        assert!(outcomes.contains_key(&(*number, *word)), "axiom {number}, {word}: {outcomes:?}");
    }
}

#[test]
fn categories() {
    let outcomes = compare(&CATEGORIES, Restrict::Renumber, 40);
    met(
        &outcomes,
        &[
            (1, "holds"),
            (2, "violated"),
            (3, "violated"),
            (4, "holds"),
            (5, "vacuous"),
            (8, "weak"),
            (8, "violated"),
        ],
    );
    met(&outcomes, &[(9, "violated"), (10, "holds"), (12, "holds"), (12, "violated")]);
}

#[test]
fn numbers() {
    let outcomes = compare(&NUMBERS, Restrict::Renumber, 40);
    met(
        &outcomes,
        &[
            (5, "holds"),
            (5, "violated"),
            (6, "holds"),
            (6, "violated"),
            (7, "holds"),
            (7, "violated"),
        ],
    );
    met(
        &outcomes,
        &[
            (8, "holds"),
            (8, "violated"),
            (9, "holds"),
            (9, "violated"),
            (10, "holds"),
            (12, "violated"),
        ],
    );
}

#[test]
fn rankings() {
    let renumbered = compare(&RANKS, Restrict::Renumber, 40);
    met(
        &renumbered,
        &[
            (1, "holds"),
            (2, "violated"),
            (3, "holds"),
            (5, "violated"),
            (8, "weak"),
            (9, "weak"),
            (9, "holds"),
            (12, "violated"),
        ],
    );
    let kept = compare(&RANKS, Restrict::Keep, 40);
    met(&kept, &[(5, "holds"), (12, "holds"), (12, "violated")]);
}
