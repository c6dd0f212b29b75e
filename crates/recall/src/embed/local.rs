//! A transformer model in a local folder, run on the processor through candle.
//!
//! The folder is what sentence-transformers saves: `config.json`, `model.safetensors`, `tokenizer.json`, and where they are there
//! `1_Pooling/config.json` and `sentence_bert_config.json`. BERT (MiniLM, e5, bge) and XLM-R (multilingual e5, bge-m3) are
//! understood. The weights are read at the first text; the embedder's name carries a fingerprint of the files, so that another
//! model in the same folder is another embedder. Nothing is downloaded and nothing leaves the machine.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, xlm_roberta};
use serde_json::Value;
use tokenizers::{Tokenizer, TruncationParams};

use super::{EmbedError, Embedder, Purpose, check, prefix};

/// Texts that are computed together; more gains nothing on a processor.
const BATCH: usize = 8;
/// Tokens of a text that are read, where the model takes more: passages are shorter.
const MOST_TOKENS: usize = 512;

pub(crate) struct Local {
    folder: PathBuf,
    /// What the prefix is told by.
    model: String,
    name: String,
    dimensions: usize,
    loaded: OnceLock<Result<Loaded, String>>,
}

impl Local {
    pub(crate) fn new(folder: &Path, model: &str, dimensions: usize) -> Result<Self, EmbedError> {
        let model = match model.trim() {
            "" => folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
            named => named.to_owned(),
        };
        let fingerprint =
            fingerprint(folder).map_err(|why| EmbedError::Model { folder: folder.into(), why })?;
        Ok(Self {
            folder: folder.to_owned(),
            name: format!("folder:{model}-{fingerprint}"),
            model,
            dimensions,
            loaded: OnceLock::new(),
        })
    }

    fn loaded(&self) -> Result<&Loaded, EmbedError> {
        let loaded = self.loaded.get_or_init(|| Loaded::new(&self.folder));
        loaded.as_ref().map_err(|why| EmbedError::Model { folder: self.folder.clone(), why: why.clone() })
    }
}

impl Embedder for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let loaded = self.loaded()?;
        let prefix = prefix(&self.model, purpose);
        let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let vectors =
            loaded.embed(&texts).map_err(|why| EmbedError::Model { folder: self.folder.clone(), why })?;
        check(&self.name, &vectors, texts.len(), (self.dimensions > 0).then_some(self.dimensions))?;
        Ok(vectors)
    }
}

/// What tells one model from another without reading all of it: the small files, and size, head and tail of the weights.
fn fingerprint(folder: &Path) -> Result<String, String> {
    const PART: u64 = 64 * 1024;
    let mut hasher = blake3::Hasher::new();
    for name in ["config.json", "tokenizer.json"] {
        hasher.update(&read(folder, name)?);
    }
    let wrong = |error: std::io::Error| format!("model.safetensors: {error}");
    let mut weights = File::open(folder.join("model.safetensors")).map_err(wrong)?;
    let size = weights.metadata().map_err(wrong)?.len();
    hasher.update(&size.to_le_bytes());
    for start in [0, size.saturating_sub(PART)] {
        let mut part = Vec::new();
        weights.seek(SeekFrom::Start(start)).map_err(wrong)?;
        weights.by_ref().take(PART).read_to_end(&mut part).map_err(wrong)?;
        hasher.update(&part);
    }
    Ok(hasher.finalize().to_hex()[..8].to_owned())
}

fn read(folder: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))
}

fn read_json(folder: &Path, name: &str) -> Result<Value, String> {
    serde_json::from_slice(&read(folder, name)?).map_err(|error| format!("{name}: {error}"))
}

enum Model {
    Bert(bert::BertModel),
    XlmRoberta(xlm_roberta::XLMRobertaModel),
}

#[derive(Clone, Copy)]
enum Pooling {
    /// The mean over all tokens.
    Mean,
    /// The first token.
    First,
}

struct Loaded {
    model: Model,
    tokenizer: Tokenizer,
    pooling: Pooling,
    padding: u32,
}

impl Loaded {
    fn new(folder: &Path) -> Result<Self, String> {
        let config = read_json(folder, "config.json")?;
        let number = |key: &str| config.get(key).and_then(Value::as_u64);
        let kind = config.get("model_type").and_then(Value::as_str).unwrap_or("bert");
        let padding = number("pad_token_id").and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        let weights = VarBuilder::from_buffered_safetensors(
            read(folder, "model.safetensors")?,
            DType::F32,
            &Device::Cpu,
        )
        .map_err(|error| error.to_string())?;
        let (model, reserved) = match kind {
            "bert" => {
                let config: bert::Config =
                    serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
                (bert::BertModel::load(weights, &config).map(Model::Bert), 0)
            }
            "xlm-roberta" | "roberta" => {
                let config: xlm_roberta::Config =
                    serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
                let inside = weights.contains_tensor("roberta.embeddings.word_embeddings.weight");
                let weights = if inside { weights.pp("roberta") } else { weights };
                // Its positions are counted from after the padding's id.
                let reserved = u64::from(padding) + 1;
                (xlm_roberta::XLMRobertaModel::new(&config, weights).map(Model::XlmRoberta), reserved)
            }
            other => return Err(format!("models of the kind `{other}` are not understood")),
        };
        let model = model.map_err(|error| error.to_string())?;
        let positions = number("max_position_embeddings").unwrap_or(512).saturating_sub(reserved);
        let wanted = read_json(folder, "sentence_bert_config.json").ok();
        let wanted = wanted.and_then(|config| config.get("max_seq_length")?.as_u64()).unwrap_or(u64::MAX);
        let longest = usize::try_from(positions.min(wanted)).unwrap_or(MOST_TOKENS).clamp(8, MOST_TOKENS);
        let mut tokenizer =
            Tokenizer::from_file(folder.join("tokenizer.json")).map_err(|error| error.to_string())?;
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(Some(TruncationParams { max_length: longest, ..TruncationParams::default() }))
            .map_err(|error| error.to_string())?;
        Ok(Self { model, tokenizer, pooling: pooling(folder)?, padding })
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let encodings =
            self.tokenizer.encode_batch(texts.to_vec(), true).map_err(|error| error.to_string())?;
        let tokens: Vec<&[u32]> = encodings.iter().map(tokenizers::Encoding::get_ids).collect();
        // Texts of like length together, so that little is computed on padding.
        let mut order: Vec<usize> = (0..tokens.len()).collect();
        order.sort_by_key(|at| tokens[*at].len());
        let mut vectors = vec![Vec::new(); texts.len()];
        for batch in order.chunks(BATCH) {
            let rows: Vec<&[u32]> = batch.iter().map(|at| tokens[*at]).collect();
            let computed = self.compute(&rows).map_err(|error| error.to_string())?;
            for (at, vector) in batch.iter().zip(computed) {
                vectors[*at] = vector;
            }
        }
        Ok(vectors)
    }

    fn compute(&self, rows: &[&[u32]]) -> candle_core::Result<Vec<Vec<f32>>> {
        let longest = rows.iter().map(|row| row.len()).max().unwrap_or(0).max(1);
        let shape = (rows.len(), longest);
        let padded = |value: &dyn Fn(&[u32], usize) -> u32| -> Vec<u32> {
            rows.iter().flat_map(|row| (0..longest).map(|at| value(row, at)).collect::<Vec<_>>()).collect()
        };
        let ids = padded(&|row, at| row.get(at).copied().unwrap_or(self.padding));
        let mask = padded(&|row, at| u32::from(at < row.len()));
        let ids = Tensor::from_vec(ids, shape, &Device::Cpu)?;
        let mask = Tensor::from_vec(mask, shape, &Device::Cpu)?;
        let types = ids.zeros_like()?;
        let states = match &self.model {
            Model::Bert(model) => model.forward(&ids, &types, Some(&mask))?,
            Model::XlmRoberta(model) => model.forward(&ids, &mask, &types, None, None, None)?,
        };
        let states = states.to_vec3::<f32>()?;
        Ok(states.iter().zip(rows).map(|(states, row)| pool(&states[..row.len()], self.pooling)).collect())
    }
}

/// One vector of length one from those of the tokens.
fn pool(states: &[Vec<f32>], pooling: Pooling) -> Vec<f32> {
    let mut vector = match (pooling, states) {
        (_, []) => return Vec::new(),
        (Pooling::First, [first, ..]) => first.clone(),
        (Pooling::Mean, [first, rest @ ..]) => {
            let mut sum = first.clone();
            for state in rest {
                sum.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
            }
            sum
        }
    };
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    if norm > f32::EPSILON {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    vector
}

/// How the model's own file says that tokens become one vector; the mean where there is none.
fn pooling(folder: &Path) -> Result<Pooling, String> {
    if !folder.join("1_Pooling/config.json").is_file() {
        return Ok(Pooling::Mean);
    }
    let config = read_json(folder, "1_Pooling/config.json")?;
    let is = |key: &str| config.get(key).and_then(Value::as_bool).unwrap_or(false);
    if is("pooling_mode_cls_token") {
        Ok(Pooling::First)
    } else if is("pooling_mode_mean_tokens") {
        Ok(Pooling::Mean)
    } else {
        Err("1_Pooling/config.json asks for neither the mean nor the first token".to_owned())
    }
}
