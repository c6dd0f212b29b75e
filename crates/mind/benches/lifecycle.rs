//! What mining, condensing and reconstruction cost: `cargo bench -p rem-mind --bench lifecycle [WHAT] [SESSIONS]…`, 100 and 1,000 by default.
//!
//! WHAT is `mine`, which mines and condenses, or `reconstruct`, which makes all knowledge from conversations that were never mined; both where
//! nothing is said. Sessions of 50 turns over a year, made of the labelled ones in `tests/extraction` in turn; names and numbers differ from one
//! to the next, so that most of what they say is new. Prints seconds by the clock and of the processor, and the most memory the process had
//! meanwhile.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

mod labelled;

use std::fmt::Write;
use std::time::{Duration, Instant};

use rem_format::path::MemoryPath;
use rem_format::transcript::{
    Role, TranscriptHeader, Turn, TurnKind, TurnPart, file_path, render_header, render_turn, utc_date,
};
use rem_mind::Memory;
use rem_mind::ledger::{ChangeSet, Provenance};
use rem_mind::lifecycle::condense::CondenseRequest;
use rem_mind::lifecycle::mine::MineRequest;
use rem_testkit::{Workspace, processor_time};

/// Turns of a session.
const TURNS: usize = 50;

/// A text in which the names and numbers are those of one session alone.
fn varied(text: &str, session: usize) -> String {
    let mut suffix = String::new();
    let mut left = session;
    while left > 0 {
        suffix.push(char::from(b"aeioulmnrst"[left % 11]));
        left /= 11;
    }
    let mut out = String::new();
    let mut is_first = true;
    for word in text.split_inclusive(' ') {
        let (plain, rest) = word.split_at(word.trim_end().len());
        let is_name =
            !is_first && plain.len() > 3 && plain.starts_with(|first: char| first.is_ascii_uppercase());
        match plain.parse::<usize>() {
            Ok(number) => write!(out, "{}{rest}", number + session).expect("a string"),
            Err(_) if is_name && plain.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                write!(out, "{plain}{suffix}{rest}").expect("a string");
            }
            Err(_) => out.push_str(word),
        }
        is_first = plain.ends_with(['.', '!', '?', ':']);
    }
    out
}

/// So many sessions are put into the workspace in one change.
const TOGETHER: usize = 200;

/// A workspace with so many closed sessions over the year before it.
fn workspace(sessions: usize) -> Workspace {
    let workspace = Workspace::at("2026-01-01T09:00:00Z");
    let said = labelled::turns(&["tune", "tune-2"]);
    let provenance = Provenance::manual("bench");
    let mut set = ChangeSet::new();
    let begin: jiff::Timestamp = "2025-01-01T08:00:00Z".parse().expect("a time");
    for session in 0..sessions {
        let minutes = 365 * 24 * 60 * session / sessions;
        let started = begin + jiff::SignedDuration::from_mins(minutes.try_into().expect("a year"));
        let header = TranscriptHeader {
            session_id: format!("s{session}"),
            started,
            ended: Some(started + jiff::SignedDuration::from_mins(50)),
            ..TranscriptHeader::default()
        };
        let first = session * TURNS;
        let text = (0..TURNS).fold(render_header(&header, "bench"), |file, number| {
            let turn = &said[(first + number) % said.len()];
            let role = if turn.role == "user" { Role::User } else { Role::Agent };
            let body = vec![TurnPart::Text(varied(turn.text.trim_end(), session))];
            let time = started + jiff::SignedDuration::from_mins(number.try_into().expect("a turn"));
            file + &render_turn(&Turn { time, role, kind: TurnKind::Message, body }, utc_date(started))
        });
        let path = format!("raw/conversations/{}", file_path(started, &header.session_id, "bench"));
        let path = MemoryPath::new(path).expect("a path");
        // Closed transcripts come in through the door alone.
        set = set.write(path.clone(), text, "a session").seal(&path);
        if session % TOGETHER == TOGETHER - 1 || session == sessions - 1 {
            workspace.memory().ledger().apply(&set, &provenance).expect("sessions");
            set = ChangeSet::new();
        }
    }
    workspace
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    // What it had before counts no more, where the system can forget it.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let (clock, processor) = (Instant::now(), processor_time());
    let out = work();
    let seconds = |time: Duration| time.as_secs_f64();
    let (clock, processor) = (clock.elapsed(), processor_time().saturating_sub(processor));
    println!(
        "  {what:<12} {:>8.2} s, processor {:>8.2} s, most memory {}",
        seconds(clock),
        seconds(processor),
        most_memory()
    );
    out
}

fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}

fn mine_and_condense(memory: &Memory) {
    let outcome = timed("mine", || memory.mine(&MineRequest::default(), &mut |_, _| {})).expect("mined");
    let memories: usize = outcome.mined.iter().map(|mined| mined.memories.len()).sum();
    println!("  {} mined, {} failed, {memories} memories", outcome.mined.len(), outcome.failed.len());
    let days = timed("condense", || memory.condense_days(&CondenseRequest::default(), &mut |_, _| {}));
    println!("  {} days", days.expect("condensed").days.len());
    timed("week", || memory.condense_week(None, false)).expect("a week");
    timed("month", || memory.condense_month(None, false)).expect("a month");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_asked = |what: &str| {
        let others = ["mine", "reconstruct"].iter().any(|other| arguments.iter().any(|each| each == other));
        !others || arguments.iter().any(|each| each == what)
    };
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![100, 1_000];
    }
    for sessions in sizes {
        println!("{sessions} sessions of {TURNS} turns");
        let workspace = workspace(sessions);
        let memory = workspace.memory();
        memory.index(false, rem_testkit::machine_time(), &mut |_| {}).expect("an index");
        if is_asked("mine") {
            mine_and_condense(memory);
        }
        if is_asked("reconstruct") {
            let made =
                timed("reconstruct", || memory.reconstruct(None, &mut |_, _| {})).expect("reconstructed");
            println!("  {} mined again", made.mined);
        }
    }
}
