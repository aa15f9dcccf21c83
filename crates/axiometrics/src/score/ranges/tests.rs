//! Every range against all completions.

use proptest::prelude::*;

use super::*;
use crate::data::OwnedTopic;
use crate::measure::{self, definitions};

/// A document's rank in each of two runs, and its grade.
type Placed = (Option<u32>, Option<u32>, Option<f64>);

/// A topic before its open documents are judged: `None` for an open one.
#[derive(Debug, Clone)]
struct Case {
    ranking: Vec<Option<f64>>,
    unretrieved: Vec<f64>,
    max_grade: f64,
    further: u32,
}

impl Case {
    fn topic(&self) -> OwnedTopic {
        OwnedTopic::new(&self.ranking, &self.unretrieved).with_max_grade(self.max_grade)
    }

    fn vary(&self) -> Vary {
        if self.further == 0 { Vary::Retrieved } else { Vary::Collection(self.further) }
    }

    /// Every completion.
    fn completions(&self) -> Vec<OwnedTopic> {
        let open = self.ranking.iter().filter(|g| g.is_none()).count() as u32;
        let grades = self.max_grade as u32 + 1;
        let all = (0..grades.pow(open + self.further)).map(|code| {
            let mut rest = code;
            let mut next = || {
                let grade = f64::from(rest % grades);
                rest /= grades;
                grade
            };
            let ranking: Vec<Option<f64>> = self.ranking.iter().map(|g| g.or_else(|| Some(next()))).collect();
            let mut unretrieved = self.unretrieved.clone();
            unretrieved.extend((0..self.further).map(|_| next()));
            OwnedTopic::new(&ranking, &unretrieved).with_max_grade(self.max_grade)
        });
        all.collect()
    }

    fn brute_force(&self, metric: &Metric) -> Ends {
        let mut ends = Ends::default();
        self.completions().iter().for_each(|topic| ends.add(metric.score(&topic.view())));
        ends
    }
}

fn cases(max_grade: u32, longest: usize) -> impl Strategy<Value = Case> {
    let grade = move || (0..=max_grade).prop_map(f64::from);
    let document = prop_oneof![2 => Just(None), 2 => grade().prop_map(Some)];
    let ranking = prop::collection::vec(document, 0..=longest);
    (ranking, prop::collection::vec(grade(), 0..=3), 0..=2u32).prop_map(move |(ranking, unretrieved, further)| {
        let open = ranking.iter().filter(|g| g.is_none()).count() as u32;
        // At most 3^7 completions.
        let further = further.min(7u32.saturating_sub(open));
        Case { ranking, unretrieved, max_grade: f64::from(max_grade), further }
    })
}

/// Every measure of the registry, with the cutoffs and parameters that matter here.
fn metrics() -> Vec<Metric> {
    let mut texts: Vec<String> = Vec::new();
    for def in definitions() {
        match def.cutoff {
            measure::Cutoff::Never => texts.push(def.name.into()),
            measure::Cutoff::Optional => texts.extend([def.name.to_string(), format!("{}@3", def.name)]),
            measure::Cutoff::Required => texts.extend([format!("{}@3", def.name), format!("{}@9", def.name)]),
            measure::Cutoff::Param(_) => texts.extend([0.0, 0.3, 0.5, 1.0].map(|r| format!("{}@{r}", def.name))),
        }
    }
    let more = "AP(norm=min)@2 AP(rel=2) AP(rel=0)@3 R(rel=0)@2 R(rel=3)@2 P(rel=2)@2 nDCG(dcg=exp-log2)@4 nDCG(dcg=jk,b=2) nDCG(gains={0:1,1:3,2:9})@3 \
        nDCG(gains={1:1,2:1.5}) SNDCG(gains={0:0.5,1:3,2:9})@4 F(beta=2)@3 SetP(relative=true) RPrec(rel=2)@3 Bpref(rel=2) Q(beta=0) Q(norm=min)@3 Q(beta=5) RBP(rel=1) RBP(p=0.95)@3 \
        Utility(a=1,b=-1,c=-2) RprecMult(m=0.5) BPM(T=2)@4 INSQ(depth=5) INST(T=2,depth=4) AP(judged_only=true) nDCG(judged_only=true)@3 NumRet(rel=1)@3 INSQ(value=total) NERR8(value=depth)@4";
    texts.extend(more.split_whitespace().map(str::to_string));
    texts.iter().filter_map(|text| text.parse().ok()).collect()
}

/// What a range says must hold of all completions: none outside; and where it is exact, one at each end.
fn check(metric: &Metric, case: &Case) {
    let topic = case.topic();
    let mut ranger = Ranger::new(metric, case.max_grade);
    let Some(found) = ranger.range(&topic.view(), case.vary()) else { return };
    let truth = case.brute_force(metric);
    let (low, high) = truth.defined.unwrap_or_else(|| panic!("{metric} {case:?}: {found:?}, all undefined"));
    assert!(found.undefined == truth.undefined || found.kind == Kind::Bound, "{metric} {case:?}: {found:?} {truth:?}");
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    let judged = found.high - found.tail;
    if found.kind == Kind::Bound {
        assert!(found.low <= low + 1e-9 && judged >= high - 1e-9, "{metric} {case:?}: {found:?}, truth {low} {high}");
    } else {
        assert!(near(found.low, low) && near(judged, high), "{metric} {case:?}: {found:?}, truth {low} {high}");
    }
}

/// The measures that have ranges wherever grades are whole numbers.
#[test]
fn who_has_a_range() {
    let case = Case { ranking: vec![Some(1.0), None, Some(2.0), None], unretrieved: vec![1.0], max_grade: 2.0, further: 0 };
    let topic = case.topic();
    let mut without: Vec<String> = Vec::new();
    for metric in metrics().into_iter().filter(|m| m.args().optional("rel").is_none_or(|rel| rel <= 2.0)) {
        if Ranger::new(&metric, 2.0).range(&topic.view(), Vary::Retrieved).is_none() && !without.contains(&metric.def().name.to_string()) {
            without.push(metric.def().name.to_string());
        }
    }
    insta::assert_snapshot!(without.join(" "), @"Rndcg ndcg_rel G BPM IFT GAP Compat RS_R RS_S RS_F NumQ NumRet NumNonrelRet Judged Unjudged alpha_nDCG alpha_DCG nERR_IA ERR_IA nNRBP NRBP AP_IA P_IA StRecall DSharp_nDCG AvgJG P_avgjg Rprec_mult_avgjg infNDCG xinfAP");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn graded(case in cases(2, 7)) {
        metrics().iter().for_each(|metric| check(metric, &case));
    }

    #[test]
    fn binary(case in cases(1, 7)) {
        metrics().iter().for_each(|metric| check(metric, &case));
    }

    #[test]
    fn three_grades(case in cases(3, 5)) {
        metrics().iter().for_each(|metric| check(metric, &case));
    }

    /// The joint range against all completions of two runs.
    #[test]
    fn differences(ranks in prop::collection::vec((0..5u32, 0..5u32, 0..4u32), 1..6), unretrieved in prop::collection::vec(0..3u32, 0..3)) {
        let pair = Pair::new(&ranks, &unretrieved);
        let exact = "P@3 DCG SDCG@4 INSQ(depth=6) nDCG nDCG@3 nDCG(dcg=exp-log2)@2 nDCG(gains={0:1,1:3,2:9})@3 RR RR@2 RR(rel=2) Success@2 R@2 R(rel=2)@3 R(rel=0)@2 F(beta=2)@3 \
            RelP@2 SetP SetF(rel=2)";
        let bound = "AP ERR Bpref SNDCG@3 SNAP@2 SetAP RBP RR(rel=0) Q nERR";
        for (texts, exact) in [(exact, true), (bound, false)] {
            texts.split_whitespace().for_each(|text| pair.check(&text.parse().unwrap(), exact));
        }
    }
}

/// Two runs over the same documents.
struct Pair {
    /// Rank in each run, and the grade, `None` where it is open.
    documents: Vec<(Option<u32>, Option<u32>, Option<f64>)>,
    lengths: (u32, u32),
    unretrieved: Vec<f64>,
}

impl Pair {
    /// Documents sorted into two rankings by two keys, 0 for not retrieved.
    fn new(keys: &[(u32, u32, u32)], unretrieved: &[u32]) -> Pair {
        let rank = |key: fn(&(u32, u32, u32)) -> u32| -> Vec<Option<u32>> {
            let mut order: Vec<usize> = (0..keys.len()).filter(|i| key(&keys[*i]) > 0).collect();
            order.sort_by_key(|i| key(&keys[*i]));
            (0..keys.len()).map(|i| order.iter().position(|o| *o == i).map(|p| p as u32 + 1)).collect()
        };
        let (a, b) = (rank(|k| k.0), rank(|k| k.1));
        let grade = |key: u32| (key < 3).then_some(f64::from(key));
        let documents: Vec<_> = keys.iter().enumerate().map(|(i, k)| (a[i], b[i], grade(k.2))).collect();
        let lengths = (a.iter().flatten().count() as u32, b.iter().flatten().count() as u32);
        let documents = documents.into_iter().filter(|d| d.2.is_some() || d.0.is_some() || d.1.is_some()).collect();
        Pair { documents, lengths, unretrieved: unretrieved.iter().copied().map(f64::from).collect() }
    }

    /// Both topics where the open documents have these grades.
    fn topics(&self, grades: &mut dyn FnMut() -> Option<f64>) -> (OwnedTopic, OwnedTopic) {
        let known: Vec<_> = self.documents.iter().map(|d| (d.0, d.1, d.2.or_else(&mut *grades))).collect();
        let topic = |rank: fn(&Placed) -> Option<u32>, length: u32| {
            let mut ranking = vec![None; length as usize];
            let mut rest = self.unretrieved.clone();
            for d in &known {
                match rank(d) {
                    Some(r) => ranking[r as usize - 1] = d.2,
                    None => rest.extend(d.2),
                }
            }
            OwnedTopic::new(&ranking, &rest).with_max_grade(2.0)
        };
        (topic(|d| d.0, self.lengths.0), topic(|d| d.1, self.lengths.1))
    }

    fn check(&self, metric: &Metric, exact: bool) {
        let open: Vec<SharedDocument> =
            self.documents.iter().filter(|d| d.2.is_none()).map(|d| SharedDocument { in_a: d.0, in_b: d.1 }).collect();
        let (a, b) = self.topics(&mut || None);
        let Some(found) = difference(metric, &a.view(), &b.view(), &open, Vary::Retrieved) else { return };
        let mut ends = Ends::default();
        for code in 0..3u32.pow(open.len() as u32) {
            let mut rest = code;
            let (a, b) = self.topics(&mut || {
                let grade = f64::from(rest % 3);
                rest /= 3;
                Some(grade)
            });
            let scores = [a, b].map(|topic| metric.score(&topic.view()));
            if let [Score::Undefined(_), Score::Undefined(_)] = scores {
                continue;
            }
            let [x, y] = scores.map(|score| score.value().unwrap_or(0.0));
            ends.add(Score::Value(x - y));
        }
        let Some((low, high)) = ends.defined else { return };
        let documents = &self.documents;
        assert!(found.low <= low + 1e-9 && found.high >= high - 1e-9, "{metric} {documents:?}: {found:?}, truth {low} {high}");
        if exact {
            assert_eq!(found.kind, Kind::Exact, "{metric} {documents:?}");
        }
        if found.kind == Kind::Exact {
            assert!(
                (found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9,
                "{metric} {documents:?}: {found:?}, truth {low} {high}"
            );
        }
    }
}
