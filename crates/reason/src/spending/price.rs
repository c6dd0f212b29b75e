//! What a token costs. The table holds the usual prices of common models at a date; CONFIG.md's own come first.

use crate::model::Tokens;

/// US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Of a question.
    pub input: f64,
    /// Of an answer.
    pub output: f64,
}

impl Price {
    /// What is paid for by nobody.
    pub const FREE: Self = Self { input: 0.0, output: 0.0 };

    /// What so many tokens cost, in billionths of a dollar.
    #[must_use]
    pub fn of(self, tokens: Tokens) -> u64 {
        // A dollar for a million tokens is a thousand billionths for one.
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "prices are not negative, and beyond 2^53 nobody counts single tokens"
        )]
        let cost = ((tokens.input as f64 * self.input + tokens.output as f64 * self.output) * 1_000.0).round()
            as u64;
        cost
    }
}

/// When the table was made.
pub const PRICES_AS_OF: &str = "December 2025";

/// Provider and model, input, output. By the provider's own list; another who offers the model has prices of its own.
pub const USUAL_PRICES: &[(&str, f64, f64)] = &[
    ("anthropic:claude-3-5-haiku", 0.8, 4.0),
    ("anthropic:claude-3-haiku", 0.25, 1.25),
    ("anthropic:claude-haiku-4-5", 1.0, 5.0),
    ("anthropic:claude-opus-4-1", 15.0, 75.0),
    ("anthropic:claude-opus-4-5", 5.0, 25.0),
    ("anthropic:claude-sonnet-4", 3.0, 15.0),
    ("anthropic:claude-sonnet-4-5", 3.0, 15.0),
    ("openai:gpt-4.1", 2.0, 8.0),
    ("openai:gpt-4.1-mini", 0.4, 1.6),
    ("openai:gpt-4.1-nano", 0.1, 0.4),
    ("openai:gpt-4o", 2.5, 10.0),
    ("openai:gpt-4o-mini", 0.15, 0.6),
    ("openai:gpt-5", 1.25, 10.0),
    ("openai:gpt-5-mini", 0.25, 2.0),
    ("openai:gpt-5-nano", 0.05, 0.4),
];

/// The usual price of a model (`openai:gpt-4o-mini`); a date at the end of its name, and `-latest`, make no difference.
#[must_use]
pub fn usual_price(model: &str) -> Option<Price> {
    let find = |name: &str| USUAL_PRICES.iter().find(|(known, ..)| *known == name);
    let (_, input, output) = find(model).or_else(|| find(undated(model)))?;
    Some(Price { input: *input, output: *output })
}

fn undated(model: &str) -> &str {
    if let Some(name) = model.strip_suffix("-latest") {
        return name;
    }
    let name = model.trim_end_matches(|each: char| each.is_ascii_digit() || each == '-');
    let digits = model[name.len()..].bytes().filter(u8::is_ascii_digit).count();
    // `-20250929` and `-2024-07-18`, but also a version before it: `-4-5-20250929`.
    if digits < 8 {
        return model;
    }
    let mut end = model.len();
    let mut left = 8;
    for (at, byte) in model.bytes().enumerate().rev() {
        end = at;
        if byte.is_ascii_digit() {
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    model[..end].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_its_price_whatever_its_date() {
        for (name, input) in [
            ("openai:gpt-4o-mini", 0.15),
            ("openai:gpt-4o-mini-2024-07-18", 0.15),
            ("anthropic:claude-sonnet-4-5-20250929", 3.0),
            ("anthropic:claude-sonnet-4-20250514", 3.0),
            ("anthropic:claude-3-5-haiku-latest", 0.8),
        ] {
            assert_eq!(usual_price(name).map(|price| price.input), Some(input), "{name}");
        }
        for unknown in
            ["openai:gpt-4o-mini-high", "openai:gpt-9", "ollama:gpt-4o", "openai:4", "", "12345678"]
        {
            assert_eq!(usual_price(unknown), None, "{unknown}");
        }
    }
}
