//! Git's own merges, by our formats: the driver that `git merge` and `git pull` call for each file that both sides changed.
//!
//! It is told in `.gitattributes`, which every clone has, and registered in the repository's own configuration, which none has from another.
//! A clone where it is not registered merges lines as git does; what was read is a line each, which git can unite without us. The driver only
//! answers with a file: what both sides changed is found again from the commits afterwards (`Ledger::merges_since`).

use std::path::Path;

use rem_format::merge::{self, Merged};
use rem_format::path::MemoryPath;

use crate::change::{ChangeSet, Provenance};
use crate::error::LedgerError;
use crate::layout::Layout;
use crate::ledger::Ledger;
use crate::{files, hooks};

/// Which files git has merged by us. Lists of what was read are lines in any order: git's own union does for them everywhere.
pub(crate) const MERGING: &str = "\
# Merged by their formats, where `rem doctor --fix` registered it
*.md merge=rem
decay-scores.json merge=rem
pending-reflection.json merge=rem
**/mined/*.txt merge=union
**/condensed/*.txt merge=union
";
/// More lists of which lines in any order are added to, told in a block of their own.
pub(crate) const LISTS: &str = "\
**/meta/forgotten.txt merge=union
**/meta/told/*.txt merge=union
";
/// What the block is known by.
const MARK: &str = "merge=rem";
/// How git calls it. Where the program is not installed git merges lines.
const DRIVER: &str =
    "if command -v rem >/dev/null 2>&1; then rem merge-driver %O %A %B %P; else git merge-file %A %O %B; fi";

/// Merges a file as git asks: the result goes where `ours` is. `path` is its place in the workspace, which says what it is.
///
/// # Errors
/// [`LedgerError::Io`] where one cannot be read or the result not written, [`LedgerError::Path`] for a place outside of the workspace.
pub fn merge_for_git(
    layout: &Layout,
    [base, ours, theirs]: [&Path; 3],
    path: &str,
    day: jiff::civil::Date,
) -> Result<Merged, LedgerError> {
    let read = |at: &Path| std::fs::read(at).map_err(LedgerError::io("read", at));
    let (before, here, there) = (read(base)?, read(ours)?, read(theirs)?);
    // Git gives an empty file for one that was not there.
    let before = (!before.is_empty()).then_some(before);
    let shape = layout.shape_of(&MemoryPath::new(path)?);
    let merged = merge::merge(shape, before.as_deref(), &here, &there, day);
    if merged.bytes != here {
        files::replace_private(ours, &merged.bytes).map_err(LedgerError::io("write", ours))?;
    }
    Ok(merged)
}

/// `.gitattributes` with what has files merged by us, where it does not say so yet and says nothing else of it; its bytes stay.
pub(crate) fn with_merging(found: Option<&[u8]>) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(found.unwrap_or_default());
    let says_how = text.lines().filter(|line| !line.trim_start().starts_with('#')).any(|line| {
        let mut words = line.split_whitespace();
        let pattern = words.next().unwrap_or_default();
        let is_about_ours = pattern == "*" || pattern.ends_with(".md");
        is_about_ours && words.any(|word| word.trim_start_matches(['-', '!']).starts_with("merge"))
    });
    let has_block = text.contains(MARK);
    let missing = [MERGING, LISTS].map(|block| match block {
        MERGING => !has_block,
        lists => !text.contains(lists.lines().next().unwrap_or_default()),
    });
    if says_how && !has_block || missing == [false, false] {
        return found.map(<[u8]>::to_vec);
    }
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    for (block, _) in [MERGING, LISTS].into_iter().zip(missing).filter(|(_, is_missing)| *is_missing) {
        bytes.extend_from_slice(block.as_bytes());
    }
    Some(bytes)
}

impl Ledger {
    /// Registers the driver in this clone, installs the hooks, and has `.gitattributes` name the files. Gives what was done; again, nothing.
    ///
    /// # Errors
    /// [`LedgerError::Git`] or [`LedgerError::Io`] where the repository cannot be written, or as [`Self::apply`].
    pub fn prepare_merging(&self) -> Result<Vec<String>, LedgerError> {
        self.may_change()?;
        let mut done = Vec::new();
        if self.register_driver()? {
            done.push("registered how git merges the files of a memory".to_owned());
        }
        let git_folder = crate::git::git_folder_of(&self.root, &self.options.git_folder);
        hooks::install(&git_folder)?;
        let path = MemoryPath::new(".gitattributes")?;
        let set = ChangeSet::new()
            .edit(path, "files that are merged by their formats", |found| Ok(with_merging(found)));
        if !self.apply(&set, &Provenance::system("merge", "merge driver"))?.files.is_empty() {
            done.push("named in .gitattributes what git merges by its format".to_owned());
        }
        Ok(done)
    }

    pub(crate) fn register_driver(&self) -> Result<bool, LedgerError> {
        let git_folder = crate::git::git_folder_of(&self.root, &self.options.git_folder);
        let config = std::fs::read_to_string(git_folder.join("config")).unwrap_or_default();
        // As git writes it; where it is written otherwise git is asked and says the same again.
        if config.contains("[merge \"rem\"]") && config.contains("rem merge-driver %O %A %B %P") {
            return Ok(false);
        }
        let program = self.program();
        let what = "register the merge driver";
        program.run(what, &["config", "merge.rem.name", "the formats of Remembrancer"])?;
        program.run(what, &["config", "merge.rem.driver", DRIVER])?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_persons_own_attributes_keep_their_bytes_and_their_say() {
        let with = |text: &str| String::from_utf8(with_merging(Some(text.as_bytes())).unwrap()).unwrap();
        assert_eq!(with("*.png binary"), format!("*.png binary\n{MERGING}{LISTS}"));
        assert_eq!(with(&with("* -text\n")), format!("* -text\n{MERGING}{LISTS}"));
        for own in ["*.md merge=union\n", "* text=auto -merge\n", "notes/*.md   merge=ours\n"] {
            assert_eq!(with(own), own);
        }
        assert_eq!(with("# *.md merge=union\n"), format!("# *.md merge=union\n{MERGING}{LISTS}"));
        assert_eq!(with_merging(None).unwrap(), format!("{MERGING}{LISTS}").as_bytes());
        assert_eq!(with(MERGING), format!("{MERGING}{LISTS}"), "a block of before");
    }
}
