//! What can be measured of a message, in any language: words and sentences are those of Unicode (UAX #29).
//!
//! Pure. Code blocks are no prose and are left out of everything but nothing else is.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

/// Something that is measured of each message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Words.
    Length,
    /// Words in the middle sentence.
    SentenceLength,
    /// The share of lines that are entries of a list.
    Lists,
    /// The share of sentences that ask.
    Questions,
    /// The share of sentences that exclaim.
    Exclamations,
    /// Whether it has an emoji, 1 or 0.
    Emoji,
    /// Whether it apologises, 1 or 0.
    Apologies,
    /// Whether it has headings, 1 or 0.
    Headings,
    /// Whether it has a table, 1 or 0.
    Tables,
}

impl Measure {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Length,
        Self::SentenceLength,
        Self::Lists,
        Self::Questions,
        Self::Exclamations,
        Self::Emoji,
        Self::Apologies,
        Self::Headings,
        Self::Tables,
    ];

    /// Its word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::SentenceLength => "sentence_length",
            Self::Lists => "lists",
            Self::Questions => "questions",
            Self::Exclamations => "exclamations",
            Self::Emoji => "emoji",
            Self::Apologies => "apologies",
            Self::Headings => "headings",
            Self::Tables => "tables",
        }
    }

    /// Whether its middle says something: of shares, which are mostly 0, the mean does.
    #[must_use]
    pub fn is_amount(self) -> bool {
        matches!(self, Self::Length | Self::SentenceLength)
    }

    /// What it is called where more or less of it is told.
    pub(super) fn told(self, is_more: bool) -> &'static str {
        match (self, is_more) {
            (Self::Length, true) => "messages are longer",
            (Self::Length, false) => "messages are shorter",
            (Self::SentenceLength, true) => "sentences are longer",
            (Self::SentenceLength, false) => "sentences are shorter",
            (Self::Lists, true) => "more lists",
            (Self::Lists, false) => "fewer lists",
            (Self::Questions, true) => "more questions",
            (Self::Questions, false) => "fewer questions",
            (Self::Exclamations, true) => "more exclamations",
            (Self::Exclamations, false) => "fewer exclamations",
            (Self::Emoji, true) => "more messages with emoji",
            (Self::Emoji, false) => "fewer messages with emoji",
            (Self::Apologies, true) => "more apologies",
            (Self::Apologies, false) => "fewer apologies",
            (Self::Headings, true) => "more messages with headings",
            (Self::Headings, false) => "fewer messages with headings",
            (Self::Tables, true) => "more messages with tables",
            (Self::Tables, false) => "fewer messages with tables",
        }
    }
}

/// Parts of words that apologise, in small letters.
const APOLOGIES: [&str; 14] = [
    "sorry",
    "apologi",
    "my mistake",
    "my bad",
    "forgive me",
    "entschuldig",
    "tut mir leid",
    "verzeih",
    "죄송",
    "미안",
    "抱歉",
    "对不起",
    "不好意思",
    "ごめん",
];

/// A message, measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Measured(pub(super) [f64; Measure::ALL.len()]);

impl Measured {
    /// What a measure gives.
    pub(super) fn get(&self, measure: Measure) -> f64 {
        self.0[measure as usize]
    }
}

/// Measures a message; nothing where it has no prose.
pub(super) fn measured(text: &str) -> Option<Measured> {
    let prose = without_code(text);
    let words = prose.unicode_words().count();
    if words == 0 {
        return None;
    }
    let lines: Vec<&str> = prose.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let sentences: Vec<&str> = lines
        .iter()
        .flat_map(|line| line.unicode_sentences())
        .map(str::trim)
        .filter(|sentence| sentence.unicode_words().next().is_some())
        .collect();
    let lengths: Vec<f64> =
        sentences.iter().map(|sentence| number(sentence.unicode_words().count())).collect();
    let lower = prose.to_lowercase();
    let ending = |signs: &[char]| {
        let ends = |sentence: &&&str| {
            let end =
                sentence.trim_end_matches(|each: char| !each.is_alphanumeric() && !signs.contains(&each));
            end.ends_with(signs)
        };
        share(sentences.iter().filter(ends).count(), sentences.len())
    };
    let flag = |is: bool| f64::from(u8::from(is));
    Some(Measured([
        number(words),
        super::statistic::median(&lengths).unwrap_or(0.0),
        share(lines.iter().filter(|line| is_list_entry(line)).count(), lines.len()),
        ending(&['?', '？', '؟']),
        ending(&['!', '！']),
        flag(prose.chars().any(is_emoji)),
        flag(APOLOGIES.iter().any(|word| lower.contains(word))),
        flag(lines.iter().any(|line| is_heading(line))),
        flag(
            lines
                .iter()
                .filter(|line| line.starts_with('|') && line.ends_with('|') && line.len() > 2)
                .count()
                > 1,
        ),
    ]))
}

#[allow(clippy::cast_precision_loss, reason = "a message has few words")]
fn number(count: usize) -> f64 {
    count as f64
}

fn share(count: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { number(count) / number(of) }
}

/// The text without its fenced code.
fn without_code(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) => {
                prose.push_str(line);
                prose.push('\n');
            }
            _ => {}
        }
    }
    prose
}

/// Whether a line is an entry of a list: `- `, `* `, `• `, `1. `, `1) `.
pub(super) fn is_list_entry(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.strip_prefix(['-', '*', '+', '•', '·', '‣', '–']);
    if rest.is_some_and(|rest| rest.starts_with([' ', '\t'])) {
        return true;
    }
    let rest = line.trim_start_matches(char::is_numeric);
    let digits = line.len() - rest.len();
    (1..=9).contains(&digits)
        && rest
            .strip_prefix(['.', ')', '、'])
            .is_some_and(|rest| rest.starts_with([' ', '\t']) || line.contains('、'))
}

/// Whether a line is a heading.
pub(super) fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

/// Whether a sign is a picture: the blocks of Unicode that hold emoji, without arrows and typographic signs.
pub(super) fn is_emoji(sign: char) -> bool {
    matches!(u32::from(sign), 0x1f300..=0x1faff | 0x1f1e6..=0x1f1ff | 0x2600..=0x26ff | 0x2705 | 0x270a..=0x270d | 0x2728 | 0x274c | 0x2753..=0x2757 | 0x2763..=0x2764 | 0x2b50 | 0x2b55)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_measured_in_any_language() {
        let of = |text: &str, measure| measured(text).expect("prose").get(measure);
        let text = "Sorry! Here it is:\n\n- one\n- two\n\n```\n- code\n!!! ???\n```\nIs that all? 🙂";
        assert_eq!(of(text, Measure::Lists), 0.5);
        assert_eq!((of(text, Measure::Emoji), of(text, Measure::Apologies)), (1.0, 1.0));
        assert_eq!(of(text, Measure::Questions), 0.2);
        assert_eq!(of(text, Measure::Exclamations), 0.2);
        assert_eq!(of(text, Measure::Length), 9.0);
        assert_eq!(of("죄송합니다. 다시 확인했습니다! 괜찮으세요?", Measure::Apologies), 1.0);
        assert_eq!(of("죄송합니다. 다시 확인했습니다! 괜찮으세요?", Measure::Length), 4.0);
        assert!(
            (of("죄송합니다. 다시 확인했습니다! 괜찮으세요?", Measure::Questions) - 1.0 / 3.0).abs() < 1e-9
        );
        assert_eq!(of("抱歉。现在可以吗？好！", Measure::Questions), 1.0 / 3.0);
        assert_eq!((of("# Titel\nText", Measure::Headings), of("#tag", Measure::Headings)), (1.0, 0.0));
        assert_eq!(
            (of("| a | b |\n|---|---|\n| c | d |", Measure::Tables), of("a | b", Measure::Tables)),
            (1.0, 0.0)
        );
        assert_eq!(measured("```\nonly code\n```"), None);
        assert_eq!(measured(" … "), None);
        for (line, is) in [
            ("1. a", true),
            ("2) b", true),
            ("一 c", false),
            ("3、一", true),
            ("-5 degrees", false),
            ("2026-03-01", false),
            ("* x", true),
        ] {
            assert_eq!(is_list_entry(line), is, "{line}");
        }
        assert!(!is_emoji('→') && !is_emoji('✓') && is_emoji('✅') && is_emoji('🇰'));
    }
}
