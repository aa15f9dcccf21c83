//! One side's relations, weighted, and how many of them the other side agrees with.

use super::super::overlap::KnownDocuments;
use super::super::{OrganizationComparison, Shares, SideAgreement, Sum, Variant};
use super::layers::Layers;
use super::links::Links;
use super::priority::Partners;
use super::weights::SideWeights;
use crate::data::organization::Occurrences;

/// Both sides, weighted.
pub(super) struct Sides<'a> {
    pub(super) system: StatedSide<'a>,
    pub(super) gold: StatedSide<'a>,
}

/// One side as stated, with the weights of its levels.
pub(super) struct StatedSide<'a> {
    pub(super) index: &'a Occurrences<'a>,
    /// The levels of the relations that this side states.
    pub(super) layers: Layers,
    /// The levels in which the other side's relations are looked up.
    answers: Option<Layers>,
    pub(super) weights: SideWeights,
    masses: Option<&'a [f64]>,
    pub(super) links: &'a [(u32, u32)],
    finite: bool,
}

/// How many of one side's relations are right: its Reliability if it is the system's.
pub(super) struct Reliability {
    pub(super) priority: f64,
    pub(super) related: f64,
    /// None if neither side links documents.
    pub(super) linked: Option<f64>,
    pub(super) joint: f64,
}

/// The weight of a document, and how much of it goes to relations that are right.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Right {
    pub(super) weight: f64,
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
    pub(super) fn of(comparison: &'a OrganizationComparison<'_>) -> Sides<'a> {
        let universe = comparison.universe();
        let side =
            |index, masses, links| StatedSide::of(index, masses, links, comparison, &universe);
        Sides {
            system: side(
                comparison.system_index(),
                comparison.system_masses(),
                comparison.system().links(),
            ),
            gold: side(
                comparison.gold_index(),
                comparison.gold_masses(),
                comparison.gold().links(),
            ),
        }
    }
}

impl<'a> StatedSide<'a> {
    fn of(
        index: &'a Occurrences<'a>,
        masses: Option<&'a [f64]>,
        links: &'a [(u32, u32)],
        comparison: &OrganizationComparison<'_>,
        universe: &[bool],
    ) -> StatedSide<'a> {
        let settings = comparison.settings();
        let finite = settings.finite;
        let layers = if finite { Layers::closed(index, universe) } else { Layers::open(index) };
        let sizes = layers.sizes(|document| masses.map_or(1.0, |masses| masses[document]));
        let weights = if finite {
            SideWeights::equal(&sizes)
        } else {
            SideWeights::with_tail(&sizes, settings.curve.c())
        };
        let answers = (!finite && settings.variant == Variant::Semantic)
            .then(|| Layers::closed(index, universe));
        StatedSide { index, layers, answers, weights, masses, links, finite }
    }

    pub(super) fn answers(&self) -> &Layers {
        self.answers.as_ref().unwrap_or(&self.layers)
    }

    /// For how many documents one counts.
    pub(super) fn mass(&self, document: usize) -> f64 {
        self.masses.map_or(1.0, |masses| masses[document])
    }

    /// The weight of all occurrences of a document.
    pub(super) fn weight(&self, document: usize) -> f64 {
        let levels = self.layers.of(document).iter();
        self.mass(document)
            * levels.map(|&level| self.weights.levels[level as usize].weight).sum::<f64>()
    }

    /// How far the other side agrees that a document is above the tail: for the relation of the
    /// document with the tail, and of the tail with the document.
    fn agreed_tail(&self, other: &StatedSide<'_>, document: usize, variant: Variant) -> (f64, f64) {
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
        other: &StatedSide<'_>,
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
                let tail = tail * self.mass(document);
                AboveTail {
                    document: document as u32,
                    stated: tail * (normed + weight / kept),
                    agreed: tail * (downwards * normed + upwards * weight / kept),
                }
            })
    }
}

/// What one side agrees with of the other's relations.
pub(super) struct AgreedRelations<'a> {
    side: &'a StatedSide<'a>,
    other: &'a StatedSide<'a>,
    agreement: &'a SideAgreement,
    partners: Partners,
    links: Option<Links>,
    /// For each document, the agreement in each of its clusters; only if it is needed one by one.
    related: Option<Vec<Vec<f64>>>,
    shares: Shares,
    variant: Variant,
}

impl<'a> AgreedRelations<'a> {
    /// Looks the relations of a side up in the other; `one_by_one` if documents will be asked for.
    pub(super) fn of(
        side: &'a StatedSide<'a>,
        other: &'a StatedSide<'a>,
        agreement: &'a SideAgreement,
        comparison: &OrganizationComparison<'_>,
        one_by_one: bool,
    ) -> AgreedRelations<'a> {
        let (layers, weights) = (&side.layers, &side.weights);
        let partners =
            Partners::agreed(layers, weights, other.answers(), |document| side.mass(document));
        let shares = comparison.shares();
        let related = (one_by_one || shares.linked > 0.0).then(|| {
            let known = KnownDocuments { universe: &comparison.universe(), masses: side.masses };
            SideAgreement::of_documents(side.index, other.index, known)
        });
        let variant = comparison.settings().variant;
        let links = Links::agreed(side, other);
        AgreedRelations { side, other, agreement, partners, links, related, shares, variant }
    }

    /// What a document agrees with. Of its clusters nothing, if documents were not to be asked for.
    pub(super) fn document(&self, document: usize) -> Right {
        let side = self.side;
        let mass = side.mass(document);
        let clusters = side.index.clusters(document);
        let (downwards, _) = side.agreed_tail(self.other, document, self.variant);
        let (linked, agreed_links) =
            self.links.as_ref().map_or((0.0, 0.0), |links| links.of(document));
        let partners = self.partners.of(document);
        let mut right = Right::default();
        for (at, &level) in side.layers.of(document).iter().enumerate() {
            let level = side.weights.levels[level as usize];
            let weight = mass * level.weight;
            let above = partners.get(at).copied().unwrap_or(0.0) + downwards * side.weights.tail;
            right.weight += weight;
            right.priority += mass * above * level.normed;
            let (mut agreed, mut all) = (0.0, 0.0);
            if self.shares.priority > 0.0 {
                agreed += above;
                all += level.others;
            }
            // Documents that this side lacks are in no cluster, and say nothing wrong.
            match clusters.get(at) {
                None => right.related += weight,
                Some(&cluster) => {
                    let size = self.agreement.sizes[cluster as usize];
                    let sum = self.related.as_ref().map_or(0.0, |related| related[document][at]);
                    right.related += weight * sum / size;
                    if self.shares.related > 0.0 {
                        agreed += level.weight * sum;
                        all += level.weight * size;
                    }
                }
            }
            if self.shares.linked > 0.0 {
                agreed += agreed_links;
                all += linked;
            }
            right.joint += if all > 0.0 { weight * agreed / all } else { 0.0 };
        }
        right
    }

    /// The same for the tail, whose weight is spread over all that is above it.
    pub(super) fn tail(&self) -> Right {
        let side = self.side;
        let SideWeights { tail, kept, .. } = side.weights;
        let above = |document: usize| {
            side.agreed_tail(self.other, document, self.variant).1 * side.weight(document)
        };
        let held = if tail > 0.0 { side.index.documents() } else { 0 };
        let priority = if kept > 0.0 { tail * Sum::of((0..held).map(above)) / kept } else { 0.0 };
        let joint = if self.shares.priority > 0.0 { priority } else { tail };
        Right { weight: tail, priority, related: tail, joint }
    }

    /// All documents and the tail together.
    pub(super) fn reliability(&self) -> Reliability {
        let tail = self.tail();
        let (mut priority, mut joint) = (Sum::default(), Sum::default());
        for document in 0..self.side.layers.documents() {
            let right = self.document(document);
            priority.add(right.priority);
            joint.add(right.joint);
        }
        if self.related.is_none() && self.shares.related > 0.0 {
            self.by_cluster().for_each(|sum| joint.add(sum));
        }
        let (priority, related) = (priority.total() + tail.priority, self.related_share());
        let linked = self.links.as_ref().map(|links| links.reliability);
        let Shares { priority: of_priority, related: of_related, linked: of_linked } = self.shares;
        // One kind alone is as it is defined.
        let joint = match (of_priority > 0.0, of_related > 0.0, of_linked > 0.0) {
            (true, false, false) => priority,
            (false, true, false) => related,
            (false, false, true) => linked.unwrap_or(1.0),
            _ => joint.total() + tail.joint,
        };
        Reliability { priority, related, linked, joint }
    }

    /// What the relations within each cluster add to the joint Reliability, if no document has
    /// links.
    fn by_cluster(&self) -> impl Iterator<Item = f64> {
        let (index, agreement) = (self.side.index, self.agreement);
        agreement.by_cluster.iter().enumerate().map(move |(cluster, sum)| {
            let level = self.side.weights.levels[index.level_of(cluster)];
            let others = if self.shares.priority > 0.0 { level.others } else { 0.0 };
            let all = others + agreement.sizes[cluster] * level.weight;
            level.weight * level.weight * sum / all
        })
    }

    fn related_share(&self) -> f64 {
        let (side, agreement) = (self.side, self.agreement);
        if side.finite {
            return agreement.mean_by_occurrence().unwrap_or(1.0);
        }
        let of_cluster = |(cluster, (sum, size)): (usize, (&f64, &f64))| {
            side.weights.levels[side.index.level_of(cluster)].weight * sum / size
        };
        Sum::of(agreement.by_cluster.iter().zip(&agreement.sizes).enumerate().map(of_cluster))
            + side.weights.tail
    }
}
