//! Whether something noted later gives up what was settled before: "we're switching from SQLite to Postgres".
//!
//! Only so that MEMORY.md does not get, or keep, what is over: where it is noted it stays. In doubt it is not over.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;
use rem_recall::content_words;

/// What is given up, by its name.
static GIVEN_UP: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    const NAME: &str =
        r"(?:the |our |den |die |das )?(?P<old>[\p{L}\p{N}][\p{L}\p{N}.+#-]*(?: \p{Lu}[\p{L}\p{N}.+#-]*)?)";
    const EASTERN: &str = r"(?P<old>[\p{L}\p{N}.+#-]{2,20}?)";
    let wordings = [
        format!(
            r"(?i:switch(?:ed|ing)?|migrat(?:e|ed|ing)|mov(?:e|ed|ing)|chang(?:e|ed|ing)) (?:\p{{L}}+ ){{0,3}}(?i:from) {NAME} (?i:to)\b"
        ),
        format!(r"(?i:replac(?:e|ed|ing)|swap(?:ped|ping)?) {NAME} (?i:with|by|for)\b"),
        format!(r"(?i:instead of) {NAME}"),
        format!(
            r"(?i:no longer use|no longer using|stopped using|dropping|dropped|retired|abandoned) {NAME}"
        ),
        format!(
            r"(?i:wechseln|gewechselt|wechsel|umgestiegen|umziehen|umgezogen|steigen|stellen) (?:\p{{L}}+ ){{0,3}}(?i:von) {NAME} (?i:auf|zu|nach)\b"
        ),
        format!(r"(?i:von) {NAME} (?i:auf|zu|nach) \S+ (?i:gewechselt|umgestiegen|umgezogen|umgestellt)"),
        format!(r"(?i:ersetzen|ersetzt|tauschen) {NAME} (?i:durch|gegen)\b"),
        format!(r"(?i:statt|anstelle von) {NAME}"),
        format!(r"{EASTERN}(?:에서) \S+?(?:으로|로) (?:바꾸|바꿨|옮기|옮겼|전환|갈아)"),
        format!(r"{EASTERN} 대신"),
        format!(r"从{EASTERN}(?:换成|换到|改成|改用|迁移到|迁到|切换到)"),
        format!(r"(?:不再用|不再使用){EASTERN}(?:[，。,.了]|$)"),
    ];
    wordings.iter().filter_map(|wording| Regex::new(wording).ok()).collect()
});

/// Whether the later text gives up what the earlier one settled: it names it, and both speak of the same in another word as well.
pub(super) fn leaves(later: &str, earlier: &str) -> bool {
    let given_up = GIVEN_UP.iter().flat_map(|wording| wording.captures_iter(later));
    let mut names = given_up.filter_map(|found| found.name("old")).map(|old| old.as_str()).peekable();
    if names.peek().is_none() || names_what_it_leaves(earlier) {
        return false;
    }
    let (mine, theirs) = (words_of(later), words_of(earlier));
    names.any(|name| {
        let name = words_of(name);
        !name.is_empty()
            && name.is_subset(&theirs)
            && mine.intersection(&theirs).any(|word| !name.contains(word))
    })
}

/// Whether a text is itself about giving something up: which of two such is over their words do not say.
fn names_what_it_leaves(text: &str) -> bool {
    GIVEN_UP.iter().any(|wording| wording.is_match(text))
}

fn words_of(text: &str) -> HashSet<String> {
    content_words(text, &[])
        .into_iter()
        .flat_map(|word| word.tokens)
        .filter(|word| word.chars().count() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_up_by_name_is_over_and_nothing_else() {
        for (later, earlier, is_over) in [
            (
                "We're switching from SQLite to Postgres as our database, because it locked",
                "We decided to use SQLite as our database, because it is one file",
                true,
            ),
            ("The booking service replaced Redis with Valkey", "We use Redis in the booking service", true),
            (
                "From now on the backups go to Hetzner instead of Dropbox",
                "Backups go to Dropbox every night",
                true,
            ),
            ("Wir wechseln bei der Datenbank von SQLite auf Postgres", "Unsere Datenbank ist SQLite", true),
            (
                "데이터베이스는 SQLite에서 Postgres로 바꾸기로 했다",
                "데이터베이스는 SQLite로 하기로 했다",
                true,
            ),
            ("数据库从SQLite换成Postgres", "数据库用SQLite", true),
            (
                "We're switching from SQLite to Postgres as our database",
                "The database is backed up every night",
                false,
            ),
            (
                "We're switching from SQLite to Postgres as our database",
                "SQLite is taught in the Tuesday course",
                false,
            ),
            ("We use Postgres as our database", "We decided to use SQLite as our database", false),
            ("We moved from Bremen to Lyon in May", "The office in Lyon opens in May", false),
            (
                "We switched from Postgres to SQLite as our database",
                "We switched from SQLite to Postgres as our database",
                false,
            ),
            ("We drive from Bremen to Lyon", "The office is in Bremen", false),
        ] {
            assert_eq!(leaves(later, earlier), is_over, "{later} | {earlier}");
        }
    }
}
