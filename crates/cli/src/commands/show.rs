//! `rem show`, `rem pin`, `rem unpin`

use anyhow::Result;

use rem_mind::stores::{Located, StandingShown};

use super::OnBehalfOf;
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Show a memory as it stands in its file
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The memory's id, as `rem recall --json` and `rem remember` give it, or a place as the label of a context gives it: PATH:FIRST-LAST
    id: String,
    #[command(flatten)]
    on_behalf_of: OnBehalfOf,
}

/// Keep a memory from fading and from making room
#[derive(Debug, clap::Args)]
pub(crate) struct PinArgs {
    /// The memory's id
    id: String,
}

pub(crate) fn run(args: &ShowArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let shown = memory.show_to(&args.on_behalf_of.asking(), &args.id, environment::system_time())?;
    printer.answer(&shown, || {
        let Located { path, start_line, end_line, pinned, text, .. } = &shown.located;
        let pinned = if *pinned { "  pinned" } else { "" };
        let standing = shown.standing.as_ref().map(told).unwrap_or_default();
        format!("{path}:{start_line}-{end_line}{pinned}{standing}\n\n{text}")
    })
}

fn told(standing: &StandingShown) -> String {
    let times = if standing.accesses == 1 { "once" } else { &format!("{} times", standing.accesses) };
    let last = standing.last_accessed.as_ref().map(|day| format!(", last on {day}")).unwrap_or_default();
    let sure = standing.confidence.map(|sure| format!(", confidence {sure:.2}")).unwrap_or_default();
    format!("  {} ({:.2}), used {times}{last}{sure}", standing.status.as_str(), standing.relevance)
}

pub(crate) fn pin(args: &PinArgs, pinned: bool, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let applied = arguments.open()?.pin(&args.id, pinned)?;
    printer.answer(&applied, || match (applied.change.as_str(), pinned) {
        ("", true) => format!("{} is pinned already", args.id),
        ("", false) => format!("{} is not pinned", args.id),
        (change, true) => format!("Pinned {}  ({change})", args.id),
        (change, false) => format!("No longer pinned: {}  ({change})", args.id),
    })
}
