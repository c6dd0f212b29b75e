//! One kind of HTTP request: JSON there, JSON back, with time limits and patience.
//!
//! A provider that is busy (429), failing (5xx) or hangs up is asked again, after the time it names itself or after a pause that
//! doubles and varies, so that many processes do not come back at once. One that cannot be reached is not: whoever waits gets the
//! built-in model's answer. Redirects are not followed and no proxy is used, so that text and key go where the settings say.
//! A key never travels unencrypted to another machine, and is in no message.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Timeout};

use super::{EmbedError, Purpose};

/// The longest answer that is read.
const LONGEST_ANSWER: u64 = 64 * 1024 * 1024;
/// Characters of an error that are shown.
const SHOWN: usize = 200;

/// How long to wait, and how often to ask.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// Until there is a connection.
    pub(crate) connect: Duration,
    /// Until the whole answer is there.
    pub(crate) total: Duration,
    /// Requests in all.
    pub(crate) attempts: u32,
    /// Before the second request; doubled each time.
    pub(crate) pause: Duration,
    /// The longest pause, whatever the provider asks for.
    pub(crate) longest_pause: Duration,
}

impl Patience {
    /// Somebody waits.
    const QUERY: Self = Self {
        connect: Duration::from_secs(2),
        total: Duration::from_secs(5),
        attempts: 2,
        pause: Duration::from_millis(200),
        longest_pause: Duration::from_secs(1),
    };
    /// Nobody waits.
    const PASSAGE: Self = Self {
        connect: Duration::from_secs(2),
        total: Duration::from_secs(30),
        attempts: 4,
        pause: Duration::from_millis(500),
        longest_pause: Duration::from_secs(60),
    };

    /// The pause after so many requests; nothing where the provider wants more time than there is.
    fn after(&self, requests: u32, asked: Option<Duration>) -> Option<Duration> {
        if let Some(asked) = asked {
            return (asked <= self.longest_pause).then_some(asked);
        }
        let pause =
            self.pause.saturating_mul(1 << requests.saturating_sub(1).min(10)).min(self.longest_pause);
        // Half of it for certain, half by chance.
        let chance = RandomState::new().build_hasher().finish() % 1_000;
        #[allow(clippy::cast_possible_truncation, reason = "below 1000")]
        Some(pause / 2 + (pause / 2).mul_f64(f64::from(chance as u32) / 1_000.0))
    }
}

/// Why there is no answer.
pub(crate) enum Refusal {
    /// The request is more than the provider takes.
    TooMuch(EmbedError),
    /// It takes longer than the limit.
    TooSlow(EmbedError),
    /// Anything else.
    Other(EmbedError),
}

/// What came of one request.
enum Outcome {
    Answer(Value),
    /// Worth another try, after the time that the provider names.
    Again(EmbedError, Option<Duration>),
    Refused(Refusal),
}

pub(crate) struct Client {
    agent: Agent,
    embedder: String,
    url: String,
    api_key: Option<String>,
    query: Patience,
    passage: Patience,
}

impl Client {
    pub(crate) fn new(embedder: &str, url: &str, api_key: Option<&str>) -> Result<Self, EmbedError> {
        let wrong = |why: &str| EmbedError::Settings(format!("embeddings.url cannot be used: {why}"));
        let parsed: ureq::http::Uri = url.parse().map_err(|_| wrong("it is no address"))?;
        let (Some(scheme), Some(authority)) = (parsed.scheme_str(), parsed.authority()) else {
            return Err(wrong("it must begin with http:// or https://"));
        };
        if authority.as_str().contains('@') {
            return Err(wrong("a key belongs into the variable that embeddings.api_key_variable names"));
        }
        let api_key = api_key.map(str::trim).filter(|key| !key.is_empty());
        let is_encrypted = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(wrong("it must begin with http:// or https://")),
        };
        if !is_encrypted && api_key.is_some() && !is_loopback(authority.host()) {
            return Err(wrong("the key would travel unencrypted; use https://"));
        }
        let roots = if is_encrypted { machine_roots() } else { Vec::new() };
        Ok(Self {
            agent: agent(roots),
            embedder: embedder.to_owned(),
            url: url.to_owned(),
            api_key: api_key.map(str::to_owned),
            query: Patience::QUERY,
            passage: Patience::PASSAGE,
        })
    }

    pub(crate) fn patience(&self, purpose: Purpose) -> &Patience {
        match purpose {
            Purpose::Query => &self.query,
            Purpose::Passage => &self.passage,
        }
    }

    #[cfg(test)]
    pub(crate) fn with_patience(mut self, patience: Patience) -> Self {
        (self.query, self.passage) = (patience, patience);
        self
    }

    #[cfg(test)]
    pub(crate) fn with_roots(mut self, roots: Vec<Certificate<'static>>) -> Self {
        self.agent = agent(roots);
        self
    }

    /// Sends a request until it is answered, refused for good, or patience ends.
    pub(crate) fn post(&self, request: &Value, patience: &Patience) -> Result<Value, Refusal> {
        let body = request.to_string();
        let mut requests = 0;
        loop {
            requests += 1;
            let (error, asked) = match self.post_once(&body, patience) {
                Outcome::Answer(answer) => return Ok(answer),
                Outcome::Refused(refusal) => return Err(refusal),
                Outcome::Again(error, asked) => (error, asked),
            };
            let pause = patience.after(requests, asked).filter(|_| requests < patience.attempts);
            let Some(pause) = pause else { return Err(Refusal::Other(error)) };
            tracing::debug!(%error, ?pause, "asking again");
            std::thread::sleep(pause);
        }
    }

    fn post_once(&self, body: &str, patience: &Patience) -> Outcome {
        let mut request = self
            .agent
            .post(&self.url)
            .config()
            .timeout_connect(Some(patience.connect))
            .timeout_global(Some(patience.total))
            .build()
            .header("content-type", "application/json");
        if let Some(key) = &self.api_key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        let mut response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return self.failed(&error, patience),
        };
        let status = response.status().as_u16();
        let asked = response.headers().get("retry-after").and_then(|value| value.to_str().ok());
        let asked = asked.and_then(|value| value.trim().parse().ok()).map(Duration::from_secs);
        let content = match response.body_mut().with_config().limit(LONGEST_ANSWER).read_to_vec() {
            Ok(content) => content,
            Err(error) => return self.failed(&error, patience),
        };
        if (200..300).contains(&status) {
            return match serde_json::from_slice(&content) {
                Ok(answer) => Outcome::Answer(answer),
                Err(error) => Outcome::Refused(Refusal::Other(EmbedError::Malformed {
                    embedder: self.embedder.clone(),
                    what: error.to_string(),
                })),
            };
        }
        let error =
            EmbedError::Refused { embedder: self.embedder.clone(), status, body: self.excerpt(&content) };
        match status {
            429 | 500 | 502 | 503 | 504 | 529 => Outcome::Again(error, asked),
            400 | 413 | 422 => Outcome::Refused(Refusal::TooMuch(error)),
            _ => Outcome::Refused(Refusal::Other(error)),
        }
    }

    fn failed(&self, error: &ureq::Error, patience: &Patience) -> Outcome {
        let unreachable = |why: String| EmbedError::Unreachable {
            embedder: self.embedder.clone(),
            url: self.url.clone(),
            why,
        };
        match error {
            ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => Outcome::Refused(Refusal::Other(
                unreachable(format!("no connection within {} s", patience.connect.as_secs_f64())),
            )),
            ureq::Error::Timeout(_) => Outcome::Refused(Refusal::TooSlow(unreachable(format!(
                "no answer within {} s",
                patience.total.as_secs_f64()
            )))),
            ureq::Error::Io(source) => {
                let failure = unreachable(source.to_string());
                match source.kind() {
                    ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::UnexpectedEof => Outcome::Again(failure, None),
                    _ => Outcome::Refused(Refusal::Other(failure)),
                }
            }
            other => Outcome::Refused(Refusal::Other(unreachable(other.to_string()))),
        }
    }

    /// The beginning of what a provider said, on one line, without anything that looks like a key.
    fn excerpt(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let text = match &self.api_key {
            Some(key) => text.replace(key.as_str(), "[key]"),
            None => text.into_owned(),
        };
        let words: Vec<&str> = text
            .split_whitespace()
            .map(|word| if word.contains("***") || word.contains("sk-") { "[key]" } else { word })
            .collect();
        words.join(" ").chars().take(SHOWN).collect()
    }
}

fn agent(roots: Vec<Certificate<'static>>) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent("remembrancer")
        .build()
        .new_agent()
}

/// The certificate authorities that this machine trusts.
fn machine_roots() -> Vec<Certificate<'static>> {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::debug!(%error, "a certificate authority cannot be read");
    }
    found.certs.iter().map(|each| Certificate::from_der(each.as_ref()).to_owned()).collect()
}

/// Whether an address is on this machine; what is no address is not.
pub(crate) fn stays_here(url: &str) -> bool {
    url.parse::<ureq::http::Uri>().is_ok_and(|parsed| parsed.host().is_some_and(is_loopback))
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
