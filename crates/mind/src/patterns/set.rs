//! The patterns of a whole table as one automaton.

use std::sync::{Mutex, PoisonError};

use regex_automata::meta::{BuildError, Cache, Config, Regex};
use regex_automata::{Input, MatchKind, PatternSet};

/// A set of patterns that keeps no more states of its automaton than there are texts read at once.
///
/// As `regex::RegexSet`, but that one keeps up to nine, one for each thread it has seen and for those before, and ours grow to many
/// megabytes each.
pub(super) struct Set {
    patterns: Regex,
    /// What nobody reads with at the moment; the one that was used last is given out first.
    idle: Mutex<Vec<Cache>>,
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
        let mut cache = self.idle().pop().unwrap_or_else(|| self.patterns.create_cache());
        let mut found = PatternSet::new(self.patterns.pattern_len());
        // Most texts match nothing, which is told sooner.
        if self.patterns.is_match_with(&mut cache, &Input::new(text)) {
            self.patterns.which_overlapping_matches_with(&mut cache, &Input::new(text), &mut found);
        }
        self.idle().push(cache);
        found.iter().map(|pattern| pattern.as_usize()).collect()
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Cache>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
