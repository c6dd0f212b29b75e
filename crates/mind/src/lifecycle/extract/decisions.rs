//! Decisions: what was settled by the user, or proposed by the agent and accepted by the user.
//!
//! Only the last state counts: what is taken back or replaced later in the conversation was never decided.

use std::sync::LazyLock;

use regex::Regex;

use super::ExtractionKind;
use super::extractor::{Extractor, Row};
use super::mark::Mark::{self, *};
use super::session::{Said, Session};
use super::wordings;
use crate::stores::router::Kind;
use crate::wording::{Language, Plain};

pub(super) const EXTRACTOR: Extractor = Extractor {
    kind: ExtractionKind::Decision,
    version: 4,
    never: &[Asks, Supposes, Hedges, Reports, Tells, Chore, Secret, Bare, Ifs],
    never_by_weight: &[Asks, Supposes, Hedges, Reports, Tells, Secret, Alternatives],
    talk: &[First],
    unless: &[Settles, Decides, Picks, Takes, Accepts, Undoes, Replaces, We, Must, Short],
    rows: &[
        Row::of(&[Settles], 85).but(&[Moment, Tiny]),
        Row::of(&[Picks, Echoes], 75).but(&[Refuses, Moment, Remarks, OneOff, Own]),
        Row::of(&[Takes, Mentions], 75).but(&[Tiny, Refuses, Moment, OneOff, Own, Remarks]),
        Row::of(&[Accepts, Echoes], 70).but(&[Refuses, Moment, OneOff, Own, Replies, Chore, Named, Tiny]),
        Row::of(&[Answers], 75).but(&[Refuses, Moment, OneOff, Own]),
        Row::of(&[], 75).any(&[We, First]).but(&[Moment, OneOff, Named, Kin]).kinds(&[Kind::Decision], 80),
    ],
};

/// With one of these, what is said as a decision is a rule or a request.
const NO_PLAIN_DECISION: [Mark; 8] = [Addressed, Must, Condition, Ordered, Steps, OneOff, Muses, Refuses];

/// Whether a decision is said so plainly that the weights, which saw few of them, need not be asked.
pub(super) fn is_plain(said: &Said) -> bool {
    let is_others = said.has_any(&[Kin, Pronoun]) && !said.has(We);
    said.has(Decides) && !is_others && !said.has_any(EXTRACTOR.never) && !said.has_any(&NO_PLAIN_DECISION)
}

/// What never is a yes.
const NO_YES: [Mark; 6] = [Asks, Refuses, Supposes, Reports, Hedges, Chore];
/// So many sentences at the beginning of a message may be the yes.
const SAYING_YES: usize = 2;
/// A yes with more words besides is one to something else.
const MOST_BESIDES: usize = 3;

/// What the agent proposed and the user accepted without saying it again: places of turns and sentences in the session.
pub(super) fn accepted(session: &Session) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (place, pair) in session.turns.windows(2).enumerate() {
        if pair[0].is_user || !pair[1].is_user {
            continue;
        }
        let Some(proposed) = proposal(&pair[0].sentences) else { continue };
        let is_question = pair[0].sentences.last().is_some_and(|last| last.has_any(&[Asks, Points]));
        if is_yes(&pair[1].sentences, &pair[0].sentences[proposed], is_question) {
            found.push((place, proposed));
        }
    }
    found
}

/// How what is proposed begins, with the words that only say that it is proposed.
static PROPOSING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:(?:so|well|then|ok|okay|also|dann|also|nun|그럼|그러면|那么?)[,\ ]\ *)*(?:
            (?:then\ )?(?:i|we)(?:'d|\ would|'ll|\ will)?\ (?:(?:also|rather|simply|probably|still|just|strongly|therefore)\ )*(?:propose|suggest|recommend|advise)
                (?:\ (?:that|we\ go\ with|to\ go\ with|going\ with|to))?\ +
          | my\ (?:proposal|suggestion|recommendation|pick|advice)\ (?:is|would\ be)(?:\ (?:that|to))?:?\ +
          | (?:proposal|suggestion|recommendation)\ *:\ *
          | (?:how|what)\ about\ +
          | (?:shall|should|could)\ we\ +
          | (?:i'd|i\ would)\ (?:(?:also|rather|simply|probably|still|just)\ )*(?:go\ (?:for|with)\ +)?
          | (?:we|you)\ (?:could|should|can|might)\ (?:(?:also|simply|just)\ )?(?:go\ (?:for|with)\ +)?
          | ich\ (?:schlage|würde|empfehle)(?:\ (?:also|daher|einfach|dir|ihnen|euch))?(?:\ vor(?:schlagen)?)?\ *[,:]\ *(?:dass\ (?:wir\ )?)?
          | ich\ (?:schlage|empfehle|würde)\ (?:(?:also|daher|einfach|dir|ihnen|euch)\ )?
          | mein\ (?:vorschlag|rat)\ (?:ist|wäre)(?:,\ dass)?:?\ +
          | vorschlag\ *:\ *
          | wie\ (?:wäre|wär's|wär)(?:\ es)?\ mit\ +
          | (?:제\ 제안은|제안\ *:|저는|제가)\ *
          | 我(?:的)?(?:建议|提议|推荐)(?:是|使用|采用|用)?[:：，]?\ *
          | 建议(?:使用|采用|用)?[:：，]?\ *
        )",
    )
    .ok()
});
/// How it ends, with the words that ask whether it is so.
static ASKING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)(?:
            ,?\ (?:ok|okay|agreed|right|shall\ we|what\ do\ you\ think|einverstanden|in\ ordnung|was\ meinst\ du)
          | (?P<verb>\ (?:vor|vorschlagen|empfehlen))
          | (?:을|를)\ *(?:제안|추천|권장)(?:합니다|해요|드립니다|한다|할게요|하고\ 싶습니다)
          | (?:은|는)?\ *어떨까요 | (?:이|가)?\ *어때요?
          | (?:怎么样|如何|好吗|可以吗|吧)
        )?[\ .?!。？！]*$",
    )
    .ok()
});

/// What was proposed, as something that is decided; as it was said where no words of proposing are known.
pub(super) fn settled(note: &str) -> String {
    let begin = PROPOSING.as_ref().and_then(|pattern| pattern.find(note)).map_or(0, |found| found.end());
    let rest = &note[begin..];
    let end = ASKING.as_ref().and_then(|pattern| pattern.captures(rest));
    // The end of a verb belongs to its beginning.
    let end = end.filter(|found| begin > 0 || found.name("verb").is_none());
    let end = end.and_then(|found| found.get(0)).map_or(rest.len(), |found| found.start());
    let settled = rest[..end].trim().trim_end_matches([',', '，']);
    // "모으는 게 어떨까요": what follows is gone, and the noun stays.
    let noun = settled.strip_suffix("는 게").map(|verb| format!("{verb}는 것"));
    let settled = noun.as_deref().unwrap_or(settled);
    match settled.chars().filter(|sign| sign.is_alphanumeric()).count() {
        0..SHORTEST => note.to_owned(),
        _ => super::clean::capitalised(settled),
    }
}

/// What was settled has so many letters at least.
const SHORTEST: usize = 2;

/// Whether the first thing that is said is a yes that does not say again what it is a yes to.
fn is_yes(sentences: &[Said], proposed: &Said, is_question: bool) -> bool {
    let beginning = &sentences[..sentences.len().min(SAYING_YES)];
    let Some(first) = beginning.first() else { return false };
    let is_yes = |said: &Said| {
        said.has_any(&[Accepts, Thus]) && !said.has_any(&NO_YES) && besides(said) <= MOST_BESIDES
    };
    let says_again = |said: &Said| {
        said.shares_a_word(proposed) && super::ORDER.iter().any(|extractor| extractor.takes(said).is_some())
    };
    let murmurs = first.has(Murmurs) && is_question && besides(first) == 0 && !first.has_any(&NO_YES);
    (beginning.iter().any(is_yes) || murmurs) && !first.has_any(&NO_YES) && !beginning.iter().any(says_again)
}

/// How many words a yes has besides.
fn besides(said: &Said) -> usize {
    let is_filler = |word: &&str| {
        !word.chars().any(char::is_alphanumeric) || wordings::is_filler(word, true, said.language)
    };
    match said.language {
        Language::English | Language::German => said
            .plain
            .split_ascii_whitespace()
            .filter(|word| !is_filler(word))
            .count()
            .saturating_sub(MOST_BESIDES),
        // Words are not set apart, or hold more than one.
        Language::Korean | Language::Chinese => {
            said.plain.chars().filter(|each| each.is_alphanumeric()).count() / 4
        }
    }
}

/// The sentence that proposes something; the one before where it only points at that.
fn proposal(sentences: &[Said]) -> Option<usize> {
    let last = sentences.len().checked_sub(1)?;
    let is_proposal = |at: &usize| {
        let said = &sentences[*at];
        said.has(Proposes) && !said.has_any(&[Offers, Points]) && (!said.has(Asks) || said.has(Suggests))
    };
    if sentences[last].has(Points) {
        return last.checked_sub(1);
    }
    if sentences[last].has(Offers) {
        return None;
    }
    (0..=last).rev().find(is_proposal)
}

/// Whether a later sentence takes a decision back. `between` is how many messages of the user lie between.
pub(super) fn is_taken_back(
    decided: &Said,
    later: &Said,
    before_later: Option<&Said>,
    between: usize,
) -> bool {
    if later.has_any(&[Asks, Supposes, Reports]) {
        return false;
    }
    let shares = later.shares_a_word(decided);
    let replaces = (later.has(Replaces) || before_later.is_some_and(|said| said.has(Replaces)))
        && later.has_any(&[Settles, Picks, Answers]);
    let shares_before = before_later.is_some_and(|said| said.shares_a_word(decided));
    later.has(Undoes) && shares
        || replaces && (shares || shares_before || between <= NEAR && !later.has(Undoes))
}

/// What is put in another's place without naming it comes soon after it.
const NEAR: usize = 1;

/// The reason that is given for a decision, as it was said: after a word like "because", else the clause after the decision where
/// that says something of its own ("we keep the sheets, a new roof costs too much").
pub(super) fn reason(said: &Said, note: &str) -> Option<String> {
    let plain = Plain::of(note);
    let given = wordings::reason(&plain.text, said.language).and_then(|place| written(note, &plain, place));
    given.or_else(|| clause(said, note))
}

/// A range of the plain form as it was written.
fn written(note: &str, plain: &Plain, place: std::ops::Range<usize>) -> Option<String> {
    let last = place.start + plain.text[place.clone()].trim_end().char_indices().next_back()?.0;
    let (start, last) = (plain.origin(place.start)?, plain.origin(last)?);
    let end = last + note[last..].chars().next()?.len_utf8();
    Some(note[start..end].to_owned())
}

/// What stands after a comma, where it states something and settles nothing.
fn clause(said: &Said, note: &str) -> Option<String> {
    let (at, comma) = note.char_indices().find(|each| matches!(each.1, ',' | '，' | ';' | '；'))?;
    let rest = note[at + comma.len_utf8()..].trim();
    let size = match said.language {
        Language::English | Language::German => rest.split_whitespace().count(),
        Language::Korean | Language::Chinese => rest.chars().count() / 2,
    };
    let marks = wordings::marks(&Plain::of(rest).text, said.language);
    let states = marks
        .iter()
        .any(|mark| matches!(mark, States | Incident | Trait | Place | Amount | Must | Kin | Kept));
    let is_more = marks.iter().any(|mark| matches!(mark, Settles | Asks | Proposes | Rule | Ordered));
    (size >= FEWEST_WORDS && states && !is_more).then(|| rest.to_owned())
}

/// A reason has no fewer words.
const FEWEST_WORDS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_proposed_reads_as_what_was_settled() {
        for (proposed, is) in [
            ("I propose PostgreSQL with one replica", "PostgreSQL with one replica"),
            (
                "I'd suggest we keep the last three releases on disk",
                "We keep the last three releases on disk",
            ),
            ("I recommend to go with SQLite", "SQLite"),
            ("I would just keep it in one file", "Keep it in one file"),
            ("My suggestion would be Tuesday at nine", "Tuesday at nine"),
            ("How about Loki for the logs?", "Loki for the logs"),
            ("Shall we go with Loki?", "Go with Loki"),
            ("We could use one replica, ok?", "Use one replica"),
            ("Ich schlage PostgreSQL mit einer Replik vor", "PostgreSQL mit einer Replik"),
            ("Ich schlage vor, dass wir Loki nehmen", "Loki nehmen"),
            ("Ich würde Loki empfehlen", "Loki"),
            ("Mein Vorschlag wäre Dienstag um neun", "Dienstag um neun"),
            ("Wie wäre es mit Loki?", "Loki"),
            ("PostgreSQL과 복제본 하나를 제안합니다", "PostgreSQL과 복제본 하나"),
            ("로그는 Loki로 모으는 게 어떨까요?", "로그는 Loki로 모으는 것"),
            ("我建议使用 PostgreSQL 加一个副本", "PostgreSQL 加一个副本"),
            ("日志用 Loki 怎么样？", "日志用 Loki"),
            ("The ledger stays in SQLite", "The ledger stays in SQLite"),
            ("Die Logs haben Vorrang und gehen vor", "Die Logs haben Vorrang und gehen vor"),
        ] {
            assert_eq!(settled(proposed), is, "{proposed}");
        }
    }
}
