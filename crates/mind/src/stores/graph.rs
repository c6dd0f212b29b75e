//! The knowledge graph as it is asked: who or what something is, what held on a day, what is connected with it (K3, S10).

use std::time::SystemTime;

use jiff::civil::Date;
use rem_format::document::Document;
use rem_format::entity::{Entity, EntityId, EntityType};
use rem_format::path::MemoryPath;
use rem_format::relations::Vocabulary;
use rem_ledger::Store;
use rem_recall::{Asking, Connected, Index, NameMatch, Node};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::search::{is_blank, is_for_operator};

/// The most entities that a name may mean.
const ALIKE: usize = 6;

/// One thing that is true, or was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactShown {
    /// What is said.
    pub text: String,
    /// The day it is known since.
    pub since: Option<Date>,
    /// The day from which it no longer holds.
    pub superseded: Option<Date>,
    /// What took its place.
    pub by: Option<String>,
    /// How sure it is.
    pub confidence: Option<String>,
}

/// A connection as it reads from the entity that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Relation {
    /// The relation; its inverse where the connection begins at the other end and the vocabulary has a word for it.
    pub relation: String,
    /// The other end.
    pub other: String,
    /// Whether it is told from the other end and has no word of its own.
    pub inverted: bool,
    /// The connection as it is written.
    pub edge: Connected,
}

/// An entity with what is connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntityShown {
    /// Itself.
    pub entity: Node,
    /// Other names.
    pub aliases: Vec<String>,
    /// The entity that it became part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<String>,
    /// The day that is shown; none for now.
    pub at: Option<Date>,
    /// What holds, or held on that day.
    pub facts: Vec<FactShown>,
    /// Its own connections.
    pub relations: Vec<Relation>,
    /// Connections of what it is connected with, for two hops.
    pub further: Vec<Connected>,
    /// The entities among these that have more connections than `search.graph_breadth`: those used last are shown.
    pub capped: Vec<String>,
    /// The files with links to it.
    pub linked_from: Vec<String>,
    /// Other entities that the name may mean.
    pub others: Vec<Node>,
}

/// The most steps of a way between two entities.
const LONGEST_WAY: usize = 6;

/// How two entities are connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// Where it begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// The day that was asked for; none for now.
    pub at: Option<Date>,
    /// The connections in their order, each told in the direction of the way; `None` where there is no way of at most six.
    pub steps: Option<Vec<Step>>,
}

/// One step of a way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Where the step begins.
    pub from: String,
    /// The connection as it reads from there.
    #[serde(flatten)]
    pub relation: Relation,
}

impl Memory {
    /// The shortest connection between two entities, given by names or ids: what holds, or held on the day `at`, over what is for those
    /// who ask.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where nothing that they may know of has one of the names; [`MemoryError::Search`] where there can be no index.
    pub fn graph_path(
        &self,
        asking: &Asking,
        from: &str,
        to: &str,
        at: Option<Date>,
        observed_at: SystemTime,
    ) -> Result<Way, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let asking = &index.resolved(asking).map_err(search)?;
        let node = |name: &str| -> Result<Node, MemoryError> {
            let named = self.entities_known_to(asking, &index, name)?;
            named.into_iter().next().map(|(node, _)| node).ok_or_else(|| unnamed(name))
        };
        let (from, to) = (node(from)?, node(to)?);
        let edges =
            index.route(&from.id, &to.id, LONGEST_WAY, self.graph_breadth(), at, asking).map_err(search)?;
        let vocabulary = self.vocabulary()?;
        let steps = edges.map(|edges| {
            let mut here = from.id.clone();
            let step = |edge: Connected| {
                let relation = relation_of(&here, edge, &vocabulary);
                let from = std::mem::replace(&mut here, relation.other.clone());
                Step { from, relation }
            };
            edges.into_iter().map(step).collect()
        });
        Ok(Way { from, to, at, steps })
    }

    /// The entity that a name or an id means, as it is now or was on the day `at`.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where nothing has that name; [`MemoryError::Search`] where there can be no index.
    pub fn graph_show(
        &self,
        name: &str,
        at: Option<Date>,
        hops: usize,
        observed_at: SystemTime,
    ) -> Result<EntityShown, MemoryError> {
        self.graph_show_to(&Asking::default(), name, at, hops, observed_at)
    }

    /// As [`Self::graph_show`], on behalf of somebody: what is for others alone is left out, and an entity of which nothing else is
    /// known is not there.
    ///
    /// # Errors
    /// The same.
    pub fn graph_show_to(
        &self,
        asking: &Asking,
        name: &str,
        at: Option<Date>,
        hops: usize,
        observed_at: SystemTime,
    ) -> Result<EntityShown, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let asking = &index.resolved(asking).map_err(search)?;
        let mut named = self.entities_known_to(asking, &index, name)?;
        if named.is_empty() {
            return Err(unnamed(name));
        }
        let (entity, how) = named.remove(0);
        // Where the name itself is right, other spellings are other things.
        let others =
            named.into_iter().filter(|other| how == NameMatch::Spelling || other.1 <= NameMatch::Name);
        let parsed =
            Entity::parse(&self.seen_by(asking, &entity.path)?).map_err(|error| MemoryError::Usage {
                message: format!("{}: {error}", entity.path),
                hint: "mend the file by hand".to_owned(),
            })?;
        let held =
            |fact: &rem_format::entity::Fact| at.map_or(fact.ended().is_none(), |day| fact.held_on(day));
        let facts = parsed.facts().into_iter().filter(held).map(|fact| FactShown {
            since: fact.annotation.date("since"),
            superseded: fact.ended(),
            by: fact.annotation.get("by").map(str::to_owned),
            confidence: fact.annotation.get("confidence").map(str::to_owned),
            text: fact.text,
        });
        let vocabulary = self.vocabulary()?;
        let (all, capped) = index
            .connections(&entity.id, hops.clamp(1, 2), self.graph_breadth(), at, asking)
            .map_err(search)?;
        let (own, further): (Vec<Connected>, Vec<Connected>) =
            all.into_iter().partition(|edge| edge.from == entity.id || edge.to == entity.id);
        let linked_from = self.linked_from(&index, &entity.path, asking)?.into_iter().collect();
        Ok(EntityShown {
            linked_from,
            aliases: parsed.aliases(),
            merged_into: parsed.merged_into().map(|id| id.to_string()),
            at,
            facts: facts.collect(),
            relations: own.into_iter().map(|edge| relation_of(&entity.id, edge, &vocabulary)).collect(),
            further,
            capped,
            others: others.map(|(node, _)| node).collect(),
            entity,
        })
    }

    /// The most connections of one entity that are followed.
    fn graph_breadth(&self) -> usize {
        usize::try_from(self.config.search.graph_breadth).unwrap_or(usize::MAX)
    }

    /// A file as it is for those who ask; the operator has its very bytes, and what is about the memory itself alone.
    pub(crate) fn seen_by(&self, asking: &Asking, path: &str) -> Result<Vec<u8>, MemoryError> {
        let path = MemoryPath::new(path)?;
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        if asking.is_operator() {
            return Ok(bytes);
        }
        if is_for_operator(self.ledger.layout(), &path) {
            return Ok(Vec::new());
        }
        Ok(rem_recall::seen_by(&String::from_utf8_lossy(&bytes), asking).into_owned().into_bytes())
    }

    /// The entities that a name or an id may mean, surest first, of those that who asks may know of.
    pub(crate) fn entities_known_to(
        &self,
        asking: &Asking,
        index: &Index,
        name: &str,
    ) -> Result<Vec<(Node, NameMatch)>, MemoryError> {
        let named = index.entities_named(name, ALIKE).map_err(rem_recall::SearchError::from)?;
        let mut known = Vec::with_capacity(named.len());
        for (node, how) in named {
            if self.is_known_to(asking, index, &node)? {
                known.push((node, how));
            }
        }
        Ok(known)
    }

    /// Whether those who ask may know that there is this file: it says something to them, or hides nothing from them. Of an entity's file
    /// that is so where it is of the entity.
    pub(crate) fn may_know_of(
        &self,
        asking: &Asking,
        index: &Index,
        path: &MemoryPath,
    ) -> Result<bool, MemoryError> {
        if asking.is_operator() {
            return Ok(true);
        }
        if self.entity_at(path).is_some() {
            let node = self.entity_of_file(index, path)?;
            return node.map_or(Ok(false), |node| self.is_known_to(asking, index, &node));
        }
        let path = path.as_str();
        let (all, seen) = (self.seen_by(&Asking::default(), path)?, self.seen_by(asking, path)?);
        Ok(all == seen || says_something(&seen))
    }

    /// The entity whose file this is, as the index has it.
    pub(crate) fn entity_of_file(
        &self,
        index: &Index,
        path: &MemoryPath,
    ) -> Result<Option<Node>, MemoryError> {
        let Some(id) = self.entity_at(path) else { return Ok(None) };
        let named = index.entities_named(id.as_str(), 1).map_err(rem_recall::SearchError::from)?;
        Ok(named.into_iter().map(|(node, _)| node).find(|node| node.path == path.as_str()))
    }

    /// Whether those who ask may know that there is this entity: it says something to them, or hides nothing from them.
    pub(crate) fn is_known_to(
        &self,
        asking: &Asking,
        index: &Index,
        node: &Node,
    ) -> Result<bool, MemoryError> {
        if asking.is_operator() {
            return Ok(true);
        }
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let edges = |asking: &Asking| {
            index
                .connections(&node.id, 1, self.graph_breadth(), None, asking)
                .map(|(edges, _)| !edges.is_empty())
                .map_err(search)
        };
        let (all, seen) = (self.seen_by(&Asking::default(), &node.path)?, self.seen_by(asking, &node.path)?);
        if says_something(&seen) || edges(asking)? {
            return Ok(true);
        }
        Ok(all == seen && !edges(&Asking::default())?)
    }

    /// The entity that a name means: one there is, whatever its type and by whatever name it goes, else the one to be made. What the
    /// index knows is enough here; whatever was written since has the name it was written under.
    pub(crate) fn entity_of(
        &self,
        index: Option<&Index>,
        kind: EntityType,
        name: &str,
    ) -> Result<EntityId, MemoryError> {
        let wanted = EntityId::of(kind, name);
        let others =
            EntityType::ALL.into_iter().filter(|other| *other != kind).map(|other| EntityId::of(other, name));
        for id in std::iter::once(wanted.clone()).chain(others) {
            let file = self.entity_file(&id)?;
            if let Some(bytes) = self.ledger.read(&file)? {
                let merged = Entity::parse(&bytes).ok().and_then(|entity| entity.merged_into());
                return Ok(merged.unwrap_or(id));
            }
        }
        let mut named = index.and_then(|index| index.entities_named(name, 3).ok()).unwrap_or_default();
        // What was merged into another is no second meaning.
        if named.iter().any(|(node, _)| !node.archived) {
            named.retain(|(node, _)| !node.archived);
        }
        named.truncate(2);
        Ok(match &named[..] {
            // One thing goes by this name; of two neither is meant surely.
            [(node, NameMatch::Name)] | [(node, NameMatch::Name), (_, NameMatch::Spelling)] => {
                node.id.parse().unwrap_or(wanted)
            }
            // Pages that were there before any index are known by their names all the same.
            [] if !index.is_some_and(|index| index.has_entities().unwrap_or(false)) => {
                self.person_of_page(name)?.unwrap_or(wanted)
            }
            _ => wanted,
        })
    }

    /// The relations of this workspace.
    pub(crate) fn vocabulary(&self) -> Result<Vocabulary, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Relations))?.unwrap_or_default();
        Ok(Vocabulary::parse(&String::from_utf8_lossy(&bytes)))
    }
}

/// Whether a file says something besides front matter, headings and comments.
fn says_something(bytes: &[u8]) -> bool {
    !is_blank(&Document::parse(bytes).body_text())
}

fn unnamed(name: &str) -> MemoryError {
    MemoryError::usage(
        format!("nothing in the graph is called {name:?}"),
        "`rem recall NAME` searches everything that was said",
    )
}

fn relation_of(id: &str, edge: Connected, vocabulary: &Vocabulary) -> Relation {
    if edge.from == id {
        return Relation { relation: edge.relation.clone(), other: edge.to.clone(), inverted: false, edge };
    }
    let inverse = vocabulary.inverse(&edge.relation);
    Relation {
        relation: inverse.unwrap_or(&edge.relation).to_owned(),
        other: edge.from.clone(),
        inverted: inverse.is_none(),
        edge,
    }
}
