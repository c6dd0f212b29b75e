//! What a question asks for beside its words: who is named, which days, and what kind of memory answers it (M11.1).

use jiff::civil::Date;

use crate::analyzer::{QueryWord, fold};
use crate::describe::name_number;
use crate::period::{Period, period};
use crate::segment::{NO_DAY, Slot, Traits};
use crate::write::days;

/// What a passage gains that is about the days the question names.
const IN_PERIOD: f64 = 1.3;
/// What one gains that was written so many days after them: people tell of things later.
const SOON_AFTER: (f64, i32) = (1.15, 30);

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
const CUES: [(Strategy, &[&str]); 4] = [
    (
        Strategy::Latest,
        &["latest", "newest", "most recent", "neueste", "aktuelle stand", "최신", "최근", "最新", "最近"],
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
            "谁是",
            "是谁",
            "什么是",
            "誰",
        ],
    ),
];

impl Strategy {
    fn of(text: &str) -> Option<Self> {
        let folded = format!("{} ", fold(text.trim()));
        let is_cued = |cue: &&str| {
            // A word of Latin letters must begin as one.
            folded
                .match_indices(*cue)
                .any(|(at, _)| !cue.is_ascii() || !folded[..at].ends_with(char::is_alphanumeric))
        };
        CUES.iter().find(|(_, cues)| cues.iter().any(|cue| is_cued(cue))).map(|(strategy, _)| *strategy)
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
    fn favours(self) -> Option<(Traits, f64)> {
        match self {
            Self::When => Some((Traits::EVENT, 1.1)),
            Self::HowTo => Some((Traits::PROCEDURE, 1.3)),
            Self::About => Some((Traits::ENTITY, 1.25)),
            Self::Latest => None,
        }
    }
}

/// A question, understood as far as rules go.
pub(crate) struct Question {
    pub(crate) words: Vec<QueryWord>,
    names: Vec<u32>,
    /// How it was taken, where that changes the order.
    pub(crate) strategy: Option<Strategy>,
    /// The days it names, first and last.
    pub(crate) period: Option<Period>,
}

impl Question {
    /// `today` is the day on which it is asked; without it no days are understood.
    pub(crate) fn new(words: Vec<QueryWord>, text: &str, today: Option<Date>) -> Self {
        let names = words.iter().filter(|word| word.written.chars().next().is_some_and(char::is_uppercase));
        let names = names.map(|word| name_number(&word.written)).collect();
        let period = today.and_then(|today| period(text, today));
        Self { words, names, strategy: Strategy::of(text), period }
    }

    /// Whether the question names the speaker with this number.
    pub(crate) fn names_speaker(&self, speaker: u32) -> bool {
        speaker != 0 && self.names.contains(&speaker)
    }

    /// The factors, by name, that the question brings to a passage.
    pub(crate) fn factors(&self, slot: &Slot) -> Vec<(String, f64)> {
        let mut factors = Vec::new();
        if let Some(strategy) = self.strategy
            && let Some((traits, factor)) = strategy.favours()
            && slot.traits.has(traits)
        {
            factors.push((format!("question:{}", strategy.as_str()), factor));
        }
        if let Some((first, last)) = self.period
            && slot.day != NO_DAY
        {
            let (first, last) = (days(first), days(last));
            if (first..=last).contains(&slot.day) {
                factors.push(("period".to_owned(), IN_PERIOD));
            } else if (last..=last.saturating_add(SOON_AFTER.1)).contains(&slot.day) {
                factors.push(("soon after the period".to_owned(), SOON_AFTER.0));
            }
        }
        factors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            assert_eq!(Strategy::of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_passage_gains_by_its_kind_and_its_day() {
        let day = |text: &str| text.parse::<Date>().expect("a date");
        let question = Question::new(Vec::new(), "When did we meet in March 2025?", Some(day("2026-01-01")));
        let slot = |day| Slot { day, traits: Traits::EVENT, ..Slot::default() };
        let names =
            |slot: &Slot| question.factors(slot).into_iter().map(|factor| factor.0).collect::<Vec<_>>();
        assert_eq!(names(&slot(days(day("2025-03-31")))), ["question:when", "period"]);
        assert_eq!(names(&slot(days(day("2025-04-20")))), ["question:when", "soon after the period"]);
        assert_eq!(names(&slot(days(day("2025-06-20")))), ["question:when"]);
        assert_eq!(names(&Slot { day: NO_DAY, ..Slot::default() }), [""; 0]);
    }
}
