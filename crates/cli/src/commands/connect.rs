//! `rem connect`

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use rem_hosts::Host;
use rem_hosts::connect::{Change, Place, Plan, Scope, connect, disconnect};
use serde_json::json;

use super::hook::HostName;
use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Write this memory into an agent host's settings: its hooks and its MCP server
///
/// Shows what changes, keeps the old file beside it, and touches nothing else in it, comments included. Running it again changes nothing;
/// with --remove the settings are what they were. Examples:
///   rem connect claude-code --dry-run
///   rem connect claude-code
///   rem connect cursor --project
///   rem connect claude-code --remove
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ConnectArgs {
    /// The host
    #[arg(value_enum)]
    host: HostName,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Take it out again
    #[arg(long)]
    remove: bool,
    /// The settings of the project in this folder, which others may share: names no path of this machine
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// Your own settings, for all projects: the default
    #[arg(long)]
    user: bool,
}

pub(crate) fn run(args: &ConnectArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let place = place(args, arguments)?;
    let plan = if args.remove { disconnect(&place) } else { connect(&place) };
    match plan.map_err(refused)? {
        Plan::Commands { commands, files } => {
            if !args.dry_run {
                files.iter().try_for_each(Change::carry_out).map_err(refused)?;
            }
            printer.answer(&json!({ "host": place.host.name(), "commands": commands }), || {
                format!(
                    "{} keeps its settings itself. This does it:\n  {}\n",
                    place.host,
                    commands.join("\n  ")
                )
            })
        }
        Plan::Files(changes) => {
            if !args.dry_run {
                changes.iter().try_for_each(Change::carry_out).map_err(refused)?;
            }
            answer(args, &place, &changes, printer)
        }
    }
}

fn place(args: &ConnectArgs, arguments: &Arguments) -> Result<Place> {
    let scope = if args.project { Scope::Project } else { Scope::User };
    let is_user = scope == Scope::User;
    // Taking out needs no workspace, and one that is gone must not stand in the way.
    let workspace = match (is_user, args.remove) {
        (true, false) => Some(arguments.workspace()?),
        (true, true) => arguments.workspace().ok(),
        (false, _) => None,
    };
    let agent = Some(arguments.options.agent.clone()).filter(|agent| !agent.is_empty());
    Ok(Place { agent, ..place_of(args.host.into(), scope, workspace)? })
}

/// Where a host's settings are, and what they are to call.
pub(super) fn place_of(host: Host, scope: Scope, workspace: Option<PathBuf>) -> Result<Place> {
    let is_user = scope == Scope::User;
    Ok(Place {
        host,
        scope,
        own_folder: host.folder_variable().and_then(environment::folder),
        home: environment::home().context("there is no home folder")?,
        project: environment::current_folder().context("the current folder cannot be read")?,
        program: match is_user {
            true => environment::program()?.to_string_lossy().into_owned(),
            false => "rem".to_owned(),
        },
        workspace,
        agent: None,
        own: environment::user_state().context("there is no home folder")?,
    })
}

/// Settings that cannot be used are a person's to mend.
fn refused(error: rem_hosts::connect::ConnectError) -> anyhow::Error {
    let hint = "mend the file and run the command again; nothing of it was changed";
    let source = std::error::Error::source(&error).map(|source| format!(": {source}"));
    Hinted::usage(format!("{error}{}", source.unwrap_or_default()), hint).into()
}

fn answer(args: &ConnectArgs, place: &Place, changes: &[Change], printer: &Printer) -> Result<()> {
    let changed: Vec<&Change> = changes.iter().filter(|change| change.is_any()).collect();
    let files: Vec<serde_json::Value> = changes
        .iter()
        .map(|change| {
            let backup = change.backup.as_ref().filter(|_| change.is_any() && !change.is_restored);
            json!({
                "path": change.path, "changed": change.is_any(), "backup": backup,
                "restored": change.is_restored, "diff": change.diff(),
            })
        })
        .collect();
    let answer = json!({ "host": place.host.name(), "dry_run": args.dry_run, "files": files });
    printer.answer(&answer, || {
        let mut text: String = changed.iter().map(|change| change.diff()).collect();
        match (changed.is_empty(), args.remove, args.dry_run) {
            (true, false, _) => {
                text.push_str(&format!("{} is connected already; nothing to change.\n", place.host))
            }
            (true, true, _) => {
                text.push_str(&format!("{} is not connected; nothing to change.\n", place.host))
            }
            (false, _, true) => {
                text.push_str("Nothing was changed; run it without --dry-run to write this.\n")
            }
            (false, true, false) => text.push_str(&format!("{} is no longer connected.\n", place.host)),
            (false, false, false) => {
                text.push_str(&format!(
                    "{} is connected; it takes effect with its next session.\n",
                    place.host
                ));
                for backup in changed.iter().filter_map(|change| change.backup.as_ref()) {
                    text.push_str(&format!("What stood there before: {}\n", backup.display()));
                }
                let missing = place.workspace.as_ref().filter(|at| rem_mind::find_workspace(at).is_none());
                if let Some(at) = missing {
                    let at = at.display();
                    text.push_str(&format!(
                        "There is no workspace at {at} yet, and nothing is remembered until `rem -C {at} init` makes it.\n"
                    ));
                }
                if place.host == Host::Codex {
                    text.push_str("Codex asks you to trust the hooks before it runs them.\n");
                }
            }
        }
        text
    })
}
