//! A Markdown text as blocks: runs of whole lines that belong together, which passages are made of.
//!
//! Pure, and forgiving: whatever a text holds, each of its lines that is not blank belongs to one block. Must not know what a
//! passage is.

use std::ops::Range;

use rem_format::fence::{Fence, fence_of, is_closed_by, opened_by};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    FrontMatter,
    Heading,
    Fence,
    Entry,
    Paragraph,
}

/// A run of whole lines that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) kind: Kind,
    pub(crate) bytes: Range<usize>,
    /// Its first line, from 1.
    pub(crate) line: usize,
}

/// A text as its blocks, in their order; every line that holds anything belongs to one.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<Fence> = None;
    let mut in_front_matter = false;
    let mut after_blank = true;
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let bytes = offset..offset + line.len();
        offset = bytes.end;
        let content = line.trim_end();
        let indentation = content.len() - content.trim_start().len();
        let start_block = |kind: Kind, blocks: &mut Vec<Block>| {
            blocks.push(Block { kind, bytes: bytes.clone(), line: index + 1 });
        };
        let continues = |blocks: &mut Vec<Block>| {
            if let Some(last) = blocks.last_mut() {
                last.bytes.end = bytes.end;
            }
        };
        if in_front_matter {
            continues(&mut blocks);
            in_front_matter = content != "---";
        } else if let Some(open) = fence {
            continues(&mut blocks);
            if is_closed_by(content, open) {
                fence = None;
            }
            after_blank = false;
            continue;
        } else if index == 0 && content == "---" {
            in_front_matter = text[offset..].lines().any(|line| line.trim_end() == "---");
            start_block(if in_front_matter { Kind::FrontMatter } else { Kind::Paragraph }, &mut blocks);
        } else if content.is_empty() {
            after_blank = true;
            continue;
        } else if let Some(opened) = fence_of(content) {
            fence = Some(opened);
            // A fence inside a list entry belongs to the entry.
            match blocks.last() {
                Some(last) if indentation > 0 && last.kind == Kind::Entry => continues(&mut blocks),
                _ => start_block(Kind::Fence, &mut blocks),
            }
        } else if is_heading(content) {
            start_block(Kind::Heading, &mut blocks);
        } else if indentation == 0 && is_entry(content) {
            fence = opened_by(content);
            start_block(Kind::Entry, &mut blocks);
        } else {
            let goes_on = blocks.last().is_some_and(|last| match last.kind {
                Kind::Entry => indentation > 0 || !after_blank,
                Kind::Paragraph => !after_blank,
                _ => false,
            });
            if goes_on {
                continues(&mut blocks);
            } else {
                start_block(Kind::Paragraph, &mut blocks);
            }
        }
        after_blank = false;
    }
    blocks
}

pub(crate) fn heading_level(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b'#').count()
}

pub(crate) fn is_heading(content: &str) -> bool {
    let level = heading_level(content);
    (1..=6).contains(&level) && content[level..].starts_with([' ', '\t'])
}

fn is_entry(content: &str) -> bool {
    let after_digits = content.trim_start_matches(|each: char| each.is_ascii_digit());
    let is_numbered = after_digits.len() < content.len() && after_digits.starts_with([')', '.']);
    let rest =
        if is_numbered { &after_digits[1..] } else { content.strip_prefix(['-', '*', '+']).unwrap_or("") };
    rest.starts_with([' ', '\t'])
}

/// Who speaks, if a heading starts a turn of a transcript: `user` in `## 18:45 — user`.
pub(crate) fn turn_speaker(heading: &str) -> Option<&str> {
    let rest = heading.trim_end().strip_prefix("## ")?;
    let bytes = rest.as_bytes();
    let is_turn = bytes.len() > 5
        && bytes[2] == b':'
        && [0, 1, 3, 4].iter().all(|index| bytes[*index].is_ascii_digit());
    if is_turn { rest.get(5..)?.strip_prefix(" — ") } else { None }
}
