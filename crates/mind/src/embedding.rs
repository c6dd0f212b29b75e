//! The embedder that CONFIG.md asks for: made from the settings, used by searches, and its vectors kept complete.
//!
//! A provider that cannot be used is never a reason to fail a search: the built-in model answers, and the answer says why.

use std::path::Path;
use std::time::SystemTime;

use jiff::SignedDuration;
use jiff::civil::Date;
use rem_format::config::EmbeddingProvider;
use rem_recall::{
    Answer, EmbedError, Embedder, EmbedderSettings, EncodeError, Encoded, Index, Mode, Progress, Query,
    QueryError, Refreshed, SearchError, Sources, Tidied,
};
use serde::Serialize;

use crate::error::MemoryError;
use crate::memory::Memory;
use crate::providers::KeyPlace;

/// An embedder in a [`Memory`].
pub(crate) struct Provider(Box<dyn Embedder>);

impl std::fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Provider").field(&self.0.name()).finish()
    }
}

/// How far the passages are encoded by the embedder that the settings ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Encoding {
    /// The embedder; empty where it could not be made.
    pub embedder: String,
    /// Passages that have a vector.
    pub done: usize,
    /// Passages that say anything.
    pub total: usize,
    /// Why it is not complete, if it is not.
    pub error: Option<String>,
}

impl Memory {
    /// Encodes every passage with the embedder that the settings ask for; nothing where that is the built-in model or nobody.
    /// A provider that is away is no error: the outcome says so.
    ///
    /// # Errors
    /// [`MemoryError::Search`] when there can be no index here.
    pub fn encode(&self, progress: &mut dyn FnMut(Progress)) -> Result<Option<Encoding>, MemoryError> {
        let provider = match self.provider() {
            Ok(None) => return Ok(None),
            Ok(Some(provider)) => provider,
            Err(why) => {
                let error = Some(why.clone());
                return Ok(Some(Encoding { embedder: String::new(), done: 0, total: 0, error }));
            }
        };
        let mut index = Index::open(&self.index_path(), self.passage_tokens()).map_err(SearchError::from)?;
        let (encoded, error) = match index.encode(provider, progress, None) {
            Ok(encoded) => (encoded, None),
            Err(EncodeError::Embed(error)) => {
                (index.encoded(provider.name()).map_err(SearchError::from)?, Some(error.to_string()))
            }
            Err(EncodeError::Index(error)) => return Err(SearchError::from(error).into()),
        };
        let Encoded { done, total } = encoded;
        Ok(Some(Encoding { embedder: provider.name().to_owned(), done, total, error }))
    }

    /// One search with the embedder that the settings ask for.
    pub(crate) fn recall_with_embedder(
        &self,
        sources: &Sources<'_>,
        query: &Query,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Answer, Option<Refreshed>), QueryError> {
        let (query, embedder, notice) = self.as_configured(query);
        let (mut answer, refreshed) = self.with_index(|index| {
            rem_recall::recall(index, sources, &query, embedder, self.passage_tokens(), progress)
        })?;
        noticed(&query, &mut answer, notice);
        Ok((answer, refreshed))
    }

    /// Takes vectors away that no answer needs (P5.5): of what was corrected more than `embeddings.corrected_grace_days` ago, of texts that
    /// are no more, and of providers that are not used; and has a damaged index made anew. Says what was done.
    pub(crate) fn tidy_vectors(&self, observed_at: SystemTime) -> Result<String, MemoryError> {
        self.index(false, observed_at, &mut |_| {})?;
        let grace = i64::try_from(self.config.embeddings.corrected_grace_days).unwrap_or(i64::MAX / 24);
        let before = self.today().checked_sub(SignedDuration::from_hours(grace.saturating_mul(24)));
        let provider = self.provider().ok().flatten().map(|provider| provider.name().to_owned());
        let tidied = self.with_index(|index| {
            let index = index?;
            if !index.is_sound()? {
                return Ok(None);
            }
            index.tidy_vectors(provider.as_deref(), before.unwrap_or(Date::MIN)).map(Some)
        });
        Ok(match tidied.map_err(SearchError::from)? {
            None => {
                self.index(true, observed_at, &mut |_| {})?;
                "the index was damaged, and is made anew".to_owned()
            }
            Some(Tidied { corrected: 0, dropped: 0 }) => "no vector to drop".to_owned(),
            Some(Tidied { corrected, dropped }) => {
                format!("{dropped} vectors dropped; {corrected} passages say only what was corrected")
            }
        })
    }

    /// One search with the embedder that the settings ask for, in the index as it stands.
    pub(crate) fn search_with_embedder(&self, query: &Query) -> Result<Answer, SearchError> {
        let (query, embedder, notice) = self.as_configured(query);
        let mut answer = self.with_index(|index| index?.search(&query, embedder))?;
        noticed(&query, &mut answer, notice);
        Ok(answer)
    }

    /// The question as the settings have it matched, who tells its meaning, and why it is another than the settings name.
    fn as_configured(&self, query: &Query) -> (Query, Option<&dyn Embedder>, Option<String>) {
        let (embedder, notice) = match self.provider() {
            Ok(embedder) => (embedder, None),
            Err(why) => (None, Some(format!("{why}: the built-in model answered"))),
        };
        let text = rem_recall::short_text(&query.text).into_owned();
        let mut query = Query { text, ..query.clone() };
        if self.config.embeddings.provider == EmbeddingProvider::None && query.mode == Mode::Hybrid {
            query.mode = Mode::Keyword;
        }
        (query, embedder, notice)
    }

    fn provider(&self) -> Result<Option<&dyn Embedder>, &String> {
        if matches!(self.config.embeddings.provider, EmbeddingProvider::Builtin | EmbeddingProvider::None) {
            return Ok(None);
        }
        let make = || self.make_provider().map_err(|error| error.to_string());
        let made = self.embedder.get_or_init(self, make);
        made.as_ref().map(|provider| provider.as_ref().map(|provider| provider.0.as_ref()))
    }

    fn make_provider(&self) -> Result<Option<Provider>, EmbedError> {
        let settings = &self.config.embeddings;
        let provider = match settings.provider {
            EmbeddingProvider::Builtin | EmbeddingProvider::None => return Ok(None),
            EmbeddingProvider::Folder => rem_recall::Provider::Folder,
            EmbeddingProvider::Ollama => rem_recall::Provider::Ollama,
            EmbeddingProvider::Openai => rem_recall::Provider::OpenAi,
        };
        if provider == rem_recall::Provider::Folder && settings.folder.trim().is_empty() {
            return Err(EmbedError::Settings("embeddings.folder names no folder".to_owned()));
        }
        let mut wanted = EmbedderSettings {
            provider,
            model: settings.model.clone(),
            dimensions: usize::try_from(settings.dimensions).unwrap_or(0),
            url: settings.url.clone(),
            // A folder that is not absolute lies in the workspace.
            folder: self.ledger.root().join(Path::new(settings.folder.trim())),
            api_key: None,
            proxies: self.options.proxies.clone(),
        };
        let variable = match provider {
            // A model on this machine has no use for one.
            rem_recall::Provider::Folder => "",
            _ => settings.api_key_variable.as_str(),
        };
        wanted.api_key = self
            .provider_key(
                wanted.leaves_this_machine(),
                &wanted.url,
                KeyPlace::variable(variable),
                "embeddings.api_key_variable",
            )
            .map_err(EmbedError::Settings)?;
        Ok(Some(Provider(wanted.embedder()?)))
    }
}

/// Says in the answer why another embedder than the configured one gave the meaning, where meaning counted.
fn noticed(query: &Query, answer: &mut Answer, notice: Option<String>) {
    if query.mode != Mode::Keyword && answer.freshness.embedder.is_some() {
        let earlier = answer.freshness.embedder_notice.take();
        answer.freshness.embedder_notice = notice.or(earlier);
    }
}
