//! Every file format of Remembrancer, read and written, and nothing else.
//!
//! This crate is pure: it does no input or output, reads no clock and no environment. Each module owns one
//! format; `parse` and `render` are inverses for every input, bytes that are not UTF-8 included, so that a
//! file which passes through the program unchanged comes out byte for byte the same.

pub mod annotation;
pub mod archive;
pub mod audit;
pub mod commit;
pub mod config;
pub mod conflict;
pub mod consent;
pub mod correction;
pub mod cron;
pub mod decay_scores;
pub mod document;
pub mod entity;
pub mod episode;
pub mod fence;
pub mod fielded;
pub mod graph_index;
pub mod identity;
pub mod json_text;
pub mod link;
pub mod listing;
pub mod lockfile;
pub mod merge;
pub mod page;
pub mod path;
pub mod procedure;
pub mod project;
pub mod proposal;
pub mod read_list;
pub mod reflection;
pub mod relations;
pub mod slug;
pub mod topic;
pub mod transcript;
pub mod twin;
mod yaml;
