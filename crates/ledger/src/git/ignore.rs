//! Which untracked paths git ignores, as far as the workspace's own rules say: every `.gitignore` and `info/exclude`.
//!
//! Rules outside the repository (`core.excludesFile`) come after all of these and are not read here: they may still ignore what
//! is kept. Unusual syntax is left to git. The patterns themselves are matched by gix's port of git's `wildmatch`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::glob::Pattern;
use gix::glob::pattern::Case;
use gix::glob::wildmatch::Mode;

/// The rules of one workspace, read as they are needed.
pub(crate) struct Ignore {
    root: PathBuf,
    /// `info/exclude`: before it comes every `.gitignore`.
    exclude: Rules,
    /// Rules of folders by path with a `/` behind it, the root's by an empty one.
    folders: HashMap<String, Rules>,
    /// Folders that were asked for, and what was said of them.
    verdicts: HashMap<String, Verdict>,
}

/// What the rules say of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ignored,
    /// No rule of the workspace ignores it.
    Kept,
    /// A rule that might decide it is left to git.
    Unclear,
}

/// The lines of one file; `None` where one of them is left to git.
type Rules = Option<Vec<Pattern>>;

impl Ignore {
    pub(crate) fn new(root: &Path, git_folder: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            exclude: read(&git_folder.join("info").join("exclude")),
            folders: HashMap::new(),
            verdicts: HashMap::new(),
        }
    }

    /// What the rules say of a file, or of a folder, that git does not track.
    pub(crate) fn verdict(&mut self, path: &str, is_folder: bool) -> Verdict {
        let Some((parent, _)) = path.rsplit_once('/') else { return self.own_verdict(path, is_folder) };
        let above = match self.verdicts.get(parent) {
            Some(verdict) => *verdict,
            None => {
                let verdict = self.verdict(parent, true);
                self.verdicts.insert(parent.to_owned(), verdict);
                verdict
            }
        };
        match (above, self.own_verdict(path, is_folder)) {
            // What lies in an ignored folder is ignored, whatever is said of it.
            (Verdict::Ignored, _) | (_, Verdict::Ignored) => Verdict::Ignored,
            (Verdict::Unclear, _) => Verdict::Unclear,
            (Verdict::Kept, own) => own,
        }
    }

    /// The last rule that matches, those of deeper folders first.
    fn own_verdict(&mut self, path: &str, is_folder: bool) -> Verdict {
        let mut end = path.rfind('/').map_or(0, |at| at + 1);
        loop {
            let (folder, rest) = path.split_at(end);
            if !self.folders.contains_key(folder) {
                let rules = read(&self.root.join(folder).join(".gitignore"));
                self.folders.insert(folder.to_owned(), rules);
            }
            match self.folders.get(folder).and_then(|rules| last_match(rules, rest, is_folder)) {
                Some(verdict) => return verdict,
                None if end == 0 => break,
                None => end = path[..end - 1].rfind('/').map_or(0, |at| at + 1),
            }
        }
        last_match(&self.exclude, path, is_folder).unwrap_or(Verdict::Kept)
    }
}

/// What the last matching rule says of a path relative to the rules' folder; `None` where none matches.
fn last_match(rules: &Rules, path: &str, is_folder: bool) -> Option<Verdict> {
    let Some(rules) = rules else { return Some(Verdict::Unclear) };
    let name = path.rfind('/').map(|at| at + 1);
    let found = rules.iter().rev().find(|pattern| {
        pattern.matches_repo_relative_path(
            path.as_bytes().as_bstr(),
            name,
            Some(is_folder),
            Case::Sensitive,
            Mode::NO_MATCH_SLASH_LITERAL,
        )
    })?;
    Some(if found.is_negative() { Verdict::Kept } else { Verdict::Ignored })
}

/// The rules of a file; none where there is no file.
fn read(at: &Path) -> Rules {
    // Git does not follow a link here; what it does instead depends on its version.
    match std::fs::symlink_metadata(at) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(Vec::new()),
        Ok(metadata) if metadata.is_file() => {}
        _ => return None,
    }
    parse(&std::fs::read(at).ok()?)
}

fn parse(text: &[u8]) -> Rules {
    let mut rules = Vec::new();
    for line in text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text).split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        // Escapes, classes of characters, white space at the end, doubled slashes: rare, and full of corners.
        let is_plain = !line.iter().any(|byte| matches!(byte, b'\\' | b'[' | b'\r' | b'\t' | 0))
            && !line.ends_with(b" ")
            && !line.contains_str("//");
        if !is_plain {
            return None;
        }
        rules.push(Pattern::from_bytes(line)?);
    }
    Some(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ignore(files: &[(&str, &str)]) -> (tempfile::TempDir, Ignore) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let at = folder.path().join(path);
            crate::files::create_parents(&at).unwrap();
            crate::files::replace_private(&at, text.as_bytes()).unwrap();
        }
        let ignore = Ignore::new(folder.path(), &folder.path().join(".git"));
        (folder, ignore)
    }

    #[test]
    fn deeper_and_later_rules_win_and_an_ignored_folder_keeps_nothing() {
        let (_folder, mut ignore) = ignore(&[
            (".git/info/exclude", "secrets/\n*.tmp\n"),
            (".gitignore", "*.log\n/memory.db\nbuild/\n!kept.log\n"),
            ("a/.gitignore", "# a comment\n!*.log\n!*.tmp\n"),
        ]);
        for (path, verdict) in [
            ("x.log", Verdict::Ignored),
            ("b/x.log", Verdict::Ignored),
            ("kept.log", Verdict::Kept),
            ("a/x.log", Verdict::Kept),
            ("a/b/x.tmp", Verdict::Kept),
            ("b/x.tmp", Verdict::Ignored),
            ("memory.db", Verdict::Ignored),
            ("a/memory.db", Verdict::Kept),
            ("a/build/kept.log", Verdict::Ignored),
            ("secrets/deep/kept.log", Verdict::Ignored),
            ("build", Verdict::Kept),
            ("note.md", Verdict::Kept),
        ] {
            assert_eq!(ignore.verdict(path, false), verdict, "{path}");
        }
        assert_eq!(ignore.verdict("build", true), Verdict::Ignored);
    }

    #[test]
    fn a_rule_that_is_left_to_git_makes_all_it_could_decide_unclear() {
        let (_folder, mut ignore) =
            ignore(&[(".gitignore", "*.log\n*.[oa]\n"), ("a/.gitignore", "*.tmp\n!*.md\n")]);
        for (path, verdict) in [
            ("x.log", Verdict::Unclear),
            ("a/x.tmp", Verdict::Ignored),
            ("a/x.log", Verdict::Unclear),
            // The folder itself might be ignored.
            ("a/x.md", Verdict::Unclear),
        ] {
            assert_eq!(ignore.verdict(path, false), verdict, "{path}");
        }
    }
}
