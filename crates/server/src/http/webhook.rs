//! Webhooks: an event elsewhere makes topics active for the next message (A4.4).
//!
//! Any token may send one: it queues what the person's own topics wait for, and nothing of its body is kept.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::{Shared, api, reply};
use crate::mcp::uri::decoded;

/// Headers in which known senders name the event.
const EVENT_HEADERS: [&str; 4] = ["x-event", "x-github-event", "x-gitlab-event", "x-gitea-event"];
/// The longest name of a source or an event.
const LONGEST: usize = 200;

/// `POST /webhook/{source}`: the event is named by `?event=`, a header, or `event` or `type` of the body.
pub(super) async fn receive(
    State(shared): State<Arc<Shared>>,
    Path(source): Path<String>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let given = match api::object(&parts.headers, body, shared.body_limit).await {
        Ok(given) => given,
        Err(response) => return response,
    };
    let Some(event) = event_of(&parts.uri, &parts.headers, &given) else {
        let hint = "name it by ?event=NAME, an X-Event header, or \"event\" in the body";
        return reply::refused(StatusCode::BAD_REQUEST, "the request names no event", hint);
    };
    if source.len() > LONGEST || event.len() > LONGEST {
        let hint = "names of sources and events have at most 200 bytes";
        return reply::refused(StatusCode::BAD_REQUEST, "the name is too long", hint);
    }
    let Some(turn) = api::turn(&shared).await else {
        return reply::refused(
            StatusCode::SERVICE_UNAVAILABLE,
            "too many are waiting",
            "send it again in a moment",
        );
    };
    let queued = shared.worker.begin(turn, move |workspace| {
        let memory = workspace.memory()?;
        Ok(memory.queue_webhook(&source, &event)?)
    });
    match queued.await {
        Ok(Ok(topics)) => reply::json(StatusCode::OK, &json!({"topics": topics})),
        Ok(Err(failure)) => reply::failure(&failure),
        Err(error) => reply::failure(&shared.worker.fault(&error)),
    }
}

fn event_of(uri: &Uri, headers: &HeaderMap, body: &Map<String, Value>) -> Option<String> {
    let asked = uri.query().into_iter().flat_map(|query| query.split('&'));
    let in_query = asked.filter_map(|pair| pair.strip_prefix("event=")).next();
    let in_query = in_query.and_then(|event| decoded(&event.replace('+', " ")));
    let text = |text: &str| Some(text.to_owned());
    let in_headers =
        || EVENT_HEADERS.iter().find_map(|name| headers.get(*name)?.to_str().ok().and_then(text));
    let in_body = || ["event", "type"].iter().find_map(|name| body.get(*name)?.as_str().and_then(text));
    let event = in_query.or_else(in_headers).or_else(in_body)?;
    let event = event.trim();
    (!event.is_empty()).then(|| event.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_named_by_the_address_a_header_or_the_body() {
        let named = |uri: &str, header: Option<&'static str>, body: Value| {
            let mut headers = HeaderMap::new();
            if let Some(header) = header {
                headers.insert("x-github-event", header.parse().unwrap());
            }
            event_of(&uri.parse().unwrap(), &headers, body.as_object().unwrap())
        };
        assert_eq!(
            named("/webhook/a?x=1&event=new%20mail+%ED%95%9C", None, json!({})).unwrap(),
            "new mail 한"
        );
        assert_eq!(named("/webhook/a?event=push", Some("issues"), json!({"event": "x"})).unwrap(), "push");
        assert_eq!(named("/webhook/a", Some("issues"), json!({"event": "x"})).unwrap(), "issues");
        assert_eq!(named("/webhook/a", None, json!({"type": "invoice.paid"})).unwrap(), "invoice.paid");
        assert_eq!(named("/webhook/a?event=", None, json!({"event": 3})), None);
    }
}
