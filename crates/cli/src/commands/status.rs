//! `rem status`

use anyhow::Result;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Show what the memory holds and what waits for you
#[derive(Debug, clap::Args)]
pub(crate) struct StatusArgs {}

pub(crate) fn run(_args: &StatusArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let status = arguments.open_quietly()?.catch_up_and_status()?;
    printer.answer(&status, || {
        let mut text = format!("Workspace  {}\n", status.workspace);
        let tiers: Vec<String> = status.tiers.iter().map(|(tier, files)| format!("{tier} {files}")).collect();
        text.push_str(&format!("Tiers      {}\n", tiers.join(", ")));
        let stores: Vec<String> =
            status.stores.iter().map(|(store, files)| format!("{store} {files}")).collect();
        text.push_str(&format!("Stores     {}\n", stores.join(", ")));
        text.push_str(&format!(
            "Sessions   {} closed, {} open\n",
            status.transcripts.closed, status.transcripts.open
        ));
        text.push_str(&match status.index.present {
            true => format!("Index      {} KB\n", status.index.bytes / 1024),
            false => "Index      none yet; the first search makes it\n".to_owned(),
        });
        let head = status.git.head.as_deref().map_or("no commit", |head| &head[..10.min(head.len())]);
        text.push_str(&format!(
            "Git        {} at {head}\n",
            status.git.branch.as_deref().unwrap_or("detached")
        ));
        for context in &status.contexts {
            let session = context
                .session
                .as_deref()
                .map_or("no session".to_owned(), |session| session.escape_debug().to_string());
            text.push_str(&format!(
                "Context    {} of {} tokens, {} pieces, {} left out ({session}, {})\n",
                context.tokens, context.budget, context.items, context.dropped, context.time
            ));
        }
        text.push_str(&match (&status.models.cheap, &status.models.strong, &status.models.why) {
            (Some(cheap), Some(strong), _) if cheap == strong => format!("Models     {cheap}\n"),
            (Some(cheap), Some(strong), _) => format!("Models     {cheap}, {strong} for writing\n"),
            (.., why) => format!("Models     rules alone: {}\n", why.as_deref().unwrap_or("nobody is named")),
        });
        if let Some(why) = &status.models.rests {
            text.push_str(&format!("           left alone, the rules answer: {why}\n"));
        }
        if status.trusted == Some(false) {
            text.push_str("Trust      CONFIG.md wants what nobody allowed: `rem trust`\n");
        }
        if status.pending.reflection {
            text.push_str("Reflection waits for your answer: `rem reflect review`\n");
        }
        if status.pending.proposals > 0 {
            text.push_str(&format!("Proposals  {}: `rem proposals review`\n", status.pending.proposals));
        }
        if status.pending.conflicts > 0 {
            text.push_str(&format!("Conflicts  {}: `rem conflicts list`\n", status.pending.conflicts));
        }
        if status.pending.unsigned > 0 {
            text.push_str(&format!("Unsigned   {}: `rem operator show`\n", status.pending.unsigned));
        }
        if status.pending.identity > 0 {
            text.push_str(&format!("Identity   {}: `rem identity review`\n", status.pending.identity));
        }
        if status.pending.alerts > 0 {
            text.push_str(&format!("Alerts     {}: `rem audit alerts`\n", status.pending.alerts));
        }
        text
    })
}
