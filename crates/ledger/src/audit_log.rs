//! `memory/meta/audit.log`: derived from git, appended as commits are made, rebuilt to the same bytes at any time.
//!
//! The lines of a commit follow from the commit alone: its structured message if the program made it, its difference to its
//! parent otherwise. A critical file that a commit changed past the program has an alert there (M12.5). The order is that of first parents; commits that a merge brought in stand before the merge.
//! `.rem/audited` remembers up to which commit the log reaches and how long it was then; if that does not fit, the log is
//! rebuilt. Months that were digested (M12.6) are left out.

use std::collections::HashSet;
use std::io::{Seek, SeekFrom, Write};

use gix::ObjectId;
use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval, AuditLine};
use rem_format::path::MemoryPath;

use crate::digest;
use crate::error::LedgerError;
use crate::git::{CommitInfo, Repository};
use crate::layout::Store;
use crate::ledger::Ledger;
use crate::{fault, files};

/// What an alert says of a critical file that a commit changed which this program did not make.
const FOREIGN: &str = "Critical file changed by a commit made outside. Pending user acknowledgment.";
/// Alerts whose commits were taken out of the history.
const LOST: &str = "alerts-lost";
/// Bytes of them that are kept at most.
const LONGEST_LOST: u64 = 64 * 1024;

/// What to show of the audit log; an empty query shows all.
#[derive(Debug, Clone, Default)]
pub struct AuditQuery {
    /// Only the last so many lines that match.
    pub tail: Option<usize>,
    /// Actors, `*` standing for anything.
    pub actor: Option<String>,
    /// Actions.
    pub actions: Vec<Action>,
    /// A file, or a folder with all below it.
    pub file: Option<String>,
    /// Not before.
    pub since: Option<Timestamp>,
    /// Text that the line holds, in any case.
    pub contains: Option<String>,
}

impl AuditQuery {
    fn matches(&self, line: &AuditLine, text: &str) -> bool {
        self.actor.as_ref().is_none_or(|pattern| wildcard(pattern, &line.actor.to_string()))
            && (self.actions.is_empty() || self.actions.contains(&line.action))
            && self.file.as_ref().is_none_or(|file| {
                line.file == *file || line.file.starts_with(&format!("{}/", file.trim_end_matches('/')))
            })
            && self.since.is_none_or(|since| line.time >= since)
            && self
                .contains
                .as_ref()
                .is_none_or(|needle| text.to_lowercase().contains(&needle.to_lowercase()))
    }
}

/// Whether `pattern`, in which `*` stands for any text, matches all of `text`.
fn wildcard(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((prefix, rest)) => text.strip_prefix(prefix).is_some_and(|text| {
            let mut from = 0;
            loop {
                if text.is_char_boundary(from) && wildcard(rest, &text[from..]) {
                    return true;
                }
                from += 1;
                if from > text.len() {
                    return false;
                }
            }
        }),
    }
}

impl Ledger {
    /// The audit lines that match, oldest first.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when the log cannot be read.
    pub fn audit(&self, query: &AuditQuery) -> Result<Vec<AuditLine>, LedgerError> {
        let log = files::read(&self.audit_path())?.unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let mut lines: Vec<AuditLine> = log
            .lines()
            // Reading a line costs a hundred times more than seeing that the word is not in it.
            .filter(|text| {
                query.actions.is_empty() || query.actions.iter().any(|action| text.contains(action.as_str()))
            })
            .filter_map(|text| AuditLine::parse(text).ok().filter(|line| query.matches(line, text)))
            .collect();
        if let Some(tail) = query.tail {
            lines.drain(..lines.len().saturating_sub(tail));
        }
        Ok(lines)
    }

    /// Alerts that nobody has acknowledged yet (M12.5), oldest first. One whose commit was taken out of the history is open as before.
    ///
    /// # Errors
    /// As [`Self::audit`].
    pub fn open_alerts(&self) -> Result<Vec<AuditLine>, LedgerError> {
        let mut open = self.lost_alerts();
        open.extend(self.alerts_in_log()?);
        if !self.options.critical_alerts {
            open.retain(|alert| alert.summary != FOREIGN);
        }
        Ok(open)
    }

    fn alerts_in_log(&self) -> Result<Vec<AuditLine>, LedgerError> {
        let mut open: Vec<AuditLine> = Vec::new();
        for line in self.audit(&AuditQuery { actions: vec![Action::Alert], ..AuditQuery::default() })? {
            if line.approval == Approval::Approved {
                open.retain(|alert| alert.file != line.file);
            } else {
                open.push(line);
            }
        }
        Ok(open)
    }

    /// Makes the whole log anew from git; gives the number of lines.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn rebuild_audit(&self) -> Result<usize, LedgerError> {
        let _inside = self.enter()?;
        self.with_repository(|repository| self.rebuild_audit_inside(repository))
    }

    /// What [`Self::rebuild_audit`] would write.
    pub(crate) fn derived_audit(&self, repository: &Repository) -> Result<String, LedgerError> {
        let digested = digest::digested_until(self)?;
        let mut text = String::new();
        if let Some(head) = repository.head()? {
            for line in self.lines_between(repository, None, head)?.unwrap_or_default() {
                if digested.is_none_or(|until| digest::month_of(line.time) > until) {
                    text.push_str(&line.render());
                    text.push('\n');
                }
            }
        }
        Ok(text)
    }

    pub(crate) fn rebuild_audit_inside(&self, repository: &Repository) -> Result<usize, LedgerError> {
        let text = self.derived_audit(repository)?;
        let path = self.audit_path();
        files::create_parents(&path)?;
        files::replace_private(&path, text.as_bytes()).map_err(LedgerError::io("write", &path))?;
        if let Some(head) = repository.head()? {
            self.remember_audited(head, text.len() as u64)?;
        }
        Ok(text.lines().count())
    }

    /// Brings the log up to HEAD: what git programs and other machines committed.
    pub(crate) fn catch_up_audit(&self, repository: &Repository) -> Result<(), LedgerError> {
        let Some(head) = repository.head()? else { return Ok(()) };
        let Some((audited, length)) = self.audited() else {
            return self.rebuild_audit_inside(repository).map(drop);
        };
        let actual = std::fs::metadata(self.audit_path()).map_or(0, |metadata| metadata.len());
        if actual != length {
            return self.rebuild_audit_inside(repository).map(drop);
        }
        if audited == head {
            return Ok(());
        }
        match self.lines_between(repository, Some(audited), head)? {
            Some(lines) => self.write_lines(&lines, length, head),
            // History was rewritten or is on another branch.
            None => {
                let before = self.alerts_in_log()?;
                self.rebuild_audit_inside(repository)?;
                self.keep_alerts(&before)
            }
        }
    }

    /// Keeps alerts that were open and that the history does not have any more, until they are written into it again.
    fn keep_alerts(&self, before: &[AuditLine]) -> Result<(), LedgerError> {
        let now = self.alerts_in_log()?;
        let lost = before.iter().filter(|alert| !now.contains(alert));
        let text: String = lost.map(|alert| alert.render() + "\n").collect();
        match text.is_empty() {
            true => Ok(()),
            false => self.append_private(LOST, text.as_bytes(), LONGEST_LOST),
        }
    }

    /// Alerts whose commits were taken out of the history while nobody had acknowledged them.
    pub(crate) fn lost_alerts(&self) -> Vec<AuditLine> {
        let bytes = self.read_private(LOST).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().filter_map(|line| AuditLine::parse(line).ok()).collect()
    }

    pub(crate) fn forget_lost_alerts(&self) -> Result<(), LedgerError> {
        self.remove_private(LOST)
    }

    /// Appends the lines of a change set that joined a commit whose other lines are in the log already.
    pub(crate) fn append_joined(
        &self,
        repository: &Repository,
        lines: Vec<AuditLine>,
    ) -> Result<(), LedgerError> {
        match (self.audited(), repository.head()?) {
            (Some((_, length)), Some(head)) => self.write_lines(&lines, length, head),
            _ => self.rebuild_audit_inside(repository).map(drop),
        }
    }

    /// Appends the lines of the commits just made.
    pub(crate) fn append_audit(&self, repository: &Repository) -> Result<(), LedgerError> {
        fault::point("audit.append").map_err(LedgerError::io("append to", self.audit_path()))?;
        self.catch_up_audit(repository)
    }

    fn write_lines(&self, lines: &[AuditLine], length: u64, head: ObjectId) -> Result<(), LedgerError> {
        let path = self.audit_path();
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.render());
            text.push('\n');
        }
        files::create_parents(&path)?;
        let mut file = files::open_append(&path).map_err(LedgerError::io("open", &path))?;
        file.write_all(text.as_bytes()).map_err(LedgerError::io("append to", &path))?;
        fault::point("audit.pointer").map_err(LedgerError::io("append to", &path))?;
        self.remember_audited(head, length + text.len() as u64)
    }

    /// The commit the log reaches and its length then.
    fn audited(&self) -> Option<(ObjectId, u64)> {
        let text = String::from_utf8(self.read_private("audited")?).ok()?;
        let (id, length) = text.trim().split_once(' ')?;
        Some((ObjectId::from_hex(id.as_bytes()).ok()?, length.trim().parse().ok()?))
    }

    fn remember_audited(&self, head: ObjectId, length: u64) -> Result<(), LedgerError> {
        let path = self.private_folder().join("audited");
        // Written in place at a fixed width: a torn write does not parse or does not fit, and the log is rebuilt.
        let write = || -> std::io::Result<()> {
            let mut file = files::open_or_create(&path)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(format!("{head} {length:020}\n").as_bytes())
        };
        write().map_err(LedgerError::io("write", path.clone()))
    }
}

/// The commits that a side has and that are not known yet, each after its parents, the first parent's first. They are known then.
fn brought_in(
    repository: &Repository,
    side: ObjectId,
    known: &mut HashSet<ObjectId>,
) -> Result<Vec<CommitInfo>, LedgerError> {
    let mut found = Vec::new();
    let mut pending: Vec<(ObjectId, Option<CommitInfo>)> = vec![(side, None)];
    while let Some((id, visited)) = pending.pop() {
        match visited {
            Some(info) => found.push(info),
            None if known.insert(id) => {
                let info = repository.commit_info(id)?;
                let parents: Vec<_> = info.parents.iter().rev().map(|parent| (*parent, None)).collect();
                pending.push((id, Some(info)));
                pending.extend(parents);
            }
            None => {}
        }
    }
    Ok(found)
}

/// Commits being made into audit lines, one after the other.
struct Deriving<'r> {
    repository: &'r Repository,
    critical: Vec<MemoryPath>,
    /// Whether the program has made a commit yet: what was there before it came is nobody's mischief.
    has_begun: bool,
}

impl<'r> Deriving<'r> {
    fn new(ledger: &Ledger, repository: &'r Repository, has_begun: bool) -> Self {
        Self { repository, critical: ledger.options.layout.critical(), has_begun }
    }

    /// The audit lines of one commit.
    fn lines_of(&mut self, info: &CommitInfo) -> Result<Vec<AuditLine>, LedgerError> {
        let line = |path: &str, action, summary: &str| {
            AuditLine::new(info.time, action, path, Actor::Manual, Approval::None, summary)
        };
        if let Some(message) = info.structured() {
            let mut lines = message.lines;
            if std::mem::replace(&mut self.has_begun, true) {
                // A message says what the program did; whoever amends a commit keeps it.
                for path in self.changed(info)? {
                    if lines.iter().all(|line| line.file != path.as_str() || line.action == Action::Alert) {
                        lines.push(line(
                            path.as_str(),
                            Action::Edit,
                            "changed in a commit that does not say so",
                        ));
                        lines.push(foreign(info.time, path.as_str()));
                    }
                }
            }
            return Ok(lines);
        }
        let subject = info.message.lines().next().unwrap_or_default();
        let changes = self.repository.changed_paths(info.tree, info.parents.first().copied())?;
        let mut lines: Vec<AuditLine> =
            changes.into_iter().map(|(path, action)| line(&path, action, subject)).collect();
        if self.has_begun {
            let changed = self.changed(info)?;
            lines.extend(changed.into_iter().map(|path| foreign(info.time, path.as_str())));
        }
        Ok(lines)
    }

    /// The critical files that a commit has otherwise than every parent of it.
    fn changed(&self, info: &CommitInfo) -> Result<Vec<MemoryPath>, LedgerError> {
        let mut parents = Vec::new();
        for parent in &info.parents {
            parents.push(self.repository.tree_of(*parent)?);
        }
        if parents.contains(&info.tree) {
            return Ok(Vec::new());
        }
        let mut changed = Vec::new();
        for path in &self.critical {
            let blob = self.repository.blob_in(info.tree, path)?;
            let mut is_of_a_parent = false;
            for parent in &parents {
                is_of_a_parent |= self.repository.blob_in(*parent, path)? == blob;
            }
            if !(is_of_a_parent || parents.is_empty() && blob.is_none()) {
                changed.push(path.clone());
            }
        }
        Ok(changed)
    }
}

/// The alert of a critical file that was committed past the program.
fn foreign(time: Timestamp, path: &str) -> AuditLine {
    let by = Actor::System("audit".to_owned());
    AuditLine::new(time, Action::Alert, path, by, Approval::None, FOREIGN)
}

impl Ledger {
    /// The lines of the commits after `from` up to `to`, oldest first; `None` if `from` is not among the first parents of `to`.
    fn lines_between(
        &self,
        repository: &Repository,
        from: Option<ObjectId>,
        to: ObjectId,
    ) -> Result<Option<Vec<AuditLine>>, LedgerError> {
        let mut mainline = Vec::new();
        let mut next = Some(to);
        while let Some(id) = next {
            if Some(id) == from {
                break;
            }
            let info = repository.commit_info(id)?;
            next = info.parents.first().copied();
            mainline.push(info);
        }
        if from.is_some() && next.is_none() {
            return Ok(None);
        }
        let mut lines = Vec::new();
        let mut deriving = Deriving::new(self, repository, from.is_some());
        // Every commit that history has so far; asked only where a merge brings others in.
        let has_merges = mainline.iter().any(|info| info.parents.len() > 1);
        let mut known = HashSet::new();
        if has_merges && let Some(from) = from {
            brought_in(repository, from, &mut known)?;
        }
        for info in mainline.iter().rev() {
            if has_merges {
                for parent in &info.parents {
                    for merged in brought_in(repository, *parent, &mut known)? {
                        // The mainline itself comes in its own turn.
                        if Some(parent) != info.parents.first() {
                            lines.extend(deriving.lines_of(&merged)?);
                        }
                    }
                }
            }
            lines.extend(deriving.lines_of(info)?);
        }
        Ok(Some(lines))
    }
}

/// The store whose file the archive of digests is.
pub(crate) const ARCHIVE_STORE: Store = Store::Meta;

#[cfg(test)]
mod tests {
    use super::wildcard;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(
            wildcard("reflection:*", "reflection:r-012")
                && wildcard("*", "")
                && wildcard("*:main", "bot:main")
        );
        assert!(
            !wildcard("bot:*", "manual") && !wildcard("bot", "bot:main") && wildcard("b*t:*a*", "bot:main")
        );
    }
}
