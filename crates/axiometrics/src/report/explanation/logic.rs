//! What follows from the axioms alone, and verdicts on axioms of one's own.

use serde::Serialize;
use serde_json::json;

use super::super::format::OutputFormat;
use super::super::model::Report;
use super::super::page::{Block, Page, Section};
use super::super::table::{Cell, Column, Style, Table};
use crate::check::Verdict;
use crate::check::axiom::{AxiomLogic, Consequence, OwnAxiom};
use crate::choice::Choice;

/// Which axioms exclude each other, and which follow from others, on scales of some numbers of
/// levels.
#[derive(Debug, Clone)]
pub struct AxiomLogicReport {
    /// The numbers of levels.
    pub levels: Vec<u8>,
}

impl Default for AxiomLogicReport {
    /// Relevant or not, three levels, and four, on which every axiom has something to say.
    fn default() -> AxiomLogicReport {
        AxiomLogicReport { levels: vec![2, 3, 4] }
    }
}

/// Those that put two documents in order.
const ORDERING: [usize; 5] = [5, 6, 7, 8, 9];

const FRAME: &str = "One query, one ordered scale for assessor and system, a document the more similar the nearer the two values are. a1s0 is a document of which the assessor says 1 and the system 0. Axioms 1 to 4 and 10 hold in this frame by themselves; 13 speaks of several queries and is left out, and so is (c) of axiom 11.";

impl AxiomLogicReport {
    fn page(&self) -> Page {
        let section = |heading: String, blocks| Section { heading, blocks };
        let frame = vec![Block::Paragraph(FRAME.to_string())];
        let mut sections = vec![section("The frame".to_string(), frame)];
        for logic in self.levels.iter().map(|levels| AxiomLogic::new(*levels)) {
            let mut blocks = Vec::new();
            for contradiction in logic.contradictions() {
                let names = numbers(&contradiction.axioms);
                blocks.push(Block::Paragraph(format!("No metric has axioms {names} together:")));
                blocks.push(Block::Lines(contradiction.steps));
            }
            if let Some(values) = logic.model(&ORDERING) {
                blocks.push(Block::Paragraph(format!(
                    "Axioms 5 to 9 can be had together, and 10 and 12 with them: by the sum of these values over all documents. {}",
                    told(&values)
                )));
            }
            let points = ORDERING.iter().map(|axiom| one(&logic, *axiom)).collect();
            blocks.push(Block::List(points));
            sections.push(section(format!("{} levels", logic.levels()), blocks));
        }
        Page { title: "What follows from the axioms alone".to_string(), sections }
    }
}

fn numbers(axioms: &[usize]) -> String {
    axioms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn told(values: &[((u8, u8), u32)]) -> String {
    let one = |((a, s), value): &((u8, u8), u32)| format!("a{a}s{s} {value}");
    values.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What becomes of an axiom if the other four are given.
fn one(logic: &AxiomLogic, axiom: usize) -> String {
    let others: Vec<usize> = ORDERING.into_iter().filter(|other| *other != axiom).collect();
    match logic.consequence(axiom, &others) {
        Consequence::Vacuous => format!("axiom {axiom}: no two documents meet its premises"),
        Consequence::Follows => format!("axiom {axiom} follows from {}", numbers(&others)),
        Consequence::Open => format!(
            "axiom {axiom}: every sum of values that has {} has it too; of other metrics nothing is known",
            numbers(&others)
        ),
        Consequence::Independent { values, fails: ((a, s), (b, t)) } => format!(
            "axiom {axiom} does not follow from {}: the sum of {} has these, and a{a}s{s} is not above a{b}s{t}",
            numbers(&others),
            told(&values)
        ),
    }
}

impl Report for AxiomLogicReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![self.page().table()]
    }

    fn rows(&self) -> Table {
        self.page().table()
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let scale = |levels: &u8| {
            let logic = AxiomLogic::new(*levels);
            let contradictions: Vec<_> = logic
                .contradictions()
                .into_iter()
                .map(|c| json!({ "axioms": c.axioms, "steps": c.steps }))
                .collect();
            let consequences: Vec<String> =
                ORDERING.iter().map(|axiom| one(&logic, *axiom)).collect();
            json!({ "levels": levels, "contradictions": contradictions, "consequences": consequences })
        };
        json!({ "frame": FRAME, "scales": self.levels.iter().map(scale).collect::<Vec<_>>() })
    }

    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        self.page().render(format, style)
    }
}

/// Verdicts on axioms of one's own.
#[derive(Debug, Clone)]
pub struct OwnAxiomReport<'a> {
    /// The axioms.
    pub axioms: &'a [OwnAxiom],
    /// Of each metric, what came of each axiom.
    pub verdicts: Vec<(String, Vec<Verdict>)>,
}

impl Report for OwnAxiomReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        for OwnAxiom { name, premise, conclusion, .. } in self.axioms {
            table.footnotes.push(format!("{name}: if {premise}, then {conclusion}"));
        }
        vec![table]
    }

    fn rows(&self) -> Table {
        let titles = ["metric", "axiom", "verdict", "how", "why"];
        let mut table = Table::new(titles.map(Column::text).to_vec());
        for (metric, verdicts) in &self.verdicts {
            for (axiom, verdict) in self.axioms.iter().zip(verdicts) {
                table.push(vec![
                    Cell::text(metric),
                    Cell::text(&axiom.name),
                    Cell::text(verdict.word()),
                    Cell::text(verdict.how().map_or("", Choice::name)),
                    Cell::text(verdict.reason()),
                ]);
            }
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let verdict = |(axiom, verdict): (&OwnAxiom, &Verdict)| {
            json!({
                "axiom": axiom.name,
                "verdict": verdict.word(),
                "how": verdict.how().map(Choice::name),
                "why": verdict.reason(),
            })
        };
        let metric = |(metric, verdicts): &(String, Vec<Verdict>)| {
            let all: Vec<_> = self.axioms.iter().zip(verdicts).map(verdict).collect();
            json!({ "metric": metric, "verdicts": all })
        };
        json!({ "metrics": self.verdicts.iter().map(metric).collect::<Vec<_>>() })
    }
}
