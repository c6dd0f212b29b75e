//! Any text as a message survives the file, and any file is read without a panic.
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use rem_format::transcript::{
    Role, Transcript, TranscriptHeader, Turn, TurnKind, TurnPart, render_header, render_turn,
};

fuzz_target!(|bytes: &[u8]| {
    let _ = Transcript::parse(bytes);
    let text = String::from_utf8_lossy(bytes).into_owned();
    if text.is_empty() {
        return;
    }
    let header = TranscriptHeader { session_id: "fuzz".to_owned(), ..TranscriptHeader::default() };
    let turn = |body| Turn { time: Timestamp::UNIX_EPOCH, role: Role::User, kind: TurnKind::Message, body };
    let turns = [turn(vec![TurnPart::Text(text)]), turn(vec![TurnPart::Text("after".to_owned())])];
    let mut file = render_header(&header, "Fuzz");
    for turn in &turns {
        file.push_str(&render_turn(turn, header.date()));
    }
    let read = Transcript::parse(file.as_bytes()).expect("a rendered transcript reads");
    assert!(read.turns.iter().map(|located| &located.turn).eq(&turns));
});
