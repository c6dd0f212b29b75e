//! Two states of one file that both went on from a third, as one: what two clones of a workspace come to.
//!
//! A file is taken as a row of blocks: entries of a log, items of a page, headings, lines. A block that only one side touched goes
//! through; what both added is there once; what both changed is settled by a rule and told as a [`Clash`]. What always holds: a change
//! that one side alone made is in the result, and no entry, item or line that a side added is missing from it and from the clashes.
//! Pure: it knows bytes and a day, neither files nor git.

mod annotations;
mod blocks;
mod entries;
mod front;
mod items;
mod json;
mod weave;

use jiff::civil::Date;

pub use self::blocks::is_binary;
use self::blocks::{Blocks, Cut};

/// How a file is to be understood when it is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// MEMORY.md: a page in which what was is noted in the comment of what is.
    Core,
    /// A page of items: entities, facts, procedures, notes.
    Page,
    /// A log of entries below headings of the second level.
    Log,
    /// pending-memories.md: a log whose entries have numbers.
    Proposals,
    /// Archived files, each as long as it says.
    Archive,
    /// Text of which every line counts by itself: on the lines that both sides changed ours stays.
    Prose,
    /// CONFIG.md: as [`Self::Prose`], and a result that could not be read is none.
    Config,
    /// A line each, none twice.
    Lines,
    /// decay-scores.json.
    Scores,
    /// pending-reflection.json.
    Reflection,
    /// What is made from other files: ours stays until it is made again.
    Generated,
    /// Anything else: where both changed it, ours stays.
    Opaque,
}

impl Shape {
    /// Every shape.
    pub const ALL: [Self; 12] = [
        Self::Core,
        Self::Page,
        Self::Log,
        Self::Proposals,
        Self::Archive,
        Self::Prose,
        Self::Config,
        Self::Lines,
        Self::Scores,
        Self::Reflection,
        Self::Generated,
        Self::Opaque,
    ];
}

/// Something that both sides changed, each in its way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clash {
    /// What holds in the result.
    pub kept: String,
    /// What the other side said.
    pub other: String,
    /// Whether the one that holds is a correction, which wins always.
    pub is_corrected: bool,
}

/// A merged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// What it says now.
    pub bytes: Vec<u8>,
    /// What both sides changed.
    pub clashes: Vec<Clash>,
    /// Whether the bytes hold all that matters of both sides: where they do not, theirs is worth keeping beside them.
    pub is_whole: bool,
}

impl Merged {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), clashes: Vec::new(), is_whole: true }
    }

    /// Ours, where theirs could not be taken in.
    fn left(ours: &[u8]) -> Self {
        Self { bytes: ours.to_vec(), clashes: Vec::new(), is_whole: false }
    }
}

/// Merges two states of a file; `base` is what both went on from, nothing where it was not there. `day` is when what does not hold any
/// more is noted as superseded.
#[must_use]
pub fn merge(shape: Shape, base: Option<&[u8]>, ours: &[u8], theirs: &[u8], day: Date) -> Merged {
    if ours == theirs || base == Some(theirs) {
        return Merged::of(ours);
    }
    if base == Some(ours) {
        return Merged::of(theirs);
    }
    let base = base.unwrap_or_default();
    match shape {
        Shape::Generated => return Merged::of(ours),
        Shape::Scores => return json::scores(base, ours, theirs),
        Shape::Reflection => return json::reflection(ours, theirs),
        Shape::Opaque => return Merged::left(ours),
        _ => {}
    }
    if [base, ours, theirs].into_iter().any(is_binary) {
        return Merged::left(ours);
    }
    let merged = texts(shape, base, ours, theirs, day);
    match shape {
        Shape::Config if is_config(ours) && !is_config(&merged.bytes) => config_left(base, ours, theirs),
        _ => merged,
    }
}

fn texts(shape: Shape, base: &[u8], ours: &[u8], theirs: &[u8], day: Date) -> Merged {
    let mut clashes = Vec::new();
    let has_front = !matches!(shape, Shape::Log | Shape::Proposals | Shape::Archive | Shape::Lines);
    let front = if has_front { front::merged(base, ours, theirs, &mut clashes) } else { None };
    let starts = match &front {
        Some(front) => front.starts,
        // Unreadable front matter is text like any other.
        None => [0; 3],
    };
    let cut = match shape {
        Shape::Core | Shape::Page => Cut::Items,
        Shape::Log => Cut::Entries,
        Shape::Proposals => Cut::Proposals,
        Shape::Archive => Cut::Archived,
        Shape::Lines => Cut::Set,
        _ => Cut::Lines,
    };
    let sides = [base, ours, theirs];
    let is_page = cut == Cut::Items && sides.iter().all(|side| std::str::from_utf8(side).is_ok());
    let cut = if cut == Cut::Items && !is_page { Cut::Lines } else { cut };
    let renumbered = match shape {
        Shape::Proposals => entries::renumbered(base, ours, theirs),
        Shape::Log => entries::named_anew(base, ours, theirs),
        _ => None,
    };
    let theirs = renumbered.as_deref().unwrap_or(theirs);
    let [base, ours, theirs] = [(base, starts[0]), (ours, starts[1]), (theirs, starts[2])]
        .map(|(bytes, start)| Blocks::of(bytes, start, cut));
    let rules = weave::Rules {
        ours_stays: matches!(shape, Shape::Prose | Shape::Config),
        is_core: shape == Shape::Core,
        are_proposals: shape == Shape::Proposals,
        day,
    };
    let mut bytes = front.map(|front| front.bytes).unwrap_or_default();
    weave::weave(&base, &ours, &theirs, &rules, &mut bytes, &mut clashes);
    clashes.sort();
    clashes.dedup();
    Merged { bytes, clashes, is_whole: true }
}

fn is_config(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| crate::config::Config::parse(text).is_ok())
}

/// Ours, with each line that only theirs has as something for a person.
fn config_left(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merged {
    let known: std::collections::HashSet<&[u8]> =
        [base, ours].into_iter().flat_map(|side| side.split(|byte| *byte == b'\n')).collect();
    let new: Vec<String> = theirs
        .split(|byte| *byte == b'\n')
        .filter(|line| !known.contains(line) && !line.trim_ascii().is_empty())
        .map(|line| String::from_utf8_lossy(line).trim().to_owned())
        .collect();
    let clash =
        Clash { kept: "CONFIG.md as it is here".to_owned(), other: new.join("; "), is_corrected: false };
    Merged { clashes: vec![clash], ..Merged::left(ours) }
}

#[cfg(test)]
mod tests;
