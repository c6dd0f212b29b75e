//! What was given up for something else: "Harbor replaced Redis with Valkey". Pure.

use std::sync::LazyLock;

use super::WORDS;
use crate::patterns::Patterns;

pub(super) static DROPPED: LazyLock<Patterns> = LazyLock::new(|| {
    let dropped = r"^(?P<about>\S.*?) (?:has |have |just |hat |haben |sind |ist )*(?:(?:replaced|swapped) (?P<a>\S+(?: \S+)?) (?:with|for|by)|(?:switched|migrated|moved|changed) from (?P<b>\S+(?: \S+)?) to|(?P<c>\S+) durch|von (?P<d>\S+) (?:auf|zu)) \p{Lu}\S*(?: (?:for|für) (?P<within>[\p{L}\p{N} -]+?))?(?: (?:umgestiegen|gewechselt|umgestellt|ersetzt)|$|[ ,.;])";
    Patterns::of(WORDS, "dropped", vec![dropped.to_owned()])
});

/// What a text says was given up for something else.
#[derive(Debug, Clone, Copy)]
pub(in crate::stores) struct Dropped<'a> {
    /// What gave it up.
    pub(in crate::stores) about: &'a str,
    /// What was given up.
    pub(in crate::stores) old: &'a str,
    /// What it was given up for alone; nothing where that is not said.
    pub(in crate::stores) within: &'a str,
}

/// What a text says was given up for something else: "Harbor replaced Redis with Valkey".
pub(in crate::stores) fn dropped_in(text: &str) -> Option<Dropped<'_>> {
    let found = DROPPED.find_map(text, |_, found| Some(found))?;
    let group = |name: &str| found.name(name).map(|group| group.as_str());
    let old = ["a", "b", "c", "d"].into_iter().find_map(group)?;
    Some(Dropped { about: group("about")?, old, within: group("within").unwrap_or_default() })
}
