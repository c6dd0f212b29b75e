//! `rem graph`

use anyhow::Result;
use jiff::civil::Date;
use rem_mind::stores::{Backlinks, EntityShown, Graph, Way};

use super::OnBehalfOf;
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
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
    /// The shortest connection between two entities
    Path {
        /// A name or an id
        from: String,
        /// Another; names of several words in quotes
        to: String,
        /// As it was on this day
        #[arg(long, value_name = "DAY")]
        at: Option<Date>,
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
    /// The links that lead to an entity or to any other file
    Backlinks {
        /// A path from the workspace's root, the name of a file, or any name of an entity
        #[arg(required = true, num_args = 1.., value_name = "NAME|PATH")]
        name: Vec<String>,
        #[command(flatten)]
        on_behalf_of: OnBehalfOf,
    },
    /// Pairs of entities that may be one
    Duplicates,
    /// Make one entity part of another
    ///
    /// What OTHER says goes to KEEP, links to OTHER lead to KEEP, and OTHER's file stays, archived, with a note of where it went. Both are given by
    /// id or by a name as it is written; no name is guessed.
    Merge {
        /// The entity that is kept
        keep: String,
        /// The entity that becomes part of it
        other: String,
        /// Also where one is, say, a tool and the other a concept
        #[arg(long)]
        across_types: bool,
    },
    /// Make memory/graph/index.md anew
    ///
    /// The page lists every entity and edge that is in use. Small graphs keep it up to date with every change; for a larger one this
    /// command does.
    Index,
    /// Print the whole graph
    Export {
        /// For Graphviz, for Mermaid, or as JSON
        #[arg(long, value_enum, default_value = "json", value_name = "FORMAT")]
        format: Format,
    },
}

/// How the graph is printed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum Format {
    /// Graphviz
    Dot,
    /// Mermaid
    Mermaid,
    /// JSON
    Json,
}

pub(crate) fn run(command: &GraphCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let now = environment::system_time();
    match command {
        GraphCommand::Show { entity, at, hops, on_behalf_of } => {
            let asking = on_behalf_of.asking();
            let shown = memory.graph_show_to(&asking, &entity.join(" "), *at, usize::from(*hops), now)?;
            printer.answer(&shown, || told(&shown))
        }
        GraphCommand::Path { from, to, at, on_behalf_of } => {
            let way = memory.graph_path(&on_behalf_of.asking(), from, to, *at, now)?;
            printer.answer(&way, || told_way(&way))
        }
        GraphCommand::Backlinks { name, on_behalf_of } => {
            let found = memory.backlinks(&on_behalf_of.asking(), &name.join(" "), now)?;
            printer.answer(&found, || told_backlinks(&found))
        }
        GraphCommand::Duplicates => {
            let pairs = memory.graph_duplicates(now)?;
            printer.answer(&pairs, || match pairs.is_empty() {
                true => "No two entities are named alike.".to_owned(),
                false => pairs
                    .iter()
                    .map(|pair| {
                        format!(
                            "{:3.0} %  rem graph merge {} {}\n",
                            pair.alike * 100.0,
                            pair.keep.id,
                            pair.other.id
                        )
                    })
                    .collect(),
            })
        }
        GraphCommand::Merge { keep, other, across_types } => {
            let applied = memory.graph_merge_of(keep, other, *across_types, now)?;
            printer.answer(&applied, || match applied.change.as_str() {
                "" => format!("{other} is part of {keep} already."),
                change => format!("Merged {other} into {keep}  ({change})"),
            })
        }
        GraphCommand::Index => {
            let outcome = memory.graph_index(now)?;
            printer.answer(&outcome, || {
                let what = if outcome.change.is_empty() { "is up to date" } else { "made anew" };
                let change = match outcome.change.as_str() {
                    "" => String::new(),
                    change => format!("  ({change})"),
                };
                let counted = |count: usize, one: &str, many: &str| {
                    format!("{count} {}", if count == 1 { one } else { many })
                };
                format!(
                    "{} {what}: {}, {}{change}",
                    outcome.path,
                    counted(outcome.entities, "entity", "entities"),
                    counted(outcome.edges, "edge", "edges")
                )
            })
        }
        GraphCommand::Export { format } => {
            let graph = memory.graph(now)?;
            match format {
                Format::Json => printer.text(&serde_json::to_string_pretty(&graph)?),
                Format::Dot => printer.text(&dot(&graph)),
                Format::Mermaid => printer.text(&mermaid(&graph)),
            }
        }
    }
}

fn dot(graph: &Graph) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let nodes =
        graph.nodes.iter().map(|node| format!("  {} [label={}];\n", quoted(&node.id), quoted(&node.label)));
    let edges = graph.edges.iter().map(|edge| {
        format!("  {} -> {} [label={}];\n", quoted(&edge.from), quoted(&edge.to), quoted(&edge.relation))
    });
    format!("digraph memory {{\n{}{}}}\n", nodes.collect::<String>(), edges.collect::<String>())
}

/// Mermaid's ids are of few signs, so nodes have numbers.
fn mermaid(graph: &Graph) -> String {
    let mut ids: Vec<&str> = graph.nodes.iter().map(|node| node.id.as_str()).collect();
    ids.extend(graph.edges.iter().map(|edge| edge.to.as_str()));
    ids.sort_unstable();
    ids.dedup();
    let label_of = |id: &str| {
        graph
            .nodes
            .iter()
            .find(|node| node.id == id)
            .map_or(id, |node| node.label.as_str())
            .replace('"', "#quot;")
    };
    let number = |id: &str| ids.binary_search(&id).unwrap_or_default();
    let nodes = ids.iter().enumerate().map(|(number, id)| format!("  n{number}[\"{}\"]\n", label_of(id)));
    let edges = graph
        .edges
        .iter()
        .map(|edge| format!("  n{} -->|{}| n{}\n", number(&edge.from), edge.relation, number(&edge.to)));
    format!("graph LR\n{}{}", nodes.collect::<String>(), edges.collect::<String>())
}

fn told_way(way: &Way) -> String {
    let Some(steps) = &way.steps else {
        return format!(
            "No connection of at most six steps leads from {} to {}.",
            way.from.label, way.to.label
        );
    };
    let mut text = format!("{}  {}", way.from.label, way.from.id);
    for step in steps {
        let arrow = if step.relation.inverted { "←" } else { "→" };
        text.push_str(&format!("\n{arrow} {}: {}", step.relation.relation, step.relation.other));
    }
    text
}

fn told_backlinks(found: &Backlinks) -> String {
    if found.links.is_empty() {
        return format!("Nothing links to {}.", found.path);
    }
    let mut text = found.path.clone();
    for link in &found.links {
        let heading = link.heading.as_ref().map_or(String::new(), |heading| format!("#{heading}"));
        text.push_str(&format!("\n← {}:{}  [[{}{heading}]]", link.path, link.line, link.target));
    }
    text
}

pub(crate) fn told(shown: &EntityShown) -> String {
    let mut text = format!("{}  {}\n{}\n", shown.entity.label, shown.entity.id, shown.entity.path);
    if !shown.aliases.is_empty() {
        text.push_str(&format!("also: {}\n", shown.aliases.join(", ")));
    }
    if shown.entity.archived {
        match &shown.merged_into {
            Some(id) => text.push_str(&format!("archived: it is part of {id} now\n")),
            None => text.push_str("archived\n"),
        }
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
    for id in &shown.capped {
        text.push_str(&format!("\nmore: {id} has further connections (search.graph_breadth)"));
    }
    if !shown.linked_from.is_empty() {
        let count = shown.linked_from.len();
        let files = if count == 1 { "file" } else { "files" };
        text.push_str(&format!("\nlinked from {count} {files}: rem graph backlinks {}", shown.entity.id));
    }
    for other in &shown.others {
        text.push_str(&format!("\nor: {}  {}", other.label, other.id));
    }
    text
}
