//! One thing the memory knows: its file in the knowledge graph (seed M6.2).
//!
//! A page with a summary, facts, a timeline, open questions and relations; facts and relations carry their dates and how sure
//! they are in trailing comments. Edges live here and nowhere else (resolution 9). A fact that is no longer true is struck
//! through and says since when and by what; nothing is taken out. Must not know which other entities exist.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::annotation::Annotation;
use crate::document::{Document, Value};
use crate::link;
use crate::page::{Item, Page, PageError};
use crate::slug::slug;

/// The headings of an entity file.
pub const FACTS: &str = "Facts";
/// What happened to it, by day.
pub const TIMELINE: &str = "Timeline";
/// What it is connected with.
pub const RELATIONS: &str = "Relations";

/// The key of the day of the last change.
const LAST_UPDATED: &str = "Last updated";

/// What an entity is (M8.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the seed's words say it")]
pub enum EntityType {
    Person,
    Project,
    Concept,
    Tool,
    Place,
}

impl EntityType {
    /// Every type.
    pub const ALL: [Self; 5] = [Self::Person, Self::Project, Self::Concept, Self::Tool, Self::Place];

    /// Its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Project => "project",
            Self::Concept => "concept",
            Self::Tool => "tool",
            Self::Place => "place",
        }
    }
}

impl fmt::Display for EntityType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The id of an entity, which is also the stem of its file: `person--alex`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct EntityId(String);

impl EntityId {
    /// The id that a thing of this type and name has. A name without a letter or digit is spelt by its characters' numbers.
    #[must_use]
    pub fn of(kind: EntityType, name: &str) -> Self {
        let slug = slug(name).unwrap_or_else(|| {
            let codes: Vec<String> =
                name.trim().chars().take(8).map(|each| format!("u{:x}", u32::from(each))).collect();
            if codes.is_empty() { "nameless".to_owned() } else { codes.join("-") }
        });
        Self(format!("{kind}--{slug}"))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The word before the two hyphens; not every file's is an [`EntityType`].
    #[must_use]
    pub fn kind(&self) -> &str {
        self.0.split_once("--").map_or("", |(kind, _)| kind)
    }

    /// What is left of the name.
    #[must_use]
    pub fn slug(&self) -> &str {
        self.0.split_once("--").map_or("", |(_, slug)| slug)
    }

    /// The name of its file.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.md", self.0)
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for EntityId {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.strip_prefix("entity:").unwrap_or(text).trim();
        match text.split_once("--") {
            Some((kind, name))
                if !kind.is_empty() && !name.is_empty() && !text.contains(['/', '\\', '[', ']', '|']) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err(format!("{text:?} is no entity: TYPE--NAME, as person--alex")),
        }
    }
}

/// A connection from this entity to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The relation as the vocabulary has it: `works-at`.
    pub relation: String,
    /// The other end, as it is linked.
    pub to: String,
    /// How sure, since when, last used when.
    pub annotation: Annotation,
    /// Its line, from 1.
    pub line: usize,
    /// Which item of the page it stands in.
    item: usize,
}

impl Edge {
    /// Since when it no longer holds.
    #[must_use]
    pub fn ended(&self) -> Option<Date> {
        self.annotation.date("superseded")
    }
}

/// Something that is true of the entity, or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// What is said.
    pub text: String,
    /// How sure, since when, from where.
    pub annotation: Annotation,
    /// Which item of the page it is.
    pub item: usize,
}

impl Fact {
    /// Since when it no longer holds.
    #[must_use]
    pub fn ended(&self) -> Option<Date> {
        self.annotation.date("superseded")
    }

    /// Whether it held on a day: from the day it is known since until the day it was superseded. Without dates it always held.
    #[must_use]
    pub fn held_on(&self, day: Date) -> bool {
        self.annotation.date("since").is_none_or(|since| since <= day)
            && self.ended().is_none_or(|end| day < end)
    }
}

/// An entity file, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    page: Page,
}

impl Entity {
    /// A new file.
    #[must_use]
    pub fn new(id: &EntityId, label: &str, today: Date) -> Self {
        let header = Annotation::new()
            .with("Type", id.kind())
            .with("Label", label.trim())
            .with("Created", today.to_string())
            .with(LAST_UPDATED, today.to_string());
        let text = format!(
            "# {id}\n\n{header}\n\n## Summary\n\n## {FACTS}\n\n## {TIMELINE}\n\n## Open Questions\n\n## {RELATIONS}\n"
        );
        // What was just written is UTF-8.
        Self { page: Page::parse(text.as_bytes()).unwrap_or_else(|_| unreachable!("a String is UTF-8")) }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`PageError`] where it cannot be changed; it is still found as text.
    pub fn parse(bytes: &[u8]) -> Result<Self, PageError> {
        Page::parse(bytes).map(|page| Self { page })
    }

    /// The file's bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.page.into_bytes()
    }

    /// The page itself.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The name a person reads: the label, else the name in the front matter (A2.2), else the title, of an id what follows its type.
    #[must_use]
    pub fn label(&self) -> Option<String> {
        let title = || {
            let title = self.page.title()?;
            Some(title.split_once("--").map_or_else(|| title.to_owned(), |(_, name)| name.replace('-', " ")))
        };
        let label = self.page.header().get("label").map(str::to_owned);
        label.or_else(|| self.said_in_front("name").into_iter().next()).or_else(title)
    }

    /// Other names it goes by, those in the front matter last.
    #[must_use]
    pub fn aliases(&self) -> Vec<String> {
        let header = self.page.header();
        let own = header.get("aliases").unwrap_or_default().split(',').map(|alias| alias.trim().to_owned());
        let mut aliases: Vec<String> = Vec::new();
        for alias in own.chain(self.said_in_front("aliases")) {
            if !alias.is_empty() && !aliases.contains(&alias) {
                aliases.push(alias);
            }
        }
        aliases
    }

    /// What a key of the front matter says, one text or a list of them.
    fn said_in_front(&self, key: &str) -> Vec<String> {
        let said = match Document::parse(self.page.as_str().as_bytes()).get(key) {
            Ok(Some(Value::List(values))) => values.iter().filter_map(Value::to_text).collect(),
            Ok(Some(value)) => value.to_text().into_iter().collect(),
            _ => Vec::new(),
        };
        said.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
    }

    /// Adds another name; commas cannot stand in one.
    pub fn add_alias(&mut self, alias: &str) {
        let alias = alias.replace(',', " ");
        let mut aliases = self.aliases();
        if !alias.trim().is_empty() && !aliases.iter().any(|known| known == alias.trim()) {
            aliases.push(alias.trim().to_owned());
            self.page.set_header("Aliases", aliases.join(", "));
        }
    }

    /// The entity that took this one's place (`rem graph merge`).
    #[must_use]
    pub fn merged_into(&self) -> Option<EntityId> {
        self.page.header().get("merged into").and_then(|id| id.parse().ok())
    }

    /// Whether it never fades.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        self.page.is_pinned()
    }

    /// Sets a key of the comments under the title.
    pub fn set_header(&mut self, key: &str, value: impl Into<String>) {
        self.page.set_header(key, value);
    }

    /// Notes that it was changed on a day, unless it says a later one: in the front matter where that says when (A2.2), else under the title where the program keeps
    /// its dates. A page that a person wrote gets no date, since what has one fades.
    ///
    /// # Errors
    /// [`PageError`] where the page could not be read any more.
    pub fn set_updated(&mut self, day: Date) -> Result<(), PageError> {
        let mut document = Document::parse(self.page.as_str().as_bytes());
        let in_front = match document.get("updated").ok().flatten() {
            Some(Value::Text(day)) => day.parse().ok(),
            _ => None,
        };
        let day =
            in_front.or(self.page.header().date(LAST_UPDATED)).map_or(day, |known: Date| known.max(day));
        if document.get("updated").is_ok_and(|updated| updated.is_some())
            && document.set("updated", &Value::Text(day.to_string())).is_ok()
        {
            self.page = Page::parse(&document.render())?;
            return Ok(());
        }
        let header = self.page.header();
        if ["type", "created", LAST_UPDATED].iter().any(|key| header.get(key).is_some()) {
            self.page.set_header(LAST_UPDATED, day.to_string());
        }
        Ok(())
    }

    /// What it says besides facts, timeline and relations: prose and sections of a person's own. Empty where it says nothing.
    #[must_use]
    pub fn prose(&self) -> String {
        let mut prose = Page::default();
        // What cannot be taken apart is shown as it is.
        match prose.take_in(&self.page, is_known_item) {
            Ok(()) => prose.as_str().trim().to_owned(),
            Err(_) => Document::parse(self.page.as_str().as_bytes()).body_text().trim().to_owned(),
        }
    }

    /// What is and was true of it, in the order of the file.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        self.page
            .items_in(FACTS)
            .map(|(item, found)| Fact {
                text: found.plain().to_owned(),
                annotation: found.annotation.clone(),
                item,
            })
            .collect()
    }

    /// Adds a fact.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn add_fact(&mut self, text: &str, annotation: &Annotation) -> Result<(), PageError> {
        self.page.add(FACTS, text, annotation)
    }

    /// Changes what is known of a fact.
    pub fn annotate_fact(&mut self, fact: &Fact, annotation: &Annotation) {
        if let Some(item) = self.page.items().get(fact.item) {
            let text = item.text.clone();
            self.page.set(fact.item, &text, annotation);
        }
    }

    /// Says a fact in other words; what is known of it stays.
    pub fn reword_fact(&mut self, fact: &Fact, text: &str) {
        if let Some(item) = self.page.items().get(fact.item) {
            let annotation = item.annotation.clone();
            self.page.set(fact.item, text, &annotation);
        }
    }

    /// Strikes a fact through: no longer true since `day`, because of `by`.
    pub fn supersede_fact(&mut self, fact: &Fact, day: Date, by: &str) {
        self.page.supersede(fact.item, day, by);
    }

    /// The edges that begin here, those that ended included.
    #[must_use]
    pub fn edges(&self) -> Vec<Edge> {
        let of_item = |(item, found): (usize, &Item)| {
            let text = found.plain().to_owned();
            let Some((relation, rest)) = text.split_once(':') else { return Vec::new() };
            let relation = slug(relation).unwrap_or_else(|| "relates-to".to_owned());
            link::links(rest.as_bytes())
                .into_iter()
                .map(|found| found.target_in(rest.as_bytes()))
                .filter(|to| !to.is_empty())
                .map(|to| Edge {
                    relation: relation.clone(),
                    to: to.strip_prefix("entity:").unwrap_or(to).trim_end_matches(".md").to_owned(),
                    annotation: found.annotation.clone(),
                    line: found.lines.start,
                    item,
                })
                .collect()
        };
        self.page.items_in(RELATIONS).flat_map(of_item).collect()
    }

    /// Adds an edge, or says anew what is known of the one there is. One that is for others is another.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn set_edge(
        &mut self,
        relation: &str,
        to: &EntityId,
        annotation: &Annotation,
    ) -> Result<(), PageError> {
        let known = self.edges().into_iter().find(|edge| {
            let is_for_same = edge.annotation.get("for") == annotation.get("for");
            edge.relation == relation && edge.to == to.as_str() && edge.ended().is_none() && is_for_same
        });
        match known.and_then(|edge| Some((edge.item, self.page.items().get(edge.item)?.clone()))) {
            Some((item, found)) => {
                let mut changed = found.annotation.clone();
                annotation.entries().for_each(|(key, value)| changed.set(key, value));
                // Since when it is known stays.
                if let Some(first) = found.annotation.get("first-seen") {
                    changed.set("first-seen", first);
                }
                self.page.set(item, &found.text, &changed);
                Ok(())
            }
            None => self.page.add(RELATIONS, &format!("{relation}: [[{to}]]"), annotation),
        }
    }

    /// Changes what is known of an edge.
    pub fn annotate_edge(&mut self, edge: &Edge, annotation: &Annotation) {
        if let Some(item) = self.page.items().get(edge.item) {
            let text = item.text.clone();
            self.page.set(edge.item, &text, annotation);
        }
    }

    /// Ends the edges that are over.
    pub fn end_edges(&mut self, day: Date, is_over: impl Fn(&Edge) -> bool) {
        for edge in self.edges() {
            if edge.ended().is_none()
                && is_over(&edge)
                && let Some(item) = self.page.items().get(edge.item).cloned()
            {
                let annotation = edge.annotation.with("superseded", day.to_string());
                self.page.set(edge.item, &item.text, &annotation);
            }
        }
    }

    /// Has edges hold again that ended.
    pub fn open_edges(&mut self, holds_again: impl Fn(&Edge) -> bool) {
        for edge in self.edges() {
            if edge.ended().is_some()
                && holds_again(&edge)
                && let Some(item) = self.page.items().get(edge.item).cloned()
            {
                let mut annotation = edge.annotation.clone();
                annotation.remove("superseded");
                self.page.set(edge.item, &item.text, &annotation);
            }
        }
    }

    /// Takes out edges that lead to the entity itself, and makes one of those that say the same, with what `united` makes of what is known of
    /// both. A line with links to several others stays.
    pub fn unite_edges(&mut self, id: &EntityId, united: impl Fn(&Annotation, &Annotation) -> Annotation) {
        loop {
            let edges = self.edges();
            let is_alone = |edge: &Edge| edges.iter().filter(|other| other.item == edge.item).count() == 1;
            if let Some(edge) = edges.iter().find(|edge| edge.to == id.as_str() && is_alone(edge)) {
                self.page.remove(edge.item);
                continue;
            }
            let is_same = |one: &Edge, other: &Edge| {
                one.relation == other.relation
                    && one.to == other.to
                    && one.ended() == other.ended()
                    && ["for", "note"].iter().all(|key| one.annotation.get(key) == other.annotation.get(key))
            };
            let pair = edges.iter().enumerate().find_map(|(at, one)| {
                let mut later = edges[at + 1..].iter();
                Some((
                    one,
                    later.find(|other| is_same(one, other) && other.item != one.item && is_alone(other))?,
                ))
            });
            let Some((one, other)) = pair else { return };
            let text = self.page.items()[one.item].text.clone();
            let annotation = united(&one.annotation, &other.annotation);
            let (kept, gone) = (one.item, other.item);
            self.page.set(kept, &text, &annotation);
            self.page.remove(gone);
        }
    }

    /// Takes in what another file says besides facts, timeline and edges that hold: its prose, its own sections, and what its relations
    /// say that is no edge or that ended.
    ///
    /// # Errors
    /// As [`Page::take_in`].
    pub fn take_in_prose(&mut self, other: &Self) -> Result<(), PageError> {
        self.page.take_in(&other.page, is_known_item)?;
        let edges = other.edges();
        for (at, item) in other.page.items_in(RELATIONS) {
            let holds = edges.iter().any(|edge| edge.item == at && edge.ended().is_none());
            if !holds && !self.page.items_in(RELATIONS).any(|(_, known)| known.text == item.text) {
                self.page.add(RELATIONS, &item.text, &item.annotation)?;
            }
        }
        Ok(())
    }

    /// Takes over what the comments under another title say and this one's do not: a pin, and keys that a person added.
    pub fn take_in_header(&mut self, other: &Self) {
        const OWN: [&str; 9] = [
            "type",
            "label",
            "aliases",
            "created",
            "last updated",
            "status",
            "merged into",
            "decay score",
            "access count",
        ];
        let known = self.page.header();
        for (key, value) in other.page.header().entries() {
            let is_pin = key.eq_ignore_ascii_case("pinned") && other.is_pinned();
            if is_pin || known.get(key).is_none() && !OWN.contains(&key.to_lowercase().as_str()) {
                self.page.set_header(key, value);
            }
        }
    }

    /// Says what happened on a day.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn add_to_timeline(
        &mut self,
        day: Date,
        text: &str,
        annotation: &Annotation,
    ) -> Result<(), PageError> {
        self.add_timeline_line(&format!("{day}: {}", text.trim()), annotation)
    }

    /// Adds a line of another timeline, unless it is there.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn add_timeline_line(&mut self, line: &str, annotation: &Annotation) -> Result<(), PageError> {
        let is_known = |item: &Item| item.text == line && item.annotation.get("for") == annotation.get("for");
        if self.page.items_in(TIMELINE).any(|(_, item)| is_known(item)) {
            return Ok(());
        }
        self.page.add(TIMELINE, line, annotation)
    }
}

/// Whether an item is one that an entity keeps: a fact, what happened on a day, a relation.
fn is_known_item(item: &Item) -> bool {
    [FACTS, TIMELINE, RELATIONS].iter().any(|section| section.eq_ignore_ascii_case(&item.section))
}

#[cfg(test)]
mod tests;
