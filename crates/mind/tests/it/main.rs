//! The façade from outside: what commands, servers and other programs may rely on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests set the scene themselves"
)]

mod acting;
mod addressed;
mod adopting;
mod asking;
mod changing;
mod compacting;
mod compiling;
mod condensing;
mod configuration;
mod conflicting;
mod consenting;
mod context;
mod contradicting;
mod correcting;
mod deciding;
mod denying;
mod describing;
mod dialogues;
mod drifting;
mod echoes;
mod embedding;
mod extracting;
mod facts;
mod fading;
mod fencing;
mod finding;
mod gate;
mod graph;
mod growing;
mod handing_over;
mod hearing;
mod hushing;
mod importing;
mod jobs;
mod joining;
mod labelled;
mod letting_go;
mod linking;
mod listening;
mod making;
mod merging;
mod mining;
mod naming;
mod narrating;
mod observing;
mod people;
mod places;
mod promoting;
mod proposing;
mod pruning;
mod reconstructing;
mod reconstructing_again;
mod reflecting;
mod remembering;
mod reviving;
mod righting;
mod roles;
mod routing;
mod secrets;
mod sessions;
mod settling;
mod small_talk;
mod souls;
mod spending;
mod superseding;
mod support;
mod taking_back;
mod told;
mod topics;
mod triage;
mod trusting;
mod turning;
mod unlearning;
mod unused;
mod withdrawing;
