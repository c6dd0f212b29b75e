//! From records to turns, and from turns to the receiver.
//!
//! Owns which records make one turn: those of one response belong together, tool results join their calls, files
//! join the message they came with. Also owns the order of events, and that a session without turns is never
//! announced. Must not know any host's records.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart};

use super::{Answer, Event, ImportError, ImportReport, SessionEnd, SessionMeta, SourceTurn, injected};

/// The receiving end of all readers.
pub(super) struct Output<'a> {
    on_event: &'a mut dyn FnMut(Event) -> Answer,
    report: &'a mut ImportReport,
    path: PathBuf,
    done: u64,
    told: u64,
    file_start: u64,
    total: u64,
}

impl<'a> Output<'a> {
    pub(super) fn new(
        on_event: &'a mut dyn FnMut(Event) -> Answer,
        report: &'a mut ImportReport,
        total: u64,
    ) -> Self {
        Output { on_event, report, path: PathBuf::new(), done: 0, told: 0, file_start: 0, total }
    }

    pub(super) fn begin_file(&mut self, path: &Path) {
        path.clone_into(&mut self.path);
        self.report.files += 1;
        self.file_start = self.done;
    }

    /// Whatever a reader counted, a file is done when it is done.
    pub(super) fn end_file(&mut self, work: u64) -> Result<(), ImportError> {
        self.done = self.file_start + work;
        self.tell_progress()
    }

    /// Counts `bytes` of work; a file is its size twice.
    pub(super) fn advance(&mut self, bytes: u64) -> Result<(), ImportError> {
        self.done += bytes;
        if self.done >= self.told + (1 << 20) { self.tell_progress() } else { Ok(()) }
    }

    fn tell_progress(&mut self) -> Result<(), ImportError> {
        self.told = self.done;
        let (done, total) = (self.done.min(self.total), self.total);
        match (self.on_event)(Event::Progress { done, total }) {
            Answer::Stop => Err(ImportError::Stopped),
            Answer::Continue | Answer::SkipSession => Ok(()),
        }
    }

    /// Reports record `number` of the file as passed over.
    pub(super) fn skip(&mut self, number: usize, reason: impl Into<String>) {
        self.report.skip(format!("{}:{number}", self.path.display()), reason);
    }

    /// Reports a place inside a database or a document.
    pub(super) fn skip_at(&mut self, place: &str, reason: impl Into<String>) {
        self.report.skip(format!("{}:{place}", self.path.display()), reason);
    }

    pub(super) fn skip_file(&mut self, error: &ImportError) {
        let reason = match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        self.report.skip(self.path.display().to_string(), reason);
    }

    /// The file's modification time: the last resort for a session without any time.
    pub(super) fn file_time(&self) -> Timestamp {
        std::fs::metadata(&self.path)
            .and_then(|metadata| metadata.modified())
            .ok()
            .and_then(|time| Timestamp::try_from(time).ok())
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file's name without its endings.
    pub(super) fn stem(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.split('.').next().unwrap_or_default().to_owned()
    }
}

/// A tool call of the turn at hand that may still get its result.
struct Open {
    id: Option<String>,
    part: usize,
}

/// One session being put together.
pub(super) struct Assembler {
    meta: Option<SessionMeta>,
    end: SessionEnd,
    at_hand: Option<SourceTurn>,
    /// The response the turn belongs to, where the host numbers them.
    response: Option<String>,
    open: Vec<Open>,
    has_result: bool,
    announced: bool,
    unwanted: bool,
    /// The time of the last record that had one.
    time: Timestamp,
}

impl Assembler {
    /// A session; it is announced with its first turn.
    pub(super) fn new(meta: SessionMeta) -> Self {
        let time = meta.started;
        Assembler {
            meta: Some(meta),
            end: SessionEnd::default(),
            at_hand: None,
            response: None,
            open: Vec::new(),
            has_result: false,
            announced: false,
            unwanted: false,
            time,
        }
    }

    /// Sets the time of the records that follow; `None` leaves it as it was.
    pub(super) fn at(&mut self, time: Option<Timestamp>) {
        self.time = time.unwrap_or(self.time);
    }

    /// The totals, for readers that learn them along the way.
    pub(super) fn totals(&mut self) -> &mut SessionEnd {
        &mut self.end
    }

    /// Whether tool calls wait for results.
    pub(super) fn has_open_calls(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the turn at hand belongs to this response.
    pub(super) fn is_response(&self, response: &str) -> bool {
        self.response.as_deref() == Some(response)
    }

    /// Words of a person or of the system; a turn of their own. Injected text is taken out of a person's words.
    pub(super) fn words(
        &mut self,
        output: &mut Output<'_>,
        role: Role,
        id: &str,
        text: &str,
    ) -> Result<(), ImportError> {
        let text = if role == Role::User { injected::cleaned(text) } else { text.trim().into() };
        if text.is_empty() {
            return Ok(());
        }
        // Blocks of one record are one message.
        let same =
            self.at_hand.as_ref().is_some_and(|at_hand| at_hand.through == id && at_hand.turn.role == role);
        if !same {
            self.start(output, role, TurnKind::Message, id, None)?;
        }
        self.push(id, TurnPart::Text(text.into_owned()));
        Ok(())
    }

    /// A file of the message with this id.
    pub(super) fn attachment(
        &mut self,
        output: &mut Output<'_>,
        role: Role,
        id: &str,
        path: &str,
    ) -> Result<(), ImportError> {
        if role == Role::Agent {
            self.continue_agent(output, id, None, false)?;
        } else if !self.at_hand.as_ref().is_some_and(|at| at.through == id && at.turn.role == role) {
            self.start(output, role, TurnKind::Message, id, None)?;
        }
        self.push(id, TurnPart::Attachment { path: path.to_owned() });
        Ok(())
    }

    /// A file that the host recorded after a person's message that named it; without such a message at hand it is
    /// dropped.
    pub(super) fn late_attachment(&mut self, id: &str, path: &str) {
        if self.at_hand.as_ref().is_some_and(|at_hand| at_hand.turn.role == Role::User) {
            self.push(id, TurnPart::Attachment { path: path.to_owned() });
        }
    }

    /// Words of the agent. They join the turn at hand when the host says that both are of one `response`, or, where
    /// it does not number responses, when no tool result has come in between.
    pub(super) fn answer(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        response: Option<&str>,
        text: &str,
    ) -> Result<(), ImportError> {
        let text = text.trim();
        if text.is_empty() || injected::is_silent_answer(text) {
            return Ok(());
        }
        self.continue_agent(output, id, response, true)?;
        self.push(id, TurnPart::Text(text.to_owned()));
        Ok(())
    }

    /// A tool call of the agent.
    pub(super) fn call(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        response: Option<&str>,
        call_id: Option<&str>,
        name: &str,
        summary: String,
    ) -> Result<(), ImportError> {
        self.continue_agent(output, id, response, false)?;
        let part = TurnPart::Tool { name: name.to_owned(), summary, result: String::new() };
        let place = self.push(id, part);
        self.open.push(Open { id: call_id.map(str::to_owned), part: place });
        Ok(())
    }

    /// A tool's result; one that belongs to no open call is dropped. Without an id it answers the oldest call.
    /// `id` is the record's id when it is on the session's way, so that the turn reaches to it.
    pub(super) fn result(&mut self, id: Option<&str>, call_id: Option<&str>, text: &str) {
        let place = match call_id {
            Some(call_id) => self.open.iter().position(|open| open.id.as_deref() == Some(call_id)),
            None => None,
        };
        // A host that gives only one side an id still means the oldest call.
        let place =
            place.or_else(|| self.open.iter().position(|open| call_id.is_none() || open.id.is_none()));
        let (Some(place), Some(at_hand)) = (place, self.at_hand.as_mut()) else { return };
        let open = self.open.remove(place);
        if let Some(TurnPart::Tool { result, .. }) = at_hand.turn.body.get_mut(open.part) {
            text.clone_into(result);
        }
        if let Some(id) = id {
            id.clone_into(&mut at_hand.through);
        }
        self.has_result = true;
    }

    /// What the host itself remembered: a memory turn with one line per memory.
    pub(super) fn remembered(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        text: &str,
    ) -> Result<(), ImportError> {
        self.start(output, Role::Agent, TurnKind::Memory, id, None)?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let part = TurnPart::Knowledge {
                action: "remembered".to_owned(),
                path: "bio".to_owned(),
                summary: line.to_owned(),
            };
            self.push(id, part);
        }
        Ok(())
    }

    /// Passes on what is at hand and ends the session. A session that never had a turn is counted as empty.
    pub(super) fn finish(mut self, output: &mut Output<'_>) -> Result<(), ImportError> {
        self.flush(output)?;
        if !self.announced {
            output.report.empty_sessions += 1;
            return Ok(());
        }
        if self.unwanted {
            return Ok(());
        }
        match (output.on_event)(Event::End(self.end)) {
            Answer::Stop => Err(ImportError::Stopped),
            Answer::Continue | Answer::SkipSession => Ok(()),
        }
    }

    fn continue_agent(
        &mut self,
        output: &mut Output<'_>,
        id: &str,
        response: Option<&str>,
        words: bool,
    ) -> Result<(), ImportError> {
        let goes_on = self.at_hand.as_ref().is_some_and(|at_hand| {
            let agent = at_hand.turn.role == Role::Agent && at_hand.turn.kind == TurnKind::Message;
            let together = match response {
                Some(response) => self.response.as_deref() == Some(response),
                None => self.response.is_none() && !(words && self.has_result),
            };
            agent && (together || at_hand.through == id)
        });
        if goes_on { Ok(()) } else { self.start(output, Role::Agent, TurnKind::Message, id, response) }
    }

    fn start(
        &mut self,
        output: &mut Output<'_>,
        role: Role,
        kind: TurnKind,
        id: &str,
        response: Option<&str>,
    ) -> Result<(), ImportError> {
        self.flush(output)?;
        self.response = response.map(str::to_owned);
        let turn = Turn { time: self.time, role, kind, body: Vec::new() };
        self.at_hand = Some(SourceTurn { id: id.to_owned(), through: id.to_owned(), turn });
        Ok(())
    }

    /// Adds a part to the turn at hand and gives its place.
    fn push(&mut self, id: &str, part: TurnPart) -> usize {
        let Some(at_hand) = self.at_hand.as_mut() else { return 0 };
        id.clone_into(&mut at_hand.through);
        at_hand.turn.body.push(part);
        at_hand.turn.body.len() - 1
    }

    fn flush(&mut self, output: &mut Output<'_>) -> Result<(), ImportError> {
        self.open.clear();
        self.has_result = false;
        self.response = None;
        let Some(turn) = self.at_hand.take().filter(|at_hand| !at_hand.turn.body.is_empty()) else {
            return Ok(());
        };
        if let Some(mut meta) = self.meta.take() {
            if meta.title.is_empty() && turn.turn.role == Role::User {
                meta.title = injected::title_of(&turn.turn.text());
            }
            self.announced = true;
            output.report.sessions += 1;
            match (output.on_event)(Event::Session(meta)) {
                Answer::Continue => {}
                Answer::SkipSession => self.unwanted = true,
                Answer::Stop => return Err(ImportError::Stopped),
            }
        }
        if self.unwanted {
            return Ok(());
        }
        self.end.ended = Some(self.end.ended.map_or(turn.turn.time, |ended| ended.max(turn.turn.time)));
        self.end.leaf = Some(turn.through.clone());
        output.report.turns += 1;
        match (output.on_event)(Event::Turn(turn)) {
            Answer::Continue => Ok(()),
            Answer::SkipSession => {
                self.unwanted = true;
                Ok(())
            }
            Answer::Stop => Err(ImportError::Stopped),
        }
    }
}
