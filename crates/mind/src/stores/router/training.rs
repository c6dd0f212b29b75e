//! Prints what the weights are learned from: for each labelled sentence its features, vector and sums of the rules.
//!
//! `crates/mind/model/README.md` says how it is run.

use serde_json::{Value, json};

use super::{features, learned, reader, weights};

const SETS: [(&str, &str); 3] = [
    ("tune", include_str!("../../../tests/router/tune.jsonl")),
    ("held-out", include_str!("../../../tests/router/held-out.jsonl")),
    ("dev", include_str!("../../../tests/router/dev.jsonl")),
];
/// Store or kind, then the sentence.
const LISTS: [(&str, &str); 2] = [
    ("written", include_str!("../../../tests/router/written.tsv")),
    ("taught", include_str!("../../../tests/router/taught.tsv")),
];

#[expect(clippy::print_stdout, reason = "it is read by the script that learns")]
fn show(set: &str, text: &str, label: &Value) {
    let text = text.trim();
    let reading = reader::read(text);
    println!(
        "{}",
        json!({
            "set": set,
            "text": text,
            "label": label,
            "language": reading.language.code(),
            "rules": weights::sums(reading.signals),
            "features": features::of(&reading.plain, reading.language, reading.signals),
            "meaning": learned::meaning(&text[reading.start..]),
        })
    );
}

#[test]
#[ignore = "for the script that learns the weights"]
fn show_what_is_learned_from() {
    for (set, lines) in SETS {
        for line in lines.lines() {
            let labelled: Value = serde_json::from_str(line).unwrap();
            show(set, labelled["text"].as_str().unwrap(), &labelled);
        }
    }
    for (set, lines) in LISTS {
        for line in lines.lines() {
            let (label, text) = line.split_once('\t').unwrap();
            show(set, text, &json!({ "word": label }));
        }
    }
}
