//! Jobs: what the memory does by the clock (U5; P11, A9.3, S). Which are due, running them, and the history of their runs.
//!
//! A job is due when its schedule (`schedule.*` in CONFIG.md, in the operator's time zone) came true since it last ran; however often
//! that was, it runs once, for the weeks or months that it was due in; one that fails is tried again a few times. A workspace that has never seen a job begins to count when it
//! first does. While a job runs its lock in the
//! private folder is held, so no two processes run it at once, and what a dead process began is due again. Must not sleep, or start
//! threads: whoever calls decides when to look.

mod table;

use std::collections::BTreeMap;
use std::time::{Instant, SystemTime};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::cron::Cron;
use serde::{Deserialize, Serialize};

pub use table::Job;

use crate::error::MemoryError;
use crate::memory::Memory;

/// The moment up to which each job was looked after, by name.
const SEEN: &str = "jobs.json";
/// One line for every run.
const LOG: &str = "jobs.log";
/// Bytes of history that are kept at most.
const LONGEST_LOG: u64 = 1024 * 1024;
/// A job that failed is tried again after this, until it has failed so often.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(10);
const MOST_ATTEMPTS: usize = 3;
/// A run that is later than this was missed, not delayed.
const LATE: SignedDuration = SignedDuration::from_mins(15);
/// What was missed is looked for so far back, and made up for so many days.
const LONGEST_GAP: SignedDuration = SignedDuration::from_hours(366 * 24);
const MOST_DAYS: usize = 60;

/// What started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobTrigger {
    /// Its schedule.
    Schedule,
    /// A person, or a program of theirs.
    Manual,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobOutcome {
    /// It did what it does.
    Done,
    /// It could not.
    Failed,
}

/// One run of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRun {
    /// The job's name.
    pub job: String,
    /// What started it.
    pub trigger: JobTrigger,
    /// When it was due, in RFC 3339; nothing where a person started it.
    pub due: Option<String>,
    /// When it began, in RFC 3339.
    pub started: String,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// How it ended.
    pub outcome: JobOutcome,
    /// What it did, or why it could not, in a sentence.
    pub said: String,
}

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JobState {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
    /// The setting of its schedule.
    pub setting: &'static str,
    /// The schedule as CONFIG.md has it.
    pub schedule: String,
    /// When it is due next, in RFC 3339 with the operator's offset; nothing where it is off.
    pub next: Option<String>,
    /// Its last run, if one is remembered.
    pub last: Option<JobRun>,
}

impl Memory {
    /// Every job, in order of its name.
    ///
    /// # Errors
    /// [`MemoryError::Setting`] for a schedule that never comes true.
    pub fn jobs(&self) -> Result<Vec<JobState>, MemoryError> {
        let (seen, last) = (self.seen_jobs(), self.last_runs());
        let state = |job: Job| {
            let since = seen.get(job.name()).copied().unwrap_or_else(|| self.now());
            let next = self.due_after(job, since.min(self.now()))?;
            Ok(JobState {
                name: job.name(),
                what: job.what(),
                setting: job.setting(),
                schedule: job.schedule(&self.config).text().to_owned(),
                next: next.map(|due| {
                    due.to_zoned(self.time_zone().clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
                }),
                last: last.get(job.name()).cloned(),
            })
        };
        Job::ALL.into_iter().map(state).collect()
    }

    /// Runs every job that is due, one after the other, and queues the topics whose schedule came true. A job that another process
    /// is running is left to it. A job that fails is in the history and on the log, and keeps no other from running.
    ///
    /// # Errors
    /// [`MemoryError`] for a sub-agent, and where the private folder cannot be written.
    pub fn run_due_jobs(&self, observed_at: SystemTime) -> Result<Vec<JobRun>, MemoryError> {
        self.ledger.may_change()?;
        if let Err(error) = self.queue_due_topics() {
            tracing::warn!("topics that are due are not queued: {error}");
        }
        let mut runs = Vec::new();
        for job in Job::ALL {
            let Some(_running) = self.ledger.try_lock_private(&lock_of(job))? else { continue };
            let now = self.now();
            // A clock that was set back: what is due is counted from now on.
            let Some(since) = self.seen_jobs().get(job.name()).copied().filter(|seen| *seen <= now) else {
                self.see_job(job, now)?;
                continue;
            };
            let due = match self.due_after(job, since) {
                Ok(due) => due.filter(|due| *due <= now),
                Err(error) => {
                    tracing::warn!("{} is not run: {error}", job.name());
                    continue;
                }
            };
            let Some(due) = due else { continue };
            let is_missed = now.duration_since(self.last_due(job, due, now)) > LATE;
            let failures = self.failures(job, due);
            if failures.last().is_some_and(|last| now.duration_since(*last) < AGAIN_AFTER) {
                continue;
            }
            if self.config.schedule.catch_up || !is_missed || !failures.is_empty() {
                let run = self.run_held(job, JobTrigger::Schedule, Some(due), observed_at)?;
                let is_again = run.outcome == JobOutcome::Failed && failures.len() + 1 < MOST_ATTEMPTS;
                runs.push(run);
                if is_again {
                    continue;
                }
            }
            self.see_job(job, now)?;
        }
        Ok(runs)
    }

    /// When a job failed that was due at this moment, oldest first.
    fn failures(&self, job: Job, due: Timestamp) -> Vec<Timestamp> {
        let due = due.to_string();
        let mut runs = self.job_log(usize::MAX);
        runs.reverse();
        let is_it = |run: &JobRun| {
            run.job == job.name() && run.outcome == JobOutcome::Failed && run.due.as_ref() == Some(&due)
        };
        runs.iter().filter(|run| is_it(run)).filter_map(|run| run.started.parse().ok()).collect()
    }

    /// Runs one job now, whenever it is due.
    ///
    /// # Errors
    /// [`MemoryError::Busy`] where another process is running it; [`MemoryError`] for a sub-agent, and where the history cannot be written. That the job
    /// itself failed is in what is given back.
    pub fn run_job(&self, job: Job, observed_at: SystemTime) -> Result<JobRun, MemoryError> {
        self.ledger.may_change()?;
        let Some(_running) = self.ledger.try_lock_private(&lock_of(job))? else {
            return Err(MemoryError::Busy {
                message: format!("{} is running in another process", job.name()),
                hint: "wait until it is done; `rem jobs log` shows when".to_owned(),
            });
        };
        self.run_held(job, JobTrigger::Manual, None, observed_at)
    }

    /// The last runs, at most so many, the newest first.
    #[must_use]
    pub fn job_log(&self, most: usize) -> Vec<JobRun> {
        let bytes = self.ledger.read_private_tail(LOG, LONGEST_LOG).unwrap_or_default();
        let lines = bytes.split(|byte| *byte == b'\n').rev();
        lines.filter_map(|line| serde_json::from_slice(line).ok()).take(most).collect()
    }

    /// The last run of each job that is remembered, by name.
    pub(crate) fn last_runs(&self) -> BTreeMap<String, JobRun> {
        let runs = self.job_log(usize::MAX).into_iter().rev();
        runs.map(|run| (run.job.clone(), run)).collect()
    }

    /// Runs a job whose lock is held, and writes the run down.
    fn run_held(
        &self,
        job: Job,
        trigger: JobTrigger,
        due: Option<Timestamp>,
        observed_at: SystemTime,
    ) -> Result<JobRun, MemoryError> {
        let (started, begun) = (self.now(), Instant::now());
        let days = self.due_days(job, due, started);
        let (outcome, said) = match job.run(self, &days, observed_at) {
            Ok(said) => (JobOutcome::Done, said),
            Err(error) => {
                tracing::warn!("{} failed: {error}", job.name());
                (JobOutcome::Failed, error.to_string())
            }
        };
        let run = JobRun {
            job: job.name().to_owned(),
            trigger,
            due: due.map(|due| due.to_string()),
            started: started.to_string(),
            milliseconds: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            outcome,
            said,
        };
        let mut line = serde_json::to_vec(&run).unwrap_or_default();
        line.push(b'\n');
        self.ledger.append_private(LOG, &line, LONGEST_LOG)?;
        Ok(run)
    }

    /// The first moment after `after` at which a job is due; nothing where it is off.
    fn due_after(&self, job: Job, after: Timestamp) -> Result<Option<Timestamp>, MemoryError> {
        let schedule = job.schedule(&self.config);
        if schedule.cron().is_none() {
            return Ok(None);
        }
        let cron = Cron::parse(schedule.text())
            .map_err(|reason| MemoryError::Setting { key: job.setting().to_owned(), reason })?;
        Ok(cron.next_after(&after.to_zoned(self.time_zone().clone())).map(|due| due.timestamp()))
    }

    /// The last moment up to `now` at which a job was due that was first due at `due`.
    fn last_due(&self, job: Job, due: Timestamp, now: Timestamp) -> Timestamp {
        // A run that is not late was due a short while ago; how many came before it does not matter.
        let recently = now.saturating_sub(LATE).unwrap_or(Timestamp::MIN);
        let mut last = due;
        let mut from = due.max(recently);
        while let Ok(Some(next)) = self.due_after(job, from)
            && next <= now
        {
            (last, from) = (next, next);
        }
        last
    }

    /// The days up to `now` that a job was due on which was first due at `due`, oldest first and the last ones where there are many; today
    /// where nothing but a person says that it is.
    fn due_days(&self, job: Job, due: Option<Timestamp>, now: Timestamp) -> Vec<Date> {
        let Some(due) = due else { return vec![self.today()] };
        let day_of = |moment: Timestamp| moment.to_zoned(self.time_zone().clone()).date();
        let oldest = now.saturating_sub(LONGEST_GAP).unwrap_or(Timestamp::MIN);
        let mut days = vec![day_of(due)];
        let mut from = due.max(oldest);
        while let Ok(Some(next)) = self.due_after(job, from)
            && next <= now
        {
            days.push(day_of(next));
            from = next;
        }
        days.dedup();
        days.drain(..days.len().saturating_sub(MOST_DAYS));
        days
    }

    fn seen_jobs(&self) -> BTreeMap<String, Timestamp> {
        let bytes = self.ledger.read_private(SEEN).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    fn see_job(&self, job: Job, moment: Timestamp) -> Result<(), MemoryError> {
        let _guard = self.ledger.lock_private("jobs.lock")?;
        let mut seen = self.seen_jobs();
        seen.insert(job.name().to_owned(), moment);
        Ok(self.ledger.write_private(SEEN, &serde_json::to_vec(&seen).unwrap_or_default())?)
    }
}

fn lock_of(job: Job) -> String {
    format!("job-{}.lock", job.name())
}
