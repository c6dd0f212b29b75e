//! How many tokens each slot of the context has (P6, A6.2).
//!
//! A preset is a table of slots in the order of their priority. The table comes from CONFIG.md; this file turns
//! it into budgets that fit the window. It knows nothing of what fills the slots.

use rem_format::config::{Config, ContextPreset};

/// Where a candidate for the context comes from. A preset decides which slot takes which sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// System prompt and safety rules of the runtime.
    System,
    /// SOUL.md and IDENTITY.md; never dropped.
    Identity,
    /// USER.md.
    Operator,
    /// CORRECTIONS.md, one candidate per correction.
    Corrections,
    /// MEMORY.md; in main sessions alone (A2.2).
    Core,
    /// Instructions of active topics.
    Topics,
    /// Files that active topics subscribe to.
    Subscriptions,
    /// Journal and episodes of the last hours.
    Recent,
    /// What the search found.
    Recall,
    /// Entities that the conversation mentions.
    Profiles,
    /// The index of active projects.
    Projects,
    /// Earlier turns of the session.
    History,
    /// A source outside this memory.
    External,
}

/// In which order candidates take their places in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As they were given.
    Given,
    /// The newest date first.
    NewestFirst,
    /// The best score first.
    BestFirst,
    /// The newest first, ending at the first that does not fit: a window without holes (A6.4).
    Window,
}

/// One slot of a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its name in the answer.
    pub name: &'static str,
    /// Its priority; 1 is the highest.
    pub priority: usize,
    /// Its tokens by the table; `None` for a slot that takes what the slots before it leave.
    pub budget: Option<usize>,
    /// What it takes.
    pub sources: &'static [Source],
    /// In which order.
    pub order: Order,
}

impl Slot {
    /// How often what stands in it changes from turn to turn: the higher, the later it comes in the text.
    pub fn volatility(&self) -> usize {
        let of = |source: &Source| match source {
            Source::System | Source::Identity => 0,
            Source::Operator => 1,
            Source::Core => 2,
            Source::Projects => 3,
            Source::Corrections => 4,
            Source::External => 5,
            Source::Topics => 6,
            Source::Subscriptions => 7,
            Source::Profiles => 8,
            Source::Recent => 9,
            Source::Recall => 10,
            Source::History => 11,
        };
        self.sources.iter().map(of).max().unwrap_or(usize::MAX)
    }
}

/// The slots of a preset and what they may hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The preset's slots by priority.
    pub slots: Vec<Slot>,
    /// The most all slots may hold, in tokens.
    pub budget: usize,
    /// Whether what a slot does not need goes to topics, recall and recent days below it; knowledge and history of the `compiler` preset
    /// take what is left by themselves.
    pub hands_down: bool,
    /// Whether topics and recall keep their share of a whole that is smaller than the table, whatever the slots above them could fill:
    /// they are what the message is about. The tables of the seeds are cut from the lowest slot upward (P6).
    pub keeps_shares: bool,
}

/// What a caller wants otherwise than CONFIG.md says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Overrides {
    /// The preset.
    pub preset: Option<ContextPreset>,
    /// All slots together, in tokens.
    pub budget: Option<usize>,
    /// The model's context window, in tokens.
    pub window: Option<usize>,
    /// What the host's system prompt takes of the window, in tokens.
    pub system_tokens: Option<usize>,
}

/// A kilobyte of A6.2 in tokens: its 32 KB are its 8,192 tokens.
const TOKENS_PER_KILOBYTE: usize = 256;

impl Plan {
    /// Whether any slot with room takes this source.
    pub fn takes(&self, source: Source) -> bool {
        self.slots.iter().any(|slot| slot.budget != Some(0) && slot.sources.contains(&source))
    }

    /// The slots for this configuration and what they may hold together: the table's budget, or by P6's formula
    /// the window without the headroom and the system prompt where that is less.
    pub fn new(config: &Config, overrides: Overrides) -> Self {
        let preset = overrides.preset.unwrap_or(config.context.preset);
        let (slots, table_budget) = match preset {
            ContextPreset::Standard => standard(config),
            ContextPreset::V4_1 => v4_1(config),
            ContextPreset::Compiler => compiler(config),
        };
        let window = overrides.window.unwrap_or(tokens(config.context.model_context_window));
        let system = overrides.system_tokens.unwrap_or(tokens(config.context.system_prompt_tokens));
        let headroom = tokens(config.context.headroom_reserve_tokens);
        let max_injectable = window.saturating_sub(headroom).saturating_sub(system);
        let budget = overrides.budget.unwrap_or(table_budget).min(max_injectable);
        let (hands_down, keeps_shares) =
            (preset != ContextPreset::Compiler, preset == ContextPreset::Standard);
        Self { slots, budget, hands_down, keeps_shares }
    }

    /// The slots' budgets once they fit together, given what each slot could fill. Where the table is larger
    /// than the whole, slots lose first what they would not use, then what they would, down to the share that a slot keeps; the lowest
    /// slot first.
    /// Slots that take what is left have nothing of their own.
    pub fn cut(&self, demands: &[usize]) -> Vec<usize> {
        let mut budgets: Vec<usize> = self.slots.iter().map(|slot| slot.budget.unwrap_or_default()).collect();
        let table: usize = budgets.iter().sum();
        let mut excess = table.saturating_sub(self.budget);
        let shares: Vec<usize> = self.slots.iter().map(|slot| self.share(slot, table)).collect();
        for keeps_needed in [true, false] {
            for ((budget, demand), share) in budgets.iter_mut().zip(demands).zip(&shares).rev() {
                let kept = if keeps_needed { *demand } else { *demand.min(share) };
                let cut = budget.saturating_sub(kept).min(excess);
                *budget -= cut;
                excess -= cut;
            }
        }
        budgets
    }

    /// What a slot keeps where the whole is smaller than the `table`, in tokens.
    fn share(&self, slot: &Slot, table: usize) -> usize {
        let is_asked_for = slot.sources.iter().any(|each| matches!(each, Source::Topics | Source::Recall));
        match slot.budget {
            Some(budget) if self.keeps_shares && is_asked_for => budget * self.budget / table.max(1),
            _ => 0,
        }
    }
}

impl Slot {
    /// Whether the settings give it nothing. Identity is never dropped, and topics in P6's table take what others do not need.
    pub fn is_off(&self, plan: &Plan) -> bool {
        let borrows = plan.hands_down && !plan.keeps_shares && self.sources.contains(&Source::Topics);
        self.budget == Some(0) && !self.sources.contains(&Source::Identity) && !borrows
    }
}

fn tokens(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn kilobytes(number: u64) -> usize {
    tokens(number).saturating_mul(TOKENS_PER_KILOBYTE)
}

type Row = (&'static str, Option<usize>, &'static [Source], Order);

fn slots(rows: Vec<Row>) -> Vec<Slot> {
    rows.into_iter()
        .enumerate()
        .map(|(index, (name, budget, sources, order))| Slot {
            name,
            priority: index + 1,
            budget,
            sources,
            order,
        })
        .collect()
}

fn standard(config: &Config) -> (Vec<Slot>, usize) {
    let table = &config.context_standard;
    let slots = slots(vec![
        ("identity", Some(tokens(table.identity_tokens)), &[Source::Identity, Source::System], Order::Given),
        ("operator", Some(tokens(table.operator_tokens)), &[Source::Operator], Order::Given),
        ("corrections", Some(tokens(table.corrections_tokens)), &[Source::Corrections], Order::NewestFirst),
        ("core", Some(tokens(table.core_tokens)), &[Source::Core], Order::Given),
        ("topics", Some(tokens(table.topics_tokens)), &[Source::Topics, Source::Subscriptions], Order::Given),
        ("recall", Some(tokens(table.recall_tokens)), &[Source::Recall], Order::BestFirst),
        ("recent", Some(tokens(table.recent_tokens)), &[Source::Recent], Order::NewestFirst),
        ("profiles", Some(tokens(table.profiles_tokens)), &[Source::Profiles], Order::Given),
        ("projects", Some(tokens(table.projects_tokens)), &[Source::Projects], Order::Given),
        ("history", Some(tokens(table.history_tokens)), &[Source::History], Order::Window),
        ("external", Some(tokens(table.external_tokens)), &[Source::External], Order::Given),
    ]);
    (slots, tokens(table.token_budget))
}

/// The table of P6. Topics are not in that seed: they have no tokens of their own, and take what others do not need.
fn v4_1(config: &Config) -> (Vec<Slot>, usize) {
    let table = &config.context_v4_1;
    let slots = slots(vec![
        ("identity", Some(tokens(table.identity_tokens)), &[Source::Identity, Source::System], Order::Given),
        ("operator", Some(tokens(table.user_profile_tokens)), &[Source::Operator], Order::Given),
        ("corrections", Some(tokens(table.corrections_tokens)), &[Source::Corrections], Order::NewestFirst),
        ("topics", Some(0), &[Source::Topics, Source::Subscriptions], Order::Given),
        ("recent", Some(tokens(table.recent_memory_tokens)), &[Source::Recent], Order::NewestFirst),
        ("recall", Some(tokens(table.semantic_recall_tokens)), &[Source::Recall], Order::BestFirst),
        ("profiles", Some(tokens(table.crm_tokens)), &[Source::Profiles], Order::Given),
        ("core", Some(tokens(table.longterm_memory_tokens)), &[Source::Core], Order::Given),
        ("external", Some(tokens(table.external_context_tokens)), &[Source::External], Order::Given),
    ]);
    (slots, tokens(table.token_budget))
}

/// The table of A6.2. The operator's profile is one of that seed's identity files; corrections and profiles of
/// entities are knowledge there.
fn compiler(config: &Config) -> (Vec<Slot>, usize) {
    let table = &config.context_compiler;
    let instructions = table.topic_instructions_kb;
    let subscriptions = table.topic_budget_kb.saturating_sub(instructions);
    let slots = slots(vec![
        (
            "identity",
            Some(kilobytes(table.identity_budget_kb)),
            &[Source::Identity, Source::Operator],
            Order::Given,
        ),
        ("system", Some(kilobytes(table.system_budget_kb)), &[Source::System], Order::Given),
        ("core", Some(kilobytes(table.memory_budget_kb)), &[Source::Core], Order::Given),
        ("recent", Some(kilobytes(table.journal_budget_kb)), &[Source::Recent], Order::NewestFirst),
        ("projects", Some(kilobytes(table.projects_budget_kb)), &[Source::Projects], Order::Given),
        ("topics", Some(kilobytes(instructions)), &[Source::Topics], Order::Given),
        ("subscriptions", Some(kilobytes(subscriptions)), &[Source::Subscriptions], Order::Given),
        (
            "knowledge",
            None,
            &[Source::Corrections, Source::Recall, Source::Profiles, Source::External],
            Order::BestFirst,
        ),
        ("history", None, &[Source::History], Order::Window),
    ]);
    (slots, tokens(table.token_budget))
}
