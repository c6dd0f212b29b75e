//! One page takes in what another says in prose: paragraphs, lists and sections that it does not have.
//!
//! They go below the same headings, at the end, word for word, in the line ending of the page; what stands there already is not
//! repeated. Nothing of the page itself changes. Must not know what a section means.

use super::{Item, Page, PageError, is_title};
use crate::document::{Document, Section};
use crate::fence::{is_closed_by, opened_by};

impl Page {
    /// Takes in what `other` says besides its title, the comments under it, and the items that `is_taken` otherwise.
    ///
    /// # Errors
    /// [`PageError::Swallowed`] where something is left open that would take the next section in; the page is as it was then.
    pub fn take_in(&mut self, other: &Self, is_taken: impl Fn(&Item) -> bool) -> Result<(), PageError> {
        let before = self.clone();
        let taking = Taking::of(other, is_taken);
        let start = Document::parse(other.text.as_bytes()).body_start();
        let first = other.sections.first().map_or(other.text.len(), |section| section.bytes.start);
        let mut taken = self.take_chunks(&[], taking.chunks(start..first));
        for section in &other.sections {
            // The title is the page's own, whatever it says.
            let is_page = section.level == 1 && other.title() == Some(section.title.as_str());
            let path = if is_page { Vec::new() } else { vec![section.title.clone()] };
            taken = taken.and_then(|()| self.take_section(path, section, &taking));
        }
        if taken.is_err() {
            *self = before;
        }
        taken
    }

    fn take_section(
        &mut self,
        path: Vec<String>,
        section: &Section,
        taking: &Taking<'_>,
    ) -> Result<(), PageError> {
        if !taking.says_anything(section) {
            return Ok(());
        }
        let newline = self.newline();
        if !path.is_empty() && self.section_at(&path).is_none() {
            let at = match self.section_at(&path[..path.len() - 1]) {
                Some(parent) => parent.bytes.end,
                None => self.text.len(),
            };
            let heading = taking.page.text[section.bytes.start..section.content.start].trim_end();
            let before = match &self.text[..at] {
                "" => "",
                text if text.ends_with(&newline.repeat(2)) => "",
                text if text.ends_with('\n') => newline,
                _ => &newline.repeat(2),
            };
            let after = if at == self.text.len() { "" } else { newline };
            self.insert_checked(at, &format!("{before}{heading}{newline}{after}"))?;
        }
        self.take_chunks(&path, taking.chunks(section.content.clone()))?;
        for child in &section.children {
            let path = path.iter().chain([&child.title]).cloned().collect();
            self.take_section(path, child, taking)?;
        }
        Ok(())
    }

    /// Adds pieces at the end of a section's own text, those that it does not have.
    fn take_chunks(&mut self, path: &[String], chunks: Vec<String>) -> Result<(), PageError> {
        let newline = self.newline();
        for chunk in chunks {
            let own = self.own_text(path);
            let known = chunks_of(&self.text[own.clone()]);
            if known.contains(&chunk) {
                continue;
            }
            let text = &self.text[own.clone()];
            let used = text.trim_end().len();
            let at = own.start + text[used..].find('\n').map_or(text.len(), |line| used + line + 1);
            let at = if used == 0 { own.start } else { at };
            let goes_on = known.last().is_some_and(|last| is_list(last)) && is_list(&chunk);
            let apart = if used > 0 && !goes_on { newline } else { "" };
            let before = if at == 0 || self.text[..at].ends_with('\n') { "" } else { newline };
            let after = if self.text[at..].starts_with('#') { newline } else { "" };
            let written = chunk.replace('\n', newline);
            self.insert_checked(at, &format!("{before}{apart}{written}{newline}{after}"))?;
        }
        Ok(())
    }

    /// Puts text in, unless it would swallow something.
    fn insert_checked(&mut self, at: usize, text: &str) -> Result<(), PageError> {
        let titles = |page: &Self| page.titles().map(str::to_owned).collect::<Vec<_>>();
        let (count, mut known) = (self.items.len(), titles(self));
        self.splice(at..at, text);
        // All headings there were are still there, in their order.
        for title in titles(self) {
            if known.first() == Some(&title) {
                known.remove(0);
            }
        }
        match known.first() {
            Some(section) => Err(PageError::Swallowed { section: section.clone() }),
            None if self.items.len() < count => Err(PageError::Swallowed { section: String::new() }),
            None => Ok(()),
        }
    }

    /// The section with these headings, outermost first; the page's title for none.
    fn section_at(&self, path: &[String]) -> Option<&Section> {
        let title = self.sections.iter().find(|section| section.level == 1);
        let Some((first, rest)) = path.split_first() else { return title };
        let inside = title.into_iter().flat_map(|title| &title.children);
        let mut found = inside.chain(&self.sections).find(|section| is_title(&section.title, first))?;
        for name in rest {
            found = found.children.iter().find(|section| is_title(&section.title, name))?;
        }
        Some(found)
    }

    /// Where a section's own text stands; for the page itself what is above the first heading below its title.
    fn own_text(&self, path: &[String]) -> std::ops::Range<usize> {
        match self.section_at(path) {
            Some(section) => section.content.clone(),
            None => {
                let start = Document::parse(self.text.as_bytes()).body_start();
                start..self.sections.first().map_or(self.text.len(), |section| section.bytes.start)
            }
        }
    }
}

/// What of a page is taken.
struct Taking<'a> {
    page: &'a Page,
    /// Bytes that are not: what was taken otherwise, and the comments under the title.
    without: Vec<std::ops::Range<usize>>,
}

impl<'a> Taking<'a> {
    fn of(page: &'a Page, is_taken: impl Fn(&Item) -> bool) -> Self {
        let items = page.items.iter().filter(|item| is_taken(item)).map(|item| item.bytes.clone());
        let comments = page.header_comments().into_iter().map(|(place, _)| place);
        let mut without: Vec<_> = items.chain(comments).collect();
        without.sort_by_key(|place| place.start);
        Self { page, without }
    }

    fn chunks(&self, place: std::ops::Range<usize>) -> Vec<String> {
        let (mut kept, mut at) = (String::new(), place.start);
        for gap in self.without.iter().filter(|gap| place.contains(&gap.start)) {
            kept.push_str(&self.page.text[at..gap.start.max(at)]);
            at = gap.end.clamp(at, place.end);
        }
        kept.push_str(&self.page.text[at..place.end]);
        chunks_of(&kept)
    }

    fn says_anything(&self, section: &Section) -> bool {
        !self.chunks(section.content.clone()).is_empty()
            || section.children.iter().any(|child| self.says_anything(child))
    }
}

/// The pieces of a text, with `\n` between their lines: each item of a list, and what stands between blank lines; fences and comments
/// stay whole.
fn chunks_of(text: &str) -> Vec<String> {
    let mut chunks: Vec<String> = Vec::new();
    let (mut fence, mut in_comment, mut goes_on): (Option<(char, usize)>, bool, bool) = (None, false, false);
    for line in text.lines().map(str::trim_end) {
        let is_inside = fence.is_some() || in_comment;
        // A blank line is kept where it is inside of something.
        if line.is_empty() && !is_inside {
            goes_on = false;
            continue;
        }
        let begins_item = !is_inside && is_list(line);
        let belongs =
            is_inside || line.starts_with([' ', '\t']) && chunks.last().is_some_and(|last| is_list(last));
        match chunks.last_mut() {
            Some(last) if (goes_on || belongs) && !begins_item => {
                // An indented line after a blank one belongs to its item.
                last.push_str(if goes_on { "\n" } else { "\n\n" });
                last.push_str(line);
            }
            _ => chunks.push(line.to_owned()),
        }
        goes_on = true;
        match fence {
            None if !in_comment => fence = opened_by(line),
            Some(open) if is_closed_by(line, open) => fence = None,
            _ => {}
        }
        if fence.is_none() {
            in_comment = match (line.rfind("<!--"), line.rfind("-->")) {
                (Some(opened), closed) => closed.is_none_or(|closed| closed < opened),
                (None, Some(_)) => false,
                (None, None) => in_comment,
            };
        }
    }
    chunks
}

/// Whether a piece begins with the mark of a list's item.
fn is_list(chunk: &str) -> bool {
    let digits = chunk.len() - chunk.trim_start_matches(|each: char| each.is_ascii_digit()).len();
    let rest = &chunk[digits..];
    let mark = if digits == 0 { rest.strip_prefix(['-', '*', '+']) } else { rest.strip_prefix(['.', ')']) };
    mark.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn taken(page: &str, other: &str) -> String {
        let mut page = Page::parse(page.as_bytes()).expect("UTF-8");
        let other = Page::parse(other.as_bytes()).expect("UTF-8");
        page.take_in(&other, |item| item.section == "Facts").expect("taken");
        page.as_str().to_owned()
    }

    #[test]
    fn prose_goes_below_the_same_headings_once() {
        let page = "# a\n\n<!-- Type: concept -->\n\n## Summary\n\n## Facts\n- one\n\n## Open Questions\n- Why?\n\n## Relations\n";
        let other = "# b\n\n<!-- Type: concept -->\n\nAbove all.\n\n## Summary\nFirst.\nStill first.\n\nSecond.\n\n## Facts\n\
                     - two\n\nAbout facts.\n\n## open questions\n- Why?\n- When?\n  And where?\n\n## Notes\n```\n# no heading\n\ncode\n```\n\n\
                     ### Deep\nDeeper.\n";
        let expected = "# a\n\n<!-- Type: concept -->\n\nAbove all.\n\n## Summary\nFirst.\nStill first.\n\nSecond.\n\n## Facts\n- one\n\n\
                        About facts.\n\n## Open Questions\n- Why?\n- When?\n  And where?\n\n## Relations\n\n## Notes\n```\n# no heading\n\n\
                        code\n```\n\n### Deep\nDeeper.\n";
        let found = taken(page, other);
        assert_eq!(found, expected);
        assert_eq!(taken(&found, other), found);
        assert_eq!(taken(&found.replace('\n', "\r\n"), other), found.replace('\n', "\r\n"));
    }

    #[test]
    fn what_is_left_open_is_refused_and_changes_nothing() {
        let page = "# a\n\n## Summary\ntext\n\n## Facts\n- one\n";
        let mut changed = Page::parse(page.as_bytes()).expect("UTF-8");
        let other = Page::parse(b"# b\n\n## Summary\n```\nnever closed\n").expect("UTF-8");
        assert!(matches!(changed.take_in(&other, |_| false), Err(PageError::Swallowed { .. })));
        assert_eq!(changed.as_str(), page);
    }

    proptest! {
        #[test]
        fn every_word_arrives_and_nothing_of_the_page_goes(
            page in "(?s)((# a|## [A-C]|### [D-E]|- [a-z]{1,5}|[a-z]{1,5}|```|<!-- k:v -->|  x)?\n){0,12}",
            other in "(?s)((# b|## [A-C]|### [D-E]|- [a-z]{1,5}|[a-z]{1,5}|```|<!--|-->|  x)?\n){0,12}",
        ) {
            let mut taken = Page::parse(page.as_bytes()).expect("UTF-8");
            let other = Page::parse(other.as_bytes()).expect("UTF-8");
            if taken.take_in(&other, |_| false).is_ok() {
                let mut rest = taken.as_str().lines();
                prop_assert!(page.lines().all(|line| line.is_empty() || rest.any(|found| found == line)), "{}", taken.as_str());
                for word in other.as_str().split_whitespace().filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)) {
                    prop_assert!(taken.as_str().contains(word), "{word}: {}", taken.as_str());
                }
                let once = taken.clone();
                prop_assert!(taken.take_in(&other, |_| false).is_err() || once.as_str().len() <= taken.as_str().len());
            }
        }
    }
}
