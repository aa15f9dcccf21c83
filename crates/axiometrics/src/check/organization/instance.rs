//! A case that decides: outputs against gold standards, with their scores.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::case::Case;
use crate::check::Evidence;
use crate::check::witness::number;
use crate::data::organization::{
    DocumentCatalogue, Documents, ONLY_TOPIC, Organizations, WriteFormat, notation, write,
};

/// Outputs with their scores, in the [notation] of organizations. None if no single output shows
/// it, such as the mean of many.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// What was scored. Of a constraint: the output that should be better, then the other, against
    /// one gold standard.
    pub scored: Vec<Scored>,
    /// What they show.
    pub text: String,
    /// The options with which `axio organize` gives the same scores.
    pub options: String,
}

/// A system's output against a gold standard.
#[derive(Debug, Clone, PartialEq)]
pub struct Scored {
    /// The gold standard.
    pub gold: String,
    /// The output.
    pub system: String,
    /// What the measure says of it.
    pub score: f64,
}

/// The names of files, by case: its gold standard and the system's output.
const FILES: [[&str; 2]; 3] = [
    ["gold-1.json", "system-1.json"],
    ["gold-2.json", "system-2.json"],
    ["gold-3.json", "system-3.json"],
];

impl Instance {
    pub(super) fn new(case: &Case, good: f64, bad: f64, options: String) -> Instance {
        let write = |organization| notation::format(organization, &case.documents);
        let gold = write(&case.gold);
        let [a, b] = [(&case.good, good), (&case.bad, bad)].map(|(system, score)| Scored {
            gold: gold.clone(),
            system: write(system),
            score,
        });
        let text = format!(
            "against {gold}, {} scores {}, no better than {} with {}",
            a.system,
            number(a.score),
            b.system,
            number(b.score)
        );
        Instance { scored: vec![a, b], text, options }
    }

    /// The instance as files that `axio organize` replays, and the commands.
    pub fn files(&self, measure: &str) -> Vec<(&'static str, String)> {
        let mut documents = Documents::default();
        let mut parsed = Vec::new();
        let mut commands = String::new();
        for (Scored { gold, system, .. }, names) in self.scored.iter().zip(FILES) {
            for (name, text) in names.into_iter().zip([gold, system]) {
                if let Ok(organization) = notation::parse(text, &mut documents) {
                    parsed.push((name, organization));
                }
            }
            let _ = writeln!(
                commands,
                "  axio organize {} {}{} -m {measure}",
                names[0], names[1], self.options
            );
        }
        let catalogue = DocumentCatalogue::from([(ONLY_TOPIC.to_string(), documents)]);
        let mut files = Vec::new();
        for (file, organization) in parsed {
            let mut bytes = Vec::new();
            // Writing to memory does not fail.
            let _ = write(
                &mut bytes,
                WriteFormat::Json,
                &Organizations::from([(ONLY_TOPIC.to_string(), organization)]),
                &catalogue,
            );
            files.push((file, String::from_utf8_lossy(&bytes).into_owned()));
        }
        let replay = if files.is_empty() {
            format!(
                "{}\n\nNo single output shows this, so there is nothing to replay.\n",
                self.text
            )
        } else {
            format!("{}\n\nReplay:\n\n{commands}\n{}", self.text, Evidence::draw(self))
        };
        files.push(("README.txt", replay));
        files
    }
}

impl Evidence for Instance {
    fn text(&self) -> &str {
        &self.text
    }

    fn draw(&self) -> String {
        let mut drawn = String::new();
        let mut before = None;
        for Scored { gold, system, score } in &self.scored {
            if before != Some(gold) {
                let _ = writeln!(drawn, "    gold   {gold}");
            }
            let _ = writeln!(drawn, "  system   {system}   {}", number(*score));
            before = Some(gold);
        }
        drawn
    }

    fn to_json(&self) -> Value {
        let state = |s: &Scored| json!({ "gold": s.gold, "system": s.system, "score": s.score });
        json!({ "states": self.scored.iter().map(state).collect::<Vec<_>>(), "text": self.text })
    }
}
