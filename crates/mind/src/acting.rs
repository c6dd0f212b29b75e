//! Who acts: the operator or their main agent, or an agent that has given its name (M12.3).
//!
//! Where no agent has given its name, what is asked for is a person's wish. An agent that has is recorded as itself, and what only a person
//! may decide is refused to it. Must not decide what needs a signature: the ledger does.

use rem_format::audit::{Actor, Approval};
use rem_ledger::Provenance;

use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// The name of the agent at work, where it has one of its own.
    pub(crate) fn named_agent(&self) -> Option<&str> {
        match self.options.agent.as_str() {
            "" | "main" => None,
            named => Some(named),
        }
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
}
