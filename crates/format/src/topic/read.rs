//! From a file's front matter to a checked topic, with everything that is wrong collected on the way.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;
use thiserror::Error;

use super::{Activation, Mood, NaturalLanguage, Priority, Scope, Subscription, Topic, Trigger, When};
use crate::cron::Cron;
use crate::document::Document;
use crate::path::MemoryPath;
use crate::yaml::{self, Content, Entry, Node};

/// The most triggers and the most subscriptions of one topic, and the most words of one trigger.
const MOST: usize = 1_000;
/// The longest text of one word, pattern or hint, in characters.
const LONGEST: usize = 4_096;
/// The largest `max_context_kb`.
const MOST_KILOBYTES: u64 = 100_000;
/// How deep a regular expression may be nested.
const PATTERN_DEPTH: u32 = 64;
/// Keys that every file may have (A2.3) and that say nothing about a topic.
const COMMON_KEYS: [&str; 4] = ["updated", "created", "tags", "for"];
const KINDS: &str =
    "pattern, glob, keywords, code, language, mention, url, urgency, sentiment, webhook, cron";

/// Something about one line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong or odd, and what to do.
    pub what: String,
}

impl fmt::Display for Issue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.what)
    }
}

/// A file that could be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The topic.
    pub topic: Topic,
    /// What was passed over: unknown keys, and the like.
    pub notes: Vec<Issue>,
    /// Subscriptions that lead out of the workspace and were left out.
    pub refused: Vec<Issue>,
}

/// Every mistake in one file, in the order of lines. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", .issues.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct TopicErrors {
    /// The mistakes.
    pub issues: Vec<Issue>,
}

pub(super) fn topic(name: &str, bytes: &[u8]) -> Result<Parsed, TopicErrors> {
    let document = Document::parse(bytes);
    let mut reader = Reader::default();
    let entries = reader.front_matter(&document);
    let body = document.body_text();
    let prose = Prose::of(&body);
    let title = prose.title.unwrap_or(name).to_owned();
    let mut topic = Topic {
        name: name.to_owned(),
        description: prose.paragraph.unwrap_or_else(|| title.clone()),
        title,
        instructions: body.trim().to_owned(),
        body_line: document.body_line(),
        triggers: Vec::new(),
        subscriptions: Vec::new(),
        activation: Activation::default(),
        priority: Priority::default(),
        max_context_kb: None,
        similarity_threshold: None,
    };
    for entry in &entries {
        reader.key(entry, &mut topic);
    }
    if reader.errors.is_empty() {
        if topic.triggers.is_empty() && topic.activation != Activation::Manual {
            reader.note(1, "it has no triggers: only its similarity can put it forward".to_owned());
        }
        return Ok(Parsed { topic, notes: reader.notes, refused: reader.refused });
    }
    reader.errors.sort_by_key(|issue| issue.line);
    Err(TopicErrors { issues: reader.errors })
}

/// Title and first paragraph of a body.
struct Prose<'a> {
    title: Option<&'a str>,
    paragraph: Option<String>,
}

impl<'a> Prose<'a> {
    fn of(body: &'a str) -> Self {
        let mut prose = Self { title: None, paragraph: None };
        let mut paragraph: Vec<&str> = Vec::new();
        for line in body.lines().map(str::trim) {
            let heading = line.trim_start_matches('#');
            let is_heading = heading.len() < line.len() && heading.starts_with([' ', '\t']);
            match (is_heading, line.is_empty()) {
                (true, _) if prose.title.is_none() && paragraph.is_empty() => {
                    prose.title = Some(heading.trim())
                }
                (true, _) => break,
                (_, true) if paragraph.is_empty() => {}
                (_, true) => break,
                _ => paragraph.push(line),
            }
        }
        let paragraph = paragraph.join(" ");
        prose.paragraph = (!paragraph.is_empty() && !paragraph.starts_with("```")).then_some(paragraph);
        prose
    }
}

#[derive(Default)]
struct Reader {
    errors: Vec<Issue>,
    notes: Vec<Issue>,
    refused: Vec<Issue>,
}

impl Reader {
    fn error(&mut self, line: usize, what: impl Into<String>) {
        self.errors.push(Issue { line, what: what.into() });
    }

    fn note(&mut self, line: usize, what: String) {
        self.notes.push(Issue { line, what });
    }

    /// The keys of the front matter; none where it cannot be read.
    fn front_matter(&mut self, document: &Document) -> Vec<Entry> {
        let Some(front) = document.front_matter() else {
            if let Err(error) = document.entries() {
                self.error(1, error.to_string());
            }
            return Vec::new();
        };
        let source = match std::str::from_utf8(front) {
            Ok(source) => source,
            Err(error) => {
                let line = 2 + memchr::memchr_iter(b'\n', &front[..error.valid_up_to()]).count();
                self.error(line, "this line is not UTF-8: save the file as UTF-8");
                return Vec::new();
            }
        };
        match yaml::parse(source, 0, 2) {
            Ok(None) => Vec::new(),
            Ok(Some(Node { content: Content::Map { entries, .. }, .. })) => {
                let mut seen = BTreeSet::new();
                for entry in &entries {
                    if !seen.insert(entry.key.clone()) {
                        self.error(
                            entry.key_line,
                            format!("`{}` was given before; keep one of the two", entry.key),
                        );
                    }
                }
                entries
            }
            Ok(Some(node)) => {
                self.error(node.line, format!("expected `key: value` lines, found {}", node.describe()));
                Vec::new()
            }
            Err(malformed) => {
                self.error(malformed.line, format!("the YAML cannot be read: {}", malformed.message));
                Vec::new()
            }
        }
    }

    fn key(&mut self, entry: &Entry, topic: &mut Topic) {
        let value = &entry.value;
        if value.is_null() {
            return;
        }
        match entry.key.as_str() {
            "type" => {
                if self.text(value, "type").is_some_and(|text| text != "topic") {
                    self.note(value.line, format!("`type` is {}; it is read as a topic", value.describe()));
                }
            }
            "description" => {
                if let Some(text) = self.text(value, "description").filter(|text| !text.trim().is_empty()) {
                    topic.description = text.split_whitespace().collect::<Vec<_>>().join(" ");
                }
            }
            "activation" => {
                topic.activation = self
                    .word(value, "activation", Activation::NAMES, Activation::from_name)
                    .unwrap_or_default();
            }
            "priority" => {
                topic.priority =
                    self.word(value, "priority", Priority::NAMES, Priority::from_name).unwrap_or_default();
            }
            "max_context_kb" => {
                topic.max_context_kb = plain(value).and_then(|text| text.parse().ok());
                if topic.max_context_kb.is_none_or(|kilobytes| kilobytes > MOST_KILOBYTES) {
                    let found = value.describe();
                    self.error(value.line, format!("`max_context_kb` must be a whole number from 0 to {MOST_KILOBYTES}, but is {found}"));
                }
            }
            "similarity_threshold" => {
                topic.similarity_threshold = plain(value).and_then(|text| text.parse().ok());
                if !topic.similarity_threshold.is_some_and(|threshold: f64| (0.0..=1.0).contains(&threshold))
                {
                    let found = value.describe();
                    self.error(
                        value.line,
                        format!("`similarity_threshold` must be a number from 0 to 1, but is {found}"),
                    );
                }
            }
            "subscriptions" => self.subscriptions(value, topic),
            "triggers" => {
                for item in self.items(value, "triggers") {
                    topic.triggers.extend(self.trigger(item));
                }
            }
            key if COMMON_KEYS.contains(&key) => {}
            key => self.note(
                entry.key_line,
                format!("`{}` is no key of a topic and is passed over", key.escape_debug()),
            ),
        }
    }

    fn subscriptions(&mut self, value: &Node, topic: &mut Topic) {
        for item in self.items(value, "subscriptions") {
            let Some(text) = self.text(item, "subscriptions") else { continue };
            match MemoryPath::new(text) {
                Ok(path) if topic.subscriptions.iter().any(|known| known.path == path) => {
                    self.note(item.line, format!("{path} is subscribed to twice"));
                }
                Ok(path) => topic.subscriptions.push(Subscription { path, line: item.line }),
                Err(error) => {
                    self.refused.push(Issue { line: item.line, what: format!("the subscription {error}") })
                }
            }
        }
    }

    fn trigger(&mut self, item: &Node) -> Option<Trigger> {
        if let Content::Scalar { text, .. } = &item.content
            && !text.trim().is_empty()
        {
            // A bare word is a keyword, as people write it who know no better.
            self.text(item, "triggers")?;
            let when = When::Keywords(vec![text.trim().to_owned()]);
            return Some(Trigger { when, scope: Scope::default(), correction_hint: None, line: item.line });
        }
        let Content::Map { entries, .. } = &item.content else {
            self.error(item.line, format!("a trigger is a mapping with `type`, not {}", item.describe()));
            return None;
        };
        let before = self.errors.len();
        let mut fields = Fields { entries, used: BTreeSet::new() };
        let Some(kind) = fields.take("type").and_then(|node| self.text(node, "type")) else {
            self.error(item.line, format!("the trigger has no `type`: one of {KINDS}"));
            return None;
        };
        let when = self.when(kind, item, &mut fields);
        let mut scope = Scope::default();
        let mut correction_hint = None;
        if when.as_ref().is_none_or(When::watches_messages) {
            if let Some(node) = fields.take("scope") {
                scope = self.word(node, "scope", Scope::NAMES, Scope::from_name).unwrap_or_default();
            }
            correction_hint = fields
                .take("correction_hint")
                .and_then(|node| self.text(node, "correction_hint"))
                .filter(|text| !text.trim().is_empty())
                .map(|text| text.trim().to_owned());
            if correction_hint.is_some() && scope == Scope::Input {
                self.note(
                    item.line,
                    "`correction_hint` is said only where the scope is output or both".to_owned(),
                );
            }
        }
        let mut seen = BTreeSet::new();
        for entry in entries {
            let key = entry.key.escape_debug();
            if !seen.insert(entry.key.as_str()) {
                self.error(entry.key_line, format!("`{key}` was given before; keep one of the two"));
            } else if !fields.used.contains(entry.key.as_str()) {
                self.note(
                    entry.key_line,
                    format!("`{key}` is no key of a trigger of the kind {kind} and is passed over"),
                );
            }
        }
        let is_well = self.errors.len() == before;
        when.filter(|_| is_well).map(|when| Trigger { when, scope, correction_hint, line: item.line })
    }

    fn when(&mut self, kind: &str, item: &Node, fields: &mut Fields<'_>) -> Option<When> {
        Some(match kind {
            "pattern" => {
                let Some(node) = fields.take("match") else {
                    self.error(item.line, "a pattern trigger needs `match`, a regular expression");
                    return None;
                };
                let text = self.text(node, "match")?;
                self.pattern(text, node.line)?;
                When::Pattern(text.to_owned())
            }
            "glob" => When::Glob(self.needed(kind, item, fields, &["match", "paths"])?),
            "keywords" => When::Keywords(self.needed(kind, item, fields, &["words", "match"])?),
            "url" => When::Url(self.needed(kind, item, fields, &["match", "hosts"])?),
            "code" => When::Code(self.texts(fields, &["languages", "language", "match"])?.1),
            "mention" => When::Mention(self.texts(fields, &["names", "name", "match"])?.1),
            "language" => {
                let (line, names) = self.texts(fields, &["languages", "language", "match"])?;
                let mut languages = Vec::new();
                for name in &names {
                    match NaturalLanguage::parse(name) {
                        Some(language) => languages.push(language),
                        None => {
                            let known = NaturalLanguage::NAMES.join(", ");
                            self.error(
                                line.unwrap_or(item.line),
                                format!("{name:?} is no language that can be told: one of {known}"),
                            );
                        }
                    }
                }
                if names.is_empty() {
                    self.error(item.line, "a language trigger needs `languages`, such as [de]");
                }
                When::Language(languages)
            }
            "urgency" => When::Urgency,
            "sentiment" => When::Sentiment(match fields.take("mood") {
                Some(node) => self.word(node, "mood", Mood::NAMES, Mood::from_name)?,
                None => Mood::default(),
            }),
            "webhook" => {
                let Some(source) = fields.take("source").and_then(|node| self.text(node, "source")) else {
                    self.error(item.line, "a webhook trigger needs `source`, who sends it");
                    return None;
                };
                let event = fields.take("event").and_then(|node| self.text(node, "event")).map(str::to_owned);
                When::Webhook { source: source.to_owned(), event }
            }
            "cron" => {
                let Some(node) = fields.take("schedule") else {
                    self.error(item.line, "a cron trigger needs `schedule`, such as \"0 8 * * *\"");
                    return None;
                };
                let text = self.text(node, "schedule")?;
                match Cron::parse(text) {
                    Ok(cron) => When::Cron(cron),
                    Err(what) => {
                        self.error(node.line, what);
                        return None;
                    }
                }
            }
            other => {
                self.error(item.line, format!("{other:?} is no kind of trigger: one of {KINDS}"));
                return None;
            }
        })
    }

    /// A regular expression is read here and compiled where it is used.
    fn pattern(&mut self, text: &str, line: usize) -> Option<()> {
        let parsed = regex_syntax::ParserBuilder::new()
            .case_insensitive(true)
            .nest_limit(PATTERN_DEPTH)
            .build()
            .parse(text);
        match parsed {
            Ok(hir) if hir.properties().minimum_len().is_none() => {
                self.error(line, "the regular expression can never match");
                None
            }
            Ok(_) => Some(()),
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
                self.error(line, format!("the regular expression cannot be read: {reason}"));
                None
            }
        }
    }

    /// As [`Self::texts`], with at least one.
    fn needed(
        &mut self,
        kind: &str,
        item: &Node,
        fields: &mut Fields<'_>,
        names: &[&str],
    ) -> Option<Vec<String>> {
        let before = self.errors.len();
        let (_, texts) = self.texts(fields, names)?;
        if texts.is_empty() && self.errors.len() == before {
            self.error(item.line, format!("a {kind} trigger needs `{}`", names[0]));
        }
        Some(texts)
    }

    /// One text or a list of texts under the first of these keys that is there, trimmed, without empty ones; and its line.
    fn texts(&mut self, fields: &mut Fields<'_>, names: &[&str]) -> Option<(Option<usize>, Vec<String>)> {
        let Some((name, node)) = names.iter().find_map(|name| Some((*name, fields.take(name)?))) else {
            return Some((None, Vec::new()));
        };
        let items = match &node.content {
            Content::List(_) => self.items(node, name),
            _ => std::slice::from_ref(node),
        };
        let mut texts = Vec::new();
        for item in items {
            let text = self.text(item, name)?.trim();
            if !text.is_empty() {
                texts.push(text.to_owned());
            }
        }
        Some((Some(node.line), texts))
    }

    fn items<'a>(&mut self, node: &'a Node, name: &str) -> &'a [Node] {
        match &node.content {
            Content::List(items) if items.len() <= MOST => items,
            Content::List(items) => {
                self.error(node.line, format!("`{name}` has {} items, more than {MOST}", items.len()));
                &[]
            }
            _ => {
                self.error(node.line, format!("`{name}` must be a list, but is {}", node.describe()));
                &[]
            }
        }
    }

    fn text<'a>(&mut self, node: &'a Node, name: &str) -> Option<&'a str> {
        match &node.content {
            Content::Scalar { text, .. } if text.chars().count() <= LONGEST => Some(text),
            Content::Scalar { .. } => {
                self.error(node.line, format!("`{name}` is longer than {LONGEST} characters"));
                None
            }
            _ => {
                self.error(node.line, format!("`{name}` must be text, but is {}", node.describe()));
                None
            }
        }
    }

    fn word<T>(&mut self, node: &Node, name: &str, names: &[&str], read: fn(&str) -> Option<T>) -> Option<T> {
        let word = self.text(node, name)?;
        let found = read(word.trim());
        if found.is_none() {
            self.error(
                node.line,
                format!("`{name}` must be one of {}, but is {}", names.join(", "), node.describe()),
            );
        }
        found
    }
}

/// The keys of one trigger, and which of them were asked for.
struct Fields<'a> {
    entries: &'a [Entry],
    used: BTreeSet<&'a str>,
}

impl<'a> Fields<'a> {
    /// The value of a key; nothing where it is missing or empty.
    fn take(&mut self, name: &str) -> Option<&'a Node> {
        let entry = self.entries.iter().find(|entry| entry.key == name)?;
        self.used.insert(&entry.key);
        Some(&entry.value).filter(|node| !node.is_null())
    }
}

fn plain(node: &Node) -> Option<&str> {
    match &node.content {
        Content::Scalar { text, plain: true }
            if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') =>
        {
            Some(text)
        }
        _ => None,
    }
}
