//! The JSON API: every operation that has an address, each with its arguments as one JSON object.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use rem_format::json_text::without_lone_surrogates;
use serde_json::{Map, Value};
use tokio::sync::OwnedSemaphorePermit;

use super::{Shared, reply};
use crate::arguments::Arguments;
use crate::call::{Call, Output, Reporter};
use crate::failure::Failure;
use crate::operations::{OPERATIONS, Operation};
use crate::workspace::{Caller, Workspace};

/// How long a body may take.
const BODY: Duration = Duration::from_secs(30);

/// The routes of all operations.
pub(super) fn routes() -> Router<Arc<Shared>> {
    OPERATIONS.iter().fold(Router::new(), |router, operation| {
        let Some(path) = operation.path else { return router };
        let answer = move |State(shared): State<Arc<Shared>>, request: Request| async move {
            let begun = Instant::now();
            let response = answer(&shared, operation, path, request).await;
            shared.metrics.answered(path, response.status(), begun.elapsed());
            response
        };
        router.route(&format!("/api/v1/{path}"), post(answer))
    })
}

/// Why a call was not answered.
enum Missed {
    /// The workspace is not there, or cannot be opened, now.
    Workspace(Failure),
    /// The call failed.
    Call(Failure),
}

async fn answer(
    shared: &Arc<Shared>,
    operation: &'static Operation,
    path: &'static str,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let Some(caller) = parts.extensions.get::<Caller>().cloned() else {
        return reply::refused(StatusCode::UNAUTHORIZED, "nobody is known to ask", "send a token");
    };
    let given = match object(&parts.headers, body, shared.body_limit).await {
        Ok(given) => given,
        Err(response) => return response,
    };
    let Some(turn) = turn(shared).await else {
        let hint = "ask again in a moment";
        return reply::refused(StatusCode::SERVICE_UNAVAILABLE, "too many are waiting", hint);
    };
    let arguments = Arguments::new(path, Some(given));
    let work = move |workspace: &Workspace| {
        let mut reporter = Reporter::new(None);
        let mut call = Call::new(workspace, &caller, arguments, &mut reporter).map_err(Missed::Workspace)?;
        (operation.run)(&mut call).map_err(Missed::Call)
    };
    match shared.worker.begin(turn, work).await {
        Ok(Ok(output)) => {
            let Output { value, then, .. } = output;
            if let Some(then) = then {
                let worker = shared.worker.clone();
                tokio::spawn(async move {
                    let turn = worker.turn().await;
                    worker.begin(turn, move |_| then()).await
                });
            }
            reply::json(StatusCode::OK, &value)
        }
        Ok(Err(Missed::Workspace(failure))) => reply::error(StatusCode::SERVICE_UNAVAILABLE, &failure),
        Ok(Err(Missed::Call(failure))) => reply::failure(&failure),
        Err(error) => reply::failure(&shared.worker.fault(&error)),
    }
}

/// One's turn, unless too many wait for theirs.
pub(super) async fn turn(shared: &Shared) -> Option<OwnedSemaphorePermit> {
    let _waiting = shared.waiting.try_acquire().ok()?;
    Some(shared.worker.turn().await)
}

/// The whole of a body, which must come within a time and be no larger than `limit` bytes.
pub(super) async fn whole(body: Body, limit: usize) -> Result<Bytes, Response> {
    match tokio::time::timeout(BODY, to_bytes(body, limit)).await {
        Err(_) => {
            Err(reply::refused(StatusCode::REQUEST_TIMEOUT, "the body took too long", "send it at once"))
        }
        Ok(Err(_)) => Err(reply::refused(
            StatusCode::PAYLOAD_TOO_LARGE,
            "the body is too large or broken off",
            "server.body_limit_kib of CONFIG.md says how much a request may hold",
        )),
        Ok(Ok(bytes)) => Ok(bytes),
    }
}

/// The JSON object in a body; an empty body is an empty one.
pub(super) async fn object(
    headers: &HeaderMap,
    body: Body,
    limit: usize,
) -> Result<Map<String, Value>, Response> {
    let bytes = whole(body, limit).await?;
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let hint = "send JSON, with Content-Type: application/json";
        return Err(reply::refused(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body is said to be no JSON",
            hint,
        ));
    }
    match serde_json::from_slice(&without_lone_surrogates(&bytes)) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(reply::refused(
            StatusCode::BAD_REQUEST,
            "the body is no JSON object",
            "send one, as {\"query\": \"tea\"}",
        )),
        Err(error) => {
            let message = format!("the body is no JSON: {error}");
            Err(reply::refused(StatusCode::BAD_REQUEST, &message, "send one JSON object"))
        }
    }
}
