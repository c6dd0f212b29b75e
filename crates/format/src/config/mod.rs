//! CONFIG.md: prose for people with one fenced YAML block that holds every setting, section by section.
//!
//! Resolution 4 of the design: the flat keys of v4.1 (P13) and the nested ones of the compiler (A9.3) are
//! accepted under their old names and reported once with the new ones. Invariants: a `Config` is always
//! complete and valid; every parameter is declared once, in `table.rs`, and everything else follows from that
//! table; `set` changes one line and no other byte. No file, or prose alone, means the defaults.
//!
//! This module must not decide what a setting does, nor read the file: it is given the text.

mod block;
mod choice;
mod error;
mod pages;
mod parameter;
mod price;
mod read;
mod schedule;
mod set;
mod table;
mod trigger;
mod value;

#[cfg(test)]
mod tests;

use serde_json::Value;

pub use choice::*;
pub use error::{ConfigError, ConfigErrors, SetError};
pub use pages::{reference, template};
pub use parameter::{Kind, Limits, Parameter, Section};
pub use price::{ModelPrice, ModelPrices};
pub use read::{Given, Notice, Parsed};
pub use schedule::Schedule;
pub use set::set;
pub use table::*;
pub use trigger::{CustomTrigger, TriggerFamily, TriggerSide};
pub use value::{Patterns, RedactionRule, ZoneName};

impl Config {
    /// Reads CONFIG.md. Without a YAML block everything has its default.
    ///
    /// # Errors
    /// All problems at once, each with its line: unreadable YAML, unknown keys, values of the wrong type or
    /// out of range, parameters given twice, settings that contradict each other.
    pub fn parse(text: &str) -> Result<Parsed, ConfigErrors> {
        read::markdown(text)
    }

    /// As [`Config::parse`] for a file that need not be right: settings that are wrong have their defaults. For who mends it.
    #[must_use]
    pub fn parse_as_far_as_it_is_right(text: &str) -> (Parsed, Vec<ConfigError>) {
        read::markdown_as_far(text)
    }

    /// Reads a file that is YAML throughout, such as A9.3's `memory-config.yaml`.
    ///
    /// # Errors
    /// The same as [`Config::parse`].
    pub fn parse_yaml(text: &str) -> Result<Parsed, ConfigErrors> {
        read::yaml(text)
    }

    /// The value of the parameter called `name` (`search.min_score`, or an older name); `None` when there is
    /// no such parameter.
    pub fn get(&self, name: &str) -> Option<Value> {
        find(name).map(|parameter| (parameter.read)(self))
    }

    /// Every parameter with its value, in the order of the reference page.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Parameter, Value)> + '_ {
        PARAMETERS.iter().map(|parameter| (parameter, (parameter.read)(self)))
    }

    /// The parameters that differ from their defaults and need a person's trust, in a workspace that came from
    /// somewhere else: they can run a command or reach outside the workspace.
    pub fn in_need_of_trust(&self) -> Vec<&'static Parameter> {
        let defaults = Self::default();
        PARAMETERS
            .iter()
            .filter(|parameter| {
                parameter.needs_trust && (parameter.read)(self) != (parameter.read)(&defaults)
            })
            .collect()
    }
}

/// The parameter with this name or this older name.
pub fn find(name: &str) -> Option<&'static Parameter> {
    PARAMETERS
        .iter()
        .find(|parameter| parameter.name == name)
        .or_else(|| PARAMETERS.iter().find(|parameter| parameter.aliases.contains(&name)))
}

/// The known key that looks most like `name`, if any looks like it at all.
pub fn nearest(name: &str) -> Option<&'static str> {
    let leaf = name.rsplit('.').next().unwrap_or(name);
    // A right key in the wrong section is the likeliest slip of all.
    let misplaced = PARAMETERS.iter().find(|parameter| parameter.key == leaf).map(|parameter| parameter.name);
    let alike = || {
        let candidates = PARAMETERS.iter().flat_map(|parameter| {
            let own = if name.contains('.') { parameter.name } else { parameter.key };
            std::iter::once(own).chain(parameter.aliases.iter().copied()).map(move |candidate| {
                (strsim::normalized_damerau_levenshtein(name, candidate), parameter.name)
            })
        });
        let sections = SECTIONS
            .iter()
            .map(|section| (strsim::normalized_damerau_levenshtein(name, section.name), section.name));
        candidates
            .chain(sections)
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .filter(|(likeness, _)| *likeness >= 0.4)
            .map(|(_, nearest)| nearest)
    };
    misplaced.or_else(alike)
}
