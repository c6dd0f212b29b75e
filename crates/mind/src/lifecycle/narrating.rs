//! The story of archived days (P5.5, resolution 16): where `compaction.style` is narrative and a model is named, the days in the archives are told in
//! their month's chronicle, each paragraph with the days that it is from.
//!
//! The archive has every sentence before anything is told of it, and keeps it. A day is told once: what a person changed or took out of a chronicle is
//! not told again. Without a model the archives stand for themselves.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rem_format::archive::entries;
use rem_format::audit::{Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::config::CompactionStyle;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_reason::spending::Urgency;

use super::condense::{NARRATE, Told, linked, unlinked};
use crate::error::MemoryError;
use crate::memory::Memory;

/// The heading that a story stands under.
const HEADING: &str = "## Narrative";

/// What was told of archived days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Narrated {
    /// The chronicles that got something.
    pub(super) chronicles: Vec<MemoryPath>,
    /// Why there are days that were not told; nothing where no model is named.
    pub(super) why_not: Option<String>,
}

/// A line of a day in an archive.
struct Line {
    text: String,
    day: Date,
    archive: MemoryPath,
}

/// The days of a month that were not told.
#[derive(Default)]
struct Month {
    lines: Vec<Line>,
    keys: Vec<String>,
}

impl Memory {
    /// Tells of the archived days that no chronicle told of yet.
    ///
    /// # Errors
    /// As [`Memory::ask`] and [`rem_ledger::Ledger::apply`].
    pub(super) fn narrate_archives(&self) -> Result<Narrated, MemoryError> {
        let mut narrated = Narrated::default();
        if self.config.compaction.style != CompactionStyle::Narrative || !self.may_condense() {
            return Ok(narrated);
        }
        for (month, untold) in self.untold_months()? {
            let sources: Vec<String> =
                untold.lines.iter().map(|line| format!("{}: {}", line.day, line.text)).collect();
            let told = match self.told_by_model(&NARRATE, "lines", &sources, Urgency::Waiting)? {
                Ok(told) => told.value,
                Err(missed) => {
                    narrated.why_not = Some(missed.why);
                    // Whoever is away now is away for the next month as well.
                    break;
                }
            };
            let paragraphs: Vec<String> = told.iter().map(|told| paragraph(told, &untold.lines)).collect();
            let path = self.ledger.layout().file(Store::Chronicles, &format!("{month}.md"))?;
            let mut set = ChangeSet::new().edit(
                self.told_list(&list(&month))?,
                format!("what the story of {month} told"),
                |found| Ok(Some(with_keys(found, &untold.keys))),
            );
            if !paragraphs.is_empty() {
                set = set.edit(path.clone(), format!("the story of {month}"), |found| {
                    with_paragraphs(found, &month, &paragraphs).map(|text| Some(text.into_bytes()))
                });
            }
            let provenance = Provenance::new(
                Actor::System("compactor".to_owned()),
                Approval::Auto,
                format!("told {month} from its archive"),
            );
            self.change(set, &provenance.kind(CommitType::Maintenance))?;
            if !paragraphs.is_empty() {
                narrated.chronicles.push(path);
            }
        }
        Ok(narrated)
    }

    /// The archived days that were not told yet, by their month.
    fn untold_months(&self) -> Result<BTreeMap<String, Month>, MemoryError> {
        let forgotten = self.forgotten()?;
        let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut months: BTreeMap<String, Month> = BTreeMap::new();
        for file in &self.ledger.list()?.files {
            let archive = MemoryPath::new(file.path.as_str())?;
            if !self.is_span_archive(&archive) {
                continue;
            }
            let bytes = self.ledger.read(&archive)?.unwrap_or_default();
            for entry in entries(&bytes) {
                let name = entry.source.rsplit('/').next().unwrap_or_default();
                let Some(day) = rem_recall::date_of_path(name) else { continue };
                let contents = bytes.get(entry.bytes).unwrap_or_default();
                let hash = blake3::hash(contents).to_hex();
                let key = format!("{} {}", entry.source.replace(char::is_whitespace, "_"), &hash[..16]);
                let month = format!("{:04}-{:02}", day.year(), day.month());
                let known = match told.get(&month) {
                    Some(known) => known,
                    None => {
                        let list = self.ledger.read(&self.told_list(&list(&month))?)?.unwrap_or_default();
                        let known = String::from_utf8_lossy(&list).lines().map(str::to_owned).collect();
                        told.entry(month.clone()).or_insert(known)
                    }
                };
                let lines = lines_of(contents);
                let untold = months.entry(month.clone()).or_default();
                if known.contains(&key) || untold.keys.contains(&key) || lines.is_empty() {
                    continue;
                }
                untold.keys.push(key);
                let lines = lines.into_iter().filter(|text| !forgotten.holds(text, day));
                untold.lines.extend(lines.map(|text| Line { text, day, archive: archive.clone() }));
            }
        }
        months.retain(|_, month| !month.lines.is_empty());
        months.values_mut().for_each(|month| month.lines.sort_by_key(|line| line.day));
        Ok(months)
    }
}

fn list(month: &str) -> String {
    format!("narrative-{month}")
}

fn with_keys(found: Option<&[u8]>, keys: &[String]) -> Vec<u8> {
    let text = String::from_utf8_lossy(found.unwrap_or_default()).into_owned();
    let mut lines: BTreeSet<&str> = text.lines().collect();
    lines.extend(keys.iter().map(String::as_str));
    lines.into_iter().flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// What a day's note says, line by line: without its front matter, headings, code, comments and links to where a line is from.
fn lines_of(note: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(note);
    let body = match text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---")) {
        Some((_, body)) => body.to_owned(),
        None => text.into_owned(),
    };
    let (mut lines, mut is_code) = (Vec::new(), false);
    for line in body.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        let said = line.trim_start_matches(['-', '*', '+', '>', ' ']);
        let said = said.rfind("<!--").map_or(said, |at| &said[..at]);
        let said = unlinked(said.trim()).trim();
        let is_over = said.starts_with("~~") && said.ends_with("~~");
        let says = said.chars().filter(|sign| sign.is_alphanumeric()).nth(2).is_some();
        if !is_code && !line.starts_with('#') && says && !is_over {
            lines.push(said.to_owned());
        }
    }
    lines
}

/// A paragraph with the days that it is from.
fn paragraph(told: &Told, lines: &[Line]) -> String {
    let text = told.text.replace("[[", "[");
    let text = text.trim_start_matches(['#', '-', '*', '+', '>', '`', '~', ' ']);
    let mut links: Vec<String> = Vec::new();
    for line in told.from.iter().filter_map(|at| lines.get(*at)) {
        let link = linked(&line.archive, &line.day.strftime("%m-%d").to_string());
        if !links.contains(&link) {
            links.push(link);
        }
    }
    format!("{text} ({})", links.join(", "))
}

/// The chronicle with these paragraphs at the end of its story, which stands before everything else.
fn with_paragraphs(
    found: Option<&[u8]>,
    month: &str,
    paragraphs: &[String],
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let new = format!("---\ntype: chronicle\nmonth: {month}\n---\n\n# {month}\n");
    let text = std::str::from_utf8(found.unwrap_or(new.as_bytes()))?;
    let starts = |line: &str, heading: &str| line.trim_end() == heading;
    let places = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, *at, line))
    });
    let mut story = None;
    let mut title = None;
    let mut end = None;
    for (start, stop, line) in places {
        match (story, line) {
            (None, line) if starts(line, HEADING) => story = Some(stop),
            (None, line) if title.is_none() && line.starts_with("# ") => title = Some(stop),
            (Some(_), line) if end.is_none() && line.starts_with("## ") => end = Some(start),
            _ => {}
        }
    }
    let told = paragraphs.join("\n\n");
    let (at, told) = match story {
        Some(_) => (end.unwrap_or(text.len()), told),
        None => (title.unwrap_or(text.len()), format!("{HEADING}\n\n{told}")),
    };
    let (before, after) = text.split_at(at);
    let after = after.trim_start_matches(['\n', '\r']);
    let gap = if after.is_empty() { "" } else { "\n" };
    Ok(format!("{}\n\n{told}\n{gap}{after}", before.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_lines_of_what_it_says() {
        let note = b"---\ntype: journal\n---\n\n# 2024-03-05\n\n## Boats\n- The harbour froze. [[raw/x|09:00]] <!-- lines:3-4 -->\n* ~~The ice is gone.~~\n```\nlet x = 1;\n```\nNobody went out.\n<!-- nothing -->\n--\n";
        assert_eq!(lines_of(note), ["The harbour froze.", "Nobody went out."]);
    }

    #[test]
    fn a_story_goes_on_where_it_ended_and_all_else_stays() {
        let first = with_paragraphs(None, "2024-03", &["One. ([[a|03-01]])".to_owned()]).unwrap();
        assert!(first.ends_with("# 2024-03\n\n## Narrative\n\nOne. ([[a|03-01]])\n"), "{first}");
        let listed = format!("{first}\n## Facts\n\n- 2024-03-01: Ice.\n");
        let more = with_paragraphs(Some(listed.as_bytes()), "2024-03", &["Two.".to_owned()]).unwrap();
        assert!(more.ends_with("One. ([[a|03-01]])\n\nTwo.\n\n## Facts\n\n- 2024-03-01: Ice.\n"), "{more}");
        let lists = "# 2024-03\n\n## Facts\n\n- Ice.\n";
        let told = with_paragraphs(Some(lists.as_bytes()), "2024-03", &["One.".to_owned()]).unwrap();
        assert_eq!(told, "# 2024-03\n\n## Narrative\n\nOne.\n\n## Facts\n\n- Ice.\n");
    }
}
