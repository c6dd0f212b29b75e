//! What a person had forgotten: nothing that was said before that is learned, condensed or told again.
//!
//! What was put into the archive is known by its words and its source; what was forgotten for good by fingerprints in
//! `memory/meta/forgotten.txt`, from which its words cannot be read. What is said again after the day it was forgotten is news.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::episode;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Snapshot, Store};

use super::records::said_by;
use crate::error::MemoryError;
use crate::identity::CORRECTION;
use crate::memory::Memory;
use crate::stores::Located;
use crate::stores::incoming::undated;
use crate::stores::reviving::is_out_of_use;
use crate::stores::statement::{Comparison, Statement};

/// The list of fingerprints, below the memory's own files.
const LIST: &str = "forgotten.txt";

/// What was forgotten: fingerprints, each with the last day on which it was; and of what the archive still says the words, by where they were said.
#[derive(Debug, Default)]
pub(crate) struct Forgotten {
    prints: BTreeMap<String, Date>,
    said_at: BTreeMap<String, Vec<(String, Date)>>,
    said: Vec<(String, Date)>,
}

impl Forgotten {
    /// Whether a statement was forgotten on the day it was said or later.
    pub(crate) fn holds(&self, text: &str, said: Date) -> bool {
        !self.prints.is_empty() && self.is_past(&of_text(text), said)
    }

    /// The last day on which a statement was forgotten.
    pub(crate) fn day_of(&self, text: &str) -> Option<Date> {
        let print = (!self.prints.is_empty()).then(|| of_text(text))?;
        self.prints.get(&print).copied()
    }

    /// The day on which everything about somebody or something was.
    pub(super) fn day_of_name(&self, name: &str) -> Option<Date> {
        self.prints.get(&of_name(name)).copied()
    }

    /// The day on which a correction was forgotten for good, by its id.
    pub(crate) fn day_of_correction(&self, id: &str) -> Option<Date> {
        self.prints.get(&of_correction(id)).copied()
    }

    /// What was forgotten and is in the archive still, in its words.
    pub(crate) fn said(&self) -> impl Iterator<Item = (&str, Date)> {
        self.said.iter().map(|(text, day)| (text.as_str(), *day))
    }

    /// Whether all that was said at a place was forgotten for good.
    pub(crate) fn holds_source(&self, source: &str, said: Date) -> bool {
        !self.prints.is_empty() && sources(source).any(|source| self.is_past(&of_source(source), said))
    }

    /// Whether what was said at a place, in words of its own, is what was forgotten there.
    pub(crate) fn holds_at(&self, source: &str, text: &str, said: Date) -> bool {
        let there = sources(source).filter_map(|source| self.said_at.get(source)).flatten();
        let mut there = there.filter(|(_, forgotten)| said <= *forgotten).peekable();
        there.peek().is_some() && {
            let statement = Statement::new(text);
            there.any(|(known, _)| statement.compared_to(&Statement::new(known)) == Comparison::Same)
        }
    }

    /// Whether a text names a person about whom everything was forgotten.
    pub(crate) fn holds_person_in(&self, text: &str, said: Date) -> bool {
        let any = of_person("");
        let kind = any.split(':').next().unwrap_or_default();
        self.prints.keys().any(|print| print.starts_with(kind))
            && names_in(text).any(|name| self.is_past(&of_person(&name), said))
    }

    /// Whether everything about somebody was.
    pub(crate) fn holds_name(&self, name: &str, said: Date) -> bool {
        !self.prints.is_empty() && self.is_past(&of_name(name), said)
    }

    /// What a list of fingerprints says.
    fn listed(bytes: &[u8]) -> Self {
        let mut forgotten = Self::default();
        for line in String::from_utf8_lossy(bytes).lines() {
            if let Some((day, print)) = line.split_once(' ')
                && let Ok(day) = day.parse()
            {
                forgotten.add(print.to_owned(), day);
            }
        }
        forgotten
    }

    pub(super) fn is_empty(&self) -> bool {
        self.prints.is_empty()
    }

    /// What is known here to be forgotten and there is not, or not since.
    pub(super) fn without(&self, other: &Self) -> Self {
        let is_known = |print: &String, day: Date| other.prints.get(print).is_some_and(|known| *known >= day);
        let prints = self.prints.iter().filter(|(print, day)| !is_known(print, **day));
        Self { prints: prints.map(|(print, day)| (print.clone(), *day)).collect(), ..Self::default() }
    }

    fn is_past(&self, print: &str, said: Date) -> bool {
        self.prints.get(print).is_some_and(|forgotten| said <= *forgotten)
    }

    fn add(&mut self, print: String, day: Date) {
        let known = self.prints.entry(print).or_insert(day);
        *known = day.max(*known);
    }
}

impl Memory {
    /// What was forgotten for good.
    pub(crate) fn forgotten_for_good(&self) -> Result<Forgotten, MemoryError> {
        let list = self.ledger.layout().file(Store::Meta, LIST)?;
        Ok(Forgotten::listed(&self.ledger.read(&list)?.unwrap_or_default()))
    }

    /// What was forgotten for good in a state of the past, or of another clone.
    pub(super) fn forgotten_in(&self, state: &Snapshot) -> Result<Forgotten, MemoryError> {
        let list = self.ledger.layout().file(Store::Meta, LIST)?;
        Ok(Forgotten::listed(&self.ledger.contents_in(state, &list)?.unwrap_or_default()))
    }

    /// What was forgotten.
    pub(crate) fn forgotten(&self) -> Result<Forgotten, MemoryError> {
        let mut forgotten = self.forgotten_for_good()?;
        for file in &self.ledger.list()?.files {
            let path = MemoryPath::new(file.path.as_str())?;
            let store = self.ledger.layout().store_of(&path);
            let is_knowledge =
                matches!(store, Some(Store::Archive | Store::Entities | Store::People | Store::Procedures));
            if !is_knowledge || !path.as_str().ends_with(".md") {
                continue;
            }
            let Some(Ok(page)) = self.ledger.read(&path)?.map(|bytes| Page::parse(&bytes)) else { continue };
            let whole = page
                .header()
                .date("archived")
                .filter(|_| is_out_of_use(&page) && page.header().get("merged into").is_none());
            for item in page.items() {
                if let Some(day) = whole.or_else(|| item.annotation.date("forgotten")) {
                    forgotten.add(of_text(item.plain()), day);
                    forgotten.said.push((undated(item.plain()).to_owned(), day));
                    for source in item.annotation.get("source").into_iter().flat_map(sources) {
                        let said = forgotten.said_at.entry(source.to_owned()).or_default();
                        said.push((undated(item.plain()).to_owned(), day));
                    }
                    learned_from(item.plain())
                        .into_iter()
                        .for_each(|source| forgotten.add(of_source(source), day));
                }
            }
            if let Some(day) = whole.filter(|_| store != Some(Store::Archive)) {
                prints_of_names(&page).into_iter().for_each(|name| forgotten.add(name, day));
            }
        }
        Ok(forgotten)
    }

    /// The change that takes note of what is forgotten for good: the items, and the files as they are.
    pub(crate) fn noted_as_forgotten<'a>(
        &self,
        set: ChangeSet<'a>,
        items: &[(String, Annotation)],
        files: &[MemoryPath],
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let mut prints = BTreeSet::new();
        for (text, annotation) in items {
            note(text, annotation.get("source"), &mut prints);
        }
        for path in files {
            let Some(bytes) = self.ledger.read(path)? else { continue };
            if self.ledger.layout().store_of(path) == Some(Store::Episodes) {
                continue;
            }
            let Ok(page) = Page::parse(&bytes) else { continue };
            prints.extend(prints_of_names(&page));
            for item in page.items() {
                note(item.plain(), item.annotation.get("source"), &mut prints);
            }
        }
        self.with_prints(set, prints)
    }

    /// The change that takes note of corrections that are forgotten for good: their ids, from which principles came, and what they said.
    pub(crate) fn corrections_noted_as_forgotten<'a>(
        &self,
        set: ChangeSet<'a>,
        forgotten: &[Located],
    ) -> Result<ChangeSet<'a>, MemoryError> {
        let corrections: Vec<Located> =
            forgotten.iter().filter(|each| each.id.starts_with(CORRECTION)).cloned().collect();
        let mut prints = BTreeSet::new();
        for each in &corrections {
            prints.insert(of_correction(each.id.trim_start_matches(CORRECTION)));
            said_by(each).iter().for_each(|text| note(text, None, &mut prints));
        }
        for (text, _) in self.wishes_like(&corrections)? {
            note(&text, None, &mut prints);
        }
        self.with_prints(set, prints)
    }

    fn with_prints<'a>(
        &self,
        set: ChangeSet<'a>,
        prints: BTreeSet<String>,
    ) -> Result<ChangeSet<'a>, MemoryError> {
        if prints.is_empty() {
            return Ok(set);
        }
        let day = self.today();
        let list = self.ledger.layout().file(Store::Meta, LIST)?;
        Ok(set.edit(list, "what is forgotten for good", move |found| {
            let text = String::from_utf8_lossy(found.unwrap_or_default()).into_owned();
            let mut lines: BTreeSet<String> = text.lines().map(str::to_owned).collect();
            lines.extend(prints.iter().map(|print| format!("{day} {print}")));
            Ok(Some(lines.into_iter().map(|line| line + "\n").collect::<String>().into_bytes()))
        }))
    }
}

/// The text and the source of an episode, for [`Memory::noted_as_forgotten`].
pub(crate) fn of_episode(placed: &episode::Placed) -> (String, Annotation) {
    let annotation = Annotation::new();
    let from = placed.episode.from.as_deref();
    (placed.episode.text.clone(), from.map_or(annotation.clone(), |from| annotation.with("source", from)))
}

/// The persons that files are about, as known to be forgotten for good.
pub(super) fn persons_of<'t>(files: impl Iterator<Item = &'t str>) -> Forgotten {
    let mut forgotten = Forgotten::default();
    for page in files.filter_map(|text| Page::parse(text.as_bytes()).ok()) {
        let named = person_of(&page);
        named.into_iter().for_each(|person| forgotten.add(person, Date::MAX));
    }
    forgotten
}

/// The name of the person that a page is about.
fn person_of(page: &Page) -> Option<String> {
    let header = page.header();
    let is_person = header.get("type").is_some_and(|kind| kind.eq_ignore_ascii_case("person"));
    header.get("label").filter(|_| is_person).map(of_person)
}

/// What a page is about, by its first heading and by the name that it gives it; a person's name is known as one.
fn prints_of_names(page: &Page) -> Vec<String> {
    let header = page.header();
    let title = page.as_str().lines().find_map(|line| line.strip_prefix("# ")).map(str::trim);
    let mut prints: Vec<String> = title.into_iter().chain(header.get("label")).map(of_name).collect();
    prints.extend(person_of(page));
    prints
}

/// Whatever in a text may be a name: up to three words, in Korean and Chinese also without what is written right after them.
fn names_in(text: &str) -> impl Iterator<Item = String> {
    let words: Vec<&str> =
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let several =
        (1..=3).flat_map(|count| words.windows(count).map(|words| words.join(" ")).collect::<Vec<_>>());
    let eastern = words.iter().filter(|word| !word.is_ascii()).flat_map(|word| {
        let signs: Vec<char> = word.chars().collect();
        let parts = (2..=4).flat_map(|count| signs.windows(count).map(String::from_iter).collect::<Vec<_>>());
        parts.collect::<Vec<_>>()
    });
    let all: Vec<String> = several.chain(eastern).collect();
    all.into_iter()
}

/// The source that an item of "Learned from" names.
fn learned_from(item: &str) -> Option<&str> {
    item.split_once(" — ").map(|(_, source)| source.trim()).filter(|source| source.contains(".md:"))
}

fn note(text: &str, source: Option<&str>, prints: &mut BTreeSet<String>) {
    prints.insert(of_text(text));
    prints.extend(source.into_iter().chain(learned_from(text)).flat_map(sources).map(of_source));
}

/// The places in transcripts that a source names: lines of other files say nothing about what was said.
fn sources(source: &str) -> impl Iterator<Item = &str> {
    source.split(", ").filter(|source| source.contains(".md:"))
}

fn of_text(text: &str) -> String {
    let said: String = undated(text.trim()).chars().filter(|each| each.is_alphanumeric()).collect();
    print("text", &said.to_lowercase())
}

fn of_source(source: &str) -> String {
    print("source", source)
}

fn of_name(name: &str) -> String {
    print("name", &name.trim().to_lowercase())
}

fn of_correction(id: &str) -> String {
    print("correction", id)
}

fn of_person(name: &str) -> String {
    print("person", &name.trim().to_lowercase())
}

fn print(what: &str, text: &str) -> String {
    let hash = blake3::hash(format!("{what}\n{text}").as_bytes()).to_hex();
    format!("{what}:{}", &hash.as_str()[..24])
}
