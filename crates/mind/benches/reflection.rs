//! What a reflection over 50,000 memories costs: `cargo bench -p rem-mind --bench reflection [-- MEMORIES]`.
//!
//! A half are episodes, a thousand a day; the rest entities with two facts each, one of them of an attribute that has one value at a time, and facts
//! of a page; a tenth of the entities has faded. Prints seconds by the clock and of the processor for the survey with its proposals and the
//! document, on an index that is up to date, and for an answer that approves all of it.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::fmt::Write;
use std::time::Instant;

use rem_format::reflection::ReflectionTrigger;
use rem_mind::ReviewDecision;
use rem_testkit::{Workspace, machine_time, processor_time};

const A_DAY: usize = 1_000;
const FACTS: usize = 500;

fn episodes(workspace: &Workspace, count: usize) {
    for day in 0..count.div_ceil(A_DAY) {
        let days = jiff::Span::new().days(i64::try_from(day).expect("small"));
        let date = jiff::civil::date(2026, 1, 1).saturating_add(days);
        let mut text = format!("# {date} — Episode Log\n");
        for number in 0..A_DAY.min(count - day * A_DAY) {
            let (hour, minute) = (number / 60 % 24, number % 60);
            let kind = if number % 50 == 0 { "decision" } else { "event" };
            write!(text, "\n## {hour:02}:{minute:02} | {kind} | confidence:high | tags:[boats]\nBoat {number} left the harbor.\n")
                .expect("a string");
        }
        workspace.write(&format!("memory/episodes/{date}.md"), text);
    }
}

fn entities(workspace: &Workspace, count: usize) {
    for number in 0..count {
        let day = if number % 10 == 0 { "2024-01-01" } else { "2026-06-20" };
        let (first, second) = (name(number), name(number / 7 + 3));
        let mentions = 1 + number % 4;
        let text = format!(
            "# {first} {second}\n<!-- Type: tool | Created: {day} | Last updated: {day} -->\n\n## Facts\n\
             - {first} {second} is used by the crew of pier {number} <!-- since:{day} | confidence:0.9 | mentions:{mentions} | source:conversation -->\n\
             - The version of {first} {second} is {} <!-- since:{day} | confidence:0.9 | mentions:1 | source:conversation -->\n",
            number % 9,
        );
        workspace.write(
            &format!(
                "memory/graph/entities/tool--{}-{}-{number}.md",
                first.to_lowercase(),
                second.to_lowercase()
            ),
            text,
        );
    }
}

fn name(mut number: usize) -> String {
    let mut name = String::from("K");
    for _ in 0..4 {
        name.push(char::from(b"aeiouy"[number % 6]));
        name.push(char::from(b"lmnrstv"[number / 6 % 7]));
        number /= 42;
    }
    name
}

fn main() {
    let memories = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(50_000_usize);
    let workspace = Workspace::at("2026-06-30T12:00:00Z");
    episodes(&workspace, memories / 2);
    entities(&workspace, memories / 2 - FACTS);
    let facts = (0..FACTS).fold("# Facts\n\n## Facts\n".to_owned(), |page, number| {
        page + &format!(
            "- The price of berth {number} is {} euros <!-- id:f{number} | since:2026-06-0{} | confidence:0.9 | source:user-explicit -->\n",
            100 + number,
            1 + number % 9
        )
    });
    workspace.write("memory/reference/facts.md", facts);
    let memory = workspace.memory();
    memory.catch_up();
    memory.index(false, machine_time(), &mut |_| {}).expect("indexed");
    for run in 0..3 {
        let (clock, processor) = (Instant::now(), processor_time());
        let made = memory.reflect(ReflectionTrigger::Request, run > 0, machine_time()).expect("reflected");
        println!(
            "{memories} memories: {:.2} s, processor {:.2} s; {} items, {} left out, {} tokens",
            clock.elapsed().as_secs_f64(),
            processor_time().saturating_sub(processor).as_secs_f64(),
            made.items,
            made.left_out,
            made.tokens,
        );
    }
    let (clock, processor) = (Instant::now(), processor_time());
    let all = ReviewDecision { approve_all: true, ..ReviewDecision::default() };
    let decided = memory.decide_reflection(&all, machine_time()).expect("decided");
    println!(
        "approved: {:.2} s, processor {:.2} s; {} applied, {} conflicts",
        clock.elapsed().as_secs_f64(),
        processor_time().saturating_sub(processor).as_secs_f64(),
        decided.applied.len(),
        decided.conflicts.len(),
    );
}
