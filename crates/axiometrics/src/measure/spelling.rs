//! What a name stands for, and the names that stand for different things elsewhere.
//!
//! Names and spellings are looked up as they are written first, then without regard to capitals if
//! that leaves one meaning.

use super::def::{Alias, Def, Suffix};
use super::definitions;
use crate::error::{Error, Result};

/// A spelling that other tools, or another spelling of ours, use for something else, unless this
/// parameter is given; and which is which.
struct Disputed {
    spelling: &'static str,
    unless: &'static str,
    note: &'static str,
}

const RBP_NOTE: &str = "rbp is trec_eval's, with p=0.9; RBP has p=0.8, as in ir_measures";

const DISPUTED: [Disputed; 8] = [
    Disputed { spelling: "rbp", unless: "p", note: RBP_NOTE },
    Disputed { spelling: "RBP", unless: "p", note: RBP_NOTE },
    Disputed {
        spelling: "HIT",
        unless: "",
        note: "HIT is the highest gain in the top k (Moffat); Hit and hit_rate are Success, 1 if the top k holds a relevant document; hits counts relevant documents",
    },
    Disputed {
        spelling: "Hit",
        unless: "",
        note: "Hit is Success, 1 if the top k holds a relevant document; HIT is the highest gain in the top k; hits counts relevant documents",
    },
    Disputed {
        spelling: "hits",
        unless: "",
        note: "hits counts the relevant documents, as in ranx; Hit and hit_rate are Success, HIT is the highest gain in the top k",
    },
    Disputed {
        spelling: "HR",
        unless: "",
        note: "HR is the hit rate, Success; some use the name for the share of relevant documents that was found, which is R",
    },
    Disputed {
        spelling: "MAP",
        unless: "norm",
        note: "MAP@k divides by the number of relevant documents; AP(norm=min)@k by min(R, k), as recommenders often do",
    },
    Disputed {
        spelling: "NDCG",
        unless: "dcg",
        note: "NDCG has linear gains, as in trec_eval; nDCG(dcg=exp-log2) has 2^g - 1",
    },
];

/// Spellings whose note is about cutoffs.
const WITH_CUTOFF: [&str; 1] = ["MAP"];

/// What a reader of a name should know, if others mean something else by it.
pub(super) fn note(head: &str, given: impl Fn(&str) -> bool, cut: bool) -> Option<&'static str> {
    let found = DISPUTED.iter().find(|d| d.spelling == head)?;
    let says = (found.unless.is_empty() || !given(found.unless))
        && (cut || !WITH_CUTOFF.contains(&found.spelling));
    says.then_some(found.note)
}

/// The notes about the spellings of a measure.
pub(crate) fn notes_of(def: &Def<'_>) -> Vec<&'static str> {
    let of = |d: &&Disputed| resolve(d.spelling).is_some_and(|named| named.def.name == def.name);
    let mut notes: Vec<&str> = DISPUTED.iter().filter(of).map(|d| d.note).collect();
    notes.dedup();
    notes
}

/// What a name stands for.
pub(super) struct Named<'t> {
    pub(super) def: &'static Def<'static>,
    pub(super) alias: Option<&'static Alias>,
    /// The numbers glued to the name.
    pub(super) glued: Vec<&'t str>,
}

impl Named<'_> {
    /// Two spellings with one meaning.
    fn means(&self, other: &Named<'_>) -> bool {
        let implied = |named: &Named<'_>| named.alias.map_or("", |alias| alias.implies);
        self.def.name == other.def.name && implied(self) == implied(other)
    }
}

/// The measure that a name stands for, with capitals as they are or, if there is one meaning, as
/// they may be.
pub(super) fn resolve(head: &str) -> Option<Named<'_>> {
    exactly(head).or_else(|| {
        let mut found = in_any_case(head);
        let first = found.pop()?;
        found.iter().all(|other| other.means(&first)).then_some(first)
    })
}

/// The spellings that differ from a name in capitals alone.
pub(super) fn in_other_cases(head: &str) -> Vec<&'static str> {
    let found = in_any_case(head).into_iter();
    found.map(|named| named.alias.map_or(named.def.name, |alias| alias.spelling)).collect()
}

fn aliases() -> impl Iterator<Item = (&'static Def<'static>, &'static Alias)> {
    definitions().flat_map(|def| def.aliases.iter().map(move |alias| (def, alias)))
}

fn exactly(head: &str) -> Option<Named<'_>> {
    if let Some(def) = definitions().find(|def| def.name == head) {
        return Some(Named { def, alias: None, glued: Vec::new() });
    }
    if let Some((def, alias)) = aliases().find(|(_, alias)| alias.spelling == head) {
        return Some(Named { def, alias: Some(alias), glued: Vec::new() });
    }
    // The longest spelling wins: `map_cut_10` is `map_cut`, never `map` with `cut_10`.
    let spelled = |alias: &Alias| head.strip_prefix(alias.spelling);
    aliases()
        .filter_map(|(def, alias)| Some((def, alias, glued(alias, spelled(alias)?)?)))
        .max_by_key(|(_, alias, _)| alias.spelling.len())
        .map(|(def, alias, glued)| Named { def, alias: Some(alias), glued })
}

fn in_any_case(head: &str) -> Vec<Named<'_>> {
    let names = definitions().filter(|def| def.name.eq_ignore_ascii_case(head));
    let mut found: Vec<Named<'_>> =
        names.map(|def| Named { def, alias: None, glued: Vec::new() }).collect();
    found.extend(aliases().filter_map(|(def, alias)| {
        let (start, rest) = head.split_at_checked(alias.spelling.len())?;
        let same = start.eq_ignore_ascii_case(alias.spelling);
        let glued = if rest.is_empty() { Vec::new() } else { glued(alias, rest)? };
        same.then_some(Named { def, alias: Some(alias), glued })
    }));
    found
}

/// The numbers glued to a spelling: `_10`, `.5,10`.
fn glued<'t>(alias: &Alias, rest: &'t str) -> Option<Vec<&'t str>> {
    if matches!(alias.suffix, Suffix::None | Suffix::Printed) {
        return None;
    }
    let rest = rest.strip_prefix(['_', '.'])?;
    let number = |text: &&str| {
        text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
            && text.parse::<f64>().is_ok()
    };
    let glued: Vec<&str> = rest.split(',').collect();
    glued.iter().all(number).then_some(glued)
}

/// A measure as another tool prints it, with the parameters inside.
pub(super) struct Printed {
    pub(super) def: &'static Def<'static>,
    /// What the parameters are: `T=2.0,depth=1000`.
    pub(super) implies: String,
}

/// The measure that another tool prints so.
pub(super) fn printed(token: &str) -> Option<Result<Printed>> {
    let unequal = UNEQUAL.iter().find_map(|one| Some((one, numbers(one.printed, token)?)));
    if let Some((one, numbers)) = unequal {
        let error = Error::usage(format!("measure \"{token}\": {}", one.why));
        return Some(Err(error.help(filled(one.instead, &numbers))));
    }
    aliases()
        .filter(|(_, alias)| alias.suffix == Suffix::Printed)
        .find_map(|(def, alias)| Some((def, alias, numbers(alias.spelling, token)?)))
        .map(|(def, alias, numbers)| Ok(Printed { def, implies: filled(alias.implies, &numbers) }))
}

/// What another tool prints for a measure that does not follow from it.
struct Unequal {
    printed: &'static str,
    why: &'static str,
    instead: &'static str,
}

const UNEQUAL: [Unequal; 1] = [Unequal {
    printed: "BPM-Dynamic-T={T}-K={K}-hb={hb}-hc={hc}",
    why: "cwl_eval's name leaves out gain_med, the gain that moves the goal",
    instead: "if gain_med is 0.5, write CWL(c='G < {T} + {hb} * (G - g - 0.5 * (i - 1)) and i < k')@{K}",
}];

/// The numbers in a token at the places that a pattern has for them, by name.
fn numbers<'t>(pattern: &'static str, token: &'t str) -> Option<Vec<(&'static str, &'t str)>> {
    let mut numbers = Vec::new();
    let (start, mut pattern) = pattern.split_once('{')?;
    let mut token = token.strip_prefix(start)?;
    loop {
        let (name, behind) = pattern.split_once('}')?;
        let (literal, next) =
            behind.split_once('{').map_or((behind, None), |(literal, next)| (literal, Some(next)));
        let end = if literal.is_empty() { token.len() } else { token.find(literal)? };
        let number = &token[..end];
        number.parse::<f64>().ok().filter(|x| x.is_finite())?;
        numbers.push((name, number));
        token = &token[end + literal.len()..];
        match next {
            Some(next) => pattern = next,
            None => return token.is_empty().then_some(numbers),
        }
    }
}

/// A text with these numbers at its places.
fn filled(text: &str, numbers: &[(&str, &str)]) -> String {
    numbers
        .iter()
        .fold(text.to_string(), |text, (name, number)| text.replace(&format!("{{{name}}}"), number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disputed_spellings_are_spellings() {
        for disputed in &DISPUTED {
            assert!(exactly(disputed.spelling).is_some(), "{}", disputed.spelling);
        }
    }

    #[test]
    fn capitals_matter_only_between_meanings() {
        for (head, name) in [
            ("Ndcg", "nDCG"),
            ("map", "AP"),
            ("Mrr", "RR"),
            ("NDCG_CUT_10", "nDCG"),
            ("Err", "ERR"),
            ("success", "Success"),
        ] {
            assert_eq!(resolve(head).unwrap().def.name, name, "{head}");
        }
        assert!(resolve("Rbp").is_none());
        assert_eq!(
            numbers("A-T={T}-b@{b}", "A-T=1e-05-b@.5").unwrap(),
            [("T", "1e-05"), ("b", ".5")]
        );
        assert!(numbers("A-T={T}", "A-T=x").is_none() && numbers("A-T={T}", "A-T=1-b=2").is_none());
        assert!(in_other_cases("Rbp").contains(&"rbp"));
    }
}
