//! What was forgotten is told nowhere: no bullet and no heading of the journal, no week, no month has it, whether it was forgotten before or after.

use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_testkit::Workspace;

use crate::support::{believing, in_both_layouts, placed, talk};

/// What is forgotten, in which words it stands in the stores, and what else was said.
const FORGOTTEN: [(&str, &str, &str); 5] = [
    (
        "Please remember that my salary is 90,000 euros!",
        "salary",
        "I fixed the boiler in the cellar today with a new valve from the shop.",
    ),
    (
        "Merke dir bitte: Der Türcode ist 4711.",
        "4711",
        "Heute habe ich im Keller den Boiler repariert und ein neues Ventil eingebaut.",
    ),
    ("기억해 줘: 내 연봉은 9천만 원이야.", "연봉", "오늘은 지하실에서 보일러를 고쳤고 새 밸브를 달았어."),
    ("请记住，我的工资是九万欧元。", "工资", "今天我在地下室修好了锅炉，换了一个新的阀门。"),
    (
        "We decided to sell the red van to my uncle, because it rusts.",
        "van",
        "The plumber comes on Monday to look at the pipes in the cellar.",
    ),
];

fn condensed(workspace: &Workspace) {
    let memory = workspace.memory();
    memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}).unwrap();
    memory.condense_week(Some("2026-02-18".parse().unwrap()), false).unwrap();
    memory.condense_month(Some("2026-02-18".parse().unwrap()), false).unwrap();
}

/// The headings and bullets of what was condensed, without the paths of conversations, which are evidence and stay as they are.
fn told(workspace: &Workspace) -> String {
    let pages = ["memory/2026-02-18.md", "Archive/Chronicles/2026-02.md", "MEMORY.md"];
    let text = pages.map(|page| workspace.read(&placed(workspace, page)).unwrap_or_default()).concat();
    let text = String::from_utf8(text).unwrap();
    let shown =
        |line: &str| line.split(" [[").next().unwrap_or_default().split("<!--").next().map(str::to_owned);
    text.lines().filter_map(shown).collect::<Vec<_>>().join("\n")
}

/// The ids of what the stores say with one of these words.
fn ids_of(workspace: &Workspace) -> Vec<String> {
    let memory = workspace.memory();
    let words = FORGOTTEN.map(|(_, word, _)| word);
    let mut ids = Vec::new();
    for question in words {
        for found in memory.forget_candidates(question, rem_testkit::machine_time()).unwrap() {
            if words.iter().any(|word| found.text.contains(word)) && !ids.contains(&found.id) {
                ids.push(found.id);
            }
        }
    }
    ids
}

#[test]
fn what_was_forgotten_comes_back_neither_as_a_bullet_nor_as_a_heading() {
    for permanent in [false, true] {
        for after in [false, true] {
            for workspace in in_both_layouts().map(believing) {
                let memory = workspace.memory();
                for (number, (secret, _, other)) in FORGOTTEN.iter().enumerate() {
                    let turns = [&format!("user: {secret}"), "agent: Ok.", &format!("user: {other}")];
                    talk(
                        &workspace,
                        &format!("s{number}"),
                        &format!("2026-02-18T0{number}:00:00Z"),
                        &turns.map(|turn| turn.to_owned()).iter().map(String::as_str).collect::<Vec<_>>(),
                    );
                }
                memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
                if after {
                    condensed(&workspace);
                    assert!(told(&workspace).contains("salary"));
                }
                let mut ids = ids_of(&workspace);
                // An episode is forgotten for good alone.
                ids.retain(|id| permanent || !id.starts_with("episode:"));
                assert!(ids.len() >= 4, "{ids:?}");
                memory.forget(&ids, permanent).unwrap();
                condensed(&workspace);
                let told = told(&workspace);
                for (_, word, _) in &FORGOTTEN[..if permanent { 5 } else { 4 }] {
                    assert!(!told.contains(word), "{permanent} {after} {word}: {told}");
                }
                for kept in ["boiler in the cellar", "Boiler repariert", "보일러를", "锅炉", "plumber"]
                {
                    assert!(told.contains(kept), "{permanent} {after} {kept}: {told}");
                }
                workspace.assert_well();
            }
        }
    }
}

#[test]
fn a_person_who_was_forgotten_heads_no_day_and_is_in_no_line() {
    for workspace in in_both_layouts().map(believing) {
        let memory = workspace.memory();
        talk(
            &workspace,
            "s1",
            "2026-02-18T09:00:00Z",
            &[
                "user: My sister Clara has multiple sclerosis.",
                "agent: I am sorry.",
                "user: We decided to use Valkey for the queue, because Redis changed its licence.",
                "agent: Ok.",
                "user: Tomorrow at nine Clara and I look at three flats in the old town.",
            ],
        );
        memory.mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
        memory.forget(&["entity:person--clara".to_owned()], false).unwrap();
        condensed(&workspace);
        let told = told(&workspace);
        assert!(told.contains("Valkey") && !told.contains("Clara") && told.contains("## Talk"), "{told}");
        workspace.assert_well();
    }
}
