//! Each measure against its formula, written again as plainly as can be over the full list of
//! grades.
//!
//! Nothing here is sparse, shared or fast: `g[i]` is the grade at rank `i + 1`, absent for an
//! unjudged document.

use proptest::prelude::*;

use super::*;
use crate::data::{Facet, Facets, Hit, Hits};

/// A ranking with gaps, and judged documents that were not retrieved.
#[derive(Debug, Clone)]
struct Case {
    g: Vec<Option<f64>>,
    rest: Vec<f64>,
}

fn cases() -> impl Strategy<Value = Case> {
    let grade = prop::sample::select(vec![-1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 0.5]);
    let ranking = prop::collection::vec(prop::option::weighted(0.7, grade.clone()), 0..12);
    (ranking, prop::collection::vec(grade, 0..5)).prop_map(|(g, rest)| Case { g, rest })
}

impl Case {
    fn score(&self, measure: &str) -> Option<f64> {
        measure
            .parse::<Metric>()
            .unwrap()
            .score(&OwnedTopic::new(&self.g, &self.rest).view())
            .value()
    }

    /// The score is this, and undefined if this is.
    fn expect(&self, measure: &str, naive: Option<f64>) {
        match (self.score(measure), naive) {
            (Some(a), Some(b)) => {
                assert!((a - b).abs() < 1e-9, "{measure}: {a}, naively {b}: {self:?}")
            }
            (a, b) => assert_eq!(a, b, "{measure}: {self:?}"),
        }
    }

    fn all(&self) -> Vec<f64> {
        self.g.iter().flatten().chain(&self.rest).copied().collect()
    }
    fn max(&self) -> f64 {
        self.all().into_iter().fold(1.0, f64::max)
    }
    /// The grades above zero, highest first.
    fn ideal(&self) -> Vec<f64> {
        let mut all: Vec<f64> = self.all().into_iter().filter(|g| *g > 0.0).collect();
        all.sort_by(|a, b| b.total_cmp(a));
        all
    }
    /// R
    fn relevant(&self) -> f64 {
        self.all().iter().filter(|g| **g >= 1.0).count() as f64
    }
    /// Relevant at rank i?
    fn b(&self, i: usize) -> bool {
        i <= self.g.len() && self.g[i - 1].is_some_and(|g| g >= 1.0)
    }
    /// The gain at rank i, 0 if there is none.
    fn r(&self, i: usize) -> f64 {
        if i > self.g.len() { 0.0 } else { self.g[i - 1].unwrap_or(0.0).max(0.0) }
    }
    /// Judged non-relevant at rank i?
    fn nonrelevant(&self, i: usize) -> bool {
        self.g[i - 1].is_some_and(|g| (0.0..1.0).contains(&g))
    }
    fn seen(&self, k: usize) -> f64 {
        (1..=k).filter(|i| self.b(*i)).count() as f64
    }
}

fn over(a: f64, b: f64) -> Option<f64> {
    (b != 0.0).then(|| a / b)
}

fn err(gains: &[f64], max: f64, k: usize) -> f64 {
    let p = |i: usize| (2f64.powf(gains[i - 1]) - 1.0) / 2f64.powf(max);
    (1..=k.min(gains.len()))
        .map(|i| p(i) / i as f64 * (1..i).map(|j| 1.0 - p(j)).product::<f64>())
        .sum()
}

/// A C/W/L measure by its continuation, down to a depth at which the rest no longer matters.
fn cwl(case: &Case, depth: usize, c: impl Fn(usize, f64, f64) -> f64) -> f64 {
    let (mut v, mut total, mut sum, mut read) = (1.0, 0.0, 0.0, 0.0);
    for i in 1..=depth {
        let r = case.r(i) / case.max();
        total += r;
        sum += v * r;
        read += v;
        v *= c(i, r, total);
    }
    sum / read
}

proptest! {
    #[test]
    fn f_measure(case in cases(), k in 1usize..15) {
        let (p, r) = (case.seen(k) / k as f64, over(case.seen(k), case.relevant()));
        for beta in [0.5, 1.0, 2.0] {
            let b2: f64 = beta * beta;
            let f = r.map(|r| if p + r == 0.0 { 0.0 } else { (1.0 + b2) * p * r / (b2 * p + r) });
            case.expect(&format!("F(beta={beta})@{k}"), f);
        }
        case.expect(&format!("RelP@{k}"), over(case.seen(k), case.relevant().min(k as f64)));
    }

    #[test]
    fn set_measures(case in cases()) {
        let n = case.g.len();
        let (p, r) = (over(case.seen(n), n as f64), over(case.seen(n), case.relevant()));
        case.expect("SetP", p);
        case.expect("SetR", r);
        case.expect("SetAP", p.and_then(|p| r.map(|r| p * r)));
        let f = |p: f64, r: f64| if p + r == 0.0 { 0.0 } else { 5.0 * p * r / (4.0 * p + r) };
        case.expect("SetF(beta=2)", r.map(|r| f(p.unwrap_or(0.0), r)));
        case.expect("Utility(a=2,b=-0.5,c=-1)", Some(
            2.0 * case.seen(n) - 0.5 * (n as f64 - case.seen(n)) - (case.relevant() - case.seen(n))));
        let judged = case.g.iter().flatten().filter(|g| **g >= 0.0).count() as f64;
        case.expect("Judged", over(judged, n as f64));
        case.expect("Unjudged@20", Some((n as f64 - judged) / 20.0));
        case.expect("NumNonrelRet", Some((1..=n).filter(|i| case.nonrelevant(*i)).count() as f64));
    }

    #[test]
    fn interpolated_precision(case in cases(), tenth in 0u32..=10) {
        let relevant = case.relevant();
        let at = |tenth: u32| {
            let needed = (f64::from(tenth) / 10.0 * relevant).round();
            (1..=case.g.len()).filter(|i| case.seen(*i) >= needed).map(|i| case.seen(i) / i as f64).fold(0.0, f64::max)
        };
        case.expect(&format!("IPrec@{}", f64::from(tenth) / 10.0), (relevant > 0.0).then(|| at(tenth)));
        case.expect("IPrec11", (relevant > 0.0).then(|| (0..=10).map(at).sum::<f64>() / 11.0));
    }

    #[test]
    fn expected_reciprocal_rank(case in cases(), k in 1usize..15) {
        let gains: Vec<f64> = (1..=case.g.len()).map(|i| case.r(i)).collect();
        let score = err(&gains, case.max(), k);
        case.expect(&format!("ERR@{k}"), Some(score));
        case.expect(&format!("nERR@{k}"), over(score, err(&case.ideal(), case.max(), k)));
        let four: Vec<f64> = gains.iter().map(|g| g.min(2.0)).collect();
        case.expect(&format!("ERR(max_grade=2)@{k}"), Some(err(&four, 2.0, k)));
    }

    #[test]
    fn q_and_gap(case in cases(), k in 1usize..15) {
        let relevant = case.relevant();
        for beta in [0.0, 1.0, 2.5] {
            let ideal = case.ideal();
            let sum: f64 = (1..=k).filter(|i| case.b(*i)).map(|i| {
                let cg: f64 = (1..=i).map(|j| case.r(j)).sum();
                let best: f64 = ideal.iter().take(i).sum();
                (case.seen(i) + beta * cg) / (i as f64 + beta * best)
            }).sum();
            case.expect(&format!("Q(beta={beta})@{k}"), over(sum, relevant));
            case.expect(&format!("Q(beta={beta},norm=min)@{k}"), over(sum, relevant.min(k as f64)));
        }
        let gap: f64 = (1..=k).map(|n| (1..=n).map(|m| case.r(m).min(case.r(n))).sum::<f64>() / n as f64).sum();
        case.expect(&format!("GAP@{k}"), over(gap, case.ideal().iter().sum()));
        let gathered = |n: usize| (1..=n).map(|m| case.r(m)).sum::<f64>() / case.max();
        let uap: f64 = (1..=k).map(|n| case.r(n) * gathered(n) / n as f64).sum();
        case.expect(&format!("UAP@{k}"), over(uap, case.ideal().iter().sum()));
    }

    #[test]
    fn q_without_gain_is_ap(case in cases(), k in 1usize..15) {
        prop_assert_eq!(case.score(&format!("Q(beta=0)@{k}")), case.score(&format!("AP@{k}")));
    }

    #[test]
    fn bpref(case in cases()) {
        let relevant = case.relevant();
        let nonrelevant = case.all().iter().filter(|g| (0.0..1.0).contains(*g)).count() as f64;
        let sum: f64 = (1..=case.g.len()).filter(|i| case.b(*i)).map(|i| {
            let above = (1..i).filter(|j| case.nonrelevant(*j)).count() as f64;
            if above == 0.0 { 1.0 } else { 1.0 - above.min(relevant) / nonrelevant.min(relevant) }
        }).sum();
        case.expect("Bpref", over(sum, relevant));
    }

    #[test]
    fn inferred_average_precision(case in cases()) {
        let e = 1e-5;
        let sum: f64 = (1..=case.g.len()).filter(|k| case.b(*k)).map(|k| {
            if k == 1 {
                return 1.0;
            }
            let pooled = (1..k).filter(|j| case.g[j - 1].is_some()).count() as f64;
            let (rel, non) = (case.seen(k - 1), (1..k).filter(|j| case.nonrelevant(*j)).count() as f64);
            1.0 / k as f64 + pooled / k as f64 * (rel + e) / (rel + non + 2.0 * e)
        }).sum();
        case.expect("infAP", over(sum, case.relevant()));
    }

    #[test]
    fn pairs(case in cases(), k in 1usize..15) {
        let top = k.min(case.g.len());
        let mut right = [0.0, 0.0];
        for i in (1..=top).filter(|i| case.b(*i)) {
            for j in (1..=top).filter(|j| !case.b(*j)) {
                right[usize::from(i < j)] += 1.0;
            }
        }
        case.expect(&format!("Accuracy@{k}"), over(right[1], right[0] + right[1]));
        // The area: unretrieved documents share the place behind the last.
        let end = case.g.len();
        let place = |(i, g): (usize, &Option<f64>)| g.filter(|g| *g >= 0.0).map(|g| (i, g));
        let mut judged: Vec<(usize, f64)> = case.g.iter().enumerate().filter_map(place).collect();
        judged.extend(case.rest.iter().filter(|g| **g >= 0.0).map(|g| (end, *g)));
        let (mut won, mut of) = (0.0, 0.0);
        for (i, _) in judged.iter().filter(|d| d.1 >= 1.0) {
            for (j, _) in judged.iter().filter(|d| d.1 < 1.0) {
                of += 1.0;
                won += match i.cmp(j) { std::cmp::Ordering::Less => 1.0, std::cmp::Ordering::Equal => 0.5, _ => 0.0 };
            }
        }
        case.expect("AUC", over(won, of));
    }

    #[test]
    fn compatibility(case in cases()) {
        // Documents are named: the retrieved by rank, the others from 100.
        let run: Vec<usize> = (0..case.g.len()).collect();
        let mut ideal: Vec<(usize, f64)> = run.iter().map(|i| (*i, case.g[*i].unwrap_or(0.0))).collect();
        ideal.extend(case.rest.iter().enumerate().map(|(i, g)| (100 + i, *g)));
        ideal.retain(|d| d.1 > 0.0);
        ideal.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let ideal: Vec<usize> = ideal.iter().map(|d| d.0).collect();
        let depth = run.len().max(ideal.len());
        for p in [0.3, 0.95] {
            let rbo = |run: &[usize]| -> (f64, f64) {
                (1..=depth).fold((0.0, 0.0), |(sum, weights), d| {
                    let top = |list: &[usize]| -> Vec<usize> { list.iter().take(d).copied().collect() };
                    let common = top(run).iter().filter(|x| top(&ideal).contains(x)).count() as f64;
                    let w = f64::powi(p, d as i32 - 1);
                    (sum + w * common / d as f64, weights + w)
                })
            };
            let ((own, weights), (best, _)) = (rbo(&run), rbo(&ideal));
            case.expect(&format!("Compat(p={p})"), over(own, best));
            case.expect(&format!("Compat(p={p},normalize=false)"), (!ideal.is_empty()).then(|| own / weights));
        }
    }

    #[test]
    fn users(case in cases(), k in 1usize..15) {
        let naive = |c: &dyn Fn(usize, f64, f64) -> f64, depth| Some(cwl(&case, depth, c));
        let insq = |t: f64| move |i: usize| { let i = i as f64; ((i + 2.0 * t - 1.0) / (i + 2.0 * t)).powi(2) };
        for t in [1.0, 2.5] {
            case.expect(&format!("INSQ(T={t},depth=1000)"), naive(&|i, _, _| insq(t)(i), 1000));
            case.expect(&format!("INSQ(T={t},depth={k})"), naive(&|i, _, _| insq(t)(i), k));
            case.expect(&format!("NERR11(T={t},depth=1000)"), naive(&|i, r, _| insq(t)(i) * (1.0 - r), 1000));
            let inst = |i: usize, _: f64, total: f64| {
                let (i, left) = (i as f64, t - total);
                ((i - 1.0 + t + left) / (i + t + left)).powi(2)
            };
            case.expect(&format!("INST(T={t},depth=1000)"), naive(&inst, 1000));
            case.expect(&format!("BPM(T={t})@{k}"), naive(&|i, _, total| f64::from(i < k && total < t - 1e-12), k));
        }
        case.expect("NPV(rate=0.25)", naive(&|_, _, _| 0.8, 500));
        case.expect("NERR10(p=0.8)", naive(&|_, r, _| 0.8 * (1.0 - r), 500));
        case.expect(&format!("NERR8@{k}"), naive(&|_, r, _| 1.0 - r, k));
        case.expect(&format!("NERR9@{k}"), naive(&|i, r, _| i as f64 / (i as f64 + 1.0) * (1.0 - r), k));
        case.expect("TBG(halflife=3)", naive(&|_, _, _| 2f64.powf(-1.0 / 3.0), 500));
        let left = |i: usize| (1.0 - (i as f64 - 1.0) / 9.5).max(0.0);
        case.expect("U(L=9.5)", naive(&|i, _, _| if left(i) > 0.0 { left(i + 1) / left(i) } else { 0.0 }, 50));
        case.expect("IFT(T=2,b1=0.9,R1=1,A=0.2,b2=0.9,R2=10)", naive(&|i, _, y| {
            (1.0 - 1.0 / (1.0 + 0.9 * (2.0 - y).exp())) / (1.0 + 0.9 * ((0.2 - y / i as f64) * 10.0).exp())
        }, 1000));
    }

    #[test]
    fn endless_insq_by_its_weights(case in cases()) {
        // W(i) = (i + 2T - 1)^-2 / trigamma(2T), and trigamma(2) = pi^2/6 - 1.
        let trigamma = std::f64::consts::PI.powi(2) / 6.0 - 1.0;
        let sum: f64 = (1..=case.g.len()).map(|i| case.r(i) / case.max() / (i as f64 + 1.0).powi(2)).sum();
        case.expect("INSQ(T=1)", Some(sum / trigamma));
    }

    #[test]
    fn buckleys_gain_measures(case in cases()) {
        let ideal = case.ideal();
        let all = ideal.len();
        let gain = |i: usize| ideal.get(i - 1).copied().unwrap_or(0.0);
        let dcg = |r: &dyn Fn(usize) -> f64, n: usize| (1..=n).map(|i| r(i) / (i as f64 + 1.0).log2()).sum::<f64>();
        let own = |n: usize| dcg(&|i| case.r(i), n.min(case.g.len()));
        let ndcg = |n: usize| own(n) / dcg(&gain, n);
        let mut points: Vec<usize> = (1..=all).filter(|n| gain(*n) != gain(n + 1)).collect();
        if case.g.len() > all + 1 {
            points.push(case.g.len());
        }
        case.expect("Rndcg", (all > 0).then(|| points.iter().map(|n| ndcg(*n)).sum::<f64>() / points.len() as f64));
        let found: Vec<usize> = (1..=case.g.len()).filter(|i| case.r(*i) > 0.0).collect();
        let missed = (all - found.len()) as f64 * own(case.g.len()) / dcg(&gain, all.max(1));
        case.expect("ndcg_rel", (all > 0).then(|| (found.iter().map(|i| ndcg(*i)).sum::<f64>() + missed) / all as f64));
        let g: f64 = found.iter().map(|i| {
            let cost: f64 = (1..=*i).map(|j| gain(j).max(1.0)).sum();
            let gained: f64 = (1..=*i).map(|j| case.r(j)).sum();
            case.r(*i) / (2.0 + cost - gained).log2()
        }).sum();
        case.expect("G", over(g, ideal.iter().sum()));
        let bin: f64 = (1..=case.g.len()).filter(|i| case.b(*i)).map(|i| 1.0 / (2.0 + i as f64 - case.seen(i)).log2()).sum();
        case.expect("binG", over(bin, case.relevant()));
    }

    /// No measure panics or gives a NaN, and the exact score is the floating one.
    #[test]
    fn every_measure_on_every_topic(case in cases()) {
        let exact = |g: &f64| Exact::decimal(*g);
        let ranking: Vec<Option<Exact>> = case.g.iter().map(|g| g.as_ref().map(exact)).collect();
        let rest: Vec<Exact> = case.rest.iter().map(exact).collect();
        for def in definitions() {
            for example in def.examples {
                let metric: Metric = example.measure.parse().unwrap();
                let score = case.score(example.measure);
                let by_fractions = metric.score_exact(&OwnedTopic::new(&ranking, &rest).view()).value();
                match (score, by_fractions) {
                    (Some(a), Some(b)) => prop_assert!((a - b.to_f64()).abs() < 1e-9, "{}: {a} {}", example.measure, b.to_f64()),
                    (a, b) => prop_assert!(a.is_none() && b.is_none(), "{}", example.measure),
                }
            }
        }
    }

    /// What was read for another measure changes nothing: pooled documents without an assessment,
    /// documents of no use, subtopics, scores.
    #[test]
    fn no_measure_sees_what_it_did_not_ask_for(
        ranking in prop::collection::vec(prop::option::of(prop::collection::vec((0..3u32, -1..4i32), 1..3)), 0..8),
        rest in prop::collection::vec(-1..4i32, 0..4),
    ) {
        let facets = |set: Vec<(u32, i32)>| {
            let mut set: Vec<(u32, f64)> = set.into_iter().map(|(f, g)| (f, f64::from(g))).collect();
            set.sort_by_key(|(facet, _)| *facet);
            set.dedup_by_key(|(facet, _)| *facet);
            set
        };
        let ranking: Vec<_> = ranking.into_iter().map(|set| set.map(facets)).collect();
        let rest: Vec<_> = rest.into_iter().map(|grade| vec![(0, f64::from(grade))]).collect();
        let scores: Vec<f64> = (0..ranking.len()).rev().map(|i| i as f64).collect();
        let topic: OwnedTopic = OwnedTopic::by_facet(&ranking, &rest).with_scores(scores);
        let wide = topic.view();
        let positive: Vec<Hit> = wide.hits.iter().filter(|h| h.grade > 0.0).copied().collect();
        for def in definitions() {
            for example in def.examples {
                let metric: Metric = example.measure.parse().unwrap();
                let needs = metric.needs();
                let mut own = wide;
                if !needs.judged {
                    own.hits = Hits::new(&positive);
                    own.grades.zero = 0;
                    own.grades.negative = 0;
                }
                if needs.facet == Facet::None {
                    own.facets = Facets::default();
                }
                if !needs.scores {
                    own.scores = &[];
                }
                prop_assert_eq!(metric.score(&wide), metric.score(&own), "{}", example.measure);
            }
        }
    }
}
