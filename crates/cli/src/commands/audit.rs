//! `rem audit`

use anyhow::Result;
use rem_format::audit::{Action, AuditLine};
use rem_mind::ledger::AuditQuery;
use serde_json::json;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Ask who changed what, when and why
///
/// Examples:
///   rem audit --tail 20                          what changed recently
///   rem audit --action ARCHIVE,DECAY --grep tea  why was this forgotten
///   rem audit --actor 'reflection:*'             what did reflection do
///   rem audit --file SOUL.md                     was this file ever changed
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct AuditArgs {
    #[command(subcommand)]
    command: Option<AuditCommand>,
    /// Only the last N lines
    #[arg(long, value_name = "N")]
    tail: Option<usize>,
    /// Only this actor; * stands for anything
    #[arg(long, value_name = "GLOB")]
    actor: Option<String>,
    /// Only these actions, separated by commas
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    action: Vec<Action>,
    /// Only this file, or what lies in this folder
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Not before this day or time
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only lines that hold this text
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum AuditCommand {
    /// Make the audit log anew from git
    Rebuild,
    /// Turn months before the retention window into digests
    Digest,
    /// Show alerts that nobody acknowledged: critical files changed, append-only files rewritten
    Alerts,
    /// Acknowledge the alerts of a file
    Acknowledge {
        /// The file
        file: String,
    },
}

pub(crate) fn run(args: &AuditArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let ledger = memory.ledger();
    match &args.command {
        None => {
            let since = args.since.as_deref().map(|since| memory.moment(since)).transpose()?;
            let query = AuditQuery {
                tail: args.tail,
                actor: args.actor.clone(),
                actions: args.action.clone(),
                file: args.file.clone(),
                since,
                contains: args.grep.clone(),
            };
            let lines = ledger.audit(&query)?;
            printer.answer(&lines, || render(&lines))
        }
        Some(AuditCommand::Rebuild) => {
            let lines = ledger.rebuild_audit()?;
            printer.answer(&json!({"lines": lines}), || format!("{lines} lines from git"))
        }
        Some(AuditCommand::Digest) => {
            let outcome = ledger.digest_audit()?;
            printer.answer(&outcome, || match outcome.months.as_slice() {
                [] => "No month is older than the retention window.".to_owned(),
                months => format!("{}: {} lines became digests", months.join(", "), outcome.lines),
            })
        }
        Some(AuditCommand::Alerts) => {
            let alerts = ledger.open_alerts()?;
            printer.answer(&alerts, || {
                if alerts.is_empty() { "No open alerts.".to_owned() } else { render(&alerts) }
            })
        }
        Some(AuditCommand::Acknowledge { file }) => {
            let applied = memory.acknowledge_alerts(file)?;
            printer.answer(&applied, || format!("{} acknowledged: {file}", applied.change))
        }
    }
}

fn render(lines: &[AuditLine]) -> String {
    lines.iter().map(|line| line.render() + "\n").collect()
}
