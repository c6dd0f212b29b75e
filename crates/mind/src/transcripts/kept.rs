//! What is kept of a session that comes again, and what a turn of it says beyond that.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};
use rem_format::transcript::{Role, Transcript, Turn, TurnPart};

/// So far may the clocks of a host and of the hook that captured a person's words for it be apart.
const NEAR_MINUTES: i64 = 2;

/// What is kept of a session, and how far it was met again.
///
/// A transcript only grows, so every branch a session ever took stands in it, one after the other, and a turn that grew
/// stands in pieces. What comes in is one branch with whole turns: its turns are met in the same order, others lie between.
/// A turn may also have been kept before its place, by a hook that did not know of what was said before it: a whole turn that
/// was passed over is met there, once.
#[derive(Default)]
pub(super) struct Kept {
    /// The turns of all parts, oldest first.
    pub(super) turns: Vec<Turn>,
    /// Where the turns of a minute stand.
    minutes: HashMap<Timestamp, Vec<usize>>,
    /// The last record that went into each closed part, and how many turns were kept by then.
    pub(super) leaves: HashMap<String, usize>,
    /// Turns before this one were met or passed over.
    pub(super) next: usize,
    /// Those that were met.
    met: HashSet<usize>,
}

/// What is not kept of a turn.
pub(super) enum Rest {
    Nothing,
    Part(Turn),
    Whole(Turn),
}

impl Kept {
    pub(super) fn take(&mut self, part: Transcript) {
        for turn in part.turns {
            self.minutes.entry(turn.turn.time).or_default().push(self.turns.len());
            self.turns.push(turn.turn);
        }
        if let Some(leaf) = part.header.source_leaf {
            self.leaves.insert(leaf, self.turns.len());
        }
    }

    pub(super) fn rest_of(&mut self, turn: Turn) -> Rest {
        let mut rest = Remainder { turn, waiting: 0 };
        let mut is_whole = true;
        loop {
            if rest.turn.body.is_empty() && !is_whole {
                return Rest::Nothing;
            }
            if let Some(place) = self.whole(&rest.turn) {
                self.meet(place);
                return Rest::Nothing;
            }
            let Some((place, smaller)) = self.piece(&rest) else {
                return if is_whole { Rest::Whole(rest.turn) } else { Rest::Part(rest.turn) };
            };
            self.meet(place);
            (rest, is_whole) = (smaller, false);
        }
    }

    /// Where the whole of a turn stands that was not met: the next one, one further on, one that was passed over.
    fn whole(&self, turn: &Turn) -> Option<usize> {
        if self.turns.get(self.next) == Some(turn) {
            return Some(self.next);
        }
        let is_ahead = |place: usize| place >= self.next;
        let is_behind = |place: usize| place < self.next && !self.met.contains(&place);
        let same = |place: &usize| self.turns[*place] == *turn;
        // A person's words that were captured as they were said carry the clock of the capture, not the host's.
        let said = |place: &usize| self.turns[*place].body == turn.body;
        self.of_minute(turn)
            .find(|place| is_ahead(*place) && same(place))
            .or_else(|| self.near(turn, is_ahead).into_iter().find(said))
            .or_else(|| self.of_minute(turn).find(|place| is_behind(*place) && same(place)))
            .or_else(|| self.near(turn, is_behind).into_iter().find(said))
    }

    /// Where a piece of a turn stands, and what it says beyond that.
    fn piece(&self, rest: &Remainder) -> Option<(usize, Remainder)> {
        let ahead = self.of_minute(&rest.turn).filter(|place| *place >= self.next);
        let near = self.near(&rest.turn, |place| place >= self.next);
        let behind = self.near(&rest.turn, |place| place < self.next && !self.met.contains(&place));
        let mut places = ahead.chain(near).chain(behind);
        places.find_map(|place| Some((place, rest.beyond(&self.turns[place])?)))
    }

    fn meet(&mut self, place: usize) {
        self.met.insert(place);
        self.next = self.next.max(place + 1);
    }

    /// Where the turns of the same minute stand.
    fn of_minute(&self, turn: &Turn) -> impl Iterator<Item = usize> + use<'_> {
        self.minutes.get(&turn.time).into_iter().flatten().copied()
    }

    /// Where a person said something at about the time of this turn of a person, of the places that count.
    fn near(&self, turn: &Turn, counts: impl Fn(usize) -> bool) -> Vec<usize> {
        if turn.role != Role::User {
            return Vec::new();
        }
        let times = (-NEAR_MINUTES..=NEAR_MINUTES)
            .filter_map(|minutes| turn.time.checked_add(SignedDuration::from_mins(minutes)).ok());
        let places = times.filter_map(|time| self.minutes.get(&time)).flatten().copied();
        let mut places: Vec<usize> =
            places.filter(|place| counts(*place) && self.turns[*place].role == Role::User).collect();
        places.sort_unstable();
        places
    }
}

/// A turn, or what is left of it.
struct Remainder {
    turn: Turn,
    /// So many parts at its beginning are calls that are kept without their results. Results come in any order.
    waiting: usize,
}

impl Remainder {
    /// What the turn says beyond `kept`, where it is the same turn grown longer: more parts, more text in the last one, the
    /// results of calls that had none. Such a call is said again, with its result.
    fn beyond(&self, kept: &Turn) -> Option<Remainder> {
        let turn = &self.turn;
        let is_near = match turn.role {
            Role::User => {
                turn.time.duration_since(kept.time).abs() <= SignedDuration::from_mins(NEAR_MINUTES)
            }
            _ => kept.time == turn.time,
        };
        if kept.role != turn.role || kept.kind != turn.kind || !is_near || kept.body.is_empty() {
            return None;
        }
        let mut place = 0;
        let mut body: Vec<TurnPart> = Vec::new();
        let mut tail = None;
        for (index, old) in kept.body.iter().enumerate() {
            let is_last = index + 1 == kept.body.len();
            loop {
                let new = turn.body.get(place)?;
                place += 1;
                match (old, new) {
                    (old, new) if old == new => break,
                    (TurnPart::Text(old), TurnPart::Text(new)) if is_last => {
                        let added = new.strip_prefix(old.as_str())?.strip_prefix("\n\n")?;
                        tail = Some(TurnPart::Text(added.to_owned()));
                        break;
                    }
                    (
                        TurnPart::Tool { name, summary, result },
                        TurnPart::Tool { name: new_name, summary: new_summary, .. },
                    ) if result.is_empty() && name == new_name && summary == new_summary => {
                        body.push(new.clone());
                        break;
                    }
                    // Another call's result came before this one's.
                    _ if place <= self.waiting => body.push(new.clone()),
                    _ => return None,
                }
            }
        }
        let waiting = body.len() + self.waiting.saturating_sub(place);
        body.extend(tail);
        body.extend_from_slice(&turn.body[place..]);
        Some(Remainder { turn: Turn { body, ..turn.clone() }, waiting })
    }
}
