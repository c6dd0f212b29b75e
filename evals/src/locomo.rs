//! LoCoMo: long dialogues between two people over many sessions, with questions whose evidence is turns.
//!
//! Owns what of the file counts: a session's time is its date line, a shared image is its caption in words, and evidence
//! that names several turns in one string is divided. Ids that exist nowhere stay; `corpus` leaves them out and counts them.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::Value;

use crate::conversation::{Conversation, DataError, Question, Session, Speaker, Turn, read_json, whole};

/// The file, below the data folder.
pub(crate) const FILE: &str = "locomo/locomo-dev.json";
/// The conversations that settings were chosen on; the others are for reporting.
pub(crate) const TUNING: [&str; 3] = ["conv-26", "conv-30", "conv-41"];
/// What the numbers of the categories mean.
pub(crate) const CATEGORIES: [(&str, &str); 5] = [
    ("1", "1 multi-hop"),
    ("2", "2 temporal"),
    ("3", "3 open-domain"),
    ("4", "4 single-hop"),
    ("5", "5 adversarial"),
];

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    qa: Vec<Asked>,
    conversation: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Asked {
    question: String,
    #[serde(default)]
    evidence: Vec<String>,
    category: u8,
}

#[derive(Deserialize)]
struct Said {
    speaker: String,
    dia_id: String,
    text: String,
    #[serde(default)]
    blip_caption: Option<String>,
}

/// Reads the file.
///
/// # Errors
/// [`DataError`] when it is not LoCoMo's.
pub(crate) fn read(path: &Path) -> Result<Vec<Conversation>, DataError> {
    let samples: Vec<Sample> = read_json(path)?;
    samples.into_iter().map(|sample| conversation(sample).map_err(|reason| whole(path, reason))).collect()
}

fn conversation(sample: Sample) -> Result<Conversation, String> {
    let text = |key: &str| sample.conversation.get(key).and_then(Value::as_str);
    let first = text("speaker_a").ok_or("a conversation has no speaker_a")?;
    let mut sessions = Vec::new();
    // Numbers may be left out: what has a date may have no turns.
    for (key, turns) in &sample.conversation {
        let Some(number) = key.strip_prefix("session_").and_then(|number| number.parse::<u32>().ok()) else {
            continue;
        };
        let date = text(&format!("{key}_date_time")).ok_or_else(|| format!("{key} has no date"))?;
        let time = date_of(date).map_err(|error| format!("{key}: `{date}`: {error}"))?;
        let said = Vec::<Said>::deserialize(turns).map_err(|error| format!("{key}: {error}"))?;
        let turns = said.into_iter().map(|said| turn(said, first)).collect();
        let time = time.to_zoned(TimeZone::UTC).map_err(|error| error.to_string())?.timestamp();
        sessions.push((number, Session { id: key.clone(), time, turns }));
    }
    sessions.sort_by_key(|(number, _)| *number);
    let questions = sample.qa.into_iter().map(|asked| Question {
        text: asked.question,
        evidence: asked.evidence.iter().flat_map(|ids| divided(ids)).map(str::to_owned).collect(),
        category: Some(asked.category.to_string()),
    });
    Ok(Conversation {
        id: sample.sample_id,
        sessions: sessions.into_iter().map(|(_, session)| session).collect(),
        questions: questions.collect(),
    })
}

fn turn(said: Said, first: &str) -> Turn {
    let caption = said.blip_caption.filter(|caption| !caption.trim().is_empty());
    Turn {
        id: said.dia_id,
        role: if said.speaker == first { Speaker::User } else { Speaker::Assistant },
        speaker: Some(said.speaker),
        text: match caption {
            Some(caption) => format!("{} [shared image: {}]", said.text, caption.trim()),
            None => said.text,
        },
    }
}

/// `1:56 pm on 8 May, 2023`.
fn date_of(text: &str) -> Result<DateTime, jiff::Error> {
    strtime::parse("%I:%M %p on %d %B, %Y", text)?.to_datetime()
}

/// `D8:6; D9:17` names two.
fn divided(ids: &str) -> impl Iterator<Item = &str> {
    ids.split([';', ',', ' ']).map(str::trim).filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_lists_of_evidence_are_read_as_the_data_set_writes_them() {
        assert_eq!(date_of("1:56 pm on 8 May, 2023").unwrap(), "2023-05-08T13:56:00".parse().unwrap());
        assert_eq!(
            date_of("12:09 am on 13 September, 2023").unwrap(),
            "2023-09-13T00:09:00".parse().unwrap()
        );
        assert_eq!(divided("D8:6; D9:17").collect::<Vec<_>>(), ["D8:6", "D9:17"]);
        assert_eq!(divided("D9:1 D4:4,D4:6").collect::<Vec<_>>(), ["D9:1", "D4:4", "D4:6"]);
        assert_eq!(divided(" ").count(), 0);
    }

    #[test]
    fn the_data_set_is_read_in_full() {
        let file = match crate::DataFolder::beside_the_project().file(FILE) {
            Ok(file) => file,
            Err(why) => return crate::report::say(&format!("skipped: {why}")),
        };
        let conversations = read(&file).unwrap();
        let ids: Vec<&str> = conversations.iter().map(|conversation| conversation.id.as_str()).collect();
        assert_eq!(ids, ["conv-26", "conv-30", "conv-41", "conv-42", "conv-43"]);
        let sessions: Vec<usize> =
            conversations.iter().map(|conversation| conversation.sessions.len()).collect();
        assert_eq!(sessions, [19, 19, 32, 29, 29]);
        let of_first = conversations[0].sessions.iter().map(|session| session.turns.len());
        assert_eq!(of_first.sum::<usize>(), 419);
        assert!(conversations.iter().all(|one| one.sessions.is_sorted_by_key(|session| session.time)));
    }
}
