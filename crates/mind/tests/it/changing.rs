//! What changes: values in everyday sentences, what a name is found to be, how something is done.

use rem_format::entity::Entity;
use rem_mind::identity::CorrectRequest;
use rem_mind::recall::Asking;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::{Workspace, machine_time};

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    let told = workspace.memory().remember(&request).unwrap();
    workspace.memory().catch_up();
    told
}

#[test]
fn another_value_takes_the_place_of_the_first_wherever_that_stands() {
    for (known, now) in [
        ("Bob is our team lead", "The team lead is now Ada"),
        ("Our team lead is Bob", "Ada is our new team lead"),
        ("Bob ist unser Teamleiter", "Ada ist jetzt unsere Teamleiterin"),
        ("지훈이가 우리 팀장이야", "이제 민수가 우리 팀장이야"),
        ("张伟是我们的组长", "李娜现在是我们的组长"),
        ("The launch is in May", "The launch has been moved to June"),
        ("Der Start ist am 3. Mai", "Der Start ist jetzt am 5. Juni"),
        ("출시는 5월이야", "출시는 6월이야"),
        ("Our office is in Kiel", "Our office moved to Leipzig"),
        ("The project is called Atlas", "The project was renamed to Borealis"),
        ("My phone number is 555-0100", "My phone number changed to 555-0199"),
        ("The ticket costs 10 euros", "The ticket costs 12 euros"),
        ("We are 5 people", "We are 6 people now"),
        ("We use Postgres 15", "We upgraded to Postgres 16"),
    ] {
        let workspace = Workspace::new();
        assert_eq!(remember(&workspace, known).effect, Effect::Added, "{known}");
        workspace.advance(jiff::SignedDuration::from_hours(48));
        let told = remember(&workspace, now);
        assert_eq!(told.replaced.as_deref(), Some(known), "{now}: {told:?}");
        // The old value stays readable.
        let listing = workspace.memory().ledger().list().unwrap();
        let texts = listing.files.iter().filter(|file| file.path.ends_with(".md"));
        let held = texts.filter(|file| workspace.text(&file.path).contains(known)).count();
        assert!(held > 0, "{known} is gone");
        workspace.assert_well();
    }
}

#[test]
fn another_subject_another_time_and_what_is_asked_retire_nothing() {
    let workspace = Workspace::new();
    for known in ["Bob is our team lead", "The launch is in May", "Ann is my colleague", "We are 5 people"] {
        remember(&workspace, known);
    }
    for news in [
        "Ada was our team lead",
        "Ada is the marketing lead",
        "Their team lead is Ada",
        "Is Ada our team lead now?",
        "Maybe the launch is in June",
        "If the launch is in June, we need more people",
        "Ben is my colleague",
        "The fair is in June",
        "We are 5 minutes late",
    ] {
        assert_eq!(remember(&workspace, news).replaced, None, "{news}");
    }
    workspace.assert_well();
}

fn entity(workspace: &Workspace, id: &str) -> Option<Entity> {
    Entity::parse(&workspace.read(&format!("memory/graph/entities/{id}.md"))?).ok()
}

#[test]
fn what_a_name_is_found_to_be_it_becomes_and_old_links_arrive() {
    for (guess, shown) in [
        ("concept--ann", "Ann is my colleague"),
        ("project--ann", "Ann works at Kestrel"),
        ("tool--ann", "Ann is Konrad's sister"),
        ("concept--ann", "Ann ist meine Kollegin"),
    ] {
        let workspace = Workspace::new();
        let kind = guess.split("--").next().unwrap();
        workspace.write(
            &format!("memory/graph/entities/{guess}.md"),
            format!("# {guess}\n\n<!-- Type: {kind} | Label: Ann -->\n\n## Facts\n- Ann likes jazz <!-- id:k1 | since:2026-01-01 -->\n"),
        );
        workspace.write("memory/reference/jazz.md", format!("# Jazz\n\n[[{guess}]] knows all of it.\n"));
        workspace.memory().catch_up();
        workspace.memory().index(false, machine_time(), &mut |_| {}).unwrap();
        let told = remember(&workspace, shown);
        assert_eq!(told.id, "entity:person--ann", "{shown}");
        let person = entity(&workspace, "person--ann").unwrap();
        let facts: Vec<String> = person.facts().into_iter().map(|fact| fact.text).collect();
        assert!(
            facts.contains(&"Ann likes jazz".to_owned()) && facts.contains(&shown.to_owned()),
            "{facts:?}"
        );
        assert_eq!(
            entity(&workspace, guess).unwrap().merged_into().map(|id| id.to_string()).as_deref(),
            Some("person--ann")
        );
        assert!(workspace.text("memory/reference/jazz.md").contains("[[person--ann]]"));
        // One change set did all of it.
        let touched = workspace.git(&["show", "--format=", "--name-only", "HEAD"]);
        assert!(
            touched.contains("person--ann") && touched.contains(guess) && touched.contains("jazz.md"),
            "{touched}"
        );
        workspace.memory().index(false, machine_time(), &mut |_| {}).unwrap();
        for name in [guess, "Ann"] {
            let node = workspace.memory().graph_show(name, None, 1, machine_time()).unwrap();
            assert!(
                node.entity.id == "person--ann" || node.merged_into.as_deref() == Some("person--ann"),
                "{node:?}"
            );
        }
        workspace.assert_well();
    }
}

#[test]
fn what_is_shown_to_be_what_it_is_stays_that() {
    let workspace = Workspace::new();
    remember(&workspace, "The Atlas project uses Postgres");
    assert!(entity(&workspace, "project--atlas").is_some());
    // A person of that name is another thing.
    remember(&workspace, "Atlas works at Kestrel");
    assert!(entity(&workspace, "project--atlas").unwrap().merged_into().is_none());
    assert_eq!(remember(&workspace, "Zed is my brother").id, "entity:person--zed");
    assert_eq!(remember(&workspace, "Mira uses Neovim").id, "entity:person--mira");
    assert_eq!(remember(&workspace, "Harbor uses Redis").id, "entity:project--harbor");
    workspace.assert_well();
}

#[test]
fn a_list_of_steps_is_a_procedure_and_changed_steps_take_the_place_of_the_old() {
    for (first, second, old, new) in [
        (
            "How to deploy Harbor: 1. run the tests 2. tag 3. push",
            "How to deploy Harbor: 1. build the image 2. sign it 3. roll it out",
            "run the tests",
            "build the image",
        ),
        (
            "So deployen wir: 1. Tests laufen lassen 2. Tag setzen 3. ausrollen",
            "So deployen wir jetzt: 1. Image bauen 2. signieren 3. verteilen",
            "Tests laufen lassen",
            "Image bauen",
        ),
        (
            "우리는 이렇게 배포해: 1. 테스트 돌리기 2. 태그 달기 3. 올리기",
            "우리는 이제 이렇게 배포해: 1. 이미지 만들기 2. 서명하기 3. 보내기",
            "테스트 돌리기",
            "이미지 만들기",
        ),
        (
            "我们这样部署：1. 跑测试 2. 打标签 3. 上线",
            "我们现在这样部署：1. 打包镜像 2. 签名 3. 推送",
            "跑测试",
            "打包镜像",
        ),
    ] {
        let workspace = Workspace::new();
        let told = remember(&workspace, first);
        assert_eq!(told.routing.store, Some(StoreKind::Procedural), "{first}");
        workspace.advance(jiff::SignedDuration::from_hours(48));
        let again = remember(&workspace, second);
        assert_eq!((again.id.as_str(), again.effect), (told.id.as_str(), Effect::Replaced), "{second}");
        let shown = workspace.memory().procedure_show(&told.id).unwrap();
        assert!(shown.steps.len() == 3 && shown.steps[0] == new, "{:?}", shown.steps);
        assert!(shown.notes.iter().any(|note| note.contains(old)), "{:?}", shown.notes);
        workspace.assert_well();
    }
    let workspace = Workspace::new();
    let told = remember(&workspace, "How to deploy Harbor: 1. run the tests 2. tag 3. push");
    assert_eq!(remember(&workspace, "How to deploy Harbor: never on Fridays").effect, Effect::Added);
    assert_eq!(workspace.memory().procedure_show(&told.id).unwrap().steps.len(), 3);
    let other = remember(&workspace, "How to deploy Atlas: 1. build 2. ship");
    assert_ne!(other.id, told.id);
    for list in ["My favourite films: 1. Alien 2. Heat", "Meine Lieblingsfilme: 1. Alien 2. Heat"] {
        assert_ne!(remember(&workspace, list).routing.store, Some(StoreKind::Procedural), "{list}");
    }
}

#[test]
fn what_an_agent_hands_on_of_talk_is_no_fact_and_what_a_person_asks_for_is_kept() {
    let workspace = Workspace::new();
    for talk in [
        "Good morning!",
        "Thanks a lot!",
        "What time is it?",
        "Danke dir!",
        "Wie spät ist es?",
        "고마워!",
        "지금 몇 시야?",
        "谢谢！",
        "现在几点了？",
    ] {
        let handed = RememberRequest { text: talk.to_owned(), relayed: true, ..RememberRequest::default() };
        assert_eq!(workspace.memory().remember(&handed).unwrap().effect, Effect::Nothing, "{talk}");
        assert_eq!(remember(&workspace, talk).effect, Effect::Added, "{talk}");
    }
    for fact in [
        "The boat lies in the shed",
        "Der Schlüssel liegt unter der Matte",
        "열쇠는 매트 밑에 있어",
        "钥匙在垫子下面",
    ] {
        let handed = RememberRequest { text: fact.to_owned(), relayed: true, ..RememberRequest::default() };
        assert_eq!(workspace.memory().remember(&handed).unwrap().effect, Effect::Added, "{fact}");
    }
}

#[test]
fn what_is_told_twice_is_one_mention_and_no_second_use() {
    let workspace = Workspace::new();
    workspace.memory().index(false, machine_time(), &mut |_| {}).unwrap();
    for text in ["The safe is behind the clock", "Mira lives in Lyon", "I prefer tea over coffee"] {
        let first = remember(&workspace, text);
        let again = remember(&workspace, text);
        assert_eq!((again.id.as_str(), again.effect), (first.id.as_str(), Effect::Merged), "{text}");
        let standing = workspace.memory().standing(&first.id, machine_time()).unwrap().unwrap();
        assert_eq!(standing.accesses, 2, "{text}");
    }
    let steps = "How to deploy: 1. test 2. tag 3. push";
    let first = remember(&workspace, steps);
    remember(&workspace, steps);
    let standing = workspace.memory().standing(&first.id, machine_time()).unwrap().unwrap();
    assert_eq!(standing.accesses, 2);
}

#[test]
fn what_nobody_wrote_in_yet_is_no_memory_and_open_conversations_are_t3() {
    let workspace = Workspace::new();
    let before = workspace.memory().status().unwrap();
    assert_eq!(before.tiers.values().sum::<usize>(), 0, "{:?}", before.tiers);
    remember(&workspace, "The boat lies in the shed in winter");
    let after = workspace.memory().status().unwrap();
    assert_eq!(after.tiers["T1"], 1, "{:?} {:?}", after.tiers, after.stores);
    assert_eq!(after.tiers["T3"], 0);
}

#[test]
fn of_many_connections_those_used_last_are_shown_and_the_answer_says_so() {
    let mut workspace = Workspace::new();
    workspace.set("search.graph_breadth", "5");
    let edges: String = (0..9)
        .map(|number| format!("- uses: [[tool--t{number}]] <!-- last-accessed:2026-01-0{} -->\n", number + 1))
        .collect();
    workspace.write(
        "memory/graph/entities/project--atlas.md",
        format!("# project--atlas\n\n<!-- Type: project | Label: Atlas -->\n\n## Relations\n{edges}"),
    );
    for number in 0..9 {
        workspace.write(
            &format!("memory/graph/entities/tool--t{number}.md"),
            format!("# tool--t{number}\n\n<!-- Type: tool | Label: T{number} -->\n"),
        );
    }
    workspace.reopen();
    workspace.memory().catch_up();
    let shown =
        workspace.memory().graph_show_to(&Asking::default(), "Atlas", None, 2, machine_time()).unwrap();
    assert_eq!((shown.relations.len(), shown.capped), (5, vec!["project--atlas".to_owned()]));
    let few = workspace.memory().graph_show("T8", None, 1, machine_time()).unwrap();
    assert_eq!((few.relations.len(), few.capped.len()), (1, 0));
    workspace.set("search.graph_breadth", "50");
    workspace.reopen();
    let all = workspace.memory().graph_show("Atlas", None, 2, machine_time()).unwrap();
    assert_eq!((all.relations.len(), all.capped.len()), (9, 0));
}

#[test]
fn what_is_no_text_and_front_matter_that_cannot_be_read_is_named() {
    let workspace = Workspace::new();
    workspace.write("memory/reference/bad.md", "---\nbad: [\n---\n# Page\n");
    workspace.write("memory/reference/page.md", b"# Page\n\xff\xfe\x00binary\n");
    workspace.write("memory/reference/picture.png", b"\x89PNG\r\n\x1a\n\x00\x00");
    workspace.write("memory/reference/fine.md", "# Fine\n");
    let findings = workspace.memory().verify().unwrap().findings;
    let named = |path: &str| {
        let is_it =
            |each: &&rem_mind::ledger::Finding| each.check == "formats" && each.path.as_deref() == Some(path);
        findings.iter().find(is_it).map(|each| each.message.clone())
    };
    assert!(named("memory/reference/bad.md").is_some_and(|what| what.contains("line 2")), "{findings:?}");
    assert!(named("memory/reference/page.md").is_some_and(|what| what.contains("line 2")), "{findings:?}");
    assert!(named("memory/reference/picture.png").is_some(), "{findings:?}");
    assert_eq!(named("memory/reference/fine.md"), None);
}

#[test]
fn what_is_to_be_forgotten_is_found_in_four_languages_and_what_is_not_there_is_not() {
    let workspace = Workspace::new();
    let facts = [
        "The harbour office opens at nine",
        "Meine Adresse ist Marktweg 1",
        "지민이 여권 번호는 M1234야",
        "米拉对花生过敏",
        "The boat lies in the shed",
    ];
    let ids: Vec<String> = facts.iter().map(|fact| remember(&workspace, fact).id).collect();
    for (asked, meant) in [
        ("the harbour office", 0),
        ("Forget what I said about the harbour office", 0),
        ("meine Adresse", 1),
        ("Vergiss meine Adresse", 1),
        ("지민이 여권 번호", 2),
        ("지민이 여권 번호는 잊어 줘", 2),
        ("米拉花生过敏", 3),
        ("忘掉米拉对花生过敏这件事", 3),
    ] {
        let found = workspace.memory().forget_candidates(asked, machine_time()).unwrap();
        let texts: Vec<&str> = found.iter().map(|each| each.text.as_str()).collect();
        assert!(found.first().is_some_and(|first| first.text.contains(facts[meant])), "{asked}: {texts:?}");
    }
    for asked in ["zeppelin", "Zeppelin", "비행선", "飞艇"] {
        assert_eq!(workspace.memory().forget_candidates(asked, machine_time()).unwrap(), [], "{asked}");
    }
    workspace.memory().forget(&[ids[3].clone()], false).unwrap();
    let left = workspace.memory().forget_candidates("米拉花生过敏", machine_time()).unwrap();
    assert!(left.iter().all(|each| each.id != ids[3]), "{left:?}");
    workspace.assert_well();
}

#[test]
fn words_with_accents_are_forgotten_as_they_are_found() {
    let workspace = Workspace::new();
    let facts = [
        "Anna loves Käsekuchen",
        "José lives in Zürich",
        "Der Schlüssel fürs Büro liegt bei Jürgen Weiß",
        "My favourite dessert is crème brûlée",
        "Mira O'Brien repairs sails",
    ];
    facts.iter().for_each(|fact| drop(remember(&workspace, fact)));
    let right = "The ferry to Ærø leaves at nine".to_owned();
    workspace.memory().correct(&CorrectRequest { right, ..CorrectRequest::default() }).unwrap();
    for (asked, meant) in [
        ("Käsekuchen", "Käsekuchen"),
        ("Kasekuchen", "Käsekuchen"),
        ("José", "José"),
        ("jose", "José"),
        ("Zurich", "José"),
        ("Schlüssel Büro", "Schlüssel"),
        ("Vergiss, wo der Schlüssel liegt", "Schlüssel"),
        ("Jürgen Weiß", "Schlüssel"),
        ("jurgen weiss", "Schlüssel"),
        ("crème brûlée", "brûlée"),
        ("Creme brulee", "brûlée"),
        ("O'Brien", "O'Brien"),
        ("Ærø", "Ærø"),
    ] {
        let found = workspace.memory().forget_candidates(asked, machine_time()).unwrap();
        let texts: Vec<&str> = found.iter().map(|each| each.text.as_str()).collect();
        assert!(texts.first().is_some_and(|first| first.contains(meant)), "{asked}: {texts:?}");
    }
    let id = workspace.memory().forget_candidates("brûlée", machine_time()).unwrap()[0].id.clone();
    workspace.memory().forget(&[id], false).unwrap();
    let kept = workspace.memory().forget_candidates("creme brûlée", machine_time()).unwrap();
    assert!(kept.iter().all(|each| each.id.starts_with("forgotten:")) && !kept.is_empty(), "{kept:?}");
}

#[test]
fn what_happened_ends_what_memory_md_says_of_others_as_well() {
    let workspace = Workspace::new();
    let tell = |text: &str, store| {
        let request = RememberRequest { text: text.to_owned(), store, ..RememberRequest::default() };
        workspace.memory().remember(&request).unwrap()
    };
    tell("Our office is in Kiel", Some(StoreKind::Core));
    workspace.advance(jiff::SignedDuration::from_hours(48));
    let told = tell("Our office moved to Leipzig", Some(StoreKind::Episodic));
    assert_eq!(told.replaced.as_deref(), Some("Our office is in Kiel"));
    let core = workspace.text("MEMORY.md");
    assert!(
        core.contains("- Our office moved to Leipzig <!--") && core.contains("was:Our office is in Kiel"),
        "{core}"
    );
    assert_eq!(tell("Our garden moved to spring", Some(StoreKind::Episodic)).replaced, None);
    workspace.assert_well();
}
