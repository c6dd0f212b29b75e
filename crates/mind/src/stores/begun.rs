//! What happened that begins a tie of somebody: "Mira moved to Lyon" is an episode, and Mira lives in Lyon since.

use std::sync::Mutex;

use rem_format::entity::Entity;
use rem_ledger::ChangeSet;

use super::incoming::{Authority, Incoming, Written};
use super::reviving::is_out_of_use;
use super::router::{Routing, USER};
use crate::error::MemoryError;
use crate::memory::Memory;

/// Relations that what happened may begin, with what the statement then claims.
const BEGUN: [(&str, &str); 2] = [("lives-in", "residence"), ("works-at", "employer")];
/// What says in Korean that it is over; the stem alone is that of now.
const OVER: [&str; 3] = ["살았", "일했", "근무했"];

impl Memory {
    /// Whether a statement that is kept as what happened begins a tie of somebody named: where they live or work.
    pub(crate) fn begins_a_tie(
        &self,
        routing: &Routing,
        incoming: &Incoming<'_>,
    ) -> Result<bool, MemoryError> {
        let text = incoming.text;
        let claims = |what: &str| incoming.statement.subject().is_some_and(|about| about.contains(what));
        let joins = routing
            .relations
            .first()
            .is_some_and(|tie| tie.from != USER && tie.relation == "works-at" && text.contains(" joined "));
        let begins = routing.relations.first().is_some_and(|tie| {
            tie.from != USER && BEGUN.iter().any(|(relation, what)| tie.relation == *relation && claims(what))
        });
        if incoming.authority == Authority::Noticed
            || !begins && !joins
            || OVER.iter().any(|over| text.contains(over))
        {
            return Ok(false);
        }
        let Some((id, _)) = self.main_entity(self.kept_index().as_ref(), routing, incoming)? else {
            return Ok(false);
        };
        // Who joined something is known by that; of where strangers went nothing is kept but the episode.
        match self.ledger.read(&self.entity_file(&id)?)? {
            Some(bytes) => Ok(Entity::parse(&bytes).is_ok_and(|entity| !is_out_of_use(entity.page()))),
            None => Ok(joins),
        }
    }

    /// The change that tells in somebody's file what began, to be made before the rest of what happened.
    pub(crate) fn with_begun<'a>(
        &'a self,
        set: ChangeSet<'a>,
        routing: &Routing,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let (_, begun, _) = self.entity_set(routing, incoming, written)?;
        Ok(begun.and(set))
    }
}
