//! Which occurrences of one document are above which of another.
//!
//! With the levels x_1 <= ... <= x_p of one document and y_1 <= ... <= y_q of another, the pairs
//! (i, j) with x_i < y_j form a staircase: with a pair, all of smaller i and of larger j belong to
//! it. So all of it holds if its corners do, and there are only C(p + q, q) staircases.
//!
//! The agreement of two documents is min(a, b)/a, where a and b count the pairs here and there. By
//! inclusion and exclusion it is a sum of products "this staircase holds here" times "that one holds
//! there", each of which compares as many levels as the two have corners. That turns a sum over
//! pairs of documents into sums over points that dominate others.

use super::super::arithmetic::{binomial, sign};

/// The pairs (i, j), counted from 0, with i < heights[j]. Heights never fall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Staircase(Vec<usize>);

impl Staircase {
    /// All staircases of p by q pairs, but for the empty one.
    pub(super) fn all(p: usize, q: usize) -> Vec<Staircase> {
        let mut all = vec![Vec::new()];
        for _ in 0..q {
            all = all
                .into_iter()
                .flat_map(|heights: Vec<usize>| {
                    (heights.last().copied().unwrap_or(0)..=p).map(move |next| {
                        let mut longer = heights.clone();
                        longer.push(next);
                        longer
                    })
                })
                .collect();
        }
        all.into_iter()
            .filter(|heights| heights.last().is_some_and(|&h| h > 0))
            .map(Staircase)
            .collect()
    }

    /// How many there are, the empty one not counted: C(p + q, q) - 1, or more than a thousand.
    pub(super) fn count(p: usize, q: usize) -> usize {
        let mut count: usize = 1;
        for step in 1..=p.min(q) {
            count = count.saturating_mul(p.max(q) + step) / step;
        }
        count - 1
    }

    /// The pairs that imply all others.
    pub(super) fn corners(&self) -> Vec<(usize, usize)> {
        let steps = self.0.iter().enumerate();
        steps
            .filter(|&(j, &height)| height > if j == 0 { 0 } else { self.0[j - 1] })
            .map(|(j, &height)| (height - 1, j))
            .collect()
    }

    fn pairs(&self) -> usize {
        self.0.iter().sum()
    }
}

/// A product "all of this holds here, and all of that holds there", with its share in the agreement.
#[derive(Debug)]
pub(super) struct Term {
    here: Staircase,
    pub(super) corners_here: Vec<(usize, usize)>,
    pub(super) corners_there: Vec<(usize, usize)>,
    at_corners: f64,
    elsewhere: f64,
}

impl Term {
    /// The terms for an upper document with p levels here and r there, and a lower one with q and s.
    pub(super) fn all((p, r): (usize, usize), (q, s): (usize, usize)) -> Vec<Term> {
        let there = Staircase::all(r, s);
        let here = Staircase::all(p, q);
        let terms = here.iter().flat_map(|x| there.iter().map(|g| Term::new(x, g)));
        terms.filter(|term| term.at_corners != 0.0 || term.elsewhere != 0.0).collect()
    }

    fn new(here: &Staircase, there: &Staircase) -> Term {
        let (corners_here, corners_there) = (here.corners(), there.corners());
        // Exactly a staircase holds: it, less those that add some of its corners to the inside.
        let agreement = |removed: usize| {
            let a = here.pairs() - removed;
            if a == 0 {
                return 0.0;
            }
            let part = |gone: usize| {
                sign(gone)
                    * binomial(corners_there.len(), gone)
                    * a.min(there.pairs() - gone) as f64
            };
            (0..=corners_there.len()).map(part).sum::<f64>() / a as f64
        };
        let sum = |corners: usize| {
            let part =
                |removed: usize| sign(removed) * binomial(corners, removed) * agreement(removed);
            (0..=corners).map(part).sum::<f64>()
        };
        // A corner counts if it is not among those removed.
        let (at_corners, elsewhere) = (sum(corners_here.len() - 1), sum(corners_here.len()));
        Term { here: here.clone(), corners_here, corners_there, at_corners, elsewhere }
    }

    /// The share of the pair (i, j).
    pub(super) fn share(&self, i: usize, j: usize) -> f64 {
        if i >= self.here.0[j] {
            0.0
        } else if self.corners_here.contains(&(i, j)) {
            self.at_corners
        } else {
            self.elsewhere
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn staircases_are_counted() {
        for p in 1..5 {
            for q in 1..5 {
                let all = Staircase::all(p, q);
                assert_eq!(all.len(), Staircase::count(p, q));
                assert!(all.iter().all(|s| (1..=p.min(q)).contains(&s.corners().len())));
            }
        }
        assert_eq!(
            (Staircase::count(1, 1), Staircase::count(2, 2), Staircase::count(3, 3)),
            (1, 5, 19)
        );
    }

    /// For every way in which two documents can stand, the terms that hold give min(a, b)/a to each
    /// pair that holds here, and nothing to the others.
    #[test]
    fn the_terms_give_the_agreement() {
        for (p, q, r, s) in [(1, 1, 1, 1), (2, 1, 1, 2), (2, 2, 2, 2), (1, 3, 2, 2), (3, 3, 2, 3)] {
            let terms = Term::all((p, r), (q, s));
            let none = |n: usize| Staircase(vec![0; n]);
            for here in Staircase::all(p, q).into_iter().chain([none(q)]) {
                for there in Staircase::all(r, s).into_iter().chain([none(s)]) {
                    let holds = |corners: &[(usize, usize)], staircase: &Staircase| {
                        corners.iter().all(|&(i, j)| i < staircase.0[j])
                    };
                    for i in 0..p {
                        for j in 0..q {
                            let found: f64 = terms
                                .iter()
                                .filter(|term| {
                                    holds(&term.corners_here, &here)
                                        && holds(&term.corners_there, &there)
                                })
                                .map(|term| term.share(i, j))
                                .sum();
                            let (a, b) = (here.pairs() as f64, there.pairs() as f64);
                            let expected = if i < here.0[j] { a.min(b) / a } else { 0.0 };
                            assert!((found - expected).abs() < 1e-12, "{here:?} {there:?} {found}");
                        }
                    }
                }
            }
        }
    }
}
