//! Data among words: a picture or an archive as text, which no model reads and no search finds, but which a conversation may hold
//! megabytes of. Pure.

use std::borrow::Cow;

/// A run of so many bytes without a space is no word.
const LONGEST_WORD: usize = 512;

/// Whether a passage is nothing but a piece of such a run.
pub(super) fn is_data(text: &str) -> bool {
    let shown = without_data(text.trim());
    shown.starts_with('[') && shown.ends_with("bytes of data]") && !shown[1..].contains('[')
}

/// The text with every long run of base64 or the like shortened to how much of it there is.
pub(super) fn without_data(text: &str) -> Cow<'_, str> {
    let is_of_data =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-' | b'%');
    let bytes = text.as_bytes();
    let (mut shown, mut kept, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| is_of_data(byte)).count();
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

#[cfg(test)]
mod tests {
    use super::*;

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
