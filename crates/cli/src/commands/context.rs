//! `rem context`

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use rem_format::config::ContextPreset;
use rem_mind::attention::{Audience, CompiledContext, ContextQuery, Overrides, Receipt, parse_history};

use super::{OnBehalfOf, text_or_stdin};
use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Compile what the agent should see before it answers
///
/// Identity, operator, core memory, active topics, recent days and what the message recalls, within a budget of tokens. Topics are active
/// that --topic names; without it, those that the message makes active without a model being asked. Examples:
///   rem context "how do we deploy" --budget 4000
///   rem context "how do we deploy" --receipt why.json
///   rem context replay why.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct ContextArgs {
    #[command(subcommand)]
    action: Option<ContextAction>,
    /// The message, or - for standard input; without one nothing is recalled
    #[arg(default_value = "")]
    message: String,
    /// The table of slots [default: context.preset]
    #[arg(long, value_enum)]
    preset: Option<Preset>,
    /// All slots together, in tokens
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
    /// The model's context window, in tokens
    #[arg(long, value_name = "TOKENS")]
    window: Option<usize>,
    /// What the host's own system prompt takes of the window, in tokens
    #[arg(long, value_name = "TOKENS")]
    system_tokens: Option<usize>,
    /// Who listens: in a shared session core memory stays private
    #[arg(long, value_enum, default_value_t = Kind::Main)]
    kind: Kind,
    /// The session it is for: what is handed out is noted, so that it is not learned again when it comes back
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[command(flatten)]
    on_behalf_of: OnBehalfOf,
    /// A topic that is active, whatever the message says; may be repeated [default: those that the message makes active]
    #[arg(long = "topic", value_name = "NAME")]
    topics: Vec<String>,
    /// Earlier turns of the session: a JSON array of messages with role and content, or one message a line
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Write what went in and what was left out, enough to make the context again; - for standard output instead of the context
    #[arg(long, value_name = "FILE")]
    receipt: Option<PathBuf>,
    /// Text for the model, or everything as JSON
    #[arg(long, value_enum, default_value_t = Format::Markdown)]
    format: Format,
}

#[derive(Debug, clap::Subcommand)]
enum ContextAction {
    /// Make the context of a receipt again, byte for byte, from history
    Replay {
        /// The receipt
        file: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Preset {
    Standard,
    #[value(name = "v4.1")]
    V41,
    Compiler,
}

/// Who listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Main,
    Shared,
}

impl Kind {
    pub(crate) fn audience(self) -> Audience {
        match self {
            Self::Main => Audience::Main,
            Self::Shared => Audience::Shared,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Markdown,
    Json,
}

pub(crate) fn run(args: &ContextArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    if let Some(ContextAction::Replay { file }) = &args.action {
        let receipt: Receipt = serde_json::from_str(&read(file)?)
            .with_context(|| format!("{} is no receipt of a context", file.display()))?;
        let text = memory.replay(&receipt)?;
        return printer.answer(&serde_json::json!({ "text": text }), || text.clone());
    }
    let topics = memory.topics()?;
    if let Some(unknown) = args.topics.iter().find(|name| topics.get(name).is_none()) {
        let message = format!("there is no topic {unknown} that can be used");
        return Err(Hinted::usage(
            message,
            "`rem topics list` shows them, `rem topics check` what is wrong with files",
        )
        .into());
    }
    let overrides = Overrides {
        preset: args.preset.map(|preset| match preset {
            Preset::Standard => ContextPreset::Standard,
            Preset::V41 => ContextPreset::V4_1,
            Preset::Compiler => ContextPreset::Compiler,
        }),
        budget: args.budget,
        window: args.window,
        system_tokens: args.system_tokens,
    };
    let audience = args.kind.audience();
    let message = text_or_stdin(&args.message)?;
    let now = environment::system_time();
    let session = args.session.as_deref().filter(|session| !session.is_empty());
    if let Some(file) = &args.receipt {
        refuse_other_than_receipt(file)?;
    }
    let topics = match args.topics.is_empty() {
        true => memory.topics_of(&message, now)?,
        false => args.topics.clone(),
    };
    let summarizes = memory.config().context.summarize_tool_results;
    let history =
        args.history.as_deref().map(|file| Ok::<_, anyhow::Error>(parse_history(&read(file)?, summarizes)?));
    let history = history.transpose()?;
    let query = ContextQuery {
        message: &message,
        session,
        asking: args.on_behalf_of.asking(),
        audience,
        overrides,
        topics: &topics,
        history: history.as_deref(),
        condensed: 0,
        most_units: None,
    };
    let context = memory.context(&query, now)?;
    if args.receipt.is_some() || session.is_some() {
        let receipt = memory.receipt(&query, &context)?;
        if let Some(file) = &args.receipt {
            let json = serde_json::to_string_pretty(&receipt)?;
            if file.as_os_str() == "-" {
                return printer.text(&json);
            }
            write(file, &json)?;
        }
        if session.is_some() {
            memory.keep_receipt(&receipt)?;
        }
    }
    if args.format == Format::Json || printer.is_json() {
        let json = serde_json::to_string(&context)?;
        return printer.text(&json);
    }
    printer.text(&context.text)
}

/// A receipt takes the place of a receipt, and of nothing else.
fn refuse_other_than_receipt(file: &Path) -> Result<()> {
    let Ok(there) = std::fs::read(file) else { return Ok(()) };
    let is_receipt = there.trim_ascii().is_empty() || serde_json::from_slice::<Receipt>(&there).is_ok();
    match is_receipt {
        true => Ok(()),
        false => Err(Hinted::usage(
            format!("{} holds something else than a receipt", file.display()),
            "name a new file",
        )
        .into()),
    }
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("could not read {}", file.display()))
}

#[allow(clippy::disallowed_methods, reason = "a file that the user names, never a memory")]
fn write(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("could not write {}", file.display()))
}

/// What went in and what was left out, for a person.
pub(crate) fn receipt(context: &CompiledContext) -> String {
    let mut text = format!("{} of {} tokens\n", context.tokens, context.budget);
    for slot in context.slots.iter().filter(|slot| !slot.items.is_empty() || !slot.dropped.is_empty()) {
        text.push_str(&format!("  {:<12} {:>5} of {:>5} tokens\n", slot.name, slot.used, slot.budget));
        for item in &slot.items {
            text.push_str(&format!(
                "    + {:>5}  {}:{}-{}  ({})\n",
                item.tokens, item.path, item.start_line, item.end_line, item.why
            ));
        }
        for dropped in &slot.dropped {
            text.push_str(&format!("    - {:>5}  {}  ({})\n", dropped.tokens, dropped.path, dropped.why));
        }
    }
    text
}
