//! For every largest feasible set a measure that has it, with the reasons why it has each property
//! for all sizes.
//!
//! Two are registered. The others are made for the purpose; the files in `components/` are written
//! from here, and a test asks `axio check` to confirm each of their properties. Some are of no use
//! to anybody: they show that nothing but usefulness speaks against a wish.

use super::property::{Property, PropertySet};
use crate::component::Component;
use crate::error::Result;
use crate::measure::Metric;

/// A measure that has a largest feasible set.
#[derive(Debug, Clone, Copy)]
pub struct FeasibleMeasure {
    /// The measure as `axio` takes it, or the name of its file in `components/`.
    pub measure: &'static str,
    /// The text of its file, for one that is not registered.
    pub file: Option<&'static str>,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The properties that it has.
    properties: &'static [Property],
    /// Why it has them, whatever the size and the grades.
    pub proofs: &'static [&'static str],
}

impl FeasibleMeasure {
    /// The properties that it has.
    pub fn set(&self) -> PropertySet {
        self.properties.iter().copied().collect()
    }

    /// The measure.
    pub fn metric(&self) -> Result<Metric> {
        match self.file {
            Some(text) => Metric::own(Component::parse(&self.path(), text)?),
            None => self.measure.parse(),
        }
    }

    /// How to name it on the command line.
    pub fn path(&self) -> String {
        match self.file {
            Some(_) => format!("components/{}", self.measure),
            None => self.measure.to_string(),
        }
    }

    /// An example that has all of some properties, a registered one if possible.
    pub fn of(set: PropertySet) -> Option<&'static FeasibleMeasure> {
        let mut having = EXAMPLES.iter().filter(|e| set.is_part_of(e.set()));
        let first = having.clone().find(|e| e.file.is_none());
        first.or_else(|| having.next())
    }
}

use Property::{
    Bounded, ClosenessThreshold, Complete, Confidence, Convergent, Deepness, DeepnessThreshold,
    Localized, Monotonic, Priority, Realizable, TopWeighted,
};

/// One for each largest feasible set of the twelve, the more useful ones first.
pub const EXAMPLES: &[FeasibleMeasure] = &[
    FeasibleMeasure {
        measure: "RBP(p=0.8)",
        file: None,
        about: "a sum of gains, each weighted by its rank",
        properties: &[
            Bounded,
            Monotonic,
            Convergent,
            TopWeighted,
            Localized,
            Complete,
            Priority,
            Deepness,
            DeepnessThreshold,
            ClosenessThreshold,
        ],
        proofs: &[
            "The score is a sum of gains with the weights 0.2 · 0.8^(i-1): positive, falling, falling ever more slowly, and with the sum 1. So it is bounded, monotonic, convergent and top-weighted, and has priority and deepness.",
            "It reads nothing but the top k: localized and complete.",
            "Deepness-threshold: from n = 8 on, all weights below rank n together are less than the first. Closeness-threshold: at n = 2, 0.64 + 0.512 is more than 1. Documents that both rankings append or both miss add the same to both.",
        ],
    },
    FeasibleMeasure {
        measure: "ideal_rbp.toml",
        file: Some(IDEAL_RBP),
        about: "RBP divided by that of the collection's best ranking, 0 if nothing is relevant",
        properties: &[
            Bounded,
            Convergent,
            TopWeighted,
            Complete,
            Realizable,
            Priority,
            Deepness,
            DeepnessThreshold,
            ClosenessThreshold,
        ],
        proofs: &[
            "The divisor depends on the collection and on k alone, so a swap does not change it: convergent, top-weighted, priority and deepness are those of RBP, and so are both thresholds, whose two rankings are of one collection and one length.",
            "The best ranking scores 1 and none scores more: bounded and realizable. The score is 0 if nothing is relevant: complete.",
        ],
    },
    FeasibleMeasure {
        measure: "own_order_rbp.toml",
        file: Some(OWN_ORDER_RBP),
        about: "RBP divided by that of the best order of the top k, 0 if nothing relevant is seen",
        properties: &[
            Bounded,
            TopWeighted,
            Localized,
            Complete,
            Realizable,
            Priority,
            Deepness,
            DeepnessThreshold,
        ],
        proofs: &[
            "The divisor depends on which gains are in the top k, not on their order: top-weighted, priority and deepness are those of RBP.",
            "It reads nothing but the top k, and has a value for every one: localized and complete. The best order of the top k scores 1 and none scores more, and every collection with a relevant document can show one: bounded and realizable.",
            "Deepness-threshold: one relevant document on top is in the best order and scores 1, n after n irrelevant ones are not.",
        ],
    },
    FeasibleMeasure {
        measure: "priced_rbp.toml",
        file: Some(PRICED_RBP),
        about: "RBP in which looking at a document costs a tenth of what a relevant one is worth",
        properties: &[
            Bounded,
            Convergent,
            TopWeighted,
            Localized,
            Complete,
            Priority,
            Deepness,
            DeepnessThreshold,
            ClosenessThreshold,
            Confidence,
        ],
        proofs: &[
            "It is RBP less 0.1 times the weights of the ranks that are seen. That price depends on k alone, so all that compares two rankings of one length is as for RBP: convergent, top-weighted, priority, deepness and both thresholds.",
            "The price is at most 0.1: bounded. It reads nothing but the top k: localized and complete.",
            "An irrelevant document more adds nothing but its price: confidence.",
        ],
    },
    FeasibleMeasure {
        measure: "RR",
        file: None,
        about: "the reciprocal of the rank of the first relevant document",
        properties: &[Bounded, Monotonic, Localized, Complete, Realizable, DeepnessThreshold],
        proofs: &[
            "The score is the largest of 1/i over the relevant ranks of the top k, 0 if there is none: bounded, monotonic, localized and complete.",
            "A relevant document on top scores 1, the maximum, at every k: realizable, and deepness-threshold from n = 1 on.",
        ],
    },
    FeasibleMeasure {
        measure: "both_ends.toml",
        file: Some(BOTH_ENDS),
        about: "a sum of gains that weighs the last rank, too, more than those before it, over its best value",
        properties: &[
            Bounded,
            Convergent,
            Complete,
            Realizable,
            Deepness,
            DeepnessThreshold,
            ClosenessThreshold,
            Confidence,
        ],
        proofs: &[
            "Let k documents be seen, and c = (1 + 1/k)/2. The last weighs 1.5, the one at rank i before it c · 0.95^(i-1), but the first 4c if more than one document is relevant. The divisor is the largest sum that the collection allows at k. All weights are positive: convergent. The largest sum is reached: bounded and realizable. The score is 0 if nothing is relevant: complete.",
            "For given k and collection the weights are convex in the rank: deepness.",
            "The two rankings of a threshold have one divisor. One on top counts 4c, at least 2; n after n irrelevant ones count 1.5 at most for the last, and what is left tends to 0: deepness-threshold. At n = 13 they count 0.95^13 + ... + 0.95^25 = 4.996 times c or more: closeness-threshold.",
            "Let A be the sum of the weights, without c, of what is relevant before the last, and S the largest such sum. A ranking that ends in an irrelevant document scores cA/(1.5 + cS), which grows with c and falls with S; one document deeper c is smaller and S is not. One that ends in a relevant document scores (1.5 + cA)/(1.5 + cS), at least (1.5 + A)/(1.5 + S); with an irrelevant document appended it scores at most (A + 1)/(1.5 + S), or less than 1 if it was the only document. So confidence.",
        ],
    },
    FeasibleMeasure {
        measure: "both_ends_seen.toml",
        file: Some(BOTH_ENDS_SEEN),
        about: "the same without the collection: over the best value of as many relevant documents",
        properties: &[
            Bounded,
            Localized,
            Complete,
            Realizable,
            Deepness,
            DeepnessThreshold,
            ClosenessThreshold,
            Confidence,
        ],
        proofs: &[
            "As before, but the first weighs c, and the divisor is the largest sum of as many relevant documents as are seen. It reads nothing but the top k: localized and complete (0 if nothing relevant is seen). The largest sum is reached: bounded and realizable. Deepness and confidence follow as before.",
            "With c tending to 1/2, one on top scores c/1.5, which tends to 1/3. The n after n irrelevant ones score, if the last is relevant, (1.5 + c(0.95^n + ...))/(1.5 + c(1 + ... + 0.95^(n-2))), which tends to 1.5/11.5, and less otherwise: deepness-threshold.",
            "At n = 1 without anything appended 01 scores 1 and 10 less. With something appended, at n = 4, c · 3.0217/(1.5 + c · 2.8525) is more than c/1.5 for every c below 1: closeness-threshold.",
        ],
    },
    FeasibleMeasure {
        measure: "contrary.toml",
        file: Some(CONTRARY),
        about: "0 if a relevant document is on top although there was an irrelevant one to put there, else 1",
        properties: &[Bounded, Monotonic, Complete, Realizable, ClosenessThreshold],
        proofs: &[
            "The score is 0 or 1 and does not depend on k: bounded, monotonic and complete. Any irrelevant document on top scores 1, and so does everything if there is none: realizable.",
            "One relevant document on top scores 0, n after n irrelevant ones score 1: closeness-threshold for every n.",
        ],
    },
];

const IDEAL_RBP: &str = r#"name = "RBP over its ideal"
about = "that of RBP, measured by the best ranking of the collection at the same depth"
range = [0, 1]
params = { p = 0.8 }
score = """
if(R == 0, 0,
  sum(d in Seen : gain(d) * p^(pos(d) - 1))
  / sum(d in D where ideal(d) <= count(x in Seen) : gain(d) * p^(ideal(d) - 1)))"""

[sets]
Seen = "pos(d) <= k and 1 / pos(d) > 0"
"#;

const OWN_ORDER_RBP: &str = r#"name = "RBP over its own best order"
about = "that of RBP, measured by the best order of the documents that are seen"
range = [0, 1]
params = { p = 0.8 }
score = """
if(none(d in Useful), 0,
  sum(d in Useful : gain(d) * p^(pos(d) - 1))
  / sum(d in Useful : gain(d) * p^count(x in Useful where ideal(x) < ideal(d))))"""

[sets]
Useful = "pos(d) <= k and gain(d) / pos(d) > 0"
"#;

const PRICED_RBP: &str = r#"name = "RBP with a price"
about = "that of RBP, and pays for each document that it looks at"
range = [-0.1, 1]
params = { p = 0.8, price = 0.1 }
score = "(1 - p) * sum(d in Seen : (gain(d) / max_grade - price) * p^(pos(d) - 1))"

[sets]
Seen = "pos(d) <= k and 1 / pos(d) > 0"
"#;

const BOTH_ENDS: &str = r#"name = "Both ends"
about = "looks at the first and at the last document above all"
range = [0, 1]
params = { first = 4, last = 1.5, q = 0.95 }
score = """
if(R == 0, 0,
  sum(d in Seen : gain(d) * if(pos(d) == count(x in Seen), last,
    (1 + 1 / count(x in Seen)) / 2 * if(pos(d) == 1 and R > 1, first, q^(pos(d) - 1))))
  / sum(d in D where ideal(d) <= count(x in Seen) : gain(d) *
    if(R == 1 or count(x in Seen) == 1 or ideal(d) == 2, last,
      (1 + 1 / count(x in Seen)) / 2 * if(ideal(d) == 1, first, q^(ideal(d) - 2)))))"""

[sets]
Seen = "pos(d) <= k and 1 / pos(d) > 0"
"#;

const BOTH_ENDS_SEEN: &str = r#"name = "Both ends of what is seen"
about = "looks at the last document above all, and knows nothing of what was not retrieved"
range = [0, 1]
params = { last = 1.5, q = 0.95 }
score = """
if(none(d in Useful), 0,
  sum(d in Useful : if(pos(d) == count(x in Seen), last,
    (1 + 1 / count(x in Seen)) / 2 * q^(pos(d) - 1)))
  / (last + (1 + 1 / count(x in Seen)) / 2 * (1 - q^(count(x in Useful) - 1)) / (1 - q)))"""

[sets]
Seen = "pos(d) <= k and 1 / pos(d) > 0"
Useful = "pos(d) <= k and gain(d) / pos(d) > 0"
"#;

const CONTRARY: &str = r#"name = "Contrary"
about = "wants to be wrong as soon as possible"
range = [0, 1]
score = """
if(exists(d in D where pos(d) == 1 and gain(d) > 0) and exists(d in D where gain(d) == 0), 0, 1)"""
"#;
