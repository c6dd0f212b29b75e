//! Files of entries with fields: a heading of level 2 each, and below it lines `- key: value`, one of them an `id`. CORRECTIONS.md and
//! CONFLICTS.md are such files.
//!
//! Keys are read whatever their case; entries and lines that a person wrote otherwise stay as they are. Must not know what a field
//! means.

use std::ops::Range;

use crate::document::{Document, lines_of};

/// An entry in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    text: String,
    /// 1-based lines of the file, end exclusive.
    pub lines: Range<usize>,
    /// The bytes that those lines are.
    pub bytes: Range<usize>,
}

impl Entry {
    /// The value of a field; nothing where there is none.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        let is_wanted = |line: &&str| name_of(line).is_some_and(|found| found.eq_ignore_ascii_case(name));
        let line = self.text.lines().find(is_wanted)?;
        line.split_once(':').map(|(_, value)| value.trim())
    }

    /// The field that tells it from the others; nothing where a person wrote it in another form.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.field("id").filter(|id| !id.is_empty())
    }
}

/// The entries of a file, in its order.
#[must_use]
pub fn entries(bytes: &[u8]) -> Vec<Entry> {
    let document = Document::parse(bytes);
    let sections = document.sections();
    let all = sections.iter().flat_map(|section| std::iter::once(section).chain(&section.children));
    all.filter(|section| section.level == 2)
        .map(|section| Entry {
            text: String::from_utf8_lossy(&bytes[section.bytes.clone()]).into_owned(),
            lines: section.lines.clone(),
            bytes: section.bytes.clone(),
        })
        .collect()
}

/// The file with one more entry at its end; what is there stays byte for byte. A file with nothing in it begins with `start`.
#[must_use]
pub fn append(found: Option<&[u8]>, start: &str, entry: &[u8]) -> Vec<u8> {
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        bytes = start.as_bytes().to_vec();
    }
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(entry);
    bytes
}

/// The file with a field of an entry changed, or added after its last; every other byte stays. Nothing where there is no such entry.
#[must_use]
pub fn with_field(bytes: &[u8], id: &str, key: &str, value: &str) -> Option<Vec<u8>> {
    let entry = entries(bytes).into_iter().find(|entry| entry.id() == Some(id))?;
    let lines: Vec<Range<usize>> = lines_of(&bytes[..entry.bytes.end], entry.bytes.start).collect();
    let field = |line: &Range<usize>| String::from_utf8_lossy(&bytes[line.clone()]).into_owned();
    let is_field =
        |line: &&Range<usize>| name_of(&field(line)).is_some_and(|name| name.eq_ignore_ascii_case(key));
    let newline = if field(lines.first()?).ends_with("\r\n") { "\r\n" } else { "\n" };
    let new = format!("- {key}: {value}{newline}");
    let (place, before) = match lines.iter().find(is_field) {
        Some(line) => (line.clone(), ""),
        None => {
            let last = lines.iter().rfind(|line| name_of(&field(line)).is_some())?;
            (last.end..last.end, if bytes[..last.end].ends_with(b"\n") { "" } else { newline })
        }
    };
    Some([&bytes[..place.start], before.as_bytes(), new.as_bytes(), &bytes[place.end..]].concat())
}

/// The file without an entry, and that entry as it stood; nothing where there is no such entry.
#[must_use]
pub fn without(bytes: &[u8], id: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let entry = entries(bytes).into_iter().find(|entry| entry.id() == Some(id))?;
    let rest = [&bytes[..entry.bytes.start], &bytes[entry.bytes.end..]].concat();
    Some((rest, bytes[entry.bytes].to_vec()))
}

/// The name of the field in a line, where it is one.
fn name_of(line: &str) -> Option<&str> {
    let (name, _) = line.trim_start().strip_prefix("- ")?.split_once(':')?;
    Some(name.trim_matches(['*', ' ']))
}

/// A name for an entry that others do not have: a letter and six signs of what it says.
#[must_use]
pub fn id_of(letter: char, said: &str) -> String {
    let hash = said.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{letter}{:06x}", hash >> 40)
}

/// A text on one line, its blanks single.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
