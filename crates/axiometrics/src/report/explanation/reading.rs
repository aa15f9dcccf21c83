//! The user behind a measure, on its page.

use super::super::number::number;
use super::super::page::{Block, Section};
use crate::data::OwnedTopic;
use crate::measure::Metric;
use crate::measure::user::Walk;

/// The ranks at which a user who looks at the rank alone is shown.
const RANKS: [u32; 9] = [1, 2, 3, 4, 5, 10, 20, 50, 100];

/// The ranking on which one is shown who heeds what is found.
const SAMPLE: &[u8] = &[0, 1, 0, 1, 1, 0, 0, 1];

/// A user on a ranking: how the page shows one, and what other documents are made of.
#[derive(Debug, Clone)]
pub struct ReadingExample {
    /// C(i), as a formula.
    pub continuation: String,
    /// W(i), if it is a formula of its own.
    pub weight: Option<String>,
    /// The ranking, if C depends on it.
    pub ranking: Option<String>,
    /// What is done on it.
    pub walk: Walk,
    /// The ranks that are worth showing.
    pub ranks: Vec<u32>,
}

impl ReadingExample {
    /// The user of a measure, on a ranking where what is found matters. `None` if the measure
    /// models none.
    pub fn of(metric: &Metric) -> Option<ReadingExample> {
        let user = metric.user()?;
        let grades: Vec<Option<f64>> =
            SAMPLE.iter().filter(|_| user.adaptive).map(|grade| Some(f64::from(*grade))).collect();
        let ranking =
            user.adaptive.then(|| SAMPLE.iter().map(u8::to_string).collect::<Vec<_>>().join(" "));
        let topic = OwnedTopic::new(&grades, &[]);
        let view = topic.view();
        let deepest = if user.adaptive { view.retrieved } else { RANKS[RANKS.len() - 1] };
        let walk = user.walk(&view, deepest)?;
        let ranks = if user.adaptive { (1..=deepest).collect() } else { RANKS.to_vec() };
        // A rank that is never read, and those behind it, say nothing.
        let ranks = ranks.into_iter().filter(|rank| walk.weight(*rank) > 0.0).collect();
        Some(ReadingExample {
            continuation: user.continuation,
            weight: user.weight,
            ranking,
            walk,
            ranks,
        })
    }
}

/// The user of a measure as a section: C, W and L as formulas, and by rank.
pub fn reading_section(metric: &Metric) -> Option<Section> {
    let ReadingExample { continuation, weight, ranking, walk, ranks } = ReadingExample::of(metric)?;
    let mut formulas = vec![format!("C(i) = {continuation}")];
    formulas.push(match weight {
        Some(weight) => format!("W(i) = {weight}"),
        None => "W(i) = W(1) C(1) ... C(i-1), the sum of W being 1".to_string(),
    });
    formulas.push("L(i) = (W(i) - W(i+1)) / W(1)".to_string());
    let of = ranking.map_or(String::new(), |ranking| format!(" of the ranking {ranking}"));
    let read =
        format!("documents read{of}, expected: 1 / W(1) = {}", number(walk.documents, Some(4)));
    let mut lines = vec!["  rank    C(i)    W(i)    L(i)".to_string()];
    for rank in ranks {
        let [c, w, l] = [walk.continuation(rank), walk.weight(rank), walk.last(rank)]
            .map(|x| number(x, Some(4)));
        lines.push(format!("  {rank:>4}  {c}  {w}  {l}"));
    }
    let heading = format!("Reading on ({metric})");
    Some(Section {
        heading,
        blocks: vec![Block::Lines(formulas), Block::Paragraph(read), Block::Lines(lines)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Example, definitions};

    /// C, W and L of every measure that has a user are what the framework says: W(i+1) / W(i) =
    /// C(i), L(i) = (W(i) - W(i+1)) / W(1), 1 / W(1) documents are read, all of W is 1, and all of
    /// L is 1.
    #[test]
    fn the_identities_hold() {
        let mut users = Vec::new();
        let examples = definitions()
            .flat_map(|def| def.examples.iter().map(|e: &Example| e.measure.parse::<Metric>()));
        for metric in examples.flatten() {
            let Some(user) = metric.user() else { continue };
            let graded: Vec<Option<f64>> =
                (0..200).map(|i| Some(f64::from(u8::from(i % 3 == 1)))).collect();
            let topic = OwnedTopic::new(&graded, &[1.0]);
            let walk = user.walk(&topic.view(), 200).unwrap();
            users.push(metric.def().name.to_string());
            let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
            assert!(near(walk.documents * walk.weight(1), 1.0), "{metric}");
            let (mut weights, mut lasts) = (0.0, 0.0);
            for rank in 1..200 {
                assert!(
                    near(walk.weight(rank) * walk.continuation(rank), walk.weight(rank + 1)),
                    "{metric} at {rank}"
                );
                assert!(
                    near(
                        (walk.weight(rank) - walk.weight(rank + 1)) / walk.weight(1),
                        walk.last(rank)
                    ),
                    "{metric} at {rank}"
                );
                weights += walk.weight(rank);
                lasts += walk.last(rank);
            }
            // What is left below rank 199 is what the walk behind it weighs.
            assert!(
                weights <= 1.0 + 1e-12 && near(lasts, 1.0 - walk.weight(200) * walk.documents),
                "{metric}: {weights} {lasts}"
            );
            if walk.weight(200) < 1e-14 {
                assert!((weights - 1.0).abs() < 1e-9, "{metric}: {weights}");
            }
        }
        for name in [
            "P", "RBP", "INSQ", "INST", "SDCG", "RR", "AP", "ERR", "BPM", "IFT", "TBG", "U", "NPV",
            "NERR8", "NERR11", "CWL", "nDCG",
        ] {
            assert!(users.iter().any(|user| user == name), "{name} has no user");
        }
    }
}
