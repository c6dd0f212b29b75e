//! Who acts: the operator or their main agent, or an agent that has given its name (M12.3).
//!
//! Where no agent has given its name, what is asked for is a person's wish. An agent that has is recorded as itself, and what only a person
//! may decide is refused to it. Must not decide what needs a signature: the ledger does.

use rem_format::audit::{Actor, Approval};
use rem_format::entity::FACTS;
use rem_format::page::{Item, Page};
use rem_ledger::{Provenance, Store};
use rem_recall::Addressees;

use crate::error::MemoryError;
use crate::lifecycle::keeping::is_correction;
use crate::memory::Memory;
use crate::stores::elsewhere::Place;
use crate::stores::incoming::undated;
use crate::stores::locate::{Named, fact_with_sign, item_with_id};
use crate::stores::statement::{Comparison, Statement};

impl Memory {
    /// The name of the agent at work, where it has one of its own.
    #[must_use]
    pub fn named_agent(&self) -> Option<&str> {
        Some(self.options.agent.as_str()).filter(|named| !named.is_empty())
    }

    /// Who does what a message asks for (M12.3): the trigger, or the agent where it has a name of its own.
    pub(crate) fn agent_or(&self, trigger: &str) -> Actor {
        Actor::Bot(self.named_agent().unwrap_or(trigger).to_owned())
    }

    /// The provenance of what somebody asked for by a command: a person's, or the named agent's, which approves of nothing.
    #[must_use]
    pub fn asked_for(&self, trigger: impl Into<String>) -> Provenance {
        match self.named_agent() {
            None => Provenance::new(Actor::Manual, Approval::Approved, trigger),
            Some(named) => Provenance::new(Actor::Bot(named.to_owned()), Approval::Auto, trigger),
        }
    }

    /// Refuses an agent that has given its name what only a person may do.
    ///
    /// # Errors
    /// [`MemoryError::Refused`].
    pub fn only_a_person(&self, what: &str) -> Result<(), MemoryError> {
        match self.named_agent() {
            None => Ok(()),
            Some(named) => Err(MemoryError::Refused {
                message: format!("{named} is an agent, and {what} is for a person to do"),
                hint: "tell your user what you would change, and let them run the command themselves"
                    .to_owned(),
            }),
        }
    }

    /// As [`Self::only_a_person`]; where an operator's key is in force, a process that could not ask its operator is no person either.
    ///
    /// # Errors
    /// [`MemoryError::Refused`].
    pub(crate) fn only_the_operator(&self, what: &str) -> Result<(), MemoryError> {
        self.only_a_person(what)?;
        match self.ledger.is_closed(self.path(Store::Soul)) {
            false => Ok(()),
            true => Err(MemoryError::Refused {
                message: format!("an operator's key is in force, and {what} is for the operator alone"),
                hint: "run the command yourself at a terminal".to_owned(),
            }),
        }
    }

    /// Refuses a named agent a statement that takes the place of what the operator corrected or pinned.
    pub(crate) fn may_say_otherwise(&self, text: &str, addressees: &Addressees) -> Result<(), MemoryError> {
        if self.named_agent().is_none() {
            return Ok(());
        }
        self.operators_word_against(text, addressees)?.map_or(Ok(()), |item| Err(not_an_agents(&item)))
    }

    /// What the operator corrected or pinned that a statement would take the place of.
    pub(crate) fn operators_word_against(
        &self,
        text: &str,
        addressees: &Addressees,
    ) -> Result<Option<Item>, MemoryError> {
        let statement = Statement::new(text);
        for place in self.places_about(text)? {
            let is_vault = self.ledger.layout().store_of(place.path()) == Some(Store::Vault);
            let is_pinned =
                is_vault || matches!(place, Place::Entity(..)) && self.is_pinned_as_a_whole(&place)?;
            let items = self.items_of_place(&place)?;
            let contradicted = items.into_iter().find(|item| {
                item.ended().is_none()
                    && (is_pinned || is_the_operators(item))
                    && Addressees::of_annotation(&item.annotation) == *addressees
                    && statement.compared_to(&Statement::new(undated(item.plain()))) == Comparison::Replaces
            });
            if contradicted.is_some() {
                return Ok(contradicted);
            }
        }
        Ok(None)
    }

    fn is_pinned_as_a_whole(&self, place: &Place) -> Result<bool, MemoryError> {
        let bytes = self.ledger.read(place.path())?.unwrap_or_default();
        Ok(Page::parse(&bytes).is_ok_and(|page| page.is_pinned()))
    }

    /// Refuses a named agent to take out, or to let fade, what somebody pinned or the operator corrected.
    pub(crate) fn may_let_go(&self, id: &str, named: &Named) -> Result<(), MemoryError> {
        if self.named_agent().is_none() {
            return Ok(());
        }
        let bytes = self.ledger.read(named.path())?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(()) };
        let is_whole = page.is_pinned();
        let is_kept = match named {
            Named::File(_) => is_whole || page.items_in(FACTS).any(|(_, item)| is_the_operators(item)),
            Named::Item(path, short) => {
                let is_vault = self.ledger.layout().store_of(path) == Some(Store::Vault);
                is_vault || item_with_id(&page, short).is_some_and(|(_, item)| is_the_operators(item))
            }
            Named::Fact(_, sign) => {
                is_whole || fact_with_sign(&page, sign).is_some_and(|(_, item)| is_the_operators(item))
            }
            Named::Episode(..) | Named::Lines(..) => false,
        };
        match is_kept {
            false => Ok(()),
            true => self.only_a_person(&format!("letting go of {id}, which is pinned or was corrected,")),
        }
    }
}

/// Whether an item is what the operator corrected or somebody pinned: no agent's to change.
pub(crate) fn is_the_operators(item: &Item) -> bool {
    is_correction(&item.text, &item.annotation) || item.annotation.is_yes("pinned")
}

/// What an agent is told that would change it all the same.
pub(crate) fn not_an_agents(item: &Item) -> MemoryError {
    MemoryError::Refused {
        message: format!("“{}” is the operator's own word, and no agent's to correct", item.plain()),
        hint: "ask your user; `rem corrections add` is theirs to run".to_owned(),
    }
}
