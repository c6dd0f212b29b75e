//! A day's episodes (seed M5): typed entries that are only ever added.
//!
//! `## 14:30 | decision | confidence:high | tags:[memory, architecture]`, and what happened below it. Owns the shape of the file
//! and its escaping: a line of an entry that would begin another is written with a backslash, so whatever an entry says is
//! read back. Entries that cannot be read are reported with their line and stay as they are. Must not know when or why an
//! episode is written.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, Time};
use serde::{Deserialize, Serialize};

use crate::document::Document;

/// What kind of thing happened (M5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the seed's words say it")]
pub enum EpisodeKind {
    Decision,
    Fact,
    Preference,
    Task,
    Event,
    Emotion,
    Correction,
}

/// How sure the memory is (M5, M8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the seed's words say it")]
pub enum Certainty {
    Low,
    Medium,
    High,
}

/// Where an episode comes from (M5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the seed's words say it")]
pub enum EpisodeSource {
    Conversation,
    Reflection,
    UserExplicit,
}

/// A word that is none of those a field may have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no {field}: {expected}")]
pub struct UnknownWord {
    field: &'static str,
    found: String,
    expected: String,
}

/// The words of a field, read and written.
macro_rules! words {
    ($type:ident, $field:literal, $($value:ident => $word:literal),+) => {
        impl $type {
            /// Every value in its order.
            pub const ALL: &[Self] = &[$(Self::$value),+];

            /// Its word in the file.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = UnknownWord;
            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|value| value.as_str().eq_ignore_ascii_case(word.trim())).ok_or_else(|| UnknownWord {
                    field: $field,
                    found: word.trim().to_owned(),
                    expected: Self::ALL.iter().map(|value| value.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

words!(EpisodeKind, "type of episode", Decision => "decision", Fact => "fact", Preference => "preference", Task => "task",
    Event => "event", Emotion => "emotion", Correction => "correction");
words!(Certainty, "confidence", Low => "low", Medium => "medium", High => "high");
words!(EpisodeSource, "source", Conversation => "conversation", Reflection => "reflection", UserExplicit => "user-explicit");

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// When, to the minute, in the operator's time zone.
    pub time: Time,
    /// What kind.
    pub kind: EpisodeKind,
    /// How sure.
    pub confidence: Certainty,
    /// What it is about.
    pub tags: Vec<String>,
    /// Where it comes from, where that is said.
    pub source: Option<EpisodeSource>,
    /// Where exactly it was said, where that is known: a file and its lines, `PATH:FIRST-LAST`.
    pub from: Option<String>,
    /// Whom it is for alone; nobody named means everybody.
    pub addressees: Vec<String>,
    /// What happened.
    pub text: String,
}

/// An entry in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The entry.
    pub episode: Episode,
    /// Which one of its minute: 1 for the first.
    pub number: usize,
    /// Its lines, 1-based, end exclusive.
    pub lines: std::ops::Range<usize>,
}

/// An entry that is not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct EpisodeError {
    /// 1-based line of its heading.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The id of an episode (design.md, Data): `episode:2026-02-02:14:30`, with `#2` for the second of a minute.
#[must_use]
pub fn episode_id(date: Date, time: Time, number: usize) -> String {
    let id = format!("episode:{date}:{:02}:{:02}", time.hour(), time.minute());
    if number > 1 { format!("{id}#{number}") } else { id }
}

/// The date, time and number of an id.
#[must_use]
pub fn parse_episode_id(id: &str) -> Option<(Date, Time, usize)> {
    let rest = id.strip_prefix("episode:")?;
    let (date, rest) = rest.split_once(':')?;
    let (time, number) = rest.split_once('#').unwrap_or((rest, "1"));
    Some((date.parse().ok()?, time_of(time)?, number.parse().ok().filter(|number| *number > 0)?))
}

/// The entries of a day's file in their order, and those that cannot be read.
#[must_use]
pub fn parse(bytes: &[u8]) -> (Vec<Placed>, Vec<EpisodeError>) {
    let document = Document::parse(bytes);
    let (mut placed, mut errors): (Vec<Placed>, Vec<EpisodeError>) = (Vec::new(), Vec::new());
    let sections = document.sections();
    let all = sections.iter().flat_map(|section| std::iter::once(section).chain(&section.children));
    for section in all.filter(|section| section.level == 2) {
        let body = String::from_utf8_lossy(&bytes[section.content.start..section.bytes.end]);
        match heading(&section.title) {
            Ok(mut episode) => {
                episode.text = unescaped(body.trim());
                let same_minute = placed.iter().filter(|before| before.episode.time == episode.time).count();
                placed.push(Placed { episode, number: same_minute + 1, lines: section.lines.clone() });
            }
            Err(reason) => errors.push(EpisodeError { line: section.lines.start, reason }),
        }
    }
    (placed, errors)
}

/// The day's file with one more entry at its end; what is there stays byte for byte.
#[must_use]
pub fn append(found: Option<&[u8]>, date: Date, episode: &Episode) -> Vec<u8> {
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        bytes = format!("# {date} — Episode Log\n").into_bytes();
    }
    let newline = if bytes.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    if !bytes.ends_with(b"\n") {
        bytes.extend_from_slice(newline.as_bytes());
    }
    bytes.extend_from_slice(newline.as_bytes());
    bytes.extend_from_slice(render(episode).replace('\n', newline).as_bytes());
    bytes
}

/// One entry as it is written.
#[must_use]
pub fn render(episode: &Episode) -> String {
    let tags: Vec<String> =
        episode.tags.iter().map(|tag| tag_of(tag)).filter(|tag| !tag.is_empty()).collect();
    let mut entry = format!(
        "## {:02}:{:02} | {} | confidence:{} | tags:[{}]",
        episode.time.hour(),
        episode.time.minute(),
        episode.kind,
        episode.confidence,
        tags.join(", ")
    );
    if let Some(source) = episode.source {
        entry.push_str(&format!(" | source:{source}"));
    }
    if let Some(from) = &episode.from {
        entry.push_str(&format!(" | from:{}", place_of(from)));
    }
    let names: Vec<String> =
        episode.addressees.iter().map(|name| name_in_list(name)).filter(|name| !name.is_empty()).collect();
    if !names.is_empty() {
        entry.push_str(&format!(" | for:[{}]", names.join(", ")));
    }
    entry.push('\n');
    for line in episode.text.trim().lines() {
        let is_special = line.trim_start_matches('\\').trim_start().starts_with(['#', '`', '~']);
        entry.push_str(if is_special { "\\" } else { "" });
        entry.push_str(line.trim_end());
        entry.push('\n');
    }
    entry
}

fn heading(title: &str) -> Result<Episode, String> {
    let mut fields = title.split('|').map(str::trim);
    let written = fields.next().unwrap_or_default();
    let time = time_of(written).ok_or_else(|| format!("{written:?} is no time of day: HH:MM"))?;
    let word = fields.next().ok_or("an entry says its type after the time: `HH:MM | decision`")?;
    let kind = word.parse().map_err(|error: UnknownWord| error.to_string())?;
    let (mut confidence, mut tags, mut source, mut from, mut addressees) =
        (Certainty::Medium, Vec::new(), None, None, Vec::new());
    for field in fields {
        match field.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("confidence", value)) => {
                confidence = value.parse().map_err(|error: UnknownWord| error.to_string())?;
            }
            Some(("source", value)) => {
                source = Some(value.parse().map_err(|error: UnknownWord| error.to_string())?);
            }
            Some(("tags", value)) => tags = list_of(value),
            Some(("from", value)) => from = Some(value.to_owned()),
            Some(("for", value)) => addressees = list_of(value),
            // What a person or a later version adds is no error.
            _ => {}
        }
    }
    Ok(Episode { time, kind, confidence, tags, source, from, addressees, text: String::new() })
}

/// A place as it can stand in a heading.
fn place_of(from: &str) -> String {
    from.chars().map(|each| if each == '|' || each.is_control() { ' ' } else { each }).collect()
}

/// Whom the entry with this heading is for, whether or not the rest of it can be read; nothing where it is no entry's.
#[must_use]
pub fn addressees_in(title: &str) -> Vec<String> {
    let mut fields = title.split('|').map(str::trim);
    if fields.next().and_then(time_of).is_none() {
        return Vec::new();
    }
    let said = fields.filter_map(|field| field.split_once(':'));
    said.filter(|(key, _)| key.trim().eq_ignore_ascii_case("for"))
        .flat_map(|(_, names)| list_of(names))
        .collect()
}

/// The words of a list in brackets.
fn list_of(value: &str) -> Vec<String> {
    let inner = value.trim().trim_start_matches('[').trim_end_matches(']');
    inner.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

/// A name as it may stand in a list.
fn name_in_list(name: &str) -> String {
    without_marks(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without the signs that divide fields and lists.
fn without_marks(text: &str) -> String {
    let is_mark = |each: char| matches!(each, ',' | '[' | ']' | '|') || each.is_control();
    text.chars().map(|each| if is_mark(each) { ' ' } else { each }).collect()
}

fn time_of(text: &str) -> Option<Time> {
    let (hour, minute) = text.split_once(':')?;
    Time::new(hour.parse().ok()?, minute.get(..2)?.parse().ok()?, 0, 0).ok().filter(|_| minute.len() == 2)
}

/// A tag as it may stand in the list.
fn tag_of(tag: &str) -> String {
    let kept = without_marks(tag);
    kept.split_whitespace().collect::<Vec<_>>().join("-").trim_matches(['#', '-']).to_owned()
}

fn unescaped(text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_prefix('\\') {
        Some(rest) if rest.trim_start_matches('\\').trim_start().starts_with(['#', '`', '~']) => rest,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};
    use proptest::prelude::*;

    use super::*;

    const SEED: &str = "# 2026-02-02 — Episode Log\n\n## 14:30 | decision | confidence:high | tags:[memory, architecture]\n\
        Discussed memory architecture directions with user.\nChose hybrid approach.\n\n\
        ## 15:45 | preference | confidence:medium | tags:[workflow]\nUser prefers brainstorming.\n";

    #[test]
    fn the_seeds_log_is_read_and_written() {
        let (placed, errors) = parse(SEED.as_bytes());
        assert_eq!(errors, []);
        assert_eq!(placed.len(), 2);
        assert_eq!(placed[0].episode.tags, ["memory", "architecture"]);
        assert_eq!(placed[0].episode.kind, EpisodeKind::Decision);
        assert_eq!(placed[1].lines, 7..9);
        let day = date(2026, 2, 2);
        let mut written = None;
        for each in &placed {
            written = Some(append(written.as_deref(), day, &each.episode));
        }
        assert_eq!(written.as_deref(), Some(SEED.as_bytes()));
        assert_eq!(episode_id(day, placed[0].episode.time, 1), "episode:2026-02-02:14:30");
    }

    #[test]
    fn several_in_a_minute_have_numbers_and_bad_ones_are_named() {
        let text = "# D\n\n## 09:00 | event\none\n\n## 09:00 | event | confidence:high\ntwo\n\n## 09:00 | party\n\n## 25:00 | event\n";
        let (placed, errors) = parse(text.as_bytes());
        assert_eq!(placed.iter().map(|each| each.number).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(errors[0].line, 9);
        assert!(errors[0].reason.contains("decision, fact, preference"), "{}", errors[0].reason);
        assert!(errors[1].to_string().contains("line 11"));
        assert_eq!(
            parse_episode_id("episode:2026-02-02:09:00#2"),
            Some((date(2026, 2, 2), time(9, 0, 0, 0), 2))
        );
        assert_eq!(parse_episode_id("episode:2026-02-02:09:00#0"), None);
    }

    proptest! {
        #[test]
        fn whatever_an_entry_says_it_is_read_back(
            text in "(?s)(## 10:00 \\| event\n|```\n|~~~|# a\n|\\\\# b\n|[a-z가]{1,6}|\n){0,9}",
            tags in prop::collection::vec("[a-z가]{1,6}", 0..4),
            names in prop::collection::vec("[A-Z][a-z가]{1,6}( [A-Z][a-z]{1,6})?", 0..3),
            from in prop::option::of("raw/[a-z가]{1,6}( [a-z]{1,3})?\\.md:[1-9]-[1-9]"),
            before in "(?s)(|# D\n|text|## 08:00 \\| task\r\nx\r\n)",
        ) {
            let episode = Episode {
                time: time(10, 5, 0, 0), kind: EpisodeKind::Event, confidence: Certainty::Low, tags,
                source: Some(EpisodeSource::UserExplicit), from, addressees: names, text,
            };
            let bytes = append(Some(before.as_bytes()), date(2026, 3, 1), &episode);
            prop_assert!(bytes.starts_with(before.trim().as_bytes()));
            let (placed, errors) = parse(&bytes);
            prop_assert_eq!(errors, []);
            let read = &placed.last().expect("the entry").episode;
            let lines = |text: &str| text.trim().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(lines(&read.text), lines(&episode.text));
            prop_assert_eq!((&read.tags, read.time, read.source), (&episode.tags, episode.time, episode.source));
            prop_assert_eq!((&read.addressees, &read.from), (&episode.addressees, &episode.from));
            let title = render(&episode);
            let title = title.lines().next().unwrap_or_default().trim_start_matches('#').trim();
            prop_assert_eq!(addressees_in(title), read.addressees.clone());
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
