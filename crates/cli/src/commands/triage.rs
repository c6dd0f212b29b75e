//! `rem triage`

use anyhow::Result;
use rem_mind::attention::topics::Side;
use rem_mind::attention::triage::Triage;

use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::printer::Printer;

/// Say what a message seems to ask of the memory
///
/// By patterns alone, and nothing is written: to remember, to forget, to go over what is known, a question about it, or a sign
/// that something was not remembered. A trigger is a candidate, never a verdict.
///
/// Example: rem triage "Remember that the key is under the mat"
#[derive(Debug, clap::Args)]
pub(crate) struct TriageArgs {
    /// The message, or - for standard input
    text: String,
    /// Whose words they are: a message to the agent, or the agent's own, on which custom patterns alone fire
    #[arg(long, value_name = "SIDE", default_value = "input", value_parser = ["input", "output"])]
    side: String,
}

pub(crate) fn run(args: &TriageArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let side = if args.side == "output" { Side::Output } else { Side::Input };
    let triage = arguments.open()?.triage(&text_or_stdin(&args.text)?, side)?;
    printer.answer(&triage, || told(&triage))
}

/// One line for each trigger: its family, the words, what they refer to.
fn told(triage: &Triage) -> String {
    if triage.is_empty() {
        return "Nothing in it for the memory.".to_owned();
    }
    let line = |found: &rem_mind::attention::triage::Match| {
        let about = if found.about.is_empty() { String::new() } else { format!("  about: {}", found.about) };
        format!("{}  “{}”{about}", found.family.as_str(), found.text)
    };
    triage.matches.iter().map(line).collect::<Vec<_>>().join("\n")
}
