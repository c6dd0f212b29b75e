//! `rem config`

use anyhow::Result;
use rem_mind::{Memory, MemoryError};
use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Read and change CONFIG.md
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every setting, or those of a section
    Show {
        /// Only this section
        section: Option<String>,
        /// Only what differs from the defaults
        #[arg(long)]
        changed: bool,
    },
    /// Show one setting
    Get {
        /// Its key, such as search.min_score
        key: String,
    },
    /// Change one line of CONFIG.md and keep the rest
    Set {
        /// The key
        key: String,
        /// The value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Say whether CONFIG.md can be used
    Check,
}

pub(crate) fn run(command: &ConfigCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = match (arguments.open_quietly(), command) {
        (Ok(memory), _) => memory,
        // Wrong values must not stand in the way of the one command that mends them.
        (Err(error), ConfigCommand::Set { .. }) if is_about_settings(&error) => {
            Memory::open_to_mend(&arguments.workspace()?, arguments.options.clone())?
        }
        (Err(error), _) => return Err(error),
    };
    match command {
        ConfigCommand::Show { section, changed } => {
            let defaults = rem_format::config::Config::default();
            let mut shown: Map<String, Value> = Map::new();
            for (parameter, value) in memory.config().entries() {
                let wanted = section.as_ref().is_none_or(|section| parameter.section == section);
                if wanted && (!changed || defaults.get(parameter.name).as_ref() != Some(&value)) {
                    shown.insert(parameter.name.to_owned(), value);
                }
            }
            printer.answer(&shown, || shown.iter().map(|(key, value)| format!("{key} = {value}\n")).collect())
        }
        ConfigCommand::Get { key } => {
            let value = memory.config().get(key).ok_or_else(|| unknown(key))?;
            printer.answer(&json!({"key": key, "value": value}), || {
                value.as_str().map_or_else(|| value.to_string(), str::to_owned)
            })
        }
        ConfigCommand::Set { key, value } => {
            let applied = memory.set_config(key, value)?;
            printer.answer(&applied, || match applied.change.as_str() {
                "" => format!("{key} is {value} already"),
                change => format!("{change} set {key} to {value}"),
            })
        }
        // Opening it has said everything that is wrong.
        ConfigCommand::Check => printer.answer(&json!({"ok": true}), || "CONFIG.md can be used.".to_owned()),
    }
}

fn is_about_settings(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<MemoryError>(), Some(MemoryError::Config(_) | MemoryError::Setting { .. }))
}

fn unknown(key: &str) -> Hinted {
    let hint = match rem_format::config::nearest(key) {
        Some(near) => format!("did you mean {near}?"),
        None => "`rem config show` lists every key".to_owned(),
    };
    Hinted::usage(format!("there is no setting {key:?}"), hint)
}
