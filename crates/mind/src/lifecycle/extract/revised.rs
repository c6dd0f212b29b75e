//! Takes back what was just said: "actually, no, make that port 9090", "I changed my mind, we release on Thursdays".
//!
//! Looks at how a sentence begins. The marks `Replaces` and `Undoes` know what takes back in other words (`decisions`).

use std::sync::LazyLock;

use regex::Regex;

use super::mark::Mark;
use super::session::Said;

static REVISES: LazyLock<Regex> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
    Regex::new(concat!(
        r"^ ?(?:(?:oh|ok|okay|hm+|well|sorry|wait|ah|um|uh|hang on|hold on|ach|äh|moment|warte|halt|아|음|어|잠깐|잠깐만|哦|啊|嗯|等等|等一下|,|-|\.|!|…) ?)*",
        r"(?:actually ,? ?(?:no [,.!]|scratch|make (?:that|it)|let's not|wait)|no (?:, )?(?:wait|actually|scratch that|make (?:that|it)|sorry ,)|no [,.] (?:make (?:that|it)|let's|better)",
        r"|scratch that|strike that|correction [:,]|on second thoughts?|(?:i've |we've |i |we )?(?:just |have |had )*changed (?:my|our) minds?|(?:i|we) take (?:that|it) back|make that |forget what i (?:just )?said",
        r"|nein (?:, )?(?:doch|lieber|warte|moment|nimm|mach|nehmen|besser)|doch (?:lieber|nicht|besser)|(?:ich|wir) (?:hab|habe|haben|hab's|hab') ?(?:es |mir |uns |mich )*(?:anders überlegt|umentschieden)|anders überlegt|streich das|korrektur [:,]|ich nehme das zurück",
        r"|아니다|아니야 ?,|아니 ?,|마음이 바뀌|생각이 바뀌|(?:마음|생각)을? 바꿨|다시 생각해 ?보니|정정",
        r"|不对|不 ?,|不是 ?,|算了 ?,|我?改主意|我?改变主意|我反悔|更正|我?说错了|收回)",
        r"(?:了|어|어요|었어|었어요|할게|할게요|습니다)?[ ,.:!…-]*"
    ))
    .expect("a constant pattern")
});

/// Where in a sentence in plain form what is to hold begins, after words that take back what was said.
pub(super) fn after(plain: &str) -> Option<usize> {
    REVISES.find(plain).map(|found| found.end())
}

/// Whether a later sentence takes back this one. `is_next`: the user said nothing between.
pub(super) fn takes_back(said: &Said, later: &Said, is_next: bool) -> bool {
    !later.has_any(&[Mark::Asks, Mark::Supposes, Mark::Reports])
        && after(&later.plain).is_some()
        && (is_next || later.shares_a_word(said))
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
