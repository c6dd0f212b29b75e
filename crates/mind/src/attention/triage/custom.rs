//! A person's own patterns, from `triage.custom_patterns`.
//!
//! They are matched against the message as it was written, case and signs included; what is not the sender's own talk does not
//! fire. Patterns come checked from the settings (`rem_format::config::CustomTrigger` has the limits). However many they are and
//! however they were written, time is bounded: the engine is linear, a long message is read at both ends, and what is read
//! gets shorter where the patterns are large.

use std::ops::Range;

use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use rem_format::config::{CustomTrigger, TriggerFamily, TriggerSide};

use super::{Family, Match, Side};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::wording::Talk;

/// The compiled patterns of a workspace. Make it once and share it.
#[derive(Debug, Clone, Default)]
pub struct CustomPatterns {
    set: RegexSet,
    patterns: Vec<Pattern>,
    /// How many bytes of each end of a message are read.
    reach: usize,
}

#[derive(Debug, Clone)]
struct Pattern {
    name: String,
    family: Family,
    side: TriggerSide,
    pattern: Regex,
}

/// Bytes that all patterns together may take when compiled, and how many bytes of each end of a message are then read. The
/// product is what bounds the time: about a second for patterns and a message made to be slow.
const REACHES: [(usize, usize); 3] =
    [(256 << 10, 16 << 10), (1 << 20, 4 << 10), (CustomTrigger::TOGETHER_BYTES, 512)];
/// Bytes that the automaton built while matching may take.
const AUTOMATON_BYTES: usize = 16 << 20;
/// How many matches of one pattern are looked at to find one in the sender's own talk.
const MOST_MATCHES: usize = 16;

impl CustomPatterns {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Compiles the triggers of the settings.
    ///
    /// # Errors
    /// [`MemoryError::Setting`] that names the entry at fault, or says that together they are too large.
    pub fn new(triggers: &[CustomTrigger]) -> Result<Self, MemoryError> {
        let setting = |reason: String| MemoryError::Setting { key: KEY.to_owned(), reason };
        let mut patterns = Vec::with_capacity(triggers.len());
        for (index, trigger) in triggers.iter().enumerate() {
            let pattern = RegexBuilder::new(&trigger.pattern)
                .size_limit(CustomTrigger::COMPILED_BYTES)
                .build()
                .map_err(|error| setting(format!("entry {} (`{}`): {error}", index + 1, trigger.name)))?;
            patterns.push(Pattern {
                name: trigger.name.clone(),
                family: family(trigger.family),
                side: trigger.side,
                pattern,
            });
        }
        for (bytes, reach) in REACHES {
            let set = RegexSetBuilder::new(triggers.iter().map(|trigger| &trigger.pattern))
                .size_limit(bytes)
                .dfa_size_limit(AUTOMATON_BYTES)
                .build();
            if let Ok(set) = set {
                return Ok(Self { set, patterns, reach });
            }
        }
        let (most, _) = REACHES[REACHES.len() - 1];
        Err(setting(format!(
            "the {} patterns together take more than {} MiB compiled: remove some, or use ASCII classes such as [a-z] and (?-u:\\w)",
            triggers.len(),
            most >> 20
        )))
    }

    /// What of a text is read: all of it, or both ends.
    fn windows(&self, text: &str) -> [Option<Range<usize>>; 2] {
        if text.len() <= 2 * self.reach {
            return [Some(0..text.len()), None];
        }
        let (head, tail) =
            (text.floor_char_boundary(self.reach), text.ceil_char_boundary(text.len() - self.reach));
        [Some(0..head), Some(tail..text.len())]
    }

    /// Every trigger of these patterns in a text.
    pub(super) fn read(&self, text: &str, talk: &Talk, side: Side, matches: &mut Vec<Match>) {
        if self.patterns.is_empty() {
            return;
        }
        for window in self.windows(text).into_iter().flatten() {
            let window_text = &text[window.clone()];
            if !self.set.is_match(window_text) {
                continue;
            }
            for index in self.set.matches(window_text) {
                let Pattern { name, family, side: looked_at, pattern } = &self.patterns[index];
                let is_for_side = match side {
                    Side::Input => *looked_at != TriggerSide::Output,
                    Side::Output => *looked_at != TriggerSide::Input,
                };
                if !is_for_side {
                    continue;
                }
                let spans = pattern.find_iter(window_text).take(MOST_MATCHES);
                let own = spans
                    .map(|found| window.start + found.start()..window.start + found.end())
                    .find(|span| !span.is_empty() && talk.is_own(span.start));
                if let Some(span) = own {
                    matches.push(Match {
                        family: *family,
                        pattern: name.clone(),
                        text: text[span.clone()].to_owned(),
                        about: rest_of_line(text, &span).to_owned(),
                        span,
                    });
                }
            }
        }
    }
}

/// The setting that holds the patterns.
const KEY: &str = "triage.custom_patterns";

fn family(family: TriggerFamily) -> Family {
    match family {
        TriggerFamily::Memory => Family::Memory,
        TriggerFamily::RecallFailure => Family::RecallFailure,
        TriggerFamily::SoftCorrection => Family::SoftCorrection,
        TriggerFamily::Forget => Family::Forget,
        TriggerFamily::Reflection => Family::Reflection,
        TriggerFamily::Question => Family::Question,
        TriggerFamily::Custom => Family::Custom,
    }
}

/// What follows a match on its line, without signs around it.
fn rest_of_line<'a>(text: &'a str, span: &Range<usize>) -> &'a str {
    let rest = &text[span.end..];
    let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
    let line = &line[..line.floor_char_boundary(LONGEST_ABOUT)];
    line.trim_matches(|sign: char| !sign.is_alphanumeric())
}

/// Bytes of a line that a custom match can refer to.
const LONGEST_ABOUT: usize = 500;

impl Memory {
    /// The custom patterns of this workspace; compiled at first use.
    pub(super) fn custom_patterns(&self) -> Result<&CustomPatterns, MemoryError> {
        if let Some(patterns) = self.custom_patterns.get() {
            return Ok(patterns);
        }
        let patterns = CustomPatterns::new(&self.config().triage.custom_patterns)?;
        Ok(self.custom_patterns.get_or_init(|| patterns))
    }
}
