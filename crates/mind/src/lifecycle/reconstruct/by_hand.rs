//! What people did to the memory by hand, as git tells it: their lines stay, and what they took out does not come back.
//!
//! A line counts as taken out where no file got it in the same commit or later. Who takes out the lists of what was mined as well wants it made anew.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rem_format::path::MemoryPath;
use rem_ledger::{Branch, HistoryEntry, Store};

use super::compare::folded;
use crate::error::MemoryError;
use crate::lifecycle::done::Done;
use crate::memory::Memory;

/// Lines as they say something: without what marks an item and without annotations.
pub(super) type Lines = BTreeSet<String>;

/// What people wrote, changed and took out.
#[derive(Debug, Default)]
pub(super) struct ByHand {
    /// The lines that they wrote or changed, by the paths that files had.
    added: BTreeMap<String, Lines>,
    /// The lines that they took out or changed, with the day on which they did.
    removed: BTreeMap<String, Date>,
    /// The files that they took away.
    deleted: BTreeSet<String>,
}

impl ByHand {
    /// Whether a person wrote a line of this text, in a file that has or had this path.
    pub(super) fn wrote(&self, path: &MemoryPath, text: &str) -> bool {
        let lines = self.added.get(path.as_str());
        lines.is_some_and(|lines| text.lines().filter_map(said).any(|line| lines.contains(&line)))
    }

    /// Whether a person took this out on the day it was said or later.
    pub(super) fn took_out(&self, text: &str, day: Option<Date>) -> bool {
        let removed = said(text).and_then(|line| self.removed.get(&line));
        removed.is_some_and(|removed| day.is_none_or(|day| day <= *removed))
    }

    /// Whether a person took this file away.
    pub(super) fn took_away(&self, path: &MemoryPath) -> bool {
        self.deleted.contains(path.as_str())
    }
}

/// What people have in their words, or do not want: nothing is mined for it.
#[derive(Debug, Default)]
pub(in crate::lifecycle) struct OwnWords {
    /// The places in transcripts that the stores name although nothing was mined from those yet.
    places: BTreeSet<String>,
    /// What was mined before, as its words are compared.
    before: BTreeSet<String>,
    by_hand: ByHand,
}

impl OwnWords {
    /// Whether a person has put what was said at a place in other words, or has taken it out.
    pub(in crate::lifecycle) fn has(&self, source: &str, text: &str, said: Date) -> bool {
        self.by_hand.took_out(text, Some(said))
            // Of what was said in one line a person may have changed a part.
            || self.places.contains(source) && !self.before.contains(&folded(text))
    }
}

impl Memory {
    /// What people wrote and took out: what they changed in the memory by hand.
    pub(super) fn by_hand(&self) -> Result<ByHand, MemoryError> {
        let mut by_hand = ByHand::default();
        let mined = format!("{}/{}/", self.path(Store::Meta), Done::Mined.folder());
        for commit in self.ledger.made_by_hand()? {
            self.add_commit(&commit, &mined, &mut by_hand);
        }
        Ok(by_hand)
    }

    fn add_commit(&self, commit: &HistoryEntry, mined: &str, by_hand: &mut ByHand) {
        let evidence = format!("{}/", self.path(Store::Transcripts));
        let day = commit.time.to_zoned(self.time_zone().clone()).date();
        let (mut all, mut gone) = (Lines::new(), Lines::new());
        let mut begins_anew = false;
        for file in commit.files.iter().filter(|file| !file.starts_with(&evidence)) {
            let Ok(path) = MemoryPath::new(file.as_str()) else { continue };
            // Before the first commit there was no file.
            let at = |revision: &str| self.ledger.contents_at(revision, &path).ok().flatten();
            let after = at(&commit.commit);
            begins_anew |= after.is_none() && file.starts_with(mined);
            if !file.ends_with(".md") {
                continue;
            }
            match after.is_some() {
                true => by_hand.deleted.remove(file),
                false => by_hand.deleted.insert(file.clone()),
            };
            let before = at(&format!("{}^", commit.commit)).unwrap_or_default();
            let before: Lines = lines_of(&before).collect();
            let after: Lines = lines_of(&after.unwrap_or_default()).collect();
            gone.extend(before.difference(&after).cloned());
            let added = after.difference(&before).cloned();
            all.extend(added.clone());
            by_hand.added.entry(file.clone()).or_default().extend(added);
        }
        if begins_anew {
            by_hand.deleted.retain(|file| !commit.files.contains(file));
        }
        by_hand.removed.extend(gone.into_iter().filter(|_| !begins_anew).map(|line| (line, day)));
        by_hand.removed.retain(|line, _| !all.contains(line));
    }

    /// What people have in their words on a branch, before it is mined.
    pub(super) fn own_words(&self, live: &Self, branch: &Branch) -> Result<OwnWords, MemoryError> {
        let transcripts = format!("{}/", self.path(Store::Transcripts));
        let mined = self.transcripts_done(Done::Mined)?;
        let is_own = |source: &str| {
            source.starts_with(&transcripts)
                && source.rsplit_once(':').is_some_and(|(path, _)| !mined.contains(path))
        };
        let mut own = OwnWords { by_hand: self.by_hand()?, ..OwnWords::default() };
        let kept = self.kept_with_sources()?.into_iter().filter(|kept| !kept.is_retold);
        own.places.extend(kept.map(|kept| kept.source));
        own.places.retain(|source| source.split(", ").any(is_own));
        if !own.places.is_empty() {
            for file in live.ledger.branched_files(branch)? {
                let file = file?;
                let Some(store) = self.knowledge_store(&file.path) else { continue };
                own.before.extend(super::compare::texts_of(store, file.base.as_deref()));
            }
        }
        Ok(own)
    }
}

fn lines_of(bytes: &[u8]) -> impl Iterator<Item = String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let said: Vec<String> = text.lines().filter_map(said).collect();
    said.into_iter()
}

/// What a line says; nothing where it says nothing.
fn said(line: &str) -> Option<String> {
    let line = line.split("<!--").next().unwrap_or_default().trim();
    let line = line.trim_start_matches(['-', '*', '#', ' ']).trim();
    (!line.is_empty()).then(|| line.to_owned())
}
