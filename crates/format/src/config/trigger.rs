//! A person's own triggers for the triage of messages: `triage.custom_patterns`.
//!
//! Whoever writes CONFIG.md is not always the operator: the number of triggers, the length of each and its size when compiled are
//! limited, so that neither reading the settings nor matching a message can be made slow. The engine takes linear time.

use std::collections::BTreeSet;

use regex::{RegexBuilder, RegexSetBuilder};
use serde_json::{Map, Value, json};

use super::parameter::{Kind, Parameter};
use super::value::{Mistake, Setting, choices, fields, items, reason, text};
use crate::yaml::{Content, Node};

choices! {
    /// What a custom trigger is a sign of (P7, M8.1).
    TriggerFamily {
        /// Something is to be kept.
        Memory = "memory",
        /// Something said before was not remembered.
        RecallFailure = "recall_failure",
        /// Something known has changed or was wrong.
        SoftCorrection = "soft_correction",
        /// Something is not to be kept any longer.
        Forget = "forget",
        /// What is kept is to be gone over.
        Reflection = "reflection",
        /// What is remembered is asked about.
        Question = "question",
        /// None of these.
        Custom = "custom",
    }

    /// Whose words a custom trigger looks at.
    TriggerSide {
        /// Messages to the agent.
        Input = "input",
        /// The agent's own words.
        Output = "output",
        /// Both.
        Both = "both",
    }
}

/// A person's own trigger for the triage of messages (P7, P10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomTrigger {
    /// What the trigger is called in the triage; the pattern itself where no name was given.
    pub name: String,
    /// The regular expression; known to compile within [`Self::COMPILED_BYTES`]. Case counts unless it says `(?i)`.
    pub pattern: String,
    /// What a match is a sign of.
    pub family: TriggerFamily,
    /// Whose words are looked at.
    pub side: TriggerSide,
    /// Where a match goes; empty for nowhere but the triage.
    pub route: String,
}

impl CustomTrigger {
    /// How many triggers there may be.
    pub const MOST: usize = 500;
    /// How long a pattern may be, in bytes.
    pub const PATTERN_BYTES: usize = 1_000;
    /// How large a pattern may become when compiled, in bytes.
    pub const COMPILED_BYTES: usize = 256 << 10;
    /// How large all of them may become when compiled together, in bytes.
    pub const TOGETHER_BYTES: usize = 8 << 20;
}

fn one(item: &Node, parameter: &Parameter) -> Result<CustomTrigger, Mistake> {
    let trigger = |pattern: &str| CustomTrigger {
        name: pattern.to_owned(),
        pattern: pattern.to_owned(),
        family: TriggerFamily::Custom,
        side: TriggerSide::Input,
        route: String::new(),
    };
    if let Content::Scalar { .. } = item.content {
        return Ok(trigger(text(item, parameter)?));
    }
    let [name, pattern, family, side, route] =
        fields(item, parameter, ["name", "pattern", "family", "side", "route"])?;
    let Some(pattern) = pattern else {
        return Err(Mistake::saying(item, "a trigger with a pattern", "without one"));
    };
    let mut trigger = trigger(text(pattern, parameter)?);
    if let Some(name) = name {
        text(name, parameter)?.clone_into(&mut trigger.name);
    }
    if let Some(route) = route {
        text(route, parameter)?.clone_into(&mut trigger.route);
    }
    let unknown = |node: &Node, names: &[&str]| {
        Mistake::saying(node, format!("one of {}", names.join(", ")), node.describe())
    };
    if let Some(node) = family {
        trigger.family = TriggerFamily::from_name(text(node, parameter)?)
            .ok_or_else(|| unknown(node, TriggerFamily::NAMES))?;
    }
    if let Some(node) = side {
        trigger.side = TriggerSide::from_name(text(node, parameter)?)
            .ok_or_else(|| unknown(node, TriggerSide::NAMES))?;
    }
    Ok(trigger)
}

/// What is wrong with a trigger that has the right fields.
fn fault(trigger: &CustomTrigger) -> Option<(String, String)> {
    if trigger.pattern.len() > CustomTrigger::PATTERN_BYTES {
        let expected = format!("a pattern of at most {} bytes", CustomTrigger::PATTERN_BYTES);
        return Some((expected, format!("{} bytes", trigger.pattern.len())));
    }
    let compiled = RegexBuilder::new(&trigger.pattern).size_limit(CustomTrigger::COMPILED_BYTES).build();
    match compiled {
        Ok(pattern) if pattern.is_match("") => Some((
            "a pattern that requires at least one character".to_owned(),
            "one that matches the empty text".to_owned(),
        )),
        Ok(_) => None,
        Err(regex::Error::CompiledTooBig(_)) => Some((
            format!("a pattern that takes at most {} KiB compiled", CustomTrigger::COMPILED_BYTES >> 10),
            "a larger one: repeat less, or use ASCII classes such as [a-z] and (?-u:\\w)".to_owned(),
        )),
        Err(error) => Some((
            "a valid regular expression".to_owned(),
            format!("{:?} ({})", trigger.pattern, reason(&error)),
        )),
    }
}

impl Setting for Vec<CustomTrigger> {
    const KIND: Kind = Kind::CustomTriggers;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let items = items(node, parameter)?;
        if items.len() > CustomTrigger::MOST {
            let expected = format!("at most {} triggers", CustomTrigger::MOST);
            return Err(Mistake::saying(node, expected, format!("{}", items.len())));
        }
        let mut names = BTreeSet::new();
        let mut triggers = Self::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let trigger = one(item, parameter)?;
            let short: String = trigger.name.chars().take(60).collect();
            let found = match names.insert(trigger.name.clone()) {
                false => Some(("a name of its own".to_owned(), "the name of an earlier one, too".to_owned())),
                true => fault(&trigger),
            };
            if let Some((expected, found)) = found {
                let expected = format!("{expected} in entry {} (`{short}`)", index + 1);
                return Err(Mistake::saying(item, expected, found));
            }
            triggers.push(trigger);
        }
        // Fewer cannot come to more.
        let is_many = triggers.len() * CustomTrigger::COMPILED_BYTES >= CustomTrigger::TOGETHER_BYTES;
        let fit_together = || {
            let mut set = RegexSetBuilder::new(triggers.iter().map(|trigger| &trigger.pattern));
            set.size_limit(CustomTrigger::TOGETHER_BYTES).build().is_ok()
        };
        if is_many && !fit_together() {
            let most = CustomTrigger::TOGETHER_BYTES >> 20;
            let expected = format!("patterns that together take at most {most} MiB compiled");
            let found = format!(
                "{} that take more: remove some, or use ASCII classes such as [a-z] and (?-u:\\w)",
                triggers.len()
            );
            return Err(Mistake::saying(node, expected, found));
        }
        Ok(triggers)
    }

    fn to_value(&self) -> Value {
        let trigger = |trigger: &CustomTrigger| {
            let mut fields = Map::new();
            fields.insert("name".to_owned(), json!(trigger.name));
            fields.insert("pattern".to_owned(), json!(trigger.pattern));
            fields.insert("family".to_owned(), json!(trigger.family.name()));
            fields.insert("side".to_owned(), json!(trigger.side.name()));
            fields.insert("route".to_owned(), json!(trigger.route));
            Value::Object(fields)
        };
        self.iter().map(trigger).collect()
    }
}
