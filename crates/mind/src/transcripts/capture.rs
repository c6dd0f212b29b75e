//! The capture API (A8.2): a session starts, messages and tool calls are appended, memory operations are noted, it ends.
//!
//! Every text is redacted before it is written. A message to a session that is closed opens its next part: nothing said is
//! ever refused. Several processes may write to one session.

use std::cell::Cell;

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::audit::Action;
use rem_format::commit::CommitType;
use rem_format::document::Document;
use rem_format::path::MemoryPath;
use rem_format::transcript::{
    KnowledgeChange, Role, SHARED, Transcript, TranscriptHeader, Turn, TurnPart, file_path, parse_file_path,
    render_header, render_turn, slug, utc_date,
};
use rem_ledger::{Applied, ChangeSet, Found, LedgerError, PrivateLock, Store};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::transcripts::redact::RuleHit;

/// The slug of a session of which nothing is known yet.
const UNNAMED: &str = "conversation";

/// What is known of a session when it starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionStart {
    /// Its id at the host.
    pub session: String,
    /// When it began; now if not said.
    pub started: Option<Timestamp>,
    /// The model that answers.
    pub model: Option<String>,
    /// Where it takes place.
    pub channel: Option<String>,
    /// What it is about.
    pub topic: Option<String>,
    /// The host.
    pub source: Option<String>,
    /// Whether a group listens.
    pub is_shared: bool,
    /// On whose behalf it is held; nobody for the operator.
    pub on_behalf_of: Vec<String>,
}

/// What is known of a session when it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionEnd {
    /// When it ended; now if not said.
    pub ended: Option<Timestamp>,
    /// What it was about.
    pub topic: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// Tokens read by the model.
    pub tokens_in: u64,
    /// Tokens written by the model.
    pub tokens_out: u64,
    /// The id of the last record, where the session was imported.
    pub source_leaf: Option<String>,
}

/// The most bytes of a session's id: it stands in the transcript's header and beside all that was learned from it.
const LONGEST_ID: usize = 1_024;
/// Words that come again within so many minutes, with nothing said in between, are the same words told twice.
const TOLD_TWICE_MINUTES: i32 = 2;
/// So long after a session ended, what a host says of it may be what it said before the end.
const LATE_CALL: SignedDuration = SignedDuration::from_mins(1);

/// Where a turn comes from, and whether it may be told twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told<'a> {
    /// The host that tells it; a transcript that is made for it says so.
    pub source: Option<&'a str>,
    /// Whether the words that the session ended with, said again at once, are the same words told twice. Hosts call a hook once for
    /// each of their settings files that names it.
    pub once: bool,
    /// Whether a group listens; a transcript that is made for it says so, and nothing is learned from it.
    pub is_shared: bool,
    /// On whose behalf the session is held; nobody for the operator.
    pub on_behalf_of: &'a [String],
}

/// What capturing did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Captured {
    /// The session.
    pub session: String,
    /// Its transcript.
    pub path: MemoryPath,
    /// Whether the transcript is new.
    pub created: bool,
    /// The rules that hid something.
    pub redacted: Vec<String>,
    /// Whether text was left out that had been handed out to this session (T10).
    pub echo: bool,
    /// Whether the session ended with these words already, and nothing was written.
    pub again: bool,
}

/// What became of a turn that was to be appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Append {
    Done,
    /// It stands there already.
    Again,
    /// The transcript was closed, or renamed under our eyes.
    Closed,
}

impl Memory {
    /// Opens a session; the one that is open already if there is one.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when its transcript cannot be made.
    pub fn start_session(&self, start: &SessionStart) -> Result<Captured, MemoryError> {
        checked(&start.session)?;
        let (header, title, redacted) = self.header_of(start)?;
        let _guard = self.lock_sessions()?;
        let (path, created) = self.ensure_open(header, &title)?;
        Ok(Captured { session: start.session.clone(), path, created, redacted, echo: false, again: false })
    }

    /// Appends a turn to a session, which is opened if need be; on disk when this returns.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when it cannot be written.
    pub fn capture(&self, session: &str, turn: &Turn) -> Result<Captured, MemoryError> {
        self.capture_told(session, turn, Told::default())
    }

    /// As [`Self::capture`], for who knows where the turn comes from.
    ///
    /// # Errors
    /// As [`Self::capture`].
    pub fn capture_told(&self, session: &str, turn: &Turn, told: Told<'_>) -> Result<Captured, MemoryError> {
        checked(session)?;
        let (turn, redacted) = self.redact_turn(turn)?;
        let (turn, echo) = match turn.role {
            Role::Agent => (turn, false),
            _ => self.without_echoes(&self.given_out(Some(session)), turn),
        };
        if turn.body.is_empty() && echo {
            // Nobody said anything; the session is open all the same.
            let start = SessionStart {
                session: session.to_owned(),
                started: Some(turn.time),
                source: told.source.map(str::to_owned),
                is_shared: told.is_shared,
                on_behalf_of: told.on_behalf_of.to_vec(),
                ..SessionStart::default()
            };
            return Ok(Captured { redacted, echo, ..self.start_session(&start)? });
        }
        let captured = |path, created, again| Captured {
            session: session.to_owned(),
            path,
            created,
            redacted: redacted.clone(),
            echo,
            again,
        };
        if let Some(path) = self.open_transcript(session)? {
            match self.append_turn(&path, &turn, told.once)? {
                Append::Done => {
                    self.note_reply(session, &turn, &path);
                    return Ok(captured(path, false, false));
                }
                Append::Again => return Ok(captured(path, false, true)),
                Append::Closed => {}
            }
        }
        // There is none, or it was closed or renamed while we looked. While we hold the lock nobody does that.
        let _guard = self.lock_sessions()?;
        self.forget_session(session)?;
        if told.once
            && let Some(path) = self.heard_at_the_end(session, &turn)?
        {
            return Ok(captured(path, false, true));
        }
        let header = TranscriptHeader {
            session_id: session.to_owned(),
            started: turn.time,
            source: told.source.map(str::to_owned),
            source_id: told.source.map(|_| session.to_owned()),
            audience: told.is_shared.then(|| SHARED.to_owned()),
            on_behalf_of: told.on_behalf_of.to_vec(),
            ..TranscriptHeader::default()
        };
        let (path, created) = self.ensure_open(header, &first_words(&turn))?;
        match self.append_turn(&path, &turn, told.once)? {
            Append::Done => Ok(captured(path, created, false)),
            Append::Again => Ok(captured(path, created, true)),
            Append::Closed => Err(MemoryError::NoSession(session.to_owned())),
        }
    }

    /// The part of a session that has just ended, where it holds this turn as the last of its role: a host's calls may come in another
    /// order than it made them.
    fn heard_at_the_end(&self, session: &str, turn: &Turn) -> Result<Option<MemoryPath>, MemoryError> {
        if self.open_transcript(session)?.is_some() {
            return Ok(None);
        }
        let Some(path) = self.parts_of(session)?.pop() else { return Ok(None) };
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let transcript = Transcript::parse(&bytes)
            .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?;
        let now = self.now();
        let is_just_now = |ended: Timestamp| ended.duration_until(now).abs() <= LATE_CALL;
        let last = transcript.turns.iter().map(|located| &located.turn).rfind(|each| each.role == turn.role);
        let is_it = transcript.header.ended.is_some_and(is_just_now)
            && last.is_some_and(|last| last.text().trim() == turn.text().trim());
        Ok(is_it.then_some(path))
    }

    /// Appends a turn to an open transcript.
    fn append_turn(&self, path: &MemoryPath, turn: &Turn, once: bool) -> Result<Append, MemoryError> {
        let is_again = Cell::new(false);
        let appended = self.ledger.append(path, |found| {
            is_again.set(once && ends_with(found, turn));
            match found.head.as_slice() {
                // Renamed under our eyes: a turn without its header would belong to nobody.
                [] => Vec::new(),
                _ if is_again.get() => Vec::new(),
                _ => render_turn(turn, date_at_end(found)).into_bytes(),
            }
        });
        match appended {
            Ok(_) if is_again.get() => Ok(Append::Again),
            Ok(appended) if appended.length > 0 => Ok(Append::Done),
            Ok(_) | Err(LedgerError::Sealed { .. }) => Ok(Append::Closed),
            Err(error) => Err(error.into()),
        }
    }

    /// Closes a session: its front matter is completed, it gets its final name, becomes read-only and is committed.
    ///
    /// # Errors
    /// [`MemoryError::NoSession`] where none of that id is open, or as [`rem_ledger::Ledger::apply`].
    pub fn end_session(&self, session: &str, end: &SessionEnd) -> Result<Applied, MemoryError> {
        let guard = self.lock_sessions()?;
        let path =
            self.open_transcript(session)?.ok_or_else(|| MemoryError::NoSession(session.to_owned()))?;
        let applied = self.end_session_inside(&path, end, "session end")?;
        // A remote may be slow; nobody waits for it.
        drop(guard);
        self.keep_uses();
        self.push_if_wanted();
        Ok(applied)
    }

    /// Closes the session of an open transcript.
    pub(crate) fn end_session_at(
        &self,
        path: &MemoryPath,
        end: &SessionEnd,
        trigger: &str,
    ) -> Result<Applied, MemoryError> {
        let guard = self.lock_sessions()?;
        if !self.ledger.is_open(path)? {
            return Err(MemoryError::NoSession(path.to_string()));
        }
        let applied = self.end_session_inside(path, end, trigger)?;
        drop(guard);
        self.keep_uses();
        self.push_if_wanted();
        Ok(applied)
    }

    /// Held while a session is opened, named or closed. Appending to an open one needs no such lock.
    pub(crate) fn lock_sessions(&self) -> Result<PrivateLock, MemoryError> {
        Ok(self.ledger.lock_private("sessions.lock")?)
    }

    /// As [`Self::end_session_at`], for who holds the lock.
    fn end_session_inside(
        &self,
        path: &MemoryPath,
        end: &SessionEnd,
        trigger: &str,
    ) -> Result<Applied, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let transcript = Transcript::parse(&bytes)
            .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?;
        let session = transcript.header.session_id.clone();
        let topic = end
            .topic
            .as_deref()
            .map(|topic| self.redactor().map(|redactor| redactor.redact(topic).0.into_owned()))
            .transpose()?;
        let topic = topic.or_else(|| transcript.header.topic.clone());
        let redactor = self.redactor()?;
        let tags = end.tags.iter().map(|tag| redactor.redact(tag).0.into_owned()).collect();
        let end = &SessionEnd { tags, ..end.clone() };
        let path = self.final_name(path, &transcript, topic.as_deref())?;
        let ended = end.ended.unwrap_or_else(|| self.now());
        let name = parse_file_path(path.as_str()).map_or_else(|| session.clone(), |name| name.slug);
        let changes = ChangeSet::new()
            .edit(path.clone(), name, |found| {
                let mut document = Document::parse(found.unwrap_or_default());
                // Read anew: somebody may have said something since.
                let transcript = Transcript::parse(found.unwrap_or_default())?;
                complete(&mut document, &transcript, end, topic.as_deref(), ended)?;
                Ok(Some(document.render()))
            })
            .action(&path, Action::Create)
            .seal(&path);
        let provenance =
            self.agent_provenance(trigger).kind(CommitType::Conversation).session(session.clone());
        let applied = self.ledger.apply(&changes, &provenance)?;
        self.forget_session(&session)?;
        Ok(applied)
    }

    /// Makes the transcript of a session unless one is open, and remembers it. The caller holds the sessions' lock.
    pub(crate) fn ensure_open(
        &self,
        mut header: TranscriptHeader,
        title: &str,
    ) -> Result<(MemoryPath, bool), MemoryError> {
        let session = header.session_id.clone();
        if let Some(path) = self.open_transcript(&session)? {
            return Ok((path, false));
        }
        let parts = self.parts_of(&session)?;
        if let Some(last) = parts.last() {
            header.part = u32::try_from(parts.len() + 1).unwrap_or(u32::MAX);
            header.continues = Some(last.to_string());
            // The new part begins when it is opened.
            header.started = header.started.max(self.started_of(last)?);
        }
        let path = self.free_path(&header, title)?;
        let text = render_header(&header, title);
        let appended = self.ledger.append(&path, |found| {
            if found.head.is_empty() { text.clone().into_bytes() } else { Vec::new() }
        })?;
        self.remember_session(&session, &path)?;
        Ok((path, appended.created))
    }

    /// A path that no other transcript has; that of one whose maker died before its first byte is free. The caller holds the sessions'
    /// lock, or makes the file by a change set that fails where it was made meanwhile.
    pub(crate) fn free_path(
        &self,
        header: &TranscriptHeader,
        title: &str,
    ) -> Result<MemoryPath, MemoryError> {
        for number in 1..1000 {
            let numbered = if number == 1 { title.to_owned() } else { format!("{} {number}", slug(title)) };
            let path = self
                .ledger
                .layout()
                .file(Store::Transcripts, &file_path(header.started, &header.session_id, &numbered))?;
            if self.ledger.read(&path)?.is_none_or(|found| found.is_empty()) {
                return Ok(path);
            }
        }
        Err(MemoryError::Usage {
            message: format!("session {:?} has a thousand transcripts in one minute", header.session_id),
            hint: "give each session an id of its own".to_owned(),
        })
    }

    fn started_of(&self, path: &MemoryPath) -> Result<Timestamp, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        Ok(TranscriptHeader::read(&Document::parse(&bytes))
            .map_err(|source| MemoryError::Transcript { path: path.clone(), source })?
            .started)
    }

    /// Renames an unnamed transcript after its topic or its first message.
    fn final_name(
        &self,
        path: &MemoryPath,
        transcript: &Transcript,
        topic: Option<&str>,
    ) -> Result<MemoryPath, MemoryError> {
        let unnamed = parse_file_path(path.as_str()).is_some_and(|name| name.slug == UNNAMED);
        let said = || {
            transcript
                .turns
                .iter()
                .map(|turn| &turn.turn)
                .find(|turn| turn.role == Role::User)
                .map(first_words)
        };
        let title = topic.map(str::to_owned).or_else(said).unwrap_or_default();
        if !unnamed || slug(&title) == UNNAMED {
            return Ok(path.clone());
        }
        let to = self.free_path(&transcript.header, &title)?;
        self.ledger.rename_open_transcript(path, &to)?;
        self.remember_session(&transcript.header.session_id, &to)?;
        Ok(to)
    }

    fn header_of(
        &self,
        start: &SessionStart,
    ) -> Result<(TranscriptHeader, String, Vec<String>), MemoryError> {
        let redactor = self.redactor()?;
        let mut redacted = Vec::new();
        let mut clean = |text: &Option<String>| {
            text.as_deref().map(|text| {
                let (text, hits) = redactor.redact(text);
                note(&mut redacted, &hits);
                text.into_owned()
            })
        };
        let header = TranscriptHeader {
            session_id: start.session.clone(),
            started: start.started.unwrap_or_else(|| self.now()),
            model: clean(&start.model),
            channel: clean(&start.channel),
            topic: clean(&start.topic),
            source: clean(&start.source),
            audience: start.is_shared.then(|| SHARED.to_owned()),
            on_behalf_of: start.on_behalf_of.clone(),
            ..TranscriptHeader::default()
        };
        let title = header.topic.clone().unwrap_or_else(|| UNNAMED.to_owned());
        Ok((header, title, redacted))
    }

    /// The turn without secrets, and the names of the rules that found some.
    pub(crate) fn redact_turn(&self, turn: &Turn) -> Result<(Turn, Vec<String>), MemoryError> {
        let redactor = self.redactor()?;
        let mut redacted = Vec::new();
        let mut clean = |text: &str| {
            let (text, hits) = redactor.redact(text);
            note(&mut redacted, &hits);
            text.into_owned()
        };
        let body = turn
            .body
            .iter()
            .map(|part| match part {
                TurnPart::Text(text) => TurnPart::Text(clean(text)),
                TurnPart::Tool { name, summary, result } => {
                    TurnPart::Tool { name: clean(name), summary: clean(summary), result: clean(result) }
                }
                TurnPart::Attachment { path } => TurnPart::Attachment { path: clean(path) },
                TurnPart::Knowledge { action, path, summary } => {
                    TurnPart::Knowledge { action: clean(action), path: clean(path), summary: clean(summary) }
                }
            })
            .collect();
        Ok((Turn { body, ..turn.clone() }, redacted))
    }
}

/// A session without an id could never be found again.
fn checked(session: &str) -> Result<(), MemoryError> {
    let message = match session.len() {
        0 => "a session needs an id".to_owned(),
        1..=LONGEST_ID => return Ok(()),
        length => format!("a session's id has at most {LONGEST_ID} bytes, and this one has {length}"),
    };
    Err(MemoryError::usage(message, "give the id that the host gives it"))
}

fn note(redacted: &mut Vec<String>, hits: &[RuleHit]) {
    for hit in hits {
        if !redacted.contains(&hit.rule) {
            redacted.push(hit.rule.clone());
        }
    }
}

/// The first dozen words of what a turn says, as a title.
pub(crate) fn first_words(turn: &Turn) -> String {
    let text = turn.text();
    let words: Vec<&str> =
        text.split_whitespace().filter(|word| !word.starts_with("[redacted:")).take(12).collect();
    if words.is_empty() { UNNAMED.to_owned() } else { words.join(" ") }
}

/// Whether a transcript ends with this turn, said within the last minutes.
fn ends_with(found: &Found, turn: &Turn) -> bool {
    let rendered = render_turn(turn, utc_date(turn.time));
    let rendered = rendered.trim();
    let tail = String::from_utf8_lossy(&found.tail);
    let tail = tail.trim_end();
    let Some((new_heading, said)) = rendered.split_once('\n') else { return false };
    let Some(before) = tail.strip_suffix(said) else {
        // A turn that is longer than what is seen of the end.
        return found.head != found.tail && tail.len() < said.len() && said.ends_with(tail);
    };
    let Some((_, heading)) = before.trim_end_matches('\n').rsplit_once('\n') else { return false };
    let minute = |heading: &str| {
        let (time, role) = heading.strip_prefix("## ")?.split_once(' ')?;
        let (hours, minutes) = time.split_once(':')?;
        Some((hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?, role.to_owned()))
    };
    match (minute(heading), minute(new_heading)) {
        (Some((then, who)), Some((now, whose))) => {
            who == whose && (now - then).rem_euclid(24 * 60) <= TOLD_TWICE_MINUTES
        }
        _ => false,
    }
}

/// The date that the next turn of a transcript is compared with: that of the last date line in its tail. Where a long tail has
/// none, a date no turn has, so that the next turn says its own.
fn date_at_end(found: &Found) -> Date {
    let marker = String::from_utf8_lossy(&found.tail)
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->")?.parse::<Date>().ok());
    let whole = found.head == found.tail;
    let started =
        || TranscriptHeader::read(&Document::parse(&found.head)).ok().map(|header| utc_date(header.started));
    marker.or_else(|| if whole { started() } else { None }).unwrap_or(Date::ZERO)
}

/// Completes the front matter of a session that ends (A2.1).
fn complete(
    document: &mut Document,
    transcript: &Transcript,
    end: &SessionEnd,
    topic: Option<&str>,
    ended: Timestamp,
) -> Result<(), rem_format::transcript::TranscriptError> {
    let mut header = transcript.header.clone();
    let last = transcript.turns.last().map_or(header.started, |turn| turn.turn.time);
    header.ended = Some(ended.max(last).max(header.started));
    header.topic = topic.map(str::to_owned);
    header.tokens_in = header.tokens_in.max(end.tokens_in);
    header.tokens_out = header.tokens_out.max(end.tokens_out);
    header.source_leaf = end.source_leaf.clone().or(header.source_leaf);
    for tag in &end.tags {
        if !header.tags.contains(tag) {
            header.tags.push(tag.clone());
        }
    }
    for part in transcript.turns.iter().flat_map(|turn| &turn.turn.body) {
        if let TurnPart::Knowledge { action, path, summary } = part {
            let change =
                KnowledgeChange { path: path.clone(), action: action.clone(), summary: summary.clone() };
            if !header.knowledge_changes.contains(&change) {
                header.knowledge_changes.push(change);
            }
        }
    }
    header.write(document)
}
