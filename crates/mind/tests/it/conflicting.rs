//! Memories that contradict each other are settled by the seed's rules (P5.4), or a person decides.

use jiff::SignedDuration;
use rem_format::entity::Entity;
use rem_format::reflection::ReflectionTrigger;
use rem_mind::identity::{ConflictScan, CorrectRequest, Resolution};
use rem_mind::recall::Query;
use rem_mind::stores::RememberRequest;
use rem_mind::{MemoryError, MemoryOptions, Outcome};
use rem_testkit::{Workspace, machine_time};

use crate::support::{in_both_layouts, placed};

const FACTS: &str = "memory/reference/facts.md";

/// A line as the stores write it.
fn line(text: &str, since: &str, more: &str) -> String {
    let id: String = text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    format!("- {text} <!-- id:{id} | since:{since} | confidence:0.90 | mentions:1 | {more} -->\n")
}

fn add(workspace: &Workspace, path: &str, lines: &[String]) {
    let path = placed(workspace, path);
    let before =
        std::fs::read_to_string(workspace.root().join(&path)).unwrap_or_else(|_| "# Facts\n".to_owned());
    workspace.write(&path, before.trim_end().to_owned() + "\n\n" + &lines.concat());
    workspace.memory().catch_up();
}

fn scan(workspace: &Workspace) -> ConflictScan {
    workspace.memory().scan_conflicts(false).unwrap()
}

const SAID: &str = "source:user-explicit, session s1 | tags:decision";

#[test]
fn what_a_person_wrote_by_hand_is_held_against_what_is_stored_and_settled_by_a_person() {
    for workspace in in_both_layouts() {
        add(&workspace, FACTS, &[line("The port is 8080", "2026-02-20", SAID)]);
        workspace.advance(SignedDuration::from_hours(48));
        assert_eq!(
            (scan(&workspace).looked_at, scan(&workspace).found),
            (1, Vec::new()),
            "nobody ever looked"
        );
        workspace.advance(SignedDuration::from_hours(48));
        assert_eq!((scan(&workspace).looked_at, scan(&workspace).found), (0, Vec::new()));
        add(&workspace, "MEMORY.md", &["- The port is 8443\n".to_owned()]);
        let preview = workspace.memory().scan_conflicts(true).unwrap();
        assert_eq!(workspace.memory().conflicts().unwrap(), []);
        let found = scan(&workspace);
        assert_eq!((found.looked_at, found.found.len()), (1, 1));
        assert_eq!(preview.found[0].id, found.found[0].id);
        let open = workspace.memory().conflicts().unwrap().remove(0);
        assert_eq!((open.rule.as_str(), &open.kept), ("operator-review", &None));
        let sides = [open.first.text.as_str(), open.second.text.as_str()];
        assert!(sides.contains(&"The port is 8080") && sides.contains(&"The port is 8443"), "{sides:?}");
        assert_eq!(scan(&workspace).found, [], "a person is asked once");
        assert_eq!(workspace.memory().pending().unwrap().conflicts, 1);
        workspace.memory().reflect(ReflectionTrigger::Request, false, machine_time()).unwrap();
        let asked = workspace.memory().reflection().unwrap().map(|shown| shown.text).unwrap_or_default();
        assert!(!asked.contains("8443"), "nor by a reflection: {asked}");

        let kept = if open.first.text.ends_with("8443") { Resolution::First } else { Resolution::Second };
        let head = workspace.head();
        workspace.memory().resolve_conflict(&open.id, &kept).unwrap();
        assert_eq!(workspace.git(&["rev-list", "--count", &format!("{head}..HEAD")]).trim(), "1");
        let facts = workspace.text(&placed(&workspace, FACTS));
        assert!(facts.contains("~~The port is 8080~~"), "{facts}");
        assert!(workspace.text(&placed(&workspace, "MEMORY.md")).contains("- The port is 8443"));
        assert!(
            workspace.text(&placed(&workspace, "CORRECTIONS.md")).contains("- Correct: The port is 8443")
        );
        let again = workspace.memory().resolve_conflict(&open.id, &kept);
        assert!(
            matches!(&again, Err(error @ MemoryError::Usage { .. }) if error.outcome() == Outcome::Usage)
        );
        assert!(workspace.memory().conflicts().unwrap()[0].kept.is_some());
        workspace.assert_well();
    }
}

#[test]
fn an_operators_correction_wins_always() {
    let workspace = Workspace::new();
    add(
        &workspace,
        FACTS,
        &[
            line("The deadline is Monday", "2026-01-01", "source:user-explicit | tags:correction"),
            line("The deadline is Friday", "2026-02-28", SAID),
        ],
    );
    let found = scan(&workspace);
    let settled = &found.found[0];
    assert_eq!((settled.rule.as_str(), settled.kept.as_deref()), ("operator-correction", Some("first")));
    let facts = workspace.text(FACTS);
    assert!(
        facts.contains("- The deadline is Monday <!--") && facts.contains("~~The deadline is Friday~~"),
        "{facts}"
    );
    assert_eq!(scan(&workspace).found, []);
    workspace.assert_well();
}

#[test]
fn the_newer_one_wins_only_by_a_month_of_what_was_said_directly_and_has_one_of_three_tags() {
    let newer = |since: &str, more: &str, second_more: &str| {
        let workspace = Workspace::new();
        add(
            &workspace,
            FACTS,
            &[
                line("The deadline is Monday", "2026-01-10", more),
                line("The deadline is Friday", since, second_more),
            ],
        );
        let rule = scan(&workspace).found.remove(0).rule;
        workspace.assert_well();
        (rule, workspace.text(FACTS).contains("~~The deadline is Monday~~"))
    };
    let won = ("newer-wins".to_owned(), true);
    let left = ("operator-review".to_owned(), false);
    for tag in ["event", "knowledge", "decision"] {
        let said = format!("source:user-explicit, session s1 | tags:#{tag}");
        assert_eq!(newer("2026-02-09", &said, &said), won, "{tag}");
    }
    assert_eq!(newer("2026-02-08", SAID, SAID), left, "29 days");
    assert_eq!(newer("2026-02-09", SAID, "source:user-explicit | tags:idea"), left);
    assert_eq!(newer("2026-02-09", "source:import of a file | tags:decision", SAID), left);
    assert_eq!(
        newer("2026-02-09", &format!("{SAID} | pinned:yes"), SAID),
        left,
        "a pin goes by a person's word"
    );
}

#[test]
fn what_can_be_true_at_once_contradicts_nothing() {
    let workspace = Workspace::new();
    add(
        &workspace,
        FACTS,
        &[
            line("Mira likes tea", "2026-01-10", SAID),
            line("Mira likes coffee", "2026-02-20", SAID),
            line("Mira knows Jonas", "2026-02-20", SAID),
            line("Mira knows Petra", "2026-02-20", SAID),
            line("The port of the gateway is 8080", "2026-02-20", SAID),
            line("The port of the printer is 9100", "2026-02-20", SAID),
            line("The price is 5 <!-- for:anna", "2026-02-20", SAID),
        ],
    );
    assert_eq!(scan(&workspace).found, []);
    add(
        &workspace,
        FACTS,
        &[
            line("Mira lives in Bremen", "2026-01-10", SAID),
            line("Mira lives in Lyon", "2026-02-20", SAID),
            line("미라는 베를린에 산다", "2026-02-20", SAID),
            line("미라는 서울에 산다", "2026-02-25", SAID),
        ],
    );
    let found = scan(&workspace).found;
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn neither_side_is_right_and_both_may_be() {
    let workspace = Workspace::new();
    add(
        &workspace,
        FACTS,
        &[line("The budget is 400", "2026-02-20", SAID), line("The rent is 900", "2026-02-20", SAID)],
    );
    add(&workspace, "MEMORY.md", &["- The budget is 500\n- The rent is 950\n".to_owned()]);
    let found = scan(&workspace).found;
    assert_eq!(found.len(), 2);
    let of = |word: &str| found.iter().find(|each| each.first.text.contains(word)).unwrap().id.clone();
    let memory = workspace.memory();
    memory.resolve_conflict(&of("budget"), &Resolution::Neither("The budget is 600".to_owned())).unwrap();
    memory.resolve_conflict(&of("rent"), &Resolution::Both).unwrap();
    let (facts, core) = (workspace.text(FACTS), workspace.text("MEMORY.md"));
    assert!(facts.contains("~~The budget is 400~~") && facts.contains("The budget is 600"), "{facts}");
    assert!(core.contains("- The budget is 600") && !core.contains("- The budget is 500"), "{core}");
    assert!(facts.contains("- The rent is 900") && core.contains("- The rent is 950"));
    assert_eq!(scan(&workspace).found, [], "what is no contradiction is not found again");
    workspace.assert_well();
}

#[test]
fn a_correction_that_nobody_would_believe_any_more_is_taken_back() {
    let workspace = Workspace::new();
    let entry = |id: &str, source: &str, more: &str| {
        format!(
            "\n## 2026-01-01 | {id}\n- Agent said: a {id}\n- Correct: b {id}\n- id: {id}\n- logged: 2025-01-01T10:00:00Z\n\
             - confidence: 0.50\n- source: {source}\n{more}"
        )
    };
    let encoded = "- encoded: 2025-02-01T10:00:00Z\n";
    let text = workspace.text("CORRECTIONS.md")
        + &entry("c1", "agent", "")
        + &entry("c2", "operator", "")
        + &entry("c3", "agent", encoded);
    workspace.write("CORRECTIONS.md", &text);
    workspace.memory().catch_up();
    let found = scan(&workspace);
    assert_eq!(found.retracted, ["c1", "c3"], "an operator's are immune");
    let after = workspace.text("CORRECTIONS.md");
    assert_eq!(after.matches("- status: retracted").count(), 2, "{after}");
    let conflicts = workspace.memory().conflicts().unwrap();
    assert!(conflicts.iter().all(|each| each.rule == "confidence-decayed"));
    assert_eq!(
        (conflicts[0].kept.as_deref(), &conflicts[1].kept),
        (Some("neither"), &None),
        "an identity waits"
    );
    assert_eq!(scan(&workspace).retracted, [""; 0]);
}

#[test]
fn search_no_longer_minds_a_correction_that_was_taken_back() {
    let workspace = Workspace::new();
    add(&workspace, FACTS, &[line("The lighthouse keeper sleeps at noon", "2026-01-10", SAID)]);
    let entry = "\n## 2025-01-01 | x\n- Agent said: The lighthouse keeper sleeps at noon\n- Correct: The lighthouse keeper never sleeps\n- id: c1\n\
                 - logged: 2025-01-01T10:00:00Z\n- confidence: 0.50\n- source: agent\n";
    workspace.write("CORRECTIONS.md", &(workspace.text("CORRECTIONS.md") + entry));
    workspace.memory().catch_up();
    let finds = || {
        let query = Query { text: "when does the lighthouse keeper sleep".to_owned(), ..Query::default() };
        let found = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
        found.results.iter().any(|hit| hit.path.as_str().ends_with("facts.md"))
    };
    assert!(!finds(), "what was corrected is not shown");
    assert_eq!(scan(&workspace).retracted, ["c1"]);
    assert!(finds());
}

#[test]
fn two_scans_at_once_write_each_conflict_down_once() {
    let workspace = Workspace::new();
    add(
        &workspace,
        FACTS,
        &[
            line("The deadline is Monday", "2026-01-01", SAID),
            line("The deadline is Friday", "2026-02-28", SAID),
            line("The port is 1", "2026-02-27", SAID),
            line("The port is 2", "2026-02-28", SAID),
        ],
    );
    std::thread::scope(|scope| {
        for _ in 0..3 {
            // One may find that another has changed the memory meanwhile.
            scope.spawn(|| workspace.open().scan_conflicts(false));
        }
    });
    scan(&workspace);
    assert_eq!(workspace.memory().conflicts().unwrap().len(), 2);
    workspace.assert_well();
}

#[test]
fn what_remember_keeps_leaves_nothing_to_find() {
    let workspace = Workspace::new();
    for text in
        ["Mira lives in Bremen", "Mira lives in Lyon", "I prefer tea", "Mira likes jazz", "Mira likes rock"]
    {
        let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap();
    }
    assert_eq!(scan(&workspace).found, []);
}

#[test]
fn a_scan_that_was_missed_changes_nothing() {
    let workspace = Workspace::new();
    add(&workspace, FACTS, &[line("The port is 8080", "2026-02-20", SAID)]);
    scan(&workspace);
    workspace.advance(SignedDuration::from_hours(24));
    add(&workspace, "MEMORY.md", &["- The port is 8443\n".to_owned()]);
    // Nobody scans for a week.
    workspace.advance(SignedDuration::from_hours(7 * 24));
    assert_eq!(workspace.memory().scan_conflicts(true).unwrap().found.len(), 1);
    assert_eq!(scan(&workspace).found.len(), 1);
    workspace.advance(SignedDuration::from_hours(48));
    assert_eq!(scan(&workspace).looked_at, 0);
}

#[test]
fn what_was_in_a_conflict_that_is_settled_is_held_against_the_rest() {
    let workspace = Workspace::new();
    let of = |port: &str| line(&format!("The port is {port}"), "2026-02-20", SAID);
    add(&workspace, FACTS, &[of("8080"), of("8443"), of("9000")]);
    let first = scan(&workspace).found;
    assert_eq!(first.len(), 1);
    workspace.advance(SignedDuration::from_hours(72));
    assert_eq!(scan(&workspace).found, []);
    workspace.memory().resolve_conflict(&first[0].id, &Resolution::Both).unwrap();
    workspace.advance(SignedDuration::from_hours(72));
    let second = scan(&workspace).found;
    assert_eq!(second.len(), 1, "{second:?}");
    assert!([&second[0].first, &second[0].second].iter().any(|side| side.text.ends_with("9000")));
    // What is kept is right of all three.
    let kept = if second[0].first.text.ends_with("9000") { Resolution::First } else { Resolution::Second };
    workspace.memory().resolve_conflict(&second[0].id, &kept).unwrap();
    let facts = workspace.text(FACTS);
    assert!(facts.contains("~~The port is 8080~~") && facts.contains("~~The port is 8443~~"), "{facts}");
    workspace.advance(SignedDuration::from_hours(72));
    assert_eq!(scan(&workspace).found, []);
    workspace.assert_well();
}

#[test]
fn the_first_scan_sees_what_is_older_than_its_hours() {
    let workspace = Workspace::new();
    add(
        &workspace,
        FACTS,
        &[line("The port is 8080", "2026-02-20", SAID), line("The port is 9000", "2026-02-20", SAID)],
    );
    workspace.advance(SignedDuration::from_hours(24 * 9));
    assert_eq!(scan(&workspace).found.len(), 1);
    workspace.advance(SignedDuration::from_hours(48));
    assert_eq!(scan(&workspace).looked_at, 0);
}

#[test]
fn what_a_scan_strikes_through_connects_nothing_any_more() {
    let workspace = Workspace::new();
    let request = RememberRequest { text: "Mira works at Acme".to_owned(), ..RememberRequest::default() };
    let kept = workspace.memory().remember(&request).unwrap();
    let path = kept.path.unwrap();
    let edges = || {
        let entity = Entity::parse(&workspace.read(path.as_str()).unwrap()).unwrap();
        let open: Vec<String> =
            entity.edges().into_iter().filter(|edge| edge.ended().is_none()).map(|edge| edge.to).collect();
        open
    };
    assert_eq!(edges().len(), 1);
    add(
        &workspace,
        FACTS,
        &[line("Mira works at Globex", "2026-03-01", "source:user-explicit | tags:correction")],
    );
    let found = scan(&workspace).found;
    assert_eq!(found[0].rule, "operator-correction", "{found:?}");
    assert!(workspace.text(path.as_str()).contains("~~Mira works at Acme~~"));
    assert_eq!(edges(), [""; 0]);
    workspace.assert_well();
}

#[test]
fn what_an_agent_had_corrected_holds_again_when_nobody_believes_it() {
    let workspace = Workspace::new();
    let said = |text: &str| RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    let kept = workspace.memory().remember(&said("Mira works at Acme")).unwrap();
    let port = workspace.memory().remember(&said("The port of the gateway is 8080")).unwrap();
    let agent = workspace.open_with(|options| MemoryOptions { agent: "coder".to_owned(), ..options });
    for right in ["Mira works at Globex", "The port of the gateway is 9000"] {
        agent.correct(&CorrectRequest { right: right.to_owned(), ..CorrectRequest::default() }).unwrap();
    }
    workspace.advance(SignedDuration::from_hours(24 * 2000));
    assert_eq!(scan(&workspace).retracted.len(), 2);
    let text = workspace.text(kept.path.as_ref().unwrap().as_str());
    assert!(
        text.contains("- Mira works at Acme <!--") && text.contains("~~Mira works at Globex~~"),
        "{text}"
    );
    let entity = Entity::parse(text.as_bytes()).unwrap();
    let open: Vec<String> =
        entity.edges().into_iter().filter(|edge| edge.ended().is_none()).map(|edge| edge.to).collect();
    assert_eq!(open, ["place--acme"], "{text}");
    let text = workspace.text(port.path.unwrap().as_str());
    assert!(text.contains("- The port of the gateway is 8080 <!--") && text.contains("is 9000~~"), "{text}");
    workspace.assert_well();
}
