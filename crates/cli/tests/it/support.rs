//! Running `rem` as a person does, in a folder and surroundings that are the test's own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// When every command runs, unless it says otherwise.
pub(crate) const NOW: &str = "2026-03-01T09:00:00Z";

/// A home with nothing in it, and a workspace below it.
pub(crate) struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    /// No workspace yet.
    pub(crate) fn empty() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// With a workspace that `rem init` made.
    pub(crate) fn new() -> Self {
        let scene = Self::empty();
        scene.done(&["init", scene.root().to_str().unwrap()]);
        scene
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("w")
    }

    /// `rem` in the workspace, or beside it where there is none yet.
    pub(crate) fn rem(&self, arguments: &[&str]) -> Command {
        let root = self.root();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rem"));
        command
            .current_dir(if root.is_dir() { &root } else { self.folder.path() })
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("TZ", "UTC")
            .env("REM_NOW", NOW)
            .args(arguments)
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.rem(arguments).output().unwrap()
    }

    /// Standard output of a command that must succeed.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "rem {arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The JSON of a command that must succeed.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let out = self.done(&[&["--json"], arguments].concat());
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("rem {arguments:?}: {error}: {out}"))
    }

    /// Exit code and standard error of a command that must fail.
    pub(crate) fn failed(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        assert!(!output.status.success(), "rem {arguments:?} gave {}", text(&output.stdout));
        (output.status.code().unwrap(), text(&output.stderr))
    }

    pub(crate) fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        rem_testkit::write(&self.root(), path, contents);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        rem_testkit::git(&self.root(), arguments)
    }

    /// Says a word in a session and closes it; gives the transcript's path.
    pub(crate) fn conversation(&self, session: &str, words: &str) -> String {
        self.done(&["capture", "message", "--session", session, "--role", "user", words]);
        let ended = self.json(&["capture", "end", "--session", session]);
        ended["files"][0]["path"].as_str().unwrap().to_owned()
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
