//! COMPACTION_LOG.md: every file and entry that was put away, where it is now, and the command that brings it back (L7).
//!
//! A line is written in the change set that takes the thing away, so neither is ever there without the other.

use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Store};

use crate::memory::Memory;
use crate::stores::core::Demoted;

/// Something that leaves its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removal {
    /// The file that it stood in, or was.
    pub(crate) source: MemoryPath,
    /// The file that it stands in now.
    pub(crate) target: MemoryPath,
    /// How many lines it has.
    pub(crate) lines: usize,
    /// Why, in a few words.
    pub(crate) why: String,
}

impl Removal {
    /// That of an entry of MEMORY.md, which is `core`.
    pub(crate) fn of_entry(entry: &Demoted, core: &MemoryPath, target: &MemoryPath, why: &str) -> Self {
        Self {
            source: core.clone(),
            target: target.clone(),
            lines: entry.text.lines().count(),
            why: format!("core:{}, {why}", entry.annotation.get("id").unwrap_or_default()),
        }
    }
}

/// Why an entry went that had to make room.
pub(crate) const OVER_THE_CAP: &str = "over the cap";

/// What a new log says at its beginning.
const START: &str =
    "# Compaction Log\n\n<!-- Everything that was removed or archived, and where it went. -->\n";

impl Memory {
    /// The set, with these removals in the log; `commit` is the last that has the sources as they are.
    pub(crate) fn with_removals<'a>(
        &self,
        set: ChangeSet<'a>,
        what: &str,
        commit: &str,
        removals: &[Removal],
    ) -> ChangeSet<'a> {
        if removals.is_empty() {
            return set;
        }
        let time = self.now().to_zoned(self.time_zone().clone()).strftime("%Y-%m-%d %H:%M");
        let mut text = format!("\n## {time} | {what}\n");
        text.extend(removals.iter().map(|removal| line_of(removal, commit)));
        let summary = match removals {
            [one] => format!("{}: put away", one.source),
            several => format!("{} put away", several.len()),
        };
        set.edit(self.path(Store::CompactionLog).clone(), summary, move |found| {
            let mut log = found.map_or_else(|| START.as_bytes().to_vec(), <[u8]>::to_vec);
            if !log.is_empty() && !log.ends_with(b"\n") {
                log.push(b'\n');
            }
            log.extend_from_slice(text.as_bytes());
            Ok(Some(log))
        })
        .action(self.path(Store::CompactionLog), rem_format::audit::Action::Append)
    }
}

fn line_of(removal: &Removal, commit: &str) -> String {
    let Removal { source, target, lines, why } = removal;
    let count = if *lines == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    format!(
        "- {source} → {target} | {count} | {why} | `rem rollback file {} --to {commit}`\n",
        for_shell(source.as_str())
    )
}

/// A word as a shell takes it.
fn for_shell(word: &str) -> String {
    let is_plain = |each: char| each.is_alphanumeric() || matches!(each, '/' | '.' | '-' | '_');
    match !word.starts_with('-') && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// How many lines a text has.
pub(crate) fn lines_of(bytes: &[u8]) -> usize {
    bytes.split_inclusive(|byte| *byte == b'\n').count()
}
