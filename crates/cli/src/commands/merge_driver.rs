//! `rem merge-driver`: what git calls for each file that both sides of a merge changed (`merge.rem.driver`).

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use rem_mind::lifecycle::joining::merge_for_git;

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;

/// Merge a file by its format, as git asks
#[derive(Debug, clap::Args)]
pub(crate) struct MergeDriverArgs {
    /// What both sides went on from
    base: PathBuf,
    /// This side's, which the result takes the place of
    ours: PathBuf,
    /// The other side's
    theirs: PathBuf,
    /// Its place in the workspace
    path: String,
}

pub(crate) fn run(args: &MergeDriverArgs, arguments: &Arguments) -> Result<()> {
    // Git calls from the top of the working tree, whichever workspace the surroundings name.
    let root = environment::current_folder().context("the current folder cannot be read")?;
    let files = [args.base.as_path(), &args.ours, &args.theirs];
    let is_whole = merge_for_git(&root, files, &args.path, &arguments.options)?;
    // A merge's commit keeps both sides, and what they changed is asked from there. A rebase or a stash keeps nothing: git stops there.
    if is_whole || environment::is_merging() {
        return Ok(());
    }
    let what = format!("{} was changed on both sides, and the result has one of them", args.path);
    Err(Hinted::integrity(
        what,
        "put into it what should hold, `git add` it and go on; `rem merge` keeps both",
    )
    .into())
}
