//! Dividing a file into passages: the pieces that are indexed, found and shown.
//!
//! A section, a turn of a transcript or a group of list entries is a passage; longer ones are divided at about
//! 400 tokens (resolution 17). Every line of the file that holds anything belongs to a passage. No fence and no
//! grapheme is divided, except where one alone is longer than anybody could use. Pure: text in, passages out.

use std::borrow::Cow;
use std::ops::Range;

use rem_format::annotation::Annotation;
use unicode_segmentation::{GraphemeCursor, GraphemeIncomplete};

use crate::addressees::{Addressees, Asking, addressed};
use crate::blocks::{Block, Kind, blocks, heading_level, is_heading, turn_speaker};

/// A fence is kept whole up to this many tokens.
const LONGEST_FENCE: usize = 8_000;
/// A grapheme is kept whole up to this many bytes.
const LONGEST_GRAPHEME: usize = 256;

/// One passage of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// The headings it stands under, outermost first, joined by ` › `; without the one its text begins with.
    /// A turn of a transcript stands under none.
    pub heading: String,
    /// Who speaks, where it is a turn of a transcript: the word in the turn's heading.
    pub speaker: Option<String>,
    /// The text, without blank lines around it.
    pub text: String,
    /// Whom it is for: what is for different people stands in passages of its own.
    pub addressees: Addressees,
}

impl Passage {
    /// The text without the heading of the turn, whose time and role answer no question.
    pub fn words(&self) -> &str {
        match self.text.split_once('\n') {
            _ if self.speaker.is_none() => &self.text,
            Some((heading, rest)) if turn_speaker(heading).is_some() => rest,
            None if turn_speaker(&self.text).is_some() => "",
            _ => &self.text,
        }
    }

    /// Whether it holds nothing but headings, comments and front matter.
    pub fn is_bare(&self) -> bool {
        self.text.starts_with("---\n") && self.text.ends_with("\n---") || self.is_blank()
    }

    /// Whether it holds nothing but headings, comments and lines of a list that only say where something stands.
    pub(crate) fn is_blank(&self) -> bool {
        let mut in_comment = false;
        self.text.lines().all(|line| {
            let line = line.trim();
            let begins = line.starts_with("<!--");
            let is_silent = line.is_empty() || is_heading(line) || in_comment || begins || is_pointer(line);
            in_comment = (in_comment || begins) && !line.contains("-->");
            is_silent
        })
    }
}

/// Whether a line of a list gives a name and a link and says nothing: `- **Mira** — [[person--mira]]`.
fn is_pointer(line: &str) -> bool {
    let named = line.strip_prefix("- **").and_then(|line| line.split_once("** — [["));
    named.and_then(|(_, link)| link.strip_suffix("]]")).is_some_and(|link| !link.contains(['[', ']']))
}

/// Divides a Markdown text into passages of at most about `limit` tokens.
pub fn passages(text: &str, limit: usize) -> Vec<Passage> {
    divided(text, limit, false)
}

/// As [`passages`]; with `entries_apart`, list items that are memories of their own (their comment gives an id) are passages of
/// their own, the first of a section with its heading.
pub(crate) fn divided(text: &str, limit: usize, entries_apart: bool) -> Vec<Passage> {
    let limit = limit.max(1);
    let blocks = blocks(text);
    let is_transcript = is_transcript(text, &blocks);
    let addressed = addressed(text, &blocks, is_transcript);
    let mut divider = Divider {
        text,
        limit,
        passages: Vec::new(),
        trail: Vec::new(),
        open: None,
        speaker: None,
        addressees: Addressees::default(),
    };
    for (block, addressees) in blocks.into_iter().zip(addressed) {
        divider.turn_to(addressees);
        let source = &text[block.bytes.clone()];
        match block.kind {
            Kind::Heading if is_transcript && turn_speaker(source).is_some() => {
                divider.close();
                divider.trail.clear();
                divider.speaker = turn_speaker(source).map(str::to_owned);
                divider.add(&block);
            }
            Kind::Heading if !is_transcript => {
                // A title with nothing under it belongs to the section that follows.
                if !divider.holds_headings_alone() {
                    divider.close();
                    divider.enter(source);
                }
                divider.add(&block);
            }
            Kind::FrontMatter => {
                divider.add(&block);
                divider.close();
            }
            Kind::Entry if entries_apart && has_id(source) => {
                if !divider.holds_headings_alone() {
                    divider.close();
                }
                divider.add(&block);
                divider.close();
            }
            _ => divider.add(&block),
        }
    }
    divider.close();
    divider.passages
}

/// Whether a text is a conversation: one of its headings begins a turn.
fn is_transcript(text: &str, blocks: &[Block]) -> bool {
    let begins_turn =
        |block: &Block| block.kind == Kind::Heading && turn_speaker(&text[block.bytes.clone()]).is_some();
    blocks.iter().any(begins_turn)
}

/// A text as it is for those who ask: of what is for others only the line breaks are left, so that lines keep their numbers.
#[must_use]
pub fn seen_by<'a>(text: &'a str, asking: &Asking) -> Cow<'a, str> {
    if asking.is_operator() {
        return Cow::Borrowed(text);
    }
    let blocks = blocks(text);
    let addressed = addressed(text, &blocks, is_transcript(text, &blocks));
    if addressed.iter().all(|addressees| asking.sees(addressees)) {
        return Cow::Borrowed(text);
    }
    let (mut seen, mut at) = (String::with_capacity(text.len()), 0);
    for (block, addressees) in blocks.iter().zip(&addressed) {
        seen.push_str(&text[at..block.bytes.start]);
        let source = &text[block.bytes.clone()];
        match asking.sees(addressees) {
            true => seen.push_str(source),
            false => source.matches('\n').for_each(|line_break| seen.push_str(line_break)),
        }
        at = block.bytes.end;
    }
    seen.push_str(&text[at..]);
    Cow::Owned(seen)
}

/// Whom these lines of a text are for, from 1; what belongs to no block is for whom the whole file is.
pub(crate) fn addressed_lines(text: &str, lines: &[usize]) -> Vec<Addressees> {
    if lines.is_empty() {
        return Vec::new();
    }
    let blocks = blocks(text);
    let addressed = addressed(text, &blocks, is_transcript(text, &blocks));
    let whom = |line: &usize| {
        let at = blocks.partition_point(|block| block.line <= *line).checked_sub(1);
        at.map_or_else(|| Addressees::of_file(text), |at| addressed[at].clone())
    };
    lines.iter().map(whom).collect()
}

/// Whether a list item's comment gives it an id.
fn has_id(entry: &str) -> bool {
    let comment = entry.rfind("<!--").and_then(|at| Annotation::parse(entry[at..].trim_end()));
    comment.is_some_and(|comment| comment.get("id").is_some())
}

/// A turn as it is handed on, from the line after its heading: that line costs a fifth of a short turn, and of what it says
/// only the speaker matters, since the path tells the day. `user: Hello`; the words alone where they begin with the speaker's
/// name. Nothing where the words begin with a list, a fence or a line about a tool, which keep their first line to themselves.
pub(crate) fn spoken(turn: &str, is_named: bool) -> Option<String> {
    let (heading, words) = turn.split_once('\n')?;
    let speaker = turn_speaker(heading)?;
    let prefix = if is_named { String::new() } else { format!("{speaker}: ") };
    words.starts_with(char::is_alphanumeric).then(|| prefix + words)
}

/// About how many tokens a text is: a quarter of its ASCII characters and every other character. Good enough to
/// divide by; budgets are counted by the real tokenizer.
pub fn estimate_tokens(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.bytes().filter(|byte| *byte >= 0xC0).count();
    ascii.div_ceil(4) + others
}

/// The day a file is about, from its path: `…/2026-03-19.md` or `raw/conversations/2026/03/19/…`.
pub fn date_of_path(path: &str) -> Option<jiff::civil::Date> {
    let dashed = |text: &str| -> Option<jiff::civil::Date> {
        let bytes = text.as_bytes();
        (0..bytes.len().saturating_sub(9)).find_map(|start| {
            let window = bytes.get(start..start + 10)?;
            let is_bounded = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_digit());
            let has_shape = window.iter().enumerate().all(|(index, byte)| match index {
                4 | 7 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            });
            let preceding = start.checked_sub(1).and_then(|index| bytes.get(index));
            (has_shape && is_bounded(preceding) && is_bounded(bytes.get(start + 10)))
                .then(|| text.get(start..start + 10)?.parse().ok())?
        })
    };
    // Most paths have no date, and none has one with fewer digits.
    if path.bytes().filter(u8::is_ascii_digit).count() < 8 {
        return None;
    }
    let parts: Vec<&str> = path.split('/').collect();
    parts.iter().rev().find_map(|part| dashed(part)).or_else(|| {
        parts.windows(3).rev().find_map(|window| {
            let lengths = [4, 2, 2];
            let is_number = |(part, length): (&&str, usize)| {
                part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
            };
            window.iter().zip(lengths).all(is_number).then(|| window.join("-").parse().ok())?
        })
    })
}

/// The days that the lines of an archive are about, by the line on which the text of each begins, from 1.
#[derive(Debug, Default)]
pub(crate) struct ArchivedDays(Vec<(usize, Option<jiff::civil::Date>)>);

impl ArchivedDays {
    /// Of a file of this category; nothing is known of one that is no archive.
    pub(crate) fn of(content: &[u8], category: &str) -> Self {
        match category {
            "archive" => {
                let entries = rem_format::archive::entries(content).into_iter();
                Self(entries.map(|entry| (entry.line, date_of_path(&entry.source))).collect())
            }
            _ => Self::default(),
        }
    }

    /// The day that a passage is about.
    pub(crate) fn of_passage(&self, passage: &Passage) -> Option<jiff::civil::Date> {
        let after = self.0.partition_point(|(line, _)| *line <= passage.start_line);
        self.0.get(after.checked_sub(1)?)?.1
    }
}

struct Divider<'a> {
    text: &'a str,
    limit: usize,
    passages: Vec<Passage>,
    trail: Vec<(usize, String)>,
    open: Option<(Range<usize>, usize, usize)>,
    speaker: Option<String>,
    /// Whom the open passage is for.
    addressees: Addressees,
}

impl Divider<'_> {
    /// What follows is for these: for others than the open passage it begins a new one. Headings that are for everybody go with
    /// what stands under them.
    fn turn_to(&mut self, addressees: Addressees) {
        if addressees != self.addressees {
            if !(self.addressees.is_for_all() && self.holds_headings_alone()) {
                self.close();
            }
            self.addressees = addressees;
        }
    }

    /// Leaves the sections that the heading ends; those that remain are what the new passage stands under.
    fn enter(&mut self, heading: &str) {
        let level = heading_level(heading);
        self.trail.retain(|(outer, _)| *outer < level);
    }

    fn holds_headings_alone(&self) -> bool {
        self.open.as_ref().is_some_and(|(bytes, ..)| {
            self.text[bytes.clone()].lines().all(|line| line.trim().is_empty() || is_heading(line))
        })
    }

    /// The headings that the passage's own lines open, for the passages after it.
    fn open_headings(&mut self, text: &str) {
        for line in text.lines().take_while(|line| line.trim().is_empty() || is_heading(line)) {
            if is_heading(line) {
                let level = heading_level(line);
                self.trail.retain(|(outer, _)| *outer < level);
                let name = line.trim().trim_start_matches('#').trim().chars().take(200).collect();
                self.trail.push((level, name));
            }
        }
    }

    fn add(&mut self, block: &Block) {
        let size = estimate_tokens(&self.text[block.bytes.clone()]);
        match &mut self.open {
            Some((bytes, _, total)) if *total + size <= self.limit => {
                bytes.end = block.bytes.end;
                *total += size;
            }
            _ => {
                // A heading alone is no passage: what follows joins it however long it is.
                let joins_heading = self.holds_headings_alone();
                if let (true, Some((bytes, _, total))) = (joins_heading, &mut self.open) {
                    bytes.end = block.bytes.end;
                    *total += size;
                } else {
                    self.close();
                    self.open = Some((block.bytes.clone(), block.line, size));
                }
                let longest = if block.kind == Kind::Fence { LONGEST_FENCE } else { self.limit };
                if size > longest {
                    self.close_in_pieces();
                } else if size > self.limit {
                    self.close();
                }
            }
        }
    }

    fn close(&mut self) {
        if let Some((bytes, line, _)) = self.open.take() {
            self.push(bytes, line);
        }
    }

    fn push(&mut self, bytes: Range<usize>, line: usize) {
        let source = &self.text[bytes];
        let leading = source.len() - source.trim_start_matches(['\n', '\r']).len();
        let start_line = line + source[..leading].matches('\n').count();
        let text = source[leading..].trim_end();
        if text.trim().is_empty() {
            return;
        }
        self.passages.push(Passage {
            start_line,
            end_line: start_line + text.matches('\n').count(),
            heading: self.trail.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" › "),
            speaker: self.speaker.clone(),
            text: text.to_owned(),
            addressees: self.addressees.clone(),
        });
        self.open_headings(text);
    }

    /// Closes a passage that is too long for one, in pieces that end at a line, a space, or at least between
    /// two graphemes.
    fn close_in_pieces(&mut self) {
        let Some((bytes, mut line, _)) = self.open.take() else { return };
        let mut start = bytes.start;
        while start < bytes.end {
            let end = start + piece_length(&self.text[start..bytes.end], self.limit);
            self.push(start..end, line);
            line += self.text[start..end].matches('\n').count();
            start = end;
        }
    }
}

/// How many bytes of `text` make a piece of at most `limit` tokens; at least one character, linear in the piece.
fn piece_length(text: &str, limit: usize) -> usize {
    let (mut quarters, mut line_end, mut word_end) = (0, None, None);
    for (offset, character) in text.char_indices() {
        quarters += if character.is_ascii() { 1 } else { 4 };
        if quarters > limit * 4 {
            let middle = offset / 2;
            return line_end
                .filter(|end| *end > middle)
                .or(word_end.filter(|end| *end > middle))
                .unwrap_or_else(|| grapheme_boundary(text, offset));
        }
        let after = offset + character.len_utf8();
        match character {
            '\n' => line_end = Some(after),
            _ if character.is_whitespace() => word_end = Some(after),
            _ => {}
        }
    }
    text.len()
}

/// The last grapheme boundary at or before `offset`, unless that would take nothing or the grapheme is absurdly
/// long; then `offset` itself (a character boundary).
fn grapheme_boundary(text: &str, offset: usize) -> usize {
    let mut window_start = offset.saturating_sub(LONGEST_GRAPHEME);
    while !text.is_char_boundary(window_start) {
        window_start += 1;
    }
    let mut window_end = (offset + 32).min(text.len());
    while !text.is_char_boundary(window_end) {
        window_end += 1;
    }
    let window = &text[window_start..window_end];
    let mut cursor = GraphemeCursor::new(offset - window_start, window.len(), true);
    let at = match cursor.is_boundary(window, 0) {
        Ok(true) => Some(offset - window_start),
        Ok(false) | Err(GraphemeIncomplete::PreContext(_)) => cursor.prev_boundary(window, 0).ok().flatten(),
        Err(_) => None,
    };
    match at {
        Some(at) if window_start + at > 0 && (at > 0 || window_start == 0) => window_start + at,
        _ => offset.max(text.chars().next().map_or(1, char::len_utf8)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str, limit: usize) -> Vec<(usize, usize)> {
        passages(text, limit).iter().map(|passage| (passage.start_line, passage.end_line)).collect()
    }

    #[test]
    fn sections_are_passages_with_their_lines() {
        let text = "---\ntags: [a]\n---\n# Title\n\nIntro.\n\n## One\n- a\n- b\n\n## Two\n\ntext\n";
        assert_eq!(lines(text, 400), [(1, 3), (4, 6), (8, 10), (12, 14)]);
        assert_eq!(passages(text, 400)[2].text, "## One\n- a\n- b");
        assert_eq!(passages(text, 400)[3].heading, "Title");
        let text = "# Title\n\n## One\na\n### Deep\nb\n## Two\nc\n";
        let found = passages(text, 400);
        let headings: Vec<&str> = found.iter().map(|passage| passage.heading.as_str()).collect();
        assert_eq!(headings, ["", "Title › One", "Title"]);
        assert!(found[0].text.starts_with("# Title\n\n## One"));
    }

    #[test]
    fn entries_are_grouped_up_to_the_limit_and_know_their_heading() {
        let entry = format!("- {}\n  more\n", "word ".repeat(20));
        let text = format!("## Facts\n{}", entry.repeat(10));
        let found = passages(&text, 100);
        assert!(found.len() > 2);
        assert!(found.iter().all(|passage| estimate_tokens(&passage.text) <= 110));
        assert!(
            found.iter().skip(1).all(|passage| passage.text.starts_with("- ") && passage.heading == "Facts")
        );
    }

    #[test]
    fn each_turn_of_a_transcript_is_one_passage() {
        let text = "# Talk\n\n## 18:45 — user\nHello\n# not a turn\nmore\n\n## 18:46 — agent\nHi\n";
        assert_eq!(lines(text, 400), [(1, 1), (3, 6), (8, 9)]);
    }

    #[test]
    fn a_turn_is_handed_on_with_its_speaker_in_place_of_its_heading() {
        let said = |words: &str, is_named| spoken(&format!("## 18:45 — user\n{words}"), is_named);
        assert_eq!(said("Hello\n\nyou", false).as_deref(), Some("user: Hello\n\nyou"));
        assert_eq!(said("Ann: Hello", true).as_deref(), Some("Ann: Hello"));
        for laid_out in ["- a list", "```\ncode\n```", "> [tool:read] a → b", "\nlate", ""] {
            assert_eq!(said(laid_out, false), None, "{laid_out}");
        }
        assert_eq!((spoken("## Plans\nText", false), spoken("## 18:45 — user", false)), (None, None));
    }

    #[test]
    fn a_fence_stays_whole_though_it_is_long_and_holds_headings() {
        let code = "let x = 1;\n# no heading\n\n".repeat(60);
        let text = format!("Before.\n\n```rust\n{code}```\n\nAfter.\n");
        let found = passages(&text, 100);
        assert_eq!(found.len(), 3);
        assert!(found[1].text.starts_with("```rust") && found[1].text.ends_with("```"));
    }

    #[test]
    fn a_huge_line_becomes_bounded_passages_in_linear_time() {
        let text = "é한🇰🇷x".repeat(200_000);
        let found = passages(&text, 400);
        assert!(found.iter().all(|passage| estimate_tokens(&passage.text) <= 400 && passage.end_line == 1));
        assert_eq!(found.iter().map(|passage| passage.text.len()).sum::<usize>(), text.len());
        assert!(found.iter().all(|passage| !passage.text.starts_with('🇷')), "a flag is one grapheme");
        let marks = format!("a{}", "\u{301}".repeat(100_000));
        assert!(passages(&marks, 400).len() > 100);
    }

    #[test]
    fn the_date_comes_from_the_file_name_or_the_folders() {
        let date = |path: &str| date_of_path(path).map(|date| date.to_string());
        assert_eq!(date("memory/2026-03-19.md").as_deref(), Some("2026-03-19"));
        assert_eq!(date("raw/conversations/2026/02/16/1845-s-x.md").as_deref(), Some("2026-02-16"));
        assert_eq!(date("notes/meeting-2026-03-19-atlas.md").as_deref(), Some("2026-03-19"));
        for undated in
            ["MEMORY.md", "memory/2026-13-40.md", "id-12026-03-19.md", "a/2026/2/16/x.md", "é-2026-0"]
        {
            assert_eq!(date(undated), None, "{undated}");
        }
    }

    proptest! {
        #[test]
        fn nothing_that_is_not_blank_is_lost_or_repeated(
            text in "((# |## |- |1\\. |```|~~~|---|  )?[a-zé한 🇰`]{0,30}\n{1,2}){0,20}",
            limit in 1..60_usize,
        ) {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            let found = passages(&text, limit);
            prop_assert_eq!(bare(&found.iter().map(|passage| passage.text.as_str()).collect::<String>()), bare(&text));
            let all: Vec<&str> = text.split('\n').collect();
            for passage in &found {
                let first = passage.text.split('\n').next().unwrap_or_default();
                prop_assert!(all[passage.start_line - 1].contains(first), "{:?}", passage);
                prop_assert!(passage.start_line <= passage.end_line && passage.end_line <= all.len());
            }
            prop_assert!(found.windows(2).all(|pair| pair[0].end_line <= pair[1].start_line));
        }
    }
}
