//! Ctrl-C in long work: it says what is kept, and the same command goes on from there.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::Scene;

#[test]
fn an_interrupted_command_says_what_is_kept_and_goes_on() {
    let scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    for number in 0..120 {
        let mut session = String::new();
        for turn in 0..12 {
            let (role, text) = match turn % 2 {
                0 => (
                    "user",
                    format!(
                        "We decided to use port {number}{turn} for service number {number}, because it was free."
                    ),
                ),
                _ => ("assistant", "Noted.".to_owned()),
            };
            writeln!(
                session,
                r#"{{"type":"{role}","uuid":"{number}-{turn}","parentUuid":{},"sessionId":"s{number}","timestamp":"2026-01-{:02}T{:02}:{turn:02}:00Z","isSidechain":false,"cwd":"/srv","message":{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}}}"#,
                if turn == 0 { "null".to_owned() } else { format!("\"{number}-{}\"", turn - 1) },
                1 + number % 28,
                number % 24,
            )
            .unwrap();
        }
        std::fs::write(folder.path().join(format!("s{number}.jsonl")), session).unwrap();
    }
    scene.done(&["import", "claude-code", folder.path().to_str().unwrap()]);
    let mut child = scene.rem(&["mine"]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // Long enough to be long work, and far from done.
    std::thread::sleep(Duration::from_millis(1_500));
    if child.try_wait().unwrap().is_some() {
        return; // This machine is faster than the work is long.
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if matches!(output.status.code(), Some(0) | None) {
        return; // It was done just then, or was no long work yet.
    }
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("stopped mining after") && said.contains("of 120") && said.contains("is kept"),
        "{said}"
    );
    let rest = scene.json(&["mine"]);
    let mined = rest["mined"].as_array().unwrap().len();
    let told = said.split("stopped mining after ").nth(1).and_then(|rest| rest.split(' ').next());
    let told: usize = told.unwrap().parse().unwrap();
    assert!(mined + told <= 120 && rest["remaining"] == 0, "{mined} were left after {told}");
    scene.done(&["verify"]);
}
