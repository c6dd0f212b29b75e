//! File names made of words: for conversations, entities and procedures.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

/// The most characters; with what else stands in a file's name it stays under 255 bytes.
const MAX_SLUG: usize = 48;
/// The most bytes.
const MAX_SLUG_BYTES: usize = 144;

/// A few words of `text` as a file name: lower case, letters and digits of any script joined by hyphens, at most
/// 48 characters (and 144 bytes) cut between characters as a reader sees them. Nothing when no letter or digit is left.
/// Texts that differ in case or normal form alone give the same one. Idempotent.
#[must_use]
pub fn slug(text: &str) -> Option<String> {
    // Marks that only change how a character is drawn (variation selectors, enclosing marks) are left out.
    // The pattern is a constant: `None` would only mean the fallback name.
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}--\p{Me}\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]*").ok()
    });
    let lower: String = text.nfkc().collect::<String>().to_lowercase().nfc().collect();
    // Most texts need no pattern, which takes longer to compile than the rest of a message takes.
    let is_ascii = lower.is_ascii();
    let ascii_words = is_ascii.then(|| lower.split(|each: char| !each.is_ascii_alphanumeric()));
    let found = (!is_ascii).then(|| WORD.as_ref()).flatten();
    let words = found.into_iter().flat_map(|word| word.find_iter(&lower)).map(|found| found.as_str());
    let words = words.chain(ascii_words.into_iter().flatten().filter(|word| !word.is_empty()));
    let mut out = String::new();
    let mut length = 0;
    for word in words {
        let gap = usize::from(!out.is_empty());
        let size = word.chars().count();
        if gap + length + size <= MAX_SLUG && gap + out.len() + word.len() <= MAX_SLUG_BYTES {
            if gap == 1 {
                out.push('-');
            }
            out.push_str(word);
            length += gap + size;
            continue;
        }
        // The word that does not fit is cut only when little stands before it: a cut word reads badly.
        if length < MAX_SLUG / 2 {
            if gap == 1 {
                out.push('-');
                length += 1;
            }
            for cluster in word.graphemes(true) {
                length += cluster.chars().count();
                if length > MAX_SLUG || out.len() + cluster.len() > MAX_SLUG_BYTES {
                    break;
                }
                out.push_str(cluster);
            }
        }
        break;
    }
    let out = out.trim_end_matches('-');
    (!out.is_empty()).then(|| out.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_and_normal_form_make_no_difference() {
        assert_eq!(slug("Café Müller").as_deref(), Some("café-müller"));
        assert_eq!(slug("CAFE\u{301} mu\u{308}ller"), slug("Café Müller"));
        assert_eq!(slug("김철수 선생님").as_deref(), Some("김철수-선생님"));
        assert_eq!(slug("🚀✨"), None);
    }

    proptest! {
        #[test]
        fn a_slug_is_its_own_slug(text in "\\PC{0,60}") {
            if let Some(once) = slug(&text) {
                prop_assert_eq!(slug(&once), Some(once.clone()));
                prop_assert!(once.chars().count() <= MAX_SLUG && once.len() <= MAX_SLUG_BYTES);
            }
        }
    }
}
