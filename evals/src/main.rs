//! `rem-evals`: runs the suites, and says or writes down what came out.
//!
//! Standard output is the answer, as tables or as JSON; standard error is talk. What is missing is skipped, and that is no
//! failure: the data belongs to others and does not lie in the project.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use rem_evals::{DataFolder, Outcome, Settings, Suite, missed_of_tuning, run, update_page};

/// Measure how well the memory is searched
///
/// Example: cargo run --release -p rem-evals -- locomo --write
#[derive(Debug, Parser)]
#[command(name = "rem-evals", version)]
struct Arguments {
    /// What to measure
    #[arg(value_enum, default_value = "all")]
    suite: Wanted,
    /// Files of conversations to measure, in the format of evals/src/conversation.rs; only with `conversations`
    files: Vec<PathBuf>,
    /// The folder of the data sets [default: ../shared/data beside the project]
    #[arg(long, value_name = "FOLDER", env = "REM_EVAL_DATA")]
    data: Option<PathBuf>,
    /// A setting of CONFIG.md for every workspace: `embeddings.provider=ollama`
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    config: Vec<(String, String)>,
    /// Answer as JSON, with every group of questions
    #[arg(long)]
    json: bool,
    /// Fill the tables of docs/evaluation.md anew
    #[arg(long)]
    write: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Wanted {
    /// Every suite whose data is there
    All,
    /// Dialogues over many sessions; evidence is turns
    Locomo,
    /// Haystacks of chats; evidence is sessions
    Longmemeval,
    /// Paragraphs in Chinese and English
    Xquad,
    /// Compiled contexts against plain search, on LoCoMo
    Context,
    /// Files of your own
    Conversations,
    /// No measurement: the questions of LoCoMo's tuning part whose evidence is missed, with what stands above it, one a line as JSON
    Missed,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE")?;
    Ok((key.trim().to_owned(), value.trim().to_owned()))
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if !arguments.files.is_empty() && arguments.suite != Wanted::Conversations {
        bail!("files are for `conversations` alone");
    }
    let data = arguments.data.as_deref().map_or_else(DataFolder::beside_the_project, DataFolder::named);
    let settings = Settings { data, files: arguments.files, config: arguments.config };
    let suites = match arguments.suite {
        Wanted::All => Suite::ALL.to_vec(),
        Wanted::Locomo => vec![Suite::Locomo],
        Wanted::Longmemeval => vec![Suite::Longmemeval],
        Wanted::Xquad => vec![Suite::Xquad],
        Wanted::Context => vec![Suite::Context],
        Wanted::Conversations => vec![Suite::Conversations],
        Wanted::Missed => return list_missed(&settings),
    };
    let mut outcomes = Vec::new();
    for suite in suites {
        let start = Instant::now();
        let found = run(suite, &settings).with_context(|| format!("{} failed", suite.name()))?;
        for outcome in &found {
            let what = match &outcome.skipped {
                Some(why) => format!("skipped: {why}"),
                None => format!("{} s", start.elapsed().as_secs()),
            };
            writeln!(std::io::stderr(), "{}: {what}", outcome.suite)?;
        }
        outcomes.extend(found);
    }
    if arguments.write {
        write_page(&outcomes)?;
    }
    answer(&outcomes, arguments.json)
}

fn list_missed(settings: &Settings) -> Result<()> {
    match missed_of_tuning(settings)? {
        Ok(missed) => {
            let mut out = std::io::stdout().lock();
            for one in missed {
                serde_json::to_writer(&mut out, &one)?;
                writeln!(out)?;
            }
        }
        Err(why) => writeln!(std::io::stderr(), "skipped: {why}")?,
    }
    Ok(())
}

fn answer(outcomes: &[Outcome], json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        serde_json::to_writer_pretty(&mut out, outcomes)?;
        return Ok(writeln!(out)?);
    }
    for outcome in outcomes.iter().filter(|outcome| outcome.skipped.is_none()) {
        writeln!(out, "## {}\n\n{}", outcome.suite, outcome.markdown())?;
    }
    Ok(())
}

/// Fills the places of the suites that ran; others keep what they have.
fn write_page(outcomes: &[Outcome]) -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/evaluation.md");
    let mut page =
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let named = |outcome: &&Outcome| outcome.skipped.is_none() && !outcome.suite.contains(':');
    for outcome in outcomes.iter().filter(named) {
        page = update_page(&page, &outcome.suite, &outcome.markdown()).map_err(anyhow::Error::msg)?;
    }
    #[allow(clippy::disallowed_methods, reason = "a page of the project is no file of a workspace")]
    std::fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))
}
