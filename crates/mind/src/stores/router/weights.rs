//! What signals speak for: the weights of every kind, for all languages alike; and the verdict, to which
//! `learned` has a say.
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
    // A birthday holds, whenever it was.
    (&[Origin, Past], &[PastTime, We, Decided], Keep(Kind::Fact), 20),
    (&[Origin, Date], &[PastTime, We], Keep(Kind::Fact), 40),
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

/// How many verdicts there are.
pub(super) const VERDICTS: usize = ORDER.len();
/// How much a tenth of the rules' sums counts beside what was learned; cross-validation chose it.
const RULES: f64 = 0.035;

/// What the signals of a sentence, and what was learned of others, come to.
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    /// How likely the verdict's store is, by its lead over the others: from 0 to 1.
    pub(super) likelihood: f64,
    /// The best kind, whether kept or not.
    pub(super) kind: Kind,
    /// How likely each verdict is, in the order of `ORDER`.
    pub(super) shares: [f64; VERDICTS],
}

/// What the rules give to each verdict, in the order of `ORDER`, in tenths.
pub(super) fn sums(signals: Signals) -> [i32; VERDICTS] {
    ORDER.map(|verdict| {
        let row_holds = |row: &&Row| {
            row.2 == verdict && signals.hold(Signals::of(row.0)) && !signals.touch(Signals::of(row.1))
        };
        ROWS.iter().filter(row_holds).map(|row| row.3).sum()
    })
}

/// The store that all its kinds together speak for most, and of these kinds the one that speaks for it most.
pub(super) fn judge(signals: Signals, opinions: &[f64; VERDICTS]) -> Ruling {
    let rules = sums(signals);
    let totals: Vec<f64> =
        rules.iter().zip(opinions).map(|(rule, opinion)| RULES * f64::from(*rule) + opinion).collect();
    let highest = totals.iter().copied().fold(f64::MIN, f64::max);
    let shares: Vec<(Verdict, f64)> =
        ORDER.into_iter().zip(totals.iter().map(|total| (total - highest).exp())).collect();
    let of_store = |store: Option<StoreKind>| {
        shares.iter().filter(|each| each.0.store() == store).map(|each| each.1).sum::<f64>()
    };
    // The first of equals: `max_by` would take the last.
    let best = |candidates: &mut dyn Iterator<Item = (Verdict, f64)>| {
        candidates.fold((ORDER[0], f64::MIN), |left, right| if right.1 > left.1 { right } else { left }).0
    };
    let store = best(&mut shares.iter().map(|each| (each.0, of_store(each.0.store())))).store();
    let verdict = best(&mut shares.iter().copied().filter(|each| each.0.store() == store));
    let kind = match best(
        &mut shares
            .iter()
            .copied()
            .filter(|each| each.0 != Drop && (store.is_none() || each.0.store() == store)),
    ) {
        Keep(kind) => kind,
        Drop => Kind::Fact,
    };
    let all = shares.iter().map(|each| each.1).sum::<f64>();
    let likelihood = of_store(store) / all;
    let mut each = [0.0; VERDICTS];
    each.iter_mut().zip(&shares).for_each(|(to, share)| *to = share.1 / all);
    Ruling { verdict, likelihood, kind, shares: each }
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
