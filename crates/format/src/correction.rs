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

use crate::document::{Document, lines_of};
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
    let document = Document::parse(bytes);
    let sections = document.sections();
    let all = sections.iter().flat_map(|section| std::iter::once(section).chain(&section.children));
    all.filter(|section| section.level == 2)
        .filter_map(|section| {
            let text = String::from_utf8_lossy(&bytes[section.bytes.clone()]);
            let correction = read(&text)?;
            Some(Placed { correction, lines: section.lines.clone(), bytes: section.bytes.clone() })
        })
        .collect()
}

fn read(text: &str) -> Option<Correction> {
    let field = |wanted: &str| {
        let line =
            text.lines().find(|line| name_of(line).is_some_and(|name| name.eq_ignore_ascii_case(wanted)));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
    };
    let time = |key: &str| field(key).and_then(|value| value.parse::<Timestamp>().ok());
    let logged = time("logged")?;
    let trigger = field("trigger").unwrap_or_default();
    let (said, sure) = trigger.rsplit_once(" (confidence: ").unwrap_or((&trigger, ""));
    let status = field("status").unwrap_or_default();
    Some(Correction {
        id: field("id").filter(|id| !id.is_empty())?,
        logged,
        trigger: said.trim_matches('"').to_owned(),
        trigger_confidence: sure.trim_end_matches(')').to_owned(),
        wrong: field("agent said").unwrap_or_default(),
        right: field("correct").filter(|right| !right.is_empty())?,
        cooldown_expires: time("cooldown_expires").unwrap_or(logged),
        confidence: field("confidence").and_then(|value| value.parse().ok()).unwrap_or(1.0),
        by: match field("source").as_deref() {
            Some("agent") => CorrectedBy::Agent,
            _ => CorrectedBy::Operator,
        },
        encoded: time("encoded"),
        is_retracted: status.eq_ignore_ascii_case("retracted"),
    })
}

/// An entry as it is written.
#[must_use]
pub fn render(correction: &Correction) -> String {
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
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
    entry.push_str(&format!("- verified: false\n- cooldown_expires: {cooldown_expires}\n"));
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
    append_entry(found, "# Corrections\n", render(correction).as_bytes())
}

/// The same for an entry as it stands in another file.
#[must_use]
pub fn append_entry(found: Option<&[u8]>, start: &str, entry: &[u8]) -> Vec<u8> {
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    if bytes.iter().all(u8::is_ascii_whitespace) {
        bytes = start.as_bytes().to_vec();
    }
    if !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.push(b'\n');
    bytes.extend_from_slice(entry);
    bytes
}

/// The file with a field of an entry changed, or added after its last; every other byte stays. Nothing where there is no such entry.
#[must_use]
pub fn with_field(bytes: &[u8], id: &str, key: &str, value: &str) -> Option<Vec<u8>> {
    let placed = parse(bytes).into_iter().find(|placed| placed.correction.id == id)?;
    let lines: Vec<Range<usize>> = lines_of(&bytes[..placed.bytes.end], placed.bytes.start).collect();
    let field = |line: &Range<usize>| String::from_utf8_lossy(&bytes[line.clone()]).into_owned();
    let is_field =
        |line: &&Range<usize>| name_of(&field(line)).is_some_and(|name| name.eq_ignore_ascii_case(key));
    let newline = if field(lines.first()?).ends_with("\r\n") { "\r\n" } else { "\n" };
    let new = format!("- {key}: {value}{newline}");
    let (place, before) = match lines.iter().find(is_field) {
        Some(line) => (line.clone(), ""),
        None => {
            let last = lines.iter().rfind(|line| name_of(&field(line)).is_some())?;
            (last.end..last.end, if bytes[..last.end].ends_with(b"\n") { "" } else { newline })
        }
    };
    Some([&bytes[..place.start], before.as_bytes(), new.as_bytes(), &bytes[place.end..]].concat())
}

/// The file without an entry, and that entry as it stood; nothing where there is no such entry.
#[must_use]
pub fn without(bytes: &[u8], id: &str) -> Option<(Vec<u8>, Vec<u8>)> {
    let placed = parse(bytes).into_iter().find(|placed| placed.correction.id == id)?;
    let rest = [&bytes[..placed.bytes.start], &bytes[placed.bytes.end..]].concat();
    Some((rest, bytes[placed.bytes].to_vec()))
}

/// The name of the field in a line, where it is one.
fn name_of(line: &str) -> Option<&str> {
    let (name, _) = line.trim_start().strip_prefix("- ")?.split_once(':')?;
    Some(name.trim_matches(['*', ' ']))
}

/// A name for an entry that others do not have: a letter and six signs of what it says and when.
#[must_use]
pub fn id_of(logged: Timestamp, right: &str) -> String {
    let hash = format!("{logged} {}", slug(right).unwrap_or_default());
    let hash = hash.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("c{:06x}", hash >> 40)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(right: &str, wrong: &str, trigger: &str) -> Correction {
        let logged: Timestamp = "2026-03-02T10:15:00Z".parse().expect("a time");
        Correction {
            id: id_of(logged, right),
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
