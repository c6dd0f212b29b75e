//! What the model sees of the memory: facts in a fence, short enough for the host.
//!
//! The fence's tag is what importers leave out when a host writes it into its transcript. Nothing in here tells the model to do anything:
//! hosts and models take instructions from a hook for an attack.

use rem_mind::AlertedFile;
use rem_mind::agents::TakenBack;
use rem_mind::attention::CompiledContext;
use rem_mind::import::OWN_FENCE_TAG;

/// The most that Claude Code passes on whole: 10,000 characters, with room for what stands around the text.
const MOST: usize = 9_900;

/// The most that a context may take of it, with hints: what stands around it is less than the rest.
pub(super) const ROOM: usize = MOST - (HEADING.len() + 2 * OWN_FENCE_TAG.len() + 32);

/// The first line, which says what follows.
const HEADING: &str = "From the memory of this agent's earlier work, each piece with its file and lines.";

/// Characters as hosts written in JavaScript count them.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

/// `text` in the fence that is known again.
fn fenced(text: &str) -> String {
    let text = text.trim().replace(&format!("</{OWN_FENCE_TAG}"), &format!("&lt;/{OWN_FENCE_TAG}"));
    if text.is_empty() {
        return String::new();
    }
    format!("<{OWN_FENCE_TAG}>\n{text}\n</{OWN_FENCE_TAG}>")
}

/// A context with what the watchers of topics noted about the answer before.
pub(super) fn of_context(context: &CompiledContext, hints: &[String]) -> String {
    let mut noted = String::new();
    for hint in hints {
        let line = format!("\nNoted of the answer before: {}", hint.trim());
        if length(&noted) + length(&line) < MOST / 4 {
            noted.push_str(&line);
        }
    }
    let text = context.text.trim();
    if text.is_empty() && noted.is_empty() {
        return String::new();
    }
    fenced(&format!("{HEADING}\n\n{text}\n{noted}"))
}

/// What became of a file that a sub-agent wrote past the memory.
pub(super) fn of_taken_back(taken: &TakenBack) -> String {
    let waiting: Vec<String> = taken.proposals.iter().map(|number| format!("#{number}")).collect();
    let waiting = match waiting.is_empty() {
        true => "Nothing in it waits as a proposal.".to_owned(),
        false => format!("What was added waits as proposals {}.", waiting.join(", ")),
    };
    fenced(&format!(
        "{} holds again what it held before: sub-agents propose memories (memory_propose or `rem proposals add`), the main agent writes them. {waiting} Commit {} keeps what was written.",
        taken.path, taken.commit
    ))
}

/// What a session should know at its beginning: open alerts and what waits for whom. Nothing where there is nothing.
pub(super) fn of_state(alerts: &[AlertedFile], waiting: &[(&str, &str, usize)]) -> String {
    const MOST_ALERTS: usize = 5;
    let mut lines: Vec<String> = Vec::new();
    match alerts.len() {
        0 => {}
        1 => {
            lines.push("One file of the memory changed in a way that the operator should look at:".to_owned())
        }
        count => lines
            .push(format!("{count} files of the memory changed in a way that the operator should look at:")),
    }
    for alert in alerts.iter().take(MOST_ALERTS) {
        let AlertedFile { file, day, summary, changed, more } = alert;
        let summary: String = summary.chars().take(200).collect();
        lines.push(format!("- Heads up: {file} was modified on {day}. {summary}"));
        if !changed.is_empty() {
            lines.push("  Here is what changed:".to_owned());
            lines.extend(changed.iter().map(|line| format!("    {line}")));
        }
        match more {
            0 => {}
            1 => lines.push("    … 1 more line".to_owned()),
            more => lines.push(format!("    … {more} more lines")),
        }
        lines.push(format!(
            "  Was this intentional? The operator answers with `rem audit acknowledge {file}`, or takes it back."
        ));
    }
    if alerts.len() > MOST_ALERTS {
        lines.push(format!("… and {} more: `rem audit alerts` lists them.", alerts.len() - MOST_ALERTS));
    }
    for (whose, what, count) in waiting.iter().filter(|(.., count)| *count > 0) {
        lines.push(format!("Waiting for the {whose}'s review: {count} {what}."));
    }
    fenced(&lines.join("\n"))
}
