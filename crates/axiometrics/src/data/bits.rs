//! A square table of yes and no, and the order that follows from ranked classes.

/// Rows of bits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct BitMatrix {
    words: usize,
    bits: Vec<u64>,
}

impl BitMatrix {
    fn new(rows: usize, columns: usize) -> BitMatrix {
        let words = columns.div_ceil(64);
        BitMatrix { words, bits: vec![0; rows * words] }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    /// All bits of one row join another.
    fn join(&mut self, into: usize, from: usize) {
        for w in 0..self.words {
            self.bits[into * self.words + w] |= self.bits[from * self.words + w];
        }
    }

    /// The columns set in a row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let words = &self.bits[row * self.words..(row + 1) * self.words];
        words.iter().enumerate().flat_map(|(w, &word)| {
            let bits = std::iter::successors((word != 0).then_some(word), |x| {
                Some(x & (x - 1)).filter(|x| *x != 0)
            });
            bits.map(move |x| w * 64 + x.trailing_zeros() as usize)
        })
    }

    /// The transitive closure of several chains of classes over n things: in each chain, all of a
    /// class stand before all of the next. `None` if something would stand before itself.
    ///
    /// Between two large classes stands a node of its own, so that the edges are as many as the
    /// things named and not their pairs.
    pub(crate) fn closure(n: usize, chains: &[Vec<Vec<usize>>]) -> Option<BitMatrix> {
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); n];
        for chain in chains {
            for pair in chain.windows(2) {
                let (upper, lower) = (&pair[0], &pair[1]);
                if upper.len().min(lower.len()) > 1 {
                    let between = after.len();
                    after.push(lower.clone());
                    upper.iter().for_each(|&i| after[i].push(between));
                } else {
                    upper.iter().for_each(|&i| after[i].extend(lower));
                }
            }
        }
        let mut before = vec![0u32; after.len()];
        after.iter().flatten().for_each(|&j| before[j] += 1);
        let mut sorted: Vec<usize> = (0..after.len()).filter(|&i| before[i] == 0).collect();
        let mut next = 0;
        while let Some(&i) = sorted.get(next) {
            next += 1;
            for &j in &after[i] {
                before[j] -= 1;
                if before[j] == 0 {
                    sorted.push(j);
                }
            }
        }
        if sorted.len() < after.len() {
            return None;
        }
        let mut reach = BitMatrix::new(after.len(), n);
        for &i in sorted.iter().rev() {
            for &j in &after[i] {
                reach.join(i, j);
                if j < n {
                    reach.set(i, j);
                }
            }
        }
        reach.bits.truncate(n * reach.words);
        Some(reach)
    }
}
