//! Sentences that say two things of somebody: "Mira lives in Ulm and plays the cello". Pure.

use std::sync::LazyLock;

use super::statement::WORDS;
use crate::patterns::Patterns;
use crate::wording::is_verb_of_people;

pub(super) static SHAPE: LazyLock<Patterns> = LazyLock::new(|| {
    let who =
        r"(?P<who>(?:[Mm]y \p{Ll}+|[Mm]eine? \p{Lu}\p{Ll}+|\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'-]+){0,2})";
    let shape = format!(
        r"^{who} (?P<first>\p{{Ll}}+)(?P<rest> .+?),? (?:and|und) (?P<second>\p{{Ll}}+)(?P<end> .+)$"
    );
    Patterns::of(WORDS, "halves", vec![shape])
});

/// Both halves of a sentence that says two things of somebody, each as a sentence of its own; nothing where it may be a list or a clause.
pub(crate) fn halves(text: &str) -> Option<[String; 2]> {
    let found = SHAPE.find_map(text, |_, found| Some(found))?;
    let is_told = is_verb_of_people(&found["first"]) && is_verb_of_people(&found["second"]);
    let who = &found["who"];
    let half = |verb: &str, rest: &str| format!("{who} {}{}", &found[verb], &found[rest]);
    is_told.then(|| [half("first", "rest"), half("second", "end")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_things_said_of_somebody_are_two_sentences() {
        for (text, expected) in [
            ("Mira lives in Ulm and plays the cello", Some(["Mira lives in Ulm", "Mira plays the cello"])),
            (
                "Mira Holt wohnt in Ulm und spielt Cello",
                Some(["Mira Holt wohnt in Ulm", "Mira Holt spielt Cello"]),
            ),
            (
                "My mother lives in Ulm, and owns a boat",
                Some(["My mother lives in Ulm", "My mother owns a boat"]),
            ),
            ("Mira works at Siemens and sometimes at Bosch", None),
            ("Mira lives in Ulm and Bonn", None),
            ("Mira lives with dogs and cats in Ulm", None),
            ("Mira lives in Ulm and Bo plays the cello", None),
        ] {
            let expected = expected.map(|halves| halves.map(str::to_owned));
            assert_eq!(halves(text), expected, "{text}");
        }
    }
}
