//! What the index notes of a passage and a file besides their words: who speaks, whether it asks, what it is tagged with.
//!
//! Ranking uses the traits, filters use the facets.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use rem_format::annotation::Annotation;
use rem_format::document::{Document, Value};

use crate::analyzer::fold;
use crate::correction::is_struck;
use crate::database::IndexError;
use crate::index::Index;
use crate::passage::Passage;
use crate::segment::Traits;

/// Front matter keys whose values are facets, with the name of the facet.
const FACETS: [(&str, &str); 9] = [
    ("tags", "tag"),
    ("tag", "tag"),
    ("agent", "agent"),
    ("project", "project"),
    ("projects", "project"),
    ("person", "person"),
    ("people", "person"),
    ("participants", "person"),
    ("aliases", "alias"),
];
/// A speaker's name before a colon has at most so many characters and words.
const LONGEST_NAME: (usize, usize) = (40, 3);

/// Whether a file says of itself that it is out of use: `status: archived` in its front matter, or in the comments under its title.
/// It is kept and left out of ordinary searches.
#[must_use]
pub fn is_archived(content: &[u8]) -> bool {
    /// So many bytes are looked at: front matter and title stand at the beginning.
    const START: usize = 2_048;
    let start = String::from_utf8_lossy(&content[..content.len().min(START)]);
    let is_status = |line: &str| {
        let comment = Annotation::parse(line);
        let status = comment.as_ref().and_then(|comment| comment.get("status"));
        status
            .or_else(|| line.strip_prefix("status:"))
            .is_some_and(|status| status.trim().eq_ignore_ascii_case("archived"))
    };
    let header = start.lines().take_while(|line| !line.starts_with("## "));
    let in_front_matter = start.starts_with("---");
    header.filter(|line| line.starts_with("<!--") || in_front_matter).any(is_status)
}

/// What a passage is, in a file of this category; what a turn holds is looked for in turns alone. `has_more` says that its file has other passages than this one.
pub(crate) fn traits(passage: &Passage, category: &str, has_more: bool) -> Traits {
    let role = passage.speaker.as_deref();
    let (said, is_turn) = (said(passage), role.is_some());
    Traits::default()
        .with(Traits::TURN, is_turn)
        .with(Traits::USER, role.is_some_and(|role| role.starts_with("user")))
        .with(Traits::QUESTION, asks(said))
        .with(Traits::BARE, has_more && passage.is_bare())
        .with(Traits::BLANK, category != "conversation" && passage.is_blank())
        .with(Traits::CORRECTION, category == "correction")
        .with(Traits::EVENT, matches!(category, "conversation" | "journal" | "episode"))
        .with(Traits::PROCEDURE, category == "procedure")
        .with(Traits::ENTITY, matches!(category, "entity" | "person" | "project"))
        .with(Traits::TIME, is_turn && TIME.is_match(said))
        .with(Traits::NUMBER, is_turn && NUMBER.is_match(said))
        .with(Traits::NAME, is_turn && NAME.is_match(said))
        // Conversations are kept as they were said.
        .with(Traits::STRUCK, !is_turn && is_struck(&passage.text))
}

/// Whether an entry of CORRECTIONS.md says of itself that it was taken back: then it is not searched.
pub(crate) fn is_taken_back(text: &str) -> bool {
    text.lines().any(|line| line.trim().eq_ignore_ascii_case("- status: retracted"))
}

/// A pattern, and a smaller one that says the same of text in ASCII: it compiles in a fraction of the time, which is most of what the first
/// turn of a process takes.
struct Pattern {
    full: LazyLock<Regex>,
    ascii: LazyLock<Regex>,
}

impl Pattern {
    fn is_match(&self, text: &str) -> bool {
        if text.is_ascii() { self.ascii.is_match(text) } else { self.full.is_match(text) }
    }
}

macro_rules! pattern {
    ($text:expr) => {
        Pattern {
            full: LazyLock::new(|| compiled($text)),
            ascii: LazyLock::new(|| compiled(&over_ascii($text))),
        }
    };
}

/// The pattern without what only other letters, digits and spaces match.
fn over_ascii(pattern: &str) -> String {
    let classes = [
        (r"\b", r"(?-u:\b)"),
        (r"\d", "[0-9]"),
        (r"\s", r"[\t-\r ]"),
        (r"\p{Lu}", "[A-Z]"),
        (r"\p{Ll}", "[a-z]"),
    ];
    classes.into_iter().fold(pattern.to_owned(), |pattern, (full, ascii)| pattern.replace(full, ascii))
}

/// A day, a month, a time of day, or a distance in time.
static TIME: Pattern = pattern!(
    r"(?i)\b(yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekends?|months?|years?|days?|morning|evening|night|since|recently|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|summer|winter|spring|fall|soon|\d{4}|\d+(st|nd|rd|th)|gestern|heute|morgen|woche|wochen|monat|monate|jahr|jahre|seit)\b|어제|오늘|내일|지난|작년|올해|昨天|今天|明天|上周|去年|今年|月|昨日|今日|先週"
);
/// A number in figures or in words.
static NUMBER: Pattern = pattern!(
    r"(?i)\b(\d+|one|two|three|four|five|six|seven|eight|nine|ten|twice|once|dozen|couple|several|first|second|third|half)\b"
);
/// A capitalised word that does not begin its sentence.
static NAME: Pattern = pattern!(r"[^.!?\s\n]\s+\p{Lu}\p{Ll}+");

#[allow(clippy::expect_used, reason = "the patterns are fixed, and a test compiles them")]
fn compiled(text: &str) -> Regex {
    Regex::new(text).expect("a fixed pattern")
}

/// What is said, without the name of who says it.
pub(crate) fn said(passage: &Passage) -> &str {
    let words = passage.words();
    match speaker(passage) {
        0 => words,
        _ => words.split_once(':').map_or(words, |(_, rest)| rest.trim_start()),
    }
}

/// Whether a text ends in a question; what stands in brackets after it does not count.
fn asks(text: &str) -> bool {
    let text = text.trim_end();
    let text = match text.rfind('[') {
        Some(at) if text.ends_with(']') => text[..at].trim_end(),
        _ => text,
    };
    text.ends_with(['?', '？', '؟'])
}

/// The name that a turn begins with, as in `Caroline: I moved`, as a number; 0 where there is none.
pub(crate) fn speaker(passage: &Passage) -> u32 {
    if passage.speaker.is_none() {
        return 0;
    }
    let words = passage.words().trim_start();
    let Some((name, _)) = words.split_once(':') else { return 0 };
    let is_name = name.len() <= LONGEST_NAME.0
        && name.split_whitespace().count() <= LONGEST_NAME.1
        && name.chars().next().is_some_and(|first| first.is_alphabetic() && !first.is_lowercase())
        && name.chars().all(|each| each.is_alphanumeric() || matches!(each, ' ' | '-' | '\'' | '.'));
    let first = name.split_whitespace().next().unwrap_or_default();
    if is_name { name_number(first) } else { 0 }
}

/// A name as a number, the same for every way of writing it; never 0.
pub(crate) fn name_number(name: &str) -> u32 {
    // FNV-1a, which is small and stays the same in every version of the program.
    let hash = fold(name)
        .bytes()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash.max(1)
}

/// The facets in a file's front matter, as `key:value` in folded form, one a line. Front matter that cannot be read has none.
pub(crate) fn facets(content: &[u8], from_label: &[String]) -> String {
    let mut facets: Vec<String> = from_label.iter().map(|facet| fold(facet)).collect();
    for (key, value) in Document::parse(content).entries().unwrap_or_default() {
        let Some((_, name)) = FACETS.iter().find(|(known, _)| *known == key) else { continue };
        let values = match &value {
            Value::List(values) => values.iter().filter_map(Value::to_text).collect(),
            // Many write tags on one line.
            other if name == &"tag" => {
                let text = other.to_text().unwrap_or_default();
                text.split(',').filter(|tag| !tag.trim().is_empty()).map(str::to_owned).collect()
            }
            other => other.to_text().map(|text| vec![text]).unwrap_or_default(),
        };
        facets.extend(values.iter().map(|value| facet(name, value)));
    }
    facets.sort_unstable();
    facets.dedup();
    facets.join("\n")
}

/// What is said of the entries of a passage in their comments and headings, as facets: tags, and the agent that said it. What is said
/// in a conversation tags nothing.
pub(crate) fn passage_facets(passage: &Passage) -> Vec<String> {
    if passage.speaker.is_some() {
        return Vec::new();
    }
    let (mut facets, mut rest) = (Vec::new(), passage.text.as_str());
    let mut add = |key: &str, value: &str| match key {
        "tags" | "tag" => {
            let tags = value.trim_matches(['[', ']']).split(',').filter(|tag| !tag.trim().is_empty());
            facets.extend(tags.map(|tag| facet("tag", tag)));
        }
        "agent" => facets.push(facet("agent", value)),
        "source" | "by" => {
            let agents = value.split(',').filter_map(|source| source.trim().strip_prefix("agent "));
            facets.extend(agents.map(|agent| facet("agent", agent)));
        }
        _ => {}
    };
    while let Some(at) = rest.find("<!--") {
        let end = rest[at..].find("-->").map_or(rest.len(), |end| at + end + 3);
        if let Some(comment) = Annotation::parse(&rest[at..end]) {
            for key in ["tags", "tag", "agent", "source", "by"] {
                comment.get(key).into_iter().for_each(|value| add(key, value));
            }
        }
        rest = &rest[end..];
    }
    for heading in passage.text.lines().filter(|line| line.starts_with("## ")) {
        let pairs = heading.split(" | ").skip(1).filter_map(|pair| pair.split_once(':'));
        pairs.for_each(|(key, value)| add(key.trim(), value.trim()));
    }
    facets.sort_unstable();
    facets.dedup();
    facets
}

impl Index {
    /// The names under which files and entries are filed as of this kind, such as `person`, in their order.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn filed_under(&self, kind: &str) -> Result<BTreeSet<String>, IndexError> {
        let start = format!("{kind}:");
        let read = || -> rusqlite::Result<BTreeSet<String>> {
            let mut statement = self.connection.prepare_cached(
                "SELECT facets FROM files WHERE facets <> '' UNION SELECT DISTINCT facet FROM facets",
            )?;
            let mut rows = statement.query([])?;
            let mut names = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let facets = row.get_ref(0)?.as_str()?.lines();
                names.extend(facets.filter_map(|facet| facet.strip_prefix(&start)).map(str::to_owned));
            }
            Ok(names)
        };
        read().map_err(|source| self.error(source))
    }
}

/// A facet as it is stored and compared.
pub(crate) fn facet(name: &str, value: &str) -> String {
    let value = value.trim().trim_start_matches('#');
    format!("{name}:{}", fold(value).replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::passage::passages;

    proptest! {
        #[test]
        fn the_smaller_patterns_say_the_same_of_ascii(
            words in prop::collection::vec(
                prop_oneof![
                    "[ -~\t\n\r]{0,6}", "[A-Za-z]{1,4}", "[0-9]{1,5}(st|TH|x)?",
                    prop::sample::select(&["Monday", "AGO", "ones", "Third", "week", "x_today", "Since-"][..]).prop_map(str::to_owned),
                ],
                0..6,
            ),
            between in prop::sample::select(&[" ", "", ". ", "\x0b", "\n"][..]),
        ) {
            let text = words.join(between);
            for pattern in [&TIME, &NUMBER, &NAME] {
                prop_assert_eq!(pattern.ascii.is_match(&text), pattern.full.is_match(&text));
            }
        }
    }

    #[test]
    fn a_turn_is_known_by_its_role_and_its_name() {
        let text =
            "# Talk\n\n## 18:45 — user\nMüller: Did you move?\n\n## 18:46 — agent\nnote: yes, 3 boxes\n";
        let found = passages(text, 400);
        let first = traits(&found[1], "conversation", true);
        assert!(first.has(Traits::TURN) && first.has(Traits::USER) && first.has(Traits::QUESTION));
        assert_eq!((speaker(&found[1]), speaker(&found[2])), (name_number("muller"), 0));
        assert!(
            traits(&found[0], "conversation", true).has(Traits::BARE)
                && !traits(&found[0], "", false).has(Traits::BARE)
        );
        assert!(
            traits(&found[2], "conversation", true).has(Traits::NUMBER)
                && !traits(&found[2], "conversation", true).has(Traits::USER)
        );
        assert_eq!(found[1].words(), "Müller: Did you move?");
    }

    #[test]
    fn a_file_says_that_it_is_archived_at_its_beginning_alone() {
        for archived in [
            "# concept--x\n\n<!-- Type: concept | Status: Archived -->\n",
            "---\ntype: note\nstatus: archived\n---\ntext\n",
            "<!-- status:archived -->\n- a\n",
        ] {
            assert!(is_archived(archived.as_bytes()), "{archived}");
        }
        for present in [
            "# X\n\n## Facts\n<!-- status:archived -->\n",
            "# X\nstatus: archived\n",
            "# X\n<!-- Status: active -->\n",
            "",
        ] {
            assert!(!is_archived(present.as_bytes()), "{present}");
        }
    }

    #[test]
    fn facets_come_from_front_matter_and_from_the_caller() {
        let text = b"---\ntags: [Atlas, '#Urgent']\nagent: Coder\nother: x\n---\nbody\n";
        assert_eq!(
            facets(text, &["project:Atlas".to_owned()]),
            "agent:coder\nproject:atlas\ntag:atlas\ntag:urgent"
        );
        assert_eq!(facets(b"---\ntags: [\n---\n", &[]), "");
    }
}
