//! In which passages a term stands, and how often: one blob for each term and segment.
//!
//! The number of passages, then for each the distance to the one before and the count, where a count of one takes no byte of
//! its own. Slots rise strictly. Pure: numbers in, bytes out, and back.

use crate::varint;

/// A blob that no version of this program wrote.
#[derive(Debug, thiserror::Error)]
#[error("malformed {0} in the index")]
pub(crate) struct Malformed(pub(crate) &'static str);

impl From<Malformed> for rusqlite::Error {
    fn from(malformed: Malformed) -> Self {
        Self::FromSqlConversionFailure(0, rusqlite::types::Type::Blob, Box::new(malformed))
    }
}

/// Packs `(slot, count)` pairs, slots rising and counts at least one.
pub(crate) fn encode(postings: &[(u32, u32)]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(postings.len() * 2 + 4);
    varint::put(&mut bytes, u32::try_from(postings.len()).unwrap_or(u32::MAX));
    let mut next = 0;
    for &(slot, count) in postings {
        // A distance is doubled; the low bit says that a count follows.
        let distance = (slot - next).min(u32::MAX >> 1);
        varint::put(&mut bytes, distance << 1 | u32::from(count > 1));
        if count > 1 {
            varint::put(&mut bytes, count);
        }
        next = slot + 1;
    }
    bytes
}

/// How many passages a blob names.
pub(crate) fn len(mut bytes: &[u8]) -> u32 {
    varint::take(&mut bytes).unwrap_or(0)
}

/// Calls `visit` with each slot and count.
///
/// # Errors
/// [`Malformed`] for bytes that [`encode`] did not write.
pub(crate) fn decode(mut bytes: &[u8], mut visit: impl FnMut(u32, u32)) -> Result<(), Malformed> {
    let broken = || Malformed("postings");
    let length = varint::take(&mut bytes).ok_or_else(broken)?;
    let mut next = 0_u32;
    for _ in 0..length {
        let head = varint::take(&mut bytes).ok_or_else(broken)?;
        let slot = next.checked_add(head >> 1).ok_or_else(broken)?;
        let count = if head & 1 == 1 { varint::take(&mut bytes).ok_or_else(broken)? } else { 1 };
        visit(slot, count);
        next = slot.checked_add(1).ok_or_else(broken)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn postings_come_back(slots in prop::collection::btree_map(0..1_000_000_u32, 1..500_u32, 0..60)) {
            let postings: Vec<(u32, u32)> = slots.into_iter().collect();
            let bytes = encode(&postings);
            let mut back = Vec::new();
            prop_assert!(decode(&bytes, |slot, count| back.push((slot, count))).is_ok());
            prop_assert_eq!(len(&bytes) as usize, postings.len());
            prop_assert_eq!(back, postings);
        }

        #[test]
        fn other_bytes_are_refused_or_read_but_never_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = decode(&bytes, |_, _| {});
        }
    }
}
