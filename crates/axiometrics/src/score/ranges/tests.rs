//! Every range against all completions.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::choice::Choice;
use crate::data::OwnedTopic;
use crate::measure::range::Ends;
use crate::measure::{self, Score, definitions};

/// A document's rank in each of two runs, and its grade.
type Placed = (Option<u32>, Option<u32>, Option<f64>);

/// A topic before its open documents are judged: `None` for one outside the pool, below 0 for one
/// that was pooled and not assessed.
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
        Vary { further: self.further, below: BelowEnd::None }
    }

    /// The ranking with `None` for every open document.
    fn judged(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.ranking.iter().map(|g| g.filter(|grade| *grade >= 0.0))
    }

    /// Every completion.
    fn completions(&self) -> Vec<OwnedTopic> {
        let open = self.judged().filter(Option::is_none).count() as u32;
        let grades = self.max_grade as u32 + 1;
        let all = (0..grades.pow(open + self.further)).map(|code| {
            let mut rest = code;
            let mut next = || {
                let grade = f64::from(rest % grades);
                rest /= grades;
                grade
            };
            let ranking: Vec<Option<f64>> =
                self.judged().map(|g| g.or_else(|| Some(next()))).collect();
            let mut unretrieved = self.unretrieved.clone();
            unretrieved.extend((0..self.further).map(|_| next()));
            OwnedTopic::new(&ranking, &unretrieved).with_max_grade(self.max_grade)
        });
        all.collect()
    }

    /// The ends of what the judgements as they are and every completion score.
    fn brute_force(&self, metric: &Metric) -> Ends {
        let mut ends = Ends::default();
        ends.add(metric.score(&self.topic().view()));
        self.completions().iter().for_each(|topic| ends.add(metric.score(&topic.view())));
        ends
    }
}

fn cases(max_grade: u32, longest: usize) -> impl Strategy<Value = Case> {
    let grade = move || (0..=max_grade).prop_map(f64::from);
    let document = prop_oneof![4 => Just(None), 1 => Just(Some(-1.0)), 4 => grade().prop_map(Some)];
    let ranking = prop::collection::vec(document, 0..=longest);
    (ranking, prop::collection::vec(grade(), 0..=3), 0..=2u32).prop_map(
        move |(ranking, unretrieved, further)| {
            let open = ranking.iter().filter(|g| g.is_none_or(|grade| grade < 0.0)).count() as u32;
            // At most 3^7 completions.
            let further = further.min(7u32.saturating_sub(open));
            Case { ranking, unretrieved, max_grade: f64::from(max_grade), further }
        },
    )
}

/// The list has ended.
const ENDED: Vary = Vary { further: 0, below: BelowEnd::None };

/// Every measure of the registry, with the cutoffs and parameters that matter here.
pub(in crate::score) fn metrics() -> Vec<Metric> {
    let mut texts: Vec<String> = Vec::new();
    for def in definitions() {
        match def.cutoff {
            // A name alone is no measure if a parameter must be given; its examples are.
            _ if def.name.parse::<Metric>().is_err()
                && format!("{}@3", def.name).parse::<Metric>().is_err() =>
            {
                texts.extend(def.examples.iter().map(|e| e.measure.to_string()));
            }
            measure::Cutoff::Never => texts.push(def.name.into()),
            measure::Cutoff::Optional => {
                texts.extend([def.name.to_string(), format!("{}@3", def.name)])
            }
            measure::Cutoff::Required => {
                texts.extend([format!("{}@3", def.name), format!("{}@9", def.name)])
            }
            measure::Cutoff::Param(_) => {
                texts.extend([0.0, 0.3, 0.5, 1.0].map(|r| format!("{}@{r}", def.name)))
            }
        }
    }
    let more = "AP(norm=min)@2 AP(rel=2) AP(rel=0)@3 R(rel=0)@2 R(rel=3)@2 P(rel=2)@2 nDCG(dcg=exp-log2)@4 nDCG(dcg=jk,b=2) nDCG(gains={0:1,1:3,2:9})@3 \
        nDCG(gains={1:1,2:1.5}) SNDCG(gains={0:0.5,1:3,2:9})@4 F(beta=2)@3 SetP(relative=true) RPrec(rel=2)@3 Bpref(rel=2) Q(beta=0) Q(norm=min)@3 Q(beta=5) Q(rel=2) Q(rel=2,beta=3)@3 Q(rel=0) Q(rel=3)@4 Q(rel=0.5) RBP(rel=1) RBP(p=0.95)@3 \
        Utility(a=1,b=-1,c=-2) RPrecMult(m=0.5) BPM(T=2)@4 INSQ(depth=5) INST(T=2,depth=4) AP(judged_only=true) nDCG(judged_only=true)@3 NumRet(rel=1)@3 INSQ(value=total) NERR8(value=depth)@4 \
        BPM(T=2,value=total)@4 BPM(value=depth)@3 BPM(T=0.5,min_rel=1,max_rel=2)@3 BPM(T=1.5,max_rel=4)@5 INST(value=total) INST(T=3,value=depth) INST(T=0.5,value=total,depth=5)@3 IFT(form=goal,T=1) \
        IFT(form=rate,A=0.4)@4 IFT(value=total) IFT(value=depth,depth=6) NERR10(value=total) NERR9(value=total)@4 GAP@2 Compat(p=0.5) Compat(p=0.7,normalize=false) \
        G(gains={1:3,2:4}) ndcg_rel(gains={1:1,2:9}) Rndcg(gains={0:1,1:2,2:9}) nERR@2 RS_R(n=2)@3 RS_F(n=3)@4 \
        CWL(c='0.8') CWL(c='i<3') CWL(c='(1-g)*0.9') CWL(c='((i+1)/(i+2))^2',value=total)@4";
    let plain = texts.iter().filter_map(|text| text.parse().ok());
    plain.chain(more.split_whitespace().map(|text| text.parse().unwrap())).collect()
}

/// What a range says must hold of the score and of those of all completions: none outside; and if
/// it is exact, one at each end.
fn check(metric: &Metric, case: &Case) -> Result<(), String> {
    let topic = case.topic();
    let mut ranger = Ranger::new(metric);
    let found = match ranger.range(&topic.view(), case.vary()) {
        Ok(found) => found,
        Err(Absent::Refused(_)) => return Ok(()),
        // Undefined means undefined in every completion.
        Err(Absent::Undefined) if case.brute_force(metric).defined.is_none() => return Ok(()),
        Err(Absent::Undefined) => return Err(format!("{metric}: not undefined everywhere")),
    };
    let truth = case.brute_force(metric);
    let wrong = || Err(format!("{metric}: {found:?}, but {truth:?}"));
    let Some((low, high)) = truth.defined else { return wrong() };
    if found.undefined != truth.undefined && found.kind != RangeKind::Bound {
        return wrong();
    }
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    let judged = found.high - found.tail;
    let holds = if found.kind == RangeKind::Bound {
        found.low <= low + 1e-9 && judged >= high - 1e-9
    } else {
        near(found.low, low) && near(judged, high)
    };
    if holds { Ok(()) } else { wrong() }
}

fn check_all(case: &Case) {
    let wrong: Vec<String> =
        metrics().iter().filter_map(|metric| check(metric, case).err()).collect();
    assert!(wrong.is_empty(), "{case:?}\n{}", wrong.join("\n"));
}

/// What is known of the range of a measure, or why there is none: for grades 0 and 1, and
/// for more grades.
fn known(metric: &Metric) -> [String; 2] {
    [1u32, 2].map(|top| {
        let ranking = vec![Some(1.0), None, Some(f64::from(top)), None, Some(0.0)];
        let case = Case { ranking, unretrieved: vec![1.0], max_grade: f64::from(top), further: 0 };
        let qrels = Qrels::from_columns(&["1"], &["a"], &[case.max_grade]).unwrap();
        let mut ranger = Ranger::new(metric);
        match (ranger.range(&case.topic().view(), Vary::default()), ranger.refusal(&qrels)) {
            (Ok(range), None) => range.kind.name().to_string(),
            (Err(Absent::Refused(why)), Some(same)) if why == same => format!("none: {why}"),
            // A relevant grade above the highest.
            (Err(Absent::Undefined), None) => "undefined".to_string(),
            (range, why) => panic!("{metric} up to grade {top}: {range:?} {why:?}"),
        }
    })
}

/// Every measure has a range, or a reason why it has none; the table of the docs says which.
#[test]
fn the_table_of_kinds_is_current() {
    let mut rows: Vec<([String; 2], Vec<String>)> = Vec::new();
    let mut seen = HashSet::new();
    for metric in metrics() {
        let (kinds, name) = (known(&metric), metric.def().name.to_string());
        // The plain form of each measure comes first.
        if !seen.insert(name.clone()) {
            continue;
        }
        match rows.iter_mut().find(|(known, _)| *known == kinds) {
            Some((_, names)) => names.push(name),
            None => rows.push((kinds, vec![name])),
        }
    }
    assert_eq!(seen.len(), definitions().count(), "a measure is missing");
    let row = |([two, more], names): &([String; 2], Vec<String>)| {
        format!("| {} | {two} | {more} |\n", names.join(", "))
    };
    let table: String = rows.iter().map(row).collect();
    let made = format!("| measures | grades 0 and 1 | more grades |\n|---|---|---|\n{table}");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ranges.md");
    let page = std::fs::read_to_string(file).unwrap();
    let (before, rest) = page.split_once("<!-- kinds -->\n").unwrap();
    let (kept, after) = rest.split_once("<!-- end of kinds -->").unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(file, format!("{before}<!-- kinds -->\n{made}<!-- end of kinds -->{after}"))
            .unwrap();
    } else {
        assert!(kept == made, "docs/ranges.md is out of date: run the tests with UPDATE_DOCS=1");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn graded(case in cases(2, 7)) {
        check_all(&case);
    }

    #[test]
    fn binary(case in cases(1, 7)) {
        check_all(&case);
    }

    #[test]
    fn three_grades(case in cases(3, 5)) {
        check_all(&case);
    }

    /// The joint range against all completions of two runs.
    #[test]
    fn differences(ranks in prop::collection::vec((0..5u32, 0..5u32, 0..4u32), 1..6), unretrieved in prop::collection::vec(0..3u32, 0..3)) {
        let pair = Pair::new(&ranks, &unretrieved);
        let exact = "P@3 DCG SDCG@4 INSQ(depth=6) nDCG nDCG@3 nDCG(dcg=exp-log2)@2 nDCG(gains={0:1,1:3,2:9})@3 RR RR@2 RR(rel=2) Success@2 R@2 R(rel=2)@3 R(rel=0)@2 F(beta=2)@3 \
            RelP@2 SetP SetF(rel=2)";
        let bound = "AP AP@2 AP(rel=2) AP(norm=min)@2 SP GMAP AP(rel=0)@2 logitAP ERR Bpref SNDCG@3 SNAP@2 SetAP RBP RR(rel=0) Q nERR";
        for (texts, exact) in [(exact, true), (bound, false)] {
            texts.split_whitespace().for_each(|text| pair.check(&text.parse().unwrap(), exact));
        }
    }
}

/// Two runs over the same documents.
struct Pair {
    /// Rank in each run, and the grade, `None` if it is open.
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
            (0..keys.len())
                .map(|i| order.iter().position(|o| *o == i).map(|p| p as u32 + 1))
                .collect()
        };
        let (a, b) = (rank(|k| k.0), rank(|k| k.1));
        let grade = |key: u32| (key < 3).then_some(f64::from(key));
        let documents: Vec<_> =
            keys.iter().enumerate().map(|(i, k)| (a[i], b[i], grade(k.2))).collect();
        let lengths = (a.iter().flatten().count() as u32, b.iter().flatten().count() as u32);
        let documents = documents
            .into_iter()
            .filter(|d| d.2.is_some() || d.0.is_some() || d.1.is_some())
            .collect();
        Pair {
            documents,
            lengths,
            unretrieved: unretrieved.iter().copied().map(f64::from).collect(),
        }
    }

    /// Both topics when the open documents have these grades.
    fn topics(&self, grades: &mut dyn FnMut() -> Option<f64>) -> (OwnedTopic, OwnedTopic) {
        let known: Vec<_> =
            self.documents.iter().map(|d| (d.0, d.1, d.2.or_else(&mut *grades))).collect();
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
        let open: Vec<SharedDocument> = self
            .documents
            .iter()
            .filter(|d| d.2.is_none())
            .map(|d| SharedDocument { in_a: d.0, in_b: d.1 })
            .collect();
        let (a, b) = self.topics(&mut || None);
        let found = Ranger::new(metric).difference(&a.view(), &b.view(), &open, ENDED);
        let Ok(found) = found else {
            return;
        };
        let mut ends = Ends::default();
        let completions = 3u32.pow(open.len() as u32);
        // The last one leaves the judgements as they are.
        for code in 0..=completions {
            let mut rest = code;
            let (a, b) = self.topics(&mut || {
                let grade = f64::from(rest % 3);
                rest /= 3;
                (code < completions).then_some(grade)
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
        assert!(
            found.low <= low + 1e-9 && found.high >= high - 1e-9,
            "{metric} {documents:?}: {found:?}, truth {low} {high}"
        );
        if exact {
            assert_eq!(found.kind, RangeKind::Exact, "{metric} {documents:?}");
        }
        if found.kind == RangeKind::Exact {
            assert!(
                (found.low - low).abs() < 1e-9 && (found.high - high).abs() < 1e-9,
                "{metric} {documents:?}: {found:?}, truth {low} {high}"
            );
        }
    }
}

/// Rounding may put the lower end of a joint range above the upper one; the range is there all the
/// same. The precisions of these two runs differ by the same in both ends, to all but one digit.
#[test]
fn no_joint_range_vanishes_by_rounding() {
    let metrics: Vec<Metric> =
        ["AP@10", "SP@10", "AP", "nDCG@10", "ndcg_rel", "nERR"].map(|m| m.parse().unwrap()).into();
    let mut dice = crate::stats::Resampling::default().stream(7);
    for _ in 0..3000 {
        let ranking: Vec<Option<f64>> =
            (0..10).map(|_| Some(f64::from(u8::from(dice.below(3usize) == 0)))).collect();
        let other: Vec<Option<f64>> = ranking.iter().rev().copied().collect();
        let unretrieved = vec![1.0; dice.below(5) + 1];
        let [a, b] = [&ranking, &other].map(|r| OwnedTopic::new(r, &unretrieved));
        for metric in &metrics {
            let found = Ranger::new(metric).difference(&a.view(), &b.view(), &[], ENDED).unwrap();
            let truth =
                metric.score(&a.view()).value().unwrap() - metric.score(&b.view()).value().unwrap();
            assert!(found.low <= found.high, "{metric}");
            assert!((found.low - truth).abs() < 1e-12 && (found.high - truth).abs() < 1e-12);
        }
    }
}

/// The ranking with so many unjudged documents that it reaches down to a rank.
fn padded(case: &Case, rank: usize) -> Case {
    let mut ranking = case.ranking.clone();
    ranking.resize(rank.max(ranking.len()), None);
    Case { ranking, ..case.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What stands below the end of a ranking is unjudged documents down to the last rank that a
    /// measure reads: the range is that of the ranking with these. A measure that reads on for ever
    /// comes close to its high end on a long one.
    #[test]
    fn below_the_end(case in cases(2, 5)) {
        let further = case.further;
        for metric in metrics() {
            let mut ranger = Ranger::new(&metric);
            let topic = case.topic();
            let unknown = ranger.range(&topic.view(), Vary { further, below: BelowEnd::Unknown });
            let ended = ranger.range(&topic.view(), Vary { further, below: BelowEnd::None });
            let (Ok(unknown), Ok(ended)) = (unknown, ended) else { continue };
            prop_assert!(ended.tail == 0.0);
            // If grade 0 is worth something, so is what nobody judged.
            let all = ["rel=0", "{0:"].iter().any(|part| metric.to_string().contains(part));
            prop_assert!(
                (all || unknown.low <= ended.low + 1e-12) && unknown.high >= ended.high - 1e-12,
                "{metric}: {unknown:?} {ended:?}"
            );
            let reach = match &metric.declaration().tail {
                Tail::Until(rank) => *rank,
                Tail::None => metric.depth().unwrap_or(0),
                Tail::Endless(_) => {
                    let long = padded(&case, 400).topic();
                    let long = ranger.range(&long.view(), ended_with(further)).unwrap();
                    // Others have users who read much farther than 400 ranks.
                    let soon = ["RBP", "INSQ", "INST", "RR", "ERR"].contains(&metric.def().name);
                    let slack = if soon && metric.depth().is_none() { 0.02 } else { 1.0 };
                    prop_assert!(
                        long.high <= unknown.high + 1e-9 && unknown.high <= long.high + slack,
                        "{metric}: {unknown:?} {long:?}"
                    );
                    continue;
                }
            };
            let longer = padded(&case, reach as usize).topic();
            let longer = ranger.range(&longer.view(), ended_with(further)).unwrap();
            // A reader whose gain in all has no end meets more below the cutoff.
            let endless = metric.to_string().contains("value=total");
            prop_assert!(
                unknown.low == longer.low
                    && (unknown.high == longer.high || endless && unknown.high > longer.high),
                "{metric}: {unknown:?} {longer:?}"
            );
            // What is below the end adds to the best completion, which `all` scores may be far from.
            if reach > topic.view().retrieved && !all {
                let reached = ended.high.max(unknown.low);
                let tail = (unknown.high - reached).max(0.0);
                prop_assert!((unknown.tail - tail).abs() <= 1e-12, "{metric}");
            }
        }
    }
}

fn ended_with(further: u32) -> Vary {
    Vary { further, ..ENDED }
}

#[test]
fn one_rule_below_the_end() {
    let ranking = |text: &str| crate::measure::tests::topic::<f64>(text);
    let range = |metric: &str, text: &str, below: BelowEnd| {
        let metric: Metric = metric.parse().unwrap();
        let found = Ranger::new(&metric).range(&ranking(text).view(), Vary { further: 0, below });
        let found = found.unwrap();
        let places = |x: f64| (x * 1e4).round() / 1e4;
        (places(found.low), places(found.high), found.kind)
    };
    use BelowEnd::{None, Unknown};
    for (metric, text, below, expected) in [
        ("P@10", "1 0 1 0 0", Unknown, (0.2, 0.7, RangeKind::Exact)),
        ("P@10", "1 0 1 0 0", None, (0.2, 0.2, RangeKind::Exact)),
        ("CWL(c='i<k')@10", "1 0 1 0 0", None, (0.2, 0.2, RangeKind::Exact)),
        ("RBP(p=0.8)@10", "1 0 1 0 0", Unknown, (0.328, 0.6557, RangeKind::Limit)),
        ("RBP(p=0.8)", "1 0 1 0 0", Unknown, (0.328, 0.6557, RangeKind::Limit)),
        ("RBP(p=0.8)@10", "1 0 1 0 0", None, (0.328, 0.328, RangeKind::Exact)),
        ("CWL(c='0.8')", "1 0 1 0 0", Unknown, (0.328, 0.6557, RangeKind::Limit)),
        ("CWL(c='0.8')", "1 0 1 0 0", None, (0.328, 0.328, RangeKind::Exact)),
        // It ends at its cutoff, so that all above it is known.
        ("RBP(p=0.8)@5", "1 0 1 0 0", Unknown, (0.328, 0.6557, RangeKind::Limit)),
        // Whatever stands at ranks 4 and 5, no judgement of the top 3 makes it 1.
        ("RBP(p=0.5)@3", "1 1 - 0 0", Unknown, (0.75, 1.0, RangeKind::Bound)),
        ("RBP(p=0.5)@3", "1 1 - 0 0", None, (0.75, 0.875, RangeKind::Exact)),
        // The paper's constrained range: the next document may be relevant.
        ("RR", "0 0 0 0 0", Unknown, (0.0, 0.1667, RangeKind::Limit)),
        ("RR", "0 0 1 0 0", Unknown, (0.3333, 0.3333, RangeKind::Exact)),
        ("RR", "0 0 0 0 0", None, (0.0, 0.0, RangeKind::Exact)),
        ("RR@5", "0 0 0 0 0", Unknown, (0.0, 0.0, RangeKind::Exact)),
        // (1/4 + 1/16) / (1/4 + 1/9 + 1/16 + 1/25 + 1/36)
        ("INSQ(depth=5)", "1 0 1 0 0", Unknown, (0.636, 0.636, RangeKind::Exact)),
    ] {
        assert_eq!(range(metric, text, below), expected, "{metric} {text} {}", below.name());
    }
}

/// What stands below the end of a ranking is told apart from the documents that nobody judged,
/// whether a measure ends at its cutoff or reads on.
#[test]
fn the_tail_is_what_the_ranking_cannot_reach() {
    for metric in ["P@10", "CWL(c='i<10')@10"] {
        let metric: Metric = metric.parse().unwrap();
        let topic = crate::measure::tests::topic::<f64>("1 - 1 0 0");
        let unknown = Vary { further: 0, below: BelowEnd::Unknown };
        let found = Ranger::new(&metric).range(&topic.view(), unknown).unwrap();
        let parts = [found.low, found.unjudged(), found.tail, found.high];
        let expected = [0.2, 0.1, 0.5, 0.8];
        let near = parts.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near, "{metric}: {parts:?}");
    }
}

#[test]
fn ranges_come_back_from_a_table() {
    for kind in KINDS {
        for undefined in [false, true] {
            let range = Range { low: 0.25, high: 0.75, tail: 0.125, kind, undefined };
            assert_eq!(Range::from_cells(&Range::cells(Some(range))), Some(range));
        }
    }
    assert_eq!(Range::from_cells(&Range::cells(None)), None);
    assert_eq!(Range::from_cells(&[0.0]), None);
}

#[test]
fn an_end_within_rounding_of_the_score_is_the_score() {
    let ends = |low, high| Range { low, high, ..Range::point(0.0) }.snapped(Some(0.3));
    let near = 0.3f64.next_up();
    assert_eq!((ends(near, 0.5).low, ends(near, 0.5).high), (0.3, 0.5));
    assert_eq!((ends(0.2, near).low, ends(0.2, near).high), (0.2, 0.3));
    assert_eq!((ends(-0.3, 0.3001).low, ends(-0.3, 0.3001).high), (-0.3, 0.3001));
}

/// A reader of INST who answers to what was found and reads on for ever. All that was retrieved is
/// judged, so nothing is open above the end; fifty relevant documents may stand below it.
#[test]
fn a_total_without_end_grows_below_the_end_alone() {
    let metric: Metric = "INST(T=2,value=total)".parse().unwrap();
    let score = |ranking: &[Option<f64>]| {
        metric.score(&OwnedTopic::<f64>::new(ranking, &[]).view()).value().unwrap()
    };
    let known = [1.0, 0.0, 1.0].map(Some);
    let longer: Vec<Option<f64>> = known.into_iter().chain([Some(1.0); 50]).collect();
    let (least, more) = (score(&known), score(&longer));
    assert!(more > least + 0.1, "{least} {more}");
    let topic: OwnedTopic = OwnedTopic::new(&known, &[]);
    let range =
        |below| Ranger::new(&metric).range(&topic.view(), Vary { further: 0, below }).unwrap();
    let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    let ended = range(BelowEnd::None);
    assert!(near(ended.low, least) && near(ended.high, least) && ended.tail == 0.0, "{ended:?}");
    let unknown = range(BelowEnd::Unknown);
    assert!(near(unknown.low, least) && unknown.high >= more, "{unknown:?}");
    assert!(near(unknown.high - unknown.tail, least), "{unknown:?}");
}

#[test]
fn a_ranking_is_continued_by_a_million_documents_at_most() {
    for (cutoff, retrieved, allowed) in [
        (1_000_001, 1, true),
        (1_000_002, 1, false),
        (1_000_002, 2, true),
        (600_001, 600_000, true),
    ] {
        let metric: Metric = format!("Success@{cutoff}").parse().unwrap();
        let topic: OwnedTopic = OwnedTopic::new(&[Some(0.0)], &[]);
        let topic = Judged { retrieved, ..topic.view() };
        let longer = Ranger::new(&metric).continued(&topic, BelowEnd::Unknown);
        assert_eq!(longer.ok().map(|topic| topic.retrieved), allowed.then_some(cutoff));
    }
}

/// Two rankings without a document in common, whose documents are all judged. Up to the cutoff each
/// goes on with documents that nobody judged, of which they may share some.
fn check_below_both(a: &[f64], b: &[f64], cutoff: usize) {
    let metric: Metric = format!("R@{cutoff}").parse().unwrap();
    let topic = |own: &[f64], others: Vec<f64>| -> OwnedTopic {
        let ranking: Vec<Option<f64>> = own.iter().copied().map(Some).collect();
        OwnedTopic::new(&ranking, &others).with_max_grade(1.0)
    };
    let (below_a, below_b) = (cutoff - a.len(), cutoff - b.len());
    let mut ends = Ends::default();
    for shared in 0..=below_a.min(below_b) {
        let all = below_a + below_b - shared;
        for code in 0..1u32 << all {
            let grades: Vec<f64> = (0..all).map(|d| f64::from(code >> d & 1)).collect();
            let (first, last) = (&grades[..below_a], &grades[all - below_b..]);
            let only_b = [b, &grades[below_a..]].concat();
            let only_a = [a, &grades[..all - below_b]].concat();
            let topics = [topic(&[a, first].concat(), only_b), topic(&[b, last].concat(), only_a)];
            let [x, y] = topics.map(|topic| metric.score(&topic.view()).value().unwrap());
            ends.add(Score::Value(x - y));
        }
    }
    let (low, high) = ends.defined.unwrap();
    let (one, two) = (topic(a, b.to_vec()), topic(b, a.to_vec()));
    let unknown = Vary { further: 0, below: BelowEnd::Unknown };
    let found = Ranger::new(&metric).difference(&one.view(), &two.view(), &[], unknown).unwrap();
    assert!(
        found.low <= low + 1e-12 && found.high >= high - 1e-12,
        "{a:?} {b:?}: {found:?}, truth {low} {high}"
    );
}

#[test]
fn what_is_below_one_ranking_may_be_relevant_for_the_other() {
    check_below_both(&[1.0], &[0.0], 3);
    check_below_both(&[1.0, 0.0], &[1.0], 3);
    check_below_both(&[1.0], &[1.0, 0.0, 0.0], 3);
    check_below_both(&[1.0, 0.0, 0.0], &[1.0], 3);
}
