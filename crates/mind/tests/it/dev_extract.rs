use jiff::Timestamp;
use rem_format::transcript::*;
use rem_mind::lifecycle::extract::{ExtractionKind, extract};
use std::collections::BTreeMap;
fn one(text: &str) -> Transcript {
    let started: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    let header = TranscriptHeader {
        session_id: "x".into(),
        started,
        ended: Some(started),
        ..TranscriptHeader::default()
    };
    let mut file = render_header(&header, "x");
    for (role, text) in [(Role::User, "Hello there."), (Role::Agent, "Hello!"), (Role::User, text)] {
        file.push_str(&render_turn(
            &Turn {
                time: started,
                role,
                kind: TurnKind::Message,
                body: vec![TurnPart::Text(text.to_owned())],
            },
            utc_date(started),
        ));
    }
    Transcript::parse(file.as_bytes()).unwrap()
}
#[test]
fn dev_extract() {
    let mut lines: Vec<(String, String, String)> = Vec::new();
    for file in ["tune", "held-out", "dev", "held-out-2"] {
        let text =
            std::fs::read_to_string(format!("{}/tests/router/{file}.jsonl", env!("CARGO_MANIFEST_DIR")))
                .unwrap();
        for line in text.lines() {
            let v: serde_json::Value = serde_json::from_str(line).unwrap();
            lines.push((
                v["kind"].as_str().unwrap().into(),
                v["language"].as_str().unwrap().into(),
                v["text"].as_str().unwrap().into(),
            ));
        }
    }
    for file in ["tune", "heldout"] {
        let text =
            std::fs::read_to_string(format!("{}/tests/triage/{file}.jsonl", env!("CARGO_MANIFEST_DIR")))
                .unwrap();
        for line in text.lines() {
            let v: serde_json::Value = serde_json::from_str(line).unwrap();
            if v["labels"].as_array().unwrap().is_empty() {
                lines.push((
                    "chat".into(),
                    v["lang"].as_str().unwrap().into(),
                    v["text"].as_str().unwrap().into(),
                ));
            }
        }
    }
    let mut table: BTreeMap<(String, String), BTreeMap<String, usize>> = BTreeMap::new();
    let mut out = String::new();
    for (kind, language, text) in &lines {
        let taken: Vec<_> =
            extract(&one(text)).into_iter().filter(|e| e.kind != ExtractionKind::Journal).collect();
        let answer = taken.first().map_or("-".to_owned(), |e| e.kind.as_str().to_owned());
        *table.entry((language.clone(), kind.clone())).or_default().entry(answer.clone()).or_default() += 1;
        out.push_str(&format!("{language}\t{kind}\t{answer}\t{text}\n"));
    }
    for (key, row) in &table {
        println!("{key:?} {row:?}");
    }
    std::fs::write("/tmp/dev.tsv", out).unwrap();
}
