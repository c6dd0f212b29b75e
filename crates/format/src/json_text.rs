//! JSON as programs write it that cut text wherever a limit falls: half of an emoji is an escape that strict readers refuse.

use std::borrow::Cow;

/// The length of `\ud83d`.
const ESCAPE: usize = 6;

/// The same JSON with U+FFFD for every surrogate that has lost its other half. Everything else stays as it is.
#[must_use]
pub fn without_lone_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memmem::find(json, b"\\ud").is_none() && memchr::memmem::find(json, b"\\uD").is_none() {
        return Cow::Borrowed(json);
    }
    let mut mended: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &json[at..]) {
        at += found;
        match surrogate(json, at) {
            Some(first)
                if is_high(first) && surrogate(json, at + ESCAPE).is_some_and(|low| !is_high(low)) =>
            {
                at += 2 * ESCAPE;
            }
            Some(_) => {
                // As long as what it stands for, so that places stay places.
                mended.get_or_insert_with(|| json.to_vec())[at..at + ESCAPE].copy_from_slice(b"\\ufffd");
                at += ESCAPE;
            }
            // Another escape, of which the second byte may be a backslash.
            None => at = (at + 2).min(json.len()),
        }
    }
    mended.map_or(Cow::Borrowed(json), Cow::Owned)
}

/// The surrogate whose escape begins at `at`.
fn surrogate(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let number = digits.iter().try_fold(0_u16, |number, digit| {
        let digit = u16::try_from(char::from(*digit).to_digit(16)?).ok()?;
        Some(number << 4 | digit)
    })?;
    (0xd800..=0xdfff).contains(&number).then_some(number)
}

fn is_high(surrogate: u16) -> bool {
    surrogate < 0xdc00
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn half_an_emoji_is_a_replacement_and_the_rest_stays() {
        for (json, expected) in [
            (r#""code 7731 \ud83d""#, "code 7731 \u{fffd}"),
            (r#""\ude00 first""#, "\u{fffd} first"),
            (r#""\uD83D\uDE00 whole""#, "\u{1f600} whole"),
            (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
            (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
            (r#""C:\\ud83d\\users""#, r"C:\ud83d\users"),
            (r#""\\\ud83d\n""#, "\\\u{fffd}\n"),
            (r#""\ud83d\u00e9""#, "\u{fffd}é"),
            (r#""plain \u00e9""#, "plain é"),
        ] {
            let read: Value = serde_json::from_slice(&without_lone_surrogates(json.as_bytes())).unwrap();
            assert_eq!(read, expected, "{json}");
        }
    }

    proptest! {
        #[test]
        fn what_can_be_read_stays_as_it_is(text in "\\PC{0,40}") {
            let escaped: String = text
                .encode_utf16()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect();
            let json = format!("\"{escaped}\"");
            prop_assert_eq!(without_lone_surrogates(json.as_bytes()).into_owned(), json.into_bytes());
        }

        #[test]
        fn any_row_of_surrogates_can_be_read(units in proptest::collection::vec(0xd7f0_u16..0xe010, 0..12)) {
            let escaped: String = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
            let json = format!("\"{escaped}\"");
            let read: Value = serde_json::from_slice(&without_lone_surrogates(json.as_bytes())).unwrap();
            prop_assert_eq!(read, String::from_utf16_lossy(&units));
        }

        #[test]
        fn no_bytes_break_it(json in "(\\\\|u|d8|D|[0-9a-f]|\"|é){0,30}") {
            let mended = without_lone_surrogates(json.as_bytes()).into_owned();
            prop_assert_eq!(mended.len(), json.len());
            prop_assert_eq!(without_lone_surrogates(&mended).into_owned(), mended);
        }
    }
}
