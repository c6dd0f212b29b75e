//! Entities that are one (K13): which may be, and making them one.
//!
//! A pair is proposed by its names alone and merged by a person. Merging is one change set: what the second file says goes to the
//! first, links that lead to the second lead to the first, and the second file stays, archived, with a note of where it went,
//! so that old links and old ids still arrive.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use rem_format::annotation::Annotation;
use rem_format::audit::{Action, Actor, Approval};
use rem_format::document::{Document, DocumentError};
use rem_format::entity::{Entity, EntityId};
use rem_format::link;
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet, Provenance};
use rem_recall::{Addressees, Connected, Index, Node};
use serde::Serialize;

use super::statement::{Comparison, Statement};
use crate::error::MemoryError;
use crate::memory::Memory;

/// Names with this share of words in common may mean one thing (Jaccard).
const ALIKE: f64 = 0.6;
/// A word that more entities have tells nothing.
const COMMON: usize = 100;

/// Two entities that may be one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Duplicate {
    /// The one that is kept.
    pub keep: Node,
    /// The one that would become part of it.
    pub other: Node,
    /// The share of words their names have in common.
    pub alike: f64,
}

/// The graph as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graph {
    /// Every entity that is in use.
    pub nodes: Vec<Node>,
    /// Every edge that holds.
    pub edges: Vec<Connected>,
}

impl Memory {
    /// Pairs of entities of one type whose names are alike, the surest first.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index.
    pub fn graph_duplicates(&self, observed_at: SystemTime) -> Result<Vec<Duplicate>, MemoryError> {
        Ok(duplicates_among(&self.graph(observed_at)?.nodes))
    }

    /// Makes `other` part of `keep`, given by id.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where one of them is not there or both are the same, or as [`rem_ledger::Ledger::apply`].
    pub fn graph_merge(
        &self,
        keep: &str,
        other: &str,
        observed_at: SystemTime,
    ) -> Result<Applied, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let set = self.merge_set(&index, keep, other)?;
        let trigger = format!("rem graph merge {keep} {other}");
        let provenance = Provenance::new(Actor::Manual, Approval::Approved, trigger);
        self.change(set, &provenance)
    }

    /// The change that makes `other` part of `keep`.
    pub(crate) fn merge_set(
        &self,
        index: &Index,
        keep: &str,
        other: &str,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let node = |id: &str| -> Result<Node, MemoryError> {
            let found = index.entities_named(id, 1).map_err(search)?;
            found.into_iter().next().map(|(node, _)| node).ok_or_else(|| missing(id))
        };
        let (keep, other) = (node(keep)?, node(other)?);
        if keep.id == other.id {
            return Err(MemoryError::usage(
                "an entity cannot become part of itself",
                "name two different ones",
            ));
        }
        if keep.archived {
            return Err(MemoryError::usage(
                format!("{} is out of use: what became part of it would be out of sight", keep.id),
                "name the one that is in use first",
            ));
        }
        let (kept_path, other_path) = (MemoryPath::new(&keep.path)?, MemoryPath::new(&other.path)?);
        let bytes = self.ledger.read(&other_path)?.ok_or_else(|| missing(&other.id))?;
        let absorbed = Entity::parse(&bytes)
            .map_err(|error| MemoryError::usage(format!("{other_path}: {error}"), "mend the file by hand"))?;
        let whole = |bytes: &[u8]| Addressees::of_file(&String::from_utf8_lossy(bytes));
        if whole(&bytes) != whole(&self.ledger.read(&kept_path)?.unwrap_or_default()) {
            return Err(MemoryError::usage(
                "the two files are for different people",
                "merging would show one what is for the other: change `for` in one of them first",
            ));
        }
        let today = self.today();
        let (kept_id, other_id) = (keep.id.clone(), other.id.clone());
        let mut set = ChangeSet::new()
            .edit(kept_path.clone(), format!("takes in {other_id}"), {
                let (kept_id, other_id) = (kept_id.clone(), other_id.clone());
                move |found| {
                    let mut entity = Entity::parse(found.unwrap_or_default())?;
                    absorb(&mut entity, &absorbed, &kept_id, &other_id)?;
                    entity.set_updated(today)?;
                    let bytes = with_front_matter(entity.into_bytes(), absorbed.page().as_str().as_bytes())?;
                    Ok(Some(relinked(&bytes, &other_id, &kept_id)))
                }
            })
            .action(&kept_path, Action::Merge)
            .edit(other_path.clone(), format!("merged into {kept_id}"), {
                let kept_id = kept_id.clone();
                move |found| match found {
                    Some(now) if now == bytes => {
                        let mut entity = Entity::parse(now)?;
                        entity.set_header("Status", "archived");
                        entity.set_header("Merged into", kept_id.clone());
                        Ok(Some(entity.into_bytes()))
                    }
                    _ => Err("it changed meanwhile: try again".into()),
                }
            })
            .action(&other_path, Action::Merge);
        let sources: BTreeSet<String> = index
            .edges()
            .map_err(search)?
            .into_iter()
            .filter(|edge| edge.to == other_id && edge.from != kept_id && edge.from != other_id)
            .map(|edge| edge.from)
            .collect();
        for source in sources {
            let (path, from, to) = (MemoryPath::new(node(&source)?.path)?, other_id.clone(), kept_id.clone());
            set = set.edit(path, format!("links to {to}"), move |found| {
                Ok(Some(relinked(found.unwrap_or_default(), &from, &to)))
            });
        }
        if let (Ok(gone), Ok(kept)) = (other_id.parse(), kept_id.parse()) {
            set = self.with_merged_in_people_list(set, gone, kept, keep.label)?;
        }
        Ok(set)
    }

    /// The graph as it is now.
    ///
    /// # Errors
    /// [`MemoryError::Search`] where there can be no index.
    pub fn graph(&self, observed_at: SystemTime) -> Result<Graph, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        let mut nodes = index.entities().map_err(search)?;
        nodes.retain(|node| !node.archived);
        let known: BTreeSet<&str> = nodes.iter().map(|node| node.id.as_str()).collect();
        let mut edges = index.edges().map_err(search)?;
        edges.retain(|edge| edge.ended.is_none() && known.contains(edge.from.as_str()));
        Ok(Graph { nodes, edges })
    }
}

/// Pairs of these entities that may be one, the surest first.
pub(crate) fn duplicates_among(nodes: &[Node]) -> Vec<Duplicate> {
    let words: Vec<BTreeSet<String>> = nodes.iter().map(|node| words_of(&node.label)).collect();
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, words) in words.iter().enumerate() {
        words.iter().for_each(|word| holders.entry(word).or_default().push(at));
    }
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    for holders in holders.values().filter(|holders| holders.len() <= COMMON) {
        for (place, one) in holders.iter().enumerate() {
            pairs.extend(holders[place + 1..].iter().map(|other| (*one, *other)));
        }
    }
    let kind = |node: &Node| node.id.split("--").next().unwrap_or_default().to_owned();
    let mut found: Vec<Duplicate> = Vec::new();
    for (one, other) in pairs {
        #[allow(clippy::cast_precision_loss, reason = "a name has few words")]
        let alike = words[one].intersection(&words[other]).count() as f64
            / words[one].union(&words[other]).count() as f64;
        // One shared word of two is a family name.
        let is_enough =
            alike >= ALIKE && (alike > 0.99 || words[one].intersection(&words[other]).count() > 1);
        if is_enough && kind(&nodes[one]) == kind(&nodes[other]) {
            // The longer name says more.
            let (keep, other) =
                if nodes[one].label.len() >= nodes[other].label.len() { (one, other) } else { (other, one) };
            found.push(Duplicate { keep: nodes[keep].clone(), other: nodes[other].clone(), alike });
        }
    }
    found.sort_by(|one, other| other.alike.total_cmp(&one.alike).then_with(|| one.keep.cmp(&other.keep)));
    found
}

/// Takes over what `other` says and `entity` does not.
fn absorb(
    entity: &mut Entity,
    other: &Entity,
    kept_id: &str,
    other_id: &str,
) -> Result<(), rem_format::page::PageError> {
    other.label().iter().chain(&other.aliases()).for_each(|name| {
        if entity.label().as_ref() != Some(name) {
            entity.add_alias(name);
        }
    });
    for fact in other.facts() {
        let statement = Statement::new(&fact.text);
        let is_known = entity.facts().iter().any(|known| {
            known.ended() == fact.ended()
                && Addressees::of_annotation(&known.annotation) == Addressees::of_annotation(&fact.annotation)
                && statement.compared_to(&Statement::new(&known.text)) == Comparison::Same
        });
        if !is_known {
            let text = if fact.ended().is_some() { format!("~~{}~~", fact.text) } else { fact.text };
            entity.add_fact(&text, &fact.annotation)?;
        }
    }
    for item in
        other.page().items_in(rem_format::entity::TIMELINE).map(|(_, item)| item.clone()).collect::<Vec<_>>()
    {
        entity.add_timeline_line(&item.text, &item.annotation)?;
    }
    for edge in other
        .edges()
        .into_iter()
        .filter(|edge| edge.to != kept_id && edge.to != other_id && edge.ended().is_none())
    {
        if let Ok(to) = edge.to.parse::<EntityId>() {
            entity.set_edge(&edge.relation, &to, &edge.annotation)?;
        }
    }
    entity.take_in_prose(other)?;
    entity.take_in_header(other);
    // What is known of where it came from.
    let from = Annotation::new().with("merged", other_id);
    entity.add_fact(&format!("Also known as {}", other.label().unwrap_or_else(|| other_id.to_owned())), &from)
}

/// A file with the keys of another's front matter that its own does not have.
fn with_front_matter(bytes: Vec<u8>, other: &[u8]) -> Result<Vec<u8>, DocumentError> {
    let mut document = Document::parse(&bytes);
    let known = document.entries()?;
    for (key, value) in Document::parse(other).entries()? {
        // A name of the other's is another name by now.
        if key != "name" && !known.iter().any(|(name, _)| *name == key) {
            document.set(&key, &value)?;
        }
    }
    Ok(document.render())
}

/// A file whose links to one entity lead to another.
fn relinked(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let from = link::key(from);
    link::relinked(file, |target| (link::key(target) == from).then(|| to.to_owned()))
}

/// The words of a name, without the number at a word's end: OAuth2 is OAuth.
fn words_of(name: &str) -> BTreeSet<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
    let bare = |word: &str| {
        let bare = word.trim_end_matches(|each: char| each.is_ascii_digit());
        if bare.chars().count() > 1 { bare.to_owned() } else { word.to_owned() }
    };
    words.map(bare).collect()
}

fn missing(id: &str) -> MemoryError {
    MemoryError::usage(
        format!("nothing in the graph is called {id:?}"),
        "`rem graph duplicates` lists pairs that may be one",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_led_elsewhere_and_longer_names_are_left() {
        let text = b"[[a--b]] [[A--b|x]] [[a--b.md#y]] [[a--bc]] a--b `[[a--b]]`";
        let led: &[u8] = b"[[a--c]] [[a--c|x]] [[a--c#y]] [[a--bc]] a--b `[[a--b]]`";
        assert_eq!(relinked(text, "a--b", "a--c"), led);
        assert_eq!(words_of("OAuth2 PKCE flow"), words_of("oauth pkce flow"));
    }
}
