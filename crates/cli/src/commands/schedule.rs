//! `rem schedule`

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Print what has the machine look for due jobs
///
/// The machine's own scheduler calls `rem jobs run --due` every minute; which jobs are due then, CONFIG.md says. So a changed schedule
/// needs nothing new here. Nothing is installed: add what is printed yourself. Not needed beside `rem serve`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ScheduleCommand {
    /// A line for `crontab -e`
    Crontab,
    /// A service and a timer for `systemctl --user`
    Systemd,
}

/// Files to be written by whoever asked.
#[derive(Serialize)]
struct Units {
    /// Each with the place it belongs to.
    units: Vec<Unit>,
}

#[derive(Serialize)]
struct Unit {
    place: String,
    text: String,
}

pub(crate) fn run(command: &ScheduleCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let program = environment::program().context("this program does not know where it lies")?;
    let workspace = std::path::absolute(arguments.workspace()?)?;
    // One for each workspace.
    let name = unit_name(&workspace);
    let units = match command {
        ScheduleCommand::Crontab => vec![Unit {
            place: "crontab".to_owned(),
            text: format!("* * * * * {} -q -C {} jobs run --due\n", for_cron(&program), for_cron(&workspace)),
        }],
        ScheduleCommand::Systemd => vec![
            Unit {
                place: format!("~/.config/systemd/user/{name}.service"),
                text: format!(
                    "[Unit]\nDescription=Due jobs of the memory in {}\n\n[Service]\nType=oneshot\nExecStart={} -q -C {} jobs run --due\n",
                    workspace.display().to_string().replace('%', "%%"),
                    for_systemd(&program),
                    for_systemd(&workspace)
                ),
            },
            Unit {
                place: format!("~/.config/systemd/user/{name}.timer"),
                text: "[Unit]\nDescription=Look for due jobs of the memory every minute\n\n[Timer]\nOnCalendar=minutely\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
                    .to_owned(),
            },
        ],
    };
    let units = Units { units };
    printer.answer(&units, || match command {
        ScheduleCommand::Crontab => units.units.iter().map(|unit| unit.text.as_str()).collect(),
        ScheduleCommand::Systemd => {
            let files = units.units.iter().map(|unit| format!("# {}\n{}\n", unit.place, unit.text));
            files.collect::<String>() + &format!("# then: systemctl --user enable --now {name}.timer\n")
        }
    })
}

/// What a workspace's units are called: after its path, in signs that need no escape.
fn unit_name(workspace: &Path) -> String {
    /// The most characters of a path: a unit's name has at most 255.
    const LONGEST: usize = 200;
    let path = workspace.display().to_string();
    let plain = path.trim_matches('/').chars().map(|each| match each {
        '/' | '\\' => '-',
        each if each.is_ascii_alphanumeric() => each,
        _ => '_',
    });
    let plain: Vec<char> = plain.collect();
    let end: String = plain[plain.len().saturating_sub(LONGEST)..].iter().collect();
    format!("rem-jobs-{end}")
}

/// A path as one word for a shell, with cron's own `%` escaped.
fn for_cron(path: &Path) -> String {
    let path = path.display().to_string();
    format!("'{}'", path.replace('\'', r"'\''").replace('%', r"\%"))
}

/// A path as one word of systemd's, with its specifiers escaped.
fn for_systemd(path: &Path) -> String {
    let path = path.display().to_string();
    format!("\"{}\"", path.replace('\\', r"\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$"))
}
