//! What a sub-agent wrote into the files itself, past the memory: taken back, proposed in its name, and said in an alert (M13.1).
//!
//! Nothing can keep a process of the user's from writing the user's files; a host that tells which agent used which file can have it put
//! right at once. What was written stays in history. Whatever another program did to the same file since the last commit goes back with
//! it, for nothing tells the two apart. Must not guess who wrote: whoever calls knows.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval, one_line};
use rem_format::document::Document;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{AgentRole, ChangeSet, OutsideChange, Provenance, Store};
use serde::Serialize;

use super::proposals::{ProposeEffect, ProposeRequest, as_actor};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::router::StoreKind;

/// The most proposals that come of one file.
const MOST_PROPOSALS: usize = 20;

/// What a sub-agent wrote.
#[derive(Debug, Clone)]
pub struct TakeBackRequest<'a> {
    /// The file: from the workspace on, or from the root of the file system.
    pub file: &'a Path,
    /// The sub-agent.
    pub agent: &'a str,
    /// The session it works in.
    pub session: Option<&'a str>,
    /// How long ago it may have been at most; any time where nothing is said.
    pub within: Option<Duration>,
}

/// A file that was put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TakenBack {
    /// The file.
    pub path: MemoryPath,
    /// The commit that keeps what was written.
    pub commit: String,
    /// The proposals that came of it.
    pub proposals: Vec<u64>,
    /// How many statements became none: known as proposals before, what the memory itself had handed out, too long, or too many.
    pub left: usize,
}

impl Memory {
    /// Takes back what a sub-agent wrote into a file of the memory past it: the file gets what it held before, each statement that was
    /// added waits as a proposal in the agent's name, an alert says so. `None` where there is nothing to take back: the file is no memory, a
    /// transcript, or the file of proposals, or what changed it last was no other program, or not within the time.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a path outside of the workspace, or as [`rem_ledger::Ledger::apply`].
    pub fn take_back(&self, request: &TakeBackRequest<'_>) -> Result<Option<TakenBack>, MemoryError> {
        let TakeBackRequest { file, agent, session, within } = *request;
        let path = self.path_in_workspace(file)?;
        let layout = self.ledger.layout();
        let is_kept = layout
            .store_of(&path)
            .is_some_and(|store| !matches!(store, Store::Transcripts | Store::Attachments));
        if !is_kept || path == layout.pending_memories() {
            return Ok(None);
        }
        let since = within.map_or(Timestamp::MIN, |within| self.now() - within);
        let Some(written) = self.ledger.changed_outside(&path, since)? else { return Ok(None) };
        let name = as_actor(&one_line(agent, 80));
        let trigger = format!("{name} wrote {path} past the memory");
        let provenance = |approval| {
            let mut provenance = Provenance::new(Actor::System("guard".to_owned()), approval, &trigger);
            provenance.session = session.map(str::to_owned);
            provenance
        };
        // Whoever the agent is, putting the file right is the memory's own work.
        let main = self.acting_as("main", AgentRole::Main);
        let back = "what a sub-agent wrote is taken back";
        let set = match &written.before {
            Some(before) => ChangeSet::new().write(path.clone(), before.clone(), back),
            None => ChangeSet::new().delete(path.clone(), back),
        };
        main.ledger.apply(&set.action(&path, Action::Revert), &provenance(Approval::Auto))?;
        let (proposals, left) = self.propose_what_was_written(&path, &written, &name, session)?;
        let waits = match proposals.len() {
            0 => "nothing in it waits as a proposal".to_owned(),
            count => format!("{count} of its statements wait as proposals"),
        };
        let short = written.commit.get(..10).unwrap_or(&written.commit);
        let summary = format!(
            "INTEGRITY: written by the sub-agent {name}, past the memory, and taken back; {waits}, commit {short} keeps it all. Pending user acknowledgment."
        );
        main.ledger.record_event(Action::Alert, path.as_str(), &summary, &provenance(Approval::None))?;
        Ok(Some(TakenBack { path, commit: written.commit, proposals, left }))
    }

    /// The files that other programs changed within the last `within`, those included that were noticed before.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::commit_outside_changes`].
    pub fn changed_outside_within(&self, within: Duration) -> Result<Vec<MemoryPath>, MemoryError> {
        Ok(self.ledger.all_changed_outside(self.now() - within)?)
    }

    /// The numbers of what waits now, and how much does not.
    fn propose_what_was_written(
        &self,
        path: &MemoryPath,
        written: &OutsideChange,
        name: &str,
        session: Option<&str>,
    ) -> Result<(Vec<u64>, usize), MemoryError> {
        let added = added(written.before.as_deref(), written.after.as_deref());
        let agent = self.acting_as(name, AgentRole::Sub);
        let mut proposals = Vec::new();
        for text in added.iter().take(MOST_PROPOSALS) {
            let request = ProposeRequest {
                text: text.clone(),
                store: self.ledger.layout().store_of(path).and_then(suggested),
                trigger: Some(format!("wrote {path} itself")),
                session: session.map(str::to_owned),
                ..ProposeRequest::default()
            };
            match agent.propose(&request) {
                Ok(outcome)
                    if matches!(outcome.effect, ProposeEffect::Proposed | ProposeEffect::Committed) =>
                {
                    proposals.push(outcome.number);
                }
                Ok(_) | Err(MemoryError::Usage { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let left = added.len() - proposals.len();
        Ok((proposals, left))
    }

    /// The path of a file in the workspace, however it is written.
    fn path_in_workspace(&self, file: &Path) -> Result<MemoryPath, MemoryError> {
        let root = self.ledger.root();
        let at = if file.is_absolute() { file.to_owned() } else { root.join(file) };
        let canonical = |path: &Path| std::fs::canonicalize(path).ok();
        // The file itself may be gone.
        let folder = at.parent().and_then(canonical);
        let at = folder.zip(at.file_name()).map_or(at.clone(), |(folder, name)| folder.join(name));
        let root = canonical(root).unwrap_or_else(|| root.to_owned());
        let inside = at.strip_prefix(&root).ok().and_then(Path::to_str);
        inside.and_then(|inside| MemoryPath::new(inside.replace('\\', "/")).ok()).ok_or_else(|| {
            MemoryError::usage(
                format!("{} is no file of this workspace", file.display()),
                "name a file of the memory",
            )
        })
    }
}

/// The store that a statement is meant for which was written into one of its files.
fn suggested(store: Store) -> Option<StoreKind> {
    match store {
        Store::Core => Some(StoreKind::Core),
        Store::Episodes => Some(StoreKind::Episodic),
        Store::Procedures => Some(StoreKind::Procedural),
        Store::Vault => Some(StoreKind::Vault),
        _ => None,
    }
}

/// The statements of `after` that `before` does not have: items of lists, and paragraphs.
fn added(before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<String> {
    let of = |bytes: Option<&[u8]>| bytes.and_then(|bytes| Page::parse(bytes).ok()).unwrap_or_default();
    let known: HashSet<String> = statements(&of(before)).into_iter().collect();
    let mut seen = HashSet::new();
    let mut added = statements(&of(after));
    added.retain(|each| !known.contains(each) && seen.insert(each.clone()));
    added
}

fn statements(page: &Page) -> Vec<String> {
    let mut found: Vec<String> = page
        .items()
        .iter()
        .filter(|item| item.ended().is_none())
        .map(|item| item.plain().split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    found.extend(paragraphs(page));
    found.retain(|text| text.chars().any(char::is_alphanumeric));
    found
}

/// What stands between headings, items, fenced code and comments, each paragraph on one line.
fn paragraphs(page: &Page) -> Vec<String> {
    let of_items: HashSet<usize> = page.items().iter().flat_map(|item| item.lines.clone()).collect();
    let first = Document::parse(page.as_str().as_bytes()).body_line();
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut closes: Option<&str> = None;
    for (number, line) in (1..).zip(page.as_str().lines()).filter(|(number, _)| *number >= first) {
        let line = line.trim();
        if let Some(end) = closes {
            closes = (!line.contains(end)).then_some(end);
            continue;
        }
        let opens = [("```", "```"), ("~~~", "~~~"), ("<!--", "-->")];
        let opened = opens.into_iter().find(|(sign, _)| line.starts_with(sign));
        if line.is_empty() || line.starts_with('#') || opened.is_some() || of_items.contains(&number) {
            found.push(std::mem::take(&mut paragraph));
            closes = opened.filter(|(sign, end)| !line[sign.len()..].contains(end)).map(|(_, end)| end);
        } else {
            paragraph.push_str(if paragraph.is_empty() { "" } else { " " });
            paragraph.push_str(line);
        }
    }
    found.push(paragraph);
    found.retain(|paragraph| !paragraph.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_items_and_paragraphs_that_were_not_there() {
        let before = "# Notes\n\n- tea is **hot**  <!-- id:a -->\n\nAn old\nparagraph.\n";
        let after = "---\ntags: [a]\n---\n# Notes\n\n- tea is **hot**  <!-- id:a mentions:2 -->\n* new\n  item\n- ~~gone~~ <!-- superseded:2026-01-01 -->\n\nAn old\nparagraph.\n\n새로운 문장이다.\ntwo lines\n\n<!-- a\nremark -->\n```\ncode\n```\n----\n- new item\n";
        assert_eq!(
            added(Some(before.as_bytes()), Some(after.as_bytes())),
            ["new item", "새로운 문장이다. two lines"]
        );
        assert_eq!(added(None, Some(b"one\n")), ["one"]);
        assert!(added(Some(b"one\n"), None).is_empty());
        assert!(added(None, Some(b"\xff")).is_empty());
    }
}
