//! `rem recall`

use anyhow::Result;
use jiff::civil::Date;
use rem_mind::recall::Query;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;
use crate::progress::{Progress, Unit};

/// Search knowledge and conversations
///
/// A question is text, never syntax. Examples:
///   rem recall "which database did we choose"
///   rem recall 배포 --since 2026-01-01 --category conversation
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct RecallArgs {
    /// The question
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    query: Vec<String>,
    /// At most so many results [default: search.max_results, 20]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Only results with at least this score, 0 to 1 [default: search.min_score, 0.3]
    #[arg(long, value_name = "SCORE")]
    min_score: Option<f64>,
    /// Only this category, such as conversation, episode, entity, memory; may be given again
    #[arg(long = "category", value_name = "C")]
    categories: Vec<String>,
    /// Only paths that match this glob; may be given again
    #[arg(long = "path", value_name = "GLOB")]
    paths: Vec<String>,
    /// Only files about this day or later
    #[arg(long, value_name = "DAY")]
    since: Option<Date>,
    /// Only files about this day or earlier
    #[arg(long, value_name = "DAY")]
    until: Option<Date>,
    /// Show where each score comes from
    #[arg(long)]
    explain: bool,
}

pub(crate) fn run(args: &RecallArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    let search = &memory.config().search;
    let query = Query {
        text: args.query.join(" "),
        categories: args.categories.clone(),
        paths: args.paths.clone(),
        since: args.since,
        until: args.until,
        limit: args.limit.unwrap_or(usize::try_from(search.max_results).unwrap_or(usize::MAX)),
        today: Some(memory.now().to_zoned(memory.time_zone().clone()).date()),
        min_score: args.min_score.unwrap_or(search.min_score),
        snippet_characters: usize::try_from(search.snippet_characters).unwrap_or(usize::MAX),
        ..Query::default()
    };
    let mut progress = Progress::new("indexing", Unit::Items);
    let answer = memory.recall(&query, environment::system_time(), &mut |at| {
        progress.set(at.done as u64, at.total as u64)
    })?;
    drop(progress);
    if let Some(notice) = &answer.freshness.embedder_notice {
        printer.note(notice);
    }
    printer.answer(&answer, || {
        if answer.results.is_empty() {
            return "Nothing found.".to_owned();
        }
        let mut text = String::new();
        for hit in &answer.results {
            text.push_str(&format!(
                "{:.2}  {}:{}-{}  [{}]\n",
                hit.score, hit.path, hit.start_line, hit.end_line, hit.category
            ));
            text.push_str(&format!("      {}\n", hit.snippet));
            if args.explain {
                let explain = &hit.explain;
                text.push_str(&format!(
                    "      bm25 {:.3} (raw {:.3}) × date {:.3} × relevance {:.3}",
                    explain.bm25, explain.bm25_raw, explain.date_weight, explain.relevance
                ));
                for (name, factor) in &explain.boosts {
                    text.push_str(&format!(" × {name} {factor}"));
                }
                text.push('\n');
            }
        }
        text
    })
}
