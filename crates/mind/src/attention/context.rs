//! Compiling the context: the candidates of every slot, the budgets, and the text that comes of them.
//!
//! Rules (P6, A6.3, A6.4): identity is never dropped; what happened last comes first; nothing is cut within an
//! entry; a slot that needs more takes what lower slots leave, from the lowest first; the whole never exceeds
//! its budget, counted by the tokenizer on the finished text. Whatever is left out is named with its reason.
//! Pure: the caller finds the candidates, counts the time and sends the answer.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use rem_format::annotation::Annotation;
use rem_format::config::{Config, CorrectionOverflow};

use super::budget::{Order, Plan, Slot, Source};
use super::compiled::{
    Audience, Candidate, CompiledContext, ContextRequest, Dropped, FilledSlot, IdentityTooLarge, Item,
    rendered,
};
use super::division::{self, Entry};
use super::quotation::NOTICE;
use super::repeated::repeated;
use crate::search::is_blank;

/// Compiles a context. What would stand in it twice stands in it once. `count` counts tokens; give it the real tokenizer wherever the budget must hold exactly.
///
/// # Errors
/// [`IdentityTooLarge`] where the identity alone is more than the budget.
pub fn compile(
    config: &Config,
    request: &ContextRequest,
    count: &dyn Fn(&str) -> usize,
) -> Result<CompiledContext, IdentityTooLarge> {
    let known: RefCell<HashMap<blake3::Hash, usize>> = RefCell::default();
    let count =
        &|text: &str| *known.borrow_mut().entry(blake3::hash(text.as_bytes())).or_insert_with(|| count(text));
    let mut request = request.clone();
    loop {
        let context = match compiled_once(config, &request, count) {
            // Without records nothing has to say what they are, and the identity may fit.
            Err(error) if error.needed <= error.budget && take_out_records(&mut request, count) => continue,
            compiled => compiled?,
        };
        // What goes makes room for others, which may say again what stands there.
        if !take_out_repeated(config, &mut request, &context) {
            return Ok(context);
        }
    }
}

/// Takes out what would be quoted. Whether there was anything.
fn take_out_records(request: &mut ContextRequest, count: &dyn Fn(&str) -> usize) -> bool {
    let mut left_out = Vec::new();
    for (source, candidates) in
        request.candidates.iter_mut().filter(|(source, _)| **source != Source::Identity)
    {
        for candidate in candidates.extract_if(.., |candidate| candidate.is_untrusted) {
            let (tokens, why) = (count(&candidate.text), over_budget(&candidate));
            left_out.push((*source, Dropped { path: candidate.path, tokens, why }));
        }
    }
    let were_any = !left_out.is_empty();
    request.left_out.append(&mut left_out);
    were_any
}

/// Takes the candidates out that say nothing which does not stand in `context` elsewhere. Whether there were any.
fn take_out_repeated(config: &Config, request: &mut ContextRequest, context: &CompiledContext) -> bool {
    let plan = Plan::new(config, request.overrides);
    let of = |request: &ContextRequest, slot: usize, item: &Item| {
        plan.slots.get(slot)?.sources.iter().copied().find(|source| {
            request.candidates.get(source).is_some_and(|candidates| candidates.iter().any(is_of(item)))
        })
    };
    // A window has no holes, whatever is said elsewhere as well; what is a part of a file stays with it.
    let stays = |slot: usize, item: &Item| {
        let is_window = plan.slots.get(slot).is_none_or(|slot| slot.order == Order::Window);
        is_window || of(request, slot, item).is_none()
    };
    let places = repeated(&context.slots, stays);
    for (slot, item) in &places {
        let item = &context.slots[*slot].items[*item];
        let Some(source) = of(request, *slot, item) else { continue };
        request
            .candidates
            .entry(source)
            .and_modify(|candidates| candidates.retain(|each| !is_of(item)(each)));
        let (path, tokens) = (item.path.clone(), item.tokens);
        request.left_out.push((source, Dropped { path, tokens, why: "stands there already".to_owned() }));
    }
    !places.is_empty()
}

/// Whether an item is the whole of a candidate.
fn is_of(item: &Item) -> impl Fn(&Candidate) -> bool {
    |candidate| {
        (&candidate.path, candidate.start_line, candidate.end_line)
            == (&item.path, item.start_line, item.end_line)
    }
}

fn compiled_once(
    config: &Config,
    request: &ContextRequest,
    count: &dyn Fn(&str) -> usize,
) -> Result<CompiledContext, IdentityTooLarge> {
    let mut plan = Plan::new(config, request.overrides);
    let budget = plan.budget;
    if request.candidates.values().flatten().any(|candidate| candidate.is_untrusted) {
        plan.budget = budget.saturating_sub(count(NOTICE));
    }
    let compiler = Compiler { config, message: &request.message, count };
    let mut rooms: Vec<Room> =
        plan.slots.iter().map(|slot| compiler.room(slot, plan.budget, request)).collect();
    rooms.iter_mut().filter(|room| room.slot.is_off(&plan)).for_each(|room| room.hold_back(|_| true, OFF));
    if request.audience == Audience::Shared {
        // For the operator's own eyes (A2.2).
        let is_private = |offer: &Offer<'_>| matches!(offer.source, Source::Core | Source::Operator);
        rooms.iter_mut().for_each(|room| room.hold_back(is_private, PRIVATE));
    }

    let demands: Vec<usize> = rooms.iter().map(|room| room.demand).collect();
    for (room, budget) in rooms.iter_mut().zip(plan.cut(&demands)) {
        room.budget = budget;
    }
    let allotted: usize = rooms.iter().map(|room| room.budget).sum();
    let mut spare = plan.budget.saturating_sub(allotted);
    let mut left = 0;
    for index in 0..rooms.len() {
        if rooms[index].slot.budget.is_none() {
            let used: usize = rooms[..index].iter().map(|room| room.filled.used).sum();
            let promised: usize = rooms[index + 1..].iter().map(|room| room.budget).sum();
            rooms[index].budget = plan.budget.saturating_sub(used + promised);
        } else {
            if takes_what_is_left(&plan, rooms[index].slot) {
                let taken = rooms[index].demand.saturating_sub(rooms[index].budget).min(left);
                rooms[index].budget += taken;
                left -= taken;
            }
            steal(&mut rooms, index, &mut spare);
        }
        compiler.fill(&mut rooms[index]);
        left += rooms[index].budget - rooms[index].filled.used;
    }
    // What all of them left goes to those that lack it, the highest first.
    for room in rooms.iter_mut().filter(|room| takes_what_is_left(&plan, room.slot)) {
        let more = left.min(room.demand.saturating_sub(room.filled.used));
        if more > 0 && !room.filled.dropped.is_empty() {
            let before = room.filled.used;
            room.budget = before + left;
            compiler.fill(room);
            left -= room.filled.used.saturating_sub(before);
        }
    }
    let mut slots: Vec<FilledSlot> = rooms.into_iter().map(|room| room.filled).collect();
    slots.extend(compiler.homeless(&plan, request));
    for (source, dropped) in &request.left_out {
        if let Some(at) = plan.slots.iter().position(|slot| slot.sources.contains(source)) {
            slots[at].dropped.push(dropped.clone());
        }
    }
    let context = compiler.assemble(&plan, slots, budget);
    let identity = request.candidates.get(&Source::Identity).into_iter().flatten();
    let identity: Vec<Item> = identity
        .filter(|candidate| !candidate.text.trim().is_empty())
        .map(|candidate| Item::of(candidate, candidate.start_line, candidate.end_line, &candidate.text))
        .collect();
    let stands = |wanted: &Item| {
        let items = context.slots.iter().flat_map(|slot| &slot.items);
        items.into_iter().any(|item| item.path == wanted.path && item.body == wanted.body)
    };
    if !identity.iter().all(stands) {
        let needed = identity.into_iter().map(|item| item.counted("identity", count).tokens).sum::<usize>();
        return Err(IdentityTooLarge { needed, budget });
    }
    Ok(context)
}

/// Whether a slot takes what other slots do not need. The window, and what has no room by the settings, stay as they are.
fn takes_what_is_left(plan: &Plan, slot: &Slot) -> bool {
    plan.hands_down && slot.order != Order::Window && !slot.is_off(plan)
}

/// Why MEMORY.md and USER.md are left out.
pub(super) const PRIVATE: &str = "private, and the conversation is shared";
/// Why nothing stands in a slot that is off.
const OFF: &str = "the settings give its slot no tokens";
/// Of a passage that is divided, entries stay that have so much of the message's words as the one that has most.
const LEAST_RELEVANT: f64 = 0.5;
/// Less room than this holds no entry with its label.
const SMALLEST_ENTRY: usize = 8;

/// A slot while it is being filled.
struct Room<'a> {
    slot: &'a Slot,
    budget: usize,
    demand: usize,
    offers: Vec<Offer<'a>>,
    /// So many of what is named as left out never was for those who listen.
    held_back: usize,
    filled: FilledSlot,
}

struct Offer<'a> {
    source: Source,
    candidate: &'a Candidate,
    /// With its tokens where it stands by itself.
    item: Item,
    /// Its tokens beside an earlier item of its file.
    tokens_beside: usize,
}

impl Room<'_> {
    /// Takes those offers out and names them as left out.
    fn hold_back(&mut self, is_held: impl Fn(&Offer<'_>) -> bool, why: &str) {
        let held = self.offers.extract_if(.., |offer| is_held(offer));
        self.filled.dropped.extend(held.map(|offer| Dropped {
            path: offer.candidate.path.clone(),
            tokens: offer.item.tokens,
            why: why.to_owned(),
        }));
        self.demand = demand(&self.offers);
        self.held_back = self.filled.dropped.len();
    }
}

/// Gives the slot at `index` what it lacks: first what no slot was promised, then what lower slots do not need,
/// the lowest first. Identity takes from lower slots even what they do need.
fn steal(rooms: &mut [Room<'_>], index: usize, spare: &mut usize) {
    let mut lacking = rooms[index].demand.saturating_sub(rooms[index].budget);
    let from_spare = lacking.min(*spare);
    *spare -= from_spare;
    rooms[index].budget += from_spare;
    lacking -= from_spare;
    let is_identity = rooms[index].slot.sources.contains(&Source::Identity);
    for takes_needed in [false, true] {
        for lower in (index + 1..rooms.len()).rev() {
            if takes_needed && !is_identity {
                continue;
            }
            let kept = if takes_needed { 0 } else { rooms[lower].demand };
            let taken = rooms[lower].budget.saturating_sub(kept).min(lacking);
            rooms[lower].budget -= taken;
            rooms[index].budget += taken;
            lacking -= taken;
        }
    }
}

struct Compiler<'a> {
    config: &'a Config,
    message: &'a str,
    count: &'a dyn Fn(&str) -> usize,
}

impl Compiler<'_> {
    /// `budget` is that of the whole context.
    fn room<'a>(&self, slot: &'a Slot, budget: usize, request: &'a ContextRequest) -> Room<'a> {
        let mut offers: Vec<Offer<'a>> = Vec::new();
        for source in slot.sources {
            for candidate in request.candidates.get(source).into_iter().flatten() {
                if candidate.text.trim().is_empty() {
                    continue;
                }
                let Candidate { start_line, end_line, text, .. } = candidate;
                let item = Item::of(candidate, *start_line, *end_line, text)
                    .counted(slot.name, |text| self.estimate(text, budget));
                offers.push(Offer { source: *source, candidate, item, tokens_beside: 0 });
            }
        }
        let urgency = self.config.context.correction_overflow == CorrectionOverflow::PrioritizeUnverified;
        // Stable: candidates that compare equal stay as they were given.
        offers.sort_by(|left, right| {
            let is_other = |offer: &Offer<'_>| offer.source != Source::Identity;
            let identity = is_other(left).cmp(&is_other(right));
            let (left, right) = (left.candidate, right.candidate);
            let urgent =
                if urgency { right.is_urgent.cmp(&left.is_urgent) } else { std::cmp::Ordering::Equal };
            identity.then(urgent).then_with(|| match slot.order {
                Order::Given => std::cmp::Ordering::Equal,
                Order::NewestFirst | Order::Window => right.date.cmp(&left.date),
                Order::BestFirst => {
                    right.score.unwrap_or_default().total_cmp(&left.score.unwrap_or_default())
                }
            })
        });
        for at in 1..offers.len() {
            let (earlier, rest) = offers.split_at_mut(at);
            if earlier.iter().any(|offer| offer.item.stands_with(&rest[0].item)) {
                rest[0].tokens_beside = rest[0].item.tokens_beside(|text| self.estimate(text, budget));
            }
        }
        Room {
            slot,
            budget: 0,
            demand: demand(&offers),
            offers,
            held_back: 0,
            filled: FilledSlot {
                name: slot.name,
                priority: slot.priority,
                budget: 0,
                used: 0,
                items: Vec::new(),
                dropped: Vec::new(),
            },
        }
    }

    fn fill(&self, room: &mut Room<'_>) {
        let stop_below = usize::try_from(self.config.context.stop_below_tokens).unwrap_or(usize::MAX);
        let is_filled_up = room.slot.budget.is_none() && room.slot.order == Order::BestFirst;
        let mut is_over = false;
        room.filled.budget = room.budget;
        (room.filled.used, room.filled.items) = (0, Vec::new());
        room.filled.dropped.truncate(room.held_back);
        for offer in &room.offers {
            let left = room.budget - room.filled.used;
            let stops = is_over || is_filled_up && left < stop_below && !room.filled.items.is_empty();
            let is_beside = room.filled.items.iter().any(|item| item.stands_with(&offer.item));
            let tokens = if is_beside { offer.tokens_beside } else { offer.item.tokens };
            if !stops && tokens <= left {
                room.filled.used += tokens;
                room.filled.items.push(Item { tokens, ..offer.item.clone() });
                continue;
            }
            is_over |= room.slot.order == Order::Window;
            let kept = if !stops && is_divisible(offer) {
                self.entries_that_fit(room.slot, offer, left)
            } else {
                Vec::new()
            };
            let tokens: usize = kept.iter().map(|item| item.tokens).sum();
            room.filled.used += tokens;
            room.filled.items.extend(kept);
            room.filled.dropped.push(Dropped {
                path: offer.candidate.path.clone(),
                tokens: offer.item.tokens.saturating_sub(tokens),
                why: over_budget(offer.candidate),
            });
        }
    }

    /// The entries of a file that fit into `left` tokens, those next to each other together. The most valuable come first: of what the
    /// message recalls those that have most of its words, and others hardly; else pinned ones, then those of which the memory is surest, and of those alike the first of the file, except where the newest
    /// do: daily notes grow at their end.
    fn entries_that_fit(&self, slot: &Slot, offer: &Offer<'_>, left: usize) -> Vec<Item> {
        let candidate = offer.candidate;
        let lines: Vec<&str> = candidate.text.lines().collect();
        let mut entries = division::entries(&lines);
        if entries.len() < 2 {
            return Vec::new();
        }
        // A template's hints say nothing, and need no room.
        entries.retain(|entry| !is_blank(&lines[entry.first..=entry.last].join("\n")));
        let mut order: Vec<usize> = (0..entries.len()).collect();
        if slot.order == Order::NewestFirst {
            order.reverse();
        }
        let worths: Vec<(bool, f64)> = match offer.source {
            Source::Recall => {
                let relevance = division::relevance(self.message, &lines, &entries);
                let least = relevance.iter().copied().fold(f64::MIN_POSITIVE, f64::max) * LEAST_RELEVANT;
                order.retain(|entry| relevance[*entry] >= least);
                relevance.into_iter().map(|relevance| (false, relevance)).collect()
            }
            _ => entries.iter().map(|entry| worth(&lines[entry.first..=entry.last])).collect(),
        };
        // Stable: alike ones stay as they are.
        order.sort_by(|one, other| {
            let ((pinned, sure), (other_pinned, other_sure)) = (worths[*one], worths[*other]);
            other_pinned.cmp(&pinned).then(other_sure.total_cmp(&sure))
        });
        let mut kept: Vec<bool> = vec![false; entries.len()];
        let mut items: Vec<Item> = Vec::new();
        let mut used = 0;
        for index in order {
            if left - used < SMALLEST_ENTRY {
                break;
            }
            // What an entry takes alone tells cheaply that most do not fit; the rest is counted as it will stand.
            let Entry { first, last, .. } = entries[index];
            if self.estimate(&lines[first..=last].join("\n"), left) > left - used {
                continue;
            }
            kept[index] = true;
            let tried = self.runs(slot, candidate, &lines, &entries, &kept);
            let total = tried.iter().map(|item| item.tokens).sum::<usize>();
            if total <= left {
                (items, used) = (tried, total);
            } else {
                kept[index] = false;
            }
        }
        items
    }

    /// The tokens of `text`, or no more than a guess where it is far too long for `limit`: no token is longer
    /// than 128 bytes, and counting a huge file to leave it out would take seconds.
    fn estimate(&self, text: &str, limit: usize) -> usize {
        const LONGEST_TOKEN: usize = 128;
        const USUAL_TOKEN: usize = 4;
        if text.len() / LONGEST_TOKEN > limit { text.len() / USUAL_TOKEN } else { (self.count)(text) }
    }

    /// One item for each run of kept entries, under the headings of its first entry that do not stand above it already.
    fn runs(
        &self,
        slot: &Slot,
        candidate: &Candidate,
        lines: &[&str],
        entries: &[Entry],
        kept: &[bool],
    ) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        let mut above: &[usize] = &[];
        let mut index = 0;
        while index < entries.len() {
            if !kept[index] {
                index += 1;
                continue;
            }
            let first = &entries[index];
            while index + 1 < entries.len() && kept[index + 1] {
                index += 1;
            }
            let last = &entries[index];
            index += 1;
            let known = first.headings.iter().zip(above).take_while(|(one, other)| one == other).count();
            let mut shown: Vec<&str> = first.headings[known..].iter().map(|line| lines[*line]).collect();
            above = &last.headings;
            shown.extend(&lines[first.first..=last.last]);
            let start_line = candidate.start_line + first.first;
            let end_line = candidate.start_line + last.last;
            let item = Item::of(candidate, start_line, end_line, &shown.join("\n"));
            items.push(match items.is_empty() {
                true => item.counted(slot.name, self.count),
                false => Item { tokens: item.tokens_beside(self.count), ..item },
            });
        }
        items
    }

    /// Candidates for which the preset has no slot, so that the receipt does not lose them.
    fn homeless(&self, plan: &Plan, request: &ContextRequest) -> Option<FilledSlot> {
        let has_slot = |source: &Source| plan.slots.iter().any(|slot| slot.sources.contains(source));
        let dropped: Vec<Dropped> = request
            .candidates
            .iter()
            .filter(|(source, _)| !has_slot(source))
            .flat_map(|(_, candidates)| candidates)
            .map(|candidate| Dropped {
                path: candidate.path.clone(),
                tokens: self.estimate(&candidate.text, plan.budget),
                why: "the preset has no slot for it".to_owned(),
            })
            .collect();
        (!dropped.is_empty()).then(|| FilledSlot {
            name: "none",
            priority: plan.slots.len() + 1,
            budget: 0,
            used: 0,
            items: Vec::new(),
            dropped,
        })
    }

    /// Joins the items. Tokens at the seams can differ from the sum of the parts, so the finished text is
    /// counted, and the last items give way should it be over the budget.
    fn assemble(&self, plan: &Plan, mut slots: Vec<FilledSlot>, budget: usize) -> CompiledContext {
        loop {
            let order = order_of(plan, &slots);
            let parts = order.iter().map(|(slot, item)| (slots[*slot].name, &slots[*slot].items[*item]));
            let text = text_of(parts, NOTICE);
            let tokens = (self.count)(&text);
            let lowest = slots.iter_mut().rev().find(|slot| !slot.items.is_empty());
            let (true, Some(slot)) = (tokens > budget, lowest) else {
                return CompiledContext {
                    tokens,
                    budget,
                    slots,
                    text,
                    flush_needed: false,
                    flushed: Vec::new(),
                    index: None,
                    order,
                    timings_ms: BTreeMap::new(),
                };
            };
            if let Some(item) = slot.items.pop() {
                slot.used -= item.tokens;
                slot.dropped.push(Dropped {
                    path: item.path,
                    tokens: item.tokens,
                    why: "over budget".to_owned(),
                });
            }
        }
    }
}

/// The tokens of all that is offered, those of one file under one label.
fn demand(offers: &[Offer<'_>]) -> usize {
    let tokens = offers.iter().map(|offer| match offer.tokens_beside {
        0 => offer.item.tokens,
        beside => beside,
    });
    tokens.sum()
}

/// The order of the text: what changes least from turn to turn first, so that a host's cache of the prompt keeps its beginning,
/// and the conversation last, in its own order. In a slot, what is of one file stands together, by its lines, where the first of it stood.
fn order_of(plan: &Plan, slots: &[FilledSlot]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..slots.len().min(plan.slots.len())).collect();
    order.sort_by_key(|slot| plan.slots[*slot].volatility());
    let items = |slot: usize| {
        let mut items: Vec<usize> = (0..slots[slot].items.len()).collect();
        if plan.slots[slot].order == Order::Window {
            items.reverse();
        }
        let all = &slots[slot].items;
        let first_beside = |item: &usize| items.iter().position(|other| all[*other].stands_with(&all[*item]));
        let mut together = items.clone();
        together.sort_by_cached_key(|item| (first_beside(item), all[*item].start_line));
        together.into_iter().map(move |item| (slot, item))
    };
    order.into_iter().flat_map(items).collect()
}

/// Items as one text. `notice` says what fences mean, before the first of them.
pub(super) fn text_of<'a>(parts: impl Iterator<Item = (&'a str, &'a Item)>, notice: &str) -> String {
    let parts: Vec<(&str, &Item)> = parts.collect();
    let mut text = String::new();
    let mut is_noticed = false;
    for together in parts.chunk_by(|(slot, item), (other, next)| slot == other && item.stands_with(next)) {
        let (slot, first) = together[0];
        if first.quoted && !is_noticed {
            text.push_str(notice);
            is_noticed = true;
        }
        let items: Vec<&Item> = together.iter().map(|(_, item)| *item).collect();
        text.push_str(&rendered(slot, &items));
    }
    text
}

/// Files and passages are divided into their entries; what is one entry already is not.
fn is_divisible(offer: &Offer<'_>) -> bool {
    !offer.candidate.is_turn
        && !matches!(offer.source, Source::History | Source::Corrections | Source::System)
}

/// Whether an entry is pinned, and how sure the memory is of it, from 0 to 1: 1 of what a person wrote without saying so.
fn worth(entry: &[&str]) -> (bool, f64) {
    let comments = entry.iter().filter_map(|line| line.rfind("<!--").map(|at| &line[at..]));
    let annotation = comments.filter_map(Annotation::parse).next();
    let confidence = annotation.as_ref().and_then(|annotation| annotation.get("confidence")?.parse().ok());
    (annotation.is_some_and(|annotation| annotation.is_yes("pinned")), confidence.unwrap_or(1.0))
}

fn over_budget(candidate: &Candidate) -> String {
    match candidate.score {
        Some(score) => format!("over budget, score {score:.2}"),
        None => "over budget".to_owned(),
    }
}
