//! Whether two measures order the systems alike.

use serde::Serialize;

use crate::error::Result;
use crate::stats::{ScoreMatrix, kendall_tau_b, pearson, rbo, spearman, tau_ap_b};

/// A coefficient for every two measures, on the systems' means.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// A short name of the coefficient: letters, digits, `_` and hyphens.
    pub name: &'static str,
    /// The coefficient, with its variant.
    pub coefficient: String,
    /// A row and a column per measure; absent if a measure ties all systems.
    pub matrix: Vec<Vec<Option<f64>>>,
}

/// Kendall's tau-b, tau_AP,b and rank-biased overlap between the orders of systems.
pub fn agreement(measures: &[ScoreMatrix], rbo_p: f64) -> Result<Vec<Agreement>> {
    let means: Vec<Vec<f64>> = measures.iter().map(ScoreMatrix::means).collect();
    let overlap = |x: &[f64], y: &[f64]| Ok(Some(rbo(&order(x), &order(y), rbo_p)?.ext));
    let of = |name, coefficient: &str, matrix| Agreement {
        name,
        coefficient: coefficient.to_string(),
        matrix,
    };
    Ok(vec![
        of("tau-b", "Kendall's tau-b", matrix(&means, kendall_tau_b)?),
        of("tau_AP-b", "tau_AP,b (symmetric; a tie is a statement)", matrix(&means, tau_ap_b)?),
        of(
            "RBO",
            &format!("RBO_ext, p = {rbo_p} (ties in the order of the runs)"),
            matrix(&means, overlap)?,
        ),
    ])
}

/// Pearson's and Spearman's correlation of scores between measures: of the systems' means, and of
/// the scores of all systems on all topics.
pub fn correlation(measures: &[ScoreMatrix]) -> Result<Vec<Agreement>> {
    let means: Vec<Vec<f64>> = measures.iter().map(ScoreMatrix::means).collect();
    let outputs: Vec<Vec<f64>> = measures.iter().map(outputs).collect();
    let of = |name, coefficient: &str, matrix| Agreement {
        name,
        coefficient: coefficient.to_string(),
        matrix,
    };
    Ok(vec![
        of("pearson-means", "Pearson's r of the systems' means", matrix(&means, pearson)?),
        of("spearman-means", "Spearman's rho of the systems' means", matrix(&means, spearman)?),
        of("pearson-scores", "Pearson's r of the scores of all topics", matrix(&outputs, pearson)?),
        of(
            "spearman-scores",
            "Spearman's rho of the scores of all topics",
            matrix(&outputs, spearman)?,
        ),
    ])
}

/// The scores of all systems on all topics, one behind the other.
pub(super) fn outputs(scores: &ScoreMatrix) -> Vec<f64> {
    scores.rows().concat()
}

fn matrix(
    means: &[Vec<f64>],
    coefficient: impl Fn(&[f64], &[f64]) -> Result<Option<f64>>,
) -> Result<Vec<Vec<Option<f64>>>> {
    means.iter().map(|x| means.iter().map(|y| coefficient(x, y)).collect()).collect()
}

/// The systems, best first.
fn order(means: &[f64]) -> Vec<usize> {
    let mut systems: Vec<usize> = (0..means.len()).collect();
    systems.sort_by(|a, b| means[*b].total_cmp(&means[*a]));
    systems
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked by hand: scores 1 2 3 6 and 2 4 6 12 lie on a line; 1 2 3 6 and 6 3 2 1 have opposite
    /// orders.
    #[test]
    fn correlations_of_scores() {
        let matrix = |rows: [[f64; 2]; 2]| ScoreMatrix::new(rows.map(Vec::from).to_vec()).unwrap();
        let x = matrix([[1.0, 2.0], [3.0, 6.0]]);
        let y = matrix([[2.0, 4.0], [6.0, 12.0]]);
        let z = matrix([[6.0, 3.0], [2.0, 1.0]]);
        let found = correlation(&[x, y, z]).unwrap();
        for coefficient in &found {
            assert!((coefficient.matrix[0][1].unwrap() - 1.0).abs() < 1e-12, "{coefficient:?}");
        }
        assert_eq!(found[3].name, "spearman-scores");
        assert!((found[3].matrix[0][2].unwrap() + 1.0).abs() < 1e-12);
        // Means 1.5 4.5 and 4.5 1.5; over all outputs r is -14 / sqrt(14 * 14).
        assert!((found[0].matrix[0][2].unwrap() + 1.0).abs() < 1e-12);
        let (sum, n) = (12.0, 4.0);
        let r = (1.0 * 6.0 + 2.0 * 3.0 + 3.0 * 2.0 + 6.0 - sum * sum / n) / (50.0 - sum * sum / n);
        assert!((found[2].matrix[0][2].unwrap() - r).abs() < 1e-12);
    }

    #[test]
    fn equal_orders_agree_wholly_and_opposite_ones_not() {
        let matrix = |means: [f64; 3]| ScoreMatrix::new(means.map(|m| vec![m]).to_vec()).unwrap();
        let found = agreement(
            &[matrix([0.1, 0.2, 0.3]), matrix([1.0, 2.0, 9.0]), matrix([0.3, 0.2, 0.1])],
            0.9,
        )
        .unwrap();
        for coefficient in &found {
            assert!((coefficient.matrix[0][1].unwrap() - 1.0).abs() < 1e-12, "{coefficient:?}");
        }
        assert_eq!(found[0].matrix[0][2], Some(-1.0));
        assert!(found[2].matrix[0][2].unwrap() < 1.0);
    }
}
