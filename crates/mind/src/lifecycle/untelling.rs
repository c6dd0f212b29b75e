//! What was forgotten is told no more: the lines that condensing wrote of it leave the journal and the chronicles.
//!
//! A line goes where all of it is from what was forgotten, or says the same; of one that tells of other things as well only the sentence goes. What people
//! wrote, and the conversations, stay as they are.

use std::collections::BTreeMap;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::page::{Item, Page};
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};

use super::condense::{TALK, unlinked};
use super::forgotten::Forgotten;
use super::unsaid::{self, Unsaid};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::incoming::undated;
use crate::stores::locate::Located;

/// Lines of transcripts, by their paths.
type Places = BTreeMap<String, Vec<(usize, usize)>>;

impl Memory {
    /// Takes what was forgotten out of the pages that were condensed from the same conversations.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub(crate) fn journal_forgets(
        &self,
        forgotten: &[Located],
        provenance: &Provenance,
    ) -> Result<(), MemoryError> {
        let root = format!("{}/", self.path(Store::Transcripts));
        let (mut places, mut unsaid) = (Places::new(), Unsaid::default());
        for located in forgotten {
            texts_in(&located.text).into_iter().for_each(|text| unsaid.add(&text));
            for (path, first, last) in places_in(&located.text, &root) {
                places.entry(path).or_default().push((first, last));
            }
        }
        let mut pages: BTreeMap<MemoryPath, Date> = BTreeMap::new();
        let layout = self.ledger.layout();
        for day in places.keys().filter_map(|path| rem_recall::date_of_path(path)) {
            // The operator's day and that of the path are one apart at most.
            for day in [day.saturating_sub(1.day()), day, day.saturating_add(1.day())] {
                pages.insert(layout.file(Store::Journal, &format!("{day}.md"))?, day);
                let month = format!("{:04}-{:02}.md", day.year(), day.month());
                pages.entry(layout.file(Store::Chronicles, &month)?).or_insert(day);
            }
        }
        if pages.is_empty() {
            return Ok(());
        }
        let known = self.forgotten()?;
        let mut set = ChangeSet::new();
        for (path, day) in pages {
            let Some(found) = self.ledger.read(&path)? else { continue };
            let Some(after) = without(&found, day, &places, &known, &unsaid) else { continue };
            set = set.edit(path, "what was forgotten is told no more", move |now| match now {
                Some(now) if now == found => Ok(Some(after.clone())),
                _ => Err("it changed meanwhile: try again".into()),
            });
        }
        if !set.is_empty() {
            self.change(set, provenance)?;
        }
        Ok(())
    }
}

/// The page without what was forgotten; nothing where it tells nothing of it.
fn without(found: &[u8], day: Date, places: &Places, known: &Forgotten, unsaid: &Unsaid) -> Option<Vec<u8>> {
    let mut page = Page::parse(found).ok()?;
    let before = page.as_str().len();
    let mut at = 0;
    while let Some(item) = page.items().get(at).cloned() {
        match left_of(&item, day, places, known, unsaid) {
            Some(text) if text == item.text => at += 1,
            Some(text) => {
                page.set(at, &text, &item.annotation);
                at += 1;
            }
            None => drop(page.remove(at)),
        }
    }
    let after = reheaded(page.as_str(), day, known, unsaid);
    (after.len() != before).then(|| after.into_bytes())
}

/// What is left of a line; nothing where all of it was forgotten.
fn left_of(item: &Item, day: Date, places: &Places, known: &Forgotten, unsaid: &Unsaid) -> Option<String> {
    let bare = unlinked(item.text.trim());
    // Only what ends in a link to where it is from was condensed.
    if bare == item.text.trim() {
        return Some(item.text.clone());
    }
    let said = undated(bare);
    let day = bare.split_once(": ").and_then(|(day, _)| day.parse().ok()).unwrap_or(day);
    if known.holds(said, day) || is_from(item, places) {
        return None;
    }
    let is_gone = |sentence: &str| {
        known.holds(sentence, day) || known.holds_person_in(sentence, day) || unsaid.is_told_by(sentence)
    };
    let left = unsaid::without(said, is_gone)?;
    Some(if left == said { item.text.clone() } else { item.text.replacen(said, &left, 1) })
}

/// The page with other headings for those that tell of what was forgotten; without them where nothing stands below.
fn reheaded(text: &str, day: Date, known: &Forgotten, unsaid: &Unsaid) -> String {
    let tells = |heading: &str| {
        unsaid.is_headed_by(heading) || known.holds(heading, day) || known.holds_person_in(heading, day)
    };
    let mut kept = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(heading) = line.strip_prefix("## ").map(str::trim).filter(|heading| tells(heading)) else {
            kept.push_str(line);
            continue;
        };
        let mut below = String::new();
        while let Some(blank) = lines.next_if(|line| line.trim().is_empty()) {
            below.push_str(blank);
        }
        if lines.peek().is_some_and(|next| !next.starts_with('#')) {
            kept.push_str(&line.replacen(heading, TALK, 1));
            kept.push_str(&below);
        }
    }
    kept
}

/// What a memory says, line by line, without marks and comments.
pub(super) fn texts_in(text: &str) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.split("<!--").next().unwrap_or_default().trim();
        undated(line.trim_start_matches(['-', '*', ' ', '~']).trim_end_matches('~')).to_owned()
    };
    let says = |line: &&str| !line.trim().is_empty() && !line.starts_with(['#', '|']) && !line.contains("[[");
    text.lines().filter(says).map(bare).filter(|line| line.contains(char::is_alphanumeric)).collect()
}

/// Whether all lines that it is from are of what was forgotten.
fn is_from(item: &Item, places: &Places) -> bool {
    let Some(lines) = item.annotation.get("lines") else { return false };
    let of_link = |path: &&String| {
        let target = path.strip_suffix(".md").unwrap_or(path);
        item.text.contains(&format!("[[{target}|"))
    };
    let Some(gone) = places.keys().find(of_link).and_then(|path| places.get(path)) else { return false };
    let mut spans = lines.split(", ").map(span).peekable();
    spans.peek().is_some()
        && spans.all(|span| {
            span.is_some_and(|(first, last)| gone.iter().any(|(from, to)| *from <= first && last <= *to))
        })
}

fn span(lines: &str) -> Option<(usize, usize)> {
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// The places in transcripts that a text names.
fn places_in<'t>(text: &'t str, root: &'t str) -> impl Iterator<Item = (String, usize, usize)> + 't {
    let words = text.split(|sign: char| sign.is_whitespace() || sign == ',' || sign == '|');
    words.filter_map(move |word| {
        let word = &word[word.find(root)?..];
        let (path, lines) = word.rsplit_once(".md:")?;
        let (first, last) = span(lines)?;
        Some((format!("{path}.md"), first, last))
    })
}
