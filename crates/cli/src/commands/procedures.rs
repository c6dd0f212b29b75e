//! `rem procedures`

use anyhow::Result;
use rem_mind::stores::Procedure;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Ask how things are done
///
/// Example:
///   rem procedures show how-to-deploy
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum ProceduresCommand {
    /// Every procedure, by title
    List,
    /// When a procedure is used, its steps and notes
    Show {
        /// An id, a title, or the name of its file
        #[arg(required = true, num_args = 1.., value_name = "NAME")]
        name: Vec<String>,
    },
}

pub(crate) fn run(command: &ProceduresCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        ProceduresCommand::List => {
            let procedures = memory.procedures()?;
            printer.answer(&procedures, || match procedures.is_empty() {
                true => "No procedure yet. `rem remember --store procedural TEXT` adds one.".to_owned(),
                false => procedures.iter().map(line).collect(),
            })
        }
        ProceduresCommand::Show { name } => {
            let shown = memory.procedure_show(&name.join(" "))?;
            printer.answer(&shown, || told(&shown))
        }
    }
}

fn line(procedure: &Procedure) -> String {
    let archived = if procedure.archived { "  (archived)" } else { "" };
    let used = procedure.last_used.as_ref().map_or(String::new(), |day| format!("  last used {day}"));
    format!("{}  {} steps{used}{archived}\n", procedure.title, procedure.steps.len())
}

fn told(procedure: &Procedure) -> String {
    let mut text = format!("{}  {}\n{}\n", procedure.title, procedure.id, procedure.path);
    if procedure.archived {
        text.push_str("archived\n");
    }
    if !procedure.trigger.is_empty() {
        text.push_str(&format!("\n{}\n", procedure.trigger));
    }
    if !procedure.steps.is_empty() {
        text.push('\n');
    }
    for (number, step) in procedure.steps.iter().enumerate() {
        text.push_str(&format!("{}. {step}\n", number + 1));
    }
    for (title, lines) in [("Notes", &procedure.notes), ("Learned from", &procedure.learned_from)] {
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
        }
    }
    text
}
