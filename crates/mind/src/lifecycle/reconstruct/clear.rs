//! Everything that was mined or condensed goes, so that it can be made anew; what a person wrote or asked for stays.
//!
//! What was mined says a transcript as its only source. Of what has other sources too, the transcripts are forgotten, and the rest
//! stays. A file goes where nothing is left in it that was not made for what goes.
//! Lines that a person wrote or changed by hand are theirs, whatever source they name: git tells who wrote a line.

use std::collections::{BTreeMap, BTreeSet};

use rem_format::annotation::Annotation;
use rem_format::entity::{Entity, EntityId, TIMELINE};
use rem_format::episode;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_format::procedure::LEARNED_FROM;
use rem_ledger::{ChangeSet, Store};

use super::settling::without_episodes;
use crate::error::MemoryError;
use crate::lifecycle::condense::WEEK;
use crate::lifecycle::condense::told::key_of;
use crate::lifecycle::done::Done;
use crate::memory::Memory;
use crate::stores::reviving::is_out_of_use;

/// Whether a person wrote a line of a text in this file.
type Hand<'h> = &'h dyn Fn(&str) -> bool;

/// What becomes of a file: its new contents, or nothing where it goes.
type Cleared = BTreeMap<MemoryPath, Option<Vec<u8>>>;

impl Memory {
    /// The change that takes out what was made of transcripts.
    pub(super) fn cleared(&self) -> Result<ChangeSet<'static>, MemoryError> {
        let transcripts = format!("{}/", self.path(Store::Transcripts));
        let by_hand = self.by_hand()?;
        let mut cleared = Cleared::new();
        let mut entities: BTreeMap<EntityId, (MemoryPath, Entity, bool)> = BTreeMap::new();
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let Some(store) = self.ledger.layout().store_of(&path) else { continue };
            if store == Store::Meta && is_list(&path, self.path(Store::Meta)) {
                cleared.insert(path, None);
                continue;
            }
            let is_page = path.as_str().ends_with(".md");
            let Some(bytes) = self.ledger.read(&path)?.filter(|_| is_page) else { continue };
            // What was forgotten stays forgotten.
            if Page::parse(&bytes).is_ok_and(|page| is_out_of_use(&page)) {
                continue;
            }
            let hand = |text: &str| by_hand.wrote(&path, text);
            if let Some(id) = self.entity_at(&path) {
                let Ok(page) = Page::parse(&bytes) else { continue };
                let page = without_facts(page, &transcripts, &hand);
                let is_changed = page.as_str().as_bytes() != bytes;
                if let Ok(entity) = Entity::parse(page.as_str().as_bytes()) {
                    entities.insert(id, (path, entity, is_changed));
                }
                continue;
            }
            let after = match store {
                Store::Core | Store::Projects | Store::Reference | Store::Vault => {
                    without_items(&bytes, |each| without_mined(each, &transcripts, &hand)).map(Some)
                }
                Store::Journal => journal(&bytes, &transcripts, &hand),
                Store::Episodes => episodes(&bytes, &transcripts, &hand),
                Store::Procedures => procedure(&bytes, &transcripts, &hand),
                _ => None,
            };
            if let (Store::Core, Some(Some(after))) = (store, &after) {
                for (week, keys) in weeks_gone(&bytes, after) {
                    let list = self.told_list(&week)?;
                    let Some(told) = self.ledger.read(&list)? else { continue };
                    let told = String::from_utf8_lossy(&told);
                    let kept = told.split_inclusive('\n').filter(|line| !keys.contains(line.trim()));
                    cleared.insert(
                        list,
                        Some(kept.collect::<String>().into_bytes()).filter(|kept| !kept.is_empty()),
                    );
                }
            }
            if let Some(after) = after.filter(|after| after.as_deref() != Some(bytes.as_slice())) {
                cleared.insert(path, after);
            }
        }
        let gone = empty_entities(&entities);
        for (id, (path, entity, is_changed)) in entities {
            if gone.contains(&id) {
                cleared.insert(path, None);
            } else if is_changed {
                cleared.insert(path, Some(entity.into_bytes()));
            }
        }
        let mut set = ChangeSet::new();
        for (path, after) in cleared {
            set = set
                .edit(path.clone(), "cleared for reconstruction", move |_| Ok(after.clone()))
                .take_away(&path);
        }
        self.without_in_people_list(set, gone.into_iter().collect())
    }
}

/// Whether a file is a list of transcripts that are through.
fn is_list(path: &MemoryPath, meta: &MemoryPath) -> bool {
    Done::ALL.iter().any(|done| path.as_str().starts_with(&format!("{meta}/{}/", done.folder())))
}

/// What an item keeps: its annotation without transcripts as sources, or nothing where it has no other source. What a person wrote or
/// changed stays as it is.
fn without_mined(item: &Item, transcripts: &str, hand: Hand<'_>) -> Option<Annotation> {
    let annotation = &item.annotation;
    if hand(&item.text) {
        return Some(annotation.clone());
    }
    let Some(sources) = annotation.get("source") else { return Some(annotation.clone()) };
    let (mined, others): (Vec<&str>, Vec<&str>) =
        sources.split(", ").partition(|source| source.starts_with(transcripts));
    if others.is_empty() {
        return None;
    }
    let mut kept = annotation.clone();
    if !mined.is_empty() {
        kept.set("source", others.join(", "));
        let mentions = kept.get("mentions").and_then(|count| count.parse::<usize>().ok());
        if let Some(mentions) = mentions {
            kept.set("mentions", mentions.saturating_sub(mined.len()).max(1).to_string());
        }
    }
    Some(kept)
}

/// The entries of weeks that a page has no more, by their weeks: they may be told again.
fn weeks_gone(before: &[u8], after: &[u8]) -> BTreeMap<String, BTreeSet<String>> {
    let entries = |bytes: &[u8]| -> BTreeSet<(String, String)> {
        let page = Page::parse(bytes);
        let items = page.iter().flat_map(|page| page.items().iter());
        let entry = |item: &Item| {
            let key = key_of(item.annotation.get("source"), item.plain());
            item.annotation.get(WEEK).map(|week| (week.to_owned(), key))
        };
        items.filter_map(entry).collect()
    };
    let mut weeks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (week, key) in entries(before).difference(&entries(after)) {
        weeks.entry(week.clone()).or_default().insert(key.clone());
    }
    weeks
}

/// A page without the items of which nothing is kept; nothing where it cannot be read.
fn without_items(bytes: &[u8], keep: impl Fn(&Item) -> Option<Annotation>) -> Option<Vec<u8>> {
    let mut page = Page::parse(bytes).ok()?;
    take_out(&mut page, keep);
    Some(page.into_bytes())
}

/// Gives the texts of what was taken out.
fn take_out(page: &mut Page, keep: impl Fn(&Item) -> Option<Annotation>) -> Vec<String> {
    let mut gone = Vec::new();
    for at in (0..page.items().len()).rev() {
        let item = page.items()[at].clone();
        match keep(&item) {
            Some(kept) if kept == item.annotation => {}
            Some(kept) => page.set(at, &item.text, &kept),
            None => {
                page.remove(at);
                gone.push(item.plain().to_owned());
            }
        }
    }
    gone
}

/// An entity's page without mined facts and the lines of its timeline that tell of them.
fn without_facts(mut page: Page, transcripts: &str, hand: Hand<'_>) -> Page {
    let gone = take_out(&mut page, |each| without_mined(each, transcripts, hand));
    let tells = |line: &str| gone.iter().any(|fact| line.contains(&format!("{fact} (before: ")));
    for at in (0..page.items().len()).rev() {
        let item = &page.items()[at];
        if item.section.eq_ignore_ascii_case(TIMELINE) && tells(item.plain()) {
            page.remove(at);
        }
    }
    page
}

/// The entities that say nothing any more, and that none which says something leads to.
fn empty_entities(entities: &BTreeMap<EntityId, (MemoryPath, Entity, bool)>) -> BTreeSet<EntityId> {
    let says = |entity: &Entity| {
        !entity.facts().is_empty()
            || !entity.prose().is_empty()
            || entity.is_pinned()
            || entity.merged_into().is_some()
            || entity.page().items_in(TIMELINE).next().is_some()
    };
    let mut kept: BTreeSet<String> = BTreeSet::new();
    for (id, (_, entity, is_changed)) in entities {
        // One that was not touched and says nothing is a stub of somebody: kept where somebody who stays leads to it.
        if says(entity) {
            kept.insert(id.to_string());
            kept.extend(entity.edges().into_iter().map(|edge| edge.to.as_str().to_owned()));
        } else if !is_changed && !entity.edges().is_empty() {
            kept.insert(id.to_string());
        }
    }
    entities.keys().filter(|id| !kept.contains(id.as_str())).cloned().collect()
}

/// A day's page without the lines that condensing wrote; it goes where it holds nothing else.
fn journal(bytes: &[u8], transcripts: &str, hand: Hand<'_>) -> Option<Option<Vec<u8>>> {
    let mut page = Page::parse(bytes).ok()?;
    let is_ours = |item: &Item| {
        item.annotation.get("lines").is_some()
            && item.text.contains(&format!("[[{transcripts}"))
            && !hand(&item.text)
    };
    let before = page.items().len();
    while let Some(at) = page.items().iter().position(is_ours) {
        page.remove(at);
    }
    if page.items().len() == before {
        return None;
    }
    let document = rem_format::document::Document::parse(page.as_str().as_bytes());
    let body = document.body_text();
    let says_more = body.lines().any(|line| !line.trim().is_empty() && !line.starts_with('#'));
    Some(says_more.then(|| page.into_bytes()))
}

/// A day's episodes without those that were mined; the file goes where none is left.
fn episodes(bytes: &[u8], transcripts: &str, hand: Hand<'_>) -> Option<Option<Vec<u8>>> {
    let (placed, errors) = episode::parse(bytes);
    let is_mined = |placed: &episode::Placed| {
        placed.episode.from.as_deref().is_some_and(|from| from.starts_with(transcripts))
            && !hand(&placed.episode.text)
    };
    if !placed.iter().any(is_mined) {
        return None;
    }
    if errors.is_empty() && placed.iter().all(is_mined) {
        return Some(None);
    }
    let gone: Vec<usize> = (0..placed.len()).filter(|at| is_mined(&placed[*at])).collect();
    Some(Some(without_episodes(bytes, &gone)))
}

/// A procedure goes where it was learned from transcripts alone.
fn procedure(bytes: &[u8], transcripts: &str, hand: Hand<'_>) -> Option<Option<Vec<u8>>> {
    let page = Page::parse(bytes).ok().filter(|page| !hand(page.as_str()))?;
    let mut sources = page.items_in(LEARNED_FROM).map(|(_, item)| item.plain().to_owned()).peekable();
    sources.peek()?;
    let is_mined =
        |source: &String| source.split_once(" — ").is_some_and(|(_, source)| source.starts_with(transcripts));
    sources.all(|source| is_mined(&source)).then_some(None)
}
