//! The workspace behind a server: found and opened when it is asked for, and looked through beside the calls.
//!
//! It may be made, moved, deleted or configured anew while the server runs: every call finds it as it is then. A look at all files costs
//! tens of milliseconds on ten thousand of them, so one holds for a moment ([`HOLDS_FOR`]): what this server itself or another process of ours
//! writes is in the index at once all the same. What a person writes in an editor is, too, where the files can be watched; else it may be that
//! moment late.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rem_mind::ledger::AgentRole;
use rem_mind::recall::Progress;
use rem_mind::{Memory, MemoryOptions};

use crate::failure::Failure;
use crate::{Finder, ServerOptions};

/// How long a look at the files holds.
const HOLDS_FOR: Duration = Duration::from_secs(1);
/// How long a search waits for a look that is under way before it answers from what is there.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);
/// How often somebody who waits says how far it is.
const TICK: Duration = Duration::from_millis(100);

/// The workspace of a server.
pub(crate) struct Workspace {
    find: Finder,
    options: MemoryOptions,
    machine_time: fn() -> SystemTime,
    #[cfg(unix)]
    local: Option<crate::local::LocalWork>,
    opened: Mutex<Option<Opened>>,
    look: Mutex<Look>,
    changed: Condvar,
}

struct Opened {
    memory: Arc<Memory>,
    /// The same memory for other agents than the server's own.
    others: HashMap<Caller, Arc<Memory>>,
    root: PathBuf,
    settings: Stamp,
}

/// Who asks, and what they are to the memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Caller {
    /// The agent's name.
    pub(crate) agent: String,
    /// Whether it may change anything.
    pub(crate) role: AgentRole,
}

/// What tells whether CONFIG.md is another than before.
type Stamp = Option<(SystemTime, u64)>;

impl Opened {
    fn acting_as(&mut self, caller: &Caller) -> Arc<Memory> {
        if caller.agent == self.memory.agent() && caller.role == self.memory.ledger().role() {
            return self.memory.clone();
        }
        let acting = || Arc::new(self.memory.acting_as(&caller.agent, caller.role));
        self.others.entry(caller.clone()).or_insert_with(acting).clone()
    }
}

/// How the look at all files stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Look {
    /// Nobody looked yet.
    Never,
    /// Somebody is looking; so many files of so many are taken in.
    Running(Progress),
    /// Somebody looked, beginning then.
    Done(Instant),
}

/// Whether the index may be asked as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fresh {
    /// It may, and so many files are not in it yet.
    Behind(usize),
    /// The files are to be looked at first.
    No,
}

impl Workspace {
    pub(crate) fn new(options: ServerOptions) -> Self {
        Self {
            find: options.workspace,
            options: options.memory,
            machine_time: options.machine_time,
            #[cfg(unix)]
            local: options.local,
            opened: Mutex::default(),
            // The first look is under way from the start, and whoever asks waits for it: see `first_look`.
            look: Mutex::new(Look::Running(Progress { done: 0, total: 0 })),
            changed: Condvar::new(),
        }
    }

    /// The machine's own time.
    pub(crate) fn machine_time(&self) -> SystemTime {
        (self.machine_time)()
    }

    /// Answers other processes of this machine, as long as what it gives is kept. Never for a sub-agent's server: whoever asks may be another.
    #[cfg(unix)]
    pub(crate) fn listen_locally(self: &Arc<Self>) -> Option<crate::local::Listening> {
        let work = self.local.filter(|_| self.options.role == AgentRole::Main)?;
        Some(crate::local::begin(self, work))
    }

    /// Whom the server itself works for.
    pub(crate) fn own(&self) -> Caller {
        Caller { agent: self.options.agent_name().to_owned(), role: self.options.role }
    }

    /// The memory as it is now, for the server's own agent.
    pub(crate) fn memory(&self) -> Result<Arc<Memory>, Failure> {
        self.memory_of(&self.own())
    }

    /// The memory as it is now: opened the first time, and anew where its settings changed or it lies elsewhere.
    pub(crate) fn memory_of(&self, caller: &Caller) -> Result<Arc<Memory>, Failure> {
        let root = (self.find)()?;
        let settings = stamp_of(&root);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = opened.as_mut()
            && known.root == root
            && known.settings == settings
            && rem_mind::ledger::is_workspace(&root)
        {
            return Ok(known.acting_as(caller));
        }
        let is_another = opened.take().is_some();
        let memory = Arc::new(Memory::open(&root, self.options.clone())?);
        // From the first look on: what changes right after it is not to be missed.
        memory.ledger().will_ask_again();
        for notice in memory.notices() {
            tracing::warn!("{notice}");
        }
        if is_another {
            self.set(Look::Never);
        }
        let opened = opened.insert(Opened { memory, others: HashMap::new(), root, settings });
        Ok(opened.acting_as(caller))
    }

    /// Lets go of the opened memory, as after a panic, which may have left it between two states.
    pub(crate) fn let_go(&self) {
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Opens the workspace and brings its index up to date. To be called once, first, and beside everything else.
    pub(crate) fn first_look(&self) {
        self.finish_look(Looking { workspace: self, begun: Instant::now(), before: Some(Look::Never) });
    }

    /// Brings the index up to date, unless somebody is at it.
    pub(crate) fn look_again(&self) {
        if let Some(looking) = self.begin_looking() {
            self.finish_look(looking);
        }
    }

    fn finish_look(&self, looking: Looking<'_>) {
        let outcome = self.memory().and_then(|memory| {
            Ok(memory.catch_up_and_index(self.machine_time(), &mut |at| looking.reached(at))?)
        });
        match outcome {
            Ok(_) => looking.finish(),
            Err(failure) => tracing::warn!("{failure}"),
        }
    }

    /// How many files the look that is under way has not taken in yet.
    pub(crate) fn behind(&self) -> usize {
        match *self.look() {
            Look::Running(at) => at.total.saturating_sub(at.done),
            Look::Never | Look::Done(_) => 0,
        }
    }

    /// Whether the index may be asked as it stands. Waits a while for a look that is under way, and says how far it is.
    pub(crate) fn freshness(&self, patience: Duration, progress: &mut dyn FnMut(Progress)) -> Fresh {
        let until = Instant::now() + patience;
        let mut look = self.look();
        loop {
            match *look {
                Look::Never => return Fresh::No,
                Look::Done(begun) if begun.elapsed() < HOLDS_FOR => return Fresh::Behind(0),
                Look::Done(_) => return Fresh::No,
                Look::Running(at) if Instant::now() >= until => {
                    // Before they are counted, one at least is open.
                    return Fresh::Behind(at.total.saturating_sub(at.done).max(1));
                }
                Look::Running(at) => {
                    drop(look);
                    if at.total > 0 {
                        progress(at);
                    }
                    look = self.look();
                    if matches!(*look, Look::Running(_)) {
                        let waited = self.changed.wait_timeout(look, TICK);
                        look = waited.unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
        }
    }

    /// Says that somebody looks at the files now; nothing where somebody is at it already.
    pub(crate) fn begin_looking(&self) -> Option<Looking<'_>> {
        let mut look = self.look();
        if matches!(*look, Look::Running(_)) {
            return None;
        }
        let before = std::mem::replace(&mut *look, Look::Running(Progress { done: 0, total: 0 }));
        Some(Looking { workspace: self, begun: Instant::now(), before: Some(before) })
    }

    fn look(&self) -> MutexGuard<'_, Look> {
        self.look.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, look: Look) {
        *self.look() = look;
        self.changed.notify_all();
    }
}

/// A look that is under way. Dropped without being finished, it was none.
pub(crate) struct Looking<'a> {
    workspace: &'a Workspace,
    begun: Instant,
    before: Option<Look>,
}

impl Looking<'_> {
    /// How far it is.
    pub(crate) fn reached(&self, at: Progress) {
        *self.workspace.look() = Look::Running(at);
    }

    /// It saw everything.
    pub(crate) fn finish(mut self) {
        self.before = None;
        self.workspace.set(Look::Done(self.begun));
    }
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.before.take() {
            self.workspace.set(before);
        }
    }
}

fn stamp_of(root: &Path) -> Stamp {
    let metadata = std::fs::metadata(root.join("CONFIG.md")).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use rem_testkit::machine_time;

    use super::*;

    fn server_of(workspace: &rem_testkit::Workspace) -> Workspace {
        let root = workspace.root();
        let clock = Arc::new(rem_mind::ledger::FixedClock::new(workspace.now()));
        Workspace::new(ServerOptions {
            workspace: Box::new(move || Ok(root.clone())),
            memory: rem_testkit::options(&clock),
            machine_time,
            #[cfg(unix)]
            local: None,
        })
    }

    #[test]
    fn a_memory_is_opened_once_and_anew_when_its_settings_change() {
        let place = rem_testkit::Workspace::new();
        let server = server_of(&place);
        let first = server.memory().unwrap();
        assert!(Arc::ptr_eq(&first, &server.memory().unwrap()));
        first.set_config("search.max_results", "7").unwrap();
        let second = server.memory().unwrap();
        assert_eq!(second.config().search.max_results, 7);
    }

    #[test]
    fn every_caller_acts_in_its_own_name_over_one_memory() {
        let place = rem_testkit::Workspace::new();
        let server = server_of(&place);
        let scout = Caller { agent: "scout".to_owned(), role: AgentRole::Sub };
        let of_scout = server.memory_of(&scout).unwrap();
        assert_eq!((of_scout.agent(), server.memory().unwrap().agent()), ("scout", "main"));
        assert!(of_scout.ledger().may_change().is_err());
        assert!(Arc::ptr_eq(&of_scout, &server.memory_of(&scout).unwrap()));
    }

    #[test]
    fn a_look_holds_for_a_moment_and_one_that_failed_does_not() {
        let place = rem_testkit::Workspace::new();
        let server = server_of(&place);
        assert_eq!(server.freshness(Duration::ZERO, &mut |_| {}), Fresh::Behind(1), "it begins with one");
        server.first_look();
        assert_eq!(server.freshness(PATIENCE, &mut |_| {}), Fresh::Behind(0));
        server.set(Look::Never);
        drop(server.begin_looking().unwrap());
        assert_eq!(server.freshness(PATIENCE, &mut |_| {}), Fresh::No);
    }

    #[test]
    fn whoever_asks_during_a_look_is_told_how_many_files_are_missing() {
        let place = rem_testkit::Workspace::new();
        let server = server_of(&place);
        server.set(Look::Never);
        let looking = server.begin_looking().unwrap();
        assert!(server.begin_looking().is_none(), "one at a time");
        assert_eq!(server.freshness(Duration::ZERO, &mut |_| {}), Fresh::Behind(1));
        looking.reached(Progress { done: 400, total: 1000 });
        let mut told = Vec::new();
        let fresh = server.freshness(2 * TICK, &mut |at| told.push(at.done));
        assert_eq!(fresh, Fresh::Behind(600));
        assert!(told.contains(&400), "{told:?}");
        looking.finish();
        assert_eq!(server.freshness(Duration::ZERO, &mut |_| {}), Fresh::Behind(0));
    }
}
