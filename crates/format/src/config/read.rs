//! From the YAML tree to a checked `Config`, with everything that is wrong collected on the way.
//!
//! Reading never stops at the first problem: a person mends the file once. Older names are followed here and
//! nowhere else.

use std::collections::BTreeMap;

use super::error::{ConfigError, ConfigErrors};
use super::parameter::Parameter;
use super::{Config, ContextPreset, SECTIONS, block, find, nearest};
use crate::yaml::{self, Content, Entry, Node};

/// A CONFIG.md that could be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The settings.
    pub config: Config,
    /// What a person should be told once.
    pub notices: Vec<Notice>,
    /// What the file says itself, by parameter name; everything else is a default.
    pub given: BTreeMap<&'static str, Given>,
}

/// Where a parameter is given in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Line in the file, from 1.
    pub line: usize,
    /// The name it stands under: the parameter's own or an older one.
    pub written_as: String,
}

/// Something worth saying about a CONFIG.md that is not wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A key under an older name.
    Renamed {
        /// Line in the file, from 1.
        line: usize,
        /// The name it stands under.
        old: String,
        /// The name it has now.
        new: &'static str,
    },
    /// The file speaks of one preset's slots without choosing a preset, so that preset is used.
    PresetImplied {
        /// The preset.
        preset: &'static str,
        /// The key that implies it.
        by: &'static str,
    },
    /// A second YAML block, which is not read.
    IgnoredBlock {
        /// Line of its fence, from 1.
        line: usize,
    },
}

impl std::fmt::Display for Notice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Renamed { line, old, new } => {
                write!(formatter, "CONFIG.md line {line}: `{old}` is now called `{new}`")
            }
            Self::PresetImplied { preset, by } => {
                write!(formatter, "CONFIG.md gives `{by}` and no `context.preset`: using the preset {preset}")
            }
            Self::IgnoredBlock { line } => {
                write!(formatter, "CONFIG.md line {line}: only the first YAML block is read, this one is not")
            }
        }
    }
}

/// Reads the YAML block of a Markdown file.
pub(super) fn markdown(text: &str) -> Result<Parsed, ConfigErrors> {
    let Some(block) = block::find(text) else { return Reader::default().finish() };
    let mut reader = Reader::default();
    reader.notices.extend(block.ignored.iter().map(|line| Notice::IgnoredBlock { line: *line }));
    reader.source(&text[block.bytes.clone()], block.bytes.start, block.first_line);
    reader.finish()
}

/// As [`markdown`] for a file that need not be right: what is wrong has its default, and is given too.
pub(super) fn markdown_as_far(text: &str) -> (Parsed, Vec<ConfigError>) {
    let Some(block) = block::find(text) else { return Reader::default().finish_as_far() };
    let mut reader = Reader::default();
    reader.source(&text[block.bytes.clone()], block.bytes.start, block.first_line);
    reader.finish_as_far()
}

/// Reads a file that is YAML throughout.
pub(super) fn yaml(text: &str) -> Result<Parsed, ConfigErrors> {
    let mut reader = Reader::default();
    reader.source(text, 0, 1);
    reader.finish()
}

#[derive(Default)]
struct Reader {
    config: Config,
    notices: Vec<Notice>,
    given: BTreeMap<&'static str, Given>,
    problems: Vec<ConfigError>,
}

impl Reader {
    fn source(&mut self, source: &str, first_byte: usize, first_line: usize) {
        match yaml::parse(source, first_byte, first_line) {
            Ok(None) => {}
            Ok(Some(Node { content: Content::Map { entries, .. }, .. })) => self.sections(&entries),
            Ok(Some(node)) => self.problems.push(ConfigError::Malformed {
                line: node.line,
                message: format!("expected `section:` with settings below it, found {}", node.describe()),
            }),
            Err(malformed) => self
                .problems
                .push(ConfigError::Malformed { line: malformed.line, message: malformed.message }),
        }
    }

    fn sections(&mut self, entries: &[Entry]) {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in entries {
            let is_old_section = || is_section_of_an_alias(&entry.key);
            if SECTIONS.iter().any(|section| section.name == entry.key) || is_old_section() {
                if let Some(first_line) = seen.insert(&entry.key, entry.key_line) {
                    self.problems.push(ConfigError::Duplicate {
                        line: entry.key_line,
                        key: entry.key.clone(),
                        first_line,
                    });
                }
                match &entry.value.content {
                    Content::Map { entries: keys, .. } => {
                        for key in keys {
                            self.key(format!("{}.{}", entry.key, key.key), key);
                        }
                    }
                    _ if entry.value.is_null() => {}
                    _ => self.problems.push(ConfigError::WrongType {
                        line: entry.value.line,
                        key: entry.key.clone(),
                        expected: "a section with settings below it".to_owned(),
                        found: entry.value.describe(),
                    }),
                }
            } else {
                self.key(entry.key.clone(), entry);
            }
        }
    }

    fn key(&mut self, written_as: String, entry: &Entry) {
        let line = entry.key_line;
        let Some(parameter) = find(&written_as) else {
            let nearest = nearest(&written_as).map(str::to_owned);
            self.problems.push(ConfigError::UnknownKey { line, key: written_as, nearest });
            return;
        };
        if let Some(first) = self.given.get(parameter.name) {
            let key = parameter.name.to_owned();
            self.problems.push(ConfigError::Duplicate { line, key, first_line: first.line });
            return;
        }
        if written_as != parameter.name {
            self.notices.push(Notice::Renamed { line, old: written_as.clone(), new: parameter.name });
        }
        self.given.insert(parameter.name, Given { line, written_as });
        if entry.value.is_null() {
            return;
        }
        if let Err(mistake) = (parameter.assign)(&mut self.config, &entry.value, parameter) {
            let (line, key) = (mistake.line, parameter.name.to_owned());
            let (expected, found) = (mistake.expected, mistake.found);
            self.problems.push(if mistake.is_range {
                ConfigError::OutOfRange { line, key, expected, found }
            } else {
                ConfigError::WrongType { line, key, expected, found }
            });
        }
    }

    fn finish(self) -> Result<Parsed, ConfigErrors> {
        match self.finish_as_far() {
            (parsed, problems) if problems.is_empty() => Ok(parsed),
            (_, problems) => Err(ConfigErrors { problems }),
        }
    }

    fn finish_as_far(mut self) -> (Parsed, Vec<ConfigError>) {
        self.imply_preset();
        if self.problems.is_empty() {
            self.check_together();
        }
        self.problems.sort_by_key(ConfigError::line);
        (Parsed { config: self.config, notices: self.notices, given: self.given }, self.problems)
    }

    /// A file written for one of the seeds means that seed's slots, though it cannot say so.
    fn imply_preset(&mut self) {
        if self.given.contains_key("context.preset") {
            return;
        }
        let tables = [("context_v4_1.", ContextPreset::V4_1), ("context_compiler.", ContextPreset::Compiler)];
        let implied = tables.into_iter().find_map(|(prefix, preset)| {
            self.given.keys().find(|name| name.starts_with(prefix)).map(|name| (*name, preset))
        });
        if let Some((by, preset)) = implied {
            self.config.context.preset = preset;
            self.notices.push(Notice::PresetImplied { preset: preset.name(), by });
        }
    }

    /// Rules that need more than one parameter.
    fn check_together(&mut self) {
        let config = &self.config;
        let rules = [
            (
                config.decay.archive_threshold <= config.decay.fading_threshold
                    && config.decay.fading_threshold <= config.decay.active_threshold,
                ["decay.archive_threshold", "decay.fading_threshold", "decay.active_threshold"].as_slice(),
                "archive_threshold, fading_threshold and active_threshold must rise in this order",
            ),
            (
                config.core.line_warning <= config.core.line_cap
                    && config.core.line_cap <= config.core.line_error,
                &["core.line_warning", "core.line_cap", "core.line_error"],
                "line_warning, line_cap and line_error must rise in this order",
            ),
            (
                config.search.bm25_weight + config.search.vector_weight > 0.0,
                &["search.bm25_weight", "search.vector_weight"],
                "bm25_weight and vector_weight cannot both be 0",
            ),
            (
                config.context_compiler.topic_instructions_kb <= config.context_compiler.topic_budget_kb,
                &["context_compiler.topic_instructions_kb", "context_compiler.topic_budget_kb"],
                "topic_instructions_kb is a part of topic_budget_kb and cannot be larger",
            ),
        ];
        for (holds, names, rule) in rules {
            if holds {
                continue;
            }
            let given =
                names.iter().filter_map(|name| self.given.get(name).map(|given| (given.line, *name))).max();
            let (line, key) = given.unwrap_or((1, names[0]));
            self.problems.push(ConfigError::Inconsistent {
                line,
                key: key.to_owned(),
                rule: rule.to_owned(),
            });
        }
    }
}

/// Whether `name` was a section in an older configuration.
fn is_section_of_an_alias(name: &str) -> bool {
    let names_it = |parameter: &Parameter| {
        parameter
            .aliases
            .iter()
            .any(|alias| alias.split_once('.').is_some_and(|(section, _)| section == name))
    };
    super::PARAMETERS.iter().any(names_it)
}
