//! An archive of dated files: each as it was, byte for byte, below a heading and a comment that says where it stood.
//!
//! ```text
//! ## 2024-03-05
//! <!-- source:memory/2024-03-05.md | bytes:1234 -->
//!
//! (those 1234 bytes)
//! ```
//!
//! What is added comes at the end; what is there is never touched. The length says where a file ends, whatever stands in it; where
//! somebody changed the archive by hand, or another program wrote it (`<!-- source: 2024-03-05.md -->`), it ends before the next
//! comment. Must not judge what belongs into an archive.

use std::ops::Range;

use crate::annotation::Annotation;
use crate::fence::{fence_of, is_closed_by, opened_by};

const SOURCE: &str = "source";
const BYTES: &str = "bytes";

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// Where it stood, as the comment has it.
    pub source: String,
    /// Its contents.
    pub bytes: Range<usize>,
    /// The line of its heading, from 1; of the comment, where there is none right before it.
    pub line: usize,
}

/// The files in an archive, in their order; none in a file that is no archive.
#[must_use]
pub fn entries(archive: &[u8]) -> Vec<Archived> {
    let mut found: Vec<Archived> = Vec::new();
    let (mut at, mut line, mut before_is_heading) = (0, 1, false);
    while at < archive.len() {
        let end = end_of_line(archive, at);
        let Some((source, length)) = marker(&archive[at..end]) else {
            before_is_heading = archive[at..end].starts_with(b"## ");
            (at, line) = (end, line + 1);
            continue;
        };
        let start = if archive[end..].starts_with(b"\n") { end + 1 } else { end };
        let said = length.and_then(|length| start.checked_add(length));
        let stop = said.filter(|stop| ends_at(archive, *stop)).unwrap_or_else(|| before_next(archive, start));
        found.push(Archived { source, bytes: start..stop, line: line - usize::from(before_is_heading) });
        line += archive[at..stop].iter().filter(|byte| **byte == b'\n').count();
        (at, before_is_heading) = (stop, false);
    }
    found
}

/// Whether an archive holds a file of this name with just these contents.
#[must_use]
pub fn holds(archive: &[u8], source: &str, contents: &[u8]) -> bool {
    entries(archive)
        .iter()
        .any(|entry| entry.source == source && archive.get(entry.bytes.clone()) == Some(contents))
}

/// Whether a file of this name can be told from others in an archive.
#[must_use]
pub fn can_name(source: &str) -> bool {
    !source.contains(['\n', '\r'])
        && marker(comment(source, 0).as_bytes()) == Some((source.to_owned(), Some(0)))
}

/// The archive (`None`: there is none yet) with a file at its end. `title` is what a new one is called. A fence or a comment that the
/// file leaves open is closed after it, so that what follows is read as it is meant.
#[must_use]
pub fn append(archive: Option<&[u8]>, title: &str, source: &str, contents: &[u8]) -> Vec<u8> {
    let mut bytes = match archive {
        Some(archive) => archive.to_vec(),
        None => format!("# {title}\n").into_bytes(),
    };
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    if !bytes.is_empty() {
        bytes.push(b'\n');
    }
    let name = source.rsplit('/').next().unwrap_or(source);
    let heading = name.strip_suffix(".md").unwrap_or(name);
    bytes.extend_from_slice(format!("## {heading}\n{}\n\n", comment(source, contents.len())).as_bytes());
    bytes.extend_from_slice(contents);
    if !contents.is_empty() && !contents.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    if let Some(closing) = left_open(contents) {
        bytes.extend_from_slice(closing.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn comment(source: &str, length: usize) -> String {
    Annotation::new().with(SOURCE, source).with(BYTES, length.to_string()).to_string()
}

/// What the comment before a file says: its name, and how long it is.
fn marker(line: &[u8]) -> Option<(String, Option<usize>)> {
    if !line.starts_with(b"<!--") {
        return None;
    }
    let said = Annotation::parse(std::str::from_utf8(line).ok()?)?;
    // Sources of facts are written so as well; here it is the name of a file.
    let source = said.get(SOURCE).filter(|source| source.ends_with(".md"))?;
    Some((source.to_owned(), said.get(BYTES).and_then(|length| length.parse().ok())))
}

/// Whether a file may end here: at the end, or before a blank line and the next heading, with what closes the file between them.
fn ends_at(archive: &[u8], at: usize) -> bool {
    let Some(rest) = archive.get(at..) else { return false };
    let ended = at == 0 || archive[at - 1] == b'\n';
    let mut rest = match ended {
        true => rest,
        false if rest.is_empty() => return true,
        false => match rest.strip_prefix(b"\n") {
            Some(rest) => rest,
            None => return false,
        },
    };
    if !rest.starts_with(b"\n") {
        let line = &rest[..end_of_line(rest, 0)];
        let text = std::str::from_utf8(line).unwrap_or_default().trim_end();
        let is_closing = text == "-->" || fence_of(text).is_some_and(|(_, length)| length == text.len());
        if !is_closing && !rest.is_empty() {
            return false;
        }
        rest = &rest[line.len()..];
    }
    rest.is_empty() || rest.starts_with(b"\n## ")
}

/// Where the text ends that begins here, by the next comment of a file.
fn before_next(archive: &[u8], start: usize) -> usize {
    let mut at = start;
    let mut heading = None;
    while at < archive.len() {
        let end = end_of_line(archive, at);
        if marker(&archive[at..end]).is_some() {
            return heading.unwrap_or(at);
        }
        heading = archive[at..end].starts_with(b"## ").then_some(at);
        at = end;
    }
    archive.len()
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length + 1)
}

/// What closes the fence or the comment that a text leaves open.
fn left_open(contents: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(contents);
    let (mut fence, mut in_comment) = (None, false);
    for line in text.lines() {
        let opens = opened_by(line);
        match fence {
            Some(open) => fence = fence.filter(|_| !is_closed_by(line, open)),
            None if in_comment => in_comment = !line.contains("-->"),
            None if opens.is_some() => fence = opens,
            None => in_comment = line.rfind("<!--").is_some_and(|at| !line[at..].contains("-->")),
        }
    }
    match fence {
        Some((mark, length)) => Some(std::iter::repeat_n(mark, length).collect()),
        None => in_comment.then(|| "-->".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
        entries(archive).into_iter().map(|entry| (entry.source, archive[entry.bytes].to_vec())).collect()
    }

    #[test]
    fn an_archive_reads_as_it_is_written() {
        let one = append(None, "Archive 2024-03", "memory/2024-03-05.md", b"# Tuesday\r\nrain\r\n");
        let two = append(Some(&one), "", "memory/2024-03-06-b.md", b"```\nnever closed");
        assert_eq!(
            String::from_utf8_lossy(&two),
            "# Archive 2024-03\n\n## 2024-03-05\n<!-- source:memory/2024-03-05.md | bytes:17 -->\n\n# Tuesday\r\nrain\r\n\
             \n## 2024-03-06-b\n<!-- source:memory/2024-03-06-b.md | bytes:16 -->\n\n```\nnever closed\n```\n"
        );
        assert_eq!(entries(&two).iter().map(|entry| entry.line).collect::<Vec<_>>(), [3, 9]);
        assert!(holds(&two, "memory/2024-03-06-b.md", b"```\nnever closed"));
        assert!(!holds(&two, "memory/2024-03-06-b.md", b"```\nnever closed\n"));
    }

    #[test]
    fn what_another_program_archived_is_told_by_its_comments() {
        let other = b"<!-- source: 2025-01-02.md -->\n\n# Thu\nsnow\n\n---\n\n<!-- source: 2025-01-03.md -->\n\nice\n";
        let found = entries(other);
        assert_eq!(found.iter().map(|entry| entry.line).collect::<Vec<_>>(), [1, 8]);
        assert_eq!(found[1].source, "2025-01-03.md");
        let grown = append(Some(other), "", "memory/2025-01-03.md", b"ice\n");
        assert!(grown.starts_with(other) && holds(&grown, "memory/2025-01-03.md", b"ice\n"));
    }

    #[test]
    fn an_archive_in_an_archive_does_not_end_it() {
        let inner = append(None, "Inner", "memory/2020-01-01.md", b"old\n");
        let outer = append(None, "Outer", "memory/2021-01-01.md", &inner);
        let outer = append(Some(&outer), "", "memory/2021-01-02.md", b"next\n");
        assert_eq!(texts(&outer).len(), 2);
        // Changed by hand the length is of no use; then comments are what there is.
        let text = String::from_utf8(outer).expect("UTF-8").replace("old\n", "older\n");
        assert_eq!(
            texts(text.as_bytes()).last().map(|(source, _)| source.as_str()),
            Some("memory/2021-01-02.md")
        );
    }

    #[test]
    fn some_names_cannot_be_told() {
        assert!(can_name("memory/2024-03-05 회의.md") && can_name("memory/a|b-2024-03-05.md"));
        assert!(!can_name("memory/2024-03-05.txt") && !can_name("memory/a\nb.md"));
    }

    proptest! {
        #[test]
        fn whatever_is_put_in_is_found_again(files in prop::collection::vec(
            prop::collection::vec(prop_oneof![
                Just(b"\n".to_vec()), Just(b"```\n".to_vec()), Just(b"<!-- source:a.md | bytes:1 -->\n".to_vec()), Just(b"## x\n".to_vec()),
                Just(b"~~~~".to_vec()), Just(b"\r\n".to_vec()), Just(b"<!--".to_vec()), Just(b"-->".to_vec()), Just(vec![0xff]), Just("글".into()),
            ], 0..12), 1..5)) {
            let files: Vec<Vec<u8>> = files.into_iter().map(|pieces| pieces.concat()).collect();
            let mut archive = None;
            for (number, file) in files.iter().enumerate() {
                archive = Some(append(archive.as_deref(), "T", &format!("memory/{number}.md"), file));
            }
            let archive = archive.expect("there is a file");
            let found: Vec<Vec<u8>> = texts(&archive).into_iter().map(|(_, text)| text).collect();
            prop_assert_eq!(found, files);
        }
    }
}
