//! What a measure says of filterings that know nothing: neither good nor bad, but good to know.

use super::Subject;
use super::priority::filtering;
use crate::check::witness::number;
use crate::choice::choices;
use crate::organization::Task;

/// How the score of an output that knows nothing depends on how much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Behaviour {
    /// Not at all.
    Constant,
    /// The more is kept, the higher.
    Growing,
    /// The more is kept, the lower.
    Falling,
    /// It depends on the share of relevant documents, or neither grows nor falls throughout.
    Depends,
    /// There is no score.
    Undefined,
}

choices! {
    Behaviour {
        Constant "constant",
        Growing "growing",
        Falling "falling",
        Depends "depends",
        Undefined "undefined",
    }
}

/// What came out, with the scores that show it.
#[derive(Debug, Clone, PartialEq)]
pub struct NonInformative {
    /// How the score depends on how much is kept.
    pub behaviour: Behaviour,
    /// The scores where a tenth and where nine tenths are kept, by the share of relevant documents.
    pub text: String,
}

/// The collection. Large, since smoothing (Lam) and closeness of the collection fade with its size
/// only.
const DOCS: u32 = 2000;
/// Tenths of the collection.
const BALANCES: [u32; 3] = [1, 5, 9];
const KEPT: std::ops::RangeInclusive<u32> = 1..=9;
/// Scores that differ by less are the same.
const SPREAD: f64 = 0.01;

/// Scores outputs that keep the same share of the relevant and of the irrelevant documents.
pub(super) fn of(subject: &Subject) -> NonInformative {
    let settings = subject.settings(Task::Filtering);
    let mut behaviours = Vec::new();
    let mut texts = Vec::new();
    for balance in BALANCES {
        let relevant = DOCS / 10 * balance;
        let others = DOCS - relevant;
        let gold = filtering(relevant, others, (relevant, 0));
        let scores = KEPT.map(|kept| {
            subject.score(
                &settings,
                &gold,
                &filtering(relevant, others, (relevant / 10 * kept, others / 10 * kept)),
            )
        });
        let Some(scores) = scores.collect::<Option<Vec<f64>>>() else {
            return NonInformative {
                behaviour: Behaviour::Undefined,
                text: "it has no value there".to_string(),
            };
        };
        behaviours.push(behaviour(&scores));
        texts.push(format!(
            "{}0% relevant: {} to {}",
            balance,
            number(scores[0]),
            number(scores[scores.len() - 1])
        ));
    }
    let same = behaviours.iter().all(|b| *b == behaviours[0]);
    NonInformative {
        behaviour: if same { behaviours[0] } else { Behaviour::Depends },
        text: texts.join("; "),
    }
}

fn behaviour(scores: &[f64]) -> Behaviour {
    let (low, high) = scores
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), s| (low.min(*s), high.max(*s)));
    if high - low < SPREAD {
        Behaviour::Constant
    } else if scores.is_sorted() {
        Behaviour::Growing
    } else if scores.iter().rev().is_sorted() {
        Behaviour::Falling
    } else {
        Behaviour::Depends
    }
}
