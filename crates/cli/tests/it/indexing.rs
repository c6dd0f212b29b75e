//! Indexing by several processes, some of which die: the next search answers as if nothing had happened.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::support::Scene;

const NOTES: usize = 120;

fn harbor() -> Scene {
    let scene = Scene::new();
    for number in 0..NOTES {
        let words = ["harbor", "boat", "rope", "sail", "crew", "storm", "tide"];
        let text: Vec<&str> = (0..60).map(|at| words[(at * at + number) % words.len()]).collect();
        scene.write(
            &format!("memory/reference/note-{number}.md"),
            format!("# Note {number}\n\n{}\n", text.join(" ")),
        );
    }
    scene.write("memory/reference/needle.md", "The lighthouse keeper plays the cello.\n");
    scene.done(&["status"]);
    scene
}

fn answer(scene: &Scene) -> Value {
    scene.json(&["recall", "lighthouse keeper in a storm", "--min-score", "0"])["results"].take()
}

#[test]
fn a_hundred_kills_while_indexing_lose_and_invent_nothing() {
    let scene = harbor();
    let expected = answer(&scene);
    assert_eq!(expected[0]["path"], "memory/reference/needle.md");
    let mut random: u64 = 42;
    for round in 0..100 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut indexing =
            scene.rem(&["index", "--force"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Some moment between the start and what a whole run takes.
        std::thread::sleep(Duration::from_micros((random >> 33) % 150_000));
        let _ = indexing.kill();
        indexing.wait().unwrap();
        if round % 20 == 19 {
            assert_eq!(answer(&scene), expected, "after {} kills", round + 1);
        }
    }
}

#[test]
fn two_processes_may_index_at_once() {
    let scene = harbor();
    let expected = answer(&scene);
    for _ in 0..3 {
        std::fs::remove_file(scene.root().join("memory.db")).unwrap();
        let both = [(); 2]
            .map(|()| scene.rem(&["index"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        for mut indexing in both {
            assert!(indexing.wait().unwrap().success());
        }
        assert_eq!(answer(&scene), expected);
    }
}

#[test]
fn whoever_asks_while_others_build_from_nothing_is_answered() {
    let scene = harbor();
    let expected = answer(&scene);
    for _ in 0..5 {
        let forced = [(); 2].map(|()| {
            let mut indexing = scene.rem(&["index", "--force"]);
            indexing.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        });
        for _ in 0..3 {
            assert_eq!(answer(&scene), expected);
        }
        for mut indexing in forced {
            assert!(indexing.wait().unwrap().success());
        }
    }
}
