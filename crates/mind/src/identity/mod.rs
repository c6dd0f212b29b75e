//! Who the agent is and what it got wrong: corrections, from the first report to the archive.

mod conflicts;
mod consent;
mod corrections;
mod cues;
mod failures;
mod standing;
mod validator;

pub use conflicts::{ConflictResolved, ConflictScan, ConflictShown, Resolution, SideShown};
pub use corrections::{
    CorrectRequest, CorrectedPlace, CorrectionOutcome, CorrectionShown, CorrectionStatus, CorrectionsArchived,
};
pub use failures::RecallFailures;
pub use validator::{Validation, Verdict};
