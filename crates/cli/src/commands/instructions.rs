//! `rem instructions`

use anyhow::Result;
use rem_mind::agents::Audience;
use serde_json::json;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Print what an agent is to be told of this memory
///
/// `agents` is a section for the host's AGENTS.md, `skill` a SKILL.md, `sub` what a sub-agent's prompt needs, the others prompts of roles. All
/// say the places and numbers that hold in this workspace. Nothing is written: put the text where the host reads it. Examples:
///   rem instructions agents >> AGENTS.md
///   rem instructions sub
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct InstructionsArgs {
    /// agents, skill, sub, memory-miner, soul-keeper, recall-validator, conflict-detector or memory-compactor
    #[arg(value_name = "WHOM", value_parser = audience)]
    audience: Audience,
}

fn audience(word: &str) -> Result<Audience, String> {
    Audience::ALL.into_iter().find(|audience| audience.as_str() == word).ok_or_else(|| {
        let words: Vec<&str> = Audience::ALL.iter().map(|audience| audience.as_str()).collect();
        format!("there are instructions for {}", words.join(", "))
    })
}

pub(crate) fn run(args: &InstructionsArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let text = arguments.open_quietly()?.instructions(args.audience);
    printer.answer(&json!({ "for": args.audience.as_str(), "text": text }), || text.clone())
}
