//! YAML as a tree that remembers where everything stands, and values written back as one line of YAML.
//!
//! The tree keeps scalars as written (what `02:30` means is the parameter's business, not YAML's) and never
//! merges keys: duplicates stay visible. Anchors and aliases are refused, for nothing here needs them.
//! Used where a mistake must be said with its line: CONFIG.md and topics. This file knows nothing about parameters.

use std::ops::Range;

use granit_parser::{Event, Marker, Parser, ScalarStyle, Span, StructureStyle};
use serde_json::Value;

/// One YAML node with its place in the file it stands in.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// What it is.
    pub(crate) content: Content,
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// Bytes in the file. For a block collection this ends with its last descendant.
    pub(crate) span: Range<usize>,
}

/// The three kinds of YAML nodes.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// A scalar, after YAML's own unescaping. `plain` is false when it was quoted or a block scalar.
    Scalar { text: String, plain: bool },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order written. `flow` is true for `{a: 1}`.
    Map { entries: Vec<Entry>, flow: bool },
}

/// One `key: value` of a mapping.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_line: usize,
    /// Column of the key, in characters from 0.
    pub(crate) key_column: usize,
    /// Bytes of the key in the file.
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Node,
}

/// Why there is no tree: a line from 1 and a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// How deep collections may be nested; the deepest key of ours needs four.
const MAXIMUM_DEPTH: usize = 16;

impl Node {
    /// A scalar that was not read from a file.
    pub(crate) fn scalar(text: &str, plain: bool) -> Self {
        Self { content: Content::Scalar { text: text.to_owned(), plain }, line: 1, span: 0..0 }
    }

    /// Whether the node is YAML's null: nothing, `~` or `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(&self.content, Content::Scalar { text, plain: true } if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The node in a few words, for messages.
    pub(crate) fn describe(&self) -> String {
        match &self.content {
            Content::Scalar { text, plain: true } if text.is_empty() => "empty".to_owned(),
            Content::Scalar { text, plain: true } => format!("`{}`", shorten(text)),
            Content::Scalar { text, plain: false } => format!("the text \"{}\"", shorten(text)),
            Content::List(items) => format!("a list of {}", items.len()),
            Content::Map { .. } => "a mapping".to_owned(),
        }
    }
}

fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Reads one YAML document that stands in its file at byte `first_byte`, line `first_line`.
/// `Ok(None)` is a document with nothing in it.
pub(crate) fn parse(source: &str, first_byte: usize, first_line: usize) -> Result<Option<Node>, Malformed> {
    let place = Place::new(source, first_byte, first_line);
    let mut stack: Vec<Open> = Vec::new();
    let mut root: Option<Node> = None;
    let mut documents = 0;
    for next in Parser::new_from_str(source) {
        let (event, span) =
            next.map_err(|error| Malformed { line: place.line_of(error.marker()), message: error.info() })?;
        let line = place.line_of(&span.start);
        let refuse = |message: &str| Malformed { line, message: message.to_owned() };
        let finished = match event {
            Event::DocumentStart(..) => {
                documents += 1;
                if documents > 1 {
                    return Err(refuse("a second document starts here; keep everything in one"));
                }
                continue;
            }
            Event::Alias(_) => return Err(refuse("anchors and aliases are not used here; repeat the value")),
            Event::Scalar(text, style, anchor, _) => {
                if anchor != 0 {
                    return Err(refuse("anchors and aliases are not used here; repeat the value"));
                }
                let plain = style == ScalarStyle::Plain;
                Node {
                    content: Content::Scalar { text: text.into_owned(), plain },
                    line,
                    span: place.bytes(&span),
                }
            }
            Event::SequenceStart(style, ..) => {
                stack.push(Open::new(Collection::List(Vec::new()), style, line, place.bytes(&span)));
                if stack.len() > MAXIMUM_DEPTH {
                    return Err(refuse("nested too deeply"));
                }
                continue;
            }
            Event::MappingStart(style, ..) => {
                stack.push(Open::new(Collection::Map(Vec::new(), None), style, line, place.bytes(&span)));
                if stack.len() > MAXIMUM_DEPTH {
                    return Err(refuse("nested too deeply"));
                }
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = stack.pop() else { continue };
                open.close(place.bytes(&span).end)
            }
            _ => continue,
        };
        let Some(parent) = stack.last_mut() else {
            root = Some(finished);
            continue;
        };
        match &mut parent.collection {
            Collection::List(items) => items.push(finished),
            Collection::Map(entries, waiting) => match waiting.take() {
                None => {
                    let Content::Scalar { .. } = finished.content else {
                        return Err(refuse("a key must be plain text"));
                    };
                    *waiting = Some((finished, span.start.col()));
                }
                Some((key, key_column)) => {
                    let Content::Scalar { text, .. } = key.content else { continue };
                    entries.push(Entry {
                        key: text,
                        key_line: key.line,
                        key_column,
                        key_span: key.span,
                        value: finished,
                    });
                }
            },
        }
    }
    Ok(root.filter(|node| !node.is_null()))
}

struct Place<'a> {
    source: &'a str,
    first_byte: usize,
    first_line: usize,
    /// Bytes of the line feeds. YAML's own lines end at a lone carriage return as well, those of a file do not.
    line_feeds: Vec<usize>,
}

impl<'a> Place<'a> {
    fn new(source: &'a str, first_byte: usize, first_line: usize) -> Self {
        let line_feeds = source.match_indices('\n').map(|(byte, _)| byte).collect();
        Self { source, first_byte, first_line, line_feeds }
    }

    fn line_of(&self, marker: &Marker) -> usize {
        let byte = self.byte_of(marker);
        self.first_line + self.line_feeds.partition_point(|line_feed| *line_feed < byte)
    }

    fn bytes(&self, span: &Span) -> Range<usize> {
        self.first_byte + self.byte_of(&span.start)..self.first_byte + self.byte_of(&span.end)
    }

    fn byte_of(&self, marker: &Marker) -> usize {
        let byte = marker.byte_offset().unwrap_or_else(|| {
            self.source.char_indices().nth(marker.index()).map_or(self.source.len(), |(byte, _)| byte)
        });
        byte.min(self.source.len())
    }
}

enum Collection {
    List(Vec<Node>),
    Map(Vec<Entry>, Option<(Node, usize)>),
}

struct Open {
    collection: Collection,
    flow: bool,
    line: usize,
    span: Range<usize>,
}

impl Open {
    fn new(collection: Collection, style: StructureStyle, line: usize, span: Range<usize>) -> Self {
        Self { collection, flow: style == StructureStyle::Flow, line, span }
    }

    fn close(self, end: usize) -> Node {
        let (content, last) = match self.collection {
            Collection::List(items) => {
                let last = items.last().map(|item| item.span.end);
                (Content::List(items), last)
            }
            Collection::Map(entries, _) => {
                let last = entries.last().map(|entry| entry.value.span.end.max(entry.key_span.end));
                (Content::Map { entries, flow: self.flow }, last)
            }
        };
        let end = if self.flow { end } else { last.unwrap_or(self.span.end) };
        Node { content, line: self.line, span: self.span.start..end }
    }
}

/// `value` as YAML on one line, readable again by [`parse`] whatever it holds.
pub(crate) fn render(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if is_safe_plain(text) => text.clone(),
        Value::String(text) => quote(text),
        Value::Array(items) => format!("[{}]", items.iter().map(render).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let key = if is_safe_plain(key) { key.clone() } else { quote(key) };
                format!("{key}: {}", render(value))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Words that every YAML reader takes for text: a letter first, then letters, digits and a few signs, and not
/// one of YAML's words for true, false and null.
fn is_safe_plain(text: &str) -> bool {
    const RESERVED: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan"];
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '_' | '-' | '.' | '/'))
        && !RESERVED.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn quote(text: &str) -> String {
    use std::fmt::Write as _;
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            hidden if hidden.is_control() || is_unprintable(hidden) => {
                // Writing to a String cannot fail.
                let _ = write!(quoted, "\\U{:08X}", u32::from(hidden));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

/// Characters that YAML wants escaped or that some readers take for a line break.
fn is_unprintable(character: char) -> bool {
    matches!(u32::from(character), 0x2028 | 0x2029 | 0xFEFF) || u32::from(character) & 0xFFFE == 0xFFFE
}
