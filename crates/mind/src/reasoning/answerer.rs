//! Who answers: the models that CONFIG.md names, made at first use, or why there is nobody.

use std::sync::Mutex;

use rem_format::config::ModelProvider;
use rem_reason::http::SettingNames;
use rem_reason::spending::{Price, usual_price};
use rem_reason::{ChatProvider, Model, ModelSettings, Tier};
use serde::Serialize;

use super::rests::{Rest, mark_of};
use crate::memory::Memory;
use crate::providers::KeyPlace;
use crate::trust::ByTrust;

const NAMES: SettingNames = SettingNames { url: "models.url", api_key_variable: "models.api_key_variable" };

/// The models of a [`Memory`], made at first use, each or why there is none.
#[derive(Debug, Default)]
pub(crate) struct Models {
    cheap: ByTrust<Result<Model, String>>,
    strong: ByTrust<Result<Model, String>>,
    /// Providers that are away, where that cannot be written down.
    pub(super) unwritten_rests: Mutex<Vec<Rest>>,
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
    /// Why the provider is left alone for now and the rules answer, and until when.
    pub rests: Option<String>,
}

impl Memory {
    /// Who would answer. Nobody is asked.
    #[must_use]
    pub fn answerers(&self) -> Answerers {
        let name = |tier| self.model_of(tier).ok().map(|model| model.name().to_owned());
        let why = [Tier::Cheap, Tier::Strong].into_iter().find_map(|tier| self.model_of(tier).err());
        Answerers {
            cheap: name(Tier::Cheap),
            strong: name(Tier::Strong),
            why: why.map(str::to_owned),
            rests: self.provider_rests(),
        }
    }

    /// What the provider that the settings name is known by.
    pub(super) fn provider_mark(&self) -> String {
        let settings = &self.config.models;
        mark_of(&[&format!("{:?}", settings.provider), &settings.url, &settings.command])
    }

    /// Why the provider that the settings name is not asked for now; nothing where there is none, or it may be asked.
    fn provider_rests(&self) -> Option<String> {
        self.model_of(Tier::Cheap).ok().or_else(|| self.model_of(Tier::Strong).ok())?;
        self.rests(&self.rest_of(&self.provider_mark())?)
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
