//! Which file links to what: a table filled while files are indexed, so that a file is found by what leads to it (K14).
//!
//! What a target means depends on all files and is not decided here: the table keeps it as it is written, and as it is compared.
//! Conversations are in it too, since they are where much is mentioned first.

use rem_format::link;
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::database::IndexError;
use crate::graph::name_of;
use crate::index::Index;

/// A link as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Linked {
    /// The file it stands in.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it leads to, as it is written; empty for a heading of the same file.
    pub target: String,
    /// The heading, where it names one.
    pub heading: Option<String>,
}

/// Takes in the links of a file.
pub(crate) fn insert(connection: &Connection, file: i64, content: &[u8]) -> rusqlite::Result<()> {
    let found = link::links(content);
    if found.is_empty() {
        return Ok(());
    }
    let mut statement = connection.prepare_cached(
        "INSERT INTO links (file, line, target, heading, key, name) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for each in found {
        let target = each.target_in(content);
        let line = i64::try_from(each.line).unwrap_or(i64::MAX);
        statement.execute(params![
            file,
            line,
            target,
            each.heading_in(content),
            link::key(target),
            name_of(target)
        ])?;
    }
    Ok(())
}

/// A name as names are compared: case, diacritics, signs and normal form make no difference.
#[must_use]
pub fn name_key(name: &str) -> String {
    name_of(name)
}

impl Index {
    /// Every link of every file, in the order of files and lines.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn links(&self) -> Result<Vec<Linked>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Linked>> {
            let mut all =
                self.connection.prepare_cached(&format!("{LINK} ORDER BY f.path, l.line, l.rowid"))?;
            all.query_map([], linked_of)?.collect()
        };
        read().map_err(|source| self.error(source))
    }

    /// The links whose targets are written so: by path or file name as [`link::key`] has them, or by name as [`name_key`] does.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn links_to(&self, keys: &[String], names: &[String]) -> Result<Vec<Linked>, IndexError> {
        let read = || -> rusqlite::Result<Vec<Linked>> {
            let mut found = Vec::new();
            for (column, wanted) in [("key", keys), ("name", names)] {
                let mut statement =
                    self.connection.prepare_cached(&format!("{LINK} WHERE l.{column} = ?1"))?;
                for each in wanted.iter().filter(|each| !each.is_empty()) {
                    for linked in statement.query_map([each], linked_of)? {
                        found.push(linked?);
                    }
                }
            }
            found.sort();
            found.dedup();
            Ok(found)
        };
        read().map_err(|source| self.error(source))
    }

    /// The names of the entity whose file this is, as [`name_key`] has them.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn names_of(&self, path: &str) -> Result<Vec<String>, IndexError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut all = self.connection.prepare_cached(
                "SELECT n.name FROM files f JOIN names n ON n.file = f.id WHERE f.path = ?1",
            )?;
            all.query_map([path], |row| row.get(0))?.collect()
        };
        read().map_err(|source| self.error(source))
    }

    /// Every name of an entity, as [`name_key`] has it, with the entity's file.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn entity_names(&self) -> Result<Vec<(String, String)>, IndexError> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut all = self.connection.prepare_cached(
                "SELECT n.name, f.path FROM names n JOIN files f ON f.id = n.file ORDER BY n.name, f.path",
            )?;
            all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().map_err(|source| self.error(source))
    }
}

const LINK: &str = "SELECT f.path, l.line, l.target, l.heading FROM links l JOIN files f ON f.id = l.file";

fn linked_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Linked> {
    let line: i64 = row.get(1)?;
    Ok(Linked {
        path: row.get(0)?,
        line: usize::try_from(line).unwrap_or(0),
        target: row.get(2)?,
        heading: row.get(3)?,
    })
}
