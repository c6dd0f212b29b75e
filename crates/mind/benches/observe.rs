//! What the loop for one message costs: `cargo bench -p rem-mind --bench observe [-- FILES]`.
//!
//! A workspace of 10,000 files with 100,000 passages, 200 topics and an open session, no gate. Prints the time by the clock and of the
//! processor of a whole `observe` in an open workspace: captured, triaged, matched, recalled, compiled; of its context alone; and
//! how long compiling took in that.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::{Duration, Instant};

use rem_format::transcript::Role;
use rem_mind::attention::topics::Nobody;
use rem_mind::attention::{ContextQuery, Observation};
use rem_testkit::{Workspace, machine_time, processor_time};

const WORDS: [&str; 20] = [
    "harbor", "boat", "violin", "database", "glacier", "trainer", "walnut", "calendar", "member", "season",
    "pepper", "lantern", "river", "copper", "market", "pillow", "garden", "signal", "timber", "window",
];

fn main() {
    let files = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10_000_usize);
    let workspace = Workspace::new();
    let word = |number: usize| WORDS[number % WORDS.len()];
    for number in 0..files {
        let sections: String = (0..10)
            .map(|section| {
                let (one, two) = (word(number + section), word(number / 20 + section * 7));
                format!("## {one} {section}\n\nThe {one} of {two} number {number} was moved to the {} on day {section}, as agreed with the {two} team.\n\n", word(number / 400))
            })
            .collect();
        workspace
            .write(&format!("memory/reference/note-{number}.md"), format!("# Note {number}\n\n{sections}"));
    }
    for number in 0..200 {
        let (one, two) = (word(number), word(number / 20));
        workspace.write(
            &format!("topics/topic-{number}.md"),
            format!("---\ntype: topic\ntriggers:\n  - type: keywords\n    words: [{one}{number}, {two} {one}]\n---\n# Topic {number}\n\nHow the {one} and the {two} are handled in case {number}.\n"),
        );
    }
    let memory = workspace.memory();
    memory.catch_up();
    memory.index(false, machine_time(), &mut |_| {}).expect("indexed");
    let text = |round: usize| {
        format!(
            "What became of the {} of the {} after day {}? Please tell me where it is.",
            word(round),
            word(round * 3 + 1),
            round % 10
        )
    };
    let mut observed = |round: usize| {
        let text = text(round);
        memory.observe(&Observation::new("s", Role::User, &text), &Nobody, machine_time()).expect("observed");
    };
    measured("observe", &mut observed);
    let mut compiling = Vec::new();
    let mut compiled = |round: usize| {
        let text = text(round);
        let query = ContextQuery { message: &text, ..ContextQuery::default() };
        let context = memory.context(&query, machine_time()).expect("compiled");
        compiling.push(context.timings_ms.get("compile").copied().unwrap_or_default());
    };
    measured("context", &mut compiled);
    compiling.sort_unstable();
    println!(
        "compile alone: at most {} ms in 95 of 100, by the clock",
        compiling[compiling.len() * 95 / 100]
    );
}

fn measured(name: &str, run: &mut impl FnMut(usize)) {
    let begun = Instant::now();
    run(0);
    let first = begun.elapsed();
    let mut times: Vec<(Duration, Duration)> = Vec::new();
    for round in 1..60 {
        let (begun, processor) = (Instant::now(), processor_time());
        run(round);
        times.push((begun.elapsed(), processor_time().saturating_sub(processor)));
    }
    let (mut clock, mut processor): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
    clock.sort_unstable();
    processor.sort_unstable();
    let at = |times: &[Duration], percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1_000.0;
    println!(
        "{name}: p50 {:.1} ms, p95 {:.1} ms by the clock; {:.1} and {:.1} of the processor; the first {:.0} ms",
        at(&clock, 50),
        at(&clock, 95),
        at(&processor, 50),
        at(&processor, 95),
        first.as_secs_f64() * 1_000.0
    );
}
