//! A page that lists things by name, one line each: the active projects, the people (A2.2).
//!
//! `- **atlas** — a map of the coast`, below a heading of its own. Owns the shape of a line and how lines are shortened so that the
//! page stays small. The invariant is a person's: a line that does not say what we would have written there is never changed.
//! Must not know what is listed.

use jiff::civil::Date;

use crate::annotation::Annotation;
use crate::document::{Document, DocumentError, Value};
use crate::page::{Page, PageError};

/// How long descriptions may be, in characters, tried in this order until the page is small enough.
const LENGTHS: [usize; 6] = [usize::MAX, 160, 100, 60, 36, 16];

/// Why a listing cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum ListingError {
    /// The page cannot be changed.
    #[error(transparent)]
    Page(#[from] PageError),
    /// Its front matter cannot be changed.
    #[error(transparent)]
    FrontMatter(#[from] DocumentError),
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What stands in bold.
    pub name: String,
    /// What stands after it.
    pub description: String,
    /// The line is worded as [`Listing::add`] words it.
    is_plain: bool,
    item: usize,
}

impl Listed {
    /// Whether the line is ours: it says the whole of `description` or its beginning, in our wording.
    #[must_use]
    pub fn is_ours(&self, description: &str) -> bool {
        let description = one_line(description);
        self.is_plain
            && (self.description == description
                || self.description.strip_suffix('…').is_some_and(|start| description.starts_with(start)))
    }
}

/// A page of such lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    page: Page,
    title: String,
}

impl Listing {
    /// Reads a page; where there is none, a new one with this `type` in its front matter and this title.
    ///
    /// # Errors
    /// [`PageError::NotUtf8`].
    pub fn parse(bytes: Option<&[u8]>, kind: &str, title: &str) -> Result<Self, PageError> {
        let new = format!("---\ntype: {kind}\n---\n\n# {title}\n");
        Ok(Self { page: Page::parse(bytes.unwrap_or(new.as_bytes()))?, title: title.to_owned() })
    }

    /// The lines that name something, in their order, wherever on the page they stand.
    #[must_use]
    pub fn lines(&self) -> Vec<Listed> {
        let read = |(item, text): (usize, &str)| {
            let (name, rest) = text.trim().strip_prefix("**")?.split_once("**")?;
            let description = rest.trim_start().trim_start_matches(['—', '–', '-', ':']).trim();
            let name = name.trim();
            (!name.is_empty()).then(|| Listed {
                name: name.to_owned(),
                description: description.to_owned(),
                is_plain: line(name, description) == text,
                item,
            })
        };
        let items = self.page.items().iter().map(|item| item.text.as_str()).enumerate();
        items.filter_map(read).collect()
    }

    /// Adds a line at the end of the list.
    ///
    /// # Errors
    /// As [`Page::add`].
    pub fn add(&mut self, name: &str, description: &str) -> Result<(), PageError> {
        let (line, title) = (line(name, description), self.title.clone());
        let text = self.page.as_str();
        let ends_in_heading = text.trim_end().lines().last() == Some(&format!("# {title}"));
        if ends_in_heading && !text.contains('\r') {
            // The first line of a list stands apart from its heading.
            let page = Page::parse(format!("{}\n\n- {line}\n", text.trim_end()).as_bytes())?;
            if page.items().len() == self.page.items().len() + 1 {
                self.page = page;
                return Ok(());
            }
        }
        self.page.add(&title, &line, &Annotation::new())
    }

    /// Takes a line out.
    pub fn remove(&mut self, listed: &Listed) {
        self.page.remove(listed.item);
    }

    /// Gives the lines of these things (name and full description) as much of their descriptions as fits into `cap` bytes, the same
    /// to all. Lines that a person worded stay as they are, and so does everything else, even where the page is too long for it.
    pub fn fit(&mut self, known: &[(String, String)], cap: usize) {
        let lines = self.lines();
        let ours: Vec<(&Listed, &str)> = lines
            .iter()
            .filter_map(|listed| {
                let (_, description) = known.iter().find(|(name, _)| *name == listed.name)?;
                listed.is_ours(description).then_some((listed, description.as_str()))
            })
            .collect();
        for length in LENGTHS {
            for (listed, description) in &ours {
                let text = line(&listed.name, &shortened(description, length));
                let annotation = self.page.items().get(listed.item).map(|item| item.annotation.clone());
                self.page.set(listed.item, &text, &annotation.unwrap_or_default());
            }
            if self.page.as_str().len() <= cap {
                break;
            }
        }
    }

    /// The page's bytes, with `updated` in its front matter where it has one and says no later day.
    ///
    /// # Errors
    /// [`DocumentError`] where the front matter cannot be read.
    pub fn into_bytes(self, today: Date) -> Result<Vec<u8>, DocumentError> {
        let mut document = Document::parse(&self.page.into_bytes());
        if document.front_matter().is_some() {
            let known = match document.get("updated")? {
                Some(Value::Text(day)) => day.parse::<Date>().ok(),
                _ => None,
            };
            let day = known.map_or(today, |known| known.max(today));
            document.set("updated", &Value::Text(day.to_string()))?;
        }
        Ok(document.render())
    }
}

fn line(name: &str, description: &str) -> String {
    let description = one_line(description);
    let separator = if description.is_empty() { "" } else { " — " };
    format!("**{name}**{separator}{description}")
}

/// The beginning of a text, cut between words where there are any.
fn shortened(text: &str, length: usize) -> String {
    let text = one_line(text);
    let Some((end, _)) = text.char_indices().nth(length) else { return text };
    let start = &text[..end];
    let whole = start.rsplit_once(' ').map(|(words, _)| words).filter(|words| words.len() * 2 > start.len());
    format!("{}…", whole.unwrap_or(start).trim_end_matches([' ', ',', ';', ':']))
}

/// A description stands in one line, and nothing in it ends the comment or the bold before it.
fn one_line(text: &str) -> String {
    text.replace("<!--", "").replace("-->", "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const SEED: &str = "---\ntype: project_index\nupdated: 2026-02-16\n---\n\n# Active Projects\n\n\
        - **autopoiesis** — AI agent framework, file-based memory rewrite in progress\n\
        - **excitingfit** — Fitness studio platform, launch March 2026\n";

    fn parsed(text: &str) -> Listing {
        Listing::parse(Some(text.as_bytes()), "project_index", "Active Projects").expect("UTF-8")
    }

    #[test]
    fn the_seeds_index_is_read_and_written() {
        let lines = parsed(SEED).lines();
        assert_eq!(lines[1].name, "excitingfit");
        assert_eq!(lines[1].description, "Fitness studio platform, launch March 2026");
        let mut new = Listing::parse(None, "project_index", "Active Projects").expect("a new one");
        lines.iter().for_each(|listed| new.add(&listed.name, &listed.description).expect("added"));
        let written = String::from_utf8(new.into_bytes(date(2026, 2, 16)).expect("written")).expect("UTF-8");
        assert_eq!(written, SEED);
    }

    #[test]
    fn lines_are_shortened_alike_and_those_of_a_person_stay() {
        let words = "a description that goes on and on about the coast, the lights and the tides ".repeat(3);
        let known: Vec<(String, String)> =
            ["one", "two", "three"].iter().map(|name| ((*name).to_owned(), words.clone())).collect();
        let mut listing = parsed("# Active Projects\n\nmy own words\n- **three** mine, do not touch\n");
        listing.add("one", &words).expect("added");
        listing.add("two", &words).expect("added");
        listing.fit(&known, 300);
        let text = listing.page.as_str().to_owned();
        assert!(text.len() <= 300, "{text}");
        assert!(
            text.starts_with("# Active Projects\n\nmy own words\n- **three** mine, do not touch\n"),
            "{text}"
        );
        assert_eq!(text.matches("- **").count(), 3);
        assert_eq!(text.matches('…').count(), 2, "{text}");
        let one = listing.lines().into_iter().find(|listed| listed.name == "one").expect("listed");
        listing.remove(&one);
        listing.fit(&known, 2_000);
        assert!(listing.page.as_str().contains(words.trim()), "what has room is whole again");
    }

    #[test]
    fn a_line_is_known_again_after_a_paragraph_that_goes_on_below_an_item() {
        let text = "---\ntype: x\n\0\0s---\n\n# Active Projects\n\n- **atlas** — A m\n\n of the b26-02x\n**garde\ntype: x\nupdated";
        let mut listing = parsed(text);
        listing.add("harbor", "a map of the coast").expect("added");
        let ours = listing.lines().into_iter().find(|line| line.name == "harbor").expect("listed");
        assert!(ours.is_ours("a map of the coast"), "{}", listing.page.as_str());
    }

    proptest! {
        #[test]
        fn a_line_that_comes_and_goes_leaves_the_others_as_they_were(
            text in "(?s)(# Active Projects|\n|\r\n|- |\\* |1\\. |\\*\\*[a-c]\\*\\*| — |```\n|<!--|-->|  |---\n|type: x\n|x){0,24}",
        ) {
            let mut listing = parsed(&text);
            let words = |listing: &Listing| -> Vec<(String, String)> {
                listing.lines().into_iter().map(|line| (line.name, line.description)).collect()
            };
            let before = words(&listing);
            if listing.add("atlas", "a map of the coast").is_ok() {
                listing.fit(&[("atlas".to_owned(), "a map of the coast".to_owned())], 64);
                let ours = listing.lines().into_iter().find(|line| line.name == "atlas").expect("listed");
                prop_assert!(ours.is_ours("a map of the coast"));
                listing.remove(&ours);
            }
            prop_assert_eq!(words(&listing), before);
        }

        #[test]
        fn whatever_a_description_says_its_line_is_known_again(
            before in "(?s)(# Active Projects\n|- \\*\\*x\\*\\* y\n|text\n|\n){0,5}",
            description in "\\PC{0,80}",
            cap in 20..400_usize,
        ) {
            let mut listing = parsed(&before);
            let others = listing.lines().len();
            prop_assume!(listing.add("atlas", &description).is_ok());
            let known = [("atlas".to_owned(), description.clone())];
            listing.fit(&known, cap);
            listing.fit(&known, cap * 2);
            let lines = listing.lines();
            prop_assert_eq!(lines.len(), others + 1);
            let ours = lines.iter().find(|listed| listed.name == "atlas").expect("listed");
            // What reads as a dash at the beginning is taken for the one that we write.
            let read = one_line(&description);
            if !read.starts_with(['—', '–', '-', ':']) {
                prop_assert!(ours.is_ours(&description), "{:?}", ours);
            }
        }
    }
}
