//! `rem operator`

use anyhow::{Context as _, Result};
use rem_format::path::MemoryPath;
use rem_mind::Memory;
use rem_mind::ledger::{Applied, Consent, ConsentFile, Signer, fingerprint, keys_of_agent};
use serde_json::json;

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;
use crate::signer::{self, AtTerminal, Keys};

/// Your key, and what only you may approve
///
/// With a key set up, changes of the identity (SOUL.md, IDENTITY.md, USER.md, AGENTS.md, TOOLS.md),
/// of the vault and of CONFIG.md, and approved reflections, carry your signature over exactly what
/// changes. You are shown it and asked at the terminal, where no agent can answer. What was changed
/// without you is named until you sign it or take it back. Examples:
///   rem operator init                  make a key with a passphrase, and approve what stands
///   rem operator init --ssh-agent      use an Ed25519 key of your ssh-agent
///   rem operator show                  how the approvals stand, with the difference of what lacks one
///   rem operator undo SOUL.md          back to what you signed last
///   rem operator sign SOUL.md          approve what you changed by hand
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum OperatorCommand {
    /// Set up your key, or another one
    Init {
        /// Use an Ed25519 key of your ssh-agent: the only one it has, or the one with this fingerprint
        #[arg(long, value_name = "FINGERPRINT", num_args = 0..=1, default_missing_value = "")]
        ssh_agent: Option<String>,
        /// Replace the key in force; its signature is asked for
        #[arg(long)]
        replace: bool,
        /// The key in force cannot sign any more: its passphrase is forgotten, or it is lost. That stays visible for good
        #[arg(long, requires = "replace")]
        forgotten: bool,
    },
    /// Show how the approvals stand, and what lacks one
    Show,
    /// Approve what stands in files now, though it was changed past you
    Sign {
        /// The files; all that lack your signature, where none is named
        files: Vec<String>,
    },
    /// Give files back what you signed last; what stands there now stays in history
    Undo {
        /// The files; all that lack your signature, where none is named
        files: Vec<String>,
    },
}

pub(crate) fn run(command: &OperatorCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_silently()?;
    match command {
        OperatorCommand::Init { ssh_agent, replace, forgotten } => {
            let wish = Wish { of_agent: ssh_agent.as_deref(), replaces: *replace, is_forgotten: *forgotten };
            init(&memory, &wish, printer)
        }
        OperatorCommand::Show => {
            let consent = memory.consent(true)?;
            let lacking = lacking(&memory, &consent)?;
            let differences: Vec<_> = lacking
                .iter()
                .map(|file| json!({"path": file.path, "difference": signer::difference(file)}))
                .collect();
            let mut shown = serde_json::to_value(&consent)?;
            shown["differences"] = differences.into();
            printer.answer(&shown, || text_of(&consent, &lacking))
        }
        OperatorCommand::Sign { files } => {
            let applied = memory.sign_files(&paths(files)?)?;
            printer.answer(&applied, || done(&applied, "signed what stands"))
        }
        OperatorCommand::Undo { files } => {
            let applied = memory.undo_unsigned(&paths(files)?)?;
            printer.answer(&applied, || done(&applied, "gave back what was signed last"))
        }
    }
}

/// Which key is wanted.
struct Wish<'a> {
    of_agent: Option<&'a str>,
    replaces: bool,
    is_forgotten: bool,
}

fn init(memory: &Memory, wish: &Wish<'_>, printer: &Printer) -> Result<()> {
    if !environment::is_asked_by_a_person() {
        return Err(Hinted::refused(
            "a key is set up by a person at a terminal",
            "run `rem operator init` yourself; an agent cannot",
        )
        .into());
    }
    let keys = environment::operator_keys()
        .context("there is no place to keep a key in: set HOME, or XDG_STATE_HOME")?;
    let in_force = memory.consent(false)?.key;
    match &in_force {
        Some(key) if !wish.replaces => {
            return Err(Hinted::usage(
                format!("there is a key already: {}", fingerprint(key)),
                "`rem operator init --replace` sets up another, with this one's signature",
            )
            .into());
        }
        None if wish.replaces => {
            return Err(Hinted::usage("there is no key to replace", "leave --replace out").into());
        }
        Some(key) if !wish.is_forgotten && !keys.has(key) => {
            return Err(Hinted::usage(
                format!("{} is not on this machine, so that it cannot sign for another", fingerprint(key)),
                "run this where it is; if it is lost or its passphrase forgotten, add --forgotten, which stays visible for good",
            )
            .into());
        }
        _ => {}
    }
    if wish.is_forgotten {
        let name = memory.ledger().root().file_name().unwrap_or_default().to_string_lossy().into_owned();
        let answer = signer::ask(&format!(
            "Everybody will see that the key was replaced without the one before it.\nType the name of the workspace ({name}) to go on: "
        ))?;
        if answer != name {
            return Err(Hinted::refused("the key stays as it is", "nothing was changed").into());
        }
    }
    let key = match wish.of_agent {
        Some(named) => of_agent(&keys, named)?,
        None => match keys.own()?.filter(|own| in_force.as_ref() != Some(own)) {
            Some(own) => own,
            None => keys.make(|| Ok(environment::random()?))?,
        },
    };
    let terminal = AtTerminal::new(keys.clone());
    let new = terminal.with_key(&key);
    let before: Option<&dyn Signer> = (in_force.is_some() && !wish.is_forgotten).then_some(&terminal);
    let applied = memory.set_up_operator(&key, &new, before)?;
    let place = match wish.of_agent {
        Some(_) => "ssh-agent keeps it".to_owned(),
        None => format!(
            "It is in {}: keep a copy elsewhere, and the passphrase in your head",
            keys.path(&key).display()
        ),
    };
    let answer = json!({
        "key": key, "fingerprint": fingerprint(&key), "file": wish.of_agent.is_none().then(|| keys.path(&key)),
        "change": applied.change,
    });
    printer.answer(&answer, || {
        format!(
            "{} set up {}. {place}.\nFrom now on identity, vault, CONFIG.md and approved reflections need your signature.\n",
            applied.change,
            fingerprint(&key)
        )
    })
}

/// The key of ssh-agent that is meant.
fn of_agent(keys: &Keys, named: &str) -> Result<String> {
    let no = |message: String, hint: &str| -> Result<String> { Err(Hinted::usage(message, hint).into()) };
    let Some(socket) = &keys.agent else {
        return no(
            "no ssh-agent is running".to_owned(),
            "start one: `eval $(ssh-agent)`; or leave --ssh-agent out",
        );
    };
    let mut found = keys_of_agent(socket)?;
    found.retain(|key| named.is_empty() || fingerprint(key) == named);
    match found.as_slice() {
        [key] => Ok(key.clone()),
        [] if named.is_empty() => no(
            "ssh-agent has no Ed25519 key".to_owned(),
            "`ssh-keygen -t ed25519` makes one, `ssh-add -c FILE` adds it so that it asks each time",
        ),
        [] => no(format!("ssh-agent has no Ed25519 key {named}"), "`ssh-add -l` lists what it has"),
        several => {
            let names: Vec<String> = several.iter().map(|key| fingerprint(key)).collect();
            no(format!("ssh-agent has several: {}", names.join(", ")), "name the one: --ssh-agent SHA256:…")
        }
    }
}

/// The files that lack a signature, as they were signed and as they are.
fn lacking(memory: &Memory, consent: &Consent) -> Result<Vec<ConsentFile>> {
    let ledger = memory.ledger();
    let file = |path: &MemoryPath| -> Result<ConsentFile> {
        let before = ledger.signed_contents(path)?;
        let after = match ledger.is_link(path) {
            true => Some(b"(a symbolic link, which is not followed)\n".to_vec()),
            false => ledger.read(path)?,
        };
        Ok(ConsentFile { path: path.clone(), before, after, holds_unsigned: false })
    };
    consent.unsigned.iter().map(file).collect()
}

fn text_of(consent: &Consent, lacking: &[ConsentFile]) -> String {
    let Some(fingerprint) = &consent.fingerprint else {
        let mut text = match (consent.flaws.is_empty(), consent.is_required) {
            (false, _) => "No key counts here.\n",
            (true, true) => {
                "No key was set up, and operator.require_signature is set: `rem operator init`.\n"
            }
            (true, false) => {
                "No key was set up: nothing needs your signature. `rem operator init` sets one up.\n"
            }
        }
        .to_owned();
        text.push_str(&flaws_of(consent));
        return text;
    };
    let known = match consent.is_known_here {
        true => "set up or used on this machine",
        false => "this machine knows it from the workspace alone",
    };
    let mut text = format!("Key        {fingerprint}, {known}\nApprovals  {}\n", consent.approvals);
    text.push_str(&flaws_of(consent));
    for note in &consent.notes {
        text.push_str(&format!("Note       {}\n", signer::visible(note)));
    }
    if lacking.is_empty() {
        text.push_str("Everything that needs your signature has it.\n");
        return text;
    }
    text.push_str("\nWithout your signature:\n\n");
    for file in lacking {
        text.push_str(&signer::difference(file));
    }
    text.push_str("\n`rem operator undo` takes it back, `rem operator sign` approves it.\n");
    text
}

fn flaws_of(consent: &Consent) -> String {
    consent.flaws.iter().map(|flaw| format!("Flaw       {}\n", signer::visible(flaw))).collect()
}

fn paths(files: &[String]) -> Result<Vec<MemoryPath>> {
    files.iter().map(|file| Ok(MemoryPath::new(file.as_str())?)).collect()
}

fn done(applied: &Applied, what: &str) -> String {
    match applied.change.as_str() {
        "" => "Nothing had to change.\n".to_owned(),
        change => format!("{change} {what}\n"),
    }
}
