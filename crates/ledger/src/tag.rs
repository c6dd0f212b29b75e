//! Tags that name moments of the memory (A3.4).

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rem_format::audit::one_line;
use serde::Serialize;

use crate::error::LedgerError;
use crate::ledger::Ledger;

/// What kind of moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagKind {
    /// `memory/daily/2026-02-16`, once a day and only if something changed.
    Daily,
    /// `memory/weekly/2026-W07`.
    Weekly,
    /// `memory/milestone/NAME`.
    Milestone(String),
    /// `memory/before/EVENT`.
    Before(String),
    /// `memory/extract/VERSION`.
    Extract(String),
}

/// What tagging did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TagOutcome {
    /// The tag.
    pub name: String,
    /// The commit it names.
    pub commit: String,
    /// Whether it is new; a daily or weekly tag is made once, and not where nothing changed since the last.
    pub created: bool,
    /// The tag that stood in its way: this one itself, or another of its kind that names the same commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because_of: Option<String>,
}

impl TagOutcome {
    /// Why there is no new tag, in a few words.
    #[must_use]
    pub fn why_not(&self) -> Option<String> {
        match self.because_of.as_deref()? {
            name if name == self.name => Some(format!("{name} was made before")),
            name => Some(format!("nothing changed since {name}")),
        }
    }
}

impl Ledger {
    /// Tags the present state. Dates are those of `zone`.
    ///
    /// # Errors
    /// [`LedgerError::Git`] for a name git does not accept or that is taken.
    pub fn tag(&self, kind: &TagKind, zone: &TimeZone) -> Result<TagOutcome, LedgerError> {
        self.tag_of(kind, self.clock.now().to_zoned(zone.clone()).date())
    }

    /// As [`Self::tag`] under the name of another day: one that a run was due on which comes late.
    ///
    /// # Errors
    /// As [`Self::tag`].
    pub fn tag_of(&self, kind: &TagKind, day: Date) -> Result<TagOutcome, LedgerError> {
        self.may_change()?;
        let week = day.iso_week_date();
        let (name, repeatable) = match kind {
            TagKind::Daily => (format!("memory/daily/{day}"), true),
            TagKind::Weekly => (format!("memory/weekly/{}-W{:02}", week.year(), week.week()), true),
            TagKind::Milestone(name) => (format!("memory/milestone/{}", slug(name)), false),
            TagKind::Before(event) => (format!("memory/before/{}", slug(event)), false),
            TagKind::Extract(version) => (format!("memory/extract/{}", slug(version)), false),
        };
        let program = self.program();
        let commit = program.text("read HEAD", &["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        if repeatable {
            let family = name.rsplit_once('/').map_or(name.as_str(), |(family, _)| family);
            let tags = self.tags()?;
            let of_family = |tag: &&TagOutcome| tag.name.starts_with(&format!("{family}/"));
            let same = tags.iter().filter(of_family).rfind(|tag| tag.commit == commit);
            if let Some(tag) = same.or_else(|| tags.iter().find(|tag| tag.name == name)) {
                return Ok(TagOutcome { name, commit, created: false, because_of: Some(tag.name.clone()) });
            }
        }
        program.run(
            "tag",
            &[
                "-c",
                "user.name=rem",
                "-c",
                "user.email=rem@localhost",
                "tag",
                "--annotate",
                "--message",
                &name,
                "--",
                &name,
                &commit,
            ],
        )?;
        Ok(TagOutcome { name, commit, created: true, because_of: None })
    }

    /// The memory tags, oldest commit first.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when they cannot be listed.
    pub fn tags(&self) -> Result<Vec<TagOutcome>, LedgerError> {
        let text = self.program().text(
            "list tags",
            &["for-each-ref", "--sort=creatordate", "--format=%(refname:strip=2) %(*objectname)%(if)%(*objectname)%(then)%(else)%(objectname)%(end)", "refs/tags/memory/"],
        )?;
        Ok(text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(name, commit)| TagOutcome {
                name: name.to_owned(),
                commit: commit.to_owned(),
                created: false,
                because_of: None,
            })
            .collect())
    }
}

/// A name as part of a tag: words joined by hyphens.
fn slug(name: &str) -> String {
    one_line(name, 60)
        .replace(|c: char| c.is_whitespace() || "~^:?*[\\".contains(c), "-")
        .trim_matches(['-', '.', '/'])
        .to_owned()
}
