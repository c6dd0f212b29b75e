//! What can be wrong with a CONFIG.md, said so that a person can mend it.
//!
//! Every problem carries the line it stands on, counted from 1 in CONFIG.md itself (not in the YAML block).
//! This file only words problems; finding them is `read.rs`'s work.

use thiserror::Error;

/// One problem in CONFIG.md.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The YAML itself cannot be read.
    #[error("line {line}: the YAML cannot be read: {message}")]
    Malformed {
        /// Line in CONFIG.md, from 1.
        line: usize,
        /// What the YAML parser said.
        message: String,
    },
    /// A key or section that no parameter has.
    #[error("line {line}: unknown key `{key}`{}", suggestion(.nearest))]
    UnknownKey {
        /// Line in CONFIG.md, from 1.
        line: usize,
        /// The key as written, with its section.
        key: String,
        /// The known key that looks most like it.
        nearest: Option<String>,
    },
    /// A value of another type than the parameter's.
    #[error("line {line}: `{key}` must be {expected}, but is {found}")]
    WrongType {
        /// Line in CONFIG.md, from 1.
        line: usize,
        /// The parameter's full name.
        key: String,
        /// What the parameter takes.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A value of the right type outside the parameter's range or choices.
    #[error("line {line}: `{key}` is {found}, which is out of range: it must be {expected}")]
    OutOfRange {
        /// Line in CONFIG.md, from 1.
        line: usize,
        /// The parameter's full name.
        key: String,
        /// The range or the choices.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The same parameter given twice, be it under its name or under an older one.
    #[error("line {line}: `{key}` was already given on line {first_line}; keep one of the two")]
    Duplicate {
        /// Line of the second one, from 1.
        line: usize,
        /// The parameter's full name, or the section's.
        key: String,
        /// Line of the first one, from 1.
        first_line: usize,
    },
    /// Two parameters that contradict each other.
    #[error("line {line}: `{key}` contradicts another setting: {rule}")]
    Inconsistent {
        /// Line of the parameter that was given, from 1.
        line: usize,
        /// The parameter's full name.
        key: String,
        /// The rule that does not hold.
        rule: String,
    },
}

impl ConfigError {
    /// The line in CONFIG.md the problem stands on, from 1.
    pub fn line(&self) -> usize {
        match self {
            Self::Malformed { line, .. }
            | Self::UnknownKey { line, .. }
            | Self::WrongType { line, .. }
            | Self::OutOfRange { line, .. }
            | Self::Duplicate { line, .. }
            | Self::Inconsistent { line, .. } => *line,
        }
    }

    /// Whether it is about the parameter of that name.
    pub(super) fn is_of(&self, name: &str) -> bool {
        match self {
            Self::Malformed { .. } => false,
            Self::UnknownKey { key, .. }
            | Self::WrongType { key, .. }
            | Self::OutOfRange { key, .. }
            | Self::Duplicate { key, .. }
            | Self::Inconsistent { key, .. } => key == name,
        }
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => "; `rem config show` lists every key".to_owned(),
    }
}

/// Every problem found in one CONFIG.md, in the order of their lines. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("CONFIG.md cannot be used:\n  {}", .problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  "))]
pub struct ConfigErrors {
    /// The problems, at least one.
    pub problems: Vec<ConfigError>,
}

/// Why `set` changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetError {
    /// No parameter has this name.
    #[error("unknown key `{key}`{}", suggestion(.nearest))]
    UnknownKey {
        /// The key as asked for.
        key: String,
        /// The known key that looks most like it.
        nearest: Option<String>,
    },
    /// The value does not suit the parameter.
    #[error("`{key}` must be {expected}, but the new value is {found}")]
    BadValue {
        /// The parameter's full name.
        key: String,
        /// What the parameter takes.
        expected: String,
        /// What was given.
        found: String,
    },
    /// The file must be mended before it can be edited by key.
    #[error(transparent)]
    Unreadable(#[from] ConfigErrors),
    /// The value is fine alone, but not together with the rest of the file.
    #[error("the new value of `{key}` does not go with the rest of CONFIG.md: {problem}")]
    Conflicts {
        /// The parameter's full name.
        key: String,
        /// What would be wrong afterwards.
        problem: ConfigErrors,
    },
    /// The file is laid out in a way this editor does not master; nothing was changed.
    #[error("`{key}` cannot be set by command in this CONFIG.md (near line {line}): edit the file by hand")]
    Layout {
        /// The parameter's full name.
        key: String,
        /// Where the editor gave up, from 1.
        line: usize,
    },
}
