//! What a pattern can't say about a secret: checksums, entropy, and the look of a stand-in.
//!
//! Pure functions of the matched text. Each answers whether the text is a secret. Must not allocate much: they run
//! on every candidate.

use std::ops::Range;

/// How a rule judges what its pattern found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Check {
    /// Any match is a secret: the prefix alone proves it.
    Always,
    /// The match is a secret when this says so.
    When(fn(&str) -> bool),
    /// The match may hold secrets at these places.
    Within(fn(&str) -> Vec<Range<usize>>),
}

impl Check {
    /// The parts of `text` that are secrets.
    pub(super) fn secrets_of(self, text: &str) -> Vec<Range<usize>> {
        let whole = 0..text.len();
        match self {
            Check::Always => vec![whole],
            Check::When(test) => test(text).then_some(whole).into_iter().collect(),
            Check::Within(find) => find(text),
        }
    }
}

/// Bits per character of the text, from 0 to about 6.5.
fn entropy(text: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text.bytes() {
        counts[usize::from(byte)] += 1;
    }
    // Texts here are far shorter than 2^52 bytes.
    #[allow(clippy::cast_precision_loss)]
    let length = text.len().max(1) as f64;
    counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / length;
            -share * share.log2()
        })
        .sum()
}

/// Random enough for a token: digits and letters, and few repetitions.
pub(super) fn random(text: &str) -> bool {
    let digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    digit && letter && entropy(text) >= 3.0 && !stand_in(text)
}

/// As [`random`], for tokens that may lack a digit by chance.
pub(super) fn random_letters(text: &str) -> bool {
    let mixed =
        text.bytes().any(|byte| byte.is_ascii_uppercase()) && text.bytes().any(|b| b.is_ascii_lowercase());
    mixed && entropy(text) >= 3.5 && !stand_in(text)
}

/// A 40-character cloud secret: both cases and a digit, which a hash in hexadecimal never has.
pub(super) fn cloud_secret(text: &str) -> bool {
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && entropy(text) >= 3.8
}

/// The value of an assignment whose name says that it is a token or a key. Code that only names one
/// (`token: string`, `token = read()`), variables and stand-ins are not.
pub(super) fn assigned_token(text: &str) -> bool {
    let letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let digit = text.bytes().any(|byte| byte.is_ascii_digit());
    letter && (digit || has_sign(text)) && entropy(text) >= 2.5 && !stand_in(text) && !code(text)
}

/// As [`assigned_token`] for a password, which may be digits alone. Letters alone could be any word: they are not
/// taken for one.
pub(super) fn assigned_password(text: &str) -> bool {
    let digit = text.bytes().any(|byte| byte.is_ascii_digit());
    (digit || has_sign(text)) && entropy(text) >= 2.0 && !stand_in(text) && !code(text)
}

fn has_sign(text: &str) -> bool {
    text.trim_end_matches(['.', '!', '?', ':', ')']).bytes().any(|byte| {
        byte.is_ascii_punctuation() && !matches!(byte, b'.' | b'_' | b'-' | b',' | b'/' | b'|' | b'&' | b'*')
    })
}

/// The value of a variable of the environment whose name says that it is secret: a word is enough.
pub(super) fn environment_value(text: &str) -> bool {
    !stand_in(text) && !code(text) && text.bytes().any(|byte| byte.is_ascii_alphanumeric())
}

/// A password inside an address: anything but a variable, a mask or a port. A word such as `secret` is redacted
/// too: here it is a password, however bad.
pub(super) fn address_password(text: &str) -> bool {
    let port = text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit());
    let masked = text.bytes().all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'));
    !port && !masked && !is_variable(text) && !text.starts_with(['<', '{', '%', '['])
}

/// Text that stands where a secret would: placeholders, variables, masks.
fn stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let trimmed = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    const WORDS: [&str; 20] = [
        "password",
        "passwd",
        "pass",
        "secret",
        "token",
        "changeme",
        "change-me",
        "change_me",
        "placeholder",
        "example",
        "redacted",
        "undefined",
        "none",
        "null",
        "true",
        "false",
        "apikey",
        "api_key",
        "api-key",
        "pwd",
    ];
    const STARTS: [&str; 9] =
        ["your", "my-", "my_", "example", "insert-", "replace-", "enter-", "placeholder", "todo"];
    let variable = is_variable(text)
        || lower.starts_with('<')
        || lower.starts_with("{{")
        || lower.starts_with('%')
        || lower.contains("${")
        || lower.contains("...")
        || lower.contains('…');
    let distinct = {
        let mut bytes: Vec<u8> = trimmed.bytes().collect();
        bytes.sort_unstable();
        bytes.dedup();
        bytes.len()
    };
    variable
        || WORDS.contains(&trimmed)
        || STARTS.iter().any(|start| trimmed.starts_with(start))
        || lower.contains("xxxx")
        || lower.contains("****")
        || distinct <= 2
}

/// `$NAME`, `${name}` or `$(command)`.
fn is_variable(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else { return false };
    name.starts_with(['{', '('])
        || name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// An expression rather than a literal: calls, member access, paths, types.
fn code(text: &str) -> bool {
    const STARTS: [&str; 13] = [
        "process.env",
        "os.",
        "env.",
        "env::",
        "std::",
        "self.",
        "this.",
        "config.",
        "settings.",
        "import.meta",
        "http://",
        "https://",
        "arn:",
    ];
    let lower = text.to_ascii_lowercase();
    let call = text.contains('(') || text.ends_with(')');
    let path =
        text.starts_with('/') || text.starts_with("./") || text.starts_with("~/") || text.contains("::");
    let words = text.split(['.', '_', '-', '?', '!', '&', '|', '*', '/', '[', ']', '<', '>']);
    // `req.body.token`, `Option<String>`, `a|b`: words of letters joined by signs of code.
    let named = words.clone().count() > 1
        && words.clone().all(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
        && !text.contains('!');
    STARTS.iter().any(|start| lower.starts_with(start)) || call || path || named
}

/// A JSON web token: its first part decodes to a JSON object that names an algorithm.
pub(super) fn json_web_token(text: &str) -> bool {
    let head = text.split('.').next().unwrap_or_default();
    decoded(head).is_some_and(|bytes| {
        serde_json::from_slice::<serde_json::Value>(&bytes)
            .is_ok_and(|header| header.get("alg").is_some() || header.get("enc").is_some())
    })
}

/// A bot token of Discord: its first part decodes to the digits of the bot's id.
pub(super) fn discord_token(text: &str) -> bool {
    let head = text.split('.').next().unwrap_or_default();
    decoded(head).is_some_and(|bytes| bytes.len() >= 15 && bytes.iter().all(u8::is_ascii_digit))
}

/// Credentials of HTTP's basic scheme: they decode to text with a colon.
pub(super) fn basic_credentials(text: &str) -> bool {
    decoded(text).is_some_and(|bytes| bytes.contains(&b':') && std::str::from_utf8(&bytes).is_ok())
}

/// Base64 in either alphabet, with or without padding.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0_u32, 0_u32);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 0xFF).ok()?);
        }
    }
    Some(out)
}

/// The payment cards in a run of digits with single spaces or hyphens in it: an issuer's prefix and length, even
/// groups, a valid check digit. Other numbers may stand before and after, as groups of their own.
pub(super) fn payment_cards(text: &str) -> Vec<Range<usize>> {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let starts = (0..text.len()).filter(|at| digit(*at) && (*at == 0 || !digit(at - 1)));
    let ends: Vec<usize> = (1..=text.len()).filter(|at| digit(at - 1) && !digit(*at)).collect();
    let mut cards: Vec<Range<usize>> = Vec::new();
    for start in starts.filter(|start| text.len() >= start + 13) {
        if cards.last().is_some_and(|last| start < last.end) {
            continue;
        }
        // 19 digits in groups of three take 25 bytes; the longest card that fits is the one meant.
        let near = ends.iter().rev().filter(|end| **end >= start + 13 && **end <= start + 25);
        cards.extend(
            near.map(|end| start..*end).find(|range| text.get(range.clone()).is_some_and(payment_card)),
        );
    }
    cards
}

fn payment_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|character| character.to_digit(10)).collect();
    let distinct = digits.iter().collect::<std::collections::BTreeSet<_>>().len();
    distinct > 1 && issued(&digits) && one_separator(text) && luhn(&digits)
}

/// Groups of 3 to 7 digits with the same sign between all of them, or no sign at all.
fn one_separator(text: &str) -> bool {
    let Some(separator) = text.chars().find(|character| !character.is_ascii_digit()) else { return true };
    text.split(separator)
        .all(|group| (3..=7).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_digit()))
}

fn issued(digits: &[u32]) -> bool {
    let prefix = |count: usize| digits.iter().take(count).fold(0, |number, digit| number * 10 + digit);
    match digits.len() {
        13 => prefix(1) == 4,
        14 => matches!(prefix(2), 36 | 38 | 39) || matches!(prefix(3), 300..=305),
        15 => matches!(prefix(2), 34 | 37),
        16 => {
            prefix(1) == 4
                || matches!(prefix(2), 51..=55 | 65 | 62)
                || matches!(prefix(3), 644..=649)
                || matches!(prefix(4), 2221..=2720 | 6011 | 3528..=3589)
        }
        17 | 18 => prefix(2) == 62,
        19 => prefix(1) == 4 || matches!(prefix(2), 62 | 65) || prefix(4) == 6011,
        _ => false,
    }
}

fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            1 if *digit > 4 => digit * 2 - 9,
            1 => digit * 2,
            _ => *digit,
        })
        .sum();
    sum.is_multiple_of(10)
}
