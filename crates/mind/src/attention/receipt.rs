//! Receipts (C16): what a context was made of, enough to make it again byte for byte after the workspace moved on.
//!
//! An item is kept as the lines of its file at the commit of that moment; what no commit holds (an open transcript, a file from
//! outside, text that is no whole lines) is kept in words. A replay that does not come to the same bytes says so.

use std::collections::{BTreeSet, HashMap};

use rem_format::path::MemoryPath;
use rem_ledger::Snapshot;
use serde::{Deserialize, Serialize};

use super::candidates::ContextQuery;
use super::compiled::{Audience, CompiledContext, Dropped, Item};
use super::context::text_of;
use super::quotation::NOTICE;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::Located;

/// The version of the format.
const VERSION: u32 = 6;
/// The folder below the private one that keeps the last receipts.
const FOLDER: &str = "receipts";
/// How many of them.
const MOST_KEPT: usize = 20;

/// What a context was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// The version of this format.
    pub version: u32,
    /// When, in RFC 3339.
    pub time: String,
    /// The commit whose files it was made of; nothing in a workspace without one.
    pub commit: Option<String>,
    /// A hash of CONFIG.md.
    pub config: String,
    /// The index's generation; nothing where nothing was searched.
    pub generation: Option<u64>,
    /// The embedder that answered.
    pub embedder: Option<String>,
    /// What was asked.
    pub arguments: ReceiptArguments,
    /// Tokens of the text.
    pub tokens: usize,
    /// The most there could have been.
    pub budget: usize,
    /// The slots by priority.
    pub slots: Vec<ReceiptSlot>,
    /// Slot and item of each part of the text, in its order.
    pub order: Vec<(usize, usize)>,
    /// The sentence before the first fence.
    pub notice: String,
    /// The hash of the text.
    pub text: String,
    /// How long each step took, in milliseconds.
    pub timings_ms: std::collections::BTreeMap<String, u64>,
}

/// What a context was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptArguments {
    /// The message.
    pub message: String,
    /// The session.
    pub session: Option<String>,
    /// The table of slots.
    pub preset: String,
    /// What was asked for instead of the settings, in tokens: budget, window, and the host's system prompt.
    pub overrides: [Option<usize>; 3],
    /// `main` or `shared`.
    pub kind: String,
    /// The active topics.
    pub topics: Vec<String>,
    /// Those on whose behalf; nobody for the operator.
    #[serde(rename = "for")]
    pub on_behalf_of: Vec<String>,
}

/// One slot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptSlot {
    /// Its name.
    pub name: String,
    /// Its priority; 1 is the highest.
    pub priority: usize,
    /// Its tokens after cutting and stealing.
    pub budget: usize,
    /// The tokens of its items.
    pub used: usize,
    /// What stood in it.
    pub items: Vec<ReceiptItem>,
    /// What was offered and left out.
    pub dropped: Vec<Dropped>,
}

/// One piece of a context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptItem {
    /// Path relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// Its tokens.
    pub tokens: usize,
    /// Why it was there.
    pub why: String,
    /// Its day, where its path does not tell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Where a later word on it stands, as `path:line`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub later: Option<String>,
    /// Whether it stood in a fence.
    pub quoted: bool,
    /// Its lines at the commit, as runs of first and last; `[0, 0]` is an empty line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<(usize, usize)>,
    /// Its words, where no commit holds them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Memory {
    /// The receipt of a context that was just compiled for this query.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where history cannot be read.
    pub fn receipt(
        &self,
        query: &ContextQuery<'_>,
        context: &CompiledContext,
    ) -> Result<Receipt, MemoryError> {
        let commit = self.ledger.head()?;
        let snapshot = commit.as_ref().map(|commit| self.ledger.snapshot(commit)).transpose()?;
        let paths: BTreeSet<MemoryPath> =
            context.items().filter_map(|(_, item)| MemoryPath::new(item.path.clone()).ok()).collect();
        let files = self.contents_at(snapshot.as_ref(), paths)?;
        let mut slots = Vec::with_capacity(context.slots.len());
        for slot in &context.slots {
            let mut items = Vec::with_capacity(slot.items.len());
            for item in &slot.items {
                let lines = files.get(item.path.as_str()).and_then(|file| lines_of(file, item));
                items.push(ReceiptItem {
                    path: item.path.clone(),
                    start_line: item.start_line,
                    end_line: item.end_line,
                    tokens: item.tokens,
                    why: item.why.clone(),
                    date: item.date.clone(),
                    later: item.later.clone(),
                    quoted: item.quoted,
                    text: lines.is_none().then(|| item.body.clone()),
                    lines: lines.unwrap_or_default(),
                });
            }
            let (priority, budget, used) = (slot.priority, slot.budget, slot.used);
            let (name, dropped) = (slot.name.to_owned(), slot.dropped.clone());
            slots.push(ReceiptSlot { name, priority, budget, used, items, dropped });
        }
        let config = self.ledger.read(self.path(rem_ledger::Store::Config))?.unwrap_or_default();
        let overrides = query.overrides;
        Ok(Receipt {
            version: VERSION,
            time: self.now().to_string(),
            commit,
            config: blake3::hash(&config).to_hex().to_string(),
            generation: context.index.as_ref().map(|index| index.generation),
            embedder: context.index.as_ref().map(|index| index.embedder.clone()),
            arguments: ReceiptArguments {
                // A receipt is written down, and secrets are not.
                message: self.redactor()?.redact(query.message).0.into_owned(),
                session: query.session.map(str::to_owned),
                preset: overrides.preset.unwrap_or(self.config.context.preset).name().to_owned(),
                overrides: [overrides.budget, overrides.window, overrides.system_tokens],
                kind: match query.audience {
                    Audience::Main => "main",
                    Audience::Shared => "shared",
                }
                .to_owned(),
                topics: query.topics.to_vec(),
                on_behalf_of: query.asking.names().map(str::to_owned).collect(),
            },
            tokens: context.tokens,
            budget: context.budget,
            slots,
            order: context.order.clone(),
            notice: NOTICE.to_owned(),
            text: blake3::hash(context.text.as_bytes()).to_hex().to_string(),
            timings_ms: context.timings_ms.clone(),
        })
    }

    /// The text that a receipt is of, made again from history.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a receipt of another version, and where what comes out is not what it was: a commit or file that
    /// is gone is named.
    pub fn replay(&self, receipt: &Receipt) -> Result<String, MemoryError> {
        let differs = |what: String| {
            MemoryError::usage(
                format!("the context cannot be made again: {what}"),
                "history may have been purged or rewritten, or the receipt edited; `rem verify` checks history",
            )
        };
        if receipt.version != VERSION {
            return Err(differs(format!("the receipt has version {}, not {VERSION}", receipt.version)));
        }
        let snapshot = receipt.commit.as_ref().map(|commit| self.ledger.snapshot(commit)).transpose()?;
        let items = receipt.slots.iter().flat_map(|slot| &slot.items).filter(|item| item.text.is_none());
        let paths = items.map(|item| MemoryPath::new(item.path.clone())).collect::<Result<_, _>>()?;
        let files = self.contents_at(snapshot.as_ref(), paths)?;
        let mut parts: Vec<(&str, Item)> = Vec::with_capacity(receipt.order.len());
        for (slot, item) in &receipt.order {
            let slot = receipt.slots.get(*slot);
            let Some((slot, item)) = slot.and_then(|slot| Some((slot, slot.items.get(*item)?))) else {
                return Err(differs("its order names an item that it does not have".to_owned()));
            };
            let path = &item.path;
            let body = match (&item.text, &receipt.commit) {
                (Some(text), _) => text.clone(),
                (None, Some(commit)) => {
                    let file = files.get(path);
                    let file =
                        file.ok_or_else(|| differs(format!("{path} is not in the commit {commit}")))?;
                    let body = body_of(file, &item.lines);
                    body.ok_or_else(|| differs(format!("{path} has no such lines in the commit {commit}")))?
                }
                (None, None) => return Err(differs(format!("{} has no words and no commit", item.path))),
            };
            parts.push((&slot.name, item.again(body)));
        }
        let text = text_of(parts.iter().map(|(slot, item)| (*slot, item)), &receipt.notice);
        if blake3::hash(text.as_bytes()).to_hex().as_str() != receipt.text {
            return Err(differs("the text is another one".to_owned()));
        }
        Ok(text)
    }

    /// The text of these files as a commit has them, by path; those that it has.
    fn contents_at(
        &self,
        snapshot: Option<&Snapshot>,
        paths: BTreeSet<MemoryPath>,
    ) -> Result<HashMap<String, String>, MemoryError> {
        let Some(snapshot) = snapshot else { return Ok(HashMap::new()) };
        let paths: Vec<MemoryPath> = paths.into_iter().collect();
        let contents = self.ledger.all_contents_in(snapshot, &paths)?;
        let found = paths.into_iter().zip(contents).filter_map(|(path, bytes)| {
            Some((path.to_string(), String::from_utf8_lossy(&bytes?).into_owned()))
        });
        Ok(found.collect())
    }

    /// Keeps a receipt among the last ones.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where it cannot be written.
    pub fn keep_receipt(&self, receipt: &Receipt) -> Result<(), MemoryError> {
        let json = serde_json::to_vec(receipt).unwrap_or_default();
        let _guard = self.ledger.lock_private("receipts.lock")?;
        let mut names = self.receipt_names();
        // In the order of time, and never two of one name.
        let last = names.last().and_then(|name| name.trim_end_matches(".json").parse::<u64>().ok());
        let name = format!("{:08}.json", last.unwrap_or(0) + 1);
        self.ledger.write_private(&format!("{FOLDER}/{name}"), &json)?;
        names.push(name);
        for old in names.iter().rev().skip(MOST_KEPT) {
            self.ledger.remove_private(&format!("{FOLDER}/{old}"))?;
        }
        Ok(())
    }

    /// The last receipts, at most so many, the newest first; those of another version are left out.
    #[must_use]
    pub fn receipts(&self, most: usize) -> Vec<Receipt> {
        let names = self.receipt_names();
        let read = |name: &String| {
            let bytes = self.ledger.read_private(&format!("{FOLDER}/{name}"))?;
            serde_json::from_slice(&bytes).ok()
        };
        names.iter().rev().filter_map(read).take(most).collect()
    }

    /// Takes the kept receipts away that have the words of memories which are forgotten for good, or name their files.
    pub(crate) fn forget_receipts_of(&self, forgotten: &[Located]) -> Result<(), MemoryError> {
        let _guard = self.ledger.lock_private("receipts.lock")?;
        let in_json =
            |text: &str| serde_json::to_string(text).unwrap_or_default().trim_matches('"').to_owned();
        let told: Vec<String> = forgotten
            .iter()
            .flat_map(|memory| [in_json(memory.text.trim()), in_json(memory.path.as_str())])
            .filter(|told| !told.is_empty())
            .collect();
        for name in self.receipt_names() {
            let name = format!("{FOLDER}/{name}");
            let receipt = self.ledger.read_private(&name).unwrap_or_default();
            let receipt = String::from_utf8_lossy(&receipt);
            if told.iter().any(|told| receipt.contains(told)) {
                self.ledger.remove_private(&name)?;
            }
        }
        Ok(())
    }

    fn receipt_names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.ledger.private_folder().join(FOLDER)).ok();
        let mut names: Vec<String> = entries
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".json"))
            .collect();
        names.sort_unstable();
        names
    }
}

impl ReceiptItem {
    fn again(&self, body: String) -> Item {
        Item {
            path: self.path.clone(),
            start_line: self.start_line,
            end_line: self.end_line,
            tokens: self.tokens,
            why: self.why.clone(),
            date: self.date.clone(),
            later: self.later.clone(),
            quoted: self.quoted,
            body,
        }
    }
}

/// The lines of a file that an item's text is made of, as runs; nothing where it is made of anything else.
fn lines_of(file: &str, item: &Item) -> Option<Vec<(usize, usize)>> {
    let lines: Vec<&str> = file.split('\n').collect();
    let wanted: Vec<&str> = item.body.split('\n').collect();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    // Headings come first, from anywhere above; then the lines themselves.
    let mut next = item.start_line.saturating_sub(wanted.len()).max(1);
    for line in wanted {
        let follows = lines.get(next - 1).is_some_and(|found| *found == line);
        let number = match (follows, line.is_empty()) {
            (true, _) => next,
            (false, true) => 0,
            (false, false) => {
                let from = |first: usize| {
                    let found = lines.iter().skip(first - 1).position(|found| *found == line);
                    found.map(|at| at + first)
                };
                from(item.start_line).filter(|at| *at <= item.end_line).or_else(|| from(1))?
            }
        };
        next = if number == 0 { next + 1 } else { number + 1 };
        match runs.last_mut() {
            Some((_, last)) if number > 0 && *last > 0 && *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    (body_of(file, &runs)? == item.body).then_some(runs)
}

fn body_of(file: &str, runs: &[(usize, usize)]) -> Option<String> {
    let lines: Vec<&str> = file.split('\n').collect();
    let mut body: Vec<&str> = Vec::new();
    for (first, last) in runs {
        match (*first, *last) {
            (0, 0) => body.push(""),
            (first, last) if first > 0 && first <= last => body.extend(lines.get(first - 1..last)?),
            _ => return None,
        }
    }
    Some(body.join("\n"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn item(start_line: usize, end_line: usize, body: &str) -> Item {
        Item {
            path: "a.md".to_owned(),
            start_line,
            end_line,
            tokens: 0,
            why: String::new(),
            date: None,
            later: None,
            quoted: false,
            body: body.to_owned(),
        }
    }

    #[test]
    fn a_text_is_kept_as_lines_of_its_file_where_it_is_made_of_them() {
        let file = "# A\n\n- x\n- y\n\n## B\n- x\n";
        assert_eq!(lines_of(file, &item(3, 4, "- x\n- y")), Some(vec![(3, 4)]));
        assert_eq!(lines_of(file, &item(7, 7, "# A\n## B\n- x")), Some(vec![(1, 1), (6, 7)]));
        assert_eq!(lines_of(file, &item(3, 7, "- x\n\n\n- y")), Some(vec![(3, 3), (0, 0), (5, 5), (4, 4)]));
        assert_eq!(lines_of(file, &item(3, 4, "- x\n- z")), None);
        assert_eq!(body_of(file, &[(3, 99)]), None);
        assert_eq!(body_of(file, &[(4, 3)]), None);
    }

    proptest! {
        #[test]
        fn whatever_is_kept_as_lines_comes_back(file in "([ab]?\n){0,12}", start in 1..12_usize, count in 1..6_usize) {
            let lines: Vec<&str> = file.split('\n').collect();
            let last = (start + count - 1).min(lines.len());
            if start <= last {
                let body = lines[start - 1..last].join("\n");
                let runs = lines_of(&file, &item(start, last, &body)).expect("made of lines");
                prop_assert_eq!(body_of(&file, &runs), Some(body));
            }
        }
    }
}
