//! A page of memories: sections of list items, each with what is known of it in a trailing comment (resolution 3).
//!
//! MEMORY.md, entities and procedures are such pages. The invariant is a person's: an edit changes the bytes of the item it is
//! about and no others, so headings, remarks, blank lines, CRLF and tabs stay as they were written. Items are what stands at the
//! top level of a list; what is indented below one belongs to it. Must not know what an item means.

mod items;
mod taking;

use std::ops::Range;

use jiff::civil::Date;

use crate::annotation::Annotation;
use crate::document::{Document, Section};
use crate::fence::{ends_with_fence, is_closed_by, is_commented, left_open_in, opened_by};

/// Why a page cannot be changed. It is still found by search and shown as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Bytes that are not UTF-8.
    #[error("line {line} is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// 1-based.
        line: usize,
    },
    /// Something before it is never closed and would swallow what is added.
    #[error("an item added to {section:?} would not be one: close the code fence or the comment before it")]
    Swallowed {
        /// The heading.
        section: String,
    },
}

/// One item of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The heading it stands under; empty above the first.
    pub section: String,
    /// What it says, without its mark and its comment; further lines as they stand.
    pub text: String,
    /// What its comment says.
    pub annotation: Annotation,
    /// Its lines in the file, 1-based, end exclusive.
    pub lines: Range<usize>,
    /// Its lines' bytes, the last newline included.
    bytes: Range<usize>,
    /// The bytes of what it says.
    said: Range<usize>,
    /// The bytes after what it says and before the newline: its comment with the space before it.
    comment: Range<usize>,
    /// Its mark with the space after it: `- `, `* `, `1. `.
    mark: Range<usize>,
}

impl Item {
    /// What it says, without the strokes of what no longer holds.
    #[must_use]
    pub fn plain(&self) -> &str {
        let text = self.text.trim();
        text.strip_prefix("~~").and_then(|text| text.strip_suffix("~~")).unwrap_or(text)
    }

    /// Its lines' bytes in the page, the last newline included.
    pub(crate) fn bytes(&self) -> Range<usize> {
        self.bytes.clone()
    }

    /// Its mark's bytes in the page, with the space after it.
    pub(crate) fn mark(&self) -> Range<usize> {
        self.mark.clone()
    }

    /// Since when it no longer holds, where it does not.
    #[must_use]
    pub fn ended(&self) -> Option<Date> {
        self.annotation.date("superseded")
    }
}

/// A page, parsed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    text: String,
    items: Vec<Item>,
    sections: Vec<Section>,
}

impl Page {
    /// Reads a page.
    ///
    /// # Errors
    /// [`PageError::NotUtf8`].
    pub fn parse(bytes: &[u8]) -> Result<Self, PageError> {
        let text = std::str::from_utf8(bytes).map_err(|error| PageError::NotUtf8 {
            line: 1 + memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count(),
        })?;
        Ok(Self::of(text.to_owned()))
    }

    fn of(text: String) -> Self {
        let document = Document::parse(text.as_bytes());
        let sections = document.sections();
        let items = items::items(&text, document.body_start(), &sections);
        Self { text, items, sections }
    }

    /// The page as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The page's bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// Every item in its order.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The items below a heading, with their numbers. Headings are compared without regard to case.
    pub fn items_in(&self, section: &str) -> impl Iterator<Item = (usize, &Item)> {
        self.items.iter().enumerate().filter(move |(_, item)| is_title(&item.section, section))
    }

    /// The headings of the page, each once, in their order.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        flattened(&self.sections).into_iter().map(|section| section.title.as_str())
    }

    /// The title: the first heading of the first level.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.sections.iter().find(|section| section.level == 1).map(|section| section.title.as_str())
    }

    /// What stands between a heading and the next, without blank lines around it.
    #[must_use]
    pub fn section_text(&self, title: &str) -> Option<&str> {
        self.section(title).map(|section| self.text[section.content.clone()].trim())
    }

    /// What the comments under the title say, together.
    #[must_use]
    pub fn header(&self) -> Annotation {
        let mut header = Annotation::new();
        for (_, comment) in self.header_comments() {
            comment.entries().for_each(|(key, value)| header.set(key, value));
        }
        header
    }

    /// Whether a person wants the whole page kept as it is: its front matter or its comments say so.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.header().is_yes("pinned") || Document::parse(self.text.as_bytes()).is_yes("pinned")
    }

    /// Sets a key of the comments under the title: in its comment, else at the end of the last one, else in a new one.
    pub fn set_header(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        let comments = self.header_comments();
        let of_key = comments.iter().find(|(_, comment)| comment.get(key).is_some());
        let Some((place, comment)) = of_key.or(comments.last()) else {
            let comment = Annotation::new().with(key, value).to_string();
            let newline = self.newline();
            let title = self.sections.iter().find(|section| section.level == 1);
            let body = || Document::parse(self.text.as_bytes()).body_start();
            let at = title.map_or_else(body, |title| title.content.start);
            let before =
                if self.text[..at].is_empty() || self.text[..at].ends_with('\n') { "" } else { newline };
            let after = if self.text[at..].starts_with(['\n', '\r']) { "" } else { newline };
            return self.splice(at..at, &format!("{before}{newline}{comment}{newline}{after}"));
        };
        let mut changed = comment.clone();
        changed.set(key, value);
        if changed != *comment {
            self.splice(place.clone(), &changed.to_string());
        }
    }

    /// Adds an item below a heading, after its last one; the section is made at the end of the page if there is none.
    ///
    /// # Errors
    /// [`PageError::Swallowed`] where it would not be read back; the page is as it was then.
    pub fn add(&mut self, section: &str, text: &str, annotation: &Annotation) -> Result<(), PageError> {
        let before = self.clone();
        self.insert(section, text, annotation);
        let is_read_back = self.items.len() == before.items.len() + 1
            && self.items_in(section).last().is_some_and(|(_, item)| item.annotation == *annotation);
        if is_read_back {
            return Ok(());
        }
        *self = before;
        Err(PageError::Swallowed { section: section.to_owned() })
    }

    /// Whether a comment or a block of code is opened and never closed: what stands below it is a part of it, and nothing can be added.
    #[must_use]
    pub fn is_left_open(&self) -> bool {
        let mut probed = self.clone();
        probed.add("Is it left open?", "No", &Annotation::default()).is_err()
    }

    fn insert(&mut self, section: &str, text: &str, annotation: &Annotation) {
        let newline = self.newline();
        let last = self.items_in(section).last().map(|(_, item)| item.clone());
        let mark = last.as_ref().map_or("- ", |item| match &self.text[item.mark.clone()] {
            mark if mark.contains(char::is_numeric) => "- ",
            mark => mark,
        });
        let line = format!("{mark}{}", written(text, annotation, newline));
        let after = last.map(|item| item.bytes.end);
        let place = after.or_else(|| self.section(section).map(|found| self.end_of_text(found)));
        let Some(at) = place else {
            let gap = match self.text.as_str() {
                "" => "",
                text if text.ends_with(&newline.repeat(2)) => "",
                text if text.ends_with('\n') => newline,
                _ => &newline.repeat(2),
            };
            let end = self.text.len();
            return self.splice(end..end, &format!("{gap}## {section}{newline}{newline}{line}{newline}"));
        };
        let before = if self.text[..at].ends_with('\n') { "" } else { newline };
        let next = &self.text[at..];
        // A heading right after the list keeps its distance, and prose does not become a part of the new item.
        let is_prose = !next.is_empty()
            && !next.starts_with(['\n', '\r', '#'])
            && !self.items.iter().any(|item| item.bytes.start == at);
        let gap = if after.is_none() && next.starts_with('#') || is_prose { newline } else { "" };
        self.splice(at..at, &format!("{before}{line}{newline}{gap}"));
    }

    /// Changes what item `index` says, or what is known of it. Its mark and its place stay; so does each part that is the same.
    pub fn set(&mut self, index: usize, text: &str, annotation: &Annotation) {
        let Some(item) = self.items.get(index).cloned() else { return };
        let newline = self.newline();
        let own = if item.text == text { text } else { &written(text, &Annotation::new(), newline) };
        if item.annotation != *annotation || ends_with_fence(own) != ends_with_fence(&item.text) {
            self.splice(item.comment.clone(), &commented(own, annotation, newline));
        }
        if item.text != text {
            self.splice(item.said, own);
        }
    }

    /// Strikes item `index` through: no longer true since `day`, because of `by`. Nothing it says is lost.
    pub fn supersede(&mut self, index: usize, day: Date, by: &str) {
        let Some(item) = self.items.get(index) else { return };
        let annotation = item.annotation.clone().with("superseded", day.to_string()).with("by", by);
        let text = item.text.trim();
        // Striking through ends at a line's end.
        let struck = match text.contains('\n') || text.contains("~~") {
            true => text.to_owned(),
            false => format!("~~{text}~~"),
        };
        self.set(index, &struck, &annotation);
    }

    /// Takes item `index` out with all its lines, and gives back what they were.
    pub fn remove(&mut self, index: usize) -> Option<String> {
        let bytes = self.items.get(index)?.bytes.clone();
        let removed = self.text[bytes.clone()].to_owned();
        self.splice(bytes, "");
        Some(removed)
    }

    /// The lines, from 1, whose comment keeps a block of code open for other programs.
    #[must_use]
    pub fn commented_fences(&self) -> Vec<usize> {
        let (mut found, mut fence) = (Vec::new(), None);
        for (number, line) in (1..).zip(self.text.lines()) {
            match fence {
                None => fence = opened_by(line),
                Some(open) if is_closed_by(line, open) => {
                    found.extend(is_commented(line, open).then_some(number));
                    fence = None;
                }
                Some(_) => {}
            }
        }
        found
    }

    /// Puts the comments that keep a block of code open for other programs below it; whether there were any.
    pub fn mend_fences(&mut self) -> bool {
        let lines = self.commented_fences();
        let newline = self.newline();
        let mut text = String::with_capacity(self.text.len() + 8 * lines.len());
        for (number, line) in (1..).zip(self.text.split_inclusive('\n')) {
            match line.rfind("<!--").filter(|_| lines.contains(&number)) {
                Some(at) => {
                    let indent = &line[..indentation(line)];
                    text.push_str(&format!("{}{newline}{indent}{}", line[..at].trim_end(), &line[at..]));
                }
                None => text.push_str(line),
            }
        }
        *self = Self::of(text);
        !lines.is_empty()
    }

    fn section(&self, title: &str) -> Option<&Section> {
        flattened(&self.sections).into_iter().find(|section| is_title(&section.title, title))
    }

    /// Where the text of a section ends: after its last line that is not blank.
    fn end_of_text(&self, section: &Section) -> usize {
        let content = &self.text[section.content.clone()];
        let used = content.trim_end().len();
        let line = content[used..].find('\n').map_or(content.len(), |at| used + at + 1);
        section.content.start + if used == 0 { 0 } else { line }
    }

    /// The comments of keys and values between the title and whatever else comes first.
    fn header_comments(&self) -> Vec<(Range<usize>, Annotation)> {
        let document = Document::parse(self.text.as_bytes());
        let title = self.sections.iter().find(|section| section.level == 1);
        let start = title.map_or(document.body_start(), |title| title.content.start);
        let mut found = Vec::new();
        let mut at = start;
        for line in self.text[start..].split_inclusive('\n') {
            let place = at..at + line.trim_end().len();
            at += line.len();
            if line.trim().is_empty() {
                continue;
            }
            match Annotation::parse(line) {
                Some(comment) => found.push((place.start + indentation(line)..place.end, comment)),
                None => break,
            }
        }
        found
    }

    /// The line ending that most of the page has.
    fn newline(&self) -> &'static str {
        let all = memchr::memchr_iter(b'\n', self.text.as_bytes()).count();
        if self.text.matches("\r\n").count() * 2 > all { "\r\n" } else { "\n" }
    }

    fn splice(&mut self, place: Range<usize>, with: &str) {
        let mut text = std::mem::take(&mut self.text);
        text.replace_range(place, with);
        *self = Self::of(text);
    }
}

fn is_title(title: &str, asked: &str) -> bool {
    title.to_lowercase() == asked.to_lowercase()
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn flattened(sections: &[Section]) -> Vec<&Section> {
    sections.iter().flat_map(|section| std::iter::once(section).chain(flattened(&section.children))).collect()
}

/// An item's text as lines: further lines are indented, so that they stay part of it, and are no headings, which would end it.
fn written(text: &str, annotation: &Annotation, newline: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let mut written = String::new();
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            written.push_str(newline);
            if !line.starts_with([' ', '\t']) {
                written.push_str("  ");
            }
        }
        let is_code = left_open_in(&written).is_some();
        written.push_str(if index == 0 || is_code { line } else { without_heading(line) });
    }
    // What would go on in the code of an item is none of it.
    if let Some((sign, length)) = left_open_in(&written) {
        written.push_str(newline);
        written.push_str("  ");
        written.extend(std::iter::repeat_n(sign, length));
    }
    let comment = commented(&written, annotation, newline);
    written + &comment
}

/// A line without the signs that make it a heading.
fn without_heading(line: &str) -> &str {
    let text = line.trim_start();
    let signs = text.len() - text.trim_start_matches('#').len();
    let is_heading = (1..=6).contains(&signs) && text[signs..].starts_with([' ', '\t']);
    if is_heading { text[signs..].trim_start() } else { line }
}

/// An item's comment as it follows what the item says: in its last line, and below code, which would not end with more in the line.
fn commented(text: &str, annotation: &Annotation, newline: &str) -> String {
    match annotation.is_empty() {
        true => String::new(),
        false if ends_with_fence(text) => format!("{newline}  {annotation}"),
        false => format!(" {annotation}"),
    }
}

#[cfg(test)]
mod tests;
