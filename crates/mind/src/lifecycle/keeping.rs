//! What is never put away, however old it is (P5.5, A8.5): corrections, what is pinned, what is not for everybody, and what could
//! not be had back.
//!
//! In doubt a file stays: a line that only looks like a correction costs a file in its place. Must not change anything.

use rem_format::annotation::Annotation;
use rem_format::path::MemoryPath;
use rem_ledger::{LedgerError, Snapshot};
use rem_recall::Asking;
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;

/// A file that is old enough and stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The file.
    pub path: String,
    /// Why it stays.
    pub why: String,
}

impl Memory {
    /// The contents of a file that may be put away, or why it stays. What was read is what git has: only that can be had back.
    pub(super) fn may_go(
        &self,
        path: &MemoryPath,
        is_link: bool,
        snapshot: Option<&Snapshot>,
    ) -> Result<Result<Vec<u8>, String>, MemoryError> {
        if is_link {
            return Ok(Err("it is a symbolic link".to_owned()));
        }
        let bytes = match readable(self.ledger.read(path)) {
            Ok(bytes) => bytes,
            Err(why) => return Ok(Err(why)),
        };
        if let Some(why) = reason_to_stay(&bytes) {
            return Ok(Err(why.to_owned()));
        }
        let recorded = match snapshot {
            Some(snapshot) => self.ledger.contents_in(snapshot, path)?,
            None => None,
        };
        if recorded.as_ref() != Some(&bytes) {
            return Ok(Err("git does not have it as it is, so it could not be had back".to_owned()));
        }
        Ok(Ok(bytes))
    }
}

/// What was read, or why nothing was: a file of which that is not known is never put away.
fn readable(read: Result<Option<Vec<u8>>, LedgerError>) -> Result<Vec<u8>, String> {
    match read {
        Ok(Some(bytes)) => Ok(bytes),
        Ok(None) => Err("it is no longer there".to_owned()),
        Err(error) => Err(format!("it could not be read: {error}")),
    }
}

/// Why a file with these contents stays where it is; `None` where nothing speaks against its going.
pub(crate) fn reason_to_stay(bytes: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}');
    if rem_recall::is_archived(bytes) {
        return Some("it is out of use already");
    }
    // A name of blanks is nobody's: what they do not see is not for everybody.
    if rem_recall::seen_by(text, &Asking::on_behalf_of(&[" "])) != text {
        return Some("something in it is for some people alone");
    }
    let mut in_front_matter = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_end() == "---" {
            in_front_matter = number == 0;
        }
        let line = line.to_lowercase();
        let is_noted =
            in_front_matter || line.contains("<!--") || line.starts_with('#') && line.contains('|');
        if is_tagged(&line, "#correction") || is_noted && is_tagged(&line, "correction") {
            return Some("it holds a correction");
        }
        let says = |key: &str| {
            let value = line.split_once(key).map(|(_, rest)| rest.trim_start_matches([':', ' ', '"', '\'']));
            value.is_some_and(|rest| ["yes", "true", "on"].iter().any(|yes| is_word(rest, yes)))
        };
        if is_noted && ["pinned", "evergreen"].into_iter().any(says) {
            return Some("something in it is pinned");
        }
    }
    None
}

/// Whether an entry of a page is a correction, by its tag or its comment.
pub(crate) fn is_correction(text: &str, annotation: &Annotation) -> bool {
    let said = |value: &str| is_tagged(&value.to_lowercase(), "correction");
    is_tagged(&text.to_lowercase(), "#correction")
        || ["type", "kind", "tag", "tags"].into_iter().any(|key| annotation.get(key).is_some_and(said))
}

/// Whether a text begins with a word.
fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Whether a word stands in a line, not as a part of another.
fn is_tagged(line: &str, word: &str) -> bool {
    let goes_on = |each: char| each.is_alphanumeric() || matches!(each, '_' | '-');
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_and_what_is_pinned_or_not_for_everybody_stay() {
        for (text, why) in [
            ("# D\n- Not Tuesday but Wednesday #correction\n", "correction"),
            ("# D\n\n## 14:30 | correction | confidence:high\nWednesday\n", "correction"),
            ("---\ntags: [work, correction]\n---\nWednesday\n", "correction"),
            ("- 수요일입니다 #CORRECTION.\n", "correction"),
            ("- keep me <!-- id:a | pinned:yes -->\n", "pinned"),
            ("---\nevergreen: true\n---\nalways\n", "pinned"),
            ("---\npinned: \"true\"\n---\nalways\n", "pinned"),
            ("\u{feff}---\npinned: true\n---\nalways\n", "pinned"),
            ("---\n\"pinned\": on\n---\nalways\n", "pinned"),
            ("---\nfor: Mira\n---\na secret\n", "alone"),
            ("# D\n\n## Gift <!-- for:Mira -->\na watch\n", "alone"),
            ("---\nstatus: archived\n---\n", "out of use"),
        ] {
            assert!(reason_to_stay(text.as_bytes()).is_some_and(|said| said.contains(why)), "{text}");
        }
        for text in [
            "# D\n\nThe correction of the proofs took a day. #corrections\n",
            "a #correction-fluid\n",
            "pinned: yes\n",
            "",
        ] {
            assert_eq!(reason_to_stay(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_could_not_be_read_stays() {
        let path = std::path::PathBuf::from("memory/2024-03-05.md");
        let source = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let failed = readable(Err(LedgerError::Io { what: "read", path, source }));
        assert!(failed.is_err_and(|why| why.contains("2024-03-05")));
        assert!(readable(Ok(None)).is_err());
    }
}
