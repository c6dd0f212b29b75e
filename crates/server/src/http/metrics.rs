//! What the server counts, in the text that Prometheus reads.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use jiff::Timestamp;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use rem_mind::jobs::{JobOutcome, JobRun};

use super::Shared;

/// Seconds that calls are sorted by: a warm search takes milliseconds, a first index seconds.
const SECONDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0];

type Labels = Vec<(&'static str, String)>;

/// The counters of a server.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Labels, Counter>,
    refused: Family<Labels, Counter>,
    durations: Family<Labels, Histogram>,
    jobs: Family<Labels, Counter>,
    /// Connections that are open.
    pub(super) connections: Gauge,
    /// Files that the index is behind the workspace.
    behind: Gauge<i64, AtomicI64>,
    resident: Gauge,
}

impl Metrics {
    pub(super) fn new(started: Timestamp) -> Self {
        let mut registry = Registry::with_prefix("rem");
        let requests = Family::default();
        registry.register("requests", "Calls of the API that were answered", Family::clone(&requests));
        let refused = Family::default();
        registry.register(
            "refused",
            "Requests that were refused before they were read",
            Family::clone(&refused),
        );
        let durations = Family::new_with_constructor(histogram as fn() -> Histogram);
        let help = "Time from a call's head to its answer";
        registry.register_with_unit("request_duration", help, Unit::Seconds, Family::clone(&durations));
        let jobs = Family::default();
        registry.register("job_runs", "Jobs that were run because they were due", Family::clone(&jobs));
        let connections = Gauge::default();
        registry.register("connections", "Connections that are open", connections.clone());
        let behind = Gauge::default();
        registry.register(
            "index_behind_files",
            "Files that changed and are not in the index yet",
            behind.clone(),
        );
        let resident = Gauge::default();
        let help = "Memory that the process holds";
        registry.register_with_unit("process_resident_memory", help, Unit::Bytes, resident.clone());
        let begun: Gauge = Gauge::default();
        begun.set(started.as_second());
        let help = "When the server was started, since 1970";
        registry.register_with_unit("process_start_time", help, Unit::Seconds, begun);
        Self { registry, requests, refused, durations, jobs, connections, behind, resident }
    }

    /// A call of the API was answered.
    pub(super) fn answered(&self, path: &str, status: StatusCode, took: Duration) {
        let operation = ("operation", path.to_owned());
        self.durations.get_or_create(&vec![operation.clone()]).observe(took.as_secs_f64());
        self.requests.get_or_create(&vec![operation, ("status", status.as_str().to_owned())]).inc();
    }

    /// A request was refused before it was read.
    pub(super) fn refused(&self, status: StatusCode) {
        self.refused.get_or_create(&vec![("status", status.as_str().to_owned())]).inc();
    }

    /// A job was run.
    pub(super) fn ran(&self, run: &JobRun) {
        let outcome = match run.outcome {
            JobOutcome::Done => "done",
            JobOutcome::Failed => "failed",
        };
        self.jobs.get_or_create(&vec![("job", run.job.clone()), ("outcome", outcome.to_owned())]).inc();
    }

    /// How many files the index is behind.
    pub(super) fn behind(&self, files: usize) {
        self.behind.set(i64::try_from(files).unwrap_or(i64::MAX));
    }

    fn text(&self) -> String {
        self.resident.set(resident_bytes().unwrap_or_default());
        let mut text = String::new();
        // Writing into a text fails for no reason.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

fn histogram() -> Histogram {
    Histogram::new(SECONDS)
}

/// `GET /metrics`.
pub(super) async fn show(State(shared): State<Arc<Shared>>) -> Response {
    let mut response = Response::new(Body::from(shared.metrics.text()));
    let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Memory that this process holds, where the system says it.
fn resident_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: i64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_told() {
        let metrics = Metrics::new(Timestamp::UNIX_EPOCH);
        metrics.answered("search", StatusCode::OK, Duration::from_millis(3));
        metrics.refused(StatusCode::UNAUTHORIZED);
        let text = metrics.text();
        for line in [
            "rem_requests_total{operation=\"search\",status=\"200\"} 1",
            "rem_request_duration_seconds_bucket{le=\"0.005\",operation=\"search\"} 1",
            "rem_refused_total{status=\"401\"} 1",
            "rem_process_start_time_seconds 0",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"), "{text}");
    }
}
