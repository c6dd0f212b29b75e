//! `rem memory`: the command line of Soul Memory and OpenClaw, with its flags and its JSON, for scripts that know it.

use anyhow::Result;
use rem_mind::recall::{Hit, Query};
use serde::Serialize;
use serde_json::json;

use super::{compact, index, promote, recall};
use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Commands of `openclaw memory` and Soul Memory, with their flags and their JSON
///
/// For scripts and habits; `rem status`, `rem promote`, `rem compact`, `rem index` and `rem recall` tell more. What OpenClaw's dreaming is asked
/// (promote-explain, rem-harness, rem-backfill) is not there: `rem promote` names its reasons itself.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum MemoryCommand {
    /// The index and how many files each tier has
    Status(StatusArgs),
    /// Move what should last out of dated notes
    Promote(promote::OpenClawArgs),
    Compact(compact::CompactArgs),
    Index(index::IndexArgs),
    /// Search the memory and the conversations
    Search(SearchArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct StatusArgs {
    /// Also ask the embedder whether it answers
    #[arg(long)]
    deep: bool,
    /// Bring the index up to date first
    #[arg(long)]
    index: bool,
    /// Mend what can be mended first, as rem doctor --fix does
    #[arg(long)]
    fix: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// The question
    #[arg(required_unless_present = "query", conflicts_with = "query")]
    question: Option<String>,
    /// The question, named
    #[arg(long)]
    query: Option<String>,
    /// At most so many results [default: search.max_results]
    #[arg(long, value_name = "N")]
    max_results: Option<usize>,
    /// Only results with at least this score, 0 to 1 [default: search.min_score]
    #[arg(long, value_name = "SCORE")]
    min_score: Option<f64>,
}

/// One result, in the words of that command line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    path: String,
    start_line: usize,
    end_line: usize,
    score: f64,
    snippet: String,
    source: &'static str,
    citation: String,
}

impl From<Hit> for Found {
    fn from(hit: Hit) -> Self {
        Self {
            source: source_of(&hit.category),
            citation: format!("{}#L{}-L{}", hit.path, hit.start_line, hit.end_line),
            path: hit.path,
            start_line: hit.start_line,
            end_line: hit.end_line,
            score: hit.score,
            snippet: hit.snippet,
        }
    }
}

fn source_of(category: &str) -> &'static str {
    if category == "conversation" { "sessions" } else { "memory" }
}

pub(crate) fn run(command: &MemoryCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    match command {
        MemoryCommand::Status(args) => status(args, arguments, printer),
        MemoryCommand::Promote(args) => promote::run_as_openclaw(args, arguments, printer),
        // There an archive is a quarter's.
        MemoryCommand::Compact(args) => compact::run(&args.as_soul_memory(), arguments, printer),
        MemoryCommand::Index(args) => index::run(args, arguments, printer),
        MemoryCommand::Search(args) => search(args, arguments, printer),
    }
}

fn search(args: &SearchArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let text = args.question.as_ref().or(args.query.as_ref()).map_or("", String::as_str);
    let configured = memory.query(text);
    let query = Query {
        limit: args.max_results.unwrap_or(configured.limit),
        min_score: args.min_score.unwrap_or(configured.min_score),
        ..configured
    };
    let answer = recall::answered(&memory, &query, printer)?;
    memory.note_hits(None, &answer);
    let found: Vec<Found> = answer.results.into_iter().map(Found::from).collect();
    printer.answer(&json!({ "results": found }), || match found.is_empty() {
        true => "No matches.".to_owned(),
        false => found
            .iter()
            .map(|one| {
                format!(
                    "{:.3} {}:{}-{}\n{}\n\n",
                    one.score, one.path, one.start_line, one.end_line, one.snippet
                )
            })
            .collect(),
    })
}

fn status(args: &StatusArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    if args.fix {
        memory.ledger().repair()?;
        memory.close_idle_sessions()?;
    }
    if args.index {
        memory.index(false, environment::system_time(), &mut |_| {})?;
    }
    let probe = match args.deep {
        true => Some(memory.encode(&mut |_| {})?.and_then(|encoding| encoding.error)),
        false => None,
    };
    let status = memory.catch_up_and_status()?;
    let indexed = memory.indexed()?;
    let by_source = |source: &str| -> (usize, usize) {
        let those = indexed.iter().filter(|kind| source_of(&kind.category) == source);
        those.fold((0, 0), |sum, kind| (sum.0 + kind.files, sum.1 + kind.passages))
    };
    let sources = ["memory", "sessions"];
    let counts = sources.map(|source| (source, by_source(source)));
    let (files, chunks) = counts.iter().fold((0, 0), |sum, (_, count)| (sum.0 + count.0, sum.1 + count.1));
    let conversations = status.stores.get("conversation").copied().unwrap_or(0);
    let total = status.all_tiers.values().sum::<usize>() + conversations;
    let database = memory.ledger().root().join("memory.db");
    let mut answer = json!({
        "agentId": memory.agent(),
        "status": {
            "backend": "builtin", "files": files, "chunks": chunks, "dirty": files != total,
            "workspaceDir": status.workspace, "dbPath": database,
            "provider": "builtin", "sources": sources,
            "sourceCounts": counts.map(|(source, (files, chunks))| json!({ "source": source, "files": files, "chunks": chunks })),
        },
        "scan": { "totalFiles": total, "issues": [] },
        "tiers": status.all_tiers,
    });
    if let Some(error) = &probe {
        answer["embeddingProbe"] = match error {
            None => json!({ "ok": true }),
            Some(error) => json!({ "ok": false, "error": error }),
        };
    }
    printer.answer(&json!([answer]), || {
        let tier = |name: &str| status.all_tiers.get(name).copied().unwrap_or(0);
        format!(
            "Indexed: {files}/{total} files · {chunks} chunks\nStore: {}\nWorkspace: {}\n\nSoul Memory Tiers:\n  T0 Soul: {} files\n  T1 Core: {} files\n  T2 Working: {} files\n",
            database.display(),
            status.workspace,
            tier("T0"),
            tier("T1"),
            tier("T2")
        )
    })
}
