//! The score of a ranking down to each rank, and what each unjudged document would change if it
//! were relevant.
//!
//! Asked one by one, each rank costs the score of a whole ranking. So a long ranking is answered in
//! one of two ways. The sums of a measure whose [`Shape`] is declared are kept from rank to rank:
//! that is believed if a few ranks, asked one by one, agree. Of any other measure only the first
//! ranks are answered.

use crate::data::{Facets, Grades, Hit, Hits, Judged};
use crate::measure::structure::{Combine, Divisor, Shape};
use crate::measure::{Metric, Score};

/// So many ranks are asked one by one.
pub(super) const EACH: u32 = 1000;

/// What is known of each rank, from the top as far as it was asked for.
#[derive(Debug)]
pub(super) struct Running {
    /// The score of no document, then that of the ranking down to each rank; `None` if it is
    /// undefined.
    pub(super) totals: Vec<Option<f64>>,
    /// What the score gains if the document at each rank is of the highest grade; `None` for a
    /// judged one.
    pub(super) if_relevant: Vec<Option<f64>>,
}

impl Running {
    /// All ranks if that takes no longer than a few scores or if there are no more than `each`, and
    /// so many otherwise.
    pub(super) fn of(metric: &Metric, topic: &Judged<'_>, score: Score, each: u32) -> Running {
        if topic.retrieved <= each {
            return Running::one_by_one(metric, topic, score, each);
        }
        Running::summed(metric, topic, score)
            .unwrap_or_else(|| Running::one_by_one(metric, topic, score, each))
    }

    fn one_by_one(metric: &Metric, topic: &Judged<'_>, score: Score, ranks: u32) -> Running {
        let ranks = ranks.min(topic.retrieved);
        let mut judge = Judge::new(metric, topic, score);
        Running {
            totals: (0..=ranks).map(|rank| down_to(metric, topic, rank)).collect(),
            if_relevant: (1..=ranks)
                .map(|rank| is_open(topic, rank).then(|| judge.if_relevant(rank)).flatten())
                .collect(),
        }
    }

    /// By the sums of the declared shape; `None` if there is none, or if it does not agree with the
    /// measure.
    fn summed(metric: &Metric, topic: &Judged<'_>, score: Score) -> Option<Running> {
        let shape = metric.structure().shape?;
        // The best order of a beginning is another one at each rank, and a condensed list has other
        // ranks.
        if shape.divisor == Divisor::Own || metric.is_condensed() {
            return None;
        }
        let sums = ShapeSums::new(shape, topic, metric.args().cutoff().unwrap_or(u32::MAX));
        let all = sums.down_to[topic.retrieved as usize];
        // No divisor is computed here: it follows from the score itself.
        let total = |sum: f64| score.value().map(|x| if all > 0.0 { x * (sum / all) } else { x });
        let totals = sums.down_to.iter().map(|sum| total(*sum)).collect();
        let mut judge = Judge::new(metric, topic, score);
        let mut if_relevant = vec![None; topic.retrieved as usize];
        let mut open = (1..=topic.retrieved).filter(|rank| is_open(topic, *rank));
        if let Some(first) = open.next() {
            let (change, sum) = (judge.if_relevant(first), sums.if_top(first));
            let before = score.value().unwrap_or(0.0);
            for rank in std::iter::once(first).chain(open) {
                if_relevant[rank as usize - 1] = change.map(|change| {
                    let share = if sum > 0.0 { sums.if_top(rank) / sum } else { 1.0 };
                    let change = (before + change) * share - before;
                    // What rounding leaves of nothing.
                    if change.abs() <= 1e-14 * before.abs() { 0.0 } else { change }
                });
            }
        }
        let running = Running { totals, if_relevant };
        running.agrees(metric, topic, &mut judge).then_some(running)
    }

    /// Whether some ranks, asked one by one, say the same: twice as deep each time, and the last.
    fn agrees(&self, metric: &Metric, topic: &Judged<'_>, judge: &mut Judge<'_>) -> bool {
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
            (a, b) => a.is_none() && b.is_none(),
        };
        let deeper = |rank: &u32| rank.checked_mul(2).filter(|next| *next < topic.retrieved);
        let first = Some(1).filter(|first| *first < topic.retrieved);
        let ranks = std::iter::successors(first, deeper).chain([topic.retrieved]);
        near(self.totals[0], down_to(metric, topic, 0))
            && ranks.into_iter().all(|rank| {
                let at = rank as usize;
                let open = (rank.max(1)..=topic.retrieved).find(|rank| is_open(topic, *rank));
                near(self.totals[at], down_to(metric, topic, rank))
                    && open.is_none_or(|rank| {
                        near(self.if_relevant[rank as usize - 1], judge.if_relevant(rank))
                    })
            })
    }
}

/// The document at a rank is not judged.
fn is_open(topic: &Judged<'_>, rank: u32) -> bool {
    topic.hits.at(rank).is_none_or(|hit| hit.grade < 0.0)
}

/// The score of the ranking that ends at a rank, of the same collection.
fn down_to(metric: &Metric, topic: &Judged<'_>, rank: u32) -> Option<f64> {
    metric.score(&Judged { hits: topic.hits.down_to(rank), retrieved: rank, ..*topic }).value()
}

/// The sums of a shape, before they are divided.
struct ShapeSums {
    shape: Shape,
    /// The ranks that count.
    k: u32,
    /// The gain of the highest grade.
    top: f64,
    /// The sum of the ranking down to each rank, from 0 on.
    down_to: Vec<f64>,
    /// By rank from 0 on: the gain down to it if gains are cumulated, the probability of reading on
    /// in a cascade.
    state: Vec<f64>,
    /// The sum of gain times weight below each rank, from 0 on.
    below: Vec<f64>,
}

impl ShapeSums {
    fn new(shape: Shape, topic: &Judged<'_>, k: u32) -> ShapeSums {
        let ranks = topic.retrieved as usize;
        let mut gains = vec![0.0; ranks + 1];
        for hit in topic.top(k).filter(|hit| hit.grade >= 0.0) {
            gains[hit.rank as usize] = shape.gain.of(hit.grade, *topic.max_grade);
        }
        let weigh = |rank: usize| gains[rank] * shape.weights.at(rank as u32);
        let start = if shape.combine == Combine::Cascade { 1.0 } else { 0.0 };
        let (mut down_to, mut state) = (vec![0.0; ranks + 1], vec![start; ranks + 1]);
        for rank in 1..=ranks {
            let (sum, before, gain) = (down_to[rank - 1], state[rank - 1], gains[rank]);
            (down_to[rank], state[rank]) = match shape.combine {
                Combine::Sum => (sum + weigh(rank), 0.0),
                Combine::Best => (sum.max(weigh(rank)), 0.0),
                Combine::Cumulated => (sum + weigh(rank) * (before + gain), before + gain),
                Combine::Cascade => (sum + weigh(rank) * before, before * (1.0 - gain)),
            };
        }
        let mut below = vec![0.0; ranks + 1];
        for rank in (1..=ranks).rev() {
            below[rank - 1] = below[rank] + weigh(rank);
        }
        let top = shape.gain.of(*topic.max_grade, *topic.max_grade);
        ShapeSums { shape, k, top, down_to, state, below }
    }

    /// The sum of the whole ranking if the document at a rank, which has no gain, had the highest.
    fn if_top(&self, rank: u32) -> f64 {
        let all = self.down_to[self.down_to.len() - 1];
        if rank > self.k {
            return all;
        }
        let at = rank as usize;
        let (above, before) = (self.down_to[at - 1], self.state[at - 1]);
        let own = self.top * self.shape.weights.at(rank);
        match self.shape.combine {
            Combine::Sum => all + own,
            Combine::Best => all.max(own),
            Combine::Cumulated => all + own * (before + self.top) + self.top * self.below[at],
            Combine::Cascade => above + own * before + (1.0 - self.top) * (all - above),
        }
    }
}

/// Gives one unjudged document after the other the highest grade.
struct Judge<'a> {
    metric: &'a Metric,
    topic: &'a Judged<'a>,
    score: f64,
    hits: Vec<Hit>,
    /// The collection with one more document of the highest grade.
    grades: Grades,
}

impl<'a> Judge<'a> {
    fn new(metric: &'a Metric, topic: &'a Judged<'a>, score: Score) -> Judge<'a> {
        let mut grades =
            Grades::new(topic.grades.positive.iter().copied().chain([*topic.max_grade]));
        (grades.zero, grades.negative) = (topic.grades.zero, topic.grades.negative);
        let hits = topic.hits.iter().copied().collect();
        Judge { metric, topic, score: score.value().unwrap_or(0.0), hits, grades }
    }

    /// What the score gains if the document at this rank is of the highest grade.
    fn if_relevant(&mut self, rank: u32) -> Option<f64> {
        let at = self.hits.partition_point(|hit| hit.rank < rank);
        let pooled = self.hits.get(at).copied().filter(|hit| hit.rank == rank);
        let top = Hit { rank, doc: u32::MAX, grade: *self.topic.max_grade };
        let replaced = usize::from(pooled.is_some());
        self.hits.splice(at..at + replaced, [top]);
        let negative = self.grades.negative;
        self.grades.negative = negative.saturating_sub(replaced as u32);
        let judged = Judged {
            hits: Hits::new(&self.hits),
            grades: (&self.grades).into(),
            facets: Facets::default(),
            ..*self.topic
        };
        let score = self.metric.score(&judged).value();
        self.hits.splice(at..=at, pooled);
        self.grades.negative = negative;
        Some(score? - self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::OwnedTopic;
    use crate::score::ranges::tests::metrics;
    use crate::stats::random::{Random, Resampling};

    fn rankings(most: usize) -> Vec<OwnedTopic> {
        let mut dice = Resampling::default().stream(16);
        let grade = |dice: &mut Random, top: usize| dice.below(top + 2) as f64 - 1.0;
        (0..60)
            .map(|case| {
                let top = 1 + case % 3;
                let ranking: Vec<Option<f64>> = (0..dice.below(most))
                    .map(|_| (dice.below(3usize) > case % 2).then(|| grade(&mut dice, top)))
                    .collect();
                let rest: Vec<f64> =
                    (0..dice.below(4usize)).map(|_| grade(&mut dice, top)).collect();
                let scores = (0..ranking.len()).rev().map(|score| score as f64).collect();
                OwnedTopic::new(&ranking, &rest).with_scores(scores)
            })
            .collect()
    }

    fn near(a: Option<f64>, b: Option<f64>) -> bool {
        a.zip(b)
            .map_or(a.is_none() && b.is_none(), |(a, b)| (a - b).abs() <= 1e-10 * a.abs().max(1.0))
    }

    /// Whatever the measure, sums say what each rank says by itself; and they do for the most used
    /// measures.
    #[test]
    fn sums_are_the_ranks_one_by_one() {
        let mut summed = Vec::new();
        for metric in metrics() {
            for topic in rankings(40) {
                let topic = &topic.view();
                let score = metric.score(topic);
                let Some(fast) = Running::summed(&metric, topic, score) else { continue };
                let plain = Running::one_by_one(&metric, topic, score, u32::MAX);
                for (fast, plain) in
                    [(&fast.totals, &plain.totals), (&fast.if_relevant, &plain.if_relevant)]
                {
                    assert_eq!(fast.len(), plain.len());
                    let same = fast.iter().zip(plain).all(|(a, b)| near(*a, *b));
                    assert!(same, "{metric} of {topic:?}: {fast:?} is not {plain:?}");
                }
                assert_eq!(fast.totals.last(), plain.totals.last(), "{metric}, to the last bit");
                summed.push(metric.to_string());
            }
        }
        for name in ["AP", "P@3", "R@3", "RR", "nDCG", "RBP", "ERR", "DCG", "INSQ", "Success@3"] {
            let times = summed.iter().filter(|known| *known == name).count();
            assert!(times == 60, "{name}: {times} of 60");
        }
    }

    /// A ranking that is too long for its measure is answered from the top, with the same words.
    #[test]
    fn others_are_answered_from_the_top() {
        let mut cut = 0;
        for metric in metrics() {
            for topic in rankings(40) {
                let topic = &topic.view();
                let score = metric.score(topic);
                let some = Running::of(&metric, topic, score, 10);
                let plain = Running::one_by_one(&metric, topic, score, u32::MAX);
                if some.if_relevant.len() == topic.retrieved as usize {
                    continue;
                }
                cut += 1;
                assert_eq!((some.totals.len(), some.if_relevant.len()), (11, 10), "{metric}");
                assert_eq!(some.totals[..], plain.totals[..11], "{metric}");
                assert_eq!(some.if_relevant[..], plain.if_relevant[..10], "{metric}");
            }
        }
        assert!(cut > 1000);
    }
}
