//! The gate that the settings ask for: a model, its answers remembered.
//!
//! All questions about one message are asked side by side, and all together keep to `topics.gate_timeout_ms`. An answer is YES or
//! NO and nothing else: whatever else comes, or nothing, is an error, and the setting answers. Answers are kept in
//! `.rem/gate-cache` by the hash of model and question, the newest `topics.gate_cache_entries` of them; the file may be deleted at
//! any time. No message holds a key or repeats an answer. A person waits for the gate: it may spend up to the caps, and what it took is
//! recorded like everything that is asked of a model.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rem_format::config::{GateProvider, ModelProvider};
use rem_reason::answer::Unusable;
use rem_reason::http::SettingNames;
use rem_reason::spending::{Allowance, Spent, Urgency};
use rem_reason::{ChatProvider, Model, ModelSettings, Question};

use super::{Gate, GateAnswer, GateError, GateQuestion};
use crate::memory::Memory;
use crate::providers::KeyPlace;
use crate::reasoning::CallError;
use crate::reasoning::rests::{is_away, mark_of};

/// The file of remembered answers.
const CACHE: &str = "gate-cache";
/// A line of it: 32 hexadecimal digits, a space, `Y` or `N`, and its end.
const CACHE_LINE: u64 = 35;
/// What its spending goes by.
const OPERATION: &str = "topic-gate";
/// Questions that are asked at once.
const MOST_AT_ONCE: usize = 4;
/// The longest answer that is read, in bytes, with what the protocol puts around it.
const LONGEST_ANSWER: u64 = 64 << 10;
/// The longest text that can be an answer, in characters: a word, and what a model adds unasked.
const LONGEST_WORD: usize = 100;

/// A provider that is away is left alone for so long, the first time: each message would wait for it.
const REST: Duration = Duration::from_secs(60);

const NAMES: SettingNames =
    SettingNames { url: "topics.gate_url", api_key_variable: "topics.gate_api_key_variable" };

/// A model in a [`Memory`], or why there is none.
pub(crate) type GateModel = Result<Option<Model>, String>;

/// The gate that CONFIG.md asks for. It always answers or says why not.
#[derive(Debug, Clone, Copy)]
pub struct ModelGate<'a> {
    memory: &'a Memory,
    /// The longest that all questions about a message may take.
    limit: Duration,
}

impl Memory {
    /// The gate that the settings ask for (A5.2). Nobody is asked yet.
    #[must_use]
    pub fn gate(&self) -> ModelGate<'_> {
        self.gate_within(Duration::MAX)
    }

    /// As [`Self::gate`], for who waits no longer than this: then the setting answers (`topics.gate_default`).
    #[must_use]
    pub fn gate_within(&self, most: Duration) -> ModelGate<'_> {
        ModelGate { memory: self, limit: most.min(Duration::from_millis(self.config.topics.gate_timeout_ms)) }
    }

    fn gate_model(&self) -> Result<Option<&Model>, &String> {
        if self.config.topics.gate_provider == GateProvider::None {
            return Ok(None);
        }
        self.gate_model.get_or_init(self, || self.make_gate_model()).as_ref().map(Option::as_ref)
    }

    fn make_gate_model(&self) -> GateModel {
        let (settings, models) = (&self.config.topics, &self.config.models);
        let (provider, shares_models) = match settings.gate_provider {
            GateProvider::None => return Ok(None),
            GateProvider::Openai => (ChatProvider::OpenAi, models.provider == ModelProvider::Openai),
            GateProvider::Ollama => (ChatProvider::Ollama, models.provider == ModelProvider::Ollama),
        };
        let own_or = |own: &str, of_models: &str| match own.trim() {
            "" if shares_models => of_models.trim().to_owned(),
            own => own.to_owned(),
        };
        // `cheap` and `strong` are names of models.provider's models; another provider has its own small one.
        let model = match settings.gate_model.trim() {
            "cheap" => own_or("", &models.cheap),
            "strong" => own_or("", &models.strong),
            name => name.to_owned(),
        };
        let url = own_or(&settings.gate_url, &models.url);
        let proxies = self.options.proxies.clone();
        let mut wanted = ModelSettings { provider, model, url, api_key: None, proxies };
        let variable = own_or(&settings.gate_api_key_variable, &models.api_key_variable);
        let place = KeyPlace::variable(&variable);
        wanted.api_key =
            self.provider_key(wanted.leaves_this_machine(), &wanted.url, place, NAMES.api_key_variable)?;
        Model::new(&wanted, NAMES).map(Some).map_err(|error| error.to_string())
    }

    /// The remembered answers of a model; the newest of each question counts.
    fn gate_cache(&self) -> HashMap<String, bool> {
        let bytes = self.ledger.read_private_tail(CACHE, self.gate_cache_limit()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().filter_map(|line| {
            let (key, answer) = line.split_once(' ')?;
            let yes = match answer {
                "Y" => true,
                "N" => false,
                _ => return None,
            };
            Some((key.to_owned(), yes))
        });
        lines.collect()
    }

    /// Twice the answers that are kept, in bytes: the newest half always stays.
    fn gate_cache_limit(&self) -> u64 {
        self.config.topics.gate_cache_entries.saturating_mul(2 * CACHE_LINE)
    }

    fn remember_answers(&self, answers: &str) {
        let limit = self.gate_cache_limit();
        if limit == 0 || answers.is_empty() {
            return;
        }
        if let Err(error) = self.ledger.append_private(CACHE, answers.as_bytes(), limit) {
            tracing::warn!("the gate's answers are not remembered: {error}");
        }
    }
}

impl ModelGate<'_> {
    /// Who is asked; `None` where the settings name nobody, or cannot be used.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.memory.gate_model().ok().flatten().map(Model::name)
    }

    fn ask_model(
        &self,
        (model, provider): (&Model, &str),
        question: &GateQuestion,
        within: Duration,
        allowance: &Mutex<Allowance>,
    ) -> (Result<GateAnswer, GateError>, Option<Spent>) {
        let settings = &self.memory.config.topics;
        if within.is_zero() {
            let limit = self.limit.as_millis();
            let why = format!("the {limit} ms of topics.gate_timeout_ms, or of who waits, were over");
            return (Err(GateError::Failed(why)), None);
        }
        let question = Question {
            system: "",
            prompt: &question.prompt,
            schema: None,
            max_tokens: settings.gate_max_tokens,
            temperature: settings.gate_temperature,
            within,
            attempts: 2,
            longest_answer: LONGEST_ANSWER,
        };
        let read = |said: &str| yes_or_no(said).map_err(Unusable::Senseless);
        let (answer, spent) = self.memory.call(model, &question, allowance, OPERATION, read);
        if let Err(CallError::Model(error)) = &answer
            && is_away(error)
        {
            self.memory.provider_is_away(provider, error, REST);
        }
        let answer = answer.map(|yes| GateAnswer { yes, by: model.name().to_owned() });
        let failed = |error| match error {
            CallError::Unusable { who, why: Unusable::Senseless(what) } => {
                GateError::Failed(format!("{who} {what}"))
            }
            other => GateError::Failed(other.to_string()),
        };
        (answer.map_err(failed), spent)
    }
}

impl Gate for ModelGate<'_> {
    fn ask(&self, question: &GateQuestion) -> Result<GateAnswer, GateError> {
        // Invariant: there are as many answers as questions.
        self.ask_all(std::slice::from_ref(question)).pop().unwrap_or(Err(GateError::Nobody))
    }

    fn ask_all(&self, questions: &[GateQuestion]) -> Vec<Result<GateAnswer, GateError>> {
        let model = match self.memory.gate_model() {
            Ok(Some(model)) => model,
            Ok(None) => return vec![Err(GateError::Nobody); questions.len()],
            Err(why) => return vec![Err(GateError::Failed(why.clone())); questions.len()],
        };
        let began = Instant::now();
        let known = self.memory.gate_cache();
        let keys: Vec<String> = questions.iter().map(|question| cache_key(model, question)).collect();
        let remembered = |key: &String| {
            let yes = *known.get(key)?;
            Some(Ok(GateAnswer { yes, by: "cache".to_owned() }))
        };
        let mut answers: Vec<Option<Result<GateAnswer, GateError>>> = keys.iter().map(remembered).collect();
        let mut open: Vec<usize> = (0..questions.len()).filter(|at| answers[*at].is_none()).collect();
        // Where time runs out, those with a trigger have had their turn.
        open.sort_by_key(|at| !questions[*at].is_triggered);
        let next = AtomicUsize::new(0);
        let found = Mutex::new(Vec::with_capacity(open.len()));
        if open.is_empty() {
            return answers.into_iter().flatten().collect();
        }
        let settings = &self.memory.config;
        let provider = mark_of(&[OPERATION, model.name(), &settings.topics.gate_url, &settings.models.url]);
        let rest = self.memory.rest_of(&provider);
        if let Some(why) = rest.as_ref().and_then(|rest| self.memory.rests(rest)) {
            let resting = || Err(GateError::Failed(why.clone()));
            return answers.into_iter().map(|known| known.unwrap_or_else(resting)).collect();
        }
        let allowance = Mutex::new(self.memory.allowance(Urgency::Waiting));
        let work = || {
            while let Some(&at) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let left = self.limit.saturating_sub(began.elapsed());
                let answer = self.ask_model((model, &provider), &questions[at], left, &allowance);
                found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, answer));
            }
        };
        match open.len() {
            1 => work(),
            count => std::thread::scope(|scope| {
                for _ in 0..count.min(MOST_AT_ONCE) {
                    scope.spawn(work);
                }
            }),
        }
        let (mut lines, mut spent) = (String::new(), Vec::new());
        for (at, (answer, took)) in found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            if let Ok(answer) = &answer {
                lines.push_str(&format!("{} {}\n", keys[at], if answer.yes { 'Y' } else { 'N' }));
            }
            answers[at] = Some(answer);
            spent.extend(took);
        }
        if rest.is_some() && answers.iter().flatten().any(Result::is_ok) {
            self.memory.provider_is_back(&provider);
        }
        self.memory.record(&spent);
        self.memory.remember_answers(&lines);
        answers.into_iter().map(|answer| answer.unwrap_or(Err(GateError::Nobody))).collect()
    }
}

/// Another model may answer differently: its answers are others.
fn cache_key(model: &Model, question: &GateQuestion) -> String {
    let text = format!("{}\n{}", model.name(), question.key);
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

/// Reads an answer: the first word is YES or NO, in any case, and the other of the two does not follow. What else it may be is
/// said without repeating it.
fn yes_or_no(said: &str) -> Result<bool, String> {
    let said = said.trim();
    let length = said.chars().count();
    if length == 0 {
        return Err("said nothing".to_owned());
    }
    if length <= LONGEST_WORD {
        let upper = said.to_uppercase();
        let mut words = upper.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty());
        match words.next() {
            Some("YES") if !words.any(|word| word == "NO") => return Ok(true),
            Some("NO") if !words.any(|word| word == "YES") => return Ok(false),
            _ => {}
        }
    }
    Err(format!("said neither YES nor NO, in {length} characters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_yes_or_no_and_nothing_else() {
        for yes in ["YES", "yes", " Yes.\n", "**YES**", "\"Yes\"", "Yes, it should."] {
            assert_eq!(yes_or_no(yes), Ok(true), "{yes}");
        }
        for no in ["NO", "no", "No.", "NO, it is about boats"] {
            assert_eq!(yes_or_no(no), Ok(false), "{no}");
        }
        let long = format!("YES {}", "and more ".repeat(250));
        for neither in [
            "",
            " ",
            "Y",
            "Yesterday",
            "NOT SURE",
            "Nobody knows",
            "YES or NO",
            "JA",
            "예",
            "是",
            "The topic should activate: YES",
            "<think>",
            &long,
        ] {
            let what = yes_or_no(neither).unwrap_err();
            assert!(neither.len() < 10 || !what.contains(neither), "{what}");
        }
    }
}
