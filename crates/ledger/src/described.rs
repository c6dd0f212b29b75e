//! What was said of commits afterwards (W11): notes of git's at `refs/notes/rem`, beside the commits.
//!
//! A commit waits for nobody, and what is in it stays as it is: the audit log is made of it. So words that come later are a note. What a
//! person committed in their own words, and a transcript, want none.

use rem_format::audit::Actor;
use rem_format::commit::{CommitMessage, CommitType};

use crate::error::LedgerError;
use crate::layout::Store;
use crate::ledger::Ledger;

/// Where the notes are. Git shows them with `git log --notes=rem`.
pub(crate) const NOTES: &str = "refs/notes/rem";

/// A commit of the program of which nothing was said yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undescribed {
    /// The commit, in hexadecimal.
    pub commit: String,
    /// What kind of change it holds.
    pub kind: CommitType,
    /// What happened, a line for each file.
    pub lines: Vec<String>,
}

impl Ledger {
    /// The commits of knowledge of which nothing was said, the newest first, of the last so many commits.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn undescribed(&self, among: usize) -> Result<Vec<Undescribed>, LedgerError> {
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let among = format!("--max-count={among}");
        let notes = format!("--notes={NOTES}");
        let format = "--format=%x01%H%x02%at%x02%N%x02%B%x02";
        let arguments = ["log", "--no-merges", &among, "--no-notes", &notes, format, "--name-only", "HEAD"];
        let text = self.program().text("look for commits to describe", &arguments)?;
        let commit = |entry: &str| {
            let fields: Vec<&str> = entry.split('\u{2}').collect();
            let [commit, seconds, note, message, files] = fields[..] else { return None };
            let time = jiff::Timestamp::from_second(seconds.parse().ok()?).ok()?;
            let message = CommitMessage::parse(message, time)?;
            let is_made = message.lines.iter().all(|line| line.actor == Actor::System("init".to_owned()));
            // A batched commit may still be replaced by one that holds more.
            let may_grow = message.batched && commit == head;
            let tells = files.lines().any(|file| !file.is_empty() && self.tells(file));
            let wants = note.trim().is_empty() && message.kind != CommitType::Conversation;
            (wants && tells && !is_made && !may_grow).then(|| Undescribed {
                commit: commit.to_owned(),
                kind: message.kind,
                lines: message
                    .lines
                    .iter()
                    .map(|line| format!("[{}] {} — {}", line.action, line.file, line.summary))
                    .collect(),
            })
        };
        Ok(text.split('\u{1}').filter_map(commit).collect())
    }

    /// What a commit changed, as git compares it: without transcripts and without what the program keeps for itself.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when it cannot be compared.
    pub fn patch_of(&self, commit: &str) -> Result<String, LedgerError> {
        let exclude = |store| format!(":(exclude,top){}", self.options.layout.path(store));
        let (transcripts, meta) = (exclude(Store::Transcripts), exclude(Store::Meta));
        self.program().text(
            "compare a commit",
            &[
                "show",
                "--format=",
                "--no-notes",
                "--no-renames",
                "--no-color",
                "--no-ext-diff",
                "--no-textconv",
                "-U1",
                commit,
                "--",
                ".",
                &transcripts,
                &meta,
            ],
        )
    }

    /// Says something of a commit. What was said before is replaced; the commit itself stays as it is.
    ///
    /// # Errors
    /// [`LedgerError::SubAgent`] for a sub-agent, [`LedgerError::Git`] where there is no such commit.
    pub fn describe(&self, commit: &str, words: &str) -> Result<(), LedgerError> {
        self.may_change()?;
        let reference = format!("--ref={NOTES}");
        let arguments = [
            "-c",
            "user.name=rem",
            "-c",
            "user.email=rem@localhost",
            "notes",
            &reference,
            "add",
            "--force",
            "--file=-",
            commit,
        ];
        self.program().run_with("describe a commit", &arguments, words.as_bytes()).map(drop)
    }

    /// Whether a change of this file is worth a word.
    fn tells(&self, file: &str) -> bool {
        let Ok(path) = rem_format::path::MemoryPath::new(file) else { return false };
        !matches!(self.options.layout.store_of(&path), Some(Store::Transcripts | Store::Meta | Store::Config))
    }
}

/// What a note says, without the lines that say whose words they are.
pub(crate) fn words_of(note: &str) -> Option<String> {
    let words = note.split("\n\nModel: ").next().unwrap_or_default().trim();
    (!words.is_empty()).then(|| words.to_owned())
}
