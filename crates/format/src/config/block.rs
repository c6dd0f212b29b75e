//! Finding the fenced YAML block in the prose of CONFIG.md.
//!
//! The block is the first fence whose language is `yaml` or `yml`; fences inside other fences are text. This
//! file knows fences and nothing of what the YAML says.

use std::ops::Range;

/// Where the YAML stands in CONFIG.md.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// Bytes of the YAML itself, without the fence lines. Ends at the start of the closing fence's line.
    pub(super) bytes: Range<usize>,
    /// Line of the first YAML line, from 1.
    pub(super) first_line: usize,
    /// Lines of further YAML fences, which are ignored.
    pub(super) ignored: Vec<usize>,
}

/// The first YAML fence of `text`, if there is one. A fence that is never closed reaches to the end.
pub(super) fn find(text: &str) -> Option<Block> {
    let mut found: Option<Block> = None;
    let mut open: Option<Fence> = None;
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let line_number = index + 1;
        let start = offset;
        offset += line.len();
        match &open {
            Some(fence) => {
                if fence.is_closed_by(line) {
                    if fence.is_chosen
                        && let Some(block) = &mut found
                    {
                        block.bytes.end = start;
                    }
                    open = None;
                }
            }
            None => {
                let Some(mut fence) = Fence::opened_by(line) else { continue };
                if fence.is_yaml {
                    match &mut found {
                        None => {
                            fence.is_chosen = true;
                            found = Some(Block {
                                bytes: offset..text.len(),
                                first_line: line_number + 1,
                                ignored: Vec::new(),
                            });
                        }
                        Some(block) => block.ignored.push(line_number),
                    }
                }
                open = Some(fence);
            }
        }
    }
    found
}

struct Fence {
    mark: char,
    length: usize,
    is_yaml: bool,
    is_chosen: bool,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let rest = strip_indentation(line)?;
        let mark = rest.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = rest.chars().take_while(|character| *character == mark).count();
        let information = rest[length..].trim();
        if length < 3 || (mark == '`' && information.contains('`')) {
            return None;
        }
        let language = information.split([' ', '\t', '{', ',']).next().unwrap_or_default();
        let is_yaml = language.eq_ignore_ascii_case("yaml") || language.eq_ignore_ascii_case("yml");
        Some(Self { mark, length, is_yaml, is_chosen: false })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let Some(rest) = strip_indentation(line) else { return false };
        let length = rest.chars().take_while(|character| *character == self.mark).count();
        length >= self.length && rest[length..].trim().is_empty()
    }
}

/// The line without its indentation; `None` when it is indented so far that Markdown reads it as code.
fn strip_indentation(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_yaml_fence_is_found_and_later_ones_are_listed() {
        let text = "# Title\r\n\r\n```yaml\r\na: 1\r\n```\r\n\r\n```yml\nb: 2\n```\n";
        let block = find(text).expect("there is a block");
        assert_eq!(&text[block.bytes.clone()], "a: 1\r\n");
        assert_eq!((block.first_line, block.ignored), (4, vec![7]));
    }

    #[test]
    fn a_yaml_fence_inside_another_fence_is_text() {
        assert_eq!(find("````markdown\n```yaml\na: 1\n```\n````\n"), None);
        assert_eq!(find("    ```yaml\n    a: 1\n"), None, "four spaces make it indented code");
    }

    #[test]
    fn an_unclosed_fence_reaches_to_the_end() {
        let text = "~~~ yaml\na: 1";
        assert_eq!(&text[find(text).expect("there is a block").bytes], "a: 1");
    }
}
