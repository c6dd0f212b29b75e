//! Putting a piece of text together from its bytes: of all neighbours that are a token together those of the lowest rank become
//! one, the first of them first, until no two are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::rank;

/// Counts the tokens of pieces, with room that the next piece uses again.
#[derive(Debug, Default)]
pub(super) struct Merger {
    /// Where the part that begins here ends; 0 where none begins.
    ends: Vec<u32>,
    /// Where the part before the one that begins here begins.
    before: Vec<u32>,
    /// Two neighbours that are a token together: its rank, where the first begins and the second ends.
    pairs: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

impl Merger {
    /// How many tokens a piece is.
    pub(super) fn count(&mut self, piece: &[u8]) -> usize {
        // Most words are one token, and every token is put together to itself.
        if piece.len() < 2 || rank(piece).is_some() {
            return usize::from(!piece.is_empty());
        }
        // No piece is longer than a text in memory that was read as one.
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        self.pairs.clear();
        self.ends.clear();
        self.ends.extend(1..=length);
        self.before.clear();
        self.before.extend((0..length).map(|at| at.saturating_sub(1)));
        let mut count = piece.len();
        for start in 0..length - 1 {
            self.offer(piece, start, start + 2);
        }
        while let Some(Reverse((_, start, end))) = self.pairs.pop() {
            let middle = self.ends[start as usize];
            // What one of the two has become part of in the meantime is no pair any more.
            if middle == 0 || middle == length || self.ends[middle as usize] != end {
                continue;
            }
            count -= 1;
            self.ends[start as usize] = end;
            self.ends[middle as usize] = 0;
            if end < length {
                self.before[end as usize] = start;
                self.offer(piece, start, self.ends[end as usize]);
            }
            if start > 0 {
                self.offer(piece, self.before[start as usize], end);
            }
        }
        count
    }

    /// Takes note of two neighbours, where they are a token together.
    fn offer(&mut self, piece: &[u8], start: u32, end: u32) {
        if let Some(rank) = rank(&piece[start as usize..end as usize]) {
            self.pairs.push(Reverse((rank, start, end)));
        }
    }
}
