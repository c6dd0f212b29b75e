//! The message of every commit the program makes (M12.3), and how audit lines are read back from it.
//!
//! ```text
//! [EDIT] MEMORY.md — updated Active Context
//!
//! Actor: bot:trigger-remember
//! Approval: auto
//! Trigger: user said "remember we chose the hybrid approach"
//! Type: memory
//! Change: 0198c6f2a1b3d4e5
//! ```
//!
//! A change set of several files lists its audit lines, indented, between the subject and the trailers. The audit log is
//! derived from these messages alone, so whatever a line needs is in the message or in the commit's own time.

use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::audit::{Action, Actor, Approval, AuditLine, one_line};

/// The longest trigger that is kept, in characters.
const MAX_TRIGGER_CHARACTERS: usize = 300;

/// The last line of a commit that touched a critical file (M12.3).
const CRITICAL_MARK: &str = "⚠️ CRITICAL FILE CHANGED";

/// What kind of change a commit holds (A3.2's types).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommitType {
    /// A transcript was saved.
    Conversation,
    /// Knowledge changed.
    Memory,
    /// Soul, user, rules or tools changed.
    Identity,
    /// Pruning, archiving, reorganising.
    Maintenance,
    /// A change on an exploration branch.
    Explore,
    /// An extraction.
    Extract,
}

impl CommitType {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Conversation, "conversation"),
        (Self::Memory, "memory"),
        (Self::Identity, "identity"),
        (Self::Maintenance, "maintenance"),
        (Self::Explore, "explore"),
        (Self::Extract, "extract"),
    ];

    /// The word as it stands in the `Type:` trailer.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(kind, _)| *kind == self).map_or("memory", |(_, word)| word)
    }
}

impl FromStr for CommitType {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(_, word)| *word == text).map(|(kind, _)| *kind).ok_or(())
    }
}

/// A commit message in parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitMessage {
    /// One line per file, at least one; the first gives the subject.
    pub lines: Vec<AuditLine>,
    /// What brought the change about, for a person.
    pub trigger: String,
    /// A3.2's type.
    pub kind: CommitType,
    /// The session the change came from.
    pub session: Option<String>,
    /// The id of the change set; those of all change sets, separated by blanks, where several share the commit.
    pub change: String,
    /// Whether further change sets may join the commit (`git.cadence: batched`).
    pub batched: bool,
    /// Whether a critical file changed (M12.5).
    pub critical: bool,
}

impl CommitMessage {
    /// The message as git stores it. `committed` is the commit's own time.
    #[must_use]
    pub fn render(&self, committed: Timestamp) -> String {
        let mut text = String::new();
        let first = self.lines.first();
        if let Some(line) = first {
            text.push_str(&subject(line));
        }
        text.push_str("\n\n");
        if !first.is_some_and(|line| self.lines.len() == 1 && self.survives_subject(line, committed)) {
            for line in &self.lines {
                text.push_str("    ");
                text.push_str(&line.render());
                text.push('\n');
            }
            text.push('\n');
        }
        if let Some(line) = first {
            text.push_str(&format!("Actor: {}\nApproval: {}\n", line.actor, line.approval));
        }
        text.push_str(&format!("Trigger: {}\n", one_line(&self.trigger, MAX_TRIGGER_CHARACTERS)));
        text.push_str(&format!("Type: {}\n", self.kind.as_str()));
        if let Some(session) = &self.session {
            text.push_str(&format!("Session: {}\n", one_line(session, MAX_TRIGGER_CHARACTERS)));
        }
        text.push_str(&format!("Change: {}\n", self.change));
        if self.batched {
            text.push_str("Cadence: batched\n");
        }
        if self.critical {
            text.push_str(CRITICAL_MARK);
            text.push('\n');
        }
        text
    }

    /// Whether a change set is in this commit.
    #[must_use]
    pub fn holds(&self, change: &str) -> bool {
        self.change.split(' ').any(|id| id == change)
    }

    /// The message of a commit that holds what this one does and what `later` does.
    #[must_use]
    pub fn joined(mut self, later: Self) -> Self {
        self.lines.extend(later.lines);
        self.change = format!("{} {}", self.change, later.change);
        self
    }

    /// Whether the subject alone gives this line back, so that it need not be listed.
    fn survives_subject(&self, line: &AuditLine, committed: Timestamp) -> bool {
        let derived = AuditLine::new(
            committed,
            line.action,
            &line.file,
            line.actor.clone(),
            line.approval,
            &line.summary,
        );
        derived == *line
            && parse_subject(&subject(line)).is_some_and(|(action, file, summary)| {
                action == line.action && file == line.file && summary == line.summary
            })
    }

    /// Reads a message, or gives `None` for one that somebody else wrote.
    #[must_use]
    pub fn parse(text: &str, committed: Timestamp) -> Option<Self> {
        let subject = text.lines().next()?;
        let (action, file, summary) = parse_subject(subject)?;
        let trailer = |name: &str| {
            text.lines().skip(1).find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
        };
        let actor: Actor = trailer("Actor")?.parse().ok()?;
        let approval: Approval = trailer("Approval")?.parse().ok()?;
        let mut lines: Vec<AuditLine> = text
            .lines()
            .skip(1)
            .filter_map(|line| AuditLine::parse(line.strip_prefix("    ")?).ok())
            .collect();
        if lines.is_empty() {
            lines.push(AuditLine::new(committed, action, file, actor, approval, summary));
        }
        Some(Self {
            lines,
            trigger: trailer("Trigger").unwrap_or_default().to_owned(),
            kind: trailer("Type").and_then(|word| word.parse().ok()).unwrap_or(CommitType::Memory),
            session: trailer("Session").map(str::to_owned),
            change: trailer("Change").unwrap_or_default().to_owned(),
            batched: trailer("Cadence") == Some("batched"),
            critical: text.lines().any(|line| line == CRITICAL_MARK),
        })
    }
}

fn subject(line: &AuditLine) -> String {
    format!("[{}] {} — {}", line.action, line.file, line.summary)
}

fn parse_subject(subject: &str) -> Option<(Action, &str, &str)> {
    let (action, rest) = subject.strip_prefix('[')?.split_once("] ")?;
    let (file, summary) = rest.split_once(" — ")?;
    Some((action.parse().ok()?, file, summary))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time() -> Timestamp {
        "2026-02-05T10:00:30Z".parse().unwrap()
    }

    fn message(lines: Vec<AuditLine>) -> CommitMessage {
        CommitMessage {
            lines,
            trigger: "direct human edit".into(),
            kind: CommitType::Identity,
            session: None,
            change: "c1".into(),
            batched: false,
            critical: true,
        }
    }

    #[test]
    fn a_one_file_message_is_the_seeds() {
        let line = AuditLine::new(
            time(),
            Action::Edit,
            "SOUL.md",
            Actor::Manual,
            Approval::None,
            "modified core behavioral guideline",
        );
        let text = message(vec![line.clone()]).render(time());
        assert!(text.starts_with("[EDIT] SOUL.md — modified core behavioral guideline\n\nActor: manual\nApproval: —\nTrigger: direct human edit\n"));
        assert!(text.ends_with("⚠️ CRITICAL FILE CHANGED\n"));
        assert_eq!(CommitMessage::parse(&text, time()).unwrap(), message(vec![line]));
    }

    #[test]
    fn somebody_elses_message_is_not_taken_for_ours() {
        assert_eq!(CommitMessage::parse("fix typo\n", time()), None);
        assert_eq!(CommitMessage::parse("[EDIT] x — y\n\nno trailers\n", time()), None);
    }

    proptest! {
        #[test]
        fn whatever_the_files_are_called_the_lines_read_back(
            files in proptest::collection::vec("[^\\p{Cc}]{1,20}", 1..4), summary in any::<String>(),
        ) {
            let lines: Vec<_> = files.iter()
                .map(|file| AuditLine::new(time(), Action::Edit, file, Actor::Bot("main".into()), Approval::Auto, &summary)).collect();
            let text = message(lines.clone()).render(time());
            prop_assert_eq!(CommitMessage::parse(&text, time()).map(|message| message.lines), Some(lines));
        }
    }
}
