//! The entries of a log: where each begins and ends, what it is called, when it was, and what becomes of one that both sides changed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::annotations;
use super::blocks::{Block, Kind};
use crate::annotation::Annotation;
use crate::document::{Document, lines_of};
use crate::fielded;

/// The entries of a log, and the comments of keys and values before the first.
pub(super) fn places(bytes: &[u8], are_proposals: bool) -> Vec<(Range<usize>, Kind, String)> {
    let sections = Document::parse(bytes).sections();
    let all = sections.iter().flat_map(|section| std::iter::once(section).chain(&section.children));
    let entries: Vec<_> = all.filter(|section| section.level == 2).collect();
    let starts: Vec<usize> = entries
        .iter()
        .map(
            |section| {
                if are_proposals { rule_before(bytes, section.bytes.start) } else { section.bytes.start }
            },
        )
        .collect();
    let mut found = Vec::new();
    let first = starts.first().copied().unwrap_or(bytes.len());
    for line in lines_of(&bytes[..first], 0) {
        if let Some(comment) = std::str::from_utf8(&bytes[line.clone()]).ok().and_then(Annotation::parse) {
            let key = comment.entries().next().map_or("", |(key, _)| key).to_lowercase();
            found.push((line, Kind::Comment(comment), format!("c:{key}")));
        }
    }
    for (number, section) in entries.iter().enumerate() {
        // A section of the first level may stand between two entries: it ends what is before it.
        let next = starts.get(number + 1).copied().unwrap_or(bytes.len());
        let range = starts[number]..section.bytes.end.min(next).max(starts[number]);
        let text = String::from_utf8_lossy(&bytes[range.clone()]).into_owned();
        let title = section.title.clone();
        let moment = moment_in(&title).or_else(|| {
            ["timestamp", "found", "logged"].into_iter().find_map(|name| moment_in(field(&text, name)?))
        });
        let key = match (are_proposals.then(|| number_in(&title)).flatten(), field(&text, "id")) {
            (Some(number), _) => format!("p:{number}"),
            (None, Some(id)) if !are_proposals => format!("e:{id}\n{}", subject(&title)),
            _ => format!("e:{title}\n{}", text.trim()),
        };
        found.push((range, Kind::Entry { title, moment }, key));
    }
    found
}

/// What a heading says after the moment.
fn subject(title: &str) -> &str {
    title.split_once('|').map_or(title, |(_, subject)| subject).trim()
}

/// The line of a rule right before a heading, blank lines between them or not.
fn rule_before(bytes: &[u8], heading: usize) -> usize {
    let before = bytes[..heading].trim_ascii_end();
    let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    if before[line..] == *b"---" { line } else { heading }
}

/// The value of a field `- name: value`, whatever its case and strokes.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (found, value) = line.strip_prefix("- ")?.split_once(':')?;
        let is_it = found.trim_matches(['*', ' ']).eq_ignore_ascii_case(name);
        (is_it && !value.trim().is_empty()).then(|| value.trim().trim_start_matches(['*', ' ']))
    })
}

/// The first moment that a text names, in a form that can be compared: a day with or without a time, or a time alone at its beginning.
pub(super) fn moment_in(text: &str) -> Option<String> {
    let is_time = |time: &str| {
        let bytes = time.as_bytes();
        bytes.len() == 5 && bytes[2] == b':' && [0, 1, 3, 4].into_iter().all(|at| bytes[at].is_ascii_digit())
    };
    if let Some(time) = text.get(..5).filter(|time| is_time(time)) {
        return Some(time.to_owned());
    }
    let digits = text.char_indices().filter(|(_, each)| each.is_ascii_digit()).map(|(at, _)| at);
    let at = digits.take(40).find(|at| annotations::is_day(&text[*at..]))?;
    let day = &text[at..at + 10];
    let time = text.get(at + 11..at + 16).filter(|time| is_time(time)).unwrap_or_default();
    Some(format!("{day} {time}"))
}

fn number_in(title: &str) -> Option<u64> {
    let rest = title.strip_prefix("Proposal ")?.trim_start().strip_prefix('#')?;
    let digits = rest.len() - rest.trim_start_matches(|each: char| each.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

/// Theirs with other numbers where ours gave the same number to another proposal since both parted; what refers to them follows.
pub(super) fn renumbered(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let numbers = |bytes: &[u8]| -> BTreeMap<u64, String> {
        places(bytes, true)
            .into_iter()
            .filter_map(|(range, kind, _)| match kind {
                Kind::Entry { title, .. } => {
                    let text = String::from_utf8_lossy(&bytes[range]).into_owned();
                    Some((number_in(&title)?, what_it_proposes(&text)))
                }
                _ => None,
            })
            .collect()
    };
    let (known, here, there) = (numbers(base), numbers(ours), numbers(theirs));
    let last = [ours, theirs].into_iter().map(|side| crate::proposal::parse(side).last).max().unwrap_or(0);
    // A number that the base has is one and the same proposal, unless it was given anew.
    let is_new = |number: &u64, text: &String| known.get(number).is_none_or(|before| before != text);
    let taken = there.iter().filter(|(number, text)| {
        is_new(number, text) && here.get(*number).is_some_and(|other| other != *text)
    });
    let moved: BTreeMap<u64, u64> = taken.zip(last + 1..).map(|((number, _), new)| (*number, new)).collect();
    if moved.is_empty() {
        return None;
    }
    let text = String::from_utf8(theirs.to_vec()).ok()?;
    let mut lines = Vec::new();
    let mut is_mark = false;
    for line in text.split_inclusive('\n') {
        let begins = line.starts_with("## Proposal ");
        let is_status = line.starts_with("- **Status**") || line.starts_with("- Status");
        is_mark |= begins || is_status;
        lines.push(if begins || is_status { with_numbers(line, &moved) } else { line.to_owned() });
    }
    is_mark.then(|| lines.concat().into_bytes())
}

/// Whether two states of a proposal differ in how far it is alone.
pub(super) fn is_marked_alone(one: &Block<'_>, other: &Block<'_>) -> bool {
    let told = |block: &Block<'_>| what_it_proposes(&String::from_utf8_lossy(block.bytes));
    told(one) == told(other)
}

/// What tells one proposal from another: everything but its heading and how far it is.
fn what_it_proposes(text: &str) -> String {
    let is_told = |line: &&str| {
        !line.starts_with("## ")
            && *line != "---"
            && !line.starts_with("- **Status**")
            && !line.starts_with("- Status")
    };
    text.lines().map(str::trim_end).filter(is_told).collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn with_numbers(line: &str, moved: &BTreeMap<u64, u64>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('#') {
        let digits = rest[at + 1..].len()
            - rest[at + 1..].trim_start_matches(|each: char| each.is_ascii_digit()).len();
        let number = rest[at + 1..at + 1 + digits].parse::<u64>().ok();
        out.push_str(&rest[..=at]);
        match number.and_then(|number| moved.get(&number)) {
            Some(new) => out.push_str(&new.to_string()),
            None => out.push_str(&rest[at + 1..at + 1 + digits]),
        }
        rest = &rest[at + 1 + digits..];
    }
    out.push_str(rest);
    out
}

/// Theirs with other ids where an entry of ours that is another one has the same.
pub(super) fn named_anew(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let names = |bytes: &[u8]| -> BTreeMap<String, BTreeSet<String>> {
        let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (_, _, key) in places(bytes, false) {
            let named = key.strip_prefix("e:").and_then(|key| key.split_once('\n'));
            if let Some((id, subject)) = named {
                names.entry(id.to_owned()).or_default().insert(subject.to_owned());
            }
        }
        names
    };
    let (known, here) = (names(base), names(ours));
    let mut bytes = theirs.to_vec();
    // From the end, so that places stay what they are.
    for (range, _, key) in places(theirs, false).into_iter().rev() {
        let text = String::from_utf8_lossy(&theirs[range.clone()]).into_owned();
        let Some(id) = field(&text, "id") else { continue };
        let Some((_, subject)) = key.strip_prefix("e:").and_then(|key| key.split_once('\n')) else {
            continue;
        };
        let has = |names: &BTreeMap<String, BTreeSet<String>>| {
            names.get(id).is_some_and(|all| all.contains(subject))
        };
        if has(&known) || has(&here) || !here.contains_key(id) {
            continue;
        }
        let letter = id.chars().next().unwrap_or('x');
        let new = fielded::id_of(letter, &format!("{subject}\n{text}"));
        if let Some(changed) = fielded::with_field(&theirs[range.clone()], id, "id", &new) {
            bytes.splice(range, changed);
        }
    }
    (bytes != theirs).then_some(bytes)
}

/// An entry that both sides changed, field by field; other lines of both stay.
pub(super) fn united(base: Option<&Block<'_>>, ours: &Block<'_>, theirs: &Block<'_>) -> Vec<u8> {
    let lines = |block: &Block<'_>| -> Vec<String> {
        String::from_utf8_lossy(block.bytes).split_inclusive('\n').map(str::to_owned).collect()
    };
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("- ")?.split_once(':')?;
        Some(name.trim_matches(['*', ' ']).to_lowercase())
    };
    let value_of = |lines: &[String], wanted: &str| {
        let line = lines.iter().find(|line| name(line).as_deref() == Some(wanted))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let before = base.map(lines).unwrap_or_default();
    let (here, there) = (lines(ours), lines(theirs));
    let mut out: Vec<String> = Vec::new();
    let heading = |lines: &[String]| lines.iter().find(|line| line.starts_with("## ")).cloned();
    let title = match (heading(&before), heading(&here), heading(&there)) {
        (was, one, other) if one == was => other,
        (was, one, other) if other == was || other.is_none() => one,
        // The earlier one, whichever side that is.
        (_, one, other) => one.min(other),
    };
    let is_title = |line: &String| line.starts_with("## ");
    for line in &here {
        if is_title(line) {
            out.push(title.clone().unwrap_or_else(|| line.clone()));
            continue;
        }
        let Some(field) = name(line) else {
            let is_gone = before.contains(line) && !there.contains(line) && !line.trim().is_empty();
            if !is_gone {
                out.push(line.clone());
            }
            continue;
        };
        let (was, one, other) =
            (value_of(&before, &field), value_of(&here, &field), value_of(&there, &field));
        match one_of(&field, was.as_deref(), one.as_deref(), other.as_deref()) {
            Some(value) if one.as_deref() != Some(value.as_str()) => {
                let (start, _) = line.split_once(':').unwrap_or((line, ""));
                let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
                out.push(format!("{start}: {value}{end}"));
            }
            Some(_) => out.push(line.clone()),
            None => {}
        }
    }
    for line in there.iter().filter(|line| !is_title(line)) {
        let is_here = match name(line) {
            Some(field) => value_of(&here, &field).is_some(),
            None => here.contains(line),
        };
        if !is_here && !before.contains(line) && !line.trim().is_empty() {
            if let Some(last) = out.last_mut().filter(|last| !last.ends_with('\n')) {
                last.push('\n');
            }
            out.push(line.clone());
        }
    }
    out.concat().into_bytes()
}

/// The value of a field that both sides may have changed.
fn one_of(name: &str, base: Option<&str>, ours: Option<&str>, theirs: Option<&str>) -> Option<String> {
    let (Some(one), Some(other)) = (ours, theirs) else {
        return annotations::value(name, base, ours, theirs);
    };
    if one == other || Some(other) == base {
        return Some(one.to_owned());
    }
    if Some(one) == base {
        return Some(other.to_owned());
    }
    // What is settled stays settled.
    let settled = |value: &str| matches!(value.to_lowercase().as_str(), "resolved" | "retracted");
    match (settled(one), settled(other)) {
        (true, false) => return Some(one.to_owned()),
        (false, true) => return Some(other.to_owned()),
        _ => {}
    }
    if annotations::is_day(one) && annotations::is_day(other) {
        return Some(one.min(other).to_owned());
    }
    annotations::value(name, base, ours, theirs)
}
