//! What a server does without being asked: the files are followed, and jobs that are due are run.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::lease::Lease;
use crate::failure::Failure;

/// How often the files are looked at, where that costs next to nothing because the system tells of changes.
const WATCHED: Duration = Duration::from_secs(1);
/// How often, where every file is looked at.
const UNWATCHED: Duration = Duration::from_secs(30);
/// How often jobs are looked for: a schedule names minutes.
const JOBS: Duration = Duration::from_secs(10);
/// How often it is looked whether the workspace is the one that is served.
const HOLDS: Duration = Duration::from_secs(2);

/// Both tasks.
pub(super) struct Upkeep {
    tasks: [JoinHandle<()>; 2],
}

/// Begins both, until the end.
pub(super) fn begin(shared: &Arc<Shared>, ended: &CancellationToken) -> Upkeep {
    let follow = tokio::spawn(follow(shared.clone(), ended.clone()));
    let work = tokio::spawn(work(shared.clone(), ended.clone()));
    Upkeep { tasks: [follow, work] }
}

impl Upkeep {
    /// Waits for what they are at.
    pub(super) async fn finished(self) {
        for task in self.tasks {
            let _ = task.await;
        }
    }
}

/// Takes in what changed outside, and keeps the index up to date.
async fn follow(shared: Arc<Shared>, ended: CancellationToken) {
    let workspace = shared.worker.workspace().clone();
    let first = workspace.clone();
    let _ = tokio::task::spawn_blocking(move || first.first_look()).await;
    let mut looked = Instant::now();
    while sleeps(WATCHED, &ended).await {
        let (workspace, since) = (workspace.clone(), looked.elapsed());
        let look = move || {
            let is_due =
                since >= UNWATCHED || workspace.memory().is_ok_and(|memory| memory.ledger().is_watching());
            if is_due {
                workspace.look_again();
            }
            (is_due, workspace.behind())
        };
        match tokio::task::spawn_blocking(look).await {
            Ok((is_due, behind)) => {
                shared.metrics.behind(behind);
                if is_due {
                    looked = Instant::now();
                }
            }
            Err(error) => {
                shared.worker.fault(&error);
            }
        }
    }
}

/// Holds on to the right to serve, and ends the server where another has it: what it says then.
pub(super) async fn hold(
    shared: Arc<Shared>,
    lease: Arc<Lease>,
    address: SocketAddr,
    ended: CancellationToken,
) -> Option<Failure> {
    while sleeps(HOLDS, &ended).await {
        let (workspace, lease) = (shared.worker.workspace().clone(), lease.clone());
        // One that is gone may come back.
        let hold = move || workspace.memory().map_or(Ok(()), |memory| lease.hold(&memory, address));
        if let Ok(Err(lost)) = tokio::task::spawn_blocking(hold).await {
            tracing::error!("{lost}");
            ended.cancel();
            return Some(lost);
        }
    }
    None
}

/// Runs the jobs that are due.
async fn work(shared: Arc<Shared>, ended: CancellationToken) {
    loop {
        let workspace = shared.worker.workspace().clone();
        let run = move || {
            let memory = workspace.memory().ok()?;
            match memory.run_due_jobs(workspace.machine_time()) {
                Ok(runs) => Some(runs),
                Err(error) => {
                    tracing::warn!("jobs are not run: {error}");
                    None
                }
            }
        };
        match tokio::task::spawn_blocking(run).await {
            Ok(runs) => runs.iter().flatten().for_each(|run| {
                tracing::info!("{}: {}", run.job, run.said);
                shared.metrics.ran(run);
            }),
            Err(error) => {
                shared.worker.fault(&error);
            }
        }
        if !sleeps(JOBS, &ended).await {
            return;
        }
    }
}

/// Sleeps. `false` where the end came meanwhile.
async fn sleeps(time: Duration, ended: &CancellationToken) -> bool {
    tokio::select! {
        () = tokio::time::sleep(time) => true,
        () = ended.cancelled() => false,
    }
}
