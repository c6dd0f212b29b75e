//! One kind of HTTP request: JSON there, JSON back, with limits and patience.
//!
//! A provider that is busy (429), failing (5xx) or hangs up is asked again, after the time it names itself or after a pause that
//! doubles and varies, so that many processes do not come back at once. One that cannot be reached is not: whoever waits does
//! without its answer. Redirects are not followed, so that text and key go where the settings say, and through no proxy but the one
//! that the surroundings name. A key never travels unencrypted to another machine, and is in no message.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use thiserror::Error;
use ureq::http::HeaderMap;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Proxy, Timeout};

use crate::proxy::Proxies;

/// Characters of an error that are shown.
const SHOWN: usize = 200;

/// How long to wait, how often to ask, and how much to read.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until the whole answer to one request is there.
    pub total: Duration,
    /// All requests and the pauses between them.
    pub overall: Duration,
    /// Requests in all.
    pub attempts: u32,
    /// Before the second request; doubled each time.
    pub pause: Duration,
    /// The longest pause, whatever the provider asks for.
    pub longest_pause: Duration,
    /// The longest answer that is read, in bytes.
    pub longest_answer: u64,
}

impl Patience {
    /// The pause after so many requests; nothing where the provider wants more time than there is.
    fn after(&self, requests: u32, asked: Option<Duration>) -> Option<Duration> {
        if let Some(asked) = asked {
            return (asked <= self.longest_pause).then_some(asked);
        }
        let pause =
            self.pause.saturating_mul(1 << requests.saturating_sub(1).min(10)).min(self.longest_pause);
        // Half of it for certain, half by chance.
        Some(pause / 2 + up_to(pause / 2))
    }
}

/// Some time up to this, by chance, so that many do not come back at once.
#[must_use]
pub fn up_to(most: Duration) -> Duration {
    let chance = RandomState::new().build_hasher().finish() % 1_000;
    #[allow(clippy::cast_possible_truncation, reason = "below 1000")]
    most.mul_f64(f64::from(chance as u32) / 1_000.0)
}

/// Why there is no answer. Messages name no key.
#[derive(Debug, Error)]
pub enum HttpError {
    /// Nobody answers there, or not in time.
    #[error("{who} is not reachable at {url}: {why}")]
    Unreachable {
        /// The provider.
        who: String,
        /// Where it was asked.
        url: String,
        /// What happened.
        why: String,
    },
    /// Somebody took the request, and the answer was not there in time. It may have cost something.
    #[error("{who} is not reachable at {url}: {why}")]
    Slow {
        /// The provider.
        who: String,
        /// Where it was asked.
        url: String,
        /// How long it had.
        why: String,
    },
    /// The provider answered with an error.
    #[error("{who} refused, status {status}: {body}")]
    Refused {
        /// The provider.
        who: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it said.
        body: String,
        /// When it wants to be asked again, where it says so.
        after: Option<Duration>,
    },
    /// The answer is no JSON, or longer than the limit.
    #[error("{who} gave an answer that cannot be used: {what}")]
    Malformed {
        /// The provider.
        who: String,
        /// What is wrong with it.
        what: String,
    },
    /// The settings do not make a client.
    #[error("{0}")]
    Settings(String),
}

/// Why there is no answer, and what that means for another try with less.
#[derive(Debug)]
pub enum Refusal {
    /// The request is more than the provider takes.
    TooMuch(HttpError),
    /// It takes longer than the limit.
    TooSlow(HttpError),
    /// Anything else.
    Other(HttpError),
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::TooMuch(error) | Refusal::TooSlow(error) | Refusal::Other(error) => error,
        }
    }
}

/// What came of one request.
enum Outcome {
    Answer(Value),
    /// Worth another try, after the time that the provider names.
    Again(HttpError, Option<Duration>),
    Refused(Refusal),
}

/// Where a client's settings stand, for what is said about them.
#[derive(Debug, Clone, Copy)]
pub struct SettingNames {
    /// The address's.
    pub url: &'static str,
    /// The one of the variable that holds the key.
    pub api_key_variable: &'static str,
}

/// Asks one address.
pub struct Client {
    agent: Agent,
    proxy: Option<Proxy>,
    who: String,
    url: String,
    /// The address as messages have it: a query may hold a key.
    shown: String,
    api_key: Option<String>,
    /// The header of the key where it is none of `authorization`.
    key_header: Option<&'static str>,
    headers: &'static [(&'static str, &'static str)],
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Client").field("who", &self.who).finish_non_exhaustive()
    }
}

impl Client {
    /// A client for this address; `who` is how messages call the provider. Nobody is asked yet.
    ///
    /// # Errors
    /// [`HttpError::Settings`] where the address is none, holds a key itself, or would have the key travel unencrypted.
    pub fn new(
        who: &str,
        url: &str,
        api_key: Option<&str>,
        settings: SettingNames,
        proxies: &Proxies,
    ) -> Result<Self, HttpError> {
        let wrong = |why: &str| HttpError::Settings(format!("{} cannot be used: {why}", settings.url));
        let parsed: ureq::http::Uri = url.parse().map_err(|_| wrong("it is no address"))?;
        let (Some(scheme), Some(authority)) = (parsed.scheme_str(), parsed.authority()) else {
            return Err(wrong("it must begin with http:// or https://"));
        };
        if authority.as_str().contains('@') {
            let variable = settings.api_key_variable;
            return Err(wrong(&format!("a key belongs into the variable that {variable} names")));
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
        let proxy = proxies.of(&parsed).map_err(HttpError::Settings)?;
        Ok(Self {
            agent: agent(roots, proxy.clone()),
            proxy,
            who: who.to_owned(),
            shown: url.split('?').next().unwrap_or_default().to_owned(),
            url: url.to_owned(),
            api_key: api_key.map(str::to_owned),
            key_header: None,
            headers: &[],
        })
    }

    /// The same, with the key alone in this header, and with these headers too.
    #[must_use]
    pub fn with_headers(
        mut self,
        key_header: &'static str,
        headers: &'static [(&'static str, &'static str)],
    ) -> Self {
        (self.key_header, self.headers) = (Some(key_header), headers);
        self
    }

    /// The same, trusting these certificate authorities (DER) and no other.
    #[must_use]
    pub fn with_roots(mut self, roots: &[&[u8]]) -> Self {
        let roots = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
        self.agent = agent(roots, self.proxy.clone());
        self
    }

    /// Sends a request until it is answered, refused for good, or patience ends.
    ///
    /// # Errors
    /// [`Refusal`], within the time that patience allows.
    pub fn post(&self, request: &Value, patience: &Patience) -> Result<Value, Refusal> {
        let body = request.to_string();
        let began = Instant::now();
        let left = || patience.overall.saturating_sub(began.elapsed());
        let mut requests = 0;
        loop {
            requests += 1;
            let patience = &Patience { total: patience.total.min(left()), ..*patience };
            let (error, asked) = match self.post_once(&body, patience) {
                Outcome::Answer(answer) => return Ok(answer),
                Outcome::Refused(refusal) => return Err(refusal),
                Outcome::Again(error, asked) => (error, asked),
            };
            let pause = patience
                .after(requests, asked)
                .filter(|pause| requests < patience.attempts && *pause < left());
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
        for (name, value) in self.headers {
            request = request.header(*name, *value);
        }
        request = match (&self.api_key, self.key_header) {
            (Some(key), Some(header)) => request.header(header, key),
            (Some(key), None) => request.header("authorization", format!("Bearer {key}")),
            (None, _) => request,
        };
        let mut response = match request.send(body) {
            Ok(response) => response,
            Err(error) => return self.failed(&error, patience),
        };
        let mut status = response.status().as_u16();
        let asked = asked_pause(response.headers());
        let content = match response.body_mut().with_config().limit(patience.longest_answer).read_to_vec() {
            Ok(content) => content,
            Err(error) => return self.failed(&error, patience),
        };
        if (200..300).contains(&status) {
            match serde_json::from_slice(&content) {
                Ok(answer) => match failure_in(&answer) {
                    Some(failure) => status = failure,
                    None => return Outcome::Answer(answer),
                },
                Err(_) if content.trim_ascii_start().starts_with(b"<") => {
                    let (who, url) = (self.who.clone(), self.shown.clone());
                    let why = "a web page answers there, as that of a login or a proxy".to_owned();
                    return Outcome::Refused(Refusal::Other(HttpError::Unreachable { who, url, why }));
                }
                Err(error) => {
                    let (who, what) = (self.who.clone(), error.to_string());
                    return Outcome::Refused(Refusal::Other(HttpError::Malformed { who, what }));
                }
            }
        }
        let error =
            HttpError::Refused { who: self.who.clone(), status, body: self.excerpt(&content), after: asked };
        match status {
            429 | 500 | 502 | 503 | 504 | 529 => Outcome::Again(error, asked),
            400 | 413 | 422 => Outcome::Refused(Refusal::TooMuch(error)),
            _ => Outcome::Refused(Refusal::Other(error)),
        }
    }

    fn failed(&self, error: &ureq::Error, patience: &Patience) -> Outcome {
        let unreachable =
            |why: String| HttpError::Unreachable { who: self.who.clone(), url: self.shown.clone(), why };
        match error {
            ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => Outcome::Refused(Refusal::Other(
                unreachable(format!("no connection within {} s", seconds(patience.connect))),
            )),
            ureq::Error::Timeout(_) => Outcome::Refused(Refusal::TooSlow(HttpError::Slow {
                who: self.who.clone(),
                url: self.shown.clone(),
                why: format!("no answer within {} s", seconds(patience.total)),
            })),
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
            // A proxy is asked for a tunnel whatever the address: ureq knows no other way.
            ureq::Error::ConnectProxyFailed(why) => {
                let plain = match self.shown.starts_with("https:") {
                    true => "",
                    false => {
                        "; many proxies open tunnels (CONNECT) to https:// addresses alone: use one, or name the host in no_proxy"
                    }
                };
                Outcome::Refused(Refusal::Other(unreachable(format!(
                    "the proxy opens no tunnel: {why}{plain}"
                ))))
            }
            ureq::Error::BodyExceedsLimit(_) => Outcome::Refused(Refusal::Other(HttpError::Malformed {
                who: self.who.clone(),
                what: format!("it is longer than {} kB", patience.longest_answer >> 10),
            })),
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
        without_keys(&text)
    }
}

/// How the usual keys begin.
const KEYS: [&str; 8] = ["***", "sk-", "ghp_", "github_pat_", "xoxb-", "AKIA", "AIza", "Bearer"];
/// Who is named so has a key after it.
const NAMES: [&str; 6] = ["key=", "key:", "token=", "token:", "password=", "secret="];

/// The beginning of what somebody said, on one line, without anything that looks like a key.
pub(crate) fn without_keys(text: &str) -> String {
    let mut is_next = false;
    let hidden = text.split_whitespace().map(|word| {
        let folded = word.to_ascii_lowercase();
        let names = NAMES.iter().any(|name| folded.contains(name));
        let ends = NAMES.iter().any(|name| folded.ends_with(name)) || folded == "bearer";
        let is_key = std::mem::replace(&mut is_next, ends)
            || KEYS.iter().any(|key| word.contains(key))
            || folded.split_once("://").is_some_and(|(_, rest)| rest.contains('@'))
            || names && !ends;
        if is_key { "[key]" } else { word }
    });
    hidden.collect::<Vec<_>>().join(" ").chars().take(SHOWN).collect()
}

/// The status that an answer tells in its body: some gateways send the failure of the server behind them with the status 200.
fn failure_in(answer: &Value) -> Option<u16> {
    const BAD_GATEWAY: u16 = 502;
    let error = answer.get("error").filter(|error| error.is_object() || error.is_string())?;
    let code = [&error["code"], &error["status"]].into_iter().find_map(Value::as_u64);
    let code = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
    Some(code.unwrap_or(BAD_GATEWAY))
}

/// How long the provider wants to be left alone: `retry-after-ms`, or `retry-after` in seconds or as a moment, which is compared
/// with the provider's own clock.
fn asked_pause(headers: &HeaderMap) -> Option<Duration> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = header("retry-after-ms").and_then(|value| value.parse().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let asked = header("retry-after")?;
    if let Ok(seconds) = asked.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = |text: &str| jiff::fmt::rfc2822::parse(text).ok();
    let pause = moment(asked)?.timestamp().duration_since(moment(header("date")?)?.timestamp());
    Some(Duration::try_from(pause).unwrap_or_default())
}

/// Whole milliseconds, as seconds.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1_000.0).round() / 1_000.0
}

fn agent(roots: Vec<Certificate<'static>>, proxy: Option<Proxy>) -> Agent {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy)
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
#[must_use]
pub fn stays_here(url: &str) -> bool {
    url.parse::<ureq::http::Uri>().is_ok_and(|parsed| parsed.host().is_some_and(is_loopback))
}

pub(crate) fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
