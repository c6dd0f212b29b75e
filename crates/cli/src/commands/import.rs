//! `rem import`

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use rem_mind::import::Format;

use crate::arguments::Arguments;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Take in sessions of an agent or a chat export
///
/// Running it again adds nothing; a session that has grown gets only what is new. Secrets are hidden first, reasoning is left
/// out, broken records are reported and passed over.
#[derive(Debug, clap::Args)]
pub(crate) struct ImportArgs {
    /// What it is; auto looks at the contents
    format: Source,
    /// A file or a folder, such as ~/.claude/projects or conversations.json
    path: PathBuf,
}

/// The formats by their names.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Source {
    Auto,
    ClaudeCode,
    Codex,
    Openclaw,
    Gemini,
    Chatgpt,
    ClaudeAi,
}

pub(crate) fn run(args: &ImportArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let format = match args.format {
        // The two stores of OpenClaw are told apart by their contents.
        Source::Auto | Source::Openclaw => None,
        Source::ClaudeCode => Some(Format::ClaudeCode),
        Source::Codex => Some(Format::Codex),
        Source::Gemini => Some(Format::Gemini),
        Source::Chatgpt => Some(Format::ChatGpt),
        Source::ClaudeAi => Some(Format::ClaudeAi),
    };
    let memory = arguments.open()?;
    let mut progress = Progress::new("importing", Unit::Bytes);
    let outcome = memory.import(&args.path, format, &mut |done, total| progress.set(done, total))?;
    drop(progress);
    printer.answer(&outcome, || {
        let mut text = format!(
            "{} new sessions, {} grown, {} unchanged: {} turns added\n",
            outcome.new_sessions, outcome.grown_sessions, outcome.unchanged_sessions, outcome.turns_added
        );
        if outcome.echoes > 0 {
            text.push_str(&format!(
                "left out of {} turns: what the memory had handed out itself\n",
                outcome.echoes
            ));
        }
        if !outcome.redacted.is_empty() {
            let rules: Vec<String> =
                outcome.redacted.iter().map(|(rule, turns)| format!("{rule} in {turns} turns")).collect();
            text.push_str(&format!("hidden: {}\n", rules.join(", ")));
        }
        if outcome.skipped_total > 0 {
            text.push_str(&format!(
                "{} records could not be read and were passed over:\n",
                outcome.skipped_total
            ));
            for (place, reason) in outcome.skipped.iter().take(5) {
                text.push_str(&format!("  {place}: {reason}\n"));
            }
        }
        text
    })
}
