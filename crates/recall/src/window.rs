//! Long turns, seen through a window: what is said in one place counts, not what stands far apart.
//!
//! A long message holds many words of any question somewhere. So the match by words of a turn that is longer than a window is
//! that of its best window, as if each stood for itself (as in passage retrieval; Kaszkiel and Zobel, 1997). A turn is measured
//! as no longer than a window ([`measured`]), so that as a whole it never matches less than one of its windows: those that are
//! good enough as a whole are looked at here, and no better one is missed. Notes are divided by their sections and stay whole.
//! Pure.

use crate::rank;
use crate::segment::{Slot, Terms, Traits};

/// The words of a window.
const WINDOW: u16 = 80;
/// How far apart windows begin.
const STEP: usize = 40;

/// A term that finds a word of the question.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    pub(crate) term: u32,
    /// The place of the word in the question.
    pub(crate) word: usize,
    /// What finding it counts before saturation.
    pub(crate) worth: f32,
}

/// The length that is held against a passage.
pub(crate) fn measured(slot: &Slot) -> u16 {
    if slot.traits.has(Traits::TURN) { slot.length.min(WINDOW) } else { slot.length }
}

/// How much more a turn matches as a whole than in its best window; 0 for what is no longer than a window and what is no turn.
/// `worths` are in the order of terms, `words` is how many words they find, `norm` the passage's part of BM25.
pub(crate) fn excess(slot: &Slot, terms: &Terms, worths: &[Worth], words: usize, norm: f32) -> f32 {
    if measured(slot) == slot.length {
        return 0.0;
    }
    let found = occurrences(terms, worths);
    let matched = |from: usize, to: usize| -> f32 {
        let mut matches = vec![0.0_f32; words];
        for same in found.chunk_by(|one, other| one.0 == other.0) {
            let count = same.iter().filter(|(_, place)| (from..to).contains(place)).count();
            if count > 0 {
                let Worth { word, worth, .. } = worths[same[0].0];
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                matches[word] = matches[word].max(worth * rank::saturation(count, norm));
            }
        }
        matches.iter().sum()
    };
    let starts = (1..=usize::from(slot.length)).step_by(STEP);
    let best = starts.map(|from| matched(from, from + usize::from(WINDOW))).fold(0.0, f32::max);
    (matched(0, usize::MAX) - best).max(0.0)
}

/// Where each of the worths is found, as its place among them and the number of the word, from 1, in order.
fn occurrences(terms: &Terms, worths: &[Worth]) -> Vec<(usize, usize)> {
    let (mut found, mut place) = (Vec::new(), 0);
    for (term, begins_word) in terms.iter() {
        place += usize::from(begins_word);
        let first = worths.partition_point(|worth| worth.term < term);
        let same = worths[first..].iter().take_while(|worth| worth.term == term).count();
        found.extend((first..first + same).map(|at| (at, place)));
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Terms of `length` words, of which those at the given places are the question's and the rest are nobody's.
    fn turn(length: u16, asked: &[(usize, u32)]) -> (Slot, Terms) {
        let mut terms = Terms::default();
        for place in 1..=usize::from(length) {
            let of_question = asked.iter().find(|(at, _)| *at == place);
            terms.push(of_question.map_or(900, |(_, term)| *term), true);
        }
        (Slot { length, traits: Traits::TURN, ..Slot::default() }, terms)
    }

    const WORTHS: [Worth; 3] = [
        Worth { term: 1, word: 0, worth: 2.0 },
        Worth { term: 2, word: 1, worth: 3.0 },
        Worth { term: 5, word: 1, worth: 1.0 },
    ];

    #[test]
    fn words_far_apart_do_not_count_together_and_words_in_one_place_do() {
        let excess = |(slot, terms): (Slot, Terms)| excess(&slot, &terms, &WORTHS, 2, 0.9);
        assert!(excess(turn(300, &[(130, 1), (150, 2)])).abs() < 1e-6);
        // The better of two words that are in no window together stays; saturation of one occurrence is 1.
        assert!((excess(turn(300, &[(10, 1), (290, 2)])) - 2.0).abs() < 1e-6);
        // A word of like meaning elsewhere adds nothing to the word itself.
        assert!(excess(turn(300, &[(10, 1), (20, 2), (290, 5)])).abs() < 1e-6);
        assert!(excess(turn(80, &[(1, 1), (80, 2)])).abs() < f32::EPSILON);
        let (note, terms) = turn(300, &[(10, 1), (290, 2)]);
        let note = Slot { traits: Traits::default(), ..note };
        assert!(super::excess(&note, &terms, &WORTHS, 2, 0.9).abs() < f32::EPSILON);
        assert_eq!((measured(&note), measured(&turn(300, &[]).0)), (300, 80));
    }
}
