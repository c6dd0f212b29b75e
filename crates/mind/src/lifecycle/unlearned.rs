//! What one clone forgot for good stays forgotten when another comes together with it, where the other said it before that day.
//!
//! Each side's list says what it forgot. What the other side did not know of, it may have touched, moved, proposed or put into a conflict
//! since: its words are found in its state, and let go of everywhere as `forget` does. What was said after that day is news and stays, and
//! so does what a side said again that had forgotten it. Must not tell the words.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rem_format::entity::FACTS;
use rem_format::episode;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, LedgerError, Provenance, Snapshot, Store};
use serde::Serialize;

use super::forgotten::Forgotten;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::Located;
use crate::stores::forget::{without_episodes_of, without_facts};

/// What was let go of after a merge, because one side had forgotten it for good.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct StayedForgotten {
    /// How many statements.
    pub statements: usize,
    /// Files in which the other side said such a thing again after it was forgotten: it stays there.
    pub said_since: BTreeSet<String>,
    /// The change's id; empty where there was none.
    pub change: String,
}

/// One side of a merge: its state, and what it forgot that the other did not.
struct Side {
    state: Snapshot,
    forgot: Forgotten,
}

/// What a side forgot, as it is of a file.
struct InFile<'s> {
    forgot: &'s Forgotten,
    /// What the side itself says there.
    own: BTreeSet<String>,
    /// The day on which everything about what the file is about was forgotten.
    whole: Option<Date>,
}

impl InFile<'_> {
    fn day_of(&self, text: &str) -> Option<Date> {
        self.forgot.day_of(text).max(self.whole)
    }
}

/// Something that a file says.
struct Said {
    text: String,
    /// The last day on which it was.
    day: Date,
    line: String,
}

impl Memory {
    /// Lets go of what either side of a merge had forgotten for good before the other said it.
    pub(super) fn forget_what_either_forgot(
        &self,
        here: &str,
        there: &str,
    ) -> Result<StayedForgotten, MemoryError> {
        let mut stayed = StayedForgotten::default();
        // A commit that is gone tells nothing any more.
        let (Ok(ours), Ok(theirs)) = (self.ledger.snapshot(here), self.ledger.snapshot(there)) else {
            return Ok(stayed);
        };
        let (known_here, known_there) = (self.forgotten_in(&ours)?, self.forgotten_in(&theirs)?);
        let sides = [
            Side { forgot: known_here.without(&known_there), state: ours },
            Side { forgot: known_there.without(&known_here), state: theirs },
        ];
        if sides.iter().all(|side| side.forgot.is_empty()) {
            return Ok(stayed);
        }
        let (mut gone, mut set) = (Vec::new(), ChangeSet::new());
        for path in self.ledger.differing(here, there)? {
            for (side, other) in [(&sides[0], &sides[1]), (&sides[1], &sides[0])] {
                if side.forgot.is_empty() {
                    continue;
                }
                let own = self.said_in(&path, self.ledger.contents_in(&side.state, &path)?.as_deref());
                let own: BTreeSet<String> = own.into_iter().map(|said| said.text).collect();
                let theirs = self.ledger.contents_in(&other.state, &path)?;
                let whole = theirs.as_deref().filter(|_| own.is_empty());
                let whole = whole.and_then(|bytes| forgotten_whole(bytes, &side.forgot));
                let file = InFile { forgot: &side.forgot, own, whole };
                for said in self.said_in(&path, theirs.as_deref()) {
                    match file.day_of(&said.text) {
                        Some(day) if said.day <= day => gone.push(located(&path, &said)),
                        Some(_) => drop(stayed.said_since.insert(path.to_string())),
                        None => {}
                    }
                }
                set = set.and(self.without_forgotten(&path, file)?);
            }
        }
        gone.dedup_by(|one, other| one.text == other.text);
        stayed.statements = gone.len();
        set = set.and(self.withdrawing(&[], &gone, true)?).and(self.reflection_without(&gone)?);
        set = set.and(self.pending_identity_without(&gone)?).and(self.proposals_without(&gone, true)?.0);
        set = set.and(self.records_without(&gone)?.0);
        let provenance = Provenance::system("merge", "what one side had forgotten for good stays forgotten");
        if !set.is_empty() {
            stayed.change = self.change(set, &provenance)?.change;
        }
        self.journal_forgets(&gone, &provenance)?;
        Ok(stayed)
    }

    /// The change that takes out of a file what a side forgot, unless it says it there itself.
    fn without_forgotten(
        &self,
        path: &MemoryPath,
        file: InFile<'_>,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        // A link, a folder: nothing that was merged.
        let Ok(Some(found)) = self.ledger.read(path) else { return Ok(ChangeSet::new()) };
        let is_gone = |text: &str, day: Date| {
            file.day_of(text).is_some_and(|forgotten| day <= forgotten) && !file.own.contains(text)
        };
        let said = self.said_in(path, Some(&found));
        let is_all_gone = file.whole.is_some() && said.iter().all(|said| is_gone(&said.text, said.day));
        // What only the operator's signature changes waits for them.
        if !is_all_gone && !said.iter().any(|said| is_gone(&said.text, said.day))
            || self.ledger.is_closed(path)
        {
            return Ok(ChangeSet::new());
        }
        let after = match self.ledger.layout().store_of(path) {
            _ if is_all_gone => None,
            Some(Store::Episodes) => {
                let day = rem_recall::date_of_path(path.as_str()).unwrap_or(Date::MIN);
                Some(without_episodes_of(&found, |text| is_gone(text, day)))
            }
            _ => Some(
                self.page_without(path, &found, is_gone)
                    .map_err(|source| LedgerError::Edit { path: path.clone(), source })?,
            ),
        };
        let set = ChangeSet::new().edit(path.clone(), "forgotten on one side", move |now| match now {
            Some(now) if now == found => Ok(after.clone()),
            _ => Err("it changed meanwhile: try again".into()),
        });
        Ok(set.take_away(path))
    }

    fn page_without(
        &self,
        path: &MemoryPath,
        found: &[u8],
        is_gone: impl Fn(&str, Date) -> bool,
    ) -> Result<Vec<u8>, rem_ledger::EditError> {
        let mut bytes = found.to_vec();
        if self.entity_at(path).is_some() {
            let page = Page::parse(found)?;
            let facts = page.items_in(FACTS).map(|(_, item)| item.clone());
            let facts: Vec<Item> = facts.filter(|item| is_gone(item.plain(), day_of(item))).collect();
            bytes = without_facts(Some(found), &facts, self.today())?.unwrap_or_default();
        }
        let mut page = Page::parse(&bytes)?;
        for at in (0..page.items().len()).rev() {
            let item = &page.items()[at];
            if is_gone(item.plain(), day_of(item)) {
                page.remove(at);
            }
        }
        Ok(page.into_bytes())
    }

    /// What a file of memories says.
    fn said_in(&self, path: &MemoryPath, bytes: Option<&[u8]>) -> Vec<Said> {
        let Some(bytes) = bytes.filter(|_| path.as_str().ends_with(".md")) else { return Vec::new() };
        match self.ledger.layout().store_of(path) {
            Some(Store::Episodes) => {
                let day = rem_recall::date_of_path(path.as_str()).unwrap_or(Date::MIN);
                let all = episode::parse(bytes).0.into_iter();
                all.map(|placed| Said { line: placed.episode.text.clone(), text: placed.episode.text, day })
                    .collect()
            }
            Some(
                Store::Core
                | Store::Vault
                | Store::Reference
                | Store::Entities
                | Store::People
                | Store::Procedures
                | Store::Projects
                | Store::Archive,
            ) => {
                let Ok(page) = Page::parse(bytes) else { return Vec::new() };
                let said = |item: &Item| Said {
                    text: item.plain().to_owned(),
                    day: day_of(item),
                    line: format!("- {} {}", item.text, item.annotation),
                };
                page.items().iter().map(said).collect()
            }
            // Who the agent is changes by a person alone; of the others each has who lets go of it there.
            _ => Vec::new(),
        }
    }
}

/// The day on which everything about what a file is about was forgotten.
fn forgotten_whole(bytes: &[u8], forgot: &Forgotten) -> Option<Date> {
    let page = Page::parse(bytes).ok()?;
    let header = page.header();
    let names = [page.title(), header.get("label")];
    names.into_iter().flatten().filter_map(|name| forgot.day_of_name(name)).max()
}

/// The last day on which an item was said; of old where it does not tell.
fn day_of(item: &Item) -> Date {
    let days = ["since", "last"].map(|name| item.annotation.date(name));
    days.into_iter().flatten().max().unwrap_or(Date::MIN)
}

fn located(path: &MemoryPath, said: &Said) -> Located {
    Located {
        id: String::new(),
        path: path.clone(),
        start_line: 0,
        end_line: 0,
        pinned: false,
        text: said.line.clone(),
    }
}
