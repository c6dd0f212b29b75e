//! Hooks answered by a server that runs anyway, over a socket in the workspace's private folder.
//!
//! A hook is a process of its own for every message, and most of its time goes into what a server has at hand: the files as the kernel
//! notes them, the index, the patterns. One server of a workspace listens, the one that holds the lock; when it ends, the next one takes
//! over. Whoever asks does the work itself where nobody says at once that it is being done. Only the user's own processes reach the
//! socket, and what they may do is what they could do themselves: their agent and their role go with the call.
//!
//! Must not know what a hook is: [`ServerOptions::local`](crate::ServerOptions) does the work.

use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use rem_mind::Memory;
use rem_mind::ledger::AgentRole;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::workspace::{Caller, Workspace};

/// Does a call for another process, given what that was told, with the machine's own time.
pub type LocalWork = fn(&Memory, &LocalCall, &[u8], SystemTime) -> Value;

/// What is said over the socket; another number is another way to say it.
const PROTOCOL: u32 = 1;
const SOCKET: &str = "hooks.sock";
const LOCK: &str = "hooks.lock";
/// How long somebody is given to say that the work is being done.
const PATIENCE: Duration = Duration::from_millis(100);
/// The most calls that are worked on at once; whoever else asks does the work itself.
const AT_ONCE: usize = 4;
/// The most bytes of what is said first, and of what a call was told.
const MOST_HEAD: u64 = 64 << 10;
const MOST_BODY: u64 = 64 << 20;

/// A call of another process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalCall {
    protocol: u32,
    version: String,
    root: PathBuf,
    /// Who is at work there.
    pub agent: String,
    is_sub: bool,
    /// What is asked for.
    pub what: String,
}

impl LocalCall {
    /// A call in the name of this agent.
    #[must_use]
    pub fn new(root: &Path, agent: &str, role: AgentRole, what: &str) -> Self {
        Self {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            root: canonical(root),
            agent: agent.to_owned(),
            is_sub: role == AgentRole::Sub,
            what: what.to_owned(),
        }
    }

    fn caller(&self) -> Caller {
        let role = if self.is_sub { AgentRole::Sub } else { AgentRole::Main };
        Caller { agent: self.agent.clone(), role }
    }

    /// Asks the server that listens there, if any; `begun` is told how long the work may take once somebody does it. `None` where nobody does,
    /// so that the asker has to.
    #[must_use]
    pub fn ask(&self, told: &[u8], begun: impl FnOnce(Duration)) -> Option<Value> {
        let mut stream = UnixStream::connect(self.root.join(".rem").join(SOCKET)).ok()?;
        let mut head = serde_json::to_string(self).ok()?;
        head.push('\n');
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        stream.write_all(head.as_bytes()).ok()?;
        let mut answers = BufReader::new(stream.try_clone().ok()?);
        let accepted: Accepted = read_line(&mut answers)?;
        begun(Duration::from_millis(accepted.deadline_ms));
        stream.set_read_timeout(None).ok()?;
        stream.set_write_timeout(None).ok()?;
        stream.write_all(told).ok()?;
        stream.shutdown(std::net::Shutdown::Write).ok()?;
        read_line(&mut answers)
    }
}

/// How often it is looked whether the socket still lies in the workspace.
const LOOKS_EVERY: Duration = Duration::from_secs(2);

/// What is said as soon as a call is taken.
#[derive(Debug, Serialize, Deserialize)]
struct Accepted {
    deadline_ms: u64,
}

fn read_line<T: serde::de::DeserializeOwned>(from: &mut impl BufRead) -> Option<T> {
    let mut line = String::new();
    from.read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

/// The listening of a server. Dropped, it listens no more.
pub(crate) struct Listening {
    workspace: Arc<Workspace>,
    is_listening: Arc<AtomicBool>,
}

impl Drop for Listening {
    fn drop(&mut self) {
        if self.is_listening.load(Ordering::Acquire)
            && let Ok(memory) = self.workspace.memory()
            && let Err(error) = memory.ledger().remove_private(SOCKET)
        {
            tracing::info!("{error}");
        }
    }
}

/// Listens beside everything else, now or when whoever does has ended. Nothing where there is no workspace.
pub(crate) fn begin(workspace: &Arc<Workspace>, work: LocalWork) -> Listening {
    let is_listening = Arc::new(AtomicBool::new(false));
    let listening = Listening { workspace: workspace.clone(), is_listening: is_listening.clone() };
    let workspace = workspace.clone();
    // It ends with the process, whatever it waits for.
    std::thread::spawn(move || {
        if let Err(why) = listen(&workspace, work, &is_listening) {
            tracing::info!("hooks are not answered from here: {why}");
        }
    });
    listening
}

/// Listens, and does so again where the workspace was made anew or lies elsewhere.
fn listen(workspace: &Arc<Workspace>, work: LocalWork, is_listening: &AtomicBool) -> Result<(), String> {
    loop {
        let memory = workspace.memory().map_err(|failure| failure.to_string())?;
        let lock = memory.ledger().lock_private(LOCK).map_err(|error| error.to_string())?;
        if !lock.is_of(memory.ledger(), LOCK) {
            // It was waited for while the workspace went.
            continue;
        }
        let listener = memory.ledger().listen_private(SOCKET).map_err(|error| error.to_string())?;
        is_listening.store(true, Ordering::Release);
        let accepting = workspace.clone();
        // Where the socket goes it waits for nothing, until the process ends.
        let accepts = std::thread::spawn(move || accept(&accepting, work, &listener));
        while !accepts.is_finished() && (lock.is_of(memory.ledger(), LOCK) || workspace.memory().is_err()) {
            std::thread::sleep(LOOKS_EVERY);
        }
        if accepts.is_finished() {
            return accepts.join().unwrap_or_else(|_| Err("a thread ended badly".to_owned()));
        }
        is_listening.store(false, Ordering::Release);
        tracing::info!("the workspace is another than before: hooks are answered there from now on");
    }
}

fn accept(workspace: &Arc<Workspace>, work: LocalWork, listener: &UnixListener) -> Result<(), String> {
    let under_way = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let stream = stream.map_err(|error| error.to_string())?;
        if under_way.fetch_add(1, Ordering::AcqRel) >= AT_ONCE {
            under_way.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let (workspace, under_way) = (workspace.clone(), under_way.clone());
        std::thread::spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| answer(&workspace, work, stream)));
            under_way.fetch_sub(1, Ordering::AcqRel);
            match done {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::info!("a local call was not answered: {error}"),
                Err(_) => {
                    tracing::error!("a local call ended badly");
                    workspace.let_go();
                }
            }
        });
    }
    Ok(())
}

/// Takes one call, or hangs up, so that whoever asked does the work.
fn answer(workspace: &Workspace, work: LocalWork, mut stream: UnixStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut from = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    from.by_ref().take(MOST_HEAD).read_line(&mut head)?;
    let Ok(call) = serde_json::from_str::<LocalCall>(&head) else { return Ok(()) };
    if call.protocol != PROTOCOL || call.version != env!("CARGO_PKG_VERSION") {
        return Ok(());
    }
    let Ok(memory) = workspace.memory_of(&call.caller()) else { return Ok(()) };
    if canonical(memory.ledger().root()) != call.root {
        return Ok(());
    }
    tracing::info!("{} asks over the socket: {}", call.agent, call.what);
    let accepted = Accepted { deadline_ms: memory.config().hooks.deadline_ms };
    writeln!(stream, "{}", json!(accepted))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut told = Vec::new();
    from.take(MOST_BODY).read_to_end(&mut told)?;
    writeln!(stream, "{}", work(&memory, &call, &told, workspace.machine_time()))
}

fn canonical(root: &Path) -> PathBuf {
    std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned())
}
