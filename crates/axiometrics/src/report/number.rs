//! Numbers as text.

use std::io::Write;

/// What stands for a value that does not exist, where programs read.
pub(super) const NOT_AVAILABLE: &str = "NA";

/// Appends a number: to so many places, or as the shortest text that reads back as the same number.
/// NaN is `NA`.
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
        // Beyond 2^53 the digits before the point are no longer the number's own.
        Some(places) if x.abs() >= 1e16 && x.is_finite() => {
            // A vector takes every write.
            let _ = write!(out, "{x:.*e}", usize::from(places));
        }
        Some(places) => {
            let start = out.len();
            push_fixed(out, x, places);
            let zero = out[start..].iter().all(|b| matches!(b, b'-' | b'0' | b'.'));
            if zero && out[start] == b'-' {
                out.remove(start);
            }
        }
    }
}

/// Appends a number with so many places, correctly rounded, ties to even: what C prints.
pub(super) fn push_fixed(out: &mut Vec<u8>, x: f64, places: u8) {
    const MOST: u8 = 9;
    // A number is a whole number of 53 bits times a power of two. Times a power of ten it fits 128
    // bits, so the division that rounds is exact.
    let (bits, exponent) = (x.to_bits(), (x.to_bits() >> 52 & 0x7ff) as i32);
    if places > MOST || x.is_nan() || x.abs() >= 1e9 {
        // A vector takes every write.
        let _ = write!(out, "{x:.*}", usize::from(places));
        return;
    }
    let mantissa = bits & ((1 << 52) - 1) | u64::from(exponent != 0) << 52;
    let scale = 10u64.pow(u32::from(places));
    let product = u128::from(mantissa) * u128::from(scale);
    // Below 1e9 there are at least 22 bits behind the point; if there are more than 127, nothing
    // is left of a product of 83.
    let shift = (1075 - exponent.max(1)) as u32;
    let rounded = if shift > 127 {
        0
    } else {
        let (whole, rest, half) =
            (product >> shift, product & ((1u128 << shift) - 1), 1u128 << (shift - 1));
        (whole + u128::from(rest > half || rest == half && whole & 1 == 1)) as u64
    };
    if x.is_sign_negative() {
        out.push(b'-');
    }
    push_digits(out, rounded / scale, 1);
    if places > 0 {
        out.push(b'.');
        push_digits(out, rounded % scale, usize::from(places));
    }
}

/// Appends a whole number, with zeros before it up to so many digits.
fn push_digits(out: &mut Vec<u8>, mut n: u64, least: usize) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    while n > 0 || digits.len() - at < least {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

/// The number whose text has so many places.
pub fn rounded(x: Option<f64>, places: Option<u8>) -> Option<f64> {
    let (Some(exact), Some(_)) = (x, places) else { return x };
    number(exact, places).parse().ok()
}

/// A number as text.
pub(super) fn number(x: f64, places: Option<u8>) -> String {
    let mut out = Vec::new();
    push_number(&mut out, x, places);
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn fixed_places_are_those_of_the_standard_library(
            x in prop_oneof![any::<f64>(), -2.0..2.0, -1e10..1e10, (-4000i32..4000, 0i32..24).prop_map(|(n, e)| f64::from(n) / 2f64.powi(e))],
            places in 0u8..12,
        ) {
            let mut out = Vec::new();
            push_fixed(&mut out, x, places);
            prop_assert_eq!(String::from_utf8(out).unwrap(), format!("{x:.*}", usize::from(places)));
        }
    }

    #[test]
    fn shortest_numbers_read_back() {
        for x in
            [0.0, 1.0, 0.1, 1.0 / 3.0, 1e-7, 123456.0, 1e300, -2.5, f64::MIN_POSITIVE, 0.1 + 0.2]
        {
            assert_eq!(number(x, None).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!(
            [number(1.0, None), number(0.25, None), number(f64::NAN, None)],
            ["1", "0.25", "NA"]
        );
    }

    #[test]
    fn fixed_places_have_no_negative_zero() {
        assert_eq!(
            [number(0.5, Some(4)), number(-0.00001, Some(4)), number(-0.1, Some(1))],
            ["0.5000", "0.0000", "-0.1"]
        );
        assert_eq!(
            [number(1e308, Some(4)), number(-1.5e16, Some(1)), number(1e15, Some(1))],
            ["1.0000e308", "-1.5e16", "1000000000000000.0"]
        );
        assert_eq!(
            [number(2.5, Some(0)), number(-0.2, Some(0)), number(f64::NAN, Some(2))],
            ["2", "0", "NA"]
        );
    }
}
