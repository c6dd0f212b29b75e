//! How a text is brought into a form that patterns of wording match, and what can be told of it before any pattern.
//!
//! Shared by the router of memories (`stores/router`), the triage of messages (`attention/triage`) and the extractors
//! (`lifecycle/extract`). Knows nothing of any.

mod language;
mod machine;
mod of_user;
mod plain;
mod talk;

pub(crate) use language::{Language, contains};
pub(crate) use machine::MACHINE;
pub(crate) use of_user::{in_first_person, is_verb_of_people};
pub(crate) use plain::{Plain, is_east_asian, is_han, is_hangul};
pub(crate) use talk::{Talk, sentences_of};
