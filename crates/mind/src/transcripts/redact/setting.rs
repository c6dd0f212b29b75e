//! Whether the value of a setting holds a secret: CONFIG.md is kept in git, and a key does not belong there.
//!
//! Beside what is known as a secret wherever it stands: what an address has before its `@` or in its query, and what a command line gives
//! as a key, a token or a password. What is looked up when the command runs (`$NAME`, `$(…)`) is none.

use std::sync::LazyLock;

use regex::Regex;

use super::Redactor;

/// The built-in rules, whatever the workspace has of its own.
static BUILT_IN: LazyLock<Option<Redactor>> = LazyLock::new(|| Redactor::new(&[], &[]).ok());

/// Where a secret stands in a setting, and what is said of it.
const PLACES: [(&str, &str); 6] = [
    (r"\bsk-[A-Za-z0-9_-]{8,}", "a key"),
    (r"(?i)\bhttps?://(?P<secret>[^/\s@$`]+)@", "a user or a password before the @ of an address"),
    (r"(?i)\b[a-z][a-z0-9+.-]*://[^/\s@:]*:(?P<secret>[^/\s@$`]+)@", "a password before the @ of an address"),
    (
        r#"(?i)[?&](?:api[-_]?key|key|access[-_]?token|token|auth|secret|password|sig|signature)=(?P<secret>[^&\s"'$`]+)"#,
        "a key in the query of an address",
    ),
    (
        r#"(?i)\b(?:authorization|(?:x-)?(?:api|goog-api|auth)-?(?:key|token))["']?\s*:\s*(?:(?:bearer|basic|token)\s+)?["']?(?P<secret>[^\s"'$`]{6,})"#,
        "a key in a header",
    ),
    (
        r#"(?i)(?:--?(?:api[-_]?key|token|password|passwd|secret)(?:\s+|=)|(?:api_?key|token|secret|password|passwd)=)["']?(?P<secret>[^\s"'$`-][^\s"'$`]{5,})"#,
        "a key, a token or a password",
    ),
];

/// How a header proves who asks.
const SCHEMES: [&str; 3] = ["bearer", "basic", "token"];

static COMPILED: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let compiled = PLACES.iter().filter_map(|(pattern, what)| Some((Regex::new(pattern).ok()?, *what)));
    compiled.collect()
});

/// What looks like a secret in the value of a setting, in words that do not repeat it; nothing where nothing does.
pub(crate) fn secret_in_setting(value: &str) -> Option<String> {
    let known = BUILT_IN.as_ref().and_then(|redactor| redactor.redact(value).1.into_iter().next());
    known.map(|hit| hit.rule).or_else(|| {
        let is_secret = |pattern: &Regex| {
            pattern.captures_iter(value).any(|found| {
                let word = found.name("secret").map_or("", |secret| secret.as_str());
                // What says how a header proves who asks is no proof.
                !SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
            })
        };
        let found = COMPILED.iter().find(|(pattern, _)| is_secret(pattern));
        found.map(|(_, what)| (*what).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_can_be_looked_for() {
        assert_eq!(COMPILED.len(), PLACES.len());
    }

    #[test]
    fn a_key_in_a_setting_is_seen_and_what_is_looked_up_is_none() {
        for value in [
            r#"curl -H "Authorization: Bearer sk-test-123456" http://127.0.0.1:1/v1"#,
            r"curl -H 'x-api-key: abcdef0123' http://127.0.0.1:1/v1",
            "llm --api-key abcdef0123",
            "llm --key sk-abcdef0123",
            "llm --token=abcdef0123",
            "OPENAI_API_KEY=abcdef0123 llm",
            "https://user:a-password@api.example.invalid/v1",
            "https://abcdef0123@api.example.invalid/v1",
            "https://api.example.invalid/v1?key=abcdef0123",
            "https://api.example.invalid/v1?version=2&api-key=abcdef0123",
            "postgres://rem:a-password@localhost/rem",
            "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
        ] {
            let said = secret_in_setting(value).unwrap_or_else(|| panic!("{value}"));
            assert!(!said.contains("abcdef0123") && !said.contains("a-password"), "{said}");
        }
        for value in [
            "claude -p",
            "llm --key my-openai-account",
            "llm -m gpt-4o-mini --no-stream --max-tokens 2000",
            r#"curl -H "Authorization: Bearer $OPENAI_API_KEY" https://api.example.invalid/v1"#,
            r#"curl -H "Authorization: Bearer $(cat ~/.key)" https://api.example.invalid/v1"#,
            "llm --api-key \"$KEY\"",
            "llm --token-file /home/me/.token",
            "https://api.example.invalid/v1?api-version=2025-01-01",
            "postgres://rem@localhost/rem",
            "MY_MODEL_KEY",
            "/home/me/.config/key",
            "9e9",
        ] {
            assert_eq!(secret_in_setting(value), None, "{value}");
        }
    }
}
