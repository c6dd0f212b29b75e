//! `rem reflect` as a person or an agent types it.

use crate::support::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write(
        "MEMORY.md",
        "# Core Memory\n\n## Active Context\n- Hand in the form by 2026-02-10 <!-- id:form | since:2026-02-01 | confidence:0.9 -->\n",
    );
    scene.write(
        "memory/reference/facts.md",
        "# Facts\n\n## Facts\n- The office is on the third floor <!-- id:floor | since:2026-01-10 | last:2026-02-20 | confidence:0.95 | mentions:6 -->\n",
    );
    scene
}

#[test]
fn a_reflection_is_started_shown_and_answered() {
    let scene = scene();
    assert_eq!(scene.json(&["status"])["pending"]["reflection"], false);
    assert!(scene.done(&["reflect", "show"]).contains("No reflection waits"));
    assert_eq!(scene.json(&["reflect", "show"]), serde_json::Value::Null);
    let made = scene.json(&["reflect", "start"]);
    assert_eq!((&made["number"], &made["items"], &made["left_out"]), (&1.into(), &2.into(), &0.into()));
    assert!(made["change"].as_str().is_some_and(|change| !change.is_empty()));
    let (code, why) = scene.failed(&["reflect", "start"]);
    assert!(code == 2 && why.contains("waits for an answer") && why.contains("--replace"), "{why}");
    assert_eq!(scene.json(&["status"])["pending"]["reflection"], true);
    assert!(scene.done(&["status"]).contains("Reflection waits for your answer"));
    let shown = scene.json(&["reflect", "show"]);
    assert_eq!((&shown["is_document_changed"], &shown["trigger"]), (&false.into(), &"request".into()));
    let id = |kind: &str| {
        let items = shown["items"].as_array().unwrap();
        items.iter().find(|item| item["kind"] == kind).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let document = scene.done(&["reflect", "show"]);
    assert!(
        document.contains(&format!("- [{}] The office is on the third floor", id("promotion"))),
        "{document}"
    );
    let (code, why) = scene.failed(&["reflect", "review"]);
    assert!(code == 2 && why.contains("no terminal") && why.contains("rem reflect approve"), "{why}");
    let (code, why) = scene.failed(&["reflect", "approve", "x9999"]);
    assert!(code == 2 && why.contains("x9999"), "{why}");
    assert_eq!(scene.failed(&["reflect", "approve", "--edit", "nonsense"]).0, 2);

    let edit = format!("{}=The office has the third floor", id("promotion"));
    let decided = scene.json(&["reflect", "approve", "--edit", &edit]);
    assert_eq!((&decided["applied"][0], &decided["pending"]), (&id("promotion").into(), &1.into()));
    assert!(scene.read("MEMORY.md").contains("- The office has the third floor <!--"));
    let said = scene.done(&["reflect", "reject", "--reason", "still open"]);
    assert!(said.contains("Reflection #1: 0 applied, 1 rejected, 0 wait"), "{said}");
    assert!(scene.read("MEMORY.md").contains("Hand in the form"));
    let log = scene.done(&["reflect", "log"]);
    assert!(
        log.contains("- edited: promotion: The office has") && log.contains("because: still open"),
        "{log}"
    );
    assert!(scene.done(&["reflect", "start"]).contains("There is nothing to propose."));
    assert!(scene.done(&["audit", "--actor", "reflection:*"]).contains("reflection:r-001"));
    assert!(scene.done(&["verify"]).contains("All is well"));
}

#[test]
fn a_sub_agent_reflects_on_nothing() {
    let scene = scene();
    let output = scene.rem(&["reflect", "start"]).env("REM_ROLE", "sub").output().unwrap();
    assert_eq!(output.status.code(), Some(7));
}
