//! What a client may read by its address: the core memory, the reflection that waits, an entity, a day's journal, any memory by its id.

use rem_mind::Memory;
use rem_mind::ledger::Store;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::uri::{Named, named};
use crate::failure::Failure;

const MARKDOWN: &str = "text/markdown";

/// The resources that are always there.
pub(super) fn listed() -> Vec<Resource> {
    let core = Resource::new("memory://core", "core")
        .with_title("Core memory")
        .with_description("MEMORY.md: who the user is, what is happening now, how to work with them, what must never be forgotten.")
        .with_mime_type(MARKDOWN);
    let reflection = Resource::new("memory://pending-reflection", "pending-reflection")
        .with_title("Pending reflection")
        .with_description("What the last reflection proposes, while it waits for a person's answer. Show it to them; nothing of it is applied without one.")
        .with_mime_type(MARKDOWN);
    vec![core, reflection]
}

/// The addresses that take a name.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(description)
            .with_mime_type(MARKDOWN)
    };
    vec![
        template(
            "memory://entity/{id}",
            "entity",
            "Entity",
            "A person, project, tool or place of the knowledge graph, by an id such as person--mira-holt.",
        ),
        template(
            "memory://journal/{date}",
            "journal",
            "Journal",
            "What is written of a day, such as 2026-03-01.",
        ),
        template(
            "memory://item/{id}",
            "item",
            "Memory",
            "Any memory, by the id that memory_search gives, with its special signs percent-encoded.",
        ),
    ]
}

/// What stands at an address.
pub(super) fn read(memory: &Memory, uri: &str) -> Result<ReadResourceResult, Failure> {
    let text = match named(uri) {
        Some(Named::Core) => {
            let bytes = memory.ledger().read(memory.path(Store::Core))?.unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        }
        Some(Named::PendingReflection) => {
            memory.reflection_document()?.unwrap_or_else(|| "No reflection waits for an answer.\n".to_owned())
        }
        Some(Named::Entity(id)) => memory.show(&format!("entity:{id}"))?.text,
        Some(Named::Item(id)) => memory.show(&id)?.text,
        Some(Named::Journal(date)) => {
            let day = date.parse().map_err(|_| {
                Failure::new(format!("{date:?} is no day"), "write it as memory://journal/2026-03-01")
            })?;
            let pages = memory.journal_show(Some(day))?.pages;
            pages.into_iter().map(|page| page.text).collect::<Vec<_>>().join("\n\n")
        }
        None => {
            return Err(Failure::new(
                format!("{uri:?} is no address of this memory"),
                "the addresses are memory://core, memory://pending-reflection, memory://entity/ID, memory://journal/DATE and memory://item/ID",
            ));
        }
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}
