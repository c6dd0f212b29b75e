//! A workspace filled with a data set, and the way back from what is found in it.
//!
//! Conversations go in as a host's session files through `Memory::import`; notes are files that a person wrote. What is
//! found is mapped back by path and lines: which turn stands on which lines is read from the transcripts that the import
//! wrote. Must not look into the index, and must not know a data set.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rem_format::transcript::Transcript;
use rem_mind::Memory;
use rem_mind::import::Format;
use rem_recall::{Hit, Query};
use rem_testkit::Workspace;
use serde::Serialize;

use crate::conversation::{Conversation, Question, Session};
use crate::host_session;
use rem_recall::metrics::Retrieved;

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Single turns.
    Turn,
    /// Whole files: a session, a note.
    File,
}

/// What should be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    /// Whether it is turns or files.
    pub level: Level,
    /// Their numbers.
    pub units: HashSet<usize>,
    /// Ids of evidence that exist nowhere.
    pub unknown: usize,
}

/// An answer, seen as turns and seen as files.
#[derive(Debug)]
pub struct Found {
    /// By turns.
    pub turns: Vec<Retrieved>,
    /// By files.
    pub files: Vec<Retrieved>,
    /// As it was given, one for one.
    pub hits: Vec<Hit>,
    /// The embedder that answered.
    pub embedder: Option<String>,
    /// Why it was not the configured one.
    pub notice: Option<String>,
}

/// A workspace filled with a data set.
#[derive(Debug)]
pub struct Corpus {
    workspace: Workspace,
    today: Date,
    /// Turns with their lines, by path, in order.
    turns: HashMap<String, Vec<(Range<usize>, usize)>>,
    /// The path of each turn.
    paths: Vec<String>,
    /// Files of the data set.
    files: HashMap<String, usize>,
    /// Turns and files by conversation and id.
    turn_names: HashMap<(String, String), usize>,
    file_names: HashMap<(String, String), usize>,
    lost: usize,
    /// Tokens of passages by place: every configuration finds the same ones.
    tokens: Mutex<HashMap<(String, usize, usize, usize), usize>>,
}

impl Corpus {
    /// A workspace with these settings, a day after the last session of these conversations.
    ///
    /// # Errors
    /// What the workspace, a setting or the import says; a session that did not become a transcript.
    pub fn of_conversations(conversations: &[Conversation], settings: &[(String, String)]) -> Result<Self> {
        let all =
            || conversations.iter().flat_map(|one| one.sessions.iter().map(move |session| (one, session)));
        let now =
            host_session::day_after(all().map(|(_, session)| session)).context("there is no session")?;
        let mut corpus = Self::empty(now, settings)?;
        let mut expected: HashMap<String, (&Conversation, &Session)> = HashMap::new();
        for (conversation, session) in all() {
            let id = format!("{}-{}", conversation.id, session.id);
            let file = format!("sessions/{:06}.jsonl", expected.len());
            rem_testkit::write(corpus.workspace.outside(), &file, host_session::file(&id, session));
            if expected.insert(id.clone(), (conversation, session)).is_some() {
                bail!("two sessions are called {id}");
            }
        }
        let folder = corpus.workspace.outside().join("sessions");
        let imported = corpus.workspace.memory().import(&folder, Some(Format::ClaudeCode), &mut |_, _| {})?;
        for path in imported.transcripts {
            let bytes =
                corpus.workspace.read(path.as_str()).with_context(|| format!("there is no {path}"))?;
            let transcript = Transcript::parse(&bytes).with_context(|| format!("{path} cannot be read"))?;
            let id = transcript.header.source_id.clone().unwrap_or_default();
            let (conversation, session) =
                expected.remove(&id).with_context(|| format!("{path} is of no session that was imported"))?;
            corpus.know(path.as_str(), &transcript, conversation, session);
        }
        // A session in which nobody says anything is none.
        if let Some(id) = expected.iter().find(|(_, (_, session))| !session.turns.is_empty()).map(|one| one.0)
        {
            bail!("session {id} did not arrive: {:?}", imported.skipped);
        }
        Ok(corpus)
    }

    /// A workspace with these notes; their ids are their places, from 0, in a conversation without a name.
    ///
    /// # Errors
    /// What the workspace or a setting says.
    pub fn of_notes(notes: &[String], settings: &[(String, String)]) -> Result<Self> {
        let mut corpus = Self::empty(rem_testkit::MORNING.parse()?, settings)?;
        for (at, text) in notes.iter().enumerate() {
            let path = format!("notes/{at:06}.md");
            corpus.workspace.write(&path, format!("{}\n", text.trim_end()));
            corpus.files.insert(path, at);
            corpus.file_names.insert((String::new(), at.to_string()), at);
        }
        Ok(corpus)
    }

    fn empty(now: Timestamp, settings: &[(String, String)]) -> Result<Self> {
        let mut workspace = Workspace::at(&now.to_string());
        for (key, value) in settings {
            workspace.memory().set_config(key, value)?;
            workspace.reopen();
        }
        Ok(Self {
            workspace,
            today: now.to_zoned(TimeZone::UTC).date(),
            turns: HashMap::new(),
            paths: Vec::new(),
            files: HashMap::new(),
            turn_names: HashMap::new(),
            file_names: HashMap::new(),
            lost: 0,
            tokens: Mutex::default(),
        })
    }

    /// Remembers which lines of a transcript are which turns.
    fn know(&mut self, path: &str, transcript: &Transcript, conversation: &Conversation, session: &Session) {
        let file = self.files.len();
        self.files.insert(path.to_owned(), file);
        self.file_names.insert((conversation.id.clone(), session.id.clone()), file);
        let mut lines = Vec::new();
        for turn in &transcript.turns {
            let Some(at) = host_session::turn_at_time(session, turn.turn.time) else { continue };
            let unit = self.paths.len();
            self.paths.push(path.to_owned());
            self.turn_names.insert((conversation.id.clone(), session.turns[at].id.clone()), unit);
            lines.push((turn.lines.clone(), unit));
        }
        self.lost += session.turns.len().saturating_sub(lines.len());
        self.turns.insert(path.to_owned(), lines);
    }

    /// Turns that the import left out or that share their id with another: they cannot be found.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.lost
    }

    /// The day on which questions are asked.
    #[must_use]
    pub fn today(&self) -> Date {
        self.today
    }

    /// What a question of a conversation asks for; nothing where none of its evidence exists.
    #[must_use]
    pub fn gold(&self, conversation: &str, question: &Question) -> Option<Gold> {
        let known = |names: &HashMap<(String, String), usize>| -> HashSet<usize> {
            let key = |id: &String| (conversation.to_owned(), id.clone());
            question.evidence.iter().filter_map(|id| names.get(&key(id)).copied()).collect()
        };
        let turns = known(&self.turn_names);
        let (level, units) =
            if turns.is_empty() { (Level::File, known(&self.file_names)) } else { (Level::Turn, turns) };
        let named: HashSet<&String> = question.evidence.iter().collect();
        (!units.is_empty()).then(|| Gold { level, unknown: named.len() - units.len(), units })
    }

    /// Builds the index, so that no question pays for it.
    ///
    /// # Errors
    /// As `Memory::index`.
    pub fn prepare(&self) -> Result<()> {
        self.workspace.memory().index(false, rem_testkit::machine_time(), &mut |_| {})?;
        Ok(())
    }

    /// A façade of its own, for a thread that asks.
    #[must_use]
    pub fn open(&self) -> Memory {
        self.workspace.open()
    }

    /// Asks, and maps what is found back.
    ///
    /// # Errors
    /// As `Memory::recall`; an answer from the files instead of the index.
    pub fn ask(&self, memory: &Memory, query: &Query) -> Result<Found> {
        let answer = memory.recall(query, rem_testkit::machine_time(), &mut |_| {})?;
        if answer.mode == "grep" {
            bail!("there was no index to ask");
        }
        let mut found = Found {
            turns: Vec::with_capacity(answer.results.len()),
            files: Vec::with_capacity(answer.results.len()),
            hits: Vec::new(),
            embedder: answer.freshness.embedder,
            notice: answer.freshness.embedder_notice,
        };
        for hit in &answer.results {
            let tokens = self.tokens(hit);
            found.turns.push(Retrieved { units: self.turns_of(hit), tokens });
            found
                .files
                .push(Retrieved { units: self.files.get(&hit.path).copied().into_iter().collect(), tokens });
        }
        found.hits = answer.results;
        Ok(found)
    }

    /// Puts a file into the workspace as a person would, beside what the data set says.
    pub fn add_file(&self, path: &str, text: &str) {
        self.workspace.write(path, text);
    }

    fn turns_of(&self, hit: &Hit) -> Vec<usize> {
        self.turns_at(&hit.path, hit.start_line, hit.end_line)
    }

    /// The turns that stand on these lines of a file, both inclusive.
    #[must_use]
    pub fn turns_at(&self, path: &str, first: usize, last: usize) -> Vec<usize> {
        let touches = |lines: &Range<usize>| first < lines.end && lines.start <= last;
        let turns = self.turns.get(path).into_iter().flatten();
        turns.filter(|(lines, _)| touches(lines)).map(|(_, unit)| *unit).collect()
    }

    /// The file in which a turn stands.
    #[must_use]
    pub fn path_of(&self, unit: usize) -> Option<&str> {
        self.paths.get(unit).map(String::as_str)
    }

    /// The id of a turn.
    #[must_use]
    pub fn id_of(&self, unit: usize) -> Option<&str> {
        self.turn_names.iter().find(|(_, known)| **known == unit).map(|((_, id), _)| id.as_str())
    }

    fn tokens(&self, hit: &Hit) -> usize {
        let count = || rem_reason::count_tokens(&hit.text);
        let key = (hit.path.clone(), hit.start_line, hit.end_line, hit.text.len());
        match self.tokens.lock() {
            Ok(mut known) => *known.entry(key).or_insert_with(count),
            Err(_) => count(),
        }
    }
}
