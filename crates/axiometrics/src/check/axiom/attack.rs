//! An attack on the rules: random files, whose pieces are chosen to break them. What a rule proves
//! is searched far beyond the default, and a case against it fails the test.

use super::tests::{file, finding};
use super::{AxiomSettings, Restrict};
use crate::check::Verdict;
use crate::check::shape::SplitMix;

const SCALES: &[&str] = &[
    "[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n[sigma]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\n",
    "[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"P\", \"R\"]\ngain = [-1, 0, 2]\n[sigma]\nscale = \"strict\"\n",
    "[alpha]\nscale = \"ratio\"\n[sigma]\nscale = \"strict\"\n",
    "[alpha]\nscale = \"ratio\"\n[sigma]\nscale = \"weak\"\n",
    "[alpha]\nscale = \"interval\"\nrange = [-1, 1]\n[sigma]\nscale = \"interval\"\nrange = [-1, 1]\n",
];

const SETS: &[&str] = &[
    "gain(d) > 0",
    "gain(d) >= 0",
    "1 / pos(d) > 0",
    "gain(d) > 0 and count(x in D) < 4",
    "count(x in D where gain(x) > 0) > 1",
    "ideal(d) <= 2",
    "gain(d) > 0 or pos(d) > 3",
    "gain(d) != 1",
];

const TERMS: &[&str] = &[
    "gain(d)",
    "1",
    "gain(d) / pos(d)",
    "gain(d) / (pos(d) * (pos(d) - 5))",
    "if(pos(d) > 3, 0 - gain(d), gain(d))",
    "gain(d) * 0.5^pos(d)",
    "gain(d) * R",
    "gain(d) / ideal(d)",
    "max(gain(d), 1) / log2(pos(d) + 1)",
    "1 / (gain(d) - 2)",
    "ln(gain(d))",
    "gain(d) * max_grade",
    "count(x in D where pos(x) <= pos(d)) / pos(d)",
    "if(pos(d) == 6, 7, 1 / pos(d))",
    "min(pos(d), 4)",
    "2^(0 - gain(d))",
    "gain(d)^pos(d)",
];

const NORMS: &[&str] = &[
    "",
    "R",
    "1 + R",
    "R - 0.2 * count(x in D)",
    "R - 2",
    "sum(x in D : gain(x))",
    "sum(x in D : gain(x) / log2(ideal(x) + 1))",
    "sum(x in D : gain(x) - 1)",
    "max(x in D : gain(x))",
    "0 - 1",
    "count(x in D where 1 / pos(x) > 0)",
    "count(x in D) - 4",
    "max(1, R)",
    "2^(3 - R)",
    "product(x in D : gain(x))",
    "if(count(x in D) > 5, 0 - 1, 1)",
    "abs(R - 3)",
];

const AVERAGES: &[&str] = &[
    "agg = \"mean\"",
    "agg = \"mean\"\nundefined = \"skip\"",
    "agg = \"mean\"\nundefined = \"error\"",
    "agg = \"gmean\"",
    "agg = \"gmean\"\nfloor = 0.001\nundefined = \"skip\"",
    "agg = \"quasi\"\nf = \"ln(max(x, 0.01))\"\nundefined = \"skip\"",
    "agg = \"quasi\"\nf = \"1 / x\"",
    "agg = \"quasi\"\nf = \"x * x\"\nundefined = \"zero\"",
    "agg = \"hmean\"\nundefined = \"skip\"",
    "agg = \"median\"",
];

/// A random file.
fn text(random: &mut SplitMix) -> String {
    let mut pick = |of: &[&'static str]| of[random.below(of.len() as u64) as usize];
    let (scales, set, term, norm) = (pick(SCALES), pick(SETS), pick(TERMS), pick(NORMS));
    let over = pick(&["D", "Mine", "Mine", "Rel", "Ret"]);
    let agg = if norm.is_empty() { pick(&["mean", "sum", "max"]) } else { "sum" };
    let norm = if norm.is_empty() { String::new() } else { format!("norm = \"{norm}\"\n") };
    let filter = pick(&["", "", "where = \"pos(d) <= 3\"\n", "where = \"gain(d) < 2\"\n"]);
    let sim = pick(&["1 - abs(gain(d) - 1)", "gain(d) / (1 + R)", "if(pos(d) < 3, 1, gain(d))"]);
    let empty = pick(&["undefined", "zero", "one"]);
    let average = pick(AVERAGES);
    format!(
        "{scales}[sets]\nMine = \"{set}\"\n[sim]\nexpr = \"{sim}\"\n[avgD]\nover = \"{over}\"\n{filter}agg = \"{agg}\"\nterm = \"{term}\"\n{norm}empty = \"{empty}\"\n[avgQ]\n{average}\n"
    )
}

/// Attacks the rules on these files, in worlds of so many documents and by so many random ones of
/// each larger size; how many proofs were attacked.
fn attack(seeds: std::ops::Range<u64>, docs: Option<u32>, trials: u64) -> u32 {
    let mut proofs = 0;
    for seed in seeds {
        let text = text(&mut SplitMix::new(seed));
        let metric = file(&text, "attack.toml");
        for number in [1, 2, 3, 10, 12, 13] {
            let restrict = Some(if seed % 2 == 0 { Restrict::Keep } else { Restrict::Renumber });
            let settings =
                AxiomSettings { restrict, docs, trials: Some(trials), ..AxiomSettings::default() };
            let verdict = finding(number, &metric, settings).verdict;
            assert!(
                !verdict.reason().contains("a rule proves it"),
                "seed {seed}, axiom {number}: {verdict:?}\n{text}"
            );
            proofs += u32::from(matches!(verdict, Verdict::Proved { .. }));
        }
    }
    proofs
}

/// As many files as `ATTACK` says.
#[test]
fn no_rule_is_refuted() {
    let proofs = attack(crate::check::attack::seeds(40), Some(2), 40);
    println!("{proofs} proofs attacked");
    assert!(proofs > 20, "only {proofs} proofs were attacked");
}

fn of(rest: &str) -> crate::measure::Metric {
    let scales = "[alpha]\nscale = \"ratio\"\n[sigma]\nscale = \"strict\"\n";
    file(&format!("{scales}{rest}"), "case.toml")
}

/// A norm whose sign depends on which documents are there.
#[test]
fn a_norm_that_changes_sign_proves_nothing() {
    let keep = AxiomSettings { restrict: Some(Restrict::Keep), ..AxiomSettings::default() };
    for norm in ["R - 0.2 * count(x in D)", "R - 2", "count(x in D) - 4"] {
        let metric = of(&format!(
            "[avgD]\nover = \"D\"\nagg = \"sum\"\nterm = \"gain(d) / pos(d)\"\nnorm = \"{norm}\"\n"
        ));
        let verdict = finding(12, &metric, keep).verdict;
        assert!(verdict.is_violated(), "{norm}: {verdict:?}");
    }
    let small = of(
        "[sets]\nFew = \"count(x in D) < 4\"\n[avgD]\nover = \"Few\"\nagg = \"sum\"\nterm = \"gain(d) / pos(d)\"\nempty = \"zero\"\n",
    );
    assert!(finding(12, &small, keep).verdict.is_violated());
}

/// A term that one system can make undefined, and the other not.
#[test]
fn skipped_queries_prove_nothing_if_systems_decide_which() {
    let metric = of(
        "[avgD]\nover = \"Rel\"\nagg = \"sum\"\nterm = \"gain(d) / (pos(d) * (pos(d) - 5))\"\nempty = \"zero\"\n[avgQ]\nagg = \"mean\"\nundefined = \"skip\"\n",
    );
    let verdict = finding(13, &metric, AxiomSettings::default()).verdict;
    assert!(verdict.is_violated(), "{verdict:?}");
}

/// A case in floating point against a rule decides nothing, and the verdict says both.
#[test]
fn a_case_against_a_rule_leaves_the_axiom_open() {
    use super::decision::Search;
    use super::subject::AxiomSubject;
    use super::world::AxiomTally;
    let subject =
        AxiomSubject::new(&"AP".parse().unwrap(), AxiomSettings::default(), Restrict::Keep);
    let witness = super::case::witness(&subject, &[], "a case".to_string());
    let verdict = Search::new(&subject, 3, 1)
        .with_rule(Some("a wrong rule"))
        .verdict(&AxiomTally { premises: 1, ..AxiomTally::default() }, Some(witness));
    assert!(matches!(verdict, Verdict::Undecided(_)));
    assert!(
        verdict.reason().contains("a rule proves it (a wrong rule), but in floating point a case")
    );
}
