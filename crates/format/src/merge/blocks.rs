//! A file as a row of blocks: what of it is merged as one.
//!
//! Blank lines belong to the block after them. A block has a key that tells it from the others of its file; the same key on two sides
//! means the same thing, whatever it says there. Lines have no key: they are told by their neighbours.

use std::collections::{HashMap, HashSet};

use super::entries;
use crate::annotation::Annotation;
use crate::archive;
use crate::document::{Document, Section, lines_of};
use crate::page::Page;

/// Where a file is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Every line.
    Lines,
    /// Every line, each named by what it says.
    Set,
    /// Items of lists, headings, comments of keys and values; every line else.
    Items,
    /// Sections of the second level; every line before the first.
    Entries,
    /// The same, with the rule before each, by number.
    Proposals,
    /// Archived files.
    Archived,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Line,
    Heading,
    Item { text: String, annotation: Annotation },
    Comment(Annotation),
    Entry { title: String, moment: Option<String> },
}

/// A block.
#[derive(Debug, Clone)]
pub(super) struct Block<'a> {
    /// Blank lines before it.
    pub(super) lead: &'a [u8],
    /// Its lines, the last newline included where there is one.
    pub(super) bytes: &'a [u8],
    pub(super) kind: Kind,
    /// What it is called in this file; nothing for a line.
    pub(super) key: Option<String>,
    /// The heading it stands under.
    pub(super) section: String,
}

impl Block<'_> {
    /// Its bytes without the end of its last line.
    pub(super) fn content(&self) -> &[u8] {
        self.bytes.trim_ascii_end()
    }
}

/// A file, cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Blocks<'a> {
    pub(super) all: Vec<Block<'a>>,
    /// Blank lines at the end.
    pub(super) tail: &'a [u8],
}

/// Whether these bytes are no text.
#[must_use]
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, bytes).is_some()
}

impl<'a> Blocks<'a> {
    pub(super) fn of(bytes: &'a [u8], start: usize, cut: Cut) -> Self {
        let mut blocks = Self::default();
        let mut at = start;
        let mut lead = start;
        let mut section = String::new();
        for (range, kind, key) in places(bytes, start, cut) {
            blocks.lines(bytes, &mut lead, at, range.start, &section);
            let found = &bytes[range.clone()];
            // What stands blank at its end belongs to what comes next, but for a file that is kept byte for byte.
            let used = range.start + found.trim_ascii_end().len();
            let end = match cut {
                Cut::Archived => range.end,
                _ => memchr::memchr(b'\n', &bytes[used..range.end]).map_or(range.end, |end| used + end + 1),
            };
            if kind == Kind::Heading {
                section = String::from_utf8_lossy(found.trim_ascii()).to_lowercase();
            }
            blocks.all.push(Block {
                lead: &bytes[lead..range.start],
                bytes: &bytes[range.start..end],
                kind,
                key: Some(key),
                section: section.clone(),
            });
            (at, lead) = (end, end);
        }
        blocks.lines(bytes, &mut lead, at, bytes.len(), &section);
        blocks.tail = &bytes[lead..];
        blocks.name();
        blocks
    }

    fn lines(&mut self, bytes: &'a [u8], lead: &mut usize, from: usize, to: usize, section: &str) {
        for line in lines_of(&bytes[..to], from) {
            if bytes[line.clone()].trim_ascii().is_empty() {
                continue;
            }
            self.all.push(Block {
                lead: &bytes[*lead..line.start],
                bytes: &bytes[line.clone()],
                kind: Kind::Line,
                key: None,
                section: section.to_owned(),
            });
            *lead = line.end;
        }
    }

    /// Gives the second of the same name another one, and so on.
    fn name(&mut self) {
        let mut given: HashMap<String, usize> = HashMap::new();
        for key in self.all.iter_mut().filter_map(|block| block.key.as_mut()) {
            let count = given.entry(key.clone()).or_default();
            *count += 1;
            if *count > 1 {
                key.push_str(&format!("\u{0}{count}"));
            }
        }
    }

    /// Where each key stands.
    pub(super) fn by_key(&self) -> HashMap<&str, usize> {
        self.all.iter().enumerate().filter_map(|(at, block)| Some((block.key.as_deref()?, at))).collect()
    }
}

type Place = (std::ops::Range<usize>, Kind, String);

/// What has a key, in the order of the file.
fn places(bytes: &[u8], start: usize, cut: Cut) -> Vec<Place> {
    match cut {
        Cut::Lines => Vec::new(),
        Cut::Set => {
            let full = lines_of(bytes, start).filter(|line| !bytes[line.clone()].trim_ascii().is_empty());
            full.map(|line| {
                // By its bytes: two that are no text are two.
                let key = format!("l:{}", bytes[line.clone()].trim_ascii().escape_ascii());
                (line, Kind::Line, key)
            })
            .collect()
        }
        Cut::Items => items(bytes, start),
        Cut::Entries | Cut::Proposals => entries::places(bytes, cut == Cut::Proposals),
        Cut::Archived => {
            let found = archive::entries(bytes);
            let starts: Vec<usize> = found.iter().map(|each| line_start(bytes, each.line)).collect();
            // The line break before the next heading is no part of a file.
            let before = |at: usize| if bytes[..at].ends_with(b"\n") { at - 1 } else { at };
            let ends = starts.iter().skip(1).map(|at| before(*at)).chain([bytes.len()]);
            let each = found.iter().zip(starts.iter().copied().zip(ends));
            each.map(|(entry, (start, end))| {
                let title = entry.source.rsplit('/').next().unwrap_or_default().to_owned();
                let moment = entries::moment_in(&title);
                let text = String::from_utf8_lossy(&bytes[entry.bytes.clone()]).into_owned();
                let key = format!("a:{}\n{text}", entry.source);
                (start..end, Kind::Entry { title, moment }, key)
            })
            .collect()
        }
    }
}

/// The byte at which a line begins, from 1.
fn line_start(bytes: &[u8], line: usize) -> usize {
    match line {
        0 | 1 => 0,
        _ => memchr::memchr_iter(b'\n', bytes).nth(line - 2).map_or(bytes.len(), |at| at + 1),
    }
}

fn items(bytes: &[u8], start: usize) -> Vec<Place> {
    let Ok(page) = Page::parse(bytes) else { return Vec::new() };
    let sections = Document::parse(bytes).sections();
    let headings: HashSet<usize> = starts_of(&sections).into_iter().collect();
    let mut found = Vec::new();
    let mut at = start;
    let mut items = page.items().iter().peekable();
    let line = |range: std::ops::Range<usize>, found: &mut Vec<Place>| {
        let text = page.as_str()[range.clone()].trim();
        if headings.contains(&range.start) {
            found.push((range, Kind::Heading, format!("h:{text}")));
        } else if let Some(comment) = Annotation::parse(text) {
            let first = comment.entries().next().map_or("", |(key, _)| key).to_lowercase();
            found.push((range, Kind::Comment(comment), format!("c:{first}")));
        }
    };
    loop {
        let end = items.peek().map_or(bytes.len(), |item| item.bytes().start);
        for range in lines_of(&bytes[..end], at) {
            line(range, &mut found);
        }
        let Some(item) = items.next() else { break };
        let plain = item.plain().to_lowercase();
        let key = match item.annotation.get("id") {
            Some(id) => format!("i:{id}"),
            None => format!("t:{}\n{plain}", item.section.to_lowercase()),
        };
        let kind = Kind::Item { text: item.text.trim_end().to_owned(), annotation: item.annotation.clone() };
        at = item.bytes().end;
        found.push((item.bytes(), kind, key));
    }
    found
}

fn starts_of(sections: &[Section]) -> Vec<usize> {
    sections
        .iter()
        .flat_map(|section| std::iter::once(section.bytes.start).chain(starts_of(&section.children)))
        .collect()
}
