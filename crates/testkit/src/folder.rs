//! Folders as a person or another program leaves them: written to, compared, looked at with git.
//!
//! git runs without anybody's configuration, under a name of its own, so that a test means the same on every machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a file, with the folders it needs.
pub fn write(root: &Path, path: &str, contents: impl AsRef<[u8]>) {
    let at = root.join(path);
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::write(&at, contents).unwrap_or_else(|error| panic!("{}: {error}", at.display()));
}

/// Every file below a folder with its bytes, without repositories and the private folder. What goes while it is looked at, as a
/// temporary file does, is not there.
#[must_use]
pub fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name();
            let path = folder.join(&name);
            if entry.file_type().unwrap().is_dir() {
                if name != ".git" && name != ".rem" {
                    pending.push(path);
                }
                continue;
            }
            match std::fs::read(entry.path()) {
                Ok(bytes) => drop(found.insert(path.to_string_lossy().into_owned(), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
    found
}

/// Copies the files of a folder to another one.
pub fn copy_folder(from: &Path, to: &Path) {
    for (path, contents) in files(from) {
        write(to, &path, contents);
    }
}

/// git in a folder, under a name of its own and with nobody's configuration.
#[must_use]
pub fn git_command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" })
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .args(["-c", "user.name=A Person", "-c", "user.email=person@example.invalid"])
        .args(arguments);
    command
}

/// What git says in a folder; a failure of it is a failure of the test.
pub fn git(root: &Path, arguments: &[&str]) -> String {
    let output = git_command(root, arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The folder of sample files beside the project, where there is one. They belong to others and are read in place.
#[must_use]
pub fn samples() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    ["../../../shared/data/samples", "../../../../shared/data/samples"]
        .into_iter()
        .map(|folder| root.join(folder))
        .find(|folder| folder.is_dir())
}
