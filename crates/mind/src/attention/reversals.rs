//! Changes of mind: what was said later points the reader away from what was said before (thesis 2: correction beats accumulation).
//!
//! Found by the words people use for them ("switching from X to Y", "use Y instead of X", "Y, not X"), without a model. A passage
//! that was said earlier, names only the old thing and speaks of choosing it, or of what the change is about, gives way where the person
//! has settled the change in so many words and is not asked about before. Everywhere else it stays, and its label says where the
//! later word stands, as it does where the person settled a change of the thing that it names. The later word is brought along although
//! nothing recalled it: words that merely speak of a change, somebody else's or one that a page tells of, must not take a memory away, and
//! a question is no change of mind. This is about whole conversations that nobody has distilled yet; corrections that were logged have
//! their own file and win over everything.

use rem_recall::{Asking, Change, Replaced};

use super::compiled::Candidate;
use super::data::without_data;
use crate::memory::Memory;
use crate::wording::{is_han, is_hangul};

/// One change of mind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Replacement {
    old: Term,
    new: Term,
    path: String,
    line: usize,
    order: (String, usize),
    /// What the change is about: the words of its line, apart from the two things.
    about: Vec<String>,
    /// What it says the new thing is for; empty where it says nothing of that.
    purpose: Vec<String>,
    /// Whether the person says in so many words that it is so.
    is_settled: bool,
}

/// A thing as it was named, and in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    written: String,
    lower: String,
}

impl Term {
    fn new(written: &str) -> Self {
        Self { written: written.to_owned(), lower: written.to_lowercase() }
    }
}

impl Memory {
    /// What says of things that these candidates name that others took their place, though nothing recalled it.
    pub(super) fn changes_told<'c>(
        &self,
        asking: &Asking,
        candidates: impl IntoIterator<Item = &'c Candidate>,
    ) -> Vec<Candidate> {
        let index = self.present_index();
        let Some(index) = index.as_ref() else { return Vec::new() };
        let told = index.changes_of(candidates.into_iter().map(|candidate| candidate.text.as_str()), asking);
        let told = told.inspect_err(|error| tracing::warn!("changes of mind are not looked up: {error}"));
        let candidate = |change: Change| Candidate {
            day: change.date.clone(),
            date: change.date,
            is_untrusted: true,
            is_turn: change.is_turn,
            ..Candidate::new(
                change.path,
                (change.start_line, change.end_line),
                without_data(&change.text).into_owned(),
                "says what took the place of something recalled",
            )
        };
        told.unwrap_or_default().into_iter().map(candidate).collect()
    }
}

/// Puts each of the `told` that a label of the candidates, or of what was `taken` out of them, points to beside the best of those, where
/// it does not stand `elsewhere`.
pub(super) fn bring_along(
    candidates: &mut Vec<Candidate>,
    taken: &[Superseded],
    told: Vec<Candidate>,
    elsewhere: &[Candidate],
) {
    let holds = |change: &Candidate, later: &str| {
        let Some((path, line)) = later.rsplit_once(':') else { return false };
        let line = line.parse().unwrap_or(0);
        change.path == path && (change.start_line..=change.end_line).contains(&line)
    };
    for change in told {
        let is_it = |other: &Candidate| (&other.path, other.start_line) == (&change.path, change.start_line);
        if candidates.iter().chain(elsewhere).any(is_it) {
            continue;
        }
        let pointing = candidates.iter().chain(taken.iter().map(|taken| &taken.candidate));
        let pointing =
            pointing.filter(|candidate| candidate.later.as_ref().is_some_and(|later| holds(&change, later)));
        let Some(score) = pointing.map(|candidate| candidate.score.unwrap_or_default()).reduce(f64::max)
        else {
            continue;
        };
        let at = candidates.iter().position(|candidate| candidate.score.unwrap_or_default() < score);
        candidates.insert(at.unwrap_or(candidates.len()), Candidate { score: Some(score), ..change });
    }
}

/// The changes of mind in what was said.
pub(crate) fn changes_of_mind<'c>(evidence: impl IntoIterator<Item = &'c Candidate>) -> Vec<Replacement> {
    evidence.into_iter().flat_map(replacements).collect()
}

/// A candidate that was left out because something later took its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Superseded {
    pub(crate) candidate: Candidate,
    /// For the receipt: by what.
    pub(crate) why: String,
}

/// Takes out of `candidates` what was settled otherwise later, and lets the others that were changed say where. What the `message`
/// asks about before stays.
pub(crate) fn heed(
    candidates: &mut Vec<Candidate>,
    changes: &[Replacement],
    message: &str,
) -> Vec<Superseded> {
    let mut taken = Vec::new();
    if changes.is_empty() {
        return taken;
    }
    let message = message.to_lowercase();
    let asks_about_before = asks_about_before(&message);
    candidates.retain_mut(|candidate| {
        let (order, text) = (order(candidate), candidate.text.to_lowercase());
        let is_of = |change: &&Replacement| {
            let is_named = named_lines(&text, change).next().is_some();
            let is_changed = change.is_settled || gives_way(&text, change);
            order < change.order && is_named && is_changed && !names(&text, &change.new.lower)
        };
        // The last word counts.
        let later = changes.iter().filter(is_of).max_by(|one, other| one.order.cmp(&other.order));
        let Some(change) = later else { return true };
        let Replacement { old, new, path, line, .. } = change;
        candidate.later = Some(format!("{path}:{line}"));
        let is_settled = change.is_settled && gives_way(&text, change);
        let stays = !is_settled || asks_about_before || names(&message, &old.lower);
        if !stays {
            let why = format!("superseded: {} → {} by {path}:{line}", old.written, new.written);
            taken.push(Superseded { candidate: candidate.clone(), why });
        }
        stays
    });
    taken
}

/// The lines of a text, in lower case, that name what a change replaces.
fn named_lines<'t>(text: &'t str, change: &'t Replacement) -> impl Iterator<Item = &'t str> {
    text.lines().filter(|line| names(line, &change.old.lower))
}

/// Whether a text, in lower case, chooses what a change replaces, or speaks of it and of what the change is about.
fn gives_way(text: &str, change: &Replacement) -> bool {
    named_lines(text, change).any(|line| {
        let is_about = change.about.iter().any(|word| names(line, word));
        is_about || speaks_of_choice(line) && !is_for_something_else(line, change)
    })
}

/// Whether a message, in lower case, asks what was, or why or when it came to be.
fn asks_about_before(message: &str) -> bool {
    const WORDS: [&str; 24] = [
        "before",
        "originally",
        "first",
        "initially",
        "previously",
        "earlier",
        "once",
        "history",
        "why",
        "when",
        "did",
        "was",
        "were",
        "had",
        "warum",
        "wieso",
        "wann",
        "zuerst",
        "früher",
        "vorher",
        "ursprünglich",
        "hatten",
        "war",
        "anfangs",
    ];
    const PARTS: [&str; 12] =
        ["전에", "처음", "원래", "왜", "언제", "했었", "之前", "以前", "最初", "原来", "为什么", "什么时候"];
    WORDS.iter().any(|word| names(message, word)) || PARTS.iter().any(|part| message.contains(part))
}

/// Whether what stands before the two things of a line, in lower case, is a person's own word that it is so: in the first person, and
/// neither denied, doubted nor supposed.
fn is_settled(before: &str) -> bool {
    const OWN: [&str; 14] = [
        "we", "we're", "we've", "we'll", "i", "i'm", "i've", "i'll", "let's", "our", "wir", "ich", "lass",
        "unsere",
    ];
    const DOUBT: [&str; 42] = [
        "not",
        "never",
        "if",
        "whether",
        "should",
        "could",
        "would",
        "might",
        "may",
        "maybe",
        "perhaps",
        "thought",
        "thinking",
        "considered",
        "considering",
        "almost",
        "nearly",
        "against",
        "says",
        "said",
        "wrote",
        "when",
        "unless",
        "they",
        "he",
        "she",
        "their",
        "wish",
        "hope",
        "nicht",
        "nie",
        "wenn",
        "falls",
        "ob",
        "sollten",
        "könnten",
        "würden",
        "vielleicht",
        "überlegt",
        "fast",
        "sagt",
        "schreibt",
    ];
    // Chinese says it without spaces.
    let own = OWN.iter().any(|word| names(before, word)) || before.contains('我');
    const DOUBT_IN_CHINESE: [&str; 9] = ["不", "没", "如果", "要是", "也许", "可能", "想", "说", "是否"];
    let is_doubted = before.contains("n't")
        || DOUBT_IN_CHINESE.iter().any(|part| before.contains(part))
        || before.contains(['"', '“', '„', '>'])
        || DOUBT.iter().any(|word| names(before, word));
    own && !is_doubted
}

/// Whether the person says a line of a passage: turns begin with who says them, or stand under it.
fn is_by_person(text: &str, line: usize) -> bool {
    let said_by = text.lines().take(line + 1).filter_map(|line| {
        let heading = line.strip_prefix("## ").and_then(|heading| heading.rsplit('—').next()).map(str::trim);
        let inline = line.split_once(": ").map(|(speaker, _)| speaker);
        let speaker = heading.or(inline)?;
        ["user", "agent", "system", "tool"].contains(&speaker).then_some(speaker)
    });
    said_by.last() == Some("user")
}

/// Transcript paths sort by time, and lines within them too.
fn order(candidate: &Candidate) -> (String, usize) {
    (candidate.date.clone().unwrap_or_default() + &candidate.path, candidate.start_line)
}

fn replacements(candidate: &Candidate) -> Vec<Replacement> {
    let found = rem_recall::replacements(&candidate.text).into_iter();
    let line = |found: &Replaced<'_>| candidate.text.lines().nth(found.line).unwrap_or_default();
    // "not a" and "instead of the" replace nothing that could be named elsewhere.
    let found = found.filter(|found| {
        !line(found).contains(['?', '？'])
            && found.old.chars().count() >= if found.old.is_ascii() { 3 } else { 2 }
            && !found.old.eq_ignore_ascii_case(found.new)
            && !is_function_word(found.old)
            && (!found.needs_choice || speaks_of_choice(&line(found).to_lowercase()))
    });
    let settled = |found: &Replaced<'_>| {
        let line = line(found).to_lowercase();
        let starts = [found.old, found.new].map(|thing| line.find(&thing.to_lowercase()).unwrap_or(0));
        // Korean says it at the end.
        let is_korean = line.chars().any(is_hangul) && line.trim_end_matches(['.', '!', ' ']).ends_with('자');
        is_by_person(&candidate.text, found.line)
            && (is_korean || is_settled(&line[..starts[0].min(starts[1])]))
    };
    let replacement = |found: Replaced<'_>| Replacement {
        is_settled: settled(&found),
        old: Term::new(found.old),
        new: Term::new(found.new),
        path: candidate.path.clone(),
        line: candidate.start_line + found.line,
        order: order(candidate),
        about: about(line(&found), [found.old, found.new]),
        purpose: purpose(&line(&found).to_lowercase()),
    };
    found.map(replacement).collect()
}

/// Whether a line chooses the old thing for one purpose and the change the new one for another.
fn is_for_something_else(line: &str, change: &Replacement) -> bool {
    let purpose = purpose(line);
    !purpose.is_empty()
        && !change.purpose.is_empty()
        && !purpose.iter().any(|word| change.purpose.contains(word))
}

/// The words of a line, in lower case, that say what something is for.
fn purpose(line: &str) -> Vec<String> {
    // What stands after the first of these, or in Korean and Chinese around them.
    const AFTER: [&str; 5] = [" for ", " für ", " fürs ", "用于", "用来"];
    const BEFORE: [&str; 4] = ["에는 ", "용으로", "을 위해", "를 위해"];
    let after = AFTER.iter().find_map(|mark| Some(line.split_once(mark)?.1));
    let before = BEFORE.iter().find_map(|mark| Some(line.split_once(mark)?.0));
    let said = after.or(before).unwrap_or_default();
    let clause = said.split([',', '.', ';', '，', '。']).next().unwrap_or_default();
    about(clause, ["", ""])
}

/// The words of a line that say what it is about, in lower case, apart from `terms`.
fn about(line: &str, terms: [&str; 2]) -> Vec<String> {
    const SHORTEST: usize = 5;
    let terms = terms.map(str::to_lowercase);
    let line = line.to_lowercase();
    let words = line.split(|each: char| !each.is_alphanumeric() && each != '-' && each != '_');
    let says = |word: &&str| {
        let is_long = word.chars().count() >= SHORTEST || !word.is_ascii() && word.chars().count() >= 2;
        is_long && !terms.iter().any(|term| term.contains(word)) && !is_common(word)
    };
    words.filter(says).map(str::to_owned).collect()
}

/// Words that stand beside changes of any kind.
fn is_common(word: &str) -> bool {
    const WORDS: [&str; 28] = [
        "actually",
        "instead",
        "called",
        "named",
        "moving",
        "moved",
        "switching",
        "switched",
        "changing",
        "changed",
        "migrate",
        "migrating",
        "migrated",
        "replace",
        "replacing",
        "replaced",
        "about",
        "would",
        "should",
        "could",
        "today",
        "tomorrow",
        "heute",
        "statt",
        "anstatt",
        "anstelle",
        "대신",
        "대신에",
    ];
    WORDS.contains(&word)
}

/// Whether a line, in lower case, speaks of what is used or chosen, and not of what was had once.
fn speaks_of_choice(line: &str) -> bool {
    const WORDS: [&str; 18] = [
        "use",
        "uses",
        "using",
        "let's",
        "we'll",
        "i'll",
        "decided",
        "decide",
        "choose",
        "chose",
        "chosen",
        "picked",
        "prefer",
        "go with",
        "going with",
        "settled",
        "from now on",
        "stick",
    ];
    // Beginnings and endings stand in one word here.
    const PARTS: [&str; 15] = [
        "nutzen",
        "benutz",
        "verwend",
        "nehmen",
        "entschieden",
        "steigen",
        "stiegen",
        "wechsel",
        "ab jetzt",
        "쓰자",
        "쓰기로",
        "사용",
        "씁니다",
        "써요",
        "用",
    ];
    WORDS.iter().any(|word| names(line, word)) || PARTS.iter().any(|part| line.contains(part))
}

fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 24] = [
        "the", "this", "that", "just", "only", "what", "when", "there", "here", "now", "you", "your", "for",
        "from", "with", "and", "one", "mehr", "nicht", "ein", "eine", "das", "der", "die",
    ];
    WORDS.iter().any(|function_word| word.eq_ignore_ascii_case(function_word))
}

/// Whether a text names a term as a whole word, both in lower case. Korean particles may follow it, and Chinese stands without spaces.
fn names(text: &str, term: &str) -> bool {
    text.match_indices(term).any(|(at, _)| {
        let inside = |character: Option<char>| {
            character.is_some_and(|c| c.is_alphanumeric() && !is_hangul(c) && !is_han(c))
        };
        let after = &text[at + term.len()..];
        let joined = after.strip_prefix(['-', '_']).is_some_and(|rest| inside(rest.chars().next()));
        !inside(text[..at].chars().next_back()) && !inside(after.chars().next()) && !joined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(day: &str, text: &str) -> Candidate {
        Candidate {
            path: format!("raw/conversations/{}/0900-s-x.md", day.replace('-', "/")),
            start_line: 10,
            end_line: 12,
            text: text.to_owned(),
            why: String::new(),
            score: None,
            date: Some(day.to_owned()),
            day: None,
            memory: None,
            is_untrusted: true,
            is_urgent: false,
            later: None,
            is_turn: true,
        }
    }

    /// What neither gives way nor points to something later.
    fn left(texts: &[(&str, &str)]) -> Vec<String> {
        let all: Vec<Candidate> = texts.iter().map(|(day, text)| said(day, text)).collect();
        let mut candidates = all.clone();
        heed(&mut candidates, &changes_of_mind(&all), "and now?");
        candidates.retain(|candidate| candidate.later.is_none());
        candidates.into_iter().map(|candidate| candidate.text).collect()
    }

    #[test]
    fn an_earlier_choice_points_to_the_later_one() {
        for change in [
            "We're switching from SQLite to Postgres as our database.",
            "Let's replace SQLite with Postgres.",
            "We'll use Postgres instead of SQLite.",
            "Wir steigen um von SQLite auf Postgres.",
            "SQLite 대신 Postgres를 쓰자.",
        ] {
            let kept = left(&[
                ("2026-01-12", "We decided to use SQLite."),
                ("2026-01-29", change),
                ("2026-01-13", "Tea is at four."),
            ]);
            assert_eq!(kept, [change, "Tea is at four."], "{change}");
        }
    }

    #[test]
    fn what_was_had_once_takes_the_place_of_nothing() {
        for (before, once) in [
            (
                "Kim has a peanut allergy; avoid Thai food places.",
                "For lunch we had pizza instead of Thai food.",
            ),
            ("Kaffee verursacht bei Lena Herzrasen.", "Heute gab es Tee statt Kaffee."),
            ("Postgres runs billing.", "For the toy demo we used SQLite instead of Postgres."),
            ("Postgres runs billing.", "We'll use SQLite instead of Postgres for the toy demo."),
            ("커피를 마시면 잠이 안 와.", "오늘은 커피 대신 차를 마셨어."),
        ] {
            assert_eq!(left(&[("2026-01-12", before), ("2026-01-29", once)]).len(), 2, "{once}");
        }
        let about = [
            ("2026-01-12", "Our database is SQLite."),
            ("2026-01-29", "The database moves from SQLite to Postgres."),
        ];
        assert_eq!(left(&about).len(), 1);
    }

    #[test]
    fn a_question_changes_nothing_and_the_last_word_is_pointed_to() {
        let cache = ("2026-01-12", "We decided to use Redis as our cache.");
        let asked = ("2026-01-29", "Should we be switching from Redis to Memcached as our cache?");
        assert_eq!(left(&[cache, asked]).len(), 2);
        let said = [
            said(cache.0, cache.1),
            said("2026-01-29", "We switch from Redis to Memcached as our cache."),
            said("2026-02-03", "We switch from Redis to Valkey as our cache."),
        ];
        let mut first = said[..1].to_vec();
        // Nobody knows that the person says it.
        assert!(heed(&mut first, &changes_of_mind(&said), "our cache").is_empty());
        assert_eq!(first[0].later.as_deref(), Some("raw/conversations/2026/02/03/0900-s-x.md:10"));
    }

    #[test]
    fn only_what_the_person_settled_takes_the_place_and_not_from_questions_about_before() {
        let decided = said("2026-01-12", "user: We decided to use SQLite as our database.");
        let remaining = |change: &str, message: &str| {
            let all = [decided.clone(), said("2026-01-29", change)];
            let mut candidates = all.to_vec();
            heed(&mut candidates, &changes_of_mind(&all), message);
            candidates.len()
        };
        for settled in [
            "user: We're switching from SQLite to Postgres as our database.",
            "## 09:00 — user\n\nLet's use Postgres instead of SQLite for the database.",
            "user: Wir nutzen Postgres statt SQLite als Datenbank.",
            "user: SQLite 대신 Postgres를 쓰자.",
            "user: 我们从SQLite换成了Postgres，decided.",
        ] {
            assert_eq!(remaining(settled, "which database do we use?"), 1, "{settled}");
            assert_eq!(remaining(settled, "why did we take it in the first place?"), 2, "{settled}");
            assert_eq!(remaining(settled, "what about SQLite"), 2, "{settled}");
        }
        for open in [
            "agent: We're switching from SQLite to Postgres as our database.",
            "tool: we are switching from SQLite to Postgres as our database",
            "user: We are not switching from SQLite to Postgres as our database.",
            "user: We thought about switching from SQLite to Postgres as our database but stayed.",
            "user: My sister's team is switching from SQLite to Postgres as their database.",
            "user: If we are switching from SQLite to Postgres as our database, tell Ann.",
            "user: The article says: we switched from SQLite to Postgres as our database.",
            "user: Use Postgres instead of SQLite as our database? No way.",
            "user: Wenn wir von SQLite auf Postgres umsteigen, wird die Datenbank teuer.",
        ] {
            assert_eq!(remaining(open, "which database do we use?"), 2, "{open}");
        }
    }

    #[test]
    fn what_was_said_later_or_names_both_stays() {
        let kept = left(&[
            ("2026-01-12", "SQLite or Postgres, we will see."),
            ("2026-01-29", "We move from SQLite to Postgres."),
            ("2026-02-01", "SQLite is back for the tests."),
        ]);
        assert_eq!(kept.len(), 3);
    }

    #[test]
    fn names_that_share_a_beginning_are_told_apart() {
        let kept = left(&[
            ("2026-01-12", "Staging runs on harbor-stage-1."),
            ("2026-01-13", "The monitor watches harbor-stage-10."),
            ("2026-01-29", "Actually, the staging server is called harbor-stage-2, not harbor-stage-1."),
        ]);
        assert_eq!(kept.len(), 2);
        assert!(kept[0].contains("harbor-stage-10"));
    }
}
