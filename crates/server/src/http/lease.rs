//! One server for a workspace: who has it, for as long as the process lives.

use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};

use rem_mind::ledger::PrivateLock;
use rem_mind::{Memory, Outcome};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// Held by the operating system, so that it vanishes with its owner.
const LOCK: &str = "server.lock";
/// Who holds it, for whoever comes second.
const HOLDER: &str = "server.json";

/// The right to serve a workspace, until it is dropped.
pub(super) struct Lease {
    lock: Mutex<PrivateLock>,
}

/// A server, as it introduces itself.
#[derive(Debug, Serialize, Deserialize)]
struct Holder {
    pid: u32,
    address: String,
    since: String,
    version: String,
}

impl Lease {
    /// Takes it, or says who has it.
    pub(super) fn take(memory: &Memory) -> Result<Self, Failure> {
        match memory.ledger().try_lock_private(LOCK)? {
            Some(lock) => Ok(Self { lock: Mutex::new(lock) }),
            None => Err(held(memory)),
        }
    }

    /// Holds on to it where the workspace was removed and made anew meanwhile.
    ///
    /// # Errors
    /// [`Failure`] where another server has it by now.
    pub(super) fn hold(&self, memory: &Memory, address: SocketAddr) -> Result<(), Failure> {
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if lock.is_of(memory.ledger(), LOCK) {
            return Ok(());
        }
        *lock = memory.ledger().try_lock_private(LOCK)?.ok_or_else(|| held(memory))?;
        tracing::warn!("the workspace was made anew, and is served from here on");
        self.tell(memory, address)
    }

    /// Tells whoever comes second where this server listens.
    pub(super) fn tell(&self, memory: &Memory, address: SocketAddr) -> Result<(), Failure> {
        let holder = Holder {
            pid: std::process::id(),
            address: address.to_string(),
            since: memory.now().to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(memory.ledger().write_private(HOLDER, &serde_json::to_vec(&holder)?)?)
    }
}

fn held(memory: &Memory) -> Failure {
    let told = memory.ledger().read_private(HOLDER).unwrap_or_default();
    let who = match serde_json::from_slice::<Holder>(&told) {
        Ok(Holder { pid, address, since, .. }) => {
            format!("process {pid} serves this workspace already, at http://{address} since {since}")
        }
        Err(_) => "another process serves this workspace already".to_owned(),
    };
    Failure::new(who, "use that one, or end it first; commands and MCP processes work beside it")
        .with_outcome(Outcome::Locked)
}
