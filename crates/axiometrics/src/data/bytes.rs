//! Reading text eight bytes at a time, without unsafe code.
//!
//! Owns the few byte tricks that the fast reader lives on: the end of a field, the end of a line, a short decimal, a hash.
//! All take a buffer and an index; bytes beyond the buffer read as zero, so a caller that pads its buffer with
//! [`PAD`] zero bytes never reaches the slow branch.

/// How many zero bytes to keep behind the text so that every load is a plain one.
pub(crate) const PAD: usize = 32;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Eight bytes from `i`, the first in the lowest byte.
#[inline(always)]
pub(crate) fn load(buf: &[u8], i: usize) -> u64 {
    match buf.get(i..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => load_short(buf, i),
    }
}

#[cold]
#[inline(never)]
fn load_short(buf: &[u8], i: usize) -> u64 {
    let mut chunk = [0; 8];
    let rest = buf.get(i..).unwrap_or(&[]);
    let n = rest.len().min(8);
    chunk[..n].copy_from_slice(&rest[..n]);
    u64::from_le_bytes(chunk)
}

/// The index of the first byte that is a space or a control character, at or after `i`. The buffer's padding counts as one.
#[inline(always)]
pub(crate) fn field_end(buf: &[u8], mut i: usize) -> usize {
    loop {
        let x = load(buf, i);
        let found = x.wrapping_sub(ONES * 0x21) & !x & HIGH;
        if found != 0 {
            return i + (found.trailing_zeros() >> 3) as usize;
        }
        i += 8;
    }
}

/// The index of the first newline at or after `i`, or where the buffer ends.
#[inline(always)]
pub(crate) fn line_end(buf: &[u8], mut i: usize, end: usize) -> usize {
    while i < end {
        let x = load(buf, i) ^ (ONES * 0x0a);
        let found = x.wrapping_sub(ONES) & !x & HIGH;
        if found != 0 {
            return (i + (found.trailing_zeros() >> 3) as usize).min(end);
        }
        i += 8;
    }
    end
}

const POW10: [u64; 20] = {
    let mut table = [1u64; 20];
    let mut i = 1;
    while i < 20 {
        table[i] = table[i - 1] * 10;
        i += 1;
    }
    table
};

/// How many of the eight bytes, from the lowest, are digits.
#[inline(always)]
fn leading_digits(x: u64) -> u32 {
    let not_digit = ((x & (ONES * 0xf0)) ^ (ONES * 0x30)) | ((x.wrapping_add(ONES * 0x06) & (ONES * 0xf0)) ^ (ONES * 0x30));
    not_digit.trailing_zeros() >> 3
}

/// The value of the lowest n digits of eight bytes, 1 <= n <= 8.
#[inline(always)]
fn digits_value(x: u64, n: u32) -> u64 {
    let x = x.wrapping_sub(ONES * 0x30) << (64 - 8 * n);
    let x = (x.wrapping_mul(10)).wrapping_add(x >> 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100)).wrapping_add(x >> 16) & 0x0000_ffff_0000_ffff;
    (x.wrapping_mul(10_000)).wrapping_add(x >> 32) & 0xffff_ffff
}

/// A plain decimal (`-12.345678`) of at most 15 digits, and the index behind it; `None` for anything else, which the caller then reads slowly.
/// With so few digits both the digits and the power of ten are exact, so one division rounds correctly.
#[inline(always)]
pub(crate) fn plain_decimal(buf: &[u8], start: usize) -> Option<(f64, usize)> {
    let mut i = start;
    let negative = buf.get(i) == Some(&b'-');
    i += usize::from(negative);
    let x = load(buf, i);
    let whole = leading_digits(x);
    if whole == 0 || whole == 8 {
        return None;
    }
    let mut mantissa = digits_value(x, whole);
    i += whole as usize;
    let mut places = 0;
    if (x >> (8 * whole)) as u8 == b'.' {
        i += 1;
        let x = load(buf, i);
        places = leading_digits(x);
        if places > 0 {
            mantissa = mantissa * POW10[places as usize] + digits_value(x, places);
            i += places as usize;
        }
        if places == 8 {
            return None;
        }
    }
    if buf.get(i).is_some_and(|b| *b > b' ') {
        return None;
    }
    let value = mantissa as f64 / POW10[places as usize] as f64;
    Some((if negative { -value } else { value }, i))
}

/// A 64-bit hash of `len` bytes at `start`. Equal bytes hash equally; unequal ones are told apart by comparing them.
#[inline(always)]
pub(crate) fn hash(buf: &[u8], start: usize, len: usize) -> u64 {
    let mut h = K0 ^ (len as u64).wrapping_mul(K1);
    if len <= 8 {
        let mask = if len == 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
        return fold(h ^ (load(buf, start) & mask), K2);
    }
    let mut i = 0;
    while i + 8 < len {
        h = fold(h ^ load(buf, start + i), K1);
        i += 8;
    }
    fold(h ^ load(buf, start + len - 8), K2)
}

const K0: u64 = 0x9e37_79b9_7f4a_7c15;
const K1: u64 = 0xd6e8_feb8_6659_fd93;
const K2: u64 = 0xa076_1d64_78bd_642f;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn field_and_line_ends_are_where_a_loop_finds_them(text in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut padded = text.clone();
            padded.resize(text.len() + PAD, 0);
            let slow = padded.iter().position(|b| *b <= b' ').unwrap();
            prop_assert_eq!(field_end(&padded, 0), slow);
            let slow = text.iter().position(|b| *b == b'\n').unwrap_or(text.len());
            prop_assert_eq!(line_end(&padded, 0, text.len()), slow);
        }

        #[test]
        fn decimals_are_those_of_the_standard_library(text in "-?[0-9]{1,9}(\\.[0-9]{0,9})?([eE][0-9])?") {
            let mut padded = text.clone().into_bytes();
            padded.push(b' ');
            if let Some((value, end)) = plain_decimal(&padded, 0) {
                prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
                prop_assert_eq!(end, text.len());
            } else {
                let whole = text.trim_start_matches('-').split('.').next().unwrap().len();
                prop_assert!(whole >= 8 || text.len() > 9 || text.contains(['e', 'E']), "{} was left to the slow reader", text);
            }
        }

        #[test]
        fn hashes_depend_on_the_bytes_alone(id in "[ -~]{0,40}", before in "[a-z]{0,9}", after in "[a-z]{0,9}") {
            let text = format!("{before}{id}{after}");
            prop_assert_eq!(hash(text.as_bytes(), before.len(), id.len()), hash(id.as_bytes(), 0, id.len()));
        }
    }
}
