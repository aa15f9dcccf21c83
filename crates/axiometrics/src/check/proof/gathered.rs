//! Sums over the documents with a gain that are seen, of terms that look at what was gathered.
//!
//! The document at rank i has the gain g, c documents with a gain and n without one above it, and
//! those above have the gain a. The ideal ranking has gathered no less down to there, by x; and its
//! cost, with at least 1 for each rank, is no less than that, by y.
//!
//! - Monotonic: a document more adds a term, which is not negative.
//! - Bounded: at most R terms of at most 1, over at least R; or terms of at most their own gain, over
//!   the gains of all documents.
//! - Convergent: the document that comes in adds a term, or raises the one that was there; those
//!   below it have as many documents with a gain above them or one more, and more gain, at the same
//!   rank. Neither the ideal ranking nor the divisor changes.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, number, with};
use crate::expression::syntax::Node;
use crate::measure::structure::Form;

pub(super) struct GatheredRule;

const LETTERS: [ClaimLetter; 8] = [
    ("c", Bound::Count),
    ("n", Bound::Count),
    ("a", Bound::Nonnegative),
    ("p", Bound::Positive),
    ("e", Bound::Positive),
    ("x", Bound::Nonnegative),
    ("y", Bound::Nonnegative),
    ("m", Bound::Count),
];

/// The document at rank i, of gain p.
const HERE: [(&str, &str); 6] = [
    ("i", "c + n + 1"),
    ("C", "c + 1"),
    ("g", "p"),
    ("G", "a + p"),
    ("I", "a + p + x"),
    ("J", "a + p + x + y"),
];

/// A collection with m + 1 documents of a gain, p in all.
const COLLECTION: [(&str, &str); 2] = [("R", "m + 1"), ("T", "p")];

impl Rule for GatheredRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Gathered { gain, term, divisor } = form else { return None };
        let parts = GatheredParts { term: tree(term)?, divisor: tree(divisor)? };
        match property {
            "monotonic" => Proof::resting_on(
                "each document seen adds a term that is not negative, over a divisor of the collection alone",
                vec![parts.not_negative(), parts.divides()],
            ),
            "bounded" => parts.by_number().or_else(|| parts.by_gain()),
            "convergent" if lab.grows(*gain) => parts.convergent(),
            _ => None,
        }
    }
}

/// The form's expressions.
struct GatheredParts {
    term: Node,
    divisor: Node,
}

fn order(says: &'static str, larger: Node, smaller: Node, strict: bool) -> Option<Claim> {
    Some(Claim::order(says, &LETTERS, larger, smaller, strict))
}

impl GatheredParts {
    fn not_negative(&self) -> Option<Claim> {
        order("a term is not negative", with(&self.term, &HERE)?, number(0.0), false)
    }

    fn divides(&self) -> Option<Claim> {
        let divisor = with(&self.divisor, &COLLECTION)?;
        order("the divisor is above zero", divisor, number(0.0), true)
    }

    fn by_number(&self) -> Option<Proof> {
        let divisor = with(&self.divisor, &COLLECTION)?;
        Proof::resting_on(
            "at most R terms from 0 to 1, over a divisor of at least R",
            vec![
                self.not_negative(),
                order("a term is at most 1", number(1.0), with(&self.term, &HERE)?, false),
                order("the divisor is at least R", divisor, tree("m + 1")?, false),
            ],
        )
    }

    fn by_gain(&self) -> Option<Proof> {
        let divisor = with(&self.divisor, &COLLECTION)?;
        Proof::resting_on(
            "terms from 0 to the gain of their document, over at least the gains of all",
            vec![
                self.not_negative(),
                order("a term is at most its gain", tree("p")?, with(&self.term, &HERE)?, false),
                order("the divisor is at least all gains", divisor, tree("p")?, false),
            ],
        )
    }

    fn convergent(&self) -> Option<Proof> {
        // The ideal ranking is the same before and after, and has gathered no less than either.
        let ideal = [("I", "a + p + e + x"), ("J", "a + p + e + x + y")];
        let at = |others: &[(&str, &str)]| with(&self.term, &[&ideal[..], others].concat());
        let same_rank = [("i", "c + n + 1"), ("C", "c + 1")];
        let before = at(&[&same_rank[..], &[("g", "p"), ("G", "a + p")]].concat())?;
        let raised = at(&[&same_rank[..], &[("g", "p + e"), ("G", "a + p + e")]].concat())?;
        let below = at(&[&same_rank[..], &[("g", "p"), ("G", "a + p + e")]].concat())?;
        // One more of those above has a gain.
        let lower_rank = [("i", "c + n + 2"), ("g", "p")];
        let less = at(&[&lower_rank[..], &[("C", "c + 1"), ("G", "a + p")]].concat())?;
        let more = at(&[&lower_rank[..], &[("C", "c + 2"), ("G", "a + p + e")]].concat())?;
        Proof::resting_on(
            "a better document in the place of another raises its own term and lowers none below, over a divisor of the collection alone",
            vec![
                order("a new term is above zero", with(&self.term, &HERE)?, number(0.0), true),
                order("a term rises with its document's gain", raised, before.clone(), true),
                order("terms do not fall with more gain above", below, before, false),
                order("terms do not fall with one more above", more, less, false),
                self.divides(),
            ],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(term: &str, divisor: &str) -> GatheredParts {
        GatheredParts { term: tree(term).unwrap(), divisor: tree(divisor).unwrap() }
    }

    #[test]
    fn what_is_false_is_not_proved() {
        let q = parts("(C + 0.5 * G) / (i + 0.5 * I)", "R");
        assert!(q.by_number().is_some() && q.convergent().is_some());
        // Twice as much as there can be.
        assert!(parts("(C + G) / (i + I / 2)", "R").by_number().is_none());
        // More gain above lowers the terms below.
        assert!(parts("g / (i + G)", "T").convergent().is_none());
        // The gain does not matter.
        assert!(parts("C / i", "R").convergent().is_none());
        assert!(parts("g / log2(2 + J - G)", "T").by_gain().is_some());
        assert!(parts("g / log2(1.5 + J - G)", "T").by_gain().is_none());
        // A divisor that may be zero.
        assert!(parts("g / i", "R - 1").convergent().is_none());
    }
}
