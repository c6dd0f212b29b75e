//! A temporary workspace: the façade over it, the clock it goes by, and the files below it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use rem_ledger::{AgentRole, FixedClock, LayoutPreset};
use rem_mind::{Memory, MemoryOptions};

use crate::folder;

/// When every test begins, unless its workspace is told otherwise.
pub const MORNING: &str = "2026-03-01T09:00:00Z";

/// Surroundings that are the same on every machine: a clock, UTC, the main agent.
#[must_use]
pub fn options(clock: &Arc<FixedClock>) -> MemoryOptions {
    MemoryOptions {
        clock: clock.clone(),
        time_zone: TimeZone::UTC,
        agent: String::new(),
        role: AgentRole::Main,
        secret: Arc::new(|_| None),
        trusts_providers: false,
        user_state: None,
        proxies: rem_mind::Proxies::default(),
        signer: None,
    }
}

/// The machine's own time, for what compares file times.
#[must_use]
pub fn machine_time() -> SystemTime {
    SystemTime::now()
}

/// The processor time that this process has taken, all threads together: what a shared machine cannot blur.
#[must_use]
pub fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// A workspace for one test.
#[derive(Debug)]
pub struct Workspace {
    folder: tempfile::TempDir,
    memory: Memory,
    clock: Arc<FixedClock>,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// A new workspace in the default layout, at [`MORNING`].
    #[must_use]
    pub fn new() -> Self {
        Self::made(None, MORNING)
    }

    /// A new workspace in this layout, at [`MORNING`].
    #[must_use]
    pub fn with_layout(layout: LayoutPreset) -> Self {
        Self::made(Some(layout), MORNING)
    }

    /// A new workspace in the default layout, at another time.
    #[must_use]
    pub fn at(time: &str) -> Self {
        Self::made(None, time)
    }

    fn made(layout: Option<LayoutPreset>, time: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(FixedClock::new(time.parse().unwrap()));
        let (memory, outcome) = Memory::init(&folder.path().join("w"), layout, options(&clock)).unwrap();
        assert!(outcome.created);
        Self { folder, memory, clock }
    }

    /// The workspace's folder.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("w")
    }

    /// A folder beside the workspace, for what comes from outside.
    #[must_use]
    pub fn outside(&self) -> &Path {
        self.folder.path()
    }

    /// The façade.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A façade of its own over the same workspace, as another process has it.
    #[must_use]
    pub fn open(&self) -> Memory {
        Memory::open(&self.root(), options(&self.clock)).unwrap()
    }

    /// The same with other surroundings.
    #[must_use]
    pub fn open_with(&self, change: impl FnOnce(MemoryOptions) -> MemoryOptions) -> Memory {
        Memory::open(&self.root(), change(options(&self.clock))).unwrap()
    }

    /// Opens the workspace anew, as the next command does: CONFIG.md is read again.
    pub fn reopen(&mut self) {
        self.memory = self.open();
    }

    /// Changes a setting and opens the workspace anew.
    pub fn set(&mut self, key: &str, value: &str) {
        self.memory.set_config(key, value).unwrap();
        self.reopen();
    }

    /// What the clock shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.memory.now()
    }

    /// Moves the clock.
    pub fn advance(&self, by: SignedDuration) {
        self.clock.advance(by);
    }

    /// The bytes of a file; `None` where there is none.
    #[must_use]
    pub fn read(&self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(self.root().join(path)).ok()
    }

    /// The text of a file that must be there.
    #[must_use]
    pub fn text(&self, path: &str) -> String {
        let bytes = self.read(path).unwrap_or_else(|| panic!("there is no {path}"));
        String::from_utf8(bytes).unwrap_or_else(|_| panic!("{path} is not UTF-8"))
    }

    /// Writes a file as a person does.
    pub fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        folder::write(&self.root(), path, contents);
    }

    /// Every file with its bytes, without the repository and the private folder.
    #[must_use]
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        folder::files(&self.root())
    }

    /// What git says in the workspace.
    pub fn git(&self, arguments: &[&str]) -> String {
        folder::git(&self.root(), arguments)
    }

    /// The newest commit.
    #[must_use]
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Files, git, audit log and transcripts agree, and git sees nothing to commit but open transcripts.
    pub fn assert_well(&self) {
        let report = self.memory.verify().unwrap();
        assert!(report.is_well(), "{:#?}", report.findings);
        let open: Vec<String> = self
            .memory
            .open_sessions()
            .unwrap()
            .into_iter()
            .map(|session| format!("?? {}", session.path))
            .collect();
        let status =
            self.git(&["-c", "core.quotepath=off", "status", "--porcelain", "--untracked-files=all"]);
        let unknown: Vec<&str> =
            status.lines().filter(|line| !open.iter().any(|open| open == line)).collect();
        assert!(unknown.is_empty(), "git status is not clean: {unknown:#?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_is_well_from_the_start_and_goes_by_its_own_clock() {
        let workspace = Workspace::new();
        workspace.assert_well();
        workspace.advance(SignedDuration::from_hours(1));
        assert_eq!(workspace.now(), "2026-03-01T10:00:00Z".parse::<Timestamp>().unwrap());
        assert_eq!(workspace.open().now(), workspace.now());
    }

    #[test]
    fn what_is_written_past_the_door_is_seen_and_committed_by_the_next_command() {
        let workspace = Workspace::new();
        workspace.write("memory/2026-03-01.md", "a note");
        assert_eq!(workspace.memory().status().unwrap().git.uncommitted, 1);
        workspace.memory().catch_up();
        assert_eq!(workspace.text("memory/2026-03-01.md"), "a note");
        workspace.assert_well();
    }
}
