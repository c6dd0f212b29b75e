//! `rem observe`

use anyhow::Result;
use clap::ValueEnum;
use rem_format::transcript::Role;
use rem_mind::attention::{Observation, Observed};
use rem_mind::identity::Validation;

use super::context::Kind;
use super::{OnBehalfOf, text_or_stdin};
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// The whole loop for one message of a session
///
/// Captures it, tells what it asks of the memory and which topics it makes active, and prints the context for the answer. Of the
/// agent's own words it notes what they used and what its watchers have to say on the next turn. Example:
///   rem observe --session s1 --role user "how do we deploy?"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct ObserveArgs {
    /// The message, or - for standard input
    text: String,
    /// The session
    #[arg(long, value_name = "ID")]
    session: String,
    /// Who says it
    #[arg(long, value_enum, default_value_t = Speaker::User)]
    role: Speaker,
    /// A path that a tool call beside the message names; may be repeated
    #[arg(long = "tool-path", value_name = "PATH")]
    tool_paths: Vec<String>,
    /// Who listens: in a shared session core memory and the operator's profile stay private
    #[arg(long, value_enum, default_value_t = Kind::Main)]
    kind: Kind,
    #[command(flatten)]
    on_behalf_of: OnBehalfOf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Speaker {
    User,
    Agent,
    System,
}

pub(crate) fn run(args: &ObserveArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let text = text_or_stdin(&args.text)?;
    let role = match args.role {
        Speaker::User => Role::User,
        Speaker::Agent => Role::Agent,
        Speaker::System => Role::System,
    };
    let observation = Observation {
        tool_paths: &args.tool_paths,
        asking: args.on_behalf_of.asking(),
        audience: args.kind.audience(),
        ..Observation::new(&args.session, role, &text)
    };
    let observed = memory.observe(&observation, &memory.gate(), environment::system_time())?;
    printer.answer(&observed, || shown(&observed))?;
    if observed.correction.as_ref().is_some_and(Validation::is_unjudged) {
        memory.judge_recall(&text, &args.session);
    }
    Ok(())
}

fn shown(observed: &Observed) -> String {
    let mut text = String::new();
    for found in &observed.triage.matches {
        text.push_str(&format!("{}: {}\n", found.family.as_str(), found.text));
    }
    for topic in observed.topics.iter().filter(|topic| topic.active) {
        text.push_str(&format!("topic: {}\n", topic.name));
    }
    for hint in &observed.hints {
        text.push_str(&format!("hint: {hint}\n"));
    }
    if let Some(context) = &observed.context {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&context.text);
    }
    text
}
