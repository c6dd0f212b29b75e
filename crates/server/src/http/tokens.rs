//! Tokens: who may ask a server, and in whose name.
//!
//! A token is shown once, when it is made; what is kept is its hash. Each belongs to an agent and carries its role, so that what a client
//! writes has its actor, and a sub-agent's token changes nothing.

use jiff::Timestamp;
use rem_mind::Memory;
use rem_mind::ledger::{AgentRole, Ledger};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::workspace::Caller;

/// In the private folder; deleted, a new token is made at the next start.
const FILE: &str = "tokens.json";
const LOCK: &str = "tokens.lock";
/// Before the digits, so that a token is known as one wherever it turns up.
const PREFIX: &str = "rem_";

/// A token as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The agent it belongs to.
    pub agent: String,
    /// Whether it is a sub-agent's, which may ask and change nothing.
    pub sub: bool,
    /// When it was made, in RFC 3339.
    pub made: String,
    /// The BLAKE3 hash of the token, in hexadecimal.
    hash: String,
}

/// A token that was just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewToken {
    /// The agent it belongs to.
    pub agent: String,
    /// Whether it is a sub-agent's.
    pub sub: bool,
    /// The token itself; it cannot be shown again.
    pub token: String,
}

/// The tokens of a workspace.
#[derive(Debug)]
pub struct Tokens<'a> {
    ledger: &'a Ledger,
    now: Timestamp,
}

impl<'a> Tokens<'a> {
    /// The tokens of this workspace.
    #[must_use]
    pub fn of(memory: &'a Memory) -> Self {
        Self { ledger: memory.ledger(), now: memory.now() }
    }

    /// All of them, in the order they were made.
    #[must_use]
    pub fn list(&self) -> Vec<Token> {
        let bytes = self.ledger.read_private(FILE).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Makes one for an agent out of bytes that nobody can guess. One agent may have several.
    ///
    /// # Errors
    /// [`Failure`] for a name that is none, for a sub-agent, and where it cannot be kept.
    pub fn add(&self, agent: &str, role: AgentRole, random: [u8; 32]) -> Result<NewToken, Failure> {
        self.ledger.may_change()?;
        let is_name = |name: &str| {
            !name.is_empty()
                && name.len() <= 64
                && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        };
        if !is_name(agent) {
            return Err(Failure::new(
                format!("{agent:?} is no name for an agent"),
                "use letters, digits, `-`, `_` and `.`, at most 64",
            ));
        }
        let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let token = format!("{PREFIX}{digits}");
        let _guard = self.ledger.lock_private(LOCK)?;
        let mut tokens = self.list();
        tokens.push(Token {
            agent: agent.to_owned(),
            sub: role == AgentRole::Sub,
            made: self.now.to_string(),
            hash: blake3::hash(token.as_bytes()).to_hex().to_string(),
        });
        self.keep(&tokens)?;
        Ok(NewToken { agent: agent.to_owned(), sub: role == AgentRole::Sub, token })
    }

    /// Takes all tokens of an agent away; gives how many they were. A running server refuses them from then on.
    ///
    /// # Errors
    /// [`Failure`] for a sub-agent, where the agent has none, and where it cannot be kept.
    pub fn remove(&self, agent: &str) -> Result<usize, Failure> {
        self.ledger.may_change()?;
        let _guard = self.ledger.lock_private(LOCK)?;
        let before = self.list();
        let tokens: Vec<Token> = before.iter().filter(|token| token.agent != agent).cloned().collect();
        let removed = before.len() - tokens.len();
        if removed == 0 {
            return Err(Failure::new(
                format!("{agent:?} has no token"),
                "`rem serve token list` names the agents that have one",
            ));
        }
        self.keep(&tokens)?;
        Ok(removed)
    }

    fn keep(&self, tokens: &[Token]) -> Result<(), Failure> {
        Ok(self.ledger.write_private(FILE, &serde_json::to_vec_pretty(tokens)?)?)
    }
}

/// Whose token this is. Hashes are compared, in constant time.
pub(super) fn owner_of(tokens: &[Token], token: &str) -> Option<Caller> {
    let hash = blake3::hash(token.as_bytes());
    let known = |kept: &&Token| blake3::Hash::from_hex(&kept.hash).is_ok_and(|kept| kept == hash);
    let token = tokens.iter().find(known)?;
    let role = if token.sub { AgentRole::Sub } else { AgentRole::Main };
    Some(Caller { agent: token.agent.clone(), role })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_known_by_its_hash_and_gone_when_it_is_removed() {
        let place = rem_testkit::Workspace::new();
        let memory = place.memory();
        let tokens = Tokens::of(memory);
        let main = tokens.add("main", AgentRole::Main, [7; 32]).unwrap();
        let scout = tokens.add("scout", AgentRole::Sub, [8; 32]).unwrap();
        assert!(main.token.starts_with("rem_0707") && main.token.len() == 68);
        let kept = String::from_utf8(memory.ledger().read_private(FILE).unwrap()).unwrap();
        assert!(!kept.contains(&main.token[4..]), "{kept}");

        let owner = |token: &str| owner_of(&tokens.list(), token);
        assert_eq!(owner(&scout.token).unwrap(), Caller { agent: "scout".to_owned(), role: AgentRole::Sub });
        assert_eq!(owner(&main.token).unwrap().role, AgentRole::Main);
        assert_eq!(owner("rem_"), None);
        assert_eq!(tokens.remove("scout").unwrap(), 1);
        assert_eq!(owner(&scout.token), None);
        assert!(tokens.remove("scout").is_err());
        assert!(tokens.add("a/b", AgentRole::Main, [9; 32]).is_err());
    }
}
