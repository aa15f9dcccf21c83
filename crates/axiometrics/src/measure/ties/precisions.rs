//! Sums over relevant documents of a term that is linear in what stands above: precision, and its
//! blend with gain.

use super::orders::{Stretch, TiedGroup};
use super::{Known, Orders, TieAlgorithm};
use crate::measure::Score;
use crate::measure::range::{Blended, Precisions};

impl TieAlgorithm for Precisions<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        self.linear.then(|| {
            let sum = sum_of_precisions(orders, self.k, self.rel);
            (self.value)(sum, 0, orders.topic.relevant(&self.rel))
        })
    }

    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        if self.linear { Known::Sorted } else { Known::SortedWithin(self.k) }
    }
}

impl TieAlgorithm for Blended<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        Some(blended(orders, self))
    }

    fn extremes(&self, orders: &Orders<'_>) -> Known {
        if self.gainless || orders.is_binary() { Known::Sorted } else { Known::Nothing }
    }
}

/// A group of n documents, some of which are relevant, and the gains of all and of these.
struct Mixture {
    n: f64,
    relevant: f64,
    gain: f64,
    relevant_gain: f64,
}

impl Mixture {
    fn new(orders: &Orders<'_>, group: &TiedGroup, rel: f64, gain: impl Fn(f64) -> f64) -> Mixture {
        let mut mixture =
            Mixture { n: f64::from(group.tie.len), relevant: 0.0, gain: 0.0, relevant_gain: 0.0 };
        for hit in orders.of(group) {
            let gain = gain(hit.grade);
            mixture.gain += gain;
            if hit.grade >= rel {
                mixture.relevant += 1.0;
                mixture.relevant_gain += gain;
            }
        }
        mixture
    }

    /// Of a relevant document at this place of the group: the chance that there is one, and, times
    /// that chance, how many relevant documents the group holds down to it, and how much gain.
    fn at(&self, place: f64) -> (f64, f64, f64) {
        let Mixture { n, relevant, gain, relevant_gain } = *self;
        let others = place / (n - 1.0);
        let chance = relevant / n;
        let seen = chance * (1.0 + (relevant - 1.0) * others);
        (chance, seen, (relevant_gain + (relevant * gain - relevant_gain) * others) / n)
    }
}

/// The expected sum of precisions in the top k.
fn sum_of_precisions(orders: &Orders<'_>, k: u32, rel: f64) -> f64 {
    let (mut sum, mut above) = (0.0, 0.0);
    for stretch in orders.stretches() {
        match stretch {
            Stretch::Hit(hit) if hit.grade >= rel => {
                above += 1.0;
                if hit.rank <= k {
                    sum += above / f64::from(hit.rank);
                }
            }
            Stretch::Hit(_) => {}
            Stretch::Group(group) => {
                let mixture = Mixture::new(orders, group, rel, |_| 0.0);
                for (place, rank) in orders.places(group, k) {
                    let (chance, seen, _) = mixture.at(place);
                    sum += (chance * above + seen) / f64::from(rank);
                }
                above += mixture.relevant;
            }
        }
    }
    sum
}

/// The Q-measure: its term is linear in the relevant documents so far and in the gain so far.
fn blended(orders: &Orders<'_>, rule: &Blended<'_>) -> Score {
    let relevant = orders.topic.relevant(&rule.rel);
    let divisor = (rule.divisor)(relevant);
    if divisor == 0 {
        return orders.score_of_run();
    }
    let mut ideal = vec![0.0];
    ideal.extend(orders.topic.grades.positive.iter().scan(0.0, |sum, grade| {
        *sum += (rule.gain)(*grade);
        Some(*sum)
    }));
    let term = |seen: f64, gain: f64, rank: u32| {
        let ideal = ideal[(rank as usize).min(ideal.len() - 1)];
        seen * (rule.term)(1, 0.0, rank, ideal) + gain * (rule.term)(0, 1.0, rank, ideal)
    };
    let (mut sum, mut above, mut gain) = (0.0, 0.0, 0.0);
    for stretch in orders.stretches() {
        match stretch {
            Stretch::Hit(hit) => {
                gain += (rule.gain)(hit.grade);
                if hit.grade >= rule.rel {
                    above += 1.0;
                    if hit.rank <= rule.k {
                        sum += term(above, gain, hit.rank);
                    }
                }
            }
            Stretch::Group(group) => {
                let mixture = Mixture::new(orders, group, rule.rel, &rule.gain);
                for (place, rank) in orders.places(group, rule.k) {
                    let (chance, seen, gained) = mixture.at(place);
                    sum += term(chance * above + seen, chance * gain + gained, rank);
                }
                above += mixture.relevant;
                gain += mixture.gain;
            }
        }
    }
    Score::Value(sum / f64::from(divisor))
}
