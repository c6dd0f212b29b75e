//! Turning text into vectors: the built-in model, and the providers a person may choose instead.
//!
//! The built-in model ([`builtin`]) is always there: its vectors lie in the index, and it answers whenever a provider cannot.
//! A provider is an [`Embedder`], made by [`EmbedderSettings::embedder`] from plain values. Nothing here reads the environment,
//! knows the workspace or writes a file; what a key says is in no message and no log. Keeping vectors is `encode.rs`'s business,
//! searching with them `meaning.rs`'s.

mod batch;
pub(crate) mod builtin;
#[cfg(feature = "local-transformer")]
mod local;
mod ollama;
mod openai;
mod table;
#[cfg(test)]
mod tests;
mod wordpiece;

use std::path::PathBuf;

use rem_reason::http::HttpError;
use rem_reason::proxy::Proxies;
use thiserror::Error;

/// What a text is embedded for; some models tell the two apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is searched with, and somebody waits.
    Query,
    /// It is searched for.
    Passage,
}

/// Something that turns text into vectors.
pub trait Embedder: Send + Sync {
    /// Who it is, its model included: vectors are compared with those of the same name alone.
    fn name(&self) -> &str;

    /// One vector per text, in their order, all of the same width and of finite numbers.
    ///
    /// # Errors
    /// [`EmbedError`]; then no text has a vector.
    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Why there are no vectors. Messages name no key.
#[derive(Debug, Error)]
pub enum EmbedError {
    /// Nobody answers there, or not in time.
    #[error("{embedder} is not reachable at {url}: {why}")]
    Unreachable {
        /// The embedder.
        embedder: String,
        /// Where it was asked.
        url: String,
        /// What happened.
        why: String,
    },
    /// The provider answered with an error.
    #[error("{embedder} refused, status {status}: {body}")]
    Refused {
        /// The embedder.
        embedder: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it said.
        body: String,
    },
    /// The vectors are of another width than those before, or than the setting says.
    #[error("{embedder} gives vectors of {found} numbers where {expected} were expected")]
    Dimensions {
        /// The embedder.
        embedder: String,
        /// The width that was expected.
        expected: usize,
        /// The width that came.
        found: usize,
    },
    /// The answer is no list of vectors of finite numbers, one per text.
    #[error("{embedder} gave an answer that cannot be used: {what}")]
    Malformed {
        /// The embedder.
        embedder: String,
        /// What is wrong with it.
        what: String,
    },
    /// The local model cannot be loaded or run.
    #[error("the model in {} cannot be used: {why}", folder.display())]
    Model {
        /// Its folder.
        folder: PathBuf,
        /// Why.
        why: String,
    },
    /// The settings do not make an embedder.
    #[error("{0}")]
    Settings(String),
}

impl From<HttpError> for EmbedError {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Unreachable { who, url, why } | HttpError::Slow { who, url, why } => {
                Self::Unreachable { embedder: who, url, why }
            }
            HttpError::Refused { who, status, body, .. } => Self::Refused { embedder: who, status, body },
            HttpError::Malformed { who, what } => Self::Malformed { embedder: who, what },
            HttpError::Settings(what) => Self::Settings(what),
        }
    }
}

/// Who embeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// A transformer in a local folder (feature `local-transformer`).
    Folder,
    /// Ollama.
    Ollama,
    /// Any endpoint that speaks OpenAI's embeddings API.
    OpenAi,
}

/// All that makes an embedder, as plain values.
#[derive(Clone)]
pub struct EmbedderSettings {
    /// Who embeds.
    pub provider: Provider,
    /// The model's name; empty for the provider's default.
    pub model: String,
    /// The width of the vectors; 0 takes what the provider gives.
    pub dimensions: usize,
    /// The endpoint; empty for the provider's own address.
    pub url: String,
    /// The folder of a local model.
    pub folder: PathBuf,
    /// The key, where the provider wants one.
    pub api_key: Option<String>,
    /// The proxies of the surroundings.
    pub proxies: Proxies,
}

impl std::fmt::Debug for EmbedderSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EmbedderSettings")
            .field("provider", &self.provider)
            .field("model", &self.model)
            .field("url", &self.url)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl EmbedderSettings {
    /// Whether texts would be sent to another machine.
    pub fn leaves_this_machine(&self) -> bool {
        match self.provider {
            Provider::Folder => false,
            Provider::Ollama => !self.url.trim().is_empty() && !rem_reason::http::stays_here(self.url.trim()),
            Provider::OpenAi => !rem_reason::http::stays_here(self.url.trim()),
        }
    }

    /// Makes the embedder. Nobody is asked yet and no model is loaded: that happens at the first text.
    ///
    /// # Errors
    /// [`EmbedError::Settings`] when the values do not fit, [`EmbedError::Model`] when the folder holds no model.
    pub fn embedder(&self) -> Result<Box<dyn Embedder>, EmbedError> {
        Ok(match self.provider {
            Provider::Ollama => Box::new(batch::Remote::new(ollama::Ollama, self)?),
            Provider::OpenAi => Box::new(batch::Remote::new(openai::OpenAi, self)?),
            #[cfg(feature = "local-transformer")]
            Provider::Folder => Box::new(local::Local::new(&self.folder, &self.model, self.dimensions)?),
            #[cfg(not(feature = "local-transformer"))]
            Provider::Folder => {
                return Err(EmbedError::Settings(
                    "a model in a local folder needs a program built with the feature `local-transformer`"
                        .to_owned(),
                ));
            }
        })
    }
}

/// What a model wants to read before a text, by its name and the text's purpose.
fn prefix(model: &str, purpose: Purpose) -> &'static str {
    let model = model.to_ascii_lowercase();
    let (query, passage) = if has_word(&model, "e5") && !model.contains("instruct") {
        ("query: ", "passage: ")
    } else if model.contains("nomic-embed-text") {
        ("search_query: ", "search_document: ")
    } else {
        ("", "")
    };
    match purpose {
        Purpose::Query => query,
        Purpose::Passage => passage,
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|each: char| !each.is_ascii_alphanumeric()).any(|part| part == word)
}

/// Checks that there is one vector per text, of one width and of finite numbers that are not all zero.
fn check(
    embedder: &str,
    vectors: &[Vec<f32>],
    texts: usize,
    expected: Option<usize>,
) -> Result<(), EmbedError> {
    let malformed = |what: String| EmbedError::Malformed { embedder: embedder.to_owned(), what };
    if vectors.len() != texts {
        return Err(malformed(format!("{} vectors for {texts} texts", vectors.len())));
    }
    let expected = expected.or_else(|| vectors.first().map(Vec::len)).unwrap_or_default();
    for vector in vectors {
        if vector.is_empty() {
            return Err(malformed("a vector without numbers".to_owned()));
        }
        if vector.len() != expected {
            return Err(EmbedError::Dimensions {
                embedder: embedder.to_owned(),
                expected,
                found: vector.len(),
            });
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(malformed("a number that is not finite".to_owned()));
        }
    }
    Ok(())
}
