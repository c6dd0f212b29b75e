//! Audit retention (M12.6): lines older than the window become monthly digests in the tracked `audit-archive.md`.
//!
//! Which months are digested is read from the archive itself, so the log that is derived from git stays the same wherever it
//! is rebuilt.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rem_format::audit::{Action, Actor, Approval, AuditLine};
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use serde::Serialize;

use crate::audit_log::AuditQuery;
use crate::change::{ChangeSet, Provenance};
use crate::error::LedgerError;
use crate::ledger::Ledger;

/// Notable events per month that are named one by one.
const MAX_NOTABLE: usize = 20;
const HEADING: &str = "# Audit Digest — ";

/// A month: year and number from 1.
pub(crate) type Month = (i16, i8);

/// What digesting did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DigestOutcome {
    /// The months that were digested, as `2026-01`.
    pub months: Vec<String>,
    /// Lines that left the log.
    pub lines: usize,
}

pub(crate) fn month_of(time: Timestamp) -> Month {
    let date = TimeZone::UTC.to_datetime(time).date();
    (date.year(), date.month())
}

/// The last month that is digested.
pub(crate) fn digested_until(ledger: &Ledger) -> Result<Option<Month>, LedgerError> {
    let Some(bytes) = ledger.read(&archive_path(ledger)?)? else { return Ok(None) };
    Ok(String::from_utf8_lossy(&bytes)
        .lines()
        .filter_map(|line| {
            let date =
                Date::strptime("%B %Y %d", format!("{} 1", line.strip_prefix(HEADING)?.trim())).ok()?;
            Some((date.year(), date.month()))
        })
        .max())
}

fn archive_path(ledger: &Ledger) -> Result<MemoryPath, LedgerError> {
    Ok(ledger.options.layout.file(crate::audit_log::ARCHIVE_STORE, "audit-archive.md")?)
}

impl Ledger {
    /// Digests every month that lies wholly before the retention window.
    ///
    /// # Errors
    /// As [`Ledger::apply`].
    pub fn digest_audit(&self) -> Result<DigestOutcome, LedgerError> {
        let window = SignedDuration::from_hours(24 * i64::from(self.options.audit_retention_days));
        let oldest_kept = month_of(self.clock.now().saturating_sub(window).unwrap_or(Timestamp::MIN));
        let mut months: BTreeMap<Month, Vec<AuditLine>> = BTreeMap::new();
        for line in self.audit(&AuditQuery::default())? {
            let month = month_of(line.time);
            if month < oldest_kept {
                months.entry(month).or_default().push(line);
            }
        }
        if months.is_empty() {
            return Ok(DigestOutcome::default());
        }
        let text: String = months.iter().map(|(month, lines)| digest(*month, lines)).collect();
        let lines = months.values().map(Vec::len).sum();
        let names: Vec<String> = months.keys().map(|(year, month)| format!("{year}-{month:02}")).collect();
        let changes =
            ChangeSet::new().append(archive_path(self)?, text, format!("digest of {}", names.join(", ")));
        self.apply(&changes, &Provenance::system("audit", "audit retention").kind(CommitType::Maintenance))?;
        self.rebuild_audit()?;
        Ok(DigestOutcome { months: names, lines })
    }
}

/// M12.6's digest of one month.
fn digest((year, month): Month, lines: &[AuditLine]) -> String {
    let count = |test: &dyn Fn(&AuditLine) -> bool| lines.iter().filter(|line| test(line)).count();
    let files: BTreeSet<&str> = lines.iter().map(|line| line.file.as_str()).collect();
    let sessions: BTreeMap<String, Approval> = lines
        .iter()
        .filter(|line| matches!(line.actor, Actor::Reflection(_)))
        .map(|line| (line.actor.to_string(), line.approval))
        .collect();
    let approved = sessions.values().filter(|approval| **approval == Approval::Approved).count();
    let name = Date::new(year, month, 1).map(|date| date.strftime("%B %Y").to_string()).unwrap_or_default();
    let mut text = format!(
        "{HEADING}{name}\n\n## Summary\n- {} total mutations across {} files\n- {} reflection sessions ({approved} approved)\n- {} critical file changes\n- {} decay transitions, {} archival events\n\n## Notable Events\n",
        lines.len(),
        files.len(),
        sessions.len(),
        count(&|line| line.action == Action::Alert && line.approval != Approval::Approved),
        count(&|line| line.action == Action::Decay),
        count(&|line| line.action == Action::Archive),
    );
    let notable: Vec<&AuditLine> = lines
        .iter()
        .filter(|line| {
            matches!(
                line.action,
                Action::Alert | Action::Revert | Action::Merge | Action::Delete | Action::Reject
            )
        })
        .collect();
    for line in notable.iter().take(MAX_NOTABLE) {
        let date = TimeZone::UTC.to_datetime(line.time).date();
        text.push_str(&format!("- {date}: {} {} — {}\n", line.action, line.file, line.summary));
    }
    match notable.len() {
        0 => text.push_str("- None this month\n"),
        count if count > MAX_NOTABLE => text.push_str(&format!("- and {} more\n", count - MAX_NOTABLE)),
        _ => {}
    }
    text.push('\n');
    text
}
