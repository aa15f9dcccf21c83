//! Numbers as C's `atol` and `atof` read them: the longest number that the text begins with, 0
//! if it begins with none.

/// A whole number at the start of a text.
pub fn whole(text: &str) -> i64 {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let magnitude = digits[..end]
        .bytes()
        .fold(0i64, |n, d| n.saturating_mul(10).saturating_add(i64::from(d - b'0')));
    if text.starts_with('-') { -magnitude } else { magnitude }
}

/// A decimal number at the start of a text.
pub fn real(text: &str) -> f64 {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let digits = |from: usize| {
        text[from..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |n| from + n)
    };
    let mut end = digits(usize::from(text.starts_with(['+', '-'])));
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let exponent = end + 1 + usize::from(text[end + 1..].starts_with(['+', '-']));
        if digits(exponent) > exponent {
            end = digits(exponent);
        }
    }
    text[..end].parse().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_at_the_start_counts() {
        for (text, number) in [
            ("12", 12),
            (" -3x", -3),
            ("+4.9", 4),
            ("", 0),
            ("x1", 0),
            ("-", 0),
            ("99999999999999999999", i64::MAX),
        ] {
            assert_eq!(whole(text), number, "{text:?}");
        }
        let cases = [
            ("1.5", 1.5),
            (".25x", 0.25),
            ("-2e3", -2000.0),
            ("3e", 3.0),
            ("4e+y", 4.0),
            ("", 0.0),
            ("é", 0.0),
            ("5.", 5.0),
            (".", 0.0),
        ];
        for (text, number) in cases {
            assert_eq!(real(text), number, "{text:?}");
        }
    }
}
