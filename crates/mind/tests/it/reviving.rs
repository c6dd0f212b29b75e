//! What was forgotten comes back where it is spoken of again, and what was forgotten of it does not.

use rem_mind::recall::{Include, Query};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

fn how(workspace: &Workspace, text: &str) -> RememberOutcome {
    let store = Some(StoreKind::Procedural);
    let request = RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

#[test]
fn a_forgotten_entity_that_is_spoken_of_again_is_begun_anew() {
    let workspace = Workspace::new();
    let first = remember(&workspace, "Mira works at Kestrel");
    workspace.memory().forget(std::slice::from_ref(&first.id), false).unwrap();
    let again = remember(&workspace, "Mira lives in Lyon");
    assert_eq!((again.effect, &again.id), (Effect::Added, &first.id));
    assert_eq!(again.revived.iter().map(ToString::to_string).collect::<Vec<_>>(), ["person--mira"]);
    workspace.memory().catch_up();
    let shown = workspace.memory().graph_show("Mira", None, 1, machine_time()).unwrap();
    assert_eq!(shown.facts.iter().map(|fact| fact.text.as_str()).collect::<Vec<_>>(), ["Mira lives in Lyon"]);
    assert_eq!(shown.relations.len(), 1);
    assert!(workspace.text("memory/graph/index.md").contains("person--mira"));
    assert!(workspace.text("memory/people/_index.md").contains("person--mira"));
    let found = |include: Include| {
        let query = Query { include, ..workspace.memory().query("Mira Kestrel Lyon") };
        let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
        answer.results.iter().map(|hit| hit.snippet.clone()).collect::<String>()
    };
    assert!(
        found(Include::default()).contains("Lyon") && !found(Include::default()).contains("works at Kestrel")
    );
    assert!(found(Include { dormant: true, archived: true }).contains("works at Kestrel"));
    assert!(remember(&workspace, "Mira works at Kestrel").revived.is_empty());
    workspace.assert_well();

    // Named at the end of a relation, it comes back as well.
    workspace.memory().forget(&[first.id], false).unwrap();
    let told = remember(&workspace, "Ivy reports to Mira");
    assert_eq!(told.revived.len(), 1);
    workspace.memory().catch_up();
    assert_eq!(workspace.memory().graph_show("Mira", None, 1, machine_time()).unwrap().facts, []);
    assert_eq!(workspace.memory().verify().unwrap().findings, []);
    workspace.assert_well();
}

#[test]
fn nothing_becomes_part_of_what_is_out_of_use() {
    let workspace = Workspace::new();
    let kept = remember(&workspace, "Mira Holt works at Kestrel").id;
    let other = remember(&workspace, "Mira lives in Lyon").id;
    workspace.memory().forget(std::slice::from_ref(&kept), false).unwrap();
    workspace.memory().catch_up();
    let (kept, other) = (kept.replace("entity:", ""), other.replace("entity:", ""));
    let refused = workspace.memory().graph_merge(&kept, &other, machine_time()).unwrap_err();
    assert!(refused.to_string().contains("out of use"), "{refused}");
}

#[test]
fn a_forgotten_procedure_is_begun_anew_beside_the_old_one() {
    let workspace = Workspace::new();
    let old = how(&workspace, "How to moor: throw the line; tie it");
    workspace.memory().forget(std::slice::from_ref(&old.id), false).unwrap();
    let new = how(&workspace, "How to moor: wait for the pilot");
    assert_eq!(new.effect, Effect::Added);
    assert_ne!(new.id, old.id);
    let shown = workspace.memory().procedure_show(&new.id).unwrap();
    assert_eq!((shown.archived, shown.steps), (false, vec!["wait for the pilot".to_owned()]));
    assert_eq!(how(&workspace, "How to moor: wait for the pilot").id, new.id);
}

#[test]
fn a_procedure_is_known_only_with_all_its_steps_in_order_and_renewed_with_the_old_ones_kept() {
    let workspace = Workspace::at("2026-03-05T09:00:00Z");
    let steps = |id: &str| workspace.memory().procedure_show(id).unwrap().steps;
    let first = how(&workspace, "How to restart the router: unplug it, then plug it in");
    let same = how(&workspace, "How to restart the router: Unplug it, then plug it in.");
    assert_eq!((same.effect, &same.id), (Effect::Merged, &first.id));
    let more = how(&workspace, "How to restart the router: unplug it, then wait, then plug it in");
    assert_eq!((more.effect, more.replaced.as_deref()), (Effect::Replaced, Some("unplug it; plug it in")));
    assert_eq!(steps(&first.id), ["unplug it", "wait", "plug it in"]);
    assert_eq!(
        how(&workspace, "How to restart the router: unplug it, then plug it in").effect,
        Effect::Merged
    );
    let last =
        how(&workspace, "How to restart the router: unplug it, then wait, then plug it in, then log in");
    assert_eq!(last.effect, Effect::Replaced);
    let turned =
        how(&workspace, "How to restart the router: wait, then unplug it, then plug it in, then log in");
    assert_eq!(turned.effect, Effect::Replaced);
    assert_eq!(steps(&first.id), ["wait", "unplug it", "plug it in", "log in"]);
    let shown = workspace.memory().procedure_show(&first.id).unwrap();
    assert_eq!(shown.notes[0], "Until 2026-03-05: 1. unplug it; 2. plug it in");
    assert_eq!(shown.notes.len(), 3);
    // What is another way altogether is said beside it.
    assert_eq!(how(&workspace, "How to restart the router: press the red button").effect, Effect::Added);
    assert_eq!(steps(&first.id).len(), 4);

    let coffee = how(&workspace, "How to make coffee: use 15 g; pour slowly").id;
    assert_eq!(how(&workspace, "How to make coffee: use 18 g; pour slowly").effect, Effect::Replaced);
    assert_eq!(steps(&coffee), ["use 18 g", "pour slowly"]);

    let bremen = how(&workspace, "To deploy the website of the big harbor company in Bremen: run make").id;
    let hamburg =
        how(&workspace, "To deploy the website of the big harbor company in Hamburg: run just ship").id;
    assert_ne!(bremen, hamburg);
    assert_eq!(
        (steps(&bremen), steps(&hamburg)),
        (vec!["run make".to_owned()], vec!["run just ship".to_owned()])
    );
    workspace.assert_well();
}

#[test]
fn one_fact_of_an_entity_is_forgotten_by_itself_with_its_edge() {
    let workspace = Workspace::new();
    for text in
        ["Mira is allergic to nuts", "Mira works at Kestrel", "Mira lives in Lyon", "Mira lives in Oslo"]
    {
        remember(&workspace, text);
    }
    workspace.memory().catch_up();
    let candidates =
        workspace.memory().forget_candidates("that Mira is allergic to nuts", machine_time()).unwrap();
    let fact = &candidates[0];
    assert!(
        fact.id.starts_with("entity:person--mira#") && fact.text.contains("allergic to nuts"),
        "{candidates:?}"
    );
    assert!(candidates.iter().any(|candidate| candidate.id == "entity:person--mira"), "{candidates:?}");
    assert_eq!(workspace.memory().show(&fact.id).unwrap().text, fact.text);
    assert!(workspace.memory().pin(&fact.id, true).is_err());
    workspace.memory().forget(std::slice::from_ref(&fact.id), false).unwrap();
    let file = "memory/graph/entities/person--mira.md";
    let text = workspace.text(file);
    assert!(!text.contains("nuts") && text.contains("- works-at: [[place--kestrel]]"), "{text}");
    assert!(
        text.contains("- Mira works at Kestrel <!--") && text.contains("- Mira lives in Oslo <!--"),
        "{text}"
    );
    assert!(workspace.text("memory/archive/forgotten.md").contains("- Mira is allergic to nuts <!--"));
    assert!(workspace.memory().show(&fact.id).is_err());
    workspace.memory().catch_up();
    // What was true before, and what tells of it, for good.
    let candidates = workspace.memory().forget_candidates("Mira lives in Lyon", machine_time()).unwrap();
    let lyon = candidates
        .iter()
        .find(|one| one.text.contains("~~Mira lives in Lyon~~") && one.id.contains('#'))
        .unwrap();
    workspace.memory().forget(std::slice::from_ref(&lyon.id), true).unwrap();
    let text = workspace.text(file);
    assert!(!text.contains("Mira lives in Lyon") && text.contains("- Mira lives in Oslo <!--"), "{text}");
    assert!(text.contains("- lives-in: [[place--oslo]]"), "{text}");
    assert!(!workspace.text("memory/archive/forgotten.md").contains("Lyon"));
    workspace.assert_well();
}
