//! Who the agent is and what it got wrong: corrections, from the first report to the archive, and the identity that grows from them.

mod conflicts;
mod consent;
mod contrast;
mod corrections;
mod cues;
mod drift;
mod ellipsis;
mod failures;
mod joined;
mod judging;
mod likeness;
mod moods;
mod retracting;
pub(crate) mod settling;
mod soul;
mod standing;
mod validator;
mod withdrawing;

pub use conflicts::{ConflictResolved, ConflictScan, ConflictShown, Resolution, SideShown};
pub(crate) use contrast::said_instead;
pub use corrections::{
    CorrectRequest, CorrectedPlace, CorrectionOutcome, CorrectionShown, CorrectionStatus, CorrectionsArchived,
};
pub use drift::{
    DriftClaim, DriftEvidence, DriftKind, DriftReport, DriftRequest, DriftSpan, DriftWeek, Measure,
    MeasureShown,
};
pub(crate) use ellipsis::put_right;
pub use failures::RecallFailures;
pub use soul::{
    Encoded, IdentityConflict, IdentityDecided, IdentityGrown, IdentityHistory, IdentityLogged,
    IdentityRolledBack, IdentityShown, PatternWaiting, PrincipleShown, SnapshotShown,
};
pub use validator::{Validation, Verdict};
pub(crate) use withdrawing::CORRECTION;
