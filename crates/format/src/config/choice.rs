//! The parameters whose value is one of a few words, each word a variant.
//!
//! A choice says what it decides; the code that acts on it matches on the variant and never on the word.

use super::parameter::{Kind, Parameter};
use super::value::{Mistake, choices};
use crate::yaml::Node;

choices! {
    /// Where the stores lie in the workspace.
    LayoutPreset {
        /// `MEMORY.md` and `memory/`, as OpenClaw has them.
        Openclaw = "openclaw",
        /// `knowledge/`, `topics/` and `raw/`.
        Autopoiesis = "autopoiesis",
    }

    /// When changes become git commits.
    GitCadence {
        /// Each change set at once.
        PerChange = "per_change",
        /// Knowledge changes together every `git.commit_interval_minutes`.
        Batched = "batched",
    }

    /// Which table of slots the context is compiled by.
    ContextPreset {
        /// The union of both seeds.
        Standard = "standard",
        /// The eight slots of P6.
        V4_1 = "v4.1",
        /// The nine slots of A6.2.
        Compiler = "compiler",
    }

    /// Who answers for the gate.
    GateProvider {
        /// Nobody: the default answers.
        None = "none",
        /// Any endpoint that speaks OpenAI's chat API.
        Openai = "openai",
        /// Ollama.
        Ollama = "ollama",
    }

    /// What counts as the gate's answer where it gives none.
    GateDefault {
        /// The topic becomes active.
        Yes = "yes",
        /// It does not.
        No = "no",
    }

    /// Who may change the identity files.
    IdentityPolicy {
        /// The gate passes, then a person approves.
        Propose = "propose",
        /// The gate alone decides.
        Auto = "auto",
        /// People only.
        Immutable = "immutable",
    }

    /// What goes first when the corrections do not fit their slot.
    CorrectionOverflow {
        /// Corrections not yet re-embedded, then the newest.
        PrioritizeUnverified = "prioritize_unverified",
        /// The newest.
        Newest = "newest",
    }

    /// How a match by words and a match by meaning become one score.
    SearchFusion {
        /// Each divided by the best of the question, then the weighted sum: the best that was measured.
        Scaled = "scaled",
        /// The seed's own arithmetic (A7.3), over the best of each list.
        Seed = "seed",
    }

    /// Who turns text into vectors.
    EmbeddingProvider {
        /// The embedder inside the program; nothing is downloaded.
        Builtin = "builtin",
        /// A transformer model in a local folder.
        Folder = "folder",
        /// Ollama.
        Ollama = "ollama",
        /// Any endpoint that speaks OpenAI's embeddings API.
        Openai = "openai",
        /// Nobody: keyword search alone.
        None = "none",
    }

    /// Who answers when a task needs a language model.
    ModelProvider {
        /// Nobody: the rules answer.
        None = "none",
        /// Any endpoint that speaks OpenAI's chat API.
        Openai = "openai",
        /// Anthropic's API.
        Anthropic = "anthropic",
        /// Ollama.
        Ollama = "ollama",
        /// A command that reads the prompt and prints the answer.
        Command = "command",
        /// The agent that uses this memory, by hand-off.
        Host = "host",
    }

    /// When transcripts are mined for knowledge.
    ExtractionTrigger {
        /// When a session closes.
        OnSessionEnd = "on_session_end",
        /// Every hour.
        Hourly = "hourly",
        /// When a person asks.
        Manual = "manual",
    }

    /// How long a span one archive file holds.
    Granularity {
        /// A calendar month.
        Month = "month",
        /// A calendar quarter.
        Quarter = "quarter",
    }

    /// How an archive file is written.
    CompactionStyle {
        /// Told anew by a model; concatenation without one.
        Narrative = "narrative",
        /// The days one after the other.
        Concatenation = "concatenation",
    }

    /// Who reviews what sub-agents propose.
    ReviewMode {
        /// Confident proposals of trusted agents are committed at once.
        AutoCommit = "auto_commit",
        /// The main agent, at the start or end of a session.
        Batch = "batch",
        /// A person.
        Manual = "manual",
    }

    /// How sure the author of a memory was.
    ConfidenceLevel {
        /// Clearly worth keeping.
        High = "high",
        /// Probably.
        Medium = "medium",
        /// Perhaps.
        Low = "low",
    }
}
