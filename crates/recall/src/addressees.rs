//! Whom a piece of text is for, and who asks (K15): several people may share one workspace.
//!
//! A memory is for everybody, or for the people and groups that its comment names (`for:Mira, Crew`); so is a section by a comment
//! in its heading, an episode by a field of its heading, and a whole file by its front matter or the comment under its title.
//! Where several of these apply all must hold. Doubt closes: what cannot be read as names is for nobody. Must not decide what
//! becomes of a text that is closed; and hides nothing from whoever reads the files.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use rem_format::annotation::Annotation;
use rem_format::document::{Document, Value};
use rem_format::entity::EntityType;
use rem_format::{episode, page::Page};
use rusqlite::{Connection, OptionalExtension as _, params};
use rustc_hash::FxHashSet;

use crate::blocks::{Block, Kind, heading_level, turn_speaker};
use crate::database::IndexError;
use crate::graph::name_of;
use crate::index::Index;

/// The key that says whom something is for.
pub const FOR: &str = "for";

/// What a text must hold to be for somebody. The pattern is a constant; one that could not be compiled would be seen by the tests.
static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"(?i)\bfor["']?\s*:"#).ok());

/// Whom a text is for: everybody, or who is in each of these lists of names, folded and sorted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Addressees(Vec<Vec<String>>);

impl Addressees {
    /// These people and groups, each for itself or several with commas between them; everybody where none is named.
    #[must_use]
    pub fn of<S: AsRef<str>>(names: &[S]) -> Self {
        let mut list: Vec<String> =
            names.iter().flat_map(|names| names.as_ref().split(',')).map(key_of).collect();
        list.retain(|name| !name.is_empty());
        list.sort_unstable();
        list.dedup();
        if list.is_empty() { Self::default() } else { Self(vec![list]) }
    }

    /// What the comment of an entry says.
    #[must_use]
    pub fn of_annotation(annotation: &Annotation) -> Self {
        let said = annotation.entries().filter(|(key, _)| key.eq_ignore_ascii_case(FOR));
        said.fold(Self::default(), |all, (_, names)| all.and(&Self::of(&[names])))
    }

    /// Whom a whole file is for, by its front matter or the comments under its title.
    #[must_use]
    pub fn of_file(text: &str) -> Self {
        if !mentions_anybody(text) {
            return Self::default();
        }
        let by_header = Page::parse(text.as_bytes()).map(|page| Self::of_annotation(&page.header()));
        of_front_matter(text).and(&by_header.unwrap_or_default())
    }

    /// Nobody at all.
    pub(crate) fn nobody() -> Self {
        Self(vec![Vec::new()])
    }

    /// What the comments in a text say.
    fn of_comments(text: &str) -> Self {
        let (mut all, mut rest) = (Self::default(), text);
        while let Some((comment, after)) =
            rest.split_once("<!--").and_then(|(_, rest)| rest.split_once("-->"))
        {
            // Each pair for itself: a comment that is a remark in other parts may still say whom it is for.
            for pair in comment.split('|').filter_map(|pair| Annotation::parse(&format!("<!--{pair}-->"))) {
                all = all.and(&Self::of_annotation(&pair));
            }
            rest = after;
        }
        all
    }

    /// For who is among these and among those.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for list in &other.0 {
            if !self.0.contains(list) {
                self.0.push(list.clone());
            }
        }
        self.0.sort_unstable();
        self
    }

    /// Whether it is for nobody in particular.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.0.is_empty()
    }

    /// As it is kept in the index.
    fn to_key(&self) -> String {
        self.0.iter().map(|list| list.join(",")).collect::<Vec<_>>().join("\n")
    }

    fn from_key(key: &str) -> Self {
        let list = |line: &str| line.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Self(key.split('\n').map(list).collect())
    }
}

fn mentions_anybody(text: &str) -> bool {
    MENTION.as_ref().is_none_or(|mention| mention.is_match(text))
}

fn of_front_matter(text: &str) -> Addressees {
    let document = Document::parse(text.as_bytes());
    let Some(front_matter) = document.front_matter().map(String::from_utf8_lossy) else {
        return Addressees::default();
    };
    let Ok(entries) = document.entries() else {
        let says = |line: &str| {
            line.split_once(':')
                .is_some_and(|(key, _)| key.trim_matches(['"', '\'', ' ']).eq_ignore_ascii_case(FOR))
        };
        return if front_matter.lines().any(says) { Addressees::nobody() } else { Addressees::default() };
    };
    let said = entries.into_iter().filter(|(key, _)| key.trim().eq_ignore_ascii_case(FOR));
    said.fold(Addressees::default(), |all, (_, value)| {
        let names: Option<Vec<String>> = match &value {
            Value::List(values) => values.iter().map(Value::to_text).collect(),
            other => other.to_text().map(|text| vec![text]),
        };
        match names {
            Some(names) => all.and(&Addressees::of(&names)),
            None if value == Value::Null => all,
            None => all.and(&Addressees::nobody()),
        }
    })
}

/// Whom each block of a text is for. What is said in a turn of a conversation is for whom any part of the turn is.
pub(crate) fn addressed(text: &str, blocks: &[Block], is_transcript: bool) -> Vec<Addressees> {
    if !mentions_anybody(text) {
        return vec![Addressees::default(); blocks.len()];
    }
    let base = Addressees::of_file(text);
    let source = |block: &Block| &text[block.bytes.clone()];
    let mut all: Vec<Addressees> = Vec::with_capacity(blocks.len());
    if is_transcript {
        let begins_turn =
            |block: &Block| block.kind == Kind::Heading && turn_speaker(source(block)).is_some();
        for turn in blocks.chunk_by(|_, next| !begins_turn(next)) {
            let said = turn.iter().map(|block| Addressees::of_comments(source(block)));
            let of_turn = said.fold(base.clone(), |all, said| all.and(&said));
            all.extend(std::iter::repeat_n(of_turn, turn.len()));
        }
        return all;
    }
    let mut sections: Vec<(usize, Addressees)> = Vec::new();
    for block in blocks {
        let source = source(block);
        let mut own = Addressees::of_comments(source);
        if block.kind == Kind::Heading {
            let level = heading_level(source);
            own = own.and(&Addressees::of(&episode::addressees_in(source.trim_start_matches('#').trim())));
            sections.retain(|(outer, _)| *outer < level);
            sections.push((level, own.clone()));
        }
        let inside = sections.iter().fold(base.clone(), |all, (_, section)| all.and(section));
        all.push(inside.and(&own));
    }
    all
}

/// A name as names of entities are compared. It may be an id or a link to one.
fn key_of(name: &str) -> String {
    let bare = name.trim().trim_start_matches("[[").trim_end_matches("]]");
    let bare = bare.split(['|', '#']).next().unwrap_or(bare).trim();
    let bare = bare.strip_prefix("entity:").unwrap_or(bare);
    let slug =
        bare.split_once("--").filter(|(kind, _)| EntityType::ALL.iter().any(|known| known.as_str() == *kind));
    // Commas and line breaks stand between names.
    name_of(slug.map_or(bare, |(_, slug)| slug)).replace([',', '\n'], " ")
}

/// Who asks: the operator, who sees everything, or somebody on whose behalf it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asking {
    /// The names that count; nothing for the operator.
    names: Option<BTreeSet<String>>,
    /// Whether the index has added what else they go by.
    is_resolved: bool,
}

impl Asking {
    /// On behalf of these people or groups, all that is for one of them; the operator where none is named.
    #[must_use]
    pub fn on_behalf_of<S: AsRef<str>>(names: &[S]) -> Self {
        // A name of blanks is nobody's, and by no means the operator's.
        let keys = || names.iter().flat_map(|names| names.as_ref().split(',')).map(key_of);
        let named = (!names.is_empty()).then(|| keys().filter(|name| !name.is_empty()).collect());
        Self { names: named, is_resolved: false }
    }

    /// The names, folded; none for the operator.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().flatten().map(String::as_str)
    }

    /// Whether everything is seen.
    #[must_use]
    pub fn is_operator(&self) -> bool {
        self.names.is_none()
    }

    /// Whether what is for these is seen.
    #[must_use]
    pub fn sees(&self, addressees: &Addressees) -> bool {
        let Some(names) = &self.names else { return true };
        addressees.0.iter().all(|list| list.iter().any(|name| names.contains(name)))
    }
}

impl Index {
    /// Those who ask, with what else they go by: the other names of the entity that a name means, and the names of what a person is
    /// a member or a part of, one step far. A name that two of a kind share means neither surely, and stays as it was given.
    ///
    /// # Errors
    /// [`IndexError`] where the index cannot be read.
    pub fn resolved(&self, asking: &Asking) -> Result<Asking, IndexError> {
        self.resolve(asking).map_err(|source| self.error(source))
    }

    pub(crate) fn resolve(&self, asking: &Asking) -> rusqlite::Result<Asking> {
        let mut resolved = Asking { is_resolved: true, ..asking.clone() };
        if asking.is_resolved {
            return Ok(resolved);
        }
        let (Some(given), Some(names)) = (&asking.names, &mut resolved.names) else { return Ok(resolved) };
        let mut named = self.connection.prepare_cached(
            "SELECT e.file, e.id FROM names n JOIN entities e ON e.file = n.file
             WHERE n.name = ?1 AND e.archived = 0 ORDER BY e.file",
        )?;
        let mut groups = self.connection.prepare_cached(
            "SELECT target FROM edges WHERE source = ?1 AND relation IN ('part-of', 'member-of') AND ended IS NULL",
        )?;
        // Another name that somebody else has as well tells nothing.
        let mut own = self.connection.prepare_cached(
            "SELECT n.name FROM names n WHERE n.file = ?1 AND NOT EXISTS (
                 SELECT 1 FROM names o JOIN entities e ON e.file = o.file
                 WHERE o.name = n.name AND o.file <> n.file AND e.archived = 0)",
        )?;
        let mut file_of =
            self.connection.prepare_cached("SELECT file FROM entities WHERE id = ?1 AND archived = 0")?;
        for name in given {
            let entities = named
                .query_map([name], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<Vec<(i64, String)>, _>>()?;
            let persons: Vec<&(i64, String)> = entities.iter().filter(|(_, id)| is_person(id)).collect();
            let (file, id) = match (persons[..].as_array(), entities[..].as_array()) {
                (Some([person]), _) => *person,
                (None, Some([other])) if persons.is_empty() => other,
                _ => continue,
            };
            for name in own.query_map([file], |row| row.get::<_, String>(0))? {
                names.insert(key_of(&name?));
            }
            if !is_person(id) {
                continue;
            }
            for group in groups.query_map([id], |row| row.get::<_, String>(0))? {
                let group = group?;
                names.insert(key_of(&group));
                let file: Option<i64> = file_of.query_row([&group], |row| row.get(0)).optional()?;
                for name in own.query_map([file], |row| row.get::<_, String>(0))? {
                    names.insert(key_of(&name?));
                }
            }
        }
        Ok(resolved)
    }

    /// The numbers of the addressees that those who ask are among; nothing for the operator.
    pub(crate) fn seen(&self, asking: &Asking) -> rusqlite::Result<Option<FxHashSet<u32>>> {
        if asking.is_operator() {
            return Ok(None);
        }
        let asking = self.resolve(asking)?;
        let mut all = self.connection.prepare_cached("SELECT id, names FROM addressees")?;
        let mut rows = all.query([])?;
        let mut seen = FxHashSet::from_iter([FOR_ALL]);
        while let Some(row) = rows.next()? {
            if asking.sees(&Addressees::from_key(row.get_ref(1)?.as_str()?)) {
                seen.insert(row.get(0)?);
            }
        }
        Ok(Some(seen))
    }
}

fn is_person(id: &str) -> bool {
    id.starts_with("person--")
}

/// The number of what is for everybody.
pub(crate) const FOR_ALL: u32 = 0;

/// The number that stands for these addressees; the same always has the same.
pub(crate) fn number_of(connection: &Connection, addressees: &Addressees) -> rusqlite::Result<u32> {
    if addressees.is_for_all() {
        return Ok(FOR_ALL);
    }
    let key = addressees.to_key();
    connection
        .prepare_cached("INSERT OR IGNORE INTO addressees (names) VALUES (?1)")?
        .execute(params![key])?;
    connection
        .prepare_cached("SELECT id FROM addressees WHERE names = ?1")?
        .query_row([key], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::passage::{divided, seen_by};

    fn asking(name: &str) -> Asking {
        Asking::on_behalf_of(&[name])
    }

    #[test]
    fn names_are_compared_as_those_of_entities_are() {
        let for_mira = Addressees::of(&["Jos\u{e9} Holt", "Crew"]);
        for name in
            ["jose\u{301}  holt", "JOSE HOLT", "person--jose-holt", "[[person--jos\u{e9}-holt]]", "crew"]
        {
            assert!(asking(name).sees(&for_mira), "{name}");
        }
        for name in ["Jose", "Holt", "", " ", "person", "crew 2"] {
            assert!(!asking(name).sees(&for_mira), "{name}");
        }
        assert!(Asking::default().sees(&for_mira) && asking("").sees(&Addressees::default()));
        assert_eq!(Addressees::of(&[" , "]), Addressees::default());
        assert!(Asking::on_behalf_of(&["Bo, Crew"]).sees(&for_mira));
    }

    #[test]
    fn a_file_is_for_somebody_by_its_front_matter_or_its_header_and_what_cannot_be_read_is_for_nobody() {
        for text in [
            "---\nfor: Mira\n---\ntext\n",
            "---\nfor: [Bo, Mira]\n---\ntext\n",
            "---\n\"For\" : Mira\n---\ntext\n",
            "# procedure\n\n<!-- Type: procedure | For: Mira -->\n\n## Steps\n1. text\n",
        ] {
            let found = Addressees::of_file(text);
            assert!(asking("Mira").sees(&found) && !asking("Zora").sees(&found), "{text}");
        }
        for text in
            ["---\nfor: Mira\nfor: Bo\n---\n", "---\nfor: {a: Mira}\n---\n", "---\nfor: Mira\n a: [\n---\n"]
        {
            assert_eq!(Addressees::of_file(text), Addressees::nobody(), "{text}");
        }
        for text in
            ["---\nfor:\n---\n", "for: Mira\n", "# X\n\ntext\n<!-- for:Mira -->\n", "---\ntags: [for]\n---\n"]
        {
            assert_eq!(Addressees::of_file(text), Addressees::default(), "{text}");
        }
    }

    #[test]
    fn what_is_for_somebody_stands_in_passages_of_its_own() {
        let text = "# Facts\n\n## Present\n- Tea <!-- for:Mira -->\n- Rain\n- Sun <!-- id:k | for:Bo -->\n  and wind\n\n\
                    ## Past <!-- for:Bo -->\nSnow\n\n### Deeper\nHail\n\n## Now\nFog\n";
        let found: Vec<(String, Addressees)> =
            divided(text, 400, false).into_iter().map(|each| (each.text, each.addressees)).collect();
        let of =
            |word: &str| found.iter().find(|(text, _)| text.contains(word)).expect("a passage").1.clone();
        let (mira, bo) = (Addressees::of(&["Mira"]), Addressees::of(&["Bo"]));
        for (word, expected) in [
            ("Tea", &mira),
            ("Sun", &bo),
            ("wind", &bo),
            ("Snow", &bo),
            ("Hail", &bo),
            ("Rain", &Addressees::default()),
        ] {
            assert_eq!(of(word), *expected, "{word}");
        }
        assert_eq!(of("Fog"), Addressees::default());
        let seen = seen_by(text, &asking("Mira"));
        assert_eq!(seen.lines().count(), text.lines().count());
        let left: Vec<&str> =
            seen.split_whitespace().filter(|word| word.chars().all(char::is_alphabetic)).collect();
        assert_eq!(left, ["Facts", "Present", "Tea", "Rain", "Now", "Fog"]);
    }

    #[test]
    fn an_episode_and_a_turn_are_closed_as_a_whole() {
        let log = "# D\n\n## 09:00 | event | for:[Mira, Bo]\nTea\n\n## 09:00 | oddity | for:Mira\nRain\n\n## 10:00 | event\nFog\n";
        let seen = seen_by(log, &asking("Bo"));
        assert!(seen.contains("Tea") && seen.contains("Fog") && !seen.contains("Rain"), "{seen}");
        let talk = "# T\n\n## 09:00 — user\nHello\n\n## 09:01 — agent\nIt says:\n- tea <!-- id:a | for:Mira -->\n\nAnd rain.\n\n## 09:02 — user\nFog\n";
        let seen = seen_by(talk, &asking("Bo"));
        assert!(seen.contains("Hello") && seen.contains("Fog"), "{seen}");
        assert!(!seen.contains("rain") && !seen.contains("tea") && !seen.contains("It says"), "{seen}");
    }

    #[test]
    fn a_long_entry_is_closed_in_all_its_pieces() {
        let text = format!("- {} <!-- for:Mira -->\n", "word ".repeat(2_000));
        let found = divided(&text, 100, false);
        assert!(found.len() > 10 && found.iter().all(|each| each.addressees == Addressees::of(&["Mira"])));
    }

    proptest! {
        #[test]
        fn addressees_come_back_from_the_index(names in prop::collection::vec(prop::collection::vec("\\PC{0,8}", 0..3), 0..3)) {
            let all = names.iter().fold(Addressees::default(), |all, names| all.and(&Addressees::of(names)));
            prop_assume!(!all.is_for_all());
            prop_assert_eq!(Addressees::from_key(&all.to_key()), all);
            prop_assert_eq!(Addressees::from_key(&Addressees::nobody().to_key()), Addressees::nobody());
        }

        #[test]
        fn who_asks_sees_no_line_that_is_not_there(
            text in "(?s)((# |## |- |```|  )?([a-z]{0,5}|<!-- for:(Mira|Bo) -->|---)\n{1,2}){0,16}",
        ) {
            let seen = seen_by(&text, &asking("Mira"));
            prop_assert_eq!(seen.matches('\n').count(), text.matches('\n').count());
            let all: Vec<&str> = text.lines().collect();
            for (at, line) in seen.lines().enumerate() {
                prop_assert!(line.is_empty() || line == all[at], "{} {:?}", at, line);
            }
            prop_assert!(!seen.contains("for:Bo"), "{}", seen);
            // Divided or blanked, the same is left.
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            let open = divided(&text, 40, false).into_iter().filter(|each| asking("Mira").sees(&each.addressees));
            prop_assert_eq!(bare(&open.map(|each| each.text).collect::<String>()).len() <= bare(&seen).len(), true);
        }
    }
}
