//! What verification adds to the ledger's: that every file can be read in its format.

use rem_format::conflict;
use rem_format::decay_scores::DecayScores;
use rem_format::document::Document;
use rem_format::episode;
use rem_format::fielded;
use rem_format::identity::PendingIdentity;
use rem_format::page::Page;
use rem_format::path::MemoryPath;
use rem_format::reflection::PendingReflection;
use rem_format::topic::{Issue, Topic};
use rem_format::transcript::Transcript;
use rem_ledger::{ChangeSet, Provenance, Severity, Store, VerifyReport};

use crate::attention::topics::topic_at;
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::is_within;
use crate::stores::links::LinkCheck;
use crate::transcripts::redact::secret_in_setting;

const CHECK: &str = "formats";
const LINKS: &str = "links";

/// The first line that holds bytes which are no text: no UTF-8, or a null.
fn line_without_text(bytes: &[u8]) -> Option<usize> {
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let null = bytes.iter().position(|byte| *byte == 0);
    let at = null.map_or(valid, |null| null.min(valid));
    (at < bytes.len()).then(|| 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count())
}

/// What a git hook has to say before a person's commit (A3.5).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitCheck {
    /// What is worth knowing.
    pub warnings: Vec<String>,
    /// What stops the commit.
    pub errors: Vec<String>,
}

impl Memory {
    /// Everything that [`rem_ledger::Ledger::verify`] checks, and the formats of all files. Changes nothing.
    ///
    /// # Errors
    /// As the ledger's.
    pub fn verify(&self) -> Result<VerifyReport, MemoryError> {
        let mut report = self.ledger.verify()?;
        report.checks.extend([CHECK, LINKS]);
        for (parameter, value) in self.config.entries() {
            let found =
                value.as_str().filter(|_| parameter.section != "redaction").and_then(secret_in_setting);
            if let Some(what) = found {
                let why = format!(
                    "{} holds what looks like a secret ({what}), and this file is kept in git: name a variable or a file that holds it, and have whoever gave it give another",
                    parameter.name
                );
                report.push(Severity::Warning, CHECK, Some(self.path(Store::Config).to_string()), why);
            }
        }
        let files = self.searchable_files()?;
        let mut links = LinkCheck::new(self, &files)?;
        for file in files.iter() {
            let path = match MemoryPath::new(file.path.clone()) {
                Ok(path) => path,
                Err(error) => {
                    report.push(Severity::Warning, CHECK, Some(file.path.clone()), error.to_string());
                    continue;
                }
            };
            let Some(bytes) = self.ledger.read(&path)? else { continue };
            let store = self.ledger.layout().store_of(&path);
            // What is in an archive is as it was.
            if let Some(line) = line_without_text(&bytes).filter(|_| !self.is_span_archive(&path)) {
                let what =
                    format!("line {line}: this is no text; the file is searched for what is text in it");
                report.push(Severity::Note, CHECK, Some(file.path.clone()), what);
            }
            let mut warn = |check: &'static str, what: String| {
                report.push(Severity::Warning, check, Some(file.path.clone()), what);
            };
            if store == Some(Store::Transcripts) {
                if let Err(error) = Transcript::parse(&bytes) {
                    warn(CHECK, error.to_string());
                }
                // What is said in a conversation is nobody's link.
                continue;
            }
            let entries = Document::parse(&bytes).entries();
            if let Err(error) = &entries {
                warn(CHECK, format!("{error}; it is still searched as plain text"));
            }
            if let Ok(page) = Page::parse(&bytes) {
                let is_ours = matches!(
                    store,
                    Some(Store::Core | Store::Vault | Store::Entities | Store::Procedures | Store::People)
                );
                if is_ours && page.is_left_open() {
                    warn(
                        CHECK,
                        "a comment or a block of code is opened and not closed: what stands below is hidden in it, and \
                         nothing can be added until it is"
                            .to_owned(),
                    );
                }
                for line in page.commented_fences() {
                    warn(
                        CHECK,
                        format!(
                            "line {line}: a comment after a code fence keeps the code open for other programs"
                        ),
                    );
                }
            }
            match store {
                Some(Store::Topics) if entries.is_ok() => {
                    let topic =
                        topic_at(self.path(Store::Topics), &path).map(|name| Topic::parse(name, &bytes));
                    if let Some(Err(errors)) = topic {
                        errors
                            .issues
                            .iter()
                            .for_each(|issue| warn(CHECK, format!("{issue}; it is no topic until then")));
                    }
                }
                Some(Store::Core) => {
                    match Page::parse(&bytes) {
                        Ok(page) if !is_within(&page, &self.config.core) => {
                            warn(CHECK, "it is over a cap and nothing in it may make room: prune it or unpin something".to_owned());
                        }
                        Ok(_) => {}
                        Err(error) => warn(CHECK, error.to_string()),
                    }
                }
                Some(Store::Episodes) => {
                    episode::parse(&bytes).1.iter().for_each(|error| warn(CHECK, error.to_string()));
                }
                _ => {}
            }
            if self.is_span_archive(&path) {
                // What is in it is as it was; so are its links.
                continue;
            }
            for what in links.broken(&file.path, &bytes)? {
                warn(LINKS, what);
            }
        }
        for file in &self.ledger.list()?.files {
            let Ok(path) = MemoryPath::new(file.path.clone()) else { continue };
            let is_reference = self.ledger.layout().store_of(&path) == Some(Store::Reference);
            if !is_reference || path.as_str().ends_with(".md") {
                continue;
            }
            let bytes = self.ledger.read(&path)?.unwrap_or_default();
            if line_without_text(&bytes).is_some() {
                let what = "this is no text: it is kept with its history, and not searched";
                report.push(Severity::Note, CHECK, Some(file.path.clone()), what);
            }
        }
        let conflicts = self.path(Store::Conflicts);
        for line in broken_conflicts(&self.ledger.read(conflicts)?.unwrap_or_default()) {
            let what = format!(
                "line {line}: an entry that cannot be read as a conflict is asked of nobody: mend or remove it"
            );
            report.push(Severity::Warning, CHECK, Some(conflicts.to_string()), what);
        }
        let scores = self.decay_scores()?;
        if let Some(Err(error)) = self.ledger.read(&scores)?.map(|bytes| DecayScores::parse(&bytes)) {
            let what =
                format!("{error}; uses and what was forgotten elsewhere are unknown until it is mended");
            report.push(Severity::Warning, CHECK, Some(scores.to_string()), what);
        }
        for (twin, why) in self.unreadable_twins()? {
            report.push(Severity::Warning, CHECK, Some(twin.to_string()), why);
        }
        for (file, why) in self.unused_prompts() {
            report.push(Severity::Warning, CHECK, Some(file), why);
        }
        let proposals = self.proposals()?;
        for each in proposals.broken {
            let what = format!("line {}: {}; it waits until then", each.line, each.what);
            report.push(Severity::Warning, CHECK, Some(proposals.path.to_string()), what);
        }
        Ok(report)
    }

    /// What a person is asked of whose twin cannot be read, so that no answer could be carried out.
    fn unreadable_twins(&self) -> Result<Vec<(MemoryPath, String)>, MemoryError> {
        let layout = self.ledger.layout();
        let mut found = Vec::new();
        for (name, again) in
            [("pending-reflection.json", "rem reflect start"), ("pending-identity.json", "rem identity grow")]
        {
            let path = layout.file(Store::Meta, name)?;
            let Some(bytes) = self.ledger.read(&path)? else {
                let document = layout.file(Store::Meta, &name.replace(".json", ".md"))?;
                if self.ledger.read(&document)?.is_some() {
                    let why = format!(
                        "it is gone, and {document} alone can't be carried out (`rem rollback`, or `{again} --replace`)"
                    );
                    found.push((path, why));
                }
                continue;
            };
            let error = match name {
                "pending-reflection.json" => {
                    PendingReflection::parse(&bytes).err().map(|error| error.to_string())
                }
                _ => PendingIdentity::parse(&bytes).err().map(|error| error.to_string()),
            };
            found.extend(error.map(|error| {
                let why = format!(
                    "{error}; no answer can be carried out until it is as it was (`rem rollback`), or `{again} --replace` makes another"
                );
                (path, why)
            }));
        }
        Ok(found)
    }

    /// Puts comments that keep a block of code open below it; gives what was done.
    ///
    /// # Errors
    /// As [`rem_ledger::Ledger::apply`].
    pub fn mend_pages(&self) -> Result<Vec<String>, MemoryError> {
        let (mut set, mut done) = (ChangeSet::new(), Vec::new());
        for file in self.searchable_files()?.iter() {
            let Ok(path) = MemoryPath::new(file.path.clone()) else { continue };
            let Some(bytes) = self.ledger.read(&path)? else { continue };
            let is_other =
                matches!(self.ledger.layout().store_of(&path), Some(Store::Transcripts | Store::Soul));
            if is_other || !Page::parse(&bytes).is_ok_and(|mut page| page.mend_fences()) {
                continue;
            }
            done.push(format!("put a comment below its code in {path}"));
            set = set.edit(path, "a comment stands below its code", |found| {
                let mut page = Page::parse(found.unwrap_or_default())?;
                page.mend_fences();
                Ok(Some(page.into_bytes()))
            });
        }
        if !set.is_empty() {
            self.change(set, &Provenance::system("doctor", "comments stand below their code"))?;
        }
        Ok(done)
    }

    /// Checks the files of a commit a person is about to make (A3.5): transcripts have front matter and closed ones do not
    /// change, MEMORY.md keeps its cap, topics have triggers. `staged` gives the path and new contents of each.
    #[must_use]
    pub fn check_commit(&self, staged: &[(MemoryPath, Option<Vec<u8>>)]) -> CommitCheck {
        let mut check = CommitCheck::default();
        let core = &self.config.core;
        for (path, contents) in staged {
            let store = self.ledger.layout().store_of(path);
            if let Ok(Some(what)) = self.ledger.rewritten_since_head(path, contents.as_deref()) {
                check.warnings.push(format!("{path} is only ever added to: {what}"));
            }
            let Some(contents) = contents else {
                if store == Some(Store::Transcripts) {
                    check
                        .errors
                        .push(format!("{path} is a transcript: it is evidence and may not be removed"));
                }
                continue;
            };
            match store {
                Some(Store::Transcripts) => match Transcript::parse(contents) {
                    Err(error) => check.errors.push(format!("{path}: {error}")),
                    Ok(_)
                        if self
                            .ledger
                            .contents_at("HEAD", path)
                            .ok()
                            .flatten()
                            .is_some_and(|before| before != *contents) =>
                    {
                        check.errors.push(format!(
                            "{path} is a closed transcript: it is evidence and may not change"
                        ));
                    }
                    Ok(_) => {}
                },
                Some(Store::Core) => {
                    let lines = contents.iter().filter(|byte| **byte == b'\n').count() as u64;
                    if lines > core.line_error {
                        check.errors.push(format!(
                            "{path} has {lines} lines, more than {}: prune it before committing",
                            core.line_error
                        ));
                    } else if lines > core.line_warning {
                        check
                            .warnings
                            .push(format!("{path} has {lines} lines; its cap is {}", core.line_cap));
                    }
                }
                Some(Store::Topics) => self.check_topic(path, contents, &mut check),
                Some(Store::Config) => {
                    if let Err(error) = rem_format::config::Config::parse(&String::from_utf8_lossy(contents))
                    {
                        check.errors.push(format!("{path}:\n{error}"));
                    }
                }
                _ => {
                    if let Err(error) = Document::parse(contents).entries() {
                        check.errors.push(format!("{path}: {error}"));
                    }
                }
            }
        }
        check
    }

    /// A topic a person is about to commit: mistakes stop the commit, oddities are said.
    fn check_topic(&self, path: &MemoryPath, contents: &[u8], check: &mut CommitCheck) {
        let Some(name) = topic_at(self.path(Store::Topics), path) else { return };
        let named = |issue: &Issue| format!("{path} {issue}");
        match Topic::parse(name, contents) {
            Ok(parsed) => check.warnings.extend(parsed.notes.iter().chain(&parsed.refused).map(named)),
            Err(errors) => check.errors.extend(errors.issues.iter().map(named)),
        }
    }
}

/// The lines at which entries of CONFLICTS.md begin that have fields of a conflict and cannot be read as one.
fn broken_conflicts(bytes: &[u8]) -> Vec<usize> {
    let is_broken = |entry: &fielded::Entry| {
        let has_field = ["rule", "first", "second", "status"].iter().any(|name| entry.field(name).is_some());
        has_field && bytes.get(entry.bytes.clone()).is_some_and(|bytes| conflict::parse(bytes).is_empty())
    };
    fielded::entries(bytes).into_iter().filter(is_broken).map(|entry| entry.lines.start).collect()
}
