//! Writing this program into a host's settings, and out of them again.
//!
//! [`connect`] and [`disconnect`] say what would change and change nothing; [`Change::carry_out`] writes one file. What always holds: every
//! byte that is not this program's stays, comments too; connecting twice is connecting once; what cannot be read is refused with its
//! place; what a person changed of this program's own stays, but for what it calls. Settings lie outside of any workspace, so that no ledger knows of them: `write` is the one place that writes them.

mod call;
mod json;
mod plugin;
mod spacing;
mod table;
mod toml;
mod write;

use std::path::{Path, PathBuf};

use crate::Host;

use call::Call;

pub use write::backup_of;

/// Whose settings are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The person's own, for all their projects.
    User,
    /// Those of one project, which others may share.
    Project,
}

/// Where settings lie and what is written there.
#[derive(Debug, Clone)]
pub struct Place {
    /// The host.
    pub host: Host,
    /// Whose settings.
    pub scope: Scope,
    /// The person's home folder.
    pub home: PathBuf,
    /// The folder that the host keeps the person's settings in, where it is not the usual one below their home.
    pub own_folder: Option<PathBuf>,
    /// The project's folder.
    pub project: PathBuf,
    /// This program as the host can call it: a path, or a name where others share the settings.
    pub program: String,
    /// The workspace to name; none where each call finds its own.
    pub workspace: Option<PathBuf>,
    /// The agent to name; none leaves the one that is named there.
    pub agent: Option<String>,
    /// This program's own folder for the person, where a host reads what it is given.
    pub own: PathBuf,
}

/// What connecting comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Files to write; those that stay as they are among them.
    Files(Vec<Change>),
    /// Commands of the host's own that do it: it keeps its settings itself.
    Commands {
        /// The commands.
        commands: Vec<String>,
        /// What they read: files of this program's own.
        files: Vec<Change>,
    },
}

/// What becomes of one settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What it holds; nothing where there is none.
    pub before: Option<String>,
    /// What it is to hold; nothing where it is to go.
    pub after: Option<String>,
    /// Whether `after` is what it held before it was connected.
    pub is_restored: bool,
    /// Where `before` is kept, which knows nothing of this program; what is restored, where that was kept.
    pub backup: Option<PathBuf>,
    /// The host's own folder, which goes with the last file in it.
    folder: Option<PathBuf>,
}

/// Why settings are left as they are.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The file is no text, or cannot be read.
    #[error("{path} cannot be read")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is broken, or has something else in the place of what is needed.
    #[error("{path} is left as it is: {reason}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its place.
        reason: String,
    },
    /// Somebody changed it in the meantime.
    #[error("{path} was changed while it was looked at, and is left as it is")]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("{path} cannot be written")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Why a server of our name that is not ours is left alone.
fn taken_by_another(place: &str) -> String {
    format!("{place} names another server than this program's; give that one another name first")
}

/// `edited` with the line ends that its lines have in `before`, those of new lines like most.
fn with_line_ends_of(before: &str, edited: &str) -> String {
    if !before.contains("\r\n") {
        return edited.to_owned();
    }
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let usual =
        if 2 * before.matches("\r\n").count() >= before.matches('\n').count() { "\r\n" } else { "\n" };
    let plain = before.replace("\r\n", "\n");
    let edited = edited.replace("\r\n", "\n");
    let diff = similar::TextDiff::from_lines(plain.as_str(), edited.as_str());
    let mut text = String::with_capacity(before.len());
    for change in diff.iter_all_changes() {
        match (change.tag(), change.old_index()) {
            (similar::ChangeTag::Delete, _) => {}
            (similar::ChangeTag::Equal, Some(line)) => text.push_str(old[line]),
            _ => text.push_str(&change.value().replace('\n', usual)),
        }
    }
    text
}

/// Something that this program has in a settings file.
#[derive(Debug, Clone)]
enum Part {
    /// Handlers for events.
    Hooks {
        /// The events.
        events: &'static [&'static str],
        /// How a handler stands below its event.
        shape: HookShape,
        /// What they call.
        call: Call,
        /// The host that they name.
        host: Host,
    },
    /// The MCP server, in JSON.
    McpJson {
        /// What it calls.
        call: Call,
    },
    /// The MCP server, in TOML.
    McpToml {
        /// What it calls.
        call: Call,
    },
}

/// How a handler stands below its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HookShape {
    /// In a group with a matcher; its time limit is this number in the host's unit.
    Grouped { timeout: u32 },
    /// By itself, in a file that says its version.
    Flat,
}

/// A settings file and this program's parts in it.
#[derive(Debug, Clone)]
struct Target {
    path: PathBuf,
    parts: Vec<Part>,
}

/// What has to change for a host to call this program.
///
/// # Errors
/// [`ConnectError`] for a file that cannot be read or is broken.
pub fn connect(place: &Place) -> Result<Plan, ConnectError> {
    let Some(targets) = table::targets(place) else {
        let files = plugin::written(&place.own)?;
        return Ok(Plan::Commands { commands: table::commands(place), files });
    };
    let changes = targets.iter().map(|target| {
        let before = read(&target.path)?;
        let after = Some(target.connected(before.as_deref())?);
        // What a person made of our part is theirs as well.
        let is_kept = |text: &str| {
            target.is_without_us(text) || after.as_deref() != Some(text) && !target.is_plain(text)
        };
        let backup = before.as_deref().is_some_and(is_kept).then(|| write::next_backup_of(&target.path));
        Ok(Change { path: target.path.clone(), before, after, is_restored: false, backup, folder: None })
    });
    Ok(Plan::Files(changes.collect::<Result<_, ConnectError>>()?))
}

/// The settings files that call this program otherwise than [`connect`] would have them do now: as an older version wrote it, or for another
/// program or workspace. A host that is not connected has none, and one whose settings cannot be read is none of this.
#[must_use]
pub fn outdated(place: &Place) -> Vec<PathBuf> {
    let Ok(Plan::Files(changes)) = connect(place) else { return Vec::new() };
    let targets = table::targets(place).unwrap_or_default();
    let calls_us = |(target, change): &(Target, &Change)| {
        change.before.as_deref().is_some_and(|text| !target.is_without_us(text))
    };
    let called = targets.into_iter().zip(&changes).filter(calls_us);
    called.filter(|(_, change)| change.is_any()).map(|(_, change)| change.path.clone()).collect()
}

/// What has to change for a host to know nothing of this program. A file that nobody changed since it was connected gets its old bytes.
///
/// # Errors
/// As [`connect`].
pub fn disconnect(place: &Place) -> Result<Plan, ConnectError> {
    let Some(targets) = table::targets(place) else {
        let files = plugin::removed(&place.own)?;
        return Ok(Plan::Commands { commands: table::commands_to_undo(place), files });
    };
    let changes = targets.iter().map(|target| {
        let path = target.path.clone();
        let none = Change { path, before: None, after: None, is_restored: false, backup: None, folder: None };
        let path = none.path.clone();
        let Some(now) = read(&path)? else { return Ok(none) };
        let without = target.disconnected(&now)?;
        // Whichever workspace and program it was connected with.
        let is_from = |old: Option<&str>| {
            let again = target.connected(old).and_then(|connected| target.disconnected(&connected));
            now != without && again.is_ok_and(|again| again == without)
        };
        let kept: Vec<(PathBuf, String)> = write::backups_of(&path)
            .filter_map(|backup| Some((read(&backup).ok()??, backup)))
            .map(|(old, backup)| (backup, old))
            .collect();
        let change = Change { before: Some(now.clone()), ..none };
        // What a person made of our part goes with it, and is kept aside.
        let is_ours_alone = target.is_plain(&now);
        let aside = || (!is_ours_alone).then(|| write::next_backup_of(&path));
        let was_before = |old: &str| target.is_without_us(old) && is_from(Some(old));
        if let Some((backup, old)) = kept.iter().find(|(_, old)| was_before(old)) {
            let after = Some(old.clone());
            return Ok(match is_ours_alone {
                true => Change { after, is_restored: true, backup: Some(backup.clone()), ..change },
                false => Change { after, backup: aside(), ..change },
            });
        }
        if is_ours_alone && is_from(None) {
            return Ok(Change { is_restored: true, folder: place.own_folder_of(&path), ..change });
        }
        let spaced = kept.iter().find_map(|(_, old)| {
            let connected = target.connected(Some(old)).ok()?;
            spacing::undone(&connected, old, &now).filter(|text| spacing::says_the_same(text, &without))
        });
        Ok(Change { after: Some(spaced.unwrap_or(without)), backup: aside(), ..change })
    });
    Ok(Plan::Files(changes.collect::<Result<_, ConnectError>>()?))
}

impl Place {
    /// The folder that a settings file lies in, where that is the host's and the usual one.
    fn own_folder_of(&self, path: &Path) -> Option<PathBuf> {
        let folder = path.parent().filter(|folder| *folder != self.home && *folder != self.project)?;
        let is_usual = folder.parent().is_some_and(|above| above == self.home || above == self.project);
        is_usual.then(|| folder.to_owned())
    }
}

impl Target {
    fn connected(&self, before: Option<&str>) -> Result<String, ConnectError> {
        self.edited(before.unwrap_or_default(), |text, part| match part {
            Part::Hooks { .. } | Part::McpJson { .. } => json::with(text, part),
            Part::McpToml { call } => toml::with(text, call),
        })
    }

    fn disconnected(&self, before: &str) -> Result<String, ConnectError> {
        self.edited(before, |text, part| match part {
            Part::Hooks { .. } | Part::McpJson { .. } => json::without(text, part),
            Part::McpToml { call } => toml::without(text, call),
        })
    }

    /// Whether a text can be read and has nothing of ours.
    fn is_without_us(&self, text: &str) -> bool {
        self.disconnected(text).is_ok_and(|without| without == text)
    }

    /// Whether all that a text has of ours is as this program writes it: nothing else is said there, and no comment stands in it.
    fn is_plain(&self, text: &str) -> bool {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        self.parts.iter().all(|part| match part {
            Part::Hooks { .. } | Part::McpJson { .. } => json::is_plain(text, part),
            Part::McpToml { .. } => toml::is_plain(text),
        })
    }

    fn edited(
        &self,
        before: &str,
        edit: impl Fn(&str, &Part) -> Result<String, String>,
    ) -> Result<String, ConnectError> {
        const MARK: char = '\u{feff}';
        let (mark, body) = match before.strip_prefix(MARK) {
            Some(body) => (&before[..MARK.len_utf8()], body),
            None => ("", before),
        };
        let edited = self.parts.iter().try_fold(body.to_owned(), |text, part| edit(&text, part));
        let edited = edited.map_err(|reason| ConnectError::Broken { path: self.path.clone(), reason })?;
        Ok(format!("{mark}{edited}"))
    }
}

impl Change {
    /// Whether there is anything to do.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.before != self.after
    }

    /// What changes, line by line.
    #[must_use]
    pub fn diff(&self) -> String {
        let (before, after) = (self.before.as_deref().unwrap_or(""), self.after.as_deref().unwrap_or(""));
        let name = self.path.display().to_string();
        let named = |text: &Option<String>| match text {
            Some(_) => name.clone(),
            None => "/dev/null".to_owned(),
        };
        let diff = similar::TextDiff::from_lines(before, after);
        diff.unified_diff().header(&named(&self.before), &named(&self.after)).to_string()
    }

    /// Writes the file, whole or not at all. What it held before it was first connected is kept beside it ([`backup_of`]) until that is
    /// restored.
    ///
    /// # Errors
    /// [`ConnectError::Changed`] where the file is no longer what it was, [`ConnectError::Write`].
    pub fn carry_out(&self) -> Result<(), ConnectError> {
        write::carry_out(self)
    }
}

fn read(path: &Path) -> Result<Option<String>, ConnectError> {
    // A pipe would be waited for.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let reason = "it is no file".to_owned();
        return Err(ConnectError::Broken { path: path.to_owned(), reason });
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ConnectError::Read { path: path.to_owned(), source }),
    }
}
