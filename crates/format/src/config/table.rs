//! The table of parameters: each is declared here once and nowhere else.
//!
//! Defaults are the seeds' own numbers; where two seeds differ the sentence says which one won. The seed column
//! reads P for persistent memory v4.1, M for the Moltbot architecture, S for Soul Memory, A for the
//! Autopoiesis compiler, and `ours`. This file is long because it is a table; it holds no logic.

use std::collections::BTreeMap;

use super::choice::*;
use super::parameter::Limits::{None as Any, Real, Whole};
use super::parameter::{Parameter, Section, parameters};
use super::price::ModelPrices;
use super::schedule::{Schedule, at};
use super::trigger::CustomTrigger;
use super::value::{Patterns, RedactionRule, Setting, ZoneName};

const TOKENS: super::parameter::Limits = Whole(0, 10_000_000);
const KILOBYTES: super::parameter::Limits = Whole(0, 100_000);
const DAYS: super::parameter::Limits = Whole(0, 36_500);
const SHARE: super::parameter::Limits = Real(0.0, 1.0);
const FACTOR: super::parameter::Limits = Real(0.0, 100.0);

parameters! {
    /// The person this memory belongs to.
    operator: OperatorSettings {
        /// The operator's name, as entries mention it.
        name: String = String::new(), Any, "", "ours", [];
        /// The time zone that decides which day something happened on and when jobs run.
        timezone: ZoneName = ZoneName("system".to_owned()), Any, "", "S weekly review", ["timezone"];
        /// The public key that signed approvals are checked against; empty where none was made.
        public_key: String = String::new(), Any, "", "ours", [];
        /// Whether approvals of identity, vault, reflection and CONFIG.md changes must be signed.
        require_signature: bool = false, Any, "", "ours", [];
    }

    /// Where each store lies.
    layout: LayoutSettings {
        /// The arrangement of files and folders.
        preset: LayoutPreset = LayoutPreset::Openclaw, Any, "", "P12, M3, S, A3.1", [];
        /// Paths of single stores that differ from the preset, relative to the workspace.
        paths: BTreeMap<String, String> = BTreeMap::new(), Any, "", "ours", [], trust;
    }

    /// Conversations as they happened.
    transcripts: TranscriptSettings {
        /// The folder of the transcripts, relative to the workspace or absolute; empty for the layout's own.
        dir: String = String::new(), Any, "", "A2.1", [], trust;
        /// A session without a message for so long is closed and committed.
        idle_close_hours: u64 = 12, Whole(1, 8_760), "hours", "ours", [];
        /// The PostgreSQL database that messages are also kept in; empty for none.
        postgres_url: String = String::new(), Any, "", "P3", [], trust;
    }

    /// Secrets are hidden before anything reaches the disk.
    redaction: RedactionSettings {
        /// Whether the built-in rules for keys, tokens and passwords are used.
        builtin: bool = true, Any, "", "ours", [];
        /// Further rules.
        rules: Vec<RedactionRule> = Vec::new(), Any, "", "ours", [];
        /// What is never hidden, even where a rule matches.
        allow: Patterns = Patterns::default(), Any, "", "ours", [];
    }

    /// Advisory locks around every write.
    locks: LockSettings {
        /// The wait between two attempts.
        retry_interval_seconds: f64 = 2.0, Real(0.001, 3_600.0), "seconds", "P4.1, P13",
            ["lock_retry_interval_seconds"];
        /// Attempts before the write is given up.
        max_retries: u64 = 5, Whole(1, 100_000), "attempts", "P4.1, P13", ["lock_max_retries"];
        /// A lock older than this was left behind by a crash and is taken over.
        stale_threshold_seconds: u64 = 3_600, Whole(1, 31_536_000), "seconds", "P4.1, P13",
            ["lock_stale_threshold_seconds"];
    }

    /// The history of everything.
    git: GitSettings {
        /// The repository's folder: `.git`, or `.audit` for a workspace inside another repository.
        dir: String = ".git".to_owned(), Any, "", "M12.2", [], trust;
        /// When changes are committed.
        cadence: GitCadence = GitCadence::PerChange, Any, "", "M12.3, A3.2", [];
        /// How long changes are gathered with the batched cadence.
        commit_interval_minutes: u64 = 30, Whole(1, 10_080), "minutes", "A3.2, A9.3",
            ["lifecycle.commit_interval_minutes"];
        /// Whether changes are committed without being asked.
        auto_commit: bool = true, Any, "", "M16, A9.3", [];
        /// Whether commits are pushed. The seed says true; ours waits until a person wants a remote.
        auto_push: bool = false, Any, "", "A9.3", [], trust;
        /// The remote that commits are pushed to.
        remote: String = "origin".to_owned(), Any, "", "A3.2", [], trust;
        /// Whether each day with changes is tagged.
        auto_tag_daily: bool = true, Any, "", "A3.4, A9.3", [];
        /// Whether each week with changes is tagged.
        auto_tag_weekly: bool = true, Any, "", "A3.4", [];
        /// The model that says of commits what they changed, in notes beside them: `cheap`, `strong`, the provider's own name, or `off`.
        commit_message_model: String = "cheap".to_owned(), Any, "", "A3.2, A9.3", [];
        /// How much of a change the model sees.
        commit_message_diff_characters: u64 = 4_000, Whole(0, 1_000_000), "characters", "A3.2", [];
        /// The longest commit message a model may write.
        commit_message_max_tokens: u64 = 100, Whole(1, 100_000), "tokens", "A3.2", [];
        /// An `explore/` branch is dropped after so long.
        explore_prune_days: u64 = 7, DAYS, "days", "A3.3", [];
    }

    /// The log of who changed what.
    audit: AuditSettings {
        /// Older lines move into monthly digests.
        retention_days: u64 = 90, Whole(1, 36_500), "days", "M12.6, M16", ["audit_log_retention"];
        /// Whether a change of a critical file, or earlier text of an append-only file changed outside, raises an alert.
        critical_alerts: bool = true, Any, "", "M12.5, M16", ["critical_file_alerts"];
    }

    /// What the agent is shown before it answers.
    context: ContextSettings {
        /// The table of slots.
        preset: ContextPreset = ContextPreset::Standard, Any, "", "P6, A6.2", [];
        /// The model's context window.
        model_context_window: u64 = 200_000, Whole(1, 100_000_000), "tokens", "P6", [];
        /// What the host's own system prompt takes of it.
        system_prompt_tokens: u64 = 0, TOKENS, "tokens", "P6", [];
        /// What is kept free for the answer.
        headroom_reserve_tokens: u64 = 500, TOKENS, "tokens", "P6, P13", ["headroom_reserve_tokens"];
        /// How far back recent memory reaches.
        recent_hours: u64 = 48, Whole(0, 876_000), "hours", "P6, P13", ["memory_retention_hours"];
        /// Which corrections stay when they do not all fit.
        correction_overflow: CorrectionOverflow = CorrectionOverflow::PrioritizeUnverified, Any, "", "P6, P13",
            ["correction_overflow_strategy"];
        /// The file whose text fills the external slot; empty for none.
        external_source: String = String::new(), Any, "", "P10, P13", ["external_context_source"], trust;
        /// Whether what is worth keeping of earlier turns becomes episodes, by rules, before it falls out of a session's window
        /// unrecorded; off for hosts that see to it themselves.
        flush_by_rules: bool = true, Any, "", "A6.4", [];
        /// The command that gives profiles of those a conversation names, empty for none: it reads the message, names and groups as JSON
        /// and prints a Markdown section for each profile. It runs only where providers are trusted.
        crm_source: String = String::new(), Any, "", "P6, P10", ["crm_context_source"], trust;
        /// How long that command may take; without it the context has what it has.
        crm_timeout_ms: u64 = 300, Whole(1, 60_000), "milliseconds", "P10", [];
        /// Scored knowledge below this is left out.
        knowledge_min_score: f64 = 0.05, SHARE, "", "A6.3", [];
        /// The longest piece of one scored file.
        knowledge_snippet_characters: u64 = 500, Whole(1, 1_000_000), "characters", "A6.3", [];
        /// How fast scored knowledge fades with its age; 0.1 halves it in about a week.
        knowledge_recency_lambda: f64 = 0.1, FACTOR, "per day", "A6.3", [];
        /// What each reference to a file adds to its score.
        knowledge_reference_boost: f64 = 0.1, FACTOR, "per reference", "A6.3", [];
        /// Filling stops when less than this is left.
        stop_below_tokens: u64 = 100, TOKENS, "tokens", "A6.3", [];
        /// Whether old tool results shrink to one line.
        summarize_tool_results: bool = true, Any, "", "A6.4", [];
        /// How full the window is when durable notes are written before old messages go.
        flush_at_percent: u64 = 90, Whole(1, 100), "percent", "A6.4", [];
    }

    /// What hosts are told before their agent answers.
    hooks: HookSettings {
        /// A hook that has no answer after so long gives none: the host goes on, the rest of the work is done apart from it.
        deadline_ms: u64 = 500, Whole(1, 600_000), "milliseconds", "ours", [];
        /// The most a hook puts before a message.
        context_tokens: u64 = 2_000, Whole(1, 1_000_000), "tokens", "ours", [];
    }

    /// The slots of the `standard` preset: the union of both seeds.
    context_standard: StandardSlots {
        /// All slots together.
        token_budget: u64 = 8_000, Whole(1, 10_000_000), "tokens", "ours", [];
        /// Identity files; never dropped.
        identity_tokens: u64 = 800, TOKENS, "tokens", "P6", [];
        /// The operator's profile.
        operator_tokens: u64 = 600, TOKENS, "tokens", "P6", [];
        /// Corrections.
        corrections_tokens: u64 = 400, TOKENS, "tokens", "P6", [];
        /// MEMORY.md, in main sessions.
        core_tokens: u64 = 2_000, TOKENS, "tokens", "M4, A6.2", [];
        /// Instructions and subscriptions of active topics.
        topics_tokens: u64 = 700, TOKENS, "tokens", "A6.2", [];
        /// What happened lately.
        recent_tokens: u64 = 1_200, TOKENS, "tokens", "P6", [];
        /// What the search finds for the message.
        recall_tokens: u64 = 1_500, TOKENS, "tokens", "P6, A6.2", [];
        /// Entities that the conversation mentions.
        profiles_tokens: u64 = 600, TOKENS, "tokens", "P6", [];
        /// The index of active projects.
        projects_tokens: u64 = 200, TOKENS, "tokens", "A6.2", [];
        /// Earlier turns of the session, for hosts that do not keep them.
        history_tokens: u64 = 0, TOKENS, "tokens", "A6.2", [];
        /// The external source.
        external_tokens: u64 = 0, TOKENS, "tokens", "P6", [];
    }

    /// The slots of the `v4.1` preset, to the number of P6.
    context_v4_1: V41Slots {
        /// All slots together.
        token_budget: u64 = 6_000, Whole(1, 10_000_000), "tokens", "P6, P13", ["context_budget_tokens"];
        /// SOUL.md; never dropped.
        identity_tokens: u64 = 800, TOKENS, "tokens", "P6, P13", ["identity_tokens"];
        /// USER.md.
        user_profile_tokens: u64 = 600, TOKENS, "tokens", "P6, P13", ["user_profile_tokens"];
        /// CORRECTIONS.md.
        corrections_tokens: u64 = 400, TOKENS, "tokens", "P6, P13", ["corrections_tokens"];
        /// The last hours of `memory/`.
        recent_memory_tokens: u64 = 1_200, TOKENS, "tokens", "P6, P13", ["recent_memory_tokens"];
        /// What the search finds for the message.
        semantic_recall_tokens: u64 = 1_500, TOKENS, "tokens", "P6, P13", ["semantic_recall_tokens"];
        /// Profiles of who and what the conversation mentions.
        crm_tokens: u64 = 1_000, TOKENS, "tokens", "P6, P10, P13", ["crm_tokens", "crm_context_budget"];
        /// MEMORY.md.
        longterm_memory_tokens: u64 = 500, TOKENS, "tokens", "P6, P13", ["longterm_memory_tokens"];
        /// The external source.
        external_context_tokens: u64 = 0, TOKENS, "tokens", "P6, P10, P13", ["external_context_budget"];
    }

    /// The slots of the `compiler` preset, to the number of A6.2. A kilobyte counts as 256 tokens.
    context_compiler: CompilerSlots {
        /// All slots together; what the fixed ones leave goes to scored knowledge, then to history.
        token_budget: u64 = 8_192, Whole(1, 10_000_000), "tokens", "A6.2, A9.3", [];
        /// System prompt and safety rules of the runtime.
        system_budget_kb: u64 = 1, KILOBYTES, "kilobytes", "A6.2", [];
        /// Identity files; never dropped.
        identity_budget_kb: u64 = 17, KILOBYTES, "kilobytes", "A6.2, A9.3", [];
        /// MEMORY.md, in main sessions.
        memory_budget_kb: u64 = 3, KILOBYTES, "kilobytes", "A6.2, A9.3", [];
        /// The journal of today and yesterday.
        journal_budget_kb: u64 = 4, KILOBYTES, "kilobytes", "A6.2, A9.3", [];
        /// The index of active projects.
        projects_budget_kb: u64 = 1, KILOBYTES, "kilobytes", "A6.2", [];
        /// Active topics: their instructions and their subscriptions together.
        topic_budget_kb: u64 = 6, KILOBYTES, "kilobytes", "A6.2, A9.3", [];
        /// The part of it that belongs to the instructions; the subscriptions have the rest.
        topic_instructions_kb: u64 = 2, KILOBYTES, "kilobytes", "A6.2", [];
    }

    /// The check of every message for things to remember, forget or correct.
    triage: TriageSettings {
        /// The time one message may take; a message that takes longer is said on the log.
        latency_budget_ms: u64 = 50, Whole(1, 60_000), "milliseconds", "P7", [];
        /// Further patterns, what each is a sign of, whose words it looks at (`input`, `output` or `both`), and where its matches go.
        custom_patterns: Vec<CustomTrigger> = Vec::new(), Any, "", "P7, P10, P13",
            ["heartbeat_custom_patterns"];
        /// The script that takes over recall failures about tools and skills; empty for none.
        recall_external_handler: String = String::new(), Any, "", "P5.3, P10, P13",
            ["recall_external_handler"], trust;
    }

    /// Topics: which playbooks become active for a message.
    topics: TopicSettings {
        /// Similarity from which a topic is a candidate, where the topic does not say.
        similarity_threshold: f64 = 0.15, SHARE, "", "A4.2, A9.3", ["watchers.similarity_threshold"];
        /// A topic of high priority skips the gate from this similarity on.
        high_bypass_score: f64 = 0.3, SHARE, "", "A5.4", [];
        /// A topic of medium priority is dropped below this similarity.
        medium_gate_score: f64 = 0.2, SHARE, "", "A5.4", [];
        /// A topic of low priority is dropped below this similarity.
        low_gate_score: f64 = 0.3, SHARE, "", "A5.4", [];
        /// Who answers for the gate.
        gate_provider: GateProvider = GateProvider::None, Any, "", "A5.2", [], trust;
        /// Its endpoint; empty for `models.url` where `models.provider` is the same, else the provider's own address.
        gate_url: String = String::new(), Any, "", "ours", [], trust;
        /// The environment variable that holds its key; empty for `models.api_key_variable` where `models.provider` is the same.
        gate_api_key_variable: String = String::new(), Any, "", "ours", [], trust;
        /// The model that answers the gate: `cheap`, `strong` or the provider's own name.
        gate_model: String = "cheap".to_owned(), Any, "", "A5.2, A9.3", ["watchers.gate_model"];
        /// The longest answer of the gate.
        gate_max_tokens: u64 = 1, Whole(1, 1_000), "tokens", "A5.2, A9.3", ["watchers.gate_max_tokens"];
        /// How freely the gate answers.
        gate_temperature: f64 = 0.0, Real(0.0, 2.0), "", "A5.2", [];
        /// How long the gate may take over one message, all topics and all tries together.
        gate_timeout_ms: u64 = 1_500, Whole(10, 600_000), "milliseconds", "ours", [];
        /// How much of the message the gate sees.
        gate_message_characters: u64 = 500, Whole(1, 100_000), "characters", "A5.2", [];
        /// How much of the topic's description the gate sees.
        gate_description_characters: u64 = 200, Whole(1, 100_000), "characters", "A5.2", [];
        /// The answer where the gate gives none (no model, no answer in time, neither yes nor no) and a trigger of the topic matched;
        /// without one the answer is no.
        gate_default: GateDefault = GateDefault::Yes, Any, "", "ours", [];
        /// Answers of the gate that are remembered.
        gate_cache_entries: u64 = 1_024, Whole(0, 1_000_000), "answers", "A5.3", [];
        /// Words the similarity looks at.
        max_features: u64 = 5_000, Whole(1, 1_000_000), "words", "A4.2", [];
        /// The most a topic may add to the context, where the topic does not say.
        max_context_kb: u64 = 4, KILOBYTES, "kilobytes", "A2.2", [];
    }

    /// Finding memories.
    search: SearchSettings {
        /// The most results of one search.
        max_results: u64 = 20, Whole(1, 10_000), "results", "M16", [];
        /// Results below this score are not shown.
        min_score: f64 = 0.3, SHARE, "", "M16", [];
        /// What the match by words counts.
        bm25_weight: f64 = 0.8, SHARE, "", "A7.1, A9.3 (0.4)", [];
        /// What the match by meaning counts.
        vector_weight: f64 = 0.2, SHARE, "", "A7.1, A9.3 (0.6)", [];
        /// How the two become one score.
        fusion: SearchFusion = SearchFusion::Scaled, Any, "", "A7.3", [];
        /// What a correction's score is multiplied by.
        correction_boost: f64 = 1.5, FACTOR, "", "P5.3, P8, P13", ["correction_relevance_boost"];
        /// How many relations a search follows from an entity that is asked about; further than two says nothing about it.
        graph_depth: u64 = 2, Whole(0, 2), "hops", "M11.2, M16", [];
        /// How many connections of one entity the graph is asked for at most, those used last first; an answer names the entities that have more.
        graph_breadth: u64 = 50, Whole(1, 1000), "connections", "M11.2", [];
        /// Whether dated files fade with age. Soul Memory leaves it off; the ranking of this program needs it.
        temporal_decay: bool = true, Any, "", "S temporal decay", [];
        /// The age at which a dated file counts half.
        half_life_days: f64 = 30.0, Real(0.1, 36_500.0), "days", "S temporal decay", [];
        /// How much of the fading reaches the ranking: 1 is Soul Memory's formula as it stands, which leaves nothing of last year.
        decay_strength: f64 = 0.05, SHARE, "", "S temporal decay (1)", [];
        /// How much of a memory's relevance reaches the ranking: 1 multiplies by it, as the seed has it; 0 not at all.
        relevance_strength: f64 = 0.2, SHARE, "", "M11.3 (1)", [];
        /// The length passages are split at.
        passage_tokens: u64 = 400, Whole(50, 8_000), "tokens", "A7.3", [];
        /// The longest snippet of one result.
        snippet_characters: u64 = 320, Whole(20, 10_000), "characters", "A7.3", [];
    }

    /// Turning text into vectors.
    embeddings: EmbeddingSettings {
        /// Who does it.
        provider: EmbeddingProvider = EmbeddingProvider::Builtin, Any, "", "S, A9.3", [], trust;
        /// The model's name; empty for the provider's default.
        model: String = String::new(), Any, "", "S, A9.3", ["search.embedding_model"];
        /// The width of the vectors; 0 takes what the provider says.
        dimensions: u64 = 0, Whole(0, 65_536), "numbers", "S, A9.3", ["search.embedding_dimensions"];
        /// The endpoint; empty for the provider's own address.
        url: String = String::new(), Any, "", "S", [], trust;
        /// The folder of a local model.
        folder: String = String::new(), Any, "", "S", [], trust;
        /// The environment variable that holds the key.
        api_key_variable: String = String::new(), Any, "", "ours", [], trust;
        /// How long the vector of a corrected memory is kept.
        corrected_grace_days: u64 = 7, DAYS, "days", "P5.5, P13", ["corrected_embedding_grace_days"];
        /// A vector mentioned once and not seen for so long is flagged.
        stale_days: u64 = 90, DAYS, "days", "P5.5", [];
        /// A flagged vector is deleted after so long.
        stale_grace_days: u64 = 7, DAYS, "days", "P5.5", [];
    }

    /// MEMORY.md, which is always in the context of a main session.
    core: CoreSettings {
        /// The most it may hold.
        token_cap: u64 = 3_000, Whole(1, 1_000_000), "tokens", "M4, M16", ["core_memory_cap"];
        /// The block Identity.
        identity_tokens: u64 = 500, TOKENS, "tokens", "M4", [];
        /// The block Active Context.
        active_context_tokens: u64 = 1_000, TOKENS, "tokens", "M4", [];
        /// The block Persona.
        persona_tokens: u64 = 500, TOKENS, "tokens", "M4", [];
        /// The block Critical Facts.
        critical_facts_tokens: u64 = 1_000, TOKENS, "tokens", "M4", [];
        /// The most lines it should have; pruning brings it below.
        line_cap: u64 = 200, Whole(1, 100_000), "lines", "A2.2, A9.3", ["lifecycle.memory_line_cap"];
        /// A commit warns from here on.
        line_warning: u64 = 180, Whole(1, 100_000), "lines", "A2.2", [];
        /// A commit is refused from here on.
        line_error: u64 = 220, Whole(1, 100_000), "lines", "A2.2", [];
    }

    /// Forgetting what nobody uses.
    decay: DecaySettings {
        /// The rate; 0.03 halves a memory in about 23 days.
        lambda: f64 = 0.03, Real(0.0, 10.0), "per day", "M9.1, M16", ["decay_lambda"];
        /// The weight of core memories.
        core_weight: f64 = 1.5, FACTOR, "", "M9.1", [];
        /// The weight of episodes.
        episodic_weight: f64 = 0.8, FACTOR, "", "M9.1", [];
        /// The weight of facts.
        semantic_weight: f64 = 1.2, FACTOR, "", "M9.1", [];
        /// The weight of procedures.
        procedural_weight: f64 = 1.0, FACTOR, "", "M9.1", [];
        /// The importance of what someone asked to remember.
        explicit_base: f64 = 1.0, SHARE, "", "M9.1", [];
        /// The importance of what was noticed automatically.
        detected_base: f64 = 0.7, SHARE, "", "M9.1", [];
        /// The importance of what was inferred.
        inferred_base: f64 = 0.5, SHARE, "", "M9.1", [];
        /// From this relevance on a memory is active.
        active_threshold: f64 = 0.5, SHARE, "", "M9.2", [];
        /// From this relevance on a memory is fading; below, dormant.
        fading_threshold: f64 = 0.2, SHARE, "", "M9.2", [];
        /// Below this relevance a memory is archived.
        archive_threshold: f64 = 0.05, SHARE, "", "M9.2, M16", ["decay_archive_threshold"];
        /// The rate of the eviction score; 0.05 halves it in about 14 days.
        eviction_lambda: f64 = 0.05, Real(0.0, 10.0), "per day", "A8.5", [];
        /// Files below this eviction score may be archived.
        eviction_score: f64 = 0.01, SHARE, "", "A8.5", [];
        /// No file younger than this is evicted.
        eviction_min_age_days: u64 = 30, DAYS, "days", "A8.5", [];
    }

    /// How sure a memory is.
    confidence: ConfidenceSettings {
        /// What the operator said.
        statement: f64 = 0.95, SHARE, "", "P8", [];
        /// What the operator corrected.
        correction: f64 = 1.0, SHARE, "", "P8", [];
        /// What was inferred.
        inferred: f64 = 0.6, SHARE, "", "P8", [];
        /// What each further mention adds.
        boost_per_mention: f64 = 0.05, SHARE, "", "P8, P13", ["confidence_boost_per_mention"];
        /// What each interval without a mention takes.
        decay_amount: f64 = 0.05, SHARE, "", "P8, P13", ["confidence_decay_amount"];
        /// The interval.
        decay_interval_days: u64 = 30, Whole(1, 36_500), "days", "P8, P13", ["confidence_decay_interval_days"];
        /// Confidence never falls below this.
        floor: f64 = 0.2, SHARE, "", "P8, P13", ["confidence_floor"];
    }

    /// Corrections, from the first report to the archive.
    corrections: CorrectionSettings {
        /// Whether a message that says that something was remembered wrongly corrects what it contradicts by itself.
        automatic: bool = true, Any, "", "P5.3", [];
        /// How long a correction rests before identity may learn from it.
        cooldown_hours: u64 = 24, Whole(0, 87_600), "hours", "P5.2, P5.3, P13", ["correction_cooldown_hours"];
        /// A correction that is not the operator's is retracted below this confidence.
        retraction_confidence: f64 = 0.3, SHARE, "", "P5.4, P8, P13", ["correction_retraction_confidence"];
        /// Older corrections move to the archive.
        archive_days: u64 = 14, DAYS, "days", "P5.5, P13", ["correction_archive_days"];
        /// From this similarity on a memory is what the correction speaks of.
        match_similarity: f64 = 0.85, SHARE, "", "P5.3", [];
    }

    /// Contradictions between memories.
    conflicts: ConflictSettings {
        /// From this similarity on two memories are compared.
        similarity: f64 = 0.8, SHARE, "", "P5.4", [];
        /// How far back the daily scan looks.
        scan_hours: u64 = 24, Whole(1, 87_600), "hours", "P5.4", [];
        /// The newer of two memories wins when it is newer by so much.
        newer_wins_days: u64 = 30, DAYS, "days", "P5.4", [];
    }

    /// Who the agent is.
    identity: IdentitySettings {
        /// Who may change it.
        policy: IdentityPolicy = IdentityPolicy::Propose, Any, "", "P9, S T0, M12.5", [];
        /// The most SOUL.md may hold.
        max_tokens: u64 = 800, Whole(1, 1_000_000), "tokens", "P5.2, P13", ["soul_max_tokens"];
        /// Daily snapshots are kept so long; after that, one a month.
        history_retention_days: u64 = 90, DAYS, "days", "P5.5, P13", ["soul_history_retention_days"];
        /// A pattern must be seen so often before it becomes identity.
        min_occurrences: u64 = 2, Whole(1, 1_000), "occurrences", "P5.2, P13", ["soul_encoding_min_occurrences"];
        /// Drift is what the agent's messages of so many days show …
        drift_days: u64 = 14, Whole(1, 3_650), "days", "P5.2", [];
        /// … against those of so many days before.
        drift_baseline_days: u64 = 90, Whole(1, 3_650), "days", "P5.2", [];
        /// With fewer messages on either side nothing is said of how they changed.
        drift_min_messages: u64 = 20, Whole(8, 100_000), "messages", "P5.2", [];
    }

    /// From conversations to knowledge.
    lifecycle: LifecycleSettings {
        /// When transcripts are extracted.
        extraction_trigger: ExtractionTrigger = ExtractionTrigger::OnSessionEnd, Any, "", "A8.3, A9.3", [];
        /// The miner keeps what the extractors are at least so sure of.
        mining_confidence: f64 = 0.8, SHARE, "", "P5.1", [];
        /// From this similarity on the miner merges a memory into an existing one.
        merge_similarity: f64 = 0.9, SHARE, "", "P5.1", [];
        /// How much of the transcripts a summary reads.
        transcript_characters: u64 = 8_000, Whole(100, 10_000_000), "characters", "A8.4", [];
        /// The longest daily summary.
        summary_max_tokens: u64 = 500, Whole(1, 100_000), "tokens", "A8.4", [];
        /// What a week puts into MEMORY.md has no more tokens; what is worth least has no room there and stays where it is noted.
        rollup_max_tokens: u64 = 2_000, Whole(1, 100_000), "tokens", "A8.4", [];
        /// Older journal files move to the archive.
        journal_retention_days: u64 = 90, DAYS, "days", "A8.5, A9.3", [];
    }

    /// From daily notes to lasting memory.
    promotion: PromotionSettings {
        /// Matches below this are no candidates.
        min_confidence: f64 = 0.4, SHARE, "", "S promotion", [];
        /// How far back candidates are looked for.
        days: u64 = 7, DAYS, "days", "S promotion", [];
        /// A memory found in so many sessions is a candidate by frequency.
        frequency: u64 = 3, Whole(1, 1_000), "sessions", "S promotion", [];
    }

    /// From old days to archives.
    compaction: CompactionSettings {
        /// Daily files older than this go into the archive of their month with `rem compact`, and into its chronicle where a model tells it.
        age_days: u64 = 30, DAYS, "days", "P5.5, P13", ["compaction_age_days"];
        /// Daily files older than this are offered by `rem memory compact`, as Soul Memory has it.
        archive_days: u64 = 90, DAYS, "days", "S compact", [];
        /// The span of one archive file.
        granularity: Granularity = Granularity::Month, Any, "", "P5.5, S compact", [];
        /// Whether a model tells of archived days in the month's chronicle, or the archive stands alone. It holds every sentence either way.
        style: CompactionStyle = CompactionStyle::Narrative, Any, "", "P5.5, S compact", [];
        /// Entries of MEMORY.md below this confidence may go …
        hygiene_confidence: f64 = 0.3, SHARE, "", "P5.5", [];
        /// … when nobody mentioned them for so long.
        hygiene_unmentioned_days: u64 = 60, DAYS, "days", "P5.5", [];
    }

    /// Looking back at night.
    reflection: ReflectionSettings {
        /// The most one reflection may write.
        token_budget: u64 = 8_000, Whole(1, 1_000_000), "tokens", "M10.2, M16", ["reflection_token_budget"];
        /// Whether it starts by the clock (`schedule.reflection`).
        on_schedule: bool = true, Any, "", "M10.1, M16", [];
        /// Whether it starts when a long session ends.
        on_session_end: bool = true, Any, "", "M10.1, M16", [];
        /// A session with so many messages is long.
        session_messages: u64 = 20, Whole(1, 1_000_000), "messages", "M10.1", [];
        /// It starts when so many episodes wait.
        episode_threshold: u64 = 20, Whole(1, 1_000_000), "episodes", "M10.1", [];
    }

    /// What sub-agents propose.
    proposals: ProposalSettings {
        /// Who reviews them.
        review: ReviewMode = ReviewMode::Batch, Any, "", "M13.4", [];
        /// Sub-agents whose confident proposals may be committed at once.
        trusted_agents: Vec<String> = Vec::new(), Any, "", "M13.4", [], trust;
        /// The confidence that takes.
        auto_commit_confidence: ConfidenceLevel = ConfidenceLevel::High, Any, "", "M13.4", [];
    }

    /// When jobs run, in the operator's time zone.
    schedule: ScheduleSettings {
        /// Growing the identity.
        soul_keeper: Schedule = at("02:30"), Any, "", "P11, P13", ["cron_soul_keeper"];
        /// Mining conversations.
        memory_miner: Schedule = at("06:00"), Any, "", "P11, P13", ["cron_memory_miner"];
        /// Looking for contradictions.
        conflict_detector: Schedule = at("07:00"), Any, "", "P11, P13", ["cron_conflict_detector"];
        /// Compacting old days.
        compactor: Schedule = at("Sunday 03:00"), Any, "", "P11, P13", ["cron_compactor_weekly"];
        /// Cleaning the vectors.
        vector_hygiene: Schedule = at("Sunday 03:30"), Any, "", "P11", [];
        /// Reflecting.
        reflection: Schedule = at("03:00"), Any, "", "M10.1", [];
        /// Writing the day's summary.
        condensation: Schedule = at("0 23 * * *"), Any, "", "A8.4, A9.3", ["lifecycle.condensation_schedule"];
        /// Rolling the week up into MEMORY.md.
        weekly_rollup: Schedule = at("Sunday 22:00"), Any, "", "A8.4", [];
        /// Distilling the month.
        monthly_distillation: Schedule = at("0 1 1 * *"), Any, "", "A8.4", [];
        /// Pruning what is over its cap or its age.
        pruning: Schedule = at("0 0 * * 0"), Any, "", "A8.5, A9.3", ["lifecycle.pruning_schedule"];
        /// Tagging the week.
        weekly_tag: Schedule = at("Sunday 23:59"), Any, "", "A3.4", [];
        /// Reporting candidates for promotion.
        promotion_review: Schedule = at("0 18 * * 5"), Any, "", "S weekly review", [];
        /// Turning old months of the audit log into digests.
        audit_digest: Schedule = at("0 2 1 * *"), Any, "", "M12.6", [];
        /// Computing relevance anew.
        decay: Schedule = at("04:00"), Any, "", "M9", [];
        /// Saying of commits what they changed, where a model is named.
        commit_messages: Schedule = at("05:00"), Any, "", "A3.2", [];
        /// Whether a run missed while the machine slept is made up for.
        catch_up: bool = true, Any, "", "ours", [];
    }

    /// Language models. Nothing needs one; everything is better with one.
    models: ModelSettings {
        /// Who answers.
        provider: ModelProvider = ModelProvider::None, Any, "", "P2.6, ours", [], trust;
        /// The endpoint; empty for the provider's own address.
        url: String = String::new(), Any, "", "ours", [], trust;
        /// The command of the provider `command`, such as `claude -p`.
        command: String = String::new(), Any, "", "ours", [], trust;
        /// The environment variable that holds the key; empty for the provider's usual one where `models.url` is empty too.
        api_key_variable: String = String::new(), Any, "", "ours", [], trust;
        /// A file that holds the key, instead of a variable: its whole path. It must lie outside the workspace, and nobody else may read it.
        api_key_file: String = String::new(), Any, "", "ours", [], trust;
        /// The model for small questions; empty for the provider's cheapest. The seed says haiku.
        cheap: String = String::new(), Any, "", "A5.2, A12", [];
        /// The model for writing; empty for the provider's usual one. The seed says sonnet.
        strong: String = String::new(), Any, "", "A8.4, A12", [];
        /// Whether a model says what a memory is and where it goes, a call for each; else rules do, offline and at once.
        router: bool = false, Any, "", "M8.2", [];
        /// How long an answer may take.
        timeout_seconds: u64 = 120, Whole(1, 86_400), "seconds", "ours", [];
    }

    /// What models may cost.
    spending: SpendingSettings {
        /// The most one day may cost; 0 for no cap.
        daily_cap_usd: f64 = 1.0, Real(0.0, 100_000.0), "US dollars", "A12", [];
        /// The most one month may cost; 0 for no cap.
        monthly_cap_usd: f64 = 10.0, Real(0.0, 1_000_000.0), "US dollars", "A12", [];
        /// The most tokens one day may take; 0 for no cap.
        daily_cap_tokens: u64 = 0, Whole(0, 1_000_000_000_000), "tokens", "ours", [];
        /// The share of each cap that is kept for what a person waits for; work in the background stops before it.
        kept_for_waiting: f64 = 0.2, SHARE, "", "ours", [];
        /// Prices of models that the program does not know, or knows otherwise, in US dollars for a million tokens:
        /// `{gpt-4o-mini: {input: 0.15, output: 0.6}}`. A model without a price costs an unknown amount; its tokens are counted.
        prices: ModelPrices = ModelPrices::default(), Any, "", "A12", [];
    }

    /// The local server.
    server: ServerSettings {
        /// Where it listens.
        address: String = "127.0.0.1:7077".to_owned(), Any, "", "A9.2", [], trust;
        /// Further names that it is called by, such as `memory.example.org`; the machine's own are known.
        allowed_hosts: Vec<String> = Vec::new(), Any, "", "ours", [], trust;
        /// Web pages that may ask it, as `https://memory.example.org`.
        allowed_origins: Vec<String> = Vec::new(), Any, "", "ours", [], trust;
        /// The largest request.
        body_limit_kib: u64 = 4096, Whole(1, 1_048_576), "KiB", "ours", [];
    }
}
