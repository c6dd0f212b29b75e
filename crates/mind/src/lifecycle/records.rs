//! What the program writes of its own doings, and repeats memories in: asked about by nobody, and rid of what is forgotten for good.
//!
//! A line that tells something of it keeps its labels and its comment, from which the program reads its own past, and says "(forgotten)".
//! approvals.md stays as it is: what is signed is its text. What the operator wrote, and what stands in SOUL.md, stays.

use std::collections::BTreeSet;

use rem_format::correction;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Layout, Store};

use super::forgotten::{Forgotten, persons_of};
use super::unsaid::Unsaid;
use super::untelling::texts_in;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::locate::Located;

/// Files below the memory's own that repeat memories: proposed, decided, understood, approved.
const RECORDS: [&str; 8] = [
    "pending-memories.md",
    "rejected-memories.md",
    "pending-identity.md",
    "pending-reflection.md",
    "reflection-log.md",
    "evolution.md",
    "audit-archive.md",
    "approvals.md",
];
/// Those of them that are only added to, and that words can be taken out of.
const LOGS: [&str; 3] = ["reflection-log.md", "evolution.md", "audit-archive.md"];
/// What stands for words that were forgotten.
pub(crate) const GONE: &str = "(forgotten)";
/// Shorter words may stand in a line by chance, in bytes.
const TELLING: usize = 6;
/// A label has no more words.
const LABEL: usize = 2;

/// Whether a file tells what was proposed, decided and settled: all of that repeats memories, those that were forgotten since as well.
pub(crate) fn is_record(layout: &Layout, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    path == layout.path(Store::Conflicts).as_str()
        || folder == layout.path(Store::Meta).as_str() && RECORDS.contains(&name)
}

/// What is forgotten, as it may stand in other words' company.
pub(crate) struct Untold {
    unsaid: Unsaid,
    said: Vec<String>,
    persons: Forgotten,
}

impl Untold {
    /// Of memories as they were.
    pub(crate) fn of(forgotten: &[Located]) -> Self {
        let mut said: Vec<String> = forgotten.iter().flat_map(said_by).collect();
        // A word alone, as in a summary, is said of much.
        said.retain(|text| text.len() >= TELLING && (text.contains(' ') || !text.is_ascii()));
        let mut unsaid = Unsaid::default();
        said.iter().for_each(|text| unsaid.add(text));
        Self { unsaid, said, persons: persons_of(forgotten.iter().map(|each| each.text.as_str())) }
    }

    /// Whether a text tells something of it.
    pub(crate) fn is_told_by(&self, text: &str) -> bool {
        self.unsaid.is_told_by(text) || self.persons.holds_person_in(text, jiff::civil::Date::MIN)
    }

    /// A line without it, its labels and its comment where they tell nothing of it.
    fn redacted(&self, line: &str) -> Option<String> {
        let is_quiet = line.trim().is_empty() || line.starts_with('#');
        if is_quiet || !self.is_told_by(line) {
            return None;
        }
        let bare = line.trim_end();
        let end = &line[bare.len()..];
        let (body, note) = bare.find("<!--").map_or((bare, ""), |at| bare.split_at(at));
        let note = if self.is_told_by(note) { "" } else { note };
        let start = body.len() - body.trim_start().trim_start_matches("- ").len();
        let (mut kept, mut rest) = body.split_at(start);
        for _ in 0..2 {
            let Some(at) = rest.find(": ").filter(|at| self.is_label(&rest[..*at])) else { break };
            (kept, rest) = body.split_at(kept.len() + at + 2);
        }
        let quoted = if rest.starts_with('"') { format!("\"{GONE}\"") } else { GONE.to_owned() };
        let blank = if note.is_empty() { "" } else { " " };
        Some(format!("{kept}{quoted}{blank}{note}{end}"))
    }

    fn is_label(&self, text: &str) -> bool {
        let words: Vec<&str> = text.split(' ').collect();
        let is_word = |word: &&str| !word.is_empty() && word.chars().all(char::is_alphabetic);
        let begins = |said: &String| said.to_lowercase().starts_with(&text.to_lowercase());
        words.len() <= LABEL && words.iter().all(is_word) && !self.said.iter().any(begins)
    }

    /// A file without it; nothing where it tells nothing of it. Lines of which `stays` is so stay.
    fn without(&self, found: &[u8], stays: impl Fn(&str) -> bool) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(found).ok()?;
        let line = |line: &str| match self.redacted(line) {
            Some(after) if !stays(line) => after,
            _ => line.to_owned(),
        };
        let after: String = text.split_inclusive('\n').map(line).collect();
        (after != text).then(|| after.into_bytes())
    }
}

impl Memory {
    /// The change that takes what is forgotten for good out of what the program wrote of its own doings; and the files that still say it,
    /// because what is signed in them cannot be changed.
    pub(crate) fn records_without(
        &self,
        forgotten: &[Located],
    ) -> Result<(ChangeSet<'static>, Vec<MemoryPath>), MemoryError> {
        let untold = Untold::of(forgotten);
        let layout = self.ledger.layout();
        let mut paths = vec![self.path(Store::Changelog).clone(), self.path(Store::CompactionLog).clone()];
        for name in LOGS {
            paths.push(layout.file(Store::Meta, name)?);
        }
        let soul = self.ledger.read(self.path(Store::Soul))?.unwrap_or_default();
        let standing: BTreeSet<String> = Page::parse(&soul)
            .map(|page| page.items().iter().map(|item| item.plain().to_owned()).collect())
            .unwrap_or_default();
        let stays = |line: &str| standing.iter().any(|principle| line.contains(principle.as_str()));
        let mut set = ChangeSet::new();
        for path in paths {
            let Some(found) = self.ledger.read(&path)? else { continue };
            let Some(after) = untold.without(&found, stays) else { continue };
            set = set
                .edit(path.clone(), "forgotten for good", move |now| match now {
                    Some(now) if now == found => Ok(Some(after.clone())),
                    _ => Err("it changed meanwhile: try again".into()),
                })
                .take_away(&path);
        }
        let approvals = layout.approvals();
        let signed = self.ledger.read(&approvals)?.unwrap_or_default();
        let is_said = String::from_utf8_lossy(&signed).lines().any(|line| untold.is_told_by(line));
        Ok((set, is_said.then_some(approvals).into_iter().collect()))
    }
}

/// What a memory says, text by text; of a correction what was wrong and what is right.
pub(crate) fn said_by(located: &Located) -> Vec<String> {
    let corrections = correction::parse(located.text.as_bytes());
    match corrections.is_empty() {
        true => texts_in(&located.text),
        false => {
            corrections.into_iter().flat_map(|each| [each.correction.right, each.correction.wrong]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn untold(said: &[&str]) -> Untold {
        let mut unsaid = Unsaid::default();
        said.iter().for_each(|text| unsaid.add(text));
        let said = said.iter().map(|text| (*text).to_owned()).collect();
        Untold { unsaid, said, persons: Forgotten::default() }
    }

    #[test]
    fn a_line_keeps_what_the_program_reads_and_tells_nothing() {
        let untold =
            untold(&["Viktor's salary is 91000 euros", "금고 비밀번호는 7734야", "保险箱密码是7734"]);
        for (line, after) in [
            (
                "- approved: promotion: Viktor's salary is 91000 euros <!-- key:k1 | evidence:e -->\n",
                "- approved: promotion: (forgotten) <!-- key:k1 | evidence:e -->\n",
            ),
            ("- Corrected: 금고 비밀번호는 7734야 (it had been: 1)\r\n", "- Corrected: (forgotten)\r\n"),
            ("- 保险箱密码是7734", "- (forgotten)"),
            ("  Said: Viktor's salary is 91000 euros\n", "  Said: (forgotten)\n"),
            (
                "- Rejected principle: \"Viktor's salary is 91000 euros\"\n",
                "- Rejected principle: \"(forgotten)\"\n",
            ),
        ] {
            assert_eq!(untold.redacted(line).as_deref(), Some(after));
        }
        for other in
            ["- approved: promotion: Bo plays the oboe\n", "# Viktor's salary is 91000 euros\n", "\n"]
        {
            assert_eq!(untold.redacted(other), None);
        }
    }
}
