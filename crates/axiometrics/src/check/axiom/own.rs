//! An axiom of one's own: a file that says what must follow from what, over two systems.
//!
//! ```toml
//! name = "better everywhere"
//! if = "none(d in D where sim(d) < other_sim(d)) and exists(d in D where sim(d) > other_sim(d))"
//! then = "first > second"
//! ```
//!
//! It is tried as the thirteen are: on all small worlds, then on random larger ones.

use toml_edit::Document;

use super::case::{number_text, sigmas, told, witness};
use super::decision::{Decision, Search};
use super::subject::AxiomSubject;
use super::world::{AxiomTally, World, all, random_worlds};
use super::{AxiomSettings, Restrict};
use crate::check::states::Probe;
use crate::check::{Verdict, Witness};
use crate::error::{Error, Result};
use crate::expression::compile::{Compiler, Language};
use crate::expression::machine::Machine;
use crate::expression::program::{Code, Program};
use crate::expression::{Fault, parse};
use crate::measure::{Metric, Number};

/// What the scores of the two systems are called.
const SCORES: [&str; 2] = ["first", "second"];

const DOCS: usize = 4;
const TRIALS: u64 = 200;

/// An axiom from a file.
#[derive(Debug, Clone)]
pub struct OwnAxiom {
    /// Its name.
    pub name: String,
    /// The premise as it was written.
    pub premise: String,
    /// The conclusion as it was written.
    pub conclusion: String,
    program: Program,
    premise_code: Code,
    conclusion_code: Code,
}

impl OwnAxiom {
    /// Reads a file of the keys name, if and then.
    pub fn parse(path: &str, text: &str) -> Result<OwnAxiom> {
        let document =
            Document::parse(text).map_err(|e| Error::usage(format!("{path}: {}", e.message())))?;
        let known = ["name", "if", "then"];
        if let Some((key, _)) = document.as_table().iter().find(|(key, _)| !known.contains(key)) {
            let message = format!("{path}: unknown key \"{key}\", expected {}", known.join(", "));
            return Err(Error::usage(message));
        }
        let value = |key: &str| {
            document.get(key).and_then(|item| item.as_str()).map(str::to_string).ok_or_else(|| {
                Error::usage(format!("{path}: no text under the key {key}"))
                    .help("an axiom has name, if and then")
            })
        };
        let (name, premise, conclusion) = (value("name")?, value("if")?, value("then")?);
        let language = Language {
            params: SCORES.map(str::to_string).to_vec(),
            two_systems: true,
            ..Language::default()
        };
        let wrong = |key: &str, text: &str, fault: &Fault| {
            let before = text.get(..fault.at).map_or(fault.at, |before| before.chars().count());
            Error::usage(format!(
                "{path}: {key}, column {}: {}\n  {text}\n  {}^",
                before + 1,
                fault.message,
                " ".repeat(before)
            ))
        };
        let mut compiler =
            Compiler::new(&language).map_err(|(_, fault)| Error::usage(fault.message))?;
        let mut condition = |key: &str, text: &str| {
            let node = parse(text).map_err(|fault| wrong(key, text, &fault))?;
            compiler.condition(&node).map_err(|fault| wrong(key, text, &fault))
        };
        let premise_code = condition("if", &premise)?;
        let conclusion_code = condition("then", &conclusion)?;
        let program = compiler.program;
        Ok(OwnAxiom { name, premise, conclusion, program, premise_code, conclusion_code })
    }

    /// Decides it for a metric.
    pub fn decide(&self, metric: &Metric, settings: AxiomSettings, seed: u64) -> Verdict {
        let restrict = settings.restrict.unwrap_or(Restrict::Renumber);
        let subject = AxiomSubject::new(metric, settings, restrict);
        if subject.component().is_none()
            && let Err(why) = Probe::new(metric)
        {
            return Verdict::NotApplicable(why);
        }
        self.search(&subject, seed).verdict
    }

    fn search(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        let docs = subject.largest_in_pairs(DOCS);
        let search = Search::new(subject, docs, seed).of_rankings();
        let mut tally = AxiomTally::default();
        for n in 1..=docs {
            let world = World::new(subject, n);
            for (a, alpha) in world.alphas.iter().enumerate() {
                for s in 0..world.firsts() {
                    for (t, other) in world.sigmas.iter().enumerate() {
                        let scores = [s, t].map(|system| world.case(a, system, all(n)).score);
                        let systems = [&world.sigmas[s], other].map(Vec::as_slice);
                        if let Some(found) =
                            self.against(subject, alpha, systems, scores, &mut tally)
                        {
                            return search.decision(&tally, Some(found));
                        }
                    }
                }
            }
        }
        let mut against = None;
        tally.trials = random_worlds(subject, docs, TRIALS, seed, |alpha, first, second, _| {
            let scores = [first, second].map(|s| subject.score(alpha, s, all(alpha.len())));
            against = self.against(subject, alpha, [first, second], scores, &mut tally);
            against.is_none()
        });
        search.decision(&tally, against)
    }

    /// The case, if it meets the premise and not the conclusion.
    fn against(
        &self,
        subject: &AxiomSubject,
        alpha: &[f64],
        systems: [&[f64]; 2],
        scores: [Option<f64>; 2],
        tally: &mut AxiomTally,
    ) -> Option<Witness> {
        let [Some(first), Some(second)] = scores else {
            tally.skipped += 1;
            return None;
        };
        let docs = subject.two_systems(alpha, systems);
        let mut holds = |code: &Code| {
            let values = [first, second];
            let mut machine = Machine::new(&self.program, &docs, &values);
            let holds = machine.value(code) != 0.0 && !machine.undefined();
            if !machine.doubtful() {
                return Some(holds);
            }
            // Rounding may have decided it.
            let whole = all(alpha.len());
            let [Some(first), Some(second)] = systems.map(|s| subject.exact(alpha, s, whole))
            else {
                tally.skipped += 1;
                return None;
            };
            let (docs, values) = (docs.exactly(), [first, second]);
            let mut machine = Machine::new(&self.program, &docs, &values);
            Some(!machine.value(code).is_zero() && !machine.undefined())
        };
        if !holds(&self.premise_code)? {
            return None;
        }
        let concluded = holds(&self.conclusion_code)?;
        tally.premises += 1;
        if concluded {
            return None;
        }
        let whole = all(alpha.len());
        let cases = systems.map(|sigma| subject.case(alpha, sigma, whole));
        let text = format!(
            "{}, second system {}: first {}, second {}",
            told(subject, cases[0]),
            sigmas(subject, cases[1]),
            number_text(scores[0]),
            number_text(scores[1])
        );
        Some(witness(subject, &cases, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(axiom: &str, metric: &str) -> Verdict {
        let axiom = OwnAxiom::parse("own.toml", axiom).unwrap();
        axiom.decide(&metric.parse().unwrap(), AxiomSettings::default(), 1)
    }

    /// A system that has every relevant document no lower, and one higher, is better.
    const BETTER: &str = "name = 'up'\nif = '''none(d in Rel where pos(d) > other_pos(d)) and \
        exists(d in Rel where pos(d) < other_pos(d))'''\nthen = 'first > second'\n";

    #[test]
    fn ap_has_it_and_rr_has_not() {
        assert!(verdict(BETTER, "AP").holds());
        let refuted = verdict(BETTER, "RR");
        assert!(refuted.is_violated());
        assert!(refuted.witness().unwrap().states.len() == 2);
    }

    #[test]
    fn rounding_is_no_case_against_an_axiom() {
        // 0.1 + 0.2 is 0.3, but not in floats.
        let tenths = "score = 'sum(d in D where pos(d) <= 2 : gain(d) / 10)'";
        let file = crate::component::Component::parse("tenths.toml", tenths).unwrap();
        let metric = Metric::own(file).unwrap();
        let same = "name = 'same'\nif = \"\"\"sum(d in D where pos(d) <= 2 : gain(d)) ==
            sum(d in D where other_pos(d) <= 2 : gain(d))\"\"\"\nthen = 'first == second'";
        let axiom = OwnAxiom::parse("own.toml", same).unwrap();
        let verdict = axiom.decide(&metric, AxiomSettings::default(), 1);
        assert!(verdict.holds(), "{}", verdict.reason());
    }

    #[test]
    fn what_no_case_meets_is_vacuous() {
        let never = "name = 'n'\nif = 'first > second and first < second'\nthen = 'first == 1'";
        assert!(matches!(verdict(never, "AP"), Verdict::Vacuous(_)));
    }

    #[test]
    fn faults_show_the_place() {
        for (text, message) in [
            ("name = 'x'\nif = '1 = 2'\nthen = 'first > second'", "own.toml: if, column 3"),
            ("name = 'x'\nif = 'first > 0'\nthen = 'third > 0'", "own.toml: then, column 1"),
            ("name = 'x'\nif = 'first > 0'", "own.toml: no text under the key then"),
            ("name = 'x'\nwhen = ''", "own.toml: unknown key \"when\""),
        ] {
            let error = OwnAxiom::parse("own.toml", text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
