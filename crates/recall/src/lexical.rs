//! The match by words: BM25 in which a word of like meaning counts as part of the word, and a turn's match reaches its neighbours.
//!
//! Each word of the question is matched by the best of the terms that find it: its own forms, or words near it in meaning. In a
//! conversation a match reaches the turns around it, word by word, since what is asked in one turn is answered in the next: the
//! answer needs to hold only what the question before it does not. Exact for every passage; nothing is pruned.

use rusqlite::Connection;
use rustc_hash::FxHashSet;

use crate::embed::builtin::Builtin;
use crate::kin;
use crate::postings;
use crate::question::Question;
use crate::rank;
use crate::segment::Traits;
use crate::stop_words::is_generic;
use crate::view::View;
use crate::window::Worth;

/// A term that finds a word, and what finding it counts.
struct Finding {
    term: u32,
    weight: f32,
    /// A form of the word itself, not a word of like meaning.
    is_own: bool,
}

/// The terms that find a word of the question, and what the word counts.
struct Group {
    findings: Vec<Finding>,
    weight: f32,
}

/// Where a term stands, and what finding it is worth.
struct Read {
    rarity: f32,
    /// The slot each segment begins at, and the packed postings of the term there.
    packed: Vec<(u32, Vec<u8>)>,
    fresh: Vec<(u32, u32)>,
    frequency: usize,
}

/// The match by words of every passage.
pub(crate) struct Matches {
    /// With what reached each turn from its neighbours.
    pub(crate) spread: Vec<f32>,
    /// What the question's words are worth together: the sum of their inverse frequencies.
    pub(crate) worth: f32,
    /// The part of it that is of words which no passage holds and the built-in model knows.
    meant: f32,
    /// Whether the built-in model knows any of the question's words; figures mean nothing by themselves.
    pub(crate) is_meant: bool,
    /// The terms that find its words, in the order of terms.
    pub(crate) worths: Vec<Worth>,
}

impl Matches {
    /// No word matches anywhere.
    pub(crate) fn none(size: usize) -> Self {
        Self { spread: vec![0.0; size], worth: 1.0, meant: 0.0, is_meant: true, worths: Vec::new() }
    }

    /// Whether most of the question's words stand nowhere but have a meaning, as those of another language do.
    pub(crate) fn is_foreign(&self) -> bool {
        self.meant > self.worth / 2.0
    }

    /// A passage's match as a share of what the question's words are worth.
    pub(crate) fn share(&self, at: usize) -> f32 {
        self.spread[at] / self.worth.max(f32::EPSILON)
    }
}

/// The words of a question with all that the index holds of them: read once, so that several threads can score with it.
pub(crate) struct Words {
    /// For each word of the question the terms that find it.
    groups: Vec<Vec<Read>>,
    in_context: bool,
    /// What is known before any passage was scored.
    found: Matches,
}

/// The passages that a part of the words was matched with, in the view's order.
type Spread = Vec<f32>;

impl Words {
    /// No words: nothing matches.
    pub(crate) fn none() -> Self {
        Self { groups: Vec::new(), in_context: false, found: Matches::none(0) }
    }

    /// Reads where the question's words stand. `in_context` lets words of like meaning and neighbouring turns count.
    pub(crate) fn read(
        connection: &Connection,
        view: &View,
        question: &Question,
        in_context: bool,
    ) -> rusqlite::Result<Self> {
        let groups = findings(connection, view, question, in_context)?;
        let terms: FxHashSet<u32> =
            groups.iter().flat_map(|group| &group.findings).map(|finding| finding.term).collect();
        let fresh = view.fresh_postings(&terms);
        let means =
            |word: &str| Builtin::get().knows(word) && !word.bytes().all(|each| each.is_ascii_digit());
        let is_meant = question.words.iter().any(|word| means(&word.folded));
        let mut found = Matches { worth: 0.0, is_meant, ..Matches::none(0) };
        let mut read = Vec::with_capacity(groups.len());
        for (place, (group, asked)) in groups.iter().zip(&question.words).enumerate() {
            // A word that no passage holds is worth the most: what has all the others still misses it.
            let mut common = 0;
            let mut terms = Vec::with_capacity(group.findings.len());
            for finding in &group.findings {
                let packed = view.postings(connection, finding.term)?;
                let fresh = fresh.get(&finding.term).cloned().unwrap_or_default();
                let sealed = packed.iter().map(|(_, data)| postings::len(data) as usize).sum::<usize>();
                let frequency =
                    (sealed + fresh.len()).saturating_sub(view.dead_with(connection, finding.term)?);
                if finding.is_own {
                    common = frequency.max(common);
                }
                // A word of like meaning is no better a find than the word itself, however rare, where that stands anywhere.
                let mut rarity = rank::inverse_frequency(frequency, view.count) * finding.weight;
                if !finding.is_own && common > 0 {
                    rarity = rarity.min(rank::inverse_frequency(common, view.count) * group.weight);
                }
                found.worths.push(Worth { term: finding.term, word: place, worth: rarity });
                terms.push(Read { rarity, packed, fresh, frequency });
            }
            let worth = group.weight * rank::inverse_frequency(common, view.count);
            found.worth += worth;
            if common == 0 && means(&asked.folded) {
                found.meant += worth;
            }
            read.push(terms);
        }
        found.worths.sort_unstable_by_key(|worth| (worth.term, worth.word));
        Ok(Self { groups: read, in_context, found })
    }

    /// Divides the words among two threads, the second of which has work already that is worth so many postings. The same
    /// index divides them in the same way, so that sums are the same to the last bit.
    pub(crate) fn halves(&self, second_has: usize) -> (Vec<usize>, Vec<usize>) {
        let cost = |word: &usize| self.groups[*word].iter().map(|read| read.frequency).sum::<usize>();
        let mut words: Vec<usize> = (0..self.groups.len()).collect();
        words.sort_by_key(|word| std::cmp::Reverse(cost(word)));
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let mut loads = (0, second_has);
        for word in words {
            if loads.0 <= loads.1 {
                loads.0 += cost(&word);
                first.push(word);
            } else {
                loads.1 += cost(&word);
                second.push(word);
            }
        }
        first.sort_unstable();
        second.sort_unstable();
        (first, second)
    }

    /// All words, for one thread.
    pub(crate) fn all(&self) -> Vec<usize> {
        (0..self.groups.len()).collect()
    }

    /// Matches some of the words with every passage that is for those who ask (`seen`; all of them where it is not given).
    pub(crate) fn scores(
        &self,
        view: &View,
        words: &[usize],
        seen: Option<&[bool]>,
    ) -> rusqlite::Result<Spread> {
        let size = view.slots.len();
        let mut spread = vec![0.0; size];
        if words.is_empty() {
            return Ok(spread);
        }
        // Each passage for itself is plain BM25, in which a long turn is long.
        let mut plain = Vec::new();
        if !self.in_context {
            rank::norms(&view.slots, &view.alive, |slot| slot.length, &mut plain);
        }
        let norms = if self.in_context { &view.norms } else { &plain };
        let (mut word, mut around) = (Sparse::new(size), Sparse::new(size));
        let has_turns = self.in_context && view.conversations.iter().next().is_some();
        let arrive = |at: usize, own: f32, spread: &mut [f32], around: &mut Sparse| {
            if has_turns && view.traits[at].has(Traits::TURN) {
                around.raise(at, own);
                reach(view, at, |near, share| around.raise(near, own * share));
            } else {
                spread[at] += own;
            }
        };
        for terms in words.iter().map(|word| &self.groups[*word]) {
            for Read { rarity, packed, fresh, .. } in terms {
                let match_of = |at: usize, count| rarity * rank::saturation(count, norms[at]);
                let is_seen = |at: usize| seen.is_none_or(|seen| seen[at]);
                match terms.len() {
                    // What one term alone finds has no better match to wait for.
                    1 => view.visit(packed, fresh, |at, count| {
                        if is_seen(at) {
                            arrive(at, match_of(at, count), &mut spread, &mut around);
                        }
                    })?,
                    _ => view.visit(packed, fresh, |at, count| {
                        if is_seen(at) {
                            word.raise(at, match_of(at, count));
                        }
                    })?,
                }
            }
            word.drain(|at, own| arrive(at, own, &mut spread, &mut around));
            around.drain(|at, best| spread[at] += best);
        }
        Ok(spread)
    }

    /// The matches, where every word was scored in one of the two parts.
    pub(crate) fn matches(self, mut spread: Spread, other: Option<Spread>) -> Matches {
        for (sum, other) in spread.iter_mut().zip(other.iter().flatten()) {
            *sum += other;
        }
        Matches { spread, ..self.found }
    }
}

/// Calls `give` with each turn that a match of the turn `at` reaches, and the share of it that arrives.
fn reach(view: &View, at: usize, mut give: impl FnMut(usize, f32)) {
    let slots = &view.slots;
    let mut near = at;
    for (share, is_answer) in rank::REACH_FORWARD.into_iter().zip([rank::REACH_ASKED, rank::REACH_ASKED_BACK])
    {
        let Some(after) = view.turn_after(near) else { break };
        let asked = if slots[near].traits.has(Traits::QUESTION) { is_answer } else { 0.0 };
        near = after;
        give(near, (share + asked) * rank::openness(slots[near].length));
    }
    near = at;
    for share in rank::REACH_BACK {
        let Some(before) = view.turn_before(near) else { break };
        near = before;
        give(near, share * rank::openness(slots[near].length));
    }
}

/// The terms that find each word of the question.
fn findings(
    connection: &Connection,
    view: &View,
    question: &Question,
    in_context: bool,
) -> rusqlite::Result<Vec<Group>> {
    let mut groups = Vec::with_capacity(question.words.len());
    for (index, word) in question.words.iter().enumerate() {
        let mut findings: Vec<Finding> = Vec::new();
        let weight = if in_context && is_generic(&word.folded) { rank::GENERIC_WORD } else { 1.0 };
        let mut add = |token: &str, weight: f32, is_own: bool| -> rusqlite::Result<()> {
            if let Some(term) = view.term(connection, token)?
                && !findings.iter().any(|finding| finding.term == term)
            {
                findings.push(Finding { term, weight, is_own });
            }
            Ok(())
        };
        for token in &word.tokens {
            add(token, weight, true)?;
        }
        // Names have no words of like meaning.
        let is_name = index > 0 && word.written.starts_with(char::is_uppercase);
        if in_context && !is_name {
            for (token, nearness) in kin::of(&word.folded).iter() {
                add(token, weight * rank::RELATED_WEIGHT * nearness, false)?;
            }
        }
        groups.push(Group { findings, weight });
    }
    Ok(groups)
}

/// An array of scores of which few are set: those that are can be listed and cleared without looking at the rest.
struct Sparse {
    values: Vec<f32>,
    touched: Vec<u32>,
}

impl Sparse {
    fn new(size: usize) -> Self {
        Self { values: vec![0.0; size], touched: Vec::new() }
    }

    #[inline]
    fn raise(&mut self, at: usize, value: f32) {
        let before = &mut self.values[at];
        if *before == 0.0 {
            self.touched.push(u32::try_from(at).unwrap_or(u32::MAX));
        }
        *before = before.max(value);
    }

    /// Hands on every value that is set, and clears it.
    fn drain(&mut self, mut give: impl FnMut(usize, f32)) {
        for at in self.touched.drain(..) {
            let at = at as usize;
            give(at, std::mem::take(&mut self.values[at]));
        }
    }
}
