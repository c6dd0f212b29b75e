//! Who may ask, decided before a body is read: the host that is called, the web page that asks, and the token.
//!
//! A page of another origin can make a browser send requests to this machine, and a name that it controls can be made to lead here (DNS
//! rebinding): so both `Host` and `Origin` must be known. Wrong tokens are answered ever more briefly, right ones always.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use rem_mind::Memory;

use super::Shared;
use super::reply::{error, refused};
use super::tokens::{Tokens, owner_of};
use crate::failure::Failure;

/// Wrong tokens that are answered at once, and how many more each second.
const WRONG_AT_ONCE: f64 = 20.0;
const WRONG_A_SECOND: f64 = 1.0;

/// What is known of whoever may ask.
pub(super) struct Guard {
    /// Names that the server is called by, in lower case, without a port.
    hosts: Vec<String>,
    /// Origins of pages that may ask, besides the server's own.
    origins: Vec<String>,
    wrong: Mutex<Bucket>,
}

/// A bucket that fills by itself: each wrong token takes one drop.
struct Bucket {
    drops: f64,
    filled: Instant,
}

impl Bucket {
    fn take(&mut self, now: Instant) -> bool {
        let seconds = now.saturating_duration_since(self.filled).as_secs_f64();
        self.drops = (self.drops + seconds * WRONG_A_SECOND).min(WRONG_AT_ONCE);
        self.filled = now;
        let is_there = self.drops >= 1.0;
        if is_there {
            self.drops -= 1.0;
        }
        is_there
    }
}

impl Guard {
    pub(super) fn new(memory: &Memory, address: SocketAddr) -> Self {
        let settings = &memory.config().server;
        let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        if !address.ip().is_unspecified() {
            hosts.push(host_of(&address.to_string()).to_owned());
        }
        let mut origins = Vec::new();
        if memory.is_trusted() {
            hosts.extend(settings.allowed_hosts.iter().map(|host| host.to_ascii_lowercase()));
            origins.extend(settings.allowed_origins.iter().map(|origin| origin.to_ascii_lowercase()));
        } else if !(settings.allowed_hosts.is_empty() && settings.allowed_origins.is_empty()) {
            tracing::warn!(
                "server.allowed_hosts and server.allowed_origins count once `rem trust` was asked"
            );
        }
        let wrong = Mutex::new(Bucket { drops: WRONG_AT_ONCE, filled: Instant::now() });
        Self { hosts, origins, wrong }
    }

    /// Whether the host that is called is this one.
    fn knows_host(&self, host: &str) -> bool {
        let host = host_of(host).to_ascii_lowercase();
        self.hosts.contains(&host)
    }

    /// Whether a page of this origin may ask a server that is called by this host.
    fn knows_origin(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        own == Some(&host.to_ascii_lowercase()) || self.origins.contains(&origin)
    }

    fn may_be_wrong(&self) -> bool {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).take(Instant::now())
    }
}

/// The name in `name:port` or `[v6]:port`.
fn host_of(authority: &str) -> &str {
    match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => &authority[..colon],
        _ => authority,
    }
}

/// Lets a request through, with its caller, or answers it.
pub(super) async fn check(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let why = |status, message: &str, hint: &str| {
        shared.metrics.refused(status);
        refused(status, message, hint)
    };
    let headers = request.headers();
    let Some(host) = one(headers, HOST) else {
        return why(StatusCode::BAD_REQUEST, "the request names no host", "send a Host header");
    };
    if !shared.guard.knows_host(host) {
        let hint = "call the server by the address it listens at, or name the host in server.allowed_hosts of CONFIG.md";
        return why(StatusCode::FORBIDDEN, "this server is not called so", hint);
    }
    if headers.contains_key(ORIGIN)
        && !one(headers, ORIGIN).is_some_and(|origin| shared.guard.knows_origin(origin, host))
    {
        let hint = "name the page's origin in server.allowed_origins of CONFIG.md, if it is yours";
        return why(StatusCode::FORBIDDEN, "a web page of another origin may not ask", hint);
    }
    if request.uri().path() == "/health" {
        return next.run(request).await;
    }
    let token = one(headers, AUTHORIZATION).and_then(bearer).map(str::to_owned);
    let known = token.as_ref().map(|token| {
        let memory = shared.worker.workspace().memory()?;
        Ok::<_, Failure>(owner_of(&Tokens::of(&memory).list(), token))
    });
    let caller = match known.transpose() {
        Ok(known) => known.flatten(),
        // Its tokens are where it is.
        Err(failure) => return error(StatusCode::SERVICE_UNAVAILABLE, &failure),
    };
    let Some(caller) = caller else {
        if token.is_some() && !shared.guard.may_be_wrong() {
            let hint = "`rem serve token new AGENT` makes a token";
            return why(StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens", hint);
        }
        let hint = "send `Authorization: Bearer TOKEN`; `rem serve token new AGENT` makes a token";
        return why(StatusCode::UNAUTHORIZED, "this needs a token that is known", hint);
    };
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// A header that is there once.
fn one(headers: &HeaderMap, name: axum::http::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_host_is_known_by_its_name_whatever_its_port() {
        let place = rem_testkit::Workspace::new();
        let guard = Guard::new(place.memory(), "127.0.0.1:7077".parse().unwrap());
        for host in ["127.0.0.1:7077", "localhost", "LOCALHOST:80", "[::1]:7077", "[::1]"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:7077", "[::2]:1", "", ":7077", "localhost.:7077"]
        {
            assert!(!guard.knows_host(host), "{host}");
        }
    }

    #[test]
    fn a_page_of_the_server_itself_may_ask_and_no_other() {
        let place = rem_testkit::Workspace::new();
        let guard = Guard::new(place.memory(), "127.0.0.1:7077".parse().unwrap());
        assert!(guard.knows_origin("http://127.0.0.1:7077", "127.0.0.1:7077"));
        for origin in ["null", "http://127.0.0.1:8080", "http://evil.example", "http://localhost:7077", ""] {
            assert!(!guard.knows_origin(origin, "127.0.0.1:7077"), "{origin}");
        }
    }

    #[test]
    fn wrong_tokens_run_out_and_come_back_slowly() {
        let begun = Instant::now();
        let mut bucket = Bucket { drops: WRONG_AT_ONCE, filled: begun };
        let answered = (0..10_000).filter(|_| bucket.take(begun)).count();
        assert_eq!(answered, 20);
        assert!(bucket.take(begun + Duration::from_secs(2)));
        assert!(bucket.take(begun + Duration::from_secs(2)));
        assert!(!bucket.take(begun + Duration::from_secs(2)));
    }
}
