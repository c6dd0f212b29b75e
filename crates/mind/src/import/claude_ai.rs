//! Conversations of a Claude.ai export: `conversations.json`, one array of all of them.
//!
//! Owns which messages are conversation: the way to the last message, by parents where the export has them, so
//! that answers that were tried again are left out. Attachments are named, their extracted content is not kept.
//! Must not keep thinking blocks.

use std::collections::HashMap;
use std::path::Path;

use rem_format::transcript::Role;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::assemble::{Assembler, Output};
use super::elements::each_element;
use super::json::{Block, Content, Lenient, Many, Text, record as as_record, time_of};
use super::{Format, ImportError, SessionMeta, tools};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Conversation<'a> {
    #[serde(borrow)]
    uuid: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    summary: Text<'a>,
    #[serde(borrow)]
    model: Text<'a>,
    #[serde(borrow)]
    created_at: Text<'a>,
    #[serde(borrow)]
    chat_messages: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    uuid: Text<'a>,
    #[serde(borrow)]
    parent_message_uuid: Text<'a>,
    #[serde(borrow)]
    sender: Text<'a>,
    #[serde(borrow)]
    text: Text<'a>,
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(borrow)]
    created_at: Text<'a>,
    #[serde(borrow)]
    attachments: Many<Lenient<File<'a>>>,
    #[serde(borrow)]
    files: Many<Lenient<File<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct File<'a> {
    #[serde(borrow)]
    file_name: Text<'a>,
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
    let Some(raw) = &conversation.chat_messages else {
        output.skip_at(place, "the conversation has no messages");
        return Ok(());
    };
    let mut messages = Vec::with_capacity(raw.len());
    for (number, message) in raw.iter().enumerate() {
        match as_record::<Message<'_>>(message.get()) {
            Ok(message) => messages.push(message),
            Err(error) => {
                output.skip_at(&format!("{place} message {}", number + 1), format!("not a message: {error}"))
            }
        }
    }
    let first = messages.iter().find_map(|message| message.created_at.get());
    let started = conversation.created_at.get().or(first).and_then(time_of);
    let meta = SessionMeta {
        source: Format::ClaudeAi.source(),
        source_id: conversation.uuid.owned().unwrap_or_else(|| {
            let words = format!("{}\0{}", conversation.name.or_empty(), conversation.created_at.or_empty());
            format!("claude-ai-{}", blake3::hash(words.as_bytes()).to_hex().get(..16).unwrap_or_default())
        }),
        title: conversation.name.owned().or(conversation.summary.owned()).unwrap_or_default(),
        model: conversation.model.owned(),
        started: started.unwrap_or_else(|| output.file_time()),
        cwd: None,
        channel: Some("claude.ai".to_owned()),
        parent: None,
        path: output.path().to_owned(),
    };
    let mut session = Assembler::new(meta);
    for number in way_to_last(&messages) {
        let Some(message) = messages.get(number) else { continue };
        session.at(message.created_at.get().and_then(time_of));
        let id = message.uuid.owned().unwrap_or_else(|| format!("message-{}", number + 1));
        say(&mut session, output, &id, message)?;
    }
    session.finish(output)
}

/// The messages that lead to the last one, in order. A message without a parent that is here follows the one
/// before it in the array, unless some message of the conversation has one: then it is a beginning.
fn way_to_last(messages: &[Message<'_>]) -> Vec<usize> {
    let by_id: HashMap<&str, usize> = messages
        .iter()
        .enumerate()
        .filter_map(|(number, message)| Some((message.uuid.get()?, number)))
        .collect();
    let parent_of = |number: usize| {
        let parent = messages.get(number)?.parent_message_uuid.get()?;
        by_id.get(parent).copied().filter(|parent| *parent != number)
    };
    if !(0..messages.len()).any(|number| parent_of(number).is_some()) {
        return (0..messages.len()).collect();
    }
    let mut on = vec![false; messages.len()];
    let mut way = Vec::new();
    let mut at = messages.len().checked_sub(1);
    while let Some(number) = at.filter(|number| !on[*number]) {
        on[number] = true;
        way.push(number);
        at = parent_of(number);
    }
    way.reverse();
    way
}

fn say(
    session: &mut Assembler,
    output: &mut Output<'_>,
    id: &str,
    message: &Message<'_>,
) -> Result<(), ImportError> {
    let role = match message.sender.or_empty() {
        "human" | "user" => Role::User,
        "assistant" => Role::Agent,
        _ => return Ok(()),
    };
    // The plain text repeats the blocks, with tool calls as placeholders: only old exports need it.
    let has_blocks =
        message.content.0.iter().any(|block| block.0.text.get().is_some_and(|text| !text.is_empty()));
    if !has_blocks {
        spoken(session, output, role, id, message.text.or_empty())?;
    }
    for Block(block) in &message.content.0 {
        match block.kind.or_empty() {
            "text" => spoken(session, output, role, id, block.text.or_empty())?,
            "tool_use" => {
                let name = block.name.get().unwrap_or("tool");
                session.call(output, id, Some(id), block.id.get(), name, tools::summary(block.input))?;
            }
            "tool_result" => {
                let text = tools::result(block.content, block.is_error.0);
                session.result(Some(id), block.tool_use_id.get(), &text);
            }
            _ => {}
        }
    }
    for Lenient(file) in message.attachments.0.iter().chain(&message.files.0) {
        session.attachment(
            output,
            role,
            id,
            file.file_name.get().filter(|name| !name.is_empty()).unwrap_or("file"),
        )?;
    }
    Ok(())
}

fn spoken(
    session: &mut Assembler,
    output: &mut Output<'_>,
    role: Role,
    id: &str,
    text: &str,
) -> Result<(), ImportError> {
    match role {
        // Each message is one response.
        Role::Agent => session.answer(output, id, Some(id), text),
        _ => session.words(output, role, id, text),
    }
}
