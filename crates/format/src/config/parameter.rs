//! What a parameter is, and the macro that turns one table into everything that depends on it.
//!
//! A parameter is declared once, in `table.rs`. From that line come the typed field, its default, the check of
//! its value, `rem config get` and `set`, and the reference page. Nothing else may list parameters.

use serde_json::Value;

use super::Config;
use super::value::Mistake;
use crate::yaml::Node;

/// The type of a parameter's value, as a person would say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number with a decimal point.
    Number,
    /// Any text.
    Text,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// When a job runs: `HH:MM`, `Weekday HH:MM`, five cron fields, or `off`.
    Schedule,
    /// `system`, `UTC` or an IANA name such as `Europe/Berlin`.
    TimeZone,
    /// A list of texts.
    TextList,
    /// A list of regular expressions.
    PatternList,
    /// A mapping of text to text.
    TextMap,
    /// A list of `{name, pattern}`.
    RedactionRules,
    /// A list of regular expressions, or of `{name, pattern, family, side, route}`.
    CustomTriggers,
    /// A mapping of models to `{input, output}`.
    ModelPrices,
}

impl Kind {
    /// The type in words, as the reference page and the error messages use it.
    pub fn describe(self) -> String {
        match self {
            Self::Boolean => "true or false".to_owned(),
            Self::Integer => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Choice(names) => format!("one of {}", names.join(", ")),
            Self::Schedule => {
                "a time that comes (`HH:MM`, `Sunday HH:MM`, five cron fields, or `off`)".to_owned()
            }
            Self::TimeZone => "a time zone (`system`, `UTC` or a name such as `Europe/Berlin`)".to_owned(),
            Self::TextList => "a list of texts".to_owned(),
            Self::PatternList => "a list of regular expressions".to_owned(),
            Self::TextMap => "a mapping of names to texts".to_owned(),
            Self::RedactionRules => "a list of {name, pattern}".to_owned(),
            Self::CustomTriggers => {
                "a list of regular expressions or of {name, pattern, family, side, route}".to_owned()
            }
            Self::ModelPrices => "a mapping of models to {input, output}".to_owned(),
        }
    }
}

/// The range of a number; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limits {
    /// No range: the type says all.
    None,
    /// Whole numbers from … to ….
    Whole(u64, u64),
    /// Numbers from … to ….
    Real(f64, f64),
}

impl Limits {
    /// The range in words, or nothing.
    pub fn describe(self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Whole(low, high) => Some(format!("{low} to {high}")),
            Self::Real(low, high) => Some(format!("{low} to {high}")),
        }
    }
}

/// One parameter: its line of the table.
#[derive(Debug)]
pub struct Parameter {
    /// The section it stands in.
    pub section: &'static str,
    /// Its key within the section.
    pub key: &'static str,
    /// `section.key`.
    pub name: &'static str,
    /// The type of its value.
    pub kind: Kind,
    /// The range of its value.
    pub limits: Limits,
    /// What the number counts; empty where it counts nothing.
    pub unit: &'static str,
    /// What it does, in a sentence or two.
    pub doc: &'static str,
    /// Where the seeds describe it: P, M, S or A with the section, or `ours`.
    pub seed: &'static str,
    /// Older names it is accepted under: flat v4.1 keys and `section.key` of the nested ones.
    pub aliases: &'static [&'static str],
    /// Whether it can run a command or reach outside the workspace, so that a workspace which arrived by
    /// `git clone` may not use it before a person trusts it.
    pub needs_trust: bool,
    pub(super) read: fn(&Config) -> Value,
    pub(super) assign: fn(&mut Config, &Node, &Parameter) -> Result<(), Mistake>,
}

impl Parameter {
    /// What the parameter takes, with its range: `a whole number from 1 to 20`.
    pub fn expectation(&self) -> String {
        match self.limits.describe() {
            Some(range) => format!("{} from {range}", self.kind.describe()),
            None => self.kind.describe(),
        }
    }

    /// Its default.
    pub fn default_value(&self) -> Value {
        (self.read)(&Config::default())
    }
}

/// One section: a heading of the reference page.
#[derive(Debug)]
pub struct Section {
    /// Its name in the YAML.
    pub name: &'static str,
    /// What its parameters are about.
    pub doc: &'static str,
}

/// Declares the configuration. Each entry reads
/// `/// sentence` `key: Type = default, limits, unit, seed, [aliases];`, with `, trust` before the `;` where
/// the parameter needs trust.
macro_rules! parameters {
    ($(
        $(#[doc = $section_doc:literal])+
        $section:ident: $Section:ident {
            $(
                $(#[doc = $doc:literal])+
                $key:ident: $type:ty = $default:expr, $limits:expr, $unit:literal, $seed:literal,
                    [$($alias:literal),*] $(, $trust:ident)?;
            )*
        }
    )*) => {
        /// Every setting of the program, typed. Missing keys have their defaults.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Config {
            $( $(#[doc = $section_doc])+ pub $section: $Section, )*
        }

        $(
            $(#[doc = $section_doc])+
            #[derive(Debug, Clone, PartialEq)]
            pub struct $Section {
                $( $(#[doc = $doc])+ pub $key: $type, )*
            }

            impl Default for $Section {
                fn default() -> Self {
                    Self { $( $key: $default, )* }
                }
            }
        )*

        /// The sections in the order of the reference page.
        pub static SECTIONS: &[Section] = &[
            $( Section { name: stringify!($section), doc: concat!($($section_doc),+) }, )*
        ];

        /// Every parameter, section by section.
        pub static PARAMETERS: &[Parameter] = &[
            $($( Parameter {
                section: stringify!($section),
                key: stringify!($key),
                name: concat!(stringify!($section), ".", stringify!($key)),
                kind: <$type as Setting>::KIND,
                limits: $limits,
                unit: $unit,
                doc: concat!($($doc),+),
                seed: $seed,
                aliases: &[$($alias),*],
                needs_trust: parameters!(@trust $($trust)?),
                read: |config| config.$section.$key.to_value(),
                assign: |config, node, parameter| {
                    config.$section.$key = Setting::from_node(node, parameter)?;
                    Ok(())
                },
            }, )*)*
        ];
    };
    (@trust) => { false };
    (@trust trust) => { true };
}

pub(super) use parameters;
