//! Links in a message: the host and what follows it.

use std::ops::Range;

/// The most links that are looked at.
const MOST: usize = 256;

/// One link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link<'a> {
    pub(super) span: Range<usize>,
    /// The host, without scheme, user and port, as written.
    pub(super) host: &'a str,
    /// Path, query and fragment, with the `/` in front; may be empty.
    pub(super) rest: &'a str,
}

/// Every link that starts with a scheme or with `www.`, in order.
pub(super) fn links(text: &str) -> Vec<Link<'_>> {
    let mut found = Vec::new();
    // As long as the text, byte for byte.
    let lower = text.to_ascii_lowercase();
    let mut from = 0;
    while found.len() < MOST {
        let Some(start) = start(&lower, from) else { break };
        let end = start + length(&text[start..]);
        from = end.max(start + 1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let link = text[start..end].split_once("://").map_or(&text[start..end], |(_, after)| after);
        let at = link.find(['/', '?', '#']).unwrap_or(link.len());
        let (authority, rest) = link.split_at(at);
        let host = authority.rsplit('@').next().unwrap_or(authority);
        let host = host.split(':').next().unwrap_or(host);
        if host.contains('.') || host == "localhost" {
            found.push(Link { span: start..end, host, rest });
        }
    }
    found
}

/// The next place at which a link starts.
fn start(text: &str, from: usize) -> Option<usize> {
    let rest = &text[from..];
    let starts = ["https://", "http://", "www."].map(|mark| {
        rest.match_indices(mark).map(|(at, _)| at).find(|at| {
            mark != "www."
                || !rest[..*at]
                    .ends_with(|before: char| before.is_alphanumeric() || matches!(before, '.' | '/' | '@'))
        })
    });
    starts.into_iter().flatten().min().map(|at| from + at)
}

/// How far a link reaches: to white space or a sign that closes it, without the punctuation of the sentence around it.
fn length(text: &str) -> usize {
    let end = text
        .find(|each: char| {
            each.is_whitespace()
                || matches!(each, '<' | '>' | '"' | '`' | '|' | '，' | '。' | '）' | '」' | '、')
        })
        .unwrap_or(text.len());
    let mut link = &text[..end];
    loop {
        let shorter = link.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_']);
        // A bracket belongs to the link only where it was opened in it.
        let shorter = match shorter.strip_suffix([')', ']']) {
            Some(open) if !open.contains(['(', '[']) => open,
            _ => shorter,
        };
        if shorter.len() == link.len() {
            return link.len();
        }
        link = shorter;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn links_end_where_the_sentence_goes_on() {
        let text =
            "See (HTTPS://github.com/a/b/pull/12), www.example.org. and http://me@host.example:8080/x?y=(1)!";
        let found: Vec<(&str, &str)> = links(text).iter().map(|link| (link.host, link.rest)).collect();
        assert_eq!(
            found,
            [("github.com", "/a/b/pull/12"), ("www.example.org", ""), ("host.example", "/x?y=(1)")]
        );
        assert!(links("no link: example.org, https://, awww.x, http://nothing").is_empty());
    }

    proptest! {
        #[test]
        fn links_lie_in_the_text(text in "(https?://|www\\.|[a-z가.()/ ]){0,30}") {
            for link in links(&text) {
                prop_assert!(text.get(link.span.clone()).is_some());
            }
        }
    }
}
