//! The arguments of a call: taken out one by one, each with its name in the error where it is not as it should be.
//!
//! What is left over at the end is a mistake as well: a filter that is misspelt and passed over would widen the answer unseen.

use jiff::Timestamp;
use jiff::civil::Date;
use rem_mind::recall::Asking;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// The most bytes of a question: every word of it is looked up.
const LONGEST_QUESTION: usize = 16 * 1024;

/// The arguments of one call.
#[derive(Debug)]
pub(crate) struct Arguments {
    operation: &'static str,
    given: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Arguments {
    pub(crate) fn new(operation: &'static str, given: Option<Map<String, Value>>) -> Self {
        Self { operation, given: given.unwrap_or_default(), known: Vec::new() }
    }

    /// A text that must be there and say something.
    pub(crate) fn text(&mut self, name: &'static str) -> Result<String, Failure> {
        match self.optional_text(name)? {
            Some(text) if !text.trim().is_empty() => Ok(text),
            Some(_) => Err(self.wrong(name, "is empty")),
            None => Err(self.missing(name)),
        }
    }

    /// A question: a text of a length that somebody could ask.
    pub(crate) fn question(&mut self, name: &'static str) -> Result<String, Failure> {
        let text = self.text(name)?;
        match text.len() <= LONGEST_QUESTION {
            true => Ok(text),
            false => Err(Failure::new(
                format!(
                    "{}: the argument `{name}` is {} bytes long, and {LONGEST_QUESTION} are the most",
                    self.operation,
                    text.len()
                ),
                "ask in a sentence or two; memory_context takes a whole message",
            )),
        }
    }

    /// A text.
    pub(crate) fn optional_text(&mut self, name: &'static str) -> Result<Option<String>, Failure> {
        match self.take(name) {
            None => Ok(None),
            // No file, no program and no person's terminal takes it for a part of a text.
            Some(Value::String(text)) if text.contains('\0') => {
                Err(self.wrong(name, "holds a NUL character"))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(name, &format!("must be a text, not {}", kind_of(&other)))),
        }
    }

    /// Texts: a list, or one alone.
    pub(crate) fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Failure> {
        let texts = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::String(text)) => return Ok(vec![text]),
            Some(Value::Array(texts)) => texts,
            Some(other) => {
                return Err(self.wrong(name, &format!("must be a list of texts, not {}", kind_of(&other))));
            }
        };
        texts
            .into_iter()
            .map(|text| match text {
                Value::String(text) => Ok(text),
                other => Err(self.wrong(name, &format!("must hold texts, not {}", kind_of(&other)))),
            })
            .collect()
    }

    /// Whole numbers from 1 on: a list, or one alone.
    pub(crate) fn numbers(&mut self, name: &'static str) -> Result<Vec<u64>, Failure> {
        let values = match self.take(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(values)) => values,
            Some(one) => vec![one],
        };
        let number = |value: &Value| value.as_u64().filter(|number| *number > 0);
        match values.iter().map(number).collect() {
            Some(numbers) => Ok(numbers),
            None => Err(self.wrong(name, "must be a list of whole numbers of at least 1")),
        }
    }

    /// Yes or no; no where it is not given.
    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, Failure> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(self.wrong(name, &format!("must be true or false, not {}", kind_of(&other)))),
        }
    }

    /// A whole number of at least `least`.
    pub(crate) fn count(&mut self, name: &'static str, least: usize) -> Result<Option<usize>, Failure> {
        let Some(value) = self.take(name) else { return Ok(None) };
        // JSON has one kind of number: 5.0 is five.
        let whole = value
            .as_u64()
            .or_else(|| format!("{:.0}", value.as_f64().filter(|count| count.fract() == 0.0)?).parse().ok());
        let count = whole.and_then(|count| usize::try_from(count).ok());
        match count.filter(|count| *count >= least) {
            Some(count) => Ok(Some(count)),
            None => Err(self.wrong(name, &format!("must be a whole number of at least {least}"))),
        }
    }

    /// A share from 0 to 1.
    pub(crate) fn share(&mut self, name: &'static str) -> Result<Option<f64>, Failure> {
        let Some(value) = self.take(name) else { return Ok(None) };
        match value.as_f64().filter(|share| (0.0..=1.0).contains(share)) {
            Some(share) => Ok(Some(share)),
            None => Err(self.wrong(name, "must be a number from 0 to 1")),
        }
    }

    /// A day.
    pub(crate) fn day(&mut self, name: &'static str) -> Result<Option<Date>, Failure> {
        let Some(text) = self.optional_text(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| self.wrong(name, "must be a day, as 2026-03-01"))
    }

    /// A moment.
    pub(crate) fn moment(&mut self, name: &'static str) -> Result<Option<Timestamp>, Failure> {
        let Some(text) = self.optional_text(name)? else { return Ok(None) };
        text.parse()
            .map(Some)
            .map_err(|_| self.wrong(name, "must be a time with its offset, as 2026-03-01T12:00:00Z"))
    }

    /// One of these words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.optional_text(name)? else { return Ok(None) };
        match choices.iter().find(|(word, _)| *word == text) {
            Some((_, choice)) => Ok(Some(*choice)),
            None => {
                let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
                Err(self.wrong(name, &format!("must be one of {}, not {text:?}", words.join(", "))))
            }
        }
    }

    /// On whose behalf, as the argument `for` says.
    pub(crate) fn asking(&mut self) -> Result<Asking, Failure> {
        Ok(Asking::on_behalf_of(&self.texts("for")?))
    }

    /// Whether there is such an argument.
    pub(crate) fn has(&self, name: &'static str) -> bool {
        self.given.get(name).is_some_and(|value| !value.is_null())
    }

    /// Nothing may be left.
    pub(crate) fn done(self) -> Result<(), Failure> {
        let Some(name) = self.given.keys().next() else { return Ok(()) };
        Err(Failure::new(
            format!("{}: there is no argument `{name}`", self.operation),
            format!("its arguments are {}", self.known.join(", ")),
        ))
    }

    /// An error about an argument that must be there: it may be one that is there under another name.
    fn missing(&self, name: &str) -> Failure {
        let names = crate::operations::arguments_of(self.operation);
        let strange = self.given.keys().find(|given| !names.contains(given));
        let other = strange.map_or_else(String::new, |other| format!(", and there is no argument `{other}`"));
        Failure::new(
            format!("{}: the argument `{name}` is missing{other}", self.operation),
            format!("its arguments are {}", names.join(", ")),
        )
    }

    /// An error about one argument.
    pub(crate) fn wrong(&self, name: &str, what: &str) -> Failure {
        Failure::new(
            format!("{}: the argument `{name}` {what}", self.operation),
            format!("call {} again with `{name}` as its input schema describes it", self.operation),
        )
    }

    /// What is given as null is not given.
    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.given.remove(name).filter(|value| !value.is_null())
    }
}

pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arguments(given: Value) -> Arguments {
        Arguments::new("memory_search", given.as_object().cloned())
    }

    #[test]
    fn what_is_wrong_is_named() {
        let said = |failure: Failure| failure.to_string();
        assert_eq!(arguments(json!({"limit": 5.0})).count("limit", 1).unwrap(), Some(5));
        assert!(arguments(json!({"limit": 5.5})).count("limit", 1).is_err());
        assert!(arguments(json!({"limit": 1e300})).count("limit", 1).is_err());
        let mut given =
            arguments(json!({"limit": -1, "tags": [1], "since": "soon", "pin": "yes", "mode": "best"}));
        assert!(said(given.text("query").unwrap_err()).contains("`query` is missing"));
        let misspelt = said(arguments(json!({"qery": "tea", "limit": 3})).text("query").unwrap_err());
        assert!(misspelt.contains("there is no argument `qery`"), "{misspelt}");
        assert!(misspelt.contains("query, limit, min_score"), "{misspelt}");
        assert!(said(given.count("limit", 1).unwrap_err()).contains("`limit` must be a whole number"));
        assert!(said(given.texts("tags").unwrap_err()).contains("`tags` must hold texts, not a number"));
        assert!(said(given.day("since").unwrap_err()).contains("`since` must be a day"));
        assert!(said(given.flag("pin").unwrap_err()).contains("`pin` must be true or false, not a text"));
        assert!(said(given.choice("mode", &[("a", 1), ("b", 2)]).unwrap_err()).contains("one of a, b"));
    }

    #[test]
    fn what_nobody_asked_for_is_a_mistake_that_names_what_there_is() {
        let mut given = arguments(json!({"query": "tea", "limits": 3, "for": null}));
        assert_eq!(given.text("query").unwrap(), "tea");
        given.asking().unwrap();
        let said = given.done().unwrap_err().to_string();
        assert!(said.contains("`limits`") && said.contains("query, for"), "{said}");
    }
}
