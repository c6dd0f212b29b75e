//! Proving that files, git, the audit log, transcripts and the journal agree, and mending what can be mended.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::LedgerError;
use crate::files;
use crate::ledger::Ledger;
use crate::recover;
use crate::redo::Journal;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, nothing wrong.
    Note,
    /// Something is out of step and can be mended.
    Warning,
    /// What should never be.
    Error,
}

/// One thing that verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The check that found it.
    pub check: &'static str,
    /// The file it is about, relative to the workspace.
    pub path: Option<String>,
    /// What is the matter, for a person.
    pub message: String,
}

/// What verification found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// The checks that ran.
    pub checks: Vec<&'static str>,
    /// What they found, in the order of the checks.
    pub findings: Vec<Finding>,
}

impl VerifyReport {
    /// Whether nothing is wrong; notes do not count.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }

    /// Adds a finding.
    pub fn push(
        &mut self,
        severity: Severity,
        check: &'static str,
        path: Option<String>,
        message: impl Into<String>,
    ) {
        self.findings.push(Finding { severity, check, path, message: message.into() });
    }
}

impl Ledger {
    /// Checks the journal, git, the audit log, transcripts and left-over files. Changes nothing.
    ///
    /// # Errors
    /// [`LedgerError`] only where a check could not run at all; what a check finds is in the report.
    pub fn verify(&self) -> Result<VerifyReport, LedgerError> {
        let mut report = VerifyReport {
            checks: vec!["journal", "git", "audit", "transcripts", "approvals", "files"],
            findings: Vec::new(),
        };
        self.verify_journal(&mut report)?;
        self.verify_git(&mut report)?;
        self.verify_audit(&mut report)?;
        self.verify_transcripts(&mut report)?;
        self.verify_approvals(&mut report)?;
        self.verify_files(&mut report)?;
        Ok(report)
    }

    /// Mends what can be mended without losing anything; gives what was done.
    ///
    /// # Errors
    /// [`LedgerError`] for the first repair that fails.
    pub fn repair(&self) -> Result<Vec<String>, LedgerError> {
        self.may_change()?;
        let mut done = Vec::new();
        for lock in self.with_repository(|repository| Ok(repository.locks(true)))? {
            files::remove_if_there(&lock).map_err(LedgerError::io("remove", &lock))?;
            let name = lock.file_name().unwrap_or_default().to_string_lossy();
            done.push(format!("removed git's {name}"));
        }
        self.recover()?;
        for at in self.left_over_files()?.into_iter().chain(self.abandoned_staging()) {
            files::remove_if_there(&at).map_err(LedgerError::io("remove", &at))?;
            done.push(format!("removed {}", self.relative(&at)));
        }
        self.with_repository(|repository| {
            if self.derived_audit(repository)?.as_bytes()
                != files::read(&self.audit_path())?.unwrap_or_default()
            {
                let lines = self.rebuild_audit_inside(repository)?;
                done.push(format!("rebuilt the audit log: {lines} lines"));
            }
            if repository.program().run("read the index", &["diff", "--cached", "--quiet"]).is_err() {
                repository.reset_index(&[])?;
                done.push("brought git's index up to date".to_owned());
            }
            Ok(())
        })?;
        for path in self.transcripts()? {
            let at = self.root.join(path.as_str());
            let closed = self.is_sealed(&path, files::read(&at)?.as_deref());
            if closed && !is_read_only(&at) {
                files::make_read_only(&at).map_err(LedgerError::io("seal", &at))?;
                done.push(format!("made {path} read-only"));
            }
        }
        let changed = self.commit_outside_changes()?.len();
        if changed > 0 {
            done.push(format!("committed {changed} files changed outside"));
        }
        done.extend(self.prepare_merging()?);
        Ok(done)
    }

    fn verify_journal(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        let path = self.private_folder().join("redo.log");
        if path.exists() && !Journal::open(&path)?.is_clean()? {
            report.push(
                Severity::Warning,
                "journal",
                None,
                "a change is acknowledged and not finished; the next command completes it",
            );
        }
        Ok(())
    }

    fn verify_git(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        if let Err(error) = self.with_repository(|repository| repository.check_ready()) {
            report.push(Severity::Error, "git", None, error.to_string());
        }
        if let Err(error) = self
            .program()
            .run("check the objects", &["fsck", "--no-progress", "--no-dangling", "--no-reflogs"])
        {
            let reason = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            report.push(Severity::Error, "git", None, format!("git fsck found damage: {reason}"));
        }
        if self.program().run("read the index", &["diff", "--cached", "--quiet"]).is_err() {
            report.push(
                Severity::Warning,
                "git",
                None,
                "git's index differs from the last commit: something is staged, or it is behind",
            );
        }
        for path in self.survey()?.outside {
            report.push(
                Severity::Note,
                "git",
                Some(path.to_string()),
                "changed outside and not committed yet; the next command does",
            );
        }
        Ok(())
    }

    fn verify_audit(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        let derived = self.with_repository(|repository| self.derived_audit(repository))?;
        let log = files::read(&self.audit_path())?.unwrap_or_default();
        if derived.as_bytes() != log {
            let log = String::from_utf8_lossy(&log).into_owned();
            let at =
                derived.lines().zip(log.lines()).take_while(|(derived, kept)| derived == kept).count() + 1;
            report.push(
                Severity::Warning,
                "audit",
                Some(self.relative(&self.audit_path())),
                format!(
                    "the log differs from what git says, from line {at} on; `rem audit rebuild` makes it anew"
                ),
            );
        }
        Ok(())
    }

    /// Every approval is the operator's, and what needs one holds what was signed last.
    fn verify_approvals(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        let consent = self.consent(true)?;
        let file = self.options.layout.approvals().to_string();
        for flaw in consent.flaws {
            report.push(Severity::Error, "approvals", Some(file.clone()), flaw);
        }
        for note in consent.notes {
            report.push(Severity::Note, "approvals", Some(file.clone()), note);
        }
        if consent.key.is_none() {
            let once =
                self.program().run("look for approvals", &["log", "-1", "--format=%H", "HEAD", "--", &file]);
            if once.is_ok_and(|commit| !commit.is_empty()) {
                let gone = "an operator's key was set up here once, and its approvals are gone: the history has them";
                report.push(Severity::Error, "approvals", Some(file), gone);
            }
        }
        for path in consent.unsigned {
            report.push(
                Severity::Error,
                "approvals",
                Some(path.to_string()),
                "holds something else than what the operator signed last; `rem operator show` has the difference, `rem operator undo` takes it back, `rem operator sign` approves it",
            );
        }
        Ok(())
    }

    /// Closed transcripts are as they were committed when they were closed, and read-only.
    fn verify_transcripts(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        let folder = self.options.layout.path(crate::layout::Store::Transcripts).to_string();
        // Every commit after the first that touched a transcript: a person's `git commit` of a tampered one.
        let later = self.program().text(
            "look at the transcripts' history",
            &["log", "--format=", "--name-only", "--diff-filter=MDR", "--no-renames", "HEAD", "--", &folder],
        )?;
        for path in later.lines().filter(|line| !line.is_empty()).collect::<std::collections::BTreeSet<_>>() {
            report.push(
                Severity::Error,
                "transcripts",
                Some(path.to_owned()),
                "a closed transcript was changed and committed after it was closed",
            );
        }
        let changed: std::collections::HashSet<String> = self.changed_names(&[])?.into_iter().collect();
        for name in &changed {
            if name.starts_with(&format!("{folder}/")) && !self.root.join(name).exists() {
                report.push(
                    Severity::Error,
                    "transcripts",
                    Some(name.clone()),
                    "a closed transcript was removed",
                );
            }
        }
        self.with_repository(|repository| {
            let head = repository.head()?;
            for path in self.transcripts()? {
                let at = self.root.join(path.as_str());
                let committed = head.map(|head| repository.blob_at(head, &path)).transpose()?.flatten();
                let contents = files::read(&at)?.unwrap_or_default();
                match committed {
                    Some(blob) if repository.blob_id(&contents)? != blob => {
                        report.push(Severity::Error, "transcripts", Some(path.to_string()), "a closed transcript was tampered with: it differs from the one recorded when it was closed");
                    }
                    Some(_) if !is_read_only(&at) => {
                        report.push(Severity::Note, "transcripts", Some(path.to_string()), "closed but writable; `rem doctor --fix` makes it read-only");
                    }
                    Some(_) => {}
                    None if crate::outside::has_ended(&contents) => {
                        report.push(Severity::Warning, "transcripts", Some(path.to_string()), "closed but not recorded in history");
                    }
                    None => {}
                }
            }
            Ok(())
        })
    }

    fn verify_files(&self, report: &mut VerifyReport) -> Result<(), LedgerError> {
        for lock in self.with_repository(|repository| Ok(repository.locks(true)))? {
            let name = lock.file_name().unwrap_or_default().to_string_lossy();
            report.push(
                Severity::Warning,
                "files",
                None,
                format!(
                    "git's {name} is there: a git program is at work, or died; `rem doctor --fix` removes it"
                ),
            );
        }
        for at in self.left_over_files()? {
            report.push(
                Severity::Note,
                "files",
                Some(self.relative(&at)),
                "left by a process that died; the next use or `rem doctor --fix` clears it away",
            );
        }
        Ok(())
    }

    /// Locks of ours that nobody holds and temporary files, outside the private folders.
    fn left_over_files(&self) -> Result<Vec<PathBuf>, LedgerError> {
        let mut pending = vec![self.root.clone()];
        let mut found = Vec::new();
        while let Some(folder) = pending.pop() {
            for entry in std::fs::read_dir(&folder).map_err(LedgerError::io("read", &folder))? {
                let entry = entry.map_err(LedgerError::io("read", &folder))?;
                let name = entry.file_name();
                let name = name.to_string_lossy();
                let kind = entry.file_type().map_err(LedgerError::io("look at", entry.path()))?;
                if kind.is_dir()
                    && name != ".git"
                    && name != ".rem"
                    && name != self.options.git_folder.as_str()
                {
                    pending.push(entry.path());
                } else if kind.is_file()
                    && (name.starts_with(".rem-")
                        || (name.ends_with(".lock") && recover::is_dead_lock(&entry.path())))
                {
                    found.push(entry.path());
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Staged files of imports that were stopped: a day old, so that no import at work loses its own.
    fn abandoned_staging(&self) -> Vec<PathBuf> {
        let day = std::time::Duration::from_secs(24 * 3600);
        let now = std::time::SystemTime::from(self.clock.now());
        std::fs::read_dir(self.private_folder().join("staging"))
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| {
                let modified = entry.metadata().and_then(|metadata| metadata.modified());
                modified.is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > day))
            })
            .map(|entry| entry.path())
            .collect()
    }

    fn relative(&self, at: &Path) -> String {
        at.strip_prefix(&self.root).unwrap_or(at).to_string_lossy().replace('\\', "/")
    }
}

fn is_read_only(at: &Path) -> bool {
    std::fs::metadata(at).is_ok_and(|metadata| metadata.permissions().readonly())
}
