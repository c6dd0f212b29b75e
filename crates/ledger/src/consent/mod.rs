//! Consent that counts (row I10): what only the operator may approve carries their signature.
//!
//! Once a key is set up, a change of the identity, the vault or CONFIG.md, and an approved reflection, need an approval signed over
//! exactly what changes: each file with the hash of what it held and of what it shall hold. It goes into approvals.md in the same
//! change. Who signs is shown the contents and asked where no agent can answer; that is the [`Signer`]'s business. What is
//! asked is asked before any lock is taken; if the files moved meanwhile, it is asked again. A change that only brings back what was
//! signed last needs nobody.
//!
//! What comes past the door (an editor, an agent with a shell) is adopted as everything is, and stays unsigned: [`Ledger::consent`] says so
//! until it is signed or undone.

mod agent;
mod book;
mod signing;
mod undo;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use rem_format::audit::{Action, Actor, Approval};
use rem_format::consent::{ApprovalStatement, ApprovedFile, SignedApproval, append_approval};
use rem_format::path::MemoryPath;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

pub(crate) use self::book::Book;
use self::book::Known;
pub use self::signing::{
    KeyError, OperatorKey, SIGNATURE_NAMESPACE, armored, fingerprint, keys_of_agent, public_half, public_key,
    sign_by_agent,
};
pub use self::undo::SignedState;
use crate::change::{Applied, ChangeSet, EditError, Provenance};
use crate::error::LedgerError;
use crate::layout::Store;
use crate::ledger::Ledger;
use crate::user_state::UserState;

/// How often a file may change under an edit before giving up.
pub(crate) const MAX_CROSSINGS: usize = 20;

/// Who is asked for an approval, where no agent can answer.
pub trait Signer: Send + Sync {
    /// Shows what is asked for and gives an SSH signature over its statement, in base64 on one line.
    ///
    /// # Errors
    /// Why there is none: nobody to ask, a no, a wrong passphrase.
    fn sign(&self, request: &ConsentRequest<'_>) -> Result<String, EditError>;
}

/// What is asked for.
#[derive(Debug)]
pub struct ConsentRequest<'a> {
    /// The public key in force.
    pub key: &'a str,
    /// What it is about, on one line.
    pub what: &'a str,
    /// The text to sign.
    pub statement: &'a str,
    /// The files, for a person to see.
    pub files: &'a [ConsentFile],
}

/// A file that is asked for.
#[derive(Debug, Clone)]
pub struct ConsentFile {
    /// The file.
    pub path: MemoryPath,
    /// What it held when it was signed last or, where that is not known, holds; nothing for no file.
    pub before: Option<Vec<u8>>,
    /// What it shall hold.
    pub after: Option<Vec<u8>>,
    /// Whether it was changed past the operator since they signed it last, so that this change is in the difference too.
    pub holds_unsigned: bool,
}

/// How a memory stands with its operator's approvals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Consent {
    /// The operator's public key; nothing where none was set up.
    pub key: Option<String>,
    /// Its short name.
    pub fingerprint: Option<String>,
    /// Whether this machine knows the key from its own doing, and not from the workspace alone.
    pub is_known_here: bool,
    /// Whether approvals must be signed.
    pub is_required: bool,
    /// How many approvals count.
    pub approvals: usize,
    /// What is wrong with the approvals.
    pub flaws: Vec<String>,
    /// What is to be known of them and is not wrong: a key that was replaced on this machine without the one before.
    pub notes: Vec<String>,
    /// The files that hold something else than what was signed last.
    pub unsigned: Vec<MemoryPath>,
}

impl Consent {
    /// Whether everything that must be signed is.
    #[must_use]
    pub fn is_well(&self) -> bool {
        self.flaws.is_empty() && self.unsigned.is_empty()
    }
}

/// What a change was cleared for.
pub(crate) struct Clearance {
    /// The approval that goes with it; nothing where nothing in it needs one.
    approval: Option<SignedApproval>,
    /// What changes of that which needs one, as it was looked at.
    files: Vec<ApprovedFile>,
    /// Whether all of the change needs one, as an approved reflection does.
    covers_all: bool,
}

/// What is signed without being changed, and with which key.
#[derive(Clone, Copy)]
pub(crate) struct Signing<'s> {
    signer: &'s dyn Signer,
    /// The key that counts from now on.
    new_key: Option<&'s str>,
    /// Files that are signed as they are.
    standing: &'s BTreeSet<MemoryPath>,
}

pub(crate) fn hash(contents: Option<&[u8]>) -> Option<String> {
    contents.map(|contents| {
        use std::fmt::Write as _;
        Sha256::digest(contents).iter().fold(String::with_capacity(64), |mut hex, byte| {
            // Writing into a text cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    })
}

impl Ledger {
    /// The same ledger, with somebody who may be asked for approvals.
    #[must_use]
    pub fn asking(mut self, signer: Option<Arc<dyn Signer>>) -> Self {
        self.signer = signer;
        self
    }

    /// How the memory stands with its operator's approvals: the present files against what was signed of them last. Every signature is
    /// checked if `all` is set, which takes about 0.3 ms for each.
    ///
    /// # Errors
    /// [`LedgerError::Io`] when a file cannot be read.
    pub fn consent(&self, all: bool) -> Result<Consent, LedgerError> {
        let known = self.known_approvals()?;
        let book = self.book(known.as_ref(), all)?;
        let mut unsigned = Vec::new();
        if book.key.is_some() {
            for path in self.consent_paths(&book)? {
                if !book.is_signed(&path, &self.hash_of_standing(&path)?) {
                    unsigned.push(path);
                }
            }
        }
        Ok(Consent {
            fingerprint: book.key.as_deref().map(fingerprint),
            is_known_here: known.is_some(),
            is_required: book.key.is_some() || self.options.require_signature,
            key: book.key,
            approvals: book.count,
            flaws: book.flaws,
            notes: book.notes,
            unsigned,
        })
    }

    /// Whether a change of this file would be refused, because it needs an approval and nobody can be asked. Cheap: where there are approvals
    /// at all, they are taken to count.
    #[must_use]
    pub fn is_closed(&self, path: &MemoryPath) -> bool {
        let has_key = || {
            let known = self.known_approvals();
            self.root.join(self.options.layout.approvals().as_str()).exists()
                || !matches!(known, Ok(None))
                || !matches!(self.lost_approvals(), Ok(None))
        };
        self.signer.is_none()
            && self.options.layout.needs_consent(path)
            && (self.options.require_signature || has_key())
    }

    /// What was signed last of a file, out of the history; nothing where that is no file, or is not found any more.
    ///
    /// # Errors
    /// [`LedgerError::Git`] when the history cannot be read.
    pub fn signed_contents(&self, path: &MemoryPath) -> Result<Option<Vec<u8>>, LedgerError> {
        let book = self.book(self.known_approvals()?.as_ref(), false)?;
        match book.signed.get(path).cloned().flatten() {
            Some(hash) => self.contents_with(path, &hash),
            None => Ok(None),
        }
    }

    /// Sets up a key, or another one: `set` writes it down where a person looks for it, and everything that needs approval is approved as
    /// it stands. A new key is signed for by the one before it through `before`; without, it signs for itself, and that stays
    /// visible (somebody forgot a passphrase, or somebody is at work who should not be).
    ///
    /// # Errors
    /// [`LedgerError::Unsigned`] where nobody signs, or as [`Self::apply`].
    pub fn establish_key(
        &self,
        key: &str,
        set: ChangeSet<'_>,
        new: &dyn Signer,
        before: Option<&dyn Signer>,
        provenance: &Provenance,
    ) -> Result<Applied, LedgerError> {
        self.may_change()?;
        let book = self.book(self.known_approvals()?.as_ref(), false)?;
        let standing =
            self.consent_paths(&book)?.into_iter().filter(|path| set.paths().all(|other| other != path));
        let standing = standing.collect();
        let signing = Signing { signer: before.unwrap_or(new), new_key: Some(key), standing: &standing };
        self.apply_asking(&set, provenance, Some(signing))
    }

    /// Has what stands in these files now approved: what a person wrote past the door.
    ///
    /// # Errors
    /// [`LedgerError::Unsigned`] where nobody signs, or as [`Self::apply`].
    pub fn sign_standing(
        &self,
        paths: &BTreeSet<MemoryPath>,
        provenance: &Provenance,
    ) -> Result<Applied, LedgerError> {
        self.may_change()?;
        let unsigned = |reason: &str| LedgerError::Unsigned {
            paths: paths.iter().cloned().collect(),
            reason: reason.to_owned(),
        };
        let signer = self.signer.as_deref().ok_or_else(|| unsigned("nobody can be asked here"))?;
        self.apply_asking(
            &ChangeSet::new(),
            provenance,
            Some(Signing { signer, new_key: None, standing: paths }),
        )
    }

    /// Asks for the approval that a change needs, if it needs one, and applies it; asks again where a file changed meanwhile.
    pub(crate) fn apply_asking(
        &self,
        set: &ChangeSet<'_>,
        provenance: &Provenance,
        signing: Option<Signing<'_>>,
    ) -> Result<Applied, LedgerError> {
        for _ in 0..MAX_CROSSINGS {
            let clearance = self.cleared(set, provenance, signing)?;
            let approval = clearance.as_ref().and_then(|clearance| clearance.approval.clone());
            let applied = match approval {
                None => self.attempt(set, provenance, clearance.as_ref(), None)?,
                Some(approval) => self.attempt_signed(set, provenance, clearance.as_ref(), approval)?,
            };
            if let Some(applied) = applied {
                return Ok(applied);
            }
        }
        Err(self.crossing(set))
    }

    /// One attempt, with the approval in the same change.
    fn attempt_signed(
        &self,
        set: &ChangeSet<'_>,
        provenance: &Provenance,
        clearance: Option<&Clearance>,
        approval: SignedApproval,
    ) -> Result<Option<Applied>, LedgerError> {
        let path = self.options.layout.approvals();
        let statement = approval.statement.clone();
        let what = format!("approval {}, signed", statement.id);
        let set = set
            .borrowed()
            .edit(path.clone(), what, move |found| Ok(Some(append_approval(found, &approval))))
            .action(&path, Action::Append);
        let applied = self.attempt(&set, provenance, clearance, None)?;
        if applied.is_some()
            && let Err(error) = self.note_approval(&statement)
        {
            tracing::warn!("the approval counts, but this machine could not note it down: {error}");
        }
        Ok(applied)
    }

    /// Looks at what a change comes to and asks for the approval that it needs. Nothing where there is nothing to ask for.
    fn cleared(
        &self,
        set: &ChangeSet<'_>,
        provenance: &Provenance,
        signing: Option<Signing<'_>>,
    ) -> Result<Option<Clearance>, LedgerError> {
        let layout = &self.options.layout;
        let covers_all =
            provenance.approval == Approval::Approved && matches!(provenance.actor, Actor::Reflection(_));
        if signing.is_none() && !covers_all && !set.paths().any(|path| layout.needs_consent(path)) {
            return Ok(None);
        }
        let known = self.known_approvals()?;
        let mut book = self.book(known.as_ref(), false)?;
        let mended = self.mended(set, &book, known.as_ref())?;
        let is_mended = mended.is_some();
        book = mended.unwrap_or(book);
        let new_key = signing.and_then(|signing| signing.new_key);
        if book.key.is_none() && new_key.is_none() && !self.options.require_signature {
            return Ok(None);
        }
        let mut changed = Vec::new();
        let mut asked = Vec::new();
        for (path, planned) in &set.planned {
            let is_covered = covers_all && planned.derive.is_none() && planned.staged.is_none();
            if !is_covered && !layout.needs_consent(path) {
                continue;
            }
            let before = self.read(path)?;
            let source = match &planned.moved_from {
                Some(from) => self.read(from)?,
                None => before.clone(),
            };
            let after = (planned.edit)(source.as_deref())
                .map_err(|source| LedgerError::Edit { path: path.clone(), source })?;
            if before == after {
                continue;
            }
            let file = ApprovedFile {
                path: path.clone(),
                before: hash(before.as_deref()),
                after: hash(after.as_deref()),
            };
            let brings_back = layout.needs_consent(path) && book.brings_back(path, &file.after);
            changed.push(file.clone());
            if brings_back && new_key.is_none() {
                continue;
            }
            // What came past the operator is approved with it, and so must be seen.
            let holds_unsigned =
                book.key.is_some() && layout.needs_consent(path) && !book.is_signed(path, &file.before);
            asked.push(match holds_unsigned {
                true => self.since_signed(&book, path, after, true)?,
                false => (file, ConsentFile { path: path.clone(), before, after, holds_unsigned }),
            });
        }
        for path in signing.into_iter().flat_map(|signing| signing.standing) {
            asked.push(self.since_signed(&book, path, self.read(path)?, false)?);
        }
        if asked.is_empty() && new_key.is_none() {
            return Ok(Some(Clearance { approval: None, files: changed, covers_all }));
        }
        let (mut files, shown): (Vec<_>, Vec<_>) = asked.into_iter().unzip();
        // Of two versions that were signed this one takes the place of both.
        let mut others = Vec::new();
        for file in &files {
            for tip in book.several(&file.path).unwrap_or_default() {
                if *tip != file.before && *tip != file.after {
                    others.push(ApprovedFile { before: tip.clone(), ..file.clone() });
                }
            }
        }
        files.extend(others);
        let paths: Vec<MemoryPath> = files.iter().map(|file: &ApprovedFile| file.path.clone()).collect();
        let unsigned = |reason: String| LedgerError::Unsigned { paths: paths.clone(), reason };
        let Some(key) = book.key.as_deref().or(new_key) else {
            return Err(unsigned("a signature is required, and no key was set up".to_owned()));
        };
        if is_mended {
            return Err(unsigned("approvals are given back first, by themselves".to_owned()));
        }
        let Some(signer) = signing.map(|signing| signing.signer).or(self.signer.as_deref()) else {
            return Err(unsigned(
                "the operator's signature is needed, and nobody can be asked here".to_owned(),
            ));
        };
        let now = self.clock.now();
        let salt = format!("{}\n{}", self.root.display(), book.last);
        let statement = ApprovalStatement {
            id: self.new_change_id(now, salt.as_bytes()),
            time: now,
            what: heading_of(&provenance.trigger).to_owned(),
            memory: book.memory.clone(),
            key: new_key.map(str::to_owned),
            files,
        };
        let text = statement.text();
        let request = ConsentRequest { key, what: &provenance.trigger, statement: &text, files: &shown };
        let signature = signer.sign(&request).map_err(|error| unsigned(error.to_string()))?;
        let is_ours = [Some(key), new_key]
            .into_iter()
            .flatten()
            .any(|key| signing::is_signed_by(key, &text, &signature));
        if !is_ours {
            return Err(unsigned("what was given is no signature of the operator's key".to_owned()));
        }
        Ok(Some(Clearance {
            approval: Some(SignedApproval::new(statement, signature)),
            files: changed,
            covers_all,
        }))
    }

    /// A file as it shall be, against what was signed of it last.
    fn since_signed(
        &self,
        book: &Book,
        path: &MemoryPath,
        after: Option<Vec<u8>>,
        holds_unsigned: bool,
    ) -> Result<(ApprovedFile, ConsentFile), LedgerError> {
        let signed = book.signed.get(path).cloned().flatten();
        let before = match &signed {
            Some(hash) => self.contents_with(path, hash)?,
            None => None,
        };
        let file = ApprovedFile { path: path.clone(), before: signed, after: hash(after.as_deref()) };
        Ok((file, ConsentFile { path: path.clone(), before, after, holds_unsigned }))
    }

    /// Whether the approval that goes with a change is over this file; where it is not, what was signed before came back.
    pub(crate) fn is_newly_signed(clearance: &Clearance, path: &MemoryPath) -> bool {
        clearance
            .approval
            .iter()
            .flat_map(|approval| &approval.statement.files)
            .any(|file| file.path == *path)
    }

    /// Whether a file changes as it was looked at; always where nothing was to be asked for. `follows`: it follows from the others.
    pub(crate) fn is_cleared(
        &self,
        clearance: Option<&Clearance>,
        path: &MemoryPath,
        follows: bool,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> bool {
        let Some(clearance) = clearance else { return true };
        let file = clearance.files.iter().find(|file| file.path == *path);
        match file {
            Some(file) => file.before == hash(before) && file.after == hash(after),
            None => {
                let is_approval = *path == self.options.layout.approvals();
                is_approval
                    || (!self.options.layout.needs_consent(path) && (!clearance.covers_all || follows))
            }
        }
    }

    /// Those of the files that came from outside that lack the signature they should have; nothing where no key was set up.
    pub(crate) fn lacks_signature<'f>(
        &self,
        files: impl Iterator<Item = (&'f MemoryPath, Option<&'f [u8]>)>,
    ) -> Result<Option<Vec<MemoryPath>>, LedgerError> {
        let files: Vec<_> = files.filter(|(path, _)| self.options.layout.needs_consent(path)).collect();
        if files.is_empty() {
            return Ok(None);
        }
        let book = self.book(self.known_approvals()?.as_ref(), false)?;
        let lacking = files.into_iter().filter(|(path, contents)| !book.is_signed(path, &hash(*contents)));
        Ok(book.key.is_some().then(|| lacking.map(|(path, _)| path.clone()).collect()))
    }

    /// The approvals as they would count with other contents, where a key is in force or a signature is required; and whether those contents
    /// count as what stands here does: where they do not, the book is that of what stands here.
    pub(crate) fn book_after(&self, merged: Option<&[u8]>) -> Result<Option<(Book, bool)>, LedgerError> {
        let known = self.known_approvals()?;
        let here = self.book(known.as_ref(), true)?;
        if here.key.is_none() && !self.options.require_signature {
            return Ok(None);
        }
        let Some(merged) = merged else { return Ok(Some((here, true))) };
        let after = Book::read(Some(merged), known.as_ref(), true);
        let counts = after.flaws.len() <= here.flaws.len();
        Ok(Some(if counts { (after, true) } else { (here, false) }))
    }

    fn book(&self, known: Option<&Known>, all: bool) -> Result<Book, LedgerError> {
        let path = self.options.layout.approvals();
        let book = Book::read(self.read(&path)?.as_deref(), known, all);
        if book.key.is_some() || known.is_some() {
            return Ok(book);
        }
        let Some(lost) = self.lost_approvals()? else { return Ok(book) };
        let mut lost = Book::read(Some(&lost), None, all);
        if lost.key.is_none() {
            return Ok(book);
        }
        lost.flaws.push(format!(
            "an operator's key was set up here once, and {path} has no approval of it any more: `rem operator undo` gives them back from the history"
        ));
        Ok(lost)
    }

    /// The files that need approval: those that are there, and those that were signed once.
    fn consent_paths(&self, book: &Book) -> Result<BTreeSet<MemoryPath>, LedgerError> {
        let layout = &self.options.layout;
        let signed = book.signed.keys().filter(|path| layout.needs_consent(path)).cloned();
        let mut paths: BTreeSet<MemoryPath> = signed.collect();
        let stores =
            [Store::Soul, Store::IdentityCard, Store::User, Store::Agents, Store::Tools, Store::Config];
        let files = stores.iter().map(|store| layout.path(*store).clone());
        let hosts = crate::layout::HOST_SETTINGS.iter().filter_map(|name| MemoryPath::new(*name).ok());
        paths.extend(files.chain(hosts).filter(|path| self.root.join(path.as_str()).is_file()));
        let vault = layout.path(Store::Vault);
        gather(&self.root.join(vault.as_str()), vault.as_str(), &mut paths)?;
        Ok(paths)
    }

    /// The newest contents of a file in history that have this hash.
    fn contents_with(&self, path: &MemoryPath, wanted: &str) -> Result<Option<Vec<u8>>, LedgerError> {
        let is_wanted = |contents: &Option<Vec<u8>>| hash(contents.as_deref()).as_deref() == Some(wanted);
        let now = if self.is_link(path) { None } else { self.read(path)? };
        if is_wanted(&now) {
            return Ok(now);
        }
        let commits = self
            .program()
            .text("look for what was signed", &["log", "--format=%H", "HEAD", "--", path.as_str()])?;
        for commit in commits.lines() {
            let contents = self.contents_at(commit, path)?;
            if is_wanted(&contents) {
                return Ok(contents);
            }
        }
        Ok(None)
    }

    fn known_approvals(&self) -> Result<Option<Known>, LedgerError> {
        let Some(folder) = &self.options.user_state else { return Ok(None) };
        let bytes = UserState::new(folder.clone()).read(&self.known_name())?;
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Has this machine know an approval that was made on it.
    fn note_approval(&self, statement: &ApprovalStatement) -> Result<(), LedgerError> {
        let Some(folder) = &self.options.user_state else { return Ok(()) };
        let before = self.known_approvals()?;
        let key = statement.key.clone().or_else(|| Some(before.as_ref()?.key.clone()));
        let key = match key {
            Some(key) => key,
            // The key came with the workspace, and its owner signed with it here.
            None => match self.book(None, false)?.key {
                Some(key) => key,
                None => return Ok(()),
            },
        };
        let known = Known {
            workspace: self.root.display().to_string(),
            key,
            memory: statement.memory.clone().unwrap_or_else(|| statement.id.clone()),
            last: statement.id.clone(),
        };
        // A map of texts is always JSON.
        let text = serde_json::to_string_pretty(&known).unwrap_or_default();
        UserState::new(folder.clone()).write(&self.known_name(), format!("{text}\n").as_bytes())
    }

    fn known_name(&self) -> String {
        UserState::name_of("operators", &self.root)
    }
}

/// What a change is about without what it says, which could never be forgotten again: the signature is over the contents' hashes.
fn heading_of(trigger: &str) -> &str {
    trigger.split([':', '“', '"']).next().unwrap_or_default().trim_end()
}

/// The files below a folder, links left out.
fn gather(folder: &Path, name: &str, paths: &mut BTreeSet<MemoryPath>) -> Result<(), LedgerError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(LedgerError::io("list", folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(LedgerError::io("list", folder))?;
        let kind = entry.file_type().map_err(LedgerError::io("look at", entry.path()))?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if kind.is_dir() {
            gather(&entry.path(), &name, paths)?;
        } else if kind.is_file()
            && name.ends_with(".md")
            && let Ok(path) = MemoryPath::new(name)
        {
            paths.insert(path);
        }
    }
    Ok(())
}
