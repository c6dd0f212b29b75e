//! What the memory does by the clock: when it is due, that it runs once, and what is remembered of it.

use jiff::{SignedDuration, Timestamp};
use rem_mind::jobs::{Job, JobOutcome, JobRun, JobTrigger};
use rem_testkit::{Workspace, machine_time};

use crate::support::{believing, talk};

fn due(workspace: &Workspace) -> Vec<String> {
    names(&workspace.memory().run_due_jobs(machine_time()).unwrap())
}

fn names(runs: &[JobRun]) -> Vec<String> {
    runs.iter().map(|run| run.job.clone()).collect()
}

fn advance_to(workspace: &Workspace, time: &str) {
    let time: Timestamp = time.parse().unwrap();
    workspace.advance(time.duration_since(workspace.now()));
}

#[test]
fn a_job_is_due_once_however_often_it_was_missed() {
    // A Saturday.
    let workspace = Workspace::at("2026-02-28T12:00:00Z");
    assert_eq!(due(&workspace), [""; 0], "the first look has nothing to make up for");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-01T04:00:00Z");
    assert_eq!(
        due(&workspace),
        [
            "audit-digest",
            "compactor",
            "condensation",
            "decay",
            "monthly-distillation",
            "pruning",
            "reflection",
            "soul-keeper",
            "vector-hygiene"
        ]
    );
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-14T12:00:00Z");
    assert_eq!(
        due(&workspace),
        [
            "commit-messages",
            "compactor",
            "condensation",
            "conflict-detector",
            "decay",
            "memory-miner",
            "promotion-review",
            "pruning",
            "reflection",
            "soul-keeper",
            "vector-hygiene",
            "weekly-rollup",
            "weekly-tag"
        ],
        "thirteen nights are one"
    );
    assert_eq!(due(&workspace), [""; 0]);

    let log = workspace.memory().job_log(14);
    let newest: Vec<&str> = log.iter().map(|run| run.job.as_str()).collect();
    assert_eq!(newest[..4], ["weekly-tag", "weekly-rollup", "vector-hygiene", "soul-keeper"]);
    assert_eq!(newest[11..], ["compactor", "commit-messages", "vector-hygiene"]);
    assert!(log.iter().all(|run| run.outcome == JobOutcome::Done && run.trigger == JobTrigger::Schedule));
    assert_eq!(log[8].job, "decay");
    assert_eq!(log[8].due.as_deref(), Some("2026-03-02T04:00:00Z"), "the first that was missed");
    assert_eq!(workspace.memory().status().unwrap().last_jobs["decay"], "2026-03-14T12:00:00Z");
    // The clock is set back: nothing is due again.
    advance_to(&workspace, "2026-03-10T03:59:00Z");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-10T04:01:00Z");
    assert_eq!(due(&workspace), ["decay"]);
}

/// A workspace in which few jobs run.
fn with_few_jobs(time: &str) -> Workspace {
    let mut workspace = Workspace::at(time);
    for job in [
        "commit_messages",
        "condensation",
        "conflict_detector",
        "memory_miner",
        "weekly_rollup",
        "monthly_distillation",
        "reflection",
        "soul_keeper",
    ] {
        workspace.set(&format!("schedule.{job}"), "off");
    }
    workspace
}

#[test]
fn what_was_missed_is_left_where_catching_up_is_off() {
    let mut workspace = with_few_jobs("2026-03-02T12:00:00Z");
    workspace.set("schedule.catch_up", "false");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-04T12:00:00Z");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-07T04:10:00Z");
    assert_eq!(due(&workspace), ["decay"], "ten minutes late is not missed, whatever was missed before");
}

#[test]
fn schedules_follow_the_operators_clock_when_it_changes() {
    let mut workspace = with_few_jobs("2026-03-28T12:00:00Z");
    workspace.set("schedule.compactor", "off");
    workspace.set("schedule.pruning", "off");
    workspace.set("schedule.vector_hygiene", "off");
    workspace.set("operator.timezone", "Europe/Berlin");
    workspace.set("schedule.decay", "02:30");
    assert_eq!(due(&workspace), [""; 0]);
    let decay = |workspace: &Workspace| {
        workspace.memory().jobs().unwrap().into_iter().find(|job| job.name == "decay").unwrap()
    };
    assert_eq!(decay(&workspace).next.as_deref(), Some("2026-03-29T03:30:00+02:00"), "02:30 is left out");
    advance_to(&workspace, "2026-03-29T01:29:00Z");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-29T01:30:00Z");
    assert_eq!(due(&workspace), ["decay"]);
    workspace.set("schedule.decay", "off");
    let off = decay(&workspace);
    assert_eq!((off.next, off.schedule.as_str()), (None, "off"));
    assert_eq!(off.last.unwrap().started, "2026-03-29T01:30:00Z");
}

#[test]
fn two_processes_do_not_run_one_job() {
    let workspace = with_few_jobs("2026-03-02T12:00:00Z");
    due(&workspace);
    workspace.advance(SignedDuration::from_hours(24));
    let other = workspace.open();
    let held = other.ledger().try_lock_private("job-decay.lock").unwrap().unwrap();
    assert_eq!(due(&workspace), [""; 0], "it is left to whoever runs it");
    let refused = workspace.memory().run_job(Job::Decay, machine_time()).unwrap_err();
    assert!(refused.to_string().contains("another process"), "{refused}");
    // Whoever ran it died: it is due still.
    drop(held);
    assert_eq!(due(&workspace), ["decay"]);

    // Six that look at once run it once.
    workspace.advance(SignedDuration::from_hours(24));
    let runs: Vec<String> = std::thread::scope(|scope| {
        let looking: Vec<_> = (0..6)
            .map(|_| {
                let memory = workspace.open();
                scope.spawn(move || names(&memory.run_due_jobs(machine_time()).unwrap()))
            })
            .collect();
        looking.into_iter().flat_map(|each| each.join().unwrap()).collect()
    });
    assert_eq!(runs, ["decay"]);
    workspace.assert_well();
}

#[test]
fn a_job_that_fails_says_so_and_keeps_no_other_from_running() {
    let workspace = with_few_jobs("2026-03-05T12:00:00Z");
    due(&workspace);
    workspace.write(
        "memory/2026-03-05.md",
        "# Thursday\n\n## Decision\n\nWe decided: the architecture of the database is Postgres, our milestone and strategy.\n",
    );
    // The index cannot be made: a folder stands in its place.
    std::fs::create_dir(workspace.root().join("memory.db")).unwrap();
    advance_to(&workspace, "2026-03-06T18:00:00Z");
    let runs = workspace.memory().run_due_jobs(machine_time()).unwrap();
    assert_eq!(names(&runs), ["decay", "promotion-review"]);
    assert_eq!((runs[0].outcome, runs[1].outcome), (JobOutcome::Failed, JobOutcome::Done));
    assert!(runs[0].said.contains("memory.db") && runs[1].said.starts_with("one section"), "{runs:?}");
    assert_eq!(due(&workspace), [""; 0], "it waits for its next time");
    let by_hand = workspace.memory().run_job(Job::PromotionReview, machine_time()).unwrap();
    assert_eq!((by_hand.trigger, by_hand.due), (JobTrigger::Manual, None));
    assert_eq!(workspace.memory().job_log(1)[0].trigger, JobTrigger::Manual);
}

#[test]
fn a_job_that_failed_is_tried_again_a_few_times() {
    let mut workspace = with_few_jobs("2026-03-02T12:00:00Z");
    workspace.set("schedule.weekly_tag", "04:00");
    assert_eq!(due(&workspace), [""; 0]);
    advance_to(&workspace, "2026-03-03T04:01:00Z");
    let git = workspace.root().join(".git");
    let away = workspace.root().join("git-away");
    let outcomes = |workspace: &Workspace| -> Vec<JobOutcome> {
        let runs = workspace.memory().run_due_jobs(machine_time()).unwrap();
        runs.iter().filter(|run| run.job == "weekly-tag").map(|run| run.outcome).collect()
    };
    std::fs::rename(&git, &away).unwrap();
    assert_eq!(outcomes(&workspace), [JobOutcome::Failed]);
    advance_to(&workspace, "2026-03-03T04:05:00Z");
    assert_eq!(outcomes(&workspace), [], "not at once");
    advance_to(&workspace, "2026-03-03T04:12:00Z");
    assert_eq!(outcomes(&workspace), [JobOutcome::Failed]);
    std::fs::rename(&away, &git).unwrap();
    advance_to(&workspace, "2026-03-03T04:30:00Z");
    assert_eq!(outcomes(&workspace), [JobOutcome::Done]);
    advance_to(&workspace, "2026-03-03T05:30:00Z");
    assert_eq!(outcomes(&workspace), []);
}

#[test]
fn what_was_missed_is_done_for_the_week_that_it_was_due_in() {
    // A Wednesday.
    let workspace = believing(Workspace::at("2026-02-18T08:00:00Z"));
    assert_eq!(due(&workspace), [""; 0]);
    let said =
        "user: We decided to use Postgres for the booking service, because SQLite locked up under load.";
    talk(&workspace, "s1", "2026-02-18T09:00:00Z", &[said, "agent: Noted."]);
    // The machine slept over Sunday night.
    advance_to(&workspace, "2026-02-23T07:00:00Z");
    let runs = workspace.memory().run_due_jobs(machine_time()).unwrap();
    let said_by = |runs: &[JobRun], job: &str| runs.iter().find(|run| run.job == job).unwrap().said.clone();
    assert_eq!(said_by(&runs, "weekly-rollup"), "1 entries came into MEMORY.md, 0 left it", "{runs:#?}");
    let core = workspace.text("MEMORY.md");
    assert!(core.contains("Postgres") && core.contains("week:2026-W08"), "{core}");
    assert_eq!(said_by(&runs, "weekly-tag"), "memory/weekly/2026-W08 names the week");
    // The next week has its own name.
    advance_to(&workspace, "2026-03-01T23:59:30Z");
    let runs = workspace.memory().run_due_jobs(machine_time()).unwrap();
    assert_eq!(said_by(&runs, "weekly-tag"), "memory/weekly/2026-W09 names the week");
    // After three weeks the last one that was missed is named, and every one is rolled up.
    talk(
        &workspace,
        "s2",
        "2026-03-03T09:00:00Z",
        &["user: We decided to use Redis for the queue of the shop.", "agent: Ok."],
    );
    advance_to(&workspace, "2026-03-24T07:00:00Z");
    let runs = workspace.memory().run_due_jobs(machine_time()).unwrap();
    assert!(workspace.text("MEMORY.md").contains("week:2026-W10"), "{runs:#?}");
    assert_eq!(said_by(&runs, "weekly-tag"), "memory/weekly/2026-W12 names the week");
    let again = workspace.memory().run_job(Job::WeeklyTag, machine_time()).unwrap();
    assert!(again.said.starts_with("nothing changed since memory/weekly/2026-W12"), "{}", again.said);
}
