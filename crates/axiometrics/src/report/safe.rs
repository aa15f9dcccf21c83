//! Text that cannot act on whoever shows it.

use std::borrow::Cow;

/// True for a character that would not be shown, but move the cursor, end a line, or change the
/// order of the characters around it.
pub(super) fn acts(c: char) -> bool {
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

/// A text of unknown origin as a terminal can be given it: what would act is replaced by U+FFFD.
///
/// ```
/// assert_eq!(axiometrics::report::safe("a\u{1b}[2Jb\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}c");
/// ```
pub fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if acts(c) { '\u{fffd}' } else { c }).collect())
}
