//! `rem people`

use anyhow::Result;

use super::OnBehalfOf;
use super::graph::told;
use super::projects::pages;
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Ask about the people the memory knows
///
/// Example:
///   rem people show Mira
#[derive(Debug, clap::Subcommand)]
#[command(verbatim_doc_comment)]
pub(crate) enum PeopleCommand {
    /// Everybody, by name
    List {
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
    /// What is known of somebody
    Show {
        /// A name, another name, or an id such as person--mira-holt
        #[arg(required = true, num_args = 1.., value_name = "NAME")]
        name: Vec<String>,
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
}

pub(crate) fn run(command: &PeopleCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let now = environment::system_time();
    match command {
        PeopleCommand::List { on_behalf_of } => {
            let people = memory.people(&on_behalf_of.asking(), now)?;
            printer.answer(&people, || match people.is_empty() {
                true => "Nobody yet.".to_owned(),
                false => people
                    .iter()
                    .map(|person| {
                        let files: Vec<&str> = person.files.iter().map(|path| path.as_str()).collect();
                        format!("{}  {}\n", person.name, files.join(", "))
                    })
                    .collect(),
            })
        }
        PeopleCommand::Show { name, on_behalf_of } => {
            let shown = memory.person_show(&on_behalf_of.asking(), &name.join(" "), now)?;
            printer.answer(&shown, || {
                let mut text = shown.entity.as_ref().map_or(String::new(), told);
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push('\n');
                }
                text.push_str(&pages(&shown.pages));
                text
            })
        }
    }
}
