//! The sum of precisions, for each number of relevant open documents, in one pass from the top and one from the bottom.

use super::counts::Openness;
use super::{Completion, Ends};
use crate::measure::range::Precisions;

pub(super) fn ends(rule: &Precisions<'_>, all: &Completion) -> Ends {
    let open = Openness::new(all, rule.k, rule.rel);
    // Where an open document cannot but be relevant, it is as good as judged.
    let certain = open.certain.1 > 0;
    let possible = open.inside + open.outside > 0;
    // What can be relevant in the top k: its rank, and whether it is open.
    let documents: Vec<(f64, bool)> = all
        .documents()
        .take_while(|(hit, _)| hit.rank <= rule.k)
        .filter(|(hit, open)| if *open { certain || possible } else { hit.grade >= rule.rel })
        .map(|(hit, open)| (f64::from(hit.rank), open && !certain))
        .collect();
    let judged: Vec<f64> = documents.iter().filter(|(_, open)| !open).map(|(rank, _)| *rank).collect();
    let relevant = all.judged_grades().relevant(&rule.rel) + open.certain.1;
    let mut ends = Ends::default();
    let mut add = |sum: f64, t: u32, outside: u32| ends.add((rule.value)(sum, judged.len() as u32 + t, relevant + t + outside));

    // Highest: from the top. Below the last document that was made relevant the judged ones follow, each with t more above it.
    let mut below = vec![(0.0, 0.0); judged.len() + 1];
    for (i, rank) in judged.iter().enumerate().rev() {
        below[i] = (below[i + 1].0 + (i + 1) as f64 / rank, below[i + 1].1 + 1.0 / rank);
    }
    let (mut sum, mut seen, mut t) = (0.0, 0usize, 0u32);
    add(below[0].0, 0, 0);
    for (rank, open) in &documents {
        if *open {
            t += 1;
        } else {
            seen += 1;
        }
        sum += (seen as f64 + f64::from(t)) / rank;
        if *open {
            add(sum + below[seen].0 + f64::from(t) * below[seen].1, t, 0);
        }
    }

    // Lowest: all outside the top k first, then from the bottom. Each document that joins pushes those below it up by one.
    let mut above = vec![0.0; judged.len() + 1];
    for (i, rank) in judged.iter().enumerate() {
        above[i + 1] = above[i] + (i + 1) as f64 / rank;
    }
    for outside in [open.outside.min(1), open.outside] {
        add(below[0].0, 0, outside);
    }
    let (mut counted, mut inverse, mut seen, mut t) = (0.0, 0.0, judged.len(), 0);
    for (rank, is_open) in documents.iter().rev() {
        counted += inverse + 1.0 / rank;
        inverse += 1.0 / rank;
        if *is_open {
            t += 1;
            add(above[seen] + counted + seen as f64 * inverse, t, open.outside);
        } else {
            seen -= 1;
        }
    }
    ends
}
