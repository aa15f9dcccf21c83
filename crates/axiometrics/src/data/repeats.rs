//! Documents that a topic has more than once.

use super::order::by_score;
use super::table::{Earlier, MeetingTable};
use super::{Entry, Listing};

/// A document that its topic has twice: the indices of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeated {
    pub(crate) first: usize,
    pub(crate) second: usize,
}

/// A topic with each document once.
pub(crate) struct Once {
    /// Of each document the row with the highest number, the first if there are several; in the
    /// order of the file.
    pub(crate) rows: Vec<Entry>,
    /// The indices of the rows whose document came before, in the order of the file.
    pub(crate) repeats: Vec<usize>,
}

impl Listing<'_> {
    /// What lenient reading makes of repeated documents, whatever the order of lines.
    pub(crate) fn once(&self) -> Once {
        let mut by_id: Vec<usize> = (0..self.rows.len()).collect();
        by_id.sort_by(|a, b| self.id(*a).cmp(self.id(*b)));
        let (mut kept, mut repeats) = (Vec::<usize>::new(), Vec::new());
        for same in by_id.chunk_by(|a, b| self.id(*a) == self.id(*b)) {
            kept.extend(
                same.iter().min_by(|a, b| by_score(self.rows[**a].value, self.rows[**b].value)),
            );
            repeats.extend(&same[1..]);
        }
        kept.sort_unstable();
        repeats.sort_unstable();
        Once { rows: kept.into_iter().map(|i| self.rows[i]).collect(), repeats }
    }
}

/// Finds the documents that a topic has twice, and, on the way, those that are judged.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    table: MeetingTable,
}

impl Repeats {
    /// The first row whose document came before, as an error.
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
