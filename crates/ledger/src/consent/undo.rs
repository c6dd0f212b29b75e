//! What the operator signed last, for who takes back what came past them.
//!
//! It rests on approvals.md. Where that is damaged or gone, its newest version in history that can be relied on comes back first; without one nothing
//! is taken back, because nobody knows to what. Must not write anything.

use std::collections::BTreeMap;

use rem_format::consent::approvals;
use rem_format::path::MemoryPath;

use super::book::{Book, Known};
use super::hash;
use crate::change::ChangeSet;
use crate::error::LedgerError;
use crate::ledger::Ledger;
use crate::user_state::UserState;

/// So many commits are looked at again rather than noted down.
const NOTED_AFTER: usize = 16;

/// What was signed last of everything that lacks its signature.
#[derive(Debug, Clone, Default)]
pub struct SignedState {
    /// The approvals out of history, where the file lacks some of them.
    pub approvals: Option<Vec<u8>>,
    /// Each file that lacks its signature, with what was signed; nothing for no file.
    pub files: BTreeMap<MemoryPath, Option<Vec<u8>>>,
    /// Each file that lacks its signature and was signed in several versions on several sides of a merge, with what to tell of them: nobody but a
    /// person knows which to go back to.
    pub several: BTreeMap<MemoryPath, String>,
}

impl Ledger {
    /// What to give back, and to which files; `None` where no operator's key was ever set up.
    ///
    /// # Errors
    /// [`LedgerError::Approvals`] where no version of the approvals can be relied on, or what was signed is not in the history any more.
    pub fn signed_state(&self) -> Result<Option<SignedState>, LedgerError> {
        let known = self.known_approvals()?;
        let book = self.book(known.as_ref(), false)?;
        let versions = self.approvals_in_history()?;
        let (approvals, book) = match book.key.is_some() && !book.is_doubtful() {
            true => (None, book),
            false if versions.is_empty() && known.is_none() && book.flaws.is_empty() => return Ok(None),
            false => {
                // Who put in a memory of their own later is not believed.
                let first =
                    versions.iter().rev().find_map(|bytes| Book::read(Some(bytes), None, false).memory);
                let reliable = versions.iter().find_map(|bytes| {
                    let book = Book::read(Some(bytes), known.as_ref(), true);
                    let counts = book.key.is_some() && !book.is_doubtful() && book.memory == first;
                    counts.then(|| (bytes.clone(), book))
                });
                let (bytes, book) = reliable.ok_or_else(|| {
                    LedgerError::Approvals("no version of them in the history can be relied on".to_owned())
                })?;
                (Some(bytes), book)
            }
        };
        let (mut files, mut several) = (BTreeMap::new(), BTreeMap::new());
        for path in self.consent_paths(&book)? {
            if book.is_signed(&path, &self.hash_of_standing(&path)?) {
                continue;
            }
            if let Some(tips) = book.several(&path) {
                let name = |tip: &Option<String>| {
                    let hash = tip.as_deref().unwrap_or("no file");
                    hash[..hash.len().min(12)].to_owned()
                };
                let names: Vec<String> = tips.iter().map(name).collect();
                let told = format!(
                    "{path} was signed in {} versions, each on another side of a merge: {}",
                    names.len(),
                    names.join(" and ")
                );
                several.insert(path, told);
                continue;
            }
            let contents = match book.signed.get(&path) {
                Some(Some(hash)) => {
                    let found = self.contents_with(&path, hash)?;
                    Some(found.ok_or_else(|| {
                        LedgerError::Approvals(format!("what was signed of {path} is not in the history"))
                    })?)
                }
                Some(None) => None,
                // It came past the operator as a whole, unless an approval of it was taken out.
                None if versions.iter().any(|bytes| names(bytes, &path)) => {
                    return Err(LedgerError::Approvals(format!(
                        "{path} was signed once, and its approval is gone"
                    )));
                }
                None => None,
            };
            files.insert(path, contents);
        }
        Ok(Some(SignedState { approvals, files, several }))
    }

    /// What tells what stands in a file from anything else; a symbolic link in its place is nothing that anybody signed.
    pub(super) fn hash_of_standing(&self, path: &MemoryPath) -> Result<Option<String>, LedgerError> {
        match self.is_link(path) {
            true => Ok(Some("a symbolic link".to_owned())),
            false => Ok(hash(self.read(path)?.as_deref())),
        }
    }

    /// Whether a symbolic link lies where a file should be.
    #[must_use]
    pub fn is_link(&self, path: &MemoryPath) -> bool {
        std::fs::symlink_metadata(self.root().join(path.as_str())).is_ok_and(|metadata| metadata.is_symlink())
    }

    /// Takes a symbolic link away that lies where a file should be; what it leads to stays as it is.
    ///
    /// # Errors
    /// [`LedgerError::SubAgent`] for a sub-agent, [`LedgerError::Io`] where it cannot be removed.
    pub fn remove_link(&self, path: &MemoryPath) -> Result<(), LedgerError> {
        self.may_change()?;
        let _inside = self.enter()?;
        let at = self.root().join(path.as_str());
        match self.is_link(path) {
            true => crate::files::remove_if_there(&at).map_err(LedgerError::io("remove", at)),
            false => Ok(()),
        }
    }

    /// The approvals as they would count after a set that gives them back; `None` where they can be relied on as they are, or after it neither.
    pub(super) fn mended(
        &self,
        set: &ChangeSet<'_>,
        book: &Book,
        known: Option<&Known>,
    ) -> Result<Option<Book>, LedgerError> {
        let path = self.layout().approvals();
        let Some(planned) = set.planned.get(&path) else { return Ok(None) };
        let after = (planned.edit)(self.read(&path)?.as_deref())
            .map_err(|source| LedgerError::Edit { path: path.clone(), source })?;
        let is_damaged = book.key.is_none() || book.is_doubtful();
        let mended = Book::read(after.as_deref(), known, false);
        Ok((is_damaged && mended.key.is_some() && !mended.is_doubtful()).then_some(mended))
    }

    /// Whether approvals that cannot be relied on become such that can.
    pub(crate) fn mends_approvals(
        &self,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<bool, LedgerError> {
        let known = self.known_approvals()?;
        let is_reliable = |bytes| {
            let book = Book::read(bytes, known.as_ref(), false);
            book.key.is_some() && !book.is_doubtful()
        };
        Ok(!is_reliable(before) && is_reliable(after))
    }

    /// The approvals that the branch had last, for a machine that knows of none. What was looked at is noted down for the user, and
    /// is not looked at again.
    pub(super) fn lost_approvals(&self) -> Result<Option<Vec<u8>>, LedgerError> {
        let path = self.layout().approvals();
        let state = self.options.user_state.clone().map(UserState::new);
        let name = UserState::name_of("without-approvals", self.root());
        let until = match &state {
            Some(state) => state.read(&name)?.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()),
            None => None,
        };
        let (found, head, steps) = self.with_repository(|repository| {
            let head = repository.head()?;
            let (mut next, mut steps) = (head, 0);
            while let Some(id) = next.filter(|id| until.as_deref() != Some(id.to_string().as_str())) {
                if let Some(blob) = repository.blob_in(repository.tree_of(id)?, &path)? {
                    return Ok((Some(repository.blob(blob)?), head, steps));
                }
                next = repository.commit_info(id)?.parents.first().copied();
                steps += 1;
            }
            Ok((None, head, steps))
        })?;
        if let (Some(state), Some(head), true) = (&state, head, found.is_none() && steps > NOTED_AFTER)
            && let Err(error) = state.write(&name, head.to_string().as_bytes())
        {
            tracing::debug!("what was looked at is looked at again: {error}");
        }
        Ok(found)
    }

    /// Every version of the approvals that the history has, the newest first.
    fn approvals_in_history(&self) -> Result<Vec<Vec<u8>>, LedgerError> {
        let path = self.layout().approvals();
        let commits = self
            .program()
            .text("look for approvals", &["log", "--format=%H", "HEAD", "--", path.as_str()])?;
        let mut versions = Vec::new();
        for commit in commits.lines() {
            versions.extend(self.contents_at(commit, &path)?);
        }
        Ok(versions)
    }
}

/// Whether an approval is over this file.
fn names(bytes: &[u8], path: &MemoryPath) -> bool {
    approvals(bytes)
        .into_iter()
        .flatten()
        .any(|entry| entry.statement.files.iter().any(|file| file.path == *path))
}
