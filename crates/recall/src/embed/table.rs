//! The table of the built-in model, as `model/build.py` writes it: rows of eight-bit numbers, each with its token.
//!
//! Nothing is computed when it is read, and the rows stay where they are in the program. What the parts are is
//! described in `model/README.md`.

/// The file, compiled in.
static BYTES: &[u8] = include_bytes!("../../model/builtin.bin");

const MAGIC: &[u8] = b"REMV0002";
const HEADER: usize = 36;

/// The start of the hash of a token's bytes, and of a piece that continues a word.
pub(super) const START: u32 = 0x811c_9dc5;
pub(super) const CONTINUED: u32 = 0x9ae1_6a3b;

/// The hash after one more byte: FNV-1a.
#[inline]
pub(super) fn hash(before: u32, byte: u8) -> u32 {
    (before ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// Tokens and their vectors. The first `words` rows are whole English words of letters, the frequent ones first; then come
/// pieces and marks, and after the first `english` rows whole words of other languages.
pub(super) struct Table {
    pub(super) dimensions: usize,
    /// How many rows, from the first on, are whole English words.
    pub(super) words: usize,
    /// How many rows, from the first on, are English.
    pub(super) english: usize,
    /// The longest token in bytes.
    pub(super) longest: usize,
    /// What a row is multiplied by when it is added: its scale times the weight of its token.
    pub(super) factors: Vec<f32>,
    /// 127 by the length of the row.
    pub(super) inverse_norms: Vec<f32>,
    /// The rows, one after the other.
    pub(super) rows: &'static [i8],
    /// Where each token's name starts in `names`; a bit in `continued` says whether it goes on with a word.
    starts: Vec<u32>,
    continued: Vec<u8>,
    names: &'static str,
    /// An open hash table of row numbers, one too high; zero is a free slot.
    slots: Vec<u16>,
}

impl Table {
    /// The table that is compiled in.
    ///
    /// # Panics
    ///
    /// If the file is not as `build.py` writes it, which a test would have shown.
    pub(super) fn compiled_in() -> Self {
        assert!(BYTES.starts_with(MAGIC), "model/builtin.bin is a table of this version");
        let number = |place: usize| read_u32(&BYTES[8 + 4 * place..]) as usize;
        let (count, words, dimensions, slots, names) =
            (number(0), number(1), number(2), number(3), number(4));
        let mut rest = &BYTES[HEADER..];
        let mut part = |length: usize| {
            let (part, after) = rest.split_at(length);
            rest = after;
            part
        };
        let table = Self {
            dimensions,
            words,
            english: number(6),
            longest: number(5),
            factors: numbers(part(4 * count), |bytes| f32::from_le_bytes(*bytes)),
            inverse_norms: numbers(part(4 * count), |bytes| f32::from_le_bytes(*bytes)),
            starts: numbers(part(4 * count + 4), |bytes| u32::from_le_bytes(*bytes)),
            slots: numbers(part(2 * slots), |bytes| u16::from_le_bytes(*bytes)),
            continued: part(count).to_vec(),
            names: str::from_utf8(part(names)).unwrap_or_default(),
            rows: pulp::bytemuck::cast_slice(part(count * dimensions)),
        };
        assert!(rest.is_empty() && table.names.len() == names, "model/builtin.bin is whole");
        table
    }

    /// The token of a row, without the mark of a piece that continues a word.
    pub(super) fn name(&self, row: usize) -> &'static str {
        &self.names[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// The row of a token, by its bytes and their hash.
    #[inline]
    pub(super) fn find(&self, token: &[u8], continued: bool, hash: u32) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut slot = (hash ^ (hash >> 16)) as usize & mask;
        loop {
            let row = usize::from(self.slots[slot]).checked_sub(1)?;
            let (start, end) = (self.starts[row] as usize, self.starts[row + 1] as usize);
            if self.names.as_bytes()[start..end] == *token && (self.continued[row] == 1) == continued {
                return Some(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The numbers of a row.
    #[inline]
    pub(super) fn row(&self, row: usize) -> &[i8] {
        &self.rows[row * self.dimensions..][..self.dimensions]
    }
}

fn read_u32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn numbers<const N: usize, T>(bytes: &[u8], read: impl Fn(&[u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(read).collect()
}
