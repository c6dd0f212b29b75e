//! Phase 2 (M10.4) by rules, and what is told without being proposed: what is new, what past reflections show, what comes up most.

use std::collections::BTreeMap;

use rem_format::decay_scores::Visibility;
use rem_format::episode::{self, EpisodeKind, parse_episode_id};
use rem_format::reflection::{Insights, recurring};
use rem_ledger::Store;
use rem_recall::decay::StoreKind;

use super::survey::Survey;
use crate::error::MemoryError;
use crate::memory::Memory;

/// The most of a kind that is told.
const MOST_TOLD: usize = 10;
/// No more days than this are read for what is told.
const MOST_DAYS: usize = 31;
/// What comes up so often is a theme.
const THEME: usize = 2;
/// The most characters of what is told.
const SHORT: usize = 200;

impl Memory {
    /// Entities that are new since the last reflection, and decisions among the episodes no reflection has looked at.
    pub(super) fn new_knowledge(&self, survey: &Survey) -> Result<Vec<String>, MemoryError> {
        let decided = survey
            .past
            .decided
            .map(|time| rem_recall::days_since_1970(time.to_zoned(self.time_zone().clone()).date()));
        let hidden: Vec<&str> = survey
            .files
            .iter()
            .filter(|file| file.is_private)
            .filter_map(|file| file.memory.as_deref())
            .collect();
        let new = survey.standings.iter().filter(|each| {
            each.memory.id.starts_with("entity:")
                && !each.memory.archived
                && !hidden.contains(&each.memory.id.as_str())
                && each.memory.created.is_some_and(|created| decided.is_none_or(|decided| created >= decided))
        });
        let mut told: Vec<String> = new
            .take(MOST_TOLD)
            .map(|each| format!("New entity: {}", each.memory.id.trim_start_matches("entity:")))
            .collect();
        let episodes = self.waiting_episodes(survey)?;
        let decisions = episodes.iter().filter(|(_, each)| each.kind == EpisodeKind::Decision);
        told.extend(
            decisions.take(MOST_TOLD).map(|(day, each)| format!("Decided on {day}: {}", brief(&each.text))),
        );
        Ok(told)
    }

    /// What recurs, what was corrected since, and what the newest episodes are about (M10.4).
    pub(super) fn insights(&self, survey: &Survey) -> Result<Insights, MemoryError> {
        let since = survey.past.decided;
        let corrected = self.corrections()?.into_iter().rev().filter(|each| {
            each.logged
                .parse::<jiff::Timestamp>()
                .is_ok_and(|logged| since.is_none_or(|since| logged > since))
        });
        let understanding = corrected.take(MOST_TOLD / 2).map(|each| match each.wrong.is_empty() {
            true => format!("Corrected: {}", brief(&each.right)),
            false => format!("Corrected: {} (it had been: {})", brief(&each.right), brief(&each.wrong)),
        });
        let mut tags: BTreeMap<String, usize> = BTreeMap::new();
        for (_, each) in self.waiting_episodes(survey)? {
            let telling = each.tags.into_iter().filter(|tag| is_telling(tag));
            telling.for_each(|tag| *tags.entry(tag).or_default() += 1);
        }
        let mut tags: Vec<(String, usize)> = tags.into_iter().filter(|(_, count)| *count >= THEME).collect();
        tags.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        let theme = tags
            .into_iter()
            .take(3)
            .map(|(tag, count)| format!("{tag} came up {count} times since the last reflection"));
        Ok(Insights {
            learning: recurring(&survey.past),
            understanding: understanding.collect(),
            theme: theme.collect(),
        })
    }

    /// The newest of the episodes that no reflection has looked at, newest first, without those for some people alone.
    fn waiting_episodes(
        &self,
        survey: &Survey,
    ) -> Result<Vec<(jiff::civil::Date, episode::Episode)>, MemoryError> {
        let mut days: Vec<jiff::civil::Date> = survey
            .standings
            .iter()
            .rev()
            .filter(|each| each.memory.standing.store == StoreKind::Episodic)
            .take(survey.waiting())
            .filter_map(|each| Some(parse_episode_id(&each.memory.id)?.0))
            .collect();
        days.dedup();
        let mut found = Vec::new();
        for day in days.into_iter().take(MOST_DAYS) {
            let path = self.ledger.layout().file(Store::Episodes, &format!("{day}.md"))?;
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            let placed = episode::parse(&bytes).0.into_iter().rev().map(|placed| (day, placed.episode));
            found.extend(placed.filter(|(_, each)| each.addressees.is_empty()));
        }
        found.truncate(survey.waiting());
        Ok(found)
    }
}

/// Whether a tag is a theme: no word that stands in sentences of any kind.
fn is_telling(tag: &str) -> bool {
    const SAYING_NOTHING: &[&str] = &[
        "go",
        "goes",
        "going",
        "went",
        "gone",
        "get",
        "gets",
        "got",
        "do",
        "does",
        "did",
        "done",
        "make",
        "makes",
        "made",
        "take",
        "takes",
        "took",
        "come",
        "comes",
        "came",
        "say",
        "says",
        "said",
        "see",
        "seen",
        "saw",
        "use",
        "used",
        "want",
        "need",
        "know",
        "think",
        "look",
        "new",
        "old",
        "good",
        "first",
        "last",
        "next",
        "today",
        "tomorrow",
        "yesterday",
        "day",
        "time",
        "thing",
        "things",
        "way",
        "now",
        "then",
        "also",
        "really",
        "just",
        "back",
        "out",
        "up",
        "down",
        "off",
        "this",
        "that",
        "with",
        "from",
        "have",
        "been",
        "will",
        "gehen",
        "geht",
        "ging",
        "machen",
        "macht",
        "gemacht",
        "haben",
        "heute",
        "morgen",
        "gestern",
        "neu",
        "neue",
        "tag",
        "zeit",
        "sache",
        "오늘",
        "내일",
        "어제",
        "그냥",
        "했다",
        "今天",
        "明天",
        "昨天",
        "时候",
        "event",
        "decision",
        "knowledge",
        "lesson",
    ];
    tag.chars().count() > 1 && !SAYING_NOTHING.contains(&tag.to_lowercase().as_str())
}

/// Connections that were first seen since the last reflection.
pub(super) fn new_connections(survey: &Survey) -> Vec<String> {
    let since = survey.past.decided.map(|time| time.to_string());
    let is_new = |seen: &Option<String>| match (seen, &since) {
        (Some(seen), Some(since)) => seen.get(..10) >= since.get(..10),
        (Some(_), None) => true,
        (None, _) => false,
    };
    let private: std::collections::BTreeSet<&str> = survey
        .files
        .iter()
        .filter(|file| file.is_private)
        .filter_map(|file| file.memory.as_deref()?.strip_prefix("entity:"))
        .collect();
    let is_open = |id: &str| !private.contains(id);
    let new = survey
        .edges
        .iter()
        .filter(|edge| is_new(&edge.first_seen) && is_open(&edge.from) && is_open(&edge.to));
    new.take(MOST_TOLD).map(|edge| format!("{} → {} → {} (NEW)", edge.from, edge.relation, edge.to)).collect()
}

/// How many episodes faded: they stay in their files, which are only added to.
pub(super) fn faded_episodes(survey: &Survey) -> String {
    let faded = survey.standings.iter().filter(|each| {
        each.memory.standing.store == StoreKind::Episodic
            && each.visibility == Visibility::Archived
            && !each.memory.archived
    });
    match faded.count() {
        0 => String::new(),
        1 => "One episode faded; it stays in its file and is found with `--include archived`".to_owned(),
        count => format!(
            "{count} episodes faded; they stay in their files and are found with `--include archived`"
        ),
    }
}

fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
