//! What the extractors cost: `cargo bench -p rem-mind --bench extract`.
//!
//! A session of 50 turns, made of the labelled ones in `tests/extraction/tune` in turn. Prints the processor time of one session,
//! parsed and extracted, the best and the mean of many; and what a process pays for the first.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

mod labelled;

use std::time::Duration;

use rem_format::transcript::{
    Role, Transcript, TranscriptHeader, Turn, TurnKind, TurnPart, render_header, render_turn, utc_date,
};
use rem_mind::lifecycle::extract::extract;
use rem_testkit::processor_time;

/// Turns of a session.
const TURNS: usize = 50;
/// Sessions of the long run.
const SESSIONS: usize = 1_000;

fn sessions() -> Vec<String> {
    let turns = labelled::turns(&["tune"]);
    turns.chunks(TURNS).filter(|chunk| chunk.len() == TURNS).map(file_of).collect()
}

fn file_of(turns: &[labelled::Said]) -> String {
    let started = "2026-03-02T09:00:00Z".parse().expect("a time");
    let header = TranscriptHeader { session_id: "bench".to_owned(), started, ..TranscriptHeader::default() };
    turns.iter().fold(render_header(&header, "bench"), |file, turn| {
        let role = if turn.role == "user" { Role::User } else { Role::Agent };
        let body = vec![TurnPart::Text(turn.text.trim_end().to_owned())];
        file + &render_turn(&Turn { time: started, role, kind: TurnKind::Message, body }, utc_date(started))
    })
}

fn timed(file: &str) -> Duration {
    let begun = processor_time();
    let transcript = Transcript::parse(file.as_bytes()).expect("a transcript");
    std::hint::black_box(extract(&transcript));
    processor_time().saturating_sub(begun)
}

fn main() {
    let sessions = sessions();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let first = timed(&sessions[0]);
    let taken: Vec<Duration> = sessions.iter().cycle().take(SESSIONS).map(|file| timed(file)).collect();
    let all: Duration = taken.iter().sum();
    let warm = &taken[sessions.len()..];
    println!("{} sessions of {TURNS} turns, each again and again", sessions.len());
    println!("first of a process {:>8.2} ms", milliseconds(first));
    println!("longest, warm      {:>8.2} ms", milliseconds(warm.iter().max().copied().unwrap_or_default()));
    println!("shortest, warm     {:>8.2} ms", milliseconds(warm.iter().min().copied().unwrap_or_default()));
    println!("{SESSIONS} sessions     {:>8.2} s", all.as_secs_f64());
}
