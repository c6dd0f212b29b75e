//! Threads beside the runtime's own, on which whatever asks the memory is done.
//!
//! Only so many calls are worked on at once: more would wait at the door and at the index anyway. A call that panics is a failure that
//! says so, and the server goes on.

use std::sync::Arc;

use rem_mind::Outcome;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, JoinHandle};

use crate::failure::Failure;
use crate::workspace::Workspace;

/// Calls that are worked on at once.
pub(crate) const AT_ONCE: u32 = 4;

/// What works on calls.
#[derive(Clone)]
pub(crate) struct Worker {
    workspace: Arc<Workspace>,
    permits: Arc<Semaphore>,
}

impl Worker {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        Self { workspace, permits: Arc::new(Semaphore::new(AT_ONCE as usize)) }
    }

    /// The workspace that calls are about.
    pub(crate) fn workspace(&self) -> &Arc<Workspace> {
        &self.workspace
    }

    /// Waits until it is one's turn.
    pub(crate) async fn turn(&self) -> OwnedSemaphorePermit {
        let permit = self.permits.clone().acquire_owned().await;
        permit.unwrap_or_else(|closed| unreachable!("nobody closes it: {closed}"))
    }

    /// Begins work that has its turn.
    pub(crate) fn begin<T: Send + 'static>(
        &self,
        turn: OwnedSemaphorePermit,
        work: impl FnOnce(&Workspace) -> T + Send + 'static,
    ) -> JoinHandle<T> {
        let workspace = self.workspace.clone();
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work(&workspace)
        })
    }

    /// What became of a call that panicked. The memory is opened anew, for it may have been left between two states.
    pub(crate) fn fault(&self, error: &JoinError) -> Failure {
        tracing::error!("a call ended badly: {error}");
        self.workspace.let_go();
        Failure::new(
            "the call ended in a fault of the program itself; the server goes on",
            "`rem verify` says whether the memory is well; standard error of the server has the details",
        )
        .with_outcome(Outcome::Internal)
    }

    /// Waits until no call is under way any more.
    pub(crate) async fn finished(&self) {
        let _ = self.permits.acquire_many(AT_ONCE).await;
    }
}

#[cfg(test)]
mod tests {
    use rem_testkit::machine_time;

    use super::*;
    use crate::ServerOptions;

    #[tokio::test]
    async fn a_call_that_panics_is_survived() {
        let place = rem_testkit::Workspace::new();
        let root = place.root();
        let clock = Arc::new(rem_mind::ledger::FixedClock::new(place.now()));
        let worker = Worker::new(Arc::new(Workspace::new(ServerOptions {
            workspace: Box::new(move || Ok(root.clone())),
            memory: rem_testkit::options(&clock),
            machine_time,
            #[cfg(unix)]
            local: None,
        })));
        for _ in 0..2 * AT_ONCE {
            let turn = worker.turn().await;
            let ended = worker.begin(turn, |_| panic!("on purpose")).await;
            let failure = worker.fault(&ended.unwrap_err());
            assert_eq!(failure.outcome(), Outcome::Internal);
        }
        let turn = worker.turn().await;
        assert!(worker.begin(turn, |workspace| workspace.memory().is_ok()).await.unwrap());
        worker.finished().await;
    }
}
