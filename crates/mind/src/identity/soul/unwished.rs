//! What was forgotten speaks for no principle: wishes of before the forgetting, in whatever words, are no evidence, and what they had
//! proposed waits no more.
//!
//! What was forgotten for good is known by fingerprints: those of all the words in which it was wished are noted while its words are known.

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::identity::Growth;
use rem_ledger::ChangeSet;

use super::evidence::{Evidence, Nature, principle_of};
use super::opposites::{OwnRule, compared};
use super::ruling::is_rule;
use crate::error::MemoryError;
use crate::lifecycle::extract::behaviour;
use crate::lifecycle::forgotten::Forgotten;
use crate::lifecycle::records::{Untold, said_by};
use crate::memory::Memory;
use crate::stores::Located;
use crate::stores::incoming::undated;
use crate::stores::statement::Comparison;

impl Evidence {
    /// Without what was forgotten on the day it was said or later, and what says the same in other words.
    pub(super) fn without(&mut self, forgotten: &Forgotten) {
        let mut gone: Vec<(OwnRule, Date)> =
            forgotten.said().filter_map(|(text, day)| Some((wish_of(text)?, day))).collect();
        for each in &self.observed {
            if let Some(day) = forgotten.day_of(&each.occurrence.text)
                && each.nature == Nature::Behaviour
            {
                gone.push((OwnRule::of(&each.occurrence.text), day));
            }
        }
        self.observed.retain(|each| {
            let said = each.occurrence.day;
            let is_wished = || {
                let of_before = gone.iter().filter(|(_, day)| said <= *day);
                each.nature == Nature::Behaviour
                    && of_before.into_iter().any(|(wish, _)| means(wish, each.rule()))
            };
            !forgotten.holds(&each.occurrence.text, said) && !is_wished()
        });
    }
}

impl Memory {
    /// What the operator said that wishes the same as what is being forgotten, for [`Memory::noted_as_forgotten`].
    pub(crate) fn wishes_like(
        &self,
        forgotten: &[Located],
    ) -> Result<Vec<(String, Annotation)>, MemoryError> {
        let wishes = wishes_of(forgotten);
        if wishes.is_empty() {
            return Ok(Vec::new());
        }
        let evidence = self.identity_evidence()?;
        let alike =
            evidence.observed.iter().filter(|each| wishes.iter().any(|wish| means(wish, each.rule())));
        Ok(alike.map(|each| (each.occurrence.text.clone(), Annotation::new())).collect())
    }

    /// The change that takes what is forgotten out of the changes of identity that wait.
    pub(crate) fn pending_identity_without(
        &self,
        forgotten: &[Located],
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let (page, twin) = self.pending_identity_paths()?;
        let found = (self.ledger.read(&page)?, self.ledger.read(&twin)?);
        // What cannot be read is never applied.
        let Ok(Some((pending, _))) = self.pending_identity_twin() else { return Ok(ChangeSet::new()) };
        let (untold, wishes) = (Untold::of(forgotten), wishes_of(forgotten));
        let is_gone = |text: &str| {
            let own = OwnRule::of(text);
            untold.is_told_by(text) || wishes.iter().any(|wish| means(wish, own.rule()))
        };
        let is_about = |item: &Growth| {
            let said = item.occurrences.iter().map(|each| each.text.as_str());
            is_gone(&item.principle) || said.into_iter().any(is_gone)
        };
        let rest: Vec<Growth> = pending.items.iter().filter(|item| !is_about(item)).cloned().collect();
        if rest.len() == pending.items.len() {
            return Ok(ChangeSet::new());
        }
        self.pending_identity_set(found, &pending, rest)
    }
}

fn means(wish: &OwnRule, said: super::opposites::Rule<'_>) -> bool {
    compared(wish.rule(), said) == Comparison::Same || compared(said, wish.rule()) == Comparison::Same
}

/// What memories say of the agent's behaviour.
fn wishes_of(forgotten: &[Located]) -> Vec<OwnRule> {
    forgotten.iter().flat_map(said_by).filter_map(|text| wish_of(&text)).collect()
}

fn wish_of(text: &str) -> Option<OwnRule> {
    let text = undated(text);
    let note = behaviour(text).or_else(|| is_rule(text).then(|| text.to_owned()))?;
    principle_of(&note).map(|principle| OwnRule::of(&principle))
}
