//! What the rules for weighted sums and cascades rest on: facts about their weights, and the effect
//! of a swap.

use super::tree;
use crate::check::prover::{Bound, Claim, ClaimLetter, number, with};
use crate::measure::structure::{Combine, Shape, Weights};

/// The claims that a property of a shape rests on.
pub(super) fn claims(shape: &Shape, property: &str) -> Vec<Claim> {
    let claims = match property {
        "monotonic" | "bounded" => vec![positive(shape.weights)],
        "convergent" if shape.combine == Combine::Cascade => {
            vec![positive(shape.weights), falls(shape.weights), reaches()]
        }
        "top-weighted" if shape.combine == Combine::Cascade => {
            vec![positive(shape.weights), falls(shape.weights), reaches(), cascade()]
        }
        "convergent" => vec![positive(shape.weights), comes_in()],
        "top-weighted" => vec![positive(shape.weights), falls(shape.weights), moves_up()],
        _ => Vec::new(),
    };
    claims.into_iter().flatten().collect()
}

/// The weight of rank u + 1, or of the rank below it, as an expression.
fn weight(
    weights: Weights,
    below: bool,
) -> Option<(crate::expression::syntax::Node, Vec<ClaimLetter>)> {
    let text = match weights {
        Weights::Constant => "1".to_string(),
        Weights::Reciprocal => "1 / i".to_string(),
        Weights::Logarithmic => "1 / log2(i + 1)".to_string(),
        // From rank b on; those above weigh 1.
        Weights::LogarithmicFrom(b) => format!("1 / log2(i + {b} - 1)"),
        // A power is some positive number w, and the next one p times that.
        Weights::Geometric(p) => {
            let text = if below { format!("{p} * w") } else { "w".to_string() };
            return Some((tree(&text)?, vec![("w", Bound::Positive)]));
        }
        Weights::InverseSquare(s) => format!("({s} / (i - 1 + {s}))^2"),
    };
    let rank = if below { "u + 2" } else { "u + 1" };
    Some((with(&tree(&text)?, &[("i", rank)])?, vec![("u", Bound::Count)]))
}

fn positive(weights: Weights) -> Option<Claim> {
    let (weight, letters) = weight(weights, false)?;
    Some(Claim::order("every rank has a weight above zero", &letters, weight, number(0.0), true))
}

fn falls(weights: Weights) -> Option<Claim> {
    let ((here, letters), (below, _)) = (weight(weights, false)?, weight(weights, true)?);
    Some(Claim::order("each weight is larger than the next", &letters, here, below, true))
}

/// A gain p at a rank of weight w becomes p + e.
pub(super) fn comes_in() -> Option<Claim> {
    let letters = [("w", Bound::Positive), ("p", Bound::Nonnegative), ("e", Bound::Positive)];
    let goal = tree("w * (p + e) - w * p")?;
    let says = "a larger gain in the place of a smaller one adds to the sum";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: true })
}

/// Gains p at weight w + d and p + e at weight w change places.
pub(super) fn moves_up() -> Option<Claim> {
    let letters = [
        ("w", Bound::Positive),
        ("d", Bound::Positive),
        ("p", Bound::Nonnegative),
        ("e", Bound::Positive),
    ];
    let goal = tree("((w + d) * (p + e) + w * p) - ((w + d) * p + w * (p + e))")?;
    let says = "the larger gain at the larger weight adds to the sum";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: true })
}

/// What rank i and all below it add once it is reached is at most its weight w: the document there
/// takes p of it, and the rest is at most 1 - p of the next weight, v w.
fn reaches() -> Option<Claim> {
    let letters = [("w", Bound::Positive), ("p", Bound::Share), ("v", Bound::Share)];
    let goal = tree("w - (w * p + (1 - p) * v * w)")?;
    let says = "what a rank and all below it add is at most its weight";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: false })
}

/// Gains that differ by e change places; between them, with the share P of users left, documents
/// add x (1 - P) of the next weight w, and the lower rank weighs y w.
fn cascade() -> Option<Claim> {
    let letters = [
        ("e", Bound::Positive),
        ("d", Bound::Positive),
        ("w", Bound::Positive),
        ("P", Bound::Share),
        ("x", Bound::Share),
        ("y", Bound::Share),
    ];
    let goal = tree("e * ((w + d) - x * w * (1 - P) - P * y * w)")?;
    let says = "the larger gain first adds more than it takes from those below";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: true })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::structure::{Divisor, Gain};

    /// What the rules say of weights is proved, not believed.
    #[test]
    fn weights_are_as_they_say() {
        let all = [
            Weights::Constant,
            Weights::Reciprocal,
            Weights::Logarithmic,
            Weights::LogarithmicFrom(2),
            Weights::LogarithmicFrom(10),
            Weights::Geometric(0.8),
            Weights::Geometric(0.999),
            Weights::InverseSquare(2.0),
            Weights::InverseSquare(0.25),
        ];
        for weights in all {
            assert!(positive(weights).unwrap().holds(), "{weights:?}");
            let strictly = !matches!(weights, Weights::Constant);
            assert_eq!(falls(weights).unwrap().holds(), strictly, "{weights:?}");
        }
        for combine in [Combine::Sum, Combine::Cascade] {
            let shape = Shape {
                combine,
                weights: Weights::Reciprocal,
                gain: Gain::Grade,
                divisor: Divisor::None,
            };
            for claim in claims(&shape, "convergent").iter().chain(&claims(&shape, "top-weighted"))
            {
                assert!(claim.holds(), "{}", claim.says);
            }
        }
    }
}
