//! Several agents and one memory (seed M13): all read, the main agent writes, the others propose.

mod committing;
mod conflicts;
mod deciding;
mod forgetting;
mod instructions;
mod placing;
mod proposals;
mod taken_back;

pub use committing::{CommitRequest, Committed, NotCommitted, ProposalsCommitted};
pub use deciding::{ProposalsDecided, Reviewer, Which};
pub use instructions::Audience;
pub use proposals::{
    BrokenProposal, ProposalShown, ProposalState, ProposalWeighed, ProposalsShown, ProposeEffect,
    ProposeOutcome, ProposeRequest,
};
pub use taken_back::{TakeBackRequest, TakenBack};
