//! Words of like meaning, as tokens to look for: what the built-in model says of a word, asked once for each word.
//!
//! The model compares a word with every word it has, which was a third of a search's time; its answer is always the same. Programs that live
//! long keep it.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::analyzer::query_words;
use crate::embed::builtin::Builtin;
use crate::rank;

/// So many words are kept; then the table begins anew.
const MOST: usize = 1_000;

/// Tokens, each with how near it is.
pub(crate) type Kin = Arc<[(String, f32)]>;

/// The tokens of the words that are near this one, nearest first.
pub(crate) fn of(word: &str) -> Kin {
    static KEPT: Mutex<Option<FxHashMap<String, Kin>>> = Mutex::new(None);
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept().as_ref().and_then(|known| known.get(word)) {
        return known.clone();
    }
    let found = asked(word);
    let mut kept = kept();
    let known = kept.get_or_insert_default();
    if known.len() >= MOST {
        known.clear();
    }
    known.insert(word.to_owned(), found.clone());
    found
}

fn asked(word: &str) -> Kin {
    let related = Builtin::get().related(word, rank::RELATED_MOST, rank::RELATED_LEAST);
    let tokens = related.into_iter().flat_map(|related| {
        let words = query_words(related.word, &[]).into_iter();
        words.flat_map(|word| word.tokens).map(move |token| (token, related.similarity))
    });
    tokens.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_was_said() {
        for word in ["car", "doctor", "xqzzkw", "", "학교"] {
            let first = of(word);
            assert_eq!((&of(word), &asked(word)), (&first, &first), "{word}");
        }
        assert!(of("car").iter().any(|(token, nearness)| token.starts_with("vehicl") && *nearness > 0.4));
    }
}
