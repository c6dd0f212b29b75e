//! Who answers: the models that CONFIG.md names, made at first use, or why there is nobody.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rem_format::config::ModelProvider;
use rem_reason::command::CommandError;
use rem_reason::http::{HttpError, SettingNames};
use rem_reason::spending::{Price, usual_price};
use rem_reason::{ChatProvider, Model, ModelError, ModelSettings, Tier};
use serde::Serialize;

use crate::memory::Memory;
use crate::providers::KeyPlace;
use crate::trust::ByTrust;

const NAMES: SettingNames = SettingNames { url: "models.url", api_key_variable: "models.api_key_variable" };

/// The models of a [`Memory`], made at first use, each or why there is none.
#[derive(Debug, Default)]
pub(crate) struct Models {
    cheap: ByTrust<Result<Model, String>>,
    strong: ByTrust<Result<Model, String>>,
    /// Until when nobody is asked whom nobody waits for, and why.
    rest: Mutex<Option<(Instant, String)>>,
}

/// A provider that is busy, away or too slow is not asked again for so long by what runs by itself.
const REST: Duration = Duration::from_secs(600);
/// However long it says, it is asked again after this.
const LONGEST_REST: Duration = Duration::from_secs(24 * 3_600);
/// Until when a provider wants no questions, for the processes that come after this one: a moment, a blank, and why.
const RESTING: &str = "model-rests.txt";

impl Models {
    /// Why nobody is asked in the background for now; nothing where somebody may be.
    pub(super) fn rests(&self) -> Option<String> {
        let rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
        rest.as_ref().filter(|(until, _)| Instant::now() < *until).map(|(_, why)| why.clone())
    }

    /// Takes note of a failure: after one that the next question would meet as well, nobody is asked for as long as the provider wants, or for a while.
    /// Gives the time that the provider wants, where it names one.
    pub(super) fn failed(&self, error: &ModelError) -> Option<Duration> {
        let asked = match error {
            ModelError::Http(HttpError::Refused { after, .. }) => after.map(|after| after.min(LONGEST_REST)),
            _ => None,
        };
        let is_lasting = match error {
            ModelError::Http(HttpError::Refused { status, .. }) => {
                matches!(status, 429 | 500 | 502..=504 | 529)
            }
            ModelError::Http(HttpError::Slow { .. } | HttpError::Unreachable { .. }) => true,
            ModelError::Command(CommandError::Slow { .. }) => true,
            _ => false,
        };
        if is_lasting {
            let until = Instant::now() + asked.unwrap_or(REST);
            *self.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some((until, error.to_string()));
            return asked;
        }
        None
    }
}

/// Who would answer, for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answerers {
    /// Small questions: provider and model; nothing where the rules answer.
    pub cheap: Option<String>,
    /// Writing, and what needs thought.
    pub strong: Option<String>,
    /// Why the rules answer, where they do.
    pub why: Option<String>,
}

impl Memory {
    /// Who would answer. Nobody is asked.
    #[must_use]
    pub fn answerers(&self) -> Answerers {
        let name = |tier| self.model_of(tier).ok().map(|model| model.name().to_owned());
        let why = [Tier::Cheap, Tier::Strong].into_iter().find_map(|tier| self.model_of(tier).err());
        Answerers { cheap: name(Tier::Cheap), strong: name(Tier::Strong), why: why.map(str::to_owned) }
    }

    /// Why nobody is asked in the background for now: what this process met, or what the provider said to another one.
    pub(super) fn rests(&self) -> Option<String> {
        self.models.rests().or_else(|| {
            let said = String::from_utf8(self.ledger.read_private(RESTING)?).ok()?;
            let (until, why) = said.trim_end().split_once(' ')?;
            let until: jiff::Timestamp = until.parse().ok()?;
            (self.now() < until).then(|| why.to_owned())
        })
    }

    /// Takes note of a failure, for this process and, where the provider names its time, for others.
    pub(super) fn model_failed(&self, error: &ModelError) {
        let Some(asked) = self.models.failed(error) else { return };
        let span = jiff::SignedDuration::try_from(asked).unwrap_or(jiff::SignedDuration::ZERO);
        let Ok(until) = self.now().checked_add(span) else { return };
        let line = format!("{until} {}\n", error.to_string().replace('\n', " "));
        if let Err(error) = self.ledger.write_private(RESTING, line.as_bytes()) {
            tracing::info!("that the provider wants no questions is not written down: {error}");
        }
    }

    pub(crate) fn model_of(&self, tier: Tier) -> Result<&Model, &str> {
        let kept = match tier {
            Tier::Cheap => &self.models.cheap,
            Tier::Strong => &self.models.strong,
        };
        kept.get_or_init(self, || self.make_model(tier, None)).as_ref().map_err(String::as_str)
    }

    /// A model of the provider that the settings name: the one of a tier, or another by its name.
    pub(crate) fn make_model(&self, tier: Tier, named: Option<&str>) -> Result<Model, String> {
        let settings = &self.config.models;
        let provider = match settings.provider {
            ModelProvider::None => return Err("models.provider names nobody".to_owned()),
            ModelProvider::Host => {
                return Err("the agent itself answers, by hand-off (models.provider: host)".to_owned());
            }
            ModelProvider::Command => return self.program(&settings.command),
            ModelProvider::Openai => ChatProvider::OpenAi,
            ModelProvider::Ollama => ChatProvider::Ollama,
            ModelProvider::Anthropic => ChatProvider::Anthropic,
        };
        let model = match (tier, settings.strong.trim()) {
            _ if named.is_some_and(|name| !name.is_empty()) => named.unwrap_or_default().to_owned(),
            (Tier::Cheap, _) => settings.cheap.clone(),
            (Tier::Strong, "") => provider.strong_model().to_owned(),
            (Tier::Strong, named) => named.to_owned(),
        };
        let mut wanted = ModelSettings {
            provider,
            model,
            url: settings.url.clone(),
            api_key: None,
            proxies: self.options.proxies.clone(),
        };
        // The usual key is for the provider's own address and goes nowhere else unasked.
        let usual = provider.usual_key_variable().filter(|_| settings.url.trim().is_empty());
        let place = match (settings.api_key_variable.trim(), settings.api_key_file.trim(), usual) {
            ("", "", Some(usual)) => KeyPlace::Variable(usual),
            ("", "", None) => KeyPlace::Nowhere,
            ("", file, _) => KeyPlace::File(file),
            (variable, "", _) => KeyPlace::Variable(variable),
            _ => return Err("name models.api_key_variable or models.api_key_file, not both".to_owned()),
        };
        wanted.api_key =
            self.provider_key(wanted.leaves_this_machine(), &wanted.url, place, NAMES.api_key_variable)?;
        Model::new(&wanted, NAMES).map_err(|error| error.to_string())
    }

    fn program(&self, command: &str) -> Result<Model, String> {
        if command.trim().is_empty() {
            return Err("models.command names no command".to_owned());
        }
        if !self.is_trusted() {
            return Err(format!("CONFIG.md names a command, and {}", self.not_trusted()));
        }
        Ok(Model::program(command.trim(), self.ledger.root()))
    }

    /// What a model costs: by CONFIG.md, by the usual prices, else nothing where it runs on this machine.
    pub(super) fn price_of(&self, model: &Model) -> Option<Price> {
        let prices = &self.config.spending.prices.0;
        let name = model.name();
        let bare = name.split_once(':').map_or(name, |(_, bare)| bare);
        if let Some(price) = prices.get(name).or_else(|| prices.get(bare)) {
            return Some(Price { input: price.input, output: price.output });
        }
        // A relay on this machine may pass on to somebody who is paid: what has a price elsewhere has it here.
        usual_price(name).or_else(|| model.stays_here().then_some(Price::FREE))
    }
}
