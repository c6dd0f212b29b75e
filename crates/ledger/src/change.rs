//! What is to change, and on whose behalf.
//!
//! A [`ChangeSet`] holds edits as functions of the contents found under the lock, so an update cannot be lost between
//! reading and writing. A [`Provenance`] goes with it: nothing can be written without one.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rem_format::audit::{Action, Actor, Approval};
use rem_format::commit::CommitType;
use rem_format::path::MemoryPath;
use serde::{Deserialize, Serialize};

/// Why an edit refuses the contents it is given.
pub type EditError = Box<dyn std::error::Error + Send + Sync>;

type EditFunction<'a> = Box<dyn Fn(Option<&[u8]>) -> Result<Option<Vec<u8>>, EditError> + Send + Sync + 'a>;

/// On whose behalf and why something changes (M12.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Who does it.
    pub actor: Actor,
    /// Who agreed.
    pub approval: Approval,
    /// What brought it about, in words.
    pub trigger: String,
    /// The session it came from.
    pub session: Option<String>,
    /// A3.2's commit type.
    pub kind: CommitType,
}

impl Provenance {
    /// A provenance for knowledge; use [`Self::kind`] and [`Self::session`] for the rest.
    #[must_use]
    pub fn new(actor: Actor, approval: Approval, trigger: impl Into<String>) -> Self {
        Self { actor, approval, trigger: trigger.into(), session: None, kind: CommitType::Memory }
    }

    /// A person's own doing.
    #[must_use]
    pub fn manual(trigger: impl Into<String>) -> Self {
        Self::new(Actor::Manual, Approval::None, trigger)
    }

    /// The program's own doing, such as `system:init`.
    #[must_use]
    pub fn system(part: &str, trigger: impl Into<String>) -> Self {
        Self::new(Actor::System(part.to_owned()), Approval::Auto, trigger)
    }

    /// With a commit type.
    #[must_use]
    pub fn kind(mut self, kind: CommitType) -> Self {
        self.kind = kind;
        self
    }

    /// With the session it came from.
    #[must_use]
    pub fn session(mut self, session: impl Into<String>) -> Self {
        self.session = Some(session.into());
        self
    }
}

/// A finished file in the private folder, made by [`crate::StagedFile::finish`], waiting to be put into place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Staged {
    pub(crate) name: String,
    pub(crate) hash: String,
    pub(crate) length: u64,
}

type DeriveFunction<'a> =
    Box<dyn Fn(Option<&[u8]>, &Results) -> Result<Option<Vec<u8>>, EditError> + Send + Sync + 'a>;

/// What the files of a set come to: their contents after the change, `None` for those that go.
pub type Results = BTreeMap<MemoryPath, Option<Vec<u8>>>;

pub(crate) struct Planned<'a> {
    pub(crate) edit: EditFunction<'a>,
    /// Takes the place of `edit` for a file that follows from the others of the set.
    pub(crate) derive: Option<DeriveFunction<'a>>,
    pub(crate) action: Option<Action>,
    pub(crate) summary: String,
    /// The file is closed for good: read-only afterwards.
    pub(crate) seal: bool,
    /// No audit line of its own, as for the old name of a renamed file.
    pub(crate) silent: bool,
    /// Contents are taken from this file at the time of the change.
    pub(crate) moved_from: Option<MemoryPath>,
    /// Contents stand in this staged file, which is moved into place.
    pub(crate) staged: Option<Staged>,
    /// Earlier text may go, even where the store is only ever added to.
    pub(crate) takes_away: bool,
}

impl<'a> Planned<'a> {
    /// Whether it is an edit of the file as it is under this action, and nothing else.
    pub(crate) fn is_plain(&self, action: Action) -> bool {
        let is_edit = self.derive.is_none() && self.moved_from.is_none() && self.staged.is_none();
        is_edit && !self.seal && !self.silent && !self.takes_away && self.action == Some(action)
    }

    /// One after the other.
    fn and(self, later: Self) -> Self {
        let (first, second): (EditFunction<'a>, EditFunction<'a>) = (self.edit, later.edit);
        Self {
            edit: Box::new(move |found| second(first(found)?.as_deref())),
            derive: later.derive.or(self.derive),
            action: self.action.filter(|action| later.action.is_none_or(|later| later == *action)),
            summary: match (self.summary, later.summary) {
                (one, other) if one == other || other.is_empty() => one,
                (one, other) if one.is_empty() => other,
                (one, other) => format!("{one}; {other}"),
            },
            seal: self.seal || later.seal,
            silent: self.silent && later.silent,
            moved_from: later.moved_from.or(self.moved_from),
            staged: later.staged.or(self.staged),
            takes_away: self.takes_away || later.takes_away,
        }
    }
}

/// Edits of one or more files that happen together or not at all.
#[derive(Default)]
pub struct ChangeSet<'a> {
    pub(crate) planned: BTreeMap<MemoryPath, Planned<'a>>,
}

impl std::fmt::Debug for ChangeSet<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.planned.keys()).finish()
    }
}

impl<'a> ChangeSet<'a> {
    /// An empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is planned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planned.is_empty()
    }

    /// Changes `path` by a function of its contents (`None`: there is no such file). Giving back `None` removes the file.
    /// It may run several times and must not have effects of its own.
    #[must_use]
    pub fn edit(
        mut self,
        path: MemoryPath,
        summary: impl Into<String>,
        edit: impl Fn(Option<&[u8]>) -> Result<Option<Vec<u8>>, EditError> + Send + Sync + 'a,
    ) -> Self {
        let planned = Planned {
            edit: Box::new(edit),
            derive: None,
            action: None,
            summary: summary.into(),
            seal: false,
            silent: false,
            moved_from: None,
            staged: None,
            takes_away: false,
        };
        self.planned.insert(path, planned);
        self
    }

    /// Changes `path`, which follows from other files, by a function of its contents and of what the others of this set come to.
    /// It runs after them and only where one of them changes; it has no audit line of its own, since theirs say what happened.
    /// Where something else is planned for `path`, that stands.
    #[must_use]
    pub fn derive(
        mut self,
        path: MemoryPath,
        derive: impl Fn(Option<&[u8]>, &Results) -> Result<Option<Vec<u8>>, EditError> + Send + Sync + 'a,
    ) -> Self {
        if self.planned.contains_key(&path) {
            return self;
        }
        self = self.edit(path.clone(), "", |found| Ok(found.map(<[u8]>::to_vec)));
        if let Some(planned) = self.planned.get_mut(&path) {
            planned.derive = Some(Box::new(derive));
            planned.silent = true;
        }
        self
    }

    /// Both sets as one: where both change a file, `later` edits what this one makes of it, and the history says both.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        for (path, second) in later.planned {
            let joined = match self.planned.remove(&path) {
                Some(first) => first.and(second),
                None => second,
            };
            self.planned.insert(path, joined);
        }
        self
    }

    /// The same set, made of what this one plans.
    pub(crate) fn borrowed(&self) -> ChangeSet<'_> {
        let planned = self.planned.iter().map(|(path, planned)| {
            let derive = planned.derive.as_ref().map(|derive| -> DeriveFunction<'_> {
                Box::new(move |found, results| derive(found, results))
            });
            let borrowed = Planned {
                edit: Box::new(move |found| (planned.edit)(found)),
                derive,
                action: planned.action,
                summary: planned.summary.clone(),
                seal: planned.seal,
                silent: planned.silent,
                moved_from: planned.moved_from.clone(),
                staged: planned.staged.clone(),
                takes_away: planned.takes_away,
            };
            (path.clone(), borrowed)
        });
        ChangeSet { planned: planned.collect() }
    }

    /// The files for which something is planned, in path order.
    pub fn paths(&self) -> impl Iterator<Item = &MemoryPath> {
        self.planned.keys()
    }

    /// Gives `path` these contents, whatever it held.
    #[must_use]
    pub fn write(self, path: MemoryPath, contents: impl Into<Vec<u8>>, summary: impl Into<String>) -> Self {
        let contents = contents.into();
        self.edit(path, summary, move |_| Ok(Some(contents.clone())))
    }

    /// Gives `path` these contents if there is no such file; otherwise leaves it alone.
    #[must_use]
    pub fn create(self, path: MemoryPath, contents: impl Into<Vec<u8>>, summary: impl Into<String>) -> Self {
        let contents = contents.into();
        self.edit(path, summary, move |found| {
            Ok(Some(found.map_or_else(|| contents.clone(), <[u8]>::to_vec)))
        })
    }

    /// Adds text at the end of `path`, which is made if missing.
    #[must_use]
    pub fn append(self, path: MemoryPath, addition: impl Into<Vec<u8>>, summary: impl Into<String>) -> Self {
        let addition = addition.into();
        self.edit(path.clone(), summary, move |found| {
            let mut contents = found.map(<[u8]>::to_vec).unwrap_or_default();
            contents.extend_from_slice(&addition);
            Ok(Some(contents))
        })
        .action(&path, Action::Append)
    }

    /// Removes `path` from disk; git keeps it.
    #[must_use]
    pub fn delete(self, path: MemoryPath, summary: impl Into<String>) -> Self {
        self.edit(path, summary, |_| Ok(None))
    }

    /// Moves a file, its contents unchanged. Refused where there is a file at `to`.
    #[must_use]
    pub fn rename(self, from: MemoryPath, to: MemoryPath, summary: impl Into<String>) -> Self {
        self.rename_with(from, to, summary, |found| Ok(found.map(<[u8]>::to_vec)))
    }

    /// Moves a file, its contents changed on the way by a function of what they are at `from`. Refused where there is a file at
    /// `to`.
    #[must_use]
    pub fn rename_with(
        self,
        from: MemoryPath,
        to: MemoryPath,
        summary: impl Into<String>,
        edit: impl Fn(Option<&[u8]>) -> Result<Option<Vec<u8>>, EditError> + Send + Sync + 'a,
    ) -> Self {
        let mut set = self.edit(from.clone(), "", |_| Ok(None)).edit(to.clone(), summary, edit);
        if let Some(planned) = set.planned.get_mut(&from) {
            planned.silent = true;
        }
        if let Some(planned) = set.planned.get_mut(&to) {
            planned.moved_from = Some(from);
            planned.action = Some(Action::Rename);
        }
        set
    }

    /// Makes a new file of a staged one, however large, without reading it into memory. Refused where `path` exists.
    #[must_use]
    pub fn place(self, path: MemoryPath, staged: Staged, summary: impl Into<String>) -> Self {
        let mut set = self.edit(path.clone(), summary, |found| match found {
            None => Ok(Some(Vec::new())),
            Some(_) => Err("there is such a file already".into()),
        });
        if let Some(planned) = set.planned.get_mut(&path) {
            planned.staged = Some(staged);
        }
        set
    }

    /// Names the action of `path` in the audit line, where it is more than creating, editing or deleting.
    #[must_use]
    pub fn action(mut self, path: &MemoryPath, action: Action) -> Self {
        if let Some(planned) = self.planned.get_mut(path) {
            planned.action = Some(action);
        }
        self
    }

    /// Names one action for all files of the set, and puts a note before what is said of each. Files that follow from others stay without
    /// a line of their own.
    #[must_use]
    pub fn noted_as(mut self, action: Action, note: &str) -> Self {
        for planned in self.planned.values_mut().filter(|planned| !planned.silent) {
            planned.action = Some(action);
            planned.summary = match planned.summary.is_empty() {
                true => note.to_owned(),
                false => format!("{note}: {}", planned.summary),
            };
        }
        self
    }

    /// Lets the change take earlier text away from a store that is only ever added to; without it such a change is refused. For
    /// what a person asked to have off the disk, and nothing else.
    #[must_use]
    pub fn take_away(mut self, path: &MemoryPath) -> Self {
        if let Some(planned) = self.planned.get_mut(path) {
            planned.takes_away = true;
        }
        self
    }

    /// Closes `path` for good with this change (A1: transcripts are immutable after close).
    #[must_use]
    pub fn seal(mut self, path: &MemoryPath) -> Self {
        if let Some(planned) = self.planned.get_mut(path) {
            planned.seal = true;
        }
        self
    }
}

/// One file of an applied change set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileChange {
    /// The file.
    pub path: MemoryPath,
    /// What happened to it.
    pub action: Action,
}

/// What `apply` did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applied {
    /// The id of the change, also in the commit's `Change:` trailer; empty where nothing needed to change.
    pub change: String,
    /// The commit, in hexadecimal; `None` where nothing needed to change or commits are batched.
    pub commit: Option<String>,
    /// When.
    pub time: Timestamp,
    /// The files that changed, in path order.
    pub files: Vec<FileChange>,
}
