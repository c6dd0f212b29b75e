//! What a person says to things that wait for them, each with an id: approved, in other words, rejected, or nothing yet. Must not know what
//! they are.

use std::collections::BTreeMap;

use crate::error::MemoryError;

/// What a person says to what is proposed. What it does not name waits on.
#[derive(Debug, Clone, Default)]
pub struct ReviewDecision {
    /// Everything that is not named otherwise is approved.
    pub approve_all: bool,
    /// The ids of items that are approved.
    pub approve: Vec<String>,
    /// Items that are approved in other words, by id.
    pub edits: BTreeMap<String, String>,
    /// Everything that is not named otherwise is rejected.
    pub reject_all: bool,
    /// Items that are rejected, by id, each with the reason, which may be empty.
    pub reject: BTreeMap<String, String>,
    /// The reason for what is rejected without one of its own.
    pub reason: String,
}

impl ReviewDecision {
    /// The items that are approved, and the ids of those that are rejected with the reasons. `lists` is the command that names what waits.
    ///
    /// # Errors
    /// [`MemoryError::Usage`] where an id is not one of the items, or one is approved and rejected.
    pub(crate) fn split<'i, I>(
        &self,
        items: &'i [I],
        id_of: impl Fn(&I) -> &str,
        lists: &str,
    ) -> Result<(Vec<&'i I>, BTreeMap<String, String>), MemoryError> {
        let named = self.approve.iter().chain(self.edits.keys()).chain(self.reject.keys());
        for id in named {
            if !items.iter().any(|item| id_of(item) == id) {
                return Err(MemoryError::usage(
                    format!("no item {id:?} waits: it was decided, or there never was one"),
                    format!("`{lists}` lists those that wait"),
                ));
            }
        }
        let is_approved =
            |id: &str| self.approve.iter().any(|approved| approved == id) || self.edits.contains_key(id);
        if let Some(id) = self.reject.keys().find(|id| is_approved(id)) {
            return Err(MemoryError::usage(format!("{id} is approved and rejected"), "name it once"));
        }
        let (mut approved, mut rejected) = (Vec::new(), BTreeMap::new());
        for item in items {
            let id = id_of(item);
            if let Some(reason) = self.reject.get(id) {
                let reason = if reason.trim().is_empty() { &self.reason } else { reason };
                rejected.insert(id.to_owned(), reason.clone());
            } else if is_approved(id) || self.approve_all {
                approved.push(item);
            } else if self.reject_all {
                rejected.insert(id.to_owned(), self.reason.clone());
            }
        }
        Ok((approved, rejected))
    }
}
