//! Global options: as they are given (`Low`), and what they come to in these surroundings (`Arguments`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::{Args, Parser, ValueEnum};
use jiff::Timestamp;
use rem_mind::ledger::{AgentRole, Clock, FixedClock, Signer};
use rem_mind::{Memory, MemoryOptions};

use crate::commands::Command;
use crate::environment;
use crate::failure::Hinted;
use crate::signer::{AtTerminal, visible};

/// A memory for AI agents that lasts: conversations kept, knowledge in Markdown and git, context on demand.
///
/// Try `rem demo` first. Then `rem init` in a folder of your own, and `rem import auto` with your agent's sessions.
#[derive(Debug, Parser)]
#[command(name = "rem", version, propagate_version = false, max_term_width = 100)]
pub(crate) struct Low {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The workspace [default: the nearest folder above that is one, else ~/.rem]
    #[arg(short = 'C', long, global = true, value_name = "DIR", env = environment::WORKSPACE)]
    pub(crate) workspace: Option<PathBuf>,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The agent at work, by its own name; what is for a person to do is refused to it [default: nobody named, "main"]
    #[arg(long, global = true, value_name = "NAME", env = environment::AGENT, hide_env_values = true)]
    pub(crate) agent: Option<String>,
    /// A moment that takes the place of now (RFC 3339)
    #[arg(long, global = true, value_name = "TIME", env = environment::NOW)]
    pub(crate) now: Option<Timestamp>,
    /// Say nothing but answers and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more; twice for everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// What an agent is to the memory. A host says it in `REM_ROLE` for every command; `--role` means the speaker of a message elsewhere.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Role {
    /// The agent whose memory it is
    Main,
    /// One that works for it: it may ask and propose, and every change is refused
    Sub,
}

impl From<Role> for AgentRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Main => Self::Main,
            Role::Sub => Self::Sub,
        }
    }
}

/// The role that the surroundings give.
fn role() -> Result<Role> {
    let Some(word) = environment::role() else { return Ok(Role::Main) };
    Role::from_str(&word, false).map_err(|_| {
        let message = format!("{}={word}: there is no such role", environment::ROLE);
        Hinted::usage(message, "the roles are main and sub").into()
    })
}

/// What the options come to.
#[derive(Clone)]
pub(crate) struct Arguments {
    workspace: Option<PathBuf>,
    now: Option<Timestamp>,
    pub(crate) options: MemoryOptions,
}

impl Arguments {
    /// Looks at the surroundings. `may_ask`: the command is a person's own, who may be asked for their approval.
    pub(crate) fn resolve(global: &Global, may_ask: bool) -> Result<Self> {
        let clock: Arc<dyn Clock> = match global.now {
            Some(now) => Arc::new(FixedClock::new(now)),
            None => Arc::new(environment::SystemClock),
        };
        let options = MemoryOptions {
            clock,
            time_zone: environment::time_zone(),
            agent: global.agent.clone().unwrap_or_default(),
            role: role()?.into(),
            secret: Arc::new(environment::secret),
            trusts_providers: environment::trusts_providers(),
            user_state: environment::user_state(),
            proxies: environment::proxies(),
            signer: (may_ask && environment::is_asked_by_a_person())
                .then(environment::operator_keys)
                .flatten()
                .map(|keys| -> Arc<dyn Signer> { Arc::new(AtTerminal::new(keys)) }),
        };
        Ok(Self { workspace: global.workspace.clone(), now: global.now, options })
    }

    /// Whether the clock is the machine's own, and nothing is trusted by a variable: then another process of this user's, such as a server, has the
    /// same surroundings.
    pub(crate) fn is_usual(&self) -> bool {
        self.now.is_none() && !self.options.trusts_providers
    }

    /// The folder of the workspace: named, near, or at home.
    pub(crate) fn workspace(&self) -> Result<PathBuf> {
        if let Some(named) = &self.workspace {
            return whole(named);
        }
        let here = environment::current_folder().context("the current folder cannot be read")?;
        if let Some(near) = rem_mind::find_workspace(&here) {
            return Ok(near);
        }
        environment::home_workspace().filter(|home| home.is_dir()).ok_or_else(|| {
            Hinted::usage("there is no workspace here", "run `rem init` to make one, or name one with -C DIR")
                .into()
        })
    }

    /// The options of every command, for another process to come to the same.
    pub(crate) fn again(&self) -> Vec<OsString> {
        let mut again: Vec<OsString> = Vec::new();
        if !self.options.agent.is_empty() {
            again.extend(["--agent".into(), self.options.agent.clone().into()]);
        }
        if let Ok(workspace) = self.workspace() {
            again.extend(["-C".into(), workspace.into_os_string()]);
        }
        if let Some(now) = self.now {
            again.extend(["--now".into(), now.to_string().into()]);
        }
        again
    }

    /// The folder for commands that make a workspace: named, or here.
    pub(crate) fn target(&self, named: Option<&PathBuf>) -> Result<PathBuf> {
        let target = match named.or(self.workspace.as_ref()) {
            Some(named) => named.clone(),
            None => environment::current_folder().context("the current folder cannot be read")?,
        };
        whole(&target)
    }

    /// Opens the workspace and catches up with what happened since.
    pub(crate) fn open(&self) -> Result<Memory> {
        let memory = self.open_quietly()?;
        memory.catch_up();
        Ok(memory)
    }

    /// Opens the workspace and changes nothing. What came past the operator is said each time.
    pub(crate) fn open_quietly(&self) -> Result<Memory> {
        let memory = self.open_silently()?;
        let consent = memory.consent(false)?;
        for path in &consent.unsigned {
            tracing::warn!(
                "INTEGRITY: {path} is not what you signed last: `rem operator show` has the difference"
            );
        }
        for flaw in &consent.flaws {
            tracing::warn!("INTEGRITY: {}", visible(flaw));
        }
        for notice in memory.notices() {
            tracing::warn!("{notice}");
        }
        Ok(memory)
    }

    /// Opens the workspace for who gives CONFIG.md other contents: where it cannot be read it is taken as it was before.
    pub(crate) fn open_for_settings(&self) -> Result<Memory> {
        match self.open() {
            Err(error) if matches!(error.downcast_ref(), Some(rem_mind::MemoryError::Config(_))) => {
                Ok(Memory::open_as_before(&self.workspace()?, self.options.clone())?)
            }
            other => other,
        }
    }

    /// Opens the workspace for a command that says itself how the operator's approvals stand.
    pub(crate) fn open_silently(&self) -> Result<Memory> {
        Ok(Memory::open(&self.workspace()?, self.options.clone())?)
    }
}

/// The whole path of a folder. `..` is resolved where the folder is there: what is written into the settings of hosts says where it is.
fn whole(folder: &Path) -> Result<PathBuf> {
    let path = std::path::absolute(folder).with_context(|| format!("{} is no folder", folder.display()))?;
    let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
    Ok(climbs.then(|| path.canonicalize().ok()).flatten().unwrap_or(path))
}
