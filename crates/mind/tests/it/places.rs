//! Projects, people, procedures and the journal: what is listed is there, and what a person wrote stays.

use rem_format::project::ProjectStatus;
use rem_ledger::LayoutPreset;
use rem_mind::attention::{ContextQuery, Overrides};
use rem_mind::recall::Asking;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{NoteKind, RememberRequest};
use rem_testkit::{Workspace, machine_time};

const ACTIVE: &str = "memory/projects/_active.md";

fn remember(workspace: &Workspace, store: StoreKind, text: &str) -> String {
    let request = RememberRequest { text: text.to_owned(), store: Some(store), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap().id
}

fn names(workspace: &Workspace) -> Vec<(String, ProjectStatus, bool)> {
    let projects = workspace.memory().projects().unwrap();
    projects.into_iter().map(|project| (project.name, project.status, project.listed)).collect()
}

#[test]
fn a_project_is_a_folder_an_entity_and_a_line_of_the_list_in_one_change() {
    let workspace = Workspace::new();
    let added = workspace.memory().project_add("Harbor Atlas", "A map of the coast").unwrap();
    assert_eq!(
        (added.name.as_str(), added.path.as_str()),
        ("harbor-atlas", "memory/projects/harbor-atlas/context.md")
    );
    let changed = workspace.git(&["show", "--name-only", "--format=%s"]);
    for path in ["_active.md", "harbor-atlas/context.md", "harbor-atlas/progress.md", "harbor-atlas/notes.md"]
    {
        assert!(changed.contains(&format!("memory/projects/{path}")), "{changed}");
    }
    assert!(changed.contains("memory/graph/entities/project--harbor-atlas.md"), "{changed}");
    assert_eq!(
        workspace.text(ACTIVE),
        "---\ntype: project_index\nupdated: 2026-03-01\n---\n\n# Active Projects\n\n- **harbor-atlas** — A map of the coast\n"
    );
    let entity = workspace.text("memory/graph/entities/project--harbor-atlas.md");
    assert!(entity.contains("[[memory/projects/harbor-atlas/context]]"), "{entity}");
    assert!(
        workspace.text(added.path.as_str()).contains("entity: \"[[project--harbor-atlas]]\""),
        "{}",
        workspace.text(added.path.as_str())
    );
    // Both links lead somewhere.
    let report = workspace.memory().verify().unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(workspace.memory().project_add("harbor atlas", "").unwrap().change, "");
    workspace.assert_well();
}

#[test]
fn the_list_stands_in_the_context_where_the_slots_say_so() {
    let workspace = Workspace::new();
    workspace.memory().project_add("atlas", "A map of the coast").unwrap();
    for preset in [rem_format::config::ContextPreset::Standard, rem_format::config::ContextPreset::Compiler] {
        let overrides = Overrides { preset: Some(preset), ..Overrides::default() };
        let context = workspace
            .memory()
            .context(&ContextQuery { overrides, ..ContextQuery::default() }, machine_time())
            .unwrap();
        let slot = context.slots.iter().find(|slot| slot.name == "projects").unwrap();
        assert_eq!(slot.items[0].path, ACTIVE, "{preset:?}");
        assert!(context.text.contains("- **atlas** — A map of the coast"), "{}", context.text);
        assert!(!context.text.contains("project_index"), "front matter is about the file: {}", context.text);
    }
}

#[test]
fn what_a_person_wrote_in_the_list_survives_adding_and_closing() {
    let workspace = Workspace::new();
    let mine = "# Active Projects\r\n\r\nWhat I am at:\r\n\r\n* **garden** my own words\r\n* **someday** no folder yet\r\n\r\n## Ideas\r\n\r\n- a boat\r\n";
    workspace.write(ACTIVE, mine);
    workspace.write("memory/projects/garden/notes.md", "# Garden\n\nplain notes\n");
    workspace.memory().catch_up();
    workspace.memory().project_add("atlas", "A map").unwrap();
    workspace.memory().project_add("garden", "what rem would say").unwrap();
    let now = workspace.text(ACTIVE);
    assert_eq!(now.replace("* **atlas** — A map\r\n", ""), mine, "{now:?}");
    assert_eq!(workspace.text("memory/projects/garden/notes.md"), "# Garden\n\nplain notes\n");
    assert_eq!(
        names(&workspace),
        [("atlas", true), ("garden", true), ("someday", true)].map(|(name, listed)| (
            name.to_owned(),
            ProjectStatus::Active,
            listed
        ))
    );
    workspace.memory().project_set_status("Garden", ProjectStatus::Closed).unwrap();
    let now = workspace.text(ACTIVE);
    assert!(!now.contains("garden") && now.contains("someday") && now.contains("a boat"), "{now}");
    let progress = workspace.text("memory/projects/garden/progress.md");
    assert!(progress.contains("said: my own words"), "{progress}");
    workspace.memory().project_set_status("atlas", ProjectStatus::Closed).unwrap();
    assert!(!workspace.text("memory/projects/atlas/progress.md").contains("said:"));
    assert_eq!(names(&workspace)[0].0, "someday");
    assert!(workspace.memory().project_set_status("someday", ProjectStatus::Closed).is_err());
    // Adding it again lets it go on.
    workspace.memory().project_add("atlas", "").unwrap();
    assert!(workspace.text(ACTIVE).contains("* **atlas** — A map\r\n"));
    assert_eq!(names(&workspace)[0], ("atlas".to_owned(), ProjectStatus::Active, true));
    workspace.assert_well();
}

#[test]
fn the_list_stays_within_a_kilobyte_as_long_as_names_alone_fit() {
    let workspace = Workspace::new();
    let long = "a long description of what this project is about and why it was begun last autumn ".repeat(3);
    for number in 0..20 {
        workspace.memory().project_add(&format!("project {number:02}"), &long).unwrap();
        let list = workspace.text(ACTIVE);
        assert!(list.len() <= 1024, "{}: {list}", list.len());
        assert_eq!(list.matches("\n- **").count(), number + 1);
    }
    let shown = workspace.memory().project_show("project 07").unwrap();
    assert_eq!(shown.project.description, long.trim(), "what was said of it is whole in its context");
}

#[test]
fn notes_go_below_their_heading_once_and_secrets_do_not() {
    let workspace = Workspace::new();
    workspace.memory().project_add("atlas", "").unwrap();
    let note = |text: &str, kind| workspace.memory().project_note("atlas", text, kind).unwrap();
    note("the tide tables are from 2019", NoteKind::Note);
    note("drew the north shore", NoteKind::Done);
    note("the printer is broken", NoteKind::Blocker);
    assert_eq!(note("drew the north shore", NoteKind::Done).change, "");
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    note(&format!("upload with {token}"), NoteKind::Next);
    let shown = workspace.memory().project_show("ATLAS").unwrap();
    assert_eq!(shown.pages.len(), 3);
    let progress = &shown.pages[1].text;
    assert!(progress.contains("## Done\n- drew the north shore <!-- since:2026-03-01 -->"), "{progress}");
    assert!(progress.contains("[redacted:github-token]") && !progress.contains(&token), "{progress}");
    assert!(shown.pages[2].text.contains("- the tide tables are from 2019"), "{:?}", shown.pages[2]);
    assert_eq!(shown.entity.unwrap().as_str(), "project--atlas");
    for wrong in ["nothing", "../../etc", ""] {
        let error = workspace.memory().project_note(wrong, "x", NoteKind::Note).unwrap_err();
        assert_eq!(error.outcome(), rem_mind::Outcome::Usage, "{wrong}");
    }
    assert!(workspace.memory().project_add("🚀", "").is_err());
    assert!(workspace.memory().project_note("atlas", " ", NoteKind::Note).is_err());
    workspace.assert_well();
}

#[test]
fn people_are_listed_in_the_change_that_makes_them_known() {
    let workspace = Workspace::new();
    let mine = "# People\n\n- **Grandma** call on Sundays\n";
    workspace.write("memory/people/_index.md", mine);
    workspace
        .write("memory/people/mira.md", "---\ntype: person\nname: Mira\n---\n\n# Mira\n\nLikes lists.\n");
    workspace.write("memory/people/ada.md", "# Ada\n\nKeeps bees.\n");
    workspace.memory().catch_up();
    let id = remember(&workspace, StoreKind::Semantic, "Mira lives in Lyon");
    assert_eq!(id, "entity:person--mira");
    assert!(workspace.git(&["show", "--name-only", "--format="]).contains("memory/people/_index.md"));
    let list = workspace.text("memory/people/_index.md");
    assert_eq!(list, format!("{mine}- **Mira** — [[person--mira]]\n"));
    remember(&workspace, StoreKind::Semantic, "Mira uses Helix");
    assert_eq!(workspace.text("memory/people/_index.md"), list);
    let people: Vec<(String, usize)> = workspace
        .memory()
        .people(&Asking::default(), machine_time())
        .unwrap()
        .into_iter()
        .map(|person| (person.name, person.files.len()))
        .collect();
    assert_eq!(people, [("Ada".to_owned(), 1), ("Mira".to_owned(), 2)]);
    let shown = workspace.memory().person_show(&Asking::default(), "mira", machine_time()).unwrap();
    assert_eq!(shown.pages[0].text, "# Mira\n\nLikes lists.");
    assert!(shown.entity.unwrap().facts.iter().any(|fact| fact.text == "Mira lives in Lyon"));
    assert!(
        workspace.memory().person_show(&Asking::default(), "Ada", machine_time()).unwrap().entity.is_none()
    );
    assert!(
        workspace.memory().person_show(&Asking::default(), "Helix", machine_time()).is_err(),
        "a tool is nobody"
    );
    workspace.memory().forget(&[id], false).unwrap();
    assert_eq!(workspace.text("memory/people/_index.md"), mine);
    workspace.assert_well();
}

#[test]
fn procedures_are_listed_and_shown_by_any_name() {
    let workspace = Workspace::new();
    let id = remember(&workspace, StoreKind::Procedural, "How to deploy: run the tests; tag it; push");
    let all = workspace.memory().procedures().unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].id, id);
    assert_eq!(all[0].steps, ["run the tests", "tag it", "push"]);
    for name in [id.as_str(), "how to deploy", "How-To-Deploy"] {
        assert_eq!(workspace.memory().procedure_show(name).unwrap(), all[0], "{name}");
    }
    assert!(workspace.memory().procedure_show("how to bake").is_err());
    workspace.memory().forget(&[id], false).unwrap();
    assert!(workspace.memory().procedures().unwrap()[0].archived);
}

#[test]
fn a_line_of_the_journal_leaves_every_byte_of_the_day() {
    let workspace = Workspace::new();
    let mine = "# Sunday\r\n\r\n- painted the hull\r\n\r\n### ops\r\n* backup ran";
    workspace.write("memory/2026-03-01.md", mine);
    workspace.write("memory/2026-02-28-standup.md", "# Standup\n");
    workspace.write("memory/episodes/2026-02-27.md", "# 2026-02-27\n");
    workspace.memory().catch_up();
    workspace.memory().journal_add("the sail came", None).unwrap();
    let added = workspace.memory().journal_add("restored a file", Some("ops")).unwrap();
    assert_eq!(workspace.memory().journal_add("restored a file", Some("ops")).unwrap().change, "");
    let now = workspace.text(added.path.as_str());
    let kept = now.replace("* restored a file\r\n", "").replace("## Notes\r\n\r\n- the sail came\r\n", "");
    assert_eq!(kept.trim_end(), mine, "{now:?}");
    assert!(now.contains("* backup ran\r\n* restored a file\r\n"), "{now:?}");
    let days = workspace.memory().journal().unwrap();
    let dates: Vec<String> = days.iter().map(|day| day.date.to_string()).collect();
    assert_eq!(dates, ["2026-03-01", "2026-02-28"], "episodes are no journal");
    assert_eq!(workspace.memory().journal_show(None).unwrap().pages[0].text, now);
    assert!(workspace.memory().journal_show("2026-01-01".parse().ok()).is_err());
    for (text, topic) in [(" ", None), ("x", Some("two\nlines")), ("x", Some("# head"))] {
        assert!(workspace.memory().journal_add(text, topic).is_err(), "{topic:?}");
    }
    workspace.assert_well();
}

#[test]
fn in_the_other_layout_everything_lies_elsewhere_and_works_alike() {
    let workspace = Workspace::with_layout(LayoutPreset::Autopoiesis);
    workspace.memory().project_add("atlas", "A map").unwrap();
    let written = workspace.memory().journal_add("began the atlas", Some("atlas")).unwrap();
    assert_eq!(written.path.as_str(), "knowledge/journal/2026-03-01.md");
    assert!(workspace.text("knowledge/projects/_active.md").contains("- **atlas** — A map"));
    remember(&workspace, StoreKind::Semantic, "Mira lives in Lyon");
    assert!(workspace.text("knowledge/people/_index.md").contains("[[person--mira]]"));
    assert_eq!(workspace.memory().verify().unwrap().findings, []);
    workspace.assert_well();
}
