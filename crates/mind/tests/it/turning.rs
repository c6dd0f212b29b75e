//! What is turned round, said besides, begun by what happened, or told in plain Korean: what becomes of it in the files.

use rem_format::entity::Entity;
use rem_mind::stores::router::{StoreKind, route};
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};
use rem_testkit::Workspace;

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    workspace.advance(jiff::SignedDuration::from_hours(24));
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    let outcome = workspace.memory().remember(&request).unwrap();
    workspace.memory().catch_up();
    outcome
}

/// The edges of an entity, as `relation end`, with the note in brackets; those that ended begin with a minus.
fn edges(workspace: &Workspace, id: &str) -> Vec<String> {
    let bytes = workspace.read(&format!("memory/graph/entities/{id}.md")).unwrap();
    let shown = |edge: rem_format::entity::Edge| {
        let ended = if edge.ended().is_some() { "-" } else { "" };
        let note = edge.annotation.get("note").map(|note| format!(" ({note})")).unwrap_or_default();
        format!("{ended}{} {}{note}", edge.relation, edge.to)
    };
    Entity::parse(&bytes).unwrap().edges().into_iter().map(shown).collect()
}

#[test]
fn what_turns_a_taste_or_a_value_round_takes_its_place() {
    for (known, now) in [
        ("我喜欢咖啡", "我不喜欢咖啡"),
        ("我不喜欢咖啡", "我喜欢咖啡"),
        ("나는 커피를 좋아한다", "나는 커피를 싫어한다"),
        ("저는 커피를 좋아해요", "저는 커피를 좋아하지 않아요"),
        ("나는 아침 회의를 선호한다", "나는 아침 회의를 선호하지 않는다"),
        ("Ich heiße Jan", "Ich heiße Johannes"),
        ("我叫李雷", "我叫李明"),
        ("My wife is called Eva", "My wife is called Evelyn"),
        ("Always answer in German", "Always answer in English"),
        ("I always use vim", "I never use vim"),
        ("We use MySQL for billing", "We switched from MySQL to Postgres for billing"),
        ("The backup is stored in Frankfurt", "The backup is stored in Dublin"),
        ("The wiki is at wiki.acme.com", "The wiki is at docs.acme.com"),
        ("Backups are encrypted", "Backups are unencrypted"),
        ("服务器没有备份客户数据", "服务器备份客户数据"),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, known);
        assert_eq!(remember(&workspace, now).replaced.as_deref(), Some(known), "{now}");
        workspace.assert_well();
    }
    let workspace = Workspace::new();
    remember(&workspace, "저는 커피를 좋아해요");
    assert_eq!(remember(&workspace, "저는 커피를 좋아합니다").effect, Effect::Merged);
}

#[test]
fn a_remark_about_a_value_ends_nothing() {
    for (known, remarks) in [
        ("My name is Jon", &["My name is hard to pronounce", "My name is on the list"][..]),
        ("제 이름은 김민수입니다", &["제 이름은 발음하기 어렵습니다"]),
        ("The price of the pro plan is 15 EUR", &["The price of the pro plan is under discussion"]),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, known);
        for remark in remarks {
            assert_eq!(remember(&workspace, remark).replaced, None, "{remark}");
        }
        assert_eq!(workspace.memory().scan_conflicts(true).unwrap().found.len(), 0, "{known}");
    }
}

#[test]
fn what_is_so_besides_has_its_own_edge() {
    let workspace = Workspace::new();
    for text in
        ["Mira works at Acme", "Mira also works at Globex", "Mira lives in Ulm", "Mira lives in Bonn too"]
    {
        assert_eq!(remember(&workspace, text).replaced, None, "{text}");
    }
    assert_eq!(
        edges(&workspace, "person--mira"),
        ["works-at place--acme", "works-at place--globex", "lives-in place--ulm", "lives-in place--bonn"]
    );
}

#[test]
fn what_is_told_in_plain_korean_goes_where_it_goes_politely_told() {
    let workspace = Workspace::new();
    for (text, id) in [
        ("지민은 삼성에서 일한다", "entity:person--지민"),
        ("수진은 카카오에서 일한다", "entity:person--수진"),
        ("지민은 서울에 산다", "entity:person--지민"),
        ("민호는 대전에 삽니다", "entity:person--민호"),
    ] {
        assert_eq!(remember(&workspace, text).id, id, "{text}");
    }
    assert_eq!(remember(&workspace, "지민은 부산에 산다").replaced.as_deref(), Some("지민은 서울에 산다"));
    let of_jimin = ["works-at place--삼성", "-lives-in place--서울", "lives-in place--부산"];
    assert_eq!(edges(&workspace, "person--지민"), of_jimin);
    assert_eq!(edges(&workspace, "person--수진"), ["works-at place--카카오"]);
    assert_eq!(edges(&workspace, "person--민호"), ["lives-in place--대전"]);
    for (text, store) in [
        ("지민은 매일 수영한다", StoreKind::Semantic),
        ("예약 서버는 8080 포트에서 실행되고 매일 밤 백업된다", StoreKind::Semantic),
        ("예약 서버는 8080 포트에서 실행되고 매일 밤 백업됩니다", StoreKind::Semantic),
        ("먼저 서버를 끄고 로그를 백업한 다음 다시 켠다", StoreKind::Procedural),
        ("나는 부산에 산다", StoreKind::Core),
    ] {
        assert_eq!(remember(&workspace, text).routing.store, Some(store), "{text}");
    }
    for (plain, polite) in [
        ("나는 삼성에서 일한다", "나는 삼성에서 일합니다"),
        ("하준은 은행에서 근무한다", "하준은 은행에서 근무합니다"),
        ("수진은 매운 음식을 먹지 않는다", "수진은 매운 음식을 먹지 않습니다"),
        ("서버는 매일 밤 재시작한다", "서버는 매일 밤 재시작합니다"),
    ] {
        assert_eq!(route(plain).store, route(polite).store, "{plain}");
    }
}

#[test]
fn what_somebody_is_to_somebody_in_no_known_word_is_noted() {
    let workspace = Workspace::new();
    for (text, id, edge) in [
        ("Ann is Bob's sponsor", "person--ann", "relates-to person--bob (sponsor)"),
        ("Eve ist Toms Zahnärztin", "person--eve", "relates-to person--tom (zahnärztin)"),
        ("지민은 민수의 치과의사입니다", "person--지민", "relates-to person--민수 (치과의사)"),
        ("王芳是李雷的牙医", "person--王芳", "relates-to person--李雷 (牙医)"),
        ("Rust is used by Atlas", "project--atlas", "uses tool--rust"),
        ("阿特拉斯使用Postgres", "project--阿特拉斯", "uses tool--postgres"),
    ] {
        remember(&workspace, text);
        assert_eq!(edges(&workspace, id), [edge], "{text}");
    }
}

#[test]
fn what_happened_begins_a_tie() {
    let workspace = Workspace::new();
    remember(&workspace, "Mira lives in Ulm");
    let moved = remember(&workspace, "Mira moved to Lyon");
    assert_eq!(moved.replaced.as_deref(), Some("Mira lives in Ulm"));
    assert!(moved.id.starts_with("episode:"), "{}", moved.id);
    assert_eq!(edges(&workspace, "person--mira"), ["-lives-in place--ulm", "lives-in place--lyon"]);
    remember(&workspace, "Ann joined Acme");
    assert_eq!(edges(&workspace, "person--ann"), ["works-at place--acme"]);
    // Whom nobody knows, what is long ago, and what was only noticed begin nothing.
    remember(&workspace, "Tom moved to Oslo last week");
    remember(&workspace, "Mira moved to Berlin in 2015");
    let noticed = RememberRequest {
        text: "Mira moved to Rome yesterday".to_owned(),
        detected: true,
        ..RememberRequest::default()
    };
    workspace.memory().remember(&noticed).unwrap();
    assert_eq!(workspace.read("memory/graph/entities/person--tom.md"), None);
    assert_eq!(edges(&workspace, "person--mira"), ["-lives-in place--ulm", "lives-in place--lyon"]);
    workspace.assert_well();
}

#[test]
fn another_day_of_what_may_be_on_both_is_told_and_ends_nothing() {
    for (known, now) in [("회의는 화요일이다", "회의는 수요일이다"), ("会议在星期二", "会议在星期三")]
    {
        let workspace = Workspace::new();
        remember(&workspace, known);
        assert_eq!(remember(&workspace, now).replaced, None, "{now}");
        let found = workspace.memory().scan_conflicts(false).unwrap().found;
        assert_eq!(found.len(), 1, "{now}: {found:?}");
        assert_eq!((found[0].rule.as_str(), found[0].kept.as_deref()), ("operator-review", None));
    }
    let workspace = Workspace::new();
    for text in ["회의는 화요일이다", "회의는 금요일에도 있다", "여행은 5월이다", "여행은 6월이다"]
    {
        remember(&workspace, text);
    }
    assert_eq!(workspace.memory().scan_conflicts(true).unwrap().found.len(), 0);
}
