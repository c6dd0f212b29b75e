//! The soul keeper (I3 to I5, I8; P5.2, P9): the agent's identity grows on what the operator said more than once, and on their consent.
//!
//! What was said is gathered (`evidence`), brought together by meaning and held at the gate (`patterns`), worded (`wording`), and held
//! against SOUL.md (`principles`, `propose`). What is approved is planned anew (`plan`) and applied (`decide`); snapshots,
//! rollback and retention are in `history`. Analyse first, lock last (resolution 23): what moved meanwhile is looked at again.
//! By rules alone.

mod decide;
mod evidence;
mod history;
mod opposites;
mod patterns;
mod plan;
mod principles;
mod propose;
mod ruling;
mod unwished;
mod wording;

use rem_format::audit::{Action, Actor, Approval};
use rem_format::config::IdentityPolicy;
use rem_format::identity::{Growth, GrowthKind, PendingIdentity, document, logged};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{Provenance, Store};
use serde::Serialize;

pub use decide::IdentityDecided;
pub use history::{IdentityHistory, IdentityLogged, IdentityRolledBack, SnapshotShown};
pub use plan::IdentityConflict;
pub use principles::{Encoded, PrincipleShown};
pub use propose::PatternWaiting;

use crate::error::MemoryError;
use crate::memory::Memory;
use decide::Carried;
pub(super) use evidence::Observed;
use plan::{Approved, Grounds, Plan, plan_of};
pub(super) use principles::Principle;
pub(super) use propose::Soul;
use propose::{Proposed, proposed};

/// What a person reads.
const DOCUMENT: &str = "pending-identity.md";
/// What is applied.
const TWIN: &str = "pending-identity.json";

/// Somebody changed the file after it was read.
#[derive(Debug, thiserror::Error)]
#[error("it changed meanwhile: try again")]
pub(super) struct Moved;

/// What growing came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdentityGrown {
    /// Who may change the identity: `propose`, `auto` or `immutable`.
    pub policy: String,
    /// Whether nothing was written because only a preview was asked for.
    pub preview: bool,
    /// What passes the gate: proposed, or applied where the policy is `auto`.
    pub items: Vec<Growth>,
    /// The ids of those that were applied.
    pub applied: Vec<String>,
    /// Patterns that are no principles yet, and why; the one that was seen last first.
    pub waiting: Vec<PatternWaiting>,
    /// The document that waits for an answer; empty where none was written.
    pub document: String,
    /// The change's id; empty where nothing was written.
    pub change: String,
}

/// The identity as it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdentityShown {
    /// Who may change it: `propose`, `auto` or `immutable`.
    pub policy: String,
    /// Its file.
    pub path: MemoryPath,
    /// Its tokens.
    pub tokens: usize,
    /// The most it may have.
    pub max_tokens: u64,
    /// Its principles, in its order.
    pub principles: Vec<PrincipleShown>,
    /// What waits for a person's answer.
    pub pending: Option<PendingIdentity>,
    /// Whether somebody changed the document since it was written: it says no longer what would be applied.
    pub is_document_changed: bool,
    /// Items that could not be applied as the files are now.
    pub conflicts: Vec<IdentityConflict>,
    /// Patterns that are no principles yet, and why; the one that was seen last first.
    pub waiting: Vec<PatternWaiting>,
}

impl Memory {
    /// The identity as it stands: its principles, what waits for an answer, and what is no principle yet and why.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where the twin cannot be used, with the line; [`MemoryError::Ledger`] where files cannot be read.
    pub fn identity(&self) -> Result<IdentityShown, MemoryError> {
        let soul = self.soul_now()?;
        let (evidence, limits) = (self.identity_evidence()?, self.identity_limits());
        let pending = self.pending_identity_twin()?.map(|(pending, _)| pending);
        let document = self.ledger.read(&self.pending_identity_paths()?.0)?.unwrap_or_default();
        let conflicts = match &pending {
            None => Vec::new(),
            Some(pending) => {
                let items: Vec<Approved> =
                    pending.items.iter().map(|item| Approved { item: item.clone(), words: None }).collect();
                plan_of(&Grounds { soul: &soul, evidence: &evidence, limits, by_person: true }, &items)
                    .conflicts
            }
        };
        let Proposed { items, mut waiting } = proposed(&soul, &evidence, limits, true);
        // What passes now and is not before a person yet.
        let is_asked = |item: &Growth| {
            pending.iter().flat_map(|pending| &pending.items).any(|asked| asked.principle == item.principle)
        };
        let passing = items.iter().filter(|item| item.kind != GrowthKind::Remove && !is_asked(item));
        waiting.splice(
            0..0,
            passing.map(|item| PatternWaiting {
                principle: item.principle.clone(),
                seen: item.counted,
                last: item.occurrences.last().map(|last| last.time.to_string()).unwrap_or_default(),
                why: vec!["it passes the gate: `rem identity grow` takes it up".to_owned()],
                evidence: item.occurrences.iter().map(rem_format::identity::Occurrence::place).collect(),
            }),
        );
        Ok(IdentityShown {
            policy: self.config.identity.policy.name().to_owned(),
            path: self.path(Store::Soul).clone(),
            tokens: rem_reason::count_tokens(soul.page.as_str()),
            max_tokens: soul.max_tokens,
            principles: soul.principles().into_iter().map(|each| each.shown).collect(),
            is_document_changed: pending
                .as_ref()
                .is_some_and(|pending| hash_of(&document) != pending.document),
            pending,
            conflicts,
            waiting,
        })
    }

    /// Looks at what the operator said more than once, and proposes what passes the gate, or applies it where the policy is `auto`.
    /// Under `immutable` and in a preview nothing is written.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] while changes wait for an answer, unless `replace` or a preview; or as [`rem_ledger::Ledger::apply`].
    pub fn grow_identity(&self, preview: bool, replace: bool) -> Result<IdentityGrown, MemoryError> {
        if !preview {
            self.ledger.may_change()?;
        }
        self.until_it_stands(|| self.grow_identity_once(preview, replace))
    }

    fn grow_identity_once(&self, preview: bool, replace: bool) -> Result<IdentityGrown, MemoryError> {
        let policy = self.identity_policy();
        let (page, twin) = self.pending_identity_paths()?;
        let before = (self.ledger.read(&page)?, self.ledger.read(&twin)?);
        let is_writing = !preview && policy != IdentityPolicy::Immutable;
        if is_writing && !replace && (before.0.is_some() || before.1.is_some()) {
            return Err(MemoryError::usage(
                "changes of identity wait for an answer",
                "`rem identity review` goes through them; `rem identity grow --replace` drops them for new ones",
            ));
        }
        let soul = self.soul_now()?;
        let (evidence, limits) = (self.identity_evidence()?, self.identity_limits());
        let by_person = policy != IdentityPolicy::Auto;
        let Proposed { items, waiting } = proposed(&soul, &evidence, limits, by_person);
        let mut grown = IdentityGrown {
            policy: policy.name().to_owned(),
            preview,
            items,
            applied: Vec::new(),
            waiting,
            document: String::new(),
            change: String::new(),
        };
        if !is_writing || grown.items.is_empty() && before == (None, None) {
            return Ok(grown);
        }
        let mut pending = PendingIdentity {
            version: 1,
            made: self.now(),
            day: self.today(),
            document: String::new(),
            tokens: rem_reason::count_tokens(soul.page.as_str()),
            max_tokens: soul.max_tokens,
            items: Vec::new(),
        };
        // A principle whose correction was taken back is for a person to look at, whatever the policy (P5.4).
        let is_asked = |item: &&Growth| by_person || item.kind == GrowthKind::Remove;
        let asked: Vec<Growth> = grown.items.iter().filter(is_asked).cloned().collect();
        let at_once: Vec<Approved> = grown
            .items
            .iter()
            .filter(|item| !is_asked(item))
            .map(|item| Approved { item: item.clone(), words: None })
            .collect();
        let plan = match at_once.is_empty() {
            true => Plan::default(),
            false => plan_of(&Grounds { soul: &soul, evidence: &evidence, limits, by_person }, &at_once),
        };
        grown.applied.clone_from(&plan.applied);
        pending.items.clone_from(&asked);
        if !asked.is_empty() {
            grown.document = sealed(&mut pending);
        }
        let is_asking = !asked.is_empty();
        let mut set = self.pending_identity_set(before, &pending, asked)?;
        for path in [&page, &twin].into_iter().filter(|_| is_asking) {
            set = set.action(path, Action::Propose);
        }
        if plan.applied.is_empty() {
            let provenance = Provenance::new(
                Actor::System("soul-keeper".to_owned()),
                Approval::Pending,
                "identity, patterns that pass the gate",
            );
            grown.change = self.change(set, &provenance)?.change;
            return Ok(grown);
        }
        let carried = Carried {
            plan,
            also_said: Vec::new(),
            pending: set,
            approval: Approval::Auto,
            trigger: "identity, policy auto".to_owned(),
        };
        (grown.change, _) = self.carry_out_identity(&soul, carried)?;
        Ok(grown)
    }

    /// `identity.policy`; where only the operator's signature changes SOUL.md and nobody can be asked for it, what would be applied is proposed.
    fn identity_policy(&self) -> IdentityPolicy {
        match self.config.identity.policy {
            IdentityPolicy::Auto if self.ledger.is_closed(self.path(Store::Soul)) => IdentityPolicy::Propose,
            policy => policy,
        }
    }

    /// Grows the identity where nothing waits, and tidies its history; says in a sentence what came of it.
    pub(crate) fn keep_soul(&self) -> Result<String, MemoryError> {
        let removed = match self.tidy_soul_history()?.len() {
            0 => String::new(),
            1 => "; one old snapshot removed".to_owned(),
            count => format!("; {count} old snapshots removed"),
        };
        let policy = self.identity_policy();
        if policy == IdentityPolicy::Immutable {
            return Ok(format!("the identity is immutable (identity.policy){removed}"));
        }
        if self.identity_waiting()? > 0 {
            return Ok(format!("changes of identity wait for your answer: `rem identity review`{removed}"));
        }
        let grown = self.grow_identity(false, false)?;
        let waiting = grown.items.len() - grown.applied.len();
        let did = match (grown.applied.len(), waiting) {
            (0, 0) => format!("{} patterns, none passes the gate", grown.waiting.len()),
            (0, count) => format!("{count} changes of identity proposed: `rem identity review`"),
            (count, 0) => format!("{count} principles encoded"),
            (count, rest) => format!("{count} principles encoded, {rest} for you: `rem identity review`"),
        };
        Ok(format!("{did}{removed}"))
    }

    /// How many changes of identity wait for a person; one where the files are there and cannot be read.
    pub(crate) fn identity_waiting(&self) -> Result<usize, MemoryError> {
        let (page, twin) = self.pending_identity_paths()?;
        Ok(match self.ledger.read(&twin)? {
            Some(bytes) => PendingIdentity::parse(&bytes).map_or(1, |pending| pending.items.len().max(1)),
            None => usize::from(self.ledger.read(&page)?.is_some()),
        })
    }

    /// SOUL.md and its log.
    pub(super) fn soul_now(&self) -> Result<Soul, MemoryError> {
        let path = self.path(Store::Soul);
        let found = self.ledger.read(path)?;
        let page = Page::parse(found.as_deref().unwrap_or_default())
            .map_err(|error| MemoryError::usage(format!("{path}: {error}"), "save it as UTF-8"))?;
        let log = logged(&self.ledger.read(self.path(Store::Changelog))?.unwrap_or_default());
        Ok(Soul { found, page, log, max_tokens: self.config.identity.max_tokens })
    }

    /// The twin that waits, and its bytes.
    fn pending_identity_twin(&self) -> Result<Option<(PendingIdentity, Vec<u8>)>, MemoryError> {
        let (page, twin) = self.pending_identity_paths()?;
        let Some(bytes) = self.ledger.read(&twin)? else {
            return match self.ledger.read(&page)? {
                None => Ok(None),
                Some(_) => Err(unusable(&twin, "is gone, and the document alone cannot be applied")),
            };
        };
        match PendingIdentity::parse(&bytes) {
            Ok(pending) => Ok(Some((pending, bytes))),
            Err(error) => Err(unusable(&twin, &format!("cannot be used: {error}"))),
        }
    }

    /// The document and its twin.
    fn pending_identity_paths(&self) -> Result<(MemoryPath, MemoryPath), MemoryError> {
        let layout = self.ledger.layout();
        Ok((layout.file(Store::Meta, DOCUMENT)?, layout.file(Store::Meta, TWIN)?))
    }
}

/// The twin with its document's hash; gives the document.
fn sealed(pending: &mut PendingIdentity) -> String {
    let text = document(pending);
    pending.document = hash_of(text.as_bytes());
    text
}

/// What tells bytes from others: sixteen signs.
fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().as_str()[..16].to_owned()
}

fn immutable() -> MemoryError {
    MemoryError::usage(
        "the identity is immutable",
        "`rem config set identity.policy propose` lets it grow with your consent; SOUL.md can be edited by hand",
    )
}

fn unusable(path: &MemoryPath, what: &str) -> MemoryError {
    MemoryError::usage(
        format!("{path} {what}"),
        "nothing was applied; `rem rollback file` brings back what it was, `rem identity grow --replace` makes a new one",
    )
}
