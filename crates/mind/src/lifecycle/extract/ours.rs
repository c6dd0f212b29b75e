//! What this memory hands out and a person pastes into a message: entries with their annotations, and contexts with their labels.
//!
//! Known by its form alone, so that it is nobody's speech also where what was handed out is not known any more, or is another
//! workspace's. What was handed out in these words, `crate::echo` knows.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::patterns::constant;

/// An annotation of an entry.
static ENTRY: LazyLock<Regex> = LazyLock::new(|| constant(r"<!--\s*(?:id:|since:\d|confidence:\d)"));
/// The label above a passage in a context, with lines or with none; what a receipt lists.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"^\s*(?:<!--\s*|[-*]\s+)?[a-z][a-z_ -]{1,24}: ?\S[^:]*\.md:\d+(?:-\d+)?(?:\s*[,(].*)?\s*(?:-->)?\s*$",
    )
});
/// The label of a passage in a context, which its text follows.
static PASSAGE: LazyLock<Regex> =
    LazyLock::new(|| constant(r"^\s*<!--\s*[a-z][a-z_ -]{1,24}: ?\S[^:]*\.md:\d+"));

/// The message without what is ours in it, line by line, so that lines keep their numbers. After the label of a passage nothing is
/// left: where it ends is not told.
pub(super) fn without(text: &str) -> Cow<'_, str> {
    if !text.contains("<!--") && !text.contains(".md:") {
        return Cow::Borrowed(text);
    }
    let mut is_passage = false;
    let kept = text.split('\n').map(|line| {
        is_passage |= PASSAGE.is_match(line);
        if is_passage || ENTRY.is_match(line) || LABEL.is_match(line) { "" } else { line }
    });
    Cow::Owned(kept.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_labels_and_passages_are_ours() {
        let pasted = "see here\n- I'm allergic to nuts <!-- id:zzzzz1 | since:2026-01-01 | mentions:1 -->\n\
            - recent: raw/conversations/2026/03/05/1200-b4-我的同事王伟喜欢喝茶-请记住我对花生过敏.md:10-17\nand I like tea";
        assert_eq!(without(pasted), "see here\n\n\nand I like tea");
        let context =
            "my context:\n<!-- core: MEMORY.md:1-26 -->\n# Core\n- I like tea\n```quoted\nwe decided\n```";
        assert_eq!(without(context), "my context:\n\n\n\n\n\n");
        for own in [
            "I keep notes in docs/plan.md: every day",
            "the bug is in notes.md:12, I think",
            "use <!-- a comment -->",
        ] {
            assert_eq!(without(own), own);
        }
    }
}
