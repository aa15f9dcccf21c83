//! One side's relations, weighted, and how many of them the other side agrees with.

use super::super::{Agreement, Comparison, Sum, Variant};
use super::layers::Layers;
use super::priority::Partners;
use super::weights::Weights;
use crate::data::organization::Occurrences;

/// Both sides, weighted.
pub(super) struct Sides<'a> {
    pub(super) system: Side<'a>,
    pub(super) gold: Side<'a>,
}

/// One side as stated, with the weights of its levels.
pub(super) struct Side<'a> {
    pub(super) index: &'a Occurrences<'a>,
    /// The levels of the relations that this side states.
    pub(super) layers: Layers,
    /// The levels in which the other side's relations are looked up.
    answers: Option<Layers>,
    pub(super) weights: Weights,
}

/// How many of one side's relations are right: its Reliability if it is the system's.
pub(super) struct Reliability {
    pub(super) priority: f64,
    pub(super) related: f64,
    pub(super) joint: f64,
}

/// What a document's place above the tail weighs, as stated and as agreed.
pub(super) struct AboveTail {
    pub(super) document: u32,
    pub(super) stated: f64,
    pub(super) agreed: f64,
}

impl<'a> Sides<'a> {
    pub(super) fn of(comparison: &'a Comparison<'_>) -> Sides<'a> {
        let universe = comparison.universe();
        Sides {
            system: Side::of(comparison.system_index(), comparison, &universe),
            gold: Side::of(comparison.gold_index(), comparison, &universe),
        }
    }
}

impl<'a> Side<'a> {
    fn of(index: &'a Occurrences<'a>, comparison: &Comparison<'_>, universe: &[bool]) -> Side<'a> {
        let settings = comparison.settings();
        let sizes = |layers: &Layers| layers.sizes(|_| 1.0);
        if settings.finite {
            let layers = Layers::closed(index, universe);
            let weights = Weights::equal(&sizes(&layers));
            return Side { index, layers, answers: None, weights };
        }
        let layers = Layers::open(index);
        let weights = Weights::with_tail(&sizes(&layers), settings.curve.c());
        let answers =
            (settings.variant == Variant::Semantic).then(|| Layers::closed(index, universe));
        Side { index, layers, answers, weights }
    }

    pub(super) fn answers(&self) -> &Layers {
        self.answers.as_ref().unwrap_or(&self.layers)
    }

    /// How many of the relations of each kind the other side states too.
    pub(super) fn reliability(
        &self,
        other: &Side<'_>,
        agreement: &Agreement,
        comparison: &Comparison<'_>,
    ) -> Reliability {
        let (priority, joint) = self.priority(other, agreement, comparison);
        let related = self.relatedness(agreement, comparison);
        let shares = comparison.shares();
        let joint = if shares.related == 0.0 {
            priority
        } else if shares.priority == 0.0 {
            related
        } else {
            joint
        };
        Reliability { priority, related, joint }
    }

    /// Of priority, and of priority and relatedness together.
    fn priority(
        &self,
        other: &Side<'_>,
        agreement: &Agreement,
        comparison: &Comparison<'_>,
    ) -> (f64, f64) {
        let partners = Partners::agreed(&self.layers, &self.weights, other.answers(), |_| 1.0);
        let variant = comparison.settings().variant;
        let Weights { levels, tail, kept } = &self.weights;
        let (mut priority, mut joint) = (Sum::default(), Sum::default());
        for document in 0..self.layers.documents() {
            let clusters = self.index.clusters(document);
            let (downwards, upwards) = self.agreed_tail(other, document, variant);
            let partners = partners.of(document);
            for (at, &level) in self.layers.of(document).iter().enumerate() {
                let level = levels[level as usize];
                let agreed = partners.get(at).copied().unwrap_or(0.0) + downwards * tail;
                // The relations of the tail with this occurrence, which are spread over all.
                let of_tail = if *tail > 0.0 { upwards * tail * level.weight / kept } else { 0.0 };
                priority.add(agreed * level.normed + of_tail);
                // Documents that this side lacks are in no cluster.
                let cluster =
                    clusters.get(at).map_or(0.0, |&cluster| agreement.sizes[cluster as usize]);
                let others = level.others + cluster * level.weight;
                if others > 0.0 {
                    joint.add(agreed * level.weight / others);
                }
                joint.add(of_tail);
            }
        }
        for (cluster, sum) in agreement.by_cluster.iter().enumerate() {
            let level = levels[self.index.level_of(cluster)];
            let others = level.others + agreement.sizes[cluster] * level.weight;
            joint.add(level.weight * level.weight * sum / others);
        }
        (priority.total(), joint.total())
    }

    /// How far the other side agrees that a document is above the tail: for the relation of the
    /// document with the tail, and of the tail with the document.
    fn agreed_tail(&self, other: &Side<'_>, document: usize, variant: Variant) -> (f64, f64) {
        let here = self.index.count(document);
        if here == 0 {
            return (0.0, 0.0);
        }
        let agreed = f64::from(here.min(other.index.count(document))) / f64::from(here);
        (if variant == Variant::Table9 { 1.0 } else { agreed }, agreed)
    }

    /// The relations of the documents with the tail, if there is one.
    pub(super) fn above_tail(
        &self,
        other: &Side<'_>,
        variant: Variant,
    ) -> impl Iterator<Item = AboveTail> {
        let (tail, kept) = (self.weights.tail, self.weights.kept);
        (0..self.index.documents())
            .filter(move |&document| tail > 0.0 && self.index.count(document) > 0)
            .map(move |document| {
                let (downwards, upwards) = self.agreed_tail(other, document, variant);
                let (mut weight, mut normed) = (0.0, 0.0);
                for level in self.index.levels(document) {
                    weight += self.weights.levels[level as usize].weight;
                    normed += self.weights.levels[level as usize].normed;
                }
                AboveTail {
                    document: document as u32,
                    stated: tail * (normed + weight / kept),
                    agreed: tail * (downwards * normed + upwards * weight / kept),
                }
            })
    }

    fn relatedness(&self, agreement: &Agreement, comparison: &Comparison<'_>) -> f64 {
        if comparison.settings().finite {
            return agreement.mean_by_occurrence().unwrap_or(1.0);
        }
        let of_cluster = |(cluster, (sum, size)): (usize, (&f64, &f64))| {
            self.weights.levels[self.index.level_of(cluster)].weight * sum / size
        };
        Sum::of(agreement.by_cluster.iter().zip(&agreement.sizes).enumerate().map(of_cluster))
            + self.weights.tail
    }
}
