//! `rem recall`

use anyhow::Result;
use jiff::civil::Date;
use rem_mind::Memory;
use rem_mind::recall::{Answer, Explanation, Include, LeftOut, Mode, Query, QueryError, Scope};

use super::OnBehalfOf;
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};
use crate::review::harmless;

/// Search knowledge and conversations
///
/// A question is text, never syntax. Examples:
///   rem recall "which database did we choose"
///   rem recall 배포 --since 2026-01-01 --category conversation
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct RecallArgs {
    /// The question
    #[arg(value_name = "QUERY", allow_hyphen_values = true, value_parser = parse_word)]
    first: String,
    /// The rest of it
    #[arg(value_name = "WORDS", num_args = 0..)]
    rest: Vec<String>,
    /// At most so many results [default: search.max_results, 20]
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    limit: Option<usize>,
    /// Only results with at least this score, 0 to 1 [default: search.min_score, 0.3]
    #[arg(long, value_name = "SCORE", value_parser = parse_score)]
    min_score: Option<f64>,
    /// Only this category, such as conversation, episode, entity, memory; may be given again
    #[arg(long = "category", value_name = "C")]
    categories: Vec<String>,
    /// Only paths that match this glob, or lie in this folder; may be given again
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Only files and entries with this tag; may be given again
    #[arg(long = "tag", value_name = "T")]
    tags: Vec<String>,
    /// Only inside this: agent:NAME, project:NAME, person:NAME, tag:NAME or folder:PATH; all that are given must hold
    #[arg(long = "scope", value_name = "S", value_parser = parse_scope)]
    scopes: Vec<Scope>,
    /// Only files about this day or later
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    since: Option<Date>,
    /// Only files about this day or earlier
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    until: Option<Date>,
    /// Match by words, by meaning, or both
    #[arg(long, value_enum, default_value = "hybrid", value_name = "MODE")]
    mode: Matching,
    /// Also what is left out otherwise: dormant, archived; may be given again
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STATUS")]
    include: Vec<Included>,
    /// The session it is asked in: what comes up in several is counted [default: the day]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[command(flatten)]
    on_behalf_of: OnBehalfOf,
    /// Show where each score comes from
    #[arg(long)]
    explain: bool,
}

/// What an ordinary search leaves out.
#[derive(Debug, Clone, Copy, PartialEq, clap::ValueEnum)]
enum Included {
    /// What faded so far that it is found when asked for alone
    Dormant,
    /// What faded away or was forgotten: kept, out of sight
    Archived,
}

/// How passages are matched.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Matching {
    /// By words and by meaning
    Hybrid,
    /// By words alone
    Keyword,
    /// By meaning alone
    Vector,
}

impl From<Matching> for Mode {
    fn from(matching: Matching) -> Self {
        match matching {
            Matching::Hybrid => Self::Hybrid,
            Matching::Keyword => Self::Keyword,
            Matching::Vector => Self::Vector,
        }
    }
}

/// A word with one hyphen before it is a word; one with two is an option that is misspelt, unless all options are at an end.
fn parse_word(text: &str) -> Result<String, String> {
    let is_option = text.strip_prefix("--").is_some_and(|name| name.starts_with(char::is_alphabetic));
    if is_option && !environment::has_end_of_options() {
        return Err(format!("there is no such option; to search for it write `rem recall -- {text}`"));
    }
    Ok(text.to_owned())
}

fn parse_limit(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|limit| *limit > 0)
        .ok_or_else(|| "it must be a whole number of at least 1".to_owned())
}

fn parse_score(text: &str) -> Result<f64, String> {
    let score = text.parse().ok().filter(|score| (0.0..=1.0).contains(score));
    score.ok_or_else(|| "it must be a number from 0 to 1".to_owned())
}

fn parse_day(text: &str) -> Result<Date, String> {
    text.parse().map_err(|_| "it must be a day, written as 2026-03-01".to_owned())
}

fn parse_scope(text: &str) -> Result<Scope, QueryError> {
    text.parse()
}

/// A path as the workspace is asked for it: `.` and `..` are where the command was called, everything else is as it lies in the workspace.
fn from_here(path: &str) -> Result<String> {
    let is_here = matches!(path, "." | "./" | "..") || path.starts_with("../");
    if !is_here {
        return Ok(path.to_owned());
    }
    let here = environment::current_folder()?.join(path);
    // What is not there is refused by its name.
    let here = here.canonicalize().unwrap_or(here);
    Ok(here.to_string_lossy().into_owned())
}

/// Asks the memory, and shows how far indexing is meanwhile.
pub(super) fn answered(memory: &Memory, query: &Query, printer: &Printer) -> Result<Answer> {
    let mut progress = Progress::new("indexing", Unit::Items);
    let answer = memory.catch_up_and_recall(query, environment::system_time(), &mut |at| {
        progress.set(at.done as u64, at.total as u64)
    })?;
    drop(progress);
    if let Some(notice) = &answer.freshness.embedder_notice {
        printer.note(notice);
    }
    Ok(answer)
}

pub(crate) fn run(args: &RecallArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let words: Vec<&str> = std::iter::once(&args.first).chain(&args.rest).map(String::as_str).collect();
    let configured = memory.query(&words.join(" "));
    let query = Query {
        categories: args.categories.clone(),
        paths: args.paths.iter().map(|path| from_here(path)).collect::<Result<_>>()?,
        tags: args.tags.clone(),
        scopes: args.scopes.clone(),
        since: args.since,
        until: args.until,
        mode: args.mode.into(),
        include: Include {
            dormant: args.include.contains(&Included::Dormant),
            archived: args.include.contains(&Included::Archived),
        },
        asking: args.on_behalf_of.asking(),
        limit: args.limit.unwrap_or(configured.limit),
        min_score: args.min_score.unwrap_or(configured.min_score),
        ..configured
    };
    let query = memory.with_filters_checked(query, environment::system_time())?;
    let answer = answered(&memory, &query, printer)?;
    let told = printer.answer(&answer, || {
        let mut text = String::new();
        if answer.results.is_empty() {
            text.push_str("Nothing found.\n");
        }
        if args.explain {
            if let Some(strategy) = answer.strategy {
                text.push_str(&format!("taken as a question of the kind `{strategy}`\n"));
            }
            if let Some((first, last)) = &answer.period {
                text.push_str(&match (first.as_str(), last.as_str()) {
                    ("", last) => format!("about all up to {last}\n"),
                    (first, "") => format!("about {first} and later\n"),
                    (first, last) => format!("about {first} to {last}\n"),
                });
            }
        }
        for hit in &answer.results {
            let status = if hit.status == "active" { String::new() } else { format!(", {}", hit.status) };
            text.push_str(&format!(
                "{:.2}  {}:{}-{}  [{}{status}]\n",
                hit.score, hit.path, hit.start_line, hit.end_line, hit.category
            ));
            text.push_str(&format!("      {}\n", hit.snippet));
            if args.explain {
                text.push_str(&explained(&hit.explain));
            }
        }
        text.push_str(&left_out(answer.left_out));
        harmless(&text)
    });
    // After the answer is out: nobody waits for the count.
    memory.note_hits(args.session.as_deref(), &answer);
    told
}

/// What matches as well, and how to see it.
fn left_out(LeftOut { dormant, archived, .. }: LeftOut) -> String {
    let kinds = [(dormant, "dormant"), (archived, "archived")];
    let counted: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| format!("{count} {kind}")).collect();
    let names: Vec<&str> = kinds.iter().filter(|(count, _)| *count > 0).map(|(_, kind)| *kind).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{} as well: --include {}\n", counted.join(" and "), names.join(",")),
    }
}

/// Every part of a score, in the order in which they are put together.
fn explained(explain: &Explanation) -> String {
    let (by_words, by_meaning) = explain.weights;
    let mut line = format!("      ({by_words:.1} · words {:.3} (BM25 {:.3})", explain.bm25, explain.bm25_raw);
    if let Some(vector) = explain.vector {
        line.push_str(&format!(" + {by_meaning:.1} · meaning {vector:.3}"));
    }
    if explain.context > 0.0 {
        line.push_str(&format!(" + conversation {:.3}", explain.context));
    }
    for (name, amount) in &explain.bonuses {
        line.push_str(&format!(" + {name} {amount:.3}"));
    }
    line.push_str(&format!(") × age {:.3} × relevance {:.3}", explain.date_weight, explain.relevance));
    for (name, factor) in &explain.boosts {
        line.push_str(&format!(" × {name} {factor:.3}"));
    }
    line.push('\n');
    line
}
