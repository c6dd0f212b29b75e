//! A compiled context for every question, at several budgets, beside what plain search has in as many tokens.
//!
//! The context is `Memory::context`, with the `standard` preset and nothing overridden but the budget: recent days, topics and
//! what else a workspace holds stand in it as in real use. Topics are matched as `observe` does, before; the question is not
//! captured, so that one question is not remembered at the next. Whatever slot a turn stands in, it counts: mapped back by path
//! and lines, like what search finds.

use std::collections::{BTreeSet, HashSet};

use anyhow::{Context, Result};
use rem_format::config::ContextPreset;
use rem_mind::Memory;
use rem_mind::attention::topics::{Nobody, TopicMessage};
use rem_mind::attention::{CompiledContext, ContextQuery, Overrides};

use crate::configuration::Configuration;
use crate::conversation::{Conversation, Question};
use crate::corpus::{Corpus, Gold, Level};
use crate::coverage::{CONTEXT_BUDGETS, CompiledQuestion, WithinBudget, fates};
use crate::evaluation::Counts;
use crate::playbooks;
use rem_recall::metrics::within;

/// How many ask side by side.
const ASKERS: usize = 2;

/// The questions of a data set with what was compiled for them.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    /// The questions, in their order.
    pub(crate) asked: Vec<CompiledQuestion>,
    /// The embedders that answered.
    pub(crate) embedders: BTreeSet<String>,
    /// What was left out.
    pub(crate) counts: Counts,
}

impl Compiled {
    /// Each conversation in a workspace of its own.
    pub(crate) fn apart(
        conversations: &[Conversation],
        settings: &[(String, String)],
        has_topics: bool,
    ) -> Result<Self> {
        let mut all = Self::default();
        for conversation in conversations {
            let one = Self::together(std::slice::from_ref(conversation), settings, has_topics)
                .with_context(|| format!("conversation {}", conversation.id))?;
            all.asked.extend(one.asked);
            all.embedders.extend(one.embedders);
            all.counts.questions_without_evidence += one.counts.questions_without_evidence;
            all.counts.unknown_evidence += one.counts.unknown_evidence;
            all.counts.lost_turns += one.counts.lost_turns;
        }
        Ok(all)
    }

    /// All conversations in one workspace.
    pub(crate) fn together(
        conversations: &[Conversation],
        settings: &[(String, String)],
        has_topics: bool,
    ) -> Result<Self> {
        let corpus = Corpus::of_conversations(conversations, settings)?;
        if has_topics {
            for (path, text) in playbooks::files() {
                corpus.add_file(&path, &text);
            }
        }
        corpus.prepare()?;
        let mut all = Self::default();
        all.counts.lost_turns = corpus.lost();
        let mut asked: Vec<(&str, &Question, Gold)> = Vec::new();
        for conversation in conversations {
            for question in &conversation.questions {
                match corpus.gold(&conversation.id, question) {
                    Some(gold) if gold.level == Level::Turn => {
                        all.counts.unknown_evidence += gold.unknown;
                        asked.push((&conversation.id, question, gold));
                    }
                    _ => all.counts.questions_without_evidence += 1,
                }
            }
        }
        let parts: Vec<Part> = std::thread::scope(|scope| {
            let chunks = asked.chunks(asked.len().div_ceil(ASKERS).max(1));
            let threads: Vec<_> = chunks.map(|chunk| scope.spawn(|| part(&corpus, chunk))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<Part>>| match thread.join() {
                Ok(part) => part,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect::<Result<_>>()
        })?;
        for (asked, embedders) in parts {
            all.asked.extend(asked);
            all.embedders.extend(embedders);
        }
        Ok(all)
    }
}

/// What one thread asked, and the embedders that answered.
type Part = (Vec<CompiledQuestion>, BTreeSet<String>);

fn part(corpus: &Corpus, asked: &[(&str, &Question, Gold)]) -> Result<Part> {
    let memory = corpus.open();
    let mut found = Part::default();
    for (conversation, question, gold) in asked {
        let compiled = compiled(corpus, &memory, question, gold, &mut found.1);
        let (topics, budgets) = compiled.with_context(|| format!("`{}`", question.text))?;
        found.0.push(CompiledQuestion { conversation: (*conversation).to_owned(), topics, budgets });
    }
    Ok(found)
}

/// How many topics a question makes active, and what stands in a context of each budget.
fn compiled(
    corpus: &Corpus,
    memory: &Memory,
    question: &Question,
    gold: &Gold,
    embedders: &mut BTreeSet<String>,
) -> Result<(usize, Vec<WithinBudget>)> {
    let plain = Configuration::hybrid().query(memory, &question.text, corpus.today());
    let plain = corpus.ask(memory, &plain)?;
    embedders.extend(plain.embedder);
    let message = TopicMessage { text: &question.text, ..TopicMessage::default() };
    let topics: Vec<String> =
        memory.match_topics(&message, &Nobody)?.active().map(|topic| topic.name.clone()).collect();
    let mut all = Vec::with_capacity(CONTEXT_BUDGETS.len());
    for budget in CONTEXT_BUDGETS {
        let overrides =
            Overrides { preset: Some(ContextPreset::Standard), budget: Some(budget), ..Overrides::default() };
        let query =
            ContextQuery { message: &question.text, topics: &topics, overrides, ..ContextQuery::default() };
        let context = memory.context(&query, rem_testkit::machine_time())?;
        let items = context.slots.iter().flat_map(|slot| &slot.items);
        let stands: HashSet<usize> =
            items.flat_map(|item| corpus.turns_at(&item.path, item.start_line, item.end_line)).collect();
        let why = |unit: usize| fate(&context, corpus.path_of(unit));
        all.push(WithinBudget {
            tokens: context.tokens,
            slots: context.slots.iter().map(|slot| (slot.name, slot.used)).collect(),
            ..WithinBudget::of(&gold.units, &within(&plain.turns, &gold.units, budget), &stands, why)
        });
    }
    Ok((topics.len(), all))
}

/// What became of a turn that does not stand in a context. The compiler names the files of what it leaves out, not their
/// lines, so a file counts for the turns in it.
fn fate(context: &CompiledContext, path: Option<&str>) -> &'static str {
    let dropped = || context.slots.iter().flat_map(|slot| &slot.dropped);
    let is_for = |why: &str| dropped().any(|one| Some(one.path.as_str()) == path && one.why.starts_with(why));
    if is_for("superseded") {
        fates::SUPERSEDED
    } else if is_for("over budget") {
        fates::NO_ROOM
    } else if is_for("stands there already") {
        fates::REPEATED
    } else {
        fates::NOT_OFFERED
    }
}
