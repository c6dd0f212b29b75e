//! What goes into a context and what comes out: candidates, slots filled with items, and what was left out.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rem_format::transcript::brief_path;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::budget::{Overrides, Source};
use super::division::open_fence;
use super::quotation::{as_read, comment, quote};
use crate::import::OWN_FENCE_TAG;

/// Something that may stand in the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Path relative to the workspace.
    pub path: String,
    /// First line in the file, from 1.
    pub start_line: usize,
    /// Last line in the file, inclusive.
    pub end_line: usize,
    /// Its text.
    pub text: String,
    /// Why it is offered, for the receipt: `always`, `matched "atlas"`.
    pub why: String,
    /// How well it matches, from 0 to 1, where that is known.
    pub score: Option<f64>,
    /// When it was said, as text that sorts by time.
    pub date: Option<String>,
    /// The day it is of, as the label shows it.
    pub day: Option<String>,
    /// The id of the memory it is, where it is one.
    pub memory: Option<String>,
    /// Whether it comes from a transcript, an import or the web and must be quoted.
    pub is_untrusted: bool,
    /// Whether it goes before the others of its slot, as corrections do that are not yet re-embedded (P6).
    pub is_urgent: bool,
    /// Where a later word on it stands, as `path:line`: the label says so.
    pub later: Option<String>,
    /// Whether it was said in a conversation: what somebody said in one go is one entry, however long.
    pub is_turn: bool,
}

impl Candidate {
    /// Trusted text of these lines, both inclusive, without score or date.
    pub fn new(
        path: impl Into<String>,
        lines: (usize, usize),
        text: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            path: path.into(),
            start_line: lines.0,
            end_line: lines.1,
            text: text.into(),
            why: why.into(),
            score: None,
            date: None,
            day: None,
            memory: None,
            is_untrusted: false,
            is_urgent: false,
            later: None,
            is_turn: false,
        }
    }
}

/// Who listens (C12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The operator alone.
    #[default]
    Main,
    /// A group: MEMORY.md and USER.md stay private.
    Shared,
}

/// Everything a context is compiled from.
#[derive(Debug, Clone, Default)]
pub struct ContextRequest {
    /// The message, which tells what of a long passage is worth the room there is.
    pub message: String,
    /// What differs from CONFIG.md.
    pub overrides: Overrides,
    /// Who listens.
    pub audience: Audience,
    /// The candidates by source.
    pub candidates: BTreeMap<Source, Vec<Candidate>>,
    /// What was left out before, for the receipt of the slot it would have stood in.
    pub left_out: Vec<(Source, Dropped)>,
}

/// A compiled context. It serialises to `rem context --format json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompiledContext {
    /// Tokens of `text`.
    pub tokens: usize,
    /// The most there could have been.
    pub budget: usize,
    /// The slots by priority.
    pub slots: Vec<FilledSlot>,
    /// What the agent sees.
    pub text: String,
    /// Whether earlier turns fell out that are recorded nowhere, for a host to keep what matters of them.
    pub flush_needed: bool,
    /// The episodes that were made of such turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flushed: Vec<String>,
    /// The index that was asked.
    #[serde(skip)]
    pub(crate) index: Option<AskedIndex>,
    /// Where the parts of the text are: slot and item, in the order of the text.
    #[serde(skip)]
    pub(crate) order: Vec<(usize, usize)>,
    /// How long each step took, in milliseconds; the caller fills it in.
    pub timings_ms: BTreeMap<String, u64>,
}

/// The index as a search found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AskedIndex {
    pub(crate) generation: u64,
    pub(crate) embedder: String,
}

impl CompiledContext {
    /// Every item with the name of its slot, by priority.
    pub(crate) fn items(&self) -> impl Iterator<Item = (&'static str, &Item)> {
        self.slots.iter().flat_map(|slot| slot.items.iter().map(|item| (slot.name, item)))
    }
}

/// One slot of a compiled context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FilledSlot {
    /// Its name.
    pub name: &'static str,
    /// Its priority; 1 is the highest.
    pub priority: usize,
    /// Its tokens after cutting and stealing.
    pub budget: usize,
    /// The tokens of its items.
    pub used: usize,
    /// What stands in it, in the order of the text.
    pub items: Vec<Item>,
    /// What was offered and left out.
    pub dropped: Vec<Dropped>,
}

/// One piece of the context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Path relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// Its tokens, with what it takes of a label and a fence: all of them where it is the first of its file in its slot.
    pub tokens: usize,
    /// Why it is here.
    pub why: String,
    /// Its day, where its path does not tell it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where a later word on it stands, as `path:line`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub later: Option<String>,
    /// Whether it stands in a fence, as data.
    pub quoted: bool,
    /// Its text, before it is labelled and fenced.
    #[serde(skip)]
    pub(crate) body: String,
}

impl Item {
    pub(super) fn of(candidate: &Candidate, start_line: usize, end_line: usize, body: &str) -> Self {
        // A transcript's path has the day in folders.
        let is_told =
            |day: &str| candidate.path.contains(day) || candidate.path.contains(&day.replace('-', "/"));
        let date = candidate.day.clone().filter(|day| !is_told(day));
        Self {
            path: candidate.path.clone(),
            start_line,
            end_line,
            tokens: 0,
            why: candidate.why.clone(),
            date,
            later: candidate.later.clone(),
            quoted: candidate.is_untrusted,
            body: body.trim_matches(['\n', '\r']).to_owned(),
        }
    }

    /// With its tokens, where it stands by itself.
    pub(super) fn counted(self, slot: &str, count: impl Fn(&str) -> usize) -> Self {
        Self { tokens: count(&rendered(slot, &[&self])), ..self }
    }

    /// The tokens it takes beside another that it shares a label and a fence with. Counted by its parts: they meet at line ends,
    /// where tokens rarely join.
    pub(super) fn tokens_beside(&self, count: impl Fn(&str) -> usize) -> usize {
        count(&format!(",{}", self.lines())) + count(&format!("{SKIPPED}{}", as_read(&self.body)))
    }

    /// Whether it shares a label and a fence with another of its slot.
    pub(super) fn stands_with(&self, other: &Self) -> bool {
        (&self.path, &self.date, &self.later, self.quoted)
            == (&other.path, &other.date, &other.later, other.quoted)
    }

    fn lines(&self) -> String {
        let Self { start_line, end_line, .. } = self;
        if start_line == end_line { start_line.to_string() } else { format!("{start_line}-{end_line}") }
    }
}

/// What stands for the lines of a file between two of its items.
const SKIPPED: &str = "\n…\n";

/// Items of one file as they stand in the text, in the order of their lines: one label that names the lines of each, and one fence.
pub(crate) fn rendered(slot: &str, items: &[&Item]) -> String {
    // A blank line and the heading of a turn, which are no part of either.
    const APART: usize = 4;
    let Some(first) = items.first() else { return String::new() };
    let lines: Vec<String> = items.iter().map(|item| item.lines()).collect();
    let date = first.date.as_ref().map_or_else(String::new, |date| format!(", {date}"));
    let later = first.later.as_ref().map_or_else(String::new, |later| format!(", later: {later}"));
    let path = brief_path(&first.path).map_or(Cow::Borrowed(first.path.as_str()), Cow::Owned);
    let label = comment(&format!("{slot}: {path}:{}{date}{later}", lines.join(",")));
    let mut shown = as_read(&first.body).into_owned();
    for pair in items.windows(2) {
        let is_next = pair[1].start_line <= pair[0].end_line + APART;
        shown.push_str(if is_next { "\n\n" } else { SKIPPED });
        shown.push_str(&as_read(&pair[1].body));
    }
    // Hosts put a context between tags of its own, which nothing in it ends.
    let shown = shown.replace(&format!("</{OWN_FENCE_TAG}"), &format!("&lt;/{OWN_FENCE_TAG}"));
    let body = if first.quoted { quote(&shown) } else { closed(shown) };
    format!("{label}\n{body}\n\n")
}

/// A text that opens no fence or comment which it does not close: what follows is not a part of it.
fn closed(mut text: String) -> String {
    if let Some((mark, length)) = open_fence(text.lines()) {
        text.push('\n');
        text.extend(std::iter::repeat_n(mark, length));
    } else if text.rfind("<!--") > text.rfind("-->") {
        text.push_str(" -->");
    }
    text
}

/// The identity does not fit, and nothing of it is ever left out (A6.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the identity takes {needed} tokens, and the whole context may have {budget}")]
pub struct IdentityTooLarge {
    /// Tokens of SOUL.md and IDENTITY.md, with their labels.
    pub needed: usize,
    /// Tokens that all slots may hold.
    pub budget: usize,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// Path relative to the workspace.
    pub path: String,
    /// The tokens it would have taken.
    pub tokens: usize,
    /// Why it was left out.
    pub why: String,
}

impl Dropped {
    /// Whether there was no room for it.
    #[must_use]
    pub fn is_over_budget(&self) -> bool {
        self.why.starts_with("over budget")
    }
}
