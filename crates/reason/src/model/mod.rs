//! A language model: behind HTTP, or a program of the person's own; asked one question at a time.
//!
//! Each protocol is in a file of its own: `openai.rs`, which most providers and local servers speak, Ollama among them, and
//! `anthropic.rs`. A question may bring a schema: the provider is told of it by its own means, and [`crate::answer`] checks what comes,
//! whoever says it. What a model says is given back as it stands, within the limits of the question; what it means is the asker's
//! business. Nothing here reads the environment, and no message holds a key. Of what a provider says about an error the beginning
//! is shown.

mod anthropic;
mod openai;

use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::command::{self, CommandError};
use crate::http::{self, HttpError, Patience, SettingNames};
use crate::proxy::Proxies;
use crate::schema::Schema;
use crate::task::{Prepared, instruction};
use crate::tokens::count_tokens;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatProvider {
    /// Any endpoint that speaks OpenAI's chat API.
    OpenAi,
    /// Ollama, by the same protocol.
    Ollama,
    /// Anthropic's API.
    Anthropic,
}

impl ChatProvider {
    /// The first part of the model's name.
    fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Anthropic => "anthropic",
        }
    }

    /// The address where none is configured.
    fn url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
            Self::Anthropic => "https://api.anthropic.com",
        }
    }

    /// The model where none is configured: a small one.
    fn model(self) -> &'static str {
        match self {
            Self::OpenAi => "gpt-4o-mini",
            Self::Ollama => "llama3.2",
            Self::Anthropic => "claude-haiku-4-5",
        }
    }

    /// The model for writing where none is configured; a local server's is the one that is there.
    #[must_use]
    pub fn strong_model(self) -> &'static str {
        match self {
            Self::OpenAi => "gpt-4.1",
            Self::Ollama => self.model(),
            Self::Anthropic => "claude-sonnet-4-5",
        }
    }

    /// The variable that holds the key of the provider's own address by custom, where there is one.
    #[must_use]
    pub fn usual_key_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Ollama => None,
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
        }
    }

    /// What follows the address.
    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/chat/completions",
            Self::Ollama => "/v1/chat/completions",
            Self::Anthropic => "/v1/messages",
        }
    }
}

/// All that makes a model behind HTTP, as plain values.
#[derive(Clone)]
pub struct ModelSettings {
    /// Who answers.
    pub provider: ChatProvider,
    /// The model's name; empty for a small one of the provider's.
    pub model: String,
    /// The endpoint; empty for the provider's own address.
    pub url: String,
    /// The key, where the provider wants one.
    pub api_key: Option<String>,
    /// The proxies of the surroundings.
    pub proxies: Proxies,
}

impl std::fmt::Debug for ModelSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ModelSettings")
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

impl ModelSettings {
    /// Whether texts would be sent to another machine.
    #[must_use]
    pub fn leaves_this_machine(&self) -> bool {
        !http::stays_here(or(&self.url, self.provider.url()))
    }
}

/// A question, and how much the answer may be and take.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What the model is; empty for nothing.
    pub system: &'a str,
    /// What is asked.
    pub prompt: &'a str,
    /// What the answer must look like, with a name for it; without one it is any text.
    pub schema: Option<(&'a str, &'a Schema)>,
    /// The longest answer, in tokens; a provider may not keep to it.
    pub max_tokens: u64,
    /// How freely it is answered, from 0.
    pub temperature: f64,
    /// Until the answer is there, all tries together.
    pub within: Duration,
    /// Requests in all, where the provider is busy.
    pub attempts: u32,
    /// The longest answer that is read, in bytes, with all that the protocol puts around it.
    pub longest_answer: u64,
}

impl<'a> Question<'a> {
    /// A prepared task as a question, answered as plainly as can be within this time.
    #[must_use]
    pub fn of(task: &'a Prepared, within: Duration) -> Self {
        Self {
            system: &task.system,
            prompt: &task.prompt,
            schema: Some((task.name, &task.schema)),
            max_tokens: task.max_answer_tokens,
            temperature: 0.0,
            within,
            attempts: 4,
            longest_answer: command::LONGEST_ANSWER,
        }
    }

    /// The tokens of what is sent, about: what the protocol adds is not counted.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let schema = self.schema.map_or(0, |(_, schema)| count_tokens(&schema.source().to_string()));
        (count_tokens(self.system) + count_tokens(self.prompt) + schema) as u64
    }

    fn patience(&self) -> Patience {
        Patience {
            connect: self.within.min(Duration::from_secs(if self.attempts > 2 { 10 } else { 2 })),
            total: self.within,
            overall: self.within,
            attempts: self.attempts,
            pause: Duration::from_millis(200),
            longest_pause: self.within,
            longest_answer: self.longest_answer,
        }
    }
}

/// The tokens that a question and its answer took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Of the question.
    pub input: u64,
    /// Of the answer.
    pub output: u64,
    /// Whether they were counted here, for the provider did not say.
    pub are_estimated: bool,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Its words.
    pub text: String,
    /// What it took.
    pub tokens: Tokens,
}

/// Why a model gave no answer. Messages hold no key.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The provider is away, too slow, busy, or refuses.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The program failed.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The model does not want to answer.
    #[error("{who} does not want to answer")]
    Unwilling {
        /// The model.
        who: String,
        /// What that took.
        tokens: Tokens,
    },
}

impl ModelError {
    /// What the question took although there is no answer; nothing where it was not taken.
    #[must_use]
    pub fn tokens(&self, question: &Question<'_>) -> Tokens {
        match self {
            Self::Unwilling { tokens, .. } => *tokens,
            // Whoever began to answer may want to be paid for it.
            Self::Http(HttpError::Slow { .. } | HttpError::Malformed { .. })
            | Self::Command(CommandError::Slow { .. } | CommandError::Long { .. }) => {
                Tokens { input: question.tokens(), output: 0, are_estimated: true }
            }
            Self::Http(_) | Self::Command(_) => Tokens::default(),
        }
    }
}

/// A model.
#[derive(Debug)]
pub struct Model {
    name: String,
    stays_here: bool,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    OpenAi(openai::Endpoint),
    Anthropic(anthropic::Endpoint),
    Program { command: String, folder: PathBuf },
}

impl Model {
    /// A model from its settings; `names` is where they stand. Nobody is asked yet.
    ///
    /// # Errors
    /// [`HttpError::Settings`] where the address cannot be used.
    pub fn new(settings: &ModelSettings, names: SettingNames) -> Result<Self, HttpError> {
        let provider = settings.provider;
        let model = or(&settings.model, provider.model()).to_owned();
        let name = format!("{}:{model}", provider.name());
        let url = format!("{}{}", or(&settings.url, provider.url()).trim_end_matches('/'), provider.path());
        let client = http::Client::new(&name, &url, settings.api_key.as_deref(), names, &settings.proxies)?;
        let kind = match provider {
            ChatProvider::OpenAi | ChatProvider::Ollama => Kind::OpenAi(openai::Endpoint::new(client, model)),
            ChatProvider::Anthropic => Kind::Anthropic(anthropic::Endpoint::new(client, model)),
        };
        Ok(Self { name, stays_here: !settings.leaves_this_machine(), kind })
    }

    /// A program that reads a question and prints the answer, run by the shell in `folder`. Whoever calls has made sure that a
    /// person wants it.
    #[must_use]
    pub fn program(command: &str, folder: &Path) -> Self {
        // The program alone: what stands before it and after it may be private.
        let word = command.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
        let name = format!("command:{}", word.rsplit('/').next().unwrap_or_default());
        let kind = Kind::Program { command: command.to_owned(), folder: folder.to_owned() };
        Self { name, stays_here: false, kind }
    }

    /// Provider and model: `openai:gpt-4o-mini`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a server on this machine, which nobody pays by the token.
    #[must_use]
    pub fn stays_here(&self) -> bool {
        self.stays_here
    }

    /// Asks, again where the provider is busy and time is left.
    ///
    /// # Errors
    /// [`ModelError`] where there is no answer in time, or none that can be read.
    pub fn ask(&self, question: &Question<'_>) -> Result<Said, ModelError> {
        match &self.kind {
            Kind::OpenAi(endpoint) => endpoint.ask(&self.name, question),
            Kind::Anthropic(endpoint) => endpoint.ask(&self.name, question),
            Kind::Program { command, folder } => {
                let asked = match question.system {
                    "" => with_instruction(question),
                    system => format!("{system}\n\n{}", with_instruction(question)),
                };
                let text = command::ask_as_helper(command, folder, asked.as_bytes(), question.within)?;
                let tokens = counted(question, &text);
                Ok(Said { text, tokens })
            }
        }
    }
}

/// The prompt, with how to answer where there is a schema.
fn with_instruction(question: &Question<'_>) -> String {
    match question.schema {
        Some((_, schema)) => format!("{}\n\n{}\n", question.prompt, instruction(schema)),
        None => question.prompt.to_owned(),
    }
}

/// The tokens of question and answer where nobody says them.
fn counted(question: &Question<'_>, text: &str) -> Tokens {
    Tokens { input: question.tokens(), output: count_tokens(text) as u64, are_estimated: true }
}

/// An answer in which nothing was said.
fn malformed(who: &str, what: &str) -> ModelError {
    HttpError::Malformed { who: who.to_owned(), what: what.to_owned() }.into()
}

fn or<'a>(value: &'a str, default: &'a str) -> &'a str {
    match value.trim() {
        "" => default,
        value => value,
    }
}
