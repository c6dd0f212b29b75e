//! `pending-identity.md`. It follows from the twin, so what a person reads is what would be applied.

use super::changelog::evidence_line;
use super::twin::{Growth, GrowthKind, LeavingTo, PendingIdentity};
use crate::fielded::one_line;

/// The document that a person reads.
#[must_use]
pub fn document(pending: &PendingIdentity) -> String {
    let mut text = format!(
        "# Identity Growth — {}\n\nSOUL.md has {} of {} tokens. Nothing of this is in it before you approve it.\n",
        pending.day, pending.tokens, pending.max_tokens
    );
    for (kind, title) in [
        (GrowthKind::Add, "To be added"),
        (GrowthKind::Replace, "To be replaced"),
        (GrowthKind::Remove, "To be taken out"),
    ] {
        let mut items = pending.items.iter().filter(|item| item.kind == kind).peekable();
        if items.peek().is_some() {
            text.push_str(&format!("\n## {title}\n"));
        }
        items.for_each(|item| text.push_str(&told(item)));
    }
    text.push_str("\n> `rem identity review` goes through them; `rem identity approve` and `rem identity reject` answer them.\n");
    text
}

/// An item with all that speaks for it.
fn told(item: &Growth) -> String {
    let Growth { id, principle, section, counted, threshold, elapsed_hours, cooldown_hours, .. } = item;
    let mut text = format!("\n- [{id}] \"{}\"\n  Under: {}\n", one_line(principle), one_line(section));
    let mut line = |name: &str, value: String| text.push_str(&format!("  {name}: {}\n", one_line(&value)));
    if let Some(replaces) = &item.replaces {
        line("Instead of", format!("\"{replaces}\""));
    }
    for leaving in &item.leaves {
        let to = match leaving.to {
            LeavingTo::Merged => "goes: another principle says the same",
            LeavingTo::Memory => "moves to MEMORY.md",
        };
        line("For room", format!("\"{}\" {to}", leaving.principle));
    }
    line("Because", item.reason.clone());
    line("Evidence", evidence_line(&item.occurrences));
    if item.kind != GrowthKind::Remove {
        line("Occurrences", format!("{counted} (threshold {threshold})"));
        line("Cool-down", format!("{elapsed_hours}h elapsed (threshold {cooldown_hours}h)"));
    }
    for occurrence in &item.occurrences {
        line("Said", format!("{}: {}", occurrence.place(), occurrence.text));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::twin::tests::{growth, pending};
    use super::*;

    #[test]
    fn each_item_is_told_with_what_speaks_for_it() {
        let mut removed = growth("b2", "Use the old form");
        removed.kind = GrowthKind::Remove;
        let text = document(&pending(vec![growth("a1", "Confirm the timezone"), removed]));
        for said in [
            "# Identity Growth — 2026-02-22\n\nSOUL.md has 120 of 800 tokens.",
            "\n## To be added\n\n- [a1] \"Confirm the timezone\"\n  Under: Principles\n  For room: \"Be brief\" moves to MEMORY.md\n",
            "  Evidence: Correction 2026-02-18 (CORRECTIONS.md #14), repeated 2026-02-21 (conversation raw/conversations/2026/02/21/0900-s1-talk.md:12)\n  Occurrences: 2 (threshold 2)\n  Cool-down: 96h elapsed (threshold 24h)\n  Said: CORRECTIONS.md #14: Always confirm",
            "\n## To be taken out\n\n- [b2] \"Use the old form\"\n",
        ] {
            assert!(text.contains(said), "{said}\n---\n{text}");
        }
        assert!(!text.contains("To be replaced"));
    }
}
