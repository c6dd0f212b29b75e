//! Words that say the same in every sentence, so that a statement told again with the other one is no second memory.
//!
//! Only what never differs is in the table: "film" and "movie" do (a camera has film). Must not say what is merely near: vectors do.

use std::borrow::Cow;

/// A word, in lower case, and the one that is compared in its place.
const SYNONYMS: [(&str, &str); 32] = [
    ("each", "every"),
    ("begin", "start"),
    ("begins", "starts"),
    ("began", "started"),
    ("beginning", "starting"),
    ("large", "big"),
    ("larger", "bigger"),
    ("largest", "biggest"),
    ("purchase", "buy"),
    ("purchases", "buys"),
    ("purchased", "bought"),
    ("till", "until"),
    ("kid", "child"),
    ("kids", "children"),
    ("mum", "mother"),
    ("mom", "mother"),
    ("dad", "father"),
    ("sonnabend", "samstag"),
    ("sonnabends", "samstags"),
    ("mama", "mutter"),
    ("mutti", "mutter"),
    ("papa", "vater"),
    ("vati", "vater"),
    ("verwendet", "nutzt"),
    ("benutzt", "nutzt"),
    ("verwenden", "nutzen"),
    ("benutzen", "nutzen"),
    ("날마다", "매일"),
    ("엄마는", "어머니는"),
    ("엄마가", "어머니가"),
    ("아빠는", "아버지는"),
    ("아빠가", "아버지가"),
];
/// The same in Chinese, which sets no words apart.
const CHINESE: [(&str, &str); 3] = [("每日", "每天"), ("妈妈", "母亲"), ("爸爸", "父亲")];

/// The text with one word of each kind.
pub(super) fn in_common_words(text: &str) -> Cow<'_, str> {
    let mut common: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    for word in text.split_inclusive(|each: char| !each.is_alphanumeric()) {
        let bare = word.trim_end_matches(|each: char| !each.is_alphanumeric());
        let lower = bare.to_lowercase();
        if let Some((_, other)) = SYNONYMS.iter().find(|(own, _)| *own == lower) {
            let common = common.get_or_insert_default();
            common.push_str(&text[copied..at]);
            common.push_str(other);
            copied = at + bare.len();
        }
        at += word.len();
    }
    let text = match common {
        Some(common) => Cow::Owned(common + &text[copied..]),
        None => Cow::Borrowed(text),
    };
    CHINESE.iter().fold(text, |text, (own, other)| match text.contains(own) {
        true => Cow::Owned(text.replace(own, other)),
        false => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_whole_and_the_rest_stays() {
        for (text, common) in [
            ("Each night, the LARGE one begins.", "every night, the big one starts."),
            ("Reach for the beginner's kids' menu", "Reach for the beginner's children' menu"),
            ("Sonnabends verwendet Käthe die Küche", "samstags nutzt Käthe die Küche"),
            ("엄마는 날마다 걷는다", "어머니는 매일 걷는다"),
            ("妈妈每日喝茶", "母亲每天喝茶"),
        ] {
            assert_eq!(in_common_words(text), common);
        }
        assert!(matches!(in_common_words("The train leaves at nine"), Cow::Borrowed(_)));
    }
}
