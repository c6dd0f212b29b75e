//! Compiling the context: the candidates of every slot, the budgets, and the text that comes of them.
//!
//! Rules (P6, A6.3, A6.4): identity is never dropped; what happened last comes first; nothing is cut within an
//! entry; a slot that needs more takes what lower slots leave, from the lowest first; the whole never exceeds
//! its budget, counted by the tokenizer on the finished text. Whatever is left out is named with its reason.
//! Pure: the caller finds the candidates, counts the time and sends the answer.

use std::collections::BTreeMap;

use serde::Serialize;

use super::budget::{Order, Overrides, Plan, Slot, Source};
use super::division::{self, Entry};
use super::quotation::{comment, quote};
use rem_format::config::{Config, CorrectionOverflow};

/// Something that may stand in the context.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Path relative to the workspace.
    pub path: String,
    /// First line in the file, from 1.
    pub start_line: usize,
    /// Last line in the file, inclusive.
    pub end_line: usize,
    /// Its text.
    pub text: String,
    /// Why it is offered, for the receipt: `always`, `matched "atlas"`.
    pub why: String,
    /// How well it matches, from 0 to 1, where that is known.
    pub score: Option<f64>,
    /// When it was said, as an RFC 3339 time or date; compared as text.
    pub date: Option<String>,
    /// Whether it comes from a transcript, an import or the web and must be quoted.
    pub is_untrusted: bool,
    /// Whether it goes before the others of its slot, as corrections do that are not yet re-embedded (P6).
    pub is_urgent: bool,
}

/// Who listens (C12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The operator alone.
    #[default]
    Main,
    /// A group: MEMORY.md stays private.
    Shared,
}

/// Everything a context is compiled from.
#[derive(Debug, Clone, Default)]
pub struct ContextRequest {
    /// What differs from CONFIG.md.
    pub overrides: Overrides,
    /// Who listens.
    pub audience: Audience,
    /// The candidates by source.
    pub candidates: BTreeMap<Source, Vec<Candidate>>,
}

/// A compiled context. It serialises to `rem context --format json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompiledContext {
    /// Tokens of `text`.
    pub tokens: usize,
    /// The most there could have been.
    pub budget: usize,
    /// The slots by priority.
    pub slots: Vec<FilledSlot>,
    /// What the agent sees.
    pub text: String,
    /// How long each step took, in milliseconds; the caller fills it in.
    pub timings_ms: BTreeMap<String, u64>,
}

/// One slot of a compiled context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FilledSlot {
    /// Its name.
    pub name: &'static str,
    /// Its priority; 1 is the highest.
    pub priority: usize,
    /// Its tokens after cutting and stealing.
    pub budget: usize,
    /// The tokens of its items.
    pub used: usize,
    /// What stands in it, in the order of the text.
    pub items: Vec<Item>,
    /// What was offered and left out.
    pub dropped: Vec<Dropped>,
}

/// One piece of the context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Item {
    /// Path relative to the workspace.
    pub path: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, inclusive.
    pub end_line: usize,
    /// Its tokens, with its label and its fence.
    pub tokens: usize,
    /// Why it is here.
    pub why: String,
    #[serde(skip)]
    rendered: String,
}

impl Item {
    /// As it stands in the text, with its label and its fence.
    pub(crate) fn said(&self) -> &str {
        &self.rendered
    }
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dropped {
    /// Path relative to the workspace.
    pub path: String,
    /// The tokens it would have taken.
    pub tokens: usize,
    /// Why it was left out.
    pub why: String,
}

/// Compiles a context. `count` counts tokens; give it the real tokenizer wherever the budget must hold exactly.
pub fn compile(config: &Config, request: &ContextRequest, count: &dyn Fn(&str) -> usize) -> CompiledContext {
    let plan = Plan::new(config, request.overrides);
    let compiler = Compiler { config, count };
    let mut rooms: Vec<Room> =
        plan.slots.iter().map(|slot| compiler.room(slot, plan.budget, request)).collect();
    compiler.hold_back_core(&mut rooms, request.audience);

    let demands: Vec<usize> = rooms.iter().map(|room| room.demand).collect();
    for (room, budget) in rooms.iter_mut().zip(plan.cut(&demands)) {
        room.budget = budget;
    }
    let allotted: usize = rooms.iter().map(|room| room.budget).sum();
    let mut spare = plan.budget.saturating_sub(allotted);
    for index in 0..rooms.len() {
        if rooms[index].slot.budget.is_none() {
            let used: usize = rooms[..index].iter().map(|room| room.filled.used).sum();
            let promised: usize = rooms[index + 1..].iter().map(|room| room.budget).sum();
            rooms[index].budget = plan.budget.saturating_sub(used + promised);
        } else {
            steal(&mut rooms, index, &mut spare);
        }
        compiler.fill(&mut rooms[index]);
    }
    let mut slots: Vec<FilledSlot> = rooms.into_iter().map(|room| room.filled).collect();
    slots.extend(compiler.homeless(&plan, request));
    compiler.assemble(slots, plan.budget)
}

/// Less room than this holds no entry with its label.
const SMALLEST_ENTRY: usize = 8;

/// A slot while it is being filled.
struct Room<'a> {
    slot: &'a Slot,
    budget: usize,
    demand: usize,
    offers: Vec<Offer<'a>>,
    filled: FilledSlot,
}

struct Offer<'a> {
    source: Source,
    candidate: &'a Candidate,
    rendered: String,
    tokens: usize,
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
                let rendered =
                    render(slot.name, candidate, candidate.start_line, candidate.end_line, &candidate.text);
                let tokens = self.estimate(&rendered, budget);
                offers.push(Offer { source: *source, candidate, rendered, tokens });
            }
        }
        let urgency = self.config.context.correction_overflow == CorrectionOverflow::PrioritizeUnverified;
        // Stable: candidates that compare equal stay as they were given.
        offers.sort_by(|left, right| {
            let (left, right) = (left.candidate, right.candidate);
            let urgent =
                if urgency { right.is_urgent.cmp(&left.is_urgent) } else { std::cmp::Ordering::Equal };
            urgent.then_with(|| match slot.order {
                Order::Given => std::cmp::Ordering::Equal,
                Order::NewestFirst | Order::Window => right.date.cmp(&left.date),
                Order::BestFirst => {
                    right.score.unwrap_or_default().total_cmp(&left.score.unwrap_or_default())
                }
            })
        });
        Room {
            slot,
            budget: 0,
            demand: offers.iter().map(|offer| offer.tokens).sum(),
            offers,
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

    /// MEMORY.md is for the operator's own eyes.
    fn hold_back_core(&self, rooms: &mut [Room<'_>], audience: Audience) {
        if audience == Audience::Main {
            return;
        }
        for room in rooms {
            let (core, others) = std::mem::take(&mut room.offers)
                .into_iter()
                .partition(|offer: &Offer<'_>| offer.source == Source::Core);
            room.offers = others;
            room.demand = room.offers.iter().map(|offer| offer.tokens).sum();
            room.filled.dropped.extend(core.into_iter().map(|offer| Dropped {
                path: offer.candidate.path.clone(),
                tokens: offer.tokens,
                why: "private, and the conversation is shared".to_owned(),
            }));
        }
    }

    fn fill(&self, room: &mut Room<'_>) {
        let stop_below = usize::try_from(self.config.context.stop_below_tokens).unwrap_or(usize::MAX);
        let is_filled_up = room.slot.budget.is_none() && room.slot.order == Order::BestFirst;
        let mut is_over = false;
        room.filled.budget = room.budget;
        for offer in &room.offers {
            let left = room.budget - room.filled.used;
            let stops = is_over || is_filled_up && left < stop_below && !room.filled.items.is_empty();
            if !stops && offer.tokens <= left {
                room.filled.used += offer.tokens;
                let candidate = offer.candidate;
                room.filled.items.push(Item {
                    path: candidate.path.clone(),
                    start_line: candidate.start_line,
                    end_line: candidate.end_line,
                    tokens: offer.tokens,
                    why: candidate.why.clone(),
                    rendered: offer.rendered.clone(),
                });
                continue;
            }
            is_over |= room.slot.order == Order::Window;
            let kept = if !stops && is_divisible(offer.source) {
                self.entries_that_fit(room.slot, offer.candidate, left)
            } else {
                Vec::new()
            };
            let tokens: usize = kept.iter().map(|item| item.tokens).sum();
            room.filled.used += tokens;
            room.filled.items.extend(kept);
            room.filled.dropped.push(Dropped {
                path: offer.candidate.path.clone(),
                tokens: offer.tokens.saturating_sub(tokens),
                why: over_budget(offer.candidate),
            });
        }
    }

    /// The entries of a file that fit into `left` tokens, those next to each other together. The first entries
    /// of a file come first, except where the newest do: daily notes grow at their end.
    fn entries_that_fit(&self, slot: &Slot, candidate: &Candidate, left: usize) -> Vec<Item> {
        let lines: Vec<&str> = candidate.text.lines().collect();
        let entries = division::entries(&lines);
        if entries.len() < 2 {
            return Vec::new();
        }
        let mut order: Vec<usize> = (0..entries.len()).collect();
        if slot.order == Order::NewestFirst {
            order.reverse();
        }
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

    /// One item for each run of kept entries, under the headings of its first entry.
    fn runs(
        &self,
        slot: &Slot,
        candidate: &Candidate,
        lines: &[&str],
        entries: &[Entry],
        kept: &[bool],
    ) -> Vec<Item> {
        let mut items = Vec::new();
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
            let mut shown: Vec<&str> = first.headings.iter().map(|line| lines[*line]).collect();
            shown.extend(&lines[first.first..=last.last]);
            let start_line = candidate.start_line + first.first;
            let end_line = candidate.start_line + last.last;
            let rendered = render(slot.name, candidate, start_line, end_line, &shown.join("\n"));
            items.push(Item {
                path: candidate.path.clone(),
                start_line,
                end_line,
                tokens: (self.count)(&rendered),
                why: candidate.why.clone(),
                rendered,
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
    fn assemble(&self, mut slots: Vec<FilledSlot>, budget: usize) -> CompiledContext {
        loop {
            let items = slots.iter().flat_map(|slot| &slot.items);
            let text = items.map(|item| item.rendered.as_str()).collect::<String>();
            let tokens = (self.count)(&text);
            let lowest = slots.iter_mut().rev().find(|slot| !slot.items.is_empty());
            let (true, Some(slot)) = (tokens > budget, lowest) else {
                return CompiledContext { tokens, budget, slots, text, timings_ms: BTreeMap::new() };
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

/// Files are divided into their entries; what is one entry already is not.
fn is_divisible(source: Source) -> bool {
    !matches!(
        source,
        Source::Recall | Source::History | Source::Corrections | Source::Topics | Source::System
    )
}

fn over_budget(candidate: &Candidate) -> String {
    match candidate.score {
        Some(score) => format!("over budget, score {score:.2}"),
        None => "over budget".to_owned(),
    }
}

fn render(slot: &str, candidate: &Candidate, start_line: usize, end_line: usize, text: &str) -> String {
    let label = comment(&format!("{slot}: {}:{start_line}-{end_line}", candidate.path));
    let text = text.trim_matches(['\n', '\r']);
    let body = if candidate.is_untrusted { quote(text) } else { text.to_owned() };
    format!("{label}\n{body}\n\n")
}
