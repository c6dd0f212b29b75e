//! CORRECTIONS.md: what was said wrongly and what is right (seed P5.3), an entry below a heading each, the newest last.
//!
//! ```text
//! ## 2026-03-02 10:15 | The launch is in June
//! - Trigger: "I told you, it is June" (confidence: high)
//! - Agent said: The launch is in May
//! - Correct: The launch is in June
//! - id: c7k2m9
//! - logged: 2026-03-02T10:15:00Z
//! - verified: false
//! - cooldown_expires: 2026-03-03T10:15:00Z
//! - confidence: 1.00
//! - source: operator
//! - status: retracted
//! ```
//!
//! Keys are read whatever their case; entries and lines that a person wrote otherwise stay as they are. Must not know when
//! something is corrected, nor what follows from it.

use std::ops::Range;

use jiff::Timestamp;

use crate::fielded::{self, Entry, one_line};
use crate::slug::slug;

/// Who corrected (P8: what the operator corrects is certain).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CorrectedBy {
    /// The operator.
    Operator,
    /// The program or an agent, which may be wrong.
    Agent,
}

/// An entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// Tells it from the others.
    pub id: String,
    /// When it was written down.
    pub logged: Timestamp,
    /// The words that led to it, as they were said; may be empty.
    pub trigger: String,
    /// How sure it was that something was wrong: `high` or `medium`; may be empty.
    pub trigger_confidence: String,
    /// What was said; may be empty where that is not known.
    pub wrong: String,
    /// What is right.
    pub right: String,
    /// Identity may not learn from it before this moment (P5.3).
    pub cooldown_expires: Timestamp,
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// Who corrected.
    pub by: CorrectedBy,
    /// The moment it became part of the identity.
    pub encoded: Option<Timestamp>,
    /// Whether it was taken back.
    pub is_retracted: bool,
    /// Whether it is written down that its rest is over.
    pub is_marked_verified: bool,
}

/// An entry in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The entry.
    pub correction: Correction,
    /// 1-based lines of the file, end exclusive.
    pub lines: Range<usize>,
    /// The bytes that those lines are.
    pub bytes: Range<usize>,
}

/// The entries of a file that have an id and a time; what a person wrote in another form is left out.
#[must_use]
pub fn parse(bytes: &[u8]) -> Vec<Placed> {
    let placed = |entry: Entry| {
        let correction = read(&entry)?;
        Some(Placed { correction, lines: entry.lines, bytes: entry.bytes })
    };
    fielded::entries(bytes).into_iter().filter_map(placed).collect()
}

/// What of an entry's fields is kept for the program: it says nothing of what was said.
const KEPT_FOR_THE_PROGRAM: [&str; 8] =
    ["id", "logged", "verified", "cooldown_expires", "confidence", "source", "encoded", "status"];

/// Whether a line of an entry is kept for the program, and tells a reader nothing.
#[must_use]
pub fn is_kept_for_the_program(line: &str) -> bool {
    let key = line.strip_prefix("- ").and_then(|field| field.split_once(": ")).map(|(key, _)| key);
    key.is_some_and(|key| KEPT_FOR_THE_PROGRAM.iter().any(|kept| key.eq_ignore_ascii_case(kept)))
}

fn read(entry: &Entry) -> Option<Correction> {
    let time = |key: &str| entry.field(key).and_then(|value| value.parse::<Timestamp>().ok());
    let logged = time("logged")?;
    let trigger = entry.field("trigger").unwrap_or_default();
    let (said, sure) = trigger.rsplit_once(" (confidence: ").unwrap_or((trigger, ""));
    Some(Correction {
        id: entry.id()?.to_owned(),
        logged,
        trigger: said.trim_matches('"').to_owned(),
        trigger_confidence: sure.trim_end_matches(')').to_owned(),
        wrong: entry.field("agent said").unwrap_or_default().to_owned(),
        right: entry.field("correct").filter(|right| !right.is_empty())?.to_owned(),
        cooldown_expires: time("cooldown_expires").unwrap_or(logged),
        confidence: entry.field("confidence").and_then(|value| value.parse().ok()).unwrap_or(1.0),
        by: match entry.field("source") {
            Some("agent") => CorrectedBy::Agent,
            _ => CorrectedBy::Operator,
        },
        encoded: time("encoded"),
        is_retracted: entry.field("status").is_some_and(|status| status.eq_ignore_ascii_case("retracted")),
        is_marked_verified: entry.field("verified").is_some_and(|value| value.eq_ignore_ascii_case("true")),
    })
}

/// An entry as it is written.
#[must_use]
pub fn render(correction: &Correction) -> String {
    let line = one_line;
    let Correction { id, logged, trigger, trigger_confidence, wrong, right, cooldown_expires, .. } =
        correction;
    let title: String = line(right).chars().take(80).collect();
    let mut entry = format!("## {} | {title}\n", logged.strftime("%Y-%m-%d %H:%M"));
    if !trigger.is_empty() {
        let sure = if trigger_confidence.is_empty() { "medium" } else { trigger_confidence };
        entry.push_str(&format!("- Trigger: \"{}\" (confidence: {sure})\n", line(trigger).replace('"', "'")));
    }
    if !wrong.is_empty() {
        entry.push_str(&format!("- Agent said: {}\n", line(wrong)));
    }
    entry.push_str(&format!("- Correct: {}\n- id: {id}\n- logged: {logged}\n", line(right)));
    let verified = correction.is_marked_verified;
    entry.push_str(&format!("- verified: {verified}\n- cooldown_expires: {cooldown_expires}\n"));
    let by = match correction.by {
        CorrectedBy::Operator => "operator",
        CorrectedBy::Agent => "agent",
    };
    entry.push_str(&format!("- confidence: {:.2}\n- source: {by}\n", correction.confidence));
    if let Some(encoded) = correction.encoded {
        entry.push_str(&format!("- encoded: {encoded}\n"));
    }
    if correction.is_retracted {
        entry.push_str("- status: retracted\n");
    }
    entry
}

/// The file with one more entry at its end; what is there stays byte for byte.
#[must_use]
pub fn append(found: Option<&[u8]>, correction: &Correction) -> Vec<u8> {
    fielded::append(found, "# Corrections\n", render(correction).as_bytes())
}

/// A name for an entry that others do not have.
#[must_use]
pub fn id_of(logged: Timestamp, wrong: &str, right: &str) -> String {
    let name = |text: &str| slug(text).unwrap_or_default();
    fielded::id_of('c', &format!("{logged} {} {}", name(right), name(wrong)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fielded::{with_field, without};

    fn entry(right: &str, wrong: &str, trigger: &str) -> Correction {
        let logged: Timestamp = "2026-03-02T10:15:00Z".parse().expect("a time");
        Correction {
            id: id_of(logged, wrong, right),
            logged,
            trigger: trigger.to_owned(),
            trigger_confidence: if trigger.is_empty() { String::new() } else { "high".to_owned() },
            wrong: wrong.to_owned(),
            right: right.to_owned(),
            cooldown_expires: "2026-03-03T10:15:00Z".parse().expect("a time"),
            confidence: 1.0,
            by: CorrectedBy::Operator,
            encoded: None,
            is_retracted: false,
            is_marked_verified: false,
        }
    }

    #[test]
    fn a_persons_own_words_are_no_entry_and_stay() {
        let page = b"# Corrections\r\n\r\n## By hand\r\n- Agent said: a\r\n- Correct: b\r\n";
        assert_eq!(parse(page), []);
        let changed = append(Some(page), &entry("It is June", "It is May", "no, June"));
        assert!(changed.starts_with(page));
        let placed = parse(&changed);
        assert_eq!(placed.len(), 1);
        let id = placed[0].correction.id.clone();
        let retracted = with_field(&changed, &id, "status", "retracted").expect("an entry");
        assert!(retracted.starts_with(page) && parse(&retracted)[0].correction.is_retracted);
        let (rest, taken) = without(&retracted, &id).expect("an entry");
        assert_eq!(String::from_utf8_lossy(&rest).trim_end(), String::from_utf8_lossy(page).trim_end());
        assert!(String::from_utf8_lossy(&taken).contains("It is June"));
        // Bytes that are no UTF-8 stay in an entry that is changed.
        let odd = [retracted.as_slice(), b"- note: \xff\xfe\n"].concat();
        let changed = with_field(&odd, &id, "status", "open").expect("an entry");
        assert!(changed.ends_with(b"- note: \xff\xfe\n") && !parse(&changed)[0].correction.is_retracted);
        assert_eq!((with_field(page, "x", "a", "b"), without(page, "x")), (None, None));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            right in "[a-z가][a-z가 :|#\"-]{0,20}[a-z가]", wrong in "([a-z가][a-z가 :|#-]{0,20}[a-z가])?", trigger in "([a-z가][a-z가 :|-]{0,20}[a-z가])?",
            before in "(?s)(|# Corrections\n|## a\r\n- b: c\r\n|\\PC{0,20})",
        ) {
            let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let written = entry(&line(&right), &line(&wrong), &line(&trigger));
            let bytes = append(Some(before.as_bytes()), &written);
            prop_assert!(bytes.starts_with(before.as_bytes()) || before.trim().is_empty());
            let placed = parse(&bytes);
            prop_assert_eq!(placed.last().map(|placed| &placed.correction), Some(&written));
            let encoded = with_field(&bytes, &written.id, "encoded", "2026-04-01T00:00:00Z").expect("an entry");
            let read = parse(&encoded).pop().expect("an entry").correction;
            prop_assert_eq!(Correction { encoded: None, ..read.clone() }, written);
            prop_assert!(read.encoded.is_some());
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
