//! `rem remember`

use anyhow::Result;
use rem_mind::stores::router::StoreKind;
use rem_mind::stores::{Effect, RememberOutcome, RememberRequest};

use super::{name, text_or_stdin};
use crate::arguments::Arguments;
use crate::printer::Printer;

/// Remember a statement
///
/// It goes where it belongs: MEMORY.md, the day's episodes, an entity of the knowledge graph, a procedure, or the vault. What
/// is known already is strengthened; what it contradicts is replaced and stays readable with its dates.
#[derive(Debug, clap::Args)]
pub(crate) struct RememberArgs {
    /// The statement, or - for standard input
    #[arg(allow_hyphen_values = true)]
    text: String,
    /// Where it goes, instead of where its words say
    #[arg(long, value_name = "STORE", value_parser = store)]
    store: Option<StoreKind>,
    /// A label; may be given again
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Never to fade, and never to make room
    #[arg(long)]
    pin: bool,
    /// It was noticed in talk: kept only if there is something in it, and held less sure
    #[arg(long)]
    detected: bool,
    /// The session it came up in
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// For this person or group alone; may be given again
    #[arg(long = "for", value_name = "NAME", value_parser = name)]
    addressees: Vec<String>,
}

pub(super) fn store(word: &str) -> Result<StoreKind, String> {
    StoreKind::ALL.into_iter().find(|store| store.as_str() == word).ok_or_else(|| {
        let words: Vec<&str> = StoreKind::ALL.iter().map(|store| store.as_str()).collect();
        format!("the stores are {}", words.join(", "))
    })
}

pub(crate) fn run(args: &RememberArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let outcome = memory.remember(&RememberRequest {
        text: text_or_stdin(&args.text)?,
        store: args.store,
        tags: args.tags.clone(),
        pin: args.pin,
        detected: args.detected,
        relayed: false,
        session: args.session.clone(),
        addressees: args.addressees.clone(),
    })?;
    printer.answer(&outcome, || told(&outcome))
}

/// One line, and one more for each thing that changed beside it.
fn told(outcome: &RememberOutcome) -> String {
    let place = outcome.path.as_ref().map_or("", |path| path.as_str());
    let mut lines = match outcome.effect {
        Effect::Nothing if outcome.echo => "Nothing new: the memory handed that out itself.".to_owned(),
        Effect::Nothing if outcome.id.is_empty() => "Nothing to remember in it.".to_owned(),
        Effect::Nothing => format!("Known already: {} in {place}", outcome.id),
        Effect::Added => format!("Remembered {} in {place}  ({})", outcome.id, outcome.change),
        Effect::Merged if outcome.elsewhere => {
            format!("Known there already, and surer now: {} in {place}  ({})", outcome.id, outcome.change)
        }
        Effect::Merged => {
            format!("Known already, and surer now: {} in {place}  ({})", outcome.id, outcome.change)
        }
        Effect::Replaced => format!("Remembered {} in {place}  ({})", outcome.id, outcome.change),
    };
    if let Some(old) = &outcome.replaced {
        lines.push_str(&format!("\n  instead of: {old}"));
    }
    for id in &outcome.revived {
        lines.push_str(&format!("\n  begun anew, since it had been forgotten: {id}"));
    }
    for text in &outcome.demoted {
        lines.push_str(&format!("\n  made room: {text}"));
    }
    lines
}
