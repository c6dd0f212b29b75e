//! Takes back what was just said: "actually, no, make that port 9090", "I changed my mind, we release on Thursdays".
//!
//! Looks at how a sentence begins. What leaves out what it is about ("No, wrong: it runs at 03:00") is made whole from what it puts right,
//! which is then gone from the conversation: only what is right was said. The marks `Replaces` and `Undoes` know what takes back in other words (`decisions`).

use std::sync::LazyLock;

use regex::Regex;

use super::mark::Mark;
use super::session::{Said, Session};
use crate::identity;
use crate::patterns::constant;

/// So many sentences of the user's back a short correction may reach.
const REACH: usize = 6;
/// So many messages of the user's back a short correction may reach.
const MESSAGES: usize = 2;

static REVISES: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"^ ?(?:(?:oh|ok|okay|hm+|well|sorry|wait|ah|um|uh|hang on|hold on|ach|äh|moment|warte|halt|아|음|어|잠깐|잠깐만|哦|啊|嗯|等等|等一下|,|-|\.|!|…) ?)*",
        r"(?:actually ,? ?(?:no [,.!]|scratch|make (?:that|it)|let's not|wait)|no (?:, )?(?:wait|actually|scratch that|make (?:that|it)|sorry ,)|no [,.] (?:make (?:that|it)|let's|better)",
        r"|scratch that|strike that|correction [:,]|on second thoughts?|(?:i've |we've |i |we )?(?:just |have |had )*changed (?:my|our) minds?|(?:i|we) take (?:that|it) back|make that |forget what i (?:just )?said",
        r"|nein (?:, )?(?:doch|lieber|warte|moment|nimm|mach|nehmen|besser)|doch (?:lieber|nicht|besser)|(?:ich|wir) (?:hab|habe|haben|hab's|hab') ?(?:es |mir |uns |mich )*(?:anders überlegt|umentschieden)|anders überlegt|streich das|korrektur [:,]|ich nehme das zurück",
        r"|아니다|아니야 ?,|아니 ?,|마음이 바뀌|생각이 바뀌|(?:마음|생각)을? 바꿨|다시 생각해 ?보니|정정",
        r"|不对|不 ?,|不是 ?,|算了 ?,|我?改主意|我?改变主意|我反悔|更正|我?说错了|收回)",
        r"(?:了|어|어요|었어|었어요|할게|할게요|습니다)?[ ,.:!…-]*"
    ))
});

/// Begins by denying what was said.
static DENIES: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)^(?:(?:oh|ah|hm+|sorry|wait|ach|moment|아|哦)[, ]+)*(?:(?:no|nope|nein|actually|아니야?|아니요|아뇨)\s*[,，.:;–—]|不对|不是[,，])",
    )
});

/// Where in a sentence in plain form what is to hold begins, after words that take back what was said.
pub(super) fn after(plain: &str) -> Option<usize> {
    REVISES.find(plain).map(|found| found.end())
}

/// Makes short corrections of what the user said before whole, and takes away what they put right.
pub(super) fn put_right(session: &mut Session) {
    for at in 0..session.turns.len() {
        let mut place = 0;
        while session.turns[at].is_user && place < session.turns[at].sentences.len() {
            if let Some((wrong, right)) = completed(session, (at, place)) {
                let later = &session.turns[at].sentences[place];
                let flagged = later.flagged || session.turns[wrong.0].sentences[wrong.1].flagged;
                let mut right = Said { flagged, corrects: true, ..later.with_text(right) };
                right.judge();
                session.turns[at].sentences[place] = right;
                session.turns[wrong.0].sentences.remove(wrong.1);
                place -= usize::from(wrong.0 == at);
            }
            place += 1;
        }
    }
}

/// The sentence that a short correction puts right, and what is right instead. What the agent has just said may be what is meant as well
/// as what the user had: then nothing is.
fn completed(session: &Session, (at, place): (usize, usize)) -> Option<((usize, usize), String)> {
    let later = &session.turns[at].sentences[place];
    let text = later.text.as_str();
    if !later.corrects && after(&later.plain).is_none() && !DENIES.is_match(text) {
        return None;
    }
    let own = (0..=at).rev().filter(|turn| session.turns[*turn].is_user).take(MESSAGES + 1);
    let mut before = own.flat_map(|turn| {
        let end = if turn == at { place } else { session.turns[turn].sentences.len() };
        (0..end).rev().map(move |place| (turn, place))
    });
    let right_of = |said: &Said| identity::put_right(text, &said.text, later.corrects);
    let (wrong, right) = before
        .by_ref()
        .take(REACH)
        .find_map(|wrong| Some((wrong, right_of(&session.turns[wrong.0].sentences[wrong.1])?)))?;
    let said = &session.turns[wrong.0].sentences[wrong.1];
    let between =
        session.turns[wrong.0..at].iter().filter(|turn| !turn.is_user).flat_map(|turn| &turn.sentences);
    let is_other = |reply: &Said| right_of(reply).is_some() && !reply.shares_a_word(said);
    (!between.into_iter().any(is_other)).then_some((wrong, right))
}

/// Whether a later sentence takes back this one. `is_next`: the user said nothing between.
pub(super) fn takes_back(said: &Said, later: &Said, is_next: bool) -> bool {
    !later.has_any(&[Mark::Asks, Mark::Supposes, Mark::Reports])
        && match after(&later.plain) {
            Some(_) => is_next || later.shares_a_word(said),
            None => later.corrects && later.shares_a_word(said),
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::Plain;

    #[test]
    fn what_takes_back_is_told_from_what_goes_on() {
        for text in [
            "Actually, no, make that port 9090.",
            "No wait, we use 9090.",
            "I changed my mind, we release on Thursdays.",
            "On second thought, let's keep Monday.",
            "Moment, nein, nimm lieber 9090.",
            "Ich hab es mir anders überlegt, wir nehmen Donnerstag.",
            "아니다, 9090으로 하자.",
            "생각이 바뀌었어. 목요일로 하자.",
            "不对,改成9090。",
            "我改主意了,周四发布。",
        ] {
            assert!(after(&Plain::of(text).text).is_some(), "{text}");
        }
        for text in [
            "Actually, no problem with that.",
            "No, that's fine.",
            "We also decided to use tabs.",
            "Actually I like tea.",
            "Nein, das passt so.",
            "Make the port 9090 public.",
            "아니면 나중에 하자.",
            "不错,就这样。",
        ] {
            assert!(after(&Plain::of(text).text).is_none(), "{text}");
        }
    }
}
