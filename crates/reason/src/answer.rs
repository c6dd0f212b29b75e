//! The one answer in what a model wrote: JSON, perhaps with words around it.
//!
//! Models put their answer into fences, say something before it, or think aloud. What stands around the answer is left out; the
//! answer itself is never mended: no quotation mark is added, no comma taken away, no name of two chosen. Where there could be two
//! answers there is none. Errors say what is wrong without repeating the text, so that they can go into a log.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::schema::{Mistake, Schema};

/// Places in a text that are tried.
const MOST_PLACES: usize = 200;

/// Why a text is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unusable {
    /// There is nothing in it.
    #[error("it is empty")]
    Empty,
    /// There is no JSON object in it.
    #[error("there is no JSON object in its {0} characters")]
    NoObject(usize),
    /// It says in words that it does not want to answer.
    #[error("it does not want to answer")]
    Refusal,
    /// The object does not end.
    #[error("the JSON object is cut off")]
    CutOff,
    /// The object is no JSON.
    #[error("the JSON object is malformed: {0}")]
    Malformed(String),
    /// More than one object could be the answer.
    #[error("there are {0} JSON objects in it that could be the answer")]
    Several(usize),
    /// The object does not fit the schema.
    #[error("the JSON object does not fit the schema: {}", listed(.0))]
    Unfit(Vec<Mistake>),
    /// The object fits the schema and still makes no sense.
    #[error("the JSON object cannot be used: {0}")]
    Senseless(String),
}

fn listed(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The answer in a text: the one object that fits the schema.
///
/// # Errors
/// [`Unusable`] where there is none, or more than one.
pub fn read(text: &str, schema: &Schema) -> Result<Value, Unusable> {
    let text = without_thoughts(text).trim();
    if text.is_empty() {
        return Err(Unusable::Empty);
    }
    let Found { objects, error } = objects(text);
    let mut fitting: Vec<&Value> = Vec::new();
    for object in &objects {
        if schema.mistakes(object).is_empty() && !fitting.contains(&object) {
            fitting.push(object);
        }
    }
    match (fitting[..].len(), error) {
        // What is cut off or malformed may have been the real answer.
        (_, Some(error)) => Err(error),
        (1, None) => Ok(fitting[0].clone()),
        (0, None) => Err(match objects.first() {
            Some(only) if objects.len() == 1 => Unusable::Unfit(schema.mistakes(only)),
            Some(_) => Unusable::Several(objects.len()),
            None if is_refusal(text) => Unusable::Refusal,
            None => Unusable::NoObject(text.chars().count()),
        }),
        (several, None) => Err(Unusable::Several(several)),
    }
}

/// How models begin that do not want to answer, in small letters.
const REFUSALS: [&str; 30] = [
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "i won't",
    "i will not",
    "i must decline",
    "i have to decline",
    "i decline",
    "i'm sorry",
    "i am sorry",
    "sorry, ",
    "i apologize",
    "i apologise",
    "my apologies",
    "unfortunately, i can",
    "as an ai",
    "es tut mir leid",
    "tut mir leid",
    "leider kann ich",
    "죄송",
    "미안하지만",
    "抱歉",
    "很抱歉",
    "对不起",
    "我无法",
    "我不能",
];

/// Whether a text without an answer begins as a refusal does.
fn is_refusal(text: &str) -> bool {
    let text = text.trim_start_matches(|sign: char| !sign.is_alphanumeric());
    let beginning: String = text.chars().take(80).collect::<String>().to_lowercase().replace('’', "'");
    REFUSALS.iter().any(|words| beginning.starts_with(words))
        || beginning.starts_with("ich kann ") && beginning.contains(" nicht")
}

/// What follows thoughts that a model wrote down first.
fn without_thoughts(text: &str) -> &str {
    let start = text.trim_start();
    match start.strip_prefix("<think>") {
        Some(thoughts) => thoughts.split_once("</think>").map_or("", |(_, rest)| rest),
        None => start,
    }
}

struct Found {
    objects: Vec<Value>,
    error: Option<Unusable>,
}

/// Every JSON object that stands by itself in a text.
fn objects(text: &str) -> Found {
    let mut found = Found { objects: Vec::new(), error: None };
    let (mut at, mut places) = (0, 0);
    while let Some(offset) = text[at..].find(['{', '[']) {
        at += offset;
        places += 1;
        if places > MOST_PLACES {
            found.error = Some(Unusable::Several(MOST_PLACES));
            return found;
        }
        let rest = &text[at..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Strict>();
        match values.next() {
            Some(Ok(Strict(value))) => {
                at += values.byte_offset();
                if value.is_object() {
                    found.objects.push(value);
                }
            }
            Some(Err(error)) => {
                let looks_like_json = looks_like_json(rest);
                if error.is_eof() && looks_like_json {
                    found.error.get_or_insert(Unusable::CutOff);
                    return found;
                }
                if looks_like_json {
                    found.error.get_or_insert_with(|| Unusable::Malformed(reason(&error)));
                }
                // What stands inside of something malformed is no answer of its own.
                at += if looks_like_json || rest.starts_with('[') { end_of(rest).unwrap_or(1) } else { 1 };
            }
            None => at += 1,
        }
    }
    found
}

/// Whether an opening bracket begins JSON rather than prose: a name or a text in quotation marks comes next, or another bracket.
fn looks_like_json(rest: &str) -> bool {
    let inner = rest[1..].trim_start();
    match rest.starts_with('{') {
        true => inner.starts_with(['"', '\'', '}']),
        false => inner.starts_with('{'),
    }
}

/// Where the bracket that a text begins with is closed, texts in quotation marks left out.
fn end_of(text: &str) -> Option<usize> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => depth += 1,
            b'}' | b']' if !is_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// What a parser says, without the place in a text that is not shown, and without a name from it.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// A value in which no object has a name twice.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let (mut map, mut names) = (Map::new(), HashSet::new());
        while let Some((name, Strict(value))) = entries.next_entry::<String, Strict>()? {
            if !names.insert(name.clone()) {
                return Err(A::Error::custom("a name stands twice in an object"));
            }
            map.insert(name, value);
        }
        Ok(map.into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        let list = json!({ "type": "array", "items": { "type": "integer" } });
        Schema::new(json!({
            "type": "object",
            "properties": { "yes": { "type": "boolean" }, "numbers": list },
            "required": ["yes", "numbers"],
            "additionalProperties": false,
        }))
        .unwrap()
    }

    const GOOD: &str = r#"{"yes": true, "numbers": [1, 2]}"#;

    fn read(text: &str) -> Result<Value, Unusable> {
        super::read(text, &schema())
    }

    #[test]
    fn a_refusal_in_words_is_none_that_could_be_mended() {
        for text in [
            "I'm sorry, but I can't help with that.",
            "I can’t assist with this request.",
            "**I cannot** help you here.",
            "As an AI language model I must not.",
            "Es tut mir leid, dabei kann ich nicht helfen.",
            "Ich kann dir dabei leider nicht helfen.",
            "죄송하지만 도와드릴 수 없습니다.",
            "抱歉，我无法协助处理这个请求。",
            "<think>Hm.</think>I won't do that.",
        ] {
            assert_eq!(read(text), Err(Unusable::Refusal), "{text}");
        }
        for text in
            ["I would rather talk about boats.", "Ich kann dir helfen: ja, eins, zwei.", "Sorrel is a plant."]
        {
            assert!(matches!(read(text), Err(Unusable::NoObject(_))), "{text}");
        }
        assert!(read(&format!("I'm sorry for the delay: {GOOD}")).is_ok());
    }

    #[test]
    fn what_stands_around_an_answer_is_left_out() {
        for text in [
            GOOD.to_owned(),
            format!("  {GOOD}\n"),
            format!("```json\n{GOOD}\n```"),
            format!(
                "Here is what I found [in the text], as {{wanted}}:\n\n```\n{GOOD}\n```\nAnything else? :{{"
            ),
            format!("<think>Is it {{\"yes\": false, \"numbers\": []}}? No.</think>\n{GOOD}"),
            format!("An example is {{\"other\": 1}}, and a list [1, 2]. The answer: {GOOD}."),
            format!("{GOOD}\n\nOnce more: {GOOD}"),
            format!("\u{FEFF}{GOOD}"),
            format!("Grüße 🌍 {GOOD} ありがとう"),
        ] {
            assert_eq!(read(&text), Ok(json!({ "yes": true, "numbers": [1, 2] })), "{text}");
        }
    }

    #[test]
    fn nothing_is_mended_and_nothing_guessed() {
        let no = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(no(""), "it is empty");
        assert_eq!(no("<think>{\"yes\": true"), "it is empty");
        assert_eq!(no("I do not know."), "there is no JSON object in its 14 characters");
        assert_eq!(no("[1, 2]"), "there is no JSON object in its 6 characters");
        for cut in [&GOOD[..20], "Sure: {\"yes\": tr", "```json\n{\"yes\": true, \"numbers\": [1,\n```"] {
            let why = no(cut);
            assert!(why.contains("cut off") || why.contains("malformed"), "{cut}: {why}");
        }
        for malformed in [
            r#"{"yes": true, "numbers": [1, 2],}"#,
            r#"{"yes": true, "numbers": [1, 2,]}"#,
            r#"{'yes': true, 'numbers': []}"#,
            r#"{"yes": True, "numbers": []}"#,
            r#"{"yes": true, "yes": true, "numbers": []}"#,
            // What is right inside of something malformed is not taken for the answer.
            r#"[{"yes": true, "numbers": []}, {"yes": true, "numbers": [1]},]"#,
        ] {
            assert!(
                matches!(read(malformed), Err(Unusable::Malformed(_))),
                "{malformed}: {:?}",
                read(malformed)
            );
        }
        let two = r#"Either {"yes": true, "numbers": []} or {"yes": false, "numbers": []}."#;
        assert_eq!(read(two), Err(Unusable::Several(2)));
        assert_eq!(read(&format!("{GOOD} or rather {{\"yes\": fal")), Err(Unusable::CutOff));
        let wrong = no(r#"{"yes": "true", "numbers": ["a secret"]}"#);
        assert!(wrong.contains("/yes: true or false is wanted, found a text; /numbers/0"), "{wrong}");
        assert!(!wrong.contains("secret"), "{wrong}");
    }

    #[test]
    fn a_text_made_to_be_slow_is_refused_in_time() {
        for text in
            ["{".repeat(200_000), "[{".repeat(100_000), "{\"a\":".repeat(50_000), "{} ".repeat(100_000)]
        {
            let began = std::time::Instant::now();
            assert!(read(&text).is_err());
            assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
        }
    }

    proptest! {
        #[test]
        fn no_text_is_a_panic(text in "[\\PC{}\\[\\]\",: \n]{0,200}") {
            let _ = read(&text);
        }

        #[test]
        fn an_answer_is_found_behind_any_prose(before in "[^{}\\[\\]]{0,80}", after in "[^{}\\[\\]]{0,80}") {
            let before = before.replace("<think>", "");
            prop_assert_eq!(read(&format!("{before}{GOOD}{after}")), Ok(json!({ "yes": true, "numbers": [1, 2] })));
        }
    }
}
