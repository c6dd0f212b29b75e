//! The knowledge graph as an index: which entity a name means, and what is connected with it (S10, K3).
//!
//! Derived from the entity files while they are indexed, so it is as fresh as the index and as disposable. Edges stand in the
//! file of the entity they begin at (resolution 9); here they are found from both ends. Must not write an entity file, and must
//! not decide what a relation means.

use std::collections::HashSet;

use jiff::civil::Date;
use rem_format::entity::Entity;
use rem_format::graph_index::{EdgeRow, GraphIndex, Registered};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, params};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::addressees::{self, Addressees, Asking};
use crate::analyzer::fold;
use crate::database::IndexError;
use crate::index::Index;
use crate::passage::addressed_lines;
use crate::source::{Holds, Label};

/// A name is near another when at most so many letters differ, by its length: short names must be right.
const fn most_slips(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// An entity of the index.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Node {
    /// Its id: `person--mira-holt`.
    pub id: String,
    /// Its name.
    pub label: String,
    /// Its file.
    pub path: String,
    /// Whether it is out of use.
    pub archived: bool,
}

/// A connection of two entities.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Connected {
    /// Where it begins.
    pub from: String,
    /// The relation.
    pub relation: String,
    /// Where it ends; there may be no such entity.
    pub to: String,
    /// How sure it is.
    pub confidence: Option<String>,
    /// The day it was first said.
    pub first_seen: Option<String>,
    /// The day it was last used.
    pub last_accessed: Option<String>,
    /// The day from which it no longer holds.
    pub ended: Option<String>,
}

/// How a name was found to mean an entity, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum NameMatch {
    /// It is the entity's id.
    Id,
    /// It is its name or another it goes by, case and diacritics aside.
    Name,
    /// It is spelt a little differently.
    Spelling,
}

/// What the file of an entity says, into the tables. Which entity that is the caller's label says; a file that has none is none.
pub(crate) fn insert(
    connection: &Connection,
    file: i64,
    label: &Label,
    content: &[u8],
    is_archived: bool,
) -> rusqlite::Result<()> {
    let named = label.id.as_deref().filter(|_| label.holds == Holds::Entity);
    let Some(id) = named.map(|id| id.strip_prefix("entity:").unwrap_or(id)) else { return Ok(()) };
    let Ok(entity) = Entity::parse(content) else { return Ok(()) };
    let slug = id.split_once("--").map_or(id, |(_, slug)| slug).replace('-', " ");
    let label = entity.label().unwrap_or_else(|| slug.clone());
    connection
        .prepare_cached(
            "INSERT INTO entities (file, id, label, archived, pinned) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![file, id, label, is_archived, entity.is_pinned()])?;
    let mut name = connection.prepare_cached("INSERT OR IGNORE INTO names (name, file) VALUES (?1, ?2)")?;
    let mut romanized =
        connection.prepare_cached("INSERT OR IGNORE INTO romanized (name, file) VALUES (?1, ?2)")?;
    for known in entity.aliases().iter().chain([&label, &slug]) {
        let folded = name_of(known);
        if let Some(latin) = in_latin(&folded) {
            romanized.execute(params![latin, file])?;
        }
        name.execute(params![folded, file])?;
    }
    let edges = entity.edges();
    let lines: Vec<usize> = edges.iter().map(|edge| edge.line).collect();
    let addressed = addressed_lines(&String::from_utf8_lossy(content), &lines);
    let mut edge = connection.prepare_cached(
        "INSERT INTO edges (file, source, relation, target, confidence, first_seen, last_accessed, ended, addressees)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (found, whom) in edges.into_iter().zip(addressed) {
        let said = |key: &str| found.annotation.get(key);
        edge.execute(params![
            file,
            id,
            found.relation,
            found.to,
            said("confidence"),
            said("first-seen"),
            said("last-accessed"),
            said("superseded"),
            addressees::number_of(connection, &whom.and(&Addressees::of_annotation(&found.annotation)))?
        ])?;
    }
    Ok(())
}

/// Takes what a file said out again, its links to other files included.
pub(crate) fn remove(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    for statement in [
        "DELETE FROM entities WHERE file = ?1",
        "DELETE FROM names WHERE file = ?1",
        "DELETE FROM romanized WHERE file = ?1",
        "DELETE FROM edges WHERE file = ?1",
        "DELETE FROM links WHERE file = ?1",
    ] {
        connection.prepare_cached(statement)?.execute([file])?;
    }
    Ok(())
}

/// Which letters a text has, as bits; several letters share one.
fn letters_of(text: &str) -> u64 {
    text.chars().fold(0, |letters, each| letters | 1 << (u32::from(each) % 64))
}

/// How a name of another script is written in Latin letters; nothing for one that is.
fn in_latin(folded: &str) -> Option<String> {
    let latin = (!folded.is_ascii()).then(|| name_of(&any_ascii::any_ascii(folded)));
    latin.filter(|latin| !latin.is_empty())
}

/// A name as it is stored and compared.
pub(crate) fn name_of(name: &str) -> String {
    let spaced: String =
        fold(name).chars().map(|each| if each.is_alphanumeric() { each } else { ' ' }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    // A name of signs alone is itself.
    if words.is_empty() { fold(name.trim()) } else { words.join(" ") }
}

/// What may be a name in a folded text besides its words of three letters and more: shorter words, and parts of words of scripts that
/// do not set words apart, the longest first.
fn short_and_inner_names(folded: &str) -> Vec<String> {
    /// Parts have so many characters, and so many of a text are looked up.
    const LONGEST: usize = 8;
    const MOST: usize = 2_000;
    let is_joined =
        |each: &char| matches!(u32::from(*each), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7a3);
    let mut names: Vec<String> = Vec::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for word in folded.split(' ') {
        let characters: Vec<char> = word.chars().collect();
        if characters.len() < 3 && word.is_ascii() && seen.insert(word.to_owned()) {
            names.push(word.to_owned());
        }
        for start in 0..characters.len() {
            let run = characters[start..].iter().take(LONGEST).take_while(|each| is_joined(each)).count();
            for length in (2..=run).rev() {
                let part: String = characters[start..start + length].iter().collect();
                if names.len() < MOST && seen.insert(part.clone()) {
                    names.push(part);
                }
            }
        }
    }
    names.sort_by_key(|name| std::cmp::Reverse(name.chars().count()));
    names
}

impl Index {
    /// The entities that a name or an id may mean, surest first; at most `most`.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entities_named(&self, name: &str, most: usize) -> Result<Vec<(Node, NameMatch)>, IndexError> {
        self.named(name, most).map_err(|source| self.error(source))
    }

    fn named(&self, name: &str, most: usize) -> rusqlite::Result<Vec<(Node, NameMatch)>> {
        let mut found: Vec<(Node, NameMatch)> = Vec::new();
        if let Some(node) = self.node(name.trim().trim_start_matches("entity:"))? {
            found.push((node, NameMatch::Id));
        }
        let wanted = name_of(name);
        if wanted.is_empty() {
            return Ok(found);
        }
        let mut add = |file: i64, how: NameMatch| -> rusqlite::Result<()> {
            let node = self
                .connection
                .prepare_cached(&format!("{NODE} WHERE e.file = ?1"))?
                .query_row([file], node_of)
                .optional()?;
            if let Some(node) = node.filter(|node| !found.iter().any(|(known, _)| known.id == node.id)) {
                found.push((node, how));
            }
            Ok(())
        };
        let mut exact =
            self.connection.prepare_cached("SELECT file FROM names WHERE name = ?1 ORDER BY file")?;
        let files = exact.query_map([&wanted], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
        // Who has the name itself is meant, not whoever is called nearly so.
        let near = if files.is_empty() { self.nearly_named(&wanted)? } else { Vec::new() };
        for file in files {
            add(file, NameMatch::Name)?;
        }
        for (_, file) in near {
            add(file, NameMatch::Spelling)?;
        }
        found.sort_by(|(one, how), (other, other_how)| {
            how.cmp(other_how).then(one.archived.cmp(&other.archived))
        });
        found.truncate(most);
        Ok(found)
    }

    /// The entities that a text names, in its order and at most `most`: by their own name or another they go by, of up to four
    /// words. Names of one or two letters are words of their own more often than not.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entities_in(&self, text: &str, most: usize) -> Result<Vec<Node>, IndexError> {
        self.entities_named_in(text, most).map_err(|source| self.error(source))
    }

    /// The entities that a text may name: those of [`Self::entities_in`], names of one or two letters, and names inside of words where a script
    /// does not set words apart or has endings on them. For who looks closer at each; at most `most` of either kind.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entities_mentioned(&self, text: &str, most: usize) -> Result<Vec<Node>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Node>> {
            let mut found = self.entities_named_in(text, most)?;
            let mut is_name = self.connection.prepare_cached("SELECT 1 FROM names WHERE name = ?1")?;
            let mut named = self.connection.prepare_cached(&format!(
                "{NODE} WHERE e.archived = 0 AND e.file IN (SELECT file FROM names WHERE name = ?1)"
            ))?;
            let most = found.len() + most;
            for name in short_and_inner_names(&name_of(text)) {
                if found.len() >= most {
                    break;
                }
                if !is_name.exists([&name])? {
                    continue;
                }
                for node in named.query_map([&name], node_of)? {
                    let node = node?;
                    if !found.contains(&node) {
                        found.push(node);
                    }
                }
            }
            Ok(found)
        };
        read().map_err(|source| self.error(source))
    }

    pub(crate) fn entities_named_in(&self, text: &str, most: usize) -> rusqlite::Result<Vec<Node>> {
        const LONGEST: usize = 4;
        let folded = name_of(text);
        let words: Vec<&str> = folded.split(' ').collect();
        // Most runs of words are nobody's name.
        let mut is_name = self.connection.prepare_cached("SELECT 1 FROM names WHERE name = ?1")?;
        let mut named = self.connection.prepare_cached(&format!(
            "{NODE} WHERE e.archived = 0 AND e.file IN (SELECT file FROM names WHERE name = ?1)"
        ))?;
        let mut found: Vec<Node> = Vec::new();
        let mut looked_up: FxHashSet<String> = FxHashSet::default();
        for start in 0..words.len() {
            for end in start + 1..=words.len().min(start + LONGEST) {
                let name = words[start..end].join(" ");
                if name.chars().count() < 3 && name.is_ascii() {
                    continue;
                }
                if !looked_up.insert(name.clone()) || !is_name.exists([&name])? {
                    continue;
                }
                for node in named.query_map([&name], node_of)? {
                    let node = node?;
                    if found.len() < most && !found.contains(&node) {
                        found.push(node);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Names that are spelt a little differently, or in another script about so, nearest first.
    fn nearly_named(&self, wanted: &str) -> rusqlite::Result<Vec<(usize, i64)>> {
        let mut near = self.spelt_like(wanted, "names")?;
        let latin = in_latin(wanted);
        near.extend(self.spelt_like(latin.as_deref().unwrap_or(wanted), "romanized")?);
        if let Some(latin) = &latin {
            near.extend(self.spelt_like(latin, "names")?);
        }
        near.sort_unstable();
        Ok(near)
    }

    /// Names of a table that begin with the same letter and differ by at most a slip or two.
    fn spelt_like(&self, wanted: &str, table: &str) -> rusqlite::Result<Vec<(usize, i64)>> {
        let length = wanted.chars().count();
        let slips = most_slips(length);
        let Some(first) = wanted.chars().next() else { return Ok(Vec::new()) };
        let from = first.to_string();
        let after =
            char::from_u32(u32::from(first) + 1).map_or_else(|| "\u{10FFFF}".to_owned(), String::from);
        let mut near = self
            .connection
            .prepare_cached(&format!("SELECT name, file FROM {table} WHERE name >= ?1 AND name < ?2"))?;
        let mut rows = near.query([from, after])?;
        let (letters, mut found) = (letters_of(wanted), Vec::new());
        while let Some(row) = rows.next()? {
            let name = row.get_ref(0)?.as_str()?;
            // A slip changes at most two of the letters that there are; this turns nearly every name away.
            if (letters_of(name) ^ letters).count_ones() as usize > 2 * slips
                || name.chars().count().abs_diff(length) > slips
            {
                continue;
            }
            let distance = strsim::osa_distance(name, wanted);
            if distance <= slips {
                found.push((distance, row.get(1)?));
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Whether there is any entity.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn has_entities(&self) -> Result<bool, IndexError> {
        self.has_graph().map_err(|source| self.error(source))
    }

    pub(crate) fn has_graph(&self) -> rusqlite::Result<bool> {
        let mut statement = self.connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM entities)")?;
        statement.query_row([], |row| row.get(0))
    }

    /// Every entity, in the order of ids.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entities(&self) -> Result<Vec<Node>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Node>> {
            let mut all = self.connection.prepare_cached(&format!("{NODE} ORDER BY e.id"))?;
            all.query_map([], node_of)?.collect()
        };
        read().map_err(|source| self.error(source))
    }

    /// Every edge, those that ended included, in the order of their ends.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn edges(&self) -> Result<Vec<Connected>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Connected>> {
            let mut all = self.connection.prepare_cached(
                "SELECT source, relation, target, confidence, first_seen, last_accessed, ended FROM edges
                 ORDER BY source, relation, target",
            )?;
            all.query_map([], connected_of)?.collect()
        };
        read().map_err(|source| self.error(source))
    }

    /// What `graph/index.md` shows: the entities that are in use and the edges of theirs that hold and lead to nothing archived.
    /// `file` gives a file's name there for its path.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn graph_page(&self, file: impl Fn(&str) -> String) -> Result<GraphIndex, IndexError> {
        let read = || -> rusqlite::Result<GraphIndex> {
            let mut entities = self.connection.prepare_cached(
                "SELECT e.id, e.label, f.path, e.pinned FROM entities e JOIN files f ON f.id = e.file
                 WHERE e.archived = 0",
            )?;
            let entities = entities.query_map([], |row| {
                let id: String = row.get(0)?;
                Ok(Registered {
                    kind: id.split("--").next().unwrap_or_default().to_owned(),
                    id,
                    label: row.get(1)?,
                    file: file(row.get_ref(2)?.as_str()?),
                    score: None,
                    pinned: row.get(3)?,
                })
            })?;
            let mut page = GraphIndex { entities: entities.collect::<Result<_, _>>()?, edges: Vec::new() };
            let archived = self.archived()?;
            let mut edges = self.connection.prepare_cached(
                "SELECT g.source, g.relation, g.target, g.confidence, g.first_seen, g.last_accessed
                 FROM edges g JOIN entities e ON e.file = g.file WHERE e.archived = 0 AND g.ended IS NULL",
            )?;
            let edges = edges.query_map([], |row| {
                Ok(EdgeRow {
                    from: row.get(0)?,
                    relation: row.get(1)?,
                    to: row.get(2)?,
                    confidence: row.get(3)?,
                    first_seen: row.get(4)?,
                    last_accessed: row.get(5)?,
                })
            })?;
            for edge in edges {
                page.edges.extend(Some(edge?).filter(|edge| !archived.contains(&edge.to)));
            }
            Ok(page)
        };
        read().map_err(|source| self.error(source))
    }

    /// The ids of the entities that are out of use.
    pub(crate) fn archived(&self) -> rusqlite::Result<HashSet<String>> {
        self.connection
            .prepare_cached("SELECT id FROM entities WHERE archived = 1")?
            .query_map([], |row| row.get(0))?
            .collect()
    }

    fn node(&self, id: &str) -> rusqlite::Result<Option<Node>> {
        self.connection
            .prepare_cached(&format!("{NODE} WHERE e.id = ?1"))?
            .query_row([id], node_of)
            .optional()
    }

    /// What is connected with an entity within `hops` steps, in both directions, nearest first and at most `breadth` edges from
    /// each entity: what holds, or held on the day `at`, and is for those who ask. What is archived is left out. With it come the
    /// entities that have more connections than the breadth.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn connections(
        &self,
        id: &str,
        hops: usize,
        breadth: usize,
        at: Option<Date>,
        asking: &Asking,
    ) -> Result<(Vec<Connected>, Vec<String>), IndexError> {
        self.connected(id, hops, breadth, at, asking).map_err(|source| self.error(source))
    }

    pub(crate) fn connected(
        &self,
        id: &str,
        hops: usize,
        breadth: usize,
        at: Option<Date>,
        asking: &Asking,
    ) -> rusqlite::Result<(Vec<Connected>, Vec<String>)> {
        let mut capped = Vec::new();
        let archived = self.archived()?;
        let mut around = Around::new(&self.connection, breadth, at, self.seen(asking)?)?;
        let mut reached: HashSet<String> = HashSet::from([id.to_owned()]);
        let mut seen: HashSet<(String, String, String)> = HashSet::new();
        let (mut border, mut found) = (vec![id.to_owned()], Vec::new());
        for _ in 0..hops {
            let mut next = Vec::new();
            for near in &border {
                let edges = around.of(near)?;
                if around.has_left_out {
                    capped.push(near.clone());
                }
                for edge in edges {
                    let other = if edge.from == *near { &edge.to } else { &edge.from };
                    if archived.contains(other) {
                        continue;
                    }
                    if reached.insert(other.clone()) {
                        next.push(other.clone());
                    }
                    if seen.insert((edge.from.clone(), edge.relation.clone(), edge.to.clone())) {
                        found.push(edge);
                    }
                }
            }
            border = next;
        }
        Ok((found, capped))
    }
}

/// What is connected with one entity after the other.
pub(crate) struct Around<'a> {
    from: CachedStatement<'a>,
    to: CachedStatement<'a>,
    breadth: usize,
    day: String,
    /// Whether the last entity has more edges than the breadth.
    pub(crate) has_left_out: bool,
}

impl<'a> Around<'a> {
    pub(crate) fn new(
        connection: &'a Connection,
        breadth: usize,
        at: Option<Date>,
        seen: Option<FxHashSet<u32>>,
    ) -> rusqlite::Result<Self> {
        let seen = seen.map_or_else(String::new, |seen| {
            let numbers: Vec<String> = seen.iter().map(u32::to_string).collect();
            format!("AND addressees IN ({})", numbers.join(", "))
        });
        // The newest first: where there are too many, what was used last matters most.
        let around = |end: &str| {
            format!(
                "SELECT source, relation, target, confidence, first_seen, last_accessed, ended FROM edges
                 WHERE {end} = ?1 AND (ended IS NULL OR ended > ?3) AND (first_seen IS NULL OR first_seen <= ?3) {seen}
                 ORDER BY last_accessed DESC LIMIT ?2"
            )
        };
        Ok(Self {
            from: connection.prepare_cached(&around("source"))?,
            to: connection.prepare_cached(&around("target"))?,
            breadth,
            // Later than every day, as text.
            day: at.map_or_else(|| "~".to_owned(), |day| day.to_string()),
            has_left_out: false,
        })
    }

    /// The edges of an entity from both ends that hold, those used last first.
    pub(crate) fn of(&mut self, id: &str) -> rusqlite::Result<Vec<Connected>> {
        let most = i64::try_from(self.breadth).unwrap_or(i64::MAX).saturating_add(1);
        let mut edges = Vec::new();
        for statement in [&mut self.from, &mut self.to] {
            for edge in statement.query_map(params![id, most, self.day], connected_of)? {
                edges.push(edge?);
            }
        }
        edges.sort_by(|one, other| other.last_accessed.cmp(&one.last_accessed).then_with(|| one.cmp(other)));
        self.has_left_out = edges.len() > self.breadth;
        edges.truncate(self.breadth);
        Ok(edges)
    }
}

pub(crate) const NODE: &str =
    "SELECT e.id, e.label, f.path, e.archived FROM entities e JOIN files f ON f.id = e.file";

pub(crate) fn node_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Node> {
    Ok(Node { id: row.get(0)?, label: row.get(1)?, path: row.get(2)?, archived: row.get(3)? })
}

fn connected_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Connected> {
    Ok(Connected {
        from: row.get(0)?,
        relation: row.get(1)?,
        to: row.get(2)?,
        confidence: row.get(3)?,
        first_seen: row.get(4)?,
        last_accessed: row.get(5)?,
        ended: row.get(6)?,
    })
}
