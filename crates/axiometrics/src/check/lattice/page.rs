//! The page about the lattice, `docs/lattice.md`.

use std::fmt::Write as _;

use super::example::{EXAMPLES, FeasibleMeasure};
use super::property::PropertySet;
use super::search::{Contradiction, Lattice};

/// The page, with the drawings beside it as `lattice-seven.svg` and `lattice-twelve.svg`.
pub fn page() -> String {
    let twelve = Lattice::get();
    let seven = twelve.among(PropertySet::SEVEN);
    let mut out = String::from(INTRODUCTION);
    out.push_str("## The seven properties\n\n");
    let _ = writeln!(
        out,
        "{} sets contradict themselves and are minimal: without any one of its properties, each can \
         be had.\n",
        number(seven.contradictions.len())
    );
    seven.contradictions.iter().for_each(|c| tell(&mut out, c));
    let _ = writeln!(
        out,
        "Bounded and complete are in no contradiction. So these {} sets are the largest that can be \
         had:\n\n| set | measure |\n|:----|:--------|",
        number(seven.feasible.len()).to_lowercase()
    );
    for set in &seven.feasible {
        let example = EXAMPLES.iter().find(|e| e.set().common(PropertySet::SEVEN) == *set);
        let _ = writeln!(out, "| {} | {} |", set.names(), example.map_or_else(String::new, link));
    }
    out.push_str("\n![The feasible sets of the seven properties](lattice-seven.svg)\n\n");
    out.push_str("## With the five ranking constraints\n\n");
    let more: Vec<&Contradiction> = twelve
        .contradictions
        .iter()
        .filter(|c| !c.properties.is_part_of(PropertySet::SEVEN))
        .collect();
    let _ = writeln!(
        out,
        "The constraints of Amigó, Gonzalo and Verdejo (2013), in any context, add {} minimal \
         contradictions:\n",
        number(more.len()).to_lowercase()
    );
    more.into_iter().for_each(|c| tell(&mut out, c));
    let _ = writeln!(
        out,
        "That leaves {} largest sets. A dot is a property that the measure has; each row of crosses is \
         a minimal contradiction.\n\n![All largest feasible sets and all minimal contradictions](lattice-twelve.svg)\n",
        number(twelve.feasible.len()).to_lowercase()
    );
    out.push_str(CONTEXTS);
    out.push_str("## The measures\n\n");
    out.push_str(MEASURES);
    for example in EXAMPLES {
        let _ = writeln!(
            out,
            "### {}\n\n{}, {}. It has: {}.\n",
            example.measure,
            link(example),
            example.about,
            example.set().names()
        );
        if let Some(file) = example.file {
            let _ = writeln!(out, "```toml\n{file}```\n");
        }
        for proof in example.proofs {
            let _ = writeln!(out, "- {proof}");
        }
        out.push('\n');
    }
    out.push_str(METHOD);
    out
}

/// A contradiction and its derivation.
fn tell(out: &mut String, contradiction: &Contradiction) {
    let _ = writeln!(
        out,
        "**{}**\n\n```text\n{}```\n",
        contradiction.properties.names(),
        contradiction.derivation.text()
    );
}

fn link(example: &FeasibleMeasure) -> String {
    match example.file {
        Some(_) => format!("[{0}](../components/{0})", example.measure),
        None => format!("`{}`", example.measure),
    }
}

fn number(n: usize) -> String {
    let words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    words.get(n).map_or_else(|| n.to_string(), |word| (*word).to_string())
}

const INTRODUCTION: &str = "# Which properties go together

Made by the program; a test compares this page with what it finds.

A wish for a measure can be impossible. Moffat (2013, section 4) shows that no measure is monotonic,
convergent and realizable. This page lists *all* minimal sets of properties that contradict one
another, each with a derivation of a few lines, and for every largest set that is left a measure that
has it. `axio choose --want ...` answers an impossible wish from the same lattice.

How to read a derivation: a ranking is written `top k|rest`; the order of the rest is not seen. `M` is
the largest score that the measure ever gives. `a ≤ b (monotonic)` says that a monotonic measure gives
`b` at least the score of `a`. A realizable measure gives `M` to some ranking of each collection with a
relevant document, at each `k`; a derivation ends if every ranking of one collection must score less.

Each derivation is about a few documents, and is a proof for collections of all sizes: a property
speaks of every collection, so a measure that has it has it on these few as well.

It is assumed that the measure scores every ranking of every collection that has a relevant document,
and that a ranking of k documents scores the same as a longer one that is cut off at k. Without the first
assumption more is possible, but not much that is of use: a measure that is 1 on rankings in descending order and
undefined elsewhere is monotonic, convergent, top-weighted and realizable, for there is nothing to
compare. Localized, convergent and realizable contradict each other even then.

";

const CONTEXTS: &str =
    "The last of these contradictions needs the contexts of the closeness threshold. As the paper prints
the two thresholds, without other documents around, a measure can have both and be monotonic and
realizable: score 1 if the first document is relevant and 0 if not, but the other way round if the
collection has exactly one relevant document.

Priority and deepness, too, are possible in more company if they are asked for as printed, of one
relevant document among irrelevant ones: RR has both, and is monotonic and realizable.

";

const MEASURES: &str =
    "That a set is feasible is shown by a measure, with a proof for all sizes and all grades. `axio
check` confirms every cell by search. Some of these measures were made for the purpose, and nobody
would want them; what they show is that only usefulness speaks against the wish.

";

const METHOD: &str = "## How it is decided

The unknowns are the scores of states: the gains of the top k in order, and the gains of the rest
without order. A property is a set of comparisons between unknowns. Monotonic gives `≤`, localized `=`,
convergent, top-weighted, priority, confidence, both thresholds and deepness in context give `<`.
Bounded and complete compare nothing: any finite number of scores is bounded, and a score can
be given to a collection without a relevant document.

- *Contradictions* are decided on the graph of these comparisons. If a cycle has a `<` in it, there are
  no such scores. Otherwise give the maximum to every state that no chain with a `<` forces below it;
  this breaks no comparison, so realizable fails only if all rankings of one collection at one depth are
  forced below. No choice of rankings has to be tried.
- *Deepness* of a single relevant document compares differences of scores, so it is not part of the
  graph. Leaving a demand out cannot make a contradiction. It could hide one, but it hides none, since
  each of the largest sets that are left has a measure with the full constraint.
- *The thresholds* hold for some n, or from some n on. A set is called contradictory only if it is so
  for every n that was tried, and the derivations take the same steps for each.
- *Feasible* sets are decided by the measures above, not by the graph.

All collections of up to 5 documents were looked at, relevant or not, and larger ones for the thresholds. Grades 0,
1/2 and 1 (up to 4 documents) change nothing: the derivations stay, since a graded collection may have
two grades only, and the measures have their properties with any grades. The same sets come out of an
independent encoding that Z3 solves, with the differences of deepness as linear inequalities
(`tests/python/test_lattice.py`).
";
