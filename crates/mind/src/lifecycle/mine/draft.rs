//! What is kept of an extraction: its words, its one primary tag, the moment it was said, how sure it is, and where it was said.
//!
//! Not kept is what is less sure than `lifecycle.mining_confidence`, what CORRECTIONS.md corrects, and what this memory itself had
//! handed out (T10). Must not know where anything goes.

use jiff::civil::{Date, DateTime};
use rem_format::annotation::Annotation;
use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_recall::Addressees;

use super::{Known, MinedMemory};
use crate::error::MemoryError;
use crate::lifecycle::extract::{Extraction, ExtractionKind, ExtractionSource};
use crate::lifecycle::reading::Read;
use crate::memory::Memory;
use crate::stores::incoming::{Authority, Incoming, Written, number, short_id};
use crate::stores::router::{self, Kind, Routing, StoreKind, route};
use crate::stores::statement::{Comparison, Statement};

/// A statement that a person put right.
pub(super) struct Corrected {
    wrong: Statement,
    right: Option<Statement>,
    /// The day it was put right, where the entry says it.
    day: Option<Date>,
}

/// What can be told of an extraction by itself: made where it is read, on all cores.
pub(in crate::lifecycle) struct Worded {
    text: String,
    routing: Routing,
    statement: Statement,
}

/// An extraction on its way to being kept.
pub(super) struct Draft<'a> {
    pub(super) extraction: &'a Extraction,
    /// What is kept.
    pub(super) text: &'a str,
    pub(super) routing: &'a Routing,
    statement: &'a Statement,
    /// When it was said, in the operator's time zone.
    pub(super) said: DateTime,
    /// `PATH:FIRST-LAST`, for each place that says it.
    source: String,
    /// Why it is not kept.
    not_kept: Option<&'static str>,
}

impl Draft<'_> {
    pub(super) fn is_kept(&self) -> bool {
        self.not_kept.is_none()
    }

    /// Whether it is about the user.
    pub(super) fn is_of_user(&self) -> bool {
        self.extraction.person.as_deref() == Some(router::USER)
    }

    /// Whether the router, which learned from other sentences, takes it for something that belongs into MEMORY.md, too.
    pub(super) fn is_core(&self) -> bool {
        self.routing.store == Some(StoreKind::Core)
    }

    /// Whether it happened rather than holds.
    pub(super) fn is_event(&self) -> bool {
        self.extraction.kind == ExtractionKind::Fact && self.routing.kind == Kind::Event
    }

    /// The one primary tag (P5.1).
    pub(super) fn tag(&self) -> &'static str {
        match self.extraction.kind {
            ExtractionKind::Decision => "decision",
            ExtractionKind::Procedure => "skill",
            _ if self.is_event() => "event",
            _ => "knowledge",
        }
    }

    /// Where it was said first, and where else.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// What is said of it to who asked for mining.
    pub(super) fn told(&self, path: Option<MemoryPath>, written: Option<Written>) -> MinedMemory {
        let (id, effect) =
            written.map_or((String::new(), None), |written| (written.id, Some(written.effect)));
        MinedMemory {
            kind: self.extraction.kind,
            tag: self.tag(),
            text: self.text.to_owned(),
            lines: self.extraction.source.lines.clone(),
            confidence: self.extraction.confidence,
            path,
            id,
            effect,
            not_kept: self.not_kept.map(str::to_owned),
        }
    }
}

impl Memory {
    /// The words in which each of these is kept that is to last, and where they belong.
    pub(in crate::lifecycle) fn worded(
        &self,
        extractions: &[Extraction],
    ) -> Result<Vec<Worded>, MemoryError> {
        let redactor = self.redactor()?;
        let worded = extractions.iter().filter(|each| is_lasting(each)).map(|extraction| {
            let text = kept_words(extraction, |text| redactor.redact(text).0.into_owned());
            let mut routing = route(&text);
            routing.summary.clone_from(&text);
            if let Some(person) = extraction.person.as_ref().filter(|person| *person != router::USER) {
                // Who is said to be something by a whole name is meant by their first.
                let whole = format!("{person} ");
                let mut names = routing.relations.iter().map(|relation| &relation.from);
                let person = names.find(|name| name.starts_with(&whole)).unwrap_or(person).clone();
                routing.relations.retain(|relation| relation.from == person);
                routing.entities.retain(|mention| mention.name != person);
                let r#type = rem_format::entity::EntityType::Person;
                routing.entities.insert(0, router::Mention { name: person, r#type });
            }
            Worded { statement: Statement::new(&text), text, routing }
        });
        Ok(worded.collect())
    }

    /// What is to be made of the extractions of a transcript.
    pub(super) fn drafts<'a>(
        &self,
        path: &MemoryPath,
        read: &'a Read,
        known: &Known,
    ) -> Result<Vec<Draft<'a>>, MemoryError> {
        let Read { transcript, extractions, worded, .. } = read;
        let session = transcript.header.session_id.as_str();
        let mut drafts = Vec::new();
        for (extraction, worded) in extractions.iter().filter(|each| is_lasting(each)).zip(worded) {
            let Worded { text, routing, statement } = worded;
            let located = transcript.turns.get(extraction.source.turn);
            let time = located.map_or(transcript.header.started, |located| located.turn.time);
            let said = time.to_zoned(self.time_zone().clone()).datetime();
            let source = sources(path, extraction);
            let mut draft = Draft { extraction, text, routing, statement, said, source, not_kept: None };
            draft.not_kept = self.reason_against(&draft, session, known)?;
            drafts.push(draft);
        }
        Ok(drafts)
    }

    fn reason_against(
        &self,
        draft: &Draft<'_>,
        session: &str,
        known: &Known,
    ) -> Result<Option<&'static str>, MemoryError> {
        if draft.extraction.confidence < self.config.lifecycle.mining_confidence {
            return Ok(Some("it is not sure enough (lifecycle.mining_confidence)"));
        }
        let (said, forgotten) = (draft.said.date(), &known.forgotten);
        let about = draft.routing.entities.first().map(|mention| mention.name.as_str());
        if forgotten.holds(draft.text, said)
            || forgotten.holds_source(&draft.source, said)
            || forgotten.holds_at(&draft.source, draft.text, said)
            || about.is_some_and(|name| forgotten.holds_name(name, said))
        {
            return Ok(Some("it was forgotten"));
        }
        if known.own.has(&draft.source, draft.text, said) {
            return Ok(Some("a person has put it in other words, or taken it out"));
        }
        if known.found.has(&draft.source, draft.text) {
            return Ok(Some("it was kept when this conversation was mined before"));
        }
        let corrected = &known.corrected;
        if !corrected.is_empty() {
            let statement = draft.statement;
            let loses = |each: &Corrected| {
                let is_wrong = statement.compared_to(&each.wrong) == Comparison::Same;
                let contradicts = |right| statement.compared_to(right) == Comparison::Replaces;
                // What the operator says after a correction may be newer than it.
                let is_later = each.day.is_some_and(|day| draft.said.date() > day);
                is_wrong || !is_later && each.right.as_ref().is_some_and(contradicts)
            };
            if corrected.iter().any(loses) {
                return Ok(Some("CORRECTIONS.md says otherwise"));
            }
        }
        Ok(self.given_out(Some(session)).echoes(draft.text).then_some("it is what this memory handed out"))
    }

    /// What CORRECTIONS.md puts right.
    pub(super) fn corrected(&self) -> Result<Vec<Corrected>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Corrections))?.unwrap_or_default();
        let corrected =
            rem_recall::corrections_in(&String::from_utf8_lossy(&bytes)).into_iter().map(|each| Corrected {
                wrong: Statement::new(&each.wrong),
                right: Some(each.right).filter(|right| !right.is_empty()).map(|right| Statement::new(&right)),
                day: each.day,
            });
        Ok(corrected.collect())
    }

    /// A draft as the stores take in a statement.
    pub(super) fn incoming_of<'a>(&'a self, draft: &'a Draft<'_>) -> Incoming<'a> {
        let settings = &self.config.confidence;
        let confidence = if draft.extraction.flagged { settings.statement } else { settings.inferred };
        let annotation = Annotation::new()
            .with("id", short_id(draft.text, draft.said))
            .with("since", draft.said.date().to_string())
            .with("confidence", number(confidence))
            .with("mentions", "1")
            .with("source", draft.source())
            .with("tags", draft.tag());
        Incoming {
            text: draft.text,
            statement: draft.statement.clone(),
            annotation,
            today: draft.said.date(),
            memory: self,
            source: draft.source.clone(),
            looks_back: true,
            is_dated: draft.extraction.kind == ExtractionKind::Decision,
            authority: if draft.extraction.flagged { Authority::Asked } else { Authority::Read },
            addressees: Addressees::default(),
            beside: Vec::new(),
        }
    }
}

/// The words in which an extraction is kept.
pub(in crate::lifecycle) fn kept_words(extraction: &Extraction, redacted: impl Fn(&str) -> String) -> String {
    let mut text = redacted(&extraction.text);
    if let Some(reason) = extraction.reason.as_ref().filter(|reason| !text.contains(reason.as_str())) {
        text.push_str(&format!(" — {}", redacted(reason)));
    }
    text
}

/// Whether an extraction is to become a memory; others are for the journal.
fn is_lasting(extraction: &Extraction) -> bool {
    extraction.kind != ExtractionKind::Journal
}

/// A place in a transcript: `PATH:FIRST-LAST`.
pub(in crate::lifecycle) fn placed(path: &MemoryPath, source: &ExtractionSource) -> String {
    let (first, last) = (source.lines.start, source.lines.end.saturating_sub(1).max(source.lines.start));
    if first == last { format!("{path}:{first}") } else { format!("{path}:{first}-{last}") }
}

/// Where it was said: `PATH:FIRST-LAST` for the first place, and for the others.
fn sources(path: &MemoryPath, extraction: &Extraction) -> String {
    let all = std::iter::once(&extraction.source).chain(&extraction.further);
    let mut sources: Vec<String> = Vec::new();
    for source in all {
        let place = placed(path, source);
        if !sources.contains(&place) {
            sources.push(place);
        }
    }
    sources.join(", ")
}
