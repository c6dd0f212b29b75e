//! `rem trust`

use anyhow::Result;
use rem_mind::{Memory, Trust};

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Let this workspace's CONFIG.md run commands and reach other machines
///
/// CONFIG.md travels with the workspace, and whoever wrote it may be somebody else: what it names outside of the workspace is not
/// used before you allow it. This shows all of it, with the workspace's own prompts, and asks. What you allow is remembered in
/// your own state folder; when one of these settings or prompts changes, the workspace is untrusted again. Examples:
///   rem trust            show what is wanted, and ask
///   rem trust --show     show it, and change nothing
///   rem trust --revoke
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TrustArgs {
    /// Show what is wanted and whether it is allowed, and change nothing
    #[arg(long, conflicts_with_all = ["revoke", "yes"])]
    show: bool,
    /// Take it back
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
    /// Allow it without a question
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(args: &TrustArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    if args.revoke {
        let was_trusted = memory.revoke_trust()?;
        return printer.answer(&memory.trust(), || {
            let what =
                if was_trusted { "This workspace is no longer trusted." } else { "Nobody had trusted it." };
            format!("{what}{}", by_surroundings(&memory.trust()))
        });
    }
    let trust = memory.trust();
    let wants_nothing = trust.settings.is_empty() && trust.prompts.is_empty();
    let is_decided = args.show || wants_nothing || trust.by == Some("person");
    if is_decided {
        return printer.answer(&trust, || shown(&trust));
    }
    memory.only_a_person("trusting a workspace")?;
    if !args.yes && !asked(&trust, printer)? {
        return Err(Hinted::refused(
            "the workspace is not trusted",
            "nothing was changed; `rem trust` asks again",
        )
        .into());
    }
    allow(&memory, printer)
}

fn allow(memory: &Memory, printer: &Printer) -> Result<()> {
    memory.trust_workspace()?;
    let trust = memory.trust();
    printer.answer(&trust, || {
        format!("{}\nThis workspace is trusted with that, until one of it changes.\n", wanted(&trust))
    })
}

/// Shows what is wanted and asks the person at the terminal.
fn asked(trust: &Trust, printer: &Printer) -> Result<bool> {
    if printer.is_json() || !environment::is_asked_by_a_person() {
        return Err(Hinted::usage(
            "there is no terminal to ask a person at",
            "look at `rem trust --show`; `rem trust --yes` allows it without a question",
        )
        .into());
    }
    printer.note(&wanted(trust));
    printer.question("Allow this? [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn shown(trust: &Trust) -> String {
    let state = match (trust.by, &trust.since, trust.changed.is_empty()) {
        (Some("person"), Some(since), _) => format!("Trusted since {since}.\n"),
        (Some(_), ..) => by_surroundings(trust),
        (None, Some(since), false) => {
            format!(
                "Trusted on {since}, and no longer: {} changed. `rem trust` asks.\n",
                trust.changed.join(", ")
            )
        }
        _ if trust.settings.is_empty() && trust.prompts.is_empty() => String::new(),
        _ => "Not trusted. `rem trust` asks.\n".to_owned(),
    };
    format!("{}{state}", wanted(trust))
}

fn by_surroundings(trust: &Trust) -> String {
    match trust.by {
        Some("surroundings") => "REM_TRUST_PROVIDERS=1 allows everything here.\n".to_owned(),
        _ => String::new(),
    }
}

/// What the workspace wants, with what changed marked.
fn wanted(trust: &Trust) -> String {
    if trust.settings.is_empty() && trust.prompts.is_empty() {
        return format!("{} wants nothing that needs trust.\n", trust.workspace);
    }
    let mut text = format!("{} wants this:\n", trust.workspace);
    let changed = |name: &str| {
        let is_changed = trust.changed.iter().any(|changed| changed == name);
        if is_changed && trust.since.is_some() { "  (changed)" } else { "" }
    };
    for (name, value) in &trust.settings {
        // As JSON: no character of a value moves the cursor.
        text.push_str(&format!("  {name}: {value}{}\n", changed(name)));
    }
    for prompt in &trust.prompts {
        text.push_str(&format!("  {}: what a model is asked{}\n", prompt.escape_debug(), changed(prompt)));
    }
    text
}
