//! Evidence: everything that a sentence, and the talk around it, shows of what it is, as names and values that weights can be learned for.
//!
//! A name is short: `m:Settles` (a mark), `b:` (of the sentence before), `a:` (of what was said last before this message), `n:` (of what
//! the agent answers), `t:fact` (a row
//! of that extractor holds), `s:rule` (how likely the router finds that), `q:` (signs in the text), `c:` (its place). The same in all
//! languages. What the evidence comes to is said in `weights`.

use std::fmt::Write as _;

use super::ORDER;
use super::mark::Mark;
use super::session::Session;
use crate::stores::router;

/// What a likelihood of next to nothing counts as; below it differences say nothing.
const LEAST_LIKELY: f64 = 0.01;
/// More words than this say no more.
const MOST_WORDS: usize = 12;
/// Written laughter.
const LAUGHS: [&str; 10] = ["haha", "lol", "lmao", "hihi", "hehe", "ㅋㅋ", "ㅎㅎ", "哈哈", "xd", "😂"];
/// Words and signs of money.
const MONEY: [&str; 10] = ["€", "$", "£", "euro", "quid", "pound", "원 ", "元", "块", "塊"];

/// The evidence of the sentence at a place, each name with its value. `is_accepted`: the agent said it and the user agreed.
pub(super) fn of(
    session: &Session,
    (at, place): (usize, usize),
    is_accepted: bool,
    mut show: impl FnMut(&str, f64),
) {
    let turn = &session.turns[at];
    let said = &turn.sentences[place];
    let mut name = String::with_capacity(32);
    let before = place.checked_sub(1).map(|before| &turn.sentences[before]);
    let last = at.checked_sub(1).and_then(|at| session.turns[at].sentences.last());
    let next = session.turns.get(at + 1).filter(|next| !next.is_user && turn.is_user);
    let answer = next.and_then(|next| next.sentences.first());
    for (prefix, other) in [("m:", Some(said)), ("b:", before), ("a:", last), ("n:", answer)] {
        let marks = other.map_or(&[][..], |other| &other.marks);
        for (_, mark) in marks.iter().enumerate().filter(|(count, mark)| !marks[..*count].contains(mark)) {
            name.clear();
            let _ = write!(name, "{prefix}{mark:?}");
            show(&name, 1.0);
        }
    }
    for extractor in ORDER.iter().filter(|extractor| extractor.takes(said).is_some()) {
        name.clear();
        name.push_str("t:");
        name.push_str(extractor.kind.as_str());
        show(&name, 1.0);
    }
    let judged = said.judgement.unwrap_or_else(|| router::judge(&said.text));
    for (verdict, share) in router::VERDICTS.iter().zip(judged.shares) {
        name.clear();
        name.push_str("s:");
        name.push_str(verdict);
        show(&name, (share + LEAST_LIKELY).ln() - LEAST_LIKELY.ln());
    }
    signs(&said.text, &mut show);
    let is_tale = session.tale_since.is_some_and(|since| since <= said.turn);
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let size = said.size().min(MOST_WORDS) as f64 / MOST_WORDS as f64;
    let places = [
        ("q:tale", is_tale),
        ("c:begins", said.turn == 0),
        ("c:first", before.is_none()),
        ("c:only", turn.sentences.len() == 1),
        ("c:accepted", is_accepted),
        ("c:flagged", said.flagged),
        ("c:echoed", answer.is_some_and(|answer| answer.shares_a_word(said))),
        ("c:unanswered", answer.is_none()),
    ];
    places.into_iter().filter(|each| each.1).for_each(|each| show(each.0, 1.0));
    show("c:size", size);
}

/// What its signs show.
fn signs(text: &str, show: &mut impl FnMut(&str, f64)) {
    let lower = text.to_lowercase() + " ";
    let is_led_in = text.trim_end().ends_with([':', '：']);
    let signs = [
        ("q:quote", text.contains(['"', '“', '„', '「', '『', '«', '‚'])),
        ("q:laugh", LAUGHS.iter().any(|laugh| lower.contains(laugh))),
        ("q:colon", is_led_in),
        ("q:incolon", !is_led_in && text.contains([':', '：'])),
        ("q:digit", text.contains(|sign: char| sign.is_ascii_digit())),
        ("q:money", MONEY.iter().any(|word| lower.contains(word))),
    ];
    signs.into_iter().filter(|each| each.1).for_each(|each| show(each.0, 1.0));
}

/// The turn in which a tale, a game or a joke is first told.
pub(super) fn tale_since(session: &Session) -> Option<usize> {
    session.said().filter(|said| said.has(Mark::Tells)).map(|said| said.turn).min()
}
