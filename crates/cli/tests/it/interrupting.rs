//! Ctrl-C in long work: it says what is kept, and the same command goes on from there. Killed without a word, the next one does.

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

#[test]
fn killed_at_random_moments_what_was_acknowledged_is_there_and_the_next_command_works() {
    const RUNS: u64 = 40;
    let scene = Scene::new();
    let said = |number: u64| format!("We decided to use port {number} for service s{number}");
    let begun = Instant::now();
    scene.done(&["remember", &said(3_000)]);
    // Some come through, and every moment of the others has its turn.
    let most = 1_500 * u64::try_from(begun.elapsed().as_millis()).unwrap();
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    let (mut chance, mut acknowledged) = (seed, vec![3_000]);
    for number in 3_001..=3_000 + RUNS {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let time = Duration::from_micros((chance >> 33) % most);
        let mut child = scene
            .rem(&["remember", &said(number)])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(time);
        match child.try_wait().unwrap() {
            Some(status) => {
                let told = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
                assert!(status.success(), "seed {seed}, {number}: {told}");
                acknowledged.push(number);
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
            }
        }
    }
    acknowledged.push(4_000);
    scene.done(&["remember", &said(4_000)]);
    scene.done(&["verify"]);
    let episodes = scene.git(&["grep", "-h", "We decided to use port", "--", "memory"]);
    let lost: Vec<_> = acknowledged.iter().filter(|number| !episodes.contains(&said(**number))).collect();
    assert!(lost.is_empty(), "seed {seed}: {lost:?} of {acknowledged:?}");
}
