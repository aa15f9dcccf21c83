//! Choosing among measures of clusterings or filterings.

use super::wish::{expand, refuse_other_needs};
use super::{Chosen, FittingMetric, Miss, Wish, Wishes};
use crate::check::organization::{self, Subject, statements};
use crate::check::{CheckGroup, CheckOptions, Verdicts};
use crate::error::Result;
use crate::organization::Task;

/// Chooses among measures of clusterings or filterings.
pub fn choose_organization(
    wishes: &Wishes,
    task: Task,
    subjects: &[Subject],
    options: &CheckOptions,
) -> Result<Chosen> {
    refuse_other_needs(wishes)?;
    let both = [CheckGroup::Property, CheckGroup::Constraint];
    let names: Vec<&'static str> = statements(task, &both).map(|(name, _)| name).collect();
    let wishes = expand(wishes, &names)?;
    let asked = |group: &CheckGroup| {
        statements(task, &[*group]).any(|(name, _)| wishes.iter().any(|w| w.check() == Some(name)))
    };
    let speaks = |subject: &Subject| subject.scores(task) && subject.tells_apart(task);
    let subjects: Vec<Subject> = subjects.iter().copied().filter(speaks).collect();
    let options =
        CheckOptions { groups: both.into_iter().filter(asked).collect(), ..options.clone() };
    let (mut fits, mut misses) = (Vec::new(), Vec::new());
    for report in organization::run_all(&subjects, &options) {
        let unmet: Vec<(Wish, String)> =
            wishes.iter().filter_map(|w| Some((w.clone(), w.unmet(&report)?))).collect();
        if unmet.is_empty() {
            let definition = report.subject.measure().definition();
            let words = (definition.title, definition.summary);
            fits.push(FittingMetric::new(&report, &wishes, words, definition.undefined));
        } else {
            misses.push(Miss { metric: report.metric(), unmet });
        }
    }
    Ok(Chosen::new(wishes, fits, misses))
}
