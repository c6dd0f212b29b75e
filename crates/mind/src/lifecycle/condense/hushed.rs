//! What the journal does not tell of a conversation, because it was forgotten.
//!
//! What was taken out of the conversation is known by its words and its place; its sentences are looked for in all that the day would tell.

use jiff::civil::Date;
use rem_format::path::MemoryPath;

use crate::lifecycle::extract::{Extraction, ExtractionKind};
use crate::lifecycle::forgotten::Forgotten;
use crate::lifecycle::mine::{kept_words, placed};
use crate::lifecycle::reading::Read;
use crate::lifecycle::unsaid::{Unsaid, sentences, without};

/// What was forgotten of a conversation.
pub(super) struct Hushed<'f> {
    path: &'f MemoryPath,
    said: Date,
    forgotten: &'f Forgotten,
    unsaid: Unsaid,
}

impl<'f> Hushed<'f> {
    pub(super) fn of(
        path: &'f MemoryPath,
        read: &Read,
        said: Date,
        forgotten: &'f Forgotten,
        redacted: impl Fn(&str) -> String,
    ) -> Self {
        let mut hushed = Self { path, said, forgotten, unsaid: Unsaid::default() };
        for each in read.extractions.iter().filter(|each| each.kind != ExtractionKind::Journal) {
            let kept = kept_words(each, &redacted);
            let is_at =
                |place: &str| forgotten.holds_source(place, said) || forgotten.holds_at(place, &kept, said);
            let is_gone = forgotten.holds(&kept, said) || hushed.places(each).any(|place| is_at(&place));
            if is_gone {
                hushed.unsaid.add(&each.text);
            }
        }
        hushed
    }

    fn places<'e>(&'e self, each: &'e Extraction) -> impl Iterator<Item = String> + 'e {
        std::iter::once(&each.source).chain(&each.further).map(|source| placed(self.path, source))
    }

    /// What may be told of an entry; nothing where all of it, or its place, was forgotten.
    pub(super) fn left_of(&self, each: &Extraction) -> Option<Extraction> {
        if self.places(each).any(|place| self.forgotten.holds_source(&place, self.said)) {
            return None;
        }
        let text = without(&each.text, |sentence| self.is_forgotten(sentence))?;
        Some(Extraction { text, ..each.clone() })
    }

    fn is_forgotten(&self, sentence: &str) -> bool {
        self.forgotten.holds(sentence, self.said)
            || self.forgotten.holds_person_in(sentence, self.said)
            || self.unsaid.is_told_by(sentence)
    }

    /// Whether a heading would tell of it.
    pub(super) fn heads(&self, heading: &str) -> bool {
        self.unsaid.is_headed_by(heading)
            || sentences(heading).into_iter().any(|part| self.is_forgotten(part.trim()))
    }
}
