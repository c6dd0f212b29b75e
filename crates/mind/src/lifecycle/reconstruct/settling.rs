//! What becomes of a file of a branch: what it was, without what is lost and with what is gained.

use std::collections::{BTreeSet, HashSet};

use rem_format::annotation::Annotation;
use rem_format::document::Document;
use rem_format::episode;
use rem_format::page::{Item, Page};
use rem_format::procedure::LEARNED_FROM;
use rem_ledger::Store;

use super::compare::folded;
use super::in_place::Changed;
use super::pairing::{Entry, Pairs};

/// The entries of all files and what they are to each other.
pub(super) struct Settled<'s> {
    pub(super) before: &'s [Entry],
    pub(super) after: &'s [Entry],
    pub(super) pairs: &'s Pairs,
    /// Which of the entries before are not made any more.
    pub(super) lost: &'s [usize],
    /// Which of the branch's entries are new.
    pub(super) gained: &'s [usize],
}

impl Settled<'_> {
    /// What a file is to hold; nothing where it goes.
    pub(super) fn contents(&self, number: usize, file: &Changed) -> Option<Vec<u8>> {
        let Some(base) = &file.base else { return self.new_file(number, file) };
        let lost: Vec<usize> =
            self.lost.iter().copied().filter(|at| self.before[*at].file == number).collect();
        let gained: Vec<&Entry> =
            self.gained.iter().map(|at| &self.after[*at]).filter(|entry| entry.file == number).collect();
        let has_others = self.before.iter().filter(|entry| entry.file == number).count() > lost.len();
        if file.now.is_none() && !has_others && !lost.is_empty() {
            return None;
        }
        let settled = match file.store {
            Store::Episodes => self.episodes(base, file.now.as_deref(), &lost, &gained),
            _ => self.page(number, base, &lost, &gained),
        };
        // What cannot be read as it is expected stays as the branch has it.
        settled.map_or_else(|| file.now.clone(), |bytes| Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// A file that only the branch has: without what has its place elsewhere.
    fn new_file(&self, number: usize, file: &Changed) -> Option<Vec<u8>> {
        let now = file.now.as_ref()?;
        let gained: BTreeSet<usize> = self.gained.iter().copied().collect();
        let own = (0..self.after.len()).filter(|at| self.after[*at].file == number);
        let (stays, goes): (Vec<usize>, Vec<usize>) = own.partition(|at| {
            gained.contains(at) || self.pairs.was(*at).is_some_and(|was| self.before[was].file == number)
        });
        if goes.is_empty() {
            return Some(now.clone());
        }
        let goes: Vec<usize> = goes.into_iter().map(|at| self.after[at].at).collect();
        if file.store == Store::Episodes {
            return (!stays.is_empty()).then(|| without_episodes(now, &goes));
        }
        let mut page = Page::parse(now).ok()?;
        goes.iter().rev().for_each(|at| drop(page.remove(*at)));
        (!says_nothing(&page)).then(|| page.into_bytes())
    }

    fn page(&self, number: usize, base: &[u8], lost: &[usize], gained: &[&Entry]) -> Option<Vec<u8>> {
        let mut page = Page::parse(base).ok()?;
        for at in (0..self.before.len()).filter(|at| self.before[*at].file == number) {
            let now = self.pairs.now(at).map(|now| &self.after[now]);
            if let Some((text, annotation)) = now.and_then(|now| self.known_anew(&self.before[at], now)) {
                page.set(self.before[at].at, text, &annotation);
            }
        }
        // What is new comes first: a list that was empty in between would stand elsewhere below its heading.
        for entry in gained {
            page.add(&entry.section, &entry.text, &entry.annotation).ok()?;
        }
        for entry in lost.iter().map(|at| &self.before[*at]) {
            let is_it = |item: &Item| {
                item.section == entry.section
                    && item.text == entry.text
                    && item.annotation == entry.annotation
            };
            page.items().iter().position(is_it).map(|at| page.remove(at));
        }
        Some(page.into_bytes())
    }

    /// What the branch says anew of something that was there: other sources, or that it holds, or holds no more, because of what is new or lost.
    fn known_anew<'e>(&'e self, was: &'e Entry, now: &'e Entry) -> Option<(&'e str, Annotation)> {
        let by = |entry: &Entry| entry.annotation.get("by").map(folded);
        let is_among = |said: &Option<String>, all: &[usize], entries: &[Entry]| {
            said.as_ref().is_some_and(|said| all.iter().any(|at| entries[*at].said == *said))
        };
        let ended = |entry: &Entry| entry.annotation.date("superseded").is_some();
        let turned = match (ended(was), ended(now)) {
            (true, false) => is_among(&by(was), self.lost, self.before),
            (false, true) => is_among(&by(now), self.gained, self.after),
            _ => false,
        };
        let sources = |entry: &Entry| -> BTreeSet<String> {
            let said = entry.annotation.get("source").into_iter().flat_map(|source| source.split(", "));
            said.map(str::to_owned).collect()
        };
        if !turned && sources(was) == sources(now) {
            return None;
        }
        let mut annotation = was.annotation.clone();
        for key in ["source", "mentions", "confidence", "last", "superseded", "by"] {
            let is_of_end = matches!(key, "superseded" | "by");
            if is_of_end && !turned {
                continue;
            }
            match now.annotation.get(key) {
                Some(value) => annotation.set(key, value),
                None if is_of_end => annotation.remove(key),
                None => {}
            }
        }
        Some((if turned { &now.text } else { &was.text }, annotation))
    }

    fn episodes(
        &self,
        base: &[u8],
        now: Option<&[u8]>,
        lost: &[usize],
        gained: &[&Entry],
    ) -> Option<Vec<u8>> {
        let lost: Vec<usize> = lost.iter().map(|at| self.before[*at].at).collect();
        let mut bytes = if lost.is_empty() { base.to_vec() } else { without_episodes(base, &lost) };
        let new = episode::parse(now.unwrap_or_default()).0;
        let new = gained.iter().filter_map(|entry| new.get(entry.at));
        for placed in new {
            // The file is there: the day of a new one is not asked for.
            bytes = episode::append(Some(&bytes), jiff::civil::Date::MIN, &placed.episode);
        }
        Some(bytes)
    }
}

/// The day's file without these entries.
pub(super) fn without_episodes(bytes: &[u8], gone: &[usize]) -> Vec<u8> {
    let placed = episode::parse(bytes).0;
    let lines: Vec<_> =
        gone.iter().filter_map(|at| placed.get(*at)).map(|placed| placed.lines.clone()).collect();
    let text = String::from_utf8_lossy(bytes);
    let kept = text.split_inclusive('\n').zip(1_usize..);
    let kept = kept.filter(|(_, number)| !lines.iter().any(|lines| lines.contains(number)));
    kept.map(|(line, _)| line).collect::<String>().into_bytes()
}

/// Whether a page has headings and comments alone.
fn says_nothing(page: &Page) -> bool {
    let document = Document::parse(page.as_str().as_bytes());
    let is_empty = |line: &str| {
        line.trim().is_empty() || line.starts_with('#') || line.starts_with("<!--") && line.ends_with("-->")
    };
    document.body_text().lines().all(is_empty)
}

/// Whether a procedure says what it said: when and how often it was used is no part of that.
pub(super) fn is_same_procedure(file: &Changed) -> bool {
    let lines = |bytes: &Option<Vec<u8>>| -> Option<Vec<String>> {
        let text = String::from_utf8_lossy(bytes.as_deref()?).into_owned();
        Some(text.lines().filter(|line| !line.starts_with("<!--")).map(str::to_owned).collect())
    };
    file.base.is_some() && lines(&file.base) == lines(&file.now)
}

/// Whether a procedure that is not made any more was learned from one of these transcripts.
pub(super) fn is_learned_from(file: &Changed, transcripts: &HashSet<String>) -> bool {
    let base = file.base.as_deref().filter(|_| file.now.is_none() && !transcripts.is_empty());
    base.and_then(|base| Page::parse(base).ok()).is_some_and(|page| {
        let mut sources = page.items_in(LEARNED_FROM).filter_map(|(_, item)| item.plain().split_once(" — "));
        sources.any(|(_, source)| source.rsplit_once(':').is_some_and(|(path, _)| transcripts.contains(path)))
    })
}
