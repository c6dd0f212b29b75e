//! What comes with the conversation rather than with its words: profiles of who and what it names (C15), instructions and files of
//! active topics (A2.2), a file and a command from outside this memory (P10).

use std::collections::BTreeMap;
use std::time::Duration;

use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_reason::command;
use rem_recall::{Asking, passages};

use super::budget::Source;
use super::compiled::{Candidate, Dropped};
use super::division::beginning;
use super::topics::LARGEST_SUBSCRIPTION;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::search::is_blank;

/// The most profiles of one context.
const MOST_PROFILES: usize = 8;
/// An entity's file of at most so many bytes stands whole where a part of it was recalled.
const SMALL_PROFILE: usize = 2_000;
/// How well a profile matches, where all is ranked together: less than a good match, more than a poor one.
const PROFILE_SCORE: f64 = 0.6;
/// What stands for the path of what the command of `context.crm_source` says.
const CRM: &str = "context.crm_source";
/// Bytes in a kilobyte of `max_context_kb`.
const KILOBYTE: u64 = 1024;

impl Memory {
    /// The profiles of entities that the talk names. An entity of which a part was recalled stands there whole if it is small; else
    /// what was recalled is what counts.
    pub(super) fn profiles(
        &self,
        asking: &Asking,
        talk: &str,
        recalled: &mut Vec<Candidate>,
    ) -> Result<Vec<Candidate>, MemoryError> {
        let named = match self.present_index().as_ref() {
            Some(index) => index.entities_spoken_of(talk, MOST_PROFILES).unwrap_or_default(),
            None => Vec::new(),
        };
        let mut profiles = Vec::new();
        for node in named {
            let why = format!("{} is named", node.label);
            let Some(profile) = self.whole_file(asking, &MemoryPath::new(node.path.clone())?, &why)? else {
                continue;
            };
            let profile = Candidate { score: Some(PROFILE_SCORE), is_untrusted: true, ..profile };
            let Some(at) = recalled.iter().position(|hit| hit.path == node.path) else {
                profiles.push(profile);
                continue;
            };
            if profile.text.len() <= SMALL_PROFILE {
                let Candidate { score, why, .. } = recalled[at].clone();
                recalled[at] = Candidate { score, why, ..profile };
                let mut is_first = true;
                recalled.retain(|hit| hit.path != node.path || std::mem::take(&mut is_first));
            }
        }
        Ok(profiles)
    }

    /// What the command of `context.crm_source` has to say of those whom the talk names (P10), a candidate for each section that it
    /// prints. What it knows is the operator's.
    pub(super) fn crm_candidates(
        &self,
        asking: &Asking,
        message: &str,
        talk: &str,
        candidates: &mut BTreeMap<Source, Vec<Candidate>>,
        left_out: &mut Vec<(Source, Dropped)>,
    ) {
        let command = self.config.context.crm_source.trim();
        if command.is_empty() || message.trim().is_empty() || !asking.is_operator() {
            return;
        }
        let named = self.present_index().as_ref().map(|index| index.entities_spoken_of(talk, MOST_PROFILES));
        let named = named.and_then(Result::ok).unwrap_or_default();
        let names: Vec<&str> = named.iter().map(|node| node.label.as_str()).collect();
        let limit = Duration::from_millis(self.config.context.crm_timeout_ms);
        let answer = match self.is_trusted() {
            false => Err(format!("CONFIG.md names a command, and {}", self.not_trusted())),
            true => self.redactor().map_err(|error| error.to_string()).and_then(|redactor| {
                let asked = serde_json::json!({ "message": redactor.redact(message).0, "entities": names });
                let answer = command::ask(command, self.ledger.root(), asked.to_string().as_bytes(), limit);
                Ok(redactor.redact(&answer.map_err(|error| error.to_string())?).0.into_owned())
            }),
        };
        match answer {
            Ok(text) => {
                let sections =
                    passages(&text, usize::MAX).into_iter().filter(|section| !is_blank(&section.text));
                candidates.entry(Source::Profiles).or_default().extend(sections.map(|section| {
                    let lines = (section.start_line, section.end_line);
                    let profile = Candidate::new(CRM, lines, section.text, "the CRM knows of it");
                    Candidate { score: Some(PROFILE_SCORE), is_untrusted: true, ..profile }
                }));
            }
            Err(why) => left_out.push((Source::Profiles, Dropped { path: CRM.to_owned(), tokens: 0, why })),
        }
    }

    /// The keywords of topics, as one text to search with.
    pub(super) fn topic_keywords(&self, topics: &[String]) -> Result<String, MemoryError> {
        let set = self.topics()?;
        let keywords: Vec<&str> =
            topics.iter().filter_map(|name| set.get(name)).flat_map(|topic| topic.keywords()).collect();
        Ok(keywords.join(" "))
    }

    /// The instructions of active topics and the files that come with them, within what each may add.
    pub(super) fn topic_candidates(
        &self,
        asking: &Asking,
        active: &[String],
        candidates: &mut BTreeMap<Source, Vec<Candidate>>,
        left_out: &mut Vec<(Source, Dropped)>,
    ) -> Result<(), MemoryError> {
        if active.is_empty() {
            return Ok(());
        }
        let set = self.topics()?;
        for name in active {
            let (Some(topic), Some(path)) = (set.get(name), set.path(name)) else {
                let why = "there is no such topic, or its file cannot be read".to_owned();
                left_out.push((Source::Topics, Dropped { path: format!("topic {name}"), tokens: 0, why }));
                continue;
            };
            let kilobytes = topic.max_context_kb.unwrap_or(self.config.topics.max_context_kb);
            let most = usize::try_from(kilobytes.saturating_mul(KILOBYTE)).unwrap_or(usize::MAX);
            let beyond = format!("topic {name} may add {kilobytes} KB");
            let instructions = beginning(&topic.instructions, most);
            if instructions.len() < topic.instructions.trim_end().len() {
                let tokens = rem_reason::count_tokens(&topic.instructions[instructions.len()..]);
                left_out
                    .push((Source::Topics, Dropped { path: path.to_string(), tokens, why: beyond.clone() }));
            }
            let lines = instructions.lines().count().max(1);
            candidates.entry(Source::Topics).or_default().push(Candidate::new(
                path.as_str(),
                (topic.body_line, topic.body_line + lines - 1),
                instructions,
                format!("topic {name} is active"),
            ));
            let mut room = most.saturating_sub(instructions.len());
            for subscription in &topic.subscriptions {
                let mut leave_out = |tokens: usize, why: String| {
                    let path = subscription.path.to_string();
                    left_out.push((Source::Subscriptions, Dropped { path, tokens, why }));
                };
                // Its own instructions stand there already.
                if subscription.path == *path {
                    continue;
                }
                let why = format!("topic {name} subscribes to it");
                let file = self.is_small_file(&subscription.path).and_then(|()| {
                    self.whole_file(asking, &subscription.path, &why).map_err(|error| error.to_string())
                });
                match file {
                    Err(error) => leave_out(0, format!("{why}: {error}")),
                    Ok(None) => {}
                    Ok(Some(file)) => {
                        let kept = beginning(&file.text, room);
                        if kept.len() < file.text.trim_end().len() {
                            let tokens = rem_reason::count_tokens(&file.text[kept.len()..]);
                            leave_out(tokens, beyond.clone());
                        }
                        if kept.is_empty() {
                            continue;
                        }
                        room -= kept.len();
                        let end_line = file.start_line + kept.lines().count().saturating_sub(1);
                        let text = kept.to_owned();
                        candidates.entry(Source::Subscriptions).or_default().push(Candidate {
                            text,
                            end_line,
                            is_untrusted: self.is_record(&subscription.path),
                            ..file
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a file holds what was said, read or noted once, which is data: all but what the operator sets up and the memory's own
    /// pages, playbooks and projects.
    fn is_record(&self, path: &MemoryPath) -> bool {
        let own = [
            Store::Soul,
            Store::IdentityCard,
            Store::User,
            Store::Agents,
            Store::Tools,
            Store::Core,
            Store::Corrections,
            Store::Topics,
            Store::Procedures,
            Store::Projects,
        ];
        self.ledger.layout().store_of(path).is_none_or(|store| !own.contains(&store))
    }

    /// Whether a path of the workspace leads to a file that may be read whole.
    fn is_small_file(&self, path: &MemoryPath) -> Result<(), String> {
        is_small_file(&self.ledger.root().join(path.as_str()))
    }

    /// The file that `context.external_source` names (P10). One outside the workspace needs trust: CONFIG.md travels.
    pub(super) fn external_candidate(
        &self,
        asking: &Asking,
        candidates: &mut BTreeMap<Source, Vec<Candidate>>,
        left_out: &mut Vec<(Source, Dropped)>,
    ) {
        let source = self.config.context.external_source.trim();
        if source.is_empty() {
            return;
        }
        let read = match MemoryPath::new(source) {
            // Not through a link: that would lead outside.
            Ok(path) => self
                .is_small_file(&path)
                .and_then(|()| self.seen_by(asking, path.as_str()).map_err(|error| error.to_string())),
            Err(_) if !self.is_trusted() => {
                Err("it lies outside the workspace, which is not trusted".to_owned())
            }
            Err(_) if !asking.is_operator() => Err("it is for the operator alone".to_owned()),
            Err(_) => {
                let at = self.ledger.root().join(source);
                is_small_file(&at).and_then(|()| std::fs::read(at).map_err(|error| error.to_string()))
            }
        };
        let read = read.and_then(|bytes| {
            let redactor = self.redactor().map_err(|error| error.to_string())?;
            Ok(redactor.redact(&String::from_utf8_lossy(&bytes)).0.into_owned())
        });
        match read {
            Ok(text) => {
                let lines = (1, text.lines().count().max(1));
                let file = Candidate::new(source, lines, text, "context.external_source");
                let file = Candidate { score: Some(PROFILE_SCORE), is_untrusted: true, ..file };
                candidates.entry(Source::External).or_default().push(file);
            }
            Err(why) => {
                left_out.push((Source::External, Dropped { path: source.to_owned(), tokens: 0, why }))
            }
        }
    }
}

/// Refuses folders, pipes and what is too large before any of it is read.
fn is_small_file(path: &std::path::Path) -> Result<(), String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is no file".to_owned());
    }
    if metadata.len() > LARGEST_SUBSCRIPTION {
        return Err(format!("too large: {} bytes", metadata.len()));
    }
    Ok(())
}
