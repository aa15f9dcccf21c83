//! The shipped files against the built-in measures, and what a bad file is told.

use std::sync::Arc;

use super::Component;
use crate::check::shape::SplitMix;
use crate::data::OwnedTopic;
use crate::measure::{Args, Exact, Metric, Number, Own, Score, Summary};
use crate::policy::Undefined;

fn shipped(name: &str) -> Arc<Component> {
    let path = format!("{}/../../components/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Component::parse(&path, &std::fs::read_to_string(&path).unwrap()).unwrap()
}

fn metric(file: Arc<Component>, cutoff: Option<u32>) -> Metric {
    let mut args = Args::new(file.params());
    args.set_cutoff(cutoff);
    Metric::own_with(file, args).unwrap()
}

/// Each shipped file, and the built-in measure that it is.
const PAIRS: &[(&str, Option<u32>, &str)] = &[
    ("precision", None, "SetP"),
    ("recall", None, "SetR"),
    ("p_at_n", Some(5), "P@5"),
    ("r_prec", None, "Rprec"),
    ("ap", None, "AP"),
    ("ap_at_n", Some(4), "AP@4"),
    ("gmap", None, "GMAP"),
    ("logit_ap", None, "AP"),
    ("yaap", None, "yaAP"),
    ("rr", None, "RR"),
    ("rr", Some(3), "RR@3"),
    ("rbp", None, "RBP(rel=1)"),
    ("rbp", Some(4), "RBP(rel=1)@4"),
    ("rbp_graded", None, "RBP"),
    ("rbp_graded", Some(2), "RBP@2"),
    ("ndcg", None, "nDCG"),
    ("ndcg", Some(3), "nDCG@3"),
    ("err", None, "ERR"),
    ("err", Some(3), "ERR@3"),
    ("nerr", None, "nERR"),
    ("nerr", Some(3), "nERR@3"),
    ("recall_at_k", Some(3), "R@3"),
    ("f_at_k", Some(3), "F@3"),
    ("rel_p", Some(3), "RelP@3"),
    ("success", Some(2), "Success@2"),
    ("sp", None, "SP"),
    ("sp", Some(4), "SP@4"),
    ("snap", None, "SNAP"),
    ("snap", Some(4), "SNAP@4"),
    ("set_f", None, "SetF"),
    ("set_ap", None, "SetAP"),
    ("accuracy", None, "Accuracy"),
    ("accuracy", Some(5), "Accuracy@5"),
    ("uap", None, "UAP"),
    ("uap", Some(3), "UAP@3"),
    ("hit", Some(3), "HIT@3"),
    ("dcg", None, "DCG"),
    ("dcg", Some(3), "DCG@3"),
    ("sndcg", Some(5), "SNDCG@5"),
    ("idcg", None, "IDCG"),
    ("idcg", Some(3), "IDCG@3"),
    ("q_measure", None, "Q"),
    ("q_measure", Some(4), "Q@4"),
    ("gap", None, "GAP"),
    ("gap", Some(4), "GAP@4"),
];

/// A random topic: some documents unjudged, some not retrieved, grades 0 to 3.
fn topic<N: Number>(random: &mut SplitMix) -> OwnedTopic<N> {
    let grade = |random: &mut SplitMix| N::count((random.below(5) as u32).saturating_sub(1));
    let (retrieved, missed) = (random.below(12), random.below(5));
    let ranking: Vec<Option<N>> = (0..retrieved)
        .map(|_| if random.below(4) > 0 { Some(grade(random)) } else { None })
        .collect();
    let rest: Vec<N> = (0..missed).map(|_| grade(random)).collect();
    OwnedTopic::new(&ranking, &rest)
}

#[test]
fn the_shipped_files_are_the_built_in_measures() {
    for (file, cutoff, name) in PAIRS {
        let ours = metric(shipped(file), *cutoff);
        let built_in: Metric = name.parse().unwrap();
        let mut random = SplitMix::new(7);
        let mut defined = 0;
        for _ in 0..400 {
            let exact = topic::<Exact>(&mut random);
            match (ours.score_exact(&exact.view()), built_in.score_exact(&exact.view())) {
                (Score::Value(a), Score::Value(b)) => {
                    defined += 1;
                    // Not the other way round: the built-in nDCG rounds even if its logarithms
                    // cancel out, the file does not.
                    assert!(
                        a.is_exact() || !b.is_exact(),
                        "{file} leaves the rationals and {name} does not"
                    );
                    let same = if b.is_exact() {
                        a == b
                    } else {
                        (a.to_f64() - b.to_f64()).abs() <= 1e-12
                    };
                    assert!(same, "{file} {a:?} {name} {b:?} on {exact:?}");
                }
                (Score::Undefined(_), Score::Undefined(_)) => {}
                (a, b) => panic!("{file} {a:?} {name} {b:?} on {exact:?}"),
            }
            let float = topic::<f64>(&mut random);
            if let (Score::Value(a), Score::Value(b)) =
                (ours.score(&float.view()), built_in.score(&float.view()))
            {
                assert!((a - b).abs() <= 1e-12, "{file} {a} {name} {b} on {float:?}");
            }
        }
        assert!(defined > 100, "{file}: only {defined} of the random topics have a score");
    }
}

#[test]
fn averages_over_topics_are_the_built_in_ones() {
    let aps = [0.5, 0.0, 1.0, 0.2];
    let of = |file: &str| {
        shipped(file).average().of(&mut aps.into_iter().map(Some), Undefined::Zero).unwrap()
    };
    let floored = aps.map(|x: f64| x.max(1e-5).ln());
    assert!((of("gmap") - (floored.iter().sum::<f64>() / 4.0).exp()).abs() < 1e-15);
    let logits = aps.map(|x: f64| x.clamp(1e-5, 0.99999)).map(|x| (x / (1.0 - x)).ln());
    assert!((of("logit_ap") - logits.iter().sum::<f64>() / 4.0).abs() < 1e-12);
    assert_eq!(of("ap"), 0.425);
    let file =
        |avg: &str| Component::parse("a.toml", &format!("score = \"R\"\n[avgQ]\n{avg}")).unwrap();
    let some = [Some(1.0), None, Some(3.0), Some(8.0)];
    for (avg, expected) in [
        ("agg = \"median\"\nundefined = \"skip\"", Some(3.0)),
        ("agg = \"median\"\nundefined = \"zero\"", Some(2.0)),
        ("agg = \"mean\"\nundefined = \"error\"", None),
        ("agg = \"min\"\nundefined = \"skip\"", Some(1.0)),
        ("agg = \"max\"\nundefined = \"skip\"", Some(8.0)),
        ("agg = \"hmean\"\nundefined = \"skip\"", Some(3.0 / (1.0 + 1.0 / 3.0 + 1.0 / 8.0))),
        (
            "agg = \"quasi\"\nf = \"x^2\"\nback = \"x^0.5\"\nundefined = \"skip\"",
            Some((74f64 / 3.0).sqrt()),
        ),
        ("agg = \"gmean\"\nundefined = \"zero\"", Some(0.0)),
        // A zero is one on the scale of the summary: before f if something leads back, after it
        // if nothing does.
        ("agg = \"quasi\"\nf = \"x + 1\"\nback = \"x - 1\"\nundefined = \"zero\"", Some(3.0)),
        ("agg = \"quasi\"\nf = \"x + 1\"\nundefined = \"zero\"", Some(3.75)),
    ] {
        let found = file(avg).average().of(&mut some.into_iter(), Undefined::Zero);
        assert!(
            found.is_some() == expected.is_some()
                && (found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12,
            "{avg}: {found:?}"
        );
    }
}

/// ADM by hand: |1 - 0.9|, |0.5 - 0.5|, and a relevant document that was not retrieved. Grades are
/// as they are, whatever the highest one.
#[test]
fn the_average_distance_reads_scores() {
    let adm = metric(shipped("adm"), None);
    let ranking = OwnedTopic::new(&[Some(1.0), Some(0.5)], &[1.0]).with_scores(vec![0.9, 0.5]);
    let Score::Value(x) = adm.score(&ranking.view()) else { panic!("no score") };
    assert!((x - (0.9 + 1.0 + 0.0) / 3.0).abs() < 1e-15, "{x}");
    // 1 - (0.1 + 0.65 + 0.1) / 3 = 0.7167; laid over the range by the largest grade it would be less.
    let paper =
        OwnedTopic::new(&[Some(0.8), Some(0.9), Some(0.5)], &[]).with_scores(vec![0.9, 0.25, 0.4]);
    let Score::Value(x) = adm.score(&paper.view()) else { panic!("no score") };
    assert!((x - (1.0 - (0.1 + 0.65 + 0.1) / 3.0)).abs() < 1e-12, "{x}");
    let too_high = OwnedTopic::new(&[Some(2.0)], &[]).with_scores(vec![0.5]);
    assert!(matches!(adm.score(&too_high.view()), Score::Undefined(why) if why.contains("grade")));
    // A rating of 3.5 from 1 to 5 is 3.5, and what nobody rated is not 1.
    let rated = "[alpha]\nscale = \"interval\"\nrange = [1, 5]\n[sigma]\nscale = \"interval\"\nrange = [1, 5]\n[avgD]\nover = \"D\"\nterm = \"a\"\n";
    let rated = metric(Component::parse("rated.toml", rated).unwrap(), None);
    let topic =
        OwnedTopic::new(&[Some(3.5), None, Some(5.0)], &[]).with_scores(vec![4.0, 3.0, 2.0]);
    assert_eq!(rated.score(&topic.view()).value(), Some(4.25));
    let outside = OwnedTopic::new(&[Some(1.0)], &[]).with_scores(vec![17.0]);
    assert!(matches!(adm.score(&outside.view()), Score::Undefined(why) if why.contains("scale")));
}

#[test]
fn files_are_printed_back() {
    for (name, ..) in PAIRS.iter().chain(&[("adm", None, ""), ("dcg_over_r", None, "")]) {
        let file = shipped(name);
        let printed = file.to_string();
        let again = Component::parse("again.toml", &printed)
            .unwrap_or_else(|e| panic!("{name}: {e}\n{printed}"));
        assert_eq!(again.to_string(), printed, "{name}");
    }
}

#[test]
fn a_formula_has_a_cutoff_and_none() {
    let file = shipped("dcg_over_r");
    let topic = OwnedTopic::new(&[Some(0.0), Some(1.0), Some(1.0)], &[]);
    let at = |k| metric(file.clone(), k).score(&topic.view()).value().unwrap();
    let (two, three) = (1.0 / 3f64.log2(), 0.5);
    assert!((at(None) - (two + three) / 2.0).abs() < 1e-15);
    assert!((at(Some(2)) - two / 2.0).abs() < 1e-15);
}

#[test]
fn only_what_needs_the_whole_ranking_gets_it() {
    for (file, dense) in [
        ("ap", false),
        ("ndcg", false),
        ("rbp", false),
        ("rr", false),
        ("err", false),
        ("recall", false),
        ("precision", true),
        ("adm", true),
    ] {
        assert_eq!(metric(shipped(file), None).needs().judged, dense, "{file}");
    }
}

#[test]
fn exponentials_discount_and_overflow() {
    let topic = OwnedTopic::new(&[Some(1.0), Some(0.0), Some(1.0)], &[1.0]);
    let score = |formula: &str| {
        let file = Component::parse("my.toml", &format!("score = \"{formula}\"")).unwrap();
        metric(file, None).score(&topic.view()).value()
    };
    // 1 + 1/e^2, and nothing for the document that was not retrieved.
    let discounted = score("sum(d in Rel : exp(1 - pos(d)))").unwrap();
    assert!((discounted - 1.135_335_283_236_612_7).abs() < 1e-15, "{discounted}");
    assert_eq!(score("exp(0)"), Some(1.0));
    assert_eq!(score("exp(R * 1000)"), None);
    let exact = |file: &str| {
        let file = Component::parse("my.toml", file).unwrap();
        let one = Exact::one();
        let ranking = [Some(one.clone()), Some(Exact::zero()), Some(one.clone())];
        let topic = OwnedTopic::new(&ranking, &[one]);
        metric(file, None).score_exact(&topic.view()).value().unwrap().to_f64()
    };
    let same = exact("score = \"sum(d in Rel : exp(1 - pos(d)))\"");
    assert!((same - discounted).abs() < 1e-15, "{same}");
}

#[test]
fn a_division_by_zero_is_met_at_documents_without_gain_too() {
    let topic = OwnedTopic::new(&[Some(1.0), Some(0.0), Some(0.0)], &[]);
    let score = |text: &str| {
        metric(Component::parse("my.toml", text).unwrap(), None).score(&topic.view()).value()
    };
    // The second document has no gain, and the terms divide by zero there.
    for text in [
        "score = \"sum(d in D : gain(d) / (pos(d) - 2))\"",
        "score = \"sum(d in D : gain(d) * (1 / (pos(d) - 2)))\"",
        "score = \"sum(d in D : gain(d) / log2(pos(d) - 1))\"",
        "score = \"sum(d in D where 1 / (pos(d) - 2) < 0 : gain(d))\"",
        "score = \"sum(d in Left : gain(d))\"\n[sets]\nLeft = \"1 / (pos(d) - 2) < 0\"",
        "params = { n = 2 }\nscore = \"sum(d in D : gain(d) / (pos(d) - n))\"",
        "[avgD]\nover = \"D\"\nterm = \"gain(d) / (pos(d) - 2)\"",
    ] {
        assert_eq!(score(text), None, "{text}");
    }
    let defined = "params = { n = 0.5 }\nscore = \"sum(d in D : gain(d) / (pos(d) - n))\"";
    assert_eq!(score(defined), Some(2.0));
    let file = Component::parse("my.toml", defined).unwrap();
    assert!(!metric(file, None).needs().judged);
}

#[test]
fn errors_point_at_the_column() {
    let error = |text: &str| Component::parse("my.toml", text).unwrap_err().to_string();
    let e = error("name = \"x\"\nscore = \"sum(d in D : gain(e))\"\n");
    assert_eq!(
        e,
        "my.toml:2:28: no document \"e\" here\n  2 | score = \"sum(d in D : gain(e))\"\n    |                            ^"
    );
    for (text, place, message) in [
        ("score = \"1 +\"", "1:13", "found the end"),
        ("score = \"foo(1)\"", "1:10", "unknown function"),
        ("score = \"z\"", "1:10", "unknown name \"z\", expected one of k, R"),
        ("score = \"sum(d in X : 1)\"", "1:19", "no set \"X\", expected one of D, Rel, Ret"),
        ("score = \"if(1, 2, 3)\"", "1:13", "found a number, expected a condition"),
        ("scor = \"1\"", "1:1", "unknown key \"scor\""),
        ("score = 1", "1:9", "expected a text"),
        ("score = \"1\"\n[avgD]\nover = \"D\"", "1:9", "not both"),
        ("name = \"x\"", "1:1", "neither score nor avgD"),
        ("score = ", "1:9", ""),
        ("score = \"1\"\n[alpha]\nscale = \"grades\"", "3:9", "expected one of nominal-unrelated"),
        (
            "score = \"1\"\n[alpha]\nscale = \"nominal-unrelated\"\nlevels = [\"a\", \"b\"]",
            "1:1",
            "Postulate 1",
        ),
        (
            "score = \"1\"\n[alpha]\nscale = \"nominal-within\"\nlevels = [\"a\", \"b\"]\n[sigma]\nscale = \"weak\"",
            "6:9",
            "no common structure",
        ),
        ("score = \"sum(d in D : prefers(d))\"", "1:23", "prefers takes two documents"),
        (
            "score = \"count(x in D where alpha(x) == 'Q')\"\n[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]",
            "1:41",
            "no level 'Q', expected one of 'N', 'R'",
        ),
        (
            "score = \"count(x in D where alpha(x) > 'N')\"\n[alpha]\nscale = \"nominal-across\"\nlevels = [\"N\", \"R\"]",
            "1:38",
            "have no order",
        ),
        (
            "[alpha]\nscale = \"interval\"\n[sigma]\nscale = \"interval\"\n[avgD]\nterm = \"a / s\"",
            "6:13",
            "no true zero",
        ),
        ("[avgD]\nover = \"Nope\"\nterm = \"1\"", "2:9", "no set \"Nope\""),
        ("[avgD]\nterm = \"d\"", "2:9", "is a document"),
        ("score = \"1\"\ncutoff = \"n\"", "2:10", "no parameter \"n\""),
        ("score = \"1\"\n[avgQ]\nagg = \"average\"", "3:7", "expected one of mean, sum, gmean"),
        ("score = \"1\"\n[avgQ]\nweight = \"gain(d)\"", "3:16", "no document \"d\" here"),
        ("score = \"1\"\n[avgQ]\nagg = \"median\"\nweight = \"R\"", "4:10", "no topic weighs more"),
        ("score = \"sum(d in D : ranks(d))\"", "1:23", "ranks takes two documents"),
    ] {
        let e = error(text);
        assert!(e.starts_with(&format!("my.toml:{place}: ")) && e.contains(message), "{text}\n{e}");
    }
}

#[test]
fn every_shipped_file_is_found_by_name_and_every_other_measure_says_why_it_has_none() {
    let folder = format!("{}/../../components", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|f| Some(f.unwrap().file_name().to_str()?.strip_suffix(".toml")?.to_string()))
        .collect();
    files.sort();
    assert_eq!(super::shipped_names().collect::<Vec<_>>(), files);
    for name in &files {
        assert!(super::shipped(name).is_some(), "{name}");
    }
    let mut standing = 0;
    for measure in crate::check::all_metrics() {
        match super::standing_for(&measure) {
            Some(_) => standing += 1,
            None => assert!(!super::not_expressed(&measure).unwrap().is_empty(), "{measure}"),
        }
    }
    assert_eq!(standing, 29);
    let file = |name: &str| super::standing_for(&name.parse().unwrap()).map(|m| m.to_string());
    assert_eq!(file("RBP(p=0.9)@5").as_deref(), Some("rbp_graded(p=0.9)@5"));
    assert_eq!(file("RBP(rel=1)").as_deref(), Some("rbp"));
    assert_eq!(file("AP(rel=1)").as_deref(), Some("ap"));
    assert_eq!(file("AP@7").as_deref(), Some("ap_at_n@7"));
    assert_eq!(file("AP(rel=2)"), None);
}

/// On a weak order documents of one score, and those of one grade, share a rank.
#[test]
fn ties_share_a_rank() {
    let order = |alpha: &str, sigma: &str, term: &str| {
        let text = format!(
            "[alpha]\nscale = \"{alpha}\"\n[sigma]\nscale = \"{sigma}\"\n[avgD]\nover = \"Rel\"\nagg = \"sum\"\nterm = \"{term}\"\n"
        );
        metric(Component::parse("order.toml", &text).unwrap(), None)
    };
    let topic = OwnedTopic::new(&[Some(2.0), Some(1.0), Some(3.0), Some(2.0)], &[1.0])
        .with_scores(vec![0.9, 0.7, 0.7, 0.1]);
    let score = |m: &Metric| m.score(&topic.view());
    // Ranks 1, 2, 2, 4 and none; the assessor's are 2, 4, 1, 2 and 4.
    assert_eq!(score(&order("ratio", "weak", "if(1 / pos(d) > 0, s, 0)")).value(), Some(9.0));
    assert_eq!(score(&order("ratio", "strict", "if(1 / pos(d) > 0, s, 0)")).value(), Some(10.0));
    assert_eq!(score(&order("weak", "weak", "a")).value(), Some(13.0));
    assert_eq!(score(&order("weak", "weak", "if(a == s, 1, 0)")).value(), Some(0.0));
    assert!(
        matches!(score(&order("strict", "weak", "a")), Score::Undefined(why) if why.contains("strict"))
    );
}

fn score(file: &str, topic: &str) -> Option<f64> {
    let file = Component::parse("own.toml", file).unwrap();
    metric(file, None).score(&crate::measure::tests::topic(topic).view()).value()
}

/// The share of the pairs that the judges agree on which the ranking has in the right order.
const AGREED: &str = "score = \"sum(d in D : count(x in D where prefers(x, d) and pos(x) < pos(d))) / \
    sum(d in D : count(x in D where prefers(x, d)))\"\n[alpha]\nscale = \"partial\"\n";

#[test]
fn judges_who_disagree_leave_documents_incomparable() {
    // Both prefer the first; x prefers the second to the third, y the other way round.
    assert_eq!(score(AGREED, "{x:2,y:2} {x:1} {y:1}"), Some(1.0));
    assert_eq!(score(AGREED, "{x:2,y:2} {y:1} {x:1}"), Some(1.0));
    assert_eq!(score(AGREED, "{x:1} {x:2,y:2} {y:1}"), Some(0.5));
    assert_eq!(score(AGREED, "{x:1} {y:1} | {x:2,y:2}"), Some(0.0));
    // The judges agree on nothing.
    assert_eq!(score(AGREED, "{x:1} {y:1}"), None);
    let places = "score = \"sum(d in D : alpha(d))\"\n[alpha]\nscale = \"partial\"\n";
    assert_eq!(score(places, "{x:2,y:2} {x:1} {y:1}"), Some(1.0 + 2.0 + 2.0));
}

#[test]
fn a_file_can_ask_what_was_judged() {
    let judged = "score = \"count(d in D where judged(d)) / count(d in D)\"";
    assert_eq!(score(judged, "1 0 - - | 1"), Some(3.0 / 5.0));
}

#[test]
fn sums_over_topics() {
    let file = "score = \"R\"\n[avgQ]\nagg = \"sum\"\n";
    let file = Component::parse("own.toml", file).unwrap();
    let mut scores = [Some(2.0), None, Some(0.5)].into_iter();
    assert_eq!(file.average().of(&mut scores, Undefined::Skip), Some(2.5));
    let mut one = [Some(2.0), None].into_iter();
    assert_eq!(file.average().of(&mut one, Undefined::One), Some(3.0));
}

/// A mark is the score of the run: a rejected document is listed, and not retrieved.
#[test]
fn rejected_documents_are_listed() {
    let text = "score = \"count(d in D where sigma(d) == 'R')\"\n[sigma]\n\
        scale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\nread = \"score\"\n";
    let file = Component::parse("own.toml", text).unwrap();
    assert!(file.sigma().reads_scores() && file.to_string().contains("read = \"score\""));
    assert!(Component::parse("own.toml", &text.replace("\"score\"\n", "\"tag\"\n")).is_err());
}

const MICRO: &str = "score = \"count(d in Ret where gain(d) > 0) / count(d in Ret)\"\n[avgQ]\nagg = \"mean\"\nweight = \"count(d in Ret)\"\n";

/// Scores of these of two topics: one has 1 of 3 retrieved documents relevant, the other 1 of 1.
fn topics(file: &str, wanted: &[&str]) -> crate::score::Scores {
    use crate::data::{Qrels, Run};
    let judged = [("1", "a", 1.0), ("1", "b", 0.0), ("2", "a", 1.0)];
    let found = [("1", "a", 3.0), ("1", "b", 2.0), ("1", "c", 1.0), ("2", "a", 1.0)];
    let columns = |rows: &[(&'static str, &'static str, f64)]| {
        let rows = || rows.iter().filter(|row| wanted.contains(&row.0));
        let (topics, docs): (Vec<&str>, Vec<&str>) = rows().map(|row| (row.0, row.1)).unzip();
        (topics, docs, rows().map(|row| row.2).collect::<Vec<f64>>())
    };
    let (topics, docs, grades) = columns(&judged);
    let qrels = Qrels::from_columns(&topics, &docs, &grades).unwrap();
    let (topics, docs, scores) = columns(&found);
    let run = Run::from_columns(&topics, &docs, &scores).unwrap();
    let metrics = [metric(Component::parse("f.toml", file).unwrap(), None)];
    let evaluation = crate::score::Evaluation::new(&qrels, &metrics);
    evaluation.score(&run, &mut crate::warning::Warnings::default()).unwrap()
}

#[test]
fn topics_may_weigh_differently() {
    let of = |file: &str| topics(file, &["1", "2"]).summary("f.toml", Undefined::Zero);
    // 1 of 3 and 1 of 1 are 2 of 4.
    assert_eq!(of(MICRO).unwrap(), Some(0.5));
    let weighted = "weight = \"count(d in Ret)\"\n";
    assert_eq!(of(&MICRO.replace(weighted, "")).unwrap(), Some((1.0 / 3.0 + 1.0) / 2.0));
    assert_eq!(of(&MICRO.replace("agg = \"mean\"", "agg = \"sum\"")).unwrap(), Some(2.0));
    assert_eq!(of(&MICRO.replace(weighted, "weight = \"0 * R\"\n")).unwrap(), None);
    let negative = MICRO.replace(weighted, "weight = \"1 - count(d in Ret)\"\n");
    let told = of(&negative).unwrap_err().to_string();
    assert!(told.contains("topic 1 has no weight by f.toml"), "{told}");
    let printed = Component::parse("f.toml", MICRO).unwrap().to_string();
    assert!(printed.contains("weight = \"count(d in Ret)\""), "{printed}");
    assert_eq!(Component::parse("f.toml", &printed).unwrap().to_string(), printed);
}

#[test]
fn scores_with_weights_merge() {
    let file = Component::parse("f.toml", MICRO).unwrap();
    let [first, second] = ["1", "2"].map(|topic| topics(MICRO, &[topic]));
    // Two files are two metrics, whatever they say.
    assert!(first.clone().merge(second).is_err());
    assert_eq!(first.summary("f.toml", Undefined::Zero).unwrap(), Some(1.0 / 3.0));
    let metrics = [metric(file, None)];
    let [first, second] = ["1", "2"].map(|topic| {
        let qrels = crate::data::Qrels::from_columns(&[topic], &["a"], &[1.0]).unwrap();
        let docs = if topic == "1" { vec!["a", "b", "c"] } else { vec!["a"] };
        let scores: Vec<f64> = (0..docs.len()).map(|rank| -(rank as f64)).collect();
        let run = crate::data::Run::from_columns(&vec![topic; docs.len()], &docs, &scores).unwrap();
        let evaluation = crate::score::Evaluation::new(&qrels, &metrics);
        evaluation.score(&run, &mut crate::warning::Warnings::default()).unwrap()
    });
    let whole = second.merge(first).unwrap();
    assert_eq!(whole.summary("f.toml", Undefined::Zero).unwrap(), Some(0.5));
}

#[test]
fn what_a_score_costs_is_known_before() {
    let nested = |score: &str| {
        Component::parse("x.toml", &format!("score = \"{score}\"")).map(|file| file.nesting())
    };
    for (score, power) in [
        ("sum(d in D : gain(d))", 1),
        // A running total, and what is the same for every document.
        ("sum(d in D : count(x in Rel where pos(x) <= pos(d)) / pos(d))", 1),
        ("sum(d in D : gain(d) / sum(x in D : gain(x)))", 1),
        ("sum(d in D : sum(x in D : gain(d) / (pos(d) + pos(x))))", 2),
        ("sum(d in D : gain(d) / sum(x in D : sum(y in D : 1 / (pos(x) + pos(y)))))", 2),
        (
            "sum(a in D : sum(b in D : sum(c in D : sum(d in D : pos(a) / (pos(b) + pos(c) + pos(d))))))",
            4,
        ),
    ] {
        assert_eq!(nested(score).unwrap(), power, "{score}");
    }
    let five = "sum(a in D : sum(b in D : sum(c in D : sum(d in D : sum(e in D : pos(e))))))";
    assert!(nested(five).unwrap_err().to_string().contains("more than 4 deep"));
}

#[test]
fn rounding_decides_nothing_in_rankings_that_are_not_long() {
    let score = |formula: &str, n: usize| {
        let file = Component::parse("x.toml", &format!("score = \"{formula}\"")).unwrap();
        let topic = OwnedTopic::new(&vec![Some(1.0); n], &[]);
        metric(file, None).score(&topic.view()).value()
    };
    let once = "if(0.1 + 0.2 == 0.3, 1, 0)";
    let pairs =
        "if(0.1 + 0.2 == 0.3, 1, sum(d in D : sum(x in D : gain(d) / (pos(d) + pos(x)))) * 0)";
    // Beyond, computing without rounding would take too long.
    for (formula, longest) in [(once, 1000), (pairs, 547)] {
        assert_eq!(score(formula, 1), Some(1.0), "{formula}");
        assert_eq!(score(formula, longest), Some(1.0), "{formula}");
        assert_eq!(score(formula, longest + 1), Some(0.0), "{formula}");
    }
}

#[test]
fn what_was_not_retrieved_casts_no_doubt() {
    use crate::expression::Docs;
    use crate::expression::machine::Machine;
    let file = Component::parse(
        "x.toml",
        "score = \"sum(d in D : count(x in D where pos(x) < pos(d) + 1) / (pos(d) + 1))\"",
    )
    .unwrap();
    let topic = OwnedTopic::new(&[Some(1.0), None], &[1.0, 1.0]);
    let docs = Docs::of_topic(&topic.view(), file.alpha(), file.sigma(), true).unwrap();
    let mut machine = Machine::new(&file.program, &docs, &[]);
    machine.value(&file.score);
    assert!(docs.pos.contains(&f64::INFINITY) && !machine.doubtful());
}
