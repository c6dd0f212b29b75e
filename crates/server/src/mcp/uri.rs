//! `memory://` addresses: which resource one names, and the address of a memory.

/// What an address names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Named {
    /// The core memory.
    Core,
    /// The reflection that waits.
    PendingReflection,
    /// An entity, by its id.
    Entity(String),
    /// A day's journal, as it was written.
    Journal(String),
    /// Any memory, by its id.
    Item(String),
}

/// What this address names, where it is one of ours.
pub(super) fn named(uri: &str) -> Option<Named> {
    let rest = uri.strip_prefix("memory://")?;
    if rest == "core" {
        return Some(Named::Core);
    }
    if rest == "pending-reflection" {
        return Some(Named::PendingReflection);
    }
    let (kind, name) = rest.split_once('/')?;
    let name = decoded(name)?;
    match kind {
        _ if name.is_empty() => None,
        "entity" => Some(Named::Entity(name)),
        "journal" => Some(Named::Journal(name)),
        "item" => Some(Named::Item(name)),
        _ => None,
    }
}

/// The address of the memory with this id.
pub(crate) fn of_memory(id: &str) -> String {
    match id.split_once(':') {
        Some(("entity", entity)) => format!("memory://entity/{}", encoded(entity)),
        _ => format!("memory://item/{}", encoded(id)),
    }
}

fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte))
            }
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

/// A text without its percent signs; nothing where it is no text then.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_the_id_it_was_made_of() {
        for id in ["core:ab12", "passage:memory/a b.md:1-9", "episode:2026-03-01T09:00", "vault:차 100%"] {
            assert_eq!(named(&of_memory(id)), Some(Named::Item(id.to_owned())));
        }
        assert_eq!(of_memory("entity:person--mira-holt"), "memory://entity/person--mira-holt");
        assert_eq!(
            named("memory://entity/person--%EB%AF%B8%EB%9D%BC"),
            Some(Named::Entity("person--미라".to_owned()))
        );
        assert_eq!(named("memory://core"), Some(Named::Core));
    }

    #[test]
    fn what_is_no_address_of_ours_names_nothing() {
        for uri in [
            "",
            "memory://",
            "memory://entity/",
            "memory://item/%F",
            "memory://item/%FF",
            "file:///etc/passwd",
            "memory://x/y",
        ] {
            assert_eq!(named(uri), None, "{uri}");
        }
    }
}
