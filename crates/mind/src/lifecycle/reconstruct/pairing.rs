//! Which entry of a branch is which entry of the state that it began with.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::entity::FACTS;
use rem_format::episode;
use rem_format::page::Page;
use rem_ledger::Store;

use super::compare::folded;
use super::in_place::Changed;
use crate::lifecycle::condense::{WEEK, unlinked};

/// What an entry is, as far as pairs go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sort {
    /// It was condensed from a conversation.
    Journal,
    /// A week told it in MEMORY.md.
    Week,
    Knowledge,
}

/// Something that a file says.
pub(super) struct Entry {
    /// Which of the files.
    pub(super) file: usize,
    /// Which entry of the file.
    pub(super) at: usize,
    pub(super) sort: Sort,
    pub(super) section: String,
    /// What it says, as it stands.
    pub(super) text: String,
    /// Its words, as they are compared.
    pub(super) said: String,
    pub(super) annotation: Annotation,
    store: Store,
    transcript: String,
}

impl Entry {
    /// The transcript that it is from; empty where it says none.
    pub(super) fn transcript(&self) -> &str {
        &self.transcript
    }

    pub(super) fn plain(&self) -> &str {
        let text = self.text.trim();
        text.strip_prefix("~~").and_then(|text| text.strip_suffix("~~")).unwrap_or(text)
    }

    /// The week that told it, and a day of that week.
    pub(super) fn week(&self) -> Option<(&str, Date)> {
        self.annotation.get(WEEK).zip(self.annotation.date("since"))
    }

    /// Whether it may be what another file said: it says where it is from, and is told from others by its words.
    fn may_move(&self) -> bool {
        let is_of_entity = matches!(self.store, Store::Entities | Store::People);
        self.sort == Sort::Knowledge
            && !self.transcript.is_empty()
            && (!is_of_entity || self.section.eq_ignore_ascii_case(FACTS))
    }
}

/// All entries of these files, as the branch began or as they are on it. Procedures are judged as a whole.
pub(super) fn entries_in(files: &[Changed], before: bool) -> Vec<Entry> {
    let mut all = Vec::new();
    for (number, file) in files.iter().enumerate().filter(|(_, file)| file.store != Store::Procedures) {
        let bytes = if before { file.base.as_deref() } else { file.now.as_deref() };
        all.extend(entries_of(number, file.store, bytes.unwrap_or_default()));
    }
    all
}

fn entries_of(file: usize, store: Store, bytes: &[u8]) -> Vec<Entry> {
    if store == Store::Episodes {
        let placed = episode::parse(bytes).0.into_iter().enumerate();
        return placed
            .map(|(at, placed)| Entry {
                file,
                at,
                sort: Sort::Knowledge,
                section: placed.episode.kind.to_string(),
                said: folded(&placed.episode.text),
                transcript: transcript_of(placed.episode.from.as_deref()),
                text: placed.episode.text,
                annotation: placed
                    .episode
                    .from
                    .map_or_else(Annotation::new, |from| Annotation::new().with("source", from)),
                store,
            })
            .collect();
    }
    let Ok(page) = Page::parse(bytes) else { return Vec::new() };
    let entry = |(at, item): (usize, &rem_format::page::Item)| {
        let sort = match store {
            Store::Journal => Sort::Journal,
            Store::Core if item.annotation.get(WEEK).is_some() => Sort::Week,
            _ => Sort::Knowledge,
        };
        let transcript = match sort {
            Sort::Journal => linked_in(&item.text),
            _ => transcript_of(item.annotation.get("source")),
        };
        let said = folded(unlinked(item.plain()));
        let (section, text, annotation) = (item.section.clone(), item.text.clone(), item.annotation.clone());
        Entry { file, at, sort, section, text, said, annotation, store, transcript }
    };
    page.items().iter().enumerate().map(entry).collect()
}

/// The transcript of the first place that a source names.
fn transcript_of(source: Option<&str>) -> String {
    let first = source.and_then(|source| source.split(", ").next()).and_then(|first| first.rsplit_once(':'));
    first.map(|(path, _)| path).filter(|path| path.ends_with(".md")).unwrap_or_default().to_owned()
}

/// The file that a condensed line leads to.
fn linked_in(text: &str) -> String {
    let target = text.rsplit_once("[[").and_then(|(_, link)| link.split_once('|')).map(|(target, _)| target);
    target.map(|target| format!("{target}.md")).unwrap_or_default()
}

/// Which entries are the same, by their numbers.
pub(super) struct Pairs {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
}

impl Pairs {
    /// What stands where it stood first; then what moved from one page of facts to another, and from one store to another where the
    /// same extractors put it there.
    pub(super) fn of(before: &[Entry], after: &[Entry], is_same_reader: impl Fn(&Entry) -> bool) -> Self {
        let mut pairs = Self { before: vec![None; before.len()], after: vec![None; after.len()] };
        pairs.pair(before, after, |entry| {
            Some((entry.file, entry.section.clone(), entry.sort, entry.said.clone()))
        });
        pairs.pair(before, after, |entry| Some((entry.file, entry.sort, entry.said.clone())));
        let is_fact = |entry: &&Entry| entry.may_move() && entry.store == Store::Reference;
        pairs.pair(before, after, |entry| Some(entry).filter(is_fact).map(|entry| entry.said.clone()));
        let moved = |entry: &&Entry| entry.may_move() && is_same_reader(entry);
        pairs.pair(before, after, |entry| Some(entry).filter(moved).map(|entry| entry.said.clone()));
        pairs
    }

    /// Pairs what has no partner yet and the same key, the first with the first.
    fn pair<K: Eq + Hash>(&mut self, before: &[Entry], after: &[Entry], key: impl Fn(&Entry) -> Option<K>) {
        let mut open: HashMap<K, VecDeque<usize>> = HashMap::new();
        for at in (0..before.len()).filter(|at| self.before[*at].is_none()) {
            if let Some(key) = key(&before[at]) {
                open.entry(key).or_default().push_back(at);
            }
        }
        for (at, entry) in after.iter().enumerate() {
            if self.after[at].is_none()
                && let Some(partner) = key(entry).and_then(|key| open.get_mut(&key)?.pop_front())
            {
                self.after[at] = Some(partner);
                self.before[partner] = Some(at);
            }
        }
    }

    /// What an entry of the beginning is on the branch.
    pub(super) fn now(&self, before: usize) -> Option<usize> {
        self.before.get(before).copied().flatten()
    }

    pub(super) fn unpaired_before(&self) -> impl Iterator<Item = usize> {
        self.before.iter().enumerate().filter(|(_, partner)| partner.is_none()).map(|(at, _)| at)
    }

    pub(super) fn unpaired_after(&self) -> impl Iterator<Item = usize> {
        self.after.iter().enumerate().filter(|(_, partner)| partner.is_none()).map(|(at, _)| at)
    }

    /// What an entry of the branch was at the beginning.
    pub(super) fn was(&self, after: usize) -> Option<usize> {
        self.after.get(after).copied().flatten()
    }
}
