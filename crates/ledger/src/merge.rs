//! Another clone's history coming in: fetched, merged file by file, and committed with two parents as one change through the door.
//!
//! What both sides made of a file is merged by its format (`rem_format::merge`), so nothing blocks: what both changed is settled there and
//! told. Closed transcripts never change: another one of the same name comes beside it. Where this side has nothing of its own the branch
//! only goes forward. Must not know what a memory means, nor write anything past the door.

use jiff::Timestamp;
use rem_format::audit::Action;
use rem_format::config::Config;
use rem_format::merge::{self, Clash, Shape};
use rem_format::path::MemoryPath;

use crate::change::{Applied, ChangeSet, FileChange, Provenance};
use crate::error::LedgerError;
use crate::files;
use crate::git::Repository;
use crate::layout::Store;
use crate::ledger::Ledger;
use crate::redo::Joins;

/// So many commits are looked at for merges that git made.
const LOOKED_AT: usize = 2_000;
/// A file longer than this is not taken apart.
const LONGEST: usize = 16 << 20;
/// What follows a file that stayed as a whole, where a conflict says what was kept.
pub const AS_IT_IS: &str = " as it is here";
/// So many characters of what stays out are told.
const MOST_TOLD: usize = 400;

/// A file that changes here because of what comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingFile {
    /// The file.
    pub path: MemoryPath,
    /// What it says here now; nothing where it is not there.
    pub here: Option<Vec<u8>>,
    /// What it will say; nothing where it goes.
    pub merged: Option<Vec<u8>>,
    /// The file whose other version it is, where that could not be taken into it.
    pub beside: Option<MemoryPath>,
}

/// Something that both sides changed, and the file that it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileClash {
    /// The file.
    pub path: MemoryPath,
    /// What holds and what the other side said.
    pub clash: Clash,
}

/// What another history brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// The newest commit here.
    pub here: String,
    /// The newest commit there.
    pub there: String,
    /// How many commits are new here.
    pub commits: usize,
    /// Whether this side has nothing of its own, so that the branch only goes forward.
    pub is_forward: bool,
    /// The files that change, in path order.
    pub files: Vec<IncomingFile>,
    /// What both sides changed.
    pub clashes: Vec<FileClash>,
    /// Paths there that cannot be had here.
    pub left_out: Vec<String>,
}

impl Ledger {
    /// Gets another history: of a folder or an address, of a remote, or of a branch that is here already; where nothing is named, of the
    /// branch that this one follows. Gives its newest commit and what it is called. No lock is held.
    ///
    /// # Errors
    /// [`LedgerError::Merge`] where there is none, [`LedgerError::Git`] with what git said.
    pub fn fetch(&self, from: Option<&str>) -> Result<(String, String), LedgerError> {
        let program = self.program();
        let branch = self.repository_state()?.branch.ok_or(LedgerError::DetachedHead)?;
        let resolve = |revision: &str| {
            self.with_repository(|repository| repository.resolve(revision)).map(|id| id.to_string())
        };
        let Some(from) = from else {
            let none = || LedgerError::Merge {
                from: "another clone".to_owned(),
                reason: format!("branch {branch} follows no other"),
                hint: "name one: `rem merge REMOTE` or `rem merge FOLDER`; `git branch --set-upstream-to` makes one the default",
            };
            let setting = |name: &str| {
                let key = format!("branch.{branch}.{name}");
                program.text("read what the branch follows", &["config", "--get", &key]).ok()
            };
            let remote = setting("remote").ok_or_else(none)?.trim().to_owned();
            if remote != "." {
                program.run(&format!("fetch from {remote}"), &["fetch", "--quiet", "--", &remote])?;
            }
            let name = program
                .text("find what the branch follows", &["rev-parse", "--abbrev-ref", "@{upstream}"])
                .map_err(|_| none())?;
            let name = name.trim().to_owned();
            return Ok((resolve("@{upstream}")?, name));
        };
        let remotes = program.text("list remotes", &["remote"])?;
        let remote_of = |name: &str| remotes.lines().any(|remote| remote == name);
        if remote_of(from) {
            program.run(&format!("fetch from {from}"), &["fetch", "--quiet", "--", from])?;
            let same = format!("refs/remotes/{from}/{branch}");
            let head = format!("refs/remotes/{from}/HEAD");
            let commit = resolve(&same).or_else(|_| resolve(&head)).map_err(|_| LedgerError::Merge {
                from: from.to_owned(),
                reason: format!("it has no branch {branch}"),
                hint: "name the branch: `rem merge REMOTE/BRANCH`",
            })?;
            return Ok((commit, from.to_owned()));
        }
        if let Some((remote, name)) = from.split_once('/').filter(|(remote, _)| remote_of(remote)) {
            program.run(&format!("fetch from {remote}"), &["fetch", "--quiet", "--", remote])?;
            return Ok((resolve(&format!("refs/remotes/{remote}/{name}"))?, from.to_owned()));
        }
        let is_elsewhere = std::path::Path::new(from).is_dir() || from.contains(':');
        if !is_elsewhere {
            return Ok((resolve(from)?, from.to_owned()));
        }
        program.run(&format!("fetch from {from}"), &["fetch", "--quiet", "--no-tags", "--", from, "HEAD"])?;
        let commit = resolve("FETCH_HEAD")?;
        let name = from.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(from);
        Ok((commit, name.to_owned()))
    }

    /// What a commit of another history brings; nothing where all of it is here. Changes made outside are to be committed before.
    ///
    /// # Errors
    /// [`LedgerError::Merge`] for a history that has nothing in common with this one, [`LedgerError::Git`] where one cannot be read.
    pub fn incoming(&self, there: &str, from: &str, now: Timestamp) -> Result<Option<Incoming>, LedgerError> {
        let here = self.head()?.ok_or_else(|| LedgerError::UnknownRevision("HEAD".to_owned()))?;
        self.incoming_at(&here, there, from, now, None)
    }

    /// The same from any commit on this side; `made` is the commit in which git merged the two already.
    fn incoming_at(
        &self,
        here: &str,
        there: &str,
        from: &str,
        now: Timestamp,
        made: Option<&str>,
    ) -> Result<Option<Incoming>, LedgerError> {
        let program = self.program();
        let bases = |one: &str, other: &str| -> Vec<String> {
            // It fails where there is none.
            let text = program.text("find what both have in common", &["merge-base", "--all", one, other]);
            text.unwrap_or_default().lines().map(str::to_owned).collect()
        };
        let common = bases(here, there);
        let Some(first) = common.first() else {
            return Err(LedgerError::Merge {
                from: from.to_owned(),
                reason: "the two have no commit in common: they are two memories, not two clones of one"
                    .to_owned(),
                hint: "`git clone` this workspace for the other machine; `rem adopt` or `rem import` takes in what another one holds",
            });
        };
        if first == there {
            return Ok(None);
        }
        let range = format!("{here}..{there}");
        let commits = program.text("count commits", &["rev-list", "--count", &range])?;
        // Where both merged each other there are several: they are one by the same rules.
        let before = common.get(1).and_then(|second| bases(first, second).into_iter().next());
        let (mut files, left_out) = self.with_repository(|repository| {
            let tree = |commit: &str| repository.tree_of(repository.resolve(commit)?);
            let sides = Sides {
                repository,
                bases: common.iter().take(2).map(|base| tree(base)).collect::<Result<_, _>>()?,
                before: before.as_deref().map(tree).transpose()?,
                made: made.map(tree).transpose()?,
                day: now.to_zoned(jiff::tz::TimeZone::UTC).date(),
            };
            self.merge_files(&sides, tree(here)?, tree(there)?)
        })?;
        if made.is_none() {
            self.keep_what_is_signed(there, &mut files)?;
        }
        let clashes = std::mem::take(&mut files.clashes);
        Ok(Some(Incoming {
            is_forward: first == here && files.is_plain,
            here: here.to_owned(),
            there: there.to_owned(),
            commits: commits.trim().parse().unwrap_or(0),
            files: files.found,
            clashes,
            left_out,
        }))
    }

    /// Takes in what another history brings, with `further` changes, as one change with two parents.
    ///
    /// # Errors
    /// As [`Self::apply`]; nothing is changed where something was changed here meanwhile.
    pub fn take_in(
        &self,
        incoming: &Incoming,
        further: ChangeSet<'_>,
        provenance: &Provenance,
    ) -> Result<Applied, LedgerError> {
        self.may_change()?;
        let mut set = ChangeSet::new();
        for file in &incoming.files {
            let path = file.path.clone();
            let summary = match &file.beside {
                Some(beside) => format!("the other version of {beside}"),
                None => "came in".to_owned(),
            };
            set = set.edit(path.clone(), summary, move |found| match found == file.here.as_deref() {
                true => Ok(file.merged.clone()),
                false => Err("it changed meanwhile: run the command again".into()),
            });
            set = set.take_away(&path);
            if file.here.is_some() {
                set = set.action(&path, Action::Merge);
            }
            if self.is_sealed(&path, file.merged.as_deref()) {
                set = set.seal(&path);
            }
        }
        let is_forward = incoming.is_forward && further.is_empty();
        let joins = match is_forward {
            true => Joins::Forward { from: incoming.here.clone(), to: incoming.there.clone() },
            false => Joins::Commit(incoming.there.clone()),
        };
        self.may_bring_in(&set, provenance)?;
        // What was fetched is as durable as what is about to refer to it.
        self.checkpoint()?;
        self.apply_joining(&set.and(further), provenance, Some(&joins))
    }

    fn merge_files(
        &self,
        sides: &Sides<'_>,
        here: gix::ObjectId,
        there: gix::ObjectId,
    ) -> Result<(Found, Vec<String>), LedgerError> {
        let mut found = Found { is_plain: true, ..Found::default() };
        let mut left_out = Vec::new();
        let repository = sides.repository;
        for difference in repository.difference(Some(here), Some(there))? {
            let Ok(path) = MemoryPath::new(difference.path.as_str()) else {
                left_out.push(difference.path);
                found.is_plain = false;
                continue;
            };
            let read = |blob: Option<gix::ObjectId>| blob.map(|blob| repository.blob(blob)).transpose();
            let (ours, theirs) = (read(difference.old)?, read(difference.new)?);
            let base = sides.base_of(&path, self.options.layout.shape_of(&path))?;
            if theirs == base {
                continue;
            }
            let Some(theirs) = theirs else {
                // Taken away there: it goes where it was left alone here, and evidence never goes.
                match ours == base && !self.is_transcript(&path) {
                    true => found.change(path, ours, None),
                    false => found.is_plain = false,
                }
                continue;
            };
            // Something that is not in history may lie there: an open transcript, a folder, a file that is ignored.
            if ours.is_none() && sides.has_made(&path)? {
                // Git has put it there, and whoever merged may have changed it since.
                found.change(path, None, Some(theirs));
                continue;
            }
            let at = files::locate(&self.root, &path);
            let is_in_the_way = match &at {
                Ok(at) if ours.is_none() => at.exists() || file_above(&self.root, &path).is_some(),
                Ok(_) => false,
                Err(_) => true,
            };
            // What lies there and says the same is the file itself.
            if is_in_the_way && at.is_ok() && matches!(self.read(&path), Ok(Some(there)) if there == theirs) {
                found.change(path, Some(theirs.clone()), Some(theirs));
                continue;
            }
            if is_in_the_way {
                self.beside(&path, theirs, &mut found)?;
                continue;
            }
            if !self.may_take_settings(&path, ours.as_deref(), Some(&theirs)) {
                let file = IncomingFile { path, here: ours, merged: Some(theirs), beside: None };
                found.clashes.push(kept_as_it_is(&file, "which cannot be read"));
                found.is_plain = false;
                continue;
            }
            let Some(own) = ours.as_deref().filter(|own| base.as_deref() != Some(*own)) else {
                if self.is_sealed(&path, ours.as_deref()) {
                    self.beside(&path, theirs, &mut found)?;
                } else {
                    found.change(path, ours, Some(theirs));
                }
                continue;
            };
            found.is_plain = false;
            let shape = match own.len().max(theirs.len()) > LONGEST {
                true => Shape::Opaque,
                false => self.options.layout.shape_of(&path),
            };
            let merged = merge::merge(shape, base.as_deref(), own, &theirs, sides.day);
            let clash = |clash| FileClash { path: path.clone(), clash };
            found.clashes.extend(merged.clashes.into_iter().map(clash));
            let is_told = found.clashes.last().is_some_and(|last| last.path == path);
            if !merged.is_whole && !is_told {
                self.beside(&path, theirs, &mut found)?;
            }
            if merged.bytes != own {
                found.change(path, ours, Some(merged.bytes));
            }
        }
        found.found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok((found, left_out))
    }

    /// Puts another version of a file beside it, under a name that nothing has.
    fn beside(&self, path: &MemoryPath, contents: Vec<u8>, found: &mut Found) -> Result<(), LedgerError> {
        found.is_plain = false;
        let name = path.as_str();
        let (stem, ending) = match (file_above(&self.root, path), path.file_name().rfind('.')) {
            // Another folder takes the place of the one that is a file here.
            (Some(above), _) => name.split_at(above),
            (None, Some(at)) if at > 0 => name.split_at(name.len() - (path.file_name().len() - at)),
            _ => (name, ""),
        };
        for number in 2..1000 {
            let free = MemoryPath::new(format!("{stem}-{number}{ending}"))?;
            match self.read(&free) {
                // It came in before.
                Ok(Some(known)) if known == contents => return Ok(()),
                Ok(None)
                    if file_above(&self.root, &free).is_none()
                        && found.found.iter().all(|file| file.path != free) =>
                {
                    let beside = Some(path.clone());
                    found.found.push(IncomingFile { path: free, here: None, merged: Some(contents), beside });
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(LedgerError::Merge {
            from: path.to_string(),
            reason: "a thousand other versions of it are there already".to_owned(),
            hint: "put some of them away",
        })
    }
}

impl Ledger {
    /// Whether a file may say this from now on: a CONFIG.md that cannot be read would leave no command that runs.
    pub(crate) fn may_take_settings(
        &self,
        path: &MemoryPath,
        here: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> bool {
        let is_readable = |bytes: Option<&[u8]>| {
            bytes.is_none_or(|bytes| std::str::from_utf8(bytes).is_ok_and(|text| Config::parse(text).is_ok()))
        };
        self.options.layout.store_of(path) != Some(Store::Config) || is_readable(after) || !is_readable(here)
    }

    /// Takes out of what comes in what needs the operator's signature and would not have it: ours stays, and a person is told. What is made of two
    /// versions that were both signed comes in and waits for the signature. Approvals that do not count stay out as a whole.
    fn keep_what_is_signed(&self, there: &str, found: &mut Found) -> Result<(), LedgerError> {
        let layout = &self.options.layout;
        let approvals = layout.approvals();
        let incoming = found.found.iter().position(|file| file.path == approvals);
        let merged = incoming.map(|at| found.found[at].merged.clone().unwrap_or_default());
        let Some((book, counts)) = self.book_after(merged.as_deref())? else { return Ok(()) };
        let mut left: Vec<usize> = incoming.filter(|_| !counts).into_iter().collect();
        for (at, file) in found.found.iter().enumerate() {
            let is_signed = |bytes: Option<&[u8]>| book.is_signed(&file.path, &crate::consent::hash(bytes));
            if !layout.needs_consent(&file.path) || is_signed(file.merged.as_deref()) {
                continue;
            }
            let of_both = file.here.is_some() && is_signed(file.here.as_deref());
            if !of_both || !is_signed(self.contents_at(there, &file.path)?.as_deref()) {
                left.push(at);
            }
        }
        left.sort_unstable();
        for at in left.into_iter().rev() {
            let file = found.found.remove(at);
            found.is_plain = false;
            found.clashes.retain(|clash| clash.path != file.path);
            found.clashes.push(kept_as_it_is(&file, "without the operator's signature"));
        }
        Ok(())
    }
}

/// A file that stays as it is here, with the lines that only the other side has.
fn kept_as_it_is(file: &IncomingFile, why: &str) -> FileClash {
    let text =
        |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
    let (here, there) = (text(&file.here), text(&file.merged));
    let known: std::collections::HashSet<&str> = here.lines().map(str::trim).collect();
    let new: Vec<&str> =
        there.lines().map(str::trim).filter(|line| !line.is_empty() && !known.contains(line)).collect();
    let new: String = new.join("; ").chars().take(MOST_TOLD).collect();
    let clash = Clash {
        kept: format!("{}{AS_IT_IS}", file.path),
        other: if new.is_empty() { format!("{} {why}", file.path) } else { format!("{new} ({why})") },
        is_corrected: false,
    };
    FileClash { path: file.path.clone(), clash }
}

/// What was found to change.
#[derive(Default)]
struct Found {
    found: Vec<IncomingFile>,
    clashes: Vec<FileClash>,
    /// Whether every file is as it is there.
    is_plain: bool,
}

impl Found {
    fn change(&mut self, path: MemoryPath, here: Option<Vec<u8>>, merged: Option<Vec<u8>>) {
        self.found.push(IncomingFile { path, here, merged, beside: None });
    }
}

/// What both sides went on from.
struct Sides<'a> {
    repository: &'a Repository,
    /// One state, or two where both merged each other.
    bases: Vec<gix::ObjectId>,
    /// What those two went on from.
    before: Option<gix::ObjectId>,
    /// What git made of both, where it merged them already.
    made: Option<gix::ObjectId>,
    day: jiff::civil::Date,
}

impl Sides<'_> {
    /// Whether git took a file in when it merged.
    fn has_made(&self, path: &MemoryPath) -> Result<bool, LedgerError> {
        Ok(match self.made {
            Some(made) => self.repository.blob_in(made, path)?.is_some(),
            None => false,
        })
    }

    fn base_of(&self, path: &MemoryPath, shape: Shape) -> Result<Option<Vec<u8>>, LedgerError> {
        let read = |tree: gix::ObjectId| -> Result<Option<Vec<u8>>, LedgerError> {
            self.repository.blob_in(tree, path)?.map(|blob| self.repository.blob(blob)).transpose()
        };
        let mut states = self.bases.iter().map(|tree| read(*tree)).collect::<Result<Vec<_>, _>>()?;
        let Some(last) = states.pop() else { return Ok(None) };
        Ok(match (states.pop().flatten(), last) {
            (Some(one), Some(other)) if one != other => {
                let before = self.before.map(read).transpose()?.flatten();
                Some(merge::merge(shape, before.as_deref(), &one, &other, self.day).bytes)
            }
            (one, other) => other.or(one),
        })
    }
}

/// How much of a path leads to a file where it means a folder; nothing where it does not.
fn file_above(root: &std::path::Path, path: &MemoryPath) -> Option<usize> {
    let ends = path.as_str().match_indices('/').map(|(at, _)| at);
    ends.into_iter().find(|end| root.join(&path.as_str()[..*end]).is_file())
}

impl Incoming {
    /// The files that change, as a change of them is told.
    #[must_use]
    pub fn changed(&self) -> Vec<FileChange> {
        let told = |file: &IncomingFile| FileChange { path: file.path.clone(), action: Action::Merge };
        self.files.iter().map(told).collect()
    }
}

impl Ledger {
    /// The merges after `examined` on the branch that git made, oldest first, as they would have been made here: what both sides changed is
    /// found again. A merge that came from elsewhere was looked at there.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when history cannot be read.
    pub fn merges_since(&self, examined: &str, now: Timestamp) -> Result<Vec<Incoming>, LedgerError> {
        let found = self.with_repository(|repository| {
            // Most often the commits since then are our own, each on top of the one before: that is seen without a git process.
            let until = repository.resolve(examined).ok();
            let (mut found, mut next) = (Vec::new(), repository.head()?);
            for _ in 0..LOOKED_AT {
                let Some(id) = next.filter(|id| Some(*id) != until) else { break };
                let info = repository.commit_info(id)?;
                if let [here, there, ..] = info.parents[..]
                    && info.structured().is_none()
                {
                    found.push((here.to_string(), there.to_string(), id.to_string()));
                }
                next = info.parents.first().copied();
            }
            Ok(found)
        })?;
        let mut merges = Vec::new();
        for (here, there, made) in found.iter().rev() {
            merges.extend(self.incoming_at(here, there, there, now, Some(made))?);
        }
        Ok(merges)
    }

    /// Makes transcripts that are closed read-only, as those that git wrote are not.
    ///
    /// # Errors
    /// [`LedgerError::Io`] for the first that cannot be.
    pub fn seal_closed_transcripts(&self) -> Result<usize, LedgerError> {
        let mut count = 0;
        for path in self.transcripts()? {
            let at = self.root.join(path.as_str());
            let is_writable = std::fs::metadata(&at).is_ok_and(|metadata| !metadata.permissions().readonly());
            if is_writable && self.is_sealed(&path, files::read_head(&at)?.as_deref()) {
                files::make_read_only(&at).map_err(LedgerError::io("seal", &at))?;
                count += 1;
            }
        }
        Ok(count)
    }
}
