//! The `git` program, for what is rare: status, blame, pickaxe, tags, branches, push, repair.
//!
//! Every call is given the repository explicitly, a fixed locale and no chance to ask a person anything.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::error::LedgerError;

/// Calls of `git` for one repository.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    root: PathBuf,
    git_folder: PathBuf,
    index: Option<PathBuf>,
}

/// Where the repository of a workspace lies: `git.dir` (resolution 15), `.git` unless said otherwise. A `.git` file, as in a
/// linked work tree, is followed.
pub(crate) fn git_folder_of(root: &Path, name: &str) -> PathBuf {
    let at = root.join(name);
    let link = if at.is_file() { std::fs::read_to_string(&at).unwrap_or_default() } else { String::new() };
    link.trim().strip_prefix("gitdir:").map_or(at, |target| root.join(target.trim()))
}

impl Program {
    pub(crate) fn new(root: &Path, git_folder: &Path) -> Self {
        Self { root: root.to_path_buf(), git_folder: git_folder.to_path_buf(), index: None }
    }

    /// The same calls over another index than the repository's own.
    pub(crate) fn with_index(self, index: Option<&Path>) -> Self {
        Self { index: index.map(Path::to_path_buf), ..self }
    }

    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new("git");
        command
            .arg("--git-dir")
            .arg(&self.git_folder)
            .arg("--work-tree")
            .arg(&self.root)
            .args(["-c", "core.quotePath=false", "-c", "core.hooksPath=/dev/null"])
            .args(arguments)
            .current_dir(&self.root)
            .env("LC_ALL", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env_remove("GIT_INDEX_FILE")
            .env_remove("GIT_DIR")
            .env_remove("GIT_WORK_TREE")
            .stdin(Stdio::null());
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command
    }

    /// Runs git and gives its output.
    ///
    /// # Errors
    /// [`LedgerError::Git`] with what git said on stderr.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, what: &str, arguments: &[S]) -> Result<Vec<u8>, LedgerError> {
        run(self.command(arguments), what)
    }

    /// Runs git, which holds the operating system's lock on this file for as long as it lives, also after us.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub(crate) fn run_holding<S: AsRef<OsStr>>(
        &self,
        held: &std::fs::File,
        what: &str,
        arguments: &[S],
    ) -> Result<Vec<u8>, LedgerError> {
        // Git reads nothing there, and gives it to whatever it starts itself.
        let mut command = self.command(arguments);
        command.stdin(held.try_clone().map_err(LedgerError::git(what))?);
        run(command, what)
    }

    /// Runs git with `input` on its standard input.
    pub(crate) fn run_with<S: AsRef<OsStr>>(
        &self,
        what: &str,
        arguments: &[S],
        input: &[u8],
    ) -> Result<Vec<u8>, LedgerError> {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(LedgerError::git(what))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input).map_err(LedgerError::git(what))?;
        }
        let output = child.wait_with_output().map_err(LedgerError::git(what))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(LedgerError::git(what)(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }

    /// Runs git and gives its output as text.
    pub(crate) fn text<S: AsRef<OsStr>>(&self, what: &str, arguments: &[S]) -> Result<String, LedgerError> {
        self.run(what, arguments).map(|output| String::from_utf8_lossy(&output).into_owned())
    }
}

fn run(mut command: Command, what: &str) -> Result<Vec<u8>, LedgerError> {
    let output = command.output().map_err(LedgerError::git(what))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(LedgerError::git(what)(if said.is_empty() {
        format!("git ended with {}", output.status)
    } else {
        said
    }))
}
