//! `rem completions`

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Low;
use crate::printer::Printer;

/// Print completions for a shell
///
/// For bash: rem completions bash > ~/.local/share/bash-completion/completions/rem
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, printer: &Printer) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Low::command(), "rem", &mut script);
    printer.bytes(&script)
}
