//! A case that decides: rankings small enough to check by hand, to draw side by side and to write
//! out for a replay.

mod world;

use std::fmt::Write as _;

use serde_json::{Value, json};

/// One ranking of one collection, seen down to a depth.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The gains of all documents of the collection, in rank order.
    pub gains: Vec<f64>,
    /// How many of them the metric sees; the others count for the collection only.
    pub k: u32,
    /// The score, `None` if it is undefined.
    pub score: Option<f64>,
}

/// The states that decide a check, and the comparison in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// The states in the order in which the text compares them; for an unbounded metric a growing
    /// family.
    pub states: Vec<State>,
    /// What they show.
    pub text: String,
    /// The maximum grade of the judgements, which some metrics divide by.
    pub max_grade: f64,
    /// What systems said of the documents, if that is more than a ranking: then there are no
    /// states.
    pub worlds: Vec<MeasuredWorld>,
}

/// Documents that an assessor and a system measured, and what the metric makes of them.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredWorld {
    /// The documents.
    pub documents: Vec<MeasuredDocument>,
    /// The score, `None` if it is undefined.
    pub score: Option<f64>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredDocument {
    /// Its number in the text of the witness, from 1.
    pub number: usize,
    /// What the assessor says: a number, and as the metric's scale has it.
    pub alpha: (f64, String),
    /// What the system says.
    pub sigma: (f64, String),
    /// Its score in a run that says so; `None` if it is not retrieved.
    pub run_score: Option<f64>,
}

/// What decides a check, whatever kind of output the metric scores.
pub trait Evidence {
    /// What it shows, in a sentence.
    fn text(&self) -> &str;
    /// Its parts side by side.
    fn draw(&self) -> String;
    /// Its parts for programs.
    fn to_json(&self) -> Value;
}

impl Evidence for Witness {
    fn text(&self) -> &str {
        &self.text
    }

    fn draw(&self) -> String {
        Witness::draw(self)
    }

    fn to_json(&self) -> Value {
        let state = |s: &State| json!({ "gains": s.gains, "k": s.k, "score": s.score });
        let document = |d: &MeasuredDocument| json!({ "document": d.number, "alpha": d.alpha.0, "sigma": d.sigma.0 });
        let world = |w: &MeasuredWorld| json!({ "documents": w.documents.iter().map(document).collect::<Vec<_>>(), "score": w.score });
        let states: Vec<Value> = self.states.iter().map(state).collect();
        let mut out = json!({ "states": states, "text": self.text, "max_grade": self.max_grade });
        if !self.worlds.is_empty() {
            out["worlds"] = self.worlds.iter().map(world).collect();
        }
        out
    }
}

impl State {
    /// The ranking as text: the top k, a bar, the rest. Gains of one digit stand together.
    pub fn ranking(&self) -> String {
        let digits = self.gains.iter().all(|g| (0.0..10.0).contains(g) && g.fract() == 0.0);
        let part = |gains: &[f64]| {
            // A long run of one gain is told by its length: `0^1001`.
            let runs: Vec<&[f64]> = gains.chunk_by(|a, b| a == b).collect();
            let long = runs.iter().any(|run| run.len() > LONG_RUN);
            let text = |run: &[f64]| {
                if run.len() > LONG_RUN {
                    return format!("{}^{}", gain(run[0]), run.len());
                }
                let texts: Vec<String> = run.iter().map(|g| gain(*g)).collect();
                texts.join(if digits { "" } else { " " })
            };
            let texts: Vec<String> = runs.into_iter().map(text).collect();
            texts.join(if digits && !long { "" } else { " " })
        };
        let (top, rest) = self.gains.split_at((self.k as usize).min(self.gains.len()));
        if digits {
            format!("{}|{}", part(top), part(rest))
        } else {
            format!("{} | {}", part(top), part(rest)).trim_end().to_string()
        }
    }

    /// The score as text.
    pub fn score_text(&self) -> String {
        self.score.map_or_else(|| "undefined".to_string(), number)
    }
}

/// Longer runs of one gain are told by their length.
const LONG_RUN: usize = 12;

/// The scores of states as text, each to so many places that different ones look different.
pub(super) fn apart<'s>(states: impl IntoIterator<Item = &'s State>) -> Vec<String> {
    numbers(&states.into_iter().map(|s| s.score).collect::<Vec<_>>())
}

/// Numbers as text, each to so many places that different ones look different.
pub fn numbers(all: &[Option<f64>]) -> Vec<String> {
    let different = |texts: &[String]| {
        all.iter().enumerate().all(|(i, a)| {
            all.iter().zip(texts).take(i).all(|(b, text)| a == b || *text != texts[i])
        })
    };
    let write = |x: &Option<f64>, text: &dyn Fn(f64) -> String| {
        x.map_or_else(|| "undefined".to_string(), text)
    };
    let few: Vec<String> = all.iter().map(|x| write(x, &number)).collect();
    if different(&few) {
        return few;
    }
    all.iter().map(|x| write(x, &|x| x.to_string())).collect()
}

/// A gain as a person writes it: quarters as fractions.
pub fn gain(g: f64) -> String {
    crate::number::fraction(g)
}

/// A score to four places, without trailing zeros; more places if four would show nothing.
pub fn number(x: f64) -> String {
    if x != 0.0 && x.abs() < 5e-5 {
        return format!("{x:.3e}");
    }
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

impl Witness {
    /// The rankings side by side, rank by rank; or what was said of each document, on a line.
    pub fn draw(&self) -> String {
        if !self.worlds.is_empty() {
            return world::draw(&self.worlds);
        }
        let depth = self.states.iter().map(|s| s.gains.len()).max().unwrap_or(0);
        let heads: Vec<String> = (1..=self.states.len()).map(|i| format!("state {i}")).collect();
        let mut columns: Vec<Vec<String>> = Vec::new();
        for (state, head) in self.states.iter().zip(&heads) {
            let mut column = vec![head.clone()];
            for rank in 1..=depth {
                let mark = if rank == state.k as usize { " <k" } else { "" };
                column.push(
                    state
                        .gains
                        .get(rank - 1)
                        .map_or_else(String::new, |g| format!("{}{mark}", gain(*g))),
                );
            }
            column.push(state.score_text());
            columns.push(column);
        }
        let widths: Vec<usize> =
            columns.iter().map(|c| c.iter().map(String::len).max().unwrap_or(0)).collect();
        let mut text = String::new();
        for row in 0..depth + 2 {
            let label = match row {
                0 => "rank".to_string(),
                r if r == depth + 1 => "score".to_string(),
                r => r.to_string(),
            };
            let mut line = format!("{label:>7}");
            for (column, width) in columns.iter().zip(&widths) {
                let _ = write!(line, "   {:<width$}", column[row]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// The witness as files that `axio eval` replays: judgements, a run, what must come out, and
    /// the command. Each state is a topic of its own; `measure` names the metric that scores a
    /// state. A witness that no run can show is told in words alone.
    pub fn files(&self, measure: impl Fn(&State) -> String) -> Vec<(&'static str, String)> {
        if !self.worlds.is_empty() {
            let name = measure(&State { gains: Vec::new(), k: u32::MAX, score: None });
            return world::files(self, &name);
        }
        if self.states.is_empty() {
            return vec![(
                "README.txt",
                format!(
                    "{}\n\nNo ranking on its own shows this, so there is nothing to replay.\n",
                    self.text
                ),
            )];
        }
        let (mut qrels, mut run, mut expected) =
            (String::new(), String::new(), String::from("topic\tmeasure\tscore\n"));
        let mut measures: Vec<String> = Vec::new();
        for (topic, state) in (1..).zip(&self.states) {
            let name = measure(state);
            for (rank, g) in (1..).zip(&state.gains) {
                let _ = writeln!(qrels, "{topic} 0 d{rank} {g}");
                if rank <= state.k {
                    let _ =
                        writeln!(run, "{topic} Q0 d{rank} {rank} {} witness", state.k + 1 - rank);
                }
            }
            let _ = writeln!(
                expected,
                "{topic}\t{name}\t{}",
                state.score.map_or_else(|| "NA".to_string(), |s| s.to_string())
            );
            if !measures.contains(&name) {
                measures.push(name);
            }
        }
        let replay = format!(
            "{}\n\nEach topic is one state. Replay, and compare with expected.tsv:\n\n  axio eval qrels.txt witness.run --per-topic --max-grade {} -m '{}'\n\n{}",
            self.text,
            self.max_grade,
            measures.join(" "),
            self.draw()
        );
        vec![
            ("qrels.txt", qrels),
            ("witness.run", run),
            ("expected.tsv", expected),
            ("README.txt", replay),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(gains: &[f64], k: u32, score: Option<f64>) -> State {
        State { gains: gains.to_vec(), k, score }
    }

    #[test]
    fn rankings_read_as_in_the_paper() {
        assert_eq!(state(&[1.0, 0.0, 1.0], 2, None).ranking(), "10|1");
        assert_eq!(state(&[1.0, 0.25, 0.0], 2, None).ranking(), "1 1/4 | 0");
        assert_eq!(state(&[0.5], 1, None).ranking(), "1/2 |");
    }

    #[test]
    fn two_rankings_stand_side_by_side() {
        let w = Witness {
            states: vec![state(&[1.0, 0.0, 1.0], 2, Some(1.0)), state(&[1.0, 1.0, 0.0], 2, None)],
            text: String::new(),
            max_grade: 1.0,
            worlds: Vec::new(),
        };
        let drawn = "   rank   state 1   state 2\n      1   1         1\n      2   0 <k      1 <k\n      3   1         0\n  score   1         undefined\n";
        assert_eq!(w.draw(), drawn);
    }

    #[test]
    fn files_hold_one_topic_per_state() {
        let w = Witness {
            states: vec![state(&[1.0, 0.0], 1, Some(1.0)), state(&[1.0, 0.0], 2, Some(0.5))],
            text: "falls".to_string(),
            max_grade: 1.0,
            worlds: Vec::new(),
        };
        let files = w.files(|s| format!("P@{}", s.k));
        assert_eq!(files[0].1, "1 0 d1 1\n1 0 d2 0\n2 0 d1 1\n2 0 d2 0\n");
        assert_eq!(files[1].1, "1 Q0 d1 1 1 witness\n2 Q0 d1 1 2 witness\n2 Q0 d2 2 1 witness\n");
        assert_eq!(files[2].1, "topic\tmeasure\tscore\n1\tP@1\t1\n2\tP@2\t0.5\n");
        assert!(files[3].1.contains("-m 'P@1 P@2'"));
    }
}
