//! The suites: which data set is asked what, and which groups of questions are reported.
//!
//! A suite whose data is missing is skipped with a message; one whose data cannot be read is an error.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::configuration::Configuration;
use crate::context::Compiled;
use crate::conversation::{Conversation, Question, read_conversations};
use crate::corpus::{Corpus, Level};
use crate::coverage::{CompiledQuestion, CoverageTable};
use crate::data::DataFolder;
use crate::evaluation::{Asked, Evaluation};
use crate::missed::{Missed, missed};
use crate::report::{Outcome, Table};
use crate::{locomo, longmemeval, xquad};

/// Evidence beyond this place is missed.
const MISSED_FROM: usize = 10;

/// A data set with its questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// Dialogues over many sessions; evidence is turns.
    Locomo,
    /// Haystacks of chats; evidence is sessions.
    Longmemeval,
    /// Paragraphs in Chinese and English.
    Xquad,
    /// Compiled contexts against plain search, on LoCoMo.
    Context,
    /// Files in the format of `conversation.rs`.
    Conversations,
}

impl Suite {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Locomo, Self::Longmemeval, Self::Xquad, Self::Context, Self::Conversations];

    /// Its name on the command line and on the page.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Locomo => "locomo",
            Self::Longmemeval => "longmemeval",
            Self::Xquad => "xquad",
            Self::Context => "context",
            Self::Conversations => "conversations",
        }
    }
}

/// What a run goes by.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the data lies.
    pub data: DataFolder,
    /// Files for [`Suite::Conversations`]; without any, those in the data folder's `conversations`.
    pub files: Vec<PathBuf>,
    /// Settings of CONFIG.md for every workspace.
    pub config: Vec<(String, String)>,
}

/// Runs a suite: one outcome, for `Conversations` one per file.
///
/// # Errors
/// When a data set cannot be read, or a search fails.
pub fn run(suite: Suite, settings: &Settings) -> Result<Vec<Outcome>> {
    match suite {
        Suite::Locomo => one(suite, settings, locomo::FILE, locomo),
        Suite::Longmemeval => one(suite, settings, longmemeval::FILE, longmemeval),
        Suite::Xquad => xquad(settings),
        Suite::Context => one(suite, settings, locomo::FILE, context),
        Suite::Conversations => {
            let files = match settings.files.is_empty() {
                true => settings.data.lines_files(suite.name()),
                false => settings.files.clone(),
            };
            if files.is_empty() {
                let why = "no file was named and the data folder has no conversations/*.jsonl".to_owned();
                return Ok(vec![Outcome::skipped(suite.name(), why)]);
            }
            files.iter().map(|file| conversations(file, settings)).collect()
        }
    }
}

/// The questions about LoCoMo's tuning conversations, of categories 1 to 4, whose evidence is not all among the first ten; or why
/// there are none.
///
/// # Errors
/// As [`run`].
pub fn missed_of_tuning(settings: &Settings) -> Result<std::result::Result<Vec<Missed>, String>> {
    let file = match settings.data.file(locomo::FILE) {
        Ok(file) => file,
        Err(why) => return Ok(Err(why)),
    };
    let mut read = answerable(locomo::read(&file)?);
    read.retain(|one| locomo::TUNING.contains(&one.id.as_str()));
    missed(&read, MISSED_FROM, &settings.config).map(Ok)
}

/// Without the questions that assume what was never said.
fn answerable(conversations: Vec<Conversation>) -> Vec<Conversation> {
    let only = |mut one: Conversation| {
        one.questions.retain(|question| question.category.as_deref() != Some("5"));
        one
    };
    conversations.into_iter().map(only).collect()
}

/// Measures the data set of a file, in workspaces with these settings.
type Measure = fn(&Path, &[(String, String)]) -> Result<Outcome>;

fn one(suite: Suite, settings: &Settings, file: &str, measure: Measure) -> Result<Vec<Outcome>> {
    let outcome = match settings.data.file(file) {
        Ok(file) => Outcome { suite: suite.name().to_owned(), ..measure(&file, &settings.config)? },
        Err(why) => Outcome::skipped(suite.name(), why),
    };
    Ok(vec![outcome])
}

fn locomo(file: &Path, config: &[(String, String)]) -> Result<Outcome> {
    let read = locomo::read(file)?;
    let configurations = Configuration::all();
    let is_tuning = |asked: &Asked| locomo::TUNING.contains(&asked.conversation.as_str());
    let is_answerable = |asked: &Asked| asked.category.as_deref() != Some("5");
    let mut outcome = Outcome::default();
    for (title, evaluation) in [
        ("each conversation in a workspace of its own", Evaluation::apart(&read, &configurations, config)?),
        ("all conversations in one workspace", Evaluation::together(&read, &configurations, config)?),
    ] {
        outcome.note(&evaluation);
        let mut answerable = Table::new(format!("Categories 1 to 4, {title}"), Level::Turn);
        let mut all = Table::new(format!("All five categories, {title}"), Level::Turn);
        let mut single = Table::new(format!("By category, {title}"), Level::Turn);
        for (group, part) in [("tuning", Some(true)), ("reporting", Some(false)), ("all", None)] {
            let is_part = |asked: &Asked| part.is_none_or(|part| part == is_tuning(asked));
            let both = |asked: &Asked| is_part(asked) && is_answerable(asked);
            answerable.add_compared(group, &evaluation, &configurations, both);
            all.add(group, &evaluation, &configurations, |_| true, is_part);
            for (number, name) in locomo::CATEGORIES {
                let is_shown = |one: &Configuration| {
                    part.is_none() && [Configuration::KEYWORD, Configuration::HYBRID].contains(&one.name)
                };
                let is_category = |asked: &Asked| is_part(asked) && asked.category.as_deref() == Some(number);
                let group = if part.is_none() { name.to_owned() } else { format!("{name}, {group}") };
                single.add(&group, &evaluation, &configurations, is_shown, is_category);
            }
        }
        outcome.tables.extend([answerable, all, single]);
    }
    Ok(outcome)
}

/// Compiled contexts: without topics and with thirty of them, each conversation alone and all together.
fn context(file: &Path, config: &[(String, String)]) -> Result<Outcome> {
    let read = answerable(locomo::read(file)?);
    let mut outcome = Outcome::default();
    for (place, is_apart) in
        [("each conversation in a workspace of its own", true), ("all conversations in one workspace", false)]
    {
        for (topics, has_topics) in [("", false), (", with 30 topics", true)] {
            let compiled = match is_apart {
                true => Compiled::apart(&read, config, has_topics)?,
                false => Compiled::together(&read, config, has_topics)?,
            };
            outcome.embedders.extend(compiled.embedders.iter().cloned());
            outcome.note_counts(&compiled.counts);
            let mut table = CoverageTable::new(format!("Categories 1 to 4, {place}{topics}"));
            let is_tuning = |asked: &&CompiledQuestion| locomo::TUNING.contains(&asked.conversation.as_str());
            table.add("tuning", compiled.asked.iter().filter(is_tuning));
            table.add("reporting", compiled.asked.iter().filter(|asked| !is_tuning(asked)));
            outcome.coverage.push(table);
        }
    }
    Ok(outcome)
}

fn longmemeval(file: &Path, config: &[(String, String)]) -> Result<Outcome> {
    let read = longmemeval::read(file)?;
    let configurations = Configuration::all();
    let mut outcome = Outcome::default();
    let evaluation = Evaluation::apart(&read, &configurations, config)?;
    outcome.note(&evaluation);
    let mut table = Table::new("Sessions, each haystack in a workspace of its own", Level::File);
    table.add_compared("all", &evaluation, &configurations, |_| true);
    outcome.tables.push(table);
    Ok(outcome)
}

fn xquad(settings: &Settings) -> Result<Vec<Outcome>> {
    let mut languages = Vec::new();
    for (_, file) in xquad::FILES {
        match settings.data.file(file) {
            Ok(file) => languages.push(xquad::read(&file)?),
            Err(why) => return Ok(vec![Outcome::skipped(Suite::Xquad.name(), why)]),
        }
    }
    let configurations = Configuration::all();
    let mut outcome = Outcome { suite: Suite::Xquad.name().to_owned(), ..Outcome::default() };
    let mut table =
        Table::new("The paragraph for a question, each language in a workspace of its own", Level::File);
    let [english, chinese] = &languages[..] else { return Ok(vec![outcome]) };
    for (group, paragraphs, asking) in [
        ("English", english, english),
        ("Chinese", chinese, chinese),
        ("English about Chinese paragraphs", chinese, english),
    ] {
        let corpus = Corpus::of_notes(&paragraphs.texts, &settings.config)?;
        let question = |(text, at): &(String, usize)| Question {
            text: text.clone(),
            evidence: vec![at.to_string()],
            category: None,
        };
        let questions: Vec<Question> = asking.questions.iter().map(question).collect();
        let asked = questions.iter().map(|question| ("", question));
        let evaluation = Evaluation::ask(&corpus, asked, &configurations)?;
        outcome.note(&evaluation);
        table.add_compared(group, &evaluation, &configurations, |_| true);
    }
    outcome.tables.push(table);
    Ok(vec![outcome])
}

fn conversations(file: &Path, settings: &Settings) -> Result<Outcome> {
    let read: Vec<Conversation> = read_conversations(file)?;
    let configurations = Configuration::all();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut outcome = Outcome { suite: format!("conversations: {name}"), ..Outcome::default() };
    let apart = Evaluation::apart(&read, &configurations, &settings.config)?;
    let mut evaluations = vec![("each conversation in a workspace of its own", apart)];
    if read.len() > 1 {
        let together = Evaluation::together(&read, &configurations, &settings.config)?;
        evaluations.push(("all conversations in one workspace", together));
    }
    for (title, evaluation) in evaluations {
        outcome.note(&evaluation);
        let mut categories: Vec<&str> =
            evaluation.asked.iter().filter_map(|asked| asked.category.as_deref()).collect();
        categories.sort_unstable();
        categories.dedup();
        for (kind, level) in [("Turns", Level::Turn), ("Sessions", Level::File)] {
            let mut table = Table::new(format!("{kind}, {title}"), level);
            table.add_compared("all", &evaluation, &configurations, |_| true);
            for category in &categories {
                let is_category = |asked: &Asked| asked.category.as_deref() == Some(*category);
                table.add(category, &evaluation, &configurations, |_| true, is_category);
            }
            if !table.lines.is_empty() {
                outcome.tables.push(table);
            }
        }
    }
    Ok(outcome)
}
