//! What state the memory is in, at a glance (K12, `rem status`).

use std::collections::BTreeMap;

use rem_format::path::MemoryPath;
use rem_recall::SourceFile;
use serde::Serialize;

use crate::attention::Receipt;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::Answerers;
use crate::search::tier;
use crate::workspace::pages;

/// The state of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The folder.
    pub workspace: String,
    /// Files by S's tier, without those that are as `rem init` made them; T3 is the conversations that are open.
    pub tiers: BTreeMap<&'static str, usize>,
    /// The same with those that `rem init` made, as the seed's own command counts.
    #[serde(skip)]
    pub all_tiers: BTreeMap<&'static str, usize>,
    /// Files by category.
    pub stores: BTreeMap<&'static str, usize>,
    /// Memories by visibility (M9.2); counted from the decay scores.
    pub decay: BTreeMap<&'static str, usize>,
    /// What waits for a person.
    pub pending: Pending,
    /// The conversations.
    pub transcripts: TranscriptStatus,
    /// The search index.
    pub index: IndexStatus,
    /// The repository.
    pub git: GitStatus,
    /// The last contexts that sessions were given, the newest first (C16).
    pub contexts: Vec<ContextStatus>,
    /// Who answers when a model is wanted.
    pub models: Answerers,
    /// Whether CONFIG.md may run commands and reach other machines; nothing where it does not want to.
    pub trusted: Option<bool>,
    /// When each job last began, by name, in RFC 3339; those of which no run is remembered are left out.
    pub last_jobs: BTreeMap<String, String>,
}

/// A context that was compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextStatus {
    /// When, in RFC 3339.
    pub time: String,
    /// For which session.
    pub session: Option<String>,
    /// Its tokens.
    pub tokens: usize,
    /// The most there could have been.
    pub budget: usize,
    /// How many pieces stood in it.
    pub items: usize,
    /// How many were left out.
    pub dropped: usize,
}

impl ContextStatus {
    fn of(receipt: &Receipt) -> Self {
        Self {
            time: receipt.time.clone(),
            session: receipt.arguments.session.clone(),
            tokens: receipt.tokens,
            budget: receipt.budget,
            items: receipt.slots.iter().map(|slot| slot.items.len()).sum(),
            dropped: receipt.slots.iter().map(|slot| slot.dropped.len()).sum(),
        }
    }
}

/// What waits for a person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// A reflection waits for approval.
    pub reflection: bool,
    /// Proposals of sub-agents on which nobody decided; those that were put off are not among them.
    pub proposals: usize,
    /// Memories that contradict each other, of which a person has to say which is right.
    pub conflicts: usize,
    /// Proposed changes of identity.
    pub identity: usize,
    /// Files that only the operator may change and that hold something else than what they signed last, and flaws of the approvals.
    pub unsigned: usize,
    /// Alerts that nobody acknowledged: critical files that changed, append-only files that were rewritten.
    pub alerts: usize,
}

/// The conversations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TranscriptStatus {
    /// Closed ones.
    pub closed: usize,
    /// Sessions still being written.
    pub open: usize,
}

/// The search index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IndexStatus {
    /// Whether there is one.
    pub present: bool,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GitStatus {
    /// The newest commit.
    pub head: Option<String>,
    /// The branch, where there is one.
    pub branch: Option<String>,
    /// Files changed outside and not committed yet.
    pub uncommitted: usize,
}

/// How many of the last contexts are shown.
const CONTEXTS: usize = 3;

impl Memory {
    /// The state of the workspace. Changes nothing.
    ///
    /// # Errors
    /// [`MemoryError`] when files or git cannot be read.
    pub fn status(&self) -> Result<Status, MemoryError> {
        self.status_of(self.count(&self.searchable_files()?))
    }

    /// Catches up with what happened to the workspace, then gives its state. Both look at every file, and look once.
    ///
    /// # Errors
    /// As [`Self::status`].
    pub fn catch_up_and_status(&self) -> Result<Status, MemoryError> {
        let files = self.caught_up_files()?;
        self.status_of(self.count(&files))
    }

    /// What waits for a person.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when the audit log or the proposals cannot be read.
    pub fn pending(&self) -> Result<Pending, MemoryError> {
        let consent = self.consent(false)?;
        Ok(Pending {
            unsigned: consent.unsigned.len() + consent.flaws.len(),
            reflection: self.is_reflection_pending()?,
            alerts: self.ledger.open_alerts()?.len(),
            proposals: self.pending_proposals()?,
            conflicts: self.conflicts()?.iter().filter(|conflict| conflict.kept.is_none()).count(),
            identity: self.identity_waiting()?,
        })
    }

    fn status_of(&self, Counted { mut tiers, all_tiers, stores }: Counted) -> Result<Status, MemoryError> {
        let transcripts = stores.get("conversation").copied().unwrap_or(0);
        let (open, uncommitted) = self.left()?;
        tiers.insert("T3", open);
        let repository = self.ledger.repository_state()?;
        let index = std::fs::metadata(self.ledger.root().join("memory.db"));
        Ok(Status {
            workspace: self.ledger.root().display().to_string(),
            tiers,
            all_tiers,
            stores,
            decay: self.visibility_counts(),
            pending: self.pending()?,
            transcripts: TranscriptStatus { closed: transcripts - open.min(transcripts), open },
            index: IndexStatus { present: index.is_ok(), bytes: index.map_or(0, |metadata| metadata.len()) },
            git: GitStatus { head: repository.head, branch: repository.branch, uncommitted },
            contexts: self.receipts(CONTEXTS).iter().map(ContextStatus::of).collect(),
            models: self.answerers(),
            trusted: self.wants_trust().then(|| self.is_trusted()),
            last_jobs: self.last_runs().into_iter().map(|(name, run)| (name, run.started)).collect(),
        })
    }

    /// Every file by its tier and its category; conversations have no tier.
    fn count(&self, files: &[SourceFile]) -> Counted {
        let layout = self.ledger.layout();
        let none = BTreeMap::from([("T0", 0), ("T1", 0), ("T2", 0)]);
        let mut counted = Counted { tiers: none.clone(), all_tiers: none, stores: BTreeMap::new() };
        let made: BTreeMap<MemoryPath, String> = pages(layout).unwrap_or_default().into_iter().collect();
        for file in files {
            let Ok(path) = MemoryPath::new(file.path.as_str()) else { continue };
            let category = layout.category(&path);
            let tier = (category != "conversation").then(|| tier(layout, &path));
            if let Some(tier) = tier {
                *counted.all_tiers.entry(tier).or_insert(0) += 1;
            }
            // What `rem init` made and nobody touched says nothing yet.
            let is_as_made = made.get(&path).is_some_and(|text| {
                self.ledger.read(&path).is_ok_and(|found| found.as_deref() == Some(text.as_bytes()))
            });
            if is_as_made {
                continue;
            }
            *counted.stores.entry(category).or_insert(0) += 1;
            if let Some(tier) = tier {
                *counted.tiers.entry(tier).or_insert(0) += 1;
            }
        }
        counted
    }
}

/// How many files there are.
struct Counted {
    tiers: BTreeMap<&'static str, usize>,
    all_tiers: BTreeMap<&'static str, usize>,
    stores: BTreeMap<&'static str, usize>,
}
