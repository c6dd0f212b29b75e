//! What could become of the identity now: which patterns pass the gate, what they would change in SOUL.md, and what waits and why.
//!
//! Proposes; must not write anything.

use rem_format::identity::{Growth, GrowthKind, Leaving, LeavingTo, Logged, OccurrenceKind, Verb};
use rem_format::page::Page;
use serde::Serialize;

use super::evidence::{Evidence, Nature};
use super::opposites::{Reading, Rule};
use super::patterns::{Limits, Pattern, is_seen, patterns};
use super::principles::{Principle, contradicted, principles_of, same};
use super::wording::section_for;
use crate::memory::Memory;
use crate::stores::router::signal::{Signal, Signals};
use crate::stores::statement::{Comparison, Statement};

/// What an entry of the log calls the words in which something was proposed that a person put in others.
pub(super) const SAID: &str = "Said";

/// A pattern that is no principle yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PatternWaiting {
    /// What it would say.
    pub principle: String,
    /// How often it was seen on separate dates or in separate sessions.
    pub seen: usize,
    /// When it was seen last, in RFC 3339.
    pub last: String,
    /// Why it waits, a sentence each.
    pub why: Vec<String>,
    /// Where it was seen.
    pub evidence: Vec<String>,
}

/// SOUL.md, and what is known of it.
pub(in crate::identity) struct Soul {
    /// As it stands; nothing where there is no file.
    pub(super) found: Option<Vec<u8>>,
    pub(super) page: Page,
    pub(super) log: Vec<Logged>,
    pub(super) max_tokens: u64,
}

impl Soul {
    pub(in crate::identity) fn principles(&self) -> Vec<Principle> {
        principles_of(&self.page, &self.log)
    }

    /// The operator's words that a person put into those of a principle.
    pub(in crate::identity) fn said_of(&self, principle: &str) -> Vec<Statement> {
        let of_it = self.log.iter().filter(|logged| logged.change.principle == principle);
        of_it.filter_map(|logged| logged.change.detail(SAID)).map(Statement::new).collect()
    }
}

/// Everything that comes of the evidence.
pub(super) struct Proposed {
    pub(super) items: Vec<Growth>,
    pub(super) waiting: Vec<PatternWaiting>,
}

/// Whether a page may follow on another: within the cap, or no longer than before where nothing is added.
pub(super) fn is_allowed(page: &Page, before: &Page, kind: GrowthKind, max_tokens: u64) -> bool {
    let tokens = rem_reason::count_tokens(page.as_str());
    u64::try_from(tokens).is_ok_and(|tokens| tokens <= max_tokens)
        || kind != GrowthKind::Add && tokens <= rem_reason::count_tokens(before.as_str())
}

impl Memory {
    pub(super) fn identity_limits(&self) -> Limits {
        Limits {
            occurrences: self.config.identity.min_occurrences,
            cooldown_hours: self.config.corrections.cooldown_hours,
            now: self.now(),
        }
    }
}

/// What could be done now. `by_person`: a person answers, so that what a person wrote may be replaced.
pub(super) fn proposed(soul: &Soul, evidence: &Evidence, limits: Limits, by_person: bool) -> Proposed {
    let mut proposing = Proposing {
        soul,
        evidence,
        limits,
        by_person,
        page: soul.page.clone(),
        principles: soul.principles(),
        logged: soul.log.iter().map(statements_of).collect(),
        proposed: Proposed { items: Vec::new(), waiting: Vec::new() },
    };
    proposing.remove_taken_back();
    let mut all = patterns(evidence);
    // What a correction says comes first, and then what was seen most.
    all.sort_by_key(|pattern| {
        (pattern.corrected().is_none(), std::cmp::Reverse(pattern.gate(limits).counted), pattern.last())
    });
    for pattern in all {
        proposing.take(&pattern);
    }
    proposing.proposed.waiting.sort_by(|one, other| other.last.cmp(&one.last));
    proposing.proposed
}

struct Proposing<'a> {
    soul: &'a Soul,
    evidence: &'a Evidence,
    limits: Limits,
    by_person: bool,
    /// SOUL.md with what is proposed so far.
    page: Page,
    /// Its principles.
    principles: Vec<Principle>,
    /// What the entries of the log say, in their order.
    logged: Vec<Vec<Statement>>,
    proposed: Proposed,
}

impl Proposing<'_> {
    /// Principles whose correction was taken back (P5.4): a person says whether they go.
    fn remove_taken_back(&mut self) {
        for principle in self.soul.principles() {
            let Some(encoded) = &principle.shown.encoded else { continue };
            let gone = self.evidence.taken_back.iter().filter(|gone| encoded.corrections.contains(&gone.id));
            let gone: Vec<_> = gone.collect();
            let text = &principle.shown.text;
            let is_answered = |id: &str| {
                self.soul.log.iter().any(|logged| {
                    logged.change.verb == Verb::Kept
                        && logged.change.principle == *text
                        && logged.change.corrections.iter().any(|known| known == id)
                })
            };
            if !principle.is_item || gone.is_empty() || gone.iter().all(|gone| is_answered(&gone.id)) {
                continue;
            }
            let ids: Vec<&str> = gone.iter().map(|gone| gone.id.as_str()).collect();
            let item = Growth {
                id: String::new(),
                kind: GrowthKind::Remove,
                principle: text.clone(),
                section: principle.shown.section.clone(),
                replaces: None,
                leaves: Vec::new(),
                occurrences: gone.iter().map(|gone| gone.occurrence.clone()).collect(),
                counted: gone.len(),
                threshold: self.limits.occurrences,
                elapsed_hours: 0,
                cooldown_hours: self.limits.cooldown_hours,
                reason: format!("it came from {}, which was taken back", ids.join(", ")),
            };
            self.proposed.items.push(named(item));
        }
    }

    fn take(&mut self, pattern: &Pattern) {
        let (principle, statement) = (pattern.principle(), pattern.statement());
        let reading = Reading::of(&principle);
        let rule = Rule { statement: &statement, reading: &reading };
        let outdated = self.outdated(pattern);
        let is_encoded =
            || same(&self.principles, rule).is_some() || self.is_encoded_in_other_words(pattern, &statement);
        if outdated.is_none() && is_encoded() {
            return;
        }
        let gate = pattern.gate(self.limits);
        // A fact that was wrong once says nothing of the agent.
        if pattern.nature == Nature::Fact && gate.counted < 2 {
            return;
        }
        let mut why = gate.failures();
        if let Some(newer) = pattern.taken_back_by(self.evidence) {
            why.push(format!("taken back on {}: {}", newer.occurrence.day, newer.occurrence.text));
        }
        why.extend(self.answered(pattern, &statement));
        let mut replaces = outdated;
        if replaces.is_none()
            && let Some(known) = contradicted(&self.principles, rule, &pattern.wrongs())
        {
            match self.may_replace(known, pattern) {
                Ok(()) => replaces = Some(known.shown.text.clone()),
                Err(reason) => why.push(reason),
            }
        }
        if !why.is_empty() {
            return self.wait(pattern, why);
        }
        // How it writes, rather than what it is always to do.
        let signals = crate::stores::router::judge(&principle).signals;
        let is_of_manner = signals.hold(Signals::of(&[Signal::Manner]))
            && !signals.touch(Signals::of(&[Signal::Always, Signal::Condition]));
        let section = match &replaces {
            Some(known) => self.section_of(known),
            None => section_for(self.page.titles(), is_of_manner && pattern.nature == Nature::Behaviour),
        };
        let corrections =
            pattern.members.iter().filter(|each| each.occurrence.kind == OccurrenceKind::Correction).count();
        let reason = match (pattern.nature, corrections) {
            (Nature::Fact, count) => format!("the same was wrong {count} times"),
            (Nature::Behaviour, 0) => "the operator said it again".to_owned(),
            (Nature::Behaviour, _) => "the operator corrected it, and it came up again".to_owned(),
        };
        let mut item = Growth {
            id: String::new(),
            kind: if replaces.is_some() { GrowthKind::Replace } else { GrowthKind::Add },
            principle,
            section,
            replaces,
            leaves: Vec::new(),
            occurrences: pattern.occurrences(),
            counted: gate.counted,
            threshold: gate.threshold,
            elapsed_hours: gate.elapsed_hours,
            cooldown_hours: gate.cooldown_hours,
            reason,
        };
        match self.fitted(&mut item) {
            Ok(page) => {
                self.principles = principles_of(&page, &self.soul.log);
                self.page = page;
                self.proposed.items.push(named(item));
            }
            Err(reason) => self.wait(pattern, vec![reason]),
        }
    }

    fn wait(&mut self, pattern: &Pattern, why: Vec<String>) {
        self.proposed.waiting.push(PatternWaiting {
            principle: pattern.principle(),
            seen: pattern.gate(self.limits).counted,
            last: pattern.last().to_string(),
            why,
            evidence: pattern.members.iter().map(|each| each.occurrence.place()).collect(),
        });
    }

    /// The entries of the log that are about a pattern: by the principle, or by the words that a person put it in other words for.
    fn about<'b>(
        &'b self,
        pattern: &'b Pattern,
        statement: &'b Statement,
    ) -> impl Iterator<Item = &'b Logged> {
        let is_about = move |(logged, said): &(&Logged, &Vec<Statement>)| {
            pattern.is_worded(&logged.change.principle)
                || said.iter().any(|said| said.compared_to(statement) == Comparison::Same)
        };
        self.soul.log.iter().zip(&self.logged).filter(is_about).map(|(logged, _)| logged)
    }

    /// The principle that speaks of the same fact as it was before: its value is another by now.
    fn outdated(&self, pattern: &Pattern) -> Option<String> {
        let principle = pattern.principle();
        let is_older = |known: &&Principle| {
            let text = &known.shown.text;
            known.is_item && known.shown.encoded.is_some() && *text != principle && pattern.is_worded(text)
        };
        let older = self.principles.iter().filter(|_| pattern.nature == Nature::Fact).find(is_older);
        older.map(|known| known.shown.text.clone())
    }

    /// Whether a person put it in other words, which stand in SOUL.md.
    fn is_encoded_in_other_words(&self, pattern: &Pattern, statement: &Statement) -> bool {
        let stands =
            |text: &str| self.principles.iter().any(|known| known.is_item && known.shown.text == text);
        self.about(pattern, statement)
            .any(|logged| logged.change.verb == Verb::Added && stands(&logged.change.principle))
    }

    /// What was said of it before, while there is nothing new.
    fn answered(&self, pattern: &Pattern, statement: &Statement) -> Option<String> {
        let is_answer = |logged: &&Logged| !matches!(logged.change.verb, Verb::Kept | Verb::RolledBack);
        let about: Vec<&Logged> = self.about(pattern, statement).filter(is_answer).collect();
        let Some(last) = about.last() else {
            // The log was cut: what its corrections say of themselves is left.
            let encoded = pattern.members.iter().filter(|each| each.is_encoded);
            let encoded = encoded.map(|each| each.occurrence.time).max()?;
            return (pattern.last() <= encoded)
                .then(|| "encoded before and taken out since; it waits for new evidence".to_owned());
        };
        let seen: Vec<String> = about.iter().flat_map(|logged| logged.change.seen.iter().cloned()).collect();
        if !pattern.members.iter().all(|each| is_seen(&each.occurrence, &seen)) {
            return None;
        }
        Some(match last.change.verb {
            Verb::Rejected => {
                let because = last.change.detail("Because").map(|why| format!(": {why}")).unwrap_or_default();
                format!("rejected on {}{because}; it waits for new evidence", last.day)
            }
            Verb::Added => format!("encoded on {} and taken out since; it waits for new evidence", last.day),
            _ => format!("left SOUL.md on {}; it waits for new evidence", last.day),
        })
    }

    /// Whether a pattern may take the place of what it contradicts (P5.2, rule 1).
    fn may_replace(&self, known: &Principle, pattern: &Pattern) -> Result<(), String> {
        let place = format!("“{}” (line {})", known.shown.text, known.shown.line);
        if !known.is_item {
            return Err(format!("it contradicts {place}, which stands in no list: edit SOUL.md by hand"));
        }
        let Some(corrected) = pattern.corrected() else {
            return Err(format!("it contradicts {place}, and no correction says so"));
        };
        let Some(encoded) = &known.shown.encoded else {
            return match self.by_person {
                true => Ok(()),
                false => Err(format!(
                    "it contradicts {place}, which a person wrote: rem identity grow under the policy `propose` asks"
                )),
            };
        };
        // Days alone are known of what stood there.
        let seen = encoded.seen.split('/').next().and_then(|day| day.parse().ok()).unwrap_or(encoded.day);
        let day = |time: jiff::Timestamp| {
            let member = pattern.members.iter().find(|each| each.occurrence.time == time);
            member.map(|each| each.occurrence.day)
        };
        match day(corrected).is_some_and(|day| day > seen) {
            true => Ok(()),
            false => Err(format!("it contradicts {place}, which is newer")),
        }
    }

    fn section_of(&self, principle: &str) -> String {
        let item = self.page.items().iter().find(|item| item.plain() == principle);
        let section = item.map(|item| item.section.clone()).filter(|section| !section.is_empty());
        section.unwrap_or_else(|| section_for(self.page.titles(), false))
    }

    /// The page with an item in it, within the cap; what has to leave for it goes into the item.
    fn fitted(&self, item: &mut Growth) -> Result<Page, String> {
        loop {
            let page = with_item(&self.page, item)?;
            if is_allowed(&page, &self.page, item.kind, self.soul.max_tokens) {
                return Ok(page);
            }
            let principles = principles_of(&page, &self.soul.log);
            let Some(leaving) = next_to_leave(&principles, &item.principle) else {
                let tokens = rem_reason::count_tokens(self.page.as_str());
                let with = if self.page.as_str() == self.soul.page.as_str() {
                    ""
                } else {
                    " with what else grows now"
                };
                return Err(format!(
                    "SOUL.md has no room: {tokens} of {} tokens{with} (identity.max_tokens), and nothing in it may leave",
                    self.soul.max_tokens
                ));
            };
            item.leaves.push(leaving);
        }
    }
}

/// What an entry of the log says: the principle, and the words that a person put it in other words for.
fn statements_of(logged: &Logged) -> Vec<Statement> {
    let said = [Some(logged.change.principle.as_str()), logged.change.detail(SAID)];
    said.into_iter().flatten().map(Statement::new).collect()
}

/// What makes room next: first what this program wrote and something else says as well, then what it wrote that came from no
/// correction and was seen longest ago. What a person wrote, or corrected, stays.
fn next_to_leave(principles: &[Principle], keep: &str) -> Option<Leaving> {
    let own = |each: &&Principle| each.is_item && each.shown.encoded.is_some() && each.shown.text != keep;
    let is_said_twice = |each: &&Principle| {
        let others = principles.iter().filter(|other| other.shown.line != each.shown.line);
        let mut same = others.filter(|other| {
            each.statement.compared_to(&other.statement) == Comparison::Same
                // Of two of its own the older one goes; one with a correction behind it stays before one without.
                && (other.shown.encoded.is_none() || rank(other) > rank(each))
        });
        same.next().is_some()
    };
    let leaving = |each: &Principle, to| Leaving { principle: each.shown.text.clone(), to };
    if let Some(twice) = principles.iter().filter(own).find(is_said_twice) {
        return Some(leaving(twice, LeavingTo::Merged));
    }
    let may_go = principles.iter().filter(own).filter(|each| !each.is_corrected());
    let oldest = may_go.min_by_key(|each| each.shown.encoded.as_ref().map(|encoded| encoded.seen.clone()));
    oldest.map(|each| leaving(each, LeavingTo::Memory))
}

fn rank(principle: &Principle) -> (bool, Option<jiff::civil::Date>, std::cmp::Reverse<usize>) {
    let encoded = principle.shown.encoded.as_ref();
    (principle.is_corrected(), encoded.map(|encoded| encoded.day), std::cmp::Reverse(principle.shown.line))
}

/// A page with what an item does to it.
pub(super) fn with_item(page: &Page, item: &Growth) -> Result<Page, String> {
    let mut page = page.clone();
    let place = |page: &Page, text: &str| {
        let mut found = page.items().iter().enumerate().filter(|(_, each)| each.plain() == text);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => Ok(at),
            (None, _) => Err(format!("SOUL.md no longer says “{text}”")),
            (Some(_), Some(_)) => Err(format!("SOUL.md says “{text}” twice")),
        }
    };
    for leaving in &item.leaves {
        let at = place(&page, &leaving.principle)?;
        page.remove(at);
    }
    match item.kind {
        GrowthKind::Remove => {
            let at = place(&page, &item.principle)?;
            page.remove(at);
        }
        GrowthKind::Replace => {
            let replaces = item.replaces.as_deref().unwrap_or_default();
            let at = place(&page, replaces)?;
            let annotation = page.items()[at].annotation.clone();
            page.set(at, &item.principle, &annotation);
        }
        GrowthKind::Add => {
            if page.as_str().trim().is_empty() {
                page = Page::parse(b"# Soul\n").unwrap_or_default();
            }
            page.add(&item.section, &item.principle, &rem_format::annotation::Annotation::new())
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(page)
}

/// An item with its id, which another item that differs in anything does not have.
pub(super) fn named(mut item: Growth) -> Growth {
    item.id = String::new();
    let text = serde_json::to_string(&item).unwrap_or_default();
    item.id = rem_format::fielded::id_of('i', &text);
    item
}
