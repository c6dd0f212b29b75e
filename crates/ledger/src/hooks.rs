//! Git hooks (A3.5): validation before a person's own commit, the index brought up to date after it and after a merge.
//!
//! The hooks only call `rem`; where it is not installed they do nothing. Somebody else's hook is never replaced.

use std::path::Path;

use crate::error::LedgerError;
use crate::files;

const MARK: &str = "# Installed by rem";

fn script(name: &str) -> String {
    format!(
        "#!/bin/sh\n{MARK}; delete this file to do without.\ncommand -v rem >/dev/null 2>&1 || exit 0\nexec rem git-hook {name}\n"
    )
}

/// Installs the hooks; gives the names of those where another hook stands.
pub(crate) fn install(git_folder: &Path) -> Result<Vec<String>, LedgerError> {
    let folder = git_folder.join("hooks");
    files::create_folder(&folder)?;
    let mut foreign = Vec::new();
    for name in ["pre-commit", "post-commit", "post-merge"] {
        let at = folder.join(name);
        let wanted = script(name);
        match files::read(&at)? {
            Some(text) if text == wanted.as_bytes() => continue,
            Some(text) if !String::from_utf8_lossy(&text).contains(MARK) => {
                foreign.push(name.to_owned());
                continue;
            }
            _ => {}
        }
        files::replace_private(&at, wanted.as_bytes())
            .and_then(|()| files::make_executable(&at))
            .map_err(LedgerError::io("write", at))?;
    }
    Ok(foreign)
}
