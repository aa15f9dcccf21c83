//! Prefix sums of two numbers that change.

/// A Fenwick tree over positions 0..n, which sums pairs.
#[derive(Debug, Clone)]
pub(super) struct Fenwick(Vec<[f64; 2]>);

impl Fenwick {
    /// All zero.
    pub(super) fn new(positions: usize) -> Fenwick {
        Fenwick(vec![[0.0; 2]; positions + 1])
    }

    /// Adds to a position.
    pub(super) fn add(&mut self, position: usize, [a, b]: [f64; 2]) {
        let mut at = position + 1;
        while let Some(sum) = self.0.get_mut(at) {
            sum[0] += a;
            sum[1] += b;
            at += at & at.wrapping_neg();
        }
    }

    /// The sum of the positions before one.
    pub(super) fn before(&self, position: usize) -> [f64; 2] {
        let mut at = position;
        let mut total = [0.0; 2];
        while at > 0 {
            total[0] += self.0[at][0];
            total[1] += self.0[at][1];
            at &= at - 1;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_prefixes() {
        let mut tree = Fenwick::new(11);
        let mut plain = [[0.0; 2]; 11];
        for step in 0..50usize {
            let (at, values) = (step * 7 % 11, [step as f64, 1.0]);
            tree.add(at, values);
            plain[at] = [plain[at][0] + values[0], plain[at][1] + values[1]];
            for end in 0..=11 {
                let expected =
                    plain[..end].iter().fold([0.0; 2], |sum, v| [sum[0] + v[0], sum[1] + v[1]]);
                assert_eq!(tree.before(end), expected);
            }
        }
    }
}
