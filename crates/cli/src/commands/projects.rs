//! `rem projects`

use anyhow::Result;
use rem_format::project::ProjectStatus;
use rem_mind::stores::{NoteKind, PageShown, Project, ProjectChange};

use super::text_or_stdin;
use crate::arguments::Arguments;
use crate::printer::Printer;

/// Keep projects: a folder each, and a list of those that go on
///
/// The list is in every context, so that the agent knows what is going on. Example:
///   rem projects add atlas --about "A map of the coast"
///   rem projects note atlas --done "drew the north shore"
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum ProjectsCommand {
    /// The projects that go on
    List {
        /// Closed ones as well
        #[arg(long)]
        all: bool,
    },
    /// What a project is, how it goes, and what was learned on the way
    Show {
        /// The project
        name: String,
    },
    /// Add a project, or let a closed one go on; pages that are there stay as they are
    Add {
        /// Its name; the folder is called after it
        name: String,
        /// What it is, in a line
        #[arg(long, default_value = "", value_name = "TEXT")]
        about: String,
    },
    /// Note something on a project
    Note {
        /// The project
        name: String,
        /// What is noted, or - for standard input
        text: String,
        /// It is done: goes to the progress
        #[arg(long, group = "kind")]
        done: bool,
        /// It is to be done next: goes to the progress
        #[arg(long, group = "kind")]
        next: bool,
        /// It is in the way: goes to the progress
        #[arg(long, group = "kind")]
        blocker: bool,
    },
    /// Close a project: it leaves the list, its pages stay and are found
    Close {
        /// The project
        name: String,
    },
}

pub(crate) fn run(command: &ProjectsCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        ProjectsCommand::List { all } => {
            let mut projects = memory.projects()?;
            projects.retain(|project| *all || project.status == ProjectStatus::Active);
            printer.answer(&projects, || listed(&projects))
        }
        ProjectsCommand::Show { name } => {
            let shown = memory.project_show(name)?;
            printer.answer(&shown, || {
                let entity = shown.entity.as_ref().map_or(String::new(), |id| format!("  entity:{id}"));
                let head = format!("{}  {}{entity}\n", shown.project.name, shown.project.status);
                head + &pages(&shown.pages)
            })
        }
        ProjectsCommand::Add { name, about } => {
            changed(&memory.project_add(name, about)?, "Added", "is there and goes on", printer)
        }
        ProjectsCommand::Note { name, text, done, next, blocker } => {
            let kind = match (done, next, blocker) {
                (true, ..) => NoteKind::Done,
                (_, true, _) => NoteKind::Next,
                (.., true) => NoteKind::Blocker,
                _ => NoteKind::Note,
            };
            let noted = memory.project_note(name, &text_or_stdin(text)?, kind)?;
            changed(&noted, "Noted on", "says that already", printer)
        }
        ProjectsCommand::Close { name } => {
            let closed = memory.project_set_status(name, ProjectStatus::Closed)?;
            changed(&closed, "Closed", "is closed already", printer)
        }
    }
}

fn changed(change: &ProjectChange, did: &str, already: &str, printer: &Printer) -> Result<()> {
    printer.answer(change, || match change.change.as_str() {
        "" => format!("{} {already}: {}", change.name, change.path),
        id => format!("{did} {}: {}  ({id})", change.name, change.path),
    })
}

fn listed(projects: &[Project]) -> String {
    if projects.is_empty() {
        return "No project. `rem projects add NAME` makes one.".to_owned();
    }
    let line = |project: &Project| {
        let status = match (project.status, project.listed, project.files.is_empty()) {
            (ProjectStatus::Closed, ..) => "  (closed)",
            (_, _, true) => "  (no folder)",
            (_, false, _) => "  (not in the list)",
            _ => "",
        };
        let about = if project.description.is_empty() { "" } else { " — " };
        format!("{}{about}{}{status}\n", project.name, project.description)
    };
    projects.iter().map(line).collect()
}

/// Pages one below the other, each under its path.
pub(crate) fn pages(pages: &[PageShown]) -> String {
    pages.iter().map(|page| format!("\n[{}]\n{}\n", page.path, page.text.trim_end())).collect()
}
