//! Ids as text, and text on which no terminal acts.

use std::borrow::Cow;
use std::fmt::Write;

/// An id as text, for tables and JSON. Different ids are different texts, whatever their bytes.
///
/// An id in UTF-8 is itself. In one that is not, a byte that is no part of a character is `\xNN`,
/// and a backslash is doubled; so it is in one that has `\x` in it, which could be taken for that.
///
/// ```
/// use axiometrics::data::id_text;
///
/// assert_eq!(id_text("café".as_bytes()), "café");
/// assert_eq!(id_text(b"caf\xe9"), r"caf\xe9");
/// assert_eq!(id_text(br"caf\xe9"), r"caf\\xe9");
/// ```
pub fn id_text(id: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(id) {
        Ok(text) if !text.contains(r"\x") => Cow::Borrowed(text),
        _ => Cow::Owned(escaped(id)),
    }
}

fn escaped(id: &[u8]) -> String {
    let mut text = String::with_capacity(id.len() + 8);
    for chunk in id.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', r"\\"));
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, r"\x{byte:02x}");
        }
    }
    text
}

/// True for a character that would not be shown, but move the cursor, end a line, or change the
/// order of the characters around it.
pub(crate) fn acts(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

/// True for a character that JSON need not escape, and that acts on a terminal.
fn acts_in_json(c: char) -> bool {
    c >= '\u{7f}' && acts(c)
}

/// JSON with every character escaped that acts. The text stays the same to who parses it.
pub(crate) fn safe_json(text: &str) -> Cow<'_, str> {
    if !text.contains(acts_in_json) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if acts_in_json(c) {
            // They all have one code unit.
            out += &format!("\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn different_ids_are_different_texts(
            a in proptest::collection::vec(prop_oneof![Just(b'\\'), Just(b'x'), Just(b'f'), Just(0xffu8), Just(0xc3), Just(0xa9)], 0..6),
            b in proptest::collection::vec(prop_oneof![Just(b'\\'), Just(b'x'), Just(b'f'), Just(0xffu8), Just(0xc3), Just(0xa9)], 0..6),
        ) {
            prop_assert_eq!(id_text(&a) == id_text(&b), a == b, "{:?} {:?}", a, b);
        }
    }
}
