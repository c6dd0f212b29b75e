//! OpenAI's protocol, which most providers and local servers speak too: `POST {url}/embeddings` with `{"model", "input": […]}`
//! and a bearer key, answered by `{"data": [{"index", "embedding"}, …]}` in any order.

use serde_json::{Value, json};

use super::batch::{Protocol, numbers};

pub(crate) struct OpenAi;

impl Protocol for OpenAi {
    const NAME: &str = "openai";
    const URL: &str = "https://api.openai.com/v1";
    const MODEL: &str = "text-embedding-3-small";
    const PATH: &str = "/embeddings";
    const MOST_TEXTS: usize = 64;
    /// The model shortens its vectors to the width that is asked for, so another width is another embedder.
    const WIDTH_IS_ASKED_FOR: bool = true;

    fn request(model: &str, texts: &[String], dimensions: usize) -> Value {
        let mut request = json!({ "model": model, "input": texts, "encoding_format": "float" });
        if dimensions > 0 {
            request["dimensions"] = dimensions.into();
        }
        request
    }

    fn vectors(answer: Value) -> Result<Vec<Vec<f32>>, String> {
        let Some(data) = answer.get("data").and_then(Value::as_array) else {
            return Err("there is no list `data`".to_owned());
        };
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; data.len()];
        for (place, entry) in data.iter().enumerate() {
            // A server that numbers nothing answers in order.
            let index = match entry.get("index") {
                Some(index) => index.as_u64().and_then(|index| usize::try_from(index).ok()),
                None => Some(place),
            };
            let free = index.and_then(|index| vectors.get_mut(index)).filter(|vector| vector.is_none());
            let Some(free) = free else { return Err("its vectors are numbered wrongly".to_owned()) };
            *free = Some(numbers(entry.get("embedding").unwrap_or(&Value::Null))?);
        }
        Ok(vectors.into_iter().flatten().collect())
    }
}
