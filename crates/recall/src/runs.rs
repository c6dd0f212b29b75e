//! Where the turns of each conversation are among the slots of a view.
//!
//! A conversation that was indexed at once lies in one piece. One that grew while other files changed lies in several *runs*, and
//! where a turn was replaced a dead one may stand between: a neighbour is then found over the joint.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::segment::{Slot, Traits};

/// The conversations of a view.
#[derive(Debug, Default)]
pub(crate) struct Conversations {
    /// Runs of living passages; those of a conversation stand together, in its order.
    runs: Vec<Range<usize>>,
    /// The runs of each conversation.
    each: Vec<Range<usize>>,
    /// The slot that goes on where a run ends, and back.
    after: FxHashMap<usize, usize>,
    before: FxHashMap<usize, usize>,
}

impl Conversations {
    pub(crate) fn among(slots: &[Slot], alive: &[bool]) -> Self {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (at, slot) in slots.iter().enumerate().filter(|(at, _)| alive[*at]) {
            match runs.last_mut() {
                Some(run) if run.end == at && slots[run.start].file == slot.file => run.end = at + 1,
                _ => runs.push(at..at + 1),
            }
        }
        // Files are numbered as they come, so this is nearly done before it begins.
        runs.sort_by_key(|run| slots[run.start].file);
        let mut conversations = Self::default();
        for file in runs.chunk_by(|one, other| slots[one.start].file == slots[other.start].file) {
            let is_turn = |run: &Range<usize>| slots[run.end - 1].traits.has(Traits::TURN);
            if file.last().is_some_and(is_turn) {
                let start = conversations.runs.len();
                conversations.runs.extend_from_slice(file);
                conversations.each.push(start..conversations.runs.len());
                for joint in file.windows(2) {
                    conversations.after.insert(joint[0].end - 1, joint[1].start);
                    conversations.before.insert(joint[1].start, joint[0].end - 1);
                }
            }
        }
        conversations
    }

    /// The runs of each conversation.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[Range<usize>]> {
        self.each.iter().map(|runs| &self.runs[runs.clone()])
    }

    /// The runs of the conversation that this file is; nothing where it is none.
    pub(crate) fn of(&self, slots: &[Slot], file: u32) -> Option<&[Range<usize>]> {
        let of_file = |runs: &Range<usize>| slots[self.runs[runs.start].start].file;
        let at = self.each.binary_search_by_key(&file, of_file).ok()?;
        Some(&self.runs[self.each[at].clone()])
    }

    /// The place where a conversation may go on after the one at `at`.
    pub(crate) fn after(&self, at: usize) -> usize {
        self.after.get(&at).copied().unwrap_or(at + 1)
    }

    /// The place that a conversation may come from before the one at `at`.
    pub(crate) fn before(&self, at: usize) -> Option<usize> {
        self.before.get(&at).copied().or(at.checked_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_goes_on_over_dead_turns_and_other_files() {
        let turn = |file| Slot { file, traits: Traits::TURN, ..Slot::default() };
        let title = Slot { file: 1, ..Slot::default() };
        let note = Slot { file: 3, ..Slot::default() };
        //           0      1        2 dead   3     4        5        6 dead
        let slots = [title, turn(1), turn(1), note, turn(2), turn(1), turn(1)];
        let alive = [true, true, false, true, true, true, false];
        let found = Conversations::among(&slots, &alive);
        assert_eq!(found.iter().flatten().cloned().collect::<Vec<_>>(), [0..2, 5..6, 4..5]);
        assert_eq!(found.iter().map(<[_]>::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(found.of(&slots, 1), Some(&[0..2, 5..6][..]));
        assert_eq!(found.of(&slots, 2).map(|runs| runs[0].clone()), Some(4..5));
        assert_eq!(found.of(&slots, 3), None);
        assert_eq!((found.after(1), found.before(5)), (5, Some(1)));
        assert_eq!((found.after(0), found.before(0), found.before(1)), (1, None, Some(0)));
    }
}
