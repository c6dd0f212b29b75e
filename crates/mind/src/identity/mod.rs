//! Who the agent is and what it got wrong: corrections, from the first report to the archive.

mod corrections;
mod validator;

pub use corrections::{
    CorrectRequest, CorrectedPlace, CorrectionOutcome, CorrectionShown, CorrectionStatus, CorrectionsArchived,
};
pub use validator::{Validation, Verdict};
