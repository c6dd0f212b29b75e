//! What a memory's own comment says of it: `<!-- id:k7f2 | confidence:0.95 | since:2026-01-15 -->`.
//!
//! Seed M6.2 writes such comments under the titles of its files; resolution 3 puts one at the end of each entry, where it is
//! invisible when rendered. Keys and values in their order; keys that this program does not know are kept. Must not know what
//! a key means.

use std::fmt;

use jiff::civil::Date;

/// Keys and values in the order in which they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Annotation(Vec<(String, String)>);

const OPEN: &str = "<!--";
const CLOSE: &str = "-->";

impl Annotation {
    /// Nothing said.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a whole comment; nothing where it is a person's remark rather than keys and values.
    #[must_use]
    pub fn parse(comment: &str) -> Option<Self> {
        let inner = comment.trim().strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
        let pairs = inner.split('|').map(|pair| {
            let (key, value) = pair.split_once(':')?;
            let key = key.trim();
            is_key(key).then(|| (key.to_owned(), unescaped(value.trim())))
        });
        pairs.collect::<Option<Vec<_>>>().filter(|pairs| !pairs.is_empty()).map(Self)
    }

    /// The value of a key, whatever the case of its letters.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value.as_str())
    }

    /// The day that a key names, alone or at the beginning of a time.
    #[must_use]
    pub fn date(&self, key: &str) -> Option<Date> {
        self.get(key)?.get(..10)?.parse().ok()
    }

    /// Whether a key says `yes`, whatever its case.
    #[must_use]
    pub fn is_yes(&self, key: &str) -> bool {
        self.get(key).is_some_and(says_yes)
    }

    /// Sets a key, in its place or as the last.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        match self.0.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(key)) {
            Some((_, old)) => *old = value,
            None => self.0.push((key.to_owned(), value)),
        }
    }

    /// As [`Self::set`], for building one.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.set(key, value);
        self
    }

    /// Takes a key away.
    pub fn remove(&mut self, key: &str) {
        self.0.retain(|(name, _)| !name.eq_ignore_ascii_case(key));
    }

    /// Every key with its value, in their order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Annotation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(OPEN)?;
        for (index, (key, value)) in self.0.iter().enumerate() {
            // The title's comment is prose and takes a space after the colon, as the seed's does.
            let space = if key.starts_with(char::is_uppercase) { " " } else { "" };
            let bar = if index == 0 { "" } else { " |" };
            write!(formatter, "{bar} {key}:{space}{}", escaped(value))?;
        }
        write!(formatter, " {CLOSE}")
    }
}

/// The comment that ends a text, and where it begins; nothing where the text ends otherwise.
pub(crate) fn trailing(text: &str) -> Option<(usize, Annotation)> {
    let trimmed = text.trim_end();
    let start = trimmed.ends_with(CLOSE).then(|| trimmed.rfind(OPEN)).flatten()?;
    Annotation::parse(&trimmed[start..]).map(|annotation| (start, annotation))
}

fn is_key(key: &str) -> bool {
    key.starts_with(char::is_alphabetic)
        && key.chars().all(|each| each.is_alphanumeric() || matches!(each, '-' | '_' | ' '))
}

/// A value as it may stand in a comment: no bar, no line, nothing that could end it.
fn escaped(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for each in value.trim().chars() {
        match each {
            '%' | '|' | '<' | '>' | '\r' | '\n' => escaped.push_str(&format!("%{:02X}", u32::from(each))),
            other => escaped.push(other),
        }
    }
    escaped
}

fn unescaped(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(u8::is_ascii) {
            Some(code) => {
                plain.push(char::from(code));
                rest = &rest[at + 3..];
            }
            None => {
                plain.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Whether a word says yes, as people write it.
#[must_use]
pub fn says_yes(word: &str) -> bool {
    ["yes", "true", "on"].iter().any(|yes| word.trim().eq_ignore_ascii_case(yes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_seeds_comment_is_read_and_a_remark_is_not() {
        let comment = "<!-- Type: project | Created: 2026-01-15 | Last updated: 2026-02-02 -->";
        let annotation = Annotation::parse(comment).expect("keys and values");
        assert_eq!(annotation.get("type"), Some("project"));
        assert_eq!(annotation.get("Last updated"), Some("2026-02-02"));
        assert_eq!(annotation.to_string(), comment);
        for remark in ["<!-- What must never be forgotten. -->", "<!-- -->", "no comment", "<!-- a:1 | b -->"]
        {
            assert_eq!(Annotation::parse(remark), None, "{remark}");
        }
    }

    #[test]
    fn a_comment_is_found_at_the_end_alone() {
        let found = trailing("likes tea <!-- a remark --> <!-- id:a1 | pinned:yes -->  ");
        assert_eq!(
            found.map(|(start, found)| (start, found.get("id").map(str::to_owned))),
            Some((28, Some("a1".into())))
        );
        assert_eq!(trailing("<!-- id:a1 --> likes tea"), None);
    }

    proptest! {
        #[test]
        fn whatever_a_value_says_it_comes_back(value in "[^\u{0}]{0,40}", other in "\\PC{0,20}") {
            let annotation = Annotation::new().with("said", value.trim()).with("Other", other.trim());
            let comment = annotation.to_string();
            prop_assert!(!comment.contains('\n') && comment.matches(CLOSE).count() == 1);
            prop_assert_eq!(Annotation::parse(&comment), Some(annotation));
        }

        #[test]
        fn no_text_is_too_odd(text in "(?s).{0,80}") {
            let _ = (Annotation::parse(&text), trailing(&text), unescaped(&text));
        }
    }
}
