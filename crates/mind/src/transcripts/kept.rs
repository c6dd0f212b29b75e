//! What is kept of a session that comes again, and what a turn of it says beyond that.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use rem_format::transcript::{Role, Transcript, Turn, TurnPart};

/// So far may the clocks of a host and of the hook that captured a person's words for it be apart.
const NEAR_MINUTES: i64 = 2;

/// What is kept of a session, and how far it was met again.
///
/// A transcript only grows, so every branch a session ever took stands in it, one after the other, and a turn that grew
/// stands in pieces. What comes in is one branch with whole turns: its turns are met in the same order, others lie between.
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
            if self.turns.get(self.next) == Some(&rest.turn) {
                self.next += 1;
                return Rest::Nothing;
            }
            let ahead = || {
                let of_minute = self.minutes.get(&rest.turn.time).into_iter().flatten().copied();
                of_minute.filter(|place| *place >= self.next)
            };
            if let Some(place) = ahead().find(|place| self.turns[*place] == rest.turn) {
                self.next = place + 1;
                return Rest::Nothing;
            }
            // A person's words that were captured as they were said carry the clock of the capture, not the host's.
            let near = self.near(&rest.turn);
            let is_it = |place: &&usize| self.turns[**place].body == rest.turn.body;
            if let Some(place) = near.iter().find(is_it).copied() {
                self.next = place + 1;
                return Rest::Nothing;
            }
            let piece = ahead().chain(near).find_map(|place| Some((place, rest.beyond(&self.turns[place])?)));
            let Some((place, smaller)) = piece else {
                return if is_whole { Rest::Whole(rest.turn) } else { Rest::Part(rest.turn) };
            };
            (self.next, rest, is_whole) = (place + 1, smaller, false);
        }
    }

    /// Where a person said something at about the time of this turn of a person, beyond what was met.
    fn near(&self, turn: &Turn) -> Vec<usize> {
        if turn.role != Role::User {
            return Vec::new();
        }
        let times = (-NEAR_MINUTES..=NEAR_MINUTES)
            .filter_map(|minutes| turn.time.checked_add(SignedDuration::from_mins(minutes)).ok());
        let places = times.filter_map(|time| self.minutes.get(&time)).flatten().copied();
        let mut places: Vec<usize> =
            places.filter(|place| *place >= self.next && self.turns[*place].role == Role::User).collect();
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
