//! Counting tokens the way models do.
//!
//! The count is that of the cl100k encoding: half the size of its successor, and rather too high than too low for
//! scripts other than Latin. Models of other makers differ by some percent; one real tokenizer
//! everywhere matters more than the right one somewhere. Counts are exact: receipts and budgets hang on them.
//!
//! A text is cut into pieces (`pieces`), and each piece is put together from its bytes, the pair of the lowest rank first
//! (`merge`), by a table that is read where it lies (`vocabulary`), so that the first count of a process costs what the others do.

mod merge;
mod pieces;
mod vocabulary;

/// How many tokens `text` is.
pub fn count_tokens(text: &str) -> usize {
    let mut merger = merge::Merger::default();
    pieces::of(text).map(|piece| merger.count(piece.as_bytes())).sum()
}

#[cfg(test)]
mod tests {
    use bpe_openai::cl100k_base;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_texts_have_their_known_counts() {
        assert_eq!(count_tokens(""), 0);
        assert_eq!(count_tokens("hello world"), 2);
        assert_eq!(count_tokens("The quick brown fox jumps over the lazy dog."), 10);
    }

    #[track_caller]
    fn assert_same(text: &str) {
        let expected: Vec<&str> = cl100k_base().split(text).collect();
        assert_eq!(pieces::of(text).collect::<Vec<_>>(), expected);
        assert_eq!(count_tokens(text), cl100k_base().count(text), "{text:?}");
    }

    #[test]
    fn real_texts_count_as_the_reference_counts_them() {
        for text in [
            include_str!("mod.rs"),
            include_str!("../../Cargo.toml"),
            include_str!("../../../../docs/search.md"),
            include_str!("../../../mind/src/attention/triage/korean.rs"),
            include_str!("../../../mind/src/attention/triage/chinese.rs"),
            "Straße, naïve, Ünïcödé — “quotes”… 👩‍👩‍👧‍👦 १२३ ½²³ ⅷ Ⓐ\u{0345}\u{00a0}\u{2028}x",
            "I'M here, he'S there, we'Ve, 'ſ, 'twas, it’s, ''s",
            "a\r\n\r\n  b\n \t\nc   \n  d   ",
        ] {
            assert_same(text);
        }
        // No piece and no run of one character is so long that it takes another way.
        for part in ["a", "ab", " ", "\n", "=", "7", "한", "中文", "é", "🦀", "\u{0301}"] {
            for times in [2, 3, 81, 127, 128, 129, 500] {
                assert_same(&part.repeat(times));
            }
        }
    }

    #[test]
    fn every_character_is_cut_as_the_reference_cuts_it() {
        let letters = |character: char| format!("a{character}b {character}1{character} '{character}\n");
        // Beyond these planes no character is assigned that is a letter or a number.
        let all: Vec<char> = (0..0x3_4000).chain(0xe_0000..0xe_0200).filter_map(char::from_u32).collect();
        for some in all.chunks(4_096) {
            let text: String = some.iter().copied().map(letters).collect();
            let expected: Vec<&str> = cl100k_base().split(&text).collect();
            assert!(pieces::of(&text).eq(expected), "U+{:04X} and after", u32::from(some[0]));
        }
    }

    proptest! {
        #[test]
        fn any_text_counts_as_the_reference_counts_it(text in "(\\PC|[ \n\r\ta-zA-Z0-9!/Ⓐ한中é'ſ]|'(s|LL|re)|\\s){0,80}") {
            assert_same(&text);
        }

        #[test]
        fn any_bytes_of_letters_count_as_the_reference_counts_them(text in "[a-e]{0,60}|[ -~]{0,200}|\\p{L}{0,60}|.{0,60}") {
            assert_same(&text);
        }
    }
}
