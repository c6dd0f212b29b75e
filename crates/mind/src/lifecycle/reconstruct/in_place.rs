//! What is made anew as it was keeps its place: its file, its heading, its order and all that is known of it.
//!
//! The files that the branch changed are held against those it began with, entry by entry. A file becomes what it was, without what is not made any more
//! and with what is new. So the same extractors over the same conversations change nothing, however often. What people took out and what is in the
//! archive is not new. A day's lines on a conversation that the same extractors told stay as they are, those of a week as long as what they tell.
//! `pairing` says which entry is which, `settling` what becomes of a file.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::civil::Date;
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use rem_format::read_list;
use rem_ledger::{Branch, ChangeSet, Provenance, Store};

use super::compare::texts_of;
use super::pairing::{Entry, Pairs, Sort, entries_in};
use super::settling::{Settled, is_learned_from, is_same_procedure};
use crate::error::MemoryError;
use crate::lifecycle::condense::told::key_of;
use crate::lifecycle::done::Done;
use crate::memory::Memory;

/// A file that the branch changed.
pub(super) struct Changed {
    pub(super) path: MemoryPath,
    pub(super) store: Store,
    /// What it said when the branch began.
    pub(super) base: Option<Vec<u8>>,
    /// What it says on the branch.
    pub(super) now: Option<Vec<u8>>,
}

/// The transcripts that were not read by the same extractors when the branch began, by what they were read for.
struct ReadAnew(BTreeMap<&'static str, HashSet<String>>);

impl ReadAnew {
    fn has(&self, done: Done, transcript: &str) -> bool {
        self.0.get(done.folder()).is_some_and(|anew| anew.contains(transcript))
    }
}

impl Memory {
    /// Puts what a branch makes anew as it was back in its place, the branch's workspace being `apart`. Gives days of the weeks of which something
    /// in MEMORY.md is not made any more: they may be told again.
    pub(super) fn put_in_place(&self, apart: &Self, branch: &Branch) -> Result<BTreeSet<Date>, MemoryError> {
        let (mut files, mut anew) = (Vec::new(), ReadAnew(BTreeMap::new()));
        for file in self.ledger.branched_files(branch)? {
            let file = file?;
            let (base, now) = (file.base, file.branch);
            for done in Done::ALL {
                if file.path.as_str().starts_with(&format!("{}/{}/", self.path(Store::Meta), done.folder())) {
                    anew.0
                        .entry(done.folder())
                        .or_default()
                        .extend(differing(base.as_deref(), now.as_deref()));
                }
            }
            if let Some(store) = self.knowledge_store(&file.path) {
                files.push(Changed { path: file.path, store, base, now });
            }
        }
        let (before, after) = (entries_in(&files, true), entries_in(&files, false));
        let pairs = Pairs::of(&before, &after, |entry| !anew.has(Done::Mined, entry.transcript()));
        let unread = apart.not_read()?;
        let mut lost: Vec<usize> = pairs.unpaired_before().collect();
        lost.retain(|at| {
            let entry = &before[*at];
            let transcript = entry.transcript();
            match entry.sort {
                Sort::Journal => transcript.is_empty() || anew.has(Done::Condensed, transcript),
                // What comes with a memory says no source: it may have come with one that is not made anew.
                _ if transcript.is_empty() => unread.is_empty(),
                _ => !unread.contains(transcript),
            }
        });
        self.keep_weeks(apart, &before, &mut lost)?;
        let gained = self.gained(apart, &files, &after, &pairs, &anew)?;
        let settled = Settled { before: &before, after: &after, pairs: &pairs, lost: &lost, gained: &gained };
        let by_hand = apart.by_hand()?;
        let mut set = ChangeSet::new();
        for (number, file) in files.iter().enumerate() {
            let settled = match file.store {
                Store::Procedures if is_same_procedure(file) || is_learned_from(file, &unread) => {
                    file.base.clone()
                }
                Store::Procedures if file.base.is_none() && by_hand.took_away(&file.path) => None,
                Store::Procedures => file.now.clone(),
                _ => settled.contents(number, file),
            };
            if settled != file.now {
                set = set
                    .edit(file.path.clone(), "kept in its place", move |_| Ok(settled.clone()))
                    .take_away(&file.path);
            }
        }
        let weeks: BTreeSet<Date> =
            lost.iter().map(|at| &before[*at]).filter_map(Entry::week).map(|(_, day)| day).collect();
        let kept = before.iter().enumerate().filter(|(at, _)| !lost.contains(at));
        let set = apart.with_weeks_told(set, kept.map(|(_, entry)| entry))?;
        if !set.is_empty() {
            let provenance = Provenance::system("reconstruct", "kept in its place").kind(CommitType::Extract);
            apart.change(set, &provenance)?;
        }
        self.keep_graph_index(apart, branch)?;
        Ok(weeks)
    }

    /// The transcripts that are there and could not be mined: what is from them is not made anew, and not lost.
    fn not_read(&self) -> Result<HashSet<String>, MemoryError> {
        let mined = self.transcripts_done(Done::Mined)?;
        let there = self.ledger.transcripts()?.into_iter().map(|path| path.to_string());
        Ok(there.filter(|path| !mined.contains(path)).collect())
    }

    /// What the branch has and nobody had: without what people took out, what is in the archive, and what the journal did not tell of the same.
    fn gained(
        &self,
        apart: &Self,
        files: &[Changed],
        after: &[Entry],
        pairs: &Pairs,
        anew: &ReadAnew,
    ) -> Result<Vec<usize>, MemoryError> {
        let mut gained: Vec<usize> = pairs.unpaired_after().collect();
        if gained.is_empty() {
            return Ok(gained);
        }
        let (by_hand, archived) = (apart.by_hand()?, apart.archived_texts()?);
        gained.retain(|at| {
            let entry = &after[*at];
            let (transcript, path) = (entry.transcript(), &files[entry.file].path);
            if transcript.is_empty() {
                return true;
            }
            let is_told = entry.sort == Sort::Journal && !anew.has(Done::Condensed, transcript);
            let day = rem_recall::date_of_path(transcript);
            let is_put_away = entry.sort == Sort::Knowledge && archived.contains(&entry.said);
            let is_taken_away = entry.sort == Sort::Journal && by_hand.took_away(path);
            let is_out = is_told || is_put_away || is_taken_away || by_hand.took_out(&entry.text, day);
            !is_out
        });
        Ok(gained)
    }

    /// What the archive says.
    fn archived_texts(&self) -> Result<HashSet<String>, MemoryError> {
        let mut texts = HashSet::new();
        for file in self.ledger.list()?.files.iter().filter(|file| file.path.ends_with(".md")) {
            let path = MemoryPath::new(file.path.as_str())?;
            if self.ledger.layout().store_of(&path) == Some(Store::Archive) {
                texts.extend(texts_of(Store::Archive, self.ledger.read(&path)?.as_deref()));
            }
        }
        Ok(texts)
    }

    /// What weeks told stays as long as the branch notes it.
    fn keep_weeks(&self, apart: &Self, before: &[Entry], lost: &mut Vec<usize>) -> Result<(), MemoryError> {
        let of_weeks = lost.iter().map(|at| &before[*at]).filter(|entry| entry.sort == Sort::Week);
        let wanted: HashSet<String> = of_weeks.map(|entry| entry.said.clone()).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut noted = HashSet::new();
        for file in &apart.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let Some(store) = apart.knowledge_store(&path).filter(|store| *store != Store::Journal) else {
                continue;
            };
            let texts = texts_of(store, apart.ledger.read(&path)?.as_deref());
            noted.extend(texts.into_iter().filter(|text| wanted.contains(text)));
        }
        // What is noted in a place that it keeps is not on the branch yet.
        let kept: HashSet<&str> = (0..before.len())
            .filter(|at| before[*at].sort == Sort::Knowledge && !lost.contains(at))
            .map(|at| before[at].said.as_str())
            .collect();
        lost.retain(|at| {
            let entry = &before[*at];
            entry.sort != Sort::Week || !noted.contains(&entry.said) && !kept.contains(entry.said.as_str())
        });
        Ok(())
    }

    /// The set, with the lists of weeks saying that what stays was told.
    fn with_weeks_told<'e>(
        &self,
        mut set: ChangeSet<'static>,
        kept: impl Iterator<Item = &'e Entry>,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for entry in kept {
            if let Some((week, _)) = entry.week() {
                let key = key_of(entry.annotation.get("source"), entry.plain());
                told.entry(week.to_owned()).or_default().insert(key);
            }
        }
        for (week, keys) in told {
            let list = self.told_list(&week)?;
            let found = self.ledger.read(&list)?.unwrap_or_default();
            let mut lines: BTreeSet<String> =
                String::from_utf8_lossy(&found).lines().map(str::to_owned).collect();
            if keys.is_subset(&lines) {
                continue;
            }
            lines.extend(keys);
            let text: String = lines.into_iter().map(|line| line + "\n").collect();
            set = set.edit(list, format!("what {week} told"), move |_| Ok(Some(text.clone().into_bytes())));
        }
        Ok(set)
    }

    /// The page of the graph is as it was where every entity is.
    fn keep_graph_index(&self, apart: &Self, branch: &Branch) -> Result<(), MemoryError> {
        let index = self.path(Store::GraphIndex);
        let branch = self.ledger.branch(&branch.name)?;
        let mut was = None;
        for file in self.ledger.branched_files(&branch)? {
            let file = file?;
            if self.ledger.layout().entity_named(&file.path).is_some() {
                return Ok(());
            }
            if file.path == *index {
                was = Some(file.base);
            }
        }
        let Some(was) = was else { return Ok(()) };
        let set = ChangeSet::new().edit(index.clone(), "as it was", move |_| Ok(was.clone()));
        let provenance = Provenance::system("reconstruct", "kept in its place").kind(CommitType::Extract);
        apart.ledger.apply(&set, &provenance)?;
        Ok(())
    }
}

/// The transcripts that two states of a list do not say the same of.
fn differing(base: Option<&[u8]>, now: Option<&[u8]>) -> HashSet<String> {
    let (base, now) = (base.unwrap_or_default(), now.unwrap_or_default());
    let (base, now) = (String::from_utf8_lossy(base), String::from_utf8_lossy(now));
    let lines = |text: &'_ str| -> HashSet<(String, String)> {
        read_list::parse(text).map(|line| (line.by.to_owned(), line.path.to_owned())).collect()
    };
    lines(&base).symmetric_difference(&lines(&now)).map(|(_, path)| path.clone()).collect()
}
