//! `rem corrections`

use anyhow::Result;
use rem_mind::identity::{CorrectRequest, CorrectionOutcome, CorrectionShown, Validation, Verdict};

use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::printer::Printer;

/// What was remembered wrongly, and what is right
///
/// A correction is written into CORRECTIONS.md and made good wherever the memory says what is wrong, in one change; what was wrong stays
/// readable there. It helps recall at once; the identity may learn from it when its rest is over.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum CorrectionsCommand {
    /// The corrections, and how far each is
    List,
    /// Correct something
    Add {
        /// What is right
        right: String,
        /// What was said or remembered wrongly
        #[arg(long, value_name = "TEXT")]
        wrong: Option<String>,
        /// The session it came up in
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
    /// Hold a message against what the agent said and what is stored, and correct what it contradicts
    Check {
        /// The message, or `-` to read it from standard input
        message: String,
        /// The open session that it is part of
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Only show what would be corrected
        #[arg(long)]
        dry_run: bool,
    },
    /// Move old and retracted corrections into their archive
    Archive,
}

pub(crate) fn run(command: &CorrectionsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        CorrectionsCommand::List => {
            let all = memory.corrections()?;
            printer.answer(&all, || match all.is_empty() {
                true => "Nothing was corrected yet.".to_owned(),
                false => all.iter().map(line).collect::<Vec<_>>().join("\n"),
            })
        }
        CorrectionsCommand::Add { right, wrong, session } => {
            let request = CorrectRequest {
                wrong: wrong.clone(),
                right: right.clone(),
                session: session.clone(),
                ..CorrectRequest::default()
            };
            let outcome = memory.correct(&request)?;
            printer.answer(&outcome, || corrected(&outcome))
        }
        CorrectionsCommand::Check { message, session, dry_run } => {
            let message = text_or_stdin(message)?;
            let validation = memory.validate_recall(&message, session.as_deref(), *dry_run)?;
            printer.answer(&validation, || told(&validation))
        }
        CorrectionsCommand::Archive => {
            let archived = memory.archive_corrections()?;
            printer.answer(&archived, || match archived.moved.len() {
                0 => "No correction is old enough.".to_owned(),
                count => format!("{count} moved into the archive  ({})", archived.change),
            })
        }
    }
}

fn line(correction: &CorrectionShown) -> String {
    let CorrectionShown { id, status, logged, wrong, right, .. } = correction;
    let status = format!("{status:?}").to_lowercase();
    let wrong = if wrong.is_empty() { String::new() } else { format!("  (not: {wrong})") };
    format!("{id}  {status:<10}  {logged}  {right}{wrong}")
}

fn corrected(outcome: &CorrectionOutcome) -> String {
    let mut lines: Vec<String> =
        outcome.corrected.iter().map(|place| format!("{}  said: {}", place.path, place.was)).collect();
    lines.extend(outcome.waiting.iter().map(|place| {
        format!("{}  still says: {}  (it waits for you: `rem conflicts list`)", place.path, place.was)
    }));
    lines.push(format!("{} written down  ({})", outcome.id, outcome.change));
    lines.join("\n")
}

fn told(validation: &Validation) -> String {
    let of = |text: &Option<String>| text.clone().unwrap_or_default();
    match (validation.verdict, &validation.correction) {
        (Verdict::NoTrigger, _) => "It says of nothing that it was remembered wrongly.".to_owned(),
        (Verdict::NothingContradicted | Verdict::Unjudged, _) => {
            format!("{:?} contradicts nothing that was said or is stored.", validation.trigger)
        }
        (Verdict::HandedOn, _) => {
            format!("{:?} is about a tool or a skill, and was handed on.", validation.trigger)
        }
        (Verdict::Corrected, None) => {
            format!("would be corrected: {}\nto: {}", of(&validation.wrong), of(&validation.right))
        }
        (Verdict::Corrected, Some(outcome)) => {
            format!(
                "wrong: {}\nright: {}\n{}",
                of(&validation.wrong),
                of(&validation.right),
                corrected(outcome)
            )
        }
    }
}
