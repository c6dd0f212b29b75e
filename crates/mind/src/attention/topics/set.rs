//! The topics of a workspace: read from their folder, kept, and read again when a file changed.
//!
//! A file with a mistake is no topic, and takes no other with it. What is wrong is kept with file and line. The order is that of
//! names, always. Whether something changed is seen from the names, sizes and times of the folder's files; contents are read
//! only then.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, PoisonError};

use jiff::Timestamp;
use rem_format::config::TopicSettings;
use rem_format::path::MemoryPath;
use rem_format::topic::{Issue, Topic, When};
use rem_ledger::Store;
use rem_recall::Stamp;
use serde::Serialize;

use super::matching::Matchers;
use super::similarity::Profiles;
use crate::error::MemoryError;
use crate::memory::Memory;

/// A larger file is no topic, in bytes.
const LARGEST_TOPIC: u64 = 256 << 10;
/// A larger file is not worth subscribing to: no context holds a part of it that says anything. In bytes.
pub(in crate::attention) const LARGEST_SUBSCRIPTION: u64 = 1 << 20;

/// Something wrong with a topic's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicProblem {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub what: String,
    /// Whether it needs mending. What is only odd does not.
    pub is_error: bool,
}

/// What `check` has to say.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TopicCheck {
    /// Topics that can be used.
    pub usable: usize,
    /// Files that are no topics because of a mistake.
    pub unusable: usize,
    /// Everything that is wrong or odd, in the order of files and lines.
    pub problems: Vec<TopicProblem>,
}

impl TopicCheck {
    /// Whether nothing needs mending.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.problems.iter().all(|problem| !problem.is_error)
    }
}

/// All topics of a workspace, prepared for matching.
#[derive(Default)]
pub struct TopicSet {
    topics: Vec<Topic>,
    paths: Vec<MemoryPath>,
    problems: Vec<TopicProblem>,
    unusable: usize,
    pub(super) matchers: Matchers,
    pub(super) profiles: Profiles,
}

impl std::fmt::Debug for TopicSet {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TopicSet").field("topics", &self.topics.len()).finish_non_exhaustive()
    }
}

/// The topics as they were last read, with the state of the files they were read from.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    files: Vec<(String, Stamp)>,
    set: Option<Arc<TopicSet>>,
}

impl TopicSet {
    /// The topics, in the order of names.
    #[must_use]
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// The topic with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Topic> {
        self.at(name).map(|at| &self.topics[at])
    }

    /// The file of the topic with this name.
    #[must_use]
    pub fn path(&self, name: &str) -> Option<&MemoryPath> {
        self.at(name).map(|at| &self.paths[at])
    }

    fn at(&self, name: &str) -> Option<usize> {
        self.topics.binary_search_by(|topic| topic.name.as_str().cmp(name)).ok()
    }

    /// What is wrong or odd in the files, as far as the files themselves say.
    #[must_use]
    pub fn problems(&self) -> &[TopicProblem] {
        &self.problems
    }

    /// Whether a topic waits for anybody to be mentioned, so that the names of people are worth looking up.
    #[must_use]
    pub fn waits_for_people(&self) -> bool {
        let waits = |when: &When| matches!(when, When::Mention(names) if names.is_empty());
        self.topics.iter().flat_map(|topic| &topic.triggers).any(|trigger| waits(&trigger.when))
    }

    /// How many files are no topics because of a mistake.
    #[must_use]
    pub fn unusable(&self) -> usize {
        self.unusable
    }

    /// Makes a set of files, each with its name (without `.md`), path and contents; `Err` says why they are not known.
    fn of(files: Vec<(String, MemoryPath, Result<Vec<u8>, String>)>, settings: &TopicSettings) -> Self {
        let mut set = Self::default();
        for (name, path, contents) in files {
            let parsed = match &contents {
                Ok(bytes) => match not_text(bytes) {
                    Some(issue) => Err(vec![issue]),
                    None => Topic::parse(&name, bytes).map_err(|errors| errors.issues),
                },
                Err(what) => Err(vec![Issue { line: 1, what: what.clone() }]),
            };
            match parsed {
                Ok(mut parsed) => {
                    set.tell(&path, parsed.notes, false);
                    set.tell(&path, parsed.refused, true);
                    set.without_itself(&path, &mut parsed.topic);
                    set.topics.push(parsed.topic);
                    set.paths.push(path);
                }
                Err(issues) => {
                    set.unusable += 1;
                    set.tell(&path, issues, true);
                }
            }
        }
        let (matchers, issues) = Matchers::of(set.topics.iter());
        set.matchers = matchers;
        if !issues.is_empty() {
            // Some patterns are too large: their topics go, and the rest is prepared anew.
            let bad: BTreeSet<usize> = issues.iter().map(|(at, _)| *at).collect();
            for (at, issue) in issues {
                set.tell(&set.paths[at].clone(), vec![issue], true);
            }
            set.unusable += bad.len();
            let keep = |at: usize| !bad.contains(&at);
            let mut at = 0..;
            set.topics.retain(|_| at.next().is_some_and(keep));
            let mut at = 0..;
            set.paths.retain(|_| at.next().is_some_and(keep));
            set.matchers = Matchers::of(set.topics.iter()).0;
        }
        set.problems.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
        let features = usize::try_from(settings.max_features).unwrap_or(usize::MAX);
        set.profiles = Profiles::of(set.topics.iter(), features);
        set
    }

    fn tell(&mut self, path: &MemoryPath, issues: Vec<Issue>, is_error: bool) {
        self.problems.extend(issues.into_iter().map(|Issue { line, what }| TopicProblem {
            path: path.to_string(),
            line,
            what,
            is_error,
        }));
    }

    fn without_itself(&mut self, path: &MemoryPath, topic: &mut Topic) {
        if let Some(at) = topic.subscriptions.iter().position(|subscription| subscription.path == *path) {
            let line = topic.subscriptions.remove(at).line;
            let what = "it subscribes to itself: its own text comes with it anyway".to_owned();
            self.tell(path, vec![Issue { line, what }], true);
        }
    }
}

/// Where a file is no text that a person could have meant.
fn not_text(bytes: &[u8]) -> Option<Issue> {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let control = valid.find(|each: char| each.is_control() && !each.is_whitespace());
    let at = control.or((valid.len() < bytes.len()).then_some(valid.len()))?;
    let what = match control.and_then(|at| valid[at..].chars().next()) {
        Some(control) => format!("the control character U+{:04X}: a topic is a text", u32::from(control)),
        None => "bytes that are no UTF-8: a topic is a text".to_owned(),
    };
    Some(Issue { line: valid[..at].matches('\n').count() + 1, what })
}

impl Memory {
    /// The topics, in the order of names. Read anew when a file of the folder changed since they were last asked for.
    ///
    /// # Errors
    /// [`MemoryError::Read`] when the folder cannot be read. A folder that is not there holds no topics.
    pub fn topics(&self) -> Result<Arc<TopicSet>, MemoryError> {
        let folder = self.path(Store::Topics).clone();
        let files = topic_files(&self.ledger.root().join(folder.as_str()))?;
        let kept = self.kept_topics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(set) = kept.set.as_ref().filter(|_| kept.files == files) {
            return Ok(set.clone());
        }
        drop(kept);
        let mut contents = Vec::with_capacity(files.len());
        for (file, stamp) in &files {
            let name = name_of_file(file).unwrap_or(file).to_owned();
            let path = match MemoryPath::new(format!("{folder}/{file}")) {
                Ok(path) => path,
                Err(error) => {
                    tracing::warn!("a topic is passed over: {error}");
                    continue;
                }
            };
            let read = match u64::try_from(stamp.size).unwrap_or(0) {
                size if size > LARGEST_TOPIC => Err(format!(
                    "the file has {} kB; a topic has at most {}",
                    size >> 10,
                    LARGEST_TOPIC >> 10
                )),
                _ => self
                    .ledger
                    .read(&path)
                    .map_err(|error| error.to_string())
                    .and_then(|bytes| bytes.ok_or_else(|| "the file is gone".to_owned())),
            };
            contents.push((name, path, read));
        }
        let set = Arc::new(TopicSet::of(contents, &self.config.topics));
        let mut kept = self.kept_topics.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = Kept { files, set: Some(set.clone()) };
        Ok(set)
    }

    /// Everything that is wrong with topics, the files that they subscribe to included. Changes nothing.
    ///
    /// # Errors
    /// As [`Self::topics`].
    pub fn check_topics(&self) -> Result<TopicCheck, MemoryError> {
        let set = self.topics()?;
        let mut problems = set.problems.clone();
        problems.extend(set.matchers.check().into_iter().map(|(topic, trigger, what)| TopicProblem {
            path: set.paths[topic].to_string(),
            line: set.topics[topic].triggers[trigger].line,
            what,
            is_error: true,
        }));
        for (topic, path) in set.topics.iter().zip(&set.paths) {
            let mut tell = |line, what: String, is_error| {
                problems.push(TopicProblem { path: path.to_string(), line, what, is_error });
            };
            for subscription in &topic.subscriptions {
                let at = self.ledger.root().join(subscription.path.as_str());
                let wrong = match std::fs::symlink_metadata(&at) {
                    Err(_) => Some("is not there".to_owned()),
                    Ok(metadata) if !metadata.is_file() => Some("is no file".to_owned()),
                    Ok(metadata) if metadata.len() > LARGEST_SUBSCRIPTION => {
                        let (size, most) = (metadata.len() >> 10, LARGEST_SUBSCRIPTION >> 10);
                        Some(format!("has {size} KB, more than {most}: it is left out"))
                    }
                    Ok(_) => None,
                };
                if let Some(wrong) = wrong {
                    tell(subscription.line, format!("the subscription {} {wrong}", subscription.path), true);
                }
            }
            let is_about_manner = |when: &When| {
                matches!(
                    when,
                    When::Glob(_) | When::Code(_) | When::Language(_) | When::Urgency | When::Sentiment(_)
                )
            };
            let needs_no_likeness = topic.similarity_threshold.is_some()
                || topic.priority == rem_format::topic::Priority::Critical
                || topic.activation == rem_format::topic::Activation::Manual;
            if let Some(trigger) =
                topic.triggers.iter().find(|each| is_about_manner(&each.when) && !needs_no_likeness)
            {
                let kind = trigger.when.kind();
                tell(
                    trigger.line,
                    format!(
                        "a {kind} trigger says nothing of what a message is about, so similarity will often be too low: set `similarity_threshold: 0` if the trigger is enough"
                    ),
                    false,
                );
            }
        }
        problems.sort_by(|one, other| (&one.path, one.line).cmp(&(&other.path, other.line)));
        Ok(TopicCheck { usable: set.topics.len(), unusable: set.unusable, problems })
    }

    /// The names of topics whose schedule came due after `since` and not after now, in the operator's time zone (A4.4).
    ///
    /// # Errors
    /// As [`Self::topics`].
    pub fn topics_due(&self, since: Timestamp) -> Result<Vec<String>, MemoryError> {
        let (since, now) = (since.to_zoned(self.time_zone().clone()), self.now());
        self.topics_with(|when| match when {
            When::Cron(cron) => cron.next_after(&since).is_some_and(|due| due.timestamp() <= now),
            _ => false,
        })
    }

    /// The names of topics that wait for this webhook (A4.4).
    ///
    /// # Errors
    /// As [`Self::topics`].
    pub fn topics_of_webhook(&self, from: &str, what: &str) -> Result<Vec<String>, MemoryError> {
        self.topics_with(|when| match when {
            When::Webhook { source, event } => {
                source == from && event.as_ref().is_none_or(|event| event == what)
            }
            _ => false,
        })
    }

    fn topics_with(&self, wanted: impl Fn(&When) -> bool) -> Result<Vec<String>, MemoryError> {
        use rem_format::topic::Activation::Manual;
        let set = self.topics()?;
        let topics = set.topics.iter().filter(|topic| {
            topic.activation != Manual && topic.triggers.iter().any(|trigger| wanted(&trigger.when))
        });
        Ok(topics.map(|topic| topic.name.clone()).collect())
    }
}

/// The name of the topic that a file of the folder is: all that end in `.md` are, but those that start with `_` or `.`.
fn name_of_file(file: &str) -> Option<&str> {
    file.strip_suffix(".md").filter(|name| !name.is_empty() && !name.starts_with(['_', '.']))
}

/// The name of the topic that a path is the file of, where `folder` is the one of topics.
pub(crate) fn topic_at<'a>(folder: &MemoryPath, path: &'a MemoryPath) -> Option<&'a str> {
    (path.folder() == folder.as_str()).then(|| name_of_file(path.file_name())).flatten()
}

/// The files of the folder that are topics, by name, with what the file system says of each.
fn topic_files(folder: &Path) -> Result<Vec<(String, Stamp)>, MemoryError> {
    let unreadable = |source| MemoryError::Read { path: folder.to_path_buf(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unreadable)?;
        let Ok(file) = entry.file_name().into_string() else { continue };
        // Links are listed, and refused where they are read.
        if name_of_file(&file).is_some()
            && let Ok(metadata) = entry.metadata()
            // What reading would wait for, a pipe, is none.
            && (metadata.is_file() || metadata.is_symlink())
        {
            files.push((file, Stamp::of(&metadata)));
        }
    }
    // In the order of names without `.md`, by which topics are found.
    files.sort_by(|one, other| name_of_file(&one.0).cmp(&name_of_file(&other.0)));
    Ok(files)
}
