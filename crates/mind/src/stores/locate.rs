//! From a memory's id to where it stands: showing it, pinning it.

use std::ops::Range;
use std::time::SystemTime;

use rem_format::entity::EntityId;
use rem_format::episode::{self, parse_episode_id};
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_format::transcript::REST;
use rem_ledger::{Applied, ChangeSet, Layout, Provenance, Store};
use rem_recall::Asking;
use serde::Serialize;

use super::fading::StandingShown;
use super::forget::ARCHIVE_PAGE;
use super::incoming::short_id;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::search::is_blank;

/// A memory as it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Located {
    /// Its id.
    pub id: String,
    /// Its file.
    pub path: MemoryPath,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// Whether it never fades and never makes room.
    pub pinned: bool,
    /// What the file says there.
    pub text: String,
}

/// A memory with how it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// The memory.
    #[serde(flatten)]
    pub located: Located,
    /// How it stands; none where it does not fade for itself, or where parts of it are for others and count as well.
    pub standing: Option<StandingShown>,
}

/// What an id names.
pub(crate) enum Named {
    /// A whole file.
    File(MemoryPath),
    /// The item of a page with this short id.
    Item(MemoryPath, String),
    /// A fact of an entity, by what its words come to: it has no id of its own in the file.
    Fact(MemoryPath, String),
    /// An entry of a day's episodes.
    Episode(MemoryPath, jiff::civil::Time, usize),
    /// Lines of a file, as a result of a search names them.
    Lines(MemoryPath, Range<usize>),
}

impl Memory {
    /// The memory with this id, as it stands.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none.
    pub fn show(&self, id: &str) -> Result<Located, MemoryError> {
        let named = self.named(id)?;
        let path = named.path().clone();
        let bytes = self.ledger.read(&path)?.ok_or_else(|| unknown(id))?;
        let text = String::from_utf8_lossy(&bytes);
        let count = text.lines().count();
        let (lines, pinned) = match &named {
            Named::File(_) => {
                (1..count + 1, Page::parse(&bytes).is_ok_and(|page| page.header().is_yes("pinned")))
            }
            Named::Item(_, short) => {
                let page = Page::parse(&bytes).map_err(|error| unreadable(&path, &error))?;
                let item = item_with_id(&page, short).ok_or_else(|| unknown(id))?.1;
                let is_vault = self.ledger.layout().store_of(&path) == Some(Store::Vault);
                (item.lines.clone(), is_vault || item.annotation.is_yes("pinned"))
            }
            Named::Fact(_, sign) => {
                let page = Page::parse(&bytes).map_err(|error| unreadable(&path, &error))?;
                let item = fact_with_sign(&page, sign).ok_or_else(|| unknown(id))?.1;
                (item.lines.clone(), page.header().is_yes("pinned"))
            }
            Named::Episode(_, time, number) => {
                let (placed, _) = episode::parse(&bytes);
                let found =
                    placed.into_iter().find(|each| each.episode.time == *time && each.number == *number);
                (found.ok_or_else(|| unknown(id))?.lines, false)
            }
            Named::Lines(_, lines) => (lines.start..lines.end.min(count + 1), false),
        };
        if lines.is_empty() || lines.start > count {
            return Err(unknown(id));
        }
        let shown: Vec<&str> = text.lines().skip(lines.start - 1).take(lines.len()).collect();
        Ok(Located {
            id: id.to_owned(),
            path,
            start_line: lines.start,
            end_line: lines.end - 1,
            pinned,
            text: shown.join("\n").trim_end().to_owned(),
        })
    }

    /// The memory with this id and how it stands, on behalf of those who ask: what is for others alone is left out, and what says nothing
    /// else is not there.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is none; [`MemoryError::Search`] where there can be no index.
    pub fn show_to(&self, asking: &Asking, id: &str, observed_at: SystemTime) -> Result<Shown, MemoryError> {
        if asking.is_operator() {
            return Ok(Shown { located: self.show(id)?, standing: self.standing(id, observed_at)? });
        }
        // Whatever keeps it from being shown is nothing to tell.
        let located = self.show(id).map_err(|_| unknown(id))?;
        let index = self.refreshed_index(observed_at)?;
        let asking = &index.resolved(asking).map_err(rem_recall::SearchError::from)?;
        let seen = self.seen_by(asking, located.path.as_str())?;
        let seen = String::from_utf8_lossy(&seen);
        let seen = seen.lines().skip(located.start_line - 1).chain(std::iter::repeat(""));
        let pairs: Vec<(&str, &str)> = located.text.lines().zip(seen).collect();
        let sees_all = pairs.iter().all(|(all, seen)| all == seen);
        // No gap tells that there is more.
        let left = pairs.into_iter().filter(|(all, seen)| all.trim().is_empty() || !seen.trim().is_empty());
        let text = left.map(|(_, seen)| seen).collect::<Vec<_>>().join("\n").trim_end().to_owned();
        let is_told = sees_all || !is_blank(&text) || id.starts_with("entity:") && !id.contains('#');
        if !is_told || !self.may_know_of(asking, &index, &located.path)? {
            return Err(unknown(id));
        }
        let standing = if sees_all { self.standing(id, observed_at)? } else { None };
        Ok(Shown { located: Located { text, ..located }, standing })
    }

    /// Pins a memory, so that it never fades and never makes room, or takes that back.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where there is no such memory, or one that cannot carry a pin, or as [`rem_ledger::Ledger::apply`].
    pub fn pin(&self, id: &str, pinned: bool) -> Result<Applied, MemoryError> {
        self.ledger.may_change()?;
        self.show(id)?;
        let named = self.named(id)?;
        if !pinned {
            self.may_let_go(id, &named)?;
        }
        let path = named.path().clone();
        let what = if pinned { "pin" } else { "unpin" };
        let word = if pinned { "yes" } else { "no" };
        let set = match named {
            Named::File(path) => ChangeSet::new().edit(path, format!("{what} {id}"), move |found| {
                let mut page = Page::parse(found.unwrap_or_default())?;
                if page.header().is_yes("pinned") != pinned {
                    page.set_header("Pinned", word);
                }
                Ok(Some(page.into_bytes()))
            }),
            Named::Item(path, _) if !pinned && self.ledger.layout().store_of(&path) == Some(Store::Vault) => {
                return Err(MemoryError::usage(
                    "what is in the vault is pinned",
                    "move the line to another file to let it fade",
                ));
            }
            Named::Item(path, short) => ChangeSet::new().edit(path, format!("{what} {id}"), move |found| {
                let mut page = Page::parse(found.unwrap_or_default())?;
                let (index, item) = item_with_id(&page, &short).ok_or("the entry is gone")?;
                let (text, mut annotation) = (item.text.clone(), item.annotation.clone());
                match pinned {
                    true => annotation.set("pinned", word),
                    false => annotation.remove("pinned"),
                }
                page.set(index, &text, &annotation);
                Ok(Some(page.into_bytes()))
            }),
            Named::Fact(..) => {
                return Err(MemoryError::usage(
                    "a fact of an entity cannot carry a pin of its own",
                    "pin the entity, whose id stands before the sign #",
                ));
            }
            Named::Episode(..) | Named::Lines(..) => {
                let message = format!("{id} cannot carry a pin: {path} is not changed once it is written");
                return Err(MemoryError::usage(
                    message,
                    "`rem remember --store vault` keeps what it says for good",
                ));
            }
        };
        self.change(set, &Provenance::manual(format!("rem {what} {id}")))
    }

    /// What a place names as contexts give it: `PATH`, `PATH:LINE` or `PATH:FIRST-LAST`, the path a transcript's as it is or in brief.
    fn named_by_place(&self, place: &str) -> Result<Named, MemoryError> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|line| *line > 0);
        let lines_of = |lines: &str| {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            Some((number(first)?, number(last)?))
        };
        let with_lines = place.rsplit_once(':').and_then(|(path, lines)| Some((path, lines_of(lines)?)));
        let (path, (first, last)) = with_lines.unwrap_or((place, (1, usize::MAX)));
        let path = match path.strip_suffix(REST) {
            Some(start) => self.only_file(place, start)?,
            None => MemoryPath::new(path).map_err(|_| unknown(place))?,
        };
        Ok(Named::Lines(path, first..last.saturating_add(1)))
    }

    /// The one Markdown file whose path begins so.
    fn only_file(&self, place: &str, start: &str) -> Result<MemoryPath, MemoryError> {
        let (folder, name) = start.rsplit_once('/').ok_or_else(|| unknown(place))?;
        let folder = MemoryPath::new(folder).map_err(|_| unknown(place))?;
        let entries =
            std::fs::read_dir(self.ledger.root().join(folder.as_str())).map_err(|_| unknown(place))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut found: Vec<String> =
            names.filter(|each| each.starts_with(name) && each.ends_with(".md")).collect();
        found.sort_unstable();
        match found.as_slice() {
            [] => Err(unknown(place)),
            [only] => Ok(MemoryPath::new(format!("{folder}/{only}"))?),
            several => Err(MemoryError::usage(
                format!("{place:?} may be any of {} files", several.len()),
                format!("name one whole: {}", several.join(", ")),
            )),
        }
    }

    /// Where an entry of MEMORY.md stands: there, else where it made room.
    fn core_page_of(&self, short: &str) -> Result<MemoryPath, MemoryError> {
        let core = self.path(Store::Core).clone();
        for path in [&core, &self.demoted_page()?] {
            let bytes = self.ledger.read(path)?.unwrap_or_default();
            if Page::parse(&bytes).is_ok_and(|page| item_with_id(&page, short).is_some()) {
                return Ok(path.clone());
            }
        }
        Ok(core)
    }

    pub(crate) fn named(&self, id: &str) -> Result<Named, MemoryError> {
        let Some((kind, rest)) = id.split_once(':').filter(|(kind, _)| !kind.contains(['/', '.'])) else {
            return self.named_by_place(id);
        };
        let layout = self.ledger.layout();
        let short = || rest.to_owned();
        Ok(match kind {
            "core" => Named::Item(self.core_page_of(rest)?, short()),
            "vault" => Named::Item(layout.file(Store::Vault, "pinned.md")?, short()),
            "fact" => Named::Item(self.fact_page_of(rest)?, short()),
            "entity" => match rest.split_once('#') {
                Some((entity, sign)) => {
                    Named::Fact(self.entity_file(&entity.parse().map_err(|_| unknown(id))?)?, sign.to_owned())
                }
                None => Named::File(self.entity_file(&rest.parse().map_err(|_| unknown(id))?)?),
            },
            "forgotten" => match layout.file(Store::Archive, &format!("forgotten-{rest}.md")) {
                Ok(path) if self.is_there(&path) => Named::File(path),
                _ => Named::Item(layout.file(Store::Archive, ARCHIVE_PAGE)?, short()),
            },
            "procedure" => Named::File(layout.file(Store::Procedures, &format!("{rest}.md"))?),
            "topic" => Named::File(layout.file(Store::Topics, &format!("{rest}.md"))?),
            "episode" => {
                let (date, time, number) = parse_episode_id(id).ok_or_else(|| unknown(id))?;
                Named::Episode(layout.file(Store::Episodes, &format!("{date}.md"))?, time, number)
            }
            "passage" => {
                let (path, lines) = rest.rsplit_once(':').ok_or_else(|| unknown(id))?;
                let (first, last) = lines.split_once('-').ok_or_else(|| unknown(id))?;
                let number = |text: &str| text.parse::<usize>().ok().filter(|line| *line > 0);
                let (first, last) = number(first).zip(number(last)).ok_or_else(|| unknown(id))?;
                Named::Lines(MemoryPath::new(path)?, first..last.saturating_add(1))
            }
            _ => return Err(unknown(id)),
        })
    }
}

impl Memory {
    /// The file of an entity: where it is, else where a new one goes.
    pub(crate) fn entity_file(&self, id: &EntityId) -> Result<MemoryPath, MemoryError> {
        let mut places = self.ledger.layout().entity_places(id)?;
        let there = places.iter().position(|place| self.is_there(place));
        let at = there.unwrap_or(places.len().saturating_sub(1));
        Ok(places.swap_remove(at))
    }

    /// The entity whose file this is.
    pub(crate) fn entity_at(&self, path: &MemoryPath) -> Option<EntityId> {
        let layout = self.ledger.layout();
        layout.entity_named(path).filter(|id| !is_double(layout, path, id, |place| self.is_there(place)))
    }

    fn is_there(&self, path: &MemoryPath) -> bool {
        std::fs::symlink_metadata(self.ledger.root().join(path.as_str())).is_ok_and(|found| found.is_file())
    }
}

/// Whether a file that names an entity is a page beside it, because another file before it in the order of places is the entity's.
pub(crate) fn is_double(
    layout: &Layout,
    path: &MemoryPath,
    id: &EntityId,
    is_there: impl Fn(&MemoryPath) -> bool,
) -> bool {
    let places = layout.entity_places(id).unwrap_or_default();
    let before = places.iter().position(|place| place == path).unwrap_or(0);
    places[..before].iter().any(is_there)
}

impl Named {
    pub(crate) fn path(&self) -> &MemoryPath {
        match self {
            Self::File(path)
            | Self::Item(path, _)
            | Self::Fact(path, _)
            | Self::Episode(path, ..)
            | Self::Lines(path, _) => path,
        }
    }
}

/// The id of a fact of an entity: what its words come to stands after the entity's.
pub(crate) fn fact_id(entity: &EntityId, fact: &Item) -> String {
    format!("entity:{entity}#{}", sign_of(fact))
}

pub(super) fn sign_of(fact: &Item) -> String {
    let whom = fact.annotation.get(rem_recall::FOR).unwrap_or_default();
    short_id(&format!("{}\n{whom}", fact.plain()), jiff::civil::DateTime::default())
}

/// The fact of an entity's page with this sign, and its number.
pub(crate) fn fact_with_sign<'a>(page: &'a Page, sign: &str) -> Option<(usize, &'a Item)> {
    page.items_in(rem_format::entity::FACTS).find(|(_, item)| sign_of(item) == sign)
}

/// The item of a page with this short id, and its number.
pub(crate) fn item_with_id<'a>(page: &'a Page, short: &str) -> Option<(usize, &'a Item)> {
    page.items().iter().enumerate().find(|(_, item)| item.annotation.get("id") == Some(short))
}

fn unknown(id: &str) -> MemoryError {
    MemoryError::usage(
        format!("there is no memory {id:?}"),
        "`rem recall QUESTION --json` gives the ids of what it finds",
    )
}

fn unreadable(path: &MemoryPath, error: &rem_format::page::PageError) -> MemoryError {
    MemoryError::usage(
        format!("{path} cannot be read as entries: {error}"),
        "mend the file by hand; `rem verify` says more",
    )
}
