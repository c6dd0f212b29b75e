//! What leaves MEMORY.md when it is pruned (P5.5, A8.5): entries nobody is sure of any more, what stands there twice, and what exceeds the caps.
//!
//! Nothing is dropped: each entry stands in another page afterwards. Pinned entries, corrections and what a person wrote without a
//! comment stay. Pure: a page in, a page and what left it out.

use jiff::civil::Date;
use rem_format::config::Config;
use rem_format::page::{Item, Page};

use super::keeping::is_correction;
use crate::stores::confidence::confidence_on;
use crate::stores::core::{self, Demoted};
use crate::stores::statement::Statement;

/// What leaves a page, and why.
#[derive(Debug, Default)]
pub(crate) struct Left {
    /// What goes into the archive, each with the reason.
    pub(crate) archived: Vec<(Demoted, String)>,
    /// What makes room and goes to its long-term store.
    pub(crate) demoted: Vec<Demoted>,
}

/// Takes out of MEMORY.md what need not be there on `today`.
pub(crate) fn tidy(page: &mut Page, config: &Config, today: Date) -> Left {
    let mut left = Left::default();
    if page.is_pinned() {
        return left;
    }
    while let Some((index, why)) = next_to_archive(page, config, today) {
        left.archived.push((out_of(page.items()[index].clone()), why));
        page.remove(index);
    }
    left.demoted = core::make_room(page, &config.core, "", today);
    left
}

fn next_to_archive(page: &Page, config: &Config, today: Date) -> Option<(usize, String)> {
    let items = page.items();
    let stale = items.iter().enumerate().find_map(|(index, item)| {
        may_go(item).then(|| Some((index, staleness(item, config, today)?))).flatten()
    });
    stale.or_else(|| repeated(items))
}

/// Why nobody is sure of an entry any more, where that is so.
fn staleness(item: &Item, config: &Config, today: Date) -> Option<String> {
    let stored: f64 = item.annotation.get("confidence")?.parse().ok()?;
    let last = item.annotation.date("last").or_else(|| item.annotation.date("since"))?;
    let days = u64::try_from((today - last).get_days()).unwrap_or(0);
    let confidence = confidence_on(stored, last, today, &config.confidence);
    let settings = &config.compaction;
    let is_stale = confidence < settings.hygiene_confidence && days > settings.hygiene_unmentioned_days;
    is_stale.then(|| format!("confidence {confidence:.2}, not mentioned for {days} days"))
}

/// The entry that says nearly word for word what another of the same people says: the one that was mentioned less, else the earlier.
fn repeated(items: &[Item]) -> Option<(usize, String)> {
    let statements: Vec<Statement> = items.iter().map(|item| Statement::new(item.plain())).collect();
    let is_candidate = |item: &Item| may_go(item) && item.ended().is_none();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.ended().is_none()) {
        for (other_at, other) in items.iter().enumerate().skip(at + 1) {
            let is_same = other.ended().is_none()
                && item.annotation.get("for") == other.annotation.get("for")
                && statements[at].is_worded_as(&statements[other_at])
                && statements[other_at].is_worded_as(&statements[at]);
            if !is_same {
                continue;
            }
            let mentions = |item: &Item| {
                item.annotation.get("mentions").and_then(|count| count.parse().ok()).unwrap_or(1_u32)
            };
            let goes = match is_candidate(item) && mentions(item) <= mentions(other) {
                true => at,
                false if is_candidate(other) => other_at,
                false if is_candidate(item) => at,
                false => continue,
            };
            return Some((goes, "stands there twice".to_owned()));
        }
    }
    None
}

fn may_go(item: &Item) -> bool {
    !core::is_pinned(item)
        && item.annotation.get("id").is_some()
        && !is_correction(&item.text, &item.annotation)
}

fn out_of(item: Item) -> Demoted {
    Demoted { section: item.section, text: item.text, annotation: item.annotation }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn tidied(text: &str) -> (String, Vec<(String, String)>) {
        let mut page = Page::parse(text.as_bytes()).expect("UTF-8");
        let left = tidy(&mut page, &Config::default(), date(2026, 3, 1));
        let archived = left.archived.into_iter().map(|(entry, why)| (entry.text, why)).collect();
        (page.as_str().to_owned(), archived)
    }

    #[test]
    fn what_nobody_is_sure_of_or_stands_there_twice_goes_and_the_rest_stays() {
        let (page, archived) = tidied(
            "# M\n\n## Persona\n- likes figs <!-- id:a | since:2025-12-01 | confidence:0.35 -->\n\
             - likes plums <!-- id:b | since:2026-01-20 | confidence:0.25 -->\n\
             - likes pears <!-- id:c | since:2025-12-01 | confidence:0.35 | pinned:yes -->\n\
             - likes dates #correction <!-- id:d | since:2025-12-01 | confidence:0.1 -->\n\
             - likes nuts, by hand\n\
             - The boat is called Anna <!-- id:e | since:2026-02-01 | confidence:0.9 -->\n\
             - The boat is called Anna. <!-- id:f | since:2026-02-02 | confidence:0.9 | mentions:3 -->\n\
             - The boat is called Berta <!-- id:g | since:2026-02-03 | confidence:0.9 | for:Mira -->\n",
        );
        let texts: Vec<&str> = archived.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts, ["likes figs", "The boat is called Anna"]);
        assert_eq!(archived[0].1, "confidence 0.20, not mentioned for 90 days");
        for kept in ["plums", "pears", "dates", "nuts", "id:f", "id:g"] {
            assert!(page.contains(kept), "{kept}");
        }
    }
}
