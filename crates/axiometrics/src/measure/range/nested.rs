//! Quotients of two sums over steps of grade or gain, by Dinkelbach's method.
//!
//! A document takes part in every step up to its own grade. If each step's two sums depend on
//! how many open documents reach over it alone, because there is a best order to take them in, a
//! completion is a number for each step, and the numbers never rise from one step to the next.

/// The highest quotient, where `parts` gives what a step adds to the dividend and the divisor if so
/// many open documents reach over it, at most `most`; `fixed` is added to both. `None` where the
/// divisor is 0 even if all reach over every step.
pub(super) fn highest(
    steps: usize,
    most: u32,
    fixed: (f64, f64),
    parts: impl Fn(usize, u32) -> (f64, f64),
) -> Option<f64> {
    let mut counts = vec![most; steps];
    let mut high = None;
    loop {
        let (dividend, divisor) = counts.iter().enumerate().fold(fixed, |sums, (step, t)| {
            let part = parts(step, *t);
            (sums.0 + part.0, sums.1 + part.1)
        });
        if divisor <= 0.0 || high.is_some_and(|high| dividend / divisor <= high) {
            return high;
        }
        let quotient = dividend / divisor;
        high = Some(quotient);
        choose(quotient, most, &parts, &mut counts);
    }
}

/// The numbers for which the dividend less the quotient times the divisor is highest. The next
/// quotient is theirs.
fn choose(quotient: f64, most: u32, parts: &impl Fn(usize, u32) -> (f64, f64), counts: &mut [u32]) {
    // What the steps above are worth at best, if at most so many documents reach over them; and
    // how many should, step by step.
    let mut above = vec![0.0; most as usize + 1];
    let mut choices: Vec<Vec<u32>> = Vec::with_capacity(counts.len());
    for step in (0..counts.len()).rev() {
        let mut best = (0, f64::NEG_INFINITY);
        let choice = (0..=most).zip(&mut above).map(|(t, above)| {
            let (dividend, divisor) = parts(step, t);
            let value = *above + dividend - quotient * divisor;
            if value > best.1 {
                best = (t, value);
            }
            *above = best.1;
            best.0
        });
        choices.push(choice.collect());
    }
    let mut most = most;
    for (count, choice) in counts.iter_mut().zip(choices.iter().rev()) {
        most = choice[most as usize];
        *count = most;
    }
}
