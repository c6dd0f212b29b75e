//! The values that front matter holds, read from YAML and written as YAML.
//!
//! Owns [`Value`]: reading never loses what a person typed (a plain number that would print differently, such as
//! `1.10` or `0x1F`, stays the text it was), and writing quotes whatever YAML would read as something else, so
//! that `read(write(value)) == value`. It must not know about files, fences or lines: that is `front_matter`.

use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use jiff::Timestamp;
use regex::Regex;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

/// One value of front matter (seed A2.3). Mappings keep the order in which they were written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing, `null` or `~`.
    #[default]
    Null,
    /// `true` or `false`, and no other spelling: `yes`, `on` and `no` are text.
    Bool(bool),
    /// A whole number written in plain decimal digits.
    Integer(i64),
    /// A finite decimal number whose shortest form is how it was written.
    Float(f64),
    /// Any other scalar, dates and times included.
    Text(String),
    /// A sequence.
    List(Vec<Value>),
    /// A mapping with its keys as text, in the order written.
    #[serde(with = "pairs")]
    Map(Vec<(String, Value)>),
}

/// Serialises a mapping as an object in order, which serde has no ready form for.
mod pairs {
    use super::{Map, Value};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(pairs: &[(String, Value)], to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(pairs.iter().map(|(key, value)| (key, value)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, Value)>, D::Error> {
        Map::deserialize(from).map(|map| map.0)
    }
}

struct Map(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Map {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Map;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a mapping")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Map, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = access.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Map(pairs))
            }
        }
        from.deserialize_map(Pairs)
    }
}

impl Value {
    /// The text of a [`Value::Text`], and `None` for every other kind.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Any scalar as the text that a person would have typed: an id of digits only is read as a number, and this
    /// gives its digits back. `None` for null, lists and mappings.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Integer(value) => Some(value.to_string()),
            Value::Float(value) => Some(print_float(*value)),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }

    /// The whole number, if this is one.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Any number as a float, whole numbers included.
    #[must_use]
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(value) => Some(*value),
            // Above 2^53 the nearest float is what a reader of a float gets.
            #[allow(clippy::cast_precision_loss)]
            Value::Integer(value) => Some(*value as f64),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items of a list; a lone scalar is not a list of one.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs of a mapping.
    #[must_use]
    pub fn as_map(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The value under `key` of a mapping.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&Value> {
        self.as_map()?.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// An instant written as RFC 3339 (`2026-02-16T18:45:00Z`, or with another offset).
    #[must_use]
    pub fn as_timestamp(&self) -> Option<Timestamp> {
        self.as_str()?.parse().ok()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Integer(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Integer(value.into())
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        Value::Text(time.to_string())
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

/// What went wrong while reading YAML: the line it happened on (1-based, in the text given) and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) line: usize,
    pub(super) reason: String,
}

/// Reads `text` as one YAML document that is a mapping, or nothing at all.
pub(super) fn read_mapping(text: &str) -> Result<Vec<(String, Value)>, Failure> {
    // The bounds are far above any front matter and far below what would hurt: a hostile file can't expand.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
        budget: serde_saphyr::budget! { max_nodes: 50_000, max_depth: 32 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 10_000 },
    };
    let node: Node =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| failure(text, &error))?;
    let line = node.line;
    match node.settle(text) {
        Value::Map(pairs) => Ok(pairs),
        Value::Null => Ok(Vec::new()),
        _ => Err(Failure { line, reason: "expected `key: value` lines".to_owned() }),
    }
}

fn failure(text: &str, error: &serde_saphyr::Error) -> Failure {
    let line = error.location().map_or(0, |location| usize::try_from(location.line()).unwrap_or(0));
    // The reader's first line of the message is the reason; the rest draws the source.
    let reason = error.to_string();
    let reason = reason.lines().next().unwrap_or_default().trim().to_owned();
    Failure { line: line.clamp(1, text.lines().count().max(1)), reason }
}

/// A value with the place it was defined at, kept until number texts have been checked.
struct Node {
    kind: Kind,
    span: Range<usize>,
    line: usize,
}

enum Kind {
    Scalar(Value),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Turns the node into its value, numbers back into text where their print is not their source.
    fn settle(self, source: &str) -> Value {
        let raw = source.get(self.span.clone()).unwrap_or_default();
        match self.kind {
            Kind::Scalar(Value::Integer(number)) if number.to_string() != raw => number_text(raw, number),
            Kind::Scalar(Value::Float(number)) if print_float(number) != raw => number_text(raw, number),
            Kind::Scalar(value) => value,
            Kind::List(items) => Value::List(items.into_iter().map(|item| item.settle(source)).collect()),
            Kind::Map(pairs) => Value::Map(
                pairs
                    .into_iter()
                    .map(|(key, value)| {
                        (key.settle(source).to_text().unwrap_or_default(), value.settle(source))
                    })
                    .collect(),
            ),
        }
    }
}

/// The text of a number that is not written in its shortest form; where the source is out of reach (it came
/// through an alias), the number's print.
fn number_text(raw: &str, number: impl fmt::Display) -> Value {
    let raw = raw.trim();
    let plain = raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte));
    if plain && !raw.is_empty() { Value::Text(raw.to_owned()) } else { Value::Text(number.to_string()) }
}

fn print_float(number: f64) -> String {
    format!("{number:?}")
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Kind>::deserialize(from)?;
        let span = spanned.defined.span();
        let position = |value: Option<u64>| value.and_then(|value| usize::try_from(value).ok()).unwrap_or(0);
        let start = position(span.byte_offset());
        Ok(Node {
            kind: spanned.value,
            span: start..start + position(span.byte_len()),
            line: usize::try_from(spanned.referenced.line()).unwrap_or(1).max(1),
        })
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Null))
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Kind, D::Error> {
        from.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Integer(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Scalar(i64::try_from(value).map_or_else(|_| Value::Text(value.to_string()), Value::Integer)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Float(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Text(value.to_owned())))
    }

    fn visit_string<E>(self, value: String) -> Result<Kind, E> {
        Ok(Kind::Scalar(Value::Text(value)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Kind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Kind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Kind, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = access.next_entry()? {
            pairs.push(pair);
        }
        Ok(Kind::Map(pairs))
    }
}

/// Writes `key: value` as YAML lines, each ended by `newline`.
pub(super) fn write_entry(key: &str, value: &Value, newline: &str) -> String {
    let mut lines = Vec::new();
    write_pair(&mut lines, "", key, value);
    let mut text = lines.join(newline);
    text.push_str(newline);
    text
}

fn write_pair(lines: &mut Vec<String>, indent: &str, key: &str, value: &Value) {
    let key = scalar_text(key, false);
    match value {
        Value::Null => lines.push(format!("{indent}{key}:")),
        Value::Map(pairs) if !pairs.is_empty() => {
            lines.push(format!("{indent}{key}:"));
            write_map(lines, &format!("{indent}  "), pairs);
        }
        Value::List(items) if !items.is_empty() && !items.iter().all(is_scalar) => {
            lines.push(format!("{indent}{key}:"));
            write_list(lines, &format!("{indent}  "), items);
        }
        _ => lines.push(format!("{indent}{key}: {}", inline(value, false))),
    }
}

fn write_map(lines: &mut Vec<String>, indent: &str, pairs: &[(String, Value)]) {
    for (key, value) in pairs {
        write_pair(lines, indent, key, value);
    }
}

fn write_list(lines: &mut Vec<String>, indent: &str, items: &[Value]) {
    for item in items {
        let start = lines.len();
        match item {
            Value::Map(pairs) if !pairs.is_empty() => write_map(lines, &format!("{indent}  "), pairs),
            Value::List(inner) if !inner.is_empty() && !inner.iter().all(is_scalar) => {
                write_list(lines, &format!("{indent}  "), inner);
            }
            _ => lines.push(format!("{indent}  {}", inline(item, false))),
        }
        // The first line of the item carries the dash in place of its last indentation.
        if let Some(first) = lines.get_mut(start) {
            first.replace_range(indent.len()..indent.len() + 1, "-");
        }
    }
}

fn is_scalar(value: &Value) -> bool {
    match value {
        Value::List(items) => items.is_empty(),
        Value::Map(pairs) => pairs.is_empty(),
        _ => true,
    }
}

/// A value on one line; only scalars, empty containers and lists of those come here.
fn inline(value: &Value, in_flow: bool) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => print_float(*value),
        Value::Text(text) => scalar_text(text, in_flow),
        Value::List(items) => {
            format!("[{}]", items.iter().map(|item| inline(item, true)).collect::<Vec<_>>().join(", "))
        }
        Value::Map(pairs) => {
            let pairs = pairs
                .iter()
                .map(|(key, value)| format!("{}: {}", scalar_text(key, true), inline(value, true)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Text as a plain scalar where that is certain to read back as itself, in double quotes otherwise.
fn scalar_text(text: &str, in_flow: bool) -> String {
    // Letters, digits and a few signs that mean nothing to YAML; a colon only inside a word.
    // The patterns are constants: `None` would only mean quoting everything.
    static PLAIN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^[\p{L}\p{N}_/.][\p{L}\p{N}_/.+@()=~;—–→'-]*(?:[ :][\p{L}\p{N}_/.+@()=~;—–→'-]+)*$").ok()
    });
    static BLOCK_ONLY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"^[\p{L}\p{N}_/.][\p{L}\p{N}_/.,+@()=~;—–→'-]*(?:[ :][\p{L}\p{N}_/.,+@()=~;—–→'-]+)*$")
            .ok()
    });
    let looks_plain = match text.is_ascii() {
        true => is_plain_ascii(text, in_flow),
        false => {
            let pattern = if in_flow { &PLAIN } else { &BLOCK_ONLY };
            pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
        }
    };
    let plain = looks_plain
        && read_mapping(&format!("k: {text}\n"))
            .is_ok_and(|pairs| matches!(pairs.as_slice(), [(_, Value::Text(read))] if read == text));
    if plain { text.to_owned() } else { quoted(text) }
}

/// What the patterns of [`scalar_text`] say of text in ASCII, without their being compiled, which takes milliseconds.
fn is_plain_ascii(text: &str, in_flow: bool) -> bool {
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || b"_/.+@()=~;'-".contains(&byte) || byte == b',' && !in_flow
    };
    let is_first = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/.".contains(byte);
    let mut words = text.split([' ', ':']);
    text.as_bytes().first().is_some_and(is_first)
        && words.all(|word| !word.is_empty() && word.bytes().all(is_plain))
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Line separators, the byte order mark and what YAML calls not printable.
            '\u{2028}' | '\u{2029}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => {
                out.push_str(&format!("\\u{:04X}", u32::from(character)));
            }
            _ if character.is_control() => out.push_str(&format!("\\x{:02X}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_ascii_is_what_the_patterns_say_it_is(text in "[ -~\n\t]{0,12}|[a-z_/.:, -]{0,12}") {
            for in_flow in [true, false] {
                let comma = if in_flow { "" } else { "," };
                let sign = format!(r"[\p{{L}}\p{{N}}_/.{comma}+@()=~;—–→'-]");
                let pattern = Regex::new(&format!(r"^[\p{{L}}\p{{N}}_/.]{sign}*(?:[ :]{sign}+)*$")).unwrap();
                prop_assert_eq!(is_plain_ascii(&text, in_flow), pattern.is_match(&text), "{}", text);
            }
        }
    }
}
