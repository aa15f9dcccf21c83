//! The edit distance between two partitions.

use super::definition::{
    AMIGO_2009, Better, CLUSTERING, Definition, OrganizationFormula, THREE_AND_ONE,
};
use super::matching::maximum_matching;
use super::{Contingency, OrganizationMeasure, Score};

/// The least number of operations that turn the clusters into the classes, given that one operation
/// moves a document to another cluster (also a new one) or merges two clusters.
///
/// Each cluster becomes the heart of one class: the documents of other classes move out, and the
/// clusters that become the same class are merged. Another class than the commonest costs a move
/// and saves a merge at most, so the commonest is best; if several are equally common, a maximum
/// matching picks those that leave the fewest merges.
pub fn edit_distance(table: &Contingency) -> u64 {
    let mut clusters = 0;
    let mut stay = 0;
    let mut covered = vec![false; table.gold_sizes().len()];
    let mut tied = Vec::new();
    for cluster in 0..table.system_sizes().len() {
        let row = table.row(cluster);
        let Some(largest) = row.iter().map(|&(_, count)| count).max() else { continue };
        clusters += 1;
        stay += u64::from(largest);
        let mut hearts =
            row.iter().filter(|&&(_, count)| count == largest).map(|&(class, _)| class);
        match (hearts.next(), hearts.next()) {
            (Some(only), None) => covered[only as usize] = true,
            _ => tied.push(cluster),
        }
    }
    let open = |cluster: &usize| {
        let row = table.row(*cluster);
        let largest = row.iter().map(|&(_, count)| count).max();
        row.iter()
            .filter(|&&(class, count)| Some(count) == largest && !covered[class as usize])
            .map(|&(class, _)| class)
            .collect()
    };
    let choices: Vec<Vec<u32>> = tied.iter().map(open).collect();
    let hearts = covered.iter().filter(|&&covered| covered).count()
        + maximum_matching(&choices, covered.len());
    let moves = table.documents() - stay;
    let merges = clusters - hearts as u64;
    moves + merges
}

/// The measures of this family.
pub(super) static MEASURES: &[&dyn OrganizationMeasure] = &[&EDIT_DISTANCE];

static EDIT_DISTANCE: OrganizationFormula = OrganizationFormula {
    definition: Definition {
        name: "edit_distance",
        title: "Edit distance",
        summary: "How many corrections would turn the clusters into the classes.",
        definition: "the least number of moves of a document and merges of two clusters that turn the clusters into the classes",
        range: "0 to the number of documents minus 1",
        better: Better::Lower,
        example: THREE_AND_ONE.with(1.0, "move c to d"),
        references: &[
            "Pantel, Lin. Efficiently clustering documents with committees. PRICAI 2002",
            AMIGO_2009,
        ],
        ..CLUSTERING
    },
    compute: |comparison| {
        comparison
            .contingency()
            .map_or_else(|undefined| undefined, |table| Score::Value(edit_distance(table) as f64))
    },
};
