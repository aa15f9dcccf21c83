//! A hash table of numbers. Who uses it keeps what the numbers stand for, and tells equal ones.

/// Open addressing: a hash, and a number plus one, 0 if free. The length is a power of two, or
/// 0.
///
/// A hash stands near its share of the table, so that a table that grows is copied from front to
/// back instead of all over memory.
#[derive(Debug, Clone, Default)]
pub(super) struct HashTable {
    slots: Vec<(u32, u32)>,
}

/// Tables of so few numbers are given more room, since they stay in the nearest caches anyway.
const SMALL: usize = 2048;

impl HashTable {
    /// True if nothing was ever put in.
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Makes room for so many numbers in all: at most two of three slots are taken, and fewer where
    /// it costs little.
    pub(super) fn reserve(&mut self, numbers: usize) {
        if numbers * 3 <= self.slots.len() * 2
            && (numbers > SMALL || numbers * 4 <= self.slots.len())
        {
            return;
        }
        let room = if numbers <= SMALL { numbers * 4 } else { numbers * 3 / 2 + 1 };
        let size = room.next_power_of_two().max(self.slots.len()).max(16);
        let old = std::mem::replace(&mut self.slots, vec![(0, 0); size]);
        for (hash, number) in old.into_iter().filter(|(_, number)| *number != 0) {
            self.add(hash, number - 1);
        }
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    /// The number that has the hash, if it stands where it is looked for first.
    #[inline]
    pub(super) fn first(&self, hash: u32) -> Option<u32> {
        let (found, number) = self.slots[self.home(hash)];
        if found == hash { number.checked_sub(1) } else { None }
    }

    /// The number that has the hash and is the `right` one, or the slot where it would be put.
    #[inline(always)]
    pub(super) fn find(&self, hash: u32, right: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let mut at = self.home(hash);
        loop {
            match self.slots[at] {
                (_, 0) => return Err(at),
                (found, number) if found == hash && right(number - 1) => return Ok(number - 1),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Fills a free slot.
    pub(super) fn put(&mut self, slot: usize, hash: u32, number: u32) {
        self.slots[slot] = (hash, number + 1);
    }

    /// Adds a number that is not there.
    pub(super) fn add(&mut self, hash: u32, number: u32) {
        if let Err(slot) = self.find(hash, |_| false) {
            self.put(slot, hash, number);
        }
    }
}
