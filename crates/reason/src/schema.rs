//! What an answer must look like: a small part of JSON Schema, checked here whoever answers.
//!
//! The part is what every provider's own means understand: one object at the root; of every object all properties are required and
//! no others allowed; lists, texts, numbers, booleans and texts from a list of words; each may be null as well. Anything else in a
//! schema is refused when it is read, so that no word of it is silently without effect. What is wrong with an answer is said with
//! its place and without repeating what stands there: an answer is somebody else's text.

use serde_json::{Map, Value, json};
use thiserror::Error;

/// Mistakes of one answer that are named.
const MOST_MISTAKES: usize = 5;
/// Words of JSON Schema that limit sizes. Not all providers know them, so they are checked here and not sent.
const SIZES: [&str; 6] = ["minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"];

/// A schema, known to be of the part that is understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    source: Value,
    root: Node,
}

/// Why a schema is not understood: a mistake of whoever wrote it, not of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the schema cannot be used at {at}: {what}")]
pub struct SchemaError {
    /// The place in the schema.
    at: String,
    /// What is wrong there.
    what: String,
}

/// One thing that is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The place in the answer, as a JSON pointer; empty for the whole.
    pub at: String,
    /// What is wanted there and what was found, without its contents.
    pub what: String,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.at.as_str() {
            "" => formatter.write_str(&self.what),
            at => write!(formatter, "{at}: {}", self.what),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Node {
    shape: Shape,
    may_be_null: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Object(Vec<(String, Node)>),
    List { item: Box<Node>, sizes: (u64, u64) },
    Text { words: Option<Vec<String>>, sizes: (u64, u64) },
    Number { is_whole: bool, range: (f64, f64) },
    Boolean,
}

impl Schema {
    /// Reads a schema.
    ///
    /// # Errors
    /// [`SchemaError`] where it is no JSON or outside the part that is understood.
    pub fn parse(text: &str) -> Result<Self, SchemaError> {
        let source = serde_json::from_str(text)
            .map_err(|error| SchemaError { at: "its text".to_owned(), what: error.to_string() })?;
        Self::new(source)
    }

    /// The same from a value.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn new(source: Value) -> Result<Self, SchemaError> {
        let root = Node::read(&source, "#")?;
        match root {
            Node { shape: Shape::Object(_), may_be_null: false } => Ok(Self { source, root }),
            _ => Err(SchemaError { at: "#".to_owned(), what: "the root must be an object".to_owned() }),
        }
    }

    /// The schema as it was written.
    #[must_use]
    pub fn source(&self) -> &Value {
        &self.source
    }

    /// The schema without the words that limit sizes: what is sent to a provider.
    #[must_use]
    pub fn structure(&self) -> Value {
        fn without_sizes(value: &Value, is_schema: bool) -> Value {
            match value {
                Value::Object(map) => map
                    .iter()
                    .filter(|(key, _)| !is_schema || !SIZES.contains(&key.as_str()))
                    // Below `properties` stand names, which may be called as a word of the schema is.
                    .map(|(key, value)| {
                        (key.clone(), without_sizes(value, !is_schema || key != "properties"))
                    })
                    .collect::<Map<_, _>>()
                    .into(),
                other => other.clone(),
            }
        }
        without_sizes(&self.source, true)
    }

    /// What is wrong with an answer, the first few things of it; nothing where it fits.
    #[must_use]
    pub fn mistakes(&self, answer: &Value) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        self.root.check(answer, &mut String::new(), &mut mistakes);
        mistakes
    }
}

impl Node {
    fn read(source: &Value, at: &str) -> Result<Self, SchemaError> {
        let wrong = |what: String| SchemaError { at: at.to_owned(), what };
        let Value::Object(words) = source else { return Err(wrong("an object is wanted".to_owned())) };
        let mut types: Vec<&str> = match &words.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ => return Err(wrong("`type` is wanted".to_owned())),
        };
        let may_be_null = types.len() == 2 && types.contains(&"null");
        types.retain(|each| !may_be_null || *each != "null");
        let [kind] = types[..] else { return Err(wrong("`type` must be one, or one and null".to_owned())) };
        let allowed: &[&str] = match kind {
            "object" => &["properties", "required", "additionalProperties"],
            "array" => &["items", "minItems", "maxItems"],
            "string" => &["enum", "minLength", "maxLength"],
            "integer" | "number" => &["minimum", "maximum"],
            "boolean" => &[],
            other => return Err(wrong(format!("the type {other} is not understood"))),
        };
        let known = |word: &str| matches!(word, "type" | "description") || allowed.contains(&word);
        if let Some(word) = words.keys().find(|word| !known(word)) {
            return Err(wrong(format!("`{word}` is not understood for {kind}")));
        }
        let shape = match kind {
            "object" => Shape::Object(properties(words, at)?),
            "array" => {
                let item = words.get("items").ok_or_else(|| wrong("`items` is wanted".to_owned()))?;
                let item = Box::new(Self::read(item, &format!("{at}/items"))?);
                Shape::List { item, sizes: sizes(words, "minItems", "maxItems").map_err(wrong)? }
            }
            "string" => {
                let text = |word: &Value| {
                    word.as_str()
                        .map(str::to_owned)
                        .ok_or_else(|| wrong("the words of `enum` are texts".to_owned()))
                };
                let listed = match words.get("enum") {
                    Some(Value::Array(listed)) if !listed.is_empty() => {
                        Some(listed.iter().map(text).collect::<Result<_, _>>()?)
                    }
                    None => None,
                    Some(_) => return Err(wrong("`enum` is a list of texts".to_owned())),
                };
                Shape::Text { words: listed, sizes: sizes(words, "minLength", "maxLength").map_err(wrong)? }
            }
            "boolean" => Shape::Boolean,
            number => {
                let end = |word: &str, default: f64| match words.get(word) {
                    None => Ok(default),
                    Some(value) => value.as_f64().ok_or_else(|| wrong(format!("`{word}` is a number"))),
                };
                let range = (end("minimum", f64::NEG_INFINITY)?, end("maximum", f64::INFINITY)?);
                Shape::Number { is_whole: number == "integer", range }
            }
        };
        Ok(Self { shape, may_be_null })
    }

    fn check(&self, value: &Value, at: &mut String, mistakes: &mut Vec<Mistake>) {
        if mistakes.len() >= MOST_MISTAKES || (value.is_null() && self.may_be_null) {
            return;
        }
        let mut mistake = |wanted: &str, found: &str| {
            mistakes.push(Mistake { at: at.clone(), what: format!("{wanted} is wanted, found {found}") });
        };
        match (&self.shape, value) {
            (Shape::Object(properties), Value::Object(found)) => {
                for (name, node) in properties {
                    within(at, name, |at| match found.get(name) {
                        Some(value) => node.check(value, at, mistakes),
                        None => mistakes.push(Mistake { at: at.clone(), what: "it is missing".to_owned() }),
                    });
                }
                let unknown =
                    found.keys().filter(|key| !properties.iter().any(|(name, _)| name == *key)).count();
                if unknown > 0 {
                    let what = format!("it has {unknown} properties that the schema does not name");
                    mistakes.push(Mistake { at: at.clone(), what });
                }
                mistakes.truncate(MOST_MISTAKES);
            }
            (Shape::List { item, sizes }, Value::Array(found)) => {
                if !is_within(found.len(), *sizes) {
                    let wanted = format!("a list of {}", amount(*sizes));
                    mistake(&wanted, &format!("one of {}", found.len()));
                }
                for (place, value) in found.iter().enumerate() {
                    within(at, &place.to_string(), |at| item.check(value, at, mistakes));
                }
            }
            (Shape::Text { words, sizes }, Value::String(found)) => {
                let length = found.chars().count();
                match words {
                    Some(words) if !words.contains(found) => {
                        mistake(&format!("one of {}", words.join(", ")), "another text");
                    }
                    _ if !is_within(length, *sizes) => {
                        let wanted = format!("a text of {} characters", amount(*sizes));
                        mistake(&wanted, &format!("one of {length}"));
                    }
                    _ => {}
                }
            }
            (Shape::Number { is_whole, range }, Value::Number(found)) => {
                if *is_whole && found.is_f64() {
                    mistake("a whole number", "one with a decimal point");
                } else if !found.as_f64().is_some_and(|found| (range.0..=range.1).contains(&found)) {
                    mistake(&format!("a number from {} to {}", range.0, range.1), "another");
                }
            }
            (Shape::Boolean, Value::Bool(_)) => {}
            (shape, other) => mistake(shape.name(), kind(other)),
        }
    }
}

impl Shape {
    fn name(&self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::List { .. } => "a list",
            Self::Text { .. } => "a text",
            Self::Number { is_whole: true, .. } => "a whole number",
            Self::Number { .. } => "a number",
            Self::Boolean => "true or false",
        }
    }
}

/// The properties of an object, of which all must be required.
fn properties(words: &Map<String, Value>, at: &str) -> Result<Vec<(String, Node)>, SchemaError> {
    let wrong = |what: &str| SchemaError { at: at.to_owned(), what: what.to_owned() };
    let Some(Value::Object(properties)) = words.get("properties") else {
        return Err(wrong("`properties` is wanted"));
    };
    if words.get("additionalProperties") != Some(&json!(false)) {
        return Err(wrong("`additionalProperties` must be false"));
    }
    let mut required: Vec<&str> = words
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    required.sort_unstable();
    names.sort_unstable();
    if required != names {
        return Err(wrong("`required` must name all properties"));
    }
    let read = |(name, node): (&String, &Value)| {
        Ok((name.clone(), Node::read(node, &format!("{at}/properties/{name}"))?))
    };
    properties.iter().map(read).collect()
}

fn sizes(words: &Map<String, Value>, least: &str, most: &str) -> Result<(u64, u64), String> {
    let size = |word: &str, default: u64| match words.get(word) {
        None => Ok(default),
        Some(value) => value.as_u64().ok_or_else(|| format!("`{word}` is a whole number")),
    };
    Ok((size(least, 0)?, size(most, u64::MAX)?))
}

fn is_within(length: usize, sizes: (u64, u64)) -> bool {
    (sizes.0..=sizes.1).contains(&(length as u64))
}

fn amount((least, most): (u64, u64)) -> String {
    match (least, most) {
        (least, u64::MAX) => format!("at least {least}"),
        (0, most) => format!("at most {most}"),
        (least, most) => format!("{least} to {most}"),
    }
}

/// Does something one step further down in a pointer.
fn within(at: &mut String, name: &str, act: impl FnOnce(&mut String)) {
    let length = at.len();
    at.push('/');
    at.push_str(name);
    act(at);
    at.truncate(length);
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(properties: Value) -> Value {
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    fn schema() -> Schema {
        let item = object(json!({
            "text": { "type": "string", "minLength": 1, "maxLength": 5, "description": "What." },
            "sure": { "type": "number", "minimum": 0, "maximum": 1 },
            "kind": { "type": ["string", "null"], "enum": ["a", "b"] },
        }));
        Schema::new(object(json!({
            "found": { "type": "array", "items": item, "maxItems": 2 },
            "count": { "type": "integer", "minimum": 0 },
            "minimum": { "type": "boolean" },
        })))
        .unwrap()
    }

    fn mistakes(answer: &Value) -> Vec<String> {
        schema().mistakes(answer).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_answer_that_fits_has_no_mistakes_and_another_has_them_named_with_their_places() {
        let good = json!({ "text": "Aéß", "sure": 0.5, "kind": null });
        assert!(mistakes(&json!({ "found": [good], "count": 1, "minimum": true })).is_empty());
        let bad = json!({ "text": "secret words", "sure": 7, "kind": "c" });
        let found = mistakes(&json!({ "found": [good, bad], "count": 1.0, "more": 1 }));
        assert_eq!(
            found,
            [
                "/found/1/text: a text of 1 to 5 characters is wanted, found one of 12",
                "/found/1/sure: a number from 0 to 1 is wanted, found another",
                "/found/1/kind: one of a, b is wanted, found another text",
                "/count: a whole number is wanted, found one with a decimal point",
                "/minimum: it is missing",
            ]
        );
        assert_eq!(mistakes(&json!([1])), ["an object is wanted, found a list"]);
        let other = mistakes(&json!({ "found": "x", "count": -1, "minimum": true, "more": 1 }));
        assert_eq!(other.len(), 3, "{other:?}");
        assert!(other[2].contains("1 properties that the schema does not name"), "{other:?}");
        assert!(
            mistakes(&json!({ "found": [good, good, good], "count": 1, "minimum": true }))[0]
                .contains("at most 2")
        );
    }

    #[test]
    fn what_is_sent_has_no_sizes_and_properties_keep_their_names() {
        let sent = schema().structure();
        let text = sent.to_string();
        assert!(
            !text.contains("maxLength") && !text.contains("maxItems") && !text.contains("\"minimum\":0"),
            "{text}"
        );
        assert!(sent["properties"]["minimum"].is_object(), "{text}");
        assert_eq!(sent["properties"]["found"]["items"]["properties"]["kind"]["enum"], json!(["a", "b"]));
    }

    #[test]
    fn a_schema_outside_of_the_part_is_refused() {
        let text = json!({ "type": "string" });
        for (what, source) in [
            ("the root must be an object", json!({ "type": "array", "items": text })),
            (
                "`additionalProperties` must be false",
                json!({ "type": "object", "properties": {}, "required": [] }),
            ),
            ("`required` must name all", {
                let mut source = object(json!({ "a": text }));
                source["required"] = json!([]);
                source
            }),
            ("`pattern` is not understood", object(json!({ "a": { "type": "string", "pattern": "x" } }))),
            ("`minLength` is not understood", object(json!({ "a": { "type": "boolean", "minLength": 1 } }))),
            ("`type` is wanted", object(json!({ "a": { "anyOf": [text] } }))),
            ("`type` must be one", object(json!({ "a": { "type": ["string", "integer"] } }))),
            ("the type date", object(json!({ "a": { "type": "date" } }))),
            ("`enum` is a list", object(json!({ "a": { "type": "string", "enum": [] } }))),
            ("`items` is wanted", object(json!({ "a": { "type": "array" } }))),
            (
                "`maxItems` is a whole",
                object(json!({ "a": { "type": "array", "items": text, "maxItems": "2" } })),
            ),
            ("an object is wanted", json!(true)),
        ] {
            let error = Schema::new(source).unwrap_err().to_string();
            assert!(error.contains(what), "{what}: {error}");
        }
        assert!(Schema::parse("{").is_err());
    }
}
