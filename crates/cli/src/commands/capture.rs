//! `rem capture`

use anyhow::Result;
use jiff::Timestamp;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};
use rem_mind::Memory;
use rem_mind::transcripts::{SessionEnd, SessionStart};

use super::context::Kind;
use super::{OnBehalfOf, text_or_stdin};
use crate::arguments::Arguments;
use crate::printer::Printer;

/// Write a conversation down as it happens
///
/// Each call is on disk when it returns. Secrets are hidden first. A session that nobody writes to for
/// transcripts.idle_close_hours is closed by itself.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum CaptureCommand {
    /// Open a session
    Start {
        /// The session's id
        #[arg(long, value_name = "ID")]
        session: String,
        /// The model that answers
        #[arg(long)]
        model: Option<String>,
        /// Where it takes place
        #[arg(long)]
        channel: Option<String>,
        /// What it is about
        #[arg(long)]
        topic: Option<String>,
        /// Who listens: nothing is learned from a shared session
        #[arg(long, value_enum, default_value_t = Kind::Main)]
        kind: Kind,
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
    /// Append a message; the session is opened if need be
    Message {
        #[command(flatten)]
        place: Place,
        /// Who speaks: user, agent or system
        #[arg(long, value_parser = role)]
        role: Role,
        /// What is said, or - for standard input
        text: String,
    },
    /// Append a tool call, one line of it
    Tool {
        #[command(flatten)]
        place: Place,
        /// The tool
        #[arg(long)]
        name: String,
        /// What came back, in short
        #[arg(long, default_value = "")]
        result: String,
        /// What it was asked, in short
        summary: String,
    },
    /// Note that a knowledge file changed
    Memory {
        #[command(flatten)]
        place: Place,
        /// What happened to it: updated, appended, created
        #[arg(long, default_value = "updated")]
        action: String,
        /// The file
        #[arg(long)]
        path: String,
        /// What changed
        summary: String,
    },
    /// Close a session: it becomes read-only and is committed
    End {
        /// The session's id
        #[arg(long, value_name = "ID")]
        session: String,
        /// What it was about
        #[arg(long)]
        topic: Option<String>,
        /// A label; may be given again
        #[arg(long = "tag", value_name = "TAG")]
        tags: Vec<String>,
        /// Tokens read by the model
        #[arg(long, default_value_t = 0)]
        tokens_in: u64,
        /// Tokens written by the model
        #[arg(long, default_value_t = 0)]
        tokens_out: u64,
    },
}

/// Where and when.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// The session's id
    #[arg(long, value_name = "ID")]
    session: String,
    /// When [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<Timestamp>,
}

fn role(text: &str) -> Result<Role, String> {
    match text {
        "user" => Ok(Role::User),
        "agent" | "assistant" => Ok(Role::Agent),
        "system" => Ok(Role::System),
        other => Err(format!("{other:?} is no role: user, agent or system")),
    }
}

pub(crate) fn run(command: &CaptureCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    // Not catching up: a message must not wait for anything else.
    let memory = arguments.open_quietly()?;
    let turn = |place: &Place, role, kind, part| Turn {
        time: place.at.unwrap_or_else(|| memory.now()),
        role,
        kind,
        body: vec![part],
    };
    match command {
        CaptureCommand::Start { session, model, channel, topic, kind, on_behalf_of } => {
            let start = SessionStart {
                session: session.clone(),
                model: model.clone(),
                channel: channel.clone(),
                topic: topic.clone(),
                is_shared: *kind == Kind::Shared,
                on_behalf_of: on_behalf_of.asking().names().map(str::to_owned).collect(),
                ..SessionStart::default()
            };
            captured(&memory.start_session(&start)?, printer)
        }
        CaptureCommand::Message { place, role, text } => {
            let part = TurnPart::Text(text_or_stdin(text)?);
            append(&memory, place, &turn(place, *role, TurnKind::Message, part), printer)
        }
        CaptureCommand::Tool { place, name, result, summary } => {
            let part = TurnPart::Tool {
                name: name.clone(),
                summary: text_or_stdin(summary)?,
                result: result.clone(),
            };
            append(&memory, place, &turn(place, Role::Agent, TurnKind::Message, part), printer)
        }
        CaptureCommand::Memory { place, action, path, summary } => {
            let part = TurnPart::Knowledge {
                action: action.clone(),
                path: path.clone(),
                summary: text_or_stdin(summary)?,
            };
            append(&memory, place, &turn(place, Role::Agent, TurnKind::Memory, part), printer)
        }
        CaptureCommand::End { session, topic, tags, tokens_in, tokens_out } => {
            let end = SessionEnd {
                topic: topic.clone(),
                tags: tags.clone(),
                tokens_in: *tokens_in,
                tokens_out: *tokens_out,
                ..SessionEnd::default()
            };
            let applied = memory.end_session(session, &end)?;
            memory.mine_ended(session);
            printer.answer(&applied, || {
                let path = applied.files.first().map_or("", |file| file.path.as_str());
                format!("{} closed: {path}", applied.change)
            })
        }
    }
}

fn append(memory: &Memory, place: &Place, turn: &Turn, printer: &Printer) -> Result<()> {
    captured(&memory.capture(&place.session, turn)?, printer)
}

fn captured(captured: &rem_mind::transcripts::Captured, printer: &Printer) -> Result<()> {
    printer.answer(captured, || {
        let echo = if captured.echo { " (left out: what the memory had handed out itself)" } else { "" };
        match captured.redacted.as_slice() {
            [] => format!("{}{echo}", captured.path),
            rules => format!("{} (hidden: {}){echo}", captured.path, rules.join(", ")),
        }
    })
}
