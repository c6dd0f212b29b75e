//! A topic (seeds A2.2, A4.4): a playbook, what makes it active, and what it brings into the context.
//!
//! The file is Markdown; its front matter says when the topic is active, its body is what the agent is told then. Reading reports
//! every mistake with its line and changes nothing: a [`Topic`] is never written back, so unknown keys stay as they are. A file with
//! a mistake is no topic; what is merely odd is a note. Whether files exist, and whether a pattern fits into memory, is not
//! known here.

mod read;
#[cfg(test)]
mod tests;

use serde::Serialize;

pub use read::{Issue, Parsed, TopicErrors};

use crate::cron::Cron;
use crate::path::MemoryPath;

/// A topic, as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Topic {
    /// The name: the file's, without `.md`.
    pub name: String,
    /// The first heading; the name where there is none.
    pub title: String,
    /// What it is about, in a sentence: the key `description`, else the first paragraph before any further heading, else the title.
    pub description: String,
    /// What the agent is told: the body, without white space around it.
    pub instructions: String,
    /// The line of the file on which the body starts, from 1.
    pub body_line: usize,
    /// What makes it active.
    pub triggers: Vec<Trigger>,
    /// Files that come with it, in order, each once.
    pub subscriptions: Vec<Subscription>,
    /// Who decides.
    pub activation: Activation,
    /// How much it matters.
    pub priority: Priority,
    /// The most it may add to the context, in kilobytes; `None` leaves it to CONFIG.md.
    pub max_context_kb: Option<u64>,
    /// The similarity from which it is a candidate, from 0 to 1; `None` leaves it to CONFIG.md.
    pub similarity_threshold: Option<f64>,
}

/// A file that a topic brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The file.
    pub path: MemoryPath,
    /// The line that names it, from 1.
    pub line: usize,
}

/// One trigger of a topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// What it watches for.
    pub when: When,
    /// Whose words it watches.
    pub scope: Scope,
    /// What the agent is told on its next turn when this trigger matched its own words (A4.3).
    pub correction_hint: Option<String>,
    /// The line on which it starts, from 1.
    pub line: usize,
}

/// What a trigger watches for (A4.2, A4.4).
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// A regular expression is found. Case counts only where it says `(?-i)`.
    Pattern(String),
    /// A tool call names a path that one of these globs matches.
    Glob(Vec<String>),
    /// One of these words is there, as a word.
    Keywords(Vec<String>),
    /// There is code, in one of these languages; in any, where there are none.
    Code(Vec<String>),
    /// The text is written in one of these languages.
    Language(Vec<NaturalLanguage>),
    /// One of these is mentioned, by name or with `@`; anybody, where there are none.
    Mention(Vec<String>),
    /// There is a link to one of these: a host, or a glob of host and path.
    Url(Vec<String>),
    /// The text is urgent.
    Urgency,
    /// The text is moved in this way.
    Sentiment(Mood),
    /// A webhook comes in.
    Webhook {
        /// Who sends it.
        source: String,
        /// What happened; `None` for anything.
        event: Option<String>,
    },
    /// It is time.
    Cron(Cron),
}

impl When {
    /// The word for it in a file.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Pattern(_) => "pattern",
            Self::Glob(_) => "glob",
            Self::Keywords(_) => "keywords",
            Self::Code(_) => "code",
            Self::Language(_) => "language",
            Self::Mention(_) => "mention",
            Self::Url(_) => "url",
            Self::Urgency => "urgency",
            Self::Sentiment(_) => "sentiment",
            Self::Webhook { .. } => "webhook",
            Self::Cron(_) => "cron",
        }
    }

    /// Whether it looks at messages at all: webhooks and schedules do not.
    #[must_use]
    pub fn watches_messages(&self) -> bool {
        !matches!(self, Self::Webhook { .. } | Self::Cron(_))
    }
}

/// Declares enumerations whose values are words in a topic's file.
macro_rules! words {
    ($(
        $(#[$doc:meta])+
        $Choice:ident { $( $(#[$variant_doc:meta])+ $Variant:ident = $word:literal, )+ }
    )+) => { $(
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $Choice { $( $(#[$variant_doc])+ $Variant, )+ }

        impl $Choice {
            /// The words, in order.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The word for it in a file.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $( Self::$Variant => $word, )+ }
            }

            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name { $( $word => Some(Self::$Variant), )+ _ => None }
            }
        }
    )+ };
}

words! {
    /// Whose words a trigger watches.
    Scope {
        /// The user's.
        #[default]
        Input = "input",
        /// The agent's own (A4.3).
        Output = "output",
        /// Both.
        Both = "both",
    }

    /// Who decides that a topic becomes active (A5.2).
    Activation {
        /// Nobody: a candidate is active at once.
        Auto = "auto",
        /// The gate.
        #[default]
        Gated = "gated",
        /// A person; never by itself.
        Manual = "manual",
    }

    /// How much a topic matters, from least to most (A5.4).
    Priority {
        /// Only when it fits well, and the gate agrees.
        Low = "low",
        /// When it fits, and the gate agrees.
        #[default]
        Medium = "medium",
        /// At once when it fits well.
        High = "high",
        /// At once when it is triggered.
        Critical = "critical",
    }

    /// How a text is moved, as punctuation, capitals, emoji and negation tell it.
    Mood {
        /// Strongly, whichever way.
        #[default]
        Strong = "strong",
        /// Displeased.
        Negative = "negative",
        /// Pleased.
        Positive = "positive",
    }

    /// A language that a message can be told to be written in.
    NaturalLanguage {
        /// Arabic.
        Arabic = "ar",
        /// Chinese.
        Chinese = "zh",
        /// Dutch.
        Dutch = "nl",
        /// English.
        #[default]
        English = "en",
        /// French.
        French = "fr",
        /// German.
        German = "de",
        /// Hindi.
        Hindi = "hi",
        /// Italian.
        Italian = "it",
        /// Japanese.
        Japanese = "ja",
        /// Korean.
        Korean = "ko",
        /// Portuguese.
        Portuguese = "pt",
        /// Russian.
        Russian = "ru",
        /// Spanish.
        Spanish = "es",
        /// Swedish.
        Swedish = "sv",
        /// Turkish.
        Turkish = "tr",
        /// Vietnamese.
        Vietnamese = "vi",
    }
}

impl NaturalLanguage {
    /// The language with this code (`de`) or English name (`German`), in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        Self::NAMES
            .iter()
            .filter_map(|code| Self::from_name(code))
            .find(|language| language.name() == text || format!("{language:?}").eq_ignore_ascii_case(&text))
    }
}

impl Topic {
    /// The words of its keyword triggers, in their order.
    pub fn keywords(&self) -> impl Iterator<Item = &str> {
        self.triggers.iter().flat_map(|trigger| match &trigger.when {
            When::Keywords(keywords) => keywords.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        })
    }

    /// Reads a topic's file; `name` is the file's name without `.md`.
    ///
    /// # Errors
    /// [`TopicErrors`]: all mistakes at once, each with its line.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Parsed, TopicErrors> {
        read::topic(name, bytes)
    }
}
