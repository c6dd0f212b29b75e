//! How well the memory is searched, measured on public data sets.
//!
//! Every figure comes out of the product itself: conversations are written as a host's session files, taken in by
//! `Memory::import`, and asked for with `Memory::recall` on the index that a user has. Nothing of the ranking is rebuilt
//! here, so a change of it is a change of these figures. The data stays where it lies and is never copied into the
//! project; where it is missing an evaluation says so and is skipped.
//!
//! The way of a measurement: a data set becomes [`Conversation`]s (or notes) in `locomo`, `longmemeval`, `xquad`,
//! `conversation`; `corpus` puts them into a temporary workspace and maps what is found back to where it came from;
//! `evaluation` asks every question in every [`Configuration`]; `context` compiles a context for every
//! question at several budgets; `coverage`, `bootstrap` and `rem_recall::metrics` are the arithmetic; `report` and `page` say what came out. Must not ship, and must not tune anything.

mod bootstrap;
mod configuration;
mod context;
mod conversation;
mod corpus;
mod coverage;
mod data;
mod evaluation;
mod host_session;
mod locomo;
mod longmemeval;
mod missed;
mod page;
mod playbooks;
mod report;
mod suite;
mod xquad;

pub use bootstrap::{Interval, paired_difference};
pub use configuration::Configuration;
pub use conversation::{Conversation, DataError, Question, Session, Speaker, Turn, read_conversations};
pub use corpus::{Corpus, Found, Gold, Level};
pub use coverage::{CoverageLine, CoverageTable, WithinBudget};
pub use data::DataFolder;
pub use evaluation::{Asked, Counts, Evaluation};
pub use missed::{Above, Evidence, Missed, missed};
pub use page::update_page;
pub use rem_recall::metrics::{BUDGETS, CUTS, Retrieved, Scores};
pub use report::{Difference, Line, Outcome, Table};
pub use suite::{Settings, Suite, missed_of_tuning, run};
