//! A workspace for one test, git to look at it with, and processes of its own to kill.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rem_format::audit::{Actor, Approval};
use rem_format::path::MemoryPath;
use rem_ledger::{FixedClock, Ledger, LedgerOptions, LockPolicy, Provenance};

/// Names the job of a child process in its environment.
pub(crate) const JOB: &str = "REM_TEST_JOB";

pub(crate) struct Workspace {
    folder: tempfile::TempDir,
    pub(crate) ledger: Ledger,
    pub(crate) clock: Arc<FixedClock>,
}

pub(crate) fn start() -> Timestamp {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

pub(crate) fn options() -> LedgerOptions {
    let locks = LockPolicy { retry_interval: std::time::Duration::from_millis(20), ..LockPolicy::default() };
    LedgerOptions { locks, ..LedgerOptions::default() }
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new(start()));
        let files = [("MEMORY.md", "# Core Memory\n"), ("SOUL.md", "# Soul\n")]
            .map(|(path, text)| (MemoryPath::new(path).unwrap(), text.to_owned()));
        let (ledger, outcome) =
            Ledger::init(&folder.path().join("w"), options(), clock.clone(), &files).unwrap();
        assert!(outcome.created);
        Self { folder, ledger, clock }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("w")
    }

    pub(crate) fn advance(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.root().join(path)).ok()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let at = self.root().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    pub(crate) fn audit_bytes(&self) -> String {
        self.read("memory/meta/audit.log").unwrap_or_default()
    }

    /// Everything agrees and git sees nothing to commit.
    pub(crate) fn assert_well(&self) {
        let report = self.ledger.verify().unwrap();
        assert!(report.is_well(), "{:#?}", report.findings);
        assert_eq!(self.git(&["status", "--porcelain"]), "", "git status is not clean");
    }
}

pub(crate) fn git(root: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").args(arguments).current_dir(root).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn path(text: &str) -> MemoryPath {
    MemoryPath::new(text).unwrap()
}

pub(crate) fn bot() -> Provenance {
    Provenance::new(Actor::Bot("trigger-remember".into()), Approval::Auto, "user said \"remember this\"")
}

/// Runs one test of this binary in a process of its own, with a job in its environment.
pub(crate) fn child(test: &str, job: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(JOB, job);
    command
}

/// The job of this process, if it is a child.
pub(crate) fn job() -> Option<Vec<String>> {
    std::env::var(JOB).ok().map(|job| job.split('\t').map(str::to_owned).collect())
}

/// Opens a workspace as another process does.
pub(crate) fn open(root: &str) -> Ledger {
    Ledger::open(Path::new(root), options(), Arc::new(FixedClock::new(start()))).unwrap()
}
