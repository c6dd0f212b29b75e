//! Condensing (L3; seed A8.4): days become pages of the journal, weeks become entries of MEMORY.md, months become chronicles.
//!
//! By a model where one is named (`asked`), else by rules. Either way nothing is said that was not said, each line leads to where it is from, and what stands on a page stays as it is, so a
//! person's hand is never undone: a line that was taken out does not come back, one that was changed is not written again.

mod asked;
mod daily;
mod hushed;
mod monthly;
mod noted;
mod overtaken;
pub(super) mod told;
mod weekly;

use jiff::civil::Date;
use rem_format::path::MemoryPath;
use serde::Serialize;

use crate::reasoning::RuledInstead;

pub(super) use asked::{NARRATE, Told};
pub use daily::CondensedDay;
pub(super) use daily::TALK;
pub use monthly::CondensedMonth;
pub use weekly::CondensedWeek;
pub(super) use weekly::WEEK;

/// What condensing days did, or would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CondenseOutcome {
    /// Whether it was done.
    pub applied: bool,
    /// The days that got something, oldest first.
    pub days: Vec<CondensedDay>,
    /// The transcripts that could not be read, and why; the next run tries again.
    pub failed: Vec<super::mine::NotMined>,
    /// How many conversations the rules told of although a model is named, and why.
    pub by_rules: Vec<RuledInstead>,
    /// The model that is asked when it is done; only in a preview, which asks nobody.
    pub would_ask: Option<String>,
}

/// Which days are to be condensed.
#[derive(Debug, Clone, Copy, Default)]
pub struct CondenseRequest {
    /// The first day; the first of all conversations where none is given.
    pub since: Option<Date>,
    /// The last day; today where none is given.
    pub until: Option<Date>,
    /// Only show what would be written.
    pub preview: bool,
}

/// A link to a file, with the words that are shown for it.
pub(super) fn linked(path: &MemoryPath, shown: &str) -> String {
    let target = path.as_str().strip_suffix(".md").unwrap_or(path.as_str());
    format!("[[{target}|{shown}]]")
}

/// What a line says without the links that it ends in.
pub(super) fn unlinked(line: &str) -> &str {
    let mut line = line;
    while let Some(at) = line.rfind(" [[").filter(|_| line.ends_with("]]")) {
        line = &line[..at];
    }
    line
}
