//! What a scan for conflicts costs: `cargo bench -p rem-mind --bench conflicts [ENTRIES]…`, 10,000 by default.
//!
//! Half of the entries are facts on one page and half are facts of entities, ten each; all are new, and one in a hundred contradicts another.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::fmt::Write;
use std::time::Instant;

use rem_testkit::{Workspace, processor_time};

const THINGS: [&str; 10] =
    ["gateway", "printer", "router", "cabin", "ferry", "archive", "garden", "harbour", "kitchen", "studio"];
const SAYS: [&str; 5] =
    ["has a blue door near", "was built by", "smells of cedar since", "stands opposite", "is cleaned before"];

/// A statement, and every hundredth time one that has one value at a time, which the next of its kind says otherwise.
fn statement(number: usize) -> String {
    let thing = THINGS[number % 10];
    match number % 100 {
        0 => format!("The port of {thing} {} is {}", number / 200, 1000 + number),
        _ => format!("The {thing} {number} {} pier {}", SAYS[number % 5], number * 7 % 1000),
    }
}

fn main() {
    let mut sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![10_000];
    }
    for entries in sizes {
        let workspace = Workspace::new();
        let mut page = "# Facts\n\n".to_owned();
        for number in 0..entries / 2 {
            let text = statement(number);
            writeln!(page, "- {text} <!-- id:f{number} | since:2026-02-28 | source:user-explicit -->")
                .expect("a string");
        }
        workspace.write("memory/reference/facts.md", &page);
        for entity in 0..entries / 20 {
            let mut page = format!("# Thing {entity}\n\n## Facts\n\n");
            for fact in 0..10 {
                let text = statement(entries / 2 + entity * 10 + fact);
                writeln!(page, "- {text} <!-- since:2026-02-28 | source:user-explicit -->")
                    .expect("a string");
            }
            workspace.write(&format!("memory/graph/entities/project--thing-{entity}.md"), &page);
        }
        let memory = workspace.memory();
        memory.catch_up();
        for (what, preview) in [("preview", true), ("scan", false)] {
            let (clock, processor) = (Instant::now(), processor_time());
            let scan = memory.scan_conflicts(preview).expect("a scan");
            println!(
                "{entries} entries, {what}: {} looked at, {} found, {:.2} s, processor {:.2} s",
                scan.looked_at,
                scan.found.len(),
                clock.elapsed().as_secs_f64(),
                processor_time().saturating_sub(processor).as_secs_f64()
            );
        }
    }
}
