//! The jobs there are. One more is one more variant, and a line in each match.

use std::sync::LazyLock;
use std::time::SystemTime;

use jiff::ToSpan as _;
use jiff::civil::Date;
use rem_format::config::{Config, ExtractionTrigger, Schedule};
use rem_ledger::TagKind;

use crate::error::MemoryError;
use crate::lifecycle::compact::CompactRequest;
use crate::lifecycle::condense::CondenseRequest;
use crate::lifecycle::mine::MineRequest;
use crate::memory::Memory;
use crate::reasoning::RuledInstead;

/// How far back the weekly review looks, in days, and the confidence it asks for (S, the defaults of `memory promote`).
const REVIEW: (u32, f64) = (7, 0.4);

/// When conversations are mined where `lifecycle.extraction_trigger` says `hourly`, and where it says `manual`.
static HOURLY: LazyLock<Schedule> = LazyLock::new(|| Schedule::parse("0 * * * *").unwrap_or_default());
static OFF: LazyLock<Schedule> = LazyLock::new(Schedule::default);
/// What the night does, in this order: what was said is kept, told, held against the rest, becomes identity where that is agreed to, is
/// rolled up, what should change is proposed, what nobody spoke of fades, and all of that is described.
const NIGHTLY: [Job; 8] = [
    Job::MemoryMiner,
    Job::Condensation,
    Job::ConflictDetector,
    Job::SoulKeeper,
    Job::WeeklyRollup,
    Job::Reflection,
    Job::Decay,
    Job::CommitMessages,
];

/// Something the memory does by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Job {
    /// M12.6: old months of the audit log become digests.
    AuditDigest,
    /// A3.2: commits get a word on what they changed, where a model is named.
    CommitMessages,
    /// P5.5: how many old days could go into archives is reported; taking them away is a person's word.
    Compactor,
    /// A8.4: the day's page of the journal.
    Condensation,
    /// P5.4: memories that contradict each other are settled by rules, or left to a person.
    ConflictDetector,
    /// M9: the checkpoint of relevance.
    Decay,
    /// P5.1: conversations become memories.
    MemoryMiner,
    /// A8.4: the month's chronicle.
    MonthlyDistillation,
    /// S: what could be promoted is reported.
    PromotionReview,
    /// A8.5: what is over its cap or its age is reported; A3.3: what-ifs that nobody works on go.
    Pruning,
    /// M10.1: what should change is laid before a person; nothing is changed.
    Reflection,
    /// P5.2: what the operator said more than once is proposed for the identity; P5.5: old snapshots go.
    SoulKeeper,
    /// P5.5: vectors of what was corrected, of texts that are no more and of embedders that are not used go.
    VectorHygiene,
    /// A8.4: the week goes into MEMORY.md.
    WeeklyRollup,
    /// A3.4: the week gets a tag.
    WeeklyTag,
}

impl Job {
    /// All of them, in order of their names.
    pub const ALL: [Self; 15] = [
        Self::AuditDigest,
        Self::CommitMessages,
        Self::Compactor,
        Self::Condensation,
        Self::ConflictDetector,
        Self::Decay,
        Self::MemoryMiner,
        Self::MonthlyDistillation,
        Self::PromotionReview,
        Self::Pruning,
        Self::Reflection,
        Self::SoulKeeper,
        Self::VectorHygiene,
        Self::WeeklyRollup,
        Self::WeeklyTag,
    ];

    /// The name it is called by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AuditDigest => "audit-digest",
            Self::CommitMessages => "commit-messages",
            Self::Compactor => "compactor",
            Self::Condensation => "condensation",
            Self::ConflictDetector => "conflict-detector",
            Self::Decay => "decay",
            Self::MemoryMiner => "memory-miner",
            Self::MonthlyDistillation => "monthly-distillation",
            Self::PromotionReview => "promotion-review",
            Self::Pruning => "pruning",
            Self::Reflection => "reflection",
            Self::SoulKeeper => "soul-keeper",
            Self::VectorHygiene => "vector-hygiene",
            Self::WeeklyRollup => "weekly-rollup",
            Self::WeeklyTag => "weekly-tag",
        }
    }

    /// The jobs of a name: one, or all that the `nightly` round does, in their order. None where nothing is called so.
    #[must_use]
    pub fn all_named(name: &str) -> Vec<Self> {
        match name {
            "nightly" => NIGHTLY.to_vec(),
            name => Self::named(name).into_iter().collect(),
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
            Self::CommitMessages => "has a model say what commits changed",
            Self::Compactor => "counts the old days that could go into archives",
            Self::Condensation => "writes the journal's pages of days with conversations",
            Self::ConflictDetector => "settles memories that contradict each other, or leaves them to you",
            Self::Decay => "writes down how relevant every memory is",
            Self::MemoryMiner => "keeps what closed conversations say",
            Self::MonthlyDistillation => "writes the chronicle of the month before",
            Self::PromotionReview => "counts what could move out of the week's notes",
            Self::Pruning => "counts what is over its cap or its age, and drops what-ifs nobody works on",
            Self::Reflection => "proposes what should change, for a person to answer",
            Self::SoulKeeper => "proposes what the identity could learn, and tidies its snapshots",
            Self::VectorHygiene => "drops vectors that no answer needs, and checks the index",
            Self::WeeklyRollup => "puts what the week settled into MEMORY.md",
            Self::WeeklyTag => "names the week in git",
        }
    }

    /// The setting that says when.
    #[must_use]
    pub const fn setting(self) -> &'static str {
        match self {
            Self::AuditDigest => "schedule.audit_digest",
            Self::CommitMessages => "schedule.commit_messages",
            Self::Compactor => "schedule.compactor",
            Self::Condensation => "schedule.condensation",
            Self::ConflictDetector => "schedule.conflict_detector",
            Self::Decay => "schedule.decay",
            Self::MemoryMiner => "schedule.memory_miner",
            Self::MonthlyDistillation => "schedule.monthly_distillation",
            Self::PromotionReview => "schedule.promotion_review",
            Self::Pruning => "schedule.pruning",
            Self::Reflection => "schedule.reflection",
            Self::SoulKeeper => "schedule.soul_keeper",
            Self::VectorHygiene => "schedule.vector_hygiene",
            Self::WeeklyRollup => "schedule.weekly_rollup",
            Self::WeeklyTag => "schedule.weekly_tag",
        }
    }

    pub(super) fn schedule(self, config: &Config) -> &Schedule {
        let schedule = &config.schedule;
        match self {
            Self::AuditDigest => &schedule.audit_digest,
            Self::CommitMessages => &schedule.commit_messages,
            Self::Compactor => &schedule.compactor,
            Self::Condensation => &schedule.condensation,
            Self::ConflictDetector => &schedule.conflict_detector,
            Self::Decay => &schedule.decay,
            Self::MemoryMiner => match config.lifecycle.extraction_trigger {
                ExtractionTrigger::OnSessionEnd => &schedule.memory_miner,
                ExtractionTrigger::Hourly => &HOURLY,
                ExtractionTrigger::Manual => &OFF,
            },
            Self::MonthlyDistillation => &schedule.monthly_distillation,
            Self::PromotionReview => &schedule.promotion_review,
            Self::Pruning => &schedule.pruning,
            Self::Reflection => &schedule.reflection,
            Self::SoulKeeper => &schedule.soul_keeper,
            Self::VectorHygiene => &schedule.vector_hygiene,
            Self::WeeklyRollup => &schedule.weekly_rollup,
            Self::WeeklyTag => &schedule.weekly_tag,
        }
    }

    /// Does it for the days that it was due on, of which there is at least one; gives what was done in a sentence.
    pub(super) fn run(
        self,
        memory: &Memory,
        days: &[Date],
        observed_at: SystemTime,
    ) -> Result<String, MemoryError> {
        memory.catch_up();
        Ok(match self {
            Self::AuditDigest => {
                let digest = memory.ledger.digest_audit()?;
                match digest.months.as_slice() {
                    [] => "no month is old enough".to_owned(),
                    months => format!("{} lines of {} became digests", digest.lines, months.join(", ")),
                }
            }
            Self::CommitMessages => {
                let outcome = memory.describe_commits()?;
                let doubted = match outcome.not_believed {
                    0 => String::new(),
                    count => format!(", {count} answers not believed"),
                };
                let why = outcome.why.map(|why| format!(": {why}")).unwrap_or_default();
                format!("{} commits described{doubted}{why}", outcome.described)
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
            Self::Condensation => {
                let outcome = memory.condense_days(&CondenseRequest::default(), &mut |_, _| {})?;
                let told: usize = outcome.days.iter().map(|day| day.transcripts.len()).sum();
                let missed = counted(&outcome.by_rules, "by rules");
                format!("{told} conversations told on {} pages of the journal{missed}", outcome.days.len())
            }
            Self::ConflictDetector => {
                let scan = memory.scan_conflicts(false)?;
                let open = scan.found.iter().filter(|conflict| conflict.kept.is_none()).count();
                let settled = scan.found.len() - open;
                let waiting = if open == 0 { "" } else { ": `rem conflicts list` shows them" };
                format!("{settled} conflicts settled, {open} for you{waiting}")
            }
            Self::Decay => {
                let report = memory.decay(false, observed_at)?;
                let count = report.counts.values().sum::<usize>();
                format!("{count} memories, {} became more or less visible", report.transitions.len())
            }
            Self::MemoryMiner => {
                let outcome = memory.mine(&MineRequest::default(), &mut |_, _| {})?;
                let memories = outcome.mined.iter().flat_map(|mined| &mined.memories);
                let kept = memories.filter(|memory| memory.not_kept.is_none()).count();
                let waiting: usize = outcome.waiting.iter().map(|each| each.count).sum();
                let failed = match outcome.failed.len() - waiting {
                    0 => String::new(),
                    count => format!("; {count} could not be mined: `rem mine` says why"),
                };
                let waiting = counted(&outcome.waiting, "wait for the model");
                let ruled = counted(&outcome.by_rules, "by rules");
                format!("{} conversations, {kept} memories{failed}{waiting}{ruled}", outcome.mined.len())
            }
            Self::MonthlyDistillation => {
                let mut told = Vec::new();
                for day in days {
                    let before = day.first_of_month().saturating_sub(1.day());
                    let month = memory.condense_month(Some(before), false)?;
                    let (lines, moved) = (month.lines.len(), month.moved.len());
                    let missed = counted(&month.by_rules, "by rules");
                    told.push(format!(
                        "{lines} lines in {}, {moved} entries of MEMORY.md moved{missed}",
                        month.path
                    ));
                }
                told.join("; ")
            }
            Self::PromotionReview => match memory.promotion_candidates(REVIEW.0, REVIEW.1)?.len() {
                0 => "nothing to promote".to_owned(),
                1 => "one section could be promoted: `rem promote` shows it".to_owned(),
                count => format!("{count} sections could be promoted: `rem promote` shows them"),
            },
            Self::Pruning => {
                let preview = memory.prune(false, observed_at)?;
                let branches = match memory.branches_prune()?.as_slice() {
                    [] => String::new(),
                    gone => format!("; {} dropped", gone.join(", ")),
                };
                match (preview.entries.len(), preview.files.len()) {
                    (0, 0) => format!("nothing to prune{branches}"),
                    (entries, files) => format!(
                        "{entries} entries of MEMORY.md and {files} files could be pruned: `rem prune` shows them{branches}"
                    ),
                }
            }
            Self::Reflection => memory.reflect_if_due(observed_at)?,
            Self::SoulKeeper => memory.keep_soul()?,
            Self::VectorHygiene => memory.tidy_vectors(observed_at)?,
            Self::WeeklyRollup => {
                let (mut added, mut moved, mut by_rules) = (0, 0, Vec::new());
                for day in days {
                    // Today's run tells as well what the weeks before were not told for, such as of conversations that were imported since.
                    let named = (*day != memory.today()).then_some(*day);
                    let week = memory.condense_week(named, false)?;
                    (added, moved) = (added + week.added.len(), moved + week.moved.len());
                    week.by_rules.into_iter().for_each(|each| RuledInstead::add_to(&mut by_rules, each));
                }
                let missed = counted(&by_rules, "by rules");
                format!("{added} entries came into MEMORY.md, {moved} left it{missed}")
            }
            Self::WeeklyTag => {
                // Only the present can be named: after weeks that were missed it is the last of them.
                let day = days.last().copied().unwrap_or_else(|| memory.today());
                let tag = memory.ledger.tag_of(&TagKind::Weekly, day)?;
                tag.why_not().unwrap_or_else(|| format!("{} names the week", tag.name))
            }
        })
    }
}

/// How often no model did what it was to do, and why, as the end of a sentence.
fn counted(ruled: &[RuledInstead], what: &str) -> String {
    ruled.iter().map(|each| format!("; {} {what}: {}", each.count, each.why)).collect()
}
