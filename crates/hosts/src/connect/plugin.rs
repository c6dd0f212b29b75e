//! The plugin for OpenClaw, which installs plugins from a folder: written out from this program, for whoever has nothing but that.

use std::path::{Path, PathBuf};

use super::{Change, ConnectError, read};

/// Its files, those of its folders first: an empty folder goes with its last file.
const FILES: [(&str, &str); 7] = [
    ("hook/HOOK.md", include_str!("../../../../integrations/openclaw/hook/HOOK.md")),
    ("hook/handler.ts", include_str!("../../../../integrations/openclaw/hook/handler.ts")),
    ("README.md", include_str!("../../../../integrations/openclaw/README.md")),
    ("index.js", include_str!("../../../../integrations/openclaw/index.js")),
    ("openclaw.plugin.json", include_str!("../../../../integrations/openclaw/openclaw.plugin.json")),
    ("package.json", include_str!("../../../../integrations/openclaw/package.json")),
    ("rem.js", include_str!("../../../../integrations/openclaw/rem.js")),
];

/// Where it is written, below this program's own folder.
pub(super) fn folder(own: &Path) -> PathBuf {
    own.join("openclaw")
}

/// What has to change for its files to be there, as this program has them.
pub(super) fn written(own: &Path) -> Result<Vec<Change>, ConnectError> {
    changed(own, |text| Some(text.to_owned()))
}

/// What has to change for them to be gone.
pub(super) fn removed(own: &Path) -> Result<Vec<Change>, ConnectError> {
    changed(own, |_| None)
}

fn changed(own: &Path, after: impl Fn(&str) -> Option<String>) -> Result<Vec<Change>, ConnectError> {
    let folder = folder(own);
    let changes = FILES.iter().map(|(name, text)| {
        let path = folder.join(name);
        let before = read(&path)?;
        let own_folder = path.parent().map(Path::to_owned);
        Ok(Change { path, before, after: after(text), is_restored: false, backup: None, folder: own_folder })
    });
    changes.collect()
}
