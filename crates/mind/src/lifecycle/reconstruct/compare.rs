//! Two states of the memory beside each other: which entries one has and the other lacks, by store, and what can be counted of each.
//!
//! A branch is held against the state in which it began, so what the memory in use learned since is nobody's loss; what both did since is
//! no difference. What says the same in another place has moved.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::SystemTime;

use rem_format::episode;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{BranchedFile, Store};
use serde::Serialize;

use super::measure::{AskedQuestion, Measured};
use crate::error::MemoryError;
use crate::lifecycle::condense::WEEK;
use crate::memory::Memory;
use crate::stores::incoming::undated;

/// An entry on one side or on both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedEntry {
    /// The file that it is in on the branch; where it is lost, in the memory that the branch began with.
    pub path: MemoryPath,
    /// Where it was when the branch began, where that is another file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<MemoryPath>,
    /// What the memory said when the branch began; nothing where the branch gained it.
    pub here: Option<String>,
    /// What the branch says; nothing where it lost it.
    pub branch: Option<String>,
}

/// What a branch does to one store.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ComparedStore {
    /// Entries that only the branch has.
    pub gained: usize,
    /// Entries that the branch has no more.
    pub lost: usize,
    /// Entries from the same words that say something else.
    pub changed: usize,
    /// Entries that say the same in another place.
    pub moved: usize,
    /// All of them but those that only moved, by file.
    pub entries: Vec<ComparedEntry>,
}

/// What can be counted of a state of the memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Entries of all stores.
    pub entries: usize,
    /// Entries that say the transcript they are from.
    pub sourced: usize,
    /// Files with entries.
    pub files: usize,
    /// Tokens of MEMORY.md.
    pub core_tokens: usize,
    /// Tokens of all entries.
    pub tokens: usize,
    /// Entries that say what another one says in the same words.
    pub duplicates: usize,
    /// Pairs of entries that contradict each other; nothing where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contradictions: Option<usize>,
}

/// A branch beside the memory in use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The branch.
    pub branch: String,
    /// What it does, by the name of the store; stores in which nothing differs are left out.
    pub stores: BTreeMap<String, ComparedStore>,
    /// The memory in use.
    pub here: Figures,
    /// The branch.
    pub there: Figures,
    /// How many files `rem branch merge` would change as things are.
    pub files: usize,
    /// The files in which both sides say different things of the same: as long as there are any, nothing can be merged.
    pub crossed: Vec<MemoryPath>,
    /// How well both are found by questions, where some were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<Measured>,
}

/// An entry: what tells it from others, and its text.
type Entries = BTreeMap<String, String>;

/// An entry on its way to the comparison.
struct Sided {
    store: String,
    path: MemoryPath,
    key: String,
    text: String,
}

impl Memory {
    /// What a branch did to the entries of each store since it began, and what can be counted of it and of the memory in use.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] where there is no such branch, or files cannot be read.
    pub fn branch_compare(&self, name: &str) -> Result<Comparison, MemoryError> {
        let there = self.branch_memory(name)?;
        let (files, crossed) = self.ledger.branch_preview(name)?;
        Ok(Comparison {
            branch: self.ledger.branch(name)?.name,
            files,
            crossed,
            stores: self.compared_stores(name)?,
            here: self.figures()?,
            there: there.figures()?,
            questions: None,
        })
    }

    /// The same, with what contradicts itself on either side, and with how well these questions find their evidence there.
    ///
    /// # Errors
    /// As [`Self::branch_compare`], and as [`Memory::recall`].
    pub fn branch_measure(
        &self,
        name: &str,
        questions: &[AskedQuestion],
        observed_at: SystemTime,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Comparison, MemoryError> {
        let there = self.branch_memory(name)?;
        let mut comparison = self.branch_compare(name)?;
        comparison.here.contradictions = Some(self.contradictions()?);
        comparison.there.contradictions = Some(there.contradictions()?);
        if !questions.is_empty() {
            comparison.questions = Some(self.measured(&there, questions, observed_at, progress)?);
        }
        Ok(comparison)
    }

    /// The branch as a memory of its own.
    fn branch_memory(&self, name: &str) -> Result<Self, MemoryError> {
        let ledger = self.ledger.branch_ledger(name)?;
        Self::over(ledger, self.config.clone(), Vec::new(), self.options.clone())
    }

    fn contradictions(&self) -> Result<usize, MemoryError> {
        Ok(self.scan_since(None, self.now(), true)?.found.len())
    }

    fn compared_stores(&self, name: &str) -> Result<BTreeMap<String, ComparedStore>, MemoryError> {
        let branch = self.ledger.branch(name)?;
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        let mut stores: BTreeMap<String, ComparedStore> = BTreeMap::new();
        for file in self.ledger.branched_files(&branch)? {
            let BranchedFile { path, base, branch } = file?;
            let Some(store) = self.knowledge_store(&path) else { continue };
            let name = self.ledger.layout().category(&path).to_owned();
            let (before, after) = (entries_of(store, base.as_deref()), entries_of(store, branch.as_deref()));
            let now = entries_of(store, self.ledger.read(&path)?.as_deref());
            let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            let sided = |key: &str, text: &str| Sided {
                store: name.clone(),
                path: path.clone(),
                key: key.to_owned(),
                text: text.to_owned(),
            };
            for key in keys {
                // What both sides did since is no difference.
                if after.get(key) == now.get(key) {
                    continue;
                }
                match (before.get(key), after.get(key)) {
                    (Some(one), Some(other)) if one == other => {}
                    (Some(one), Some(other)) => {
                        let compared = stores.entry(name.clone()).or_default();
                        compared.changed += 1;
                        compared.entries.push(ComparedEntry {
                            path: path.clone(),
                            from: None,
                            here: Some(one.clone()),
                            branch: Some(other.clone()),
                        });
                    }
                    (None, Some(text)) => gained.push(sided(key, text)),
                    (Some(text), None) => lost.push(sided(key, text)),
                    (None, None) => {}
                }
            }
        }
        // The same text in another place has moved; other words from the same lines have changed, too.
        for (is_same, tell) in [(true, by_text as fn(&Sided) -> String), (false, by_source)] {
            for (one, other) in paired(&mut lost, &mut gained, tell, is_same) {
                let compared = stores.entry(other.store).or_default();
                if is_same {
                    compared.moved += 1;
                    continue;
                }
                compared.changed += 1;
                let from = Some(one.path).filter(|path| *path != other.path);
                compared.entries.push(ComparedEntry {
                    path: other.path,
                    from,
                    here: Some(one.text),
                    branch: Some(other.text),
                });
            }
        }
        for Sided { store, path, text, .. } in lost {
            let compared = stores.entry(store).or_default();
            compared.lost += 1;
            compared.entries.push(ComparedEntry { path, from: None, here: Some(text), branch: None });
        }
        for Sided { store, path, text, .. } in gained {
            let compared = stores.entry(store).or_default();
            compared.gained += 1;
            compared.entries.push(ComparedEntry { path, from: None, here: None, branch: Some(text) });
        }
        stores.values_mut().for_each(|of| of.entries.sort_by(|one, other| one.path.cmp(&other.path)));
        stores.retain(|_, of| !of.entries.is_empty() || of.moved > 0);
        Ok(stores)
    }

    fn figures(&self) -> Result<Figures, MemoryError> {
        let transcripts = format!("{}/", self.path(Store::Transcripts));
        let (mut figures, mut said) = (Figures::default(), HashSet::new());
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let Some(store) = self.knowledge_store(&path) else { continue };
            let bytes = self.ledger.read(&path)?;
            let entries = entries_of(store, bytes.as_deref());
            figures.entries += entries.len();
            figures.sourced += entries
                .iter()
                .filter(|(key, text)| {
                    key.starts_with(&transcripts) || text.contains(&format!("[[{transcripts}"))
                })
                .count();
            figures.files += usize::from(!entries.is_empty());
            for text in entries.values() {
                figures.tokens += rem_reason::count_tokens(text);
                // The journal and the chronicles tell again what is kept elsewhere: that is what they are for.
                let is_telling = matches!(store, Store::Journal | Store::Episodes);
                figures.duplicates +=
                    usize::from(!is_telling && !said.insert(blake3::hash(folded(text).as_bytes())));
            }
            if let (Store::Core, Some(bytes)) = (store, bytes) {
                figures.core_tokens += rem_reason::count_tokens(&String::from_utf8_lossy(&bytes));
            }
        }
        Ok(figures)
    }

    /// The store of a file whose entries are knowledge.
    pub(super) fn knowledge_store(&self, path: &MemoryPath) -> Option<Store> {
        let store = self.ledger.layout().store_of(path).filter(|_| path.as_str().ends_with(".md"))?;
        let is_knowledge = matches!(
            store,
            Store::Core
                | Store::Episodes
                | Store::Entities
                | Store::People
                | Store::Procedures
                | Store::Projects
                | Store::Reference
                | Store::Journal
                | Store::Vault
        );
        is_knowledge.then_some(store)
    }
}

/// Takes out of both lists what they have in common, each entry once. What is not the `same` is paired only where nothing else on either side is told by
/// it.
fn paired(
    lost: &mut Vec<Sided>,
    gained: &mut Vec<Sided>,
    tell: fn(&Sided) -> String,
    same: bool,
) -> Vec<(Sided, Sided)> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, each) in lost.iter().enumerate() {
        let told = tell(each);
        if !told.is_empty() {
            places.entry(told).or_default().push(at);
        }
    }
    let mut wanted: HashMap<String, usize> = HashMap::new();
    gained.iter().for_each(|each| *wanted.entry(tell(each)).or_default() += 1);
    let mut found: HashMap<usize, usize> = HashMap::new();
    for (at, each) in gained.iter().enumerate() {
        let told = tell(each);
        let Some(of) = places.get_mut(&told) else { continue };
        let is_alone = of.len() == 1 && wanted.get(&told) == Some(&1);
        if (same || is_alone) && !of.is_empty() {
            found.insert(at, of.remove(0));
        }
    }
    let gone: HashSet<usize> = found.values().copied().collect();
    let mut taken: HashMap<usize, Sided> = HashMap::new();
    let mut stays = Vec::new();
    for (at, each) in lost.drain(..).enumerate() {
        match gone.contains(&at) {
            true => drop(taken.insert(at, each)),
            false => stays.push(each),
        }
    }
    *lost = stays;
    let (mut pairs, mut stays) = (Vec::new(), Vec::new());
    for (at, each) in gained.drain(..).enumerate() {
        match found.get(&at).and_then(|from| taken.remove(from)) {
            Some(from) => pairs.push((from, each)),
            None => stays.push(each),
        }
    }
    *gained = stays;
    pairs
}

fn by_text(each: &Sided) -> String {
    folded(&each.text)
}

/// The lines that it is from, where it says so.
fn by_source(each: &Sided) -> String {
    each.key.split([' ', ',']).next().filter(|first| first.contains(".md:")).unwrap_or_default().to_owned()
}

/// What a file says, as its words are compared; what a week tells again is left out.
pub(super) fn texts_of(store: Store, bytes: Option<&[u8]>) -> Vec<String> {
    let Some(bytes) = bytes else { return Vec::new() };
    if store == Store::Episodes {
        return episode::parse(bytes).0.iter().map(|placed| folded(&placed.episode.text)).collect();
    }
    let Ok(page) = Page::parse(bytes) else { return Vec::new() };
    let items = page.items().iter().filter(|item| item.annotation.get(WEEK).is_none());
    items.map(|item| folded(item.plain())).collect()
}

/// The words of a text without its day and its signs.
pub(super) fn folded(text: &str) -> String {
    let bare = undated(text).to_lowercase();
    let words = bare.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The entries of a file. What tells one from the others is where it was said, its id, or else its text.
fn entries_of(store: Store, bytes: Option<&[u8]>) -> Entries {
    let Some(bytes) = bytes else { return Entries::new() };
    if store == Store::Episodes {
        let placed = episode::parse(bytes).0.into_iter().map(|placed| placed.episode);
        return placed.map(|each| (each.from.unwrap_or_else(|| each.text.clone()), each.text)).collect();
    }
    let Ok(page) = Page::parse(bytes) else { return Entries::new() };
    let entry = |item: &rem_format::page::Item| {
        let key = ["source", "id"].into_iter().find_map(|key| item.annotation.get(key));
        let text = item.plain().to_owned();
        // Two entries may be from the same words.
        (key.map_or_else(|| text.clone(), |key| format!("{key} {}", item.section)), text)
    };
    page.items().iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sided(path: &str, key: &str, text: &str) -> Sided {
        let path = MemoryPath::new(path).unwrap();
        Sided { store: "x".to_owned(), path, key: key.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn what_says_the_same_elsewhere_has_moved_and_what_two_have_in_common_is_paired_once() {
        let mut lost = vec![
            sided("a.md", "raw/1.md:4 Facts", "Ada: plays chess."),
            sided("a.md", "raw/1.md:9 Facts", "x"),
        ];
        let mut gained = vec![
            sided("b.md", "raw/1.md:4 Facts", "ada plays chess"),
            sided("c.md", "raw/1.md:4 Facts", "Ada plays chess"),
            sided("c.md", "raw/1.md:9 Facts", "y"),
        ];
        let moved = paired(&mut lost, &mut gained, by_text, true);
        assert_eq!((moved.len(), lost.len(), gained.len()), (1, 1, 2));
        let changed = paired(&mut lost, &mut gained, by_source, false);
        assert_eq!((changed.len(), lost.len(), gained.len()), (1, 0, 1));
    }
}
