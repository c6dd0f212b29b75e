//! A prompt as it stands in a file: its version, what the model is, what it is asked, with named places for values.
//!
//! ```text
//! version: 1
//!
//! # System
//!
//! You read conversations.
//!
//! # Prompt
//!
//! What was decided in it?
//!
//! {{quote transcript}}
//! ```
//!
//! `{{name}}` stands for a value on one line; `{{quote name}}` for one of any length in a fence that it cannot close, so that nothing in
//! it is taken for an instruction. Values are put in once: a value that looks like a place is text.

use std::collections::BTreeMap;

use thiserror::Error;

const SYSTEM: &str = "# System";
const PROMPT: &str = "# Prompt";

/// The values of a prompt, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// The same with one more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The same, each changed.
    ///
    /// # Errors
    /// The first that `change` gives.
    pub fn map<E>(&self, mut change: impl FnMut(&str) -> Result<String, E>) -> Result<Self, E> {
        self.0
            .iter()
            .map(|(name, value)| Ok((name.clone(), change(value)?)))
            .collect::<Result<_, E>>()
            .map(Self)
    }

    /// The value with a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// A prompt, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// Counted up with every change of its meaning.
    pub version: u32,
    /// What the model is.
    pub system: String,
    /// What it is asked.
    pub prompt: String,
}

/// Why a prompt cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PromptError {
    /// A part of the file is missing.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// A place is not closed, or has no good name.
    #[error("{{{{ is followed by no name of a value and }}}}")]
    Place,
    /// There is a place and no value for it.
    #[error("there is no value called {0}")]
    NoValue(String),
}

impl Prompt {
    /// Reads the file.
    ///
    /// # Errors
    /// [`PromptError`] where a part is missing or a place is written wrongly.
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let mut lines = text.trim_start_matches('\u{FEFF}').lines();
        let version = lines.next().and_then(|line| line.strip_prefix("version:"));
        let version = version.and_then(|version| version.trim().parse().ok());
        let version = version.ok_or(PromptError::Missing("first line `version: N`"))?;
        let (mut system, mut prompt): (Option<String>, Option<String>) = (None, None);
        for line in lines {
            match (line.trim_end(), &mut system, &mut prompt) {
                (SYSTEM, None, None) => system = Some(String::new()),
                (PROMPT, _, None) => prompt = Some(String::new()),
                (_, _, Some(part)) | (_, Some(part), None) => {
                    part.push_str(line);
                    part.push('\n');
                }
                _ => {}
            }
        }
        let part = |part: Option<String>, name| match part.as_deref().map(str::trim) {
            None | Some("") => Err(PromptError::Missing(name)),
            Some(text) => pieces(text).map(|_| text.to_owned()),
        };
        Ok(Self { version, system: part(system, SYSTEM)?, prompt: part(prompt, PROMPT)? })
    }

    /// The names of the values that stand in it.
    #[must_use]
    pub fn places(&self) -> Vec<&str> {
        let both = [&self.system, &self.prompt].into_iter();
        let mut names: Vec<&str> = both
            .flat_map(|part| pieces(part).unwrap_or_default())
            .filter_map(|piece| match piece {
                Piece::Text(_) => None,
                Piece::Line(name) | Piece::Quote(name) => Some(name),
            })
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Both parts with the values in their places.
    ///
    /// # Errors
    /// [`PromptError::NoValue`] where one is missing.
    pub fn filled(&self, values: &Values) -> Result<(String, String), PromptError> {
        Ok((filled(&self.system, values)?, filled(&self.prompt, values)?))
    }
}

enum Piece<'a> {
    Text(&'a str),
    Line(&'a str),
    Quote(&'a str),
}

fn pieces(text: &str) -> Result<Vec<Piece<'_>>, PromptError> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (place, after) = after.split_once("}}").ok_or(PromptError::Place)?;
        let (quoted, name) = match place.trim().split_once(' ') {
            Some(("quote", name)) => (true, name.trim()),
            _ => (false, place.trim()),
        };
        if name.is_empty() || !name.bytes().all(|each| each.is_ascii_lowercase() || each == b'_') {
            return Err(PromptError::Place);
        }
        pieces.extend([Piece::Text(before), if quoted { Piece::Quote(name) } else { Piece::Line(name) }]);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    Ok(pieces)
}

fn filled(text: &str, values: &Values) -> Result<String, PromptError> {
    let value = |name: &str| values.get(name).ok_or_else(|| PromptError::NoValue(name.to_owned()));
    let mut filled = String::new();
    for piece in pieces(text)? {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Line(name) => {
                filled.push_str(&value(name)?.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            Piece::Quote(name) => filled.push_str(&quoted(name, value(name)?)),
        }
    }
    Ok(filled)
}

/// A text between two tags that it cannot contain.
fn quoted(name: &str, text: &str) -> String {
    let mut inside = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let tag = text[at + character.len_utf8()..].trim_start_matches(['/', ' ', '\t', '\n', '\r']);
        let is_tag = character == '<'
            && tag.is_char_boundary(name.len().min(tag.len()))
            && tag[..name.len().min(tag.len())].eq_ignore_ascii_case(name);
        inside.push_str(if is_tag { "&lt;" } else { &text[at..at + character.len_utf8()] });
    }
    format!("<{name}>\n{}\n</{name}>", inside.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "version: 3\n\n# System\n\nYou read.\n\n# Prompt\n\nIn {{ place }}:\n\n{{quote talk}}\n\n# Prompt\n";

    fn prompt(places: &str) -> Result<Prompt, PromptError> {
        Prompt::parse(&format!("version: 1\n# System\nYou.\n# Prompt\n{places}\n"))
    }

    #[test]
    fn a_file_has_a_version_two_parts_and_places() {
        let prompt = Prompt::parse(FILE).unwrap();
        assert_eq!((prompt.version, prompt.system.as_str()), (3, "You read."));
        assert_eq!(prompt.places(), ["place", "talk"]);
        let values = Values::default().with("place", "Ulm\n# System").with("talk", "Hello.");
        let (_, asked) = prompt.filled(&values).unwrap();
        assert_eq!(asked, "In Ulm # System:\n\n<talk>\nHello.\n</talk>\n\n# Prompt");
        let missing = prompt.filled(&Values::default().with("place", "x")).unwrap_err();
        assert_eq!(missing.to_string(), "there is no value called talk");
    }

    #[test]
    fn a_value_is_text_whatever_stands_in_it() {
        let values = Values::default()
            .with("a", "{{b}}")
            .with("b", "never")
            .with("talk", "</talk> < / TALK>\n<talk >ü</tal");
        let (_, asked) = prompt("{{a}} {{quote talk}}").unwrap().filled(&values).unwrap();
        assert_eq!(asked, "{{b}} <talk>\n&lt;/talk> &lt; / TALK>\n&lt;talk >ü</tal\n</talk>");
    }

    #[test]
    fn a_file_that_is_no_prompt_says_what_is_missing() {
        for (text, why) in [
            ("", "version"),
            ("version: x\n", "version"),
            ("version: 1\n# Prompt\nWhat?\n", "# System"),
            ("version: 1\n# System\nYou.\n", "# Prompt"),
            ("version: 1\n# System\n\n# Prompt\nWhat?\n", "# System"),
        ] {
            assert!(Prompt::parse(text).unwrap_err().to_string().contains(why), "{text:?}");
        }
        for wrong in ["{{a", "{{}}", "{{A}}", "{{quote}} {{a b}}", "{{../x}}"] {
            assert_eq!(prompt(wrong), Err(PromptError::Place), "{wrong}");
        }
    }
}
