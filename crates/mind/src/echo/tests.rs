//! What is an echo, and above all what is none.

use proptest::prelude::*;

use super::*;

const GIVEN: &str = "<!-- core: MEMORY.md:1-9 -->\n## Critical Facts\n- Noor is allergic to walnuts <!-- id:k7f2qa | mentions:2 -->\n\
    - The boat is called Heron\n- The staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine\n\
    - We decided to use Postgres because the reports need window functions\n- Meeting notes for the harbor atlas project are kept in the blue folder\n\
    - Mira never takes the green tablets before breakfast every day of the week with a glass of water, says her doctor\n- 우리는 데이터베이스를 포스트그레스로 옮기기로 결정했다\n- 我们决定把数据库迁移到新的服务器上并每天备份两次\n";

fn given() -> GivenOut {
    [Shingles::of(GIVEN)].iter().collect()
}

#[test]
fn what_was_given_out_is_known_however_it_is_marked_up_wrapped_or_joined() {
    for echo in [
        "Noor is allergic to walnuts",
        "the boat is called HERON.",
        "We decided to use Postgres, because the reports need window functions!",
        "> We decided to use Postgres because\n> the reports need window functions",
        "Known facts:\n* Noor is allergic to walnuts\n* We decided to use Postgres because the reports need window functions\n",
        // Part of it, and a word that tells nothing is another.
        "is backed up every night at two by a timer on the harbor machine",
        "the staging server runs Postgres 16 and gets backed up every night at two by a timer on the harbor machine",
        "우리는 데이터베이스를 포스트그레스로 옮기기로 결정했다.",
        "我们决定把数据库迁移到新的服务器上，并每天备份两次。",
    ] {
        assert!(given().echoes(echo), "{echo}");
    }
}

#[test]
fn what_somebody_says_anew_is_none_though_it_shares_a_phrase() {
    for said in [
        "",
        "Heron",
        "allergic to walnuts",
        "Mira is allergic to walnuts",
        "The boat is called Kestrel",
        "We decided to use Postgres for the harbor atlas project",
        "The staging server runs Postgres 17 and is backed up every night at two by a timer on the harbor machine",
        "The staging server runs Postgres 16 and is not backed up every night at two by a timer on the harbor machine",
        "The staging server runs Postgres 16 and is backed up every night at two by a timer on the Kestrel machine",
        "We decided to use Postgres because the reports need window functions and the new auditors ask for them",
        "Noor is allergic to walnuts\nShe moved to Lyon last week",
        // A correction is one word, or one word less.
        "The staging server runs Postgres 16 and is backed up every night at two by a timer on the garden machine",
        "The staging server runs Postgres 16 and is backed up every morning at two by a timer on the harbor machine",
        "The staging server runs Postgres 16 and is backed up at two by a timer on the harbor machine",
        "Mira takes the green tablets before breakfast every day of the week with a glass of water, says her doctor",
        "우리는 데이터베이스를 오라클로 옮기기로 결정했다",
        "我们决定把数据库迁移到旧的服务器上并每天备份三次",
        "Known facts:",
        // What somebody wants of it is theirs.
        "It is false that the staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine",
        "Please cancel this: the staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine",
        "Forget that we decided to use Postgres because the reports need window functions",
        "Das stimmt nicht: The staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine",
        "This is wrong, delete it:\nNoor is allergic to walnuts",
        // What somebody asks about it, too.
        "Where did you get this from: the staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine",
        "Who told you? \"The staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine\"",
        "The staging server runs Postgres 16 and is backed up every night at two by a timer on the harbor machine, is that still right?",
        "Woher hast du das: We decided to use Postgres because the reports need window functions",
    ] {
        assert!(!given().echoes(said), "{said}");
    }
    assert!(!GivenOut::default().echoes("Noor is allergic to walnuts"));
}

#[test]
fn a_message_loses_the_context_that_a_host_put_into_it_and_keeps_its_words() {
    let question = "Can you tell me when the harbor machine was last restarted?";
    let without = |text: &str| given().without_echoes(text);
    assert_eq!(without(&format!("{GIVEN}\n{question}")).as_deref(), Some(question));
    assert_eq!(without(&format!("{question}\n\n{GIVEN}")).as_deref(), Some(question));
    assert_eq!(without(GIVEN).as_deref(), Some(""));
    let part: String = GIVEN.lines().skip(4).take(2).map(|line| format!("{line}\n")).collect();
    assert_eq!(
        without(&format!("Relevant memories:\n```\n{part}```\nthanks\n{question}")).as_deref(),
        Some(format!("thanks\n{question}").as_str())
    );
    for own in [
        question,
        // A line that a person may well type.
        "Noor is allergic to walnuts\nShould I tell the cook?",
        "The boat is called Heron, isn't it? And we decided to use Postgres?",
        "",
    ] {
        assert_eq!(without(own), None, "{own}");
    }
}

#[test]
fn a_reply_that_uses_a_memory_shares_its_shingles() {
    let memory = Shingles::of("We decided to use Postgres because the reports need window functions");
    let reply = Shingles::of(
        "As noted, we decided to use Postgres because the reports need window functions, so no.",
    );
    assert!(memory.contained_in(&reply) > 0.99);
    assert!(memory.contained_in(&Shingles::of("We use Postgres.")) < 0.01);
    assert!(Shingles::default().contained_in(&reply) < 0.01);
    assert_eq!(Shingles::from_hashes(memory.hashes().to_vec()), memory);
}

proptest! {
    #[test]
    fn every_line_that_was_given_out_is_an_echo(
        lines in prop::collection::vec("[a-zA-Z가-깋0-9]{1,7}( [a-zA-Z가-깋0-9,.]{1,7}){0,20}", 1..6), pick in 0..6_usize,
    ) {
        let text = lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
        let given: GivenOut = [Shingles::of(&text)].iter().collect();
        prop_assert!(given.echoes(&text), "{}", text);
        let line = &lines[pick % lines.len()];
        prop_assert!(given.echoes(line), "{}", line);
        prop_assert!(given.echoes(&line.to_uppercase()) || line.to_uppercase().to_lowercase() != line.to_lowercase());
    }

    #[test]
    fn words_that_were_never_given_out_are_none(
        given in "([a-m]{2,6} ){0,30}", said in "([n-z]{2,6} ){1,30}", around in "([n-z]{2,6} ){5,9}",
    ) {
        let known: GivenOut = [Shingles::of(&given)].iter().collect();
        prop_assert!(!known.echoes(&said));
        prop_assert_eq!(known.without_echoes(&said), None);
        // What is taken out is never somebody's own line.
        let message = format!("{around}\n{given}\n{around}");
        if let Some(kept) = known.without_echoes(&message) {
            prop_assert_eq!(kept.matches(around.trim()).count(), 2);
        }
    }

    #[test]
    fn no_text_is_too_odd(one in "(?s)\\PC{0,80}", other in "(?s)(\\PC|\n|<!--|-->){0,80}") {
        let given: GivenOut = [Shingles::of(&one)].iter().collect();
        let _ = given.echoes(&other);
        if let Some(kept) = given.without_echoes(&other) {
            prop_assert!(kept.len() <= other.len());
        }
    }
}
