//! `graph/index.md`: the graph at a glance, as two tables (seed M6.1).
//!
//! Generated from the entity files, where the edges stand (resolution 9), and never read as the truth: it is parsed only so that
//! a change of one entity changes that entity's rows and leaves the others as they are. A page that somebody else made, without
//! the comment that this program writes, is none. Must not decide what is archived or how a score is reached.

use std::fmt::Write as _;

use crate::entity::{Entity, EntityId};

/// What marks a page as ours, and tells a person what becomes of an edit.
const MARK: &str = "<!-- Generated from the entity files; edits will be overwritten. -->";
/// How the mark begins, in every wording it has had.
const MARK_START: &str = "<!-- Generated from the entity files;";
const TITLE: &str = "# Semantic Graph Index";
const REGISTRY: &str = "## Entity Registry";
const EDGES: &str = "## Edges";
/// Stands for what is not known.
const NONE: &str = "—";

/// One row of the registry.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// The entity's id: `person--alex`.
    pub id: String,
    /// What it is, the word before the two hyphens of its id.
    pub kind: String,
    /// Its name.
    pub label: String,
    /// Its file, from the index's own folder on.
    pub file: String,
    /// How present it still is, 0 to 1, where somebody worked it out; told to two decimals.
    pub score: Option<f64>,
    /// Whether it never fades.
    pub pinned: bool,
}

/// One row of the edges.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EdgeRow {
    /// Where it begins.
    pub from: String,
    /// The relation.
    pub relation: String,
    /// Where it ends.
    pub to: String,
    /// How sure it is.
    pub confidence: Option<String>,
    /// The day it was first said.
    pub first_seen: Option<String>,
    /// The day it was last used.
    pub last_accessed: Option<String>,
}

/// The page.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GraphIndex {
    /// The entities that are in use.
    pub entities: Vec<Registered>,
    /// The edges that hold.
    pub edges: Vec<EdgeRow>,
}

impl GraphIndex {
    /// Takes up what an entity's file says of it and of the edges that begin there. One that is in already has to be taken out
    /// first.
    pub fn insert(&mut self, id: &EntityId, file: &str, entity: &Entity, score: Option<f64>) {
        self.entities.push(Registered {
            id: id.to_string(),
            kind: id.kind().to_owned(),
            label: entity.label().unwrap_or_else(|| id.to_string()),
            file: file.to_owned(),
            score,
            pinned: entity.is_pinned(),
        });
        let holds = entity.edges().into_iter().filter(|edge| edge.ended().is_none());
        self.edges.extend(holds.map(|edge| {
            let said = |key: &str| edge.annotation.get(key).map(str::to_owned);
            EdgeRow {
                from: id.to_string(),
                confidence: said("confidence"),
                first_seen: said("first-seen"),
                last_accessed: said("last-accessed"),
                relation: edge.relation,
                to: edge.to,
            }
        }));
    }

    /// Takes an entity out, with the edges that begin there.
    pub fn remove(&mut self, id: &str) {
        self.entities.retain(|entity| entity.id != id);
        self.edges.retain(|edge| edge.from != id);
    }

    /// The page as text, in the order of ids whatever the order of the rows.
    #[must_use]
    pub fn render(&self) -> String {
        let mut entities: Vec<&Registered> = self.entities.iter().collect();
        entities.sort_by(|one, other| (&one.id, &one.file).cmp(&(&other.id, &other.file)));
        let mut edges: Vec<&EdgeRow> = self.edges.iter().collect();
        edges.sort();
        let mut text = String::with_capacity(256 + 160 * entities.len() + 160 * edges.len());
        text.push_str(TITLE);
        text.push_str("\n\n");
        text.push_str(MARK);
        text.push_str("\n\n");
        text.push_str(REGISTRY);
        text.push_str(
            "\n\n| ID | Type | Label | File | Decay Score |\n|----|------|-------|------|-------------|\n",
        );
        for entity in entities {
            let cells = [&entity.id, &entity.kind, &entity.label, &entity.file];
            cells.into_iter().for_each(|cell| push_cell(&mut text, cell));
            // Writing to a string does not fail.
            let _ = match (entity.score, entity.pinned) {
                (Some(score), true) => write!(text, "| {score:.2} (pinned) |"),
                (Some(score), false) => write!(text, "| {score:.2} |"),
                (None, true) => write!(text, "| pinned |"),
                (None, false) => write!(text, "| {NONE} |"),
            };
            text.push('\n');
        }
        text.push('\n');
        text.push_str(EDGES);
        text.push_str(
            "\n\n| From | Relation | To | Confidence | First Seen | Last Accessed |\n\
             |------|----------|----|------------|------------|---------------|\n",
        );
        for edge in edges {
            let cells = [&edge.from, &edge.relation, &edge.to];
            cells.into_iter().for_each(|cell| push_cell(&mut text, cell));
            for known in [&edge.confidence, &edge.first_seen, &edge.last_accessed] {
                push_cell(&mut text, known.as_deref().unwrap_or(NONE));
            }
            text.push_str("|\n");
        }
        text
    }

    /// The rows of a page that this program made; `None` for one of somebody else's. Lines that are no rows are passed over.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        lines.by_ref().find(|line| line.starts_with(MARK_START))?;
        let mut index = Self::default();
        for cells in lines.filter_map(cells_of) {
            match <[String; 6]>::try_from(cells) {
                Ok([from, relation, to, confidence, first_seen, last_accessed]) => {
                    let known = |cell: String| Some(cell).filter(|cell| cell != NONE);
                    index.edges.push(EdgeRow {
                        from,
                        relation,
                        to,
                        confidence: known(confidence),
                        first_seen: known(first_seen),
                        last_accessed: known(last_accessed),
                    });
                }
                Err(cells) => index.entities.extend(<[String; 5]>::try_from(cells).ok().map(
                    |[id, kind, label, file, score]| Registered {
                        id,
                        kind,
                        label,
                        file,
                        score: score.split(' ').next().and_then(|number| number.parse().ok()),
                        pinned: score.contains("pinned"),
                    },
                )),
            }
        }
        // The tables' heads are rows too; an id has two hyphens in it.
        index.entities.retain(|entity| entity.id.contains("--") && !entity.id.starts_with("---"));
        index.edges.retain(|edge| edge.from.contains("--") && !edge.from.starts_with("---"));
        Some(index)
    }
}

/// One cell with the bar before it. What would end the cell, open a comment, code or a link loses its meaning.
fn push_cell(text: &mut String, cell: &str) {
    text.push_str("| ");
    let cell = cell.trim();
    // Nearly every cell is of this kind, and a large page has a million.
    let is_plain =
        |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'|' | b'\\' | b'<' | b'[' | b'`');
    if cell.bytes().all(is_plain) {
        text.push_str(cell);
        return text.push(' ');
    }
    let ends_line = |each: char| each.is_control() || matches!(each, '\u{2028}' | '\u{2029}');
    for character in cell.trim_matches(|each: char| ends_line(each) || each.is_whitespace()).chars() {
        match character {
            '|' | '\\' | '<' | '[' | '`' => text.extend(['\\', character]),
            _ if ends_line(character) => text.push(' '),
            _ => text.push(character),
        }
    }
    text.push(' ');
}

/// The cells of a table's row.
fn cells_of(line: &str) -> Option<Vec<String>> {
    let inner = line.trim_end().strip_prefix('|')?;
    let (mut cells, mut cell, mut characters) = (Vec::new(), String::new(), inner.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => cell.extend(characters.next()),
            '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            _ => cell.push(character),
        }
    }
    // What follows the last bar is no cell.
    Some(cells)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn registered(id: &str, label: &str, score: Option<f64>, pinned: bool) -> Registered {
        Registered {
            id: id.to_owned(),
            kind: id.split("--").next().unwrap_or_default().to_owned(),
            label: label.to_owned(),
            file: format!("entities/{id}.md"),
            score,
            pinned,
        }
    }

    fn edge(from: &str, relation: &str, to: &str, confidence: &str, first: &str, last: &str) -> EdgeRow {
        let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        EdgeRow {
            from: from.to_owned(),
            relation: relation.to_owned(),
            to: to.to_owned(),
            confidence: known(confidence),
            first_seen: known(first),
            last_accessed: known(last),
        }
    }

    #[test]
    fn the_page_has_the_seeds_shape() {
        let index = GraphIndex {
            entities: vec![
                registered("tool--openclaw", "OpenClaw/Moltbot", Some(0.98), false),
                registered("person--alex", "Alex", Some(1.0), true),
                registered("concept--oauth2-pkce", "OAuth2 PKCE Flow", None, false),
                registered("place--bremen", "Bremen", None, true),
            ],
            edges: vec![
                edge("project--moltbot-memory", "uses", "tool--openclaw", "high", "2026-01-15", "2026-02-02"),
                edge("person--alex", "prefers", "concept--brainstorm-first", "", "", ""),
            ],
        };
        let expected = "# Semantic Graph Index\n\n<!-- Generated from the entity files; edits will be overwritten. -->\n\n\
            ## Entity Registry\n\n| ID | Type | Label | File | Decay Score |\n|----|------|-------|------|-------------|\n\
            | concept--oauth2-pkce | concept | OAuth2 PKCE Flow | entities/concept--oauth2-pkce.md | — |\n\
            | person--alex | person | Alex | entities/person--alex.md | 1.00 (pinned) |\n\
            | place--bremen | place | Bremen | entities/place--bremen.md | pinned |\n\
            | tool--openclaw | tool | OpenClaw/Moltbot | entities/tool--openclaw.md | 0.98 |\n\n\
            ## Edges\n\n| From | Relation | To | Confidence | First Seen | Last Accessed |\n\
            |------|----------|----|------------|------------|---------------|\n\
            | person--alex | prefers | concept--brainstorm-first | — | — | — |\n\
            | project--moltbot-memory | uses | tool--openclaw | high | 2026-01-15 | 2026-02-02 |\n";
        assert_eq!(index.render(), expected);
        assert_eq!(GraphIndex::parse(expected).map(|index| index.render()).as_deref(), Some(expected));
        assert_eq!(GraphIndex::parse("# Semantic Graph Index\n\n<!-- mine -->\n"), None);
    }

    #[test]
    fn no_label_breaks_the_table() {
        let label = "a | b\\ <!-- c\nd --> [[e]] `f";
        let index =
            GraphIndex { entities: vec![registered("concept--x", label, None, false)], edges: Vec::new() };
        let text = index.render();
        assert_eq!(text.lines().filter(|line| line.starts_with("| concept--x")).count(), 1);
        assert!(!text.contains("[[") && text.matches("<!--").count() == 2, "{text}");
        let read = GraphIndex::parse(&text).expect("ours");
        assert_eq!(read.entities[0].label, label.replace('\n', " "));
    }

    proptest! {
        #[test]
        fn a_page_is_read_as_it_was_written(
            labels in proptest::collection::vec("\\PC{0,20}", 0..6),
            words in proptest::collection::vec("[a-z|\\\\<\\[]{1,6}", 0..6),
            score in proptest::option::of(0_u8..=100),
        ) {
            let name = |number: usize| format!("concept--x{number}");
            let index = GraphIndex {
                entities: labels.iter().enumerate().map(|(number, label)| {
                    registered(&name(number), label.trim(), score.map(|score| f64::from(score) / 100.0), number % 2 == 0)
                }).collect(),
                edges: words.iter().enumerate().map(|(number, word)| {
                    edge(&name(number), word, &format!("{word}--y"), word, "", word)
                }).collect(),
            };
            let text = index.render();
            let read = GraphIndex::parse(&text);
            // Signs that separate lines are written as blanks.
            if labels.iter().all(|label| !label.contains(['\u{2028}', '\u{2029}'])) {
                prop_assert_eq!(read.as_ref(), Some(&index));
            }
            prop_assert_eq!(read.map(|read| read.render()), Some(text));
        }
    }
}
