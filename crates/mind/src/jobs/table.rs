//! The jobs there are. One more is one more variant, and a line in each match.

use std::time::SystemTime;

use rem_format::config::{Config, Schedule};
use rem_ledger::TagKind;

use crate::error::MemoryError;
use crate::lifecycle::compact::CompactRequest;
use crate::memory::Memory;

/// How far back the weekly review looks, in days, and the confidence it asks for (S, the defaults of `memory promote`).
const REVIEW: (u32, f64) = (7, 0.4);

/// Something the memory does by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// M12.6: old months of the audit log become digests.
    AuditDigest,
    /// P5.5: how many old days could go into archives is reported; taking them away is a person's word.
    Compactor,
    /// M9: the checkpoint of relevance.
    Decay,
    /// S: what could be promoted is reported.
    PromotionReview,
    /// A8.5: what is over its cap or its age is reported.
    Pruning,
    /// A3.4: the week gets a tag.
    WeeklyTag,
}

impl Job {
    /// All of them, in order of their names.
    pub const ALL: [Self; 6] = [
        Self::AuditDigest,
        Self::Compactor,
        Self::Decay,
        Self::PromotionReview,
        Self::Pruning,
        Self::WeeklyTag,
    ];

    /// The name it is called by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuditDigest => "audit-digest",
            Self::Compactor => "compactor",
            Self::Decay => "decay",
            Self::PromotionReview => "promotion-review",
            Self::Pruning => "pruning",
            Self::WeeklyTag => "weekly-tag",
        }
    }

    /// The job of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|job| job.name() == name)
    }

    /// What it does, in a few words.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::AuditDigest => "turns old months of the audit log into digests",
            Self::Compactor => "counts the old days that could go into archives",
            Self::Decay => "writes down how relevant every memory is",
            Self::PromotionReview => "counts what could move out of the week's notes",
            Self::Pruning => "counts what is over its cap or its age",
            Self::WeeklyTag => "names the week in git",
        }
    }

    /// The setting that says when.
    #[must_use]
    pub const fn setting(self) -> &'static str {
        match self {
            Self::AuditDigest => "schedule.audit_digest",
            Self::Compactor => "schedule.compactor",
            Self::Decay => "schedule.decay",
            Self::PromotionReview => "schedule.promotion_review",
            Self::Pruning => "schedule.pruning",
            Self::WeeklyTag => "schedule.weekly_tag",
        }
    }

    pub(super) fn schedule(self, config: &Config) -> &Schedule {
        let schedule = &config.schedule;
        match self {
            Self::AuditDigest => &schedule.audit_digest,
            Self::Compactor => &schedule.compactor,
            Self::Decay => &schedule.decay,
            Self::PromotionReview => &schedule.promotion_review,
            Self::Pruning => &schedule.pruning,
            Self::WeeklyTag => &schedule.weekly_tag,
        }
    }

    /// Does it; gives what was done in a sentence.
    pub(super) fn run(self, memory: &Memory, observed_at: SystemTime) -> Result<String, MemoryError> {
        memory.catch_up();
        Ok(match self {
            Self::AuditDigest => {
                let digest = memory.ledger.digest_audit()?;
                match digest.months.as_slice() {
                    [] => "no month is old enough".to_owned(),
                    months => format!("{} lines of {} became digests", digest.lines, months.join(", ")),
                }
            }
            Self::Compactor => {
                let preview = memory.compact(&CompactRequest::default(), observed_at)?;
                let files = preview.archives.iter().flat_map(|archive| &archive.files);
                match files.filter(|file| !file.was_archived).count() {
                    0 => "no day is old enough".to_owned(),
                    1 => "one old day could be archived: `rem compact` shows it".to_owned(),
                    count => format!("{count} old days could be archived: `rem compact` shows them"),
                }
            }
            Self::Decay => {
                let report = memory.decay(false, observed_at)?;
                let count = report.counts.values().sum::<usize>();
                format!("{count} memories, {} became more or less visible", report.transitions.len())
            }
            Self::PromotionReview => match memory.promotion_candidates(REVIEW.0, REVIEW.1)?.len() {
                0 => "nothing to promote".to_owned(),
                1 => "one section could be promoted: `rem promote` shows it".to_owned(),
                count => format!("{count} sections could be promoted: `rem promote` shows them"),
            },
            Self::Pruning => {
                let preview = memory.prune(false, observed_at)?;
                match (preview.entries.len(), preview.files.len()) {
                    (0, 0) => "nothing to prune".to_owned(),
                    (entries, files) => format!(
                        "{entries} entries of MEMORY.md and {files} files could be pruned: `rem prune` shows them"
                    ),
                }
            }
            Self::WeeklyTag => {
                let tag = memory.ledger.tag(&TagKind::Weekly, memory.time_zone())?;
                match tag.created {
                    true => format!("{} names the week", tag.name),
                    false => "nothing changed since the last tag".to_owned(),
                }
            }
        })
    }
}
