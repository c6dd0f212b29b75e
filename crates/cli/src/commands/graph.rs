//! `rem graph`

use anyhow::Result;
use jiff::civil::Date;
use rem_mind::stores::EntityShown;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Ask the knowledge graph
#[derive(Debug, clap::Subcommand)]
pub(crate) enum GraphCommand {
    /// Who or what something is, and what is connected with it
    Show {
        /// A name, another name it goes by, or an id such as person--mira-holt
        #[arg(required = true, num_args = 1.., value_name = "ENTITY")]
        entity: Vec<String>,
        /// As it was on this day
        #[arg(long, value_name = "DAY")]
        at: Option<Date>,
        /// How many steps away connections may begin: 1 or 2
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
        hops: u8,
    },
}

pub(crate) fn run(command: &GraphCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let GraphCommand::Show { entity, at, hops } = command;
    let memory = arguments.open()?;
    let shown = memory.graph_show(&entity.join(" "), *at, usize::from(*hops), environment::system_time())?;
    printer.answer(&shown, || told(&shown))
}

fn told(shown: &EntityShown) -> String {
    let mut text = format!("{}  {}\n{}\n", shown.entity.label, shown.entity.id, shown.entity.path);
    if !shown.aliases.is_empty() {
        text.push_str(&format!("also: {}\n", shown.aliases.join(", ")));
    }
    if shown.entity.archived {
        text.push_str("archived\n");
    }
    if let Some(day) = shown.at {
        text.push_str(&format!("as of {day}\n"));
    }
    for fact in &shown.facts {
        let since = fact.since.map_or(String::new(), |day| format!("  (since {day})"));
        text.push_str(&format!("\n- {}{since}", fact.text));
        if let (Some(day), Some(by)) = (fact.superseded, &fact.by) {
            text.push_str(&format!("  until {day}: {by}"));
        }
    }
    if !shown.facts.is_empty() {
        text.push('\n');
    }
    for relation in &shown.relations {
        let arrow = if relation.inverted { "←" } else { "→" };
        text.push_str(&format!("\n{arrow} {}: {}", relation.relation, relation.other));
    }
    for edge in &shown.further {
        text.push_str(&format!("\n  {} {} {}", edge.from, edge.relation, edge.to));
    }
    for other in &shown.others {
        text.push_str(&format!("\nor: {}  {}", other.label, other.id));
    }
    text
}
