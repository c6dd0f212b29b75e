//! What one memory costs in a workspace of 10,000: `cargo bench -p rem-mind --bench remember [-- FILES]`.
//!
//! Prints, by store, the time by the clock and of the processor of a whole `remember` in an open workspace: routed, compared,
//! written, synced, committed, audited, indexed.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::{Duration, Instant};

use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_testkit::{Workspace, machine_time, processor_time};

fn main() {
    let files = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10_000_usize);
    let workspace = Workspace::new();
    let words = [
        "harbor", "boat", "violin", "database", "glacier", "trainer", "walnut", "calendar", "member",
        "season",
    ];
    for number in 0..files {
        let text = format!(
            "# concept--thing-{number}\n\n<!-- Type: concept | Label: Thing {number} -->\n\n## Facts\n- {} {}\n",
            words[number % 10],
            words[number / 10 % 10]
        );
        workspace.write(&format!("memory/graph/entities/concept--thing-{number}.md"), text);
    }
    let memory = workspace.memory();
    memory.catch_up();
    memory.index(false, machine_time(), &mut |_| {}).expect("indexed");
    let stores = StoreKind::ALL.map(|store| (store.as_str(), Some(store)));
    for (name, store) in stores.into_iter().chain([("where it belongs", None)]) {
        if store.is_none() {
            // Other stores are looked through for the same: long lists of what is like it.
            let line = |number: usize| {
                format!(
                    "- {} fact {number} of the {} <!-- id:f{number} -->\n",
                    words[number % 10],
                    words[number / 10 % 10]
                )
            };
            let list = |title: &str, lines: usize| {
                format!("# {title}\n\n## {title}\n") + &(0..lines).map(line).collect::<String>()
            };
            workspace.write("memory/reference/facts.md", list("Facts", files / 2));
            workspace.write("memory/vault/pinned.md", list("Pinned", files / 10));
            memory.catch_up();
            memory.index(false, machine_time(), &mut |_| {}).expect("indexed");
        }
        let mut remembered = |round: usize| {
            let text = match store {
                Some(StoreKind::Semantic) => format!("Captain{round} uses Sextant{}", round % 7),
                None => format!("I prefer {} number {round} to any {}", words[round % 10], words[round / 10]),
                _ => format!("{} number {round} is for the {}", words[round % 10], words[round / 10]),
            };
            let request = RememberRequest { text, store, ..RememberRequest::default() };
            let (begun, processor) = (Instant::now(), processor_time());
            memory.remember(&request).expect("remembered");
            (begun.elapsed(), processor_time().saturating_sub(processor))
        };
        // The first makes the patterns of its language.
        let first = remembered(0).0;
        let (mut clock, mut processor): (Vec<Duration>, Vec<Duration>) = (1..60).map(&mut remembered).unzip();
        clock.sort_unstable();
        processor.sort_unstable();
        let at = |times: &[Duration], percent: usize| milliseconds(times[times.len() * percent / 100]);
        println!(
            "{name}: p50 {:.1} ms, p95 {:.1} ms by the clock; {:.1} and {:.1} of the processor; the first {:.1} ms",
            at(&clock, 50),
            at(&clock, 95),
            at(&processor, 50),
            at(&processor, 95),
            milliseconds(first)
        );
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
