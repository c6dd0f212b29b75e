//! A language model behind HTTP, asked one short question at a time.
//!
//! [`Model`] speaks OpenAI's chat protocol, which most providers and local servers speak too, Ollama among them: `POST
//! {url}/chat/completions` with one message of the user, answered by `{"choices": [{"message": {"content"}}]}`. What it says is
//! given back as it stands, within the limits of the question; what it means is the asker's business. Nothing here reads the
//! environment, and no message holds a key. Of what a provider says about an error the beginning is shown.

use std::time::Duration;

use serde_json::{Value, json};
use thiserror::Error;

use crate::http::{self, Client, HttpError, Patience, SettingNames};

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatProvider {
    /// Any endpoint that speaks OpenAI's chat API.
    OpenAi,
    /// Ollama, by the same protocol.
    Ollama,
}

impl ChatProvider {
    /// The first part of the model's name.
    fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
        }
    }

    /// The address where none is configured.
    fn url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// The model where none is configured: a small one.
    fn model(self) -> &'static str {
        match self {
            Self::OpenAi => "gpt-4o-mini",
            Self::Ollama => "llama3.2",
        }
    }

    /// What follows the address.
    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/chat/completions",
            Self::Ollama => "/v1/chat/completions",
        }
    }
}

/// All that makes a model, as plain values.
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

/// A short question, and how much the answer may be and take.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What is asked.
    pub prompt: &'a str,
    /// The longest answer, in tokens; a provider may not keep to it.
    pub max_tokens: u64,
    /// How freely it is answered, from 0.
    pub temperature: f64,
    /// Until the answer is there, all tries together.
    pub within: Duration,
    /// The longest answer that is read, in bytes, with all that the protocol puts around it.
    pub longest_answer: u64,
}

/// Why a model gave no answer. Messages hold no key.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The provider is away, too slow, busy, or refuses.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The model does not want to answer.
    #[error("{0} does not want to answer")]
    Unwilling(String),
}

/// A model.
#[derive(Debug)]
pub struct Model {
    client: Client,
    name: String,
    model: String,
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
        Ok(Self { client: Client::new(&name, &url, settings.api_key.as_deref(), names)?, name, model })
    }

    /// Provider and model: `openai:gpt-4o-mini`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks, once more where the provider is busy and time is left.
    ///
    /// # Errors
    /// [`ModelError`] where there is no answer in time, or none that can be read.
    pub fn ask(&self, question: &Question<'_>) -> Result<String, ModelError> {
        let request = json!({
            "model": self.model,
            "messages": [{ "role": "user", "content": question.prompt }],
            "max_tokens": question.max_tokens,
            "temperature": question.temperature,
            "stream": false,
        });
        let patience = Patience {
            connect: question.within.min(Duration::from_secs(2)),
            total: question.within,
            overall: question.within,
            attempts: 2,
            pause: Duration::from_millis(200),
            longest_pause: question.within,
            longest_answer: question.longest_answer,
        };
        let answer = self.client.post(&request, &patience).map_err(HttpError::from)?;
        self.said(&answer)
    }

    fn said(&self, answer: &Value) -> Result<String, ModelError> {
        let choice = &answer["choices"][0];
        let message = &choice["message"];
        match &message["content"] {
            Value::String(text) => Ok(text.clone()),
            _ if message["refusal"].is_string() || choice["finish_reason"] == "content_filter" => {
                Err(ModelError::Unwilling(self.name.clone()))
            }
            _ => Err(HttpError::Malformed {
                who: self.name.clone(),
                what: "there is no text in it".to_owned(),
            }
            .into()),
        }
    }
}

fn or<'a>(value: &'a str, default: &'a str) -> &'a str {
    match value.trim() {
        "" => default,
        value => value,
    }
}
