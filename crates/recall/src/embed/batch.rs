//! Embedders behind HTTP: texts in batches that the provider accepts, answers checked before anybody sees them.
//!
//! [`Remote`] is the same for every protocol; what differs is a [`Protocol`], one file each. Batches are limited by number and
//! by characters. One that is too much for the provider, by its own word or because it takes too long, is halved; a single text
//! that is too long is shortened: the beginning of a passage says more than nothing.

use std::marker::PhantomData;
use std::time::Duration;

use rem_reason::http::{Client, Patience, Refusal, SettingNames};
use serde_json::Value;

use super::{EmbedError, Embedder, EmbedderSettings, Purpose, check, prefix};

/// Characters in one request.
const MOST_CHARACTERS: usize = 24_000;
/// A text is not shortened below so many characters: then something else is wrong.
const LEAST_CHARACTERS: usize = 500;
/// How many times a batch is halved because it took too long.
const MOST_HALVINGS: u32 = 2;
/// The longest answer that is read.
const LONGEST_ANSWER: u64 = 64 * 1024 * 1024;

/// Somebody waits.
const QUERY: Patience = Patience {
    connect: Duration::from_secs(2),
    total: Duration::from_secs(5),
    overall: Duration::MAX,
    attempts: 2,
    pause: Duration::from_millis(200),
    longest_pause: Duration::from_secs(1),
    longest_answer: LONGEST_ANSWER,
};
/// Nobody waits.
const PASSAGE: Patience = Patience {
    connect: Duration::from_secs(2),
    total: Duration::from_secs(30),
    overall: Duration::MAX,
    attempts: 4,
    pause: Duration::from_millis(500),
    longest_pause: Duration::from_secs(60),
    longest_answer: LONGEST_ANSWER,
};

const SETTINGS: SettingNames =
    SettingNames { url: "embeddings.url", api_key_variable: "embeddings.api_key_variable" };

/// What providers do differently.
pub(crate) trait Protocol: Send + Sync {
    /// The first part of the embedder's name.
    const NAME: &str;
    /// The address where none is configured.
    const URL: &str;
    /// The model where none is configured.
    const MODEL: &str;
    /// What follows the address.
    const PATH: &str;
    /// Texts in one request.
    const MOST_TEXTS: usize;
    /// Whether the configured width is part of the request.
    const WIDTH_IS_ASKED_FOR: bool = false;

    /// The request's body.
    fn request(model: &str, texts: &[String], dimensions: usize) -> Value;

    /// The vectors of an answer, in the order of the texts.
    fn vectors(answer: Value) -> Result<Vec<Vec<f32>>, String>;
}

/// An embedder behind HTTP.
pub(crate) struct Remote<P> {
    client: Client,
    query: Patience,
    passage: Patience,
    name: String,
    model: String,
    dimensions: usize,
    protocol: PhantomData<P>,
}

impl<P: Protocol> Remote<P> {
    pub(crate) fn new(_: P, settings: &EmbedderSettings) -> Result<Self, EmbedError> {
        let or = |value: &str, default: &str| {
            if value.trim().is_empty() { default.to_owned() } else { value.trim().to_owned() }
        };
        let model = or(&settings.model, P::MODEL);
        let mut name = format!("{}:{model}", P::NAME);
        if P::WIDTH_IS_ASKED_FOR && settings.dimensions > 0 {
            name = format!("{name}@{}", settings.dimensions);
        }
        let url = format!("{}{}", or(&settings.url, P::URL).trim_end_matches('/'), P::PATH);
        let client = Client::new(&name, &url, settings.api_key.as_deref(), SETTINGS, &settings.proxies)?;
        Ok(Self {
            client,
            query: QUERY,
            passage: PASSAGE,
            name,
            model,
            dimensions: settings.dimensions,
            protocol: PhantomData,
        })
    }

    /// The same with other time limits.
    #[cfg(test)]
    pub(crate) fn with_patience(mut self, patience: Patience) -> Self {
        (self.query, self.passage) = (patience, patience);
        self
    }

    #[cfg(test)]
    pub(crate) fn with_client(mut self, change: impl FnOnce(Client) -> Client) -> Self {
        self.client = change(self.client);
        self
    }

    fn batch(
        &self,
        texts: &[String],
        patience: &Patience,
        halvings: u32,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let request = P::request(&self.model, texts, self.dimensions);
        let (error, halvings) = match self.client.post(&request, patience) {
            Ok(answer) => {
                let malformed = |what| EmbedError::Malformed { embedder: self.name.clone(), what };
                let vectors = P::vectors(answer).map_err(malformed)?;
                check(&self.name, &vectors, texts.len(), (self.dimensions > 0).then_some(self.dimensions))?;
                return Ok(vectors);
            }
            Err(Refusal::TooMuch(error)) => (error, halvings),
            Err(Refusal::TooSlow(error)) if halvings > 0 && texts.len() > 1 => (error, halvings - 1),
            Err(Refusal::TooSlow(error) | Refusal::Other(error)) => return Err(error.into()),
        };
        match texts {
            [text] => {
                let half = text.chars().count() / 2;
                if half < LEAST_CHARACTERS {
                    return Err(error.into());
                }
                tracing::debug!(embedder = self.name, "a text is too long and is shortened");
                self.batch(&[text.chars().take(half).collect()], patience, halvings)
            }
            _ => {
                let (first, second) = texts.split_at(texts.len() / 2);
                let mut vectors = self.batch(first, patience, halvings)?;
                vectors.extend(self.batch(second, patience, halvings)?);
                Ok(vectors)
            }
        }
    }
}

impl<P: Protocol> Embedder for Remote<P> {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let prefix = prefix(&self.model, purpose);
        let patience = match purpose {
            Purpose::Query => &self.query,
            Purpose::Passage => &self.passage,
        };
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = texts;
        while !rest.is_empty() {
            let mut characters = 0;
            let count = rest
                .iter()
                .take(P::MOST_TEXTS)
                .take_while(|text| {
                    characters += text.chars().count();
                    characters <= MOST_CHARACTERS
                })
                .count()
                .max(1);
            let (now, later) = rest.split_at(count);
            let batch: Vec<String> = now.iter().map(|text| format!("{prefix}{text}")).collect();
            vectors.extend(self.batch(&batch, patience, MOST_HALVINGS)?);
            rest = later;
        }
        // Each batch agrees with itself; the batches must agree with each other.
        check(&self.name, &vectors, texts.len(), None)?;
        Ok(vectors)
    }
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Result<Vec<f32>, String> {
    let Some(list) = value.as_array() else { return Err("a vector is no list".to_owned()) };
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a vector's numbers need no more; too large ones are found"
    )]
    list.iter()
        .map(|number| match number.as_f64() {
            Some(number) => Ok(number as f32),
            None => Err(format!("`{number}` stands in a vector")),
        })
        .collect()
}
