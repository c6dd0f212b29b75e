//! `pending-reflection.md` in the form of seed M10.5. It follows from the twin, so what a person reads is what would be applied.

use super::twin::{Item, ItemKind, PendingReflection};
use crate::fielded::one_line;

/// The document of a reflection.
#[must_use]
pub fn document(pending: &PendingReflection) -> String {
    let of = |kind: ItemKind| pending.items.iter().filter(move |item| item.kind == kind);
    let listed = |kind: ItemKind| of(kind).map(bullet).collect::<Vec<_>>();
    let mut text = format!("# Reflection Summary — {}\n", pending.day);
    let mut section = |title: &str, lines: Vec<String>| {
        text.push_str(&format!("\n{title}\n"));
        match lines.is_empty() {
            true => text.push_str("- None this cycle\n"),
            false => lines.iter().for_each(|line| text.push_str(&format!("{line}\n"))),
        }
    };
    section("## 🧠 New Knowledge Extracted", bullets(&pending.knowledge));
    let mut connections = bullets(&pending.connections);
    connections.extend(listed(ItemKind::Duplicate));
    section("## 🔗 New Connections", connections);
    let mut archival = listed(ItemKind::Archival);
    archival.extend(bullets(std::slice::from_ref(&pending.faded)));
    section(&format!("## 📦 Proposed Archival (decay score < {})", pending.archive_threshold), archival);
    section("## ⚠️ Contradictions Detected", listed(ItemKind::Contradiction));
    let core: Vec<&Item> = of(ItemKind::Stale).chain(of(ItemKind::Promotion)).collect();
    section("## ✏️ Core Memory Changes", changes(&core));
    let insights = &pending.insights;
    section(
        "## 🌱 Philosophical Evolution\n### What I've Learned About Learning",
        bullets(&insights.learning),
    );
    section("### Evolving Understanding", bullets(&insights.understanding));
    section("### Emergent Theme", bullets(&insights.theme));
    section("## ❓ Questions for You", listed(ItemKind::Question));
    text.push_str("\n---\n");
    let processed = &pending.processed;
    let next = if pending.next.is_empty() { "none" } else { &pending.next };
    text.push_str(&format!(
        "**Reflection #**: {}\n**Token budget used**: {} / {}\n**Memories processed**: {}, {}, {}\n**Reflections reviewed**: {}\n\
         **Next scheduled reflection**: {next}\n",
        pending.number,
        grouped(pending.tokens),
        grouped(pending.budget),
        counted(processed.episodes, "episode", "episodes"),
        counted(processed.entities, "entity", "entities"),
        counted(processed.procedures, "procedure", "procedures"),
        counted(pending.reviewed, "past reflection", "past reflections"),
    ));
    if pending.left_out > 0 {
        let items = counted(pending.left_out, "item", "items");
        text.push_str(&format!("**Left out for the budget**: {items}, for a later reflection\n"));
    }
    text.push_str(
        "\n> Reply with `approve`, `approve with changes`, or `reject` to apply this reflection.\n",
    );
    text
}

fn bullets(lines: &[String]) -> Vec<String> {
    lines.iter().filter(|line| !line.is_empty()).map(|line| format!("- {}", one_line(line))).collect()
}

fn bullet(item: &Item) -> String {
    format!("- [{}] {} ({})", item.id, one_line(&item.says), one_line(&item.reason))
}

/// MEMORY.md's changes: each item, then what they come to.
fn changes(items: &[&Item]) -> Vec<String> {
    if items.is_empty() {
        return Vec::new();
    }
    let mut sections: Vec<&str> = items.iter().filter_map(|item| item.section.as_deref()).collect();
    sections.sort_unstable();
    sections.dedup();
    let mut lines: Vec<String> = items.iter().map(|item| bullet(item)).collect();
    // A longer fence than any in what is quoted.
    let longest = items.iter().map(|item| longest_run(&item.says)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    lines.push(format!("\n{fence}diff"));
    for section in sections {
        lines.push(format!("## {section}"));
        for item in items.iter().filter(|item| item.section.as_deref() == Some(section)) {
            let (sign, said) = match (&item.kind, &item.after) {
                (ItemKind::Promotion, Some(after)) => ("+", after),
                _ => ("-", &item.says),
            };
            lines.push(format!("{sign} {}", one_line(said)));
        }
    }
    lines.push(fence);
    lines
}

fn longest_run(text: &str) -> usize {
    text.split(|each| each != '`').map(str::len).max().unwrap_or(0)
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A number with a comma after the thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::super::twin::tests::{item, pending};
    use super::*;

    #[test]
    fn the_document_has_the_seeds_headings_in_its_order() {
        let stale = item("s1", ItemKind::Stale, "waits for ```approval```");
        let mut reflection = pending(vec![
            item("p1", ItemKind::Promotion, "Alex prefers hybrids"),
            stale,
            item("q1", ItemKind::Question, "Still relevant?"),
        ]);
        reflection.knowledge = vec!["New entity: concept--x".to_owned()];
        let text = document(&reflection);
        let headings: Vec<&str> =
            text.lines().filter(|line| line.starts_with("## ") || line.starts_with("### ")).collect();
        assert_eq!(
            headings,
            [
                "## 🧠 New Knowledge Extracted",
                "## 🔗 New Connections",
                "## 📦 Proposed Archival (decay score < 0.05)",
                "## ⚠️ Contradictions Detected",
                "## ✏️ Core Memory Changes",
                "## Critical Facts",
                "## 🌱 Philosophical Evolution",
                "### What I've Learned About Learning",
                "### Evolving Understanding",
                "### Emergent Theme",
                "## ❓ Questions for You",
            ]
        );
        assert!(text.starts_with("# Reflection Summary — 2026-02-02\n\n## 🧠"));
        assert!(
            text.contains(
                "\n````diff\n## Critical Facts\n- waits for ```approval```\n+ Alex prefers hybrids\n````\n"
            ),
            "{text}"
        );
        assert!(text.contains("- [q1] Still relevant? (it came up often)\n\n---\n**Reflection #**: 5\n**Token budget used**: 5,200 / 8,000\n"));
        assert!(text.contains("**Memories processed**: 23 episodes, 8 entities, 3 procedures\n**Reflections reviewed**: 4 past reflections\n**Next scheduled reflection**: 2026-02-03 03:00\n\n> Reply with `approve`, `approve with changes`, or `reject` to apply this reflection.\n"));
        reflection.left_out = 1;
        assert!(
            document(&reflection).contains("**Left out for the budget**: 1 item, for a later reflection\n")
        );
    }
}
