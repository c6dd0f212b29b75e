//! What a statement is about: a relative, somebody with their whole name, where something of ours is; and one half of what is said of
//! somebody being replaced.

use rem_format::entity::Entity;
use rem_mind::stores::{RememberOutcome, RememberRequest};
use rem_testkit::Workspace;

fn remember(workspace: &Workspace, text: &str) -> RememberOutcome {
    let request = RememberRequest { text: text.to_owned(), ..RememberRequest::default() };
    let told = workspace.memory().remember(&request).unwrap();
    workspace.memory().catch_up();
    told
}

/// What an entity's file says that still holds.
fn facts(workspace: &Workspace, id: &str) -> Vec<String> {
    let bytes = workspace.read(&format!("memory/graph/entities/{id}.md")).unwrap();
    let facts = Entity::parse(&bytes).unwrap().facts().into_iter();
    facts.filter(|fact| fact.ended().is_none()).map(|fact| fact.text).collect()
}

#[test]
fn what_is_said_of_a_relative_goes_to_them_and_another_value_takes_the_place_of_the_first() {
    for (id, known, now) in [
        ("person--mother", "My mother lives in Ulm", "My mother lives in Bonn"),
        ("person--sister", "My sister works at Siemens", "My sister works at Bosch"),
        ("person--brother", "My brother lives in Ulm", "My brother moved to Bonn"),
        ("person--wife", "My wife works for Siemens", "My wife works for Bosch"),
        ("person--boss", "My boss lives in Ulm", "My boss lives in Bonn"),
        ("person--friend", "My friend lives in Ulm", "My friend lives in Bonn"),
        ("person--best-friend", "My best friend lives in Ulm", "My best friend lives in Bonn"),
        ("person--mutter", "Meine Mutter wohnt in Ulm", "Meine Mutter wohnt in Bonn"),
        ("person--schwester", "Meine Schwester arbeitet bei Siemens", "Meine Schwester arbeitet bei Bosch"),
        ("person--어머니", "우리 어머니는 부산에 사세요", "우리 어머니는 서울에 사세요"),
        ("person--누나", "제 누나는 삼성에서 일해요", "제 누나는 네이버에서 일해요"),
        ("person--妈妈", "我妈妈住在杭州", "我妈妈住在苏州"),
        ("person--姐姐", "我姐姐在华为工作", "我姐姐在腾讯工作"),
    ] {
        let workspace = Workspace::new();
        assert_eq!(remember(&workspace, known).id, format!("entity:{id}"), "{known}");
        workspace.advance(jiff::SignedDuration::from_hours(48));
        let told = remember(&workspace, now);
        assert_eq!(told.replaced.as_deref(), Some(known), "{now}: {told:?}");
        workspace.assert_well();
    }
    // What has no name at its other end as well.
    for (id, text) in [
        ("person--mother", "My mother is a nurse"),
        ("person--best-friend", "My best friend has two cats"),
        ("person--mutter", "Meine Mutter ist Krankenschwester"),
        ("person--어머니", "우리 어머니는 간호사예요"),
        ("person--妈妈", "我妈妈是护士"),
        ("person--helga", "My mother's name is Helga"),
    ] {
        assert_eq!(remember(&Workspace::new(), text).id, format!("entity:{id}"), "{text}");
    }
}

#[test]
fn somebody_is_kept_with_the_whole_name() {
    for (id, text) in [
        ("person--mira-holt", "Mira Holt is the head of design"),
        ("person--mira-holt", "Mira Holt is the CEO of Acme"),
        ("person--clara-holt", "Clara Holt is my dentist"),
        ("person--peter-wagner", "Peter Wagner is our accountant"),
        ("person--mira-holt", "Mira Holt works at Acme"),
        ("person--mira-holt", "Mira Holt ist die Leiterin der Entwicklung"),
        ("person--peter-wagner", "Peter Wagner ist unser Steuerberater"),
    ] {
        let workspace = Workspace::new();
        assert_eq!(remember(&workspace, text).id, format!("entity:{id}"), "{text}");
        workspace.assert_well();
    }
}

#[test]
fn what_is_no_relative_and_nobody_is_taken_for_none() {
    for (id, text) in [
        ("place--frankfurt", "My server lives in Frankfurt"),
        ("person--klein", "My dentist is Dr. Klein"),
        ("person--paula", "My sister Paula lives in Ulm"),
        ("project--atlas", "Project Atlas is our lead project"),
        ("tool--docker", "The store is in Docker"),
    ] {
        assert_eq!(remember(&Workspace::new(), text).id, format!("entity:{id}"), "{text}");
    }
}

#[test]
fn letters_of_a_name_make_no_sentence_german() {
    for (id, text) in [
        ("person--jörg-müller", "Jörg Müller prefers tea"),
        ("person--zoë", "Zoë lives in Zürich"),
        ("person--mira", "Mira wohnt in Ulm"),
    ] {
        assert_eq!(remember(&Workspace::new(), text).id, format!("entity:{id}"), "{text}");
    }
}

#[test]
fn where_something_of_ours_is_is_said_of_that_and_not_of_the_place() {
    for (id, known, now) in [
        ("place--office", "The office is in Karlsruhe", "The office is in Bonn"),
        ("place--office", "Our office is in Karlsruhe", "Our office moved to Bonn"),
        ("place--büro", "Unser Büro ist in Karlsruhe", "Unser Büro ist jetzt in Bonn"),
    ] {
        let workspace = Workspace::new();
        assert_eq!(remember(&workspace, known).id, format!("entity:{id}"), "{known}");
        workspace.advance(jiff::SignedDuration::from_hours(48));
        assert_eq!(remember(&workspace, now).replaced.as_deref(), Some(known), "{now}");
        workspace.assert_well();
    }
    for (id, text) in [
        ("place--office", "Our office is on Main Street 5"),
        ("place--사무실", "우리 사무실은 판교에 있어"),
        ("place--办公室", "我们的办公室在北京"),
    ] {
        assert_eq!(remember(&Workspace::new(), text).id, format!("entity:{id}"), "{text}");
    }
}

#[test]
fn of_two_things_said_at_once_the_one_that_changed_ends_and_the_other_stays() {
    for (known, now, gone, left) in [
        (
            "Mira lives in Ulm and plays the cello",
            "Mira lives in Bonn",
            "Mira lives in Ulm",
            "Mira plays the cello",
        ),
        (
            "Mira wohnt in Ulm und spielt Cello",
            "Mira wohnt in Bonn",
            "Mira wohnt in Ulm",
            "Mira spielt Cello",
        ),
    ] {
        let workspace = Workspace::new();
        remember(&workspace, known);
        workspace.advance(jiff::SignedDuration::from_hours(48));
        let told = remember(&workspace, now);
        assert_eq!(told.replaced.as_deref(), Some(gone), "{now}: {told:?}");
        assert_eq!(facts(&workspace, "person--mira"), [left, now]);
        workspace.assert_well();
    }
}
