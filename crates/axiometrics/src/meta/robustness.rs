//! Robustness (Amigo, Gonzalo and Verdejo 2013, section 4.1): whether topics agree on the systems.

use serde::Serialize;

use crate::error::Result;
use crate::stats::{ScoreMatrix, spearman};

/// The mean Spearman correlation of the systems' scores over pairs of topics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Robustness {
    /// The mean; absent if fewer than two topics tell systems apart.
    pub mean: Option<f64>,
    /// How many pairs of topics it is over.
    pub pairs: usize,
    /// Topics on which all systems score the same, which correlate with nothing.
    pub skipped_topics: usize,
}

/// The robustness of a measure.
pub fn robustness(scores: &ScoreMatrix) -> Result<Robustness> {
    let by_topic: Vec<Vec<f64>> =
        (0..scores.topics()).map(|t| scores.rows().iter().map(|row| row[t]).collect()).collect();
    // A topic correlates with itself unless it is constant.
    let telling = by_topic
        .iter()
        .map(|topic| Ok(spearman(topic, topic)?.is_some()))
        .collect::<Result<Vec<bool>>>()?;
    let topics: Vec<&Vec<f64>> = by_topic
        .iter()
        .zip(&telling)
        .filter(|(_, telling)| **telling)
        .map(|(topic, _)| topic)
        .collect();
    let (mut sum, mut pairs) = (0.0, 0);
    for (i, one) in topics.iter().enumerate() {
        for other in &topics[i + 1..] {
            if let Some(rho) = spearman(one, other)? {
                sum += rho;
                pairs += 1;
            }
        }
    }
    Ok(Robustness {
        mean: (pairs > 0).then(|| sum / pairs as f64),
        pairs,
        skipped_topics: by_topic.len() - topics.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of four topics the last is constant; the others correlate 1, -1 and -1.
    #[test]
    fn by_hand() {
        let rows =
            vec![vec![0.1, 0.2, 0.9, 0.5], vec![0.2, 0.4, 0.3, 0.5], vec![0.9, 0.8, 0.1, 0.5]];
        let found = robustness(&ScoreMatrix::new(rows).unwrap()).unwrap();
        assert_eq!((found.pairs, found.skipped_topics), (3, 1));
        assert!((found.mean.unwrap() + 1.0 / 3.0).abs() < 1e-12);
        let flat = robustness(&ScoreMatrix::new(vec![vec![0.5, 0.5]; 2]).unwrap()).unwrap();
        assert_eq!((flat.mean, flat.skipped_topics), (None, 2));
    }
}
