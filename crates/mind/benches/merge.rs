//! What merging two clones that both went on costs: `cargo bench -p rem-mind --bench merge [CHANGES]…`, 1,000 on each side by default.
//!
//! Every change is a memory of its own, told and committed: facts, people with their relations, episodes, and now and then one that says
//! again what both know. Measured are the merge, with fetching and the scan for contradictions, and the other clone going forward to it.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use jiff::SignedDuration;
use rem_ledger::FixedClock;
use rem_mind::Memory;
use rem_mind::stores::RememberRequest;
use rem_mind::stores::router::StoreKind;
use rem_testkit::{MORNING, Workspace, git, options, processor_time};

const NAMES: [&str; 8] = ["Mira", "Jonas", "Petra", "Anton", "Lena", "Oskar", "Nora", "Ivo"];

fn open(root: &Path) -> (Memory, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::new(MORNING.parse().expect("a time")));
    (Memory::open(root, options(&clock)).expect("a workspace"), clock)
}

/// So many changes of one side, a minute apart.
fn go_on(memory: &Memory, clock: &FixedClock, side: usize, changes: usize) {
    for number in 0..changes {
        clock.advance(SignedDuration::from_mins(1));
        let own = number * 2 + side;
        let (store, text) = match number % 4 {
            0 => (StoreKind::Semantic, format!("The buoy {own} lies off pier {}", own * 7 % 1000)),
            1 => (StoreKind::Episodic, format!("Boat {own} came in with a broken mast.")),
            2 => (StoreKind::Semantic, format!("{} repaired engine {own}", NAMES[own % 8])),
            _ if number % 40 == 3 => {
                (StoreKind::Semantic, format!("The lamp {} burns at night", number / 40))
            }
            _ => (StoreKind::Procedural, format!("To moor boat {own}, first slow down, then throw the line")),
        };
        let request = RememberRequest { text, store: Some(store), ..RememberRequest::default() };
        memory.remember(&request).expect("remembered");
    }
}

fn main() {
    let mut sizes: Vec<usize> = std::env::args().skip(1).filter_map(|size| size.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000];
    }
    for changes in sizes {
        let workspace = Workspace::new();
        git(workspace.outside(), &["clone", "--quiet", "w", "b"]);
        let there = workspace.outside().join("b");
        let ((ours, our_clock), (theirs, their_clock)) = (open(&workspace.root()), open(&there));
        go_on(&ours, &our_clock, 0, changes);
        go_on(&theirs, &their_clock, 1, changes);
        let from = there.to_string_lossy().into_owned();
        let home = workspace.root().to_string_lossy().into_owned();
        for (what, memory, from) in [("merge", &ours, &from), ("forward", &theirs, &home)] {
            let (clock, processor) = (Instant::now(), processor_time());
            let outcome = memory.merge(Some(from), false).expect("a merge");
            println!(
                "{changes} changes on each side, {what}: {} commits, {} kinds of memory, {} conflicts, {:.2} s, processor {:.2} s",
                outcome.commits,
                outcome.stores.len(),
                outcome.conflicts.len() + outcome.contradictions.len(),
                clock.elapsed().as_secs_f64(),
                (processor_time().saturating_sub(processor)).as_secs_f64()
            );
        }
        assert!(ours.verify().expect("verified").is_well());
    }
}
