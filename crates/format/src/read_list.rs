//! Which transcripts were read for something, as for mining: one line each, in a file for each month of the conversations.
//!
//! `rules:1.1.1.1.1 raw/conversations/2026/03/02/0900-s-talk.md`: who read it and with which versions, a blank, the transcript. The
//! line is written in the change that keeps what was found, so both are there or neither. Lines that say nothing are left as they
//! are. Must not know what they were read for.

/// One line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadLine<'a> {
    /// Who read it, without blanks.
    pub by: &'a str,
    /// The transcript.
    pub path: &'a str,
}

/// The lines of a file that say something, in their order.
pub fn parse(text: &str) -> impl Iterator<Item = ReadLine<'_>> {
    text.lines().filter_map(|line| {
        let (by, path) = line.trim_end().split_once(' ')?;
        (!by.is_empty() && !path.is_empty()).then_some(ReadLine { by, path })
    })
}

/// The file with one more line.
#[must_use]
pub fn append(found: Option<&[u8]>, line: ReadLine<'_>) -> Vec<u8> {
    let mut bytes = found.map(<[u8]>::to_vec).unwrap_or_default();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(format!("{} {}\n", line.by, line.path).as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_line_is_read_back_whatever_stood_before(
            before in "(?s)([a-z:0-9.]{0,5} ?[a-z가/. ]{0,5}\n?){0,4}", by in "[a-z0-9:.]{1,9}", path in "[a-z가/]([a-z가/. ]{0,9}[a-z가])?",
        ) {
            let line = ReadLine { by: &by, path: &path };
            let bytes = append(Some(before.as_bytes()), line);
            let text = String::from_utf8(bytes).expect("UTF-8");
            prop_assert!(text.starts_with(&before));
            prop_assert_eq!(parse(&text).last(), Some(line));
            prop_assert_eq!(parse(&text).count(), parse(&before).count() + 1);
        }
    }
}
