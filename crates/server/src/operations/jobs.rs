//! `jobs`: what is done by the clock, and one of it done now.

use rem_mind::jobs::Job;
use serde_json::json;

use super::{Effect, Operation, answer, arguments, choice, count};
use crate::call::{Call, Output};
use crate::failure::Failure;

/// Runs that are listed where nobody says how many.
const SHOWN: usize = 20;

pub(super) const LIST: Operation = Operation {
    tool: None,
    path: Some("jobs"),
    title: "Jobs",
    description: "Lists what the memory does by the clock: when each job is due next, how its last run ended, and the newest runs of all jobs.",
    effect: Effect::Reads,
    input: || arguments(json!({"limit": count(1, "At most so many runs [default: 20]")}), &[]),
    output: || {
        answer(json!({
            "jobs": {"type": "array", "items": {"type": "object"}},
            "runs": {"type": "array", "items": {"type": "object"}},
        }))
    },
    run: list,
};

pub(super) const RUN: Operation = Operation {
    tool: None,
    path: Some("jobs/run"),
    title: "Run a job",
    description: "Runs one job now, whenever it is due, and tells how it went. While another process is running the same job it is refused.",
    effect: Effect::TakesAway,
    input: || arguments(json!({"job": choice(&Job::ALL.map(Job::name), "The job's name.")}), &["job"]),
    output: || {
        answer(json!({
            "job": {"type": "string"},
            "trigger": {"type": "string"},
            "due": {"type": ["string", "null"]},
            "started": {"type": "string"},
            "milliseconds": {"type": "integer"},
            "outcome": {"type": "string", "enum": ["done", "failed"]},
            "said": {"type": "string"},
        }))
    },
    run,
};

fn list(call: &mut Call<'_>) -> Result<Output, Failure> {
    let limit = call.arguments.count("limit", 1)?.unwrap_or(SHOWN);
    call.arguments_end()?;
    Output::of(&json!({"jobs": call.memory.jobs()?, "runs": call.memory.job_log(limit)}))
}

fn run(call: &mut Call<'_>) -> Result<Output, Failure> {
    let names = Job::ALL.map(|job| (job.name(), job));
    let job = call.arguments.choice("job", &names)?;
    let job = job.ok_or_else(|| call.arguments.wrong("job", "is missing"))?;
    call.arguments_end()?;
    Output::of(&call.memory.run_job(job, call.machine_time())?)
}
