//! Text that cannot act on whoever shows it.

use std::borrow::Cow;

pub(super) use crate::data::text::acts;

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
