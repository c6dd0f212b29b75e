//! Anthropic's messages: `POST {url}/v1/messages`, answered by `{"content": [{"type", …}], "stop_reason", "usage"}`. A schema goes
//! along as the only tool, which the model must use; what it gives to the tool is the answer.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{ModelError, Question, Said, Tokens, counted, malformed};
use crate::http::{Client, HttpError, Refusal};

/// The version of the protocol that is spoken.
const HEADERS: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

#[derive(Debug)]
pub(super) struct Endpoint {
    client: Client,
    model: String,
    knows_no_temperature: AtomicBool,
}

impl Endpoint {
    pub(super) fn new(client: Client, model: String) -> Self {
        let client = client.with_headers("x-api-key", HEADERS);
        Self { client, model, knows_no_temperature: AtomicBool::new(false) }
    }

    pub(super) fn ask(&self, who: &str, question: &Question<'_>) -> Result<Said, ModelError> {
        let patience = question.patience();
        let mut answer = self.client.post(&self.request(question), &patience);
        if let Err(Refusal::TooMuch(HttpError::Refused { status: 400, body, .. })) = &answer
            && body.contains("temperature")
            && !self.knows_no_temperature.swap(true, Ordering::Relaxed)
        {
            answer = self.client.post(&self.request(question), &patience);
        }
        said(who, question, &answer.map_err(HttpError::from)?)
    }

    fn request(&self, question: &Question<'_>) -> Value {
        let mut request = json!({
            "model": self.model,
            "max_tokens": question.max_tokens,
            "messages": [{ "role": "user", "content": question.prompt }],
        });
        if !self.knows_no_temperature.load(Ordering::Relaxed) {
            request["temperature"] = question.temperature.into();
        }
        if !question.system.is_empty() {
            request["system"] = question.system.into();
        }
        if let Some((name, schema)) = question.schema {
            let tool = json!({
                "name": name, "description": "Gives the answer.", "input_schema": schema.structure(),
            });
            request["tools"] = json!([tool]);
            request["tool_choice"] = json!({ "type": "tool", "name": name });
        }
        request
    }
}

fn said(who: &str, question: &Question<'_>, answer: &Value) -> Result<Said, ModelError> {
    let pieces = answer["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of_kind = |kind: &'static str| pieces.iter().filter(move |piece| piece["type"] == kind);
    // What was given to the tool; without one it is in the words, if anywhere.
    let given: String = of_kind("tool_use").map(|piece| piece["input"].to_string()).collect();
    let text = match given.is_empty() {
        true => of_kind("text").filter_map(|piece| piece["text"].as_str()).collect(),
        false => given,
    };
    let usage = |name: &str| answer["usage"][name].as_u64();
    let tokens = match (usage("input_tokens"), usage("output_tokens")) {
        (Some(input), Some(output)) => {
            // What was read from or written to the provider's cache is counted as if it were not.
            let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].map(usage);
            let cached: u64 = cached.into_iter().flatten().sum();
            Tokens { input: input + cached, output, are_estimated: false }
        }
        _ => counted(question, &text),
    };
    if answer["stop_reason"] == "refusal" {
        return Err(ModelError::Unwilling { who: who.to_owned(), tokens });
    }
    match text.is_empty() {
        true => Err(malformed(who, "there is no text in it")),
        false => Ok(Said { text, tokens }),
    }
}
