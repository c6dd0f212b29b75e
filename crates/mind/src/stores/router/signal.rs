//! Signals: what a sentence shows, whatever language it is in.
//!
//! A language's file says which wording shows which signal; `weights` says what the signals speak for. Nothing here knows
//! about stores.

/// One trait of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Signal {
    /// A question.
    Question,
    /// A request for one thing, now ("can you shorten that?").
    OneOff,
    /// Thanks, sighs, greetings, small talk.
    Chatter,
    /// What would be, but is not.
    WhatIf,
    /// A line of a log, a stack trace, code.
    Machine,
    /// Asks to be kept for good.
    Permanent,
    /// Says only that the user will not forget.
    Vivid,
    /// "always", "never", "each time".
    Always,
    /// How the assistant should write or behave.
    Manner,
    /// Speaks to the assistant: an imperative, "you".
    Addressed,
    /// "if", "when", "before".
    Condition,
    /// Likes, dislikes, eats, avoids.
    Taste,
    /// What the user does from now on, or as a habit.
    Habit,
    /// Who the user is: name, work, home, family, languages.
    Identity,
    /// What the user's body demands.
    Health,
    /// "right now", "these days", "this month".
    Now,
    /// What takes the user up: blocked, busy, training for.
    Absorbed,
    /// A choice, in so many words.
    Decided,
    /// A choice, by the way it is told ("instead of", "stays").
    Chosen,
    /// When something came to be: built, born, founded, since.
    Origin,
    /// A verb in a past tense, or the wording of an incident.
    Past,
    /// A moment that is over: "yesterday", "this morning".
    PastTime,
    /// A moment to come: "tomorrow", "next Thursday".
    FutureTime,
    /// A calendar date.
    Date,
    /// A time of day.
    Clock,
    /// An appointment, an announcement.
    Appointment,
    /// A word of order: "first", "then", "afterwards".
    Step,
    /// Two words of order or more.
    Steps,
    /// How something gets done, in so many words.
    Recipe,
    /// Verbs of handling: run, restart, press, soak.
    Handling,
    /// Several such verbs in a row.
    Handlings,
    /// What simply is so: "is", "has", "belongs to", opening hours, prices.
    Stative,
    /// A tie between two names.
    Tie,
    /// "I", "me": the sentence is about the user.
    First,
    /// "my": it is about something or somebody of the user's.
    Mine,
    /// What happens again and again: "every night", "on Fridays".
    Regular,
    /// Somebody else: relatives, "he", "she".
    Third,
    /// "we", "us", "our".
    We,
    /// A few words only.
    Short,
    /// A word or two.
    Tiny,
    /// Asks for being remembered.
    Triggered,
}

impl Signal {
    /// Every signal, in the order of their places in [`Signals`].
    pub(crate) const ALL: [Self; 41] = [
        Self::Question,
        Self::OneOff,
        Self::Chatter,
        Self::WhatIf,
        Self::Machine,
        Self::Permanent,
        Self::Vivid,
        Self::Always,
        Self::Manner,
        Self::Addressed,
        Self::Condition,
        Self::Taste,
        Self::Habit,
        Self::Identity,
        Self::Health,
        Self::Now,
        Self::Absorbed,
        Self::Decided,
        Self::Chosen,
        Self::Origin,
        Self::Past,
        Self::PastTime,
        Self::FutureTime,
        Self::Date,
        Self::Clock,
        Self::Appointment,
        Self::Step,
        Self::Steps,
        Self::Recipe,
        Self::Handling,
        Self::Handlings,
        Self::Stative,
        Self::Tie,
        Self::First,
        Self::Mine,
        Self::Regular,
        Self::Third,
        Self::We,
        Self::Short,
        Self::Tiny,
        Self::Triggered,
    ];
}

/// The signals of a sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Signals(u64);

impl Signals {
    pub(crate) const fn of(signals: &[Signal]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < signals.len() {
            bits |= 1 << signals[index] as u8;
            index += 1;
        }
        Self(bits)
    }

    pub(crate) fn add(&mut self, signal: Signal) {
        self.0 |= 1 << signal as u8;
    }

    /// Whether all of `others` are here.
    pub(crate) fn hold(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    /// Whether any of `others` is here.
    pub(crate) fn touch(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}
