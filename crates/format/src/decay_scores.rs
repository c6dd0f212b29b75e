//! How relevant each memory was at the last checkpoint (seed M9.3): `decay-scores.json`.
//!
//! A checkpoint (resolution 7): the truth about a memory stands in its file, the accesses since are counted beside the index. One
//! entry stands on one line, so that a change of one is a change of one line in git. Unknown keys survive.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use thiserror::Error;

/// A store that memories are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreKind {
    /// What matters in every conversation.
    Core,
    /// What happened, was settled, or will happen.
    Episodic,
    /// What is so.
    Semantic,
    /// How something is done.
    Procedural,
    /// What must never be forgotten.
    Vault,
}

impl StoreKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Core, Self::Episodic, Self::Semantic, Self::Procedural, Self::Vault];

    /// Its word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Episodic => "episodic",
            Self::Semantic => "semantic",
            Self::Procedural => "procedural",
            Self::Vault => "vault",
        }
    }
}

/// Where a memory's relevance puts it (M9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Hidden from search unless asked for.
    Archived,
    /// Found when asked for.
    Dormant,
    /// Found, further down.
    Fading,
    /// Found.
    Active,
}

impl Visibility {
    /// All of them, the most visible first.
    pub const ALL: [Self; 4] = [Self::Active, Self::Fading, Self::Dormant, Self::Archived];

    /// Its word in files and answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Fading => "fading",
            Self::Dormant => "dormant",
            Self::Archived => "archived",
        }
    }
}

/// The key and the value by which a checkpoint says that this program wrote it.
pub const BY: (&str, &str) = ("by", "rem");

/// The seed's word for what was forgotten (M8.3).
const FORGOTTEN: &str = "_archived";

/// A status as it is written: a word for where the relevance puts a memory, or that it was forgotten.
struct Status(Visibility, bool);

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let known = Visibility::ALL.into_iter().find(|each| each.as_str() == word);
        match known {
            Some(status) => Ok(Self(status, false)),
            None if word == FORGOTTEN => Ok(Self(Visibility::Archived, true)),
            None => {
                Err(D::Error::unknown_variant(&word, &["active", "fading", "dormant", "archived", FORGOTTEN]))
            }
        }
    }
}

/// What is noted of one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct DecayScore {
    /// Its store.
    pub store: StoreKind,
    /// What it was worth at its making, 0 to 1.
    pub base_relevance: f64,
    /// When it was made.
    pub created: String,
    /// When it was last used.
    pub last_accessed: String,
    /// How often it was used; its making is the first time.
    pub access_count: u32,
    /// What its kind is worth; none for what never fades, since JSON has no infinity.
    pub type_weight: Option<f64>,
    /// Its relevance at the checkpoint, at most 1.
    pub current_score: f64,
    /// Where that puts it.
    pub status: Visibility,
    /// Whether it was forgotten, where its file does not say so.
    pub forgotten: bool,
    /// Whether it never fades.
    pub pinned: bool,
    /// What another program noted.
    pub further: Map<String, Value>,
}

/// The checkpoint: every memory by its id.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DecayScores {
    /// When it was written; none before the first time.
    pub last_updated: Option<String>,
    /// The memories, in the order of their ids.
    pub entries: BTreeMap<String, DecayScore>,
    /// What another program noted.
    pub further: Map<String, Value>,
}

/// Why a checkpoint cannot be read.
#[derive(Debug, Error)]
pub enum DecayScoresError {
    /// It is no JSON, or a value is of another kind.
    #[error("line {line}: {source}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// A later version of this program wrote it.
    #[error("version {0} is not known; this program reads version 1")]
    Version(u64),
}

impl Serialize for DecayScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("store", &self.store)?;
        map.serialize_entry("base_relevance", &self.base_relevance)?;
        map.serialize_entry("created", &self.created)?;
        map.serialize_entry("last_accessed", &self.last_accessed)?;
        map.serialize_entry("access_count", &self.access_count)?;
        map.serialize_entry("type_weight", &self.type_weight)?;
        map.serialize_entry("current_score", &self.current_score)?;
        map.serialize_entry("status", if self.forgotten { FORGOTTEN } else { self.status.as_str() })?;
        map.serialize_entry("pinned", &self.pinned)?;
        for (key, value) in &self.further {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// What `flatten` reads as well, several times as fast: it keeps nothing in between.
impl<'de> Deserialize<'de> for DecayScore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = DecayScore;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the score of a memory")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DecayScore, A::Error> {
                let (mut store, mut base, mut created, mut last) = (None, None, None, None);
                let (mut count, mut weight, mut score, mut status, mut pinned) =
                    (None, None, None, None, None);
                let mut further = Map::new();
                while let Some(key) = map.next_key::<Key>()? {
                    match key {
                        Key::Store => store = Some(map.next_value()?),
                        Key::BaseRelevance => base = Some(map.next_value()?),
                        Key::Created => created = Some(map.next_value()?),
                        Key::LastAccessed => last = Some(map.next_value()?),
                        Key::AccessCount => count = Some(map.next_value()?),
                        Key::TypeWeight => weight = map.next_value()?,
                        Key::CurrentScore => score = Some(map.next_value()?),
                        Key::Status => status = Some(map.next_value::<Status>()?),
                        Key::Pinned => pinned = Some(map.next_value()?),
                        Key::Further(name) => drop(further.insert(name, map.next_value()?)),
                    }
                }
                let missing = A::Error::missing_field;
                let Status(status, forgotten) = status.ok_or_else(|| missing("status"))?;
                Ok(DecayScore {
                    store: store.ok_or_else(|| missing("store"))?,
                    base_relevance: base.ok_or_else(|| missing("base_relevance"))?,
                    created: created.ok_or_else(|| missing("created"))?,
                    last_accessed: last.ok_or_else(|| missing("last_accessed"))?,
                    access_count: count.ok_or_else(|| missing("access_count"))?,
                    type_weight: weight,
                    current_score: score.ok_or_else(|| missing("current_score"))?,
                    status,
                    forgotten,
                    pinned: pinned.ok_or_else(|| missing("pinned"))?,
                    further,
                })
            }
        }
        deserializer.deserialize_map(Fields)
    }
}

/// A key of a memory's score.
enum Key {
    Store,
    BaseRelevance,
    Created,
    LastAccessed,
    AccessCount,
    TypeWeight,
    CurrentScore,
    Status,
    Pinned,
    Further(String),
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Key;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a key")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Key, E> {
                Ok(match name {
                    "store" => Key::Store,
                    "base_relevance" => Key::BaseRelevance,
                    "created" => Key::Created,
                    "last_accessed" => Key::LastAccessed,
                    "access_count" => Key::AccessCount,
                    "type_weight" => Key::TypeWeight,
                    "current_score" => Key::CurrentScore,
                    "status" => Key::Status,
                    "pinned" => Key::Pinned,
                    other => Key::Further(other.to_owned()),
                })
            }
        }
        deserializer.deserialize_str(Name)
    }
}

#[derive(Deserialize)]
struct Raw {
    version: u64,
    #[serde(default)]
    last_updated: Option<String>,
    #[serde(default)]
    entries: Listed,
    #[serde(flatten)]
    further: Map<String, Value>,
}

/// The entries in the order of the file: a map is made of them at once, not one by one.
#[derive(Default)]
struct Listed(Vec<(String, DecayScore)>);

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Listed;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("memories by their ids")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Listed, A::Error> {
                let mut listed = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    listed.push(entry);
                }
                Ok(Listed(listed))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

impl DecayScores {
    /// Reads a checkpoint.
    ///
    /// # Errors
    /// [`DecayScoresError`] where it is none.
    pub fn parse(bytes: &[u8]) -> Result<Self, DecayScoresError> {
        let raw: Raw = serde_json::from_slice(bytes)
            .map_err(|source| DecayScoresError::Json { line: source.line(), source })?;
        if raw.version != 1 {
            return Err(DecayScoresError::Version(raw.version));
        }
        Ok(Self {
            last_updated: raw.last_updated,
            entries: raw.entries.0.into_iter().collect(),
            further: raw.further,
        })
    }

    /// The checkpoint as UTF-8, one entry a line.
    #[must_use]
    #[allow(clippy::expect_used, reason = "strings, numbers and maps with text keys always become JSON")]
    pub fn render(&self) -> Vec<u8> {
        fn put(text: &mut Vec<u8>, value: &impl Serialize) {
            serde_json::to_writer(text, value).expect("plain data");
        }
        let mut text = Vec::with_capacity(64 + self.entries.len() * 240);
        text.extend_from_slice(b"{\n  \"version\": 1,\n");
        let time =
            self.last_updated.as_ref().map(|time| ("last_updated".to_owned(), Value::from(time.as_str())));
        let further = self.further.iter().map(|(key, value)| (key.clone(), value.clone()));
        for (key, value) in time.into_iter().chain(further) {
            text.extend_from_slice(b"  ");
            put(&mut text, &key);
            text.extend_from_slice(b": ");
            put(&mut text, &value);
            text.extend_from_slice(b",\n");
        }
        text.extend_from_slice(b"  \"entries\": {");
        for (index, (id, entry)) in self.entries.iter().enumerate() {
            text.extend_from_slice(if index == 0 { &b"\n    "[..] } else { b",\n    " });
            put(&mut text, id);
            text.extend_from_slice(b": ");
            put(&mut text, entry);
        }
        text.extend_from_slice(if self.entries.is_empty() { &b"}\n}\n"[..] } else { b"\n  }\n}\n" });
        text
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// M9.3.
    const SEED: &str = r#"{
  "version": 1,
  "last_updated": "2026-02-02T16:00:00Z",
  "entries": {
    "episode:2026-02-02:14:30": {
      "store": "episodic",
      "base_relevance": 1.0,
      "created": "2026-02-02T14:30:00Z",
      "last_accessed": "2026-02-02T16:00:00Z",
      "access_count": 2,
      "type_weight": 0.8,
      "current_score": 0.92,
      "status": "active",
      "pinned": false
    },
    "entity:concept--oauth2-pkce": {
      "store": "semantic",
      "base_relevance": 0.7,
      "created": "2026-01-20T10:00:00Z",
      "last_accessed": "2026-01-20T10:00:00Z",
      "access_count": 1,
      "type_weight": 1.2,
      "current_score": 0.52,
      "status": "active",
      "pinned": false
    }
  }
}"#;

    #[test]
    fn the_example_of_the_seed_is_read_and_says_the_same_when_written() {
        let scores = DecayScores::parse(SEED.as_bytes()).expect("the seed's own");
        let entity = &scores.entries["entity:concept--oauth2-pkce"];
        assert_eq!((entity.store, entity.access_count, entity.pinned), (StoreKind::Semantic, 1, false));
        let written = String::from_utf8(scores.render()).expect("text");
        assert_eq!(
            serde_json::from_str::<Value>(&written).expect("JSON"),
            serde_json::from_str::<Value>(SEED).expect("JSON")
        );
        assert_eq!(written.lines().count(), 8, "one line an entry:\n{written}");
    }

    #[test]
    fn what_was_forgotten_is_read_and_written_with_the_seeds_word() {
        let seed = SEED.replacen("\"active\"", "\"_archived\"", 1);
        let scores = DecayScores::parse(seed.as_bytes()).expect("the seed's word");
        let episode = &scores.entries["episode:2026-02-02:14:30"];
        assert_eq!((episode.status, episode.forgotten), (Visibility::Archived, true));
        let written = String::from_utf8(scores.render()).expect("text");
        assert_eq!(written.matches("\"_archived\"").count(), 1, "{written}");
        assert!(DecayScores::parse(SEED.replace("\"active\"", "\"gone\"").as_bytes()).is_err());
    }

    #[test]
    fn what_other_programs_noted_stays_and_nonsense_is_named() {
        let text = r#"{"version":1,"entries":{"core:a":{"store":"core","base_relevance":1.0,"created":"x","last_accessed":"x","access_count":1,"type_weight":null,"current_score":1.0,"status":"active","pinned":true,"note":"mine"}},"owner":"me"}"#;
        let again =
            String::from_utf8(DecayScores::parse(text.as_bytes()).expect("read").render()).expect("text");
        assert!(again.contains("\"note\":\"mine\"") && again.contains("\"owner\": \"me\""), "{again}");
        assert!(matches!(DecayScores::parse(b"{\"version\":2}"), Err(DecayScoresError::Version(2))));
        let error = DecayScores::parse(b"{\"version\":1,\n\"entries\":[]}").expect_err("no map");
        assert!(error.to_string().starts_with("line 2"), "{error}");
        assert_eq!(DecayScores::default().render(), b"{\n  \"version\": 1,\n  \"entries\": {}\n}\n");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(
            ids in proptest::collection::btree_set(".{0,12}", 0..8),
            count in any::<u32>(),
            score in 0..=10_000_u32,
            pinned in any::<bool>(),
        ) {
            let entry = DecayScore {
                store: StoreKind::Semantic,
                base_relevance: 0.7,
                created: "2026-01-20".to_owned(),
                last_accessed: "\"\n".to_owned(),
                access_count: count,
                type_weight: (!pinned).then_some(1.2),
                current_score: f64::from(score) / 10_000.0,
                status: Visibility::Fading,
                forgotten: false,
                pinned,
                further: Map::new(),
            };
            let scores = DecayScores {
                last_updated: Some("now".to_owned()),
                entries: ids.into_iter().map(|id| (id, entry.clone())).collect(),
                further: Map::new(),
            };
            prop_assert_eq!(DecayScores::parse(&scores.render()).expect("read"), scores);
        }
    }
}
