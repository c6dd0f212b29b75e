//! Links between files: `[[target]]`, `[[target|text]]`, `[[target#heading]]`, `[[#heading]]`.
//!
//! The one definition of what is a link and where it stands: links in fenced code, in code within a line and after a backslash
//! are none, nor is a shell's test (`[[ -f x ]]`). Works on bytes, so that a file with a few that are not UTF-8 keeps them, and
//! changing a target changes no other byte. Must not know which files there are.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use crate::document::{Document, Section, lines_of};
use crate::fence::{is_closed_by, opened_by};

/// A link as it stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// All of it, from the first bracket to the last.
    pub bytes: Range<usize>,
    /// What it leads to, without blanks around it; empty for a heading of the same file.
    pub target: Range<usize>,
    /// The heading, without its `#`.
    pub heading: Option<Range<usize>>,
    /// Its line, from 1.
    pub line: usize,
}

impl Link {
    /// What it leads to; `bytes` is the file it was found in.
    #[must_use]
    pub fn target_in<'a>(&self, bytes: &'a [u8]) -> &'a str {
        text_of(bytes, &self.target)
    }

    /// Its heading.
    #[must_use]
    pub fn heading_in<'a>(&self, bytes: &'a [u8]) -> Option<&'a str> {
        self.heading.as_ref().map(|heading| text_of(bytes, heading))
    }
}

/// Links are found where these bytes are UTF-8.
fn text_of<'a>(bytes: &'a [u8], range: &Range<usize>) -> &'a str {
    bytes.get(range.clone()).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// `[[target]]`.
    Wiki,
    /// `[text](target)`.
    Plain,
}

/// What stands before the target of a plain link.
const PLAIN: &str = "](";
/// No link has more bytes, so that brackets without an end cost a line of many megabytes no more than its length.
const LONGEST: usize = 8 * 1024;

/// How links of a kind begin, and the link that begins at a place, before an end, in a line.
type Kind = (&'static [u8], fn(&[u8], usize, usize, usize) -> Option<Link>);

/// The links of a file, in their order.
#[must_use]
pub fn links(bytes: &[u8]) -> Vec<Link> {
    links_of(bytes, (b"[[", link_at))
}

/// The plain links of a file to other files, in their order: `[text](../target.md#heading)`. Addresses on the web are none.
#[must_use]
pub fn plain_links(bytes: &[u8]) -> Vec<Link> {
    links_of(bytes, (PLAIN.as_bytes(), plain_at))
}

fn links_of(bytes: &[u8], kind: Kind) -> Vec<Link> {
    let mut found = Vec::new();
    if memchr::memmem::find(bytes, kind.0).is_none() {
        return found;
    }
    let mut fence: Option<(char, usize, bool)> = None;
    // Lines that belong together, where code within a line may go on: their bytes and the number of the first.
    let mut block: Option<(Range<usize>, usize)> = None;
    let mut close = |block: &mut Option<(Range<usize>, usize)>| {
        if let Some((range, line)) = block.take() {
            links_of_block(bytes, range, line, kind, &mut found);
        }
    };
    for (number, range) in (1..).zip(lines_of(bytes, 0)) {
        let line = String::from_utf8_lossy(&bytes[range.clone()]);
        let line = line.trim_end_matches(['\n', '\r']);
        let inner = line.trim_start_matches(['>', ' ', '\t']);
        let is_quoted = line.trim_start().starts_with('>');
        if let Some((mark, length, quoted)) = fence {
            // A quotation that ends takes its fence with it.
            if quoted && !is_quoted {
                fence = None;
            } else {
                if is_closed_by(inner, (mark, length)) {
                    fence = None;
                }
                continue;
            }
        }
        if let Some((mark, length)) = opened_by(inner) {
            close(&mut block);
            fence = Some((mark, length, is_quoted));
            continue;
        }
        let digits = inner.trim_start_matches(|each: char| each.is_ascii_digit());
        let is_item = inner.starts_with(['-', '*', '+'])
            || (digits.len() < inner.len() && digits.starts_with(['.', ')']));
        if inner.is_empty() || is_quoted || is_item || inner.starts_with(['#', '|']) {
            close(&mut block);
        }
        match &mut block {
            Some((open, _)) => open.end = range.end,
            None => block = Some((range, number)),
        }
    }
    close(&mut block);
    found
}

fn links_of_block(
    bytes: &[u8],
    block: Range<usize>,
    first_line: usize,
    (opening, read): Kind,
    found: &mut Vec<Link>,
) {
    let (mut at, mut line) = (block.start, first_line);
    while at < block.end {
        match bytes[at] {
            b'\\' if bytes.get(at + 1) != Some(&b'\n') => at += 2,
            b'`' => {
                let length = run(bytes, at, block.end);
                let end = end_of_code(bytes, at + length, block.end, length).unwrap_or(at + length);
                line += memchr::memchr_iter(b'\n', &bytes[at..end]).count();
                at = end;
            }
            _ if bytes[at..block.end].starts_with(opening) => {
                match read(bytes, at, block.end.min(at + LONGEST), line) {
                    Some(link) => {
                        at = link.bytes.end;
                        found.push(link);
                    }
                    None => at += 1,
                }
            }
            byte => {
                line += usize::from(byte == b'\n');
                at += 1;
            }
        }
    }
}

/// How many backticks stand here.
fn run(bytes: &[u8], at: usize, end: usize) -> usize {
    bytes[at..end].iter().take_while(|byte| **byte == b'`').count()
}

/// Where code that began with so many backticks ends: after as many, no more.
fn end_of_code(bytes: &[u8], from: usize, end: usize, length: usize) -> Option<usize> {
    let mut at = from;
    while at < end {
        at += memchr::memchr(b'`', &bytes[at..end])?;
        let found = run(bytes, at, end);
        at += found;
        if found == length {
            return Some(at);
        }
    }
    None
}

/// The link whose two brackets open at `at`.
fn link_at(bytes: &[u8], at: usize, end: usize, line: usize) -> Option<Link> {
    let inner_start = at + 2;
    let rest = &bytes[inner_start..end];
    let length = memchr::memmem::find(rest, b"]]")?;
    let inner = std::str::from_utf8(&rest[..length]).ok()?;
    if inner.contains(['\n', '\r']) || inner.contains("[[") {
        return None;
    }
    // In a table the bar before the text has a backslash, which is no part of the target.
    let named = inner.split('|').next().unwrap_or_default();
    let named = if named.len() < inner.len() { named.strip_suffix('\\').unwrap_or(named) } else { named };
    let (target, heading) = match named.split_once('#') {
        Some((target, heading)) => (target, Some(heading)),
        None => (named, None),
    };
    let place = |part: &str, from: usize| {
        let start = from + part.len() - part.trim_start().len();
        start..start + part.trim().len()
    };
    let says = target.trim();
    let is_test = says.starts_with('-') || says.contains(['$', '"', '=']);
    let heading_place = heading.map(|heading| place(heading, inner_start + target.len() + 1));
    let is_empty = says.is_empty() && heading_place.as_ref().is_none_or(Range::is_empty);
    (!is_test && !is_empty).then(|| Link {
        bytes: at..inner_start + length + 2,
        target: place(target, inner_start),
        heading: heading_place.filter(|heading| !heading.is_empty()),
        line,
    })
}

/// The plain link whose text ends at `at`.
fn plain_at(bytes: &[u8], at: usize, end: usize, line: usize) -> Option<Link> {
    let inner = at + PLAIN.len();
    let rest = &bytes[inner..end];
    let (start, length) = match rest.strip_prefix(b"<") {
        Some(rest) => (inner + 1, memchr::memchr2(b'>', b'\n', rest)?),
        None => {
            let length = memchr::memchr3(b')', b' ', b'\n', rest)?;
            (inner, memchr::memchr(b'\t', &rest[..length]).unwrap_or(length))
        }
    };
    let close = start + length + memchr::memchr(b')', &bytes[start + length..end])?;
    let written = std::str::from_utf8(&bytes[start..start + length]).ok()?;
    let (target, heading) =
        written.split_once('#').map_or((written, None), |(target, rest)| (target, Some(rest)));
    let is_elsewhere = target.is_empty() || target.starts_with('/') || target.contains(':');
    let heading = heading.map(|heading| start + length - heading.len()..start + length);
    (!is_elsewhere).then(|| Link { bytes: at..close + 1, target: start..start + target.len(), heading, line })
}

/// What the links of a text lead to, in their order.
pub fn targets(text: &str) -> impl Iterator<Item = &str> {
    links(text.as_bytes()).into_iter().map(|link| link.target_in(text.as_bytes()))
}

/// The file with other targets for its links: `new` gives one for a target, or nothing where it stays. Text, heading and all
/// other bytes stay.
#[must_use]
pub fn relinked(bytes: &[u8], new: impl Fn(Form, &str) -> Option<String>) -> Vec<u8> {
    let led = |form: Form, links: Vec<Link>| {
        let other = |link: Link| Some((link.target.clone(), new(form, link.target_in(bytes))?));
        links.into_iter().filter_map(other).collect::<Vec<_>>()
    };
    let mut changed = led(Form::Wiki, links(bytes));
    changed.extend(led(Form::Plain, plain_links(bytes)));
    changed.sort_by_key(|(place, _)| place.start);
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut copied = 0;
    for (place, target) in changed {
        // One within the other: the outer one it is.
        if place.start < copied {
            continue;
        }
        out.extend_from_slice(&bytes[copied..place.start]);
        out.extend_from_slice(target.as_bytes());
        copied = place.end;
    }
    out.extend_from_slice(&bytes[copied..]);
    out
}

/// A target or a path as they are compared: without `entity:` before it and `.md` after it, whatever its case and normal form.
#[must_use]
pub fn key(target: &str) -> String {
    let target = target.trim();
    let target = target.strip_prefix("entity:").unwrap_or(target).trim_start_matches('/');
    let lower: String = target.nfc().collect::<String>().to_lowercase().nfc().collect();
    match lower.strip_suffix(".md") {
        Some(bare) => bare.to_owned(),
        None => lower,
    }
}

/// Whether a file has the heading that a link names, or the block (`^id`); of a row of headings (`A#B`), each. Case, signs and
/// normal form make no difference.
#[must_use]
pub fn has_heading(bytes: &[u8], heading: &str) -> bool {
    if let Some(block) = heading.strip_prefix('^') {
        let mark = format!("^{block}");
        return String::from_utf8_lossy(bytes).lines().any(|line| line.trim_end().ends_with(&mark));
    }
    fn titles(sections: &[Section], into: &mut Vec<String>) {
        for section in sections {
            into.push(heading_key(&section.title));
            titles(&section.children, into);
        }
    }
    let mut known = Vec::new();
    titles(&Document::parse(bytes).sections(), &mut known);
    heading.split('#').filter(|part| !part.trim().is_empty()).all(|part| known.contains(&heading_key(part)))
}

fn heading_key(heading: &str) -> String {
    let lower: String = heading.nfc().collect::<String>().to_lowercase().nfc().collect();
    let words: Vec<&str> =
        lower.split(|each: char| !each.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // A heading of signs alone is itself.
    if words.is_empty() { lower.trim().to_owned() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_links_to_files_are_found_and_lead_elsewhere() {
        let text = "[a](2024-01-02.md) ![b](../x%20y.md#top) [c](<my day.md> \"title\") `[d](code.md)` \\[e](f.md)\n\
            [web](https://a.example/b.md) [top](#top) [[wiki]](g.md)\n```\n[h](fenced.md)\n```\n";
        let bytes = text.as_bytes();
        let found = plain_links(bytes);
        let found: Vec<&str> = found.iter().map(|link| link.target_in(bytes)).collect();
        assert_eq!(found, ["2024-01-02.md", "../x%20y.md", "my day.md", "f.md", "g.md"]);
        let new =
            |form, target: &str| ((form, target) == (Form::Plain, "../x%20y.md")).then(|| "z.md".to_owned());
        assert_eq!(relinked(bytes, new), text.replace("../x%20y.md", "z.md").into_bytes());
        assert_eq!(relinked(bytes, |form, _| (form == Form::Wiki).then(|| "wiki".to_owned())), bytes);
    }

    fn targets(text: &str) -> Vec<&str> {
        links(text.as_bytes()).iter().map(|link| &text[link.target.clone()]).collect()
    }

    #[test]
    fn links_are_found_with_their_places_and_code_holds_none() {
        let text = "# T\r\n\r\n[[a]] and [[ b c.md | text]]\r\n| [[d\\|e]] | [[f#G h]] |\r\n- `[[no]]` [[i]] ``x ` [[no]]`` [[#Top]]\r\n\
            a `span\r\n[[no]]` [[j]]\r\n\r\n```\r\n[[no]]\r\n```\r\n> ~~~\r\n> [[no]]\r\n[[k]]\r\n\r\n\\[[no]] if [[ -f x ]] && [[ $a == b ]]\r\n\
            ![[l.png]] a ` alone [[m]]\r\n\r\n````md\r\n```\r\n[[no]]\r\n";
        assert_eq!(targets(text), ["a", "b c.md", "d", "f", "i", "", "j", "k", "l.png", "m"]);
        let all = links(text.as_bytes());
        assert_eq!(all.iter().map(|link| link.line).collect::<Vec<_>>(), [3, 3, 4, 4, 5, 5, 7, 14, 17, 17]);
        assert_eq!(all[3].heading_in(text.as_bytes()), Some("G h"));
        assert_eq!(&text[all[2].bytes.clone()], "[[d\\|e]]");
        assert_eq!(targets("[[]] [[#]] [[|x]] [[a\nb]] [[open"), Vec::<&str>::new());
        assert_eq!(targets("[[a [[b]]"), ["b"]);
    }

    #[test]
    fn brackets_without_an_end_are_no_links_however_many_there_are() {
        for opening in ["[[", "[x](<", "[x]("] {
            let text = opening.repeat(200_000);
            assert!(links(text.as_bytes()).is_empty() && plain_links(text.as_bytes()).is_empty());
        }
        let long = "a".repeat(LONGEST);
        assert!(links(format!("[[{long}]]").as_bytes()).is_empty());
    }

    #[test]
    fn a_new_target_changes_its_own_bytes_alone() {
        let text = b"\xff[[a|A]] `[[a]]` | [[A.md#h\\|x]] |\r\n[[ a ]] [[ab]]";
        let new = relinked(text, |_, target| (key(target) == "a").then(|| "long/b".to_owned()));
        let expected: &[u8] = b"\xff[[long/b|A]] `[[a]]` | [[long/b#h\\|x]] |\r\n[[ long/b ]] [[ab]]";
        assert_eq!(new, expected);
        assert_eq!(key("entity:Person--Jose\u{301}.MD"), key("person--jos\u{e9}"));
    }

    #[test]
    fn headings_are_found_in_every_way_of_writing_them() {
        let text = "# One\n\n## Cafe\u{301}: the `plan`\n\n### 🚀\n\ntext ^k7\n\n```\n# no\n```\n";
        for there in ["one", "CAF\u{c9} the plan", "caf\u{e9}-the-plan", "One#Café: the `plan`", "🚀", "^k7"]
        {
            assert!(has_heading(text.as_bytes(), there), "{there}");
        }
        for missing in ["no", "plan", "One#two", "^k8"] {
            assert!(!has_heading(text.as_bytes(), missing), "{missing}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_kept_where_no_target_changes(text in "[\\[\\]()`\\\\|#> a\n\r~-]{0,60}", rest in any::<Vec<u8>>()) {
            let mut bytes = text.into_bytes();
            bytes.extend(rest);
            prop_assert_eq!(relinked(&bytes, |_, _| None), bytes.clone());
            prop_assert_eq!(relinked(&bytes, |_, target| Some(target.to_owned())), bytes);
        }
    }
}
