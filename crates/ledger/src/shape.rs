//! How each file of a workspace is understood when two states of it are merged, by its place.

use rem_format::merge::Shape;
use rem_format::path::MemoryPath;

use crate::layout::{Layout, Store};

impl Layout {
    /// How a file is merged.
    #[must_use]
    pub fn shape_of(&self, path: &MemoryPath) -> Shape {
        let name = path.file_name();
        let is_text = name.ends_with(".md") || name.ends_with(".txt");
        match self.store_of(path) {
            Some(Store::Config) => Shape::Config,
            Some(Store::Core) => Shape::Core,
            Some(Store::Soul | Store::IdentityCard | Store::User | Store::Agents | Store::Tools) => {
                Shape::Prose
            }
            Some(Store::Corrections | Store::Conflicts | Store::CompactionLog | Store::Changelog) => {
                Shape::Log
            }
            Some(Store::GraphIndex) => Shape::Generated,
            Some(Store::Episodes) if is_text => Shape::Log,
            Some(Store::Archive) if is_text => Shape::Archive,
            Some(Store::Meta) => match name {
                "decay-scores.json" => Shape::Scores,
                "pending-reflection.json" => Shape::Reflection,
                "pending-memories.md" | "rejected-memories.md" => Shape::Proposals,
                "reflection-log.md" | "evolution.md" | "approvals.md" => Shape::Log,
                _ if name.ends_with(".txt") => Shape::Lines,
                _ if name.ends_with(".md") => Shape::Page,
                _ => Shape::Opaque,
            },
            Some(Store::Transcripts | Store::Attachments) => Shape::Opaque,
            _ if is_text => Shape::Page,
            _ if matches!(path.as_str(), ".gitignore" | ".gitattributes") => Shape::Prose,
            // In a format that is not known, lines of two sides may not stand beside each other.
            _ => Shape::Opaque,
        }
    }
}
