//! The shape of a session whose records name their parents, at about 30 bytes a record.
//!
//! Owns which records are on the way from a root to the active leaf. A parent is looked for among the records
//! before it, so there are no cycles whatever a file says; a record whose parent is not in the file hangs on the
//! record before it. A file may hold several trees (a session that was begun again, a compaction that cut the
//! chain): of each, the way to its newest leaf counts. Must not look at content.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

/// What a record says about its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent<'a> {
    /// Nothing: it follows the record before it.
    Before,
    /// That it has none: it is a root.
    Root,
    /// The parent's id.
    Id(&'a str),
}

const NONE: u32 = u32::MAX;

/// The records of a session by number.
pub(super) struct Tree {
    parents: Vec<u32>,
    roots: Vec<u32>,
    kinds: Vec<u8>,
    by_id: HashMap<u64, u32, BuildHasherDefault<Already>>,
    hasher: RandomState,
    /// The last record of each lane (main, side).
    before: [u32; 2],
}

/// Keys are hashes already.
#[derive(Default)]
struct Already(u64);

impl Hasher for Already {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Tree {
    pub(super) fn new() -> Self {
        Tree {
            parents: Vec::new(),
            roots: Vec::new(),
            kinds: Vec::new(),
            by_id: HashMap::default(),
            hasher: RandomState::new(),
            before: [NONE; 2],
        }
    }

    /// Adds record `number`. `kind` is the reader's own, not 0; `lane` is 1 for a side chain. Records that are no
    /// part of the tree are left out, and have kind 0.
    pub(super) fn add(&mut self, number: usize, id: &str, parent: Parent<'_>, kind: u8, lane: bool) {
        // More records than fit in 32 bits do not fit in a file of any host.
        let Ok(index) =
            u32::try_from(number).map_err(|_| ()).and_then(|n| if n < NONE { Ok(n) } else { Err(()) })
        else {
            return;
        };
        for table in [&mut self.parents, &mut self.roots] {
            table.resize(number + 1, NONE);
        }
        self.kinds.resize(number + 1, 0);
        let lane = usize::from(lane);
        let parent = match parent {
            Parent::Root => NONE,
            Parent::Before => self.before[lane],
            Parent::Id(id) => self.find(id).unwrap_or(self.before[lane]),
        };
        self.parents[number] = parent;
        self.roots[number] = if parent == NONE { index } else { self.roots[parent as usize] };
        self.kinds[number] = kind;
        self.before[lane] = index;
        let hash = self.hasher.hash_one(id);
        self.by_id.insert(hash, index);
    }

    /// Whether an earlier record has this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    fn find(&self, id: &str) -> Option<u32> {
        self.by_id.get(&self.hasher.hash_one(id)).copied()
    }

    /// Takes a record back: it stays a link of the chain, but has kind 0.
    pub(super) fn retract(&mut self, id: &str) {
        if let Some(index) = self.find(id) {
            self.kinds[index as usize] = 0;
        }
    }

    /// Which records count: those on the way to the newest leaf of each tree. `is_leaf` says of which kinds a leaf
    /// can be.
    pub(super) fn chain(mut self, is_leaf: impl Fn(u8) -> bool) -> Chain {
        self.by_id = HashMap::default();
        let mut on = vec![false; self.kinds.len()];
        let mut done = std::collections::HashSet::new();
        for number in (0..self.kinds.len()).rev() {
            if !is_leaf(self.kinds[number]) || !done.insert(self.roots[number]) {
                continue;
            }
            let mut at = number;
            while !on[at] {
                on[at] = true;
                match self.parents[at] {
                    NONE => break,
                    parent => at = parent as usize,
                }
            }
        }
        Chain { on, kinds: self.kinds }
    }
}

/// The records that count.
pub(super) struct Chain {
    on: Vec<bool>,
    kinds: Vec<u8>,
}

impl Chain {
    /// The kind of a record, 0 if it is none of the tree.
    pub(super) fn kind(&self, number: usize) -> u8 {
        self.kinds.get(number).copied().unwrap_or(0)
    }

    /// Whether a record is on the way to an active leaf.
    pub(super) fn holds(&self, number: usize) -> bool {
        self.on.get(number).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(records: &[(&str, Parent<'_>)]) -> Vec<usize> {
        let mut tree = Tree::new();
        for (number, (id, parent)) in records.iter().enumerate() {
            tree.add(number + 1, id, *parent, 1, false);
        }
        let chain = tree.chain(|kind| kind == 1);
        (1..=records.len()).filter(|number| chain.holds(*number)).collect()
    }

    #[test]
    fn an_abandoned_branch_is_left_out() {
        let records = [
            ("a", Parent::Root),
            ("b", Parent::Id("a")),
            ("c", Parent::Id("b")),
            ("d", Parent::Id("a")),
            ("e", Parent::Id("d")),
        ];
        assert_eq!(chain(&records), [1, 4, 5]);
    }

    #[test]
    fn unknown_parents_and_repeated_ids_follow_the_file() {
        assert_eq!(
            chain(&[("a", Parent::Id("gone")), ("b", Parent::Before), ("c", Parent::Id("x"))]),
            [1, 2, 3]
        );
        assert_eq!(
            chain(&[("t", Parent::Id("t")), ("t", Parent::Id("t")), ("t", Parent::Id("t"))]),
            [1, 2, 3]
        );
    }

    #[test]
    fn each_tree_of_a_file_is_followed() {
        let records =
            [("a", Parent::Root), ("b", Parent::Id("a")), ("c", Parent::Root), ("d", Parent::Id("c"))];
        assert_eq!(chain(&records), [1, 2, 3, 4]);
    }

    #[test]
    fn a_retracted_record_links_but_does_not_count() {
        let mut tree = Tree::new();
        tree.add(1, "a", Parent::Root, 1, false);
        tree.add(2, "b", Parent::Id("a"), 1, false);
        tree.add(3, "c", Parent::Id("b"), 1, false);
        tree.retract("b");
        let chain = tree.chain(|kind| kind == 1);
        assert!(chain.holds(1) && chain.holds(2) && chain.kind(2) == 0);
    }
}
