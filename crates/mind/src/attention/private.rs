//! What a group does not get to see: MEMORY.md and USER.md, what MEMORY.md had no room for, and corrections that repeat them (A2.2).

use std::collections::BTreeMap;

use rem_format::path::MemoryPath;
use rem_ledger::Store;

use super::budget::Source;
use super::compiled::{Candidate, Dropped};
use super::context::PRIVATE;
use crate::error::MemoryError;
use crate::memory::Memory;

impl Memory {
    /// MEMORY.md and USER.md are for the operator's own eyes (A2.2), whatever brings them: a topic may subscribe to them, and a link
    /// from outside may lead to them. The compiler holds back what stands in slots of their own.
    pub(super) fn hold_back_private(
        &self,
        candidates: &mut BTreeMap<Source, Vec<Candidate>>,
        left_out: &mut Vec<(Source, Dropped)>,
    ) -> Result<(), MemoryError> {
        let mut private = String::new();
        for path in [self.path(Store::Core), self.path(Store::User), &self.demoted_page()?] {
            let bytes = self.ledger.read(path)?.unwrap_or_default();
            private.push_str(&String::from_utf8_lossy(&bytes).to_lowercase());
        }
        // A correction of what stands in them says it too.
        let repeats = |candidate: &Candidate| {
            candidate.path == self.path(Store::Corrections).as_str()
                && rem_format::correction::parse(candidate.text.as_bytes()).iter().any(|placed| {
                    let said = [&placed.correction.right, &placed.correction.wrong];
                    said.iter().any(|said| !said.is_empty() && private.contains(&said.to_lowercase()))
                })
        };
        for (source, candidates) in candidates {
            if matches!(source, Source::Core | Source::Operator) {
                continue;
            }
            candidates.retain(|candidate| {
                let is_private = self.is_private(&candidate.path) || repeats(candidate);
                if is_private {
                    let tokens = rem_reason::count_tokens(&candidate.text);
                    let path = candidate.path.clone();
                    left_out.push((*source, Dropped { path, tokens, why: PRIVATE.to_owned() }));
                }
                !is_private
            });
        }
        Ok(())
    }

    /// Whether a path leads to MEMORY.md, to what had no room there any more, or to USER.md.
    fn is_private(&self, path: &str) -> bool {
        let inside = MemoryPath::new(path).ok().or_else(|| {
            let root = std::fs::canonicalize(self.ledger.root()).ok()?;
            let at = std::fs::canonicalize(root.join(path)).ok()?;
            MemoryPath::new(at.strip_prefix(root).ok()?.to_str()?).ok()
        });
        inside.is_some_and(|path| {
            let store = self.ledger.layout().store_of(&path);
            matches!(store, Some(Store::Core | Store::User))
                || self.demoted_page().is_ok_and(|page| page == path)
        })
    }
}
