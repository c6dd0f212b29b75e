//! CONFLICTS.md: memories that contradict each other, and what became of that (seed P5.4), an entry below a heading each, the newest
//! last.
//!
//! ```text
//! ## 2026-03-02 07:00 | The port is 8080 / The port is 8443
//! - id: x4f0a1c
//! - found: 2026-03-02T07:00:00Z
//! - first: The port is 8080
//! - first in: memory/reference/facts.md, since 2026-02-20, from user-explicit
//! - second: The port is 8443
//! - second in: MEMORY.md, since 2026-03-01, from user-explicit
//! - rule: operator-review
//! - status: open
//! ```
//!
//! Once it is settled the status is `resolved`, with `kept` and `resolved` below it. A correction that was taken back has its words as
//! the first side and no second one. Must not know when two memories contradict each other, nor which is right.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;

use crate::fielded::{self, Entry, one_line};

/// Why a conflict was settled as it was, or was left to a person (P5.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// An operator's correction wins, always.
    OperatorCorrection,
    /// The newer one wins, where it was said directly and much later.
    NewerWins,
    /// A person decides.
    OperatorReview,
    /// A correction that is no operator's is not sure enough any more, and was taken back.
    ConfidenceDecayed,
}

/// Which side stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both: they do not contradict each other.
    Both,
    /// Neither: what is right is something else.
    Neither,
}

/// The names of a few values, as they are written and read.
macro_rules! named {
    ($kind:ident: $($value:ident = $name:literal),+) => {
        impl fmt::Display for $kind {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(match self { $(Self::$value => $name),+ })
            }
        }
        impl FromStr for $kind {
            type Err = ();
            fn from_str(name: &str) -> Result<Self, ()> {
                match name { $($name => Ok(Self::$value),)+ _ => Err(()) }
            }
        }
    };
}
named!(Rule: OperatorCorrection = "operator-correction", NewerWins = "newer-wins", OperatorReview = "operator-review",
    ConfidenceDecayed = "confidence-decayed");
named!(Kept: First = "first", Second = "second", Both = "both", Neither = "neither");

/// A memory that is in conflict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Side {
    /// What it says.
    pub text: String,
    /// Its file, and what is known of it: since when, and from whom. For people to read.
    pub place: String,
}

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Tells it from the others; the same two texts have the same one, whichever is first.
    pub id: String,
    /// When it was found.
    pub found: Timestamp,
    /// The older memory, where their ages are known.
    pub first: Side,
    /// The newer one; empty for a correction that was taken back.
    pub second: Side,
    /// The rule that settled it, or that leaves it to a person.
    pub rule: Rule,
    /// When it was settled, and what stayed; nothing while it is open.
    pub resolved: Option<(Timestamp, Kept)>,
}

/// The entries of a file that have an id, a time and a rule; what a person wrote in another form is left out.
#[must_use]
pub fn parse(bytes: &[u8]) -> Vec<Conflict> {
    fielded::entries(bytes).iter().filter_map(read).collect()
}

fn read(entry: &Entry) -> Option<Conflict> {
    let text = |name: &str| entry.field(name).unwrap_or_default().to_owned();
    let side = |name: &str| Side { text: text(name), place: text(&format!("{name} in")) };
    let kept = entry.field("kept").and_then(|kept| kept.parse().ok());
    let time = |name: &str| entry.field(name)?.parse::<Timestamp>().ok();
    let is_resolved = entry.field("status").is_some_and(|status| status.eq_ignore_ascii_case("resolved"));
    Some(Conflict {
        id: entry.id()?.to_owned(),
        found: time("found")?,
        first: side("first"),
        second: side("second"),
        rule: entry.field("rule")?.parse().ok()?,
        resolved: time("resolved").zip(kept).filter(|_| is_resolved),
    })
}

/// The file with one more entry at its end; what is there stays byte for byte.
#[must_use]
pub fn append(found: Option<&[u8]>, conflict: &Conflict) -> Vec<u8> {
    fielded::append(found, "# Conflicts\n", render(conflict).as_bytes())
}

/// The file with an entry settled; nothing where there is none of that id.
#[must_use]
pub fn resolve(bytes: &[u8], id: &str, at: Timestamp, kept: Kept) -> Option<Vec<u8>> {
    let fields =
        [("status", "resolved".to_owned()), ("kept", kept.to_string()), ("resolved", at.to_string())];
    fields.iter().try_fold(bytes.to_vec(), |bytes, (key, value)| fielded::with_field(&bytes, id, key, value))
}

fn render(conflict: &Conflict) -> String {
    let Conflict { id, found, first, second, rule, resolved } = conflict;
    let title: Vec<String> = [first, second]
        .iter()
        .filter(|side| !side.text.is_empty())
        .map(|side| one_line(&side.text).chars().take(60).collect())
        .collect();
    let mut entry = format!("## {} | {}\n", found.strftime("%Y-%m-%d %H:%M"), title.join(" / "));
    entry.push_str(&format!("- id: {id}\n- found: {found}\n"));
    for (name, side) in [("first", first), ("second", second)] {
        if !side.text.is_empty() {
            let (text, place) = (one_line(&side.text), one_line(&side.place));
            entry.push_str(&format!("- {name}: {text}\n- {name} in: {place}\n"));
        }
    }
    entry.push_str(&format!("- rule: {rule}\n"));
    match resolved {
        None => entry.push_str("- status: open\n"),
        Some((at, kept)) => {
            entry.push_str(&format!("- status: resolved\n- kept: {kept}\n- resolved: {at}\n"));
        }
    }
    entry
}

/// The name of a conflict of two texts, whichever is first.
#[must_use]
pub fn id_of(one: &str, other: &str) -> String {
    let (one, other) = (one_line(one).to_lowercase(), one_line(other).to_lowercase());
    let (one, other) = if one <= other { (one, other) } else { (other, one) };
    fielded::id_of('x', &format!("{one}\n{other}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn conflict(first: &str, second: &str, resolved: Option<Kept>) -> Conflict {
        let found: Timestamp = "2026-03-02T07:00:00Z".parse().expect("a time");
        let side =
            |text: &str| Side { text: text.to_owned(), place: "MEMORY.md, since 2026-03-01".to_owned() };
        Conflict {
            id: id_of(first, second),
            found,
            first: side(first),
            second: if second.is_empty() { Side::default() } else { side(second) },
            rule: Rule::OperatorReview,
            resolved: resolved.map(|kept| (found, kept)),
        }
    }

    #[test]
    fn the_order_of_two_texts_does_not_name_another_conflict() {
        assert_eq!(
            id_of("The port is 8080", "the port is  8443"),
            id_of("The port is 8443", "The port is 8080")
        );
        assert_ne!(id_of("The port is 8080", "The port is 8443"), id_of("The port is 8080", "The port is 9"));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back_and_settled(
            first in "[a-z가][a-z가 :|#\"-]{0,20}[a-z가]", second in "([a-z가][a-z가 :|#-]{0,20}[a-z가])?",
            before in "(?s)(|# Conflicts\n|## a\r\n- b: c\r\n|\\PC{0,20})",
        ) {
            let written = conflict(&one_line(&first), &one_line(&second), None);
            let bytes = append(Some(before.as_bytes()), &written);
            prop_assert!(bytes.starts_with(before.as_bytes()) || before.trim().is_empty());
            prop_assert_eq!(parse(&bytes).pop(), Some(written.clone()));
            let at = "2026-04-01T00:00:00Z".parse().expect("a time");
            let settled = resolve(&bytes, &written.id, at, Kept::Both).expect("an entry");
            let expected = Conflict { resolved: Some((at, Kept::Both)), ..written };
            prop_assert_eq!(parse(&settled).pop(), Some(expected));
        }

        #[test]
        fn no_file_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
