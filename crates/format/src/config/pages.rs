//! The two pages written from the table: the CONFIG.md that `rem init` leaves, and the reference page.
//!
//! Both follow the table of parameters, so they cannot speak of a key that does not exist or forget one.

use std::fmt::Write as _;

use super::parameter::{Kind, Parameter};
use super::{PARAMETERS, SECTIONS, find};
use crate::yaml;

/// What a new CONFIG.md shows: the settings people reach for first. The others are on the reference page.
const SHOWN: &[&str] = &[
    "operator.name",
    "operator.timezone",
    "layout.preset",
    "context.preset",
    "context_standard.token_budget",
    "search.max_results",
    "search.min_score",
    "search.half_life_days",
    "identity.policy",
    "models.provider",
    "models.url",
    "models.cheap",
    "models.strong",
    "embeddings.provider",
    "spending.daily_cap_usd",
    "git.cadence",
    "git.auto_push",
    "transcripts.idle_close_hours",
    "redaction.rules",
    "redaction.allow",
    "schedule.memory_miner",
    "schedule.reflection",
    "schedule.soul_keeper",
];

const INTRODUCTION: &str = "# Configuration

Everything this memory can be told stands in the block below. What is commented out has the value shown; take
away the `#` to change it. Any other text in this file is yours: write down why you chose what you chose.

`rem config show` lists every setting with its value, `rem config set search.min_score 0.4` changes one line of
this file, and `rem config check` finds mistakes.

";

/// The CONFIG.md of a new workspace. It reads as the defaults.
pub fn template() -> String {
    let mut page = format!("{INTRODUCTION}```yaml\n");
    let mut section = "";
    for parameter in SHOWN.iter().filter_map(|name| find(name)) {
        if parameter.section != section {
            section = parameter.section;
            let gap = if page.ends_with("```yaml\n") { "" } else { "\n" };
            let _ = writeln!(page, "{gap}{section}:");
        }
        let value = yaml::render(&parameter.default_value());
        let _ = writeln!(page, "  # {}: {value}    # {}", parameter.key, comment(parameter));
    }
    page.push_str("```\n");
    page
}

fn comment(parameter: &Parameter) -> String {
    let doc = first_sentence(parameter.doc).trim_end_matches('.');
    match parameter.kind {
        Kind::Choice(names) => format!("{doc}: {}", names.join(", ")),
        _ if parameter.unit.is_empty() => doc.to_owned(),
        _ => format!("{doc} ({})", parameter.unit),
    }
}

fn first_sentence(doc: &str) -> &str {
    let doc = doc.trim();
    doc.split_once(". ").map_or(doc, |(first, _)| first)
}

/// The reference page (`docs/config.md`): every parameter with its type, default, range, unit, meaning, seed
/// section and older names.
pub fn reference() -> String {
    let mut page = String::from(
        "# Every setting\n\n<!-- Generated from crates/format/src/config/table.rs; do not edit. -->\n\n\
         CONFIG.md holds one fenced `yaml` block, section by section. A key that is missing or empty has its\n\
         default. Older names are read as well and reported once. Settings marked † can run a command or reach\n\
         outside the workspace: in a workspace that came by `git clone` they wait for `rem trust`.\n\n\
         Seeds: P is persistent memory v4.1, M the Moltbot architecture, S Soul Memory, A the Autopoiesis compiler.\n",
    );
    // Writing to a String cannot fail.
    for section in SECTIONS {
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n| key | type | default | range | unit | meaning | seed | older names |\n\
             |---|---|---|---|---|---|---|---|\n",
            section.name,
            section.doc.trim()
        );
        for parameter in PARAMETERS.iter().filter(|parameter| parameter.section == section.name) {
            let older: Vec<String> = parameter.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let cells = [
                format!("`{}`{}", parameter.key, if parameter.needs_trust { " †" } else { "" }),
                parameter.kind.describe(),
                format!("`{}`", yaml::render(&parameter.default_value())),
                parameter.limits.describe().unwrap_or_default(),
                parameter.unit.to_owned(),
                parameter.doc.trim().to_owned(),
                parameter.seed.to_owned(),
                older.join(", "),
            ];
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(page, "| {} |", cells.join(" | "));
        }
    }
    page
}
