//! `rem jobs` and `rem schedule`, as they are typed, and as a scheduler types them.

use std::process::Command;

use crate::support::Scene;

/// The output of a command at a moment.
fn at(scene: &Scene, time: &str, arguments: &[&str]) -> String {
    let output = scene.rem(arguments).env("REM_NOW", time).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn due_jobs_run_once_and_are_remembered() {
    let scene = Scene::new();
    assert_eq!(scene.done(&["jobs", "log"]), "No job has run yet.\n");
    let list = scene.done(&["jobs", "list"]);
    assert!(
        list.contains("decay")
            && list.contains("next 2026-03-02T04:00:00+00:00")
            && list.contains("schedule.decay: 04:00"),
        "{list}"
    );
    assert_eq!(scene.done(&["jobs", "run", "--due"]), "Nothing is due.\n");
    let ran = at(&scene, "2026-03-02T04:00:30Z", &["jobs", "run", "--due"]);
    assert!(ran.contains("decay") && !ran.contains("failed") && ran.contains("weekly-tag"), "{ran}");
    assert_eq!(at(&scene, "2026-03-02T04:01:00Z", &["jobs", "run", "--due"]), "Nothing is due.\n");
    let log = scene.json(&["jobs", "log", "--tail", "1"]);
    assert_eq!(
        (&log[0]["job"], &log[0]["trigger"], &log[0]["outcome"]),
        (&"weekly-tag".into(), &"schedule".into(), &"done".into()),
        "{log}"
    );
    assert!(scene.json(&["jobs", "run", "decay"])["said"].as_str().unwrap().contains("memories"));
    assert_eq!(scene.json(&["status"])["last_jobs"]["decay"], "2026-03-01T09:00:00Z");
    let night = scene.json(&["jobs", "run", "nightly"]);
    let names: Vec<&str> = night.as_array().unwrap().iter().filter_map(|run| run["job"].as_str()).collect();
    assert_eq!(
        names,
        [
            "memory-miner",
            "condensation",
            "conflict-detector",
            "soul-keeper",
            "weekly-rollup",
            "reflection",
            "decay",
            "commit-messages"
        ]
    );
    let (code, said) = scene.failed(&["jobs", "run", "dream"]);
    assert!(
        code == 2
            && said.contains("the jobs are audit-digest, commit-messages, compactor, condensation, conflict-detector, decay"),
        "{said}"
    );
    assert_eq!(scene.run(&["jobs", "run"]).status.code(), Some(2));
}

#[test]
fn the_line_for_cron_runs_as_it_stands() {
    let scene = Scene::empty();
    let odd = scene.folder().join("my 100% 'odd' folder");
    scene.done(&["init", odd.to_str().unwrap()]);
    let line = scene.done(&["-C", odd.to_str().unwrap(), "schedule", "crontab"]);
    let command = line.trim().strip_prefix("* * * * * ").unwrap();
    // Cron takes `\%` for a percent sign.
    let ran = Command::new("sh").args(["-c", &command.replace(r"\%", "%")]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert!(odd.join(".rem/jobs.json").is_file());
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "", "cron mails what is printed");
    let units = scene.json(&["-C", odd.to_str().unwrap(), "schedule", "systemd"]);
    let service = units["units"][0]["text"].as_str().unwrap();
    assert!(service.contains("my 100%% 'odd' folder\" jobs run --due"), "{service}");
    assert!(units["units"][1]["text"].as_str().unwrap().contains("OnCalendar=minutely"));
    let place = units["units"][1]["place"].as_str().unwrap();
    assert!(place.ends_with("-my_100___odd__folder.timer"), "each workspace has its own: {place}");
}
