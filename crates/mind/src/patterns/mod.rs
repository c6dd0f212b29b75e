//! Many patterns asked of one text, each compiled only when the text holds what every match of it must hold.
//!
//! Compiling a table of patterns takes tens of milliseconds and reading a message with it some microseconds, yet most processes
//! read one message. So at first the words that each pattern needs are looked for, and only patterns whose words are there are
//! compiled, each alone. Once so much was read that compiling pays, the whole table becomes one set. Both ways give the same
//! answers. The words stand in a file beside each table; finding them takes as long as compiling, so `required` does it in a test.

#[cfg(test)]
mod required;
mod set;
#[cfg(test)]
pub(crate) mod tests;
mod words;

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use regex::{Captures, Match, Regex, RegexBuilder};

pub(crate) use set::Readers;
use set::Set;
use words::Held;

/// A pattern that stands alone and is in the program's own text.
#[expect(clippy::expect_used, reason = "every one is compiled by a test")]
pub(crate) fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern")
}

/// A pattern with the classes of letters and digits cut down to ASCII, where they make ten times as much of it.
pub(crate) fn ascii(pattern: &str) -> String {
    const CLASSES: [(&str, &str); 7] = [
        (r"\p{Lu}", "[A-Z]"),
        (r"\p{Ll}", "[a-z]"),
        (r"\p{L}", "[A-Za-z]"),
        (r"\p{N}", "[0-9]"),
        (r"\w", "[0-9A-Za-z_]"),
        (r"\d", "[0-9]"),
        (r"\b", r"(?-u:\b)"),
    ];
    CLASSES.iter().fold(pattern.to_owned(), |pattern, (class, ascii)| pattern.replace(class, ascii))
}

/// How many bytes are read before the whole table is compiled: some hundred messages.
const BYTES_BEFORE_THE_SET: usize = 128 << 10;

thread_local! {
    static COMPILING: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// How long this thread has compiled patterns so far, each once for a process.
pub(crate) fn time_compiling() -> Duration {
    COMPILING.get()
}

fn timed<T>(compile: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let compiled = compile();
    COMPILING.set(COMPILING.get() + begun.elapsed());
    compiled
}

/// Constant patterns that are asked together, compiled as they are needed.
pub(crate) struct Patterns {
    source: Box<dyn Fn(usize) -> String + Send + Sync>,
    /// Bytes that a compiled pattern, and the automaton built while matching, may take.
    size_limit: usize,
    /// Each pattern's line of words, and the pattern itself once it was needed.
    singles: Vec<(&'static str, OnceLock<Regex>)>,
    /// Each pattern for texts that are all ASCII; nothing where there is no such form.
    ascii: Vec<OnceLock<Regex>>,
    whole: OnceLock<Set>,
    /// How many bytes of text were read.
    read: AtomicUsize,
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Patterns").field("count", &self.singles.len()).finish_non_exhaustive()
    }
}

impl Patterns {
    /// So many patterns, none compiled; their words are the section of that name.
    pub(crate) fn new(
        count: usize,
        words: &'static str,
        section: &str,
        size_limit: usize,
        source: impl Fn(usize) -> String + Send + Sync + 'static,
    ) -> Self {
        // A pattern without a line of its own is asked always.
        let lines = words::section(words, section).chain(std::iter::repeat(""));
        Self {
            source: Box::new(source),
            size_limit,
            singles: lines.take(count).map(|line| (line, OnceLock::new())).collect(),
            ascii: Vec::new(),
            whole: OnceLock::new(),
            read: AtomicUsize::new(0),
        }
    }

    /// These patterns, with a form of each for texts that are all ASCII; their words are the section of that name.
    pub(crate) fn of(words: &'static str, section: &str, patterns: Vec<String>) -> Self {
        const SIZE: usize = 10 << 20;
        let ascii = patterns.iter().map(|_| OnceLock::new()).collect();
        let of = Self::new(patterns.len(), words, section, SIZE, move |index| patterns[index].clone());
        Self { ascii, ..of }
    }

    /// A pattern in the form that matches the same in this text, and compiles soonest.
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
    fn fitting(&self, index: usize, text: &str) -> &Regex {
        match self.ascii.get(index).filter(|_| text.is_ascii()) {
            None => self.single(index),
            Some(compiled) => compiled.get_or_init(|| {
                timed(|| RegexBuilder::new(&ascii(&(self.source)(index))).size_limit(self.size_limit).build())
                    .expect("a constant pattern")
            }),
        }
    }

    /// A pattern by itself.
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by a test")]
    pub(crate) fn single(&self, index: usize) -> &Regex {
        self.singles[index].1.get_or_init(|| {
            timed(|| RegexBuilder::new(&(self.source)(index)).size_limit(self.size_limit).build())
                .expect("a constant pattern")
        })
    }

    /// Where a pattern first matches.
    pub(crate) fn find<'t>(&self, index: usize, text: &'t str) -> Option<Match<'t>> {
        self.held(index, text)?.find(text)
    }

    /// What `take` makes of the first pattern that matches the text and that it makes anything of.
    pub(crate) fn find_map<'t, T>(
        &self,
        text: &'t str,
        mut take: impl FnMut(usize, Captures<'t>) -> Option<T>,
    ) -> Option<T> {
        let mut candidates = self.candidates(text);
        candidates.find_map(|(index, pattern)| take(index, pattern.captures(text)?))
    }

    /// The patterns that may match the text, in their order.
    pub(crate) fn candidates(&self, text: &str) -> impl Iterator<Item = (usize, &Regex)> {
        let held = Held::by(text);
        let may_match = move |index: &usize| held.all_of(self.singles[*index].0);
        (0..self.singles.len()).filter(may_match).map(|index| (index, self.fitting(index, text)))
    }

    /// A pattern by itself; nothing where it can't match the text.
    pub(crate) fn held(&self, index: usize, text: &str) -> Option<&Regex> {
        let (line, compiled) = &self.singles[index];
        let may_match = compiled.get().is_some() || self.is_much(text) || Held::by(text).all_of(line);
        may_match.then(|| self.fitting(index, text))
    }

    /// The patterns that match the text and are wanted, in their order.
    pub(crate) fn matches_of(&self, text: &str, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        if !self.is_much(text) {
            return self.matches_by_words(text, is_wanted);
        }
        let mut matched = self.whole().matches(text);
        matched.retain(|index| is_wanted(*index));
        matched
    }

    /// The patterns that match the text, in their order.
    pub(crate) fn matches(&self, text: &str) -> Vec<usize> {
        self.matches_of(text, |_| true)
    }

    fn matches_by_words(&self, text: &str, is_wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let held = Held::by(text);
        let may_match = |index: &usize| is_wanted(*index) && held.all_of(self.singles[*index].0);
        (0..self.singles.len()).filter(may_match).filter(|index| self.single(*index).is_match(text)).collect()
    }

    /// Whether so much was read, with this text, that compiling all patterns pays.
    fn is_much(&self, text: &str) -> bool {
        let before = self.read.load(Ordering::Relaxed);
        if before <= BYTES_BEFORE_THE_SET {
            self.read.store(before.saturating_add(text.len()), Ordering::Relaxed);
        }
        before + text.len() > BYTES_BEFORE_THE_SET
    }

    #[expect(clippy::expect_used, reason = "constant patterns, compiled by a test")]
    fn whole(&self) -> &Set {
        self.whole.get_or_init(|| {
            let sources = (0..self.singles.len()).map(&self.source);
            timed(|| Set::new(sources, self.size_limit)).expect("constant patterns")
        })
    }
}
