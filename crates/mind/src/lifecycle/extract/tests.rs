use super::wordings;

#[test]
fn the_words_of_the_patterns_are_in_their_file() {
    wordings::patterns().assert_words_are_current();
}
