//! Labelled sessions (`tests/extraction/`): read, and made into transcripts.

use std::path::Path;

use jiff::Timestamp;
use rem_format::transcript::{
    Role, Transcript, TranscriptHeader, Turn, TurnKind, TurnPart, render_header, render_turn, utc_date,
};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Labelled {
    pub(super) id: String,
    pub(super) language: String,
    pub(super) date: String,
    pub(super) turns: Vec<LabelledTurn>,
    #[serde(default)]
    pub(super) memories: Vec<Label>,
    #[serde(default)]
    pub(super) not: Vec<Trap>,
    #[serde(default)]
    pub(super) journal: Vec<Vec<String>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LabelledTurn {
    pub(super) role: String,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Label {
    pub(super) kind: String,
    pub(super) must: Vec<String>,
    #[serde(default)]
    pub(super) project: Option<String>,
    #[serde(default)]
    pub(super) reason: Option<String>,
    #[serde(default)]
    pub(super) person: Option<String>,
    #[serde(default = "yes")]
    pub(super) required: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Deserialize)]
pub(super) struct Trap {
    pub(super) turn: usize,
    pub(super) words: Vec<String>,
}

pub(super) fn sessions(half: &str) -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction").join(half);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read =
        |path: &std::path::PathBuf| serde_saphyr::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    paths.iter().map(read).collect()
}

/// The session as a transcript file.
pub(super) fn file_of(session: &Labelled) -> String {
    let started: Timestamp = format!("{}T09:00:00Z", session.date).parse().unwrap();
    let header = TranscriptHeader {
        session_id: session.id.clone(),
        started,
        ended: Some(started),
        ..TranscriptHeader::default()
    };
    let mut file = render_header(&header, &session.id);
    for turn in &session.turns {
        let text = || TurnPart::Text(turn.text.trim_end().to_owned());
        let (role, part) = match turn.role.as_str() {
            "user" => (Role::User, text()),
            "agent" => (Role::Agent, text()),
            "injected" => (Role::System, text()),
            "tool" => {
                let line = turn.text.trim().trim_start_matches("> [tool:");
                let (name, rest) = line.split_once(']').unwrap();
                let (summary, result) = rest.split_once('→').unwrap_or((rest, ""));
                let [summary, result] = [summary, result].map(|each| each.trim().to_owned());
                (Role::Agent, TurnPart::Tool { name: name.to_owned(), summary, result })
            }
            other => panic!("{other}"),
        };
        file.push_str(&render_turn(
            &Turn { time: started, role, kind: TurnKind::Message, body: vec![part] },
            utc_date(started),
        ));
    }
    file
}

pub(super) fn transcript_of(session: &Labelled) -> Transcript {
    Transcript::parse(file_of(session).as_bytes()).unwrap()
}
