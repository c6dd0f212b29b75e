//! What matching a message with all topics costs: `cargo bench -p rem-mind --bench topics [-- TOPICS…]`.
//!
//! For 20, 200, 2,000 and 10,000 topics, each with a pattern, keywords, a glob and a paragraph of its own, prints the processor time of:
//! loading them all; looking whether a file changed; both tiers over a message of 500 characters in English, and in Korean with some
//! English. Times are the best of five rounds.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::Duration;

use rem_mind::attention::topics::{Nobody, TopicMessage};
use rem_testkit::{Workspace, processor_time};

const SUBJECTS: [&str; 10] = [
    "invoices",
    "deployment",
    "gardening",
    "sailing",
    "taxes",
    "piano",
    "hiring",
    "backups",
    "travel",
    "cooking",
];
const DEEDS: [&str; 10] = [
    "planning",
    "reviewing",
    "checking",
    "writing",
    "ordering",
    "repairing",
    "moving",
    "testing",
    "paying",
    "cleaning",
];

fn topic(number: usize) -> String {
    let (subject, deed) = (SUBJECTS[number % 10], DEEDS[number / 10 % 10]);
    format!(
        "---\ntriggers:\n  - {{type: pattern, match: '\\b({deed}|{subject}{number}|ticket-{number})\\b'}}\n  - {{type: keywords, words: [{subject} {number}, case{number}, 일{number}]}}\n  - {{type: glob, match: '*.x{number}'}}\npriority: high\n---\n\n# {deed} {subject} {number}\n\nHow {subject} of the kind {number} are looked after: {deed} them first, then asking harbour office {number}.\n\n## Instructions\n\nCollect what is known about {subject}. {deed} takes a day. Tell the office when it is done, and keep a note in the project's page. Never start before the papers of case {number} are complete.\n"
    )
}

fn long(sentence: &str) -> String {
    sentence.chars().cycle().take(500).collect()
}

fn main() {
    let mut sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = vec![20, 200, 2_000, 10_000];
    }
    let english = long(
        "Could you look at the papers of case17 before the weekend, and start reviewing the deployment as soon as Mira is back? ",
    );
    let korean = long(
        "주말 전에 서류를 확인하고 미라가 돌아오면 deployment 검토를 시작해 줄래? 일17 건은 급하지 않아. ",
    );
    println!("{:>7} {:>10} {:>12} {:>12} {:>12}", "topics", "load", "unchanged?", "English", "Korean");
    for size in sizes {
        let workspace = Workspace::new();
        for number in 0..size {
            workspace.write(&format!("topics/topic-{number}.md"), topic(number));
        }
        let memory = workspace.memory();
        let load = once(|| {
            let memory = workspace.open();
            assert_eq!(memory.topics().expect("loaded").topics().len(), size);
        });
        memory.topics().expect("loaded");
        let look = once(|| drop(memory.topics().expect("loaded")));
        let matching = |text: &str| {
            let message = TopicMessage { text, ..TopicMessage::default() };
            let all = once(|| {
                assert!(!memory.match_topics(&message, &Nobody).expect("matched").topics.is_empty());
            });
            all.saturating_sub(look)
        };
        let (english, korean) = (matching(&english), matching(&korean));
        println!("{size:>7} {load:>10.1?} {look:>12.1?} {english:>12.1?} {korean:>12.1?}");
    }
}

/// The processor time of one run: the best of five rounds that take some time each.
fn once(mut run: impl FnMut()) -> Duration {
    run();
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let (begun, mut runs) = (processor_time(), 0_u32);
        while runs == 0 || processor_time().saturating_sub(begun) < Duration::from_millis(60) {
            run();
            runs += 1;
        }
        best = best.min(processor_time().saturating_sub(begun) / runs);
    }
    best
}
