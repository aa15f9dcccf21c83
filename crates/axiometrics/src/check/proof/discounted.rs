//! Sums of gains by a discount that a person wrote down.
//!
//! That a better document at a higher weight adds to the sum is shared with the sums whose weights
//! belong to a known family; what that family knows of its weights is proved here from the
//! expression.

use super::weighted::{comes_in, moves_up};
use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, number, with};
use crate::expression::syntax::Node;
use crate::measure::structure::{Divisor, Form};

pub(super) struct DiscountedRule;

impl Rule for DiscountedRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Discounted { weight, gain, divisor } = form else { return None };
        let weight = tree(weight)?;
        let of_collection = matches!(divisor, Divisor::Ideal | Divisor::Whole);
        let (rule, claims) = match (property, divisor) {
            ("monotonic", Divisor::None | Divisor::Whole) => (
                "each document seen adds what is not negative, over a divisor that k does not change",
                vec![positive(&weight)],
            ),
            ("convergent", _) if lab.grows(*gain) => (
                "a sum with positive weights, over a divisor that no swap changes",
                vec![positive(&weight), comes_in()],
            ),
            ("top-weighted", _) if lab.grows(*gain) => (
                "a sum with strictly decreasing positive weights, over a divisor that no swap changes",
                vec![positive(&weight), falls(&weight), moves_up()],
            ),
            ("localized", _) if !of_collection => {
                ("neither the sum nor the divisor looks below rank k", vec![positive(&weight)])
            }
            ("complete", _) if !of_collection => {
                ("the divisor, if any, is never zero", vec![positive(&weight)])
            }
            ("bounded", Divisor::None) => return bounded(&weight),
            ("unbounded", Divisor::None) => (
                "no weight is below that of 1 / i, whose sum has no bound",
                vec![positive(&weight), holds_against_the_rank(&weight)],
            ),
            ("bounded", _) => (
                "divided by the largest value that the sum can have: 0 to 1",
                vec![positive(&weight), falls(&weight)],
            ),
            _ => return None,
        };
        Proof::resting_on(rule, claims)
    }
}

const RANK: [ClaimLetter; 1] = [("u", Bound::Count)];

fn positive(weight: &Node) -> Option<Claim> {
    let here = with(weight, &[("i", "u + 1")])?;
    Some(Claim::order("every rank has a weight above zero", &RANK, here, number(0.0), true))
}

fn falls(weight: &Node) -> Option<Claim> {
    let (here, below) = (with(weight, &[("i", "u + 1")])?, with(weight, &[("i", "u + 2")])?);
    Some(Claim::order("each weight is larger than the next", &RANK, here, below, true))
}

/// The weights have a finite sum: they fall as fast as a power of a number below 1, or as the
/// inverse of a square.
fn bounded(weight: &Node) -> Option<Proof> {
    let shares = ["1/2", "3/4", "7/8", "0.95", "0.99", "0.999", "0.9999"];
    let geometric = shares.iter().find_map(|share| {
        Proof::resting_on(
            &format!(
                "each weight is at most {share} of the one before, so that their sum is finite"
            ),
            vec![positive(weight), falls_to(weight, share)],
        )
    });
    geometric.or_else(|| {
        ["2", "4", "16", "256"].iter().find_map(|times| {
            Proof::resting_on(
                &format!(
                    "i (i + 1) w(i) is at most {times} w(1), and so is the sum of the weights"
                ),
                vec![positive(weight), below_the_square(weight, times)],
            )
        })
    })
}

/// The weight of a rank times something that may speak of the rank i.
fn times(factor: &str, weight: &Node, rank: &str) -> Option<Node> {
    with(&tree(&format!("({factor}) * ({weight})"))?, &[("i", rank)])
}

fn falls_to(weight: &Node, share: &str) -> Option<Claim> {
    let (most, next) = (times(share, weight, "u + 1")?, with(weight, &[("i", "u + 2")])?);
    Some(Claim::order("a weight is at most a share of the one before", &RANK, most, next, false))
}

fn below_the_square(weight: &Node, most: &str) -> Option<Claim> {
    let (most, here) = (times(most, weight, "1")?, times("i * (i + 1)", weight, "u + 1")?);
    Some(Claim::order("i (i + 1) w(i) is at most so many times w(1)", &RANK, most, here, false))
}

fn holds_against_the_rank(weight: &Node) -> Option<Claim> {
    let (first, here) = (with(weight, &[("i", "1")])?, times("i", weight, "u + 1")?);
    Some(Claim::order("i w(i) is at least w(1)", &RANK, here, first, false))
}

#[cfg(test)]
mod tests {
    use crate::check::{CheckGroup, CheckOptions, Verdict, Verdicts, run};
    use crate::component::Component;
    use crate::measure::Metric;

    /// The words for bounded, convergent and top-weighted of a sum with this term.
    fn verdicts(term: &str) -> [&'static str; 3] {
        let text = format!("score = \"sum(d in D where pos(d) <= k : {term})\"");
        let metric = Metric::own(Component::parse("mine.toml", &text).unwrap()).unwrap();
        let metric = metric.at(10).unwrap();
        let options =
            CheckOptions { groups: vec![CheckGroup::Property], ..CheckOptions::default() };
        let report = run(&metric, &options);
        ["bounded", "convergent", "top-weighted"].map(|name| match report.get(name).unwrap() {
            Verdict::Proved { .. } => "proved",
            Verdict::Violated { rule: Some(_), .. } => "refuted by a rule",
            Verdict::Violated { .. } => "refuted",
            Verdict::Searched(_) => "searched",
            Verdict::Undecided(_) => "open",
            _ => "other",
        })
    }

    /// Discounts of which this program has never heard.
    #[test]
    fn a_discount_of_ones_own_is_proved() {
        assert_eq!(verdicts("gain(d) / (pos(d) + 3)"), ["refuted by a rule", "proved", "proved"]);
        assert_eq!(verdicts("gain(d) / (pos(d)^2 + 1)"), ["proved", "proved", "proved"]);
        assert_eq!(verdicts("0.7^pos(d) * gain(d)"), ["proved", "proved", "proved"]);
    }

    /// What is false of them is not.
    #[test]
    fn a_discount_that_turns_is_not_proved() {
        // It rises from rank 7 to rank 8, which the searched rankings show.
        let turns = "gain(d) * if(pos(d) == 8, 1, 1 / pos(d))";
        assert_eq!(verdicts(turns)[1..], ["searched", "refuted"]);
        // Equal weights: no increase within the top k.
        assert_eq!(verdicts("gain(d) / max(3, pos(d))")[2], "refuted");
        // A rank without weight.
        assert_eq!(verdicts("gain(d) * abs(pos(d) - 2)")[1], "refuted");
    }
}
