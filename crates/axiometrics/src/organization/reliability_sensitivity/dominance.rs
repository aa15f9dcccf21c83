//! Sums over all points that lie below another in every dimension.
//!
//! The last two dimensions are a sweep with a Fenwick tree; each one before them is halved, so that
//! n points and n queries in D dimensions take O(n log^(D-1) n).

use super::fenwick::Fenwick;

/// Points with values, and queries.
pub(super) struct Space<'a> {
    /// How many coordinates a point has, at least two.
    pub(super) dimensions: usize,
    /// The coordinates of all points, point by point.
    pub(super) points: &'a [u32],
    /// How many values a point has.
    pub(super) width: usize,
    /// The values of all points, point by point.
    pub(super) values: &'a [f64],
    /// The coordinates of all queries.
    pub(super) queries: &'a [u32],
    /// The last coordinate of every point is below this.
    pub(super) bound: usize,
}

/// So few pairs of a point and a query are compared one by one.
const FEW: usize = 128;

impl Space<'_> {
    /// For each query the sums of the values of the points below it in every dimension.
    pub(super) fn dominated(&self) -> Vec<f64> {
        let sweep = self.dimensions - 2;
        let sorted = |coordinates: &[u32]| {
            let count = (coordinates.len() / self.dimensions) as u32;
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|&at| coordinates[at as usize * self.dimensions + sweep]);
            order
        };
        let mut search = DominanceSearch {
            space: self,
            tree: Fenwick::new(self.bound, self.width),
            sums: vec![0.0; self.queries.len() / self.dimensions * self.width],
            prefix: vec![0.0; self.width],
        };
        search.solve(0, &sorted(self.points), &sorted(self.queries));
        search.sums
    }

    fn point(&self, at: u32, dimension: usize) -> u32 {
        self.points[at as usize * self.dimensions + dimension]
    }

    fn query(&self, at: u32, dimension: usize) -> u32 {
        self.queries[at as usize * self.dimensions + dimension]
    }

    fn values(&self, at: u32) -> &[f64] {
        &self.values[at as usize * self.width..][..self.width]
    }
}

struct DominanceSearch<'a> {
    space: &'a Space<'a>,
    tree: Fenwick,
    sums: Vec<f64>,
    /// Room for a prefix sum.
    prefix: Vec<f64>,
}

impl DominanceSearch<'_> {
    /// Points and queries, both in the order of the sweep, of which only the dimensions from this
    /// one on have yet to be compared.
    fn solve(&mut self, dimension: usize, points: &[u32], queries: &[u32]) {
        let space = self.space;
        if points.len() * queries.len() <= FEW {
            return self.compare(dimension, points, queries);
        }
        if dimension + 2 == space.dimensions {
            return self.sweep(points, queries);
        }
        let of_points = span(points.iter().map(|&at| space.point(at, dimension)));
        let of_queries = span(queries.iter().map(|&at| space.query(at, dimension)));
        if of_points.1 < of_queries.0 {
            return self.solve(dimension + 1, points, queries);
        }
        let (low, high) = (of_points.0, of_queries.1);
        if low >= high {
            return;
        }
        // Points before the middle are below every query behind it.
        let middle = low + (high - low).div_ceil(2);
        let (low_points, high_points): (Vec<u32>, Vec<u32>) =
            points.iter().partition(|&&at| space.point(at, dimension) < middle);
        let (low_queries, high_queries): (Vec<u32>, Vec<u32>) =
            queries.iter().partition(|&&at| space.query(at, dimension) < middle);
        self.solve(dimension + 1, &low_points, &high_queries);
        self.solve(dimension, &low_points, &low_queries);
        self.solve(dimension, &high_points, &high_queries);
    }

    fn compare(&mut self, first: usize, points: &[u32], queries: &[u32]) {
        let space = self.space;
        for &query in queries {
            let sums = &mut self.sums[query as usize * space.width..][..space.width];
            for &point in points {
                let below = (first..space.dimensions)
                    .all(|dimension| space.point(point, dimension) < space.query(query, dimension));
                if below {
                    add(sums, space.values(point));
                }
            }
        }
    }

    fn sweep(&mut self, points: &[u32], queries: &[u32]) {
        let space = self.space;
        let (sweep, last) = (space.dimensions - 2, space.dimensions - 1);
        let mut open = points;
        for &query in queries {
            let behind = open
                .iter()
                .position(|&at| space.point(at, sweep) >= space.query(query, sweep))
                .unwrap_or(open.len());
            for &at in &open[..behind] {
                self.tree.add(space.point(at, last) as usize, space.values(at));
            }
            open = &open[behind..];
            self.tree.before(space.query(query, last) as usize, &mut self.prefix);
            add(&mut self.sums[query as usize * space.width..][..space.width], &self.prefix);
        }
        for &at in &points[..points.len() - open.len()] {
            self.tree.clear(space.point(at, last) as usize);
        }
    }
}

fn span(values: impl Iterator<Item = u32>) -> (u32, u32) {
    values.fold((u32::MAX, 0), |(low, high), value| (low.min(value), high.max(value)))
}

fn add(sums: &mut [f64], values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn is_brute_force(
            dimensions in 2..6usize,
            bound in 1..40u32,
            numbers in prop::collection::vec(0..40u32, 0..1500),
            share in 1..9usize,
            above in prop_oneof![Just(0), 0..40u32],
        ) {
            let numbers: Vec<u32> = numbers.into_iter().map(|x| x % bound).collect();
            let count = numbers.len() / dimensions;
            let (points, queries) = numbers.split_at(count * share / 10 * dimensions);
            // Queries that stand above all points need not be told apart from them.
            let queries: Vec<u32> = queries[..queries.len() / dimensions * dimensions]
                .iter()
                .map(|x| x + above)
                .collect();
            let values: Vec<f64> = (0..points.len() / dimensions * 2).map(|x| x as f64).collect();
            let space = Space { dimensions, points, width: 2, values: &values, queries: &queries, bound: bound as usize };
            let found = space.dominated();
            for (query, found) in queries.chunks(dimensions).zip(found.chunks(2)) {
                let mut expected = [0.0; 2];
                for (point, values) in points.chunks(dimensions).zip(values.chunks(2)) {
                    if point.iter().zip(query).all(|(p, q)| p < q) {
                        add(&mut expected, values);
                    }
                }
                prop_assert_eq!(found, &expected[..]);
            }
        }
    }
}
