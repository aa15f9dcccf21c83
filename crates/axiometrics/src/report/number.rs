//! Numbers as text.

use std::io::Write;

/// What stands for a value that does not exist, where programs read.
pub(super) const NOT_AVAILABLE: &str = "NA";

/// Appends a number: to so many places, or as the shortest text that reads back as the same number. NaN is `NA`.
pub fn push_number(out: &mut Vec<u8>, x: f64, places: Option<u8>) {
    if x.is_nan() {
        return out.extend_from_slice(NOT_AVAILABLE.as_bytes());
    }
    match places {
        None => {
            let mut buffer = zmij::Buffer::new();
            let text = buffer.format(x);
            out.extend_from_slice(text.strip_suffix(".0").unwrap_or(text).as_bytes());
        }
        Some(places) => {
            let start = out.len();
            // A vector takes every write.
            let _ = write!(out, "{x:.*}", usize::from(places));
            let zero = out[start..].iter().all(|b| matches!(b, b'-' | b'0' | b'.'));
            if zero && out[start] == b'-' {
                out.remove(start);
            }
        }
    }
}

/// The same as a string.
pub(super) fn number(x: f64, places: Option<u8>) -> String {
    let mut out = Vec::new();
    push_number(&mut out, x, places);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_numbers_read_back() {
        for x in [0.0, 1.0, 0.1, 1.0 / 3.0, 1e-7, 123456.0, 1e300, -2.5, f64::MIN_POSITIVE, 0.1 + 0.2] {
            assert_eq!(number(x, None).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!([number(1.0, None), number(0.25, None), number(f64::NAN, None)], ["1", "0.25", "NA"]);
    }

    #[test]
    fn fixed_places_have_no_negative_zero() {
        assert_eq!([number(0.5, Some(4)), number(-0.00001, Some(4)), number(-0.1, Some(1))], ["0.5000", "0.0000", "-0.1"]);
        assert_eq!([number(2.5, Some(0)), number(-0.2, Some(0)), number(f64::NAN, Some(2))], ["2", "0", "NA"]);
    }
}
