//! The one source of randomness of the library.
//!
//! A [`Random`] reads a ChaCha8 key stream: its key is the seed, and one seed has 2^64 streams that
//! have nothing to do with one another. Resamples are drawn in blocks of [`BLOCK`]. Block `i` reads the stream `i` of the
//! seed (eight bytes, little endian, then zeros). That is a fixed sequence of bytes by the
//! definition of the cipher, so the numbers are the same on every platform, for every release of the
//! generator's crate, and for any number of threads sharing the blocks.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use crate::{Error, Result};

/// Resamples drawn from one stream.
const BLOCK: usize = 128;

/// Bounds the memory of a call; the Monte Carlo error of a p-value is below 1e-4 long before.
const MOST_TRIALS: usize = 100_000_000;

/// How many resamples, from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Resampling {
    /// The number of resamples.
    pub trials: usize,
    /// The seed; equal seeds give equal results.
    pub seed: u64,
}

impl Default for Resampling {
    fn default() -> Resampling {
        Resampling { trials: 10_000, seed: 1 }
    }
}

impl Resampling {
    pub(super) fn checked(self) -> Result<Resampling> {
        match self.trials {
            1..=MOST_TRIALS => Ok(self),
            n => Err(Error::usage(format!("{n} resamples, expected 1 to {MOST_TRIALS}"))),
        }
    }

    pub(super) fn blocks(self) -> usize {
        self.trials.div_ceil(BLOCK)
    }

    /// How many resamples this block draws; only the last can have fewer than the others.
    pub(super) fn trials_in(self, block: usize) -> usize {
        (self.trials - block * BLOCK).min(BLOCK)
    }

    pub(crate) fn stream(self, block: usize) -> Random {
        Random::new(self.seed, block as u64)
    }

    pub(super) fn describe(self) -> String {
        format!("{} resamples, seed {}", self.trials, self.seed)
    }

    /// A Monte Carlo p-value: the observed sample is one of the resamples under the null
    /// hypothesis.
    pub(super) fn p_value(self, extreme: usize) -> f64 {
        (1 + extreme) as f64 / (1 + self.trials) as f64
    }
}

/// Repeatable random numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// One of the streams of a seed; they are all alike, and the first is 0.
    pub(crate) fn new(seed: u64, stream: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Random(generator)
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, uniform up to a bias of n/2^64; 0 if `n` is 0.
    pub(crate) fn below<N: Count>(&mut self, n: N) -> N {
        N::narrowed((u128::from(self.bits()) * u128::from(n.widened())) >> 64)
    }
}

/// The numbers that things are counted by.
pub(crate) trait Count: Copy {
    /// As a 64-bit number.
    fn widened(self) -> u64;
    /// Back from a number that is no larger than one of this type.
    fn narrowed(wide: u128) -> Self;
}

impl Count for usize {
    fn widened(self) -> u64 {
        self as u64
    }

    fn narrowed(wide: u128) -> usize {
        wide as usize
    }
}

impl Count for u64 {
    fn widened(self) -> u64 {
        self
    }

    fn narrowed(wide: u128) -> u64 {
        wide as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of the ChaCha8 key stream for an all-zero key and nonce, from the published
    /// test vectors of the reduced-round variants (draft-strombergson-chacha-test-vectors, TC1, 8
    /// rounds, 256-bit key).
    #[test]
    fn the_stream_is_chacha8() {
        let mut stream = Resampling { trials: 1, seed: 0 }.stream(0);
        let bytes = [
            0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09,
            0xa5, 0xa1,
        ];
        for chunk in bytes.chunks(8) {
            assert_eq!(stream.bits().to_le_bytes(), chunk);
        }
    }

    #[test]
    fn blocks_cover_the_trials_exactly() {
        for trials in [1, BLOCK - 1, BLOCK, BLOCK + 1, 10_000] {
            let resampling = Resampling { trials, seed: 3 };
            assert_eq!(
                (0..resampling.blocks()).map(|b| resampling.trials_in(b)).sum::<usize>(),
                trials
            );
        }
    }

    #[test]
    fn blocks_and_seeds_differ() {
        let first = |seed, block| Resampling { trials: 1000, seed }.stream(block).bits();
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 0), first(2, 0));
        assert_eq!(first(7, 3), first(7, 3));
    }

    #[test]
    fn a_number_does_not_depend_on_the_type_it_is_counted_by() {
        let (mut one, mut two) = (Random::new(5, 0), Resampling { trials: 1, seed: 5 }.stream(0));
        for n in 1..1000usize {
            assert_eq!(one.below(n as u64), two.below(n) as u64);
        }
        assert_eq!(one.below(0u64), 0);
        assert!(one.below(u64::MAX) > 1 << 32);
    }

    #[test]
    fn below_stays_below_and_reaches_all() {
        let mut stream = Random::new(1, 0);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[stream.below(7usize)] += 1);
        assert!(seen.iter().all(|&n| (850..1150).contains(&n)), "{seen:?}");
    }

    #[test]
    fn refuses_no_and_endless_resampling() {
        assert!(Resampling { trials: 0, seed: 1 }.checked().unwrap_err().is_usage());
        assert!(Resampling { trials: usize::MAX, seed: 1 }.checked().unwrap_err().is_usage());
    }
}
