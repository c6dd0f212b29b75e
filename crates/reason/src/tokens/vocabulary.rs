//! The tokens of the encoding with their ranks, in a table that is read where it lies in the program.
//!
//! `model/cl100k.bin` holds, all numbers little-endian: a hash table of [`SLOTS`] numbers; where each token ends among the bytes of all,
//! in the order of ranks; those bytes. A number of the hash table is 0, or the rank and 1, with part of the hash above it. Nothing is
//! made of it at run time, and of its pages the kernel reads those that are touched. A test says whether it is what the crate
//! `bpe-openai` has, and writes it.

/// The table.
static TABLE: &[u8] = include_bytes!("../../model/cl100k.bin");

/// How many tokens there are.
const TOKENS: usize = 100_256;
/// How many bytes the longest has.
const LONGEST: usize = 128;
/// The places of the hash table; a token stands in the first that was free from its own on.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 18;
/// The bits of a place that hold the rank and 1; the others hold what is compared first.
const RANK_BITS: u32 = 17;
const RANK: u32 = (1 << RANK_BITS) - 1;
/// Where the ends, and the bytes, begin.
const ENDS: usize = 4 * SLOTS;
const BYTES: usize = ENDS + 4 * TOKENS;

/// The rank of these bytes, where they are a token.
pub(super) fn rank(bytes: &[u8]) -> Option<u32> {
    if bytes.len() > LONGEST {
        return None;
    }
    let (mut slot, mark) = place(bytes);
    loop {
        let found = number(4 * slot);
        let rank = (found & RANK).checked_sub(1)?;
        if found >> RANK_BITS == mark && token(rank) == Some(bytes) {
            return Some(rank);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// The bytes of the token of this rank.
fn token(rank: u32) -> Option<&'static [u8]> {
    let end = |rank: u32| number(ENDS + 4 * rank as usize) as usize;
    let start = if rank == 0 { 0 } else { end(rank - 1) };
    TABLE.get(BYTES + start..BYTES + end(rank))
}

fn number(at: usize) -> u32 {
    TABLE[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// The place of a token in the hash table, and what is kept of its hash: FNV-1a, of which the high bits are the mixed ones.
fn place(bytes: &[u8]) -> (usize, u32) {
    let mixed = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mixed);
    let slot = hash >> (64 - SLOT_BITS);
    let mark = hash >> (64 - SLOT_BITS - (32 - RANK_BITS)) & ((1 << (32 - RANK_BITS)) - 1);
    (slot as usize, mark as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table as it is made of the reference.
    fn table() -> Vec<u8> {
        let reference = &bpe_openai::cl100k_base().bpe;
        assert_eq!(reference.num_tokens(), TOKENS);
        let tokens = || (0..TOKENS as u32).map(|rank| reference.token_bytes(rank));
        let mut slots = vec![0_u32; SLOTS];
        for (rank, token) in (1..).zip(tokens()) {
            let (mut slot, mark) = place(token);
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = mark << RANK_BITS | rank;
        }
        let ends = tokens().scan(0, |end: &mut u32, token| {
            *end += token.len() as u32;
            Some(*end)
        });
        let numbers = slots.iter().copied().chain(ends).flat_map(u32::to_le_bytes);
        numbers.chain(tokens().flatten().copied()).collect()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "writes a file of the source, when asked to")]
    fn the_table_is_made_of_the_reference() {
        let wanted = table();
        if wanted != TABLE && std::env::var_os("REM_WRITE_VOCABULARY").is_some() {
            let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("model/cl100k.bin");
            std::fs::write(path, wanted).unwrap();
            return;
        }
        assert!(wanted == TABLE, "run REM_WRITE_VOCABULARY=1 cargo test -p rem-reason the_table");
    }

    #[test]
    fn every_token_has_its_rank_and_nothing_else_has_one() {
        for number in 0..TOKENS as u32 {
            let bytes = token(number).unwrap();
            assert!((1..=LONGEST).contains(&bytes.len()));
            assert_eq!(rank(bytes), Some(number));
        }
        assert_eq!([&b""[..], b"qzqzqz", &[b' '; LONGEST + 1]].map(rank), [None; 3]);
    }
}
