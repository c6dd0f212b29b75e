//! What takes the place of something takes the place of that alone.

use rem_format::entity::Entity;
use rem_mind::lifecycle::mine::MineRequest;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

use crate::support::talk;

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    workspace.memory().remember(&request).unwrap()
}

/// The edges of an entity that hold, as `relation end`.
fn edges(workspace: &Workspace, id: &str) -> Vec<String> {
    let bytes = workspace.read(&format!("memory/graph/entities/{id}.md")).unwrap();
    let edges = Entity::parse(&bytes).unwrap().edges();
    let open = edges.into_iter().filter(|edge| edge.ended().is_none());
    open.map(|edge| format!("{} {}", edge.relation, edge.to)).collect()
}

#[test]
fn what_an_agent_says_of_the_user_takes_the_place_of_what_it_said_before() {
    let workspace = Workspace::new();
    for (before, after) in [
        ("The user lives in Hamburg.", "The user moved to Bremen."),
        ("The user prefers short answers.", "The user prefers long answers."),
        ("I work at Bosch.", "The user works at Siemens."),
    ] {
        assert_eq!(remember(&workspace, before).effect, Effect::Added, "{before}");
        assert_eq!(remember(&workspace, after).effect, Effect::Replaced, "{after}");
    }
    let kept = workspace.text("MEMORY.md");
    assert!(
        kept.contains("The user works at Siemens") && kept.contains("The user prefers long answers"),
        "{kept}"
    );
}

#[test]
fn a_fact_that_is_replaced_ends_its_own_edge_and_no_other() {
    let workspace = Workspace::new();
    for text in [
        "Mira is allergic to nuts",
        "Mira is Bo's boss",
        "Mira's manager is Ann",
        "Mira lives in Lyon",
        "Mira uses Rust",
    ] {
        assert_eq!(remember(&workspace, text).effect, Effect::Added, "{text}");
    }
    workspace.advance(jiff::SignedDuration::from_hours(96));
    assert_eq!(remember(&workspace, "Mira's manager is Tom").effect, Effect::Replaced);
    assert_eq!(remember(&workspace, "Mira lives in Oslo").effect, Effect::Replaced);
    assert_eq!(
        edges(&workspace, "person--mira"),
        [
            "allergic-to concept--nuts",
            "boss-of person--bo",
            "uses tool--rust",
            "reports-to person--tom",
            "lives-in place--oslo"
        ]
    );
    workspace.memory().catch_up();
    let shown = workspace.memory().graph_show("Bo", None, 1, machine_time()).unwrap();
    assert_eq!((shown.relations[0].relation.as_str(), shown.relations[0].inverted), ("reports-to", false));
}

#[test]
fn what_is_denied_is_no_edge_any_more() {
    let workspace = Workspace::new();
    remember(&workspace, "Mira works at Kestrel");
    remember(&workspace, "Mira is allergic to nuts");
    let request = RememberRequest {
        text: "Mira is not allergic to nuts".to_owned(),
        store: Some(rem_mind::stores::router::StoreKind::Semantic),
        ..RememberRequest::default()
    };
    assert_eq!(workspace.memory().remember(&request).unwrap().effect, Effect::Replaced);
    assert_eq!(edges(&workspace, "person--mira"), ["works-at place--kestrel"]);
}

#[test]
fn every_relation_that_is_read_from_a_sentence_has_a_word_on_both_sides() {
    let workspace = Workspace::new();
    for (text, relation) in [
        ("Paula is Konrad's sister", "sister-of person--konrad"),
        ("Theo is the nephew of Agnes", "nephew-of person--agnes"),
        ("Ivy reports to Graham", "reports-to person--graham"),
        ("Marta speaks Finnish", "speaks concept--finnish"),
        ("하윤이는 도현이의 누나야", "sister-of person--도현"),
    ] {
        let id = remember(&workspace, text).id.replace("entity:", "");
        assert_eq!(edges(&workspace, &id), [relation], "{text}");
        workspace.memory().catch_up();
        let name = relation.split_once("--").unwrap().1;
        let shown = workspace.memory().graph_show(name, None, 1, machine_time()).unwrap();
        assert!(shown.relations.iter().all(|each| !each.inverted), "{text}: {:?}", shown.relations);
    }
}

#[test]
fn what_only_sounds_like_another_value_stands_beside_it() {
    let tell = |workspace: &Workspace, text: &str| {
        let store = Some(rem_mind::stores::router::StoreKind::Core);
        let request = RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap()
    };
    for (known, news) in [
        (
            "I live in Lyon",
            &["I moved to a new keyboard", "I live in constant fear", "Ich wohne in einer WG"][..],
        ),
        ("Mira works at Kestrel", &["Mira works at night", "Mira works for free on weekends"]),
        ("Ich arbeite bei Siemens", &["Ich arbeite für mein Leben gern"]),
        ("나는 서울에 살아", &["나는 아파트에 살아", "我住在一个小公寓里"]),
        ("My favourite editor is Helix", &["My favourite editor is awesome"]),
        ("Mein Name ist Anna", &["Mein Name ist Programm"]),
        ("I prefer tea over coffee in the morning", &["I prefer coffee over tea in the evening"]),
    ] {
        let workspace = Workspace::new();
        for text in std::iter::once(&known).chain(news) {
            assert_eq!(tell(&workspace, text).effect, Effect::Added, "{text}");
        }
    }
    let workspace = Workspace::new();
    tell(&workspace, "I live in Lyon");
    assert_eq!(tell(&workspace, "Ich bin nach Oslo gezogen").replaced.as_deref(), Some("I live in Lyon"));
    assert_eq!(tell(&workspace, "Ich wohne in Oslo, Norwegen").effect, Effect::Merged);
    assert!(workspace.text("MEMORY.md").contains("- Ich wohne in Oslo, Norwegen <!--"));
    workspace.assert_well();
}

#[test]
fn what_memory_md_said_before_stays_readable_however_often_it_changes() {
    let workspace = Workspace::new();
    let store = Some(rem_mind::stores::router::StoreKind::Core);
    for town in ["Lyon", "Oslo", "Bonn"] {
        let request =
            RememberRequest { text: format!("I live in {town}"), store, ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap();
        workspace.advance(jiff::SignedDuration::from_hours(24));
    }
    let text = workspace.text("MEMORY.md");
    let was = "was:I live in Oslo (2026-03-02 to 2026-03-03); I live in Lyon (2026-03-01 to 2026-03-02)";
    assert!(text.contains(was) && text.matches("\n- ").count() == 1, "{text}");
    workspace.assert_well();
}

#[test]
fn what_was_only_noticed_takes_no_place_of_what_was_asked_for_pinned_or_written_by_hand() {
    use rem_mind::stores::router::StoreKind::{Core, Procedural, Semantic, Vault};
    let workspace = Workspace::new();
    let tell = |store, text: &str, detected, pin| {
        let request = RememberRequest {
            text: text.to_owned(),
            store: Some(store),
            detected,
            pin,
            ..RememberRequest::default()
        };
        workspace.memory().remember(&request).unwrap()
    };
    tell(Core, "The release deadline is March 9", false, true);
    tell(Vault, "The safe port is 8080", false, false);
    tell(Semantic, "Mira lives in Lyon", false, false);
    tell(Procedural, "How to make coffee: use 15 g; pour slowly", false, false);
    for (store, text) in [
        (Core, "The release deadline is March 19"),
        (Vault, "The safe port is 9090"),
        (Semantic, "Mira lives in Oslo"),
        (Procedural, "How to make coffee: use 18 g; pour slowly"),
    ] {
        assert_eq!(tell(store, text, true, false).effect, Effect::Added, "{text}");
    }
    let core = workspace.text("MEMORY.md");
    let noticed = core.lines().find(|line| line.contains("March 19")).unwrap();
    assert!(core.contains("- The release deadline is March 9 <!--") && !noticed.contains("pinned"), "{core}");
    let happened = RememberRequest {
        text: "Mira moved to Rome yesterday".to_owned(),
        detected: true,
        ..RememberRequest::default()
    };
    assert_ne!(
        workspace.memory().remember(&happened).unwrap().replaced.as_deref(),
        Some("Mira lives in Lyon")
    );
    workspace.memory().catch_up();
    let facts = workspace.memory().graph_show("Mira", None, 1, machine_time()).unwrap().facts;
    assert!(facts.iter().any(|fact| fact.text == "Mira lives in Lyon"), "{facts:?}");
    // What was noticed before gives way to what is noticed now, and all of it to what is asked for.
    assert_eq!(tell(Semantic, "Bo lives in Lyon", true, false).effect, Effect::Added);
    assert_eq!(tell(Semantic, "Bo lives in Oslo", true, false).effect, Effect::Replaced);
    assert_eq!(tell(Semantic, "Bo lives in Bonn", false, false).effect, Effect::Replaced);
    // Both sides are seen.
    let scan = workspace.memory().scan_conflicts(true);
    assert!(format!("{scan:?}").contains("March 19"), "{scan:?}");
    workspace.write("MEMORY.md", "# Core Memory\n\n## Identity\n- The office version is 3\n");
    workspace.memory().catch_up();
    assert_eq!(tell(Core, "The office version is 4", true, false).effect, Effect::Added);
    workspace.assert_well();
}

#[test]
fn what_happened_to_the_user_ends_what_memory_md_says_of_them() {
    use rem_mind::stores::router::StoreKind;
    for (known, now) in [
        ("I live in Bremen", "I moved to Hamburg last week"),
        ("Ich wohne in Bremen", "Ich bin nach Köln gezogen"),
        ("我住在上海", "我搬到了深圳"),
        ("나는 한빛은행에서 일해", "구글로 이직했어"),
    ] {
        let workspace = Workspace::new();
        let core = RememberRequest {
            text: known.to_owned(),
            store: Some(StoreKind::Core),
            ..RememberRequest::default()
        };
        workspace.memory().remember(&core).unwrap();
        let event = RememberRequest {
            text: now.to_owned(),
            store: Some(StoreKind::Episodic),
            ..RememberRequest::default()
        };
        let told = workspace.memory().remember(&event).unwrap();
        assert!(told.id.starts_with("episode:"), "{}", told.id);
        assert_eq!(told.replaced.as_deref(), Some(known));
        let text = workspace.text("MEMORY.md");
        assert!(
            text.contains(&format!("- {now} <!--")) && text.contains(&format!("was:{known} (")),
            "{text}"
        );
        workspace.assert_well();
    }
    let workspace = Workspace::new();
    for text in ["We moved the meeting to Friday", "I had lunch in Bremen yesterday"] {
        let event = RememberRequest {
            text: text.to_owned(),
            store: Some(StoreKind::Episodic),
            ..RememberRequest::default()
        };
        assert_eq!(workspace.memory().remember(&event).unwrap().replaced, None);
    }
}

#[test]
fn a_statement_that_begins_with_a_known_name_is_about_it() {
    let workspace = Workspace::new();
    for text in ["Mira is allergic to nuts", "Atlas uses Postgres"] {
        remember(&workspace, text);
        workspace.memory().catch_up();
    }
    let denied = remember(&workspace, "Mira isn't allergic to nuts");
    assert_eq!(
        (denied.effect, denied.replaced.as_deref()),
        (Effect::Replaced, Some("Mira is allergic to nuts"))
    );
    assert_eq!(edges(&workspace, "person--mira"), Vec::<String>::new());
    assert_eq!(remember(&workspace, "Mira is divorced").id, "entity:person--mira");
    assert_eq!(remember(&workspace, "MIRA likes jazz").id, "entity:person--mira");
    let text = workspace.text("memory/graph/entities/person--mira.md");
    assert!(!text.contains("Aliases"), "{text}");
    let ended = remember(&workspace, "Atlas no longer uses Postgres");
    assert_eq!((ended.id.as_str(), ended.effect), ("entity:project--atlas", Effect::Replaced));
    assert_eq!(edges(&workspace, "project--atlas"), Vec::<String>::new());
    workspace.assert_well();
}

#[test]
fn names_are_kept_as_they_are_written_whatever_form_their_signs_have() {
    let workspace = Workspace::new();
    let decomposed = remember(&workspace, "Ju\u{308}rgen wohnt in Ko\u{308}ln");
    assert_eq!(decomposed.id, "entity:person--jürgen");
    assert_eq!(edges(&workspace, "person--jürgen"), ["lives-in place--köln"]);
    assert_eq!(remember(&workspace, "Jürgen wohnt in Köln").effect, Effect::Merged);
    // 하윤이는 대구에 살아, in letters that are not put together.
    let korean = "\u{1112}\u{1161}\u{110B}\u{1172}\u{11AB}\u{110B}\u{1175}\u{1102}\u{1173}\u{11AB} \u{1103}\u{1162}\u{1100}\u{116E}\u{110B}\u{1166} \u{1109}\u{1161}\u{11AF}\u{110B}\u{1161}";
    let told = remember(&workspace, korean);
    assert_eq!(
        (told.id.as_str(), edges(&workspace, "person--하윤")),
        ("entity:person--하윤", vec!["lives-in place--대구".to_owned()])
    );
    for (text, summary) in [
        ("iPhone backups go to the NAS", "iPhone backups go to the NAS"),
        ("npm is blocked by the proxy", "npm is blocked by the proxy"),
        ("remember that the proxy blocks npm", "The proxy blocks npm"),
    ] {
        assert_eq!(remember(&workspace, text).routing.summary, summary);
    }
    let names = |text: &str| -> Vec<String> {
        remember(&workspace, text).routing.entities.into_iter().map(|mention| mention.name).collect()
    };
    assert_eq!(names("Ich mag keine Pilze"), ["Pilze"]);
    assert!(names("I met Bo at Harbor Labs yesterday").contains(&"Harbor Labs".to_owned()));
    workspace.assert_well();
}

#[test]
fn what_made_room_in_memory_md_is_compared_strengthened_and_forgotten_like_the_rest() {
    use rem_mind::stores::router::StoreKind::Core;
    let mut workspace = Workspace::new();
    let tell = |workspace: &Workspace, text: &str, store| {
        let request = RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap()
    };
    let old = tell(&workspace, "I live in Bremen", Some(Core));
    workspace.advance(jiff::SignedDuration::from_hours(24 * 40));
    let lines = workspace.text("MEMORY.md").lines().count();
    workspace.set("core.line_warning", "10");
    workspace.set("core.line_cap", &lines.to_string());
    assert_eq!(tell(&workspace, "I play the oboe", Some(Core)).demoted, ["I live in Bremen"]);
    let page = "memory/reference/core-memory.md";
    // It is shown and strengthened where it is.
    assert_eq!(workspace.memory().show(&old.id).unwrap().path.as_str(), page);
    let again = tell(&workspace, "I live in Bremen", None);
    assert_eq!((again.effect, again.id.as_str(), again.elsewhere), (Effect::Merged, old.id.as_str(), true));
    // Another value ends it.
    assert_eq!(
        tell(&workspace, "I live in Hamburg", Some(Core)).replaced.as_deref(),
        Some("I live in Bremen")
    );
    assert!(workspace.text(page).contains("- ~~I live in Bremen~~ <!--"), "{}", workspace.text(page));
    workspace.memory().catch_up();
    let candidates = workspace.memory().forget_candidates("live in Bremen", machine_time()).unwrap();
    assert!(candidates.iter().any(|candidate| candidate.id == old.id), "{candidates:?}");
    workspace.memory().forget(&[old.id], false).unwrap();
    assert!(!workspace.text(page).contains("Bremen"));
    workspace.assert_well();
}

#[test]
fn another_number_of_one_thing_takes_the_place_of_the_first() {
    let workspace = Workspace::new();
    for (known, now) in [
        ("The staging server listens on port 8080", "The staging server listens on port 9090"),
        ("The staging server runs Ubuntu 22.04", "The staging server runs Ubuntu 24.04"),
        ("Mira has two children", "Mira has three children"),
        ("Bo is 34 years old", "Bo is 35 years old"),
    ] {
        assert_eq!(remember(&workspace, known).effect, Effect::Added, "{known}");
        workspace.memory().catch_up();
        assert_eq!(remember(&workspace, now).replaced.as_deref(), Some(known), "{now}");
    }
}

#[test]
fn what_is_not_so_any_more_ends_though_what_is_so_instead_is_said_with_it() {
    for (known, turned) in [
        ("Mira works at Siemens", "Mira no longer works at Siemens, she works at Bosch"),
        ("The API runs on Kubernetes", "The API no longer runs on Kubernetes, it runs on Nomad now"),
        ("We deploy with Argo CD", "We no longer deploy with Argo CD, we use Flux"),
        ("I use Vim", "I stopped using Vim, now I use Zed"),
        ("Wir testen mit Jest", "Wir testen nicht mehr mit Jest, sondern mit Vitest"),
        ("Mira arbeitet bei Siemens", "Mira arbeitet nicht mehr bei Siemens, sie arbeitet bei Bosch"),
        ("우리는 Jira를 써", "우리는 이제 Jira를 안 쓰고 Linear를 써"),
        ("我们用 Jenkins 部署", "我们不再用 Jenkins 部署了，改用 GitHub Actions"),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, "We use Grafana and Loki");
        remember(&workspace, known);
        let outcome = remember(&workspace, turned);
        assert_eq!(outcome.replaced.as_deref(), Some(known), "{turned}: {outcome:#?}");
        if turned.starts_with("Mira no longer") {
            assert_eq!(edges(&workspace, "person--mira"), ["works-at place--bosch"]);
        }
    }
}

#[test]
fn what_is_said_in_talk_ends_what_another_page_says() {
    let mut workspace = Workspace::new();
    workspace.set("core.line_warning", "10");
    workspace.set("core.line_cap", "20");
    let old = "- I live in Bonn <!-- id:b1 | since:2026-01-05 | confidence:0.95 | mentions:1 -->\n";
    let filler: String = (0..19).map(|number| format!("- fact {number} <!-- id:f{number} -->\n")).collect();
    workspace.write("MEMORY.md", format!("# Core Memory\n\n## Critical Facts\n\n{old}{filler}"));
    workspace.memory().catch_up();
    talk(
        &workspace,
        "s1",
        "2026-02-20T09:00:00Z",
        &["user: Remember that I live in Lyon now.", "agent: Noted."],
    );
    talk(
        &workspace,
        "s2",
        "2026-01-02T09:00:00Z",
        &["user: Remember that I live in Ghent.", "agent: Noted."],
    );
    let outcome = workspace.memory().mine(&MineRequest::default(), &mut |_, _| {}).unwrap();
    assert_eq!(outcome.failed, []);
    let core = workspace.text("MEMORY.md");
    assert!(!core.contains("- I live in Bonn") && core.contains("Bonn") && core.contains("Lyon"), "{core}");
    assert!(!core.lines().any(|line| line.starts_with("- I live in Ghent")), "{core}");
    assert!(core.contains("fact 18"), "{core}");
}

#[test]
fn a_thing_that_is_called_otherwise_now_is_not_called_both() {
    for (known, now) in [
        ("The wifi guest network is called Heron", "The wifi guest network is called Egret now"),
        ("The staging server is called otter", "The staging server is called badger now"),
        ("Der Testserver heißt Otter", "Der Testserver heißt jetzt Dachs"),
        ("测试服务器叫水獭", "测试服务器现在叫獾"),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, known);
        let outcome = remember(&workspace, now);
        assert_eq!(outcome.replaced.as_deref(), Some(known), "{now}: {outcome:#?}");
    }
    // Two may be called something, where nothing says that it changed.
    let workspace = Workspace::new();
    remember(&workspace, "Our cat is called Minka");
    assert_eq!(remember(&workspace, "Our cat is called Mitzi").replaced, None);
}
