//! A Markdown document with optional YAML front matter, as bytes.
//!
//! Owns the split into front matter and body, typed reading of top-level keys, and the change of one key. The
//! invariant is that nothing else moves: [`Document::render`] gives back every byte that was parsed, and
//! [`Document::set`] changes the lines of its key and no others, so that a person's comments, order, unknown
//! keys and newline style survive. Files may hold a byte order mark, CRLF, no last newline, or no UTF-8 at all.
//! It must not know which keys exist or what they mean.

mod front_matter;
mod sections;
mod value;

use std::ops::Range;

pub use sections::Section;
pub(crate) use sections::lines_of;
pub use value::Value;

/// Why front matter could not be read or changed. The document itself still renders byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// The first line opens front matter that no line closes.
    #[error("front matter opened on line 1 is never closed: add a line `---` after its last key")]
    Unclosed,
    /// A line of the front matter holds bytes that are not UTF-8.
    #[error("front matter line {line} is not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// 1-based line of the file.
        line: usize,
    },
    /// The front matter is not YAML of the form `key: value`.
    #[error("front matter line {line} can't be read: {reason}")]
    Malformed {
        /// 1-based line of the file.
        line: usize,
        /// What the YAML reader expected.
        reason: String,
    },
    /// A change would not read back as what was asked for; nothing was changed.
    #[error("front matter key `{key}` can't be set: {reason}")]
    NotSet {
        /// The key.
        key: String,
        /// Why not.
        reason: String,
    },
}

/// A parsed file. Cheap to make: front matter is read as YAML only when a key is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    bytes: Vec<u8>,
    front: Option<Front>,
    unclosed: bool,
}

/// Where front matter stands in the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Front {
    /// The opening line's first byte: 0, or 3 after a byte order mark.
    open: usize,
    /// The lines between the fences.
    text: Range<usize>,
    /// The first byte after the closing line.
    end: usize,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A top-level key as the lines that front matter holds for it, for writing a new file.
pub(crate) fn render_entry(key: &str, value: &Value) -> String {
    value::write_entry(key, value, "\n")
}

impl Document {
    /// Splits a file. Never fails: what is not front matter is body.
    ///
    /// Front matter opens with `---` on the first line and closes with the next line that is `---` or `...`. An
    /// opening line that no line closes is a rule across the page, unless a `key:` follows it directly: then
    /// typed reading reports [`DocumentError::Unclosed`].
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        let open = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut lines = lines_of(bytes, open);
        let fence = |line: &Range<usize>, mark: &[u8]| {
            sections::content_of(&bytes[line.clone()]).trim_ascii_end() == mark
        };
        let mut document = Document { bytes: bytes.to_vec(), front: None, unclosed: false };
        let Some(first) = lines.next().filter(|line| fence(line, b"---")) else { return document };
        document.front = lines.find(|line| fence(line, b"---") || fence(line, b"...")).map(|close| Front {
            open,
            text: first.end..close.start,
            end: close.end,
        });
        document.unclosed = document.front.is_none()
            && lines_of(bytes, first.end)
                .next()
                .is_some_and(|line| front_matter::key_of(&bytes[line]).is_some());
        document
    }

    /// The file's bytes: what was parsed, with the changes made since.
    #[must_use]
    pub fn render(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// The file's bytes without a copy.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The raw lines between the fences, or `None` when the file has no front matter.
    #[must_use]
    pub fn front_matter(&self) -> Option<&[u8]> {
        self.front.as_ref().map(|front| &self.bytes[front.text.clone()])
    }

    /// Everything after the front matter's closing line (the whole file, without a byte order mark, if it has none).
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.bytes[self.body_start()..]
    }

    /// [`Document::body`] as text; bytes that are not UTF-8 are replaced by U+FFFD.
    #[must_use]
    pub fn body_text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.body())
    }

    /// The byte at which the body starts.
    #[must_use]
    pub fn body_start(&self) -> usize {
        let mark = if self.bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        self.front.as_ref().map_or(mark, |front| front.end)
    }

    /// The 1-based line of the file on which the body starts.
    #[must_use]
    pub fn body_line(&self) -> usize {
        1 + memchr::memchr_iter(b'\n', &self.bytes[..self.body_start()]).count()
    }

    /// All top-level keys in order; empty without front matter.
    ///
    /// # Errors
    /// [`DocumentError`] when the front matter is not closed, not UTF-8 or not YAML; it names the line.
    pub fn entries(&self) -> Result<Vec<(String, Value)>, DocumentError> {
        if self.unclosed {
            return Err(DocumentError::Unclosed);
        }
        let Some(front) = &self.front else { return Ok(Vec::new()) };
        // Read from the opening fence on, which YAML takes as a document start, so that its line numbers are
        // those of the file.
        let bytes = &self.bytes[front.open..front.text.end];
        let text = std::str::from_utf8(bytes).map_err(|error| DocumentError::NotUtf8 {
            line: 1 + memchr::memchr_iter(b'\n', &bytes[..error.valid_up_to()]).count(),
        })?;
        value::read_mapping(text)
            .map_err(|failure| DocumentError::Malformed { line: failure.line, reason: failure.reason })
    }

    /// The value of a top-level key; `None` when the file does not have it.
    ///
    /// # Errors
    /// As [`Document::entries`].
    pub fn get(&self, key: &str) -> Result<Option<Value>, DocumentError> {
        Ok(self.entries()?.into_iter().find(|(name, _)| name == key).map(|(_, value)| value))
    }

    /// Whether a key of the front matter says yes; not where it cannot be read.
    #[must_use]
    pub fn is_yes(&self, key: &str) -> bool {
        let entries = self.entries().unwrap_or_default();
        let value =
            entries.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value);
        value.and_then(|value| value.to_text()).is_some_and(|word| crate::annotation::says_yes(&word))
    }

    /// Sets a top-level key: its lines are replaced, or added as the last of the front matter, which is made if
    /// there is none. A comment at the end of a one-line value stays. All other bytes stay.
    ///
    /// # Errors
    /// [`DocumentError`] when the front matter can't be read, or would not read back as `value` (a number that
    /// is not finite, say). Nothing is changed then.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), DocumentError> {
        let before = self.entries()?;
        if before.iter().any(|(name, old)| name == key && old == value) {
            return Ok(());
        }
        let changed = Document::parse(&front_matter::with_key(&self.bytes, self.front.as_ref(), key, value));
        changed.verify_only(key, Some(value), before)?;
        *self = changed;
        Ok(())
    }

    /// Removes a top-level key with its lines; a key that is not there is no error.
    ///
    /// # Errors
    /// As [`Document::set`].
    pub fn remove(&mut self, key: &str) -> Result<(), DocumentError> {
        let before = self.entries()?;
        let Some(front) = self.front.as_ref().filter(|_| before.iter().any(|(name, _)| name == key)) else {
            return Ok(());
        };
        let changed = Document::parse(&front_matter::without_key(&self.bytes, front, key));
        changed.verify_only(key, None, before)?;
        *self = changed;
        Ok(())
    }

    /// The heading tree of the body; headings inside fenced code are not headings.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        sections::sections(&self.bytes, self.body_start())
    }

    /// Checks that this document says what `before` said, but for `key`. Line editing is by shape, YAML is not:
    /// a change that the shapes got wrong must never be kept.
    fn verify_only(
        &self,
        key: &str,
        value: Option<&Value>,
        before: Vec<(String, Value)>,
    ) -> Result<(), DocumentError> {
        let not_set = |reason: &str| DocumentError::NotSet { key: key.to_owned(), reason: reason.to_owned() };
        let after = self.entries().map_err(|error| not_set(&error.to_string()))?;
        if after.iter().find(|(name, _)| name == key).map(|(_, value)| value) != value {
            return Err(not_set("its value would not read back the same"));
        }
        let others = |entries: Vec<(String, Value)>| {
            entries.into_iter().filter(|(name, _)| name != key).collect::<Vec<_>>()
        };
        if others(before) != others(after) {
            return Err(not_set("another key would change: edit the file by hand"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
