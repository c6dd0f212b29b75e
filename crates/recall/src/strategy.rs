//! The kind of a question by its words: when, how-to, latest, about (M11.1). Pure.

use crate::analyzer::fold;
use crate::segment::Traits;

/// The kinds of question (M11.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// "When did we…": conversations, journals, episodes.
    When,
    /// "How do I…": procedures.
    HowTo,
    /// "What's the latest on…": newest first.
    Latest,
    /// "Who is X", "what do you know about X": entities, people, projects.
    About,
}

/// How each kind begins or what it holds, folded.
const CUES: [(Strategy, &[&str]); 5] = [
    (
        Strategy::Latest,
        &["latest", "newest", "most recent", "neueste", "neuste", "최신", "최근", "最新", "最近"],
    ),
    (
        Strategy::When,
        &[
            "when ",
            "what date",
            "what day",
            "which day",
            "how long ago",
            "wann ",
            "언제",
            "什么时候",
            "何时",
            "いつ",
        ],
    ),
    (
        Strategy::HowTo,
        &[
            "how do ",
            "how to ",
            "how can ",
            "how should ",
            "steps to ",
            "wie mache",
            "wie kann",
            "wie geht",
            "어떻게",
            "怎么",
            "如何",
            "どうやって",
        ],
    ),
    // What is so now: when and how it is done are asked by themselves.
    (
        Strategy::Latest,
        &[
            "current",
            "right now",
            "at the moment",
            "aktuell",
            "derzeit",
            "momentan",
            "zurzeit",
            "현재",
            "지금 ",
            "지금은",
            "지금의",
            "现在",
            "目前",
            "当前",
        ],
    ),
    (
        Strategy::About,
        &[
            "who is ",
            "who's ",
            "what is ",
            "what's ",
            "tell me about",
            "know about",
            "what about",
            "wer ist",
            "was ist",
            "누구",
            "누가 ",
            "谁是",
            "是谁",
            "什么是",
            "誰",
        ],
    ),
];

/// Verbs after "wie" that ask what somebody is or is called, and not how something is done.
const STATES: [&str; 12] =
    ["bin", "war", "heisse", "heissen", "sind", "waren", "hab", "habe", "haben", "hatte", "hatten", "alt"];

/// "Wie deploye ich …?": whoever asks is the one who does it.
fn asks_for_a_way(folded: &str) -> bool {
    let words: Vec<&str> = folded.split(|each: char| !each.is_alphanumeric()).collect();
    words.windows(3).any(|three| {
        three[0] == "wie" && matches!(three[2], "ich" | "wir" | "man") && !STATES.contains(&three[1])
    })
}

impl Strategy {
    pub(crate) fn of(text: &str) -> Option<Self> {
        let folded = format!("{} ", fold(text.trim()));
        let is_cued = |cue: &&str| -> bool {
            // A word of Latin letters must begin as one.
            folded
                .match_indices(*cue)
                .any(|(at, _)| !cue.is_ascii() || !folded[..at].ends_with(char::is_alphanumeric))
        };
        let cued = CUES.iter().find(|(_, cues)| cues.iter().any(is_cued)).map(|(strategy, _)| *strategy);
        cued.or_else(|| asks_for_a_way(&folded).then_some(Self::HowTo))
    }

    /// Whether a folded word of a question says of it that the latest is asked for, and nothing of what.
    pub(crate) fn is_cue_of_latest(word: &str) -> bool {
        let cues = CUES.iter().filter(|(strategy, _)| *strategy == Self::Latest);
        cues.flat_map(|(_, cues)| cues.iter()).map(|cue| cue.trim()).any(|cue| match cue.is_ascii() {
            true if cue.contains(' ') => cue.split(' ').any(|part| part == word),
            true => word.starts_with(cue),
            false => word == cue,
        })
    }

    /// Its name in answers.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::When => "when",
            Self::HowTo => "how-to",
            Self::Latest => "latest",
            Self::About => "about",
        }
    }

    /// The traits that it favours, and how much.
    pub(crate) fn favours(self) -> Option<(Traits, f64)> {
        match self {
            Self::When => Some((Traits::EVENT, 1.1)),
            Self::HowTo => Some((Traits::PROCEDURE, 1.3)),
            Self::About => Some((Traits::ENTITY, 1.25)),
            Self::Latest => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_the_latest_is_not_what_it_is_about() {
        for word in ["currently", "now", "aktuellen", "neuester", "최근", "目前"] {
            assert!(Strategy::is_cue_of_latest(word), "{word}");
        }
        for word in ["budget", "nowhere", "예산", "who"] {
            assert!(!Strategy::is_cue_of_latest(word), "{word}");
        }
    }

    #[test]
    fn the_kind_of_a_question_is_known_by_its_words() {
        for (text, expected) in [
            ("When did we move to Postgres?", Some(Strategy::When)),
            ("How do I deploy the site", Some(Strategy::HowTo)),
            ("What's the latest on Atlas?", Some(Strategy::Latest)),
            ("Who is Dana?", Some(Strategy::About)),
            ("what do you know about Atlas", Some(Strategy::About)),
            ("배포는 어떻게 하지", Some(Strategy::HowTo)),
            ("언제 배포했지", Some(Strategy::When)),
            ("数据库迁移是什么时候", Some(Strategy::When)),
            ("Wann war das Treffen?", Some(Strategy::When)),
            ("which database did we choose", None),
            ("show how to", Some(Strategy::HowTo)),
            ("Wie deploye ich die Website?", Some(Strategy::HowTo)),
            ("wie sichern wir die Datenbank", Some(Strategy::HowTo)),
            ("Wie heiße ich?", None),
            ("wie viele Katzen habe ich", None),
            ("What is the current Falcon budget?", Some(Strategy::Latest)),
            ("where do I work right now", Some(Strategy::Latest)),
            ("Wie hoch ist das Budget derzeit?", Some(Strategy::Latest)),
            ("Was ist der neueste Stand beim Falcon budget?", Some(Strategy::Latest)),
            ("지금 예산은 얼마지", Some(Strategy::Latest)),
            ("지금까지 몇 번 갔지", None),
            ("目前的预算是多少", Some(Strategy::Latest)),
            ("what currency do we use", None),
            ("How do I deploy the current branch?", Some(Strategy::HowTo)),
            ("When does the current lease end?", Some(Strategy::When)),
            ("누가 서버를 맡고 있지?", Some(Strategy::About)),
        ] {
            assert_eq!(Strategy::of(text), expected, "{text}");
        }
    }
}
