//! The types a parameter's value can have: how each is read from YAML, checked, and given back.
//!
//! `to_value` and `from_node` are inverses through `yaml::render`. A type checks itself wholly here, so that a
//! value inside `Config` never needs checking again.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::parameter::{Kind, Limits, Parameter};
use crate::yaml::{Content, Entry, Node};

/// What is wrong with one value; the reader adds the parameter's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) line: usize,
    pub(super) expected: String,
    pub(super) found: String,
    /// Right type, wrong size (or wrong choice).
    pub(super) is_range: bool,
}

impl Mistake {
    fn of_type(node: &Node, parameter: &Parameter) -> Self {
        Self::saying(node, parameter.expectation(), node.describe())
    }

    fn of_range(node: &Node, parameter: &Parameter) -> Self {
        let expected = match (parameter.kind, parameter.limits.describe()) {
            (Kind::Choice(_), _) | (_, None) => parameter.kind.describe(),
            (_, Some(range)) => range,
        };
        Self { line: node.line, expected, found: node.describe(), is_range: true }
    }

    pub(super) fn saying(node: &Node, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { line: node.line, expected: expected.into(), found: found.into(), is_range: false }
    }
}

/// A type that a parameter can have.
pub(super) trait Setting: Sized {
    /// Its name for people.
    const KIND: Kind;

    /// Reads and checks it. `node` is never null: null means the default and is handled before.
    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake>;

    /// The same as JSON.
    fn to_value(&self) -> Value;
}

fn plain<'a>(node: &'a Node, parameter: &Parameter) -> Result<&'a str, Mistake> {
    match &node.content {
        Content::Scalar { text, plain: true } => Ok(text),
        _ => Err(Mistake::of_type(node, parameter)),
    }
}

pub(super) fn text<'a>(node: &'a Node, parameter: &Parameter) -> Result<&'a str, Mistake> {
    match &node.content {
        Content::Scalar { text, .. } => Ok(text),
        _ => Err(Mistake::of_type(node, parameter)),
    }
}

pub(super) fn items<'a>(node: &'a Node, parameter: &Parameter) -> Result<&'a [Node], Mistake> {
    match &node.content {
        Content::List(items) => Ok(items),
        _ => Err(Mistake::of_type(node, parameter)),
    }
}

pub(super) fn entries<'a>(node: &'a Node, parameter: &Parameter) -> Result<&'a [Entry], Mistake> {
    match &node.content {
        Content::Map { entries, .. } => Ok(entries),
        _ => Err(Mistake::of_type(node, parameter)),
    }
}

/// Why a pattern is no regular expression, in a line.
pub(super) fn reason(error: &regex::Error) -> String {
    error.to_string().lines().last().unwrap_or_default().trim().to_owned()
}

fn pattern(node: &Node, parameter: &Parameter) -> Result<String, Mistake> {
    let written = text(node, parameter)?;
    regex::Regex::new(written).map_err(|error| {
        Mistake::saying(
            node,
            "a valid regular expression",
            format!("{} ({})", node.describe(), reason(&error)),
        )
    })?;
    Ok(written.to_owned())
}

impl Setting for bool {
    const KIND: Kind = Kind::Boolean;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        match plain(node, parameter)?.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => Ok(true),
            "false" | "no" | "off" => Ok(false),
            _ => Err(Mistake::of_type(node, parameter)),
        }
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Setting for u64 {
    const KIND: Kind = Kind::Integer;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let written = plain(node, parameter)?;
        let digits = written.strip_prefix(['+', '-']).unwrap_or(written);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Mistake::of_type(node, parameter));
        }
        // A negative number and one past 2^64 are whole numbers all the same: out of range, not of type.
        let number = written.parse::<u64>().map_err(|_| Mistake::of_range(node, parameter))?;
        match parameter.limits {
            Limits::Whole(low, high) if !(low..=high).contains(&number) => {
                Err(Mistake::of_range(node, parameter))
            }
            _ => Ok(number),
        }
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Setting for f64 {
    const KIND: Kind = Kind::Number;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let written = plain(node, parameter)?;
        let looks_like_a_number = written
            .bytes()
            .all(|each| each.is_ascii_digit() || matches!(each, b'.' | b'-' | b'+' | b'e' | b'E'));
        let number = written
            .parse::<f64>()
            .ok()
            .filter(|number| looks_like_a_number && number.is_finite())
            .ok_or_else(|| Mistake::of_type(node, parameter))?;
        match parameter.limits {
            Limits::Real(low, high) if !(low..=high).contains(&number) => {
                Err(Mistake::of_range(node, parameter))
            }
            // Minus zero would not come back from JSON as written; it means zero.
            _ => Ok(number + 0.0),
        }
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Setting for String {
    const KIND: Kind = Kind::Text;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        text(node, parameter).map(str::to_owned)
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Setting for Vec<String> {
    const KIND: Kind = Kind::TextList;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        items(node, parameter)?.iter().map(|item| text(item, parameter).map(str::to_owned)).collect()
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

impl Setting for BTreeMap<String, String> {
    const KIND: Kind = Kind::TextMap;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let mut map = Self::new();
        for entry in entries(node, parameter)? {
            let value = text(&entry.value, parameter)?.to_owned();
            if map.insert(entry.key.clone(), value).is_some() {
                let found = format!("`{}` twice", entry.key);
                return Err(Mistake {
                    line: entry.key_line,
                    ..Mistake::saying(node, "each name once", found)
                });
            }
        }
        Ok(map)
    }

    fn to_value(&self) -> Value {
        json!(self)
    }
}

/// Regular expressions, each known to compile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patterns(pub Vec<String>);

impl Setting for Patterns {
    const KIND: Kind = Kind::PatternList;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        items(node, parameter)?
            .iter()
            .map(|item| pattern(item, parameter))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    fn to_value(&self) -> Value {
        json!(self.0)
    }
}

/// A time zone by name. Whether the name exists is known only where the time zone database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneName(pub String);

impl Setting for ZoneName {
    const KIND: Kind = Kind::TimeZone;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let name = text(node, parameter)?;
        let is_part = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_alphabetic())
                && part.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '_' | '-' | '+'))
        };
        if name.split('/').all(is_part) {
            Ok(Self(name.to_owned()))
        } else {
            Err(Mistake::of_type(node, parameter))
        }
    }

    fn to_value(&self) -> Value {
        json!(self.0)
    }
}

/// What to hide before anything reaches the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactionRule {
    /// What stands in place of the secret: `[redacted:NAME]`.
    pub name: String,
    /// The regular expression that finds it; known to compile.
    pub pattern: String,
}

impl Setting for Vec<RedactionRule> {
    const KIND: Kind = Kind::RedactionRules;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let rule = |item: &Node| {
            let [name, found] = fields(item, parameter, ["name", "pattern"])?;
            match (name, found) {
                (Some(name), Some(found)) => Ok(RedactionRule {
                    name: text(name, parameter)?.to_owned(),
                    pattern: pattern(found, parameter)?,
                }),
                _ => Err(Mistake::saying(item, "a rule with both name and pattern", "incomplete")),
            }
        };
        items(node, parameter)?.iter().map(rule).collect()
    }

    fn to_value(&self) -> Value {
        self.iter().map(|rule| json!({"name": rule.name, "pattern": rule.pattern})).collect()
    }
}

/// The values of the named fields of a mapping; another field, or the same twice, is a mistake.
pub(super) fn fields<'a, const N: usize>(
    node: &'a Node,
    parameter: &Parameter,
    names: [&str; N],
) -> Result<[Option<&'a Node>; N], Mistake> {
    let mut found = [None; N];
    for entry in entries(node, parameter)? {
        let mistake = |found: String| Mistake {
            line: entry.key_line,
            ..Mistake::saying(node, format!("a mapping of {}", names.join(", ")), found)
        };
        match names.iter().position(|name| *name == entry.key) {
            None => return Err(mistake(format!("one with `{}`", entry.key))),
            Some(index) if found[index].is_some() => {
                return Err(mistake(format!("one with `{}` twice", entry.key)));
            }
            Some(index) => found[index] = Some(&entry.value),
        }
    }
    Ok(found)
}

/// Declares enumerations whose values are words in CONFIG.md.
macro_rules! choices {
    ($(
        $(#[doc = $doc:literal])+
        $Choice:ident { $( $(#[doc = $variant_doc:literal])+ $Variant:ident = $word:literal, )+ }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $Choice { $( $(#[doc = $variant_doc])+ $Variant, )+ }

        impl $Choice {
            /// The words, in the order of the reference page.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The word for it in CONFIG.md and on the command line.
            pub fn name(self) -> &'static str {
                match self { $( Self::$Variant => $word, )+ }
            }

            /// The choice with this word, if there is one.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $( $word => Some(Self::$Variant), )+ _ => None }
            }
        }

        impl $crate::config::value::Setting for $Choice {
            const KIND: Kind = Kind::Choice(Self::NAMES);

            fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
                let name = $crate::config::value::word(node, parameter)?;
                Self::from_name(name).ok_or_else(|| $crate::config::value::not_among(node, parameter))
            }

            fn to_value(&self) -> serde_json::Value {
                serde_json::Value::from(self.name())
            }
        }
    )+ };
}

pub(super) use choices;

/// The text of a scalar, for [`choices`].
pub(super) fn word<'a>(node: &'a Node, parameter: &Parameter) -> Result<&'a str, Mistake> {
    text(node, parameter)
}

/// The mistake of a word that is no choice, for [`choices`].
pub(super) fn not_among(node: &Node, parameter: &Parameter) -> Mistake {
    Mistake::of_range(node, parameter)
}

/// The mistake of a value of the wrong type, for types declared in other files.
pub(super) fn wrong_type(node: &Node, parameter: &Parameter) -> Mistake {
    Mistake::of_type(node, parameter)
}
