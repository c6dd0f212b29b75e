//! What a question asks for, beside its words.

use jiff::civil::Date;

use crate::analyzer::QueryWord;
use crate::describe::name_number;
use crate::segment::Slot;

/// A question, understood as far as rules go.
pub(crate) struct Question {
    pub(crate) words: Vec<QueryWord>,
    names: Vec<u32>,
    /// How it was taken (M11.1), where that changes the order.
    pub(crate) strategy: Option<&'static str>,
    /// The days it names, first and last.
    pub(crate) period: Option<(Date, Date)>,
}

impl Question {
    pub(crate) fn new(words: Vec<QueryWord>, _text: &str, _today: Option<Date>) -> Self {
        let names = words.iter().filter(|word| word.written.chars().next().is_some_and(char::is_uppercase));
        let names = names.map(|word| name_number(&word.written)).collect();
        Self { words, names, strategy: None, period: None }
    }

    /// Whether the question names the speaker with this number.
    pub(crate) fn names_speaker(&self, speaker: u32) -> bool {
        speaker != 0 && self.names.contains(&speaker)
    }

    pub(crate) fn factors(&self, _slot: &Slot) -> Vec<(String, f64)> {
        Vec::new()
    }
}
