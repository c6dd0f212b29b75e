//! What is wrong with the parameters of a request that the SDK could not read as the method it names.

use serde_json::Value;

use crate::arguments::kind_of;

/// A parameter: its name, whether it must be there, and what it must be.
type Parameter = (&'static str, bool, Kind);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Object,
}

impl Kind {
    fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Object => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Object => "an object",
        }
    }
}

/// The methods that have parameters of their own, and those.
const METHODS: [(&str, &[Parameter]); 9] = [
    (
        "initialize",
        &[
            ("protocolVersion", true, Kind::Text),
            ("capabilities", true, Kind::Object),
            ("clientInfo", true, Kind::Object),
        ],
    ),
    ("ping", &[]),
    ("tools/list", &[("cursor", false, Kind::Text)]),
    ("tools/call", &[("name", true, Kind::Text), ("arguments", false, Kind::Object)]),
    ("resources/list", &[("cursor", false, Kind::Text)]),
    ("resources/templates/list", &[("cursor", false, Kind::Text)]),
    ("resources/read", &[("uri", true, Kind::Text)]),
    ("prompts/list", &[("cursor", false, Kind::Text)]),
    ("prompts/get", &[("name", true, Kind::Text), ("arguments", false, Kind::Object)]),
];

/// What is wrong with the parameters of a method that there is; nothing where there is no such method.
pub(super) fn wrong(method: &str, given: Option<&Value>) -> Option<String> {
    let (_, wanted) = METHODS.iter().find(|(name, _)| *name == method)?;
    let object = match given {
        None | Some(Value::Null) => None,
        Some(Value::Object(object)) => Some(object),
        Some(other) => return Some(format!("`params` must be an object, not {}", kind_of(other))),
    };
    let found =
        wanted.iter().find_map(|(name, is_needed, kind)| match object.and_then(|object| object.get(*name)) {
            None => is_needed.then(|| format!("`{name}` is missing in `params`")),
            Some(value) if kind.is_of(value) => None,
            Some(value) => Some(format!("`{name}` must be {}, not {}", kind.name(), kind_of(value))),
        });
    Some(found.unwrap_or_else(|| "the parameters are not as the protocol describes them".to_owned()))
}
