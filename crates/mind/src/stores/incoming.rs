//! One statement on its way into a file: compared with what stands there, under the file's lock.
//!
//! What says the same is strengthened (P8), what it contradicts is replaced and stays readable, else it is added. Must not know
//! which file it goes to.

use std::sync::{Mutex, PoisonError};

use jiff::civil::{Date, DateTime};
use rem_format::annotation::Annotation;
use rem_format::entity::{Entity, EntityId, Fact};
use rem_format::page::{Item, Page, PageError};
use rem_format::procedure::LEARNED_FROM;
use rem_recall::{Addressees, FOR};

use super::confidence::mentioned_again;
use super::core;
use super::edges::Ending;
use super::halves::halves;
use super::remember::Effect;
use super::statement::{Comparison, Statement};
use crate::lifecycle::keeping::is_correction;
use crate::memory::Memory;

/// The word that ids of the vault begin with.
const VAULT: &str = "vault";

/// What was found out while the file was edited.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub(crate) id: String,
    pub(crate) effect: Effect,
    pub(crate) replaced: Option<String>,
}

/// Whose word a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authority {
    /// A person asked for it to be kept, or approved it: it takes the place of anything.
    Asked,
    /// An agent under its own name keeps it: it leaves what is pinned, and what the operator corrected.
    Agents,
    /// It was read in what a person said: it leaves what is pinned.
    Read,
    /// It was noticed in talk, and may be a mistake: it leaves what is pinned, what a person wrote, and what is surer.
    Noticed,
}

/// One statement on its way into a file.
#[derive(Clone)]
pub(crate) struct Incoming<'a> {
    pub(crate) text: &'a str,
    pub(crate) statement: Statement,
    pub(crate) annotation: Annotation,
    pub(crate) today: Date,
    pub(crate) memory: &'a Memory,
    pub(crate) source: String,
    /// Whether `today` is when it was said, which may be long ago: what was said later is not replaced by it.
    pub(crate) looks_back: bool,
    /// Whether its line on a page begins with the day, for people to read.
    pub(crate) is_dated: bool,
    /// Whose word it is.
    pub(crate) authority: Authority,
    /// Whom it is for.
    pub(crate) addressees: Addressees,
    /// What it contradicts and stands beside all the same, because nobody knows which is right.
    pub(crate) beside: Vec<Statement>,
}

/// A fact of an entity that no longer holds, all of it or in part.
struct Replaced {
    fact: Fact,
    /// What no longer holds.
    gone: String,
    /// What of it holds on.
    left: Option<String>,
}

/// How an item of a page is replaced: in its own line, or struck through with the new one after it.
pub(crate) type Replace = fn(&mut Page, usize, &Incoming<'_>) -> Result<(), PageError>;

impl Incoming<'_> {
    /// Whether something else is for the same people: what is for others is neither strengthened nor replaced by it.
    pub(crate) fn is_for_same(&self, annotation: &Annotation) -> bool {
        self.addressees == Addressees::of_annotation(annotation)
    }

    /// How it stands to a known statement.
    pub(crate) fn compared_to(&self, known: &str) -> Comparison {
        let near = self.memory.config.lifecycle.merge_similarity;
        self.memory.statements.with(known, |known| match self.statement.compared_from(known, near) {
            Comparison::Replaces if self.stands_beside(known) => Comparison::Apart,
            comparison => comparison,
        })
    }

    /// Whether it denies what it takes the place of, rather than giving another value.
    pub(crate) fn says_no_to(&self, old: &str) -> bool {
        let old = Statement::new(old);
        self.statement.is_negated() && !old.is_negated() || self.statement.turns(&old)
    }

    /// Whether it says what is known more exactly, so that its words are kept: a town with its country.
    fn says_more_than(&self, known: &str) -> bool {
        self.memory.statements.with(undated(known), |known| self.statement.is_fuller_than(known))
    }

    /// What it is to the edges of a fact whose place it takes.
    pub(crate) fn ending(&self, old: &str) -> Ending<'_> {
        let addressees = self.addressees.clone();
        Ending { by: self.text, today: self.today, says_no: self.says_no_to(old), addressees }
    }

    fn stands_beside(&self, known: &Statement) -> bool {
        self.beside.iter().any(|other| other.compared_to(known) == Comparison::Same)
    }

    /// Whether it may take the place of something else in this store, pinned or not; where not it stands beside it, and a scan for conflicts
    /// sees both.
    fn may_replace(&self, known: &Annotation, is_pinned: bool) -> bool {
        let sure = |annotation: &Annotation| {
            annotation.get("confidence").and_then(|value| value.parse::<f64>().ok())
        };
        let is_pinned = is_pinned || known.is_yes("pinned");
        match self.authority {
            Authority::Asked => true,
            Authority::Agents => !is_pinned && !is_correction("", known),
            Authority::Read => !is_pinned,
            Authority::Noticed => {
                !is_pinned
                    && sure(known).is_some_and(|known| sure(&self.annotation).is_some_and(|own| own >= known))
            }
        }
    }

    /// Whether a person asked for it, or approved it.
    pub(crate) fn is_asked(&self) -> bool {
        self.authority == Authority::Asked
    }

    /// Whether it may give a procedure other steps.
    pub(crate) fn may_renew(&self, page: &Page) -> bool {
        let was_asked = || page.items_in(LEARNED_FROM).any(|(_, item)| item.text.contains("user-explicit"));
        match self.authority {
            Authority::Asked => true,
            Authority::Read => !page.header().is_yes("pinned"),
            Authority::Noticed | Authority::Agents => !page.header().is_yes("pinned") && !was_asked(),
        }
    }

    /// Its line on a page.
    fn line(&self) -> std::borrow::Cow<'_, str> {
        match self.is_dated {
            true => format!("{}: {}", self.today, self.text).into(),
            false => self.text.into(),
        }
    }

    /// Whether what is known was said, or said again, after this.
    fn is_outdated_by(&self, known: &Annotation) -> bool {
        let said = known.date("last").max(known.date("since"));
        self.looks_back && said.is_some_and(|said| said > self.today)
    }

    /// What the history says of the change. The audit's digests are searched, so what is for somebody alone is not quoted there.
    pub(crate) fn summary(&self) -> String {
        match self.annotation.get(FOR) {
            Some(names) => format!("a memory for {names}"),
            None => self.text.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    }

    /// An annotation that says whom something is for, and nothing else.
    pub(crate) fn only_for(&self) -> Annotation {
        self.annotation.get(FOR).map_or_else(Annotation::new, |names| Annotation::new().with(FOR, names))
    }

    /// Whether a page says the same.
    pub(crate) fn stands_in(&self, page: &Page) -> bool {
        let mut known = page.items().iter().filter(|item| self.is_for_same(&item.annotation));
        known.any(|item| self.compared_to(undated(item.plain())) == Comparison::Same)
    }

    /// Whether it takes the place of something that a page says, and nothing there says the same.
    pub(crate) fn replaces_in(&self, page: &Page) -> bool {
        !self.stands_in(page) && self.place_replaced_in(page).is_some()
    }

    /// What it takes the place of in a page.
    pub(crate) fn replaced_in(&self, page: &Page) -> Option<String> {
        self.place_replaced_in(page).map(|index| page.items()[index].text.clone())
    }

    /// The number of the first item of a page whose place it takes.
    pub(crate) fn place_replaced_in(&self, page: &Page) -> Option<usize> {
        let replaces = |item: &Item| {
            item.ended().is_none()
                && self.is_for_same(&item.annotation)
                && !self.is_outdated_by(&item.annotation)
                && self.may_replace(&item.annotation, false)
                && self.compared_to(undated(&item.text)) == Comparison::Replaces
        };
        page.items().iter().position(replaces)
    }

    /// Puts the statement into a page: strengthens what says the same, replaces what it contradicts, else adds it.
    pub(crate) fn put(
        &self,
        page: &mut Page,
        section: &str,
        store: &str,
        replace: Replace,
    ) -> Result<Written, PageError> {
        let known = page.items().iter().enumerate();
        let known = known.filter(|(_, item)| item.ended().is_none() && self.is_for_same(&item.annotation));
        let compared: Vec<(usize, Comparison)> = known
            .map(|(index, item)| (index, self.compared_to(undated(&item.text)), item))
            .filter(|(_, comparison, item)| match comparison {
                Comparison::Same => true,
                Comparison::Replaces => self.may_replace(&item.annotation, store == VAULT),
                Comparison::Apart => false,
            })
            .map(|(index, comparison, _)| (index, comparison))
            .collect();
        if let Some((index, _)) = compared.iter().find(|(_, comparison)| *comparison == Comparison::Same) {
            return Ok(self.strengthen(page, *index, store));
        }
        if let Some((index, _)) = compared.first() {
            if self.is_outdated_by(&page.items()[*index].annotation) {
                let id = page.items()[*index].annotation.get("id").unwrap_or_default();
                return Ok(Written { id: format!("{store}:{id}"), effect: Effect::Nothing, replaced: None });
            }
            let (old, own) = (page.items()[*index].text.clone(), self.with_own_id(page));
            replace(page, *index, self)?;
            let id = own.get("id").unwrap_or_default();
            return Ok(Written {
                id: format!("{store}:{id}"),
                effect: Effect::Replaced,
                replaced: Some(old),
            });
        }
        let annotation = self.with_own_id(page);
        page.add(section, &self.line(), &annotation)?;
        let id = annotation.get("id").unwrap_or_default();
        Ok(Written { id: format!("{store}:{id}"), effect: Effect::Added, replaced: None })
    }

    /// Strengthens an item of a page, which says the same.
    pub(crate) fn strengthen(&self, page: &mut Page, index: usize, store: &str) -> Written {
        let Some(item) = page.items().get(index).cloned() else {
            return Written { id: String::new(), effect: Effect::Nothing, replaced: None };
        };
        let mut annotation = self.strengthened(&item.annotation);
        if annotation.get("id").is_none() {
            annotation.set("id", self.with_own_id(page).get("id").unwrap_or_default());
        }
        let may_reword = self.may_replace(&item.annotation, store == VAULT);
        let text =
            if may_reword && self.says_more_than(&item.text) { self.line().into_owned() } else { item.text };
        page.set(index, &text, &annotation);
        let id = annotation.get("id").unwrap_or_default();
        Written { id: format!("{store}:{id}"), effect: Effect::Merged, replaced: None }
    }

    /// The annotation with an id that no other item of the page has.
    pub(crate) fn with_own_id(&self, page: &Page) -> Annotation {
        let mut annotation = self.annotation.clone();
        let wanted = annotation.get("id").unwrap_or_default().to_owned();
        let is_taken = |id: &String| page.items().iter().any(|item| item.annotation.get("id") == Some(id));
        let free = ids_from(&wanted).find(|id| !is_taken(id));
        annotation.set("id", free.unwrap_or(wanted));
        annotation
    }

    /// What is known of a memory after this mention of it (P8): surer, once more mentioned, both sources kept.
    pub(crate) fn strengthened(&self, known: &Annotation) -> Annotation {
        let settings = &self.memory.config.confidence;
        let today = self.today;
        let parsed = |key: &str| known.get(key).and_then(|value| value.parse::<f64>().ok());
        let last = known.date("last").or(known.date("since")).unwrap_or(today);
        let stored = parsed("confidence").unwrap_or(settings.statement);
        let mentions = known.get("mentions").and_then(|mentions| mentions.parse::<u32>().ok()).unwrap_or(1);
        let mut annotation = known.clone();
        annotation.set("confidence", number(mentioned_again(stored, last, today, settings)));
        annotation.set("mentions", mentions.saturating_add(1).to_string());
        // A clock that went back makes nothing older.
        annotation.set("last", today.max(last).to_string());
        let mut sources: Vec<&str> =
            known.get("source").into_iter().flat_map(|known| known.split(", ")).collect();
        for source in self.annotation.get("source").unwrap_or_default().split(", ") {
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        annotation.set("source", sources.join(", "));
        if self.annotation.get("pinned").is_some() {
            annotation.set("pinned", "yes");
        }
        annotation
    }

    /// Whether it takes the place of something that an entity's file says.
    pub(crate) fn contradicts(&self, entity: &Entity) -> bool {
        self.fact_replaced_of(entity).is_some()
    }

    /// What it takes the place of in an entity's file.
    pub(crate) fn replaced_of(&self, entity: &Entity) -> Option<String> {
        self.fact_replaced_of(entity).map(|replaced| replaced.gone)
    }

    /// Ends the first fact of an entity whose place it takes, and gives that; the statement itself stands elsewhere.
    pub(crate) fn end_fact(&self, entity: &mut Entity) -> Result<Option<String>, PageError> {
        let Some(replaced) = self.fact_replaced_of(entity) else { return Ok(None) };
        self.end(entity, &replaced)?;
        Ok(Some(replaced.gone))
    }

    /// Ends a fact of an entity, but for what of it holds on.
    fn end(&self, entity: &mut Entity, replaced: &Replaced) -> Result<(), PageError> {
        entity.supersede_fact(&replaced.fact, self.today, self.text);
        let happened = format!("{} (before: {})", self.text, replaced.gone);
        entity.add_to_timeline(self.today, &happened, &self.only_for())?;
        match &replaced.left {
            Some(left) => entity.add_fact(left, &replaced.fact.annotation),
            None => Ok(()),
        }
    }

    fn fact_replaced_of(&self, entity: &Entity) -> Option<Replaced> {
        let is_like = |fact: &Fact| {
            fact.ended().is_none()
                && self.is_for_same(&fact.annotation)
                && !self.is_outdated_by(&fact.annotation)
                && self.may_replace(&fact.annotation, entity.is_pinned())
        };
        entity.facts().into_iter().filter(is_like).find_map(|fact| self.replaced_in_fact(fact))
    }

    /// What it takes the place of in a fact: all of it, or one of two things that it says.
    fn replaced_in_fact(&self, fact: Fact) -> Option<Replaced> {
        let replaces = |text: &String| self.compared_to(text) == Comparison::Replaces;
        if replaces(&fact.text) {
            return Some(Replaced { gone: fact.text.clone(), left: None, fact });
        }
        let [first, second] = halves(&fact.text)?;
        match (replaces(&first), replaces(&second)) {
            (true, false) => Some(Replaced { gone: first, left: Some(second), fact }),
            (false, true) => Some(Replaced { gone: second, left: Some(first), fact }),
            _ => None,
        }
    }

    /// Puts the statement among an entity's facts.
    pub(crate) fn add_fact(&self, entity: &mut Entity, id: &EntityId) -> Result<Written, PageError> {
        let mut annotation = self.annotation.clone();
        // The file is the memory: its facts have no ids of their own.
        annotation.remove("id");
        let id = format!("entity:{id}");
        let mut facts = entity.facts();
        facts.retain(|fact| fact.ended().is_none() && self.is_for_same(&fact.annotation));
        let compare = |fact: &Fact| self.compared_to(&fact.text);
        if let Some(fact) = facts.iter().find(|fact| compare(fact) == Comparison::Same) {
            if self.may_replace(&fact.annotation, entity.is_pinned()) && self.says_more_than(&fact.text) {
                entity.reword_fact(fact, self.text);
            }
            entity.annotate_fact(fact, &self.strengthened(&fact.annotation));
            return Ok(Written { id, effect: Effect::Merged, replaced: None });
        }
        let gives_way = |fact: &Fact| self.may_replace(&fact.annotation, entity.is_pinned());
        let old = facts.into_iter().filter(gives_way).find_map(|fact| self.replaced_in_fact(fact));
        if old.as_ref().is_some_and(|old| self.is_outdated_by(&old.fact.annotation)) {
            return Ok(Written { id, effect: Effect::Nothing, replaced: None });
        }
        if let Some(old) = &old {
            self.end(entity, old)?;
        }
        entity.add_fact(self.text, &annotation)?;
        let effect = if old.is_some() { Effect::Replaced } else { Effect::Added };
        Ok(Written { id, effect, replaced: old.map(|old| old.gone) })
    }
}

/// Replaces an entry of MEMORY.md in its own line, since every line there costs the agent's context; what was true before stands
/// in the comment.
pub(crate) fn in_place(page: &mut Page, index: usize, incoming: &Incoming<'_>) -> Result<(), PageError> {
    let old = page.items()[index].clone();
    let mut annotation = incoming.with_own_id(page);
    annotation.set("was", core::was(&old, incoming.today, &[&old.annotation]));
    if core::is_pinned(&old) {
        annotation.set("pinned", "yes");
    }
    page.set(index, &incoming.line(), &annotation);
    Ok(())
}

/// Strikes the old item through and adds the new one after it.
pub(crate) fn struck(page: &mut Page, index: usize, incoming: &Incoming<'_>) -> Result<(), PageError> {
    let old = page.items()[index].clone();
    page.supersede(index, incoming.today, incoming.text);
    let mut annotation = incoming.with_own_id(page);
    if core::is_pinned(&old) {
        annotation.set("pinned", "yes");
    }
    let section = old.section;
    page.add(&section, &incoming.line(), &annotation)
}

/// Strikes the old item through; the new one stands elsewhere.
pub(crate) fn struck_out(page: &mut Page, index: usize, incoming: &Incoming<'_>) -> Result<(), PageError> {
    page.supersede(index, incoming.today, incoming.text);
    Ok(())
}

/// A line without the day that it begins with.
pub(crate) fn undated(line: &str) -> &str {
    let dated = line.split_once(": ").filter(|(day, _)| day.parse::<Date>().is_ok());
    dated.map_or(line, |(_, text)| text)
}

/// An id, and what is taken in its place where somebody has it.
pub(crate) fn ids_from(wanted: &str) -> impl Iterator<Item = String> {
    std::iter::once(wanted.to_owned()).chain((2..).map(move |number| format!("{wanted}{number}")))
}

/// Six signs that tell an entry from the others of its page.
pub(crate) fn short_id(text: &str, now: DateTime) -> String {
    const SIGNS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let hash = blake3::hash(format!("{now}\n{text}").as_bytes());
    hash.as_bytes().iter().take(6).map(|byte| char::from(SIGNS[usize::from(byte % 32)])).collect()
}

pub(crate) fn number(value: f64) -> String {
    format!("{:.2}", value)
}

pub(crate) fn note(written: &Mutex<Option<Written>>, outcome: Written) {
    *written.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
}
