//! Providers that were away: nobody asks them for a while, neither this process nor those that come after it.
//!
//! One that was busy, failing, late or away is left alone for ten minutes or for as long as it says, and for twice as long after each
//! failure that follows, up to two hours (the gate of topics, which waits only a moment: a tenth of all that); a part of the time is by chance, so that not all come back at once. The first question
//! afterwards is asked once and no second time: answered, all is as before. Kept in `.rem/model-rests.txt`, a line for each provider as it
//! is configured; whoever deletes the file, or names another provider or address, has it asked again at once.

use std::sync::PoisonError;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rem_reason::ModelError;
use rem_reason::command::CommandError;
use rem_reason::http::{HttpError, up_to};

use crate::memory::Memory;

const FILE: &str = "model-rests.txt";
const LOCK: &str = "model-rests.lock";
/// However long a provider says, it is asked again after this.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 3_600);
/// However often a provider failed, it is asked again after so many times its first rest.
const MOST_TIMES: u32 = 12;
/// What comes to the time that a provider names, by chance.
const MORE: Duration = Duration::from_secs(30);
/// How often a provider failed is forgotten so long after its rest.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(24);

/// A provider that is left alone, or was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rest {
    /// Until when.
    until: Timestamp,
    /// Failures in a row.
    failures: u32,
    /// Which provider: [`mark_of`].
    provider: String,
    /// The last failure.
    why: String,
}

impl Rest {
    fn parse(line: &str) -> Option<Self> {
        let mut parts = line.splitn(4, ' ');
        let until = parts.next()?.parse().ok()?;
        let failures = parts.next()?.parse().ok()?;
        Some(Self { until, failures, provider: parts.next()?.to_owned(), why: parts.next()?.to_owned() })
    }

    fn line(&self) -> String {
        let Self { until, failures, provider, why } = self;
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{until} {failures} {provider} {why}\n")
    }
}

/// What a provider is known by, of all that it is configured by.
pub(crate) fn mark_of(parts: &[&str]) -> String {
    blake3::hash(parts.join("\n").as_bytes()).to_hex()[..16].to_owned()
}

/// Whether the next question would meet the same failure.
pub(crate) fn is_away(error: &ModelError) -> bool {
    match error {
        // Busy, failing, moved, or nobody that it knows asks: a wrong key, an unpaid bill, a wrong address.
        ModelError::Http(HttpError::Refused { status, .. }) => {
            matches!(status, 300..=308 | 401..=404 | 407 | 429 | 500 | 502..=504 | 529)
        }
        ModelError::Http(HttpError::Slow { .. } | HttpError::Unreachable { .. }) => true,
        ModelError::Command(CommandError::Slow { .. } | CommandError::Run { .. }) => true,
        _ => false,
    }
}

impl Memory {
    /// The rest of a provider, also one that is over: then it is asked with care.
    pub(crate) fn rest_of(&self, provider: &str) -> Option<Rest> {
        self.all_rests().into_iter().find(|rest| rest.provider == provider)
    }

    /// Why a provider is left alone for now, and until when; nothing where it may be asked.
    pub(crate) fn rests(&self, rest: &Rest) -> Option<String> {
        let until = rest.until.to_zoned(self.time_zone().clone()).strftime("%Y-%m-%d %H:%M").to_string();
        (self.now() < rest.until).then(|| {
            format!("{}; it is left alone until {until} (`rem doctor --models` tries it now)", rest.why)
        })
    }

    /// Takes note that a provider is away, for this process and for others. `usually` is the first rest where the provider names none.
    pub(crate) fn provider_is_away(&self, provider: &str, error: &ModelError, usually: Duration) {
        let asked = match error {
            ModelError::Http(HttpError::Refused { after, .. }) => *after,
            _ => None,
        };
        // Those who were under way when the first one failed tell nothing new.
        let failures = match self.rest_of(provider) {
            Some(rest) if self.now() < rest.until => rest.failures,
            Some(rest) => rest.failures.saturating_add(1),
            None => 1,
        };
        let span = match asked {
            Some(asked) => asked.min(LONGEST_ASKED) + up_to(MORE.min(asked)),
            None => {
                let span = usually * (1 << failures.saturating_sub(1).min(8)).min(MOST_TIMES);
                span + up_to(span / 4)
            }
        };
        let span = SignedDuration::try_from(span).unwrap_or(SignedDuration::ZERO);
        let Ok(until) = self.now().checked_add(span) else { return };
        // What a program complains of, and what a provider answers, may hold what it was given.
        let Ok(redactor) = self.redactor() else { return };
        let why = redactor.redact(&error.to_string()).0.into_owned();
        self.set_rest(provider, Some(Rest { until, failures, provider: provider.to_owned(), why }));
    }

    /// Takes note that a provider answers again.
    pub(crate) fn provider_is_back(&self, provider: &str) {
        self.set_rest(provider, None);
    }

    fn set_rest(&self, provider: &str, rest: Option<Rest>) {
        let set = || {
            let _guard = self.ledger.lock_private(LOCK)?;
            let mut rests = self.written_rests();
            rests.retain(|each| {
                each.provider != provider && self.now().duration_since(each.until) < FORGOTTEN
            });
            rests.extend(rest.clone());
            let lines: String = rests.iter().map(Rest::line).collect();
            match lines.is_empty() {
                true => self.ledger.remove_private(FILE),
                false => self.ledger.write_private(FILE, lines.as_bytes()),
            }
        };
        let mut unwritten = self.models.unwritten_rests.lock().unwrap_or_else(PoisonError::into_inner);
        unwritten.retain(|each| each.provider != provider);
        if let Err(error) = set() {
            tracing::info!("that a provider is away is not written down: {error}");
            unwritten.extend(rest);
        }
    }

    /// Those that could not be written down count first.
    fn all_rests(&self) -> Vec<Rest> {
        let mut rests = self.models.unwritten_rests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        rests.extend(self.written_rests());
        rests
    }

    fn written_rests(&self) -> Vec<Rest> {
        let bytes = self.ledger.read_private(FILE).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().filter_map(Rest::parse).collect()
    }
}
