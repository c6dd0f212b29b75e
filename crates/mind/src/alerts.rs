//! Alerts as a person is told of them (M12.5): which file, since when, what changed in it; and their acknowledgement.

use rem_format::audit::Action;
use rem_format::path::MemoryPath;
use rem_ledger::Applied;
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// So many lines of a difference are shown.
const MOST_LINES: usize = 8;
/// So many characters of each.
const LONGEST_LINE: usize = 160;

/// A file with open alerts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AlertedFile {
    /// The file.
    pub file: String,
    /// The day of the first of them.
    pub day: String,
    /// What the newest of them says.
    pub summary: String,
    /// What changed in a critical file since, the first lines of it, each with `+` or `-` before it. What an append-only file lost is not quoted.
    pub changed: Vec<String>,
    /// How many lines changed besides.
    pub more: usize,
}

impl Memory {
    /// The files with open alerts, the newest first.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when the audit log or the history cannot be read.
    pub fn alerted_files(&self) -> Result<Vec<AlertedFile>, MemoryError> {
        let mut files: Vec<AlertedFile> = Vec::new();
        for alert in self.ledger.open_alerts()? {
            if let Some(known) = files.iter().position(|known| known.file == alert.file) {
                let mut known = files.remove(known);
                known.summary = alert.summary;
                files.push(known);
                continue;
            }
            let path = MemoryPath::new(alert.file.as_str()).ok();
            let path = path.filter(|path| self.ledger.layout().needs_consent(path));
            let difference = match path {
                Some(path) => self.ledger.changed_in_since(&path, alert.time)?,
                None => None,
            };
            let patch = difference.map(|difference| difference.patch).unwrap_or_default();
            let body = patch.lines().skip_while(|line| !line.starts_with("@@"));
            let lines: Vec<&str> = body.filter(|line| line.starts_with(['+', '-'])).collect();
            files.push(AlertedFile {
                file: alert.file,
                day: alert.time.strftime("%F").to_string(),
                summary: alert.summary,
                changed: lines.iter().take(MOST_LINES).map(|line| harmless(line)).collect(),
                more: lines.len().saturating_sub(MOST_LINES),
            });
        }
        files.reverse();
        Ok(files)
    }

    /// Acknowledges the open alerts of a file (M12.5).
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where it has none, [`MemoryError::Refused`] for a named agent, or as [`rem_ledger::Ledger::record_event`].
    pub fn acknowledge_alerts(&self, file: &str) -> Result<Applied, MemoryError> {
        self.only_the_operator("acknowledging alerts")?;
        if !self.ledger.open_alerts()?.iter().any(|alert| alert.file == file) {
            return Err(MemoryError::usage(
                format!("{file} has no open alert"),
                "`rem audit alerts` lists them",
            ));
        }
        let provenance = self.asked_for("rem audit acknowledge");
        Ok(self.ledger.record_event(Action::Alert, file, "acknowledged", &provenance)?)
    }
}

/// A line, cut, without what could move a cursor.
fn harmless(line: &str) -> String {
    line.chars().take(LONGEST_LINE).map(|each| if each.is_control() { '·' } else { each }).collect()
}
