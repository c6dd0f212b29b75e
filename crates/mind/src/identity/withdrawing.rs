//! Corrections that do not hold any more: what they say was forgotten, or somebody has said something else since.
//!
//! They stay in CORRECTIONS.md, marked as taken back, so that they neither rank first nor stand in a context, and speak for no principle. What
//! is forgotten for good goes from there, too, and from the archive of corrections.

use std::collections::HashSet;

use jiff::Timestamp;
use rem_format::conflict::{self, Kept};
use rem_format::correction::{self, CorrectedBy, Correction};
use rem_format::entity::FACTS;
use rem_format::fielded;
use rem_format::page::Page;
use rem_ledger::{ChangeSet, Provenance, Store};

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::RememberRequest;
use crate::stores::incoming::undated;
use crate::stores::locate::Located;
use crate::stores::statement::{Comparison, Statement};

/// What ids of corrections begin with, where memories are named.
pub(crate) const CORRECTION: &str = "correction:";

/// A file of corrections after those were taken back that something newer, in the place of `wrong` where that is known, takes the place of.
/// Those that the identity learned from it settles itself.
pub(super) fn without_outdated(bytes: &[u8], newer: &Correction) -> Vec<u8> {
    let right = Statement::new(&newer.right);
    let wrong = Some(&newer.wrong).filter(|wrong| !wrong.is_empty()).map(|wrong| Statement::new(wrong));
    let is_outdated = |each: &Correction| {
        let known = Statement::new(&each.right);
        let may = newer.by == CorrectedBy::Operator || each.by == CorrectedBy::Agent;
        let is_denied = wrong.as_ref().is_some_and(|wrong| wrong.compared_to(&known) == Comparison::Same);
        may && (right.compared_to(&known) == Comparison::Replaces
            || is_denied && right.compared_to(&known) != Comparison::Same)
    };
    taken_back(bytes, |each| each.encoded.is_none() && is_outdated(each))
}

/// What corrections said that were taken back, unless another one says it still.
pub(super) fn outdated_by(bytes: &[u8]) -> HashSet<String> {
    let all: Vec<Correction> = correction::parse(bytes).into_iter().map(|placed| placed.correction).collect();
    let (gone, standing): (Vec<&Correction>, Vec<&Correction>) =
        all.iter().partition(|each| each.is_retracted);
    let still = |right: &str| standing.iter().any(|each| each.right == right);
    gone.into_iter().map(|each| each.right.clone()).filter(|right| !still(right)).collect()
}

fn taken_back(bytes: &[u8], is_it: impl Fn(&Correction) -> bool) -> Vec<u8> {
    let all = correction::parse(bytes).into_iter().map(|placed| placed.correction);
    let those = all.filter(|each| !each.is_retracted && is_it(each));
    those.fold(bytes.to_vec(), |bytes, each| {
        fielded::with_field(&bytes, &each.id, "status", "retracted").unwrap_or(bytes)
    })
}

impl Memory {
    /// Takes those corrections back that what was just remembered takes the place of; nothing is written where there are none.
    pub(crate) fn outdate_corrections(&self, text: &str) -> Result<(), MemoryError> {
        let path = self.path(Store::Corrections).clone();
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        let right = Statement::new(text);
        // Those that the identity learned from it settles itself.
        let is_outdated = |each: &Correction| {
            each.encoded.is_none()
                && self.statements.with(&each.right, |known| right.compared_to(known) == Comparison::Replaces)
        };
        if taken_back(&bytes, is_outdated) == bytes {
            return Ok(());
        }
        let set = ChangeSet::new().edit(path, "a correction that does not hold any more", |found| {
            Ok(found.map(|bytes| taken_back(bytes, is_outdated)))
        });
        let brief: String = text.chars().take(100).collect();
        let provenance = Provenance::new(
            self.agent_or("trigger-remember"),
            rem_format::audit::Approval::Auto,
            format!("said since: {brief}"),
        );
        self.change(set, &provenance)?;
        Ok(())
    }

    /// Takes back those corrections of a person's that a later one takes the place of, and has what the later one says stand: each of two clones may
    /// have struck through what the other settled on.
    pub(crate) fn later_corrections_hold(&self) -> Result<(), MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Corrections))?.unwrap_or_default();
        let all = correction::parse(&bytes).into_iter().map(|placed| placed.correction);
        let mut standing: Vec<(Correction, Statement)> = all
            .filter(|each| each.by == CorrectedBy::Operator && !each.is_retracted)
            .map(|each| (each.clone(), Statement::new(&each.right)))
            .collect();
        standing.sort_by_key(|(each, _)| each.logged);
        while let Some((later, right)) = standing.pop() {
            let replaces = |known: &Statement| right.compared_to(known) == Comparison::Replaces;
            let count = standing.len();
            standing.retain(|(each, known)| each.encoded.is_some() || !replaces(known));
            if standing.len() == count {
                continue;
            }
            self.outdate_corrections(&later.right)?;
            let stored = self.stored_about(&later.right)?;
            if !stored.iter().any(|stored| right.compared_to(&Statement::new(stored)) == Comparison::Same) {
                let tags = vec!["correction".to_owned()];
                self.remember(&RememberRequest { text: later.right, tags, ..RememberRequest::default() })?;
            }
        }
        Ok(())
    }

    /// The corrections that these ids name, as they stand.
    pub(crate) fn corrections_named(&self, ids: &[String]) -> Result<Vec<Located>, MemoryError> {
        let mut found = Vec::new();
        for id in ids {
            let wanted = id.trim_start_matches(CORRECTION);
            let mut located = None;
            for path in self.correction_files()? {
                let bytes = self.ledger.read(&path)?.unwrap_or_default();
                let placed =
                    correction::parse(&bytes).into_iter().find(|placed| placed.correction.id == wanted);
                if let Some(placed) = placed {
                    if placed.correction.by == CorrectedBy::Operator {
                        self.only_a_person(&format!("letting go of {id}"))?;
                    }
                    located = Some(Located {
                        id: id.clone(),
                        path,
                        start_line: placed.lines.start,
                        end_line: placed.lines.end.saturating_sub(1),
                        pinned: false,
                        text: String::from_utf8_lossy(&bytes[placed.bytes]).trim_end().to_owned(),
                    });
                    break;
                }
            }
            let unknown = || {
                MemoryError::usage(
                    format!("there is no correction {wanted:?}"),
                    "`rem corrections list` shows their ids",
                )
            };
            found.push(located.ok_or_else(unknown)?);
        }
        Ok(found)
    }

    /// The corrections that hold some of these words, as memories that can be forgotten.
    pub(crate) fn corrections_meant(
        &self,
        is_meant: impl Fn(&str) -> bool,
    ) -> Result<Vec<Located>, MemoryError> {
        let bytes = self.ledger.read(self.path(Store::Corrections))?.unwrap_or_default();
        let all = correction::parse(&bytes).into_iter().map(|placed| placed.correction);
        let meant = all.filter(|each| is_meant(&format!("{} {}", each.right, each.wrong).to_lowercase()));
        let ids: Vec<String> = meant.map(|each| format!("{CORRECTION}{}", each.id)).collect();
        match self.named_agent() {
            None => self.corrections_named(&ids),
            Some(_) => Ok(Vec::new()),
        }
    }

    /// The change that takes back these corrections and those that say what is forgotten; for good, they go, and with them what others call
    /// wrong of it.
    pub(crate) fn withdrawing(
        &self,
        corrections: &[Located],
        forgotten: &[Located],
        permanent: bool,
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let ids: Vec<String> =
            corrections.iter().map(|each| each.id.trim_start_matches(CORRECTION).to_owned()).collect();
        let said: Vec<Statement> = forgotten.iter().flat_map(statements_of).collect();
        let mut set = ChangeSet::new();
        if ids.is_empty() && said.is_empty() {
            return Ok(set);
        }
        let edited = move |bytes: &[u8]| {
            let says = |text: &str| {
                !text.is_empty()
                    && said.iter().any(|said| said.compared_to(&Statement::new(text)) == Comparison::Same)
            };
            let is_it = |each: &Correction| ids.contains(&each.id) || says(&each.right);
            if !permanent {
                return taken_back(bytes, is_it);
            }
            let all = correction::parse(bytes).into_iter().map(|placed| placed.correction);
            all.fold(bytes.to_vec(), |bytes, each| {
                let after = match (is_it(&each), says(&each.wrong)) {
                    (true, _) => fielded::without(&bytes, &each.id).map(|(rest, _)| rest),
                    (false, true) => fielded::with_field(&bytes, &each.id, "agent said", ""),
                    (false, false) => None,
                };
                after.unwrap_or(bytes)
            })
        };
        let edited = std::sync::Arc::new(edited);
        for path in self.correction_files()? {
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            if edited(&bytes) == bytes {
                continue;
            }
            let edited = std::sync::Arc::clone(&edited);
            set = set.edit(path, "forget", move |found| Ok(found.map(|bytes| edited(bytes))));
        }
        let path = self.path(Store::Conflicts).clone();
        let said: Vec<Statement> = forgotten.iter().flat_map(statements_of).collect();
        let now = self.now();
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        if without_conflicts(&bytes, &said, now, permanent) != bytes {
            set = set.edit(path, "forget", move |found| {
                Ok(found.map(|bytes| without_conflicts(bytes, &said, now, permanent)))
            });
        }
        Ok(set)
    }
}

/// CONFLICTS.md after what was forgotten is asked of nobody any more; for good, it is not named there either.
fn without_conflicts(bytes: &[u8], said: &[Statement], now: Timestamp, permanent: bool) -> Vec<u8> {
    let says = |text: &str| {
        let text = Statement::new(text);
        said.iter().any(|said| said.compared_to(&text) == Comparison::Same)
    };
    conflict::parse(bytes).into_iter().fold(bytes.to_vec(), |bytes, each| {
        let after = match (says(&each.first.text), says(&each.second.text)) {
            (false, false) => None,
            _ if permanent => fielded::without(&bytes, &each.id).map(|(rest, _)| rest),
            _ if each.resolved.is_some() => None,
            (true, true) => conflict::resolve(&bytes, &each.id, now, Kept::Neither),
            (true, false) => conflict::resolve(&bytes, &each.id, now, Kept::Second),
            (false, true) => conflict::resolve(&bytes, &each.id, now, Kept::First),
        };
        after.unwrap_or(bytes)
    })
}

/// What a memory said that was forgotten: its line, or the facts of its file.
fn statements_of(located: &Located) -> Vec<Statement> {
    let page = Page::parse(located.text.as_bytes()).ok();
    let items = page.iter().flat_map(|page| page.items());
    let is_whole = located.text.starts_with('#') || located.text.starts_with("---");
    items
        .filter(|item| !is_whole || item.section.eq_ignore_ascii_case(FACTS))
        .map(|item| Statement::new(undated(item.plain())))
        .collect()
}
