//! Documents that stand twice in a topic.

use super::table::{Earlier, Table};
use super::{Entry, Listing};

/// A document that its topic has twice: the indices of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) first: usize,
    pub(crate) second: usize,
}

/// Finds the documents that stand twice in a topic, and, on the way, those that are judged.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    table: Table,
}

impl Repeats {
    /// The first document that stands twice, as an error.
    pub(crate) fn check(&mut self, documents: Listing<'_>) -> Result<(), Repeated> {
        self.look_up(&[], |_, _| false, documents, |_, _| ())
    }

    /// Reports each judged document by its line and row.
    #[inline]
    pub(crate) fn look_up(
        &mut self,
        rows: &[Entry],
        same: impl Fn(&Entry, &[u8]) -> bool,
        documents: Listing<'_>,
        mut hit: impl FnMut(usize, u32),
    ) -> Result<(), Repeated> {
        self.table.fill(rows, documents.rows);
        for (second, others) in self.table.meetings() {
            let hash = documents.rows[second].hash;
            for other in others {
                match other {
                    Earlier::Judged(row)
                        if alike(&rows[row], hash) && same(&rows[row], documents.id(second)) =>
                    {
                        hit(second, row as u32);
                        break;
                    }
                    Earlier::Listed(first)
                        if alike(&documents.rows[first], hash)
                            && documents.id(first) == documents.id(second) =>
                    {
                        return Err(Repeated { first, second });
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Whether a document may be the one of this hash.
fn alike(document: &Entry, hash: u32) -> bool {
    document.hash ^ hash <= Entry::LABEL
}
