//! What the stores have of conversations already, by where it was said: so that a conversation that is mined again teaches nothing twice.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use rem_format::episode;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::procedure::LEARNED_FROM;
use rem_ledger::Store;

use crate::error::MemoryError;
use crate::lifecycle::condense::WEEK;
use crate::lifecycle::extract::shares;
use crate::memory::Memory;

/// Something that a store has, and where it was said.
pub(in crate::lifecycle) struct Kept {
    /// `PATH:FIRST-LAST`, for each place that says it.
    pub(in crate::lifecycle) source: String,
    text: String,
    /// Whether a week tells again what is noted elsewhere.
    pub(in crate::lifecycle) is_retold: bool,
}

/// What is kept of conversations, by their paths: the lines that say it, and its words.
#[derive(Default)]
pub(super) struct Found(HashMap<String, Vec<(RangeInclusive<usize>, String)>>);

impl Found {
    pub(super) fn of(kept: Vec<Kept>) -> Self {
        let mut found = Self::default();
        for Kept { source, text, .. } in kept {
            for (path, lines) in source.split(", ").filter_map(place) {
                found.0.entry(path.to_owned()).or_default().push((lines, text.clone()));
            }
        }
        found
    }

    /// Whether something that was said at one of these places is kept in nearly these words.
    pub(super) fn has(&self, source: &str, text: &str) -> bool {
        source.split(", ").filter_map(place).any(|(path, lines)| {
            let kept = self.0.get(path).into_iter().flatten();
            kept.filter(|(known, _)| known.start() <= lines.end() && lines.start() <= known.end())
                .any(|(_, known)| shares(known, text))
        })
    }
}

/// A place as its path and its lines.
fn place(source: &str) -> Option<(&str, RangeInclusive<usize>)> {
    let (path, lines) = source.rsplit_once(':')?;
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((path, first.parse().ok()?..=last.parse().ok()?))
}

impl Memory {
    /// What the stores have, with where it was said, where they say that.
    pub(in crate::lifecycle) fn kept_with_sources(&self) -> Result<Vec<Kept>, MemoryError> {
        let mut kept = Vec::new();
        for file in self.ledger.list()?.files.iter().filter(|file| file.path.ends_with(".md")) {
            let path = MemoryPath::new(file.path.as_str())?;
            let store = self.ledger.layout().store_of(&path);
            if store.is_none_or(|store| matches!(store, Store::Transcripts | Store::Archive)) {
                continue;
            }
            let Some(bytes) = self.ledger.read(&path)? else { continue };
            if store == Some(Store::Episodes) {
                let episodes = episode::parse(&bytes).0.into_iter();
                kept.extend(episodes.filter_map(|placed| {
                    Some(Kept { source: placed.episode.from?, text: placed.episode.text, is_retold: false })
                }));
            } else if let Ok(page) = Page::parse(&bytes) {
                kept.extend(page.items().iter().filter_map(|item| {
                    let source = item.annotation.get("source")?.to_owned();
                    let is_retold = item.annotation.get(WEEK).is_some();
                    Some(Kept { source, text: item.plain().to_owned(), is_retold })
                }));
                let learned =
                    page.items_in(LEARNED_FROM).filter_map(|(_, item)| item.plain().split_once(" — "));
                kept.extend(learned.map(|(_, source)| Kept {
                    source: source.to_owned(),
                    text: page.as_str().to_owned(),
                    is_retold: false,
                }));
            }
        }
        Ok(kept)
    }
}
