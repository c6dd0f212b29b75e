//! Marks: what a sentence shows of whether, and as what, it is to be kept, whatever language it is in.
//!
//! A language's file (`wordings`) says which wording shows which mark; the router's signals give others. The extractors say what
//! the marks come to.

use crate::stores::router::signal::{Signal, Signals};

/// One trait of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    // What speaks against keeping it.
    /// A question, of whatever sort.
    Asks,
    /// What would be, but is not: "if we were a bank", "suppose".
    Supposes,
    /// A maybe, a wish, a thought for some day.
    Hedges,
    /// What somebody else says, writes or claims.
    Reports,
    /// What somebody else says that the user decided.
    Claimed,
    /// Denied, by itself or by what is said next: "it is not true that".
    Denied,
    /// Says of the sentence before that it is not so: "that's false".
    Denies,
    /// What happens in a film, a book, a game.
    Tells,
    /// A state of the moment, a plan for the next minutes: "I'm on the train".
    Moment,
    /// What the user thinks, wishes or plans of this talk alone: "I'm curious about", "I'll check that out".
    Muses,
    /// What the user has been doing lately: "I recently got", "I've been trying".
    News,
    /// One thing to do, now: "rename the file".
    Chore,
    /// Speaks of how the assistant is doing: "good catch".
    Remarks,
    /// Says a password.
    Secret,
    // What was settled.
    /// A choice in so many words: "let's go with", "from today".
    Settles,
    /// The same, so plainly that nothing else can be meant: "we decided to", "we changed the supplier: A instead of B".
    Decides,
    /// A choice where something was up for choice: "X then", "X it is".
    Picks,
    /// One of what was just spoken of, in so many words: "X then", "X it is".
    Takes,
    /// Under a condition: "if we win it, we'll hire".
    Ifs,
    /// Takes something back and names it: "scrap the", "no X then".
    Undoes,
    /// Puts something in the place of what was said before: "no wait, instead".
    Replaces,
    /// Puts right a slip: "I meant", "typo".
    Corrects,
    /// A yes to what was proposed.
    Accepts,
    /// Does as was said and does not say what: "let's do that".
    Thus,
    /// The same, and nothing besides.
    Bare,
    /// The agent suggests in a question: "how about".
    Suggests,
    /// A yes that may as well only be a filler: "ok".
    Murmurs,
    /// A no to what was proposed.
    Refuses,
    /// The agent proposes: "I'd suggest".
    Proposes,
    /// The agent offers to do a piece of work: "shall I".
    Offers,
    /// Only points at the sentence before: "shall we do that?".
    Points,
    /// The agent has noted it, or does as was said: "noted", "I'll keep that".
    Notes,
    /// A question between two things.
    Alternatives,
    // What the talk before makes of it.
    /// Answers a question between two things with one of them.
    Answers,
    /// Says a word of what the agent just proposed.
    Echoes,
    /// Says a word of what the agent said last.
    Mentions,
    /// Answers a question of the agent's.
    Replies,
    /// Its "she" is somebody who was named.
    Resolved,
    /// It begins with a "she" that is nobody who was named.
    Nobody,
    // What was learned.
    /// Learned, in so many words.
    Learned,
    /// Something went wrong, or very well.
    Incident,
    // How things are done.
    /// From now on; that is the rule; that's how we do it.
    Rule,
    /// Says of the sentence before that it is the rule.
    Rules,
    /// Always, never, must, has to.
    Must,
    /// Steps in order.
    Ordered,
    // Who somebody is.
    /// What somebody is to somebody, or does for a living.
    Role,
    /// What somebody likes, suffers from, cannot do.
    Trait,
    /// The same of the user: "I'm a nurse", "I work nights".
    Own,
    /// A relative, a friend, a pet: "my sister".
    Kin,
    /// "she", "he".
    Pronoun,
    /// A name of a person.
    Named,
    // What is so.
    /// Where something is.
    Place,
    /// Where a thing is kept.
    Kept,
    /// What something costs, how many there are.
    Amount,
    /// When something lasting is: "is on the 9th".
    Dated,
    /// What simply is so.
    States,
    /// A figure, a path, the name of a machine.
    Specific,
    // What the router says.
    /// A request to the assistant for once.
    OneOff,
    /// Small talk.
    Chatter,
    /// How the assistant should write or behave.
    Manner,
    /// Speaks to the assistant.
    Addressed,
    /// A condition.
    Condition,
    /// Always, never.
    Always,
    /// "I".
    First,
    /// "We".
    We,
    /// Likes, dislikes.
    Taste,
    /// Several verbs of handling.
    Handlings,
    /// A past tense.
    Past,
    /// A moment that is over.
    PastTime,
    /// A date.
    Date,
    /// A time of day.
    Clock,
    /// A moment to come.
    Coming,
    /// An appointment.
    Appointment,
    /// Again and again: "on Mondays".
    Regular,
    /// When something came to be.
    Origin,
    /// Words of order.
    Steps,
    /// A few words.
    Short,
    /// A word or two.
    Tiny,
}

/// Signals of the router that are marks as well.
const SIGNALS: [(Signal, Mark); 24] = [
    (Signal::Question, Mark::Asks),
    (Signal::WhatIf, Mark::Supposes),
    (Signal::Machine, Mark::Reports),
    (Signal::OneOff, Mark::OneOff),
    (Signal::Chatter, Mark::Chatter),
    (Signal::Manner, Mark::Manner),
    (Signal::Addressed, Mark::Addressed),
    (Signal::Condition, Mark::Condition),
    (Signal::Always, Mark::Always),
    (Signal::First, Mark::First),
    (Signal::We, Mark::We),
    (Signal::Taste, Mark::Taste),
    (Signal::Handlings, Mark::Handlings),
    (Signal::Past, Mark::Past),
    (Signal::PastTime, Mark::PastTime),
    (Signal::Date, Mark::Date),
    (Signal::Clock, Mark::Clock),
    (Signal::FutureTime, Mark::Coming),
    (Signal::Appointment, Mark::Appointment),
    (Signal::Steps, Mark::Steps),
    (Signal::Regular, Mark::Regular),
    (Signal::Origin, Mark::Origin),
    (Signal::Short, Mark::Short),
    (Signal::Tiny, Mark::Tiny),
];

/// The marks that the router's signals give.
pub(super) fn of_signals(signals: Signals) -> impl Iterator<Item = Mark> {
    SIGNALS.into_iter().filter(move |(signal, _)| signals.hold(Signals::of(&[*signal]))).map(|each| each.1)
}
