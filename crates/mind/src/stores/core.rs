//! MEMORY.md: what is always in the agent's context (M4, A2.2).
//!
//! Four blocks and whatever other headings a person made. Two caps hold, tokens and lines; what would exceed them moves the
//! least relevant entry that is not pinned to its long-term store, in the same change set: nothing is dropped. A person's
//! formatting stays byte for byte.

use jiff::civil::Date;
use rem_format::annotation::Annotation;
use rem_format::config::CoreSettings;
use rem_format::page::{Item, Page};

use crate::lifecycle::keeping::is_correction;

/// Who the user is.
pub(crate) const IDENTITY: &str = "Identity";
/// What is happening now.
pub(crate) const ACTIVE: &str = "Active Context";
/// How to work with this user.
pub(crate) const PERSONA: &str = "Persona";
/// What must never be forgotten.
pub(crate) const CRITICAL: &str = "Critical Facts";

/// An entry that had to make room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Demoted {
    /// The block it stood in.
    pub(crate) section: String,
    pub(crate) text: String,
    pub(crate) annotation: Annotation,
}

/// Whether a page keeps both caps.
pub(crate) fn is_within(page: &Page, settings: &CoreSettings) -> bool {
    let lines = u64::try_from(page.as_str().lines().count()).unwrap_or(u64::MAX);
    lines <= settings.line_cap && count_tokens(page) <= settings.token_cap
}

fn count_tokens(page: &Page) -> u64 {
    u64::try_from(rem_reason::count_tokens(page.as_str())).unwrap_or(u64::MAX)
}

/// Tokens that an entry takes with its comment, or more.
const ENTRY_TOKENS: u64 = 120;

/// Whether MEMORY.md has room for one more entry of a usual length: sooner told than found out by writing one.
pub(crate) fn has_room(text: &str, settings: &CoreSettings) -> bool {
    let lines = u64::try_from(text.lines().count()).unwrap_or(u64::MAX);
    lines < settings.line_cap
        && u64::try_from(rem_reason::count_tokens(text)).unwrap_or(u64::MAX) + ENTRY_TOKENS
            <= settings.token_cap
}

/// Between what was true before and what was true before that.
const BETWEEN: &str = "; ";

/// What an entry said until `today`, and before, the newest first, for the comment of what holds now: in MEMORY.md every line costs
/// context. `known` are comments that tell of what was before as well.
pub(crate) fn was(entry: &Item, today: Date, known: &[&Annotation]) -> String {
    let since = entry.annotation.get("since").unwrap_or("?");
    let mut all = vec![format!("{} ({since} to {today})", entry.plain())];
    for old in known.iter().filter_map(|annotation| annotation.get("was")) {
        if !all.iter().any(|one| one == old) {
            all.push(old.to_owned());
        }
    }
    all.join(BETWEEN)
}

/// Takes what was true before the last time out of the entry that tells most of it; nothing where none tells of more than one.
fn without_history(page: &mut Page) -> Option<Vec<Demoted>> {
    let older = |item: &Item| {
        let was = item.annotation.get("was")?;
        was.find(&format!("){BETWEEN}")).map(|at| at + 1)
    };
    let told = page.items().iter().enumerate().filter_map(|(index, item)| Some((index, older(item)?)));
    let (index, cut) = told.max_by_key(|(index, cut)| {
        page.items()[*index].annotation.get("was").map_or(0, |was| was.len() - cut)
    })?;
    let item = page.items()[index].clone();
    let was = item.annotation.get("was")?.to_owned();
    page.set(index, &item.text, &item.annotation.clone().with("was", &was[..cut]));
    let end = format!("){BETWEEN}");
    let gone = was[cut + BETWEEN.len()..].split_inclusive(end.as_str());
    let demoted = gone.map(|one| {
        let one = one.trim_end_matches(BETWEEN);
        let dates = one.rsplit_once(" (").and_then(|(text, dates)| {
            let (since, until) = dates.strip_suffix(')')?.split_once(" to ")?;
            Some((text, since.to_owned(), until.to_owned()))
        });
        let (text, annotation) = match dates {
            Some((text, since, until)) => {
                (text, Annotation::new().with("since", since).with("superseded", until))
            }
            None => (one, Annotation::new()),
        };
        Demoted { section: item.section.clone(), text: format!("~~{text}~~"), annotation }
    });
    Some(demoted.collect())
}

/// Takes out entry `wrong`, in whose place entry `right` holds: what it said stays in that one's comment.
pub(crate) fn take_over(page: &mut Page, right: usize, wrong: usize, today: Date) {
    let (standing, gone) = (page.items()[right].clone(), &page.items()[wrong]);
    let was = was(gone, today, &[&standing.annotation, &gone.annotation]);
    let annotation = standing.annotation.clone().with("was", was);
    page.set(right, &standing.text, &annotation);
    page.remove(wrong);
}

/// Puts what is right into the line of entry `wrong`, with what is known of it elsewhere; what it said stays in the comment.
pub(crate) fn take_place(page: &mut Page, wrong: usize, right: &str, of_right: &Annotation, today: Date) {
    let gone = page.items()[wrong].clone();
    let mut annotation = gone.annotation.clone();
    for key in ["since", "last", "confidence", "mentions", "source", "tags"] {
        annotation.remove(key);
        if let Some(value) = of_right.get(key) {
            annotation.set(key, value);
        }
    }
    page.set(wrong, right, &annotation.with("was", was(&gone, today, &[&gone.annotation])));
}

/// Takes entries out until both caps hold, the least relevant first, and before any of them what entries say of long ago; `keep` is the id of the newest, which stays. What is pinned
/// or a correction stays, and so does what a person wrote without a comment: it may be theirs for a reason. What could not be freed is left
/// over the cap for `rem verify` to say.
pub(crate) fn make_room(page: &mut Page, settings: &CoreSettings, keep: &str, today: Date) -> Vec<Demoted> {
    let mut demoted = Vec::new();
    // Of a page that is pinned as a whole nothing goes.
    while !page.is_pinned() && !is_within(page, settings) {
        if count_tokens(page) > settings.token_cap
            && let Some(history) = without_history(page)
        {
            demoted.extend(history);
            continue;
        }
        let may_go = |item: &Item| {
            let is_named = item.annotation.get("id").is_some_and(|id| id != keep);
            is_named && !is_pinned(item) && !is_correction(&item.text, &item.annotation)
        };
        let least = page
            .items()
            .iter()
            .enumerate()
            .filter(|(_, item)| may_go(item))
            .min_by(|(_, one), (_, other)| worth(one, today).total_cmp(&worth(other, today)));
        let Some((index, item)) = least.map(|(index, item)| (index, item.clone())) else { break };
        page.remove(index);
        demoted.push(Demoted { section: item.section, text: item.text, annotation: item.annotation });
    }
    demoted
}

/// Whether a person wants the entry kept where it is.
pub(crate) fn is_pinned(item: &Item) -> bool {
    item.annotation.is_yes("pinned")
}

/// How much an entry matters now: M9.1's shape, with mentions as accesses and the block as importance.
fn worth(item: &Item, today: Date) -> f64 {
    let date = ["last", "since"].into_iter().find_map(|key| item.annotation.get(key)?.parse::<Date>().ok());
    let days = date.map_or(0, |date| (today - date).get_days());
    let mentions = item.annotation.get("mentions").and_then(|mentions| mentions.parse().ok()).unwrap_or(1);
    let base = match item.section.as_str() {
        CRITICAL | IDENTITY => 1.0,
        PERSONA => 0.8,
        // What is happening now is over first.
        ACTIVE => 0.5,
        _ => 0.7,
    };
    rem_recall::decay::relevance(base, f64::from(days), mentions, 1.0, 0.03)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rem_format::config::Config;

    use super::*;

    #[test]
    fn the_least_relevant_makes_room_and_what_is_pinned_stays() {
        let mut text =
            "# Core Memory\r\n\r\n## Identity\r\n* by hand\r\n\r\n## Active Context\r\n".to_owned();
        for number in 0..40 {
            let pinned = if number == 0 { " | pinned:yes" } else { "" };
            text.push_str(&format!(
                "- task {number} <!-- id:t{number} | since:2026-01-{:02}{pinned} -->\r\n",
                1 + number % 28
            ));
        }
        let mut page = Page::parse(text.as_bytes()).expect("UTF-8");
        let settings = CoreSettings { line_cap: 30, ..Config::default().core };
        let demoted = make_room(&mut page, &settings, "t1", date(2026, 2, 1));
        assert!(is_within(&page, &settings));
        assert_eq!(demoted.len() + page.items().len(), 41);
        assert!(page.as_str().starts_with(
            "# Core Memory\r\n\r\n## Identity\r\n* by hand\r\n\r\n## Active Context\r\n- task 0 <!--"
        ));
        assert!(page.items().iter().any(|item| item.annotation.get("id") == Some("t1")));
        // The oldest went, apart from the two.
        assert_eq!(demoted[0].text, "task 28");
        let tight = CoreSettings { token_cap: 1, ..settings };
        make_room(&mut page, &tight, "t1", date(2026, 2, 1));
        assert_eq!(page.items().len(), 3);
    }

    #[test]
    fn where_there_is_no_room_what_was_true_long_ago_goes_before_anything_that_is() {
        let text = "# Core Memory\n\n## Identity\n- I live in Bonn <!-- id:a1 | was:I live in Oslo (2026-03-02 to 2026-03-03); I live in Lyon (2026-02-01 to 2026-03-02); Bo (by hand) -->\n";
        let mut page = Page::parse(text.as_bytes()).expect("UTF-8");
        let settings = CoreSettings { token_cap: count_tokens(&page) - 1, ..Config::default().core };
        let demoted = make_room(&mut page, &settings, "", date(2026, 3, 4));
        let gone: Vec<(&str, String)> =
            demoted.iter().map(|one| (one.text.as_str(), one.annotation.to_string())).collect();
        let dates = "<!-- since:2026-02-01 | superseded:2026-03-02 -->".to_owned();
        assert_eq!(
            gone,
            [("~~I live in Lyon~~", dates), ("~~Bo (by hand)~~", Annotation::new().to_string())]
        );
        assert!(
            page.as_str().contains("was:I live in Oslo (2026-03-02 to 2026-03-03) -->"),
            "{}",
            page.as_str()
        );
    }
}
