//! How often a message that seems to correct something is understood, on labelled dialogues.
//!
//! `tune` was looked at while the rules were written; `held-out` was not. With `--nocapture` the counts are printed, and for `tune` what went wrong.
#![allow(clippy::print_stdout, reason = "the counts are printed for whoever asks")]

use rem_mind::identity::Verdict;
use rem_mind::transcripts::SessionStart;
use rem_testkit::Workspace;

use crate::support::agent;

const TUNE: &str = include_str!("../dialogues/tune.txt");
const HELD_OUT: &str = include_str!("../dialogues/held-out.txt");

/// What is stored, what the agent said, what the person says, and what that corrects.
#[derive(Debug, Default)]
struct Dialogue<'a> {
    stored: Vec<&'a str>,
    agent: Vec<&'a str>,
    person: &'a str,
    corrects: Option<(&'a str, &'a str)>,
}

fn dialogues(text: &str) -> Vec<Dialogue<'_>> {
    let blocks = text.split("\n\n").filter(|block| block.contains("person:"));
    let read = |block| {
        let of = |name: &str| -> Vec<&str> {
            let lines = str::lines(block).filter_map(|line| line.split_once(": "));
            lines.filter(|(key, _)| *key == name).map(|(_, value)| value.trim()).collect()
        };
        let one = |name| of(name).first().copied();
        Dialogue {
            stored: of("stored"),
            agent: of("agent"),
            person: one("person").unwrap_or_default(),
            corrects: one("wrong").zip(one("right")),
        }
    };
    blocks.map(read).collect()
}

/// What the memory takes the message to correct.
fn found(workspace: &Workspace, number: usize, dialogue: &Dialogue<'_>) -> Option<(String, String)> {
    let (memory, session) = (workspace.memory(), format!("s{number}"));
    let facts: String =
        dialogue.stored.iter().map(|text| format!("- {text} <!-- since:2026-01-10 -->\n")).collect();
    workspace.write("memory/reference/facts.md", "# Facts\n\n".to_owned() + &facts);
    memory.start_session(&SessionStart { session: session.clone(), ..SessionStart::default() }).unwrap();
    for said in &dialogue.agent {
        memory.capture(&session, &agent("2026-03-01T09:00:00Z", said)).unwrap();
    }
    let validation = memory.validate_recall(dialogue.person, Some(&session), true).unwrap();
    assert_eq!(validation.verdict == Verdict::Corrected, validation.wrong.is_some());
    validation.wrong.zip(validation.right)
}

/// The words of a text in small letters, or its signs where words are not set apart.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|each: char| !each.is_alphanumeric()).filter(|part| !part.is_empty());
    let is_han = |part: &str| part.chars().any(|each| matches!(u32::from(each), 0x4e00..=0x9fff));
    parts
        .flat_map(|part| match is_han(part) {
            true => part.chars().map(String::from).collect(),
            false => vec![part.to_lowercase()],
        })
        .collect()
}

/// Counts of the corrections that were found as labelled, of those that should not have been, and of those that were missed.
fn measured(text: &str, is_shown: bool) -> (usize, usize, usize, usize) {
    let all = dialogues(text);
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    let workspace = Workspace::new();
    for (number, dialogue) in all.iter().enumerate() {
        let found = found(&workspace, number, dialogue);
        let is_right = match (&found, &dialogue.corrects) {
            (Some((was, now)), Some((wanted_was, wanted_now))) => {
                let (was, now) = (words(was), words(now));
                // What is wrong may be the agent's sentence or the stored one; what is right may begin with "that".
                let is_within = |part: &[String], of: &[String]| part.iter().all(|word| of.contains(word));
                (is_within(&words(wanted_was), &was) || is_within(&was, &words(wanted_was)))
                    && (is_within(&words(wanted_now), &now) || is_within(&now, &words(wanted_now)))
            }
            _ => false,
        };
        right += usize::from(is_right);
        wrong += usize::from(found.is_some() && !is_right);
        missed += usize::from(dialogue.corrects.is_some() && !is_right);
        if is_shown && (is_right != dialogue.corrects.is_some() || found.is_some() && !is_right) {
            println!("{dialogue:?}\n  found {found:?}\n");
        }
    }
    (all.len(), right, wrong, missed)
}

#[test]
fn corrections_are_found_in_dialogues_and_hardly_ever_where_there_are_none() {
    for (name, text, is_shown, least) in
        [("tune", TUNE, true, (0.95, 0.85)), ("held-out", HELD_OUT, false, (0.85, 0.40))]
    {
        let (all, right, wrong, missed) = measured(text, is_shown);
        let number = |count: usize| f64::from(u32::try_from(count).unwrap());
        let share = |part: usize, whole: usize| number(part) / number(whole.max(1));
        let (precision, recall) = (share(right, right + wrong), share(right, right + missed));
        println!(
            "{name}: {all} dialogues, {right} right, {wrong} wrong, {missed} missed: precision {precision:.2}, recall {recall:.2}"
        );
        assert!(
            all >= 75 && precision >= least.0 && recall >= least.1,
            "{name}: {precision:.2}, {recall:.2}"
        );
    }
}
