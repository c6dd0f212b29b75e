//! Every question of a data set, asked in every configuration.
//!
//! Configurations are asked side by side, each through a façade of its own over the same workspace, as several processes
//! would. What comes out is one row of figures per question, in the order of the questions whatever the threads did, so that
//! differences can be taken pair by pair.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::configuration::Configuration;
use crate::conversation::{Conversation, Question};
use crate::corpus::{Corpus, Gold, Level};
use rem_recall::metrics::Scores;

/// A question that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The conversation it is about.
    pub conversation: String,
    /// Its category.
    pub category: Option<String>,
    /// What it asks for.
    pub level: Level,
    /// Its figures, one for each configuration.
    pub scores: Vec<Scores>,
}

/// What was left out or went another way than it should, counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// Questions none of whose evidence exists.
    pub questions_without_evidence: usize,
    /// Ids of evidence that exist nowhere, or twice, of the questions that were asked.
    pub unknown_evidence: usize,
    /// Turns that did not arrive in a transcript.
    pub lost_turns: usize,
}

/// The questions of a data set with their figures.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evaluation {
    /// The questions.
    pub asked: Vec<Asked>,
    /// The embedders that answered: one, unless one failed on the way.
    pub embedders: BTreeSet<String>,
    /// What they had to say.
    pub notices: BTreeSet<String>,
    /// What was left out.
    pub counts: Counts,
}

impl Evaluation {
    /// Each conversation in a workspace of its own.
    ///
    /// # Errors
    /// As [`Evaluation::together`].
    pub fn apart(
        conversations: &[Conversation],
        configurations: &[Configuration],
        settings: &[(String, String)],
    ) -> Result<Self> {
        let mut all = Self::default();
        for conversation in conversations {
            let one = Self::together(std::slice::from_ref(conversation), configurations, settings)
                .with_context(|| format!("conversation {}", conversation.id))?;
            all.asked.extend(one.asked);
            all.embedders.extend(one.embedders);
            all.notices.extend(one.notices);
            all.counts.questions_without_evidence += one.counts.questions_without_evidence;
            all.counts.unknown_evidence += one.counts.unknown_evidence;
            all.counts.lost_turns += one.counts.lost_turns;
        }
        Ok(all)
    }

    /// All conversations in one workspace; questions are not narrowed to theirs.
    ///
    /// # Errors
    /// As [`Corpus::of_conversations`] and [`Corpus::ask`].
    pub fn together(
        conversations: &[Conversation],
        configurations: &[Configuration],
        settings: &[(String, String)],
    ) -> Result<Self> {
        let corpus = Corpus::of_conversations(conversations, settings)?;
        let questions = conversations
            .iter()
            .flat_map(|one| one.questions.iter().map(move |question| (one.id.as_str(), question)));
        Self::ask(&corpus, questions, configurations)
    }

    /// Asks these questions, each of a conversation, in a corpus.
    ///
    /// # Errors
    /// As [`Corpus::ask`].
    pub fn ask<'a>(
        corpus: &Corpus,
        questions: impl IntoIterator<Item = (&'a str, &'a Question)>,
        configurations: &[Configuration],
    ) -> Result<Self> {
        let mut evaluation = Self::default();
        evaluation.counts.lost_turns = corpus.lost();
        let mut asked: Vec<(&str, &Question, Gold)> = Vec::new();
        for (conversation, question) in questions {
            match corpus.gold(conversation, question) {
                Some(gold) => {
                    evaluation.counts.unknown_evidence += gold.unknown;
                    asked.push((conversation, question, gold));
                }
                None => evaluation.counts.questions_without_evidence += 1,
            }
        }
        corpus.prepare()?;
        let columns = std::thread::scope(|scope| {
            let threads: Vec<_> = configurations
                .iter()
                .map(|configuration| scope.spawn(|| column(corpus, &asked, configuration)))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Column>>| match thread.join() {
                Ok(column) => column,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect::<Result<Vec<Column>>>()
        })?;
        evaluation.asked = asked
            .iter()
            .enumerate()
            .map(|(at, (conversation, question, gold))| Asked {
                conversation: (*conversation).to_owned(),
                category: question.category.clone(),
                level: gold.level,
                scores: columns.iter().map(|column| column.scores[at]).collect(),
            })
            .collect();
        for column in columns {
            evaluation.embedders.extend(column.embedders);
            evaluation.notices.extend(column.notices);
        }
        Ok(evaluation)
    }
}

/// The figures of one configuration.
struct Column {
    scores: Vec<Scores>,
    embedders: BTreeSet<String>,
    notices: BTreeSet<String>,
}

fn column(
    corpus: &Corpus,
    asked: &[(&str, &Question, Gold)],
    configuration: &Configuration,
) -> Result<Column> {
    let memory = corpus.open();
    let mut column = Column {
        scores: Vec::with_capacity(asked.len()),
        embedders: BTreeSet::new(),
        notices: BTreeSet::new(),
    };
    for (_, question, gold) in asked {
        let found = corpus
            .ask(&memory, &configuration.query(&memory, &question.text, corpus.today()))
            .with_context(|| format!("{}: `{}`", configuration.name, question.text))?;
        let answer = match gold.level {
            Level::Turn => &found.turns,
            Level::File => &found.files,
        };
        column.scores.push(Scores::of(answer, &gold.units));
        column.embedders.extend(found.embedder);
        column.notices.extend(found.notice);
    }
    Ok(column)
}
