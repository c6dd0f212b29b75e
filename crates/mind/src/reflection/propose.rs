//! Phases 3 and 4 (M10.3) by rules: what is promoted, archived, made one, ended, taken out of MEMORY.md, or asked.
//!
//! Every proposal quotes the lines it rests on. No two touch the same line or, where one is about a whole file, the same file, so each
//! can be approved without the others. Pinned memories, corrections, the vault and the identity are at most asked about. Must not
//! write.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use rem_format::conflict;
use rem_format::decay_scores::Visibility;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::reflection::{Item, ItemKind, Quoted};
use rem_ledger::Store;
use rem_recall::decay::Origin;

use super::asked::Seen;
use super::contradictions::{Contradicted, also_contradicting, contradictions};
use super::survey::{Place, Said, Standing, Survey};
use super::unused::Dropped;
use crate::error::MemoryError;
use crate::lifecycle::hygiene::tidy;
use crate::lifecycle::keeping::is_correction;
use crate::memory::Memory;
use crate::stores::confidence::confidence_on;
use crate::stores::core::{ACTIVE, CRITICAL, is_within};
use crate::stores::incoming::undated;
use crate::stores::merge::duplicates_among;
use crate::stores::statement::{Comparison, Statement};

/// What was mentioned so often may belong into MEMORY.md …
const OFTEN: u32 = 3;
/// … where it is this sure …
const SURE: f64 = 0.8;
/// … and not longer than this, in characters.
const SHORT: usize = 300;
/// The most of a kind that one reflection proposes; the rest comes up in a later one. A person has to read them.
const MOST_PROMOTED: usize = 7;
const MOST_DUPLICATES: usize = 20;
const MOST_CONTRADICTIONS: usize = 20;
const MOST_QUESTIONS: usize = 7;
/// What is less sure than this, and was noticed once, is asked about.
const UNSURE: f64 = 0.5;
/// An entry that nobody mentioned for so many days, and that has faded, is stale.
const UNMENTIONED_DAYS: i32 = 60;

/// A day in a text.
static DAY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b20\d\d-[01]\d-[0-3]\d\b").ok());
/// Words that bind a statement to a day.
static UNTIL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:until|till|by|before|due|deadline|expires?|ends?|bis|spätestens|frist)\b|까지|마감|截止|之前").ok()
});

impl Memory {
    /// Everything that could be proposed, the most valuable first. What was answered before, whatever the answer, comes up with new evidence alone.
    /// What was dropped on the way is noted, and why.
    pub(super) fn proposed_items(
        &self,
        survey: &Survey,
        seen: &Seen<'_>,
        dropped: &mut Dropped,
    ) -> Result<Vec<Item>, MemoryError> {
        let (mut ended, mut undecided) = contradictions(survey, &self.config);
        for pair in &seen.contradictions {
            also_contradicting(survey, &self.config, *pair, (&mut ended, &mut undecided));
        }
        // What CONFLICTS.md asks a person already, or was told to leave, is not asked twice.
        let known = self.conflicts_left_to_a_person()?;
        for found in [&mut ended, &mut undecided] {
            found.retain(|each| {
                let is_known = known.contains(&conflict::id_of(&each.older.text, &each.newer.text));
                if is_known {
                    dropped.note_pair(each.older, each.newer, "CONFLICTS.md has it already");
                }
                !is_known
            });
        }
        for each in ended.iter().skip(MOST_CONTRADICTIONS) {
            dropped.note_pair(
                each.older,
                each.newer,
                format!("one reflection ends no more than {MOST_CONTRADICTIONS}"),
            );
        }
        let mut all: Vec<Item> = Vec::new();
        all.extend(ended.iter().take(MOST_CONTRADICTIONS).map(|each| contradiction(survey, each)));
        let stale = self.stale_core(survey)?;
        all.extend(self.promotions(survey, &stale, &seen.promotions, dropped)?);
        all.extend(stale);
        all.extend(self.duplicates(survey));
        all.extend(undecided.iter().map(|each| undecided_question(survey, each)));
        all.extend(self.questions(survey));
        all.extend(seen.questions.iter().map(|(said, asked)| question(survey, said, asked, "a model asks")));
        all.extend(self.archivals(survey));
        let answered = &survey.past.answered;
        dropped.retain(&mut all, "it was answered before, and nothing new speaks for it", |item| {
            answered.get(&item.key).is_none_or(|evidence| *evidence != item.evidence)
        });
        Ok(apart(all, dropped))
    }

    /// MEMORY.md's entries that nobody is sure of, that stand there twice, whose day is past, or that nobody spoke of for long.
    fn stale_core(&self, survey: &Survey) -> Result<Vec<Item>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Core))?.unwrap_or_default();
        let Ok(mut page) = Page::parse(&bytes) else { return Ok(Vec::new()) };
        let core = || survey.said.iter().filter(|said| said.place == Place::Core);
        let mut why: BTreeMap<String, String> = tidy(&mut page, &self.config, survey.today)
            .archived
            .into_iter()
            .filter_map(|(entry, why)| Some((entry.annotation.get("id")?.to_owned(), why)))
            .collect();
        let faded: BTreeMap<&str, Option<i32>> = survey
            .standings
            .iter()
            .filter(|each| each.visibility <= Visibility::Dormant)
            .filter_map(|each| Some((each.memory.id.strip_prefix("core:")?, each.memory.standing.last_day)))
            .collect();
        let today = rem_recall::days_since_1970(survey.today);
        for said in core().filter(|said| may_change(said)) {
            let Some(id) = said.annotation.get("id") else { continue };
            if let Some(day) = past_day(said, survey.today) {
                why.entry(id.to_owned()).or_insert_with(|| format!("its day, {day}, is past"));
            } else if let Some(Some(last)) = faded.get(id) {
                let days = today.saturating_sub(*last);
                if days >= UNMENTIONED_DAYS {
                    why.entry(id.to_owned()).or_insert_with(|| format!("nobody spoke of it for {days} days"));
                }
            }
        }
        let items = core().filter_map(|said| {
            let why = why.get(said.annotation.get("id")?)?;
            let mut item = item_of(survey, ItemKind::Stale, said, &said.text, why);
            item.section = Some(said.section.clone());
            item.evidence = hashed(&[&said.raw]);
            Some(item)
        });
        Ok(items.collect())
    }

    /// What was mentioned or used often, is sure, and MEMORY.md does not say, as far as there is room.
    fn promotions(
        &self,
        survey: &Survey,
        stale: &[Item],
        wanted: &[(&Said, String)],
        dropped: &mut Dropped,
    ) -> Result<Vec<Item>, MemoryError> {
        let used: BTreeMap<&str, u32> = survey
            .standings
            .iter()
            .filter(|each| each.memory.id.starts_with("fact:"))
            .map(|each| (each.memory.id.as_str(), each.memory.standing.accesses))
            .collect();
        let mut candidates: Vec<(u32, f64, &Said)> = Vec::new();
        let mut leave =
            |said: &Said, why: String| dropped.note(&key_of(survey, ItemKind::Promotion, said), why);
        for said in &survey.said {
            if said.place == Place::Core {
                leave(said, "MEMORY.md says it already".to_owned());
            }
            if !matches!(said.place, Place::Facts | Place::Entity) {
                continue;
            }
            if said.text.chars().count() > SHORT || said.text.contains('\n') {
                leave(said, format!("MEMORY.md takes one line of at most {SHORT} characters"));
                continue;
            }
            let note = &said.annotation;
            let mentions = note.get("mentions").and_then(|count| count.parse().ok()).unwrap_or(1);
            let id = survey.id_of(said).unwrap_or_default();
            let count = used.get(id.as_str()).copied().unwrap_or(0).max(mentions);
            let confidence = self.confidence_of_said(survey, said).unwrap_or(0.0);
            let is_often = count >= OFTEN || wanted.iter().any(|(wanted, _)| std::ptr::eq(*wanted, said));
            match confidence >= SURE {
                true if is_often => candidates.push((count, confidence, said)),
                true => {}
                false => {
                    leave(said, format!("it is not sure enough: {confidence:.2}, and {SURE:.2} is wanted"));
                }
            }
        }
        candidates.sort_by(|one, other| {
            other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)).then(one.2.text.cmp(&other.2.text))
        });
        let mut known: Vec<Statement> = survey
            .said
            .iter()
            .filter(|said| matches!(said.place, Place::Core | Place::Vault))
            .map(|said| Statement::new(&said.text))
            .collect();
        let bytes = self.ledger.read(self.path(Store::Core))?.unwrap_or_default();
        let Ok(mut page) = Page::parse(&bytes) else { return Ok(Vec::new()) };
        // With what is stale gone: the rest stands in the way as it does when all is approved.
        let gone: BTreeSet<&str> =
            stale.iter().flat_map(|item| &item.rests_on).map(|quoted| quoted.text.as_str()).collect();
        let is_gone = |page: &Page, start: usize| {
            page.as_str().lines().nth(start - 1).is_some_and(|line| gone.contains(line))
        };
        while let Some(index) = page.items().iter().position(|item| is_gone(&page, item.lines.start)) {
            page.remove(index);
        }
        let redactor = self.redactor()?;
        let mut items = Vec::new();
        let mut has_room = true;
        for (count, confidence, said) in candidates {
            if items.len() == MOST_PROMOTED {
                leave(said, format!("one reflection promotes no more than {MOST_PROMOTED}"));
                continue;
            }
            let text = redactor.redact(&said.text).0.into_owned();
            let statement = Statement::new(&text);
            if known.iter().any(|known| statement.compared_to(known) != Comparison::Apart) {
                leave(
                    said,
                    "MEMORY.md or the vault says it or contradicts it, or another promotion does".to_owned(),
                );
                continue;
            }
            let note = promoted_note(said, confidence, survey.today);
            has_room =
                has_room && page.add(CRITICAL, &text, &note).is_ok() && is_within(&page, &self.config.core);
            if !has_room {
                leave(said, "MEMORY.md has no room for it".to_owned());
                continue;
            }
            known.push(statement);
            let mut reason = format!("mentioned or used {count} times, confidence {confidence:.2}");
            if let Some((_, why)) = wanted.iter().find(|(wanted, _)| std::ptr::eq(*wanted, said)) {
                reason.push_str(&format!("; a model: {why}"));
            }
            let mut item = item_of(survey, ItemKind::Promotion, said, &text, &reason);
            item.path = Some(self.path(Store::Core).clone());
            item.section = Some(CRITICAL.to_owned());
            item.after = Some(text);
            // Twice as often is new evidence; once more is not.
            item.evidence = hashed(&[&said.text, &count.max(1).ilog2().to_string()]);
            items.push(item);
        }
        Ok(items)
    }

    /// Entities whose names are alike.
    fn duplicates(&self, survey: &Survey) -> Vec<Item> {
        let files: BTreeMap<&str, usize> =
            survey.files.iter().enumerate().map(|(number, file)| (file.path.as_str(), number)).collect();
        let mut items = Vec::new();
        for pair in duplicates_among(&survey.nodes) {
            if items.len() == MOST_DUPLICATES {
                break;
            }
            let file = |path: &str| files.get(path).map(|number| &survey.files[*number]);
            let (Some(keep), Some(other)) = (file(&pair.keep.path), file(&pair.other.path)) else { continue };
            if keep.is_private || other.is_private {
                continue;
            }
            let says = format!("{} → is → {} (MERGE)", pair.other.id, pair.keep.id);
            items.push(Item {
                id: String::new(),
                kind: ItemKind::Duplicate,
                memory: Some(format!("entity:{}", pair.other.id)),
                keep: Some(format!("entity:{}", pair.keep.id)),
                path: Some(other.path.clone()),
                section: None,
                rests_on: vec![Survey::quote_file(other), Survey::quote_file(keep)],
                after: None,
                says,
                reason: format!("their names share {:.0} % of their words", 100.0 * pair.alike),
                sources: vec![other.path.to_string(), keep.path.to_string()],
                key: hashed(&["duplicate", &pair.other.id, &pair.keep.id]),
                evidence: hashed(&[&other.hash, &keep.hash]),
            });
        }
        items
    }

    /// What has faded below the threshold and nothing that is in use refers to.
    fn archivals(&self, survey: &Survey) -> Vec<Item> {
        let files: BTreeMap<&str, usize> =
            survey.files.iter().enumerate().map(|(number, file)| (file.path.as_str(), number)).collect();
        let in_use: BTreeSet<&str> = survey
            .standings
            .iter()
            .filter(|each| each.visibility >= Visibility::Fading)
            .filter_map(|each| each.memory.id.strip_prefix("entity:"))
            .collect();
        let referred: BTreeSet<&str> = survey
            .edges
            .iter()
            .filter(|edge| in_use.contains(edge.from.as_str()))
            .map(|edge| edge.to.as_str())
            .collect();
        let labels: BTreeMap<&str, &str> =
            survey.nodes.iter().map(|node| (node.id.as_str(), node.label.as_str())).collect();
        let facts: BTreeMap<String, &Said> = survey
            .said
            .iter()
            .filter(|said| said.place == Place::Facts && may_change(said))
            .filter_map(|said| Some((survey.id_of(said)?, said)))
            .collect();
        let mut faded: Vec<&Standing> = survey
            .standings
            .iter()
            .filter(|each| each.visibility == Visibility::Archived && !each.memory.archived)
            .collect();
        faded.sort_by(|one, other| one.relevance.total_cmp(&other.relevance));
        let mut items = Vec::new();
        for Standing { memory, relevance, .. } in faded {
            let last = memory.standing.last_day.map(|day| rem_recall::days_since_1970(survey.today) - day);
            let reason = match last {
                Some(days) => format!("score: {relevance:.2}, last accessed {days} days ago"),
                None => format!("score: {relevance:.2}"),
            };
            let seen = memory.standing.last_day.unwrap_or_default().to_string();
            let item = match memory.id.split_once(':') {
                Some(("fact", _)) => facts.get(&memory.id).map(|said| {
                    let says = format!("Fact: {}", said.text);
                    let mut item = item_of(survey, ItemKind::Archival, said, &says, &reason);
                    item.evidence = hashed(&[&said.raw, &seen]);
                    item
                }),
                Some((kind @ ("entity" | "procedure"), id)) if !referred.contains(id) => {
                    let file = files.get(memory.path.as_ref()).map(|number| &survey.files[*number]);
                    file.filter(|file| !file.stays && file.memory.as_ref() == Some(&memory.id)).map(|file| {
                        let name = labels.get(id).filter(|label| **label != id);
                        let name = name.map_or_else(String::new, |label| format!(", {label}"));
                        let what = if kind == "entity" { "Entity" } else { "Procedure" };
                        Item {
                            id: String::new(),
                            kind: ItemKind::Archival,
                            memory: Some(memory.id.clone()),
                            keep: None,
                            path: Some(file.path.clone()),
                            section: None,
                            rests_on: vec![Survey::quote_file(file)],
                            after: None,
                            says: format!("{what}: {id}{name}"),
                            reason,
                            sources: vec![memory.id.clone()],
                            key: hashed(&["archival", &memory.id]),
                            evidence: hashed(&[&file.hash, &seen]),
                        }
                    })
                }
                _ => None,
            };
            items.extend(item);
        }
        items
    }

    /// What was noticed once, is not sure, and was never confirmed; what is pinned though its day is past.
    fn questions(&self, survey: &Survey) -> Vec<Item> {
        let mut items = Vec::new();
        for said in survey.said.iter().filter(|said| said.place == Place::Core && !may_change(said)) {
            if let Some(day) = past_day(said, survey.today) {
                let says = format!(
                    "“{}” has a day that is past, and stays until you say otherwise. Is it over?",
                    said.text
                );
                items.push(question(survey, said, &says, &format!("its day was {day}")));
            }
        }
        let detected: BTreeSet<&str> = survey
            .standings
            .iter()
            .filter(|each| {
                each.memory.standing.origin < Origin::Explicit && each.visibility >= Visibility::Fading
            })
            .map(|each| each.memory.id.as_str())
            .collect();
        let mut unsure: Vec<(f64, &Said)> = Vec::new();
        for said in survey.said.iter().filter(|said| matches!(said.place, Place::Facts | Place::Entity)) {
            let is_noticed = survey.id_of(said).is_some_and(|id| detected.contains(id.as_str()));
            if let (true, Some(confidence)) = (is_noticed, self.confidence_of_said(survey, said))
                && confidence < UNSURE
            {
                unsure.push((confidence, said));
            }
        }
        unsure.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.text.cmp(&other.1.text)));
        for (confidence, said) in unsure {
            let since =
                said.annotation.date("since").map_or_else(String::new, |since| format!(" on {since}"));
            let says =
                format!("“{}” was only noticed{since}, and nobody confirmed it. Does it hold?", said.text);
            items.push(question(survey, said, &says, &format!("confidence {confidence:.2}")));
        }
        items.truncate(MOST_QUESTIONS);
        items
    }

    fn confidence_of_said(&self, survey: &Survey, said: &Said) -> Option<f64> {
        let stored: f64 = said.annotation.get("confidence")?.parse().ok()?;
        let last = said.annotation.date("last").or_else(|| said.annotation.date("since"))?;
        Some(confidence_on(stored, last, survey.today, &self.config.confidence))
    }
}

/// What is known of an entry that comes into MEMORY.md from elsewhere.
pub(super) fn promoted_note(said: &Said, confidence: f64, today: Date) -> rem_format::annotation::Annotation {
    let since = said.annotation.get("since").map_or_else(|| today.to_string(), str::to_owned);
    note_of(&said.text, &since, confidence, said.annotation.get("source"), today)
}

/// The same of what a twin has of it.
pub(super) fn note_of(
    text: &str,
    since: &str,
    confidence: f64,
    source: Option<&str>,
    today: Date,
) -> rem_format::annotation::Annotation {
    let id = crate::stores::incoming::short_id(text, today.at(0, 0, 0, 0));
    let source = source.unwrap_or("reflection");
    rem_format::annotation::Annotation::new()
        .with("id", id)
        .with("since", since)
        .with("confidence", crate::stores::incoming::number(confidence))
        .with("mentions", "1")
        .with("last", today.to_string())
        .with("source", source)
}

/// Whether a statement may be changed without asking about it by itself.
pub(super) fn may_change(said: &Said) -> bool {
    said.place != Place::Vault
        && said.annotation.get("id").is_some()
        && !said.annotation.is_yes("pinned")
        && !is_correction(&said.text, &said.annotation)
}

/// The day of a statement that is bound to it, where that is past: the last that it names. The day before it is the one it was said on.
fn past_day(said: &Said, today: Date) -> Option<Date> {
    let is_bound = said.section.eq_ignore_ascii_case(ACTIVE) || UNTIL.as_ref()?.is_match(undated(&said.text));
    let days =
        DAY.as_ref()?.find_iter(undated(&said.text)).filter_map(|found| found.as_str().parse::<Date>().ok());
    days.max().filter(|day| is_bound && *day < today)
}

fn item_of(survey: &Survey, kind: ItemKind, said: &Said, says: &str, reason: &str) -> Item {
    let quoted = survey.quote(said);
    let memory = survey.id_of(said);
    Item {
        id: String::new(),
        kind,
        path: Some(quoted.path.clone()),
        section: None,
        after: None,
        says: says.to_owned(),
        reason: reason.to_owned(),
        sources: memory.iter().cloned().chain([format!("{}:{}", quoted.path, quoted.line)]).collect(),
        key: key_of(survey, kind, said),
        evidence: hashed(&[&said.raw]),
        memory,
        keep: None,
        rests_on: vec![quoted],
    }
}

fn question(survey: &Survey, said: &Said, says: &str, reason: &str) -> Item {
    let mut item = item_of(survey, ItemKind::Question, said, says, reason);
    item.path = None;
    item.evidence = hashed(&[&said.text]);
    item
}

fn contradiction(survey: &Survey, each: &Contradicted<'_>) -> Item {
    let Contradicted { older, newer, why } = each;
    let says = format!("“{}” against “{}”: the older one ends", older.text, newer.text);
    let mut item = item_of(survey, ItemKind::Contradiction, older, &says, why);
    item.rests_on.push(survey.quote(newer));
    item.keep = survey.id_of(newer);
    item.section = Some(older.section.clone());
    item.after = Some(newer.text.clone());
    item.key = pair_key(item.kind, older, newer);
    item.evidence = hashed(&[&older.raw, &newer.raw]);
    item
}

fn undecided_question(survey: &Survey, each: &Contradicted<'_>) -> Item {
    let Contradicted { older, newer, why } = each;
    let says = format!("“{}” or “{}”: which of the two holds?", older.text, newer.text);
    let mut item = question(survey, older, &says, why);
    item.rests_on.push(survey.quote(newer));
    item.key = pair_key(item.kind, older, newer);
    item.evidence = hashed(&[&older.text, &newer.text]);
    item
}

/// What an item about a statement is about: the same at another time.
pub(super) fn key_of(survey: &Survey, kind: ItemKind, said: &Said) -> String {
    hashed(&[kind.as_str(), survey.id_of(said).as_deref().unwrap_or_default(), &said.text])
}

fn pair_key(kind: ItemKind, older: &Said, newer: &Said) -> String {
    hashed(&[kind.as_str(), &older.text, &newer.text])
}

/// What items about two statements may be about, whichever is the older and whether that can be told.
pub(super) fn contradiction_keys(one: &Said, other: &Said) -> Vec<String> {
    let kinds = [ItemKind::Contradiction, ItemKind::Question];
    kinds.iter().flat_map(|kind| [pair_key(*kind, one, other), pair_key(*kind, other, one)]).collect()
}

/// The items of which no two touch the same, each with an id of its own.
fn apart(all: Vec<Item>, dropped: &mut Dropped) -> Vec<Item> {
    let (mut lines, mut files, mut wholes) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut ids: BTreeSet<String> = BTreeSet::new();
    let mut kept = Vec::new();
    for mut item in all {
        let place = |quoted: &Quoted| (quoted.path.clone(), quoted.line);
        let paths: Vec<MemoryPath> = item.rests_on.iter().map(|quoted| quoted.path.clone()).collect();
        let is_whole = is_of_whole_files(&item);
        let is_free = match is_whole {
            true => paths.iter().all(|path| !files.contains(path)),
            false => item
                .rests_on
                .iter()
                .all(|quoted| !lines.contains(&place(quoted)) && !wholes.contains(&quoted.path)),
        };
        if !is_free {
            dropped.note(&item.key, "another item is about the same line");
            continue;
        }
        lines.extend(item.rests_on.iter().map(place));
        files.extend(paths.iter().cloned());
        if is_whole {
            wholes.extend(paths);
        }
        let whole = whole_id(&item);
        item.id = (SHORTEST_ID..=whole.len())
            .map(|length| whole[..length].to_owned())
            .find(|id| !ids.contains(id))
            .unwrap_or(whole);
        ids.insert(item.id.clone());
        kept.push(item);
    }
    kept
}

/// Signs of the shortest id, the letter among them.
const SHORTEST_ID: usize = 7;

/// An item's id at its longest: the letter of its kind, and what tells all that it says from anything else.
fn whole_id(item: &Item) -> String {
    let content = serde_json::to_string(&Item { id: String::new(), ..item.clone() }).unwrap_or_default();
    format!("{}{}", &item.kind.as_str()[..1], hashed(&[&content]))
}

/// Whether an item says what it said when it got its id, which the document shows.
pub(super) fn is_as_proposed(item: &Item) -> bool {
    item.id.len() >= SHORTEST_ID && whole_id(item).starts_with(&item.id)
}

/// Whether an item is about whole files, not lines of them.
pub(super) fn is_of_whole_files(item: &Item) -> bool {
    let is_file = |id: &str| id.starts_with("entity:") || id.starts_with("procedure:");
    item.kind == ItemKind::Duplicate
        || item.kind == ItemKind::Archival && item.memory.as_deref().is_some_and(is_file)
}

/// Sixteen signs that texts have and others do not.
pub(super) fn hashed(parts: &[&str]) -> String {
    super::hash_of(parts.join("\n").as_bytes())
}
