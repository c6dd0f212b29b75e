//! [`Memory`]: the façade over one workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use rem_format::audit::{Actor, Approval};
use rem_format::config::{Config, GitCadence, Notice};
use rem_format::path::MemoryPath;
use rem_ledger::{
    AgentRole, ChangeSet, Clock, Layout, LayoutPreset, Ledger, LedgerOptions, Listing, LockPolicy,
    Provenance, Signer, Store,
};
use rem_reason::proxy::Proxies;

use crate::attention::triage::CustomPatterns;
use crate::embedding::Provider;
use crate::error::MemoryError;
use crate::indexes::Indexes;
use crate::reasoning::Models;
use crate::stores::facts::FactPages;
use crate::stores::statement::Statements;
use crate::transcripts::redact::{CustomRule, Redactor, secret_in_setting};
use crate::trust::ByTrust;

/// What the surroundings say: everything the library may not find out for itself.
#[derive(Clone)]
pub struct MemoryOptions {
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// The machine's time zone; CONFIG.md may name another.
    pub time_zone: TimeZone,
    /// The name of the agent at work, where one has given its own; empty for a person or their main agent.
    pub agent: String,
    /// What they are to the memory: a sub-agent reads, and every write is refused.
    pub role: AgentRole,
    /// The secret with a name, such as the variable that holds a provider's key.
    pub secret: SecretSource,
    /// Whether CONFIG.md may have texts sent to other machines, name secrets and run commands: it travels with the workspace, so
    /// its words alone are not enough. Where it is false, what a person said of the workspace decides ([`Memory::trust`]).
    pub trusts_providers: bool,
    /// The folder in which it is remembered which workspaces a person trusts; nothing for nowhere.
    pub user_state: Option<PathBuf>,
    /// The proxies that other machines are reached through.
    pub proxies: Proxies,
    /// Who may be asked for the operator's approval, where there is somebody: never on behalf of an agent.
    pub signer: Option<Arc<dyn Signer>>,
}

/// What whoever is at work is called where no agent has given its name.
const MAIN: &str = "main";

/// The state of a listing, and the files in it that are searched.
pub(crate) type KeptFiles = Option<(u64, Arc<Vec<rem_recall::SourceFile>>)>;

/// Where secrets come from: the binary's environment, or nowhere.
pub type SecretSource = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

impl std::fmt::Debug for MemoryOptions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("MemoryOptions").field("agent", &self.agent).finish_non_exhaustive()
    }
}

impl MemoryOptions {
    /// What whoever is at work is called.
    #[must_use]
    pub fn agent_name(&self) -> &str {
        if self.agent.is_empty() { MAIN } else { &self.agent }
    }

    /// Refuses a sub-agent where there is no ledger yet that would.
    pub(crate) fn may_change(&self) -> Result<(), MemoryError> {
        match self.role {
            AgentRole::Main => Ok(()),
            AgentRole::Sub => Err(rem_ledger::LedgerError::SubAgent(self.agent_name().to_owned()).into()),
        }
    }
}

/// A workspace, opened.
#[derive(Debug)]
pub struct Memory {
    pub(crate) ledger: Ledger,
    pub(crate) config: Config,
    pub(crate) options: MemoryOptions,
    time_zone: TimeZone,
    notices: Vec<Notice>,
    redactor: Arc<OnceLock<Redactor>>,
    /// The patterns of `triage.custom_patterns`, compiled at first use.
    pub(crate) custom_patterns: Arc<OnceLock<CustomPatterns>>,
    /// The embedder that the settings ask for, made at first use, or why there is none.
    pub(crate) embedder: Arc<ByTrust<Result<Option<Provider>, String>>>,
    /// The model that answers for the gate, made at first use, or why there is none.
    pub(crate) gate_model: Arc<ByTrust<crate::attention::topics::GateModel>>,
    /// The models that answer tasks, made at first use.
    pub(crate) models: Arc<Models>,
    /// What was spent and could not be written down.
    pub(crate) unrecorded: Arc<Mutex<Vec<rem_reason::spending::Spent>>>,
    /// The workspace's own prompts, as they were at first use.
    pub(crate) prompts: Arc<OnceLock<BTreeMap<String, String>>>,
    /// The index, opened by whoever asked it.
    pub(crate) indexes: Arc<Indexes>,
    /// The files that are searched, and the state of the listing that they were found in.
    pub(crate) kept_files: Arc<Mutex<KeptFiles>>,
    /// Statements that were read lately.
    pub(crate) statements: Arc<Statements>,
    /// The pages of facts as they were last read.
    pub(crate) kept_facts: Arc<FactPages>,
    /// The topics as they were last read.
    pub(crate) kept_topics: Arc<Mutex<crate::attention::topics::Kept>>,
    /// What the last catching up left, for whoever asks right after it: open sessions, and files changed outside that could not be
    /// committed.
    left: Mutex<Option<(usize, usize)>>,
}

/// Settings that say what is done without a person, by the beginnings of their names.
const CONSENT_SETTINGS: [&str; 6] =
    ["identity.", "operator.", "proposals.", "corrections.", "conflicts.", "audit.critical_alerts"];

impl Memory {
    /// Opens a workspace.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where there is none, [`MemoryError::Config`] when CONFIG.md cannot be used.
    pub fn open(root: &Path, options: MemoryOptions) -> Result<Self, MemoryError> {
        let (config, notices) = read_config(root)?;
        let ledger = Ledger::open(root, ledger_options(&config, &options)?, options.clock.clone())?;
        Self::over(ledger, config, notices, options)
    }

    /// Opens a workspace whose CONFIG.md cannot be read, by the newest one in its history that can: for who gives it its contents back.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_as_before(root: &Path, options: MemoryOptions) -> Result<Self, MemoryError> {
        let open = |config: &Config| {
            Ok::<_, MemoryError>(Ledger::open(
                root,
                ledger_options(config, &options)?,
                options.clock.clone(),
            )?)
        };
        // The file that says where things lie cannot lie elsewhere itself.
        let ledger = open(&Config::default())?;
        let path = ledger.layout().path(Store::Config).clone();
        let readable = |bytes: &[u8]| Config::parse(&String::from_utf8_lossy(bytes)).ok();
        let (config, notices) = match ledger.first_in_history(&path, readable)? {
            Some(parsed) => (parsed.config, parsed.notices),
            None => (Config::default(), Vec::new()),
        };
        Self::over(open(&config)?, config, notices, options)
    }

    /// As [`Self::open`] for a workspace whose CONFIG.md has wrong settings, to mend them: those have their defaults.
    ///
    /// # Errors
    /// As [`Self::open`], and where the file is no CONFIG.md at all.
    pub fn open_to_mend(root: &Path, options: MemoryOptions) -> Result<Self, MemoryError> {
        let at = root.join("CONFIG.md");
        let bytes = std::fs::read(&at).map_err(|source| MemoryError::Read { path: at, source })?;
        let (mut parsed, _) = Config::parse_as_far_as_it_is_right(&String::from_utf8_lossy(&bytes));
        if zone_named(&parsed.config.operator.timezone.0, &options).is_err() {
            parsed.config.operator.timezone = Config::default().operator.timezone;
        }
        let ledger = Ledger::open(root, ledger_options(&parsed.config, &options)?, options.clock.clone())?;
        Self::over(ledger, parsed.config, parsed.notices, options)
    }

    pub(crate) fn over(
        ledger: Ledger,
        config: Config,
        notices: Vec<Notice>,
        options: MemoryOptions,
    ) -> Result<Self, MemoryError> {
        let ledger = ledger.asking(options.signer.clone());
        let time_zone = zone_named(&config.operator.timezone.0, &options)?;
        Ok(Self {
            ledger,
            config,
            options,
            time_zone,
            notices,
            redactor: Arc::default(),
            custom_patterns: Arc::default(),
            embedder: Arc::default(),
            gate_model: Arc::default(),
            models: Arc::default(),
            unrecorded: Arc::default(),
            prompts: Arc::default(),
            indexes: Arc::default(),
            kept_files: Arc::default(),
            statements: Arc::default(),
            kept_facts: Arc::default(),
            kept_topics: Arc::default(),
            left: Mutex::default(),
        })
    }

    /// The same memory with another agent at work, such as another client of a server. Both share what is kept in memory: the index,
    /// the topics, the patterns.
    #[must_use]
    pub fn acting_as(&self, agent: &str, role: AgentRole) -> Self {
        // Who is called as nobody is named goes on as whoever opened the memory, or as their main agent.
        let named = match agent {
            same if same == self.agent() => self.options.agent.clone(),
            MAIN => String::new(),
            other => other.to_owned(),
        };
        Self {
            ledger: self.ledger.acting_as(agent, role),
            config: self.config.clone(),
            options: MemoryOptions { agent: named, role, ..self.options.clone() },
            time_zone: self.time_zone.clone(),
            notices: self.notices.clone(),
            redactor: self.redactor.clone(),
            custom_patterns: self.custom_patterns.clone(),
            embedder: self.embedder.clone(),
            gate_model: self.gate_model.clone(),
            models: self.models.clone(),
            unrecorded: self.unrecorded.clone(),
            prompts: self.prompts.clone(),
            indexes: self.indexes.clone(),
            kept_files: self.kept_files.clone(),
            statements: self.statements.clone(),
            kept_facts: self.kept_facts.clone(),
            kept_topics: self.kept_topics.clone(),
            left: Mutex::default(),
        }
    }

    /// The ledger, for what is its own business: audit, history, rollback, tags.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What a person should be told about CONFIG.md.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Who is at work: `main`, or a name.
    #[must_use]
    pub fn agent(&self) -> &str {
        self.options.agent_name()
    }

    /// The time zone in which days begin and jobs run.
    #[must_use]
    pub fn time_zone(&self) -> &TimeZone {
        &self.time_zone
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.options.clock.now()
    }

    /// The day it is for the operator.
    #[must_use]
    pub fn today(&self) -> jiff::civil::Date {
        self.now().to_zoned(self.time_zone().clone()).date()
    }

    /// A moment in words: RFC 3339, or a day, which begins at midnight in the memory's time zone.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where it is neither.
    pub fn moment(&self, text: &str) -> Result<Timestamp, MemoryError> {
        if let Ok(time) = text.parse::<Timestamp>() {
            return Ok(time);
        }
        let begin = |day: jiff::civil::Date| day.to_zoned(self.time_zone().clone());
        match text.parse::<jiff::civil::Date>().and_then(begin) {
            Ok(midnight) => Ok(midnight.timestamp()),
            Err(_) => Err(MemoryError::usage(
                format!("{text:?} is no moment"),
                "write a day, 2026-03-01, or a time, 2026-03-01T12:00:00Z",
            )),
        }
    }

    /// The file of a store, as the layout has it.
    #[must_use]
    pub fn path(&self, store: Store) -> &MemoryPath {
        self.ledger.layout().path(store)
    }

    /// What comes before any command: completes what a dead process left, picks up what was changed from outside, closes
    /// sessions that have been idle. What cannot be done now is said on the log and left for the next time.
    pub fn catch_up(&self) {
        self.catch_up_and_list();
    }

    /// As [`Self::catch_up`]; gives the files as they were found on the way. `None` where they could not be listed or were changed
    /// since. Whoever gets a listing uses it for the operation at hand and drops it.
    pub(crate) fn catch_up_and_list(&self) -> Option<Arc<Listing>> {
        let say = |what: &str, error: &MemoryError| tracing::warn!("could not {what}: {error}");
        if let Err(error) = self.ledger.recover() {
            say("complete unfinished changes", &error.into());
        }
        // One look for all: on ten thousand files it is most of what a short command costs.
        let (survey, listing) = match self.ledger.survey_and_list() {
            Ok(found) => found,
            Err(error) => {
                say("look for changes", &error.into());
                return None;
            }
        };
        if self.ledger.role() == AgentRole::Sub {
            // Whoever only reads tidies nothing up: the main agent does, the next time it looks.
            self.leave(survey.open.len(), survey.outside.len());
            return Some(listing);
        }
        let mut outside = 0;
        let mut is_as_listed = true;
        if !survey.outside.is_empty() {
            match self.ledger.commit_outside_changes() {
                Ok(changed) => is_as_listed = !self.graph_index_follows(&changed),
                Err(error) => {
                    outside = survey.outside.len();
                    say("commit what was changed outside", &error.into());
                }
            }
        }
        match self.examine_merges() {
            Ok(0) => {}
            Ok(_) => is_as_listed = false,
            Err(error) => say("look at what was merged", &error),
        }
        let closed = self.close_idle(&survey.open);
        let open = survey.open.len() - closed.as_ref().map_or(0, Vec::len);
        let is_current = is_as_listed && closed.as_ref().is_ok_and(Vec::is_empty);
        if let Err(error) = closed {
            say("close idle sessions", &error);
        }
        self.leave(open, outside);
        is_current.then_some(listing)
    }

    fn leave(&self, open: usize, outside: usize) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some((open, outside));
    }

    /// How many sessions are open and how many files changed outside are not committed: as catching up has just left it, or as it is.
    pub(crate) fn left(&self) -> Result<(usize, usize), MemoryError> {
        // Taken, for a program that lives long asks again when it no longer holds.
        if let Some(left) = self.left.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Ok(left);
        }
        let survey = self.ledger.survey()?;
        Ok((survey.open.len(), survey.outside.len()))
    }

    /// Changes one setting, keeping every other line of CONFIG.md.
    ///
    /// # Errors
    /// [`MemoryError::Set`] for an unknown key or a value that does not fit, [`MemoryError::Refused`] for a named agent where the setting says
    /// what is done without a person, or as [`Ledger::apply`].
    pub fn set_config(&self, key: &str, value: &str) -> Result<rem_ledger::Applied, MemoryError> {
        if CONSENT_SETTINGS.iter().any(|of_consent| key.starts_with(of_consent)) {
            self.only_a_person(&format!("setting {key}"))?;
        }
        let provenance = self.asked_for(format!("rem config set {key}"));
        Ok(self.ledger.apply(&self.setting(key, value)?, &provenance)?)
    }

    /// The change of one setting, checked.
    pub(crate) fn setting(&self, key: &str, value: &str) -> Result<ChangeSet<'static>, MemoryError> {
        let path = self.path(Store::Config).clone();
        // A pattern of secrets may look like one.
        if let Some(what) = secret_in_setting(value).filter(|_| !key.starts_with("redaction.")) {
            return Err(MemoryError::usage(
                format!(
                    "the value for {key} holds what looks like a secret ({what}), and {path} is kept in git"
                ),
                "put it into an environment variable and name that (models.api_key_variable and the like, or \"$NAME\" in a command), or into a file that only you can read (models.api_key_file)",
            ));
        }
        let current = self.ledger.read(&path)?.unwrap_or_default();
        // Checked before the door, so that a wrong value is a usage error and not a failed edit.
        let text = std::str::from_utf8(&current).map_err(|error| MemoryError::Usage {
            message: format!(
                "{path} is not UTF-8 from byte {} on and would lose what stands there",
                error.valid_up_to()
            ),
            hint: "edit it by hand, or save it as UTF-8".to_owned(),
        })?;
        let changed = rem_format::config::set(text, key, value)?;
        self.check_beyond_text(key, &Config::parse_as_far_as_it_is_right(&changed).0.config)?;
        let (key, value) = (key.to_owned(), value.to_owned());
        // The workspace's own rules hold for what the history says as well.
        let shown = self.redactor().map_or_else(|_| value.clone(), |own| own.redact(&value).0.into_owned());
        Ok(ChangeSet::new().edit(path, format!("set {key} to {shown}"), move |found| {
            let text = std::str::from_utf8(found.unwrap_or_default())?;
            Ok(Some(rem_format::config::set(text, &key, &value)?.into_bytes()))
        }))
    }

    /// What a new value of a setting has to be beside well written.
    fn check_beyond_text(&self, key: &str, config: &Config) -> Result<(), MemoryError> {
        let refused = |expected: &str, found: &str| rem_format::config::SetError::BadValue {
            key: key.to_owned(),
            expected: expected.to_owned(),
            found: format!("{found:?}"),
        };
        match rem_format::config::find(key).map(|parameter| parameter.name) {
            Some("operator.timezone") => {
                let name = &config.operator.timezone.0;
                zone_named(name, &self.options).map_err(|_| {
                    refused("`system` or a time zone that there is, such as Europe/Berlin", name)
                })?;
            }
            Some("server.address") => {
                let address = &config.server.address;
                if address.parse::<std::net::SocketAddr>().is_err() {
                    let expected = "an address with its port, such as 127.0.0.1:7077 or [::1]:7077";
                    return Err(refused(expected, address).into());
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Pushes where `git.auto_push` asks for it and the workspace is trusted. A remote that cannot be reached is said on the log: the next push makes it good.
    pub(crate) fn push_if_wanted(&self) {
        if !self.config.git.auto_push {
            return;
        }
        let remote = &self.config.git.remote;
        if !self.is_trusted() {
            tracing::warn!("CONFIG.md would push to {}, and {}", remote.escape_debug(), self.not_trusted());
        } else if let Err(error) = self.ledger.push(remote) {
            tracing::warn!("{error}: the next session that ends tries again");
        }
    }

    /// The redactor of this workspace's rules; compiled at first use.
    pub(crate) fn redactor(&self) -> Result<&Redactor, MemoryError> {
        if let Some(redactor) = self.redactor.get() {
            return Ok(redactor);
        }
        let rules: Vec<CustomRule> = self
            .config
            .redaction
            .rules
            .iter()
            .map(|rule| CustomRule { name: rule.name.clone(), pattern: rule.pattern.clone() })
            .collect();
        let allow = &self.config.redaction.allow.0;
        let redactor = match self.config.redaction.builtin {
            true => Redactor::new(&rules, allow)?,
            false => Redactor::without_built_in(&rules, allow)?,
        };
        Ok(self.redactor.get_or_init(|| redactor))
    }

    /// The provenance of what the agent itself does.
    pub(crate) fn agent_provenance(&self, trigger: impl Into<String>) -> Provenance {
        Provenance::new(Actor::Bot(self.agent().to_owned()), Approval::Auto, trigger)
    }
}

/// CONFIG.md of a workspace; the defaults where there is none.
fn zone_named(name: &str, options: &MemoryOptions) -> Result<TimeZone, MemoryError> {
    if name == "system" {
        return Ok(options.time_zone.clone());
    }
    TimeZone::get(name).map_err(|error| MemoryError::Setting {
        key: "operator.timezone".to_owned(),
        reason: error.to_string(),
    })
}

pub(crate) fn read_config(root: &Path) -> Result<(Config, Vec<Notice>), MemoryError> {
    // The file that says where things lie cannot lie elsewhere itself.
    let at = root.join("CONFIG.md");
    match std::fs::read(&at) {
        Ok(bytes) => {
            let parsed = Config::parse(&String::from_utf8_lossy(&bytes))?;
            Ok((parsed.config, parsed.notices))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((Config::default(), Vec::new())),
        Err(source) => Err(MemoryError::Read { path: at, source }),
    }
}

/// What the ledger needs of the settings.
pub(crate) fn ledger_options(config: &Config, options: &MemoryOptions) -> Result<LedgerOptions, MemoryError> {
    let preset: LayoutPreset = config
        .layout
        .preset
        .name()
        .parse()
        .map_err(|reason| MemoryError::Setting { key: "layout.preset".to_owned(), reason })?;
    let mut layout = Layout::preset(preset);
    let setting = |key: String| {
        move |error: rem_ledger::LayoutError| MemoryError::Setting { key, reason: error.to_string() }
    };
    if !config.transcripts.dir.is_empty() {
        layout = layout
            .with_override("transcripts", &config.transcripts.dir)
            .map_err(setting("transcripts.dir".to_owned()))?;
    }
    for (store, path) in &config.layout.paths {
        layout = layout.with_override(store, path).map_err(setting(format!("layout.paths.{store}")))?;
    }
    Ok(LedgerOptions {
        layout,
        git_folder: config.git.dir.clone(),
        locks: LockPolicy {
            retry_interval: Duration::from_secs_f64(config.locks.retry_interval_seconds),
            max_retries: u32::try_from(config.locks.max_retries).unwrap_or(u32::MAX),
            stale_after: Duration::from_secs(config.locks.stale_threshold_seconds),
        },
        agent: options.agent_name().to_owned(),
        role: options.role,
        batch: (config.git.cadence == GitCadence::Batched)
            .then(|| Duration::from_secs(60 * config.git.commit_interval_minutes)),
        critical_alerts: config.audit.critical_alerts,
        // A key that CONFIG.md names was set up, whatever became of its approvals.
        require_signature: config.operator.require_signature || !config.operator.public_key.is_empty(),
        user_state: options.user_state.clone(),
        audit_retention_days: u32::try_from(config.audit.retention_days).unwrap_or(u32::MAX),
    })
}

/// The nearest folder at or above `start` that holds a workspace.
#[must_use]
pub fn find_workspace(start: &Path) -> Option<PathBuf> {
    start.ancestors().find(|folder| rem_ledger::is_workspace(folder)).map(Path::to_path_buf)
}
