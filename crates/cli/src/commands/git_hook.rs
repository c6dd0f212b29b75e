//! `rem git-hook`: what the hooks in `.git/hooks` call (A3.5).

use anyhow::Result;

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Run by git before and after a person's own commit, and after a merge
#[derive(Debug, clap::Args)]
pub(crate) struct GitHookArgs {
    /// pre-commit, post-commit or post-merge
    hook: String,
}

pub(crate) fn run(args: &GitHookArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    match args.hook.as_str() {
        "pre-commit" => {
            let check = memory.check_commit(&memory.ledger().staged(environment::git_index().as_deref())?);
            for warning in &check.warnings {
                printer.note(&format!("warning: {warning}"));
            }
            if check.errors.is_empty() {
                return Ok(());
            }
            Err(Hinted::integrity(
                check.errors.join("\n"),
                "mend it and commit again; `git commit --no-verify` commits it all the same",
            )
            .into())
        }
        "post-commit" => {
            memory.ledger().catch_up()?;
            memory.index(false, environment::system_time(), &mut |_| {})?;
            Ok(())
        }
        "post-merge" => {
            memory.ledger().catch_up()?;
            // While git is still at it, what is owed waits for the next command.
            if memory.ledger().check_ready().is_ok() {
                let count = memory.examine_merges()?;
                if count > 0 {
                    printer.note(&format!("{count} things contradict each other: `rem conflicts list`"));
                }
            }
            memory.index(false, environment::system_time(), &mut |_| {})?;
            Ok(())
        }
        other => {
            Err(Hinted::usage(format!("there is no hook {other:?}"), "pre-commit, post-commit or post-merge")
                .into())
        }
    }
}
