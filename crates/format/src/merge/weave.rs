//! Three rows of blocks as one.
//!
//! Ours gives the order. What only theirs has goes after the block that it follows there, past what ours added at the same place; entries
//! of a log go by their moments. A block with a key is one thing wherever it stands, so what one side moved and the other changed is there
//! once; a line is told by the lines around it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::blocks::{Block, Blocks, Kind};
use super::{Clash, annotations, entries, items};
use crate::fielded;

/// How alike two texts must be for one to be the other, changed.
const LIKENESS: f64 = 0.5;
/// So many candidates are looked at for a text that is gone.
const CANDIDATES: usize = 64;

/// What holds for a shape.
pub(super) struct Rules {
    /// Of lines that both sides changed, theirs is left out and told.
    pub(super) ours_stays: bool,
    /// What was is noted in the comment of what is.
    pub(super) is_core: bool,
    /// A proposal that one side decided is decided, however the other marked it.
    pub(super) are_proposals: bool,
    /// Today.
    pub(super) day: Date,
}

impl Rules {
    /// Whether a side left a block alone, so that it goes where the other took it out.
    fn is_as_it_was(&self, base: &Block<'_>, side: &Block<'_>) -> bool {
        base.content() == side.content() || self.are_proposals && entries::is_marked_alone(base, side)
    }
}

/// A block of the result, and the one after it.
struct Node<'a> {
    lead: &'a [u8],
    bytes: Cow<'a, [u8]>,
    kind: &'a Kind,
    /// Whether theirs has it as well.
    is_shared: bool,
    /// Whether it comes from theirs, and where it stood there or in ours.
    origin: (bool, usize),
    next: Option<usize>,
}

/// The names of the blocks of a side, those of the base where it is the same thing under another name.
type Names = Vec<Option<String>>;

pub(super) fn weave<'a>(
    base: &'a Blocks<'a>,
    ours: &'a Blocks<'a>,
    theirs: &'a Blocks<'a>,
    rules: &Rules,
    out: &mut Vec<u8>,
    clashes: &mut Vec<Clash>,
) {
    let (of_ours, mut of_theirs) = (named(base, ours), named(base, theirs));
    let by_key = base.by_key();
    let here: HashMap<&str, usize> = index(&of_ours);
    both_named_anew(base, ours, theirs, &of_ours, &mut of_theirs);
    let fresh = tell_apart(ours, theirs, &by_key, &here, &of_ours, &mut of_theirs);
    let there: HashMap<&str, usize> = index(&of_theirs);
    let lines = Lines::of(base, ours, theirs, &of_ours, &of_theirs);
    let suppressed = lines.clashes(base, ours, theirs, rules, clashes);

    // Ours, without what theirs took out.
    let mut nodes: Vec<Node<'a>> = Vec::with_capacity(ours.all.len() + 1);
    let mut at_ours: Vec<Option<usize>> = vec![None; ours.all.len()];
    let mut last: Option<usize> = None;
    let mut first: Option<usize> = None;
    for (number, block) in ours.all.iter().enumerate() {
        let before;
        let counterpart;
        match &of_ours[number] {
            Some(key) => {
                before = by_key.get(key.as_str()).map(|at| &base.all[*at]);
                counterpart = there.get(key.as_str()).map(|at| &theirs.all[*at]);
                let is_as_it_was = before.is_some_and(|before| rules.is_as_it_was(before, block));
                if counterpart.is_none() && is_as_it_was {
                    continue;
                }
            }
            None => {
                before = lines.base_of_ours[number].map(|at| &base.all[at]);
                counterpart = match lines.base_of_ours[number] {
                    Some(at) => match lines.theirs_of_base[at] {
                        Some(theirs_at) => Some(&theirs.all[theirs_at]),
                        // They took the line out.
                        None => continue,
                    },
                    None => lines.theirs_of_ours[number].map(|at| &theirs.all[at]),
                };
            }
        }
        let (lead, bytes) = match counterpart {
            Some(other) => (
                if before.is_some_and(|before| before.lead == block.lead) { other.lead } else { block.lead },
                united(before, block, other, rules, clashes),
            ),
            None => (block.lead, Cow::Borrowed(block.bytes)),
        };
        nodes.push(Node {
            lead,
            bytes,
            kind: &block.kind,
            is_shared: counterpart.is_some(),
            origin: (false, number),
            next: None,
        });
        let new = nodes.len() - 1;
        at_ours[number] = Some(new);
        match last {
            Some(last) => nodes[last].next = Some(new),
            None => first = Some(new),
        }
        last = Some(new);
    }

    // Theirs that ours does not have, each after what it follows there.
    let mut cursor: Option<usize> = None;
    for (number, block) in theirs.all.iter().enumerate() {
        let same = match &of_theirs[number] {
            Some(key) => {
                let same = here.get(key.as_str()).copied();
                let before = by_key.get(key.as_str()).map(|at| &base.all[*at]);
                let was_taken_out =
                    same.is_none() && before.is_some_and(|before| rules.is_as_it_was(before, block));
                if was_taken_out {
                    continue;
                }
                same
            }
            None => match lines.base_of_theirs[number] {
                Some(at) => match lines.ours_of_base[at] {
                    Some(ours_at) => Some(ours_at),
                    None => continue,
                },
                None => lines.ours_of_theirs[number],
            },
        };
        if let Some(same) = same {
            cursor = at_ours[same].or(cursor);
            continue;
        }
        if suppressed.contains(&number) {
            continue;
        }
        let bytes = fresh.get(&number).map_or(Cow::Borrowed(block.bytes), |bytes| Cow::Owned(bytes.clone()));
        let mut after = cursor;
        loop {
            let next = after.map_or(first, |at| nodes[at].next);
            let Some(next) = next.filter(|next| goes_past(&nodes[*next], &block.kind)) else { break };
            after = Some(next);
        }
        let next = after.map_or(first, |at| nodes[at].next);
        nodes.push(Node {
            lead: block.lead,
            bytes,
            kind: &block.kind,
            is_shared: true,
            origin: (true, number),
            next,
        });
        let new = nodes.len() - 1;
        match after {
            Some(after) => nodes[after].next = Some(new),
            None => first = Some(new),
        }
        cursor = Some(new);
    }

    write(&nodes, first, out);
    out.extend_from_slice(if base.tail == ours.tail { theirs.tail } else { ours.tail });
}

/// Whether a new block goes past one that only ours has at the same place.
fn goes_past(node: &Node<'_>, new: &Kind) -> bool {
    if node.is_shared {
        return false;
    }
    match (node.kind, new) {
        (Kind::Entry { moment: Some(other), .. }, Kind::Entry { moment: Some(own), .. }) => other <= own,
        (_, Kind::Heading | Kind::Entry { .. }) => true,
        (Kind::Heading | Kind::Entry { .. }, _) => false,
        _ => true,
    }
}

fn write(nodes: &[Node<'_>], first: Option<usize>, out: &mut Vec<u8>) {
    let start = out.len();
    let newline: &[u8] =
        match nodes.iter().filter(|node| node.bytes.ends_with(b"\r\n")).count() * 2 > nodes.len() {
            true => b"\r\n",
            false => b"\n",
        };
    let (mut next, mut previous): (Option<usize>, Option<&Node<'_>>) = (first, None);
    while let Some(at) = next {
        let node = &nodes[at];
        if out.len() > start && !out.ends_with(b"\n") {
            out.extend_from_slice(newline);
        }
        // What stood together before goes on standing together.
        let stood_so = previous.is_some_and(|before| (before.origin.0, before.origin.1 + 1) == node.origin);
        let is_apart = !node.lead.is_empty() || out.len() == start || stood_so;
        let would_join = match (previous.map(|before| before.kind), node.kind) {
            // Prose right after an item would become a part of it.
            (Some(Kind::Item { .. }), Kind::Line | Kind::Comment(_)) => true,
            (Some(_), Kind::Entry { .. } | Kind::Heading) => true,
            _ => false,
        };
        if would_join && !is_apart {
            out.extend_from_slice(newline);
        }
        out.extend_from_slice(node.lead);
        out.extend_from_slice(&node.bytes);
        previous = Some(node);
        next = node.next;
    }
}

/// A block that both sides have.
fn united<'a>(
    base: Option<&Block<'a>>,
    ours: &'a Block<'a>,
    theirs: &'a Block<'a>,
    rules: &Rules,
    clashes: &mut Vec<Clash>,
) -> Cow<'a, [u8]> {
    let is_base = |side: &Block<'_>| base.is_some_and(|base| base.content() == side.content());
    if ours.content() == theirs.content() || is_base(theirs) {
        return Cow::Borrowed(ours.bytes);
    }
    if is_base(ours) {
        return Cow::Borrowed(theirs.bytes);
    }
    match (&ours.kind, &theirs.kind) {
        (Kind::Item { .. }, Kind::Item { .. }) => {
            Cow::Owned(items::united(base, ours, theirs, rules.is_core, rules.day, clashes))
        }
        (Kind::Comment(here), Kind::Comment(there)) => {
            let before = base.and_then(|base| match &base.kind {
                Kind::Comment(comment) => Some(comment),
                _ => None,
            });
            let merged = annotations::merged(before, here, there);
            if merged == *here {
                return Cow::Borrowed(ours.bytes);
            }
            let text = String::from_utf8_lossy(ours.bytes);
            Cow::Owned(text.replace(text.trim(), &merged.to_string()).into_bytes())
        }
        (Kind::Entry { .. }, Kind::Entry { .. }) => Cow::Owned(entries::united(base, ours, theirs)),
        _ => Cow::Borrowed(ours.bytes),
    }
}

fn index(names: &Names) -> HashMap<&str, usize> {
    names.iter().enumerate().filter_map(|(at, name)| Some((name.as_deref()?, at))).collect()
}

/// The names of a side's blocks. What is gone from the base and what is new at the same place are one thing, changed, where they are alike:
/// an item with other words, an entry under the same heading, a heading alone.
fn named(base: &Blocks<'_>, side: &Blocks<'_>) -> Names {
    let mut names: Names = side.all.iter().map(|block| block.key.clone()).collect();
    let (of_base, of_side) = (base.by_key(), side.by_key());
    // What is new, by the last block before it that was there already.
    let mut gaps: HashMap<Option<&str>, Vec<usize>> = HashMap::new();
    let mut known: Option<&str> = None;
    for (number, block) in side.all.iter().enumerate() {
        let Some(key) = block.key.as_deref() else { continue };
        match of_base.contains_key(key) {
            true => known = Some(key),
            false => gaps.entry(known).or_default().push(number),
        }
    }
    let mut taken = HashSet::new();
    let mut known: Option<&str> = None;
    for block in &base.all {
        let Some(key) = block.key.as_deref() else { continue };
        if of_side.contains_key(key) {
            known = Some(key);
            continue;
        }
        let new = gaps.get(&known).map(Vec::as_slice).unwrap_or_default();
        let likely = new.iter().copied().filter(|number| !taken.contains(number)).take(CANDIDATES);
        let scored = likely.filter_map(|number| Some((likeness(block, &side.all[number])?, number)));
        // Of those that are equally alike the first.
        let best = scored.fold(None, |best: Option<(f64, usize)>, each| match best {
            Some(best) if best.0 >= each.0 => Some(best),
            _ => Some(each),
        });
        if let Some((_, number)) = best {
            taken.insert(number);
            names[number] = Some(key.to_owned());
        }
    }
    names
}

/// A heading that both sides worded anew is two.
fn both_named_anew(
    base: &Blocks<'_>,
    ours: &Blocks<'_>,
    theirs: &Blocks<'_>,
    of_ours: &Names,
    of_theirs: &mut Names,
) {
    let (of_base, here) = (base.by_key(), index(of_ours));
    for (number, block) in theirs.all.iter().enumerate().filter(|(_, block)| block.kind == Kind::Heading) {
        let Some(name) = of_theirs[number].clone() else { continue };
        let (Some(before), Some(own)) = (of_base.get(name.as_str()), here.get(name.as_str())) else {
            continue;
        };
        let (before, own) = (base.all[*before].content(), ours.all[*own].content());
        if own != before && own != block.content() && block.content() != before {
            of_theirs[number].clone_from(&block.key);
        }
    }
}

/// How alike two blocks are; nothing where one is surely not the other.
fn likeness(one: &Block<'_>, other: &Block<'_>) -> Option<f64> {
    match (&one.kind, &other.kind) {
        (Kind::Item { text: first, .. }, Kind::Item { text: second, .. }) if one.section == other.section => {
            let alike = strsim::sorensen_dice(
                &items::plain(first).to_lowercase(),
                &items::plain(second).to_lowercase(),
            );
            (alike >= LIKENESS).then_some(alike)
        }
        (Kind::Entry { title: first, .. }, Kind::Entry { title: second, .. }) => {
            (first == second).then_some(1.0)
        }
        (Kind::Heading, Kind::Heading) => {
            let level = |block: &Block<'_>| block.bytes.iter().take_while(|byte| **byte == b'#').count();
            (level(one) == level(other)).then_some(LIKENESS)
        }
        _ => None,
    }
}

/// What both sides added: the same words are one memory, whatever ids they were given; the same id for other words is two, and theirs gets
/// another one. Gives the bytes of those.
fn tell_apart(
    ours: &Blocks<'_>,
    theirs: &Blocks<'_>,
    of_base: &HashMap<&str, usize>,
    here: &HashMap<&str, usize>,
    of_ours: &Names,
    of_theirs: &mut Names,
) -> HashMap<usize, Vec<u8>> {
    let said = |block: &Block<'_>| match &block.kind {
        Kind::Item { text, .. } => Some((block.section.clone(), items::plain(text).to_lowercase())),
        _ => None,
    };
    let mut by_text: HashMap<(String, String), usize> = HashMap::new();
    for (number, block) in ours.all.iter().enumerate() {
        if let Some(said) = said(block) {
            by_text.entry(said).or_insert(number);
        }
    }
    let mut fresh = HashMap::new();
    let theirs_keys: HashSet<String> = of_theirs.iter().flatten().cloned().collect();
    for (number, block) in theirs.all.iter().enumerate() {
        let (Some(key), Some(said)) = (of_theirs[number].clone(), said(block)) else { continue };
        if of_base.contains_key(key.as_str()) {
            continue;
        }
        let same = by_text.get(&said).and_then(|at| of_ours[*at].clone());
        if let Some(same) = same {
            // One that they have under its own name as well is another.
            if same == key || !theirs_keys.contains(&same) {
                of_theirs[number] = Some(same);
                continue;
            }
        }
        if here.contains_key(key.as_str()) && key.starts_with("i:") {
            let id = fielded::id_of('m', &format!("{key} {}", said.1));
            of_theirs[number] = Some(format!("i:{id}"));
            fresh.insert(number, items::with_id(block, &id));
        }
    }
    fresh
}

/// Which line of one row is which of another.
struct Lines {
    base_of_ours: Vec<Option<usize>>,
    base_of_theirs: Vec<Option<usize>>,
    ours_of_base: Vec<Option<usize>>,
    theirs_of_base: Vec<Option<usize>>,
    /// For lines that both added.
    theirs_of_ours: Vec<Option<usize>>,
    ours_of_theirs: Vec<Option<usize>>,
}

impl Lines {
    fn of(
        base: &Blocks<'_>,
        ours: &Blocks<'_>,
        theirs: &Blocks<'_>,
        of_ours: &Names,
        of_theirs: &Names,
    ) -> Self {
        let of_base: Names = base.all.iter().map(|block| block.key.clone()).collect();
        let mut known: HashMap<Vec<u8>, u32> = HashMap::new();
        let mut numbers = |blocks: &Blocks<'_>, names: &Names| -> Vec<u32> {
            let each = blocks.all.iter().zip(names);
            each.map(|(block, name)| {
                let said = match name {
                    Some(name) => format!("\u{0}{name}").into_bytes(),
                    None => block.content().to_vec(),
                };
                let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                *known.entry(said).or_insert(next)
            })
            .collect()
        };
        let (base, ours, theirs) =
            (numbers(base, &of_base), numbers(ours, of_ours), numbers(theirs, of_theirs));
        let (ours_of_base, base_of_ours) = same(&base, &ours);
        let (theirs_of_base, base_of_theirs) = same(&base, &theirs);
        let (mut theirs_of_ours, mut ours_of_theirs) = same(&ours, &theirs);
        // A line of the base is told by the base alone.
        for (at, other) in theirs_of_ours.iter_mut().enumerate() {
            let is_added =
                other.is_some_and(|there| base_of_ours[at].is_none() && base_of_theirs[there].is_none());
            if let Some(there) = other.filter(|_| !is_added) {
                ours_of_theirs[there] = None;
                *other = None;
            }
        }
        Self { base_of_ours, base_of_theirs, ours_of_base, theirs_of_base, theirs_of_ours, ours_of_theirs }
    }

    /// The lines that both sides changed, told; those of theirs that are left out.
    fn clashes(
        &self,
        base: &Blocks<'_>,
        ours: &Blocks<'_>,
        theirs: &Blocks<'_>,
        rules: &Rules,
        clashes: &mut Vec<Clash>,
    ) -> HashSet<usize> {
        let mut left_out = HashSet::new();
        let (mut after_ours, mut after_theirs) = (0, 0);
        let mut gone = false;
        for at in 0..=base.all.len() {
            let block = base.all.get(at);
            let ends = match block {
                Some(_) => self.ours_of_base[at].zip(self.theirs_of_base[at]),
                None => Some((ours.all.len(), theirs.all.len())),
            };
            let Some((ours_at, theirs_at)) = ends else {
                gone |= block.is_some_and(|block| {
                    block.key.is_none()
                        && self.ours_of_base[at].is_none()
                        && self.theirs_of_base[at].is_none()
                });
                continue;
            };
            if gone {
                let new = |blocks: &Blocks<'_>,
                           of_base: &[Option<usize>],
                           other: &[Option<usize>],
                           from: usize,
                           to: usize| {
                    let all = from..to.max(from);
                    all.filter(|at| {
                        blocks.all[*at].key.is_none() && of_base[*at].is_none() && other[*at].is_none()
                    })
                    .collect::<Vec<usize>>()
                };
                let here = new(ours, &self.base_of_ours, &self.theirs_of_ours, after_ours, ours_at);
                let there = new(theirs, &self.base_of_theirs, &self.ours_of_theirs, after_theirs, theirs_at);
                if !here.is_empty() && !there.is_empty() {
                    clashes.push(Clash {
                        kept: told(ours, &here),
                        other: told(theirs, &there),
                        is_corrected: false,
                    });
                    if rules.ours_stays {
                        left_out.extend(there);
                    }
                }
            }
            gone = false;
            (after_ours, after_theirs) = (ours_at + 1, theirs_at + 1);
        }
        left_out
    }
}

fn told(blocks: &Blocks<'_>, lines: &[usize]) -> String {
    let each =
        lines.iter().map(|at| String::from_utf8_lossy(blocks.all[*at].content().trim_ascii()).into_owned());
    each.collect::<Vec<_>>().join(" ")
}

/// What two rows have in common, in order, from either side.
fn same(one: &[u32], other: &[u32]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let (mut of_one, mut of_other) = (vec![None; one.len()], vec![None; other.len()]);
    for operation in capture_diff_slices(Algorithm::Patience, one, other) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            for step in 0..len {
                of_one[old_index + step] = Some(new_index + step);
                of_other[new_index + step] = Some(old_index + step);
            }
        }
    }
    (of_one, of_other)
}
