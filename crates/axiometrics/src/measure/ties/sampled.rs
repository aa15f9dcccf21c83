//! All orders one by one, if they are few, and a sample of them, if they are many.

use super::{Expected, Orders};
use crate::align::Tie;
use crate::data::Hit;
use crate::measure::Score;
use crate::stats::Resampling;
use crate::stats::random::Random;

/// Orders are counted out up to this many, and beyond it as many are sampled.
pub(super) const MOST: usize = 10_000;

impl Orders<'_> {
    /// The mean over all orders if they are few, and over a sample if they are many.
    pub(super) fn average(&self, stream: usize) -> Expected {
        let mut mean = Mean::default();
        let all = self.each(stream, |score| mean.add(score));
        let score = if mean.n > 0.0 { Score::Value(mean.mean) } else { self.score_of_run() };
        Expected { score, error: mean.error().filter(|_| !all) }
    }

    /// The scores of all orders, or of a sample of them; true where it was all.
    pub(super) fn each(&self, stream: usize, mut take: impl FnMut(Score)) -> bool {
        let mut hits = Vec::new();
        let groups: Vec<Arrangements> = self
            .groups
            .iter()
            .map(|g| Arrangements::new(g.tie, self.of(g), self.distinct()))
            .collect();
        let count = groups
            .iter()
            .try_fold(1usize, |all, group| all.checked_mul(group.count()?))
            .filter(|all| *all <= MOST);
        if let Some(count) = count {
            for code in 0..count {
                hits.clear();
                hits.extend(self.settled());
                groups.iter().fold(code, |rest, group| group.numbered(rest, &mut hits));
                take(self.score(&mut hits));
            }
            return true;
        }
        let mut random = Resampling::default().stream(stream);
        let mut ranks: Vec<Vec<u32>> = self
            .groups
            .iter()
            .map(|group| (group.tie.first..=group.tie.last()).collect())
            .collect();
        for _ in 0..MOST {
            hits.clear();
            hits.extend(self.settled());
            for (group, ranks) in self.groups.iter().zip(&mut ranks) {
                shuffle(self.of(group), ranks, &mut random, &mut hits);
            }
            take(self.score(&mut hits));
        }
        false
    }

    /// Documents of one grade differ, because their subtopics do.
    fn distinct(&self) -> bool {
        !self.topic.facets.rows.is_empty()
    }
}

/// Gives each hit one of the ranks: the beginning of a shuffle, which is as good from any order of
/// the ranks.
fn shuffle(group: &[Hit], ranks: &mut [u32], random: &mut Random, hits: &mut Vec<Hit>) {
    for (i, hit) in group.iter().enumerate() {
        ranks.swap(i, i + random.below(ranks.len() - i));
        hits.push(Hit { rank: ranks[i], ..*hit });
    }
}

/// The ways in which the hits of a group can take its ranks; hits that are alike are not told
/// apart.
struct Arrangements {
    tie: Tie,
    /// Hits that are alike.
    alike: Vec<Vec<Hit>>,
}

impl Arrangements {
    fn new(tie: Tie, hits: &[Hit], distinct: bool) -> Arrangements {
        let mut alike: Vec<Vec<Hit>> = Vec::new();
        for hit in hits {
            match alike.iter_mut().find(|class| !distinct && class[0].grade == hit.grade) {
                Some(class) => class.push(*hit),
                None => alike.push(vec![*hit]),
            }
        }
        Arrangements { tie, alike }
    }

    /// How many there are, if they are few.
    fn count(&self) -> Option<usize> {
        let mut left = self.tie.len as usize;
        self.alike.iter().try_fold(1usize, |all, class| {
            let ways = choose(left, class.len()).filter(|ways| *ways <= MOST)?;
            left -= class.len();
            all.checked_mul(ways)
        })
    }

    /// Adds the hits of the arrangement of this number; what is left of the number is for other
    /// groups.
    fn numbered(&self, mut code: usize, hits: &mut Vec<Hit>) -> usize {
        let mut ranks: Vec<u32> = (self.tie.first..=self.tie.last()).collect();
        for class in &self.alike {
            let ways = choose(ranks.len(), class.len()).unwrap_or(1);
            let mut rest = code % ways;
            code /= ways;
            let (mut at, mut left) = (0, class.len());
            // The subsets in order: first all that hold the first rank, then those that do not.
            for hit in class {
                loop {
                    let with = choose(ranks.len() - at - 1, left - 1).unwrap_or(1);
                    if rest < with {
                        break;
                    }
                    rest -= with;
                    at += 1;
                }
                hits.push(Hit { rank: ranks.remove(at), ..*hit });
                left -= 1;
            }
        }
        code
    }
}

/// The number of ways to choose; `None` if that is beyond counting.
fn choose(n: usize, k: usize) -> Option<usize> {
    if k > n {
        return Some(0);
    }
    (0..k.min(n - k)).try_fold(1usize, |all, i| Some(all.checked_mul(n - i)? / (i + 1)))
}

/// A running mean with its standard error (Welford's method).
#[derive(Default)]
struct Mean {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, score: Score) {
        let Score::Value(x) = score else { return };
        self.n += 1.0;
        let before = x - self.mean;
        self.mean += before / self.n;
        self.squares += before * (x - self.mean);
    }

    fn error(&self) -> Option<f64> {
        (self.n > 1.0).then(|| (self.squares / (self.n - 1.0) / self.n).sqrt())
    }
}
