//! The miner (L2; seed P5.1, A8.3): closed conversations become memories, each conversation once.
//!
//! What the extractors take out of a transcript is written in one change set, together with the line in `memory/meta/mined/` that says
//! that it was mined: a crash leaves both or neither, and a clone of the workspace knows what was mined. Each memory has the day it
//! was said, not the day it was mined, so the order of mining matters little and mining again elsewhere gives the same bytes. What
//! was said later is never replaced by what was said before. `draft` says what is kept of an extraction and `set` where it goes.
//! Must not judge what is worth keeping: the extractors do.

mod draft;
mod found;
mod set;

use std::ops::Range;
use std::sync::PoisonError;

use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::config::ExtractionTrigger;
use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, Transcript};
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_reason::Tier;
use serde::Serialize;

use super::done::{Done, is_done};
use super::extract::ExtractionKind;
use super::forgotten::Forgotten;
use super::reading::{Read, Readers};
use super::reconstruct::OwnWords;
use crate::attention::topics::Side;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::{Cause, Missed, RuledInstead};
use crate::search::Late;
use crate::stores::Effect;
use crate::stores::core;
use crate::stores::elsewhere::is_gone;
use crate::stores::places::is_full;
pub(super) use draft::{Worded, kept_words, placed};

use draft::Corrected;
use found::Found;

/// How often a transcript is planned anew because somebody changed a file in between.
const ATTEMPTS: usize = 20;

/// What is to be mined.
#[derive(Debug, Clone, Default)]
pub struct MineRequest {
    /// A session's id or the path of a transcript; everything that was not mined yet where there is none.
    pub session_or_path: Option<String>,
    /// At most so many transcripts; those in which something was asked to be remembered come first, then the oldest.
    pub limit: Option<usize>,
    /// Only show what would be kept, and where. By the rules: nobody is paid for a look.
    pub preview: bool,
    /// Those that rules mined, all or in part, for the model that is named: what is kept of them already stays as it is.
    pub again: bool,
}

/// What mining did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MineOutcome {
    /// Whether it was done.
    pub applied: bool,
    /// The transcripts that were mined, oldest first.
    pub mined: Vec<MinedTranscript>,
    /// Those that could not be, and why. Nothing of them is kept, and the next run tries again.
    pub failed: Vec<NotMined>,
    /// How many closed transcripts are not mined afterwards, those that failed included.
    pub remaining: usize,
    /// Of how many of those that were mined rules took things out although a model is named, and why.
    pub by_rules: Vec<RuledInstead>,
    /// How many of those that failed wait for the model, and why.
    pub waiting: Vec<RuledInstead>,
    /// The model that is asked when it is done; only in a preview, which asks nobody.
    pub would_ask: Option<String>,
}

/// A transcript and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MinedTranscript {
    /// The transcript.
    pub path: MemoryPath,
    /// What was found in it, in the order of the conversation.
    pub memories: Vec<MinedMemory>,
    /// The change's id; empty in a preview.
    pub change: String,
    /// Why rules took things out of it, all or in part, although a model is named.
    pub by_rules: Option<String>,
}

/// Something found in a transcript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MinedMemory {
    /// What the extractor took it for.
    pub kind: ExtractionKind,
    /// Its one primary tag (P5.1): `event`, `knowledge`, `skill` or `decision`.
    pub tag: &'static str,
    /// What is kept.
    pub text: String,
    /// 1-based lines of the transcript that say it first, end exclusive.
    pub lines: Range<usize>,
    /// How sure the extractor is of it, from 0 to 1.
    pub confidence: f64,
    /// The file it is in, or would be.
    pub path: Option<MemoryPath>,
    /// The memory's id; empty where none was written.
    pub id: String,
    /// What became of it; nothing in a preview, and where it is not kept.
    pub effect: Option<Effect>,
    /// Why it is not kept.
    pub not_kept: Option<String>,
}

/// A transcript that could not be mined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotMined {
    /// The transcript.
    pub path: MemoryPath,
    /// Why.
    pub why: String,
    /// What kind of reason it is, where it waits for a model.
    pub waits: Option<Cause>,
}

impl NotMined {
    pub(super) fn of(path: &MemoryPath, error: &MemoryError) -> Self {
        let waits = match error {
            MemoryError::Waits { cause, .. } => Some(*cause),
            _ => None,
        };
        Self { path: path.clone(), why: error.to_string(), waits }
    }
}

/// What a run looks up once.
struct Known {
    corrected: Vec<Corrected>,
    forgotten: Forgotten,
    /// What people have in their words, or took out.
    own: OwnWords,
    /// The folders of projects.
    projects: Vec<String>,
    /// What is kept of conversations that are mined again.
    found: Found,
}

/// What a run leaves for later, and knows from one transcript to the next.
#[derive(Default)]
struct Run {
    late: Late,
    /// MEMORY.md as it was last looked at, and whether it had room: counting its tokens takes longer than reading it.
    core: Option<(Vec<u8>, bool)>,
}

impl Memory {
    /// Mines closed conversations that were not mined yet: what the extractors take out of them becomes memories. `progress` is
    /// told how many transcripts of how many are done.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where no transcript is what is asked for, [`MemoryError::Ledger`] for a sub-agent and where files cannot
    /// be listed. A transcript that cannot be mined is no error: it is among those that failed.
    pub fn mine(
        &self,
        request: &MineRequest,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<MineOutcome, MemoryError> {
        let (mut mined, mut failed): (Vec<MinedTranscript>, Vec<NotMined>) = (Vec::new(), Vec::new());
        let mut by_rules = Vec::new();
        let remaining =
            self.mine_each(request, OwnWords::default(), progress, |_, taken, read| match taken {
                Ok(transcript) => {
                    mined.extend(transcript);
                    if let Some(Missed { cause, why }) = read.and_then(|read| read.missed) {
                        RuledInstead::count_in(&mut by_rules, cause, &why);
                    }
                }
                Err(why) => failed.push(why),
            })?;
        let mut waiting = Vec::new();
        for each in &failed {
            if let Some(cause) = each.waits {
                RuledInstead::count_in(&mut waiting, cause, &each.why);
            }
        }
        let would_ask = self.model_of(Tier::Cheap).ok().filter(|_| request.preview);
        let would_ask = would_ask.map(|model| model.name().to_owned());
        Ok(MineOutcome { applied: !request.preview, mined, failed, remaining, by_rules, waiting, would_ask })
    }

    /// As [`Self::mine`], one transcript after the other handed on with what was made of it, which is nothing where another process did
    /// it, and as it was read. Nothing is made of what people have in their words. Gives how many are not mined afterwards.
    pub(super) fn mine_each(
        &self,
        request: &MineRequest,
        own: OwnWords,
        progress: &mut dyn FnMut(usize, usize),
        mut taken: impl FnMut(&MemoryPath, Result<Option<MinedTranscript>, NotMined>, Option<Read>),
    ) -> Result<usize, MemoryError> {
        if !request.preview {
            self.ledger.may_change()?;
        }
        if request.again
            && let Err(why) = self.model_of(Tier::Cheap)
        {
            let hint =
                "models.provider names one (docs/models.md); `rem mine` alone mines what was not mined";
            return Err(MemoryError::usage(format!("there is no model to mine again: {why}"), hint));
        }
        let mut waiting = self.to_mine(request)?;
        let all = waiting.len();
        if let Some(limit) = request.limit.filter(|limit| *limit < all) {
            // Sorted by one key and stable: the flagged first, each group by age.
            waiting.sort_by_cached_key(|path| !self.is_flagged(path));
            waiting.truncate(limit);
            waiting.sort();
        }
        let (corrected, forgotten) = (self.corrected()?, self.forgotten()?);
        let found = match request.again {
            true => Found::of(self.kept_with_sources()?),
            false => Found::default(),
        };
        let known = Known { corrected, forgotten, own, projects: self.projects_with_folders()?, found };
        let (mut remaining, mut done) = (all, 0);
        let mut run = Run::default();
        let readers = if request.preview { Readers::RulesToKeep } else { Readers::Anybody };
        self.read_each(&waiting, readers, |path, read| {
            progress(done, waiting.len());
            done += 1;
            let (mined, read) = match read {
                Ok(read) => (self.mine_one(path, &read, &known, request, &mut run), Some(read)),
                Err(error) => (Err(error), None),
            };
            remaining -= usize::from(mined.is_ok() && !request.preview);
            taken(path, mined.map_err(|error| NotMined::of(path, &error)), read);
        })?;
        self.take_in_late(&mut run.late);
        progress(waiting.len(), waiting.len());
        Ok(remaining)
    }

    /// Mines a session that has just ended, where `lifecycle.extraction_trigger` asks for that and the rules do it: nobody waits for a
    /// model. Then reflects, where `reflection.on_session_end` asks for that. What cannot be done is said on the log and left to the next
    /// run.
    pub fn mine_ended(&self, session: &str) {
        self.mine_after(session);
        self.reflect_ended(session);
    }

    fn mine_after(&self, session: &str) {
        let is_wanted = self.config.lifecycle.extraction_trigger == ExtractionTrigger::OnSessionEnd;
        if !is_wanted || self.model_of(Tier::Cheap).is_ok() {
            return;
        }
        let request = MineRequest { session_or_path: Some(session.to_owned()), ..MineRequest::default() };
        match self.mine(&request, &mut |_, _| {}) {
            Ok(outcome) => {
                for NotMined { path, why, .. } in outcome.failed {
                    tracing::warn!("{path} is not mined: {why}");
                }
            }
            Err(error) => tracing::warn!("{session} is not mined: {error}"),
        }
    }

    /// The closed transcripts that were not mined, or that rules mined, oldest first: all, those of a session, or the one at a path.
    fn to_mine(&self, request: &MineRequest) -> Result<Vec<MemoryPath>, MemoryError> {
        let session_or_path = request.session_or_path.as_deref();
        let mut paths = match session_or_path {
            Some(path) if path.ends_with(".md") => MemoryPath::new(path).into_iter().collect(),
            Some(session) => self.parts_of(session)?,
            None => self.ledger.transcripts()?,
        };
        if let Some(asked) = session_or_path {
            let mut there = Vec::new();
            for path in &paths {
                there.push(self.ledger.read(path)?.is_some());
            }
            if !there.contains(&true) {
                return Err(MemoryError::usage(
                    format!("there is no transcript of {asked:?}"),
                    "name a session's id, or the path of a transcript (`raw/…/NAME.md`), as `rem extract` does; `rem mine` alone mines all that are closed, and days are told by `rem condense`",
                ));
            }
        }
        let open = self.ledger.survey()?.open;
        let done = match request.again {
            true => self.mined_by_rules()?,
            false => self.transcripts_done(Done::Mined)?,
        };
        paths.retain(|path| !open.contains(path) && done.contains(path.as_str()) == request.again);
        paths.sort();
        Ok(paths)
    }

    /// Whether MEMORY.md has room for one more entry.
    fn core_has_room(&self, run: &mut Run) -> Result<bool, MemoryError> {
        let core = self.ledger.read(self.path(Store::Core))?.unwrap_or_default();
        if let Some((_, has_room)) = run.core.as_ref().filter(|(known, _)| *known == core) {
            return Ok(*has_room);
        }
        let has_room = core::has_room(&String::from_utf8_lossy(&core), &self.config.core);
        run.core = Some((core, has_room));
        Ok(has_room)
    }

    /// Whether somebody asked in it for something to be remembered.
    fn is_flagged(&self, path: &MemoryPath) -> bool {
        let transcript = self.ledger.read(path).ok().flatten().map(|bytes| Transcript::parse(&bytes));
        let Some(Ok(transcript)) = transcript else { return false };
        let asks = |text: &str| self.triage(text, Side::Input).is_ok_and(|found| !found.memory.is_empty());
        let mut turns = transcript.turns.iter().map(|located| &located.turn);
        turns.any(|turn| turn.role == Role::User && asks(&turn.text()))
    }

    /// Mines one transcript; nothing where another process did.
    fn mine_one(
        &self,
        path: &MemoryPath,
        read: &Read,
        known: &Known,
        request: &MineRequest,
        run: &mut Run,
    ) -> Result<Option<MinedTranscript>, MemoryError> {
        let session = &read.transcript.header.session_id;
        let drafts = self.drafts(path, read, known)?;
        let provenance = Provenance::new(
            Actor::System("memory-miner".to_owned()),
            Approval::Auto,
            format!("mined {path}"),
        )
        .kind(CommitType::Extract)
        .session(session.clone());
        let mut core_has_room = self.core_has_room(run)?;
        for _ in 0..ATTEMPTS {
            let notes: Vec<_> =
                drafts.iter().map(|draft| draft.is_kept().then(|| self.note(draft))).collect();
            // Two processes that meet a name at once must not give it two types.
            let _names = self.ledger.lock_private("entity-names.lock")?;
            let mut set = match request.again {
                true => self.noted_again(Done::Mined, path, &read.by)?,
                false => self.noted_as(Done::Mined, path, &read.by)?,
            };
            let mut paths = Vec::new();
            for note in &notes {
                let placed = note
                    .as_ref()
                    .map(|note| self.placed(note, &known.projects, core_has_room))
                    .transpose()?;
                let (path, addition) = placed.map_or((None, None), |(path, set)| (Some(path), Some(set)));
                paths.push(path);
                set = addition.into_iter().fold(set, ChangeSet::and);
            }
            let applied = match request.preview {
                true => Ok(String::new()),
                false => self.change_late(set, &provenance, &mut run.late).map(|applied| applied.change),
            };
            match applied {
                Ok(change) => {
                    let memories = drafts
                        .iter()
                        .zip(&notes)
                        .zip(paths)
                        .map(|((draft, note), path)| {
                            let written = note.as_ref().and_then(|note| {
                                note.written.lock().unwrap_or_else(PoisonError::into_inner).clone()
                            });
                            draft.told(path, written)
                        })
                        .collect();
                    let by_rules = read.missed.as_ref().map(|missed| missed.why.clone());
                    return Ok(Some(MinedTranscript { path: path.clone(), memories, change, by_rules }));
                }
                Err(error) if is_done(&error) => return Ok(None),
                Err(error) if is_full(&error) => core_has_room = false,
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Err(MemoryError::usage("the files change faster than they can be read", "try again in a moment"))
    }
}
