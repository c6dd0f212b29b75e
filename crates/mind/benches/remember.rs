//! What one memory costs in a workspace of 10,000: `cargo bench -p rem-mind --bench remember [-- FILES]`.
//!
//! Prints, by store, the time by the clock and of the processor of a whole `remember` in an open workspace: routed, compared,
//! written, synced, committed, audited. The index is brought up to date by the next search.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::{Duration, Instant};

use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_testkit::{Workspace, machine_time};

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
        let mut times: Vec<Duration> = (0..60)
            .map(|round| {
                let text = match store {
                    Some(StoreKind::Semantic) => format!("Captain{round} uses Sextant{}", round % 7),
                    None => {
                        format!("I prefer {} number {round} to any {}", words[round % 10], words[round / 10])
                    }
                    _ => format!("{} number {round} is for the {}", words[round % 10], words[round / 10]),
                };
                let request = RememberRequest { text, store, ..RememberRequest::default() };
                let begun = Instant::now();
                memory.remember(&request).expect("remembered");
                begun.elapsed()
            })
            .collect();
        // The first makes the patterns of its language.
        let first = times.remove(0);
        times.sort_unstable();
        let at = |percent: usize| times[times.len() * percent / 100].as_secs_f64() * 1_000.0;
        println!(
            "{name}: p50 {:.1} ms, p95 {:.1} ms, the first {:.1} ms",
            at(50),
            at(95),
            first.as_secs_f64() * 1_000.0
        );
    }
}
