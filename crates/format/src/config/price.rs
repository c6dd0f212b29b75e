//! What tokens cost, as CONFIG.md says it: `gpt-4o-mini: {input: 0.15, output: 0.60}`, US dollars for a million tokens.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::parameter::{Kind, Parameter};
use super::value::{Mistake, Setting, entries, fields};
use crate::yaml::Node;

/// The most that a million tokens may cost, in US dollars.
const MOST: f64 = 1_000_000.0;

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelPrice {
    /// Of a question.
    pub input: f64,
    /// Of an answer.
    pub output: f64,
}

/// Prices by model: its name with the provider before it (`openai:gpt-4o-mini`) or without.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ModelPrices(pub BTreeMap<String, ModelPrice>);

impl Setting for ModelPrices {
    const KIND: Kind = Kind::ModelPrices;

    fn from_node(node: &Node, parameter: &Parameter) -> Result<Self, Mistake> {
        let amount = |node: &Node| match f64::from_node(node, parameter)? {
            amount if (0.0..=MOST).contains(&amount) => Ok(amount),
            _ => Err(Mistake::saying(node, format!("dollars from 0 to {MOST}"), node.describe())),
        };
        let mut prices = BTreeMap::new();
        for entry in entries(node, parameter)? {
            let [input, output] = fields(&entry.value, parameter, ["input", "output"])?;
            let (Some(input), Some(output)) = (input, output) else {
                return Err(Mistake::saying(
                    &entry.value,
                    "a price with both input and output",
                    "incomplete",
                ));
            };
            let price = ModelPrice { input: amount(input)?, output: amount(output)? };
            if prices.insert(entry.key.clone(), price).is_some() {
                return Err(Mistake::saying(
                    &entry.value,
                    "each model once",
                    format!("`{}` twice", entry.key),
                ));
            }
        }
        Ok(Self(prices))
    }

    fn to_value(&self) -> Value {
        let price = |price: &ModelPrice| json!({ "input": price.input, "output": price.output });
        self.0
            .iter()
            .map(|(model, found)| (model.clone(), price(found)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}
