//! What the operator said of how the agent is to behave, and what they corrected: everything that may speak for a principle (seed
//! P5.2).
//!
//! Three sources, all of them the operator's words: corrections, what they had remembered, and their own sentences in conversations
//! that this program kept. What agents, tools, imported files, quotations and pasted texts say never counts. Must not decide
//! what becomes of it.

use std::collections::{BTreeSet, HashSet};

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use rem_format::audit::{Action, Actor};
use rem_format::correction::{self, CorrectedBy};
use rem_format::identity::{Occurrence, OccurrenceKind, logged};
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Transcript, parse_file_path};
use rem_ledger::{AuditQuery, Store};
use rem_recall::Addressees;

use super::super::cues;
use super::super::settling::RESOLVING;
use super::opposites::Reading;
use super::ruling::is_rule;
use crate::error::MemoryError;
use crate::lifecycle::extract::{behaviour, own_sentences};
use crate::lifecycle::forgotten::Forgotten;
use crate::lifecycle::keeping::is_correction;
use crate::lifecycle::records::GONE;
use crate::memory::Memory;
use crate::stores::incoming::undated;
use crate::stores::statement::Statement;

/// So far back conversations are read, in days: what comes again after longer is nobody's habit.
const LOOK_BACK_DAYS: i64 = 90;
/// A conversation that began so many days before the span is looked into all the same.
const LONGEST_CONVERSATION_DAYS: i64 = 14;
/// A principle has no more characters: what is longer is a story.
const LONGEST: usize = 240;

/// Whether something is about the agent's behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::identity) enum Nature {
    /// How it is to behave.
    Behaviour,
    /// A fact that it had wrong; of corrections alone.
    Fact,
}

/// Something the operator said once.
#[derive(Debug, Clone)]
pub(in crate::identity) struct Observed {
    /// Where and when; its text is what was said, as a note.
    pub(in crate::identity) occurrence: Occurrence,
    pub(in crate::identity) nature: Nature,
    pub(in crate::identity) statement: Statement,
    /// How it is read as a rule.
    pub(super) reading: Reading,
    /// When the rest of a correction is over; nothing of what is none.
    pub(in crate::identity) rests_until: Option<Timestamp>,
    /// Whether a correction became part of the identity.
    pub(in crate::identity) is_encoded: bool,
    /// What a correction says was wrong of the agent's behaviour, as a note.
    pub(in crate::identity) wrong: Option<String>,
}

/// A correction that was encoded and taken back (P5.4).
#[derive(Debug, Clone)]
pub(in crate::identity) struct TakenBack {
    pub(in crate::identity) id: String,
    pub(in crate::identity) occurrence: Occurrence,
}

/// All of it, the oldest first.
#[derive(Debug, Default)]
pub(in crate::identity) struct Evidence {
    pub(in crate::identity) observed: Vec<Observed>,
    pub(in crate::identity) taken_back: Vec<TakenBack>,
}

impl Memory {
    /// Everything the operator said that may speak for or against a principle.
    pub(in crate::identity) fn identity_evidence(&self) -> Result<Evidence, MemoryError> {
        let mut evidence = Evidence::default();
        self.add_corrections(&mut evidence)?;
        self.add_remembered(&mut evidence)?;
        self.add_said(&mut evidence)?;
        let forgotten = self.forgotten()?;
        evidence.without(&forgotten);
        self.add_forgotten_corrections(&forgotten, &mut evidence)?;
        evidence.observed.sort_by(|one, other| {
            let key = |each: &Observed| (each.occurrence.time, each.occurrence.kind as u8);
            key(one).cmp(&key(other)).then_with(|| one.occurrence.at.cmp(&other.occurrence.at))
        });
        Ok(evidence)
    }

    /// Corrections that a principle came from and that were forgotten for good: taken back, with no more words.
    fn add_forgotten_corrections(
        &self,
        forgotten: &Forgotten,
        evidence: &mut Evidence,
    ) -> Result<(), MemoryError> {
        let log = logged(&self.ledger.read(self.path(Store::Changelog))?.unwrap_or_default());
        let ids: BTreeSet<String> = log.into_iter().flat_map(|logged| logged.change.corrections).collect();
        for id in ids {
            let Some(day) = forgotten.day_of_correction(&id) else { continue };
            let Ok(begin) = day.to_zoned(self.time_zone().clone()) else { continue };
            let occurrence = Occurrence {
                kind: OccurrenceKind::Correction,
                time: begin.timestamp(),
                day,
                session: None,
                path: self.path(Store::Corrections).clone(),
                at: id.clone(),
                text: GONE.to_owned(),
            };
            evidence.taken_back.push(TakenBack { id, occurrence });
        }
        Ok(())
    }

    /// CORRECTIONS.md and its archive.
    pub(in crate::identity) fn correction_files(&self) -> Result<Vec<MemoryPath>, MemoryError> {
        let folder = format!("{}/", self.path(Store::CorrectionArchive));
        let mut paths = vec![self.path(Store::Corrections).clone()];
        for listed in &self.ledger.list()?.files {
            if listed.path.starts_with(&folder) && listed.path.ends_with(".md") {
                paths.extend(MemoryPath::new(listed.path.as_str()).ok());
            }
        }
        Ok(paths)
    }

    fn add_corrections(&self, evidence: &mut Evidence) -> Result<(), MemoryError> {
        let mut seen = HashSet::new();
        for path in self.correction_files()? {
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            for each in correction::parse(&bytes).into_iter().map(|placed| placed.correction) {
                if !seen.insert(each.id.clone()) {
                    continue;
                }
                let note =
                    behaviour(&each.right).or_else(|| is_rule(&each.right).then(|| each.right.clone()));
                let nature = if note.is_some() { Nature::Behaviour } else { Nature::Fact };
                let Some(text) = principle_of(&note.unwrap_or_else(|| each.right.clone())) else { continue };
                let occurrence = Occurrence {
                    kind: OccurrenceKind::Correction,
                    time: each.logged,
                    day: self.day_of(each.logged),
                    session: None,
                    path: path.clone(),
                    at: each.id.clone(),
                    text,
                };
                if each.is_retracted {
                    if each.encoded.is_some() {
                        evidence.taken_back.push(TakenBack { id: each.id, occurrence });
                    }
                    continue;
                }
                // An agent's correction is not the operator's word, and saying which of two memories is right says nothing anew.
                if each.by == CorrectedBy::Operator && !each.trigger.starts_with(RESOLVING) {
                    evidence.observed.push(Observed {
                        statement: Statement::new(&occurrence.text),
                        reading: Reading::of(&occurrence.text),
                        occurrence,
                        nature,
                        rests_until: Some(each.cooldown_expires),
                        is_encoded: each.encoded.is_some(),
                        wrong: (nature == Nature::Behaviour).then(|| note_of(&each.wrong)).flatten(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Entries of MEMORY.md that the operator had remembered. When they were said again is in the conversations.
    fn add_remembered(&self, evidence: &mut Evidence) -> Result<(), MemoryError> {
        let path = self.path(Store::Core);
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(()) };
        for item in page.items() {
            let note = &item.annotation;
            let source = note.get("source").unwrap_or_default();
            let is_for_all = Addressees::of_annotation(note) == Addressees::default();
            // What an agent kept, for its user or by itself, is its own words. Of a correction its own entry speaks.
            let is_the_users = source.split(", ").any(|source| source == "user-explicit");
            if item.ended().is_some() || !is_for_all || !is_the_users || is_correction(&item.text, note) {
                continue;
            }
            let (Some(id), Some(day)) = (note.get("id"), note.date("since")) else { continue };
            let Some(text) = behaviour(undated(item.plain())).as_deref().and_then(principle_of) else {
                continue;
            };
            // The hour is not known: at the end of the day, so that nothing rests too short.
            let Ok(end) = day.at(23, 59, 59, 0).to_zoned(self.time_zone().clone()) else { continue };
            let session = source.split_once("session ").map(|(_, session)| session.trim().to_owned());
            evidence.observed.push(Observed {
                statement: Statement::new(&text),
                reading: Reading::of(&text),
                occurrence: Occurrence {
                    kind: OccurrenceKind::Memory,
                    time: end.timestamp(),
                    day,
                    session,
                    path: path.clone(),
                    at: id.to_owned(),
                    text,
                },
                nature: Nature::Behaviour,
                rests_until: None,
                is_encoded: false,
                wrong: None,
            });
        }
        Ok(())
    }

    /// The operator's own sentences in closed conversations of the last months.
    fn add_said(&self, evidence: &mut Evidence) -> Result<(), MemoryError> {
        let oldest = self.now().saturating_sub(SignedDuration::from_hours(24 * LOOK_BACK_DAYS));
        // A session that is forked has the turns of the one before it once more.
        let mut heard: HashSet<(Timestamp, String)> = HashSet::new();
        self.each_conversation(oldest.unwrap_or(Timestamp::MIN), |memory, path, transcript| {
            for said in own_sentences(transcript) {
                // Also behind "no, I told you:".
                let claimed = || cues::claims(&said.text, "").iter().find_map(|claim| behaviour(claim));
                let note = said.behaviour.or_else(|| claimed().filter(|_| !said.is_anothers));
                let Some(text) = note.as_deref().and_then(principle_of) else { continue };
                let Some(turn) = transcript.turns.get(said.turn) else { continue };
                if !heard.insert((turn.turn.time, text.clone())) {
                    continue;
                }
                evidence.observed.push(Observed {
                    statement: Statement::new(&text),
                    reading: Reading::of(&text),
                    occurrence: Occurrence {
                        kind: OccurrenceKind::Conversation,
                        time: turn.turn.time,
                        day: memory.day_of(turn.turn.time),
                        session: Some(transcript.header.session_id.clone()),
                        path: path.clone(),
                        at: said.lines.start.to_string(),
                        text,
                    },
                    nature: Nature::Behaviour,
                    rests_until: None,
                    is_encoded: false,
                    wrong: None,
                });
            }
        })
    }

    /// Hands out every closed conversation that began since a moment, the oldest first: as git has it, and not from an imported file.
    /// One that cannot be read is passed over, and `rem verify` says so.
    pub(in crate::identity) fn each_conversation(
        &self,
        since: Timestamp,
        mut take: impl FnMut(&Self, &MemoryPath, &Transcript),
    ) -> Result<(), MemoryError> {
        let Some(head) = self.ledger.head()? else { return Ok(()) };
        let recorded = self.ledger.snapshot(&head)?;
        // Days more, because the path has a conversation's beginning alone, and one may go on for long.
        let long = SignedDuration::from_hours(24 * LONGEST_CONVERSATION_DAYS);
        let since = self.day_of(since.saturating_sub(long).unwrap_or(since));
        let mut kept_by_program: Option<HashSet<String>> = None;
        for path in self.ledger.transcripts()? {
            if parse_file_path(path.as_str()).is_none_or(|parsed| parsed.started.date() < since) {
                continue;
            }
            let Ok(transcript) = self.recorded_transcript(&path, Some(&recorded)) else { continue };
            if !transcript.header.is_with_operator() {
                continue;
            }
            if transcript.header.source.is_some() {
                if kept_by_program.is_none() {
                    kept_by_program = Some(self.kept_conversations()?);
                }
                if kept_by_program.as_ref().is_none_or(|kept| !kept.contains(path.as_str())) {
                    continue;
                }
            }
            take(self, &path, &transcript);
        }
        Ok(())
    }

    /// Conversations of which the audit log says that they were kept while they took place, and not imported afterwards.
    fn kept_conversations(&self) -> Result<HashSet<String>, MemoryError> {
        let query = AuditQuery {
            actions: vec![Action::Create],
            file: Some(self.path(Store::Transcripts).to_string()),
            ..AuditQuery::default()
        };
        let lines = self.ledger.audit(&query)?.into_iter();
        let live = lines.filter(|line| line.actor != Actor::System("import".to_owned()));
        Ok(live.map(|line| line.file).collect())
    }

    /// The day of a moment where the operator is.
    pub(crate) fn day_of(&self, time: Timestamp) -> Date {
        time.to_zoned(self.time_zone().clone()).date()
    }
}

/// What was wrong of the agent's behaviour, as it would be a principle; nothing where nothing was.
fn note_of(wrong: &str) -> Option<String> {
    principle_of(&behaviour(wrong).unwrap_or_else(|| wrong.to_owned()))
}

/// A note as a principle: one line without what could end it or begin a comment; nothing where it is too long for one.
pub(super) fn principle_of(note: &str) -> Option<String> {
    // A blank in its place: what stood around it does not make another one.
    let text = note.replace("<!--", " ").replace("-->", " ").replace('"', "'");
    let text = text.replace(|each: char| each.is_control(), " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_start_matches(['-', '*', '#', '>', '+', '~', ' ']);
    let text = text.trim_end_matches(['.', '。', '!', '！', '~', ' ']);
    let letters = text.chars().filter(|each| each.is_alphabetic()).count();
    (letters > 1 && text.chars().count() <= LONGEST).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principle_is_one_harmless_line() {
        assert_eq!(
            principle_of("  - Say \"no\"\n when <!-- x --> unsure. ").as_deref(),
            Some("Say 'no' when x unsure")
        );
        assert_eq!(principle_of("항상 존댓말로 대답해 줘.").as_deref(), Some("항상 존댓말로 대답해 줘"));
        assert_eq!(principle_of("Be <!<!---- kind").as_deref(), Some("Be <! -- kind"));
        assert_eq!(principle_of("…"), None);
        assert_eq!(principle_of(&"long ".repeat(60)), None);
    }
}
