//! Prints what the weights are learned from: each sentence of the labelled sessions with what it shows and which labels it meets.
//!
//! `crates/mind/model/README.md` says how it is run. Nothing of the sealed halves is read.

use serde_json::{Value, json};

use super::session::{Said, Session};
use super::{clean, context, decisions, evidence, is_outdated};

#[allow(dead_code, reason = "what is only measured is not learned from")]
#[path = "../../../tests/it/labelled.rs"]
mod labelled;

fn noted(said: &Said) -> String {
    let note = clean::note(said);
    match said.name.as_ref().filter(|_| said.has(super::Mark::Resolved)) {
        Some(name) => format!("{name}: {note}"),
        None => note,
    }
}

/// A sentence with what it shows.
fn shown(
    set: &str,
    session: &str,
    said: &Said,
    talk: &Session,
    met: &[Value],
    accepted: bool,
    at: (usize, usize),
) -> Value {
    let mut shown_evidence = serde_json::Map::new();
    evidence::of(talk, at, accepted, |name, value| {
        shown_evidence.insert(name.to_owned(), json!(value));
    });
    let from = if accepted { (at.0 + 1, usize::MAX) } else { at };
    json!({
        "set": set,
        "session": session,
        "language": said.language.code(),
        "turn": said.turn,
        "accepted": accepted,
        "note": noted(said),
        "evidence": shown_evidence,
        "outdated": [
            is_outdated(super::ExtractionKind::Decision, said, from, talk),
            is_outdated(super::ExtractionKind::Fact, said, from, talk),
        ],
        "met": met,
    })
}

#[expect(clippy::print_stdout, reason = "it is read by the script that learns")]
fn show(set: &str, session: &labelled::Labelled) {
    let mut talk = Session::read(&labelled::transcript_of(session));
    context::add_marks(&mut talk);
    let accepted = decisions::accepted(&talk);
    for (at, turn) in talk.turns.iter().enumerate() {
        for (place, said) in turn.sentences.iter().enumerate() {
            let accepted = accepted.contains(&(at, place));
            if !turn.is_user && !accepted {
                continue;
            }
            let lower = noted(said).to_lowercase();
            let met: Vec<Value> = session
                .memories
                .iter()
                .enumerate()
                .filter(|(_, label)| label.must.iter().all(|piece| lower.contains(&piece.to_lowercase())))
                .map(|(at, label)| json!([at, label.kind, label.required]))
                .collect();
            println!("{}", shown(set, &session.id, said, &talk, &met, accepted, (at, place)));
        }
    }
    for (at, label) in session.memories.iter().enumerate().filter(|each| each.1.required) {
        println!(
            "{}",
            json!({"set": set, "session": session.id, "required": at, "kind": label.kind, "must": label.must})
        );
    }
}

#[test]
#[ignore = "for the script that learns the weights"]
fn show_what_is_learned_from() {
    for set in ["tune", "tune-2", "tune-3", "tune-4", "tune-5"] {
        for session in labelled::sessions(set) {
            show(set, &session);
        }
    }
}
