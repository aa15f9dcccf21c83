//! trec_eval's measures by name: what each is in the library, and which of them a list names.

use super::catalogue::{MEASURES, NICKNAMES};
use super::refused::Refused;
use crate::measure::preference::PREFERENCES;

/// A measure of trec_eval.
#[derive(Debug)]
pub struct TrecMeasure {
    /// Its name, which parameters may follow.
    pub name: &'static str,
    pub(super) kind: MeasureKind,
    pub(super) about: &'static str,
}

/// What a measure is, and what its parameters are.
#[derive(Debug)]
pub(super) enum MeasureKind {
    /// The tag of the run.
    RunTag,
    /// How many topics the summary is about.
    Topics,
    /// The grades of the first documents, as text.
    Grades,
    /// One measure of the library. Parameters have no meaning.
    Single(&'static str),
    /// A count of documents, whose summary is a sum.
    Count(&'static str),
    /// Shown only as the geometric mean of all topics.
    Geometric(&'static str),
    /// One for each cutoff.
    Cutoffs(&'static str, &'static [i64]),
    /// One for each level of recall, or each multiple of R. Below the range a level is as its
    /// start, above it is never reached.
    Levels(&'static str, &'static [f64], std::ops::RangeInclusive<f64>),
    /// The mean of a measure over levels of recall.
    MeanOfLevels(&'static str),
    /// Takes gains by grade.
    Gains(&'static str),
    /// The same, and 0 for a topic without relevant documents, whatever gains there are.
    GainsOfRelevant(&'static str),
    /// Rank-biased precision: `p`, and gains by grade.
    Rbp,
    /// What unjudged documents and those never seen could add to it.
    Residual,
    /// Takes the worth of a document in each cell of the contingency table.
    Utility,
    /// Takes the square of beta.
    SetF,
    /// A measure of preferences, which has the same name in the library.
    Preference,
    /// An average over judgement groups, by cutoff, by multiple of R, or of one measure.
    Group(&'static MeasureKind),
}

/// What judgements a measure is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// Whatever there is.
    Any,
    /// A grade for each document.
    Grades,
    /// Grades of several judges.
    Groups,
    /// Which of two documents is better.
    Preferences,
}

impl MeasureKind {
    pub(super) fn basis(&self) -> Basis {
        match self {
            MeasureKind::RunTag | MeasureKind::Topics => Basis::Any,
            MeasureKind::Preference => Basis::Preferences,
            MeasureKind::Group(_) => Basis::Groups,
            _ => Basis::Grades,
        }
    }
}

impl TrecMeasure {
    /// What judgements it is computed from.
    pub fn basis(&self) -> Basis {
        self.kind.basis()
    }

    /// A sentence or two, and the parameters.
    pub fn about(&self) -> String {
        match PREFERENCES.iter().find(|d| d.name == self.name) {
            Some(def) => format!("{}. {}", def.title, def.definition),
            None => self.about.to_string(),
        }
    }
}

/// Where the parameters of a measure may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Spelling {
    /// After a dot, as on the command line of trec_eval: `P.5,10`.
    #[default]
    Dot,
    /// After a dot or an underscore, as in pytrec_eval: `P_5` is `P.5`.
    DotOrUnderscore,
}

/// A measure, with the parameters that were given to it: one text for each time.
#[derive(Debug)]
pub struct ChosenMeasure {
    /// The measure.
    pub measure: &'static TrecMeasure,
    /// Its parameters, as written.
    pub given: Vec<String>,
}

/// The measures that these texts name, in trec_eval's order; its official ones if there is no text.
///
/// ```
/// use axiometrics::trec_eval::{Spelling, chosen};
///
/// let all = chosen(&["map", "ndcg_cut_10", "ndcg_cut_20"], Spelling::DotOrUnderscore)?;
/// let names: Vec<&str> = all.iter().map(|c| c.measure.name).collect();
/// assert_eq!(names, ["map", "ndcg_cut"]);
/// assert_eq!(all[1].given, ["10", "20"]);
/// assert!(chosen(&["ndcg_cut_10"], Spelling::Dot).is_err());
/// # Ok::<(), axiometrics::Error>(())
/// ```
pub fn chosen<S: AsRef<str>>(
    texts: &[S],
    spelling: Spelling,
) -> Result<Vec<ChosenMeasure>, Refused> {
    let mut marked: Vec<Option<Vec<String>>> = MEASURES.iter().map(|_| None).collect();
    let mut mark = |text: &str| {
        let (name, params) = split(text, spelling);
        if params == Some("") {
            let message = format!("no parameters after the dot of measure '{text}'");
            return Err(Refused::unknown(message));
        }
        let nickname = NICKNAMES.iter().find(|(nickname, _)| *nickname == name);
        let names = nickname.map_or(std::slice::from_ref(&name), |(_, names)| names);
        for single in names {
            let at = position(single).ok_or_else(|| Refused::unknown(unknown(text, name)))?;
            let given = marked[at].get_or_insert_default();
            // As in trec_eval, a parameter of a nickname has no meaning.
            given.extend(params.filter(|_| nickname.is_none()).map(String::from));
        }
        Ok(())
    };
    if texts.is_empty() {
        mark("official")?;
    }
    texts.iter().try_for_each(|text| mark(text.as_ref()))?;
    Ok(MEASURES
        .iter()
        .zip(marked)
        .filter_map(|(measure, given)| given.map(|given| ChosenMeasure { measure, given }))
        .collect())
}

fn position(name: &str) -> Option<usize> {
    MEASURES.iter().position(|measure| measure.name == name)
}

/// A name and its parameters.
fn split(text: &str, spelling: Spelling) -> (&str, Option<&str>) {
    let known = || position(text).is_some() || NICKNAMES.iter().any(|(name, _)| *name == text);
    if spelling == Spelling::DotOrUnderscore && !known() {
        // The longest name counts: `Rprec_mult_0.20` is no parameter of Rprec.
        let named = MEASURES.iter().filter_map(|measure| {
            let params = text.strip_prefix(measure.name)?.strip_prefix(['.', '_'])?;
            Some((measure.name, Some(params)))
        });
        if let Some(found) = named.max_by_key(|(name, _)| name.len()) {
            return found;
        }
    }
    text.split_once('.').map_or((text, None), |(name, params)| (name, Some(params)))
}

fn unknown(text: &str, name: &str) -> String {
    let known = MEASURES.iter().map(|m| m.name).chain(NICKNAMES.iter().map(|n| n.0));
    // `P_10` is how trec_eval prints what it wants written as `P.10`.
    match known
        .filter(|known| name.starts_with(*known) && name[known.len()..].starts_with('_'))
        .max_by_key(|known| known.len())
    {
        Some(near) => format!(
            "illegal measure '{text}'; parameters follow a dot: {near}.{}",
            &name[near.len() + 1..]
        ),
        None => format!("illegal measure '{text}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nicknames_name_measures_and_preferences_are_the_librarys() {
        for (nickname, names) in NICKNAMES {
            for name in *names {
                assert!(MEASURES.iter().any(|m| m.name == *name), "{nickname}: {name}");
            }
        }
        let mut ours: Vec<&str> = MEASURES
            .iter()
            .filter(|m| m.kind.basis() == Basis::Preferences)
            .map(|m| m.name)
            .collect();
        let mut library: Vec<&str> = PREFERENCES.iter().map(|d| d.name).collect();
        ours.sort_unstable();
        library.sort_unstable();
        assert_eq!(ours, library);
        assert!(MEASURES.iter().all(|m| !m.about().is_empty()));
    }

    #[test]
    fn a_repeated_measure_adds() {
        let all = chosen(&["P.5", "map", "P.10,20", "all_trec"], Spelling::Dot).unwrap();
        let precision = all.iter().find(|c| c.measure.name == "P").unwrap();
        assert_eq!(precision.given, ["5", "10,20"]);
        let (_, all_trec) = NICKNAMES.iter().find(|(name, _)| *name == "all_trec").unwrap();
        assert_eq!(all.len(), all_trec.len());
    }

    #[test]
    fn unknown_measures_are_named() {
        let error = |text: &str| chosen(&[text], Spelling::Dot).err().unwrap().to_string();
        assert_eq!(error("nope"), "illegal measure 'nope'");
        assert!(error("ndcg_cut_10").contains("ndcg_cut.10"));
        assert!(error("P.").contains("no parameters"));
    }
    #[test]
    fn parameters_after_an_underscore() {
        let given = |text: &str| {
            let all = chosen(&[text], Spelling::DotOrUnderscore).unwrap();
            (all[0].measure.name, all[0].given.join(";"))
        };
        assert_eq!(given("P_5"), ("P", "5".into()));
        assert_eq!(given("P.5,10"), ("P", "5,10".into()));
        assert_eq!(given("set_F"), ("set_F", "".into()));
        assert_eq!(given("Rprec_mult_0.20"), ("Rprec_mult", "0.20".into()));
        assert_eq!(given("iprec_at_recall_0.10,0.20"), ("iprec_at_recall", "0.10,0.20".into()));
        assert!(chosen(&["nope_5"], Spelling::DotOrUnderscore).is_err());
    }
}
