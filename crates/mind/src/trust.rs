//! Whether a workspace's own words are enough to run commands and to reach other machines.
//!
//! CONFIG.md travels with the workspace: whoever wrote it may be somebody else. What it may do is decided by a person, who sees it and
//! says yes; that is kept outside of the workspace, with the workspace's path and a hash of each setting that needs trust and of each
//! prompt. When one of them changes, the workspace is untrusted again, and it is said what changed. The surroundings may trust
//! everything instead.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

use rem_ledger::UserState;
use serde::{Deserialize, Serialize};

use crate::error::MemoryError;
use crate::memory::Memory;

/// The folder of a workspace's own prompts.
pub(crate) const PROMPTS: &str = "prompts";
/// More prompts, and longer ones, are none.
const MOST_PROMPTS: usize = 100;
const LONGEST_PROMPT: u64 = 64 << 10;
/// What a prompt's file begins with; other files in the folder are none.
const PROMPT_BEGINS: &str = "version:";

/// What a workspace wants, and whether it may.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trust {
    /// The workspace's folder.
    pub workspace: String,
    /// Whether it is trusted.
    pub trusted: bool,
    /// By whom: `person`, or `surroundings` where these trust everything.
    pub by: Option<&'static str>,
    /// When a person said so last, in RFC 3339.
    pub since: Option<String>,
    /// The settings that need trust, by name, with their values.
    pub settings: BTreeMap<&'static str, serde_json::Value>,
    /// The workspace's own prompts, by file.
    pub prompts: Vec<String>,
    /// What changed since a person said so: settings and files.
    pub changed: Vec<String>,
}

/// What is kept of a person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    workspace: String,
    time: String,
    /// The hash of each setting and each prompt.
    allowed: BTreeMap<String, String>,
}

/// Something made at first use, and anew when a person gives or takes back their word: a program that lives long goes by what holds now.
#[derive(Debug)]
pub(crate) struct ByTrust<T>([OnceLock<T>; 2]);

impl<T> Default for ByTrust<T> {
    fn default() -> Self {
        Self([OnceLock::new(), OnceLock::new()])
    }
}

impl<T> ByTrust<T> {
    /// What was made while it was as now, or `make`s it.
    pub(crate) fn get_or_init(&self, memory: &Memory, make: impl FnOnce() -> T) -> &T {
        self.0[usize::from(memory.is_trusted())].get_or_init(make)
    }
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

impl Memory {
    /// What the workspace wants, and whether it may.
    #[must_use]
    pub fn trust(&self) -> Trust {
        let record = self.trust_record();
        let changed = record.as_ref().map_or_else(Vec::new, |record| self.changed_since(record));
        let by = match (self.options.trusts_providers, &record) {
            (true, _) => Some("surroundings"),
            (false, Some(_)) if changed.is_empty() => Some("person"),
            _ => None,
        };
        let in_need = self.config.in_need_of_trust();
        let value = |name| self.config.get(name).unwrap_or_default();
        Trust {
            workspace: self.ledger.root().display().to_string(),
            trusted: by.is_some(),
            by,
            since: record.map(|record| record.time),
            settings: in_need.into_iter().map(|parameter| (parameter.name, value(parameter.name))).collect(),
            prompts: self.workspace_prompts().keys().map(|file| format!("{PROMPTS}/{file}")).collect(),
            changed,
        }
    }

    /// Writes down that a person trusts the workspace: exactly what [`Self::trust`] shows.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where the surroundings give no place for it, [`MemoryError::Refused`] for a named agent, [`MemoryError::Ledger`] for a sub-agent or when it
    /// cannot be written.
    pub fn trust_workspace(&self) -> Result<(), MemoryError> {
        self.options.may_change()?;
        self.only_a_person("trusting a workspace")?;
        let record = Record {
            workspace: self.ledger.root().display().to_string(),
            time: self.now().to_string(),
            allowed: self.wanted(),
        };
        // A map of texts is always JSON.
        let text = serde_json::to_string_pretty(&record).unwrap_or_default();
        Ok(self.user_state()?.write(&self.record_name(), format!("{text}\n").as_bytes())?)
    }

    /// Takes a person's word back; tells whether there was one.
    ///
    /// # Errors
    /// As [`Self::trust_workspace`].
    pub fn revoke_trust(&self) -> Result<bool, MemoryError> {
        self.options.may_change()?;
        Ok(self.user_state()?.remove(&self.record_name())?)
    }

    /// Whether CONFIG.md may run commands and reach other machines.
    pub fn is_trusted(&self) -> bool {
        self.options.trusts_providers
            || self.trust_record().is_some_and(|record| self.changed_since(&record).is_empty())
    }

    /// Whether there is anything that needs trust.
    pub(crate) fn wants_trust(&self) -> bool {
        !self.config.in_need_of_trust().is_empty() || !self.workspace_prompts().is_empty()
    }

    /// Why not, and what to do, as the end of a sentence.
    pub(crate) fn not_trusted(&self) -> String {
        let changed = self.trust_record().map_or_else(Vec::new, |record| self.changed_since(&record));
        let why = match changed.len() {
            0 => "that is not allowed here".to_owned(),
            _ => format!("this workspace is no longer trusted, for {} changed", changed.join(", ")),
        };
        format!(
            "{why}; `rem trust` shows what it wants and allows it, and REM_TRUST_PROVIDERS=1 allows everything"
        )
    }

    /// The workspace's own prompts, by file name, as they were when first looked at: what is trusted is what is used.
    pub(crate) fn workspace_prompts(&self) -> &BTreeMap<String, String> {
        self.prompts.get_or_init(|| read_prompts(&self.ledger.root().join(PROMPTS)))
    }

    /// Whether a file of the workspace is a prompt.
    pub(crate) fn is_prompt(&self, path: &str) -> bool {
        let file = path.strip_prefix(PROMPTS).and_then(|rest| rest.strip_prefix('/'));
        file.is_some_and(|file| self.workspace_prompts().contains_key(file))
    }

    /// Everything that needs trust, each with its hash.
    fn wanted(&self) -> BTreeMap<String, String> {
        let settings = self.config.in_need_of_trust().into_iter().map(|parameter| {
            let value = self.config.get(parameter.name).unwrap_or_default();
            (parameter.name.to_owned(), hash(value.to_string().as_bytes()))
        });
        let prompts = self.workspace_prompts().iter();
        settings
            .chain(prompts.map(|(file, text)| (format!("{PROMPTS}/{file}"), hash(text.as_bytes()))))
            .collect()
    }

    fn changed_since(&self, record: &Record) -> Vec<String> {
        let wanted = self.wanted();
        let names: BTreeSet<&String> = wanted.keys().chain(record.allowed.keys()).collect();
        names.into_iter().filter(|name| wanted.get(*name) != record.allowed.get(*name)).cloned().collect()
    }

    /// Read each time: a person may have said so while this program runs.
    fn trust_record(&self) -> Option<Record> {
        match self.user_state().ok()?.read(&self.record_name()) {
            Ok(bytes) => serde_json::from_slice(&bytes?).ok(),
            Err(error) => {
                tracing::warn!("whether this workspace is trusted is not known: {error}");
                None
            }
        }
    }

    fn user_state(&self) -> Result<UserState, MemoryError> {
        let folder = self.options.user_state.clone().ok_or_else(|| {
            MemoryError::usage("there is no place to remember trust in", "set HOME, or XDG_STATE_HOME")
        })?;
        Ok(UserState::new(folder))
    }

    fn record_name(&self) -> String {
        UserState::name_of("trusted", self.ledger.root())
    }
}

/// The prompts of a folder. Links are not followed: what they lead to is not the workspace's.
fn read_prompts(folder: &Path) -> BTreeMap<String, String> {
    let is_own = std::fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir());
    let Some(entries) = std::fs::read_dir(folder).ok().filter(|_| is_own) else { return BTreeMap::new() };
    let prompt = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(".md"))?;
        let metadata = std::fs::symlink_metadata(entry.path()).ok()?;
        if !metadata.is_file() || metadata.len() > LONGEST_PROMPT {
            return None;
        }
        let text = String::from_utf8(std::fs::read(entry.path()).ok()?).ok()?;
        text.trim_start_matches('\u{FEFF}').starts_with(PROMPT_BEGINS).then_some((name, text))
    };
    let mut prompts: BTreeMap<String, String> = entries.flatten().filter_map(prompt).collect();
    while prompts.len() > MOST_PROMPTS {
        prompts.pop_last();
    }
    prompts
}
