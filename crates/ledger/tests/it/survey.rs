//! What a survey finds is what `git status` says, whatever was done to the workspace.

use std::path::Path;
use std::process::Command;

use rem_format::path::MemoryPath;
use rem_ledger::{ChangeSet, Ledger, Survey};

use crate::support::{Workspace, bot, path};

/// What git itself says.
fn said_by_git(ledger: &Ledger) -> Survey {
    let output = Command::new("git")
        .args(["--no-optional-locks", "status", "--porcelain=v1", "-z", "--untracked-files=all"])
        .args(["--no-renames", "--ignore-submodules=all"])
        .current_dir(ledger.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut survey = Survey::default();
    for entry in output.stdout.split(|byte| *byte == 0).filter(|entry| entry.len() > 3) {
        let Ok(name) = std::str::from_utf8(&entry[3..]) else { continue };
        let Ok(path) = MemoryPath::new(name.trim_end_matches('/')) else { continue };
        match (name.ends_with('/'), path.is_under("raw/conversations")) {
            (true, _) => {}
            (false, true) => survey.open.extend(ledger.is_open(&path).unwrap().then_some(path)),
            (false, false) => survey.outside.push(path),
        }
    }
    in_order(survey)
}

fn in_order(mut survey: Survey) -> Survey {
    survey.outside.sort();
    survey.open.sort();
    survey
}

fn assert_as_git_says(ledger: &Ledger, done: &[String]) {
    let found = in_order(ledger.survey().unwrap());
    assert_eq!(found, said_by_git(ledger), "after {done:#?}");
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const FILES: [&str; 10] = [
    "MEMORY.md",
    "SOUL.md",
    "a.md",
    "a/b.md",
    "a/c/d.md",
    "build/e.md",
    "note.log",
    "x.md",
    "tmp/t.md",
    "attachments/p.png",
];
const RULES: [&str; 9] = [
    "*.log\n",
    "!x.md\n",
    "build/\n",
    "/a.md\n",
    "[ax].md\n",
    "a/**/d.md\n",
    "a/*\n!a/b.md\n",
    "\\#x\n",
    "*.md \n",
];

/// Git where failing is no matter: nothing to commit, no such path.
fn try_git(root: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=x", "-c", "user.email=x@y"];
    Command::new("git").args(identity).args(arguments).current_dir(root).output().unwrap();
}

/// Does one thing to the workspace, and says what.
fn disturb(workspace: &Workspace, numbers: &mut Numbers) -> String {
    let root = workspace.root();
    let file = numbers.of(&FILES);
    let at = root.join(file);
    let git = |arguments: &[&str]| try_git(&root, arguments);
    let is_blocked = at.parent().is_some_and(|parent| parent.exists() && !parent.is_dir()) || at.is_dir();
    let write = |text: &str| {
        if !is_blocked && !at.is_symlink() {
            workspace.write(file, text);
        }
    };
    let kind = numbers.below(30);
    match kind {
        0..=3 => write(numbers.of(&["one\n", "two\n", "one\r\n", "", "three\n"])),
        4 => write(&workspace.read(file).unwrap_or_default()),
        5 | 6 => drop(std::fs::remove_file(&at)),
        7 => drop(std::fs::rename(&at, root.join("moved.md"))),
        8 => workspace.write("fresh/deep/new.md", "new\n"),
        9 => git(&["add", "-f", file]),
        10 | 11 => git(&["add", "-A"]),
        12 | 13 => {
            git(&["add", "-A"]);
            git(&["commit", "-qm", "by hand"]);
        }
        14 => {
            let _ = std::fs::remove_file(&at);
            let _ = std::os::unix::fs::symlink("MEMORY.md", &at);
        }
        15 => {
            use std::os::unix::fs::PermissionsExt;
            let mode = [0o755, 0o644, 0o444][numbers.below(3)];
            let _ = std::fs::metadata(&at)
                .map(|_| std::fs::set_permissions(&at, std::fs::Permissions::from_mode(mode)));
        }
        16 => {
            use std::os::unix::ffi::OsStrExt;
            let _ = std::fs::write(root.join(std::ffi::OsStr::from_bytes(b"odd\xff.md")), "odd");
        }
        17 => git(&["update-index", numbers.of(&["--split-index", "--no-split-index", "--refresh"])]),
        18 => git(&[
            "update-index",
            numbers.of(&["--assume-unchanged", "--skip-worktree", "--no-assume-unchanged"]),
            file,
        ]),
        19 => git(&["update-index", "--index-version", numbers.of(&["2", "4"])]),
        20 => git(&["add", "-N", file]),
        21 => {
            let rules = workspace.read(".gitignore").unwrap_or_default() + numbers.of(&RULES);
            workspace.write(numbers.of(&[".gitignore", "a/.gitignore", ".git/info/exclude"]), &rules);
        }
        22 => workspace
            .write(".gitattributes", numbers.of(&["*.md text\n", "* text=auto eol=crlf\n", "* -text\n"])),
        23 => workspace.write("raw/conversations/2026/s.md", "---\nsession: s\n---\n"),
        24 => workspace.write("raw/conversations/2026/e.md", "---\nsession: e\nended: now\n---\n"),
        25 => git(&["rm", "-q", "--cached", file]),
        26 => git(&["config", "core.fileMode", numbers.of(&["true", "false"])]),
        27 if numbers.below(4) == 0 => git(&["init", "-q", "fresh"]),
        28 if numbers.below(3) == 0 => drop(std::fs::remove_file(root.join(".git/index"))),
        _ => drop(
            workspace.ledger.apply(&ChangeSet::new().append(path("MEMORY.md"), "more\n", "more"), &bot()),
        ),
    }
    format!("{kind} {file}")
}

#[test]
fn a_survey_finds_what_git_status_says() {
    for seed in 0..20 {
        let workspace = Workspace::new();
        workspace.write("raw/conversations/2026/first.md", "---\nsession: first\n---\n");
        let mut numbers = Numbers(seed);
        let mut done = vec![format!("seed {seed}")];
        for _ in 0..20 {
            done.push(disturb(&workspace, &mut numbers));
            if numbers.below(3) > 0 {
                assert_as_git_says(&workspace.ledger, &done);
            }
        }
    }
}

#[test]
fn a_change_of_the_same_length_in_the_second_of_a_commit_is_found() {
    let workspace = Workspace::new();
    for round in 0..20 {
        workspace
            .ledger
            .apply(&ChangeSet::new().write(path("a.md"), format!("{round:02}\n"), "x"), &bot())
            .unwrap();
        assert_eq!(workspace.ledger.survey().unwrap(), Survey::default());
        workspace.write("a.md", &format!("{:02}\n", round + 50));
        assert_eq!(workspace.ledger.survey().unwrap().outside, [path("a.md")]);
        workspace.ledger.commit_outside_changes().unwrap();
        assert_eq!(workspace.ledger.survey().unwrap(), Survey::default());
    }
}

#[test]
fn what_is_staged_and_what_head_was_moved_to_are_found() {
    let workspace = Workspace::new();
    let ledger = &workspace.ledger;
    let first = workspace.git(&["rev-parse", "HEAD"]);
    ledger.apply(&ChangeSet::new().write(path("a.md"), "a\n", "a"), &bot()).unwrap();
    assert_as_git_says(ledger, &["committed".to_owned()]);
    workspace.git(&["reset", "-q", "--soft", first.trim()]);
    assert_eq!(ledger.survey().unwrap().outside, [path("a.md")]);
    workspace.git(&["reset", "-q", "--hard"]);
    workspace.git(&["checkout", "-q", "--detach"]);
    assert_eq!(ledger.survey().unwrap(), Survey::default());
    workspace.git(&["switch", "-q", "--orphan", "empty"]);
    assert_as_git_says(ledger, &["no commit yet".to_owned()]);
    workspace.write("b.md", "b\n");
    assert_as_git_says(ledger, &["no commit yet".to_owned()]);
    workspace.git(&["add", "b.md"]);
    assert_as_git_says(ledger, &["staged before the first commit".to_owned()]);
}

#[test]
fn a_hint_that_is_wrong_or_gone_changes_no_answer() {
    let workspace = Workspace::new();
    let ledger = &workspace.ledger;
    workspace.write("SOUL.md", "# Sole\n");
    for hint in ["", "not a hint\n"] {
        ledger.write_private("agreed", hint.as_bytes()).unwrap();
        assert_eq!(ledger.survey().unwrap().outside, [path("SOUL.md")]);
    }
    ledger.remove_private("agreed").unwrap();
    assert_eq!(ledger.survey().unwrap().outside, [path("SOUL.md")]);
}
