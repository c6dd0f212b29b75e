//! `rem jobs`

use anyhow::Result;
use rem_mind::jobs::{Job, JobOutcome, JobRun, JobState};

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// See and run what the memory does by the clock
///
/// When each job runs stands in CONFIG.md under `schedule`, in the operator's time zone. `rem schedule` prints what has the machine
/// look for due jobs. A job that was missed runs once; no two processes run one at once.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum JobsCommand {
    /// The jobs, when each is due and how it last ended
    List,
    /// Run a job now, or all that are due
    Run {
        /// The job's name, or `nightly` for what the night does: mining, the journal, the week, fading, commit messages
        #[arg(required_unless_present = "due", conflicts_with = "due")]
        name: Option<String>,
        /// Run every job whose time has come, and queue the topics whose schedule came true
        #[arg(long)]
        due: bool,
    },
    /// The last runs, newest first
    Log {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 20)]
        tail: usize,
    },
}

pub(crate) fn run(command: &JobsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        JobsCommand::List => {
            let jobs = memory.jobs()?;
            printer.answer(&jobs, || jobs.iter().map(state).collect())
        }
        JobsCommand::Run { name: None, .. } => {
            let runs = memory.run_due_jobs(environment::system_time())?;
            // A crontab mails whatever is printed.
            printer.answer(&runs, || match runs.is_empty() {
                true if printer.is_quiet() => String::new(),
                true => "Nothing is due.".to_owned(),
                false => runs.iter().map(line).collect(),
            })?;
            refuse_failed(&runs)
        }
        JobsCommand::Run { name: Some(name), .. } => {
            let jobs = Job::all_named(name);
            if jobs.is_empty() {
                let names = Job::ALL.map(Job::name).join(", ");
                let hint = format!("the jobs are {names}; nightly is what the night does");
                return Err(Hinted::usage(format!("there is no job {name:?}"), hint).into());
            }
            let mut runs = Vec::new();
            for job in jobs {
                runs.push(memory.run_job(job, environment::system_time())?);
            }
            refuse_failed(&runs)?;
            match &runs[..] {
                [run] => printer.answer(run, || line(run)),
                runs => printer.answer(&runs, || runs.iter().map(line).collect()),
            }
        }
        JobsCommand::Log { tail } => {
            let runs = memory.job_log(*tail);
            printer.answer(&runs, || match runs.is_empty() {
                true => "No job has run yet.".to_owned(),
                false => runs.iter().map(line).collect(),
            })
        }
    }
}

/// Fails where a job did, so that whatever runs it by the clock sees that.
fn refuse_failed(runs: &[JobRun]) -> Result<()> {
    let failed: Vec<String> = runs
        .iter()
        .filter(|run| run.outcome == JobOutcome::Failed)
        .map(|run| format!("{} failed: {}", run.job, run.said))
        .collect();
    anyhow::ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(())
}

fn state(job: &JobState) -> String {
    let next = job.next.as_deref().map_or_else(|| "off".to_owned(), |next| format!("next {next}"));
    let last = job
        .last
        .as_ref()
        .map_or_else(String::new, |run| format!("\n{:18}last: {}", "", line(run).trim_end()));
    format!("{:16}  {}  ({}: {})\n{:18}{}{last}\n", job.name, next, job.setting, job.schedule, "", job.what)
}

fn line(run: &JobRun) -> String {
    let failed = if run.outcome == JobOutcome::Failed { "failed: " } else { "" };
    format!("{}  {}  {} ms  {failed}{}\n", run.started, run.job, run.milliseconds, run.said)
}
