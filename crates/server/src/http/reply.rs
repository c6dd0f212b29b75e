//! Answers: JSON, and errors of one shape that say what, why and what next.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use rem_mind::Outcome;
use serde_json::{Value, json};

use crate::failure::Failure;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An answer.
pub(super) fn json(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(value.to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    // What is remembered is nobody else's.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An error of the request itself.
pub(super) fn refused(status: StatusCode, message: &str, hint: &str) -> Response {
    error(status, &Failure::new(message, hint).with_outcome(outcome_of(status)))
}

/// A failure, with the status that its outcome means.
pub(super) fn failure(failure: &Failure) -> Response {
    error(status_of(failure.outcome()), failure)
}

/// A failure with a status of its own.
pub(super) fn error(status: StatusCode, failure: &Failure) -> Response {
    let mut causes = failure.causes().iter();
    let body = json!({"error": {
        "outcome": name_of(failure.outcome()),
        "message": causes.next().map_or("unknown", String::as_str),
        "because": causes.collect::<Vec<_>>(),
        "hint": failure.hint(),
    }});
    let mut response = json(status, &body);
    let headers = response.headers_mut();
    match status {
        StatusCode::UNAUTHORIZED => {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        _ => {}
    }
    response
}

/// `GET /health`: whether the process answers, and nothing of the memory.
pub(super) async fn healthy() -> Response {
    json(StatusCode::OK, &json!({"status": "ok"}))
}

pub(super) async fn no_such_address() -> Response {
    let hint = "/api/v1/openapi.json lists what there is";
    refused(StatusCode::NOT_FOUND, "there is nothing at this address", hint)
}

pub(super) async fn wrong_method() -> Response {
    let hint = "/api/v1/openapi.json says which method an address takes";
    refused(StatusCode::METHOD_NOT_ALLOWED, "this address does not take that method", hint)
}

fn status_of(outcome: Outcome) -> StatusCode {
    match outcome {
        Outcome::Usage => StatusCode::BAD_REQUEST,
        Outcome::Refused => StatusCode::FORBIDDEN,
        Outcome::Locked | Outcome::NoModel => StatusCode::SERVICE_UNAVAILABLE,
        Outcome::Internal | Outcome::Configuration | Outcome::Integrity => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn outcome_of(status: StatusCode) -> Outcome {
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => Outcome::Refused,
        StatusCode::SERVICE_UNAVAILABLE => Outcome::Locked,
        _ => Outcome::Usage,
    }
}

/// The names of outcomes; their exit codes are in ARCHITECTURE.md.
pub(super) const OUTCOMES: [(Outcome, &str); 7] = [
    (Outcome::Internal, "internal"),
    (Outcome::Usage, "usage"),
    (Outcome::Configuration, "configuration"),
    (Outcome::Locked, "locked"),
    (Outcome::Integrity, "integrity"),
    (Outcome::NoModel, "no_model"),
    (Outcome::Refused, "refused"),
];

fn name_of(outcome: Outcome) -> &'static str {
    OUTCOMES.iter().find(|(known, _)| *known == outcome).map_or("internal", |(_, name)| name)
}
