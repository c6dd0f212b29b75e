//! German: triggers, and what is ordinary talk all the same. Patterns match the plain form (`wording`).

use super::about::About;
use super::wordings::{Table, Trigger, Veto};

pub(super) const TABLE: Table =
    Table { triggers: TRIGGERS, vetoes: VETOES, borrowed: r" zzzz ", pieces: &[], about: About { leading: "", instead_of: &[] } };
const TRIGGERS: &[Trigger] = &[];
const VETOES: &[Veto] = &[];
