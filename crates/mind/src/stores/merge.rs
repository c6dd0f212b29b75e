//! Entities that are one (K13): which may be, and making them one.
//!
//! A pair is proposed by its names alone and merged by a person. Merging is one change set: what the second file says goes to the
//! first, links that lead to the second lead to the first, and the second file stays, archived, with a note of where it went,
//! so that old links and old ids still arrive.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::audit::Action;
use rem_format::document::{Document, DocumentError};
use rem_format::entity::{Edge, Entity, EntityId, Fact};
use rem_format::link::{self, Form};
use rem_format::path::MemoryPath;
use rem_ledger::{Applied, ChangeSet};
use rem_recall::{Addressees, Connected, Index, NameMatch, Node};
use serde::Serialize;
use unicode_normalization::UnicodeNormalization as _;

use super::edges::{Ending, end_edges_of};
use super::renaming::{FileTargets, Targets};
use super::statement::{Comparison, Statement};
use crate::error::MemoryError;
use crate::memory::Memory;

/// Names with this share of words in common may mean one thing (Jaccard).
const ALIKE: f64 = 0.6;
/// So many that a name may mean are looked at.
const ALIKE_NAMED: usize = 8;
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

    /// Makes `other` part of `keep`, given by ids or by names as they are written. Where it is part of it already nothing changes.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where one of them is not there, is only called nearly so, is out of use, or is of another type, and where
    /// both are the same; or as [`rem_ledger::Ledger::apply`].
    pub fn graph_merge(
        &self,
        keep: &str,
        other: &str,
        observed_at: SystemTime,
    ) -> Result<Applied, MemoryError> {
        self.graph_merge_of(keep, other, false, observed_at)
    }

    /// The same; `across_types` for two that are of different types.
    ///
    /// # Errors
    /// The same.
    pub fn graph_merge_of(
        &self,
        keep: &str,
        other: &str,
        across_types: bool,
        observed_at: SystemTime,
    ) -> Result<Applied, MemoryError> {
        let index = self.refreshed_index(observed_at)?;
        let set = self.merge_set_of(&index, keep, other, across_types)?;
        let trigger = format!("rem graph merge {keep} {other}");
        self.change(set, &self.asked_for(trigger))
    }

    /// The change that makes `other` part of `keep`, two of one type.
    pub(crate) fn merge_set(
        &self,
        index: &Index,
        keep: &str,
        other: &str,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        self.merge_set_of(index, keep, other, false)
    }

    /// The entities that have exactly this name or id, those in use first; refused where none has.
    fn exactly_named(&self, index: &Index, name: &str) -> Result<Vec<Node>, MemoryError> {
        let named = index.entities_named(name, ALIKE_NAMED).map_err(rem_recall::SearchError::from)?;
        let exact: Vec<Node> = named
            .iter()
            .filter(|(_, how)| *how != NameMatch::Spelling)
            .map(|(node, _)| node.clone())
            .collect();
        if !exact.is_empty() {
            return Ok(exact);
        }
        match named.first() {
            Some((node, _)) => Err(MemoryError::usage(
                format!(
                    "nothing in the graph is called {name:?}; did you mean {} ({})?",
                    node.label, node.id
                ),
                "merging guesses no names: give the id, or the name as it is written",
            )),
            None => Err(missing(name)),
        }
    }

    /// The one that is meant by a name among those that have it.
    fn one_named(name: &str, nodes: &[Node]) -> Result<Node, MemoryError> {
        let meant = |node: &&Node| node.id == name.trim().trim_start_matches("entity:");
        if let Some(node) = nodes.iter().find(meant) {
            return Ok(node.clone());
        }
        let in_use: Vec<&Node> = nodes.iter().filter(|node| !node.archived).collect();
        match (&in_use[..], nodes) {
            ([node], _) => Ok((*node).clone()),
            ([], [node, ..]) => Ok(node.clone()),
            ([], []) => Err(missing(name)),
            (several, _) => {
                let ids: Vec<&str> = several.iter().map(|node| node.id.as_str()).collect();
                Err(MemoryError::usage(
                    format!("several are called {name:?}: {}", ids.join(", ")),
                    "give the id",
                ))
            }
        }
    }

    fn merge_set_of(
        &self,
        index: &Index,
        keep: &str,
        other: &str,
        across_types: bool,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let keep = Self::one_named(keep, &self.exactly_named(index, keep)?)?;
        let others = self.exactly_named(index, other)?;
        // What is part of it already is called the same by now.
        let went = |node: &Node| -> Result<Option<EntityId>, MemoryError> {
            let bytes = self.ledger.read(&MemoryPath::new(&node.path)?)?.unwrap_or_default();
            Ok(Entity::parse(&bytes).ok().and_then(|entity| entity.merged_into()))
        };
        for node in others.iter().filter(|node| node.archived) {
            if went(node)?.is_some_and(|id| id.as_str() == keep.id) {
                let same = |found: Option<&[u8]>| Ok(found.map(<[u8]>::to_vec));
                return Ok(ChangeSet::new().edit(
                    MemoryPath::new(&node.path)?,
                    "is part of it already",
                    same,
                ));
            }
        }
        let other = Self::one_named(other, &others)?;
        if keep.id == other.id {
            return Err(MemoryError::usage(
                "an entity cannot become part of itself",
                "name two different ones",
            ));
        }
        if let Some(node) = [&keep, &other].into_iter().find(|node| node.archived) {
            return Err(match went(node)? {
                Some(id) => MemoryError::usage(format!("{} is part of {id}", node.id), format!("name {id}")),
                None => MemoryError::usage(
                    format!(
                        "{} is out of use: what it says was forgotten, and what became part of it would be out of sight",
                        node.id
                    ),
                    "name two that are in use",
                ),
            });
        }
        let kind = |node: &Node| node.id.split("--").next().unwrap_or_default().to_owned();
        if kind(&keep) != kind(&other) && !across_types {
            return Err(MemoryError::usage(
                format!("{} is a {}, and {} is a {}", keep.id, kind(&keep), other.id, kind(&other)),
                "if they are one all the same, say so with --across-types",
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
                    absorb(&mut entity, &absorbed, &kept_id, &other_id, today)?;
                    entity.set_updated(today)?;
                    let bytes = with_front_matter(entity.into_bytes(), absorbed.page().as_str().as_bytes())?;
                    with_one_edge_each(&relinked(&bytes, &other_id, &kept_id), &kept_id).map(Some)
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
        set = self.with_links_led(set, index, (&other_id, &other_path), (&kept_id, &kept_path))?;
        if let (Ok(gone), Ok(kept)) = (other_id.parse(), kept_id.parse()) {
            set = self.with_merged_in_people_list(set, gone, kept, keep.label)?;
        }
        Ok(set)
    }

    /// The same change, with every link to one entity, by its id and file, led to another.
    pub(crate) fn with_links_led(
        &self,
        mut set: ChangeSet<'static>,
        index: &Index,
        (other_id, other_path): (&str, &MemoryPath),
        (kept_id, kept_path): (&str, &MemoryPath),
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let search = |error| MemoryError::Search(rem_recall::SearchError::Index(error));
        // Every link to it, however it is written, leads to the first; what must not be changed arrives over the old file.
        let places = self.places(index)?;
        let mut sources: Targets = BTreeMap::new();
        for edge in index.edges().map_err(search)?.into_iter().filter(|edge| edge.to == other_id) {
            let named = index.entities_named(&edge.from, 1).map_err(search)?;
            sources.extend(named.into_iter().map(|(node, _)| (node.path, FileTargets::default())));
        }
        for link in index.links().map_err(search)? {
            if places.resolve(&link.path, &link.target) == Some(other_path.as_str())
                && self.may_relink(&link.path)
            {
                let is_path = link.target.contains('/');
                let to = if is_path {
                    kept_path.as_str().trim_end_matches(".md").to_owned()
                } else {
                    kept_id.to_owned()
                };
                sources.entry(link.path).or_default().insert(Form::Wiki, link.target, to);
            }
        }
        for (path, targets) in sources {
            if path == kept_path.as_str() || path == other_path.as_str() {
                continue;
            }
            let path = MemoryPath::new(path)?;
            let (own, from, to) = (self.entity_at(&path), other_id.to_owned(), kept_id.to_owned());
            set = set.edit(path, format!("links to {to}"), move |found| {
                let Some(bytes) = found else { return Ok(None) };
                let bytes = targets.led(bytes);
                let bytes = relinked(&bytes, &from, &to);
                match &own {
                    Some(id) => with_one_edge_each(&bytes, id.as_str()).map(Some),
                    None => Ok(Some(bytes)),
                }
            });
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

/// Takes over what `other` says and `entity` does not. What both say is known since the first of them and as surely as the surer; of two
/// that contradict each other the later said takes the place of the other, and both stay where the days do not tell.
fn absorb(
    entity: &mut Entity,
    other: &Entity,
    kept_id: &str,
    other_id: &str,
    today: Date,
) -> Result<(), rem_format::page::PageError> {
    other.label().iter().chain(&other.aliases()).for_each(|name| {
        if entity.label().as_ref() != Some(name) {
            entity.add_alias(name);
        }
    });
    for edge in other
        .edges()
        .into_iter()
        .filter(|edge| edge.to != kept_id && edge.to != other_id && edge.ended().is_none())
    {
        if let Ok(to) = edge.to.parse::<EntityId>() {
            let is_same = |known: &Edge| {
                known.relation == edge.relation
                    && known.to == edge.to
                    && known.ended().is_none()
                    && known.annotation.get("for") == edge.annotation.get("for")
            };
            match entity.edges().into_iter().find(is_same) {
                Some(known) => entity.annotate_edge(&known, &united(&known.annotation, &edge.annotation)),
                None => entity.set_edge(&edge.relation, &to, &edge.annotation)?,
            }
        }
    }
    for fact in other.facts() {
        absorb_fact(entity, fact, today)?;
    }
    for item in
        other.page().items_in(rem_format::entity::TIMELINE).map(|(_, item)| item.clone()).collect::<Vec<_>>()
    {
        entity.add_timeline_line(&item.text, &item.annotation)?;
    }
    entity.take_in_prose(other)?;
    entity.take_in_header(other);
    // What is known of where it came from.
    let from = Annotation::new().with("merged", other_id);
    entity.add_fact(&format!("Also known as {}", other.label().unwrap_or_else(|| other_id.to_owned())), &from)
}

fn absorb_fact(entity: &mut Entity, fact: Fact, today: Date) -> Result<(), rem_format::page::PageError> {
    let statement = Statement::new(&fact.text);
    let addressees = Addressees::of_annotation(&fact.annotation);
    let is_near = |known: &Fact| {
        known.ended() == fact.ended() && Addressees::of_annotation(&known.annotation) == addressees
    };
    let near: Vec<Fact> = entity.facts().into_iter().filter(is_near).collect();
    let compared = |known: &Fact| statement.compared_to(&Statement::new(&known.text));
    if let Some(known) = near.iter().find(|known| compared(known) == Comparison::Same) {
        entity.annotate_fact(known, &united(&known.annotation, &fact.annotation));
        return Ok(());
    }
    if fact.ended().is_some() {
        return entity.add_fact(&format!("~~{}~~", fact.text), &fact.annotation);
    }
    let said = |fact: &Fact| fact.annotation.date("last").max(fact.annotation.date("since"));
    // One that is left in place may be a person's own, or as old.
    let later = near.iter().filter(|known| compared(known) == Comparison::Replaces).find_map(|known| {
        let (theirs, ours) = (said(&fact)?, said(known)?);
        (theirs != ours).then_some((known, theirs > ours))
    });
    let ending = |by| Ending { by, today, says_no: false, addressees: addressees.clone() };
    match later {
        Some((known, true)) if !known.annotation.is_yes("pinned") => {
            entity.supersede_fact(known, today, &fact.text);
            entity.add_fact(&fact.text, &fact.annotation)?;
            end_edges_of(entity, &known.text, &ending(&fact.text));
        }
        Some((known, false)) if !fact.annotation.is_yes("pinned") => {
            let over = fact.annotation.clone().with("superseded", today.to_string()).with("by", &known.text);
            entity.add_fact(&format!("~~{}~~", fact.text), &over)?;
            end_edges_of(entity, &fact.text, &ending(&known.text));
        }
        _ => entity.add_fact(&fact.text, &fact.annotation)?,
    }
    Ok(())
}

/// What is known of something that two files tell: since the first day, used on the last, as surely as the surer and as often as the one that
/// was told more often.
fn united(one: &Annotation, other: &Annotation) -> Annotation {
    let mut all = one.clone();
    for (key, value) in other.entries() {
        let Some(known) = one.get(key) else {
            all.set(key, value);
            continue;
        };
        let number = |value: &str| match value {
            "low" => Some(1.0),
            "medium" => Some(2.0),
            "high" => Some(3.0),
            value => value.parse::<f64>().ok(),
        };
        let is_taken = match key {
            "since" | "first-seen" => other.date(key) < one.date(key) && other.date(key).is_some(),
            "last" | "last-accessed" => other.date(key) > one.date(key),
            "confidence" | "mentions" | "uses" => {
                number(value).is_some_and(|value| number(known).is_none_or(|known| value > known))
            }
            "pinned" => other.is_yes("pinned"),
            _ => false,
        };
        if is_taken {
            all.set(key, value);
        }
        if key == "source" {
            let new = value.split(", ").filter(|source| !known.split(", ").any(|own| own == *source));
            let sources: Vec<&str> = std::iter::once(known).chain(new).collect();
            all.set(key, sources.join(", "));
        }
    }
    all
}

/// An entity's file in which no edge leads to itself and none stands twice.
fn with_one_edge_each(bytes: &[u8], id: &str) -> Result<Vec<u8>, rem_ledger::EditError> {
    let mut entity = Entity::parse(bytes)?;
    if let Ok(id) = id.parse() {
        entity.unite_edges(&id, united);
    }
    Ok(entity.into_bytes())
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
    link::relinked(file, |form, target| {
        (form == Form::Wiki && link::key(target) == from).then(|| to.to_owned())
    })
}

/// The words of a name in whatever form it is written, without the number at a word's end: OAuth2 is OAuth. A name without any is one.
fn words_of(name: &str) -> BTreeSet<String> {
    let lower = name.nfkc().collect::<String>().to_lowercase();
    if !lower.contains(char::is_alphanumeric) {
        return std::iter::once(lower.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    }
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
    fn names_are_compared_in_one_form() {
        assert_eq!(words_of("Jose\u{301} OAuth2"), words_of("José oauth"));
        assert_eq!(words_of("🦊"), words_of(" 🦊 "));
        assert!(words_of(" ").is_empty() && words_of("🦊") != words_of("🦉"));
    }

    #[test]
    fn links_are_led_elsewhere_and_longer_names_are_left() {
        let text = b"[[a--b]] [[A--b|x]] [[a--b.md#y]] [[a--bc]] a--b `[[a--b]]`";
        let led: &[u8] = b"[[a--c]] [[a--c|x]] [[a--c#y]] [[a--bc]] a--b `[[a--b]]`";
        assert_eq!(relinked(text, "a--b", "a--c"), led);
        assert_eq!(words_of("OAuth2 PKCE flow"), words_of("oauth pkce flow"));
    }
}
