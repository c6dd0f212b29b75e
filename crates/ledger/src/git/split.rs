//! Git's split index: a large shared part that stays, and a small part that changes (gitformat-index, "link").
//!
//! With it a change costs what it changes: the shared part, with the names of all files, is read and not written. Used for
//! large workspaces alone, because programs built on libgit2 do not read it. The bitmaps are EWAH, as git serialises them:
//! bit count, word count, 64-bit words, position of the last marker word, all big endian.

use std::collections::{BTreeMap, BTreeSet};

use super::index::{Entry, FIXED, IndexError, entries_of, seal, stripped, write_name};

/// From this many files on the index is split.
pub(super) const SPLIT_FROM: usize = 2_000;

/// An index in two parts.
pub(super) struct Split<'a> {
    shared_id: [u8; 20],
    /// The shared part, in order of names.
    base: Vec<Entry<'a>>,
    /// Entries that take the place of one of the shared part, by position: stat data, id and flags.
    replaced: BTreeMap<usize, [u8; FIXED]>,
    deleted: BTreeSet<usize>,
    /// Entries the shared part does not have, whole, by name.
    added: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl<'a> Split<'a> {
    /// A split over a shared part of which nothing differs.
    pub(super) fn over(shared: &'a [u8]) -> Result<Self, IndexError> {
        let mut shared_id = [0; 20];
        shared_id.copy_from_slice(&shared[shared.len() - 20..]);
        let (base, _) = entries_of(shared)?;
        Ok(Self {
            shared_id,
            base,
            replaced: BTreeMap::new(),
            deleted: BTreeSet::new(),
            added: BTreeMap::new(),
        })
    }

    /// Reads the changing part: its entries and the contents of its `link` extension behind the shared part's id.
    pub(super) fn read(shared: &'a [u8], entries: &[Entry<'_>], bitmaps: &[u8]) -> Result<Self, IndexError> {
        let mut split = Self::over(shared)?;
        if bitmaps.is_empty() && entries.is_empty() {
            return Ok(split);
        }
        let (deleted, rest) = read_bitmap(bitmaps)?;
        let (replaced, _) = read_bitmap(rest)?;
        let in_range = |at: &usize| *at < split.base.len();
        if !deleted.iter().chain(&replaced).all(in_range) || replaced.len() > entries.len() {
            return Err(IndexError::Foreign("split in a way that does not fit"));
        }
        split.deleted = deleted;
        let (replacements, additions) = entries.split_at(replaced.len());
        for (at, (_, bytes)) in replaced.into_iter().zip(replacements) {
            let mut fixed = [0; FIXED];
            fixed.copy_from_slice(&bytes[..FIXED]);
            split.replaced.insert(at, fixed);
        }
        split.added = additions.iter().map(|(name, bytes)| (name.to_vec(), bytes.to_vec())).collect();
        Ok(split)
    }

    /// Gives a name an entry, or none.
    pub(super) fn set(&mut self, name: &[u8], entry: Option<Vec<u8>>) {
        self.added.remove(name);
        match (self.base.binary_search_by(|(base, _)| (*base).cmp(name)), entry) {
            (Ok(at), Some(entry)) => {
                self.deleted.remove(&at);
                self.replaced.insert(at, stripped(&entry));
            }
            (Ok(at), None) => {
                self.replaced.remove(&at);
                self.deleted.insert(at);
            }
            (Err(_), Some(entry)) => {
                self.added.insert(name.to_vec(), entry);
            }
            (Err(_), None) => {}
        }
    }

    /// Whether so much differs that a new shared part is due.
    pub(super) fn is_worn(&self) -> bool {
        self.replaced.len() + self.deleted.len() + self.added.len() > (self.base.len() / 10).max(200)
    }

    /// Every entry with its name, in order. Of one that takes the place of another the name is beside the bytes, not in them.
    pub(super) fn entries(&self) -> Vec<Entry<'_>> {
        let mut added = self.added.iter().peekable();
        let mut all: Vec<Entry<'_>> = Vec::with_capacity(self.base.len() + self.added.len());
        for (at, (name, bytes)) in self.base.iter().enumerate() {
            while let Some((name, entry)) = added.next_if(|(added, _)| added.as_slice() < *name) {
                all.push((name, entry));
            }
            if !self.deleted.contains(&at) {
                all.push((name, self.replaced.get(&at).map_or(*bytes, |fixed| fixed.as_slice())));
            }
        }
        all.extend(added.map(|(name, entry)| (name.as_slice(), entry.as_slice())));
        all
    }

    /// The index as one part.
    pub(super) fn joined(&self) -> Result<Vec<u8>, IndexError> {
        let whole: Vec<Vec<u8>> = self
            .entries()
            .into_iter()
            .map(|(name, bytes)| {
                if bytes.len() > FIXED {
                    return bytes.to_vec();
                }
                let mut entry = bytes[..FIXED - 2].to_vec();
                write_name(&mut entry, name);
                entry
            })
            .collect();
        seal(whole.iter().map(Vec::as_slice), &[])
    }

    /// The changing part.
    pub(super) fn render(&self) -> Result<Vec<u8>, IndexError> {
        let mut link = self.shared_id.to_vec();
        link.extend(write_bitmap(self.deleted.iter().copied()));
        link.extend(write_bitmap(self.replaced.keys().copied()));
        let mut extension = b"link".to_vec();
        // A bitmap of a million entries is a few hundred kilobytes at most.
        extension.extend(u32::try_from(link.len()).unwrap_or(u32::MAX).to_be_bytes());
        extension.extend(link);
        let padded: Vec<Vec<u8>> =
            self.replaced.values().map(|fixed| [&fixed[..], &[0, 0]].concat()).collect();
        seal(padded.iter().chain(self.added.values()).map(Vec::as_slice), &extension)
    }
}

/// The set bits of a bitmap, and what follows it.
fn read_bitmap(bytes: &[u8]) -> Result<(BTreeSet<usize>, &[u8]), IndexError> {
    let short = || IndexError::Foreign("split with a bitmap cut short");
    let number = |at: usize| {
        bytes
            .get(at..at + 4)
            .map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]) as usize)
            .ok_or_else(short)
    };
    let words = number(4)?;
    let end = 8 + words.checked_mul(8).ok_or_else(short)?;
    let buffer = bytes.get(8..end).ok_or_else(short)?;
    let word = |at: usize| -> Result<u64, IndexError> {
        let eight = buffer.get(at * 8..at * 8 + 8).ok_or_else(short)?;
        Ok(u64::from_be_bytes(eight.try_into().map_err(|_| short())?))
    };
    let mut set = BTreeSet::new();
    let (mut at, mut bit) = (0, 0usize);
    while at < words {
        let marker = word(at)?;
        let run = usize::try_from(marker >> 1 & 0xffff_ffff).map_err(|_| short())?;
        let literals = usize::try_from(marker >> 33).map_err(|_| short())?;
        if marker & 1 == 1 {
            // Runs of ones are as long as the index has entries at most.
            if run > 1 << 20 {
                return Err(short());
            }
            set.extend(bit..bit + run * 64);
        }
        bit += run * 64;
        for literal in 0..literals {
            let bits = word(at + 1 + literal)?;
            set.extend((0..64).filter(|shift| bits >> shift & 1 == 1).map(|shift| bit + shift));
            bit += 64;
        }
        at += 1 + literals;
    }
    Ok((set, bytes.get(end + 4..).ok_or_else(short)?))
}

fn write_bitmap(bits: impl Iterator<Item = usize>) -> Vec<u8> {
    let mut literals: BTreeMap<usize, u64> = BTreeMap::new();
    let mut size = 0;
    for bit in bits {
        *literals.entry(bit / 64).or_insert(0) |= 1 << (bit % 64);
        size = bit + 1;
    }
    // One marker per word that is not empty: a run of empty words, then one literal. Sparse bitmaps need no more.
    let mut words: Vec<u64> = Vec::with_capacity(2 * literals.len());
    let mut next = 0;
    for (position, literal) in &literals {
        words.push(((position - next) as u64) << 1 | 1 << 33);
        words.push(*literal);
        next = position + 1;
    }
    let last_marker = words.len().saturating_sub(2);
    if words.is_empty() {
        words.push(0);
    }
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
    let mut bytes = [count(size), count(words.len())].concat();
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes.extend(count(last_marker));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bitmap_reads_back(bits in proptest::collection::btree_set(0usize..20_000, 0..200), rest in any::<[u8; 3]>()) {
            let mut bytes = write_bitmap(bits.iter().copied());
            bytes.extend(rest);
            let (read, left) = read_bitmap(&bytes).map_err(|_| TestCaseError::fail("unreadable"))?;
            prop_assert_eq!((read, left), (bits, &rest[..]));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = read_bitmap(&bytes);
        }
    }
}
