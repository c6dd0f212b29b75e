//! Steps that a person lists below what they are for: "This is how to deploy: 1. … 2. …". One procedure, in their words.
//!
//! A list alone is none: the line above it has to say that it is a way of doing something, and that not for once. Must not judge sentences.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;

/// So many steps are a procedure, and no more than so many.
const STEPS: Range<usize> = 3..31;
/// The most characters of a step, and of the line above.
const LONGEST: usize = 300;

/// A way of doing something.
static WAY: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)\bhow (?:to|we|i|you)\b|\b(?:steps?|procedure|checklist|workflow|runbook|routine)\b",
        r"|\b(?:(?:every|each) time|whenever|(?:before|after) (?:every|each))\b",
        r"|\bwie (?:man|wir|ich)\b|\b(?:schritte?n?|ablauf|anleitung|vorgehen|checkliste)\b|\bso (?:geht|läuft|machen|mache|funktioniert)\b",
        r"|\b(?:jedes mal|immer wenn|(?:vor|nach) jede[rmn])\b",
        r"|방법|순서|절차|단계|때마다|步骤|流程|怎么|如何|方法|顺序|每次"
    ))
});
/// For once, or asked.
static ONCE: LazyLock<Regex> = LazyLock::new(|| {
    constant(concat!(
        r"(?i)\?|？|\b(?:please|can you|could you|would you|i want you|today|tonight|this time|for now|to-?dos?|tasks? for)\b",
        r"|\b(?:bitte|kannst du|könntest du|heute|diesmal|fürs erste)\b|해 ?줘|해주세요|오늘|이번|请|帮我|今天|这次"
    ))
});
/// A step.
static STEP: LazyLock<Regex> = LazyLock::new(|| constant(r"^ {0,3}(\d{1,2})[.)．、] *(\S.*)$"));
/// What only introduces the name of the way.
static THIS_IS: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"(?i)^(?:(?:ok|okay|so|and|also|then|well|now)[,:]? )?(?:this is|here(?:'s| is| are)|these are|das ist|hier ist|hier sind|das sind|다음은|以下是|这是) ?",
    )
});

/// A way of doing something, listed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// What it is for and its steps, a line each.
    pub(super) text: String,
    /// Its lines in the message, from 0, end exclusive.
    pub(super) lines: Range<usize>,
}

/// The ways that a message lists. Text in fenced code is none of the person's.
pub(super) fn listed(message: &str) -> Vec<Listed> {
    let lines: Vec<&str> = message.lines().collect();
    let mut found = Vec::new();
    let mut is_code = false;
    let mut at = 0;
    while at < lines.len() {
        is_code ^= lines[at].trim_start().starts_with("```");
        let way = way_of(lines[at]).filter(|_| !is_code);
        let Some((steps, end)) = way.as_ref().and_then(|_| steps_from(&lines, at + 1)) else {
            at += 1;
            continue;
        };
        if let Some(way) = way {
            let mut text = format!("{way}:");
            for (number, step) in (1..).zip(&steps) {
                text.push_str(&format!("\n{number}. {step}"));
            }
            found.push(Listed { text, lines: at..end });
        }
        at = end;
    }
    found
}

/// What a line that ends in a colon says the way of; of several sentences the last.
fn way_of(line: &str) -> Option<String> {
    let said = line.trim().trim_matches(['*', '_', '#', ' ']).strip_suffix([':', '：'])?;
    let last = said.rsplit(['.', '!', '。', '！']).next()?.trim();
    let fits = !last.is_empty() && last.chars().count() <= LONGEST;
    if !fits || !WAY.is_match(last) || ONCE.is_match(said) {
        return None;
    }
    let way = THIS_IS.replace(last, "");
    let mut letters = way.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}

/// The steps from a line on, and the line after the last.
fn steps_from(lines: &[&str], from: usize) -> Option<(Vec<String>, usize)> {
    let mut steps: Vec<String> = Vec::new();
    let mut end = from;
    for (at, line) in lines.iter().enumerate().skip(from) {
        let number = steps.len() + 1;
        if let Some(step) = STEP.captures(line).filter(|step| step[1].parse() == Ok(number)) {
            steps.push(step[2].trim().to_owned());
        } else if line.starts_with("   ") && !line.trim().is_empty() && !steps.is_empty() {
            let before = steps.last_mut()?;
            before.push(' ');
            before.push_str(line.trim());
        } else if line.trim().is_empty() {
            continue;
        } else {
            break;
        }
        end = at + 1;
    }
    let is_clear = |step: &String| step.chars().count() <= LONGEST && !step.ends_with(['?', '？']);
    (STEPS.contains(&steps.len()) && steps.iter().all(is_clear)).then_some((steps, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(message: &str) -> Vec<String> {
        listed(message).into_iter().map(|each| each.text).collect()
    }

    #[test]
    fn steps_below_what_they_are_for_are_one_way() {
        let message = "Perfect. This is how to deploy Harbor:\n\n1. Run `make test`.\n2. Tag it\n   and push.\n3. Deploy.\n\nGot it?";
        assert_eq!(
            listed(message),
            [Listed {
                text: "How to deploy Harbor:\n1. Run `make test`.\n2. Tag it and push.\n3. Deploy."
                    .to_owned(),
                lines: 0..6
            }]
        );
        for (said, way) in [
            ("So machen wir ein Release:\n1) Testen\n2) Taggen\n3) Hochladen", "So machen wir ein Release:"),
            ("배포 순서:\n1. 테스트\n2. 태그\n3. 배포", "배포 순서:"),
            ("发布流程：\n1、测试\n2、打标签\n3、上线", "发布流程:"),
            ("**Before every regatta:**\n1. Flags\n2. Boats\n3. Radios", "Before every regatta:"),
        ] {
            let found = texts(said);
            assert_eq!((found.len(), found[0].lines().next()), (1, Some(way)), "{said}");
        }
    }

    #[test]
    fn other_lists_are_none() {
        for message in [
            "My shopping list:\n1. Eggs\n2. Flour\n3. Milk",
            "Can you explain how to do this:\n1. a\n2. b\n3. c",
            "Please follow these steps:\n1. Rename the file\n2. Run it\n3. Tell me",
            "This is how to deploy:\n1. Test\n2. Ship",
            "This is how to deploy:\n1. Test?\n2. Ship?\n3. Rest?",
            "This is how to deploy:\n2. Test\n3. Ship\n4. Rest",
            "```\nHow to deploy:\n1. Test\n2. Ship\n3. Rest\n```",
            "This is how to deploy.\n1. Test\n2. Ship\n3. Rest",
            "Today's steps:\n1. Test\n2. Ship\n3. Rest",
        ] {
            assert!(texts(message).is_empty(), "{message}");
        }
    }
}
