//! A case that decides: two outputs against one gold standard.

use serde_json::{Value, json};

use super::case::Case;
use crate::check::Evidence;
use crate::check::witness::number;
use crate::data::organization::{
    Catalogue, Documents, ONLY_TOPIC, Organizations, WriteFormat, notation, write,
};

/// Two outputs, of which the first should be the better one, in the [notation] of organizations.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The gold standard.
    pub gold: String,
    /// The output that should be better, then the other.
    pub outputs: [Output; 2],
    /// What they show.
    pub text: String,
    /// The options with which `axio organize` gives the same scores.
    pub options: String,
}

/// A system's output with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The output.
    pub system: String,
    /// What the measure says of it.
    pub score: f64,
}

impl Instance {
    pub(super) fn new(case: &Case, good: f64, bad: f64, options: String) -> Instance {
        let write = |organization| notation::format(organization, &case.documents);
        let outputs = [(&case.good, good), (&case.bad, bad)]
            .map(|(system, score)| Output { system: write(system), score });
        let gold = write(&case.gold);
        let [a, b] = &outputs;
        let text = format!(
            "against {gold}, {} scores {}, no better than {} with {}",
            a.system,
            number(a.score),
            b.system,
            number(b.score)
        );
        Instance { gold, outputs, text, options }
    }

    /// The instance as files that `axio organize` replays, and the command.
    pub fn files(&self, measure: &str) -> Vec<(&'static str, String)> {
        let mut documents = Documents::default();
        let sides = [
            ("gold.json", &self.gold),
            ("better.json", &self.outputs[0].system),
            ("worse.json", &self.outputs[1].system),
        ];
        let parsed: Vec<_> = sides
            .into_iter()
            .filter_map(|(file, text)| Some((file, notation::parse(text, &mut documents).ok()?)))
            .collect();
        let catalogue = Catalogue::from([(ONLY_TOPIC.to_string(), documents)]);
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
        let replay = format!(
            "{}\n\nReplay:\n\n  axio organize gold.json better.json worse.json{} -m {measure}\n\n{}",
            self.text,
            self.options,
            Evidence::draw(self)
        );
        files.push(("README.txt", replay));
        files
    }
}

impl Evidence for Instance {
    fn text(&self) -> &str {
        &self.text
    }

    fn draw(&self) -> String {
        let [a, b] = &self.outputs;
        format!(
            "    gold   {}\n  better   {}   {}\n   worse   {}   {}\n",
            self.gold,
            a.system,
            number(a.score),
            b.system,
            number(b.score)
        )
    }

    fn to_json(&self) -> Value {
        let state = |output: &Output| json!({ "gold": self.gold, "system": output.system, "score": output.score });
        json!({ "states": self.outputs.iter().map(state).collect::<Vec<_>>(), "text": self.text })
    }
}
