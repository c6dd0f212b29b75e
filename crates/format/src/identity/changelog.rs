//! CHANGELOG.md of an identity, in the form of seed P5.2: an entry below a heading for each time that SOUL.md changed or a change was
//! rejected.
//!
//! ```text
//! ## 2026-02-22 — Soul Keeper
//! - Added principle: "Always confirm timezone before scheduling"
//!   Evidence: Correction 2026-02-18 (CORRECTIONS.md #14), repeated 2026-02-21 (conversation)
//!   Occurrences: 2 (meets threshold of 2)
//!   Cool-down: 96h elapsed (meets 24h threshold)
//!   Snapshot: SOUL_HISTORY/2026-02-22-0230.md
//!   <!-- seen:2026-02-18,2026-02-21/s1 | corrections:14 -->
//! ```
//!
//! It is only added to here; what a person wrote in it stays byte for byte and counts for nothing. What was added, rejected and taken
//! out is read back from it, so it is in git and a person can take it out of there.

use jiff::civil::Date;

use super::twin::{Occurrence, OccurrenceKind};
use crate::annotation::Annotation;
use crate::fielded::{self, one_line};

/// What happened to a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// It came into SOUL.md.
    Added,
    /// A newer correction contradicted it, and it went.
    Replaced,
    /// It was taken out.
    Removed,
    /// It stays, though its correction was taken back.
    Kept,
    /// It went because another says the same.
    Merged,
    /// It went to MEMORY.md.
    Moved,
    /// A person did not want it.
    Rejected,
    /// SOUL.md became what a snapshot has; its name takes the principle's place.
    RolledBack,
}

impl Verb {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Added, "Added principle"),
        (Self::Replaced, "Replaced principle"),
        (Self::Removed, "Removed principle"),
        (Self::Kept, "Kept principle"),
        (Self::Merged, "Merged principle"),
        (Self::Moved, "Moved principle"),
        (Self::Rejected, "Rejected principle"),
        (Self::RolledBack, "Rolled back to"),
    ];

    /// Its words in the file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        // Every verb is in the table, which a test shows.
        Self::ALL.iter().find(|(verb, _)| *verb == self).map_or("", |(_, words)| words)
    }
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What.
    pub verb: Verb,
    /// The principle, on one line.
    pub principle: String,
    /// Lines below it: a name and what is said, in their order.
    pub details: Vec<(String, String)>,
    /// The keys of the occurrences that spoke for it ([`Occurrence::key`]).
    pub seen: Vec<String>,
    /// The ids of corrections among them.
    pub corrections: Vec<String>,
}

impl Change {
    /// What a detail says; nothing where there is none of that name.
    #[must_use]
    pub fn detail(&self, name: &str) -> Option<&str> {
        self.details.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn render(&self) -> String {
        let mut text =
            format!("- {}: \"{}\"\n", self.verb.as_str(), plain(&self.principle).replace('"', "'"));
        for (name, value) in &self.details {
            text.push_str(&format!("  {name}: {}\n", plain(value)));
        }
        let mut note = Annotation::new();
        for (name, values) in [("seen", &self.seen), ("corrections", &self.corrections)] {
            if !values.is_empty() {
                note.set(name, values.join(","));
            }
        }
        if !note.is_empty() {
            text.push_str(&format!("  {note}\n"));
        }
        text
    }
}

/// A change with the day it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logged {
    /// The day.
    pub day: Date,
    /// What happened.
    pub change: Change,
    /// Its first line in the file, from 1.
    pub line: usize,
}

/// All occurrences in P5.2's words: `Correction 2026-02-18 (CORRECTIONS.md #14), repeated 2026-02-21 (conversation …)`.
#[must_use]
pub fn evidence_line(occurrences: &[Occurrence]) -> String {
    let cited = occurrences.iter().enumerate().map(|(number, occurrence)| {
        let word = match (number, occurrence.kind) {
            (0, OccurrenceKind::Correction) => "Correction",
            (0, OccurrenceKind::Conversation) => "Said",
            (0, OccurrenceKind::Memory) => "Remembered",
            _ => "repeated",
        };
        format!("{word} {} ({})", occurrence.day, occurrence.place())
    });
    cited.collect::<Vec<_>>().join(", ")
}

/// The file with one more entry at its end; what is there stays byte for byte.
#[must_use]
pub fn append_changes(found: Option<&[u8]>, day: Date, changes: &[Change]) -> Vec<u8> {
    let mut entry = format!("## {day} — Soul Keeper\n");
    entry.extend(changes.iter().map(Change::render));
    fielded::append(found, "# Identity Changelog\n", entry.as_bytes())
}

/// What the entries of a file say, in its order. Lines in another form are a person's and count for nothing.
#[must_use]
pub fn logged(bytes: &[u8]) -> Vec<Logged> {
    let text = String::from_utf8_lossy(bytes);
    let (mut day, mut found): (Option<Date>, Vec<Logged>) = (None, Vec::new());
    let mut is_open = false;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_end();
        if line.starts_with('#') {
            day = heading(line);
            is_open = false;
        } else if let Some(day) = day {
            if !line.starts_with(' ') {
                let change = first_line(line);
                is_open = change.is_some();
                found.extend(change.map(|change| Logged { day, change, line: number }));
            } else if let (true, Some(last)) = (is_open, found.last_mut()) {
                further_line(line.trim_start(), &mut last.change);
            }
        }
    }
    found
}

fn heading(line: &str) -> Option<Date> {
    let (day, who) = line.strip_prefix("## ")?.split_once(" — ")?;
    (who.trim() == "Soul Keeper").then(|| day.trim().parse().ok()).flatten()
}

fn first_line(line: &str) -> Option<Change> {
    let (words, rest) = line.strip_prefix("- ")?.split_once(": ")?;
    let (verb, _) = Verb::ALL.into_iter().find(|(_, known)| *known == words)?;
    let principle = rest.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned();
    Some(Change { verb, principle, details: Vec::new(), seen: Vec::new(), corrections: Vec::new() })
}

fn further_line(line: &str, change: &mut Change) {
    if let Some(note) = Annotation::parse(line) {
        let list = |name: &str| -> Vec<String> {
            let values = note.get(name).unwrap_or_default().split(',').map(str::trim);
            values.filter(|value| !value.is_empty()).map(str::to_owned).collect()
        };
        (change.seen, change.corrections) = (list("seen"), list("corrections"));
    } else if let Some((name, value)) = line.split_once(": ") {
        change.details.push((name.to_owned(), value.trim().to_owned()));
    }
}

/// Text in one line that begins no comment.
fn plain(text: &str) -> String {
    one_line(text).replace("<!--", "<! --").replace("-->", "-- >")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::twin::tests::growth;
    use super::*;

    fn day() -> Date {
        jiff::civil::date(2026, 2, 22)
    }

    /// P5.2's sample, as the seed has it.
    const SAMPLE: &str = "## 2026-02-22 — Soul Keeper\n- Added principle: \"Always confirm timezone before scheduling\"\n  \
        Evidence: Correction 2026-02-18 (CORRECTIONS.md #14), repeated 2026-02-21 (conversation)\n  \
        Occurrences: 2 (meets threshold of 2)\n  Cool-down: 96h elapsed (meets 24h threshold)\n";

    #[test]
    fn the_seed_s_sample_is_read_and_written() {
        let read = logged(SAMPLE.as_bytes());
        assert_eq!((read.len(), read[0].day, read[0].line), (1, day(), 2));
        let change = &read[0].change;
        assert_eq!(
            (change.verb, change.principle.as_str()),
            (Verb::Added, "Always confirm timezone before scheduling")
        );
        assert_eq!(change.detail("Cool-down"), Some("96h elapsed (meets 24h threshold)"));
        let written = append_changes(None, day(), std::slice::from_ref(change));
        assert_eq!(String::from_utf8_lossy(&written), format!("# Identity Changelog\n\n{SAMPLE}"));
    }

    #[test]
    fn evidence_names_every_occurrence() {
        assert_eq!(
            evidence_line(&growth("a1", "x").occurrences),
            "Correction 2026-02-18 (CORRECTIONS.md #14), repeated 2026-02-21 (conversation raw/conversations/2026/02/21/0900-s1-talk.md:12)"
        );
        for (verb, words) in Verb::ALL {
            assert_eq!(verb.as_str(), words);
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            principle in "[a-z가\"][a-z가 :|#-]{0,20}[a-z가]", verb in 0..8_usize, because in "[a-z가][a-z가 :-]{0,20}[a-z가]",
            seen in prop::collection::vec("2026-02-1[0-9](/[a-z0-9-]{1,6})?", 0..4), corrections in prop::collection::vec("c[0-9a-f]{6}", 0..3),
            before in "(?s)(|# Changes\n|## a\r\n- b: c\r\n|\\PC{0,20})",
        ) {
            let change = Change {
                verb: Verb::ALL[verb].0,
                principle: one_line(&principle).replace('"', "'"),
                details: vec![("Because".to_owned(), one_line(&because))],
                seen,
                corrections,
            };
            let bytes = append_changes(Some(before.as_bytes()), day(), std::slice::from_ref(&change));
            prop_assert!(bytes.starts_with(before.as_bytes()) || before.trim().is_empty());
            prop_assert_eq!(logged(&bytes).pop().map(|logged| (logged.day, logged.change)), Some((day(), change)));
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = logged(&bytes);
        }
    }
}
