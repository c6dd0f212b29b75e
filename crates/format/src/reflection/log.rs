//! `reflection-log.md` and `evolution.md`: what became of each reflection, and what was understood (seed M10.4, M10.6).
//!
//! Both are only added to here; what a person wrote in them stays byte for byte. What was rejected or asked is read back from the log,
//! so it is in git and a person can take it out of there.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;

use super::twin::{Insights, Item, ItemKind, Processed, ReflectionTrigger};
use crate::annotation::Annotation;
use crate::fielded::{self, one_line};
use crate::page::Page;

/// The reflections after which evolution.md gets a summary (M10.4).
pub const MILESTONES: [u32; 4] = [10, 25, 50, 100];

/// What a person said of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// As it is.
    Approved,
    /// In other words.
    Edited,
    /// No.
    Rejected,
    /// It was a question, and was seen.
    Asked,
}

impl Decision {
    const ALL: [Self; 4] = [Self::Approved, Self::Edited, Self::Rejected, Self::Asked];

    /// Its word in the log.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Edited => "edited",
            Self::Rejected => "rejected",
            Self::Asked => "asked",
        }
    }
}

/// An item that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// What was said.
    pub decision: Decision,
    /// Its kind.
    pub kind: ItemKind,
    /// It in a sentence.
    pub says: String,
    /// Why, where a person said so.
    pub reason: String,
    /// What it is about.
    pub key: String,
    /// What spoke for it.
    pub evidence: String,
}

impl Decided {
    /// What was said of an item.
    #[must_use]
    pub fn of(item: &Item, decision: Decision, reason: &str) -> Self {
        Self {
            decision,
            kind: item.kind,
            says: item.says.clone(),
            reason: reason.to_owned(),
            key: item.key.clone(),
            evidence: item.evidence.clone(),
        }
    }
}

/// Decisions on a reflection, made at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// Which reflection.
    pub number: u32,
    /// When it was decided.
    pub time: Timestamp,
    /// What had started it.
    pub trigger: ReflectionTrigger,
    /// What had been looked at.
    pub processed: Processed,
    /// How many episodes the memory held.
    pub episodes: usize,
    /// What was decided.
    pub decided: Vec<Decided>,
    /// How many items wait still.
    pub pending: usize,
}

impl LogEntry {
    fn outcome(&self) -> &'static str {
        let has = |wanted: &[Decision]| self.decided.iter().any(|each| wanted.contains(&each.decision));
        match (has(&[Decision::Approved, Decision::Edited]), has(&[Decision::Rejected]) || self.pending > 0) {
            (true, true) => "partial",
            (true, false) => "approved",
            (false, _) if has(&[Decision::Rejected]) => "rejected",
            (false, _) => "seen",
        }
    }

    fn render(&self) -> String {
        let Processed { episodes, entities, procedures } = self.processed;
        let total = Annotation::new().with("episodes", self.episodes.to_string());
        let mut text = format!(
            "## Reflection #{} — {} | {}\n- trigger: {}\n- processed: {episodes} episodes, {entities} entities, {procedures} procedures {total}\n",
            self.number,
            self.time,
            self.outcome(),
            self.trigger.as_str(),
        );
        for each in &self.decided {
            let note = Annotation::new().with("key", &each.key).with("evidence", &each.evidence);
            let reason = match each.reason.trim() {
                "" => String::new(),
                reason => format!("; because: {}", plain(reason)),
            };
            let (decision, says) = (each.decision.as_str(), plain(&each.says));
            text.push_str(&format!("- {decision}: {}: {says}{reason} {note}\n", each.kind));
        }
        if self.pending > 0 {
            text.push_str(&format!("- pending: {}\n", self.pending));
        }
        text
    }
}

/// Text in one line that begins no comment.
fn plain(text: &str) -> String {
    one_line(text).replace("<!--", "<! --").replace("-->", "-- >")
}

/// The log with one more entry at its end; what is there stays byte for byte.
#[must_use]
pub fn append_log(found: Option<&[u8]>, entry: &LogEntry) -> Vec<u8> {
    fielded::append(found, "# Reflection Log\n", entry.render().as_bytes())
}

/// What the log says of the reflections so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Past {
    /// The number of the last one; 0 before the first.
    pub last: u32,
    /// How many there were.
    pub reflections: usize,
    /// When the last decision was made.
    pub decided: Option<Timestamp>,
    /// How many episodes the memory held at the last one.
    pub episodes: usize,
    /// By key, the evidence with which something was decided, or asked, the last time.
    pub answered: BTreeMap<String, String>,
    /// How often each kind was approved and rejected.
    pub counts: BTreeMap<&'static str, (usize, usize)>,
    /// Questions by key: how often each was asked, and its words.
    pub questions: BTreeMap<String, (usize, String)>,
}

/// Reads a log. Lines in another form are a person's and count for nothing.
#[must_use]
pub fn past(bytes: &[u8]) -> Past {
    let mut past = Past::default();
    // Every byte that is no UTF-8 stays in the file: this is only looked at.
    let Ok(page) = Page::parse(String::from_utf8_lossy(bytes).as_bytes()) else { return past };
    let mut numbers = std::collections::BTreeSet::new();
    for title in page.titles() {
        let Some((number, time)) = heading(title) else { continue };
        numbers.insert(number);
        past.last = past.last.max(number);
        past.decided = past.decided.max(Some(time));
    }
    past.reflections = numbers.len();
    for item in page.items().iter().filter(|item| heading(&item.section).is_some()) {
        let Some((word, rest)) = item.text.split_once(": ") else { continue };
        if word == "processed" {
            let total = item.annotation.get("episodes").and_then(|total| total.parse().ok());
            past.episodes = total.unwrap_or(past.episodes);
        }
        let Some(decision) = Decision::ALL.into_iter().find(|decision| decision.as_str() == word) else {
            continue;
        };
        let (Some(key), Some((kind, says))) = (item.annotation.get("key"), rest.split_once(": ")) else {
            continue;
        };
        let Some(kind) = ItemKind::ALL.into_iter().find(|known| known.as_str() == kind) else { continue };
        let evidence = item.annotation.get("evidence").unwrap_or_default().to_owned();
        let counts = past.counts.entry(kind.as_str()).or_default();
        match decision {
            Decision::Approved | Decision::Edited => counts.0 += 1,
            Decision::Rejected => counts.1 += 1,
            Decision::Asked => past.questions.entry(key.to_owned()).or_insert((0, says.to_owned())).0 += 1,
        }
        past.answered.insert(key.to_owned(), evidence);
    }
    past
}

/// The number and the time of an entry's heading: `Reflection #5 — TIME | approved`.
fn heading(title: &str) -> Option<(u32, Timestamp)> {
    let (number, rest) = title.trim().strip_prefix("Reflection #")?.split_once(" — ")?;
    let (time, _) = rest.split_once(" | ")?;
    Some((number.parse().ok()?, time.trim().parse().ok()?))
}

/// What recurs in a log, a sentence each (M10.4): how items of each kind were answered, and which questions came up again.
#[must_use]
pub fn recurring(past: &Past) -> Vec<String> {
    let counts = past.counts.iter().filter(|(kind, _)| **kind != ItemKind::Question.as_str());
    let mut lines: Vec<String> = counts
        .filter(|(_, (approved, rejected))| approved + rejected > 0)
        .map(|(kind, (approved, rejected))| {
            format!("Of {} proposals of the kind {kind}, {approved} were approved.", approved + rejected)
        })
        .collect();
    let again = past.questions.values().filter(|(count, _)| *count > 1);
    lines.extend(again.map(|(count, says)| format!("A question that was asked {count} times: {says}")));
    lines
}

/// The summary that evolution.md lacks after so many reflections; the latest where several do.
#[must_use]
pub fn due_milestone(number: u32, evolution: &[u8]) -> Option<u32> {
    let latest = MILESTONES.into_iter().rev().find(|milestone| *milestone <= number)?;
    let text = String::from_utf8_lossy(evolution);
    let heading = format!("## Milestone: {latest} reflections");
    (!text.lines().any(|line| line.starts_with(&heading))).then_some(latest)
}

/// evolution.md with what a reflection showed, once for each, and with the summary where a milestone is due; what is there stays byte
/// for byte.
#[must_use]
pub fn append_evolution(
    found: Option<&[u8]>,
    number: u32,
    day: Date,
    insights: &Insights,
    past: &Past,
) -> Vec<u8> {
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    let heading = format!("## Reflection #{number} — ");
    let is_told = String::from_utf8_lossy(&bytes).lines().any(|line| line.starts_with(&heading));
    if !is_told {
        let mut entry = format!("{heading}{day}\n");
        for (title, lines) in [
            ("What I've Learned About Learning", &insights.learning),
            ("Evolving Understanding", &insights.understanding),
            ("Emergent Theme", &insights.theme),
        ] {
            if !lines.is_empty() {
                entry.push_str(&format!("### {title}\n"));
                lines.iter().for_each(|line| entry.push_str(&format!("- {}\n", plain(line))));
            }
        }
        bytes = fielded::append(Some(&bytes), "# Evolution\n", entry.as_bytes());
    }
    if let Some(milestone) = due_milestone(number, &bytes) {
        let what = match milestone {
            10 => "Initial patterns",
            25 => "Threads so far",
            50 => "What has changed",
            _ => "Looking back",
        };
        let mut entry = format!("## Milestone: {milestone} reflections — {day}\n### {what}\n");
        let lines = recurring(past);
        match lines.is_empty() {
            true => entry.push_str("- Nothing was decided often enough to show a pattern.\n"),
            false => lines.iter().for_each(|line| entry.push_str(&format!("- {}\n", plain(line)))),
        }
        bytes = fielded::append(Some(&bytes), "# Evolution\n", entry.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::twin::tests::item;
    use super::*;

    fn entry(number: u32, decided: Vec<Decided>) -> LogEntry {
        LogEntry {
            number,
            time: "2026-02-02T03:00:00Z".parse().expect("a time"),
            trigger: ReflectionTrigger::Request,
            processed: Processed::default(),
            episodes: 7,
            decided,
            pending: 0,
        }
    }

    #[test]
    fn what_was_decided_is_read_back_with_its_evidence() {
        let one = item("a1", ItemKind::Archival, "concept--x <!-- odd --> | says: so");
        let page = b"# Reflection Log\r\n\r\n## By hand\r\n- rejected: archival: x <!-- key:kb -->\r\n\xff";
        let rejected = append_log(
            Some(page),
            &entry(1, vec![Decided::of(&one, Decision::Rejected, "it may be needed")]),
        );
        assert!(rejected.starts_with(page));
        let read = past(&rejected);
        assert_eq!((read.last, read.reflections, read.episodes), (1, 1, 7));
        assert_eq!(read.answered, BTreeMap::from([("ka1".to_owned(), "e".to_owned())]));
        let text = String::from_utf8_lossy(&rejected).into_owned();
        assert!(text.contains("## Reflection #1 — 2026-02-02T03:00:00Z | rejected\n"), "{text}");
        assert!(text.contains("says: so; because: it may be needed <!-- key:ka1 | evidence:e -->"), "{text}");
        let approved =
            append_log(Some(&rejected), &entry(2, vec![Decided::of(&one, Decision::Approved, "")]));
        let read = past(&approved);
        assert_eq!((read.last, read.answered.len()), (2, 1));
        assert_eq!(recurring(&read), ["Of 2 proposals of the kind archival, 1 were approved."]);
    }

    #[test]
    fn evolution_grows_once_for_each_reflection_and_at_milestones() {
        let insights = Insights { theme: vec!["Boats".to_owned()], ..Insights::default() };
        let day = jiff::civil::date(2026, 2, 2);
        let grow =
            |found: &[u8], number| append_evolution(Some(found), number, day, &insights, &Past::default());
        let one = grow(b"# Evolution\n\nby hand \xff\n", 9);
        assert!(one.starts_with(b"# Evolution\n\nby hand \xff\n\n## Reflection #9"));
        assert_eq!(grow(&one, 9), one);
        let ten = grow(&one, 10);
        let text = String::from_utf8_lossy(&ten).into_owned();
        assert!(text.contains("### Emergent Theme\n- Boats\n"), "{text}");
        assert!(text.contains("## Milestone: 10 reflections — 2026-02-02\n### Initial patterns\n"), "{text}");
        assert_eq!(due_milestone(24, &ten), None);
        assert_eq!(
            (due_milestone(25, &ten), due_milestone(100, b""), due_milestone(9, b"")),
            (Some(25), Some(100), None)
        );
    }

    proptest! {
        #[test]
        fn decisions_are_read_back(
            says in "\\PC{0,30}", reason in "\\PC{0,20}", before in "(?s)(|# Reflection Log\n|a\r\n|\\PC{0,20})",
        ) {
            let rejected = Decided::of(&item("a1", ItemKind::Stale, &format!("x {says} y")), Decision::Rejected, &reason);
            let bytes = append_log(Some(before.as_bytes()), &entry(3, vec![rejected]));
            prop_assert!(bytes.starts_with(before.as_bytes()) || before.trim().is_empty());
            let read = past(&bytes);
            // An open fence or comment before it takes in whatever comes after.
            if !before.contains(['`', '~', '<']) {
                prop_assert_eq!((read.last, read.answered.contains_key("ka1")), (3, true), "{}", String::from_utf8_lossy(&bytes));
            }
        }

        #[test]
        fn no_log_is_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = past(&bytes);
            let _ = append_evolution(Some(&bytes), 10, jiff::civil::date(2026, 2, 2), &Insights::default(), &Past::default());
        }
    }
}
