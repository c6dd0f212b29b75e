//! Where fenced code begins and ends, also in a list's item.
//!
//! A fence may stand right after an item's mark. What closes one is bare, but for a comment of keys and values: earlier versions put an
//! item's comment there, and what follows such a block is not code.

use crate::annotation::trailing;

/// A fence's sign and its length.
pub type Fence = (char, usize);

/// The fence that a line is or begins with, wherever it stands in it.
#[must_use]
pub fn fence_of(line: &str) -> Option<Fence> {
    let rest = line.trim_start();
    let sign = rest.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = rest.len() - rest.trim_start_matches(sign).len();
    (length >= 3 && (sign == '~' || !rest[length..].contains('`'))).then_some((sign, length))
}

/// The fence that a line opens, by itself or after the mark of a list's item.
#[must_use]
pub fn opened_by(line: &str) -> Option<Fence> {
    fence_of(line).or_else(|| fence_of(after_mark(line)?))
}

/// Whether a line closes a fence.
#[must_use]
pub fn is_closed_by(line: &str, (sign, length): Fence) -> bool {
    let line = line.trim();
    let is_closing = |text: &str| {
        let text = text.trim_end();
        text.chars().all(|each| each == sign) && text.chars().count() >= length
    };
    line.starts_with(sign)
        && (is_closing(line) || trailing(line).is_some_and(|(start, _)| is_closing(&line[..start])))
}

/// Whether a line closes a fence for this program alone: a comment keeps it open for others.
#[must_use]
pub fn is_commented(line: &str, fence: Fence) -> bool {
    is_closed_by(line, fence) && line.trim_end().ends_with("-->")
}

/// The fence that a text leaves open.
#[must_use]
pub fn left_open_in(text: &str) -> Option<Fence> {
    text.lines().fold(None, |open, line| match open {
        Some(fence) if is_closed_by(line, fence) => None,
        None => opened_by(line),
        open => open,
    })
}

/// Whether the last line of a text closes a fence, so that nothing may follow in it.
#[must_use]
pub(crate) fn ends_with_fence(text: &str) -> bool {
    let before = text.trim_end().rfind('\n').map(|at| &text[..at]);
    before.is_some_and(|before| left_open_in(before).is_some()) && left_open_in(text).is_none()
}

fn after_mark(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|each: char| each.is_ascii_digit()).len();
    let rest = match digits {
        0 => rest.strip_prefix(['-', '*', '+'])?,
        _ => rest[digits..].strip_prefix(['.', ')'])?,
    };
    rest.starts_with([' ', '\t']).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_opened_after_a_mark_and_closed_with_a_comment() {
        for line in ["```", "  ~~~~ sh", "- ```sh", "1. ```", "    ```"] {
            assert!(opened_by(line).is_some(), "{line}");
        }
        for line in ["`code`", "-```", "a ```", "```a`", "# ```"] {
            assert_eq!(opened_by(line), None, "{line}");
        }
        for line in ["```", "  ````  ", "  ``` <!-- id:a -->"] {
            assert!(is_closed_by(line, ('`', 3)), "{line}");
        }
        for line in ["``", "```sh", "~~~", "- ```", "``` <!-- a remark -->", "```sh <!-- id:a -->", ""] {
            assert!(!is_closed_by(line, ('`', 3)), "{line}");
        }
        assert!(ends_with_fence("a:\n```\nb\n```") && !ends_with_fence("a:\n```\nb\n```\nc"));
        assert!(ends_with_fence("```\nb\n```") && !ends_with_fence("```\nb") && !ends_with_fence("a\n```"));
    }
}
