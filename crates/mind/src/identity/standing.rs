//! What the stores say, all at once: for who looks for statements that contradict each other.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::entity::FACTS;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{Snapshot, Store};
use rem_recall::Addressees;

use super::corrections::is_wrong;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::elsewhere::Place;
use crate::stores::incoming::undated;
use crate::stores::statement::{Comparison, Statement};

/// A statement that holds, where it stands.
pub(super) struct Standing {
    pub(super) place: usize,
    /// The whole item, by which it is found again.
    pub(super) item: String,
    pub(super) text: String,
    pub(super) annotation: Annotation,
    pub(super) statement: Statement,
    /// Whether it was written or changed since the moment asked for.
    pub(super) is_new: bool,
}

impl Standing {
    /// The day it was last said.
    pub(super) fn said_on(&self) -> Option<Date> {
        self.annotation.date("last").or_else(|| self.annotation.date("since"))
    }

    fn contradicts(&self, other: &Self, similarity: f64) -> bool {
        (self.statement.is_of_same(&other.statement)
            || self.statement.likeness(&other.statement) >= similarity)
            && self.takes_place_of(other)
            || self.statement.may_contradict(&other.statement)
    }

    /// Whether it takes the place of the other for certain, and not only a person knows.
    pub(super) fn takes_place_of(&self, other: &Self) -> bool {
        self.statement.compared_to(&other.statement) == Comparison::Replaces
    }
}

/// All of them.
pub(super) struct AllStanding {
    pub(super) places: Vec<Place>,
    pub(super) statements: Vec<Standing>,
}

impl AllStanding {
    /// Pairs that contradict each other, at least one of each new; a statement is in one pair at most. A pair that `is_none` is passed over: somebody
    /// has said that it is no contradiction.
    pub(super) fn contradictions(
        &self,
        similarity: f64,
        is_none: impl Fn(&Standing, &Standing) -> bool,
    ) -> Vec<(usize, usize)> {
        let terms: Vec<BTreeSet<&str>> = self.statements.iter().map(|each| each.statement.terms()).collect();
        let mut by_term: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut by_subject: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, standing) in self.statements.iter().enumerate() {
            for term in &terms[number] {
                by_term.entry(term).or_default().push(number);
            }
            for subject in standing.statement.subject_keys() {
                by_subject.entry(subject).or_default().push(number);
            }
        }
        let mut taken = HashSet::new();
        let mut pairs = Vec::new();
        for (number, standing) in self.statements.iter().enumerate().filter(|(_, standing)| standing.is_new) {
            if taken.contains(&number) {
                continue;
            }
            // Two that share enough words share one of the rarest of either (the prefix filter of set similarity joins).
            let mut rarest: Vec<&str> = terms[number].iter().copied().collect();
            rarest.sort_by_key(|term| (by_term.get(term).map_or(0, Vec::len), *term));
            rarest.truncate(Statement::may_lack(rarest.len()) + 1);
            let alike = rarest.iter().filter_map(|term| by_term.get(term));
            let subjects = standing.statement.subject_keys();
            let found =
                subjects.filter_map(|subject| by_subject.get(&subject)).chain(alike).flatten().copied().find(
                    |other| {
                        *other != number
                            && !taken.contains(other)
                            && standing.contradicts(&self.statements[*other], similarity)
                            && !is_none(standing, &self.statements[*other])
                    },
                );
            if let Some(other) = found {
                taken.extend([number, other]);
                pairs.push((number, other));
            }
        }
        pairs
    }
}

impl Memory {
    /// What MEMORY.md, the vault, the pages of facts and the entities say to everybody and what still holds. New is what they did not say in the
    /// snapshot; all of it where there is none.
    pub(super) fn all_standing(&self, before: Option<&Snapshot>) -> Result<AllStanding, MemoryError> {
        let layout = self.ledger.layout();
        let mut places = vec![
            Place::Page(self.path(Store::Core).clone(), "core"),
            Place::Page(layout.file(Store::Vault, "pinned.md")?, "vault"),
        ];
        places.extend(self.fact_pages().into_iter().map(|path| Place::Page(path, "fact")));
        for listed in &self.ledger.list()?.files {
            if let Ok(path) = MemoryPath::new(listed.path.as_str())
                && let Some(id) = self.entity_at(&path)
            {
                places.push(Place::Entity(path, id));
            }
        }
        let mut statements = Vec::new();
        for (place, at) in places.iter().enumerate() {
            let Some(bytes) = self.ledger.read(at.path())? else { continue };
            let known =
                before.map(|before| self.ledger.contents_in(before, at.path())).transpose()?.flatten();
            if known.as_ref().is_some_and(|known| *known == bytes) {
                self.stand(place, at, &bytes, |_| false, &mut statements);
                continue;
            }
            let said = items_of(at, &known.unwrap_or_default());
            let said: HashSet<&str> = said.iter().map(Item::plain).collect();
            self.stand(place, at, &bytes, |item| !said.contains(item), &mut statements);
        }
        Ok(AllStanding { places, statements })
    }

    /// What the stores say to everybody that may have to do with a statement, and that still holds.
    pub(crate) fn stored_about(&self, right: &str) -> Result<Vec<String>, MemoryError> {
        let mut stored = Vec::new();
        for place in self.places_about(right)? {
            let items = self.items_of_place(&place)?.into_iter();
            let standing = items.filter(|item| {
                item.ended().is_none() && Addressees::of_annotation(&item.annotation) == Addressees::default()
            });
            stored.extend(standing.map(|item| undated(item.plain()).to_owned()));
        }
        Ok(stored)
    }

    /// What a store says that this takes the place of; nothing where none does.
    pub(crate) fn stored_contradiction(&self, right: &str) -> Result<Option<String>, MemoryError> {
        let (statement, all) = (Statement::new(right), Addressees::default());
        for place in self.places_about(right)? {
            let items = self.items_of_place(&place)?;
            if let Some(item) = items.iter().find(|item| is_wrong(item, &statement, None, &all)) {
                return Ok(Some(undated(item.plain()).to_owned()));
            }
        }
        Ok(None)
    }

    fn stand(
        &self,
        place: usize,
        at: &Place,
        bytes: &[u8],
        is_new: impl Fn(&str) -> bool,
        statements: &mut Vec<Standing>,
    ) {
        let all = Addressees::default();
        let stands =
            |item: &Item| item.ended().is_none() && Addressees::of_annotation(&item.annotation) == all;
        for item in items_of(at, bytes).into_iter().filter(stands) {
            let text = undated(item.plain()).to_owned();
            statements.push(Standing {
                place,
                statement: Statement::new(&text),
                is_new: is_new(item.plain()),
                item: item.plain().to_owned(),
                annotation: item.annotation,
                text,
            });
        }
    }
}

/// What a place says; nothing where it cannot be read as a page.
pub(super) fn items_of(place: &Place, bytes: &[u8]) -> Vec<Item> {
    let Ok(page) = Page::parse(bytes) else { return Vec::new() };
    match place {
        Place::Page(..) => page.items().to_vec(),
        Place::Entity(..) => page.items_in(FACTS).map(|(_, item)| item.clone()).collect(),
    }
}
