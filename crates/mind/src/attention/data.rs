//! Data among words: a picture or an archive as text, which no model reads and no search finds, but which a conversation may hold
//! megabytes of. Pure.

use std::borrow::Cow;

/// A run of so many bytes without a space is no word.
const LONGEST_WORD: usize = 512;

/// Data in lines has so many bytes in each but the last.
const SHORTEST_LINE: usize = 40;

/// Whether a passage is nothing but a piece of such a run.
pub(super) fn is_data(text: &str) -> bool {
    let shown = without_data(text.trim());
    shown.starts_with('[') && shown.ends_with("bytes of data]") && !shown[1..].contains('[')
}

/// The text with every long run of base64 or the like shortened to how much of it there is, one that is wrapped into lines as well.
pub(super) fn without_data(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut shown, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        let run = match word(&bytes[at..]) {
            run if run > LONGEST_WORD => run,
            run if run >= SHORTEST_LINE && (at == 0 || bytes[at - 1] == b'\n') => {
                run.max(block(&bytes[at..]))
            }
            run => run,
        };
        if run > LONGEST_WORD {
            shown.push_str(&text[kept..at]);
            shown.push_str(&format!("[{run} bytes of data]"));
            kept = at + run;
        }
        at += run.max(1);
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[kept..]);
    Cow::Owned(shown)
}

/// How many bytes there are until one that is not of base64, hexadecimal or an address.
fn word(bytes: &[u8]) -> usize {
    let is_of_data =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'%');
    bytes.iter().take_while(is_of_data).count()
}

/// How many bytes of data there are in whole lines, of which the last may be short; 0 where they might be words.
fn block(bytes: &[u8]) -> usize {
    let (mut end, mut line) = (0, 0);
    loop {
        let run = word(&bytes[line..]);
        let after = &bytes[line + run..];
        let is_line = after.is_empty() || after.starts_with(b"\n") || after.starts_with(b"\r\n");
        if run == 0 || !is_line {
            break;
        }
        end = line + run;
        let next = after.iter().position(|byte| *byte == b'\n');
        match next {
            Some(next) if run >= SHORTEST_LINE => line = end + next + 1,
            _ => break,
        }
    }
    let count = |is: fn(&u8) -> bool| bytes[..end].iter().filter(|byte| is(byte)).count() * 20;
    let is_mixed = count(u8::is_ascii_uppercase) >= end * 2
        && count(u8::is_ascii_lowercase) >= end * 2
        && count(u8::is_ascii_digit) >= end;
    let is_hexadecimal = count(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace()) == end * 20;
    if is_mixed || is_hexadecimal { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_that_is_wrapped_into_lines_is_named_and_lists_of_words_stay() {
        let line = "MIIDazCCAlOgAwIBAgIUJ9x4bG8Q2r7vT1mK0pZsWyXcE5h";
        for end in ["\n", "\r\n"] {
            let lines = [line; 20].join(end) + end + "Qx==";
            let said = format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\nKeep it.");
            let shown = without_data(&said);
            let named = format!("[{} bytes of data]", lines.len());
            assert!(
                shown.contains(&named) && shown.ends_with("Keep it.") && !shown.contains("MIID"),
                "{shown}"
            );
            assert!(is_data(&lines));
        }
        let paths = ["usr/local/share/remembrancer/a-folder-of-words/deep"; 20].join("\n");
        for words in
            [paths, [line; 5].join("\n"), ["Donaudampfschifffahrtsgesellschaftskapitaen"; 30].join("\n")]
        {
            assert!(matches!(without_data(&words), Cow::Borrowed(_)), "{words}");
        }
        assert!(is_data(&["0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978"; 20].join("\n")));
    }

    #[test]
    fn a_picture_is_named_and_words_stay_as_they_are() {
        let picture = "iVBORw0KGgo".repeat(100);
        let said = format!("What is this? data:image/png;base64,{picture}\nIst das 제 고양이?");
        assert_eq!(
            without_data(&said),
            "What is this? data:image/png;base64,[1100 bytes of data]\nIst das 제 고양이?"
        );
        for words in
            ["", "a", "Donaudampfschifffahrtsgesellschaft", &"가".repeat(2_000), &"ab ".repeat(2_000)]
        {
            assert!(matches!(without_data(words), Cow::Borrowed(same) if same == words));
        }
    }
}
