//! The patterns of a whole table as one automaton.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use regex_automata::meta::{BuildError, Cache, Config, Regex};
use regex_automata::{Input, MatchKind, PatternSet};

/// So many bytes of states all sets keep together for each of [`READERS`]. Past it one that has [`MUCH`] gives it up when it was read with. Finding
/// states anew takes longer than all else that is done with a text, so it must be seldom: what is given up is large, and small ones stay.
const MOST_KEPT: usize = if cfg!(test) { 1 << 20 } else { 128 << 20 };
const MUCH: usize = MOST_KEPT / 8;

/// How many threads read many texts at once; whoever reads one or two is not counted.
static READERS: AtomicUsize = AtomicUsize::new(0);

/// So many threads are about to read many texts, until this is dropped: each keeps states of its own.
pub(crate) struct Readers(usize);

impl Readers {
    pub(crate) fn begin(count: usize) -> Self {
        READERS.fetch_add(count, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        READERS.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// The bytes of states that are kept, as they were when each set was last read with.
static KEPT: AtomicUsize = AtomicUsize::new(0);

/// A set of patterns that keeps no more states of its automaton than there are texts read at once.
///
/// As `regex::RegexSet`, but that one keeps up to nine, one for each thread it has seen and for those before, and ours grow to many
/// megabytes each.
pub(super) struct Set {
    patterns: Regex,
    /// What nobody reads with at the moment; the one that was used last is given out first.
    idle: Mutex<Vec<States>>,
}

/// The states of an automaton that were needed so far.
struct States {
    cache: Cache,
    /// How many bytes of [`KEPT`] they are.
    bytes: usize,
}

impl States {
    fn of(patterns: &Regex) -> Self {
        Self { cache: patterns.create_cache(), bytes: 0 }
    }

    /// Counts them as they are now; whether they are to be given up.
    fn are_too_many(&mut self) -> bool {
        let bytes = self.cache.memory_usage();
        KEPT.fetch_add(bytes, Ordering::Relaxed);
        let kept = KEPT.fetch_sub(self.bytes, Ordering::Relaxed).saturating_sub(self.bytes);
        self.bytes = bytes;
        kept > MOST_KEPT * READERS.load(Ordering::Relaxed).max(1) && bytes > MUCH
    }
}

impl Drop for States {
    fn drop(&mut self) {
        KEPT.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Set {
    /// `size_limit` bounds the compiled patterns and each automaton built while matching, in bytes.
    pub(super) fn new(
        sources: impl Iterator<Item = String>,
        size_limit: usize,
    ) -> Result<Self, Box<BuildError>> {
        let config = Config::new()
            .match_kind(MatchKind::All)
            .nfa_size_limit(Some(size_limit))
            .hybrid_cache_capacity(size_limit);
        let patterns = Regex::builder().configure(config).build_many(&sources.collect::<Vec<_>>())?;
        Ok(Self { patterns, idle: Mutex::new(Vec::new()) })
    }

    /// Which patterns match, in their order.
    pub(super) fn matches(&self, text: &str) -> Vec<usize> {
        let idle = self.idle().pop();
        let mut states = idle.unwrap_or_else(|| States::of(&self.patterns));
        let cache = &mut states.cache;
        let mut found = PatternSet::new(self.patterns.pattern_len());
        // Most texts match nothing, which is told sooner.
        if self.patterns.is_match_with(cache, &Input::new(text)) {
            self.patterns.which_overlapping_matches_with(cache, &Input::new(text), &mut found);
        }
        if !states.are_too_many() {
            self.idle().push(states);
        }
        found.iter().map(|pattern| pattern.as_usize()).collect()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<States>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_whose_states_grow_beyond_all_bounds_gives_them_up_and_goes_on() {
        let sources = ["a[ab]{14}c", "b[ab]{14}d", "x"];
        let set = Set::new(sources.iter().map(ToString::to_string), 64 << 20).unwrap();
        let alone = sources.map(|source| regex::Regex::new(source).unwrap());
        let mut given_up = 0;
        let mut seed = 1_u32;
        for _ in 0..400 {
            let text: String = (0..400)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    match (seed >> 24) % 32 {
                        0 => 'c',
                        1 => 'd',
                        sign if sign % 2 == 0 => 'a',
                        _ => 'b',
                    }
                })
                .collect();
            let expected: Vec<usize> = (0..3).filter(|index| alone[*index].is_match(&text)).collect();
            assert_eq!(set.matches(&text), expected, "{text}");
            let kept: usize = set.idle().iter().map(|states| states.bytes).sum();
            assert!(kept <= MOST_KEPT, "{kept}");
            given_up += usize::from(kept == 0);
        }
        assert!(given_up > 0);
    }
}
