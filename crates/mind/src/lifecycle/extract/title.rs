//! The title of a conversation as the journal may say it.

use rem_format::transcript::{Role, Transcript, Turn};

use super::mark::Mark;
use super::outdated::Outdated;
use super::session::{Said, Session};
use super::{clean, context, handed, journal};

/// The title. One that is the beginning of the first message gives way to what holds, where it says what was taken back, denied or only
/// handed over to be worked on; to nothing where nothing holds.
pub(crate) fn standing_title(transcript: &Transcript) -> String {
    let title = transcript.title.as_str();
    let first = transcript.turns.iter().map(|located| &located.turn).find(|turn| turn.role == Role::User);
    let first = first.map(Turn::text).unwrap_or_default();
    let (message, begun) = (spaced(&first), spaced(title.trim_end_matches('…')));
    if !message.starts_with(&begun) {
        return title.to_owned();
    }
    let mut session = Session::read(transcript);
    context::add_marks(&mut session);
    let outdated = Outdated::of(&session);
    let is_unsaid = |said: &&Said| outdated.has(said) || said.has(Mark::Denied);
    let mut unsaid: Vec<String> = session.said().filter(is_unsaid).map(|said| spaced(&said.text)).collect();
    unsaid.extend(handed::pieces(&first).into_iter().map(spaced));
    let is_titled = |text: &String| !text.is_empty() && message.find(text).is_some_and(|at| at < begun.len());
    if !unsaid.iter().any(is_titled) {
        return title.to_owned();
    }
    let replacement = outdated.replacements.iter().copied().find(|said| journal::says_something(said));
    let holds = || session.said().find(|said| journal::says_something(said) && !outdated.has(said));
    replacement.or_else(holds).map(clean::note).unwrap_or_default()
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use rem_format::transcript::{TranscriptHeader, render_header};

    use super::*;

    #[test]
    fn a_title_says_nothing_that_does_not_hold() {
        for (title, message, told) in [
            (
                "We go with the blue kiln. The old one was 20…",
                "We go with the blue kiln. The old one was 20 years old. No wait, we take the red kiln.",
                "We take the red kiln",
            ),
            (
                "Wir fahren nach Ulm.…",
                "Wir fahren nach Ulm. Nein, doch lieber nach Bonn im Mai.",
                "Doch lieber nach Bonn im Mai",
            ),
            (
                "We go to Ulm. The hotel is…",
                "We go to Ulm. The hotel is booked.",
                "We go to Ulm. The hotel is…",
            ),
            ("The kiln", "We go with the blue kiln. No wait, we take the red kiln.", "The kiln"),
            (
                "Translate to German: We decided to…",
                "Translate to German: We decided to sell the boat.",
                "Translate to German",
            ),
            ("We sell the boat. That's not true.", "We sell the boat. That's not true.", ""),
        ] {
            let header = TranscriptHeader { session_id: "s".to_owned(), ..TranscriptHeader::default() };
            let heading = "## 09:00 — user";
            let page = format!("{}\n{heading}\n\n{message}\n", render_header(&header, title));
            let transcript = Transcript::parse(page.as_bytes()).unwrap();
            assert_eq!(standing_title(&transcript), told, "{title}");
        }
    }
}
