//! OpenAI's chat protocol: `POST {url}/chat/completions` with a system's and a user's message, answered by `{"choices":
//! [{"message": {"content"}}], "usage"}`. A schema goes along as `response_format`, which Ollama, vLLM, llama.cpp and others know too.
//!
//! Servers differ in what they know. One that refuses a word of the request (a newer name for the limit, a temperature, the schema) is
//! asked without it, and from then on: what was learned stays with the endpoint.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{ModelError, Question, Said, Tokens, counted, malformed, with_instruction};
use crate::http::{Client, HttpError, Refusal};

#[derive(Debug)]
pub(super) struct Endpoint {
    client: Client,
    model: String,
    /// The limit is called `max_completion_tokens`.
    has_new_limit: AtomicBool,
    knows_no_temperature: AtomicBool,
    knows_no_schema: AtomicBool,
}

impl Endpoint {
    pub(super) fn new(client: Client, model: String) -> Self {
        Self {
            client,
            model,
            has_new_limit: AtomicBool::new(false),
            knows_no_temperature: AtomicBool::new(false),
            knows_no_schema: AtomicBool::new(false),
        }
    }

    pub(super) fn ask(&self, who: &str, question: &Question<'_>) -> Result<Said, ModelError> {
        let patience = question.patience();
        loop {
            let error = match self.client.post(&self.request(question), &patience) {
                Ok(answer) => return said(who, question, &answer),
                Err(Refusal::TooMuch(error)) => error,
                Err(other) => return Err(HttpError::from(other).into()),
            };
            if !self.learns_from(&error) {
                return Err(error.into());
            }
        }
    }

    fn request(&self, question: &Question<'_>) -> Value {
        let schema = question.schema.filter(|_| !self.knows_no_schema.load(Ordering::Relaxed));
        let prompt = match (question.schema, schema) {
            (Some(_), None) => with_instruction(question),
            _ => question.prompt.to_owned(),
        };
        let mut messages = vec![json!({ "role": "user", "content": prompt })];
        if !question.system.is_empty() {
            messages.insert(0, json!({ "role": "system", "content": question.system }));
        }
        let limit = match self.has_new_limit.load(Ordering::Relaxed) {
            true => "max_completion_tokens",
            false => "max_tokens",
        };
        let mut request = json!({ "model": self.model, "messages": messages });
        request[limit] = question.max_tokens.into();
        if !self.knows_no_temperature.load(Ordering::Relaxed) {
            request["temperature"] = question.temperature.into();
        }
        request["stream"] = false.into();
        if let Some((name, schema)) = schema {
            let schema = json!({ "name": name, "strict": true, "schema": schema.structure() });
            request["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        request
    }

    /// Whether a refusal says something new about what the server does not know.
    fn learns_from(&self, error: &HttpError) -> bool {
        let HttpError::Refused { status: 400 | 422, body, .. } = error else { return false };
        let says = |word: &str| body.contains(word);
        let learned = |flag: &AtomicBool| !flag.swap(true, Ordering::Relaxed);
        (says("max_completion_tokens") && learned(&self.has_new_limit))
            || (says("temperature") && learned(&self.knows_no_temperature))
            || ((says("response_format") || says("json_schema")) && learned(&self.knows_no_schema))
    }
}

fn said(who: &str, question: &Question<'_>, answer: &Value) -> Result<Said, ModelError> {
    let choice = &answer["choices"][0];
    let message = &choice["message"];
    let text = match &message["content"] {
        Value::String(text) => Some(text.clone()),
        // Some servers divide it into parts.
        Value::Array(parts) => Some(parts.iter().filter_map(|part| part["text"].as_str()).collect()),
        _ => None,
    };
    let usage = |name: &str| answer["usage"][name].as_u64();
    let tokens = match (usage("prompt_tokens"), usage("completion_tokens")) {
        (Some(input), Some(output)) => Tokens { input, output, are_estimated: false },
        _ => counted(question, text.as_deref().unwrap_or_default()),
    };
    if message["refusal"].is_string() || choice["finish_reason"] == "content_filter" {
        return Err(ModelError::Unwilling { who: who.to_owned(), tokens });
    }
    match text {
        Some(text) => Ok(Said { text, tokens }),
        None => Err(malformed(who, "there is no text in it")),
    }
}
