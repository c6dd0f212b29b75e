//! What an agent answers to the task of a reflection and no item says is told, with its reason.

use rem_testkit::{Workspace, machine_time};

const FACTS: &str = "memory/reference/facts.md";

#[test]
fn what_was_answered_and_is_no_item_is_said_with_its_reason() {
    let workspace = Workspace::new();
    let long = "x ".repeat(200);
    workspace.write(
        FACTS,
        format!(
            "# Facts\n\n## Facts\n- The office is on the third floor <!-- id:floor | since:2026-02-10 | confidence:0.6 | mentions:1 -->\n\
             - The archive is in the cellar <!-- id:cellar | since:2026-02-10 | confidence:0.95 | mentions:1 -->\n\
             - The list says {long} <!-- id:long | since:2026-02-10 | confidence:0.95 | mentions:1 -->\n"
        ),
    );
    workspace.memory().catch_up();
    let memory = workspace.memory();
    let task = memory.reflection_task(machine_time()).unwrap();
    let number = |text: &str| {
        let line = task.text.lines().find(|line| line.contains(text)).unwrap();
        line[1..].split_once(']').unwrap().0.parse::<usize>().unwrap()
    };
    let promote = |number: usize| serde_json::json!({"number": number, "why": "it matters"});
    let floor = number("third floor");
    let answer = serde_json::json!({
        "contradictions": [{"one": floor, "other": floor}],
        "promotions": [promote(floor), promote(number("cellar")), promote(number("The list")), promote(99)],
        "questions": [], "learned": [],
    });
    let made = memory.submit_reflection(&task.task, &answer.to_string(), false, machine_time()).unwrap();
    assert_eq!(made.items, 1, "{made:#?}");
    let unused: Vec<(&str, bool)> = made
        .unused
        .iter()
        .map(|each| {
            let known = [
                ("does not contradict itself", "contradictions"),
                ("no statement of this number", "promotions"),
                ("not sure enough: 0.", "promotions"),
                ("at most 300 characters", "promotions"),
            ];
            let found =
                known.iter().find(|(why, _)| each.why.contains(why)).unwrap_or_else(|| panic!("{each:?}"));
            (found.0, found.1 == each.list)
        })
        .collect();
    assert_eq!(unused.len(), 4, "{made:#?}");
    assert!(unused.iter().all(|(_, is_right)| *is_right), "{made:#?}");
}
