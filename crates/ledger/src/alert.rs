//! Alerts: what a person should look at, kept in history as commits without files (M12.5).
//!
//! Two things raise one: a change of a critical file, and earlier text of a file that is only ever added to being changed or
//! taken away by another program. Owns the words of both. Must not decide whether a change may happen.

use std::collections::HashMap;

use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval, AuditLine};
use rem_format::commit::{CommitMessage, CommitType};
use rem_format::path::MemoryPath;

use crate::change::Provenance;

/// An alert that a change brings with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alert {
    pub(crate) path: MemoryPath,
    /// Whether the file is a critical one.
    pub(crate) is_critical: bool,
    summary: String,
}

impl Alert {
    /// A critical file changes.
    pub(crate) fn critical(path: &MemoryPath, provenance: &Provenance) -> Self {
        let authorised = provenance.actor == Actor::Manual || provenance.approval == Approval::Approved;
        let summary = if provenance.actor == Actor::System("guard".to_owned()) {
            "Critical file given back what it held before. Pending user acknowledgment.".to_owned()
        } else if authorised {
            "Critical file change detected. Pending user acknowledgment.".to_owned()
        } else {
            format!(
                "INTEGRITY: critical file changed by {} without approval. Pending user acknowledgment.",
                provenance.actor
            )
        };
        Self { path: path.clone(), is_critical: true, summary }
    }

    /// A critical file changes where an operator's key is set up: to what they sign with the change, or back to what they signed before.
    pub(crate) fn signed(path: &MemoryPath, is_new: bool) -> Self {
        let summary = match is_new {
            true => "Critical file change, signed by the operator. Pending user acknowledgment.",
            false => {
                "Critical file change: back to what the operator signed before. Pending user acknowledgment."
            }
        };
        Self { path: path.clone(), is_critical: true, summary: summary.to_owned() }
    }

    /// A file that needs the operator's approval was changed past them.
    pub(crate) fn unsigned(path: &MemoryPath) -> Self {
        let summary = "INTEGRITY: changed without the operator's signature. `rem operator show` has the difference, `rem operator undo` takes it back. Pending user acknowledgment.";
        Self { path: path.clone(), is_critical: true, summary: summary.to_owned() }
    }

    /// Text of a file that is only ever added to was changed outside; `what` as [`departure`] says it.
    pub(crate) fn rewritten(path: &MemoryPath, what: &str) -> Self {
        let summary = format!("Append-only file rewritten outside: {what}. Pending user acknowledgment.");
        Self { path: path.clone(), is_critical: false, summary }
    }

    /// The event as a commit's message.
    pub(crate) fn message(&self, now: Timestamp, provenance: &Provenance, change: String) -> CommitMessage {
        CommitMessage {
            lines: vec![AuditLine::new(
                now,
                Action::Alert,
                self.path.as_str(),
                Actor::System("audit".to_owned()),
                Approval::None,
                &self.summary,
            )],
            trigger: provenance.trigger.clone(),
            kind: if self.is_critical { CommitType::Identity } else { CommitType::Memory },
            session: provenance.session.clone(),
            change,
            batched: false,
            critical: self.is_critical,
        }
    }
}

/// What keeps `after` from being `before` with something added at its end; `None` where it is just that. Lines are counted and
/// not quoted: what somebody took out may be what should not be repeated.
pub(crate) fn departure(before: &[u8], after: Option<&[u8]>) -> Option<String> {
    let Some(after) = after else { return Some("the file was removed".to_owned()) };
    if after.starts_with(before) {
        return None;
    }
    let lines = |bytes| <[u8]>::split_inclusive(bytes, |byte: &u8| *byte == b'\n');
    let total = lines(before).count();
    let first = 1 + lines(before).zip(lines(after)).take_while(|(old, new)| old == new).count();
    let mut kept: HashMap<&[u8], usize> = HashMap::new();
    lines(after).for_each(|line| *kept.entry(line).or_default() += 1);
    let gone = lines(before)
        .filter(|line| match kept.get_mut(line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .count();
    Some(match gone {
        0 => format!("something was put in or moved at line {first}"),
        gone => format!("{gone} of {total} lines changed or gone, the first is line {first}"),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_changed_is_told_by_lines() {
        let old = b"# D\n\n## 09:00\none\n\n## 10:00\ntwo\n";
        let told = |new: &str| departure(old, Some(new.as_bytes()));
        assert_eq!(told("# D\n\n## 09:00\none\n\n## 10:00\ntwo\n\n## 11:00\nthree\n"), None);
        assert_eq!(
            told("# D\n\n## 09:00\nONE\n\n## 10:00\ntwo\n").as_deref(),
            Some("1 of 7 lines changed or gone, the first is line 4")
        );
        assert_eq!(
            told("# D\n\n## 10:00\ntwo\n").as_deref(),
            Some("3 of 7 lines changed or gone, the first is line 3")
        );
        assert_eq!(
            told("# D\n\nnew\n## 09:00\none\n\n## 10:00\ntwo\n").as_deref(),
            Some("something was put in or moved at line 3")
        );
        assert_eq!(departure(old, None).as_deref(), Some("the file was removed"));
        assert_eq!(departure(b"", Some(b"anything")), None);
    }

    proptest! {
        #[test]
        fn only_an_addition_at_the_end_is_none(before in "[ab\n]{0,12}", after in "[ab\n]{0,12}", added in "[ab\n]{0,6}") {
            let grown = format!("{before}{added}");
            prop_assert_eq!(departure(before.as_bytes(), Some(grown.as_bytes())), None);
            prop_assert_eq!(
                departure(before.as_bytes(), Some(after.as_bytes())).is_none(),
                after.starts_with(&before)
            );
        }
    }
}
