//! Sessions of other hosts, taken in: each becomes a transcript, and only what is new is added when it comes again (T5).
//!
//! A session that is known is compared turn by turn with what is kept of it: what is there already is passed over, the rest is
//! appended to the open transcript or becomes the next part of a closed one. A session whose last turn is younger than
//! `transcripts.idle_close_hours` stays open, so that it can grow. Long sessions go through a staged file, so memory use does
//! not depend on their length.

use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use rem_format::audit::{Action, Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use rem_format::transcript::{
    KnowledgeChange, Role, Transcript, TranscriptHeader, Turn, TurnPart, file_session_id, parse_file_path,
    render_header, render_turn, utc_date,
};
use rem_ledger::{ChangeSet, Provenance, StagedFile};
use serde::Serialize;

use super::capture::{SessionEnd as CaptureEnd, first_words};
use super::kept::{Kept, Rest};
use crate::echo::GivenOut;
use crate::error::MemoryError;
use crate::import::{Answer, Event, Format, ImportReport, SessionEnd, SessionMeta, import};
use crate::memory::Memory;

/// Rendered turns are kept in memory up to this many bytes, then on disk.
const SPILL: usize = 4 << 20;

/// What an import did to the memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ImportOutcome {
    /// Files read.
    pub files: u64,
    /// Sessions that were new.
    pub new_sessions: u64,
    /// Sessions that had grown.
    pub grown_sessions: u64,
    /// Sessions of which everything was known.
    pub unchanged_sessions: u64,
    /// Turns added.
    pub turns_added: u64,
    /// Secrets hidden, by rule; counted per turn.
    pub redacted: BTreeMap<String, u64>,
    /// Turns out of which text was left that had been handed out to their session (T10).
    pub echoes: u64,
    /// Transcripts written.
    pub transcripts: Vec<MemoryPath>,
    /// Records that could not be read: place and reason, the first thousand.
    pub skipped: Vec<(String, String)>,
    /// How many such records there were in all.
    pub skipped_total: u64,
}

impl Memory {
    /// Takes in the sessions at `path`: a file or a folder, of `format` or of the one that is recognised. `progress` is given
    /// bytes done and bytes in all.
    ///
    /// # Errors
    /// [`MemoryError::Import`] when `path` can't be read or is nothing known; broken records are in the outcome. Sessions before
    /// a failure are kept.
    pub fn import(
        &self,
        path: &Path,
        format: Option<Format>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<ImportOutcome, MemoryError> {
        self.receive(path, format, Intake::new(self)?, progress)
    }

    /// Takes in what is new in one session at `path`, a file of `format`, while a host is still at it. A file of one session is that of
    /// `session`, whatever id it gives itself; of a database that one alone is taken.
    ///
    /// # Errors
    /// As [`Self::import`].
    pub fn import_session(
        &self,
        path: &Path,
        format: Format,
        session: &str,
    ) -> Result<ImportOutcome, MemoryError> {
        // Two hooks of one host may see the same turns to be new: one after the other.
        let _guard = self.ledger.lock_private("import-session.lock")?;
        let mut intake = Intake::new(self)?;
        let is_among_others = matches!(format, Format::OpenClawSqlite | Format::ChatGpt | Format::ClaudeAi);
        intake.only = Some(Only { session: session.to_owned(), is_among_others });
        self.receive(path, Some(format), intake, &mut |_, _| {})
    }

    fn receive(
        &self,
        path: &Path,
        format: Option<Format>,
        mut intake: Intake<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<ImportOutcome, MemoryError> {
        let mut failure = None;
        let report = import(path, format, &mut |event| {
            if let Event::Progress { done, total } = event {
                progress(done, total);
                return Answer::Continue;
            }
            intake.take(event).unwrap_or_else(|error| {
                failure = Some(error);
                Answer::Stop
            })
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let outcome = intake.finish(report?);
        if !outcome.transcripts.is_empty() {
            self.push_if_wanted();
        }
        Ok(outcome)
    }
}

/// The state of one import.
struct Intake<'a> {
    memory: &'a Memory,
    /// Transcripts by the session id in their names.
    known: HashMap<String, Vec<MemoryPath>>,
    /// The session that is wanted, where it is one.
    only: Option<Only>,
    session: Option<Incoming>,
    outcome: ImportOutcome,
}

/// The one session that is wanted.
struct Only {
    session: String,
    /// Whether the file holds others too, which are told apart by their ids.
    is_among_others: bool,
}

/// A session on its way in.
struct Incoming {
    meta: SessionMeta,
    /// What was handed out to it, where that is known.
    given: GivenOut,
    has_lost_title: bool,
    kept: Kept,
    parts: Vec<MemoryPath>,
    /// When its last part began; a next one does not begin before it.
    last_started: Option<Timestamp>,
    /// Whether the last part is still open, so that what is new goes on where it stopped.
    is_open: bool,
    body: Body,
    added: u64,
    first: Option<Timestamp>,
    last_date: jiff::civil::Date,
    changes: Vec<KnowledgeChange>,
}

impl<'a> Intake<'a> {
    fn new(memory: &'a Memory) -> Result<Self, MemoryError> {
        let mut known: HashMap<String, Vec<MemoryPath>> = HashMap::new();
        for path in memory.ledger.transcripts()? {
            if let Some(name) = parse_file_path(path.as_str()) {
                known.entry(name.session).or_default().push(path);
            }
        }
        Ok(Self { memory, known, only: None, session: None, outcome: ImportOutcome::default() })
    }

    fn take(&mut self, event: Event) -> Result<Answer, MemoryError> {
        match event {
            Event::Session(mut meta) => {
                if let Some(only) = &self.only {
                    if only.is_among_others && meta.source_id != only.session {
                        return Ok(Answer::SkipSession);
                    }
                    meta.source_id.clone_from(&only.session);
                }
                self.begin(meta)?;
            }
            Event::Turn(turn) => {
                let (clean, rules) = self.memory.redact_turn(&turn.turn)?;
                for rule in rules {
                    *self.outcome.redacted.entry(rule).or_insert(0) += 1;
                }
                if let Some(session) = &mut self.session {
                    let (kept, had_echo) = self.memory.without_echoes(&session.given, clean);
                    if had_echo {
                        self.outcome.echoes += 1;
                        session.lose_title_to(&turn.turn, &kept);
                    }
                    if !kept.body.is_empty() || !had_echo {
                        session.name_after(&kept);
                        session.turn(self.memory, kept.normalized(), &turn.through)?;
                    }
                }
            }
            Event::End(end) => {
                if let Some(session) = self.session.take() {
                    self.end(session, &end)?;
                }
            }
            Event::Progress { .. } => {}
        }
        Ok(Answer::Continue)
    }

    fn begin(&mut self, meta: SessionMeta) -> Result<(), MemoryError> {
        let mut parts = self.known.get(&file_session_id(&meta.source_id)).cloned().unwrap_or_default();
        self.memory.leave_out_empty(&mut parts)?;
        self.memory.put_in_order(&mut parts)?;
        let mut kept = Kept::default();
        let (mut last_started, mut is_open) = (None, false);
        for path in &parts {
            let bytes = self.memory.ledger.read(path)?.unwrap_or_default();
            let transcript = Transcript::parse(&bytes)
                .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?;
            last_started = last_started.max(Some(transcript.header.started));
            is_open = transcript.header.ended.is_none();
            kept.take(transcript);
        }
        let last_date = kept.turns.last().map_or_else(|| utc_date(meta.started), Turn::date);
        let given = self.memory.given_out(Some(&meta.source_id));
        self.session = Some(Incoming {
            meta,
            given,
            has_lost_title: false,
            kept,
            parts,
            last_started,
            is_open,
            body: Body::default(),
            added: 0,
            first: None,
            last_date,
            changes: Vec::new(),
        });
        Ok(())
    }

    fn end(&mut self, mut session: Incoming, end: &SessionEnd) -> Result<(), MemoryError> {
        if session.added == 0 {
            self.outcome.unchanged_sessions += 1;
            return Ok(());
        }
        if session.parts.is_empty() {
            self.outcome.new_sessions += 1;
        } else {
            self.outcome.grown_sessions += 1;
        }
        self.outcome.turns_added += session.added;
        let ended = end.ended.or(session.first).unwrap_or(session.meta.started);
        let hours = i64::try_from(self.memory.config.transcripts.idle_close_hours).unwrap_or(i64::MAX / 3600);
        let is_over = self.memory.now().duration_since(ended) > SignedDuration::from_hours(hours);
        // A session that stays open may be captured from at the same time; closing takes the lock by itself.
        let _guard = if is_over { None } else { Some(self.memory.lock_sessions()?) };
        let open = self.memory.open_transcript(&session.meta.source_id)?;
        let path = match open {
            Some(mut path) => {
                session.body.append_to(self.memory, &path)?;
                if is_over {
                    let end = CaptureEnd {
                        ended: Some(ended),
                        tokens_in: end.tokens_in,
                        tokens_out: end.tokens_out,
                        source_leaf: end.leaf.clone(),
                        ..CaptureEnd::default()
                    };
                    let applied = self.memory.end_session_at(&path, &end, "rem import")?;
                    // Closing may have given it a name.
                    if let Some(file) = applied.files.first().filter(|file| file.path != path) {
                        self.forget(&session.meta.source_id, &path);
                        path = file.path.clone();
                    }
                }
                path
            }
            None => self.write_new(&mut session, end, ended, is_over)?,
        };
        let parts = self.known.entry(file_session_id(&session.meta.source_id)).or_default();
        if !parts.contains(&path) {
            parts.push(path.clone());
        }
        self.outcome.transcripts.push(path);
        Ok(())
    }

    fn forget(&mut self, session: &str, path: &MemoryPath) {
        if let Some(parts) = self.known.get_mut(&file_session_id(session)) {
            parts.retain(|part| part != path);
        }
    }

    /// A new transcript: committed and closed if the session is over, open otherwise.
    fn write_new(
        &self,
        session: &mut Incoming,
        end: &SessionEnd,
        ended: Timestamp,
        is_over: bool,
    ) -> Result<MemoryPath, MemoryError> {
        let memory = self.memory;
        let meta = &session.meta;
        let clean = |text: &str| memory.redactor().map(|redactor| redactor.redact(text).0.into_owned());
        let is_part = !session.parts.is_empty();
        let title = clean(&meta.title)?;
        let header = TranscriptHeader {
            session_id: meta.source_id.clone(),
            started: if is_part { session.first.unwrap_or(meta.started) } else { meta.started },
            ended: is_over.then_some(ended),
            model: end.model.clone().or_else(|| meta.model.clone()),
            channel: meta.channel.as_deref().map(clean).transpose()?,
            topic: Some(title.clone()).filter(|title| !title.is_empty()),
            tokens_in: end.tokens_in,
            tokens_out: end.tokens_out,
            source: Some(meta.source.to_owned()),
            source_id: Some(meta.source_id.clone()),
            source_leaf: end.leaf.clone().filter(|_| is_over),
            part: if is_part { u32::try_from(session.parts.len() + 1).unwrap_or(u32::MAX) } else { 0 },
            continues: session.parts.last().map(ToString::to_string),
            knowledge_changes: std::mem::take(&mut session.changes),
            ..TranscriptHeader::default()
        };
        let path = memory.free_path(&header, &title)?;
        let head = render_header(&header, &title);
        if !is_over {
            memory.ledger.append(&path, |found| {
                if found.head.is_empty() { head.clone().into_bytes() } else { Vec::new() }
            })?;
            session.body.append_to(memory, &path)?;
            memory.remember_session(&header.session_id, &path)?;
            return Ok(path);
        }
        let name = parse_file_path(path.as_str()).map_or_else(|| header.session_id.clone(), |name| name.slug);
        let set = session.body.place(memory, head, &path, name)?.action(&path, Action::Create).seal(&path);
        let actor = Actor::System("import".to_owned());
        let provenance = Provenance::new(actor, Approval::Auto, format!("rem import {}", meta.source))
            .kind(CommitType::Conversation)
            .session(header.session_id);
        memory.ledger.apply(&set, &provenance)?;
        Ok(path)
    }

    fn finish(mut self, report: ImportReport) -> ImportOutcome {
        self.outcome.files = report.files;
        self.outcome.skipped =
            report.skipped.into_iter().map(|skipped| (skipped.location, skipped.reason)).collect();
        self.outcome.skipped_total = report.skipped_total;
        self.outcome
    }
}

impl Incoming {
    /// A title that was taken from an echo is none.
    fn lose_title_to(&mut self, with_echo: &Turn, kept: &Turn) {
        let title = self.meta.title.trim_end_matches('…');
        if !title.is_empty() && with_echo.text().contains(title) && !kept.text().contains(title) {
            self.meta.title.clear();
            self.has_lost_title = true;
        }
    }

    /// The first words that somebody says are the title then.
    fn name_after(&mut self, turn: &Turn) {
        if self.has_lost_title && turn.role == Role::User {
            self.meta.title = first_words(turn);
            self.has_lost_title = false;
        }
    }

    /// Takes a turn, normalised and without secrets.
    fn turn(&mut self, memory: &Memory, turn: Turn, through: &str) -> Result<(), MemoryError> {
        let before = self.kept.next;
        let rest = self.kept.rest_of(turn);
        let mut is_known = matches!(rest, Rest::Nothing);
        let is_unmet = self.added > 0 || matches!(rest, Rest::Whole(_));
        if let Some(end) = self.kept.leaves.get(through).copied().filter(|end| is_unmet && *end > before) {
            // The last record that went into a part: whatever came before it is kept, though it reads differently now.
            self.body = Body::default();
            self.added = 0;
            self.first = None;
            self.changes.clear();
            self.last_date = self.kept.turns.last().map_or_else(|| utc_date(self.meta.started), Turn::date);
            self.kept.next = self.kept.next.max(end);
            is_known |= matches!(rest, Rest::Whole(_));
        }
        match rest {
            Rest::Part(turn) | Rest::Whole(turn) if !is_known => self.add(memory, &turn),
            _ => Ok(()),
        }
    }

    fn add(&mut self, memory: &Memory, turn: &Turn) -> Result<(), MemoryError> {
        if self.first.is_none() {
            let first = self.last_started.map_or(turn.time, |started| started.max(turn.time));
            self.first = Some(first);
            if !self.parts.is_empty() && !self.is_open {
                // A new part counts its days from its own beginning.
                self.last_date = utc_date(first);
            }
        }
        for part in &turn.body {
            if let TurnPart::Knowledge { action, path, summary } = part {
                self.changes.push(KnowledgeChange {
                    path: path.clone(),
                    action: action.clone(),
                    summary: summary.clone(),
                });
            }
        }
        self.body.push(memory, &render_turn(turn, self.last_date))?;
        self.last_date = turn.date();
        self.added += 1;
        Ok(())
    }
}

/// Rendered turns: in memory while few, staged on disk when many.
#[derive(Default)]
struct Body {
    text: String,
    spilled: Option<StagedFile>,
}

impl Body {
    fn push(&mut self, memory: &Memory, text: &str) -> Result<(), MemoryError> {
        self.text.push_str(text);
        if self.text.len() > SPILL {
            let mut staged = match self.spilled.take() {
                Some(staged) => staged,
                None => memory.ledger.stage()?,
            };
            staged.write_all(self.text.as_bytes()).map_err(|source| staging(memory, source))?;
            self.text.clear();
            self.spilled = Some(staged);
        }
        Ok(())
    }

    /// A change set that puts header and body at `path`.
    fn place(
        &mut self,
        memory: &Memory,
        head: String,
        path: &MemoryPath,
        summary: String,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let Some(spilled) = self.spilled.take() else {
            let text = std::mem::take(&mut self.text);
            return Ok(ChangeSet::new().write(path.clone(), head + &text, summary));
        };
        let mut whole = memory.ledger.stage()?;
        let copy = || -> std::io::Result<()> {
            whole.write_all(head.as_bytes())?;
            std::io::copy(&mut spilled.reopen()?, &mut whole)?;
            whole.write_all(self.text.as_bytes())
        };
        copy().map_err(|source| staging(memory, source))?;
        Ok(ChangeSet::new().place(path.clone(), whole.finish()?, summary))
    }

    /// Appends the body to an open transcript, piece by piece.
    fn append_to(&mut self, memory: &Memory, path: &MemoryPath) -> Result<(), MemoryError> {
        if let Some(spilled) = self.spilled.take() {
            let mut file = spilled.reopen().map_err(|source| staging(memory, source))?;
            let mut piece = vec![0; SPILL];
            loop {
                match file.read(&mut piece).map_err(|source| staging(memory, source))? {
                    0 => break,
                    length => memory.ledger.append_raw(path, &piece[..length])?,
                };
            }
        }
        memory.ledger.append_raw(path, self.text.as_bytes())?;
        Ok(())
    }
}

fn staging(memory: &Memory, source: std::io::Error) -> MemoryError {
    MemoryError::Read { path: memory.ledger.private_folder().join("staging"), source }
}
