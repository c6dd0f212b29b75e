//! Which memories the files hold, and how each stands: what M9's relevance follows from (S8, K8).
//!
//! Derived from the files while they are indexed, so it is as fresh as the index and as disposable. What was used since is counted
//! in `access.rs`. Must not decide what is shown: `decay.rs` says how relevant a memory is, `search.rs` what that means.

use std::ops::Range;
use std::sync::Arc;

use rem_format::annotation::Annotation;
use rem_format::decay_scores::StoreKind;
use rem_format::episode::{self, EpisodeSource};
use rem_format::page::Page;
use rem_format::procedure::LEARNED_FROM;
use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;

use crate::database::IndexError;
use crate::decay::{Origin, Standing};
use crate::index::Index;
use crate::passage::{Passage, date_of_path};
use crate::source::{Holds, Label};
use crate::write::days;

/// One memory in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: String,
    /// Its lines, from 1, end exclusive.
    pub(crate) lines: Range<usize>,
    /// The day it was made, counted from 1970.
    pub(crate) created: Option<i32>,
    pub(crate) standing: Standing,
}

impl Found {
    /// Whether any of its lines stands in a passage.
    pub(crate) fn stands_in(&self, passage: &Passage) -> bool {
        self.lines.start <= passage.end_line && self.lines.end > passage.start_line
    }
}

/// A memory as the index knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Its id.
    pub id: String,
    /// Its file.
    pub path: Arc<str>,
    /// The day it was made, counted from 1970, where that is known.
    pub created: Option<i32>,
    /// How it stands, uses included.
    pub standing: Standing,
    /// Whether a person put it out of use.
    pub archived: bool,
}

/// The memories of a file. What cannot be read as what it should be holds none.
pub(crate) fn found_in(path: &str, content: &[u8], label: &Label) -> Vec<Found> {
    match label.holds {
        Holds::Nothing => Vec::new(),
        Holds::Entries(prefix, store) => entries(content, prefix, store),
        Holds::Episodes => episodes(path, content),
        Holds::Entity | Holds::Procedure => {
            let found = label.id.as_ref().zip(Page::parse(content).ok());
            found.map(|(id, page)| whole(id, &page, content, label.holds)).into_iter().collect()
        }
    }
}

/// The list items of a page that have an id; others a person wrote, and they do not fade.
fn entries(content: &[u8], prefix: &str, store: StoreKind) -> Vec<Found> {
    let Ok(page) = Page::parse(content) else { return Vec::new() };
    let known = page.items().iter().filter(|item| item.ended().is_none());
    let found = known.filter_map(|item| {
        let note = &item.annotation;
        Some(Found {
            id: format!("{prefix}:{}", note.get("id")?),
            lines: item.lines.clone(),
            created: note.date("since").map(days),
            standing: Standing {
                store,
                origin: origin(note.get("source")),
                last_day: note.date("last").max(note.date("since")).map(days),
                accesses: mentions(note),
                pinned: note.is_yes("pinned"),
                handed_base: None,
            },
        })
    });
    found.collect()
}

fn episodes(path: &str, content: &[u8]) -> Vec<Found> {
    let Some(date) = date_of_path(path) else { return Vec::new() };
    let (placed, _) = episode::parse(content);
    let found = placed.into_iter().map(|placed| Found {
        id: episode::episode_id(date, placed.episode.time, placed.number),
        lines: placed.lines,
        created: Some(days(date)),
        standing: Standing {
            store: StoreKind::Episodic,
            origin: match placed.episode.source {
                Some(EpisodeSource::Conversation) => Origin::Detected,
                Some(EpisodeSource::Reflection) => Origin::Inferred,
                Some(EpisodeSource::UserExplicit) | None => Origin::Explicit,
            },
            last_day: Some(days(date)),
            accesses: 1,
            pinned: false,
            handed_base: None,
        },
    });
    found.collect()
}

/// A file that is one memory: what was said of it last, and how often anything was.
fn whole(id: &str, page: &Page, content: &[u8], holds: Holds) -> Found {
    let header = page.header();
    let noted = |keys: [&str; 3]| keys.into_iter().filter_map(|key| header.date(key)).max().map(days);
    let (store, said) = match holds {
        Holds::Procedure => (StoreKind::Procedural, LEARNED_FROM),
        _ => (StoreKind::Semantic, "Facts"),
    };
    let origins: Vec<Origin> = page
        .items_in(said)
        .map(|(_, item)| match holds {
            Holds::Procedure => origin(item.plain().split_once(" — ").map(|(_, source)| source)),
            _ => origin(item.annotation.get("source")),
        })
        .collect();
    // Of what is known of one thing each mention is an access.
    let mentions: u32 = page.items_in(said).map(|(_, item)| mentions(&item.annotation)).sum();
    let created = noted(["Created", "Learned", "Since"]);
    let named = header.get("Access count").and_then(|count| count.parse().ok()).unwrap_or(0);
    Found {
        id: id.to_owned(),
        lines: 1..content.iter().filter(|byte| **byte == b'\n').count() + 2,
        created,
        standing: Standing {
            store,
            origin: origins.into_iter().max().unwrap_or_else(|| of_bare(page)),
            last_day: noted(["Last updated", "Last used", "Last accessed"]).max(created),
            accesses: mentions.max(named).max(1),
            pinned: header.is_yes("Pinned"),
            handed_base: None,
        },
    }
}

/// How a page came to be that says nothing of its thing: it was named beside another, unless somebody wrote more than its connections.
fn of_bare(page: &Page) -> Origin {
    let has_words = |text: &str| text.chars().any(char::is_alphanumeric);
    let is_said = |title: &str| {
        let mut parts = page.section_text(title).unwrap_or_default().split("<!--");
        let is_begun = parts.next().is_some_and(has_words);
        let goes_on = |part: &str| part.split_once("-->").is_some_and(|(_, after)| has_words(after));
        !matches!(title, "Relations" | "Timeline") && (is_begun || parts.any(goes_on))
    };
    match page.titles().any(is_said) {
        true => Origin::Explicit,
        false => Origin::Detected,
    }
}

/// What stands first in the list of sources counts most: a person's word makes a memory theirs. Hand-written ones are.
fn origin(sources: Option<&str>) -> Origin {
    let Some(sources) = sources else { return Origin::Explicit };
    let of = |source: &str| match source.trim() {
        said if said.starts_with("user-explicit") => Origin::Explicit,
        "reflection" | "inferred" => Origin::Inferred,
        _ => Origin::Detected,
    };
    sources.split(", ").map(of).max().unwrap_or(Origin::Explicit)
}

fn mentions(annotation: &Annotation) -> u32 {
    annotation.get("mentions").and_then(|count| count.parse().ok()).unwrap_or(1).max(1)
}

/// What a file holds, into the table; gives the number of each. What it held before keeps its number.
pub(crate) fn take(
    connection: &Connection,
    file: i64,
    found: &[Found],
    is_archived: bool,
) -> rusqlite::Result<Vec<u32>> {
    let mut before: FxHashMap<String, Row> = connection
        .prepare_cached(
            "SELECT id, number, store, origin, created, last_day, accesses, pinned, archived FROM memories
             WHERE file = ?1",
        )?
        .query_map([file], |row| Ok((row.get(0)?, Row::read(row)?)))?
        .collect::<Result<_, _>>()?;
    let mut numbers = Vec::with_capacity(found.len());
    for each in found {
        let row = Row::of(each, is_archived);
        let number = match before.remove(&each.id) {
            Some(known) if known == Row { number: known.number, ..row } => known.number,
            Some(known) => {
                connection
                    .prepare_cached("DELETE FROM memories WHERE number = ?1")?
                    .execute([known.number])?;
                Row { number: known.number, ..row }.insert(connection, file, &each.id)?
            }
            None => row.insert(connection, file, &each.id)?,
        };
        numbers.push(u32::try_from(number).unwrap_or(u32::MAX));
    }
    let mut remove = connection.prepare_cached("DELETE FROM memories WHERE number = ?1")?;
    before.into_values().try_for_each(|row| remove.execute([row.number]).map(drop))?;
    Ok(numbers)
}

/// A memory as its row has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    /// 0 for one that has none yet.
    number: i64,
    store: u8,
    origin: u8,
    created: Option<i32>,
    last_day: Option<i32>,
    accesses: u32,
    pinned: bool,
    archived: bool,
}

impl Row {
    fn of(found: &Found, archived: bool) -> Self {
        let Standing { store, origin, last_day, accesses, pinned, .. } = found.standing;
        let (store, origin) = (store as u8, origin as u8);
        Self { number: 0, store, origin, created: found.created, last_day, accesses, pinned, archived }
    }

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get(1)?,
            store: row.get(2)?,
            origin: row.get(3)?,
            created: row.get(4)?,
            last_day: row.get(5)?,
            accesses: row.get(6)?,
            pinned: row.get(7)?,
            archived: row.get(8)?,
        })
    }

    /// Writes the row and gives its number: its own, or a new one.
    fn insert(self, connection: &Connection, file: i64, id: &str) -> rusqlite::Result<i64> {
        let Self { number, store, origin, created, last_day, accesses, pinned, archived } = self;
        connection
            .prepare_cached(
                "INSERT INTO memories (number, file, id, store, origin, created, last_day, accesses, pinned, archived)
                 VALUES (nullif(?1, 0), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![number, file, id, store, origin, created, last_day, accesses, pinned, archived])?;
        Ok(connection.last_insert_rowid())
    }
}

/// Takes what a file held out again.
pub(crate) fn remove(connection: &Connection, file: i64) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM memories WHERE file = ?1")?.execute([file]).map(drop)
}

pub(crate) fn store_of(number: u8) -> StoreKind {
    StoreKind::ALL.into_iter().find(|store| *store as u8 == number).unwrap_or(StoreKind::Semantic)
}

pub(crate) fn origin_of(number: u8) -> Origin {
    match number {
        0 => Origin::Inferred,
        1 => Origin::Detected,
        _ => Origin::Explicit,
    }
}

impl Index {
    /// One memory with how it stands, uses included; nothing where the index knows none of this id.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn memory(&self, id: &str) -> Result<Option<Remembered>, IndexError> {
        self.remembered("WHERE id = ?1", [id])
            .map(|found| found.into_iter().next())
            .map_err(|source| self.error(source))
    }

    /// Every memory with how it stands, uses included, in the order of ids.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn memories(&self) -> Result<Vec<Remembered>, IndexError> {
        let mut found = self.remembered("", []).map_err(|source| self.error(source))?;
        // Nearly in order as they come, which no index is.
        found.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(found)
    }

    fn remembered(
        &self,
        which: &str,
        parameters: impl rusqlite::Params,
    ) -> rusqlite::Result<Vec<Remembered>> {
        let accesses = self.read_accesses()?;
        let mut path_of = self.connection.prepare_cached("SELECT path FROM files WHERE id = ?1")?;
        let mut all = self.connection.prepare_cached(&format!(
                "SELECT id, file, created, store, origin, last_day, accesses, pinned, archived, number FROM memories {which}"
            ))?;
        let mut last: (i64, Arc<str>) = (0, Arc::from(""));
        let remembered = |row: &rusqlite::Row<'_>| {
            // Those of a file stand together.
            let file: i64 = row.get(1)?;
            if last.0 != file {
                let path: String = path_of.query_row([file], |row| row.get(0))?;
                last = (file, path.into());
            }
            let standing = Standing {
                store: store_of(row.get(3)?),
                origin: origin_of(row.get(4)?),
                last_day: row.get(5)?,
                accesses: row.get(6)?,
                pinned: row.get(7)?,
                handed_base: None,
            };
            let used = accesses.get(&row.get(9)?);
            Ok(Remembered {
                id: row.get(0)?,
                path: last.1.clone(),
                created: row.get(2)?,
                standing: match used {
                    Some(told) => standing.with_told(told),
                    None => standing,
                },
                archived: row.get(8)?,
            })
        };
        all.query_map(parameters, remembered)?.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(id: Option<&str>, holds: Holds) -> Label {
        Label { id: id.map(str::to_owned), holds, ..Label::default() }
    }

    #[test]
    fn entries_with_an_id_are_memories_and_a_persons_own_lines_are_not() {
        let text = "# Core\n\n## Facts\n- mine\n- told <!-- id:k7 | since:2026-01-02 | mentions:3 | last:2026-02-02 | source:session s, user-explicit | pinned:yes -->\n- ~~old~~ <!-- id:k8 | superseded:2026-02-01 -->\n- seen <!-- id:k9 | source:conversation -->\n";
        let found =
            found_in("MEMORY.md", text.as_bytes(), &label(None, Holds::Entries("core", StoreKind::Core)));
        assert_eq!(found.iter().map(|each| each.id.as_str()).collect::<Vec<_>>(), ["core:k7", "core:k9"]);
        let Standing { origin, last_day, accesses, pinned, .. } = found[0].standing;
        assert_eq!((origin, accesses, pinned), (Origin::Explicit, 3, true));
        assert_eq!(last_day, Some(days(jiff::civil::date(2026, 2, 2))));
        assert_eq!((found[0].lines.clone(), found[1].standing.last_day), (5..6, None));
        assert_eq!(found[1].standing.origin, Origin::Detected);
    }

    #[test]
    fn what_was_only_named_was_noticed_and_what_somebody_wrote_is_theirs() {
        let head = "# tool--x\n<!-- Type: tool | Created: 2026-01-01 -->\n\n## Summary\n";
        for (rest, origin) in [
            ("\n## Facts\n\n## Relations\n- uses: [[tool--y]] <!-- confidence:low -->\n", Origin::Detected),
            ("A hammer.\n\n## Facts\n", Origin::Explicit),
            ("\n## Facts\n\n## Notes\n- mine\n", Origin::Explicit),
        ] {
            let text = format!("{head}{rest}");
            let found =
                found_in("e/tool--x.md", text.as_bytes(), &label(Some("entity:tool--x"), Holds::Entity));
            assert_eq!(found[0].standing.origin, origin, "{text}");
        }
    }

    #[test]
    fn a_file_is_as_fresh_as_what_was_said_last_and_used_as_often_as_something_was_said() {
        let entity = "# tool--x\n<!-- Type: tool | Created: 2026-01-01 | Last updated: 2026-03-01 -->\n\n## Facts\n- a <!-- mentions:2 | source:conversation -->\n- b <!-- source:reflection -->\n";
        let found =
            found_in("e/tool--x.md", entity.as_bytes(), &label(Some("entity:tool--x"), Holds::Entity));
        let Found { standing, created, .. } = &found[0];
        assert_eq!(
            (standing.accesses, standing.origin, standing.store),
            (3, Origin::Detected, StoreKind::Semantic)
        );
        assert_eq!(standing.last_day, Some(days(jiff::civil::date(2026, 3, 1))));
        assert_eq!(*created, Some(days(jiff::civil::date(2026, 1, 1))));

        let episodes = "# 2026-02-02\n\n## 14:30 | fact | confidence:high | tags:[a]\nOne.\nSource: conversation\n\n## 14:30 | fact | confidence:high | tags:[a]\nTwo.\n";
        let found = found_in("e/2026-02-02.md", episodes.as_bytes(), &label(None, Holds::Episodes));
        let ids: Vec<&str> = found.iter().map(|each| each.id.as_str()).collect();
        assert_eq!(ids, ["episode:2026-02-02:14:30", "episode:2026-02-02:14:30#2"]);
        assert!(found_in("x.md", b"\xFF", &label(Some("entity:x"), Holds::Entity)).is_empty());
    }
}
