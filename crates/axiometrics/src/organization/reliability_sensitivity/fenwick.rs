//! Prefix sums of numbers that change.

/// A Fenwick tree over positions 0..n, which sums several numbers at once.
#[derive(Debug, Clone)]
pub(super) struct Fenwick {
    width: usize,
    sums: Vec<f64>,
}

impl Fenwick {
    /// All zero, so many numbers at each position.
    pub(super) fn new(positions: usize, width: usize) -> Fenwick {
        Fenwick { width, sums: vec![0.0; (positions + 1) * width] }
    }

    fn at(&mut self, at: usize) -> Option<&mut [f64]> {
        self.sums.get_mut(at * self.width..(at + 1) * self.width)
    }

    /// Adds to a position.
    pub(super) fn add(&mut self, position: usize, values: &[f64]) {
        let mut at = position + 1;
        // Most documents occur once: a loop without an inner one.
        if let [value] = values {
            while let Some(sum) = self.sums.get_mut(at) {
                *sum += value;
                at += at & at.wrapping_neg();
            }
            return;
        }
        while let Some(sums) = self.at(at) {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
            at += at & at.wrapping_neg();
        }
    }

    /// Forgets what was added to a position. All sums that it takes part in are zero afterwards, so
    /// every position that was added to must be cleared before the tree is used again.
    pub(super) fn clear(&mut self, position: usize) {
        let mut at = position + 1;
        while let Some(sums) = self.at(at) {
            for sum in sums {
                *sum = 0.0;
            }
            at += at & at.wrapping_neg();
        }
    }

    /// The sums of the positions before one.
    pub(super) fn before(&self, position: usize, total: &mut [f64]) {
        total.fill(0.0);
        let mut at = position.min(self.sums.len() / self.width - 1);
        if let [total] = total {
            while at > 0 {
                *total += self.sums[at];
                at &= at - 1;
            }
            return;
        }
        while at > 0 {
            for (total, sum) in total.iter_mut().zip(&self.sums[at * self.width..]) {
                *total += sum;
            }
            at &= at - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_prefixes() {
        let mut tree = Fenwick::new(11, 2);
        for round in 0..2usize {
            let mut plain = [[0.0; 2]; 11];
            for step in 0..50usize {
                let (at, values) = (step * 7 % 11, [(step + round) as f64, 1.0]);
                tree.add(at, &values);
                plain[at] = [plain[at][0] + values[0], plain[at][1] + values[1]];
                for end in 0..=12 {
                    let expected = plain[..end.min(11)]
                        .iter()
                        .fold([0.0; 2], |sum, v| [sum[0] + v[0], sum[1] + v[1]]);
                    let mut found = [7.0; 2];
                    tree.before(end, &mut found);
                    assert_eq!(found, expected);
                }
            }
            (0..11).for_each(|at| tree.clear(at));
        }
    }
}
