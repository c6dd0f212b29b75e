//! Words that say nothing in a question, for the languages most often written here.
//!
//! They are dropped from questions only, and only while something else is left; documents keep them all. The
//! words are folded the way the analyzer folds them.

/// Whether a folded word is a stop word in English, German, French or Spanish.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Sorted, for the binary search.
const STOP_WORDS: &[&str] = &[
    "a", "about", "al", "als", "am", "an", "and", "are", "as", "at", "auf", "aus", "be", "been", "bei",
    "but", "by", "can", "como", "con", "could", "cuando", "da", "das", "dass", "de", "del", "dem", "den",
    "der", "des", "did", "die", "do", "does", "donde", "du", "ein", "eine", "einem", "einen", "einer", "el",
    "elle", "en", "er", "es", "est", "et", "for", "from", "fur", "had", "has", "hat", "have", "he", "her",
    "his", "how", "i", "ich", "if", "il", "im", "in", "is", "ist", "it", "its", "la", "las", "le", "les",
    "los", "me", "mein", "meine", "mi", "mit", "mon", "my", "nach", "nicht", "o", "of", "on", "or", "ou",
    "our", "para", "por", "pour", "que", "qui", "se", "she", "should", "sich", "sie", "sind", "sur", "that",
    "the", "their", "them", "there", "these", "they", "this", "those", "to", "u", "um", "un", "una", "und",
    "une", "us", "von", "war", "was", "we", "were", "what", "when", "where", "which", "who", "why", "wie",
    "will", "wir", "with", "wo", "would", "y", "you", "your", "zu", "zum", "zur",
];

/// Whether a folded word says what kind of answer is wanted rather than what it is about: "what kind of…", "how many times".
pub(crate) fn is_generic(word: &str) -> bool {
    GENERIC.binary_search(&word).is_ok()
}

/// Sorted, for the binary search.
const GENERIC: &[&str] = &[
    "according",
    "aktuell",
    "aktuelle",
    "aktuellen",
    "aktueller",
    "aktuelles",
    "any",
    "became",
    "become",
    "been",
    "being",
    "both",
    "considered",
    "current",
    "currently",
    "derzeit",
    "describe",
    "described",
    "different",
    "do",
    "doing",
    "done",
    "get",
    "getting",
    "go",
    "going",
    "gone",
    "got",
    "happen",
    "happened",
    "happens",
    "kind",
    "kinds",
    "latest",
    "likely",
    "long",
    "many",
    "may",
    "mention",
    "mentioned",
    "mentions",
    "might",
    "momentan",
    "much",
    "name",
    "names",
    "neueste",
    "neuesten",
    "neuester",
    "neuestes",
    "newest",
    "now",
    "often",
    "recent",
    "recently",
    "regarding",
    "said",
    "say",
    "says",
    "some",
    "sort",
    "sorts",
    "tell",
    "there",
    "told",
    "type",
    "types",
    "various",
    "went",
    "would",
    "当前",
    "新的",
    "最新",
    "现在",
    "目前",
    "지금",
    "최근",
    "최신",
    "현재",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_as_the_search_needs_it() {
        assert!(STOP_WORDS.is_sorted(), "{:?}", STOP_WORDS.windows(2).find(|pair| pair[0] > pair[1]));
        assert!(is_stop_word("the") && !is_stop_word("atlas"));
        assert!(GENERIC.is_sorted() && is_generic("kind") && !is_generic("harbor"));
    }
}
