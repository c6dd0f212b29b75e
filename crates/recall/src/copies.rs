//! Which results say what one above them says already.
//!
//! A copy says the same words in the same order; it is left out. What differs in a name, a number or a "not" is another memory
//! however much it resembles the first: it stays, but where many are so alike they do not fill the answer before all others.

use std::hash::{BuildHasher as _, DefaultHasher, Hash, Hasher as _};

use rustc_hash::FxBuildHasher;

use crate::analyzer::{is_ideograph, is_pictograph};
use crate::answer::Hit;

/// Two passages that share so much of their words are alike.
const ALIKE_SHARE: f32 = 0.85;
/// So many passages that are alike stand at the places their scores give them; further ones come after the others.
const MOST_ALIKE: usize = 3;
/// So many further ones are kept at most, for when nothing else is found.
pub(crate) const MOST_KEPT: usize = 20;

/// Words of which one stands for another without the sentence saying anything else.
const FILLERS: [&str; 36] = [
    "a", "an", "and", "are", "be", "been", "being", "das", "dem", "den", "der", "des", "die", "dies",
    "diese", "dieser", "each", "ein", "eine", "einem", "einen", "einer", "every", "get", "gets", "is", "ist",
    "jede", "jeden", "jeder", "sind", "that", "the", "these", "this", "und",
];

/// Whether a word, in small letters, may be another one of its kind without the sentence saying anything else. No word that denies,
/// counts or names is one.
#[must_use]
pub fn is_filler(word: &str) -> bool {
    FILLERS.binary_search(&word).is_ok()
}

/// How two passages relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Likeness {
    Copy,
    Alike,
    Apart,
}

/// What a passage says, to be compared with others.
pub(crate) struct Said<T> {
    terms: Terms<T>,
    /// A hash of its words in their order: keeping them would cost more than all that is done with them.
    words: u64,
}

/// The distinct terms of a passage.
pub(crate) struct Terms<T> {
    /// Sorted, each once.
    sorted: Vec<T>,
    /// One bit for each term's hash, so that most passages are told apart by two words of the processor.
    mask: u64,
}

impl<T: Ord + Hash> Terms<T> {
    /// `sorted` has each term once.
    pub(crate) fn new(sorted: Vec<T>) -> Self {
        let mask = sorted.iter().fold(0, |mask, term| mask | 1 << (FxBuildHasher.hash_one(term) >> 58));
        Self { sorted, mask }
    }

    /// Whether nearly all terms are shared (Jaccard).
    fn is_alike(&self, other: &Self) -> bool {
        let all = self.sorted.len() + other.sorted.len();
        #[allow(clippy::cast_precision_loss, reason = "a passage has few words")]
        let is_enough = |shared: usize| shared as f32 >= ALIKE_SHARE * (all - shared) as f32;
        // No more than either has, less those whose bits the other lacks.
        let at_most = |one: &Self, other: &Self| {
            let lacking = (one.mask & !other.mask).count_ones();
            one.sorted.len() - lacking as usize
        };
        if !is_enough(at_most(self, other).min(at_most(other, self))) {
            return false;
        }
        let mut rest = other.sorted.iter().peekable();
        let mut shared = 0;
        for term in &self.sorted {
            while rest.next_if(|other| *other < term).is_some() {}
            shared += usize::from(rest.next_if(|other| *other == term).is_some());
        }
        is_enough(shared)
    }
}

impl<T: Ord + Hash> Said<T> {
    pub(crate) fn new(terms: Terms<T>, text: &str) -> Self {
        let mut words = DefaultHasher::new();
        for_each_word(text, |word| word.hash(&mut words));
        Self { terms, words: words.finish() }
    }

    pub(crate) fn likeness(&self, other: &Self) -> Likeness {
        if !self.terms.is_alike(&other.terms) {
            Likeness::Apart
        } else if self.words == other.words {
            Likeness::Copy
        } else {
            Likeness::Alike
        }
    }
}

/// What is held against a result by those above it.
pub(crate) enum Verdict {
    Shown,
    Repeated,
    /// It resembles several above it.
    OneOfMany,
}

/// Whether a passage with these terms resembles several of those `above` it.
pub(crate) fn is_one_of_many<T: Ord + Hash>(terms: &Terms<T>, above: &[Said<T>]) -> bool {
    above.iter().filter(|said| said.terms.is_alike(terms)).take(MOST_ALIKE).count() == MOST_ALIKE
}

/// How a passage relates to all those `above` it.
pub(crate) fn verdict<T: Ord + Hash>(said: &Said<T>, above: &[Said<T>]) -> Verdict {
    let mut alike = 0;
    for other in above {
        match said.likeness(other) {
            Likeness::Copy => return Verdict::Repeated,
            Likeness::Alike => alike += 1,
            Likeness::Apart => {}
        }
    }
    if alike >= MOST_ALIKE { Verdict::OneOfMany } else { Verdict::Shown }
}

/// What is one of many, behind the `last` score of what is not: at most so many, and none with a better one.
pub(crate) fn after(last: f64, alike: Vec<Hit>, most: usize) -> impl Iterator<Item = Hit> {
    alike.into_iter().take(most).map(move |mut hit| {
        if hit.score > last {
            hit.explain.boosts.push(("one of many that are alike".to_owned(), last / hit.score));
            hit.score = last;
        }
        hit
    })
}

/// Calls `give` with the words of a text that say something, in their order; an ideograph is one, and a pictograph. `C` is not `C++`.
/// Comments of the program's say nothing.
fn for_each_word(text: &str, mut give: impl FnMut(&str)) {
    let mut say = |word: &mut String| {
        if word.chars().any(|each| !matches!(each, '+' | '#')) && !is_filler(word) {
            give(word);
        }
        word.clear();
    };
    let mut word = String::new();
    let mut rest = text;
    loop {
        let (said, after) = match rest.split_once("<!--") {
            Some((said, after)) => (said, after.split_once("-->").map(|(_, after)| after)),
            None => (rest, None),
        };
        for each in said.chars() {
            if is_ideograph(each) || is_pictograph(each) {
                say(&mut word);
                word.push(each);
                say(&mut word);
            } else if each.is_alphanumeric() || matches!(each, '+' | '#') {
                word.extend(each.to_lowercase());
            } else {
                say(&mut word);
            }
        }
        say(&mut word);
        let Some(after) = after else { break };
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn likeness(one: &str, other: &str) -> Likeness {
        let said = |text: &str| {
            let mut terms = Vec::new();
            for_each_word(text, |word| terms.push(word.to_owned()));
            terms.sort_unstable();
            terms.dedup();
            Said::new(Terms::new(terms), text)
        };
        said(one).likeness(&said(other))
    }

    #[test]
    fn a_copy_says_the_same_and_another_name_number_or_denial_does_not() {
        let said = "In an emergency Anna keeps the spare key for the flat in Bonn and can be reached by telephone at any time of day";
        for copy in [
            said.to_owned(),
            format!("- **{said}** <!-- id:a1 | since:2026-01-01 -->"),
            said.replace("the flat", "that flat").to_uppercase(),
        ] {
            assert_eq!(likeness(said, &copy), Likeness::Copy, "{copy}");
        }
        for other in [
            said.replace("Anna", "Boris"),
            said.replace("can be", "can not be"),
            said.replace("at any", "at 7"),
            "In an emergency Bonn keeps the spare key for the flat in Anna and can be reached by telephone at any time of day".to_owned(),
        ] {
            assert_eq!(likeness(said, &other), Likeness::Alike, "{other}");
        }
        assert_eq!(likeness(said, "Anna keeps bees"), Likeness::Apart);
        assert_eq!(
            likeness("计量器一号读数为三十五度每天早上记录一次", "计量器一号读数为三十六度每天早上记录一次"),
            Likeness::Alike
        );
    }

    proptest! {
        #[test]
        fn passages_are_alike_by_the_share_of_their_terms(
            terms in prop::collection::btree_set(0..40_u32, 0..40),
            gone in prop::collection::btree_set(0..40_u32, 0..5),
            new in prop::collection::btree_set(40..80_u32, 0..5),
        ) {
            let other: BTreeSet<u32> = terms.difference(&gone).chain(&new).copied().collect();
            let (shared, all) = (terms.intersection(&other).count(), terms.union(&other).count());
            let of = |terms: &BTreeSet<u32>| Terms::new(terms.iter().copied().collect());
            #[allow(clippy::cast_precision_loss, reason = "few terms")]
            let is_alike = shared as f32 >= ALIKE_SHARE * all as f32;
            prop_assert_eq!(of(&terms).is_alike(&of(&other)), is_alike);
            prop_assert_eq!(of(&other).is_alike(&of(&terms)), is_alike);
        }
    }

    #[test]
    fn fillers_are_sorted_for_their_search() {
        assert!(FILLERS.is_sorted() && is_filler("the") && !is_filler("not") && !is_filler("kein"));
    }
}
