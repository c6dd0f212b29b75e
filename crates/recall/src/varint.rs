//! Whole numbers in as few bytes as they need (LEB128), for what the index packs into blobs.

/// Appends `value`, seven bits a byte, the low ones first.
pub(crate) fn put(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Takes one number off the front of `bytes`; nothing when there is none or it is no number of ours.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    let mut value = u32::from(first & 0x7F);
    for shift in [7, 14, 21, 28] {
        let (&next, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(next & 0x7F) << shift;
        if next < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_and_leave_the_rest(values in prop::collection::vec(any::<u32>(), 0..40)) {
            let mut bytes = Vec::new();
            values.iter().for_each(|value| put(&mut bytes, *value));
            let mut rest = bytes.as_slice();
            let back: Vec<u32> = std::iter::from_fn(|| take(&mut rest)).collect();
            prop_assert_eq!(back, values);
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut rest = bytes.as_slice();
            while take(&mut rest).is_some() {}
        }
    }
}
