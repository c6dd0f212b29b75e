//! The books: what was spent, in `.rem/spending`, one line for each call until they are added up.
//!
//! Several processes write at once. When the file has grown by a piece, it is added up by day, operation and model, and what is older than
//! a year and a month by month: so it stays small, and a year's totals can be read. Whoever deletes the file forgets what was spent.

use std::sync::PoisonError;

use jiff::ToSpan as _;
use rem_reason::spending::{Allowance, Caps, Spent, Urgency, rolled_up};

use crate::memory::Memory;

const FILE: &str = "spending";
const LOCK: &str = "spending.lock";
/// The lines are added up each time that so many bytes were written.
const PIECE: u64 = 64 << 10;
/// Days that are kept as days.
const DAYS: i64 = 400;

impl Memory {
    /// Writes down what was spent. What cannot be written is said on the log and counts while this program runs: an answer that was
    /// paid for is not lost for it.
    pub(crate) fn record(&self, spent: &[Spent]) {
        if spent.is_empty() {
            return;
        }
        let lines: String = spent.iter().map(Spent::line).collect();
        if let Err(error) = self.ledger.append_private(FILE, lines.as_bytes(), u64::MAX) {
            tracing::warn!(
                "what a model took is not recorded, and no other program's caps know of it: {error}"
            );
            self.unrecorded.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(spent);
            return;
        }
        let after = std::fs::metadata(self.ledger.private_folder().join(FILE)).map_or(0, |file| file.len());
        let before = after.saturating_sub(lines.len() as u64);
        if before / PIECE != after / PIECE
            && let Err(error) = self.add_up()
        {
            tracing::warn!("what models took is not added up: {error}");
        }
    }

    fn add_up(&self) -> Result<(), rem_ledger::LedgerError> {
        let _guard = self.ledger.lock_private(LOCK)?;
        let first_day = self.today().saturating_sub(DAYS.days());
        let sums = rolled_up(self.recorded(), &first_day.to_string());
        let lines: String = sums.iter().map(Spent::line).collect();
        self.ledger.write_private(FILE, lines.as_bytes())
    }

    /// Everything that was spent, with what could not be written down.
    pub(super) fn spent(&self) -> Vec<Spent> {
        let mut spent = self.recorded();
        spent.extend_from_slice(&self.unrecorded.lock().unwrap_or_else(PoisonError::into_inner));
        spent
    }

    fn recorded(&self) -> Vec<Spent> {
        let bytes = self.ledger.read_private(FILE).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        text.lines().filter_map(Spent::parse).collect()
    }

    /// What the caps leave today for work of this urgency.
    pub(crate) fn allowance(&self, urgency: Urgency) -> Allowance {
        Allowance::new(&self.caps(), urgency, &self.today().to_string(), &self.spent())
    }

    pub(super) fn caps(&self) -> Caps {
        let settings = &self.config.spending;
        Caps {
            daily_usd: settings.daily_cap_usd,
            monthly_usd: settings.monthly_cap_usd,
            daily_tokens: settings.daily_cap_tokens,
            kept_for_waiting: settings.kept_for_waiting,
        }
    }
}
