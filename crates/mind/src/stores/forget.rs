//! `forget`: out of sight, and on request off the disk (M8.3).
//!
//! A forgotten entity or procedure keeps its file, marked as archived; a forgotten entry of a page moves to the archive's own
//! page. Both leave ordinary searches and the compiled context, and come back with `--include archived`. Transcripts are
//! evidence and are not forgotten here. Must not guess: it takes ids, and the candidates for a question are for a person to
//! choose from.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jiff::civil::Date;
use rem_format::audit::{Action, Approval};
use rem_format::entity::{Entity, EntityId, FACTS, TIMELINE};
use rem_format::episode;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::{Addressees, Include, Query, QueryWord, fold};
use serde::Serialize;

use super::edges::{Ending, end_edges_of};
use super::facts::is_fact_page;
use super::locate::{Located, Named, fact_id, fact_with_sign, item_with_id, sign_of};
use super::reviving::is_out_of_use;
use crate::error::MemoryError;
use crate::identity::CORRECTION;
use crate::lifecycle::forgotten::of_episode;
use crate::memory::Memory;

/// What `forget` did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForgetOutcome {
    /// The memories as they were.
    pub forgotten: Vec<Located>,
    /// Whether they are off the disk; git and the audit log keep them.
    pub permanent: bool,
    /// The numbers of proposals that said it, and wait no more.
    pub proposals: Vec<u64>,
    /// Files that still say it because what is signed in them cannot be changed; no search answers with them.
    pub still_said: Vec<MemoryPath>,
    /// The change's id.
    pub change: String,
}

/// The page that forgotten entries move to.
pub(super) const ARCHIVE_PAGE: &str = "forgotten.md";
/// What a new one says.
const ARCHIVE_START: &str = "# Forgotten\n\n<!-- Status: archived -->\n";

impl Memory {
    /// The memories that a question means, best first: entries, episodes, entities and procedures, never conversations.
    ///
    /// # Errors
    /// As [`Memory::recall`].
    pub fn forget_candidates(
        &self,
        question: &str,
        observed_at: SystemTime,
    ) -> Result<Vec<Located>, MemoryError> {
        // What has faded away can be forgotten as well.
        let include = Include { dormant: true, archived: true };
        // Measured by the best, which may be a page that says nothing yet; what does not hold the words is left out below.
        let query = Query { min_score: 0.25, include, ..self.query(question) };
        let answer = self.recall(&query, observed_at, &mut |_| {})?;
        let words = rem_recall::query_words(question, &[]);
        let mut found: Vec<Located> = Vec::new();
        for hit in answer.results.iter().filter(|hit| hit.category != "conversation") {
            let path = MemoryPath::new(&hit.path)?;
            let ids = match hit.id.starts_with("passage:") {
                false if hit.id.starts_with("entity:") => {
                    let mut ids = self.facts_meant(&path, &words)?;
                    ids.push(hit.id.clone());
                    ids
                }
                false => vec![hit.id.clone()],
                true => self.ids_between(&path, hit.start_line, hit.end_line)?,
            };
            for id in ids {
                // A file below a folder of its own has an id that leads elsewhere: it cannot be chosen here.
                let Ok(located) = self.show(&id) else { continue };
                if hit.status == "archived" && self.is_out_of_use(&located.path)? {
                    continue;
                }
                let folded = fold(&located.text);
                let is_meant = words.iter().any(|word| word.is_in(&folded));
                if is_meant && !found.iter().any(|before| before.id == id) {
                    found.push(located);
                }
            }
        }
        found.extend(self.corrections_meant(|text| holds_half(&words, text))?);
        if found.is_empty() {
            return self.forgotten_candidates(&words);
        }
        Ok(found)
    }

    /// What was forgotten and is still on the disk, of what holds most of these words: it can be forgotten for good.
    fn forgotten_candidates(&self, words: &[QueryWord]) -> Result<Vec<Located>, MemoryError> {
        let mut found = Vec::new();
        for id in self.forgotten_ids()? {
            let Ok(located) = self.show(&id) else { continue };
            if holds_half(words, &located.text) {
                found.push(located);
            }
        }
        Ok(found)
    }

    /// The ids of what was forgotten and is still on the disk, in the archive.
    fn forgotten_ids(&self) -> Result<Vec<String>, MemoryError> {
        let page = self.archive_page()?;
        let items = page.items().iter().filter_map(|item| item.annotation.get("id"));
        let mut ids: Vec<String> = items.map(|id| format!("forgotten:{id}")).collect();
        let folder = self.ledger.layout().path(Store::Archive).as_str().trim_end_matches('/').to_owned();
        for file in self.searchable_files()?.iter() {
            let name = file.path.strip_prefix(folder.as_str()).and_then(|rest| rest.strip_prefix('/'));
            let id = name.and_then(|name| name.strip_prefix("forgotten-")?.strip_suffix(".md"));
            ids.extend(id.map(|id| format!("forgotten:{id}")));
        }
        Ok(ids)
    }

    /// The page of what was forgotten.
    fn archive_page(&self) -> Result<Page, MemoryError> {
        let path = self.ledger.layout().file(Store::Archive, ARCHIVE_PAGE)?;
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        Page::parse(&bytes)
            .map_err(|error| MemoryError::usage(format!("{path}: {error}"), "mend the file by hand"))
    }

    /// What the archive still says of a memory that was forgotten before, by the id it had: to be forgotten for good with it.
    fn kept_of(&self, id: &str) -> Result<Vec<String>, MemoryError> {
        let Ok(named) = self.named(id) else { return Ok(Vec::new()) };
        let (path, short) = match &named {
            Named::Item(path, short) | Named::Fact(path, short) => (path, Some(short.as_str())),
            Named::File(path) => (path, None),
            Named::Episode(..) | Named::Lines(..) => return Ok(Vec::new()),
        };
        if id.starts_with("forgotten:") {
            return Ok(Vec::new());
        }
        let layout = self.ledger.layout();
        let page = self.archive_page()?;
        let is_from = |item: &&Item| {
            let from = item.annotation.get("from").unwrap_or_default();
            let is_same_store = || {
                let from = MemoryPath::new(from).ok().and_then(|from| layout.store_of(&from));
                short.is_some() && from.is_some() && from == layout.store_of(path)
            };
            from == path.as_str() || is_same_store()
        };
        let items = page.items().iter().filter(is_from).filter_map(|item| item.annotation.get("id"));
        let mut kept: Vec<String> = items
            .filter(|id| short.is_none_or(|short| short == *id))
            .map(|id| format!("forgotten:{id}"))
            .collect();
        if let (Named::File(_), Some(entity)) = (&named, id.strip_prefix("entity:")) {
            let is_its = |other: &String| {
                let other = other.trim_start_matches("forgotten:");
                let number = other.strip_prefix(entity).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
                number.is_some_and(|number| number.chars().all(|each| each.is_ascii_digit()))
            };
            kept.extend(self.forgotten_ids()?.into_iter().filter(is_its));
        }
        kept.retain(|id| self.show(id).is_ok());
        Ok(kept)
    }

    /// These ids, and with what is forgotten for good what the archive keeps of it.
    fn with_kept(&self, ids: &[String], permanent: bool) -> Result<BTreeSet<String>, MemoryError> {
        let mut all = BTreeSet::new();
        for id in ids {
            if !permanent {
                if id.starts_with("forgotten:") {
                    self.show(id)?;
                    return Err(MemoryError::usage(
                        format!("{id} is forgotten already"),
                        "`--permanent` takes it off the disk",
                    ));
                }
                all.insert(id.clone());
                continue;
            }
            let kept = self.kept_of(id)?;
            if kept.is_empty() || self.show(id).is_ok() {
                all.insert(id.clone());
            }
            all.extend(kept);
        }
        Ok(all)
    }

    /// Forgets these memories, all or none.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where an id names nothing, or something that can only be forgotten for good, or as
    /// [`rem_ledger::Ledger::apply`].
    pub fn forget(&self, ids: &[String], permanent: bool) -> Result<ForgetOutcome, MemoryError> {
        let (corrections, memories): (Vec<String>, Vec<String>) =
            ids.iter().cloned().partition(|id| id.starts_with(CORRECTION));
        for id in &memories {
            self.may_let_go(id, &self.named(id)?)?;
        }
        let corrections = self.corrections_named(&corrections)?;
        let (set, mut forgotten) = match memories.is_empty() && !corrections.is_empty() {
            true => (ChangeSet::new(), Vec::new()),
            false => self.forget_set(&memories, permanent)?,
        };
        let set = set.and(self.withdrawing(&corrections, &forgotten, permanent)?);
        forgotten.extend(corrections);
        let mut set =
            set.and(self.reflection_without(&forgotten)?).and(self.pending_identity_without(&forgotten)?);
        if set.is_empty() {
            return Err(MemoryError::usage(
                format!("{} is taken back already", ids.join(", ")),
                "`--permanent` takes it off the disk",
            ));
        }
        if permanent {
            set = self.corrections_noted_as_forgotten(set, &forgotten)?;
        }
        let (without, proposals) = self.proposals_without(&forgotten, permanent)?;
        set = set.and(without);
        let mut still_said = Vec::new();
        if permanent {
            let (without, signed) = self.records_without(&forgotten)?;
            (set, still_said) = (set.and(without), signed);
        }
        let what = if permanent { "forget for good" } else { "forget" };
        let provenance = Provenance::new(
            self.agent_or("trigger-forget"),
            if self.named_agent().is_some() { Approval::Auto } else { Approval::Approved },
            format!("{what}: {}", ids.join(", ")),
        );
        let applied = self.change(set, &provenance)?;
        if permanent {
            self.forget_receipts_of(&forgotten)?;
            // The change itself is kept for a power loss, and the index knows the words: neither may.
            self.ledger.checkpoint()?;
            if let Some(index) = self.present_index().as_mut() {
                index.scrub().map_err(rem_recall::SearchError::from)?;
            }
        }
        self.journal_forgets(&forgotten, &provenance)?;
        Ok(ForgetOutcome { forgotten, permanent, proposals, still_said, change: applied.change })
    }

    /// The change that forgets these memories, and those as they are.
    pub(crate) fn forget_set(
        &self,
        ids: &[String],
        permanent: bool,
    ) -> Result<(ChangeSet<'static>, Vec<Located>), MemoryError> {
        let today = self.today();
        let mut forgotten = Vec::new();
        let mut items: BTreeMap<MemoryPath, Vec<String>> = BTreeMap::new();
        let mut facts: BTreeMap<MemoryPath, Vec<String>> = BTreeMap::new();
        let mut episodes: BTreeMap<MemoryPath, Vec<(jiff::civil::Time, usize)>> = BTreeMap::new();
        let mut set = ChangeSet::new();
        let (mut gone, mut deleted): (Vec<EntityId>, Vec<MemoryPath>) = Default::default();
        for id in &self.with_kept(ids, permanent)? {
            forgotten.push(self.show(id)?);
            let named = self.named(id)?;
            if matches!(named, Named::File(_)) {
                gone.extend(id.strip_prefix("entity:").and_then(|id| id.parse().ok()));
            }
            match named {
                Named::File(path) if permanent => {
                    deleted.push(path.clone());
                    set = set.delete(path, format!("forget {id} for good"));
                }
                Named::File(path) => {
                    set = set
                        .edit(path.clone(), format!("forget {id}"), move |found| archived(found, today))
                        .action(&path, Action::Archive);
                }
                Named::Item(path, short) => items.entry(path).or_default().push(short),
                Named::Fact(path, sign) => facts.entry(path).or_default().push(sign),
                Named::Episode(path, time, number) if permanent => {
                    episodes.entry(path).or_default().push((time, number))
                }
                Named::Episode(..) | Named::Lines(..) => {
                    let message = format!("{id} stands in a file that is only ever added to");
                    return Err(MemoryError::usage(
                        &message,
                        "`--permanent` takes an episode out; lines of other files are edited by hand",
                    ));
                }
            }
        }
        let archive = self.ledger.layout().file(Store::Archive, ARCHIVE_PAGE)?;
        let mut moved: Vec<(String, Item)> = Vec::new();
        for (path, shorts) in items {
            let entries = self.entries_of(&path, &shorts)?;
            moved.extend(entries.iter().map(|item| (path.to_string(), item.clone())));
            set = set.edit(path, "forget", move |found| without_items(found, &entries));
        }
        for (path, signs) in facts {
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            let page = Page::parse(&bytes)
                .map_err(|error| MemoryError::usage(format!("{path}: {error}"), "mend the file by hand"))?;
            let entries: Vec<Item> =
                signs.iter().filter_map(|sign| Some(fact_with_sign(&page, sign)?.1.clone())).collect();
            moved.extend(entries.iter().map(|item| (path.to_string(), item.clone())));
            set = set.edit(path, "forget", move |found| without_facts(found, &entries, today));
        }
        let mut noted: Vec<_> =
            moved.iter().map(|(_, item)| (item.plain().to_owned(), item.annotation.clone())).collect();
        for (path, entries) in &episodes {
            let (placed, _) = episode::parse(&self.ledger.read(path)?.unwrap_or_default());
            let is_gone = |each: &&episode::Placed| entries.contains(&(each.episode.time, each.number));
            noted.extend(placed.iter().filter(is_gone).map(of_episode));
        }
        if permanent {
            noted.extend(self.wishes_like(&forgotten)?);
            set = self.noted_as_forgotten(set, &noted, &deleted)?;
        }
        if !permanent && !moved.is_empty() {
            set = set.edit(archive, "forgotten entries", move |found| {
                let mut page = Page::parse(found.unwrap_or(ARCHIVE_START.as_bytes()))?;
                for (from, item) in &moved {
                    let mut annotation =
                        item.annotation.clone().with("forgotten", today.to_string()).with("from", from);
                    if annotation.get("id").is_none() {
                        annotation.set("id", sign_of(item));
                    }
                    page.add("Entries", &item.text, &annotation)?;
                }
                Ok(Some(page.into_bytes()))
            });
        }
        for (path, entries) in episodes {
            set = set
                .edit(path.clone(), "forget for good", move |found| without_episodes(found, &entries))
                .take_away(&path);
        }
        set = self.without_in_people_list(set, gone)?;
        if set.is_empty() {
            return Err(MemoryError::usage(
                "there is nothing to forget",
                "name what is meant with --id; `rem forget QUESTION` lists it",
            ));
        }
        Ok((set, forgotten))
    }

    /// The items with these short ids as they are now.
    fn entries_of(&self, path: &MemoryPath, shorts: &[String]) -> Result<Vec<Item>, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let page = Page::parse(&bytes)
            .map_err(|error| MemoryError::usage(format!("{path}: {error}"), "mend the file by hand"))?;
        Ok(shorts
            .iter()
            .filter_map(|short| item_with_id(&page, short))
            .map(|(_, item)| item.clone())
            .collect())
    }

    /// Whether a file was forgotten already.
    pub(super) fn is_out_of_use(&self, path: &MemoryPath) -> Result<bool, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        Ok(Page::parse(&bytes).is_ok_and(|page| is_out_of_use(&page)))
    }

    /// The facts of an entity that hold at least half of the words of a question, those that hold most first.
    fn facts_meant(&self, path: &MemoryPath, words: &[QueryWord]) -> Result<Vec<String>, MemoryError> {
        let Some(id) = self.entity_at(path) else { return Ok(Vec::new()) };
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let Ok(page) = Page::parse(&bytes) else { return Ok(Vec::new()) };
        // Its name stands in every fact.
        let name = fold(page.title().unwrap_or_default());
        let (named, told): (Vec<&QueryWord>, Vec<&QueryWord>) =
            words.iter().partition(|word| word.is_in(&name));
        let held = |item: &Item| {
            let folded = fold(&item.text);
            let told = told.iter().filter(|word| word.is_in(&folded)).count();
            if told == 0 { 0 } else { told + named.iter().filter(|word| word.is_in(&folded)).count() }
        };
        let facts = page.items_in(FACTS).map(|(_, item)| (held(item), fact_id(&id, item)));
        let mut facts: Vec<(usize, String)> =
            facts.filter(|(held, _)| *held > 0 && 2 * held >= words.len()).collect();
        facts.sort_by_key(|(held, _)| std::cmp::Reverse(*held));
        Ok(facts.into_iter().map(|(_, id)| id).collect())
    }

    /// The ids of the entries or episodes of a file that stand in these lines.
    fn ids_between(&self, path: &MemoryPath, first: usize, last: usize) -> Result<Vec<String>, MemoryError> {
        let bytes = self.ledger.read(path)?.unwrap_or_default();
        let is_in = |lines: &std::ops::Range<usize>| lines.start <= last && lines.end > first;
        let layout = self.ledger.layout();
        if layout.store_of(path) == Some(Store::Episodes) {
            let Some(date) = rem_recall::date_of_path(path.as_str()) else { return Ok(Vec::new()) };
            let (placed, _) = episode::parse(&bytes);
            let inside = placed.into_iter().filter(|entry| is_in(&entry.lines));
            return Ok(inside
                .map(|entry| episode::episode_id(date, entry.episode.time, entry.number))
                .collect());
        }
        let kind = match path {
            path if path == layout.path(Store::Core) || *path == self.demoted_page()? => "core",
            path if *path == layout.file(Store::Vault, "pinned.md")? => "vault",
            path if is_fact_page(layout, path) => "fact",
            _ => return Ok(Vec::new()),
        };
        let Ok(page) = Page::parse(&bytes) else { return Ok(Vec::new()) };
        let inside = page.items().iter().filter(|item| is_in(&item.lines));
        Ok(inside.filter_map(|item| Some(format!("{kind}:{}", item.annotation.get("id")?))).collect())
    }
}

/// Whether a text holds at least half of the words.
fn holds_half(words: &[QueryWord], text: &str) -> bool {
    let folded = fold(text);
    let held = words.iter().filter(|word| word.is_in(&folded)).count();
    held > 0 && 2 * held >= words.len()
}

type Edited = Result<Option<Vec<u8>>, rem_ledger::EditError>;

/// The file, marked as out of use.
pub(super) fn archived(found: Option<&[u8]>, today: Date) -> Edited {
    let mut page = Page::parse(found.unwrap_or_default())?;
    page.set_header("Status", "archived");
    page.set_header("Archived", today.to_string());
    Ok(Some(page.into_bytes()))
}

/// The page without these items, which must still say what they said when they were put elsewhere.
fn without_items(found: Option<&[u8]>, entries: &[Item]) -> Edited {
    let mut page = Page::parse(found.unwrap_or_default())?;
    for entry in entries {
        let same =
            |item: &Item| item.annotation.get("id") == entry.annotation.get("id") && item.text == entry.text;
        let index = page.items().iter().position(same).ok_or("the entry changed meanwhile: try again")?;
        page.remove(index);
    }
    Ok(Some(page.into_bytes()))
}

/// An entity's file without these facts, the edges that came with them, and what its timeline and later facts repeat of them.
pub(crate) fn without_facts(found: Option<&[u8]>, facts: &[Item], today: Date) -> Edited {
    let mut bytes = found.unwrap_or_default().to_vec();
    for fact in facts {
        let mut entity = Entity::parse(&bytes)?;
        let open = |entity: &Entity| -> Vec<usize> {
            entity.edges().iter().filter(|edge| edge.ended().is_none()).map(|edge| edge.line).collect()
        };
        // What ended its edges with it looks for them as they were.
        if let Some(day) = fact.ended() {
            entity.open_edges(|edge| edge.ended() == Some(day));
        }
        let before = open(&entity);
        let addressees = Addressees::of_annotation(&fact.annotation);
        end_edges_of(&mut entity, fact.plain(), &Ending { by: "", today, says_no: true, addressees });
        let after = open(&entity);
        if fact.ended().is_some() {
            entity = Entity::parse(&bytes)?;
        }
        let is_edge = |item: &Item| before.contains(&item.lines.start) && !after.contains(&item.lines.start);
        let is_told =
            |item: &Item| item.section.eq_ignore_ascii_case(TIMELINE) && item.text.contains(fact.plain());
        let is_it = |item: &Item| item.section.eq_ignore_ascii_case(FACTS) && item.text == fact.text;
        let mut page = Page::parse(&entity.into_bytes())?;
        if !page.items().iter().any(is_it) {
            return Err("the fact changed meanwhile: try again".into());
        }
        // From the end, so that the lines of what comes before stay as they are.
        for index in (0..page.items().len()).rev() {
            let item = &page.items()[index];
            if is_it(item) || is_told(item) || is_edge(item) {
                page.remove(index);
            }
        }
        let named = |item: &Item| item.annotation.get("by") == Some(fact.plain());
        while let Some(index) = page.items().iter().position(named) {
            let (text, mut annotation) =
                (page.items()[index].text.clone(), page.items()[index].annotation.clone());
            annotation.remove("by");
            page.set(index, &text, &annotation);
        }
        bytes = page.into_bytes();
    }
    let mut entity = Entity::parse(&bytes)?;
    entity.set_updated(today)?;
    Ok(Some(entity.into_bytes()))
}

/// A day's page without the episodes of which this is so.
pub(crate) fn without_episodes_of(found: &[u8], is_gone: impl Fn(&str) -> bool) -> Vec<u8> {
    let (placed, _) = episode::parse(found);
    let gone = placed.iter().filter(|each| is_gone(&each.episode.text));
    let gone: Vec<_> = gone.map(|each| (each.episode.time, each.number)).collect();
    without_episodes(Some(found), &gone).ok().flatten().unwrap_or_else(|| found.to_vec())
}

fn without_episodes(found: Option<&[u8]>, entries: &[(jiff::civil::Time, usize)]) -> Edited {
    let text = std::str::from_utf8(found.unwrap_or_default())?;
    let (placed, _) = episode::parse(text.as_bytes());
    let gone: Vec<_> = placed
        .iter()
        .filter(|each| entries.contains(&(each.episode.time, each.number)))
        .map(|each| each.lines.clone())
        .collect();
    if gone.len() < entries.len() {
        return Err("the episode is gone".into());
    }
    let lines = text.split_inclusive('\n').zip(1..);
    let kept =
        lines.filter(|(_, number)| !gone.iter().any(|lines| lines.contains(number))).map(|(line, _)| line);
    Ok(Some(kept.collect::<String>().into_bytes()))
}
