//! Ollama's own protocol: `POST /api/embed` with `{"model", "input": […]}`, answered by `{"embeddings": [[…], …]}`.

use serde_json::{Value, json};

use super::batch::{Protocol, numbers};

pub(crate) struct Ollama;

impl Protocol for Ollama {
    const NAME: &str = "ollama";
    const URL: &str = "http://127.0.0.1:11434";
    const MODEL: &str = "bge-m3";
    const PATH: &str = "/api/embed";
    /// It mostly runs on a processor: what takes longer than the time limit is worth nothing.
    const MOST_TEXTS: usize = 16;

    fn request(model: &str, texts: &[String], _: usize) -> Value {
        json!({ "model": model, "input": texts })
    }

    fn vectors(mut answer: Value) -> Result<Vec<Vec<f32>>, String> {
        let Some(Value::Array(rows)) = answer.get_mut("embeddings").map(Value::take) else {
            return Err("there is no list `embeddings`".to_owned());
        };
        rows.iter().map(numbers).collect()
    }
}
