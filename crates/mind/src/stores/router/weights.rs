//! What signals speak for: the weights of every kind, for all languages alike.
//!
//! A row adds its weight to its kind where a sentence shows all of the first signals and none of the second. The kind with
//! the highest sum wins; among equals the one that comes first in [`Verdict`] (a fact asks for less than a rule, so
//! it comes last). A sentence without any signal is a fact.

use super::signal::Signal::{self, *};
use super::signal::Signals;
use super::{Kind, StoreKind};

/// What a sentence turns out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Of this kind.
    Keep(Kind),
    /// Nothing that would be missed.
    Drop,
}
use Verdict::{Drop, Keep};

/// The verdicts in the order in which ties are broken.
const ORDER: [Verdict; 11] = [
    Keep(Kind::Pin),
    Keep(Kind::Rule),
    Keep(Kind::Howto),
    Keep(Kind::Decision),
    Keep(Kind::Event),
    Keep(Kind::Focus),
    Keep(Kind::Identity),
    Keep(Kind::Preference),
    Keep(Kind::Relation),
    Keep(Kind::Fact),
    Drop,
];

/// All of these, none of those, the verdict, its weight in tenths.
type Row = (&'static [Signal], &'static [Signal], Verdict, i32);

const ROWS: &[Row] = &[
    // Nothing.
    (&[Machine], &[], Drop, 120),
    (&[Question], &[Permanent], Drop, 110),
    (&[OneOff], &[Condition, Steps, Permanent, Triggered, Always], Drop, 70),
    (&[Chatter], &[Permanent], Drop, 25),
    (&[Chatter], &[Date, Clock, Decided, Tie, Identity, Steps, Recipe, Triggered], Drop, 15),
    (&[Chatter, Short], &[Triggered], Drop, 20),
    (&[Chatter, Addressed, Short], &[Triggered], Drop, 30),
    (&[Tiny], &[Triggered, Identity, Taste], Drop, 50),
    (&[WhatIf], &[Triggered, Permanent], Drop, 60),
    // Kept for good.
    (&[Permanent], &[], Keep(Kind::Pin), 150),
    (&[Vivid], &[], Keep(Kind::Pin), -140),
    (&[Vivid], &[], Keep(Kind::Event), 25),
    // Rules.
    (&[Addressed], &[], Keep(Kind::Rule), 15),
    (&[Manner, Addressed], &[], Keep(Kind::Rule), 25),
    (&[Always, Addressed], &[], Keep(Kind::Rule), 15),
    (&[Manner, Always], &[], Keep(Kind::Rule), 20),
    (&[Addressed, Short], &[First], Keep(Kind::Rule), 10),
    (&[Manner, Short], &[First, Stative, Tie, Past, Third], Keep(Kind::Rule), 20),
    (&[Always, Short], &[First, Stative, Past], Keep(Kind::Rule), 10),
    (&[Addressed, Condition], &[Steps], Keep(Kind::Rule), 10),
    (&[Manner, Addressed, Condition], &[Steps], Keep(Kind::Rule), 10),
    (&[Steps], &[], Keep(Kind::Rule), -15),
    // Preferences.
    (&[Taste], &[], Keep(Kind::Preference), 35),
    (&[Taste, First], &[], Keep(Kind::Preference), 15),
    (&[Habit], &[Addressed], Keep(Kind::Preference), 20),
    (&[Habit, First], &[], Keep(Kind::Preference), 25),
    (&[Habit, Taste], &[], Keep(Kind::Preference), 15),
    (&[Habit, Past], &[Decided], Keep(Kind::Preference), 35),
    (&[Habit, Past, First], &[], Keep(Kind::Preference), 15),
    // Who the user is.
    (&[Identity], &[], Keep(Kind::Identity), 40),
    (&[Health, First], &[], Keep(Kind::Identity), 20),
    (&[Health], &[Mine, Third, PastTime], Keep(Kind::Identity), 35),
    (
        &[First],
        &[Past, PastTime, FutureTime, Decided, Steps, Recipe, Third, Chatter, Appointment],
        Keep(Kind::Identity),
        35,
    ),
    // What takes the user up.
    (&[Absorbed], &[], Keep(Kind::Focus), 15),
    (&[Absorbed, Now], &[], Keep(Kind::Focus), 25),
    (&[Absorbed, First], &[], Keep(Kind::Focus), 15),
    (&[Absorbed, We], &[], Keep(Kind::Focus), 10),
    (&[Absorbed, Now, First], &[], Keep(Kind::Focus), 10),
    (&[Now, First], &[], Keep(Kind::Focus), 10),
    (&[Now, Mine], &[], Keep(Kind::Focus), 10),
    // What was settled.
    (&[Decided], &[], Keep(Kind::Decision), 40),
    (&[Chosen], &[], Keep(Kind::Decision), 10),
    (&[Decided, Chosen], &[], Keep(Kind::Decision), 10),
    (&[Decided, We], &[], Keep(Kind::Decision), 5),
    (&[Decided, PastTime], &[], Keep(Kind::Decision), 10),
    (&[Decided, Date], &[], Keep(Kind::Decision), 5),
    (&[Steps], &[PastTime], Keep(Kind::Decision), -20),
    // What happened or will happen.
    (&[Past], &[], Keep(Kind::Event), 25),
    (&[PastTime], &[], Keep(Kind::Event), 25),
    (&[Past, PastTime], &[], Keep(Kind::Event), 10),
    (&[Past, Date], &[], Keep(Kind::Event), 10),
    (&[Past, Clock], &[], Keep(Kind::Event), 15),
    (&[Past, First], &[], Keep(Kind::Event), 10),
    (&[Past, Short], &[], Keep(Kind::Event), 10),
    (&[FutureTime], &[], Keep(Kind::Event), 20),
    (&[FutureTime, Short], &[], Keep(Kind::Event), 5),
    (&[FutureTime, First], &[Absorbed], Keep(Kind::Event), 15),
    (&[Appointment], &[], Keep(Kind::Event), 10),
    (&[Appointment, FutureTime], &[], Keep(Kind::Event), 15),
    (&[Appointment, Clock], &[], Keep(Kind::Event), 10),
    (&[Appointment, Date], &[], Keep(Kind::Event), 25),
    (&[Clock, Date], &[], Keep(Kind::Event), 15),
    (&[Clock, FutureTime], &[], Keep(Kind::Event), 10),
    (&[Clock, PastTime], &[], Keep(Kind::Event), 10),
    // How it is done.
    (&[Recipe], &[], Keep(Kind::Howto), 30),
    (&[Handlings], &[First, Past, PastTime, FutureTime, Third, Tie], Keep(Kind::Howto), 10),
    (&[Recipe, Addressed], &[], Keep(Kind::Howto), 10),
    (&[Recipe, Condition], &[], Keep(Kind::Howto), 5),
    (&[Step], &[], Keep(Kind::Howto), 10),
    (&[Steps], &[], Keep(Kind::Howto), 15),
    (&[Handling], &[], Keep(Kind::Howto), 10),
    (&[Recipe, Handling], &[], Keep(Kind::Howto), 10),
    (&[Step, Handling], &[], Keep(Kind::Howto), 5),
    (&[Steps, Handling], &[], Keep(Kind::Howto), 10),
    (&[Handlings, Handling], &[], Keep(Kind::Howto), 15),
    (&[Handlings, Recipe], &[], Keep(Kind::Howto), 10),
    (&[Handlings, Condition], &[First, Past], Keep(Kind::Howto), 15),
    (&[Condition, Handling], &[], Keep(Kind::Howto), 10),
    (&[PastTime], &[Recipe], Keep(Kind::Howto), -10),
    (&[Past], &[Recipe], Keep(Kind::Howto), -20),
    // What is so.
    (&[], &[], Keep(Kind::Fact), 20),
    (&[Stative], &[], Keep(Kind::Fact), 10),
    (&[Origin], &[], Keep(Kind::Fact), 20),
    (&[Regular], &[First], Keep(Kind::Fact), 10),
    (&[Regular], &[], Keep(Kind::Event), -20),
    (&[Third], &[Past, FutureTime, PastTime], Keep(Kind::Fact), 10),
    (&[], &[], Keep(Kind::Relation), 10),
    (&[Tie], &[First], Keep(Kind::Relation), 30),
    (&[Tie, First], &[], Keep(Kind::Relation), 20),
    (&[Tie, Date], &[], Keep(Kind::Relation), -10),
    (&[Tie, PastTime], &[], Keep(Kind::Relation), -10),
    (&[Tie, FutureTime], &[], Keep(Kind::Relation), -10),
];

/// What the signals of a sentence come to.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    /// By how much (in tenths) the verdict leads the next one of another store.
    pub(super) lead: i32,
    /// The best kind, whether kept or not.
    pub(super) kind: Kind,
}

/// The verdict with the highest sum.
pub(super) fn judge(signals: Signals) -> Ruling {
    let sum = |verdict: Verdict| {
        let row_holds = |row: &&Row| {
            row.2 == verdict && signals.hold(Signals::of(row.0)) && !signals.touch(Signals::of(row.1))
        };
        ROWS.iter().filter(row_holds).map(|row| row.3).sum::<i32>()
    };
    let sums = ORDER.map(|verdict| (verdict, sum(verdict)));
    // The first of equals: `max_by_key` would take the last.
    let best = |left: (Verdict, i32), right: (Verdict, i32)| if right.1 > left.1 { right } else { left };
    let (verdict, highest) = sums.into_iter().fold(sums[0], best);
    let rival = sums.iter().filter(|each| each.0.store() != verdict.store()).map(|each| each.1).max();
    let kept = sums.into_iter().filter(|each| each.0 != Drop).fold(sums[0], best).0;
    let kind = match kept {
        Keep(kind) => kind,
        Drop => Kind::Fact,
    };
    Ruling { verdict, lead: highest - rival.unwrap_or(highest), kind }
}

impl Verdict {
    /// Where a sentence of this verdict is kept.
    pub(super) fn store(self) -> Option<StoreKind> {
        match self {
            Keep(kind) => Some(kind.store()),
            Drop => None,
        }
    }
}
