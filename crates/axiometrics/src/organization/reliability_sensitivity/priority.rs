//! For each occurrence, the weight of the occurrences on other levels whose order with it the other
//! side agrees with; the tail is left aside.
//!
//! For two documents with `a` pairs of occurrences in which d is above e here, and `b` there, the
//! agreement is min(a, b)/a. A document that the other side does not hold agrees with nothing.
//!
//! Documents with the same levels on both sides are one *profile*, and profiles with the same number
//! of levels one *class*. Two classes are compared profile by profile if they are small. Otherwise
//! the agreement is a sum of [`Term`]s, each of which asks for all points that lie below others in
//! D dimensions: O(n log^(D-1) n). D is 2 for documents that occur once on both sides, and at most
//! min(p, q) + min(r, s) for p and q occurrences here and r and s there. No way is known around that
//! exponent: with many occurrences a document is a point in as many dimensions, and whether some pair
//! of n such points is comparable is not known to be decidable in less than about n^2 steps (the
//! orthogonal vectors conjecture says that it is not).

use super::dominance::Space;
use super::layers::Layers;
use super::staircase::{Staircase, Term};
use super::weights::SideWeights;

/// The agreed weights of all occurrences.
#[derive(Debug)]
pub(super) struct Partners {
    /// The profile of each document, or [`NONE`].
    profile_of: Vec<u32>,
    /// Where the weights of each profile begin.
    starts: Vec<usize>,
    weights: Vec<f64>,
}

const NONE: u32 = u32::MAX;

impl Partners {
    /// The agreed weight of each occurrence of a document; empty if nothing is agreed.
    pub(super) fn of(&self, document: usize) -> &[f64] {
        match self.profile_of.get(document) {
            Some(&profile) if profile != NONE => {
                let profile = profile as usize;
                &self.weights[self.starts[profile]..self.starts[profile + 1]]
            }
            _ => &[],
        }
    }

    /// Looks the relations of one side up in the other's; `mass` is the weight of a document.
    pub(super) fn agreed(
        here: &Layers,
        weights: &SideWeights,
        there: &Layers,
        mass: impl Fn(usize) -> f64,
    ) -> Partners {
        let mut partners =
            Partners { profile_of: Vec::new(), starts: vec![0], weights: Vec::new() };
        // One level orders nothing.
        if here.count() < 2 || there.count() < 2 {
            return partners;
        }
        partners.profile_of = vec![NONE; here.documents()];
        let mut classes = classes(here, there, mass, &mut partners.profile_of);
        for upper in 0..classes.len() {
            for lower in 0..classes.len() {
                let (above, below) = between(&classes[upper], &classes[lower], weights, there);
                add(&mut classes[upper].partners, &above);
                add(&mut classes[lower].partners, &below);
            }
        }
        for class in classes {
            let before = partners.weights.len();
            partners.starts.extend((1..=class.mass.len()).map(|n| before + n * class.here));
            partners.weights.extend(class.partners);
        }
        partners
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Profiles with so many levels on either side.
#[derive(Debug)]
struct ProfileClass {
    here: usize,
    there: usize,
    /// The levels of each profile, here and then there.
    levels: Vec<u32>,
    /// The weight of the documents of each profile.
    mass: Vec<f64>,
    /// What is agreed, for each occurrence of each profile.
    partners: Vec<f64>,
}

impl ProfileClass {
    fn new(here: usize, there: usize) -> ProfileClass {
        ProfileClass { here, there, levels: Vec::new(), mass: Vec::new(), partners: Vec::new() }
    }

    /// Adds a profile.
    fn add(&mut self, levels: impl IntoIterator<Item = u32>, mass: f64) {
        self.levels.extend(levels);
        self.mass.push(mass);
        self.partners.resize(self.mass.len() * self.here, 0.0);
    }

    fn here(&self, profile: usize) -> &[u32] {
        &self.levels[profile * (self.here + self.there)..][..self.here]
    }

    fn there(&self, profile: usize) -> &[u32] {
        &self.levels[profile * (self.here + self.there) + self.here..][..self.there]
    }

    /// The weight of each occurrence of each profile.
    fn weights(&self, weights: &SideWeights) -> Vec<f64> {
        let of_profile = |profile: usize| {
            let mass = self.mass[profile];
            self.here(profile)
                .iter()
                .map(move |&level| mass * weights.levels[level as usize].weight)
        };
        (0..self.mass.len()).flat_map(of_profile).collect()
    }
}

/// Puts the documents that both sides hold into classes, and notes the profile of each.
fn classes(
    here: &Layers,
    there: &Layers,
    mass: impl Fn(usize) -> f64,
    profile_of: &mut [u32],
) -> Vec<ProfileClass> {
    let mut single: Vec<(u32, u32, u32)> = Vec::new();
    let mut repeated: Vec<u32> = Vec::new();
    for document in 0..here.documents() {
        match (here.of(document), there.of(document)) {
            ([], _) | (_, []) => {}
            (&[mine], &[theirs]) => single.push((mine, theirs, document as u32)),
            _ => repeated.push(document as u32),
        }
    }
    single.sort_unstable();
    let levels = |document: u32| (here.of(document as usize), there.of(document as usize));
    repeated.sort_unstable_by_key(|&document| {
        let (mine, theirs) = levels(document);
        (mine.len(), theirs.len(), mine, theirs, document)
    });
    let mut classes: Vec<ProfileClass> = Vec::new();
    let mut profiles = 0;
    if !single.is_empty() {
        let mut class = ProfileClass::new(1, 1);
        for group in single.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let documents = group.iter().map(|(_, _, document)| *document);
            class.add([group[0].0, group[0].1], documents.clone().map(|d| mass(d as usize)).sum());
            documents.for_each(|document| profile_of[document as usize] = profiles);
            profiles += 1;
        }
        classes.push(class);
    }
    for group in repeated.chunk_by(|&a, &b| levels(a) == levels(b)) {
        let (mine, theirs) = levels(group[0]);
        let same_class =
            |class: &ProfileClass| (class.here, class.there) == (mine.len(), theirs.len());
        if !classes.last().is_some_and(same_class) {
            classes.push(ProfileClass::new(mine.len(), theirs.len()));
        }
        if let Some(class) = classes.last_mut() {
            let mass = group.iter().map(|&document| mass(document as usize)).sum();
            class.add(mine.iter().chain(theirs).copied(), mass);
        }
        group.iter().for_each(|&document| profile_of[document as usize] = profiles);
        profiles += 1;
    }
    classes
}

/// What the relations "a profile of the first class is above one of the second" add to the
/// occurrences of the first and of the second.
fn between(
    upper: &ProfileClass,
    lower: &ProfileClass,
    weights: &SideWeights,
    there: &Layers,
) -> (Vec<f64>, Vec<f64>) {
    let (upper_weights, lower_weights) = (upper.weights(weights), lower.weights(weights));
    let sides = [(upper, upper_weights.as_slice()), (lower, lower_weights.as_slice())];
    let pairs = upper.mass.len() as f64 * lower.mass.len() as f64;
    let steps = pairs * (upper.here * lower.here + upper.there + lower.there) as f64;
    if steps <= cost_of_terms(upper, lower) {
        return pair_by_pair(sides);
    }
    term_by_term(sides, weights.levels.len().max(there.count()))
}

/// All levels are below the bound.
fn term_by_term(
    [(upper, upper_weights), (lower, lower_weights)]: [(&ProfileClass, &[f64]); 2],
    bound: usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut above = vec![0.0; upper_weights.len()];
    let mut below = vec![0.0; lower_weights.len()];
    for term in Term::all((upper.here, upper.there), (lower.here, lower.there)) {
        let dimensions = term.corners_here.len() + term.corners_there.len();
        let uppers = coordinates(upper, &term, |corner| corner.0, |level| level);
        let lowers = coordinates(lower, &term, |corner| corner.1, |level| level);
        let down = Space {
            dimensions,
            points: &uppers,
            width: upper.here,
            values: upper_weights,
            queries: &lowers,
            bound,
        };
        for (sums, below) in down.dominated().chunks(upper.here).zip(below.chunks_mut(lower.here)) {
            for (j, below) in below.iter_mut().enumerate() {
                *below += (0..upper.here).map(|i| term.share(i, j) * sums[i]).sum::<f64>();
            }
        }
        // The same upside down.
        let turned = |level: u32| bound as u32 - 1 - level;
        let uppers = coordinates(upper, &term, |corner| corner.0, turned);
        let lowers = coordinates(lower, &term, |corner| corner.1, turned);
        let up = Space {
            dimensions,
            points: &lowers,
            width: lower.here,
            values: lower_weights,
            queries: &uppers,
            bound,
        };
        for (sums, above) in up.dominated().chunks(lower.here).zip(above.chunks_mut(upper.here)) {
            for (i, above) in above.iter_mut().enumerate() {
                *above += (0..lower.here).map(|j| term.share(i, j) * sums[j]).sum::<f64>();
            }
        }
    }
    (above, below)
}

/// About how many steps of the loop over pairs the terms are worth (measured); infinite if there are
/// too many of them.
fn cost_of_terms(upper: &ProfileClass, lower: &ProfileClass) -> f64 {
    let here = Staircase::count(upper.here, lower.here);
    let there = Staircase::count(upper.there, lower.there);
    if here.saturating_mul(there) > MANY_TERMS {
        return f64::INFINITY;
    }
    let n = (upper.mass.len() + lower.mass.len()) as f64;
    let log = n.log2().max(1.0);
    let steps = |term: Term| {
        let dimensions = (term.corners_here.len() + term.corners_there.len()) as i32;
        // Each dimension that is halved costs less than the logarithm, since parts become small.
        log * (log / 3.0).powi(dimensions - 2) * (upper.here + lower.here) as f64
    };
    let terms = Term::all((upper.here, upper.there), (lower.here, lower.there));
    n * terms.into_iter().map(steps).sum::<f64>()
}

/// More terms than this never pay.
const MANY_TERMS: usize = 1000;

/// The levels of each profile that the corners of a term compare.
fn coordinates(
    class: &ProfileClass,
    term: &Term,
    place: impl Fn(&(usize, usize)) -> usize,
    turn: impl Fn(u32) -> u32,
) -> Vec<u32> {
    let here: Vec<usize> = term.corners_here.iter().map(&place).collect();
    let there: Vec<usize> = term.corners_there.iter().map(&place).collect();
    let mut coordinates = Vec::with_capacity(class.mass.len() * (here.len() + there.len()));
    for profile in 0..class.mass.len() {
        let (mine, theirs) = (class.here(profile), class.there(profile));
        coordinates.extend(here.iter().map(|&at| turn(mine[at])));
        coordinates.extend(there.iter().map(|&at| turn(theirs[at])));
    }
    coordinates
}

fn pair_by_pair(
    [(upper, upper_weights), (lower, lower_weights)]: [(&ProfileClass, &[f64]); 2],
) -> (Vec<f64>, Vec<f64>) {
    let mut above = vec![0.0; upper_weights.len()];
    let mut below = vec![0.0; lower_weights.len()];
    for d in 0..upper.mass.len() {
        let (x, g) = (upper.here(d), upper.there(d));
        let (x_first, g_first) = (x[0], g[0]);
        let x_weights = &upper_weights[d * upper.here..][..upper.here];
        let above = &mut above[d * upper.here..][..upper.here];
        for e in 0..lower.mass.len() {
            let (y, h) = (lower.here(e), lower.there(e));
            if x_first >= y[y.len() - 1] || g_first >= h[h.len() - 1] {
                continue;
            }
            let pairs = pairs_above(x, y);
            let agreed = pairs_above(g, h).min(pairs) as f64 / pairs as f64;
            let y_weights = &lower_weights[e * lower.here..][..lower.here];
            let below = &mut below[e * lower.here..][..lower.here];
            for (i, &level) in x.iter().enumerate() {
                for (j, _) in y.iter().enumerate().filter(|(_, lower)| level < **lower) {
                    above[i] += agreed * y_weights[j];
                    below[j] += agreed * x_weights[i];
                }
            }
        }
    }
    (above, below)
}

/// How many pairs of occurrences have the upper document above the lower, and what these relations
/// weigh together, for documents of weight 1.
pub(super) fn above(upper: &[u32], lower: &[u32], weights: &SideWeights) -> (u64, f64) {
    let (mut pairs, mut total) = (0, 0.0);
    let (mut seen, mut weight, mut normed) = (0, 0.0, 0.0);
    for &level in lower {
        while seen < upper.len() && upper[seen] < level {
            weight += weights.levels[upper[seen] as usize].weight;
            normed += weights.levels[upper[seen] as usize].normed;
            seen += 1;
        }
        let own = weights.levels[level as usize];
        pairs += seen as u64;
        total += own.weight * normed + own.normed * weight;
    }
    (pairs, total)
}

/// How many pairs of occurrences have the upper document above the lower.
pub(super) fn pairs_above(upper: &[u32], lower: &[u32]) -> u64 {
    let mut seen = 0;
    let mut pairs = 0;
    for &level in lower {
        while seen < upper.len() && upper[seen] < level {
            seen += 1;
        }
        pairs += seen as u64;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Profiles of any levels, each side ascending.
    fn class(here: usize, there: usize) -> impl Strategy<Value = ProfileClass> {
        prop::collection::vec((prop::collection::vec(0..12u32, here + there), 1..9u32), 1..40)
            .prop_map(move |profiles| {
                let mut class = ProfileClass::new(here, there);
                for (mut levels, mass) in profiles {
                    levels[..here].sort_unstable();
                    levels[here..].sort_unstable();
                    class.add(levels, f64::from(mass));
                }
                class
            })
    }

    fn two() -> impl Strategy<Value = (ProfileClass, ProfileClass)> {
        (1..4usize, 1..4usize, 1..4usize, 1..4usize)
            .prop_flat_map(|(p, r, q, s)| (class(p, r), class(q, s)))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Both ways through two classes lead to the same sums.
        #[test]
        fn terms_are_pairs((upper, lower) in two()) {
            let weights = SideWeights::with_tail(&[3.0; 12], 2.5);
            let (x, y) = (upper.weights(&weights), lower.weights(&weights));
            let sides = [(&upper, x.as_slice()), (&lower, y.as_slice())];
            let (pairs, terms) = (pair_by_pair(sides), term_by_term(sides, 12));
            for (pair, term) in pairs.0.iter().chain(&pairs.1).zip(terms.0.iter().chain(&terms.1)) {
                prop_assert!((pair - term).abs() < 1e-11, "{} {}", pair, term);
            }
        }
    }
}
