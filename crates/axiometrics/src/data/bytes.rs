//! Reading text many bytes at a time, without unsafe code.
//!
//! Owns the few byte tricks that the fast reader lives on: the end of a field, the end of a line, a
//! short decimal, a hash. All take a buffer and an index; bytes beyond the buffer read as zero, so
//! a caller that pads its buffer with [`PAD`] zero bytes never reaches the slow branch.

/// How many zero bytes to keep behind the text so that every load is a plain one.
pub(crate) const PAD: usize = 224;

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use wide::u8x16;

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether a byte separates fields: what C calls white space. The fast paths take every control
/// character for a blank at first, and leave a line with any but spaces, tabs and line ends to
/// others.
#[inline(always)]
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Eight bytes from `i`, the first in the lowest byte.
#[inline(always)]
pub(crate) fn load(buf: &[u8], i: usize) -> u64 {
    match buf.get(i..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => load_short(buf, i),
    }
}

/// The same when fewer than eight bytes are left.
fn load_short(buf: &[u8], i: usize) -> u64 {
    let rest = buf.get(i..).unwrap_or(&[]);
    if let (Some(low), Some(high)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let behind = rest.len().min(8) - 4;
        return u64::from(u32::from_le_bytes(*low))
            | u64::from(u32::from_le_bytes(*high)) << (8 * behind);
    }
    rest.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b))
}

/// Whether two short texts are equal: that of a topic is mostly one word, that of a document one or
/// two.
#[inline(always)]
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len()
        && load(a, 0) == load(b, 0)
        && (a.len() <= 8 || same_end(a, b) && (a.len() <= 16 || a == b))
}

/// Whether the last eight bytes of two texts of one length, at least eight, are equal.
#[inline(always)]
fn same_end(a: &[u8], b: &[u8]) -> bool {
    load(a, a.len() - 8) == load(b, b.len() - 8)
}

/// Whether a text, whose first word has been loaded, stands at a place of a buffer.
#[inline(always)]
pub(crate) fn stands_at(buf: &[u8], start: usize, text: &[u8], head: u64) -> bool {
    let beyond = 64 - 8 * text.len().clamp(1, 8);
    text.is_empty()
        || (load(buf, start) ^ head) << beyond == 0
            && (text.len() <= 8 || buf.get(start..start + text.len()) == Some(text))
}

/// Shorter texts first, those of one length bytewise: `d9` before `d10`.
#[inline(always)]
pub(crate) fn by_length(a: &[u8], b: &[u8]) -> Ordering {
    let word = |text: &[u8], i: usize| load(text, i).swap_bytes();
    let rest = || match a.len() {
        0..=8 => Ordering::Equal,
        // Where the first eight bytes are equal, the last eight decide.
        9..=16 => word(a, a.len() - 8).cmp(&word(b, b.len() - 8)),
        _ => a.cmp(b),
    };
    a.len().cmp(&b.len()).then_with(|| word(a, 0).cmp(&word(b, 0))).then_with(rest)
}

/// Whether the first of `len` bytes are the same at two places, eight at most.
#[inline(always)]
pub(crate) fn alike(buf: &[u8], a: usize, b: usize, len: usize) -> bool {
    let beyond = 64 - 8 * len.clamp(1, 8);
    (load(buf, a) ^ load(buf, b)) << beyond == 0
}

/// Some bytes of a line: 64 in which fields are looked for, as many in which the last of them may
/// go on, and room for any load that begins there.
pub(crate) type View = [u8; 160];

/// Which of the first 64 bytes are a space or a control character, the first in the lowest bit.
/// Where the first half has the `enough` that the caller looks for, the second half is not looked
/// at.
#[inline(always)]
pub(crate) fn blanks(view: &View, enough: u32) -> u64 {
    let half = first_blanks::<32>(view);
    let mut rest = half;
    for _ in 1..enough {
        rest &= rest.wrapping_sub(1);
    }
    if rest != 0 { half } else { first_blanks::<64>(view) }
}

/// The same of the first 16, 32 or 64 bytes.
#[inline(always)]
pub(crate) fn first_blanks<const LEN: usize>(view: &View) -> u64 {
    (0..LEN / 16)
        .fold(0, |mask, n| mask | u64::from(blank_mask(*sixteen(view, 16 * n))) << (16 * n))
}

#[inline(always)]
fn blank_mask(bytes: [u8; 16]) -> u32 {
    let x = u8x16::new(bytes);
    x.min(u8x16::splat(b' ')).simd_eq(x).to_bitmask()
}

/// Which of 64 bytes are one of two, the first in the lowest bit.
#[inline(always)]
pub(crate) fn either(bytes: &[u8; 64], a: u8, b: u8) -> u64 {
    let (a, b) = (u8x16::splat(a), u8x16::splat(b));
    let part = |n: usize| {
        let mut sixteen = [0; 16];
        sixteen.copy_from_slice(&bytes[16 * n..16 * n + 16]);
        let x = u8x16::new(sixteen);
        u64::from((x.simd_eq(a) | x.simd_eq(b)).to_bitmask()) << (16 * n)
    };
    part(0) | part(1) | part(2) | part(3)
}

/// How many of sixteen bytes stand before the first that is a space or a control character.
#[inline(always)]
pub(crate) fn field_len(bytes: &[u8; 16]) -> usize {
    (blank_mask(*bytes) | 1 << 16).trailing_zeros() as usize
}

/// Sixteen bytes of a view, from an index below 128. It is taken modulo 128, which spares the check
/// that it is.
#[inline(always)]
pub(crate) fn sixteen(view: &View, i: usize) -> &[u8; 16] {
    view[i & 127..].first_chunk().unwrap_or(&[0; 16])
}

/// Thirty-two bytes of a view, in the same way.
#[inline(always)]
pub(crate) fn thirty_two(view: &View, i: usize) -> &[u8; 32] {
    view[i & 127..].first_chunk().unwrap_or(&[0; 32])
}

/// The first eight of some bytes as a number that is ordered as texts are.
#[inline(always)]
pub(crate) fn first_word(bytes: &[u8; 16]) -> u64 {
    (u128::from_be_bytes(*bytes) >> 64) as u64
}

/// Eight bytes of a view. The index is taken modulo 64, which spares the check that it is below.
#[inline(always)]
fn word(view: &View, i: usize) -> u64 {
    let i = i & 63;
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&view[i..i + 8]);
    u64::from_le_bytes(bytes)
}

/// The first word of the `len` bytes, one at least, with which a view begins: what [`load`] finds
/// in them alone.
#[inline(always)]
pub(crate) fn head(view: &View, len: u32) -> u64 {
    word(view, 0) & u64::MAX >> (64 - 8 * len.clamp(1, 8))
}

/// One byte of a view, the index modulo 64.
#[inline(always)]
pub(crate) fn byte(view: &View, i: u32) -> u8 {
    view[(i & 63) as usize]
}

/// The index of the first byte that is a space or a control character, at or after `i`. The
/// buffer's padding counts as one.
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

const POW10: [i64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const POW10_F64: [f64; 8] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7];

/// The value of the lowest n digits of eight bytes, 1 <= n <= 8.
#[inline(always)]
fn digits_value(x: u64, n: u32) -> u64 {
    let x = x.wrapping_sub(ONES * 0x30) << (64 - 8 * n);
    let x = (x.wrapping_mul(10)).wrapping_add(x >> 8) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100)).wrapping_add(x >> 16) & 0x0000_ffff_0000_ffff;
    (x.wrapping_mul(10_000)).wrapping_add(x >> 32) & 0xffff_ffff
}

/// The plain decimal (`-12.345678`) between two indices of a view, of at most 7 digits on either
/// side of the point; `None` for anything else, which the caller then reads slowly. With so few
/// digits both the digits and the power of ten are exact, so one division rounds correctly.
#[inline(always)]
pub(crate) fn plain_decimal(view: &View, start: u32, end: u32) -> Option<f64> {
    let negative = byte(view, start) == b'-';
    let start = start + u32::from(negative);
    // Of the next 16 bytes, those that are no digits: the point, and the end of the number.
    let digits = u8x16::new(*sixteen(view, start as usize)) - u8x16::splat(b'0');
    let others = !digits.min(u8x16::splat(9)).simd_eq(digits).to_bitmask() & 0xffff;
    let whole = others.trailing_zeros();
    let x = word(view, start as usize);
    let integer = match whole {
        // No branch between these two: in a file whose lines are mixed nobody can foresee which it
        // is.
        1 | 2 => {
            let two = x << (8 * (2 - whole));
            (10 * (two & 0xf) + (two >> 8 & 0xf)) as u32
        }
        3..=7 => digits_value(x, whole) as u32,
        _ => return None,
    };
    let point = start + whole;
    let mut value = f64::from(integer);
    if point != end {
        let number_end = start + (others & (others - 1)).trailing_zeros();
        let places = end.wrapping_sub(point + 1);
        if byte(view, point) != b'.' || number_end != end || places.wrapping_sub(1) > 6 {
            return None;
        }
        // Signed, because processors convert signed integers in one step.
        let fraction = digits_value(word(view, point as usize + 1), places);
        let mantissa = i64::from(integer) * POW10[places as usize & 7] + fraction as i64;
        value = mantissa as f64 / POW10_F64[places as usize & 7];
    }
    Some(if negative { -value } else { value })
}

/// A 64-bit hash of ids. Equal bytes hash equally; unequal ones are told apart by comparing them, so
/// no result depends on it.
///
/// Its keys are drawn anew by every process: whoever writes a file cannot choose ids that collide.
/// Loops keep a copy, so that the keys stay in registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hashing {
    before: u64,
    factor: u64,
}

impl Default for Hashing {
    fn default() -> Hashing {
        static KEYS: OnceLock<Hashing> = OnceLock::new();
        *KEYS.get_or_init(Hashing::drawn)
    }
}

impl Hashing {
    /// New keys.
    fn drawn() -> Hashing {
        let random = RandomState::new();
        // An odd factor loses no bit of what it multiplies.
        Hashing { before: random.hash_one(K0), factor: random.hash_one(K1) | 1 }
    }

    /// The hash of `len` bytes at `start`.
    pub(crate) fn of(self, buf: &[u8], start: usize, len: usize) -> u64 {
        self.words(len, |i| load(buf, start + i))
    }

    /// The same for a whole text of this length whose first word has been loaded; the text itself is
    /// asked for only if there is more of it.
    #[inline(always)]
    pub(crate) fn headed<'t>(self, head: u64, len: usize, text: impl FnOnce() -> &'t [u8]) -> u64 {
        if len <= 8 { self.words(len, |_| head) } else { self.of(text(), 0, len) }
    }

    /// The same for bytes of a view, all of them among the first 64.
    #[inline(always)]
    pub(crate) fn within(self, view: &View, start: u32, len: u32) -> u64 {
        self.words(len as usize, |i| word(view, start as usize + i))
    }

    #[inline(always)]
    fn words(self, len: usize, word: impl Fn(usize) -> u64) -> u64 {
        let Hashing { before, factor } = self;
        if len <= 8 {
            // What is beyond the text is shifted out. A shift of 64, for no text at all, is none.
            let known = if len == 0 { 0 } else { word(0) << ((8 - len) * 8) };
            return fold(known ^ before, factor);
        }
        let mut h = fold(word(0) ^ before ^ len as u64, factor);
        let mut i = 8;
        while i + 8 < len {
            h = fold(h ^ word(i), factor);
            i += 8;
        }
        fold(h ^ word(len - 8), factor)
    }
}

const K0: u64 = 0x9e37_79b9_7f4a_7c15;
const K1: u64 = 0xd6e8_feb8_6659_fd93;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let wide = u128::from(a) * u128::from(b);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
        fn short_texts_are_compared_as_any(a in "[ab]{0,20}", b in "[ab]{0,20}", at in 0..20usize) {
            let mut near = a.clone().into_bytes();
            if let Some(byte) = near.get_mut(at) {
                *byte ^= 1;
            }
            for b in [b.as_bytes(), &near, a.as_bytes()] {
                prop_assert_eq!(same(a.as_bytes(), b), a.as_bytes() == b);
                let buffer = [b"xy", b, b"z"].concat();
                prop_assert_eq!(stands_at(&buffer, 2, a.as_bytes(), load(a.as_bytes(), 0)), buffer[2..].starts_with(a.as_bytes()));
                prop_assert_eq!(by_length(a.as_bytes(), b), a.len().cmp(&b.len()).then(a.as_bytes().cmp(b)));
            }
        }

        #[test]
        fn blanks_are_where_a_loop_finds_them(text in proptest::collection::vec(any::<u8>(), size_of::<View>())) {
            let slow = (0..64).filter(|i| text[*i] <= b' ').fold(0u64, |mask, i| mask | 1 << i);
            for enough in 1..6 {
                let found = blanks(text.first_chunk().unwrap(), enough);
                prop_assert!(found == slow || found == slow & 0xffff_ffff && found.count_ones() >= enough);
            }
        }

        #[test]
        fn decimals_are_those_of_the_standard_library(text in "-?[0-9]{1,8}(\\.[0-9]{0,8})?([eE:][0-9])?", behind in "[ \\t\\n0-9]{0,9}") {
            let mut view = [0; size_of::<View>()];
            view[..text.len()].copy_from_slice(text.as_bytes());
            view[text.len() + 1..][..behind.len()].copy_from_slice(behind.as_bytes());
            match plain_decimal(&view, 0, text.len() as u32) {
                Some(value) => prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits()),
                None => {
                    let (whole, places) = text.trim_start_matches('-').split_once('.').unwrap_or((&text, "0"));
                    prop_assert!(whole.len() >= 8 || places.is_empty() || places.len() >= 8 || text.contains(['e', 'E', ':']), "{} was left to the slow reader", text);
                }
            }
        }

        #[test]
        fn hashes_depend_on_the_bytes_alone(id in "[ -~]{0,40}", before in "[a-z]{0,9}", after in "[a-z]{0,9}") {
            let text = format!("{before}{id}{after}");
            let hashing = Hashing::default();
            let plain = hashing.of(id.as_bytes(), 0, id.len());
            prop_assert_eq!(hashing.of(text.as_bytes(), before.len(), id.len()), plain);
            prop_assert_eq!(hashing.headed(load(id.as_bytes(), 0), id.len(), || id.as_bytes()), plain);
            let mut view = [7; size_of::<View>()];
            view[..id.len()].copy_from_slice(id.as_bytes());
            prop_assert_eq!(hashing.within(&view, 0, id.len() as u32), plain);
            prop_assert!(id.is_empty() || head(&view, id.len() as u32) == load(id.as_bytes(), 0));
        }
    }

    /// Ids that all collide for somebody who knows the keys do not for anybody else's.
    #[test]
    fn ids_that_collide_cannot_be_chosen_beforehand() {
        let known = Hashing { before: K0, factor: K1 };
        let ids: Vec<[u8; 16]> = (0..1000u64)
            .map(|i| {
                let first = ONES * 0x40 + i;
                let last = fold(first ^ known.before ^ 16, known.factor) ^ 1;
                let mut id = [0; 16];
                id[..8].copy_from_slice(&first.to_le_bytes());
                id[8..].copy_from_slice(&last.to_le_bytes());
                id
            })
            .collect();
        let different = |hashing: Hashing| {
            let hashes: BTreeSet<u64> = ids.iter().map(|id| hashing.of(id, 0, 16)).collect();
            hashes.len()
        };
        assert_eq!(different(known), 1);
        let (one, other) = (Hashing::drawn(), Hashing::drawn());
        assert_ne!((one.before, one.factor), (other.before, other.factor));
        for hashing in [one, other, Hashing::default()] {
            assert_eq!(different(hashing), ids.len());
        }
    }
}
