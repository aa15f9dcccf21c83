//! Measured documents, drawn and written out.

use std::fmt::Write as _;

use super::{MeasuredDocument, MeasuredWorld, Witness, number};
use crate::check::axiom::on_a_line;

/// The width of a line that stands for a scale.
const WIDTH: usize = 32;

/// The worlds one below the other: of each document what the assessor said (`a`) and the system
/// (`s`), the lowest value on the left.
pub(super) fn draw(worlds: &[MeasuredWorld]) -> String {
    let all = || worlds.iter().flat_map(|world| &world.documents);
    // On one scale both have their place on one line; a ranking has a line of its own.
    let one_scale = all().all(|d| d.run_score.is_none_or(|score| score == d.sigma.0));
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let of_alphas = ends(&mut all().map(|d| d.alpha.0));
    let of_scores = ends(&mut all().filter_map(|d| d.run_score));
    let both = (of_alphas.0.min(of_scores.0), of_alphas.1.max(of_scores.1));
    let [alphas, scores] = if one_scale { [both, both] } else { [of_alphas, of_scores] };
    let place = |x: f64, (low, high): (f64, f64)| {
        let share = if high > low { (x - low) / (high - low) } else { 0.5 };
        (share.clamp(0.0, 1.0) * (WIDTH - 4) as f64) as usize
    };
    let mut text = String::new();
    for (at, world) in (1..).zip(worlds) {
        let score = world.score.map_or_else(|| "undefined".to_string(), number);
        // Writing to a string does not fail.
        let _ = writeln!(text, "  state {at}: score {score}");
        for document in &world.documents {
            let MeasuredDocument { number, alpha, sigma, run_score } = document;
            let system = run_score.map(|score| ("s", place(score, scores)));
            let a = place(alpha.0, alphas);
            let line = on_a_line(WIDTH, [("a", a)].into_iter().chain(system));
            let said = if run_score.is_some() { sigma.1.as_str() } else { "-" };
            let _ = writeln!(text, "  d{number:<3} {line}  alpha {}, sigma {said}", alpha.1);
        }
    }
    text
}

/// The worlds as files that `axio eval` replays: each is a topic of its own.
pub(super) fn files(witness: &Witness, measure: &str) -> Vec<(&'static str, String)> {
    let (mut qrels, mut run) = (String::new(), String::new());
    let mut expected = String::from("topic\tmeasure\tscore\n");
    for (topic, world) in (1..).zip(&witness.worlds) {
        let mut ranked: Vec<&MeasuredDocument> = world.documents.iter().collect();
        for document in &ranked {
            let _ = writeln!(qrels, "{topic} 0 d{} {}", document.number, document.alpha.0);
        }
        ranked.retain(|document| document.run_score.is_some());
        ranked.sort_by(|a, b| {
            b.run_score.partial_cmp(&a.run_score).unwrap_or(a.number.cmp(&b.number))
        });
        for (rank, document) in (1..).zip(ranked) {
            let score = document.run_score.unwrap_or_default();
            let _ = writeln!(run, "{topic} Q0 d{} {rank} {score} witness", document.number);
        }
        let score = world.score.map_or_else(|| "NA".to_string(), |score| score.to_string());
        let _ = writeln!(expected, "{topic}\t{measure}\t{score}");
    }
    let replay = format!(
        "{}\n\nEach topic is one state. Replay, and compare with expected.tsv:\n\n  axio eval qrels.txt witness.run --per-topic --max-grade {} -m '{measure}'\n\n{}",
        witness.text,
        witness.max_grade,
        draw(&witness.worlds)
    );
    vec![
        ("qrels.txt", qrels),
        ("witness.run", run),
        ("expected.tsv", expected),
        ("README.txt", replay),
    ]
}
