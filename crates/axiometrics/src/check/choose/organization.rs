//! Choosing among measures of clusterings or filterings.

use super::wish::expand;
use super::{Choice, Fit, Miss, Wish, Wishes};
use crate::check::organization::{self, Subject, constraints};
use crate::check::{Group, Options, Verdicts};
use crate::error::{Error, Result};
use crate::organization::Task;

/// Chooses among measures of clusterings or filterings.
pub fn choose_organization(
    wishes: &Wishes,
    task: Task,
    subjects: &[Subject],
    options: &Options,
) -> Result<Choice> {
    if wishes.graded || wishes.depth.is_some() || wishes.incomplete || wishes.average {
        let error = Error::usage(
            "grades, depth, incomplete judgements and averages are asked of measures of rankings only",
        );
        return Err(error.help("name constraints that the measure must satisfy"));
    }
    let names: Vec<&'static str> = constraints(task).map(|c| c.name()).collect();
    let wishes = expand(wishes, &names)?;
    let subjects: Vec<Subject> = subjects.iter().copied().filter(|s| s.scores(task)).collect();
    let options = Options { groups: vec![Group::Constraint], ..options.clone() };
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in organization::run_all(&subjects, &options) {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), w.unmet(&report)?))).collect();
        if unmet.is_empty() {
            let definition = report.subject.measure().definition();
            let words = (definition.title, definition.summary);
            fits.push(Fit::new(&report, &wishes, words, definition.undefined));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    Ok(Choice::new(wishes, fits, misses))
}
