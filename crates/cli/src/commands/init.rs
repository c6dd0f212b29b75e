//! `rem init`

use std::path::PathBuf;

use anyhow::Result;
use rem_mind::Memory;
use rem_mind::ledger::LayoutPreset;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Make a workspace: folders, files, git repository, hooks
///
/// Running it again changes nothing and brings back what is missing. What is there already stays as it is; for a folder that an
/// agent already lives in, `rem adopt` tells more.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The folder [default: here]
    dir: Option<PathBuf>,
    /// How the stores are laid out: openclaw or autopoiesis
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<LayoutPreset>,
}

pub(crate) fn run(args: &InitArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let root = arguments.target(args.dir.as_ref())?;
    let (_, outcome) = Memory::init(&root, args.layout, arguments.options.clone())?;
    for hook in &outcome.foreign_hooks {
        printer.note(&format!("note: the git hook {hook} is somebody else's and stays as it is"));
    }
    printer.answer(&outcome, || {
        if outcome.created {
            format!(
                "{} is a workspace now, with {} files. Next: `rem import auto PATH` or `rem status`.",
                root.display(),
                outcome.files.len()
            )
        } else if outcome.files.is_empty() {
            format!("{} is a workspace already; nothing was missing.", root.display())
        } else {
            format!(
                "{} is a workspace already; {} missing files were made again.",
                root.display(),
                outcome.files.len()
            )
        }
    })
}
