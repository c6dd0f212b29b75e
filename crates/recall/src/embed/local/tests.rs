//! A model in a folder, with tiny models that the test makes itself.

use std::collections::HashMap;

use serde_json::json;

use super::*;

const WIDTH: usize = 8;
const WORDS: [&str; 12] =
    ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "the", "kiln", "is", "hot", "query", ":", "passage", "cold"];

/// Numbers that look random and are the same each time.
fn numbers(name: &str, count: usize) -> Vec<f32> {
    let mut bytes = vec![0; count];
    blake3::Hasher::new().update(name.as_bytes()).finalize_xof().fill(&mut bytes);
    bytes.iter().map(|byte| f32::from(*byte) / 128.0 - 1.0).collect()
}

/// The weights of a BERT or XLM-R of `layers` layers, as its folder names them.
fn weights(layers: usize) -> HashMap<String, Vec<usize>> {
    let mut shapes = HashMap::new();
    let mut add = |name: String, shape: &[usize]| {
        shapes.insert(name, shape.to_vec());
    };
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..layers {
        norms.push(format!("encoder.layer.{layer}.attention.output.LayerNorm"));
        norms.push(format!("encoder.layer.{layer}.output.LayerNorm"));
    }
    for name in norms {
        add(format!("{name}.weight"), &[WIDTH]);
        add(format!("{name}.bias"), &[WIDTH]);
    }
    add("embeddings.word_embeddings.weight".to_owned(), &[WORDS.len(), WIDTH]);
    add("embeddings.position_embeddings.weight".to_owned(), &[40, WIDTH]);
    add("embeddings.token_type_embeddings.weight".to_owned(), &[2, WIDTH]);
    for layer in 0..layers {
        for (name, from, to) in [
            ("attention.self.query", WIDTH, WIDTH),
            ("attention.self.key", WIDTH, WIDTH),
            ("attention.self.value", WIDTH, WIDTH),
            ("attention.output.dense", WIDTH, WIDTH),
            ("intermediate.dense", WIDTH, 16),
            ("output.dense", 16, WIDTH),
        ] {
            add(format!("encoder.layer.{layer}.{name}.weight"), &[to, from]);
            add(format!("encoder.layer.{layer}.{name}.bias"), &[to]);
        }
    }
    shapes
}

#[allow(clippy::disallowed_methods, reason = "the test makes the model that is read")]
fn write(folder: &Path, name: &str, content: &Value) {
    std::fs::create_dir_all(folder.join(name).parent().expect("inside")).expect("made");
    std::fs::write(folder.join(name), content.to_string()).expect("written");
}

/// A model's folder of this name, below a temporary one.
fn model(kind: &str, name: &str, layers: usize) -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join(name);
    write(
        &folder,
        "config.json",
        &json!({
            "model_type": kind, "vocab_size": WORDS.len(), "hidden_size": WIDTH, "num_hidden_layers": layers,
            "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu", "hidden_dropout_prob": 0.1,
            "attention_probs_dropout_prob": 0.1, "max_position_embeddings": 40, "type_vocab_size": 2,
            "initializer_range": 0.02, "layer_norm_eps": 1e-12, "pad_token_id": 0,
            "position_embedding_type": "absolute",
        }),
    );
    let tensors: HashMap<String, Tensor> = weights(layers)
        .into_iter()
        .map(|(name, shape)| {
            let numbers = numbers(&name, shape.iter().product());
            let tensor = Tensor::from_vec(numbers, shape, &Device::Cpu).expect("fits");
            (name, tensor)
        })
        .collect();
    candle_core::safetensors::save(&tensors, folder.join("model.safetensors")).expect("written");
    let special = |id: usize| {
        json!({ "id": id, "content": WORDS[id], "single_word": false, "lstrip": false, "rstrip": false,
                "normalized": false, "special": true })
    };
    let vocabulary: serde_json::Map<String, Value> =
        WORDS.iter().enumerate().map(|(id, word)| ((*word).to_owned(), id.into())).collect();
    write(
        &folder,
        "tokenizer.json",
        &json!({
            "version": "1.0", "truncation": null, "padding": null,
            "added_tokens": [special(0), special(1), special(2), special(3)],
            "normalizer": { "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                            "strip_accents": null, "lowercase": true },
            "pre_tokenizer": { "type": "BertPreTokenizer" },
            "post_processor": { "type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1] },
            "decoder": null,
            "model": { "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                       "max_input_chars_per_word": 100, "vocab": vocabulary },
        }),
    );
    (temporary, folder)
}

fn embed(folder: &Path, texts: &[&str], purpose: Purpose) -> Vec<Vec<f32>> {
    Local::new(folder, "", 0).expect("a model").embed(texts, purpose).expect("embeds")
}

fn is_near(one: &[f32], other: &[f32]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-4)
}

/// What a model without layers makes of tokens: their normalised sum of word, position and type.
fn by_hand(tokens: &[usize]) -> Vec<f32> {
    let words = numbers("embeddings.word_embeddings.weight", WORDS.len() * WIDTH);
    let positions = numbers("embeddings.position_embeddings.weight", 40 * WIDTH);
    let types = numbers("embeddings.token_type_embeddings.weight", 2 * WIDTH);
    let (scale, shift) =
        (numbers("embeddings.LayerNorm.weight", WIDTH), numbers("embeddings.LayerNorm.bias", WIDTH));
    let mut sum = [0.0; WIDTH];
    for (position, token) in tokens.iter().enumerate() {
        let state: Vec<f32> = (0..WIDTH)
            .map(|at| words[token * WIDTH + at] + positions[position * WIDTH + at] + types[at])
            .collect();
        let mean = state.iter().sum::<f32>() / 8.0;
        let deviation = (state.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / 8.0).sqrt();
        for at in 0..WIDTH {
            sum[at] += (state[at] - mean) / deviation * scale[at] + shift[at];
        }
    }
    let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    sum.iter().map(|value| value / norm).collect()
}

#[test]
fn tokens_and_pooling_are_those_of_the_model() {
    let (_kept, folder) = model("bert", "tiny", 0);
    let mean = embed(&folder, &["The KILN is hot"], Purpose::Passage).remove(0);
    assert!(is_near(&mean, &by_hand(&[1, 4, 5, 6, 7, 2])), "{mean:?}");
    write(&folder, "1_Pooling/config.json", &json!({ "pooling_mode_cls_token": true }));
    let first = embed(&folder, &["The KILN is hot"], Purpose::Passage).remove(0);
    assert!(is_near(&first, &by_hand(&[1])), "{first:?}");
    write(&folder, "1_Pooling/config.json", &json!({ "pooling_mode_max_tokens": true }));
    assert!(Local::new(&folder, "", 0).expect("made").embed(&["x"], Purpose::Query).is_err());
}

#[test]
fn a_text_has_the_same_vector_alone_and_among_others() {
    for kind in ["bert", "xlm-roberta"] {
        let (_kept, folder) = model(kind, "tiny", 2);
        let texts: Vec<String> = (1..20)
            .map(|count| ["the kiln is hot", "cold", "is"][count % 3].repeat(count) + " the kiln")
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = embed(&folder, &texts, Purpose::Passage);
        for (text, vector) in texts.iter().zip(&together) {
            assert!(is_near(&embed(&folder, &[text], Purpose::Passage)[0], vector), "{kind}: {text}");
            let norm = vector.iter().map(|value| value * value).sum::<f32>();
            assert!((norm - 1.0).abs() < 1e-4);
        }
        assert!(!is_near(&together[0], &together[1]), "{kind} tells texts apart");
        // Longer than the model has positions: the beginning counts.
        assert_eq!(embed(&folder, &[&"kiln ".repeat(500), ""], Purpose::Query).len(), 2);
    }
}

#[test]
fn an_e5_model_is_told_the_purpose() {
    let (_kept, folder) = model("bert", "multilingual-e5-tiny", 0);
    let question = embed(&folder, &["kiln"], Purpose::Query).remove(0);
    assert!(is_near(&question, &by_hand(&[1, 8, 9, 5, 2])));
    let passage = embed(&folder, &["kiln"], Purpose::Passage).remove(0);
    assert!(is_near(&passage, &by_hand(&[1, 10, 9, 5, 2])));
}

#[test]
fn another_model_in_the_folder_is_another_embedder() {
    let (_kept, folder) = model("bert", "tiny", 1);
    let before = Local::new(&folder, "", 0).expect("a model").name().to_owned();
    assert!(before.starts_with("folder:tiny-"), "{before}");
    assert_eq!(Local::new(&folder, "", 0).expect("a model").name(), before);
    let weights: HashMap<String, Tensor> =
        candle_core::safetensors::load(folder.join("model.safetensors"), &Device::Cpu)
            .expect("reads")
            .into_iter()
            .map(|(name, tensor)| (name, (tensor * 1.5).expect("numbers")))
            .collect();
    candle_core::safetensors::save(&weights, folder.join("model.safetensors")).expect("written");
    assert_ne!(Local::new(&folder, "", 0).expect("a model").name(), before);
}

#[test]
fn what_is_no_model_is_refused_with_the_reason() {
    let (kept, folder) = model("mamba", "tiny", 0);
    let error =
        Local::new(&folder, "", 0).expect("files").embed(&["x"], Purpose::Query).expect_err("unknown");
    assert!(error.to_string().contains("`mamba`"), "{error}");
    let error = Local::new(kept.path(), "", 0).err().expect("no model").to_string();
    assert!(error.contains("config.json"), "{error}");
    let (_kept, folder) = model("bert", "tiny", 0);
    let error =
        Local::new(&folder, "", 9).expect("a model").embed(&["x"], Purpose::Query).expect_err("narrow");
    assert!(matches!(error, EmbedError::Dimensions { expected: 9, found: WIDTH, .. }), "{error}");
    write(&folder, "model.safetensors", &json!("no weights"));
    assert!(Local::new(&folder, "", 0).expect("files").embed(&["x"], Purpose::Query).is_err());
}
