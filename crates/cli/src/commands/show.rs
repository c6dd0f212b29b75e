//! `rem show`, `rem pin`, `rem unpin`

use anyhow::Result;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Show a memory as it stands in its file
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The memory's id, as `rem recall --json` and `rem remember` give it
    id: String,
}

/// Keep a memory from fading and from making room
#[derive(Debug, clap::Args)]
pub(crate) struct PinArgs {
    /// The memory's id
    id: String,
}

pub(crate) fn run(args: &ShowArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let shown = arguments.open()?.show(&args.id)?;
    printer.answer(&shown, || {
        let pinned = if shown.pinned { "  pinned" } else { "" };
        format!("{}:{}-{}{pinned}\n\n{}", shown.path, shown.start_line, shown.end_line, shown.text)
    })
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
