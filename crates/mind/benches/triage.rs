//! What the triage of one message costs: `cargo bench -p rem-mind --bench triage`.
//!
//! Messages of 500 characters, all families, with and without 100 custom patterns. Prints the processor time of one message, warm,
//! the best of ten runs of a thousand; and what a process pays for the first message of a language.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::time::Duration;

use rem_format::config::{CustomTrigger, TriggerFamily, TriggerSide};
use rem_mind::attention::topics::Side;
use rem_mind::attention::triage::{CustomPatterns, triage};
use rem_testkit::processor_time;

const PLAIN: &str = "The build takes about nine minutes on the small machine, most of it in the linker, and I would like to know where the time goes before we buy a larger one. Could you look at the timings that I pasted into the ticket and tell me which of the crates are rebuilt although nothing in them changed? My guess is the build script of the parser, it touches its output every time. If that is so, a check of the contents should be enough, but maybe there is something better. Thanks, no hurry with it today";
const FIRES: &str = "Before I go: remember that the staging database is wiped every Sunday at four, I already told you that last week and it was gone the next day. Actually, it's Postgres these days, not MySQL, so the script in the wiki is wrong as well. Forget about the old address of the office, nobody will send anything there any more. What do you remember about the workshop in Copenhagen? And when there is time, go over your notes on the kitchen, merge the duplicates and tidy up your memory a little, please, it is a mess.";
const GERMAN: &str = "Der Lauf dauert auf der kleinen Maschine etwa neun Minuten, das meiste davon beim Linken, und ich wüsste gern, wohin die Zeit geht, bevor wir eine größere kaufen. Könntest du dir die Zeiten aus dem Ticket ansehen und mir sagen, welche Pakete neu gebaut werden, obwohl sich nichts an ihnen geändert hat? Ich vermute das Skript des Parsers, es fasst seine Ausgabe jedes Mal an. Wenn das stimmt, genügt ein Vergleich der Inhalte, aber vielleicht gibt es etwas Besseres. Danke, es eilt heute überhaupt nicht.";
const KOREAN: &str = "작은 기계에서 빌드가 구 분쯤 걸리는데 대부분은 링크하는 시간이에요. 더 큰 걸 사기 전에 시간이 어디로 가는지 알고 싶어요. ";
const CHINESE: &str = "小机器上编译大概要九分钟，大部分时间花在链接上。在买更大的机器之前，我想知道时间到底花在哪里，能不能帮我看看工单里的数据？";

fn best(text: &str, custom: &CustomPatterns) -> f64 {
    const ROUNDS: u32 = 1_000;
    let mut best = Duration::MAX;
    for _ in 0..10 {
        let begun = processor_time();
        for _ in 0..ROUNDS {
            std::hint::black_box(triage(std::hint::black_box(text), Side::Input, custom));
        }
        best = best.min(processor_time().saturating_sub(begun));
    }
    best.as_secs_f64() * 1e6 / f64::from(ROUNDS)
}

fn main() {
    let trigger = |number: usize| CustomTrigger {
        name: format!("custom {number}"),
        pattern: match number % 4 {
            0 => format!(r"\bPROJ{number}-\d+"),
            1 => format!(r"(?i)deploy(?:ed|ing)? to region {number}"),
            2 => format!(r"(?i)\b(?:ask|tell) team{number}\b"),
            _ => format!(r"(?i)invoice\s+{number}\d\d\d"),
        },
        family: TriggerFamily::Custom,
        side: TriggerSide::Both,
        route: String::new(),
    };
    let triggers: Vec<CustomTrigger> = (0..100).map(trigger).collect();
    let none = CustomPatterns::default();
    let cut = |text: &str, characters: usize| text.chars().take(characters).collect::<String>();
    let messages = [
        ("English, nothing fires", cut(PLAIN, 500)),
        ("English, every family fires", cut(FIRES, 500)),
        ("German, nothing fires", cut(GERMAN, 500)),
        ("Korean, nothing fires", cut(&KOREAN.repeat(12), 500)),
        ("Chinese, nothing fires", cut(&CHINESE.repeat(12), 500)),
    ];
    for (what, text) in &messages {
        let begun = processor_time();
        let found = triage(text, Side::Input, &none);
        let first = processor_time().saturating_sub(begun).as_secs_f64() * 1e3;
        println!("{what}: {} triggers, the first in the process {first:.1} ms", found.matches.len());
    }
    let begun = processor_time();
    let custom = CustomPatterns::new(&triggers).expect("good patterns");
    println!(
        "100 custom patterns compiled: {:.1} ms",
        processor_time().saturating_sub(begun).as_secs_f64() * 1e3
    );
    for (what, text) in &messages {
        println!(
            "{what}: {:.1} µs, with 100 custom patterns {:.1} µs",
            best(text, &none),
            best(text, &custom)
        );
    }
}
