//! Conversations of a ChatGPT export: `conversations.json`, one array of all of them.
//!
//! Owns which nodes of a conversation's tree are conversation: the way from `current_node` to the root, so that
//! answers that were regenerated and questions that were edited are left out. What the model wrote to its own
//! memory (`bio`) becomes a memory turn. Must not keep system, hidden or reasoning messages.

use std::collections::HashMap;
use std::path::Path;

use rem_format::transcript::Role;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::assemble::{Assembler, Output};
use super::elements::each_element;
use super::json::{Block, Content, Flag, Lenient, Many, Text, record as as_record, time_of};
use super::{Format, ImportError, SessionMeta, tools};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Conversation<'a> {
    #[serde(borrow)]
    title: Text<'a>,
    #[serde(borrow)]
    create_time: Text<'a>,
    #[serde(borrow)]
    conversation_id: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    current_node: Text<'a>,
    #[serde(borrow)]
    default_model_slug: Text<'a>,
    #[serde(borrow)]
    mapping: Option<HashMap<String, Lenient<Node<'a>>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Node<'a> {
    #[serde(borrow)]
    parent: Text<'a>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow)]
    children: Many<Text<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    author: Lenient<Author<'a>>,
    #[serde(borrow)]
    create_time: Text<'a>,
    #[serde(borrow)]
    content: Lenient<Body<'a>>,
    #[serde(borrow)]
    recipient: Text<'a>,
    #[serde(borrow)]
    metadata: Lenient<Metadata<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Author<'a> {
    #[serde(borrow)]
    role: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Body<'a> {
    #[serde(borrow)]
    content_type: Text<'a>,
    #[serde(borrow)]
    parts: Content<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    language: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata<'a> {
    #[serde(rename = "is_visually_hidden_from_conversation")]
    hidden: Flag,
    #[serde(rename = "is_user_system_message")]
    custom_instructions: Flag,
    #[serde(borrow)]
    model_slug: Text<'a>,
    #[serde(borrow)]
    attachments: Many<Lenient<Attachment<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Attachment<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    id: Text<'a>,
}

/// Reads one export.
pub(super) fn read(_path: &Path, output: &mut Output<'_>) -> Result<(), ImportError> {
    each_element(output, &mut |output, number, element| {
        let place = format!("conversation {number}");
        let Ok(text) = std::str::from_utf8(element) else {
            output.skip_at(&place, "not UTF-8");
            return Ok(());
        };
        match as_record::<Conversation<'_>>(text) {
            Ok(conversation) => pass_on(output, &place, &conversation),
            Err(error) => {
                output.skip_at(&place, format!("not a conversation: {error}"));
                Ok(())
            }
        }
    })
}

fn pass_on(output: &mut Output<'_>, place: &str, conversation: &Conversation<'_>) -> Result<(), ImportError> {
    let Some(mapping) = &conversation.mapping else {
        output.skip_at(place, "the conversation has no messages");
        return Ok(());
    };
    let way = way_to_leaf(mapping, conversation.current_node.get());
    let mut messages = Vec::with_capacity(way.len());
    for key in way {
        let Some(raw) = mapping.get(key).and_then(|node| node.0.message) else { continue };
        match as_record::<Message<'_>>(raw.get()) {
            Ok(message) => messages.push((key, message)),
            Err(error) => {
                output.skip_at(&format!("{place} message {key}"), format!("not a message: {error}"))
            }
        }
    }
    let mut session = Assembler::new(meta(output, conversation, &messages));
    for (key, message) in &messages {
        session.at(message.create_time.get().and_then(time_of));
        say(&mut session, output, message.id.get().unwrap_or(key), message)?;
    }
    session.finish(output)
}

/// The nodes from the root to the active leaf. Without a leaf that exists, the newest child is followed.
fn way_to_leaf<'m>(
    mapping: &'m HashMap<String, Lenient<Node<'_>>>,
    current: Option<&'m str>,
) -> Vec<&'m str> {
    let leaf = current.filter(|key| mapping.contains_key(*key)).or_else(|| newest_leaf(mapping));
    let mut way = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut at = leaf;
    while let Some((key, node)) = at.and_then(|key| mapping.get_key_value(key)) {
        // A file may name a node as its own ancestor.
        if !seen.insert(key.as_str()) {
            break;
        }
        way.push(key.as_str());
        at = node.0.parent.get();
    }
    way.reverse();
    way
}

/// From the first root down the last child each time.
fn newest_leaf<'m>(mapping: &'m HashMap<String, Lenient<Node<'_>>>) -> Option<&'m str> {
    let is_root = |node: &Node<'_>| node.parent.get().is_none_or(|parent| !mapping.contains_key(parent));
    let mut at = mapping.iter().filter(|(_, node)| is_root(&node.0)).map(|(key, _)| key.as_str()).min()?;
    for _ in 0..mapping.len() {
        let last = mapping.get(at).and_then(|node| node.0.children.0.last()).and_then(Text::get);
        match last.and_then(|key| mapping.get_key_value(key)) {
            Some((child, _)) => at = child,
            None => break,
        }
    }
    Some(at)
}

fn meta(
    output: &Output<'_>,
    conversation: &Conversation<'_>,
    messages: &[(&str, Message<'_>)],
) -> SessionMeta {
    let created = conversation.create_time.get();
    let first = messages.iter().find_map(|(_, message)| message.create_time.get());
    let id = conversation.conversation_id.owned().or(conversation.id.owned()).unwrap_or_else(|| {
        // Some exports leave the id out: title, time and first message make one that stays the same.
        let first_id = messages.first().map(|(key, _)| *key).unwrap_or_default();
        let words = format!("{}\0{}\0{first_id}", conversation.title.or_empty(), created.unwrap_or_default());
        format!("chatgpt-{}", blake3::hash(words.as_bytes()).to_hex().get(..16).unwrap_or_default())
    });
    let model = messages.iter().find_map(|(_, message)| message.metadata.0.model_slug.owned());
    SessionMeta {
        source: Format::ChatGpt.source(),
        source_id: id,
        title: conversation.title.or_empty().trim().to_owned(),
        model: model.or(conversation.default_model_slug.owned()),
        started: created.or(first).and_then(time_of).unwrap_or_else(|| output.file_time()),
        cwd: None,
        channel: Some("chatgpt".to_owned()),
        parent: None,
        path: output.path().to_owned(),
    }
}

fn say(
    session: &mut Assembler,
    output: &mut Output<'_>,
    id: &str,
    message: &Message<'_>,
) -> Result<(), ImportError> {
    let metadata = &message.metadata.0;
    let body = &message.content.0;
    let hidden_kind = matches!(
        body.content_type.or_empty(),
        "thoughts" | "reasoning_recap" | "model_editable_context" | "user_editable_context"
    );
    if metadata.hidden.0 || metadata.custom_instructions.0 || hidden_kind {
        return Ok(());
    }
    let recipient = message.recipient.get().filter(|recipient| *recipient != "all");
    match message.author.0.role.or_empty() {
        "user" => {
            spoken(session, output, Role::User, id, body)?;
            for Lenient(file) in &metadata.attachments.0 {
                let name = file.name.get().or(file.id.get()).unwrap_or("file");
                session.attachment(output, Role::User, id, name)?;
            }
            Ok(())
        }
        "assistant" => {
            if let Some(model) = metadata.model_slug.owned() {
                session.totals().model = Some(model);
            }
            match recipient {
                Some("bio") => session.remembered(output, id, &text_of(body)),
                Some(tool) => session.call(output, id, None, None, tool, brief(&text_of(body))),
                None if body.content_type.is("code") => {
                    let name =
                        body.language.get().filter(|language| *language != "unknown").unwrap_or("code");
                    session.call(output, id, None, None, name, brief(body.text.or_empty()))
                }
                None => spoken(session, output, Role::Agent, id, body),
            }
        }
        "tool" => {
            session.result(Some(id), None, &brief(&text_of(body)));
            Ok(())
        }
        // `system` is the host's.
        _ => Ok(()),
    }
}

fn spoken(
    session: &mut Assembler,
    output: &mut Output<'_>,
    role: Role,
    id: &str,
    body: &Body<'_>,
) -> Result<(), ImportError> {
    let words = |session: &mut Assembler, output: &mut Output<'_>, text: &str| match role {
        Role::Agent => session.answer(output, id, None, text),
        _ => session.words(output, role, id, text),
    };
    for Block(part) in &body.parts.0 {
        match tools::file_name(part) {
            Some(name) => session.attachment(output, role, id, &name)?,
            None => words(session, output, part.text.or_empty())?,
        }
    }
    words(session, output, body.text.or_empty())
}

fn text_of(body: &Body<'_>) -> String {
    let parts = body.parts.0.iter().filter_map(|part| part.0.text.get());
    parts.chain(body.text.get()).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

fn brief(text: &str) -> String {
    text.chars().take(tools::KEPT).collect()
}
