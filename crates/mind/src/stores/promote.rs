//! Promotion: what a dated file says that should last is moved to where nothing fades (S).
//!
//! Rules in Korean and English over the sections of dated notes; the weights and the confidence are those of the reference
//! implementation: each pattern counts once, and the sum of three is certainty. Moving is one change set, and a section leaves its
//! file only as what it says stands in the target: the same heading there, or a longer text that begins alike, is no reason to drop
//! anything. What leaves a fence or a comment open, which would swallow what comes after it, stays where it is.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use rem_format::audit::{Actor, Approval};
use rem_format::document::{Document, Section};
use rem_format::episode;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Provenance, Store};
use rem_recall::Frequent;
use serde::Serialize;

use super::core;
use crate::error::MemoryError;
use crate::memory::Memory;

/// A category, what one of its patterns counts, and its patterns.
type Rule = (&'static str, f64, &'static [&'static str]);

/// S's eight categories; names are those of the files they are moved to.
const RULES: [Rule; 8] = [
    ("decision", 0.8, &["결정", r"(?i)\bdecided\b", r"(?i)\bconfirmed\b", r"(?i)\bapproved\b"]),
    ("architecture", 0.7, &["아키텍처", r"(?i)\bdesign\b", r"(?i)\bschema\b", r"(?i)\bstack\b"]),
    (
        "financial",
        0.9,
        &[r"\$\s?\d", "₩", r"(?i)\bpricing\b", r"(?i)\bmargin\b", r"\bBEP\b", r"(?i)\brevenue\b"],
    ),
    ("legal", 0.9, &["상표", r"(?i)\btrademark\b", r"(?i)\bpatent\b", r"\bToS\b", r"\bGDPR\b"]),
    ("people", 0.6, &["변리사", r"(?i)\bpartner\b", r"(?i)\bclient\b", r"(?i)\bmeeting results\b"]),
    (
        "milestone",
        0.7,
        &["출시", r"(?i)\blaunch(?:ed)?\b", r"(?i)\bshipped\b", r"(?i)\breleased\b", r"(?i)\bphase \d+\b"],
    ),
    ("strategy", 0.8, &["로드맵", r"(?i)\broadmap\b", r"(?i)\bvision\b", r"(?i)\bstrategy\b"]),
    ("explicit", 1.0, &["기억해", r"\bIMPORTANT\b", r"\bCRITICAL\b", "★"]),
];
/// The sum that is certainty.
const CERTAIN: f64 = 3.0;
/// What is listed in so many sessions is looked at (S).
pub const LEAST_SESSIONS: u32 = 3;
/// The number of sessions that is certainty.
const CERTAIN_SESSIONS: f64 = 5.0;
/// The category of what no rule speaks for.
const FREQUENT: &str = "frequent";
/// Sections of these levels are looked at.
const LEVELS: std::ops::RangeInclusive<u8> = 1..=3;

static COMPILED: LazyLock<Vec<(&'static str, f64, &'static str, Regex)>> = LazyLock::new(|| {
    let all = RULES.iter().flat_map(|(category, weight, patterns)| {
        patterns
            .iter()
            .filter_map(move |pattern| Some((*category, *weight, *pattern, Regex::new(pattern).ok()?)))
    });
    all.collect()
});

/// Why a section should last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reason {
    /// The category of the rule.
    pub category: &'static str,
    /// The words that matched.
    pub matched_pattern: String,
    /// Their line in the file, from 1.
    pub line: usize,
}

/// A section that should last.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The dated file.
    pub file: MemoryPath,
    /// The heading.
    pub section: String,
    /// What it says, heading included.
    pub content: String,
    /// Why.
    pub reasons: Vec<Reason>,
    /// From 0 to 1.
    pub confidence: f64,
    #[serde(skip)]
    category: &'static str,
}

/// A section that was moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Promoted {
    /// The dated file.
    pub file: MemoryPath,
    /// The heading.
    pub section: String,
    /// Where it stands now.
    pub target: MemoryPath,
}

/// A section that stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stayed {
    /// The dated file.
    pub file: MemoryPath,
    /// The heading.
    pub section: String,
    /// Why.
    pub reason: String,
}

/// What `promote` did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromoteOutcome {
    /// The sections that were moved.
    pub results: Vec<Promoted>,
    /// The sections that cannot be moved as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stayed: Vec<Stayed>,
    /// The change's id; empty where nothing was moved.
    pub change: String,
}

impl Memory {
    /// The sections of the dated notes of the last `days` days that should last, in the order of files and lines.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::read`].
    pub fn promotion_candidates(
        &self,
        days: u32,
        min_confidence: f64,
    ) -> Result<Vec<Candidate>, MemoryError> {
        let today = self.today();
        let first = today.saturating_sub(jiff::Span::new().days(i64::from(days)));
        let mut found = Vec::new();
        for file in self.searchable_files()?.iter() {
            let path = MemoryPath::new(file.path.as_str())?;
            let is_note = self.ledger.layout().store_of(&path) == Some(Store::Journal);
            let date: Option<Date> = rem_recall::date_of_path(path.as_str());
            if !is_note || date.is_none_or(|date| date < first) {
                continue;
            }
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            found
                .extend(candidates(&path, &bytes).into_iter().filter(|one| one.confidence >= min_confidence));
        }
        Ok(found)
    }

    /// The sections of dated notes, and the episodes, that answers listed in at least so many sessions of the last `days` days (S's
    /// access frequency; [`LEAST_SESSIONS`] there), most often first.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::read`]; [`MemoryError::Search`] where there can be no index.
    pub fn frequent_candidates(&self, days: u32, least: u32) -> Result<Vec<Candidate>, MemoryError> {
        let since = rem_recall::days_since_1970(self.today()).saturating_sub_unsigned(days);
        let frequent = match self.present_index().as_ref() {
            Some(index) => index.frequent(least, since).map_err(rem_recall::SearchError::from)?,
            None => Vec::new(),
        };
        let mut found = Vec::new();
        for Frequent { place, sessions } in frequent {
            let candidate = match place.split_once('#') {
                _ if place.starts_with("episode:") => self.episode_candidate(&place)?,
                Some((path, section)) => self.section_candidate(path, section)?,
                None => None,
            };
            let Some(mut candidate) = candidate else { continue };
            let line = candidate.reasons.first().map_or(1, |reason| reason.line);
            let matched_pattern = format!("{sessions} sessions");
            candidate.reasons = vec![Reason { category: "frequency", matched_pattern, line }];
            candidate.confidence = (f64::from(sessions) / CERTAIN_SESSIONS).min(1.0);
            found.push(candidate);
        }
        Ok(found)
    }

    fn section_candidate(&self, path: &str, section: &str) -> Result<Option<Candidate>, MemoryError> {
        let path = MemoryPath::new(path)?;
        let is_note = self.ledger.layout().store_of(&path) == Some(Store::Journal);
        if !is_note || rem_recall::date_of_path(path.as_str()).is_none() {
            return Ok(None);
        }
        let bytes = self.ledger.read(&path)?.unwrap_or_default();
        Ok(sections(&path, &bytes).into_iter().find(|one| one.section == section))
    }

    fn episode_candidate(&self, id: &str) -> Result<Option<Candidate>, MemoryError> {
        let Some((date, time, number)) = episode::parse_episode_id(id) else { return Ok(None) };
        let file = self.ledger.layout().file(Store::Episodes, &format!("{date}.md"))?;
        let bytes = self.ledger.read(&file)?.unwrap_or_default();
        let placed = episode::parse(&bytes).0;
        let entry = placed.into_iter().find(|each| each.episode.time == time && each.number == number);
        Ok(entry.map(|entry| Candidate {
            file,
            section: format!("{date} {:02}:{:02}", time.hour(), time.minute()),
            content: format!(
                "## {date}: {}\n{}\n",
                entry.episode.kind.as_str(),
                entry.episode.text.trim_end()
            ),
            reasons: vec![Reason {
                category: "frequency",
                matched_pattern: String::new(),
                line: entry.lines.start,
            }],
            confidence: 0.0,
            category: FREQUENT,
        }))
    }

    /// Moves candidates to `target`, else each to the file of its category where there is one, else to MEMORY.md while its caps
    /// hold, else to a new file of its category. What stands in a file that is only ever added to is copied. What leaves a fence
    /// or a comment open stays, and so does what would come below one that is open.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] for a target that nothing is promoted to, or as [`rem_ledger::Ledger::apply`]; also when a file was
    /// changed since the candidates were found.
    pub fn promote(
        &self,
        chosen: &[Candidate],
        target: Option<&MemoryPath>,
    ) -> Result<PromoteOutcome, MemoryError> {
        if let Some(target) = target {
            self.may_be_promoted_to(target)?;
        }
        let mut planned: Vec<(&Candidate, MemoryPath)> = Vec::new();
        let mut stayed: Vec<Stayed> = Vec::new();
        let mut core_page =
            String::from_utf8_lossy(&self.ledger.read(self.path(Store::Core))?.unwrap_or_default())
                .into_owned();
        for candidate in chosen {
            let mut stays = |reason: String| {
                let (file, section) = (candidate.file.clone(), candidate.section.clone());
                stayed.push(Stayed { file, section, reason });
            };
            if let Some(what) = left_open(&candidate.content) {
                stays(format!("{what} in it is never closed"));
                continue;
            }
            let place = match target {
                Some(target) => target.clone(),
                None => self.place_of(candidate, &mut core_page)?,
            };
            if place == candidate.file {
                return Err(MemoryError::Usage {
                    message: format!("{place} is where it stands"),
                    hint: "name another file with --target".to_owned(),
                });
            }
            let there = self.ledger.read(&place)?.unwrap_or_default();
            match left_open(&String::from_utf8_lossy(&there)) {
                Some(what) => stays(format!("{what} in {place} is never closed")),
                None => planned.push((candidate, place)),
            }
        }
        let mut set = ChangeSet::new();
        let mut places: Vec<&MemoryPath> = planned.iter().map(|(_, place)| place).collect();
        places.sort();
        places.dedup();
        for place in places {
            let sections: Vec<&str> = planned
                .iter()
                .filter(|(_, at)| at == place)
                .map(|(candidate, _)| candidate.content.as_str())
                .collect();
            set = set.edit(place.clone(), "promoted sections", move |found| {
                let mut text = std::str::from_utf8(found.unwrap_or_default())?.to_owned();
                if left_open(&text).is_some() {
                    return Err("a fence or a comment is open there by now: look again".into());
                }
                sections.iter().for_each(|section| add_section(&mut text, section));
                Ok(Some(text.into_bytes()))
            });
        }
        let layout = self.ledger.layout();
        let may_lose = |file: &&MemoryPath| !layout.is_append_only(file);
        let mut files: Vec<&MemoryPath> =
            planned.iter().map(|(candidate, _)| &candidate.file).filter(may_lose).collect();
        files.sort();
        files.dedup();
        for file in files {
            let sections: Vec<&str> = planned
                .iter()
                .filter(|(candidate, _)| candidate.file == *file)
                .map(|(candidate, _)| candidate.content.as_str())
                .collect();
            set = set.edit(file.clone(), "sections promoted", move |found| {
                let mut text = std::str::from_utf8(found.unwrap_or_default())?.to_owned();
                for section in &sections {
                    let there = all_sections(text.as_bytes()).into_iter().map(|each| own(&each));
                    let place = there.into_iter().find(|range| text[range.clone()] == **section);
                    text.replace_range(place.ok_or("the section changed meanwhile: look again")?, "");
                }
                Ok(Some(text.into_bytes()))
            });
        }
        if set.is_empty() {
            return Ok(PromoteOutcome { results: Vec::new(), stayed, change: String::new() });
        }
        let provenance =
            Provenance::new(Actor::System("promote".to_owned()), Approval::Approved, "rem promote --apply");
        let applied = self.change(set, &provenance)?;
        let results = planned.iter().map(|(candidate, target)| Promoted {
            file: candidate.file.clone(),
            section: candidate.section.clone(),
            target: target.clone(),
        });
        Ok(PromoteOutcome { results: results.collect(), stayed, change: applied.change })
    }

    /// Refuses a file that promotion does not write: identity, configuration, conversations, what has a format of its own, and what fades.
    fn may_be_promoted_to(&self, target: &MemoryPath) -> Result<(), MemoryError> {
        let is_page = target.file_name().ends_with(".md") && !target.file_name().starts_with(['_', '.']);
        let is_allowed = match self.ledger.layout().store_of(target) {
            Some(Store::Core) => true,
            Some(Store::Journal) => is_page && rem_recall::date_of_path(target.as_str()).is_none(),
            Some(Store::Reference | Store::Projects) => is_page,
            _ => false,
        };
        if is_allowed {
            return Ok(());
        }
        let core = self.path(Store::Core);
        Err(MemoryError::usage(
            format!("nothing is promoted to {target}"),
            format!("name {core}, or an undated page of the journal, the reference or a project"),
        ))
    }

    fn place_of(&self, candidate: &Candidate, core_page: &mut String) -> Result<MemoryPath, MemoryError> {
        let of_category = self.ledger.layout().file(Store::Journal, &format!("{}.md", candidate.category))?;
        if self.ledger.read(&of_category)?.is_some() {
            return Ok(of_category);
        }
        let mut with = core_page.clone();
        add_section(&mut with, &candidate.content);
        let fits = Page::parse(with.as_bytes()).is_ok_and(|page| core::is_within(&page, &self.config.core));
        if fits {
            *core_page = with;
            return Ok(self.path(Store::Core).clone());
        }
        Ok(of_category)
    }
}

/// The sections of a file that a rule speaks for.
fn candidates(path: &MemoryPath, bytes: &[u8]) -> Vec<Candidate> {
    sections(path, bytes).into_iter().filter(|candidate| !candidate.reasons.is_empty()).collect()
}

/// Every heading of a file, whatever it stands below.
fn all_sections(bytes: &[u8]) -> Vec<Section> {
    fn flatten(sections: Vec<Section>, all: &mut Vec<Section>) {
        for mut section in sections {
            let children = std::mem::take(&mut section.children);
            all.push(section);
            flatten(children, all);
        }
    }
    let mut all: Vec<Section> = Vec::new();
    flatten(Document::parse(bytes).sections(), &mut all);
    all
}

/// A section's heading and its own text, without the sections below it.
fn own(section: &Section) -> std::ops::Range<usize> {
    section.bytes.start..section.content.end
}

/// Every section of a file with what speaks for it. A section's own text counts, not that of the sections below it.
fn sections(path: &MemoryPath, bytes: &[u8]) -> Vec<Candidate> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let all = all_sections(bytes);
    let mut found = Vec::new();
    for section in all.iter().filter(|section| LEVELS.contains(&section.level)) {
        // The title of the page holds the others together and stays.
        if section.level == 1 && section.content.end < section.bytes.end {
            continue;
        }
        let own = &text[own(section)];
        let (mut reasons, mut sum, mut best) = (Vec::new(), 0.0, ("", 0.0));
        for (category, weight, _, pattern) in COMPILED.iter() {
            let Some(hit) = pattern.find(own) else { continue };
            let line = section.lines.start + own[..hit.start()].matches('\n').count();
            reasons.push(Reason { category, matched_pattern: hit.as_str().to_owned(), line });
            sum += weight;
            if *weight > best.1 {
                best = (category, *weight);
            }
        }
        found.push(Candidate {
            file: path.clone(),
            section: section.title.clone(),
            content: own.to_owned(),
            reasons,
            confidence: (sum / CERTAIN).min(1.0),
            category: if best.0.is_empty() { FREQUENT } else { best.0 },
        });
    }
    found
}

/// What a text leaves open at its end, so that it would swallow what comes after it.
fn left_open(text: &str) -> Option<&'static str> {
    let (mut fence, mut in_comment): (Option<(char, usize)>, bool) = (None, false);
    for line in text.lines() {
        let bare = line.trim_start_matches(' ');
        let mark = bare.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let length = mark.map_or(0, |mark| bare.chars().take_while(|each| *each == mark).count());
        let rest = &bare[length..];
        let is_mark =
            length >= 3 && line.len() - bare.len() < 4 && (mark == Some('~') || !rest.contains('`'));
        match (fence, mark) {
            (Some((open, least)), _) => {
                let closes = is_mark && mark == Some(open) && length >= least && rest.trim().is_empty();
                fence = (!closes).then_some((open, least));
            }
            (None, Some(mark)) if is_mark && !in_comment => fence = Some((mark, length)),
            _ => {
                let mut rest = line;
                while let Some(at) = rest.find(if in_comment { "-->" } else { "<!--" }) {
                    in_comment = !in_comment && rest[..at].matches('`').count() % 2 == 0;
                    rest = &rest[at + 3..];
                }
            }
        }
    }
    match (fence, in_comment) {
        (Some(_), _) => Some("a code fence"),
        (None, true) => Some("a comment"),
        (None, false) => None,
    }
}

/// Adds a section at the end of a page as one of the second level, unless one there is the same word for word.
fn add_section(text: &mut String, section: &str) {
    let at_second_level = |section: &str| {
        let heading = section.trim_end().trim_start().trim_start_matches('#');
        format!("##{heading}")
    };
    let written = at_second_level(section);
    let is_same = |there: &Section| at_second_level(&text[own(there)]) == written;
    if all_sections(text.as_bytes()).iter().any(is_same) {
        return;
    }
    if !text.is_empty() {
        text.truncate(text.trim_end_matches(['\n', '\r', ' ']).len());
        text.push_str("\n\n");
    }
    text.push_str(&written);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> MemoryPath {
        MemoryPath::new("memory/2026-02-02.md").expect("a path")
    }

    #[test]
    fn the_reference_weights_give_its_confidence() {
        assert_eq!(COMPILED.len(), RULES.iter().map(|rule| rule.2.len()).sum::<usize>());
        let text = "# 2026-02-02\n\n## 가격 결정\n출시 가격은 ₩9,900으로 결정. margin 40%\n\n## Lunch\nsoup\n\n### IMPORTANT\nkeep the key\n";
        let found = candidates(&path(), text.as_bytes());
        let said: Vec<(&str, f64)> = found.iter().map(|one| (one.section.as_str(), one.confidence)).collect();
        // 결정 .8, ₩ .9, margin .9, 출시 .7; then IMPORTANT 1.0.
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(said[0], ("가격 결정", 1.0));
        assert!((said[1].1 - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(
            found[0].reasons[0],
            Reason { category: "decision", matched_pattern: "결정".to_owned(), line: 3 }
        );
        assert_eq!(found[0].category, "financial");
    }

    #[test]
    fn a_heading_that_is_there_already_drops_nothing() {
        let mut target = "# Core\n\n## Pricing\nold\n".to_owned();
        add_section(&mut target, "### Pricing\nnew\n\n");
        assert_eq!(target, "# Core\n\n## Pricing\nold\n\n## Pricing\nnew\n");
        add_section(&mut target, "## Pricing\nnew\n");
        assert_eq!(target.matches("new").count(), 1);
        // What begins alike is not the same, and neither is what only a code block quotes.
        add_section(&mut target, "## Pricing\nne");
        add_section(&mut target, "## Pricing");
        assert!(target.ends_with("## Pricing\nnew\n\n## Pricing\nne\n\n## Pricing\n"), "{target}");
        let mut quoting = "# Core\n\n```\n## Fee\n$5\n```\n".to_owned();
        add_section(&mut quoting, "## Fee\n$5");
        assert!(quoting.ends_with("```\n\n## Fee\n$5\n"), "{quoting}");
    }

    #[test]
    fn what_is_left_open_is_seen() {
        for (text, open) in [
            ("## A\n```\ncode\n", true),
            ("## A\n```sh\ncode\n~~~\n", true),
            ("## A\n````\n```\n", true),
            ("## A\n<!-- b\n", true),
            ("## A\n<!-- b --> <!-- c\n", true),
            ("## A\n```\n<!-- code\n```\n", false),
            ("## A\n<!--\n```\n-->\n", false),
            ("## A\nwrite `<!--` to begin one\n", false),
            ("## A\n```inline``` and `` ` ``\n", false),
            ("## A\n- b <!-- id:x -->\n", false),
            ("", false),
        ] {
            assert_eq!(left_open(text).is_some(), open, "{text}");
        }
    }
}
