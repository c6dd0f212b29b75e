//! Ctrl-C in long work: it says what is kept, and the same command goes on from there.

use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::host_hooks::until;
use crate::support::Scene;

/// So many that no machine is done with them in a second.
const SESSIONS: usize = 240;

fn commits(scene: &Scene) -> usize {
    scene.git(&["rev-list", "--count", "HEAD"]).trim().parse().unwrap()
}

#[test]
fn an_interrupted_command_says_what_is_kept_and_goes_on() {
    let scene = Scene::new();
    let folder = tempfile::tempdir().unwrap();
    for number in 0..SESSIONS {
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
    let child = scene.rem(&["mine"]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // What is told of is long work (half a second) of which some is kept.
    let (begun, before) = (Instant::now(), commits(&scene));
    until(|| begun.elapsed() > Duration::from_millis(800) && commits(&scene) > before + 3);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(
        said.contains("stopped mining after")
            && said.contains(&format!("of {SESSIONS}"))
            && said.contains("is kept"),
        "{said}"
    );
    let rest = scene.json(&["mine"]);
    let mined = rest["mined"].as_array().unwrap().len();
    let told = said.split("stopped mining after ").nth(1).and_then(|rest| rest.split(' ').next());
    let told: usize = told.unwrap().parse().unwrap();
    assert!(mined + told <= SESSIONS && rest["remaining"] == 0, "{mined} were left after {told}");
    scene.done(&["verify"]);
}
