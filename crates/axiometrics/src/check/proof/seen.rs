//! Sums over the relevant documents that are seen, of binary relevance.
//!
//! A document at rank i has r relevant and n other ones above it, i = r + n + 1. Of those seen x
//! more are relevant and p more are not; m more relevant and q more other ones are in the
//! collection.
//!
//! - Monotonic: a document more adds a term, which is not negative.
//! - Convergent: the document that comes in adds its term, and takes part of the rest away; those
//!   below it have one relevant document more above them and another one less, at the same rank.
//! - Top-weighted: the swap of ranks a < b takes the relevant ranks from a to b, the last of which
//!   is b, to a and all of them but b. In order, each has as many relevant documents above it as
//!   before and stands no lower, at least one higher.
//! - Bounded: at most R terms of at most 1, over at least R; or h terms of at most what the first
//!   of them could be, and the rest, over no less.
//! - Realizable: if the first of them are no less than the divisor, too.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, mentions, number, replaced, with};
use crate::expression::syntax::Node;
use crate::measure::structure::Form;

pub(super) struct SeenRule;

const LETTERS: [ClaimLetter; 6] = [
    ("r", Bound::Count),
    ("n", Bound::Count),
    ("x", Bound::Count),
    ("p", Bound::Count),
    ("m", Bound::Count),
    ("q", Bound::Count),
];

/// Where a document stands.
const HERE: [(&str, &str); 5] = [
    ("i", "r + n + 1"),
    ("h", "r + 1 + x"),
    ("o", "n + p"),
    ("R", "r + 1 + x + m"),
    ("N", "n + p + q"),
];
/// A collection with a relevant document.
const COLLECTION: [(&str, &str); 2] = [("R", "1 + m"), ("N", "q")];

/// The form's expressions.
struct SeenParts {
    term: Node,
    rest: Node,
    divisor: Node,
}

impl Rule for SeenRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Seen { term, rest, divisor, .. } = form else { return None };
        let parts = SeenParts { term: tree(term)?, rest: tree(rest)?, divisor: tree(divisor)? };
        match property {
            "monotonic" => parts.monotonic(),
            "bounded" => parts.bounded().or_else(|| parts.bounded_by_the_first()),
            "convergent" => parts.convergent(),
            "top-weighted" => parts.top_weighted(),
            "localized" => parts.localized(),
            "complete" => parts.complete(),
            "realizable" => parts.realizable(),
            _ => None,
        }
    }
}

fn order(says: &'static str, larger: Node, smaller: Node, strict: bool) -> Option<Claim> {
    Some(Claim::order(says, &LETTERS, larger, smaller, strict))
}

impl SeenParts {
    fn speaks_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            [&self.term, &self.rest, &self.divisor].iter().any(|part| mentions(part, name))
        })
    }

    fn has_rest(&self) -> bool {
        self.rest != number(0.0)
    }

    fn term_is_positive(&self, strict: bool) -> Option<Claim> {
        order("a term is not negative", with(&self.term, &HERE)?, number(0.0), strict)
    }

    fn divides(&self) -> Option<Claim> {
        let divisor = with(&self.divisor, &COLLECTION)?;
        order("the divisor is above zero", divisor, number(0.0), true)
    }

    fn monotonic(&self) -> Option<Proof> {
        (!self.has_rest() && !self.speaks_of(&["h", "o"])).then_some(())?;
        Proof::resting_on(
            "each document seen adds a term that is not negative, over a divisor of the collection alone",
            vec![self.term_is_positive(false), self.divides()],
        )
    }

    fn bounded(&self) -> Option<Proof> {
        (!self.has_rest() && !self.speaks_of(&["h", "o"])).then_some(())?;
        let divisor = with(&self.divisor, &COLLECTION)?;
        Proof::resting_on(
            "at most R terms from 0 to 1, over a divisor of at least R",
            vec![
                self.term_is_positive(false),
                order("a term is at most 1", number(1.0), with(&self.term, &HERE)?, false),
                order("the divisor is at least R", divisor, tree("1 + m")?, false),
            ],
        )
    }

    /// For terms of n and the counts alone.
    fn bounded_by_the_first(&self) -> Option<Proof> {
        (!["i", "r"].iter().any(|name| mentions(&self.term, name))).then_some(())?;
        let here = with(&self.term, &HERE)?;
        let first = with(&replaced(&self.term, &[("n", &number(0.0))]), &HERE)?;
        let (rest, divisor) = (with(&self.rest, &HERE)?, with(&self.divisor, &HERE)?);
        let most = replaced(&tree("(r + 1 + x) * f + s")?, &[("f", &first), ("s", &rest)]);
        // With a document seen that is not relevant, and one that is: n or p, and r or x.
        let says = "no term is above the first";
        Proof::resting_on(
            "no more than its divisor: each term is at most that of a document with none but relevant ones above",
            vec![
                order("a term is not negative", here.clone(), number(0.0), false),
                order("the rest is not negative", rest, number(0.0), false),
                order(says, first, here, false),
                order("all together are at most the divisor", divisor, most, false),
            ],
        )
    }

    fn convergent(&self) -> Option<Proof> {
        let counts = |node: &Node| ["h", "o"].iter().any(|name| mentions(node, name));
        (!counts(&self.term) && !counts(&self.divisor)).then_some(())?;
        let collection = [("i", "r + n + 2"), ("R", "r + 2 + m"), ("N", "n + 1 + q")];
        let more = [&collection[..], &[("r", "r + 1")]].concat();
        let less = [&collection[..], &[("n", "n + 1")]].concat();
        // The document that comes in stands for one of the n + p + 1 others that were seen.
        let seen = [("i", "r + n + 1"), ("R", "r + 1 + x + m"), ("N", "n + p + 1 + q")];
        let after = [&seen[..], &[("h", "r + x + 1"), ("o", "n + p")]].concat();
        let before = [&seen[..], &[("h", "r + x"), ("o", "n + p + 1")]].concat();
        let gained = replaced(
            &tree("t + a")?,
            &[("t", &with(&self.term, &seen)?), ("a", &with(&self.rest, &after)?)],
        );
        Proof::resting_on(
            "a relevant document more adds its term, and lowers no other term, over a divisor of the collection alone",
            vec![
                order(
                    "a term more is worth more than the rest",
                    gained,
                    with(&self.rest, &before)?,
                    true,
                ),
                order(
                    "terms do not fall with more relevant above",
                    with(&self.term, &more)?,
                    with(&self.term, &less)?,
                    false,
                ),
                self.has_a_divisor(),
            ],
        )
    }

    fn top_weighted(&self) -> Option<Proof> {
        let counts = [
            ("h", "r + 1 + x"),
            ("o", "n + 1 + p"),
            ("R", "r + 1 + x + m"),
            ("N", "n + 1 + p + q"),
        ];
        let here = [&counts[..], &[("i", "r + n + 1")]].concat();
        let lower = [&counts[..], &[("i", "r + n + 2"), ("n", "n + 1")]].concat();
        Proof::resting_on(
            "with as many relevant documents above, a term is larger at a higher rank, and no swap within the top k changes the divisor or the rest",
            vec![
                order(
                    "terms fall with the rank",
                    with(&self.term, &here)?,
                    with(&self.term, &lower)?,
                    true,
                ),
                order(
                    "the divisor is above zero",
                    with(&self.divisor, &counts)?,
                    number(0.0),
                    true,
                ),
            ],
        )
    }

    /// A swap needs a document of either kind.
    fn has_a_divisor(&self) -> Option<Claim> {
        let divisor = with(&self.divisor, &[("R", "1 + m"), ("N", "1 + q")])?;
        order("the divisor is above zero", divisor, number(0.0), true)
    }

    /// For terms of n and the counts alone, no rest: of a ranking that has a score, the same
    /// documents with the relevant ones first have the most there is.
    fn realizable(&self) -> Option<Proof> {
        (!self.has_rest()).then_some(())?;
        let bounded = self.bounded_by_the_first()?;
        let first = with(&replaced(&self.term, &[("n", &number(0.0))]), &HERE)?;
        let most = replaced(&tree("(r + 1 + x) * f")?, &[("f", &first)]);
        let proof = Proof::resting_on(
            "with the relevant ones of its documents first, a ranking that has a score scores 1, and none has more",
            vec![order(
                "relevant documents first reach the divisor",
                most,
                with(&self.divisor, &HERE)?,
                false,
            )],
        )?;
        Some(proof.and(bounded))
    }

    fn localized(&self) -> Option<Proof> {
        (!self.speaks_of(&["R", "N"])).then(|| Proof {
            rule: "neither the terms nor the divisor look below rank k".to_string(),
            claims: Vec::new(),
        })
    }

    fn complete(&self) -> Option<Proof> {
        let nothing =
            with(&self.divisor, &[("h", "0"), ("o", "1 + p"), ("R", "0"), ("N", "1 + p + q")])?;
        Proof::resting_on(
            "the divisor is above zero if nothing is relevant",
            vec![order("the divisor is above zero", nothing, number(0.0), true)],
        )
    }
}
