//! The pages of facts: what is about nothing that has a file of its own.
//!
//! The last page takes new facts until it is full, then another begins; so what a fact costs does not grow with what is known. Earlier
//! pages, of whatever size, are read and changed as before: a statement goes to the page that says the same or what it takes the place of.
//! Which page that is the words of all pages tell, kept from one question to the next and read again where a file changed. What the words
//! tell is a hint: the page is compared as it is found under the lock. How the pages are called is the layout's business.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Layout, Store};
use rem_recall::{Addressees, Stamp};

use super::incoming::{self, Incoming, Written, undated};
use super::places::list_page;
use super::statement::{Comparison, Statement, Statements};
use crate::error::MemoryError;
use crate::memory::Memory;

/// A page of so many bytes takes no new facts: some two hundred of them.
pub(crate) const FULL: usize = 32 * 1024;

/// What the pages of facts say, by their numbers, as they were last read.
#[derive(Debug, Default)]
pub(crate) struct FactPages(Mutex<BTreeMap<usize, KeptPage>>);

/// A page, as it is looked up.
#[derive(Debug)]
struct KeptPage {
    stamp: Stamp,
    bytes: usize,
    /// The short ids of all items.
    ids: HashSet<String>,
    /// What still holds.
    said: Vec<Said>,
    /// Numbers in `said`, by what they are found under.
    found_under: HashMap<u64, Vec<u32>>,
    /// Numbers in `said` of those with hardly a word.
    brief: Vec<u32>,
}

/// Something that a page says.
#[derive(Debug)]
struct Said {
    text: String,
    addressees: Addressees,
}

/// Whether a file is a page of facts.
pub(crate) fn is_fact_page(layout: &Layout, path: &MemoryPath) -> bool {
    layout.fact_page_number(path).is_some()
}

impl Memory {
    /// The pages of facts that there are, in their order.
    pub(crate) fn fact_pages(&self) -> Vec<MemoryPath> {
        self.numbered_fact_pages().into_values().collect()
    }

    fn numbered_fact_pages(&self) -> BTreeMap<usize, MemoryPath> {
        let layout = self.ledger.layout();
        let folder = self.path(Store::Reference).as_str();
        let mut pages = BTreeMap::new();
        // A folder that cannot be read holds none.
        for entry in std::fs::read_dir(self.ledger.root().join(folder)).into_iter().flatten().flatten() {
            let number = entry.file_name().to_str().and_then(Layout::fact_page_named);
            let number = number.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file()));
            pages.extend(number.and_then(|number| Some((number, layout.fact_page(number).ok()?))));
        }
        pages
    }

    /// The page of facts that holds the item with this short id; the first one where none does.
    pub(crate) fn fact_page_of(&self, short: &str) -> Result<MemoryPath, MemoryError> {
        let number = self.with_fact_pages(|pages| {
            pages.iter().find(|(_, page)| page.ids.contains(short)).map(|(number, _)| *number)
        })?;
        Ok(self.ledger.layout().fact_page(number.unwrap_or(1))?)
    }

    /// The pages of facts that may say the same as a statement, or something that it takes the place of.
    pub(crate) fn fact_pages_near(&self, statement: &Statement) -> Result<Vec<MemoryPath>, MemoryError> {
        let numbers = self.with_fact_pages(|pages| {
            let near = pages.iter().filter(|(_, page)| page.near(pages, statement).next().is_some());
            near.map(|(number, _)| *number).collect::<Vec<_>>()
        })?;
        numbers.into_iter().map(|number| Ok(self.ledger.layout().fact_page(number)?)).collect()
    }

    /// The page of facts that a statement goes to: the one that says the same, else the one that says what it takes the place of, else
    /// the one that takes new facts.
    pub(crate) fn fact_page_for(&self, incoming: &Incoming<'_>) -> Result<MemoryPath, MemoryError> {
        let number = self.with_fact_pages(|pages| {
            let mut replaced = None;
            for (number, page) in pages {
                for said in page.near(pages, &incoming.statement) {
                    if said.addressees != incoming.addressees {
                        continue;
                    }
                    match incoming.compared_to(&said.text) {
                        Comparison::Same => return *number,
                        Comparison::Replaces => replaced = replaced.or(Some(*number)),
                        Comparison::Apart => {}
                    }
                }
            }
            let last = pages.last_key_value();
            replaced.unwrap_or(match last {
                Some((number, page)) if page.bytes >= FULL => number + 1,
                Some((number, _)) => *number,
                None => 1,
            })
        })?;
        Ok(self.ledger.layout().fact_page(number)?)
    }

    /// A statement among the facts, below a heading; and the page that it goes to.
    pub(crate) fn fact_set<'a>(
        &'a self,
        section: &'a str,
        incoming: &'a Incoming<'a>,
        written: &'a Mutex<Option<Written>>,
    ) -> Result<(MemoryPath, ChangeSet<'a>), MemoryError> {
        let path = self.fact_page_for(incoming)?;
        let number = self.ledger.layout().fact_page_number(&path).unwrap_or(1);
        let title = if number == 1 { "Facts".to_owned() } else { format!("Facts, page {number}") };
        // An id tells a fact from all others, whichever page they are on.
        let wanted = incoming.annotation.get("id").unwrap_or_default();
        let own = self.with_fact_pages(|pages| {
            let is_taken = |id: &String| pages.values().any(|page| page.ids.contains(id));
            incoming::ids_from(wanted).find(|id| !is_taken(id))
        })?;
        let set = match own.filter(|own| own != wanted) {
            Some(own) => {
                let annotation = incoming.annotation.clone().with("id", own);
                let incoming = Incoming { annotation, ..incoming.clone() };
                list_page(&path, title, section, "fact", incoming, written)
            }
            None => list_page(&path, title, section, "fact", incoming, written),
        };
        Ok((path, set))
    }

    /// Asks the pages as they are: those whose files are others than they were are read again.
    fn with_fact_pages<T>(
        &self,
        ask: impl FnOnce(&BTreeMap<usize, KeptPage>) -> T,
    ) -> Result<T, MemoryError> {
        let there = self.numbered_fact_pages();
        let mut kept = self.kept_facts.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|number, _| there.contains_key(number));
        for (number, path) in there {
            // Looked at before it is read: what changes in between is seen the next time.
            let metadata = std::fs::symlink_metadata(self.ledger.root().join(path.as_str()));
            let stamp = metadata.ok().map(|metadata| Stamp::of(&metadata));
            if stamp.is_some() && kept.get(&number).map(|page| page.stamp) == stamp {
                continue;
            }
            match (stamp, self.ledger.read(&path)?) {
                (Some(stamp), Some(bytes)) => {
                    kept.insert(number, KeptPage::of(stamp, &bytes, &self.statements));
                }
                _ => drop(kept.remove(&number)),
            }
        }
        Ok(ask(&kept))
    }
}

impl KeptPage {
    /// A page that cannot be read as one says nothing; it is as full as it is.
    fn of(stamp: Stamp, bytes: &[u8], statements: &Statements) -> Self {
        let mut kept = Self {
            stamp,
            bytes: bytes.len(),
            ids: HashSet::new(),
            said: Vec::new(),
            found_under: HashMap::new(),
            brief: Vec::new(),
        };
        let Ok(page) = Page::parse(bytes) else { return kept };
        for item in page.items() {
            kept.ids.extend(item.annotation.get("id").map(str::to_owned));
            if item.ended().is_some() {
                continue;
            }
            let text = undated(item.plain()).to_owned();
            let number = u32::try_from(kept.said.len()).unwrap_or(u32::MAX);
            statements.with(&text, |statement| {
                for key in statement.all_keys().map(hash_of) {
                    kept.found_under.entry(key).or_default().push(number);
                }
                if statement.is_brief() {
                    kept.brief.push(number);
                }
            });
            kept.said.push(Said { text, addressees: Addressees::of_annotation(&item.annotation) });
        }
        kept
    }

    /// What may say the same as a statement, or something that it takes the place of. `pages` tell which words are rare.
    fn near<'a>(
        &'a self,
        pages: &BTreeMap<usize, Self>,
        statement: &Statement,
    ) -> impl Iterator<Item = &'a Said> + use<'a> {
        let uses = |key: &str| -> usize {
            let key = hash_of(key);
            pages.values().map(|page| page.found_under.get(&key).map_or(0, Vec::len)).sum()
        };
        let mut numbers: Vec<u32> = Vec::new();
        for key in statement.telling_keys(&uses) {
            numbers.extend(self.found_under.get(&hash_of(&key)).into_iter().flatten());
        }
        if statement.is_brief() {
            numbers.extend(&self.brief);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(|number| self.said.get(number as usize))
    }
}

fn hash_of(key: impl AsRef<str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.as_ref().hash(&mut hasher);
    hasher.finish()
}
