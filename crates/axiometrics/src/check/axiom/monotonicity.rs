//! What axioms 12 and 13 share: what must follow on the whole from what was found on its parts.

use std::cmp::Ordering;

use super::case::failure;

/// Which part of the axiom speaks of this, and what must follow on the union; nothing where the
/// parts disagree.
pub(super) fn consequence(on_d: Ordering, on_e: Ordering) -> Option<(usize, Ordering)> {
    match (on_d, on_e) {
        (Ordering::Greater, Ordering::Greater) => Some((0, Ordering::Greater)),
        (Ordering::Equal, Ordering::Equal) => Some((1, Ordering::Equal)),
        (Ordering::Greater, Ordering::Equal) | (Ordering::Equal, Ordering::Greater) => {
            Some((2, Ordering::Greater))
        }
        _ => None,
    }
}

/// How the union fails what must follow.
pub(super) fn failing(wanted: Ordering, found: Ordering) -> &'static str {
    if wanted == Ordering::Equal { "no longer equal" } else { failure(found) }
}
