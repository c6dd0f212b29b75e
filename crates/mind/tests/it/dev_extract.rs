use jiff::Timestamp;
use rem_format::transcript::*;
use rem_mind::lifecycle::extract::{ExtractionKind, extract};
fn session(agent: &str, text: &str) -> Transcript {
    let started: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
    let header = TranscriptHeader { session_id: "x".into(), started, ended: Some(started), ..TranscriptHeader::default() };
    let mut file = render_header(&header, "x");
    for (role, text) in [(Role::User, "Hello there."), (Role::Agent, agent), (Role::User, text)] {
        file.push_str(&render_turn(&Turn { time: started, role, kind: TurnKind::Message, body: vec![TurnPart::Text(text.to_owned())] }, utc_date(started)));
    }
    Transcript::parse(file.as_bytes()).unwrap()
}
#[test]
fn dev_extract() {
    let text = std::fs::read_to_string("/tmp/own.tsv").unwrap();
    let (mut right, mut wrong, mut missed) = (0, 0, 0);
    for line in text.lines() {
        let (kind, text) = line.split_once('\t').unwrap();
        let (agent, text) = match text.split_once(" || ") { Some((a, t)) => (a.trim_start_matches("A: "), t), None => ("Hello!", text) };
        let taken: Vec<_> = extract(&session(agent, text)).into_iter().filter(|e| e.kind != ExtractionKind::Journal).collect();
        let answer = taken.first().map_or("-".to_owned(), |e| e.kind.as_str().to_owned());
        let wanted = if kind == "none" { "-" } else { kind };
        if answer == wanted { right += 1 } else {
            if answer == "-" { missed += 1 } else { wrong += 1 }
            println!("DEV {wanted} <- {answer}: {text}");
        }
    }
    println!("DEV right {right} wrong {wrong} missed {missed}");
}
