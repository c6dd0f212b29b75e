//! Where a statement goes, as a model says (K7; seed M8.2), where `models.router` lets one.
//!
//! The model decides what the statement is and what it is about; its words stay the person's own. Names that do not stand in the
//! statement are dropped, and relations with them. Without a model, and where it gives no answer that fits, the rules decide as ever.

use rem_format::episode::Certainty;
use rem_format::slug::slug;
use rem_reason::spending::Urgency;
use rem_reason::{Task, Tier, Values};
use serde::Deserialize;

use super::router::{Kind, Mention, Routing, Statement, StoreKind, USER, route};
use crate::error::MemoryError;
use crate::memory::Memory;
use crate::reasoning::AnsweredBy;

const TASK: Task = Task {
    name: "route",
    prompt: include_str!("../../prompts/route.md"),
    schema: include_str!("../../prompts/route.json"),
    max_answer_tokens: 600,
    tier: Tier::Cheap,
};

#[derive(Debug, Deserialize)]
struct Answer {
    kind: String,
    entities: Vec<Mention>,
    relations: Vec<Statement>,
    tags: Vec<String>,
    confidence: Certainty,
}

impl Memory {
    /// What a statement is and where it goes; `is_awaited` where a person asked for it to be remembered.
    ///
    /// # Errors
    /// As [`Memory::ask`].
    pub(super) fn routing_of(&self, text: &str, is_awaited: bool) -> Result<Routing, MemoryError> {
        let ruled = route(text);
        if !self.config.models.router || self.model_of(TASK.tier).is_err() {
            return Ok(ruled);
        }
        let urgency = if is_awaited { Urgency::Waiting } else { Urgency::Background };
        let values = Values::default().with("statement", text);
        let answered = self.ask(&TASK, &values, urgency, || None)?;
        let (AnsweredBy::Model { .. }, Some(answer)) = (answered.by, answered.value) else {
            return Ok(ruled);
        };
        Ok(routing(answer, ruled))
    }
}

/// The rules' routing with what a model says of the same statement.
fn routing(answer: Answer, ruled: Routing) -> Routing {
    // The schema has no other words than these and `none`.
    let kind: Option<Kind> = serde_json::from_value(answer.kind.into()).ok();
    let Some(kind) = kind else {
        return Routing {
            store: None,
            entities: Vec::new(),
            relations: Vec::new(),
            confidence: Certainty::Low,
            core_update: false,
            ..ruled
        };
    };
    let said = ruled.summary.to_lowercase();
    let is_named = |name: &str| {
        let name = name.trim().to_lowercase();
        !name.is_empty() && said.contains(&name)
    };
    let is_end = |name: &str| name == USER || is_named(name);
    let is_between = |each: &Statement| is_end(&each.from) && is_end(&each.to);
    let relations = answer.relations.into_iter().filter(is_between);
    let mut tags: Vec<String> = Vec::new();
    for tag in answer.tags.iter().filter_map(|tag| slug(tag)) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let store = kind.store();
    Routing {
        store: Some(store),
        kind,
        entities: answer.entities.into_iter().filter(|each| is_named(&each.name)).collect(),
        relations: relations
            .filter_map(|each| Some(Statement { relation: slug(&each.relation)?, ..each }))
            .collect(),
        tags: if tags.is_empty() { ruled.tags } else { tags },
        confidence: answer.confidence,
        core_update: matches!(store, StoreKind::Core | StoreKind::Vault),
        summary: ruled.summary,
    }
}

#[cfg(test)]
mod tests {
    use rem_format::entity::EntityType;
    use serde_json::json;

    use super::*;

    fn routed(text: &str, answer: serde_json::Value) -> Routing {
        routing(serde_json::from_value(answer).unwrap(), route(text))
    }

    #[test]
    fn a_model_says_what_it_is_and_adds_no_name() {
        let text = "remember that Ada has moved over to Nordlys for good";
        let routing = routed(
            text,
            json!({
                "kind": "relation",
                "entities": [{"name": "Ada", "type": "person"}, {"name": "Nordlys", "type": "project"}, {"name": "Eve", "type": "person"}],
                "relations": [
                    {"from": "Ada", "relation": "Works at", "to": "Nordlys"},
                    {"from": "Eve", "relation": "knows", "to": "Ada"},
                    {"from": "user", "relation": "knows", "to": "Ada"},
                ],
                "tags": ["Ada", "new job", "ada", "--"],
                "confidence": "high",
            }),
        );
        assert_eq!((routing.store, routing.kind), (Some(StoreKind::Semantic), Kind::Relation));
        let names: Vec<(&str, EntityType)> =
            routing.entities.iter().map(|each| (each.name.as_str(), each.r#type)).collect();
        assert_eq!(names, [("Ada", EntityType::Person), ("Nordlys", EntityType::Project)]);
        let relations: Vec<String> = routing
            .relations
            .iter()
            .map(|each| format!("{} {} {}", each.from, each.relation, each.to))
            .collect();
        assert_eq!(relations, ["Ada works-at Nordlys", "user knows Ada"]);
        assert_eq!(routing.tags, ["ada", "new-job"]);
        assert_eq!(routing.summary, "Ada has moved over to Nordlys for good");
    }

    #[test]
    fn what_belongs_nowhere_names_nothing() {
        let answer = json!({"kind": "none", "entities": [{"name": "Ada", "type": "person"}], "relations": [], "tags": [], "confidence": "low"});
        let routing = routed("Ada works at Nordlys", answer);
        assert_eq!((routing.store, routing.entities.len(), routing.relations.len()), (None, 0, 0));
    }
}
