//! What is forgotten is not proposed either: a reflection that waits loses the items and lines that are about it or quote it.

use rem_format::reflection::{Item, PendingReflection};
use rem_ledger::ChangeSet;

use super::{Moved, is_what_is_read, sealed};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::stores::Located;

/// Shorter words may stand in a line by chance, in bytes.
const TELLING: usize = 6;

impl Memory {
    /// The change that takes these memories out of the reflection that waits. A document that a person changed stays as it is: nothing
    /// of it can be applied.
    pub(crate) fn reflection_without(
        &self,
        forgotten: &[Located],
    ) -> Result<ChangeSet<'static>, MemoryError> {
        let (page, twin) = self.pending_paths()?;
        let (Some(document), Some(bytes)) = (self.ledger.read(&page)?, self.ledger.read(&twin)?) else {
            return Ok(ChangeSet::new());
        };
        let Ok(pending) = PendingReflection::parse(&bytes) else { return Ok(ChangeSet::new()) };
        if !is_what_is_read(&pending, &document) {
            return Ok(ChangeSet::new());
        }
        let mut rest = pending.clone();
        let said: Vec<String> = forgotten.iter().flat_map(lines_of).collect();
        let says = |text: &str| {
            let text = text.to_lowercase();
            said.iter().any(|said| text.contains(said.as_str()))
        };
        let is_of = |id: &str| forgotten.iter().any(|each| each.id == id);
        let is_about = |item: &Item| {
            item.memory.iter().chain(&item.keep).chain(&item.sources).any(|id| is_of(id))
                || item.rests_on.iter().any(|line| says(&line.text))
                || item.after.iter().chain([&item.says, &item.reason]).any(|text| says(text))
        };
        rest.items.retain(|item| !is_about(item));
        let insights = &mut rest.insights;
        for lines in [
            &mut rest.knowledge,
            &mut rest.connections,
            &mut insights.learning,
            &mut insights.understanding,
            &mut insights.theme,
        ] {
            lines.retain(|line| !says(line));
        }
        if rest == pending {
            return Ok(ChangeSet::new());
        }
        let after = (!rest.items.is_empty() || rest.left_out > 0).then(|| {
            rest.tokens = 0;
            (sealed(&mut rest).into_bytes(), rest.render().into_bytes())
        });
        let (text, json) = after.unzip();
        let edited = |path, before: Vec<u8>, after: Option<Vec<u8>>| {
            ChangeSet::new().edit(path, "forgotten meanwhile", move |now| match now == Some(&before) {
                true => Ok(after.clone()),
                false => Err(Box::new(Moved)),
            })
        };
        Ok(edited(page, document, text).and(edited(twin, bytes, json)))
    }
}

/// What a memory says, line by line, without headings and annotations, in lower case.
fn lines_of(located: &Located) -> Vec<String> {
    let said = located.text.lines().filter(|line| !line.starts_with(['#', '<']) && !line.starts_with("---"));
    said.map(|line| {
        line.split("<!--").next().unwrap_or_default().trim_start_matches("- ").trim().to_lowercase()
    })
    .filter(|line| line.len() >= TELLING)
    .collect()
}
