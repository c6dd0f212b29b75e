//! pending-memories.md: what sub-agents propose to remember (seed M13.2), a section below a rule each, the newest last.
//!
//! ```text
//! ---
//! ## Proposal #3 ⚠️ CONFLICT with #4
//! - **From**: researcher
//! - **Timestamp**: 2026-02-03T10:00:00Z
//! - **Trigger**: auto-detect during research task
//! - **Suggested store**: semantic
//! - **Content**: The project's deadline is March 15
//! - **Entities**: [project--atlas]
//! - **Confidence**: medium
//! - **Core-worthy**: no
//! - **Status**: conflict — see #4
//! ```
//!
//! A section is its rule, its heading and its fields; further lines of a value are indented. Whatever else stands in the file stays
//! byte for byte, between sections and after their fields, too. A section that cannot be read is told with its line and stops no
//! other. A heading or a field begins at the very start of its line, so that no value can be taken for one. Must not know when
//! something is proposed, nor what becomes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::Timestamp;

use crate::document::lines_of;
use crate::episode::Certainty;
use crate::fielded::{self, one_line};

/// What a new file begins with.
pub const START: &str =
    "# Pending Memory Proposals\n\n<!-- Sub-agents append proposals here; the main agent reviews them. -->\n";
const MARK: &str = "⚠️ CONFLICT with ";
const LAST: &str = "<!-- Last number: #";

/// How far a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProposalStatus {
    /// Nobody decided.
    #[default]
    Pending,
    /// It contradicts another one, and nobody decided.
    Conflict,
    /// Left for a later time.
    Deferred,
    /// Not to be remembered; in the file of rejected ones alone.
    Rejected,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proposal {
    /// Its number, which no other ever has.
    pub number: u64,
    /// The agent that proposes; empty where nobody is named.
    pub from: String,
    /// When; nothing where that cannot be read.
    pub time: Option<Timestamp>,
    /// What led to it.
    pub trigger: String,
    /// The store it should go to, as it is written; empty where none is named.
    pub store: String,
    /// What is to be remembered.
    pub content: String,
    /// The entities it is about.
    pub entities: Vec<String>,
    /// What it is about besides.
    pub tags: Vec<String>,
    /// The session it came up in.
    pub session: Option<String>,
    /// What speaks for it that did not before.
    pub evidence: String,
    /// How sure the agent is; medium where it does not say.
    pub confidence: Option<Certainty>,
    /// Whether it should always be in sight.
    pub core_worthy: bool,
    /// How far it is.
    pub status: ProposalStatus,
    /// The proposals that it contradicts.
    pub conflicts: BTreeSet<u64>,
    /// Why it was rejected; may be empty.
    pub reason: String,
    /// When it was rejected.
    pub decided: Option<Timestamp>,
}

/// A proposal in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// The proposal.
    pub proposal: Proposal,
    /// 1-based line of its heading.
    pub line: usize,
    /// Its rule, its heading and its fields.
    pub bytes: Range<usize>,
}

/// A section that is a proposal and cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// 1-based line of its heading.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Proposals {
    /// The proposals, in the file's order.
    pub placed: Vec<Placed>,
    /// The sections that cannot be read.
    pub broken: Vec<Broken>,
    /// The highest number that was ever given.
    pub last: u64,
}

/// What becomes of a proposal in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is taken out.
    Remove,
    /// It is marked anew.
    Mark(ProposalStatus, BTreeSet<u64>),
}

/// Reads a file; whatever its bytes are.
#[must_use]
pub fn parse(bytes: &[u8]) -> Proposals {
    let lines: Vec<Line<'_>> = lines(bytes);
    let mut found = Proposals::default();
    let mut given: BTreeMap<u64, usize> = BTreeMap::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if let Some(last) = line.text.strip_prefix(LAST) {
            found.last = found.last.max(number_at(last).unwrap_or(0));
        }
        let Some(rest) = heading(&line.text).filter(|_| !line.is_hidden) else {
            at += 1;
            continue;
        };
        let (fields, end) = fields(&lines, at + 1);
        let number = rest.trim_start().strip_prefix('#').and_then(number_at);
        found.last = found.last.max(number.unwrap_or(0));
        let broken = |what: String| Broken { line: at + 1, what };
        match read(number, rest, &fields) {
            Ok(proposal) => {
                let number = proposal.number;
                match given.get(&number) {
                    Some(first) => found.broken.push(broken(format!(
                        "line {first} has the number #{number} already: give this one #{}",
                        found.last + 1
                    ))),
                    None => {
                        let start = rule_before(&lines, at).map_or(line.bytes.start, |rule| rule.start);
                        let end = lines[end - 1].bytes.end;
                        given.insert(number, at + 1);
                        found.placed.push(Placed { proposal, line: at + 1, bytes: start..end });
                    }
                }
            }
            Err(what) => found.broken.push(broken(what)),
        }
        at = end;
    }
    found
}

/// A proposal as it is written, its rule included.
#[must_use]
pub fn render(proposal: &Proposal) -> String {
    let Proposal { number, status, conflicts, confidence, .. } = proposal;
    let mut text = format!("---\n{}\n", heading_of(*number, conflicts));
    let mut field = |name: &str, value: &str| text.push_str(&format!("- **{name}**: {value}\n"));
    field("From", &one_line(&proposal.from));
    if let Some(time) = proposal.time {
        field("Timestamp", &time.to_string());
    }
    field("Trigger", &one_line(&proposal.trigger));
    if !proposal.store.is_empty() {
        field("Suggested store", &one_line(&proposal.store));
    }
    field("Content", &indented(&proposal.content));
    if !proposal.entities.is_empty() {
        field("Entities", &list(&proposal.entities));
    }
    if !proposal.tags.is_empty() {
        field("Tags", &list(&proposal.tags));
    }
    if let Some(session) = &proposal.session {
        field("Session", &one_line(session));
    }
    if !proposal.evidence.is_empty() {
        field("Evidence", &one_line(&proposal.evidence));
    }
    field("Confidence", confidence.unwrap_or(Certainty::Medium).as_str());
    field("Core-worthy", if proposal.core_worthy { "yes" } else { "no" });
    if let Some(decided) = proposal.decided {
        field("Decided", &decided.to_string());
    }
    if !proposal.reason.is_empty() {
        field("Reason", &one_line(&proposal.reason));
    }
    field("Status", &status_of(*status, conflicts));
    text
}

/// The file with one more proposal at its end; what is there stays byte for byte.
#[must_use]
pub fn append(found: Option<&[u8]>, start: &str, proposal: &Proposal) -> Vec<u8> {
    fielded::append(found, start, render(proposal).as_bytes())
}

/// The file with all of this done; every other byte stays, and the numbers of those that are taken out are given to no other.
#[must_use]
pub fn changed(bytes: &[u8], changes: &BTreeMap<u64, Change>) -> Vec<u8> {
    let found = parse(bytes);
    let mut result = Vec::with_capacity(bytes.len());
    let (mut done, mut is_taken_out) = (0, false);
    for Placed { proposal, bytes: place, .. } in &found.placed {
        match changes.get(&proposal.number) {
            None => {}
            Some(Change::Remove) => {
                result.extend_from_slice(&bytes[done..place.start]);
                is_taken_out = true;
                // The empty line that stood between it and the next one goes with it.
                let after = &bytes[place.end..];
                let blank =
                    lines_of(after, 0).next().filter(|line| after[line.clone()].trim_ascii().is_empty());
                done = place.end + blank.map_or(0, |line| line.end);
            }
            Some(Change::Mark(status, conflicts)) => {
                result.extend_from_slice(&bytes[done..place.start]);
                result.extend(marked(&bytes[place.clone()], proposal.number, *status, conflicts));
                done = place.end;
            }
        }
    }
    result.extend_from_slice(&bytes[done..]);
    if is_taken_out { with_last(result, found.last) } else { result }
}

/// The section of a proposal, as it stood, for the file of rejected ones: what a person added to it stays.
#[must_use]
pub fn rejected(section: &[u8], number: u64, reason: &str, decided: Timestamp) -> Vec<u8> {
    let mut entry = marked(section, number, ProposalStatus::Rejected, &BTreeSet::new());
    if !entry.ends_with(b"\n") {
        entry.push(b'\n');
    }
    let newline = if entry.ends_with(b"\r\n") { "\r\n" } else { "\n" };
    entry.extend_from_slice(format!("- **Decided**: {decided}{newline}").as_bytes());
    let reason = one_line(reason);
    if !reason.is_empty() {
        entry.extend_from_slice(format!("- **Reason**: {reason}{newline}").as_bytes());
    }
    entry
}

/// A line, and whether it is inside a fence or a comment.
struct Line<'a> {
    text: std::borrow::Cow<'a, str>,
    bytes: Range<usize>,
    is_hidden: bool,
}

fn lines(bytes: &[u8]) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = lines_of(bytes, 0)
        .map(|place| {
            let text = match String::from_utf8_lossy(&bytes[place.clone()]) {
                std::borrow::Cow::Borrowed(text) => text.trim_end_matches(['\n', '\r']).into(),
                std::borrow::Cow::Owned(text) => text.trim_end_matches(['\n', '\r']).to_owned().into(),
            };
            Line { text, bytes: place, is_hidden: false }
        })
        .collect();
    // Only what is closed hides: a fence or a comment that is left open takes nothing from those after it. The last line that
    // closes each is known beforehand, so that nothing is looked through twice.
    let last = |closes: &dyn Fn(&str) -> bool| lines.iter().rposition(|line| closes(&line.text)).unwrap_or(0);
    let ends = [
        last(&|text| closes("```", text)),
        last(&|text| closes("~~~", text)),
        last(&|text| closes("-->", text)),
    ];
    let mut open: Option<&str> = None;
    for (at, line) in lines.iter_mut().enumerate() {
        line.is_hidden = open.is_some();
        open = match open {
            Some(kind) if closes(kind, &line.text) => None,
            Some(kind) => Some(kind),
            None if line.text.starts_with("```") && ends[0] > at => Some("```"),
            None if line.text.starts_with("~~~") && ends[1] > at => Some("~~~"),
            None if line.text.starts_with("<!--") && !line.text.contains("-->") && ends[2] > at => {
                Some("-->")
            }
            None => None,
        };
    }
    lines
}

fn closes(kind: &str, text: &str) -> bool {
    match kind {
        // A value cannot close what a person opened.
        "-->" => {
            text.contains("-->")
                && !text.starts_with("<!--")
                && !text.starts_with("  ")
                && field(text).is_none()
        }
        fence => text.trim_end() == fence,
    }
}

/// What comes after `## Proposal`.
fn heading(text: &str) -> Option<&str> {
    let rest =
        text.trim_start_matches('\u{feff}').strip_prefix("##")?.strip_prefix([' ', '\t'])?.trim_start();
    let (word, rest) = rest.split_at_checked("proposal".len())?;
    let is_word = rest.is_empty() || rest.starts_with([' ', '\t', '#', ':']);
    (word.eq_ignore_ascii_case("proposal") && is_word).then(|| rest.trim_start_matches(':'))
}

fn number_at(text: &str) -> Option<u64> {
    let digits = text.find(|each: char| !each.is_ascii_digit()).unwrap_or(text.len());
    // What no file can reach by counting is no number of a proposal, and one more must still be one.
    text[..digits].parse().ok().filter(|number| (1..=999_999_999).contains(number))
}

/// The fields from a line on, by their names in small letters, and the line after the last of them. The first of a name counts.
fn fields(lines: &[Line<'_>], from: usize) -> (BTreeMap<String, String>, usize) {
    let mut fields: BTreeMap<String, String> = BTreeMap::new();
    let (mut end, mut name) = (from, None::<String>);
    for (at, line) in lines.iter().enumerate().skip(from) {
        if let Some((key, value)) = field(&line.text) {
            let key = key.to_lowercase();
            name = (!fields.contains_key(&key)).then(|| key.clone());
            fields.entry(key).or_insert_with(|| value.to_owned());
        } else if line.text.starts_with("  ") && !line.text.trim().is_empty() && end == at && at > from {
            if let Some(value) = name.as_ref().and_then(|name| fields.get_mut(name)) {
                value.push('\n');
                value.push_str(line.text.strip_prefix("  ").unwrap_or(&line.text));
            }
        } else if line.text.trim().is_empty() && at == from {
            // A heading may be followed by an empty line.
            let next = lines.get(at + 1).is_some_and(|next| field(&next.text).is_some());
            if !next {
                break;
            }
        } else {
            break;
        }
        end = at + 1;
    }
    (fields, end)
}

/// The name and the value of a field.
fn field(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
    let (name, value) = rest.split_once(':')?;
    let name = name.trim_matches(['*', ' ']);
    let is_name = !name.is_empty()
        && name.chars().all(|each| each.is_alphanumeric() || matches!(each, ' ' | '-' | '_'));
    is_name.then(|| (name, value.trim_start_matches('*').trim()))
}

fn read(number: Option<u64>, heading: &str, fields: &BTreeMap<String, String>) -> Result<Proposal, String> {
    let number = number.ok_or("its heading has no number: `## Proposal #1`")?;
    let get = |name: &str| fields.get(name).map(String::as_str).unwrap_or_default();
    let content = get("content").trim();
    if content.is_empty() {
        return Err(format!("proposal #{number} has no line `- **Content**: …`"));
    }
    let status = get("status").to_lowercase();
    let mut conflicts = numbers(heading.split_once(MARK.trim_end()).map_or("", |(_, with)| with));
    if status.starts_with("conflict") {
        conflicts.extend(numbers(&status));
    }
    conflicts.remove(&number);
    let confidence = get("confidence");
    Ok(Proposal {
        number,
        from: get("from").to_owned(),
        time: get("timestamp").parse().ok(),
        trigger: get("trigger").to_owned(),
        store: get("suggested store").to_owned(),
        content: content.to_owned(),
        entities: listed(get("entities")),
        tags: listed(get("tags")),
        session: Some(get("session").to_owned()).filter(|session| !session.is_empty()),
        evidence: get("evidence").to_owned(),
        confidence: confidence.split_whitespace().next().and_then(|word| word.parse().ok()),
        core_worthy: matches!(get("core-worthy").to_lowercase().as_str(), "yes" | "true"),
        status: match status.split_whitespace().next() {
            Some("deferred" | "defer") => ProposalStatus::Deferred,
            Some("rejected") => ProposalStatus::Rejected,
            Some("conflict") => ProposalStatus::Conflict,
            _ if !conflicts.is_empty() => ProposalStatus::Conflict,
            _ => ProposalStatus::Pending,
        },
        conflicts,
        reason: get("reason").to_owned(),
        decided: get("decided").parse().ok(),
    })
}

/// The rule above a heading, where nothing but empty lines stands between them.
fn rule_before(lines: &[Line<'_>], at: usize) -> Option<Range<usize>> {
    let above = lines[..at].iter().rev().find(|line| !line.text.trim().is_empty())?;
    (above.text.trim_end() == "---" && !above.is_hidden).then(|| above.bytes.clone())
}

fn numbers(text: &str) -> BTreeSet<u64> {
    text.split('#').skip(1).filter_map(number_at).collect()
}

fn marked(section: &[u8], number: u64, status: ProposalStatus, conflicts: &BTreeSet<u64>) -> Vec<u8> {
    let mut result = Vec::with_capacity(section.len() + 32);
    let all = lines(section);
    let at = all.iter().position(|line| heading(&line.text).is_some()).unwrap_or(0);
    let end_of = |line: &Line<'_>| section[line.bytes.clone()].ends_with(b"\r\n");
    let newline = if all.get(at).is_some_and(end_of) { "\r\n" } else { "\n" };
    let is_status =
        |line: &Line<'_>| field(&line.text).is_some_and(|(name, _)| name.eq_ignore_ascii_case("status"));
    let status_at = all.iter().position(is_status);
    let new = format!("- **Status**: {}", status_of(status, conflicts));
    for (each, line) in all.iter().enumerate() {
        let text = match each {
            _ if each == at => Some(heading_of(number, conflicts)),
            _ if Some(each) == status_at => Some(new.clone()),
            _ => None,
        };
        match text {
            Some(text) => {
                result.extend_from_slice(text.as_bytes());
                let has_end = section[line.bytes.clone()].ends_with(b"\n");
                result.extend_from_slice(if has_end { newline.as_bytes() } else { b"" });
            }
            None => result.extend_from_slice(&section[line.bytes.clone()]),
        }
    }
    if status_at.is_none() {
        if !result.ends_with(b"\n") {
            result.extend_from_slice(newline.as_bytes());
        }
        result.extend_from_slice(format!("{new}{newline}").as_bytes());
    }
    result
}

/// The file with a note of the highest number that was ever given, below its title.
fn with_last(bytes: Vec<u8>, last: u64) -> Vec<u8> {
    let all = lines(&bytes);
    let note = format!("{LAST}{last} -->");
    if let Some(line) = all.iter().find(|line| line.text.starts_with(LAST)) {
        let end = line.bytes.start + line.text.len();
        if line.text == note {
            return bytes;
        }
        return [&bytes[..line.bytes.start], note.as_bytes(), &bytes[end.min(line.bytes.end)..]].concat();
    }
    let title = all.first().filter(|line| line.text.trim_start_matches('\u{feff}').starts_with("# "));
    let at = title.map_or(0, |line| line.bytes.end);
    let newline = if bytes[..at].ends_with(b"\r\n") { "\r\n" } else { "\n" };
    let before = if at == 0 || bytes[..at].ends_with(b"\n") { "" } else { newline };
    [&bytes[..at], before.as_bytes(), note.as_bytes(), newline.as_bytes(), &bytes[at..]].concat()
}

fn heading_of(number: u64, conflicts: &BTreeSet<u64>) -> String {
    match conflicts.is_empty() {
        true => format!("## Proposal #{number}"),
        false => format!("## Proposal #{number} {MARK}{}", signs(conflicts)),
    }
}

fn status_of(status: ProposalStatus, conflicts: &BTreeSet<u64>) -> String {
    match status {
        ProposalStatus::Pending | ProposalStatus::Conflict if !conflicts.is_empty() => {
            format!("conflict — see {}", signs(conflicts))
        }
        ProposalStatus::Pending | ProposalStatus::Conflict => "pending".to_owned(),
        ProposalStatus::Deferred => "deferred".to_owned(),
        ProposalStatus::Rejected => "rejected".to_owned(),
    }
}

fn signs(numbers: &BTreeSet<u64>) -> String {
    numbers.iter().map(|number| format!("#{number}")).collect::<Vec<_>>().join(", ")
}

/// A value of several lines: those after the first are indented, empty ones left out.
fn indented(text: &str) -> String {
    let lines = text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n  ").trim().to_owned()
}

fn list(values: &[String]) -> String {
    let plain = |value: &String| one_line(&value.replace(['[', ']', ','], " "));
    format!("[{}]", values.iter().map(plain).filter(|value| !value.is_empty()).collect::<Vec<_>>().join(", "))
}

fn listed(value: &str) -> Vec<String> {
    let values = value.trim_matches(['[', ']']).split(',').map(str::trim);
    values.filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
