//! A project's three pages (A2.2): what it is, how it goes, what was learned on the way.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::document::{Value, render_entry};

/// What a project is and what was decided.
pub const CONTEXT: &str = "context.md";
/// What is done, what is next, what is in the way.
pub const PROGRESS: &str = "progress.md";
/// What was learned on the way.
pub const NOTES: &str = "notes.md";

/// Whether a project goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProjectStatus {
    /// It goes on, and is listed.
    #[default]
    Active,
    /// It is over; its pages stay and are found.
    Closed,
}

impl ProjectStatus {
    /// Its word in the front matter.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Closed => "closed",
        }
    }

    /// What a word in the front matter means; a word of a person's own means that it goes on.
    #[must_use]
    pub fn of(word: Option<&str>) -> Self {
        let is_over = |word: &str| {
            ["closed", "done", "archived", "completed", "cancelled"]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(word.trim()))
        };
        if word.is_some_and(is_over) { Self::Closed } else { Self::Active }
    }
}

impl fmt::Display for ProjectStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a new project's pages say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProject {
    /// The name of its folder.
    pub name: String,
    /// Its name as a person writes it.
    pub label: String,
    /// What it is, in a line; may be empty.
    pub description: String,
    /// The entity it is, as it is linked.
    pub entity: String,
    /// The day it is added.
    pub today: Date,
}

impl NewProject {
    /// `context.md`.
    #[must_use]
    pub fn context(&self) -> String {
        let mut page = self.front_matter("project_context");
        for (key, value) in [
            ("status", ProjectStatus::Active.as_str().to_owned()),
            ("description", self.description.clone()),
            ("entity", format!("[[{}]]", self.entity)),
        ] {
            if !value.is_empty() {
                page.push_str(&render_entry(key, &Value::Text(value)));
            }
        }
        let about =
            if self.description.is_empty() { String::new() } else { format!("{}\n\n", self.description) };
        page + &format!(
            "---\n\n# {} — Context\n\n{about}## Current State\n\n## Key Decisions\n\n## Stack\n",
            self.label
        )
    }

    /// `progress.md`.
    #[must_use]
    pub fn progress(&self) -> String {
        self.front_matter("project_progress")
            + &format!("---\n\n# {} — Progress\n\n## Done\n\n## Next\n\n## Blockers\n", self.label)
    }

    /// `notes.md`.
    #[must_use]
    pub fn notes(&self) -> String {
        self.front_matter("project_notes") + &format!("---\n\n# {} — Notes\n\n## Notes\n", self.label)
    }

    /// Front matter that is not closed yet.
    fn front_matter(&self, kind: &str) -> String {
        let text = |key: &str, value: &str| render_entry(key, &Value::Text(value.to_owned()));
        format!(
            "---\n{}{}{}",
            text("type", kind),
            text("project", &self.name),
            text("updated", &self.today.to_string())
        )
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;

    proptest! {
        #[test]
        fn whatever_a_project_is_called_its_front_matter_is_read_back(
            label in "\\PC{1,40}", description in "\\PC{0,60}",
        ) {
            let project = NewProject {
                name: "atlas".to_owned(), label, description, entity: "project--atlas".to_owned(), today: date(2026, 2, 16),
            };
            let context = Document::parse(project.context().as_bytes());
            let get = |key: &str| context.get(key).expect("YAML");
            prop_assert_eq!(get("type"), Some(Value::Text("project_context".to_owned())));
            prop_assert_eq!(get("entity"), Some(Value::Text("[[project--atlas]]".to_owned())));
            if !project.description.is_empty() {
                prop_assert_eq!(get("description"), Some(Value::Text(project.description.clone())));
            }
            for page in [project.progress(), project.notes()] {
                let document = Document::parse(page.as_bytes());
                prop_assert_eq!(document.get("project").expect("YAML"), Some(Value::Text("atlas".to_owned())));
            }
        }
    }

    #[test]
    fn a_status_of_a_persons_own_means_that_it_goes_on() {
        assert_eq!(ProjectStatus::of(Some("Done")), ProjectStatus::Closed);
        assert_eq!(ProjectStatus::of(Some("sailing")), ProjectStatus::Active);
        assert_eq!(ProjectStatus::of(None), ProjectStatus::Active);
    }
}
