//! Reading hosts' JSON without trusting its types.
//!
//! Owns field types that take a value of the expected kind and turn any other into "absent", so that one odd field
//! does not cost a record; raw fields are not parsed until somebody asks. Text is borrowed from the record where it
//! holds no escapes. Long for its kind: serde has no derive for "take what fits". Must not know which fields matter.

use std::borrow::Cow;
use std::fmt;

use jiff::Timestamp;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::value::RawValue;

/// Text, or nothing. A number counts as its digits.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl Text<'_> {
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text, or `""`.
    pub(super) fn or_empty(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    pub(super) fn owned(&self) -> Option<String> {
        self.0.as_deref().filter(|text| !text.is_empty()).map(str::to_owned)
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.get() == Some(text)
    }
}

/// Implements what every tolerant visitor shares: maps and lists are read past.
macro_rules! past_containers {
    ($value:ty, $nothing:expr) => {
        fn visit_unit<E>(self) -> Result<$value, E> {
            Ok($nothing)
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<$value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok($nothing)
        }
    };
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }
            past_containers!(Text<'de>, Text(None));
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Text<'de>, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Text(None))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Text<'de>, E> {
                Ok(Text(None))
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Borrowed(text))))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Owned(text.to_owned()))))
            }
            fn visit_string<E>(self, text: String) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Owned(text))))
            }
            fn visit_i64<E>(self, number: i64) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Owned(number.to_string()))))
            }
            fn visit_u64<E>(self, number: u64) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Owned(number.to_string()))))
            }
            fn visit_f64<E>(self, number: f64) -> Result<Text<'de>, E> {
                Ok(Text(Some(Cow::Owned(number.to_string()))))
            }
        }
        from.deserialize_any(Any)
    }
}

/// A tolerant visitor of one small value: the kinds that count are given, all others are the default.
macro_rules! tolerant {
    ($value:ident, $($method:ident($argument:ident: $kind:ty) => $result:expr),+) => {
        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Any;
                impl<'de> Visitor<'de> for Any {
                    type Value = $value;
                    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                        formatter.write_str("anything")
                    }
                    past_containers!($value, $value::default());
                    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<$value, A::Error> {
                        while items.next_element::<IgnoredAny>()?.is_some() {}
                        Ok($value::default())
                    }
                    fn visit_str<E>(self, _: &str) -> Result<$value, E> {
                        Ok($value::default())
                    }
                    fn visit_i64<E>(self, _: i64) -> Result<$value, E> {
                        Ok($value::default())
                    }
                    fn visit_f64<E>(self, _: f64) -> Result<$value, E> {
                        Ok($value::default())
                    }
                    $(fn $method<E>(self, $argument: $kind) -> Result<$value, E> {
                        Ok($result)
                    })+
                }
                from.deserialize_any(Any)
            }
        }
    };
}

/// `true`, and anything else is `false`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Flag(pub(super) bool);

tolerant!(Flag, visit_bool(value: bool) => Flag(value), visit_u64(_number: u64) => Flag(false));

/// A count, 0 when it is no whole number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Count(pub(super) u64);

tolerant!(Count, visit_u64(number: u64) => Count(number), visit_bool(_flag: bool) => Count(0));

/// An object read as `T`; any other value is the default.
#[derive(Debug, Clone, Default)]
pub(super) struct Lenient<T>(pub(super) T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Any<T> {
            type Value = Lenient<T>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_bool<E>(self, _: bool) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_i64<E>(self, _: i64) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_u64<E>(self, _: u64) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_str<E>(self, _: &str) -> Result<Lenient<T>, E> {
                Ok(Lenient(T::default()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Lenient<T>, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Lenient(T::default()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Lenient<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Lenient)
            }
        }
        from.deserialize_any(Any(std::marker::PhantomData))
    }
}

/// A field that may be missing, `null`, or an id.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Link<'a> {
    /// The record does not have the field.
    #[default]
    Missing,
    /// It is `null`, or no id.
    Null,
    /// The id.
    Id(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for Link<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Text::deserialize(from).map(|text| text.0.map_or(Link::Null, Link::Id))
    }
}

/// A value left as it is. `null` and a missing field are both nothing.
pub(super) type Raw<'a> = Option<&'a RawValue>;

/// Reads a raw value as `T`; nothing if it is of another kind.
pub(super) fn read<'a, T: Deserialize<'a>>(raw: Raw<'a>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

/// Reads a record, which is an object and nothing else: serde would also fill a struct from a list, by position.
pub(super) fn record<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, serde_json::Error> {
    if text.trim_start().starts_with('{') {
        serde_json::from_str(text)
    } else {
        Err(de::Error::custom("expected an object"))
    }
}

/// A time in any form that hosts write: RFC 3339, or seconds or milliseconds since 1970, also fractional.
pub(super) fn time_of(text: &str) -> Option<Timestamp> {
    let text = text.trim_matches('"');
    if let Ok(number) = text.parse::<f64>() {
        // 1e11 seconds are the year 5138; 1e11 milliseconds are 1973.
        let seconds = if number.abs() > 1e11 { number / 1000.0 } else { number };
        // The cast saturates, and what saturated is refused.
        #[allow(clippy::cast_possible_truncation)]
        let milliseconds = (seconds * 1000.0).round() as i64;
        return Timestamp::from_millisecond(milliseconds).ok().filter(|_| number.is_finite());
    }
    text.parse().ok()
}

/// The first `most` characters of what a raw value says: a string's own text, the texts of a list of blocks, or the
/// JSON itself.
pub(super) fn brief(raw: Raw<'_>, most: usize) -> String {
    brief_within(raw, most, 0)
}

fn brief_within(raw: Raw<'_>, most: usize, depth: usize) -> String {
    let Some(raw) = raw.map(RawValue::get) else { return String::new() };
    match raw.as_bytes().first() {
        Some(b'"') => string_start(raw, most),
        Some(b'[') if depth < 3 => {
            let Ok(blocks) = serde_json::from_str::<Vec<&RawValue>>(raw) else { return String::new() };
            let mut out = String::new();
            for block in blocks {
                let text = brief_within(Some(block), most, depth + 1);
                if !out.is_empty() && !text.is_empty() {
                    out.push('\n');
                }
                out.push_str(&text);
                if out.len() >= most {
                    break;
                }
            }
            out
        }
        Some(b'{') if depth < 3 => {
            #[derive(Deserialize, Default)]
            #[serde(default)]
            struct Fields<'a> {
                #[serde(borrow)]
                text: Raw<'a>,
                #[serde(borrow)]
                output: Raw<'a>,
                #[serde(borrow)]
                stdout: Raw<'a>,
                #[serde(borrow)]
                stderr: Raw<'a>,
                #[serde(borrow)]
                error: Raw<'a>,
                #[serde(borrow)]
                message: Raw<'a>,
                #[serde(borrow)]
                content: Raw<'a>,
                #[serde(borrow, rename = "type")]
                kind: Text<'a>,
            }
            let Ok(fields) = serde_json::from_str::<Fields<'_>>(raw) else {
                return start_of(raw, most).to_owned();
            };
            let known = [
                fields.text,
                fields.output,
                fields.stdout,
                fields.stderr,
                fields.error,
                fields.message,
                fields.content,
            ];
            let text = known
                .into_iter()
                .map(|field| brief_within(field, most, depth + 1))
                .find(|text| !text.trim().is_empty());
            match (text, fields.kind.get()) {
                (Some(text), _) => text,
                // A block of something binary.
                (None, Some(kind)) => format!("({kind})"),
                (None, None) if known.iter().any(Option::is_some) => String::new(),
                (None, None) => start_of(raw, most).to_owned(),
            }
        }
        _ if raw == "null" => String::new(),
        _ => start_of(raw, most).to_owned(),
    }
}

/// The first `most` characters.
fn start_of(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

/// The first `most` characters of a JSON string literal, without reading the rest.
fn string_start(literal: &str, most: usize) -> String {
    let inner = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let bytes = inner.as_bytes();
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() && count < most {
        at += match bytes[at] {
            b'\\' if bytes.get(at + 1) == Some(&b'u') => {
                let high = bytes.get(at + 2).is_some_and(|byte| matches!(byte, b'd' | b'D'))
                    && bytes
                        .get(at + 3)
                        .is_some_and(|byte| matches!(byte, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'));
                if high { 12 } else { 6 }
            }
            b'\\' => 2,
            _ => inner.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8),
        };
        count += 1;
    }
    let start = inner.get(..at.min(inner.len())).unwrap_or_default();
    serde_json::from_str(&format!("\"{start}\"")).unwrap_or_default()
}

/// A piece of a message, with the fields that any of the hosts uses.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fields<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    #[serde(borrow)]
    pub(super) text: Text<'a>,
    #[serde(borrow)]
    pub(super) id: Text<'a>,
    #[serde(borrow)]
    pub(super) name: Text<'a>,
    #[serde(borrow)]
    pub(super) input: Raw<'a>,
    #[serde(borrow)]
    pub(super) arguments: Raw<'a>,
    #[serde(borrow)]
    pub(super) tool_use_id: Text<'a>,
    #[serde(borrow)]
    pub(super) content: Raw<'a>,
    #[serde(borrow)]
    pub(super) output: Raw<'a>,
    pub(super) is_error: Flag,
    #[serde(borrow)]
    pub(super) source: Raw<'a>,
    #[serde(borrow)]
    pub(super) title: Text<'a>,
    #[serde(borrow, rename = "mimeType")]
    pub(super) mime_type: Text<'a>,
    #[serde(borrow)]
    pub(super) image_url: Raw<'a>,
    #[serde(borrow, rename = "inlineData")]
    pub(super) inline_data: Raw<'a>,
    #[serde(borrow, rename = "fileData")]
    pub(super) file_data: Raw<'a>,
    #[serde(borrow)]
    pub(super) asset_pointer: Text<'a>,
    pub(super) thought: Flag,
}

/// A piece of a message: an object, a string that stands for a text, or something unknown.
#[derive(Debug, Clone, Default)]
pub(super) struct Block<'a>(pub(super) Fields<'a>);

impl<'a> Block<'a> {
    fn of_text(words: Cow<'a, str>) -> Self {
        let kind = Text(Some(Cow::Borrowed("text")));
        Block(Fields { kind, text: Text(Some(words)), ..Fields::default() })
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Block<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Block<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Block<'de>, E> {
                Ok(Block::default())
            }
            fn visit_bool<E>(self, _: bool) -> Result<Block<'de>, E> {
                Ok(Block::default())
            }
            fn visit_i64<E>(self, _: i64) -> Result<Block<'de>, E> {
                Ok(Block::default())
            }
            fn visit_u64<E>(self, _: u64) -> Result<Block<'de>, E> {
                Ok(Block::default())
            }
            fn visit_f64<E>(self, _: f64) -> Result<Block<'de>, E> {
                Ok(Block::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Block<'de>, A::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Block::default())
            }
            fn visit_borrowed_str<E>(self, words: &'de str) -> Result<Block<'de>, E> {
                Ok(Block::of_text(Cow::Borrowed(words)))
            }
            fn visit_str<E>(self, words: &str) -> Result<Block<'de>, E> {
                Ok(Block::of_text(Cow::Owned(words.to_owned())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Block<'de>, A::Error> {
                Fields::deserialize(de::value::MapAccessDeserializer::new(map)).map(Block)
            }
        }
        from.deserialize_any(Any)
    }
}

/// A message's content as its blocks: those of a list, or one for a string or an object.
#[derive(Debug, Clone, Default)]
pub(super) struct Content<'a>(pub(super) Vec<Block<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Content<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("anything")
            }
            fn visit_unit<E>(self) -> Result<Content<'de>, E> {
                Ok(Content::default())
            }
            fn visit_bool<E>(self, _: bool) -> Result<Content<'de>, E> {
                Ok(Content::default())
            }
            fn visit_i64<E>(self, _: i64) -> Result<Content<'de>, E> {
                Ok(Content::default())
            }
            fn visit_u64<E>(self, _: u64) -> Result<Content<'de>, E> {
                Ok(Content::default())
            }
            fn visit_f64<E>(self, _: f64) -> Result<Content<'de>, E> {
                Ok(Content::default())
            }
            fn visit_borrowed_str<E>(self, words: &'de str) -> Result<Content<'de>, E> {
                Ok(Content(vec![Block::of_text(Cow::Borrowed(words))]))
            }
            fn visit_str<E>(self, words: &str) -> Result<Content<'de>, E> {
                Ok(Content(vec![Block::of_text(Cow::Owned(words.to_owned()))]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Content<'de>, A::Error> {
                let mut blocks = Vec::new();
                while let Some(block) = items.next_element()? {
                    blocks.push(block);
                }
                Ok(Content(blocks))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content<'de>, A::Error> {
                let fields = Fields::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(Content(vec![Block(fields)]))
            }
        }
        from.deserialize_any(Any)
    }
}

/// A list of `T`; any other value is an empty one.
#[derive(Debug, Clone)]
pub(super) struct Many<T>(pub(super) Vec<T>);

impl<T> Default for Many<T> {
    fn default() -> Self {
        Many(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Many<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(from)?;
        if !raw.get().starts_with('[') {
            return Ok(Many::default());
        }
        serde_json::from_str(raw.get()).map(Many).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> &RawValue {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn fields_of_the_wrong_kind_are_absent() {
        #[derive(Deserialize)]
        struct Record<'a> {
            #[serde(borrow)]
            a: Text<'a>,
            b: Flag,
            #[serde(borrow)]
            c: Text<'a>,
            d: Count,
        }
        let record: Record<'_> = serde_json::from_str(r#"{"a":{"x":[1]},"b":"true","c":7,"d":-1}"#).unwrap();
        assert_eq!((record.a.get(), record.b.0, record.c.get(), record.d.0), (None, false, Some("7"), 0));
    }

    #[test]
    fn times_come_in_any_form() {
        let expected = "2026-01-01T10:00:00.5Z".parse().ok();
        assert_eq!(time_of("2026-01-01T11:00:00.5+01:00"), expected);
        assert_eq!(time_of("1767261600.5"), expected);
        assert_eq!(time_of("1767261600500"), expected);
        assert_eq!(time_of("[trimmed]"), None);
        assert_eq!(time_of("1e300"), None);
        assert_eq!(time_of("nan"), None);
    }

    #[test]
    fn a_brief_is_the_start_of_what_is_said() {
        assert_eq!(brief(Some(raw(r#""a\n\u00e9\ud83d\ude00b""#)), 4), "a\né😀");
        assert_eq!(
            brief(Some(raw(r#"[{"type":"text","text":"one"},"two",{"type":"image"}]"#)), 50),
            "one\ntwo\n(image)"
        );
        assert_eq!(brief(Some(raw(r#"{"stdout":"","stderr":"bad"}"#)), 50), "bad");
        assert_eq!(brief(Some(raw("{\"x\":1}")), 50), "{\"x\":1}");
        assert_eq!(brief(Some(raw("\"\\ud83d\"")), 50), "");
    }
}
