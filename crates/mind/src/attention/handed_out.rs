//! What was handed out to whom (T10): the memories that stood in the contexts of a session, as shingles.
//!
//! A context that is compiled for a session is recorded, so that what comes back is known for an echo, and so that a reply that
//! uses a memory can be told from one that does not. `.rem/handed-out/` holds one file a session: hashes alone, capped, kept for
//! some weeks because a host's transcript may be imported long after it ended. It may be deleted at any time; echoes are then
//! learned again. The session's own transcript is left out: what somebody just said is no echo of itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::LazyLock;

use jiff::{SignedDuration, Timestamp};
use rem_format::annotation::Annotation;
use rem_format::episode;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_format::transcript::{Role, Turn, TurnKind, TurnPart, file_session_id, parse_file_path};
use rem_ledger::Store;
use rem_recall::Asking;
use serde::{Deserialize, Serialize};

use super::compiled::{CompiledContext, rendered};
use super::quotation::NOTICE;
use crate::echo::{GivenOut, Shingles};
use crate::error::MemoryError;
use crate::import::OWN_FENCE_TAG;
use crate::memory::Memory;
use crate::stores::facts::is_fact_page;

/// The folder below the private one.
const FOLDER: &str = "handed-out";
/// The first line of a file: another one is another version's, and is begun anew.
const VERSION: &str = "remembrancer handed out 2";
/// The most shingles of one session; the oldest go first. Four bytes each.
const MOST_SHINGLES: usize = 50_000;
/// The most sessions.
const MOST_SESSIONS: usize = 100;
/// How long a session is kept.
const KEPT_HOURS: i64 = 24 * 30;

/// A memory that stood in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandedOut {
    /// The memory's id: `core:k7f2qa`, `entity:person--mira`, `episode:…`; `passage:PATH:FIRST-LAST` for other text.
    pub id: String,
    /// Path relative to the workspace.
    pub path: String,
    /// First line in the file, from 1.
    pub start_line: usize,
    /// Last line in the file, inclusive.
    pub end_line: usize,
    /// What it said.
    pub shingles: Shingles,
}

/// What a record says of a memory before its shingles.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    id: String,
    path: String,
    start: usize,
    end: usize,
}

/// A memory's record as its bytes in the file: the number of shingles, its [`Head`] as JSON and a line's end; then the shingles.
#[derive(Debug, Clone, Copy)]
struct Record<'a> {
    bytes: &'a [u8],
    head: &'a [u8],
    shingles: &'a [[u8; 4]],
}

impl Record<'_> {
    fn hashes(&self) -> impl Iterator<Item = u32> {
        self.shingles.iter().copied().map(u32::from_le_bytes)
    }

    /// Whether it is of text that is no memory by itself; told without reading it, since most are.
    fn is_passage(&self) -> bool {
        self.head.starts_with(br#"{"id":"passage:"#)
    }

    /// Nothing where it is damaged.
    fn read(&self) -> Option<HandedOut> {
        let Head { id, path, start: start_line, end: end_line } = serde_json::from_slice(self.head).ok()?;
        let shingles = Shingles::from_hashes(self.hashes().collect());
        Some(HandedOut { id, path, start_line, end_line, shingles })
    }
}

/// The sentence that contexts begin their quotations with.
static NOTICE_SHINGLES: LazyLock<Shingles> = LazyLock::new(|| Shingles::of(NOTICE));

/// What the records of these files hold, and with it the sentence that says how to read it.
fn given_out_with(files: &[Vec<u8>]) -> GivenOut {
    let records: Vec<Record<'_>> =
        files.iter().filter_map(|bytes| parse(bytes)).flat_map(|(_, records)| records).collect();
    let notice = (!records.is_empty()).then_some(&*NOTICE_SHINGLES);
    let notice = notice.into_iter().flat_map(|notice| notice.hashes().iter().copied());
    records.iter().flat_map(Record::hashes).chain(notice).collect()
}

impl Memory {
    /// What stood in the contexts of a session, oldest first; nothing where that is not known.
    #[must_use]
    pub fn handed_out(&self, session: &str) -> Vec<HandedOut> {
        let bytes = self.ledger.read_private(&file_of(session)).unwrap_or_default();
        let (_, records) = parse(&bytes).unwrap_or_default();
        records.iter().filter_map(Record::read).collect()
    }

    /// The memories that stood in the contexts of a session, by the files in which they stood.
    pub(crate) fn memories_handed_out(&self, session: &str) -> BTreeMap<MemoryPath, BTreeSet<String>> {
        let bytes = self.ledger.read_private(&file_of(session)).unwrap_or_default();
        let (_, records) = parse(&bytes).unwrap_or_default();
        let mut found: BTreeMap<MemoryPath, BTreeSet<String>> = BTreeMap::new();
        for record in records.iter().filter(|record| !record.is_passage()) {
            if let Ok(Head { id, path, .. }) = serde_json::from_slice(record.head)
                && let Ok(path) = MemoryPath::new(path)
            {
                found.entry(path).or_default().insert(id);
            }
        }
        found
    }

    /// Records that a context was handed out to a session. What stands in the record already is not recorded again.
    ///
    /// # Errors
    /// [`MemoryError::Ledger`] when it cannot be written.
    pub fn hand_out(&self, session: &str, context: &CompiledContext) -> Result<(), MemoryError> {
        self.hand_out_to(&Asking::default(), session, context)
    }

    /// Records what was handed out to a session. A record that cannot be written is said on the log.
    pub(super) fn record_context(&self, asking: &Asking, session: Option<&str>, context: &CompiledContext) {
        if let Some(session) = session
            && let Err(error) = self.hand_out_to(asking, session, context)
        {
            tracing::warn!("what was handed out to session {session} is not recorded: {error}");
        }
    }

    /// As [`Self::hand_out`], where it was compiled on behalf of somebody.
    pub(crate) fn hand_out_to(
        &self,
        asking: &Asking,
        session: &str,
        context: &CompiledContext,
    ) -> Result<(), MemoryError> {
        let mut items: Vec<HandedOut> = Vec::new();
        for (slot, item) in context.items() {
            let path = MemoryPath::new(item.path.clone())?;
            if self.is_transcript_of(&path, session) {
                continue;
            }
            items.extend(self.memories_in(
                asking,
                &path,
                (item.start_line, item.end_line),
                &rendered(slot, &[item]),
            )?);
        }
        items.retain(|item| !item.shingles.hashes().is_empty());
        let rendered: Vec<Vec<u8>> = items.iter().map(render).collect();
        let _guard = self.ledger.lock_private("handed-out.lock")?;
        let bytes = self.ledger.read_private(&file_of(session)).unwrap_or_default();
        let (_, known) = parse(&bytes).unwrap_or_default();
        let mut seen: HashSet<&[u8]> = known.iter().map(|record| record.bytes).collect();
        let (mut records, mut listed) = (known.clone(), Vec::new());
        for (item, bytes) in items.into_iter().zip(&rendered) {
            if seen.insert(bytes) {
                records.extend(record_of(bytes).map(|(record, _)| record));
                listed.extend((!item.id.starts_with("passage:")).then_some(item.id));
            }
        }
        if records.len() == known.len() {
            return Ok(());
        }
        let mut count: usize = records.iter().map(|record| record.shingles.len()).sum();
        let mut gone = 0;
        while count > MOST_SHINGLES && gone + 1 < records.len() {
            count -= records[gone].shingles.len();
            gone += 1;
        }
        let kept = records[gone..].iter().map(|record| record.bytes);
        self.ledger.write_private(&file_of(session), &file_with(self.now(), kept))?;
        self.note_listed(Some(session), &listed);
        if known.is_empty() {
            self.drop_old_records()?;
        }
        Ok(())
    }

    /// What was handed out, for telling echoes: to this session, or where none is named to all that are recent.
    pub(crate) fn given_out(&self, session: Option<&str>) -> GivenOut {
        if let Some(session) = session {
            return given_out_with(&Vec::from_iter(self.ledger.read_private(&file_of(session))));
        }
        let hours = i64::try_from(self.config.context.recent_hours).unwrap_or(KEPT_HOURS).min(KEPT_HOURS);
        let since = self.now().saturating_sub(SignedDuration::from_hours(hours)).unwrap_or(Timestamp::MIN);
        let recent = self.sessions_handed_to().into_iter().filter(|(_, time)| *time >= since);
        given_out_with(&recent.filter_map(|(name, _)| self.ledger.read_private(&name)).collect::<Vec<_>>())
    }

    /// Whether a text that was noticed in talk is only what the memory said itself: handed out to the session, copied with what is
    /// noted of it in its file, or an episode of the last days word for word.
    pub(crate) fn is_own_echo(&self, text: &str, session: Option<&str>) -> Result<bool, MemoryError> {
        if is_in_stored_form(text) || self.given_out(session).echoes(text) {
            return Ok(true);
        }
        let hours = i64::try_from(self.config.context.recent_hours).unwrap_or(KEPT_HOURS).min(KEPT_HOURS);
        let mut said: Vec<Shingles> = Vec::new();
        for days in 0..=(hours + 23) / 24 {
            let day = self.today().saturating_sub(jiff::Span::new().days(days));
            let path = self.ledger.layout().file(Store::Episodes, &format!("{day}.md"))?;
            let entries = self.ledger.read(&path)?.map_or_else(Vec::new, |bytes| episode::parse(&bytes).0);
            // The very same of today is found in the day's file, with its id.
            let others = entries.into_iter().filter(|entry| days > 0 || entry.episode.text != text);
            said.extend(others.map(|entry| Shingles::of(&entry.episode.text)));
        }
        Ok(said.iter().collect::<GivenOut>().echoes_at_length(text))
    }

    /// A turn without what was handed out to its session, which a host or a person put into it; and whether there was any. What an
    /// agent says stays whole: its answers use what it was given.
    pub(crate) fn without_echoes(&self, given: &GivenOut, mut turn: Turn) -> (Turn, bool) {
        let mut had_any = false;
        if turn.role == Role::Agent || turn.kind == TurnKind::Memory || given.is_empty() {
            return (turn, had_any);
        }
        for part in &mut turn.body {
            if let TurnPart::Text(text) = part
                && let Some(kept) = given.without_echoes(text)
            {
                *text = kept;
                had_any = true;
            }
        }
        if had_any {
            turn.body.retain(|part| !matches!(part, TurnPart::Text(text) if text.is_empty()));
        }
        (turn, had_any)
    }

    /// The memories that stand in these lines of a file: the entries of a page, the episodes of a day, else the text as it was
    /// handed out.
    fn memories_in(
        &self,
        asking: &Asking,
        path: &MemoryPath,
        (first, last): (usize, usize),
        said: &str,
    ) -> Result<Vec<HandedOut>, MemoryError> {
        let whole = |id: Option<String>| HandedOut {
            id: id.unwrap_or_else(|| format!("passage:{path}:{first}-{last}")),
            path: path.to_string(),
            start_line: first,
            end_line: last,
            shingles: Shingles::of(said),
        };
        let layout = self.ledger.layout();
        let has_entries = matches!(layout.store_of(path), Some(Store::Core | Store::Vault | Store::Episodes))
            || is_fact_page(layout, path);
        if !has_entries {
            let entity = self.entity_at(path);
            return Ok(vec![whole(crate::search::memory_id(layout, path, entity.as_ref()))]);
        }
        let mut entries = self.entries_in(path, &self.seen_by(asking, path.as_str())?);
        entries.retain(|(_, lines, _)| lines.start <= last && lines.end > first);
        // The whole as well: what has no id, and what stands across two entries.
        let mut found = vec![whole(None)];
        found.extend(entries.into_iter().map(|(id, lines, text)| HandedOut {
            id,
            path: path.to_string(),
            start_line: lines.start,
            end_line: lines.end - 1,
            shingles: Shingles::of(&text),
        }));
        Ok(found)
    }

    /// The entries of a page with ids, the episodes of a day: the id of each, its lines and what it says.
    pub(crate) fn entries_in(&self, path: &MemoryPath, bytes: &[u8]) -> Vec<(String, Range<usize>, String)> {
        let layout = self.ledger.layout();
        let kind = match layout.store_of(path) {
            Some(Store::Episodes) => {
                let Some(date) = rem_recall::date_of_path(path.as_str()) else { return Vec::new() };
                let entries = episode::parse(bytes).0.into_iter().map(|placed| {
                    let id = episode::episode_id(date, placed.episode.time, placed.number);
                    (id, placed.lines, placed.episode.text)
                });
                return entries.collect();
            }
            Some(Store::Core) => "core",
            Some(Store::Vault) => "vault",
            _ if is_fact_page(layout, path) => "fact",
            _ => return Vec::new(),
        };
        let Ok(page) = Page::parse(bytes) else { return Vec::new() };
        let with_id = |item: &Item| {
            let id = item.annotation.get("id")?;
            Some((format!("{kind}:{id}"), item.lines.clone(), item.text.clone()))
        };
        page.items().iter().filter_map(with_id).collect()
    }

    fn is_transcript_of(&self, path: &MemoryPath, session: &str) -> bool {
        self.ledger.layout().store_of(path) == Some(Store::Transcripts)
            && parse_file_path(path.as_str()).is_some_and(|name| name.session == file_session_id(session))
    }

    /// The files of sessions that there are, with the time of each.
    fn sessions_handed_to(&self) -> Vec<(String, Timestamp)> {
        let Ok(entries) = std::fs::read_dir(self.ledger.private_folder().join(FOLDER)) else {
            return Vec::new();
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let time = |name: &String| {
            let bytes = self.ledger.read_private(name)?;
            let head = bytes.split(|byte| *byte == b'\n').nth(1)?;
            std::str::from_utf8(head).ok()?.parse::<Timestamp>().ok()
        };
        names
            .map(|name| Path::new(FOLDER).join(name).to_string_lossy().into_owned())
            .map(|name| (time(&name).unwrap_or(Timestamp::MIN), name))
            .map(|(time, name)| (name, time))
            .collect()
    }

    fn drop_old_records(&self) -> Result<(), MemoryError> {
        let mut records = self.sessions_handed_to();
        records.sort_by_key(|(name, time)| (std::cmp::Reverse(*time), name.clone()));
        let since =
            self.now().saturating_sub(SignedDuration::from_hours(KEPT_HOURS)).unwrap_or(Timestamp::MIN);
        for (at, (name, time)) in records.into_iter().enumerate() {
            if at >= MOST_SESSIONS || time < since {
                self.ledger.remove_private(&name)?;
            }
        }
        Ok(())
    }
}

/// Whether a text is copied from a file with what is noted there, or from a compiled context with its fence.
fn is_in_stored_form(text: &str) -> bool {
    let is_noted = |line: &str| {
        let comment = line.find("<!--").and_then(|at| Annotation::parse(&line[at..]));
        comment.is_some_and(|comment| comment.get("id").is_some() && comment.get("since").is_some())
    };
    text.contains(&format!("<{OWN_FENCE_TAG}"))
        || text.lines().any(is_noted)
        || text.trim_start().starts_with("## ") && !episode::parse(text.as_bytes()).0.is_empty()
}

/// A session's id may be anything; its file's name is its hash.
fn file_of(session: &str) -> String {
    format!("{FOLDER}/{}", &blake3::hash(session.as_bytes()).to_hex()[..32])
}

fn render(item: &HandedOut) -> Vec<u8> {
    let HandedOut { id, path, start_line, end_line, shingles } = item;
    let head = Head { id: id.clone(), path: path.clone(), start: *start_line, end: *end_line };
    let mut bytes = format!("{} ", shingles.hashes().len()).into_bytes();
    // A struct of words and numbers has a JSON form.
    bytes.extend(serde_json::to_vec(&head).unwrap_or_default());
    bytes.push(b'\n');
    bytes.extend(shingles.hashes().iter().flat_map(|hash| hash.to_le_bytes()));
    bytes
}

/// A session's file with these records.
fn file_with<'a>(time: Timestamp, records: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = format!("{VERSION}\n{time}\n").into_bytes();
    records.for_each(|record| bytes.extend(record));
    bytes
}

fn line_of(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// The record that stands first, and what follows it.
fn record_of(bytes: &[u8]) -> Option<(Record<'_>, &[u8])> {
    let (line, after) = line_of(bytes)?;
    let (count, head) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    let (shingles, rest) = after.split_at_checked(count.parse::<usize>().ok()?.checked_mul(4)?)?;
    let (bytes, shingles) = (&bytes[..bytes.len() - rest.len()], shingles.as_chunks().0);
    Some((Record { bytes, head: head.as_bytes(), shingles }, rest))
}

/// What [`file_with`] wrote; nothing where it is another version's or damaged.
fn parse(bytes: &[u8]) -> Option<(Timestamp, Vec<Record<'_>>)> {
    let (version, rest) = line_of(bytes)?;
    let (time, mut rest) = line_of(rest)?;
    if version != VERSION.as_bytes() {
        return None;
    }
    let time = std::str::from_utf8(time).ok()?.parse().ok()?;
    let mut records = Vec::new();
    while !rest.is_empty() {
        let (record, after) = record_of(rest)?;
        records.push(record);
        rest = after;
    }
    Some((time, records))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_record_is_read_back_and_a_damaged_one_is_nothing(
            texts in prop::collection::vec("\\PC{0,60}", 0..5), cut in 0..400_usize, odd in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            let items: Vec<HandedOut> = texts
                .iter()
                .map(|text| HandedOut {
                    id: text.clone(), path: "MEMORY.md".to_owned(), start_line: 3, end_line: 9, shingles: Shingles::of(text),
                })
                .collect();
            let rendered: Vec<Vec<u8>> = items.iter().map(render).collect();
            let bytes = file_with(Timestamp::UNIX_EPOCH, rendered.iter().map(Vec::as_slice));
            let read = |bytes: &[u8]| {
                parse(bytes).map(|(_, records)| records.iter().filter_map(Record::read).collect::<Vec<_>>())
            };
            prop_assert_eq!(read(&bytes), Some(items.clone()));
            if let Some(found) = read(&bytes[..cut.min(bytes.len())]) {
                prop_assert_eq!(&found[..], &items[..found.len()]);
            }
            let _ = parse(&odd);
            let _ = parse(&[VERSION.as_bytes(), b"\n1970-01-01T00:00:00Z\n", &odd].concat());
        }
    }
}
