//! Tests of the importers: every sample of the hosts' files, the rules one by one, and any bytes at all.

mod rules;
mod samples;

use std::path::Path;

use rem_format::transcript::{Role, TurnPart};

use super::*;

/// A session as it came.
#[derive(Debug)]
struct Session {
    meta: SessionMeta,
    turns: Vec<SourceTurn>,
    end: SessionEnd,
}

impl Session {
    /// All turns on one page: `user: words`, `[tool] summary -> result`, one line per part.
    fn page(&self) -> String {
        let mut page = String::new();
        for turn in &self.turns {
            let normalized = turn.turn.normalized();
            page.push_str(normalized.role.as_str());
            page.push_str(":\n");
            for part in &normalized.body {
                let line = match part {
                    TurnPart::Text(text) => text.clone(),
                    TurnPart::Tool { name, summary, result } => format!("[{name}] {summary} -> {result}"),
                    TurnPart::Attachment { path } => format!("[file] {path}"),
                    TurnPart::Knowledge { action, path, summary } => {
                        format!("[{action}] {path} -> {summary}")
                    }
                };
                page.push_str(&line);
                page.push('\n');
            }
        }
        page
    }

    fn roles(&self) -> Vec<Role> {
        self.turns.iter().map(|turn| turn.turn.role).collect()
    }
}

fn collect(path: &Path, format: Option<Format>) -> (Vec<Session>, ImportReport) {
    let mut sessions: Vec<Session> = Vec::new();
    let mut told = (0, 0);
    let report = import(path, format, &mut |event| {
        match event {
            Event::Session(meta) => {
                sessions.push(Session { meta, turns: Vec::new(), end: SessionEnd::default() });
            }
            Event::Turn(turn) => sessions.last_mut().unwrap().turns.push(turn),
            Event::End(end) => sessions.last_mut().unwrap().end = end,
            Event::Progress { done, total } => {
                assert!(done >= told.0 && done <= total);
                told = (done, total);
            }
        }
        Answer::Continue
    })
    .unwrap();
    assert_eq!(told.0, told.1, "progress ends at the total");
    assert_eq!(report.sessions, sessions.len() as u64);
    assert_eq!(report.turns, sessions.iter().map(|session| session.turns.len() as u64).sum::<u64>());
    for session in &sessions {
        assert!(!session.turns.is_empty() && session.turns.iter().all(|turn| !turn.id.is_empty()));
        assert_eq!(session.end.leaf.as_deref(), session.turns.last().map(|turn| turn.through.as_str()));
    }
    (sessions, report)
}

/// One session from the text of a file.
fn from_text(name: &str, text: impl AsRef<[u8]>) -> (Vec<Session>, ImportReport) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    // Tests make the files that hosts would.
    #[allow(clippy::disallowed_methods)]
    std::fs::write(&path, text).unwrap();
    let result = collect(&path, None);
    drop(folder);
    result
}
