//! What a checkpoint of 100,000 memories costs: `cargo bench -p rem-mind --bench decay [-- MEMORIES]`.
//!
//! The memories are episodes, a thousand a day. Prints the processor time, the best of ten, of: every relevance computed and compared with the last
//! checkpoint; the same with the file written and committed.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::Duration;

use jiff::SignedDuration;
use rem_testkit::{Workspace, machine_time, processor_time};

const A_DAY: usize = 1_000;

fn main() {
    let memories = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000_usize);
    let workspace = Workspace::at("2026-06-30T12:00:00Z");
    for day in 0..memories.div_ceil(A_DAY) {
        let date = jiff::civil::date(2026, 1, 1)
            .saturating_add(jiff::Span::new().days(i64::try_from(day).expect("small")));
        let mut text = format!("# {date} — Episode Log\n");
        for number in 0..A_DAY {
            let (hour, minute) = (number / 60 % 24, number % 60);
            text.push_str(&format!(
                "\n## {hour:02}:{minute:02} | event | confidence:high | tags:[boats]\nBoat {number} left the harbor.\n"
            ));
        }
        workspace.write(&format!("memory/episodes/{date}.md"), text);
    }
    let memory = workspace.memory();
    memory.catch_up();
    memory.index(false, machine_time(), &mut |_| {}).expect("indexed");
    let best = |preview: bool| {
        let mut best = Duration::MAX;
        let mut steps = 0;
        for _ in 0..10 {
            // So that there is something to say.
            workspace.advance(SignedDuration::from_hours(24));
            let begun = processor_time();
            steps += memory.decay(preview, machine_time()).expect("computed").transitions.len();
            best = best.min(processor_time().saturating_sub(begun));
        }
        (best.as_secs_f64() * 1_000.0, steps)
    };
    memory.decay(false, machine_time()).expect("written");
    let ((computed, _), (written, steps)) = (best(true), best(false));
    println!(
        "{memories} memories: computed {computed:.0} ms, written {written:.0} ms ({steps} steps over a threshold)"
    );
}
