//! Taking over a workspace that an agent already lives in (W2): in place, without changing a byte, undone by one revert.
//!
//! What is there is committed as found; what `rem` adds comes in a second commit of its own, which `git revert` takes back.

use std::collections::BTreeMap;
use std::path::Path;

use rem_format::audit::{Actor, Approval};
use rem_format::config::Config;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, LayoutPreset, Ledger, Provenance, Store};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::{Memory, MemoryOptions, ledger_options, read_config};
use crate::search::tier;
use crate::workspace::{config_page, pages};

/// One kind of file that was recognised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recognised {
    /// What it is, such as `identity` or `journal`.
    pub kind: String,
    /// The files.
    pub files: Vec<String>,
}

/// What adopting found and did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdoptOutcome {
    /// The layout it follows.
    pub layout: String,
    /// Known files by kind.
    pub recognised: Vec<Recognised>,
    /// Markdown files of no known kind; they are searched like any other.
    pub others: usize,
    /// Settings translated from the host's own files, as `key = value`.
    pub settings: Vec<String>,
    /// Files that were added, or would be.
    pub added: Vec<MemoryPath>,
    /// The commit that added them: `git revert` of it undoes the adoption.
    pub commit: Option<String>,
}

impl Memory {
    /// Adopts `root`. With `dry_run` it only says what it recognises and would add.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where `root` is a workspace already, or as [`Ledger::init`].
    pub fn adopt(root: &Path, dry_run: bool, options: MemoryOptions) -> Result<AdoptOutcome, MemoryError> {
        options.may_change()?;
        if rem_ledger::is_workspace(root) {
            return Err(MemoryError::Usage {
                message: format!("{} is a workspace already", root.display()),
                hint: "`rem status` says how it is; `rem init` adds what is missing".to_owned(),
            });
        }
        if !root.is_dir() {
            return Err(MemoryError::Usage {
                message: format!("there is no folder {}", root.display()),
                hint: "`rem init` makes a new workspace".to_owned(),
            });
        }
        let (page, settings, config) = settings_for(root)?;
        let ledger_options = ledger_options(&config, &options)?;
        let layout = ledger_options.layout.clone();
        let mut files = Vec::new();
        list(root, "", &mut files);
        let (recognised, others) = recognise(&layout, &files);
        let mut additions = pages(&layout)?;
        if let Some(page) = page {
            additions.push((MemoryPath::new("CONFIG.md")?, page));
        }
        additions.retain(|(path, _)| !root.join(path.as_str()).exists());
        let mut outcome = AdoptOutcome {
            layout: layout.preset_name().to_string(),
            recognised,
            others,
            settings,
            added: additions.iter().map(|(path, _)| path.clone()).collect(),
            commit: None,
        };
        if dry_run {
            return Ok(outcome);
        }
        let (ledger, _) = Ledger::init_around(root, ledger_options, options.clock.clone())?;
        ledger.commit_outside_changes_as("as found by rem adopt")?;
        let changes = additions
            .into_iter()
            .fold(ChangeSet::new(), |set, (path, text)| set.create(path, text, "added by rem adopt"));
        let provenance = Provenance::new(Actor::System("init".to_owned()), Approval::Auto, "rem adopt");
        let applied = ledger.apply(&changes, &provenance)?;
        outcome.commit = applied.commit;
        Ok(outcome)
    }
}

/// CONFIG.md for the folder unless it has one, the settings taken from the host's files, and the configuration of both.
fn settings_for(root: &Path) -> Result<(Option<String>, Vec<String>, Config), MemoryError> {
    if root.join("CONFIG.md").exists() {
        let (config, _) = read_config(root)?;
        return Ok((None, Vec::new(), config));
    }
    let preset =
        if root.join("knowledge").is_dir() { LayoutPreset::Autopoiesis } else { LayoutPreset::OpenClaw };
    let mut page = config_page(preset)?;
    let mut found = Vec::new();
    if let Ok(text) = std::fs::read_to_string(root.join("memory-config.yaml")) {
        match Config::parse_yaml(&text) {
            Ok(parsed) => found.extend(
                parsed
                    .given
                    .keys()
                    .filter_map(|key| Some(((*key).to_owned(), plain(&parsed.config.get(key)?)))),
            ),
            // It is the host's file and stays; what it says can be set by hand.
            Err(error) => {
                let problems: Vec<String> = error.problems.iter().map(ToString::to_string).collect();
                tracing::warn!("memory-config.yaml is not taken over: {}", problems.join("; "));
            }
        }
    }
    if let Ok(text) = std::fs::read_to_string(root.join("openclaw.json"))
        && let Ok(json) = serde_json::from_str::<serde_json::Value>(&text)
    {
        found.extend(from_openclaw(&json));
    }
    let mut settings = Vec::new();
    for (key, value) in found {
        match rem_format::config::set(&page, &key, &value) {
            Ok(changed) => {
                page = changed;
                settings.push(format!("{key} = {value}"));
            }
            Err(error) => tracing::warn!("the setting {key} = {value} is left out: {error}"),
        }
    }
    let config = Config::parse(&page)?.config;
    Ok((Some(page), settings, config))
}

/// S's settings in `openclaw.json`, in the older and the newer place.
fn from_openclaw(json: &serde_json::Value) -> Vec<(String, String)> {
    const KEYS: [(&str, &str); 6] = [
        ("/query/hybrid/temporalDecay/enabled", "search.temporal_decay"),
        ("/query/hybrid/temporalDecay/halfLifeDays", "search.half_life_days"),
        ("/query/hybrid/textWeight", "search.bm25_weight"),
        ("/query/hybrid/vectorWeight", "search.vector_weight"),
        ("/provider", "embeddings.provider"),
        ("/model", "embeddings.model"),
    ];
    let search = json.pointer("/agents/defaults/memorySearch").or_else(|| json.pointer("/memory/search"));
    KEYS.iter()
        .filter_map(|(pointer, key)| Some(((*key).to_owned(), plain(search?.pointer(pointer)?))))
        .collect()
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Files by kind, and the number of Markdown files of no kind.
fn recognise(layout: &rem_ledger::Layout, files: &[MemoryPath]) -> (Vec<Recognised>, usize) {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut others = 0;
    for path in files {
        let kind = match layout.store_of(path) {
            Some(Store::Journal) if tier(layout, path) == "T2" => "dated notes".to_owned(),
            Some(Store::Journal) => "core notes".to_owned(),
            Some(_) => layout.category(path).to_owned(),
            None => match path.as_str() {
                "HEARTBEAT.md" | "BOOT.md" | "BOOTSTRAP.md" | "DREAMS.md" => "host instructions".to_owned(),
                "openclaw.json" | "moltbot.json" | "memory-config.yaml" => "host settings".to_owned(),
                name if name.ends_with(".md") => {
                    others += 1;
                    continue;
                }
                _ => continue,
            },
        };
        kinds.entry(kind).or_default().push(path.to_string());
    }
    (kinds.into_iter().map(|(kind, files)| Recognised { kind, files }).collect(), others)
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<MemoryPath>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && !path.ends_with(".git") {
            list(&entry.path(), &path, files);
        } else if kind.is_file() {
            files.extend(MemoryPath::new(path).ok());
        }
    }
    files.sort();
}
