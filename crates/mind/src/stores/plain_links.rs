//! Plain links of Markdown, `[text](../2024-01-02.md)`: which file each leads to, and what they say when files move.
//!
//! A target is a path from the folder of the file it stands in, or else from the workspace. Those in conversations are evidence and stay.

use std::collections::HashSet;

use rem_format::link::{Form, plain_links};
use rem_format::path::MemoryPath;
use rem_ledger::Store;
use rem_recall::Linked;

use super::renaming::Followed;
use crate::error::MemoryError;
use crate::memory::Memory;

/// A plain link that leads to a file.
pub(crate) struct PlainLink {
    pub(crate) link: Linked,
    /// The file that it leads to.
    pub(crate) place: String,
    /// Whether its path is that from the workspace.
    is_whole: bool,
}

impl Memory {
    /// The plain links between files.
    pub(crate) fn plain_links(&self) -> Result<Vec<PlainLink>, MemoryError> {
        let listing = self.ledger.list()?;
        let there: HashSet<&str> = listing.files.iter().map(|file| file.path.as_str()).collect();
        let mut found = Vec::new();
        for file in listing.files.iter().filter(|file| file.path.ends_with(".md")) {
            let path = MemoryPath::new(file.path.as_str())?;
            if matches!(self.ledger.layout().store_of(&path), Some(Store::Transcripts | Store::Attachments)) {
                continue;
            }
            // What cannot be read leads nowhere.
            let Ok(Some(bytes)) = self.ledger.read(&path) else { continue };
            for link in plain_links(&bytes) {
                let target = link.target_in(&bytes);
                let decoded = target.replace("%20", " ");
                let near = joined(folder_of(path.as_str()), &decoded);
                let near = near.filter(|near| there.contains(near.as_str()));
                let is_whole = near.is_none();
                let place =
                    near.or_else(|| joined("", &decoded).filter(|whole| there.contains(whole.as_str())));
                if let Some(place) = place.filter(|place| place != path.as_str()) {
                    let heading = link.heading_in(&bytes).map(str::to_owned);
                    let (path, target) = (path.to_string(), target.to_owned());
                    found.push(PlainLink {
                        link: Linked { path, line: link.line, target, heading },
                        place,
                        is_whole,
                    });
                }
            }
        }
        Ok(found)
    }

    /// What has to happen to plain links when files move: `moved` gives each file's new path.
    pub(crate) fn plain_links_following(
        &self,
        moved: &dyn Fn(&str) -> String,
        followed: &mut Followed,
    ) -> Result<(), MemoryError> {
        for PlainLink { link, place, is_whole } in self.plain_links()? {
            let (holder, meant) = (moved(&link.path), moved(&place));
            let folder = if is_whole { "" } else { folder_of(&holder) };
            if joined(folder, &link.target.replace("%20", " ")).as_deref() == Some(meant.as_str()) {
                continue;
            }
            if !self.may_relink(&link.path) {
                followed.left.push(link);
                continue;
            }
            let target = relative(folder, &meant);
            let target = if link.target.contains(' ') { target } else { target.replace(' ', "%20") };
            *followed.rewritten.entry(holder).or_default() += 1;
            followed.targets.entry(link.path).or_default().insert(Form::Plain, link.target, target);
        }
        Ok(())
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path that begins in a folder; nothing where it leads out of the workspace.
fn joined(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The way to a file from a folder.
fn relative(folder: &str, path: &str) -> String {
    let from: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = path.split('/').collect();
    let shared = from.iter().zip(&to[..to.len() - 1]).take_while(|(one, other)| one == other).count();
    let up = "../".repeat(from.len() - shared);
    format!("{up}{}", to[shared..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_where_it_says() {
        for (folder, path, way) in [
            ("memory", "memory/archive/2024-01.md", "archive/2024-01.md"),
            ("memory/reference", "memory/archive/2024-01.md", "../archive/2024-01.md"),
            ("", "memory/a.md", "memory/a.md"),
            ("a/b", "c.md", "../../c.md"),
        ] {
            assert_eq!(relative(folder, path), way);
            assert_eq!(joined(folder, way).as_deref(), Some(path));
        }
        assert_eq!(joined("a", "../../b.md"), None);
        assert_eq!(joined("a", "./b/../c.md").as_deref(), Some("a/c.md"));
    }
}
