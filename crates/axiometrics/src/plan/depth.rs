//! How deep to judge for a given uncertainty of rank-biased precision.

use serde::Serialize;

use crate::error::{Error, Result};

/// A depth at which judging can stop.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Depth {
    /// The persistence of the user.
    pub p: f64,
    /// The uncertainty that was asked for.
    pub residual: f64,
    /// Judge so many documents of each ranking.
    pub depth: u32,
    /// What then is left open of each score: p^depth.
    pub reached: f64,
}

/// The least depth k with p^k <= residual: what documents below rank k could add to RBP(p).
pub fn depth(p: f64, residual: f64) -> Result<Depth> {
    for (name, value) in [("p", p), ("residual", residual)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Error::usage(format!(
                "{name} is {value}, expected more than 0 and less than 1"
            )));
        }
    }
    let open = |depth: u32| p.powf(f64::from(depth));
    let estimate = (residual.ln() / p.ln()).ceil();
    if estimate > f64::from(u32::MAX - 1) {
        return Err(Error::usage(format!("a user with p = {p} reads too far to be planned for")));
    }
    // The logarithms round: 0.5^3 = 0.125 asks for 3, however their ratio came out.
    let mut depth = (estimate as u32).max(1);
    while depth > 1 && open(depth - 1) <= residual {
        depth -= 1;
    }
    while open(depth) > residual {
        depth += 1;
    }
    Ok(Depth { p, residual, depth, reached: open(depth) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn by_hand() {
        assert_eq!(depth(0.5, 0.125).unwrap().depth, 3);
        // 0.8^20 = 0.0115, 0.8^21 = 0.0092
        assert_eq!(depth(0.8, 0.01).unwrap().depth, 21);
        assert_eq!(depth(0.1, 0.9).unwrap().depth, 1);
        assert!(depth(1.0, 0.1).unwrap_err().is_usage());
        assert!(depth(0.8, f64::NAN).unwrap_err().is_usage());
        assert!(depth(1.0 - 1e-16, 1e-300).unwrap_err().is_usage());
    }

    proptest! {
        #[test]
        fn it_is_the_least(p in 0.01f64..0.999, residual in 1e-6f64..0.99) {
            let found = depth(p, residual).unwrap();
            prop_assert!(p.powi(found.depth as i32) <= residual * (1.0 + 1e-12));
            prop_assert!(found.depth == 1 || p.powi(found.depth as i32 - 1) > residual * (1.0 - 1e-12));
        }
    }
}
