//! Which transcripts were mined, and which the journal tells of: one line each in `memory/meta/mined/` and `memory/meta/condensed/`.
//!
//! The line is written in the change that keeps what was found, so a crash leaves both or neither, and a clone of the workspace knows.
//! A closed transcript never changes: once is enough.

use std::collections::{HashMap, HashSet};

use rem_format::path::MemoryPath;
use rem_format::read_list::{self, ReadLine};
use rem_format::transcript::parse_file_path;
use rem_ledger::{ChangeSet, LedgerError, Store};

use crate::error::MemoryError;
use crate::memory::Memory;

/// What was done with a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Done {
    /// What it says was taken into the stores.
    Mined,
    /// The journal tells of it.
    Condensed,
}

impl Done {
    pub(super) const ALL: [Self; 2] = [Self::Mined, Self::Condensed];

    /// The folder of its lists, below the memory's own files.
    pub(super) const fn folder(self) -> &'static str {
        match self {
            Self::Mined => "mined",
            Self::Condensed => "condensed",
        }
    }
}

/// Another process did it first.
#[derive(Debug, thiserror::Error)]
#[error("it is done already")]
struct AlreadyDone;

/// Whether a change failed because another process did the same.
pub(super) fn is_done(error: &MemoryError) -> bool {
    matches!(error, MemoryError::Ledger(LedgerError::Edit { source, .. }) if source.is::<AlreadyDone>())
}

impl Memory {
    /// Every transcript with which it was done.
    pub(super) fn transcripts_done(&self, done: Done) -> Result<HashSet<String>, MemoryError> {
        Ok(self.done_by(done)?.into_keys().collect())
    }

    /// Every transcript with which it was done, and by whom.
    fn done_by(&self, done: Done) -> Result<HashMap<String, String>, MemoryError> {
        let folder = format!("{}/{}/", self.path(Store::Meta), done.folder());
        let mut all = HashMap::new();
        for file in self.ledger.list()?.files.iter().filter(|file| file.path.starts_with(&folder)) {
            let bytes = self.ledger.read(&MemoryPath::new(file.path.as_str())?)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            all.extend(read_list::parse(&text).map(|line| (line.path.to_owned(), line.by.to_owned())));
        }
        Ok(all)
    }

    /// Every transcript that rules mined, all or in part: what a model was not asked of, or did not answer.
    pub(super) fn mined_by_rules(&self) -> Result<HashSet<String>, MemoryError> {
        let mut all = self.done_by(Done::Mined)?;
        all.retain(|_, by| by.split(',').any(|each| each.starts_with("rules:")));
        Ok(all.into_keys().collect())
    }

    /// The change that says that it is done with this transcript, and by whom; one that [`is_done`] where somebody said so before.
    pub(super) fn noted_as(
        &self,
        done: Done,
        transcript: &MemoryPath,
        by: &str,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        self.noted_by(done, transcript, by, false)
    }

    /// As [`Self::noted_as`], of one that it was done with before: the line says from now on who did it last.
    pub(super) fn noted_again(
        &self,
        done: Done,
        transcript: &MemoryPath,
        by: &str,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        self.noted_by(done, transcript, by, true)
    }

    fn noted_by(
        &self,
        done: Done,
        transcript: &MemoryPath,
        by: &str,
        is_again: bool,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let month = parse_file_path(transcript.as_str()).map(|name| name.started.date());
        let name = month
            .map_or_else(|| "undated".to_owned(), |date| format!("{:04}-{:02}", date.year(), date.month()));
        let list = self.ledger.layout().file(Store::Meta, &format!("{}/{name}.txt", done.folder()))?;
        let (path, by) = (transcript.to_string(), by.to_owned());
        Ok(ChangeSet::new().edit(list, format!("{} {path}", done.folder()), move |found| {
            let text = String::from_utf8_lossy(found.unwrap_or_default());
            match read_list::parse(&text).any(|known| known.path == path) {
                true if is_again => Ok(Some(by_another(&text, &path, &by))),
                true => Err(Box::new(AlreadyDone)),
                false => Ok(Some(in_order(read_list::append(found, ReadLine { by: &by, path: &path })))),
            }
        }))
    }
}

/// The list with this transcript read by somebody else.
fn by_another(list: &str, path: &str, by: &str) -> Vec<u8> {
    let line = |line: &str| match read_list::parse(line).next().filter(|read| read.path == path) {
        Some(_) => format!("{by} {path}\n"),
        None => format!("{line}\n"),
    };
    list.lines().map(line).collect::<String>().into_bytes()
}

/// The lines in the order of their conversations, so that it says nothing when which was done; as they are where one says something else.
fn in_order(list: Vec<u8>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&list) else { return list };
    let mut lines: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        let Some(read) = read_list::parse(line).next() else { return list };
        lines.push((read.path, line));
    }
    lines.sort_unstable();
    lines.into_iter().flat_map(|(_, line)| [line, "\n"]).collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_in_the_order_of_its_conversations() {
        let list = |text: &str| String::from_utf8(in_order(text.as_bytes().to_vec())).unwrap();
        assert_eq!(list("rules:2 b.md\nmodel a.md\n"), "model a.md\nrules:2 b.md\n");
        assert_eq!(list("rules:2 b.md\nmine\nmodel a.md\n"), "rules:2 b.md\nmine\nmodel a.md\n");
    }
}
