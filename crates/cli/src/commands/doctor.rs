//! `rem doctor`

use std::path::Path;

use anyhow::Result;
use rem_hosts::Host;
use rem_hosts::connect::{Scope, outdated};
use rem_mind::reasoning::ModelCheck;
use serde_json::json;

use super::connect::place_of;
use super::verify;
use crate::arguments::Arguments;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Explain the state of the workspace and mend it
///
/// Without --fix it only looks. With it: unfinished changes are completed, left-over locks and temporary files removed, the
/// audit log and git's index made anew, closed transcripts made read-only, outside changes committed, comments that keep a block of
/// code open put below it, idle sessions closed.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    /// Mend what can be mended
    #[arg(long)]
    fix: bool,
    /// Ask each model that CONFIG.md names one small question, which may cost something
    #[arg(long)]
    models: bool,
}

pub(crate) fn run(args: &DoctorArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let mut done = Vec::new();
    if args.fix {
        done = memory.ledger().repair()?;
        done.extend(memory.mend_pages()?);
        done.extend(
            memory
                .close_idle_sessions()?
                .into_iter()
                .map(|session| format!("closed the idle session {session}")),
        );
    }
    let report = memory.verify()?;
    let models = if args.models { memory.check_models()? } else { Vec::new() };
    let rests = memory.answerers().rests;
    let hosts = outdated_hosts(memory.ledger().root());
    let answer = json!({"done": done, "checks": report.checks, "findings": report.findings, "models": models, "model_rests": rests, "outdated_hosts": hosts});
    printer.answer(&answer, || {
        let mut text: String = done.iter().map(|what| format!("done     {what}\n")).collect();
        text.push_str(&verify::render(&report));
        text.push_str(&models.iter().map(line).collect::<String>());
        text.extend(rests.iter().map(|why| format!("model    left alone, the rules answer: {why}\n")));
        text.extend(hosts.iter().map(|host| {
            format!("host     {host} is connected otherwise than now: another version, program or workspace (`rem connect {host} --dry-run` shows it)\n")
        }));
        text
    })?;
    match report.is_well() {
        true if models.iter().any(|check| !check.answers) => Err(Hinted::no_model(
            "not every model answers",
            "docs/models.md says what each provider wants; without a model the rules answer",
        )
        .into()),
        true => Ok(()),
        false if args.fix => Err(Hinted::integrity(
            "not everything could be mended",
            "what is left needs a person's eye; nothing was lost",
        )
        .into()),
        false => {
            Err(Hinted::integrity("something does not agree", "`rem doctor --fix` mends what can be mended")
                .into())
        }
    }
}

/// The hosts whose own settings of this user call `rem` otherwise than `rem connect` would have it now.
fn outdated_hosts(root: &Path) -> Vec<&'static str> {
    let is_outdated = |host: &Host| {
        place_of(*host, Scope::User, Some(root.to_owned())).is_ok_and(|place| !outdated(&place).is_empty())
    };
    Host::ALL.into_iter().filter(is_outdated).map(Host::name).collect()
}

fn line(check: &ModelCheck) -> String {
    let name = check.model.as_deref().unwrap_or("nobody");
    match &check.why {
        None => format!("model    {}: {name} answered in {} ms\n", check.tier, check.milliseconds),
        Some(why) => format!("model    {}: {name}: {why}\n", check.tier),
    }
}
