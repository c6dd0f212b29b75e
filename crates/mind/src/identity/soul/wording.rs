//! The words of a principle. By rules: what the operator said stays in their words, and a fact that was wrong again and again becomes
//! a rule to look it up, in the language it was said in.
//!
//! This is the one place where a model may word it: whatever it says, the operator's words stay in the evidence beside it, and the gate
//! asks for those.

use super::evidence::Nature;
use crate::wording::{Language, Plain};

/// A principle of what was said.
pub(super) fn worded(nature: Nature, said: &str) -> String {
    match (nature, Language::of(&Plain::of(said).text)) {
        (Nature::Behaviour, _) => said.to_owned(),
        (Nature::Fact, Language::English) => {
            format!("Look up what was corrected before speaking of this: {said}")
        }
        (Nature::Fact, Language::German) => {
            format!("Sieh erst in den Korrekturen nach, bevor du davon sprichst: {said}")
        }
        (Nature::Fact, Language::Korean) => {
            format!("다음 내용은 말하기 전에 정정 기록부터 확인하기: {said}")
        }
        (Nature::Fact, Language::Chinese) => format!("谈到这一点之前先查看更正记录：{said}"),
    }
}

/// Headings under which principles belong, folded, the likeliest first: those of manner, and those of everything else.
const OF_MANNER: [&str; 14] = [
    "communication style",
    "communication",
    "style",
    "tone",
    "vibe",
    "voice",
    "stil",
    "ton",
    "말투",
    "스타일",
    "소통",
    "语气",
    "风格",
    "沟通",
];
const OF_PRINCIPLES: [&str; 16] = [
    "principles",
    "core truths",
    "operating principles",
    "guidelines",
    "rules",
    "behavior",
    "behaviour",
    "boundaries",
    "values",
    "grundsätze",
    "prinzipien",
    "regeln",
    "원칙",
    "규칙",
    "原则",
    "规则",
];
/// The heading that is made where none fits.
const NEW: &str = "Principles";

/// The heading of a page under which a principle belongs; a new one where none of its own fits.
pub(super) fn section_for<'a>(titles: impl Iterator<Item = &'a str>, is_of_manner: bool) -> String {
    let titles: Vec<&str> = titles.collect();
    let lists: &[&[&str]] = if is_of_manner { &[&OF_MANNER, &OF_PRINCIPLES] } else { &[&OF_PRINCIPLES] };
    let is_titled = |wanted: &&str, title: &&str| {
        let folded = title.to_lowercase();
        let letters = folded.trim_matches(|each: char| !each.is_alphanumeric());
        letters == *wanted || letters.ends_with(&format!(" {wanted}"))
    };
    let found = lists
        .iter()
        .flat_map(|list| list.iter())
        .find_map(|wanted| titles.iter().copied().find(|title| is_titled(wanted, title)));
    found.unwrap_or(NEW).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principle_finds_the_heading_that_fits_it() {
        let found = |titles: &[&str], is_of_manner| section_for(titles.iter().copied(), is_of_manner);
        let soul = ["SOUL.md - Who You Are", "Core Truths", "Boundaries", "Vibe", "Continuity"];
        assert_eq!((found(&soul, false), found(&soul, true)), ("Core Truths".into(), "Vibe".into()));
        assert_eq!(found(&["Soul", "🧭 My Principles"], true), "🧭 My Principles");
        assert_eq!(found(&["나", "원칙"], false), "원칙");
        assert_eq!(found(&["Ada"], false), "Principles");
    }

    #[test]
    fn a_fact_that_was_wrong_again_becomes_a_rule_in_its_own_language() {
        assert_eq!(worded(Nature::Behaviour, "Answer shorter"), "Answer shorter");
        assert!(worded(Nature::Fact, "The launch is in June").starts_with("Look up"));
        assert!(worded(Nature::Fact, "Der Start ist im Juni").starts_with("Sieh"));
        assert!(worded(Nature::Fact, "출시는 6월이다").contains("정정 기록"));
        assert!(worded(Nature::Fact, "发布是在六月").contains("更正记录"));
    }
}
