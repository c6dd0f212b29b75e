//! What a fresh process pays for its patterns: `cargo bench -p rem-mind --bench first_use`.
//!
//! Processor time of the first text in a process, and of the same text once a process is warm, for redaction, for triage and the
//! router in each language.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark sets its own scene, prints its figures and stops where it fails"
)]

use std::hint::black_box;
use std::time::Duration;

use rem_mind::attention::topics::Side;
use rem_mind::attention::triage::{CustomPatterns, triage};
use rem_mind::stores::router::route;
use rem_mind::transcripts::redact::Redactor;
use rem_testkit::processor_time;

const MESSAGES: [(&str, &str); 4] = [
    (
        "English",
        "Remember that the staging database is wiped every Sunday at four. Could you look at the timings that I pasted into the ticket and tell me which of the crates are rebuilt although nothing in them changed?",
    ),
    (
        "German",
        "Merk dir, dass die Testdatenbank jeden Sonntag um vier geleert wird. Könntest du dir die Zeiten aus dem Ticket ansehen und mir sagen, welche Pakete neu gebaut werden, obwohl sich nichts an ihnen geändert hat?",
    ),
    (
        "Korean",
        "테스트 데이터베이스는 매주 일요일 네 시에 비워진다고 기억해 줘. 작은 기계에서 빌드가 구 분쯤 걸리는데 대부분은 링크하는 시간이에요.",
    ),
    (
        "Chinese",
        "记住，测试数据库每个星期天四点会被清空。小机器上编译大概要九分钟，大部分时间花在链接上，能不能帮我看看工单里的数据？",
    ),
];
const SENTENCES: [(&str, &str); 4] = [
    ("English", "Remember that Osprey uses Redis for its sessions since the spring."),
    ("German", "Merk dir, dass Reiher seit dem Frühjahr Redis für die Sitzungen nutzt."),
    ("Korean", "결제 서비스는 봄부터 레디스를 사용한다고 기억해 줘."),
    ("Chinese", "记住，支付服务从春天开始用的是 Redis。"),
];

fn milliseconds(task: &mut dyn FnMut()) -> f64 {
    let begun = processor_time();
    task();
    processor_time().saturating_sub(begun).as_secs_f64() * 1e3
}

/// Prints the first call of a process, and the best mean of a thousand warm ones.
fn measure(what: &str, mut task: impl FnMut()) {
    let first = milliseconds(&mut task);
    let mut best = Duration::MAX.as_secs_f64();
    for _ in 0..8 {
        best = best.min(milliseconds(&mut || (0..1_000).for_each(|_| task())));
    }
    println!("{what}: {first:.1} ms, warm {best:.1} µs");
}

fn main() {
    let mut redactor = None;
    let made = milliseconds(&mut || redactor = Some(Redactor::new(&[], &[]).expect("the built-in rules")));
    let redactor = redactor.expect("just made");
    println!("a redactor made: {made:.1} ms");
    measure("redaction", || drop(black_box(redactor.redact(black_box(MESSAGES[0].1)))));
    let none = CustomPatterns::default();
    for (language, text) in MESSAGES {
        measure(&format!("triage, {language}"), || {
            drop(black_box(triage(black_box(text), Side::Input, &none)))
        });
    }
    for (language, text) in SENTENCES {
        measure(&format!("router, {language}"), || drop(black_box(route(black_box(text)))));
    }
}
