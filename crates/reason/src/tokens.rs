//! Counting tokens the way models do.
//!
//! The count is that of the cl100k encoding: half the size of its successor, and rather too high than too low for
//! scripts other than Latin. Models of other makers differ by some percent; one real tokenizer
//! everywhere matters more than the right one somewhere. Loading its tables takes about 45 ms once per process,
//! so questions with a clear answer (`fits`, `bounds`) are answered without it.

use bpe_openai::{Tokenizer, cl100k_base};

/// How many tokens `text` is. The first call in a process takes about 45 ms more than the others.
pub fn count_tokens(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let tokenizer: &Tokenizer = cl100k_base();
    tokenizer.count(text)
}

/// Whether `text` is at most `limit` tokens; loads the tokenizer only where [`bounds`] leave it open.
pub fn fits(text: &str, limit: usize) -> bool {
    let (least, most) = bounds(text);
    if most <= limit {
        return true;
    }
    least <= limit && count_tokens(text) <= limit
}

/// The least and the most tokens `text` can be, without the tokenizer.
///
/// At most: one per byte. At least: one per word, because no token of this encoding reaches across white space
/// from one word with a letter or digit into another; and one per 128 bytes, the longest token there is.
pub fn bounds(text: &str) -> (usize, usize) {
    const LONGEST_TOKEN: usize = 128;
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count();
    (words.max(text.len().div_ceil(LONGEST_TOKEN)), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_texts_have_their_known_counts() {
        assert_eq!(count_tokens(""), 0);
        assert_eq!(count_tokens("hello world"), 2);
        assert_eq!(count_tokens("The quick brown fox jumps over the lazy dog."), 10);
    }

    #[test]
    fn a_clear_answer_needs_no_count() {
        assert!(fits("short", 5) && fits("", 0));
        assert!(!fits("a b c d", 3));
        assert!(fits("hello world", 2) && !fits("hello world", 1));
    }

    proptest! {
        #[test]
        fn the_count_lies_within_the_bounds(text in "(\\PC|[ \n\ta-z!/Ⓐ한é']){0,80}") {
            let (least, most) = bounds(&text);
            let count = count_tokens(&text);
            prop_assert!(least <= count && count <= most, "{} {} {}", least, count, most);
        }
    }
}
