//! Several people in one workspace (K15): what is for one of them reaches nobody on whose behalf another is asking.

use rem_mind::attention::{ContextQuery, Overrides};
use rem_mind::recall::{Asking, Include, Query};
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

use crate::support::{in_both_layouts, placed};

fn remember(workspace: &Workspace, store: StoreKind, names: &[&str], text: &str) -> RememberOutcome {
    let request = RememberRequest {
        text: text.to_owned(),
        store: Some(store),
        addressees: names.iter().map(|name| (*name).to_owned()).collect(),
        ..RememberRequest::default()
    };
    workspace.memory().remember(&request).unwrap()
}

fn asking(name: &str) -> Asking {
    if name.is_empty() { Asking::default() } else { Asking::on_behalf_of(&[name]) }
}

/// Everything that a search on behalf of somebody hands out, as JSON and as text; with all that is left out otherwise.
fn recalled(workspace: &Workspace, name: &str, question: &str) -> String {
    let query = Query {
        min_score: 0.0,
        limit: 200,
        asking: asking(name),
        include: Include { dormant: true, archived: true },
        ..workspace.memory().query(question)
    };
    let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
    let texts: Vec<&str> = answer.results.iter().map(|hit| hit.text.as_str()).collect();
    format!("{}\n{}", serde_json::to_string(&answer).unwrap(), texts.join("\n"))
}

fn context(workspace: &Workspace, name: &str, message: &str) -> String {
    let context = workspace
        .memory()
        .context(
            &ContextQuery {
                message,
                session: Some("s"),
                asking: asking(name),
                overrides: Overrides { budget: Some(20_000), ..Overrides::default() },
                ..ContextQuery::default()
            },
            machine_time(),
        )
        .unwrap();
    format!("{}\n{}", context.text, serde_json::to_string(&context).unwrap())
}

fn shown(workspace: &Workspace, name: &str, entity: &str) -> Option<String> {
    let shown = workspace.memory().graph_show_to(&asking(name), entity, None, 2, machine_time());
    shown.ok().map(|shown| serde_json::to_string(&shown).unwrap())
}

/// Takes the index away and puts something in its place that cannot be one.
fn without_index(workspace: &Workspace) {
    for name in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(workspace.root().join(name));
    }
    workspace.write("memory.db/in-the-way", "");
}

const SECRETS: [(StoreKind, &str); 6] = [
    (StoreKind::Core, "The surprise party is aboard the Quillon"),
    (StoreKind::Vault, "The Quillon safe opens with a brass key"),
    (StoreKind::Semantic, "the quillon tide tables are wrong in spring"),
    (StoreKind::Semantic, "Zora works at Quillon Yard"),
    (StoreKind::Episodic, "Bought paint for the Quillon hull"),
    (StoreKind::Procedural, "To launch the Quillon: open the lock, then raise the sail"),
];

#[test]
fn what_is_for_somebody_is_found_by_them_and_the_operator_alone() {
    for mut workspace in in_both_layouts() {
        for (store, text) in SECRETS {
            remember(&workspace, store, &["Mira"], text);
        }
        remember(&workspace, StoreKind::Core, &[], "The harbor office opens at eight");
        remember(&workspace, StoreKind::Semantic, &[], "Bo uses Helix");
        let secrets = ["quillon", "zora", "brass", "paint", "surprise"];
        let question =
            "Quillon surprise party safe tide tables Zora works hull paint launch lock harbor office";
        for is_indexed in [true, false] {
            if !is_indexed {
                without_index(&workspace);
                workspace.reopen();
            }
            for name in ["", "MIRA", "Bo"] {
                let found = recalled(&workspace, name, question).to_lowercase();
                assert!(found.contains("harbor office opens"), "{name}: {found}");
                for secret in secrets {
                    assert_eq!(found.contains(secret), name != "Bo", "{secret} for {name}: {found}");
                }
            }
            for message in ["", question] {
                let given = context(&workspace, "Bo", message).to_lowercase();
                assert!(given.contains("harbor office opens"), "{given}");
                for secret in secrets {
                    assert!(!given.contains(secret), "{secret}: {given}");
                }
            }
            for name in ["mira", ""] {
                let given = context(&workspace, name, question).to_lowercase();
                assert!(given.contains("surprise party") && given.contains("paint"), "{given}");
            }
        }
    }
}

#[test]
fn neither_history_nor_lists_quote_what_is_for_somebody() {
    for workspace in in_both_layouts() {
        for (store, text) in SECRETS {
            remember(&workspace, store, &["Mira"], text);
        }
        let log = workspace.git(&["log", "--format=%B"])
            + &workspace.text(&placed(&workspace, "memory/meta/audit.log"));
        assert!(log.contains("a memory for Mira"), "{log}");
        for word in ["surprise", "brass", "tide", "works at", "paint", "sail"] {
            assert!(!log.contains(word), "{word}: {log}");
        }
        let list = workspace.read(&placed(&workspace, "memory/people/_index.md")).unwrap_or_default();
        assert!(!String::from_utf8(list).unwrap().contains("Zora"));
        // Named to everybody she is on the list.
        remember(&workspace, StoreKind::Semantic, &[], "Zora lives in Lyon");
        assert!(workspace.text(&placed(&workspace, "memory/people/_index.md")).contains("Zora"));
        workspace.assert_well();
    }
}

#[test]
fn of_one_entity_each_sees_their_own_facts_and_edges() {
    for workspace in in_both_layouts() {
        remember(&workspace, StoreKind::Semantic, &["Mira"], "Zora works at Kestrel");
        assert!(shown(&workspace, "Bo", "Zora").is_none() && shown(&workspace, "Bo", "Kestrel").is_none());
        remember(&workspace, StoreKind::Semantic, &["Bo"], "Zora works at Harbor Labs");
        remember(&workspace, StoreKind::Semantic, &[], "Zora lives in Lyon");
        for (name, seen) in
            [("Mira", [true, false]), ("Bo", [false, true]), ("Ann", [false, false]), ("", [true, true])]
        {
            let text = shown(&workspace, name, "Zora").unwrap().to_lowercase();
            assert!(text.contains("lyon"), "{text}");
            let found = recalled(&workspace, name, "Where does Zora live and work, Kestrel or Harbor Labs?")
                .to_lowercase();
            for (word, seen) in ["kestrel", "harbor"].into_iter().zip(seen) {
                assert_eq!(text.contains(word), seen, "{word} for {name}: {text}");
                assert_eq!(found.contains(word), seen, "{word} for {name}: {found}");
            }
        }
        assert!(
            shown(&workspace, "Bo", "Kestrel").is_none() && shown(&workspace, "Mira", "Kestrel").is_some()
        );
        // What replaces a fact for somebody leaves nothing of itself in what others see.
        remember(&workspace, StoreKind::Semantic, &["Mira"], "Zora works at Osprey");
        remember(&workspace, StoreKind::Episodic, &["Mira"], "Zora moved to Bremen");
        for text in [
            shown(&workspace, "Bo", "Zora").unwrap(),
            recalled(&workspace, "Bo", "Zora works Osprey Bremen Lyon"),
        ] {
            assert!(!text.contains("Osprey") && !text.contains("Bremen") && text.contains("Lyon"), "{text}");
        }
        assert!(shown(&workspace, "Mira", "Zora").unwrap().contains("Osprey"));
    }
}

#[test]
fn the_same_for_another_is_another_memory() {
    let workspace = Workspace::new();
    for store in [StoreKind::Core, StoreKind::Vault, StoreKind::Semantic, StoreKind::Episodic] {
        let text = "the gate code is 4711";
        let ids: Vec<String> = [&["Mira"][..], &["Bo"], &[], &["Mira", "Bo"]]
            .into_iter()
            .map(|names| {
                let outcome = remember(&workspace, store, names, text);
                assert_eq!(outcome.effect, Effect::Added, "{store:?} {names:?}");
                outcome.id
            })
            .collect();
        let again = remember(&workspace, store, &["person--bo", "MIRA", "Bo"], text);
        let expected = if store == StoreKind::Episodic { Effect::Nothing } else { Effect::Merged };
        assert_eq!((again.effect, &again.id), (expected, &ids[3]));
        if store != StoreKind::Episodic {
            let changed = remember(&workspace, store, &["Bo"], "the gate code is 5822");
            assert_ne!(changed.effect, Effect::Merged);
        }
        let found = recalled(&workspace, "Mira", "gate code");
        assert!(found.contains("4711") && !found.contains("is 5822"), "{found}");
    }
    let first = remember(&workspace, StoreKind::Procedural, &["Mira"], "To open the gate: press the bell");
    let other = remember(&workspace, StoreKind::Procedural, &[], "To open the gate: lift the latch");
    assert_ne!(first.path, other.path);
    let again = remember(&workspace, StoreKind::Procedural, &["Mira"], "To open the gate: press the bell");
    assert_eq!((again.effect, again.path), (Effect::Merged, first.path));
    let found = recalled(&workspace, "Bo", "open the gate");
    assert!(found.contains("latch") && !found.contains("bell"), "{found}");
}

#[test]
fn a_person_sees_what_is_for_their_groups_and_their_other_names() {
    for workspace in in_both_layouts() {
        workspace.write(&placed(&workspace, "memory/graph/entities/person--mira-holt.md"),
        "# person--mira-holt\n\n<!-- Type: person | Label: Mira Holt | Aliases: Mimi, Captain -->\n\n## Relations\n\
         - member-of: [[concept--night-crew]]\n- part-of: [[concept--old-watch]] <!-- superseded:2026-01-01 -->\n\
         - knows: [[concept--rowers]]\n",
    );
        workspace.write(&placed(&workspace, "memory/graph/entities/person--bo.md"),
        "# person--bo\n\n<!-- Type: person | Label: Bo | Aliases: Captain -->\n\n## Relations\n- part-of: [[concept--rowers]]\n",
    );
        workspace.write(&placed(&workspace, "memory/graph/entities/concept--night-crew.md"),
        "# concept--night-crew\n\n<!-- Type: concept | Label: Night Crew | Aliases: Owls -->\n\n## Relations\n\
         - part-of: [[concept--fleet]]\n",
    );
        workspace.memory().catch_up();
        for (name, text) in [
            ("Mimi", "Lantern alpha is for one"),
            ("Night Crew", "Lantern bravo is for the crew"),
            ("owls", "Lantern charlie is for the crew"),
            ("Rowers", "Lantern delta is for rowers"),
            ("Old Watch", "Lantern echo is for the old ones"),
            ("Fleet", "Lantern foxtrot is for all ships"),
            ("Captain", "Lantern golf is for a captain"),
        ] {
            remember(&workspace, StoreKind::Vault, &[name], text);
        }
        let sees = |name: &str| -> Vec<&str> {
            let (found, given) =
                (recalled(&workspace, name, "lantern"), context(&workspace, name, "lantern"));
            let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"];
            let seen: Vec<&str> = words.into_iter().filter(|word| found.contains(word)).collect();
            assert!(words.iter().all(|word| given.contains(word) == seen.contains(word)), "{name}: {given}");
            seen
        };
        assert_eq!(sees("mira holt"), ["alpha", "bravo", "charlie"]);
        assert_eq!(sees("Mimi"), ["alpha", "bravo", "charlie"]);
        assert_eq!(sees("Bo"), ["delta"]);
        assert_eq!(sees("Night Crew"), ["bravo", "charlie"]);
        assert_eq!(sees("Captain"), ["golf"]);
        assert_eq!(sees("Stranger"), Vec::<&str>::new());
        assert_eq!(sees("").len(), 7);
        // Without an index the names count as they are given.
        without_index(&workspace);
        assert_eq!(sees("Mimi"), ["alpha"]);
    }
}

#[test]
fn a_whole_file_is_for_somebody_by_its_front_matter() {
    let mut workspace = Workspace::new();
    workspace
        .write("memory/2026-03-01.md", "---\nfor: [Mira]\n---\n\n# Today\n\nThe lugger lost its mast.\n");
    workspace.write(
        "raw/conversations/2026/03/01/0800-s1-lugger.md",
        "---\nsession_id: s1\nstarted: 2026-03-01T08:00:00Z\nended: 2026-03-01T08:10:00Z\nfor: Mira\n---\n\n# Lugger\n\n\
         ## 08:00 — user\nThe lugger needs a mast of larch.\n",
    );
    workspace.write(
        "memory/notes.md",
        "# Notes\n\nMasts are made of spruce.\n\n## Ours <!-- for:Mira -->\n\nThe lugger is hers.\n",
    );
    workspace.memory().catch_up();
    for is_indexed in [true, false] {
        if !is_indexed {
            without_index(&workspace);
            workspace.reopen();
        }
        for text in [recalled(&workspace, "Bo", "lugger mast"), context(&workspace, "Bo", "lugger mast")] {
            assert!(!text.contains("ugger") && text.contains("spruce"), "{text}");
        }
        for text in [recalled(&workspace, "Mira", "lugger mast"), context(&workspace, "Mira", "lugger mast")]
        {
            assert!(
                text.contains("lost its mast") && text.contains("larch") && text.contains("hers"),
                "{text}"
            );
        }
    }
}

#[test]
fn what_is_closed_neither_counts_nor_corrects_nor_lends_its_words() {
    let workspace = Workspace::new();
    workspace.write(
        "raw/conversations/2026/02/01/0800-s1-talk.md",
        "---\nsession_id: s1\nstarted: 2026-02-01T08:00:00Z\nended: 2026-02-01T08:10:00Z\n---\n\n# Talk\n\n\
         ## 08:00 — user\nWhat about the zeppelin?\n<!-- for:Mira -->\n\n## 08:01 — agent\nIt is moored at the pier.\n",
    );
    workspace.write(
        "CORRECTIONS.md",
        "# Corrections\n\n## 2026-02-02 <!-- for:Mira -->\n- Agent said: The ferry leaves at nine\n- Correct: The ferry leaves at ten\n",
    );
    workspace.write("memory/ferry.md", "The ferry leaves at nine.\n");
    workspace.write(
        "memory/graph/entities/tool--anvil.md",
        "# tool--anvil\n\n<!-- Type: tool | Label: Anvil | Status: archived -->\n\n## Facts\n- Heavy zeppelin anvil <!-- for:Mira -->\n",
    );
    workspace.memory().catch_up();
    let answer = |name: &str, question: &str| {
        let query = Query { min_score: 0.0, asking: asking(name), ..workspace.memory().query(question) };
        workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap()
    };
    assert!(answer("", "zeppelin").results.iter().any(|hit| hit.text.contains("pier")));
    let closed = answer("Bo", "zeppelin");
    assert!(closed.results.is_empty(), "{closed:?}");
    assert_eq!((closed.left_out.archived, answer("Mira", "zeppelin").left_out.archived), (0, 1));
    assert!(answer("Bo", "when does the ferry leave").results.iter().any(|hit| hit.text.contains("at nine")));
    let hers = answer("Mira", "when does the ferry leave");
    assert!(hers.results.iter().all(|hit| hit.path != "memory/ferry.md"), "{hers:?}");
}

#[test]
fn a_name_that_is_none_is_refused_and_never_means_everybody() {
    let workspace = Workspace::new();
    for name in ["", " ", " , ", "[]"] {
        let request = RememberRequest {
            text: "The gate code is 4711".to_owned(),
            addressees: vec![name.to_owned()],
            ..RememberRequest::default()
        };
        let error = workspace.memory().remember(&request).unwrap_err();
        assert_eq!(error.outcome(), rem_mind::Outcome::Usage, "{name:?}");
    }
    remember(&workspace, StoreKind::Vault, &["Mira"], "The gate code is 4711");
    let query = Query { asking: Asking::on_behalf_of(&[" "]), ..workspace.memory().query("gate code") };
    let answer = workspace.memory().recall(&query, machine_time(), &mut |_| {}).unwrap();
    assert!(answer.results.iter().all(|hit| !hit.text.contains("4711")), "{answer:?}");
}

#[test]
fn a_session_is_recorded_as_given_only_what_it_was_given() {
    let workspace = Workspace::new();
    let hers = remember(&workspace, StoreKind::Core, &["Mira"], "The surprise party is aboard the Quillon");
    let ours = remember(&workspace, StoreKind::Core, &[], "The harbor office opens at eight");
    let theirs = remember(&workspace, StoreKind::Core, &[], "The tide tables hang behind the door");
    context(&workspace, "Bo", "");
    let given: Vec<String> = workspace.memory().handed_out("s").into_iter().map(|item| item.id).collect();
    assert!(given.contains(&ours.id) && given.contains(&theirs.id) && !given.contains(&hers.id), "{given:?}");
}

#[test]
fn an_edge_in_a_section_that_is_for_somebody_is_for_them_alone() {
    for workspace in in_both_layouts() {
        for (id, heads) in [
            ("person--zora", "# person--zora <!-- for:Mira -->\n\n## Relations"),
            ("person--ann", "# person--ann\n\n## Ours <!-- for:Mira -->\n\n### Relations"),
        ] {
            let file = placed(&workspace, &format!("memory/graph/entities/{id}.md"));
            workspace.write(&file, format!("{heads}\n- works-at: [[place--kestrel]]\n"));
            workspace.memory().catch_up();
            assert!(shown(&workspace, "Mira", id).unwrap().contains("kestrel"));
            assert_eq!(shown(&workspace, "Bo", id), None, "{heads}");
        }
    }
}

/// Everything that showing, ways, backlinks and people answer on behalf of somebody; `-` where there is no answer.
fn answers(workspace: &Workspace, name: &str, ids: &[String]) -> [String; 4] {
    let (memory, asking) = (workspace.memory(), asking(name));
    let told = |answer: Result<String, rem_mind::MemoryError>| answer.unwrap_or_else(|_| "-".to_owned());
    let json = |value: serde_json::Result<String>| value.unwrap();
    let shown = ids.iter().map(|id| {
        let shown = memory.show_to(&asking, id, machine_time());
        told(shown.map(|shown| json(serde_json::to_string(&shown))))
    });
    let names = ["Zora", "Quillon Yard", "Quillon Smith", "Quillon Jones", "Bo", "Helix"];
    let ways = names.iter().map(|to| {
        let way = memory.graph_path(&asking, "Zora", to, None, machine_time());
        told(way.map(|way| json(serde_json::to_string(&way))))
    });
    let places = ["memory/reference/plan.md", "memory/2026-03-02.md"].map(|path| placed(workspace, path));
    let places = places.iter().map(String::as_str).chain(names);
    let linked = places.map(|place| {
        let found = memory.backlinks(&asking, place, machine_time());
        told(found.map(|found| json(serde_json::to_string(&found))))
    });
    let people = names.iter().map(|name| {
        let shown = memory.person_show(&asking, name, machine_time());
        told(shown.map(|shown| json(serde_json::to_string(&shown))))
    });
    let everybody = json(serde_json::to_string(&memory.people(&asking, machine_time()).unwrap()));
    let people = people.chain([everybody]).collect::<Vec<_>>().join("\n");
    [
        shown.collect::<Vec<_>>().join("\n"),
        ways.collect::<Vec<_>>().join("\n"),
        linked.collect::<Vec<_>>().join("\n"),
        people,
    ]
}

#[test]
fn neither_showing_nor_ways_nor_backlinks_nor_people_name_what_is_for_another() {
    for workspace in in_both_layouts() {
        let mut ids: Vec<String> = Vec::new();
        for (store, text) in SECRETS {
            ids.push(remember(&workspace, store, &["Mira"], text).id);
        }
        ids.push("entity:place--quillon-yard".to_owned());
        let note = placed(&workspace, "memory/reference/plan.md");
        workspace.write(&note, "# Plan\n\nAll of it.\n");
        let diary = placed(&workspace, "memory/2026-03-02.md");
        workspace.write(&diary, "---\nfor: Mira\n---\n\n# Quillon day\n\nSee [[plan]] and [[Bo]].\n");
        workspace.write(
            &placed(&workspace, "memory/notes.md"),
            "Open.\n\n- [[plan#Quillon]] <!-- for:Mira -->\n- [[plan]]\n",
        );
        let page = placed(&workspace, "memory/people/quill.md");
        workspace
            .write(&page, "---\nname: Quillon Smith\n---\n\n# Smith\n\n- Builds hulls <!-- for:Mira -->\n");
        // Nothing in his file is closed, and all that leads to it is.
        let jones = placed(&workspace, "memory/graph/entities/person--jones.md");
        workspace
            .write(&jones, "# person--jones\n\n<!-- Type: person | Label: Quillon Jones -->\n\n## Facts\n");
        let loom = placed(&workspace, "memory/graph/entities/tool--loom.md");
        workspace
            .write(&loom, "# tool--loom\n\n## Relations\n- made-by: [[person--jones]] <!-- for:Mira -->\n");
        workspace.memory().catch_up();
        remember(&workspace, StoreKind::Semantic, &[], "Bo works at Helix");
        ids.extend(["entity:person--jones".to_owned(), format!("passage:{jones}:1-5")]);
        ids.push(format!("passage:{diary}:1-7"));
        ids.push(format!("passage:{}:1-9", placed(&workspace, "memory/meta/audit.log")));
        for (id, answer) in ids.iter().zip(answers(&workspace, "Bo", &ids)[0].lines()) {
            assert_eq!(answer, "-", "{id}");
        }
        for (name, is_hers) in [("Bo", false), ("Mira", true), ("", true)] {
            for (at, answer) in answers(&workspace, name, &ids).iter().enumerate() {
                let said = answer.to_lowercase();
                for secret in ["quillon", "zora", "smith", "hulls", "brass", "diary", "2026-03-02"] {
                    assert!(is_hers || !said.contains(secret), "{secret} in {at} for {name:?}: {answer}");
                }
                let hers = ["brass", "works-at", "2026-03-02", "hulls"][at];
                assert_eq!(said.contains(hers), is_hers, "{hers} in {at} for {name:?}: {answer}");
            }
            let linked = workspace.memory().backlinks(&asking(name), "plan", machine_time()).unwrap();
            assert_eq!(linked.links.len(), if is_hers { 3 } else { 1 }, "{linked:?}");
        }
        // An id that is for others is answered as one that nothing has.
        let told =
            |id: &str| workspace.memory().show_to(&asking("Bo"), id, machine_time()).unwrap_err().to_string();
        assert_eq!(told(&ids[0]).replace(&ids[0], "X"), told("core:none").replace("core:none", "X"));
        assert_eq!(
            workspace
                .memory()
                .graph_path(&asking("Bo"), "Zora", "Bo", None, machine_time())
                .unwrap_err()
                .to_string(),
            "nothing in the graph is called \"Zora\""
        );
    }
}

#[test]
fn of_what_is_for_all_in_part_the_rest_is_shown_without_a_gap_or_a_count() {
    for workspace in in_both_layouts() {
        remember(&workspace, StoreKind::Semantic, &[], "Zora works at Kestrel");
        remember(&workspace, StoreKind::Semantic, &["Mira"], "Zora lives in Lyon");
        remember(&workspace, StoreKind::Semantic, &["Night Crew"], "Zora uses Quillon");
        let file = placed(&workspace, "memory/graph/entities/person--mira.md");
        workspace.write(
            &file,
            "# person--mira\n\n<!-- Label: Mira -->\n\n## Relations\n- member-of: [[concept--night-crew]]\n",
        );
        workspace.memory().catch_up();
        let shown = |name: &str| {
            workspace.memory().show_to(&asking(name), "entity:person--zora", machine_time()).unwrap()
        };
        let (bo, mira, all) = (shown("Bo"), shown("Mira"), shown(""));
        assert!(
            bo.located.text.contains("Kestrel")
                && !bo.located.text.contains("Lyon")
                && !bo.located.text.contains("Quillon")
        );
        assert!(bo.standing.is_none() && !bo.located.text.contains("\n\n\n"), "{}", bo.located.text);
        assert!(
            mira.located.text.contains("Lyon") && mira.located.text.contains("Quillon"),
            "her group's as well"
        );
        assert_eq!(mira, all);
        assert_eq!(all.located, workspace.memory().show("entity:person--zora").unwrap());
        let way = |name: &str, to: &str| {
            workspace.memory().graph_path(&asking(name), "Zora", to, None, machine_time())
        };
        assert_eq!(way("Bo", "Kestrel").unwrap().steps.map(|steps| steps.len()), Some(1));
        assert!(way("Bo", "Lyon").is_err() && way("Mira", "Lyon").unwrap().steps.is_some());
        let person =
            |name: &str| workspace.memory().person_show(&asking(name), "Zora", machine_time()).unwrap();
        assert_eq!(
            (person("Bo").entity.unwrap().facts.len(), person("Mira").entity.unwrap().facts.len()),
            (1, 3)
        );
    }
}
