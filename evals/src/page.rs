//! The page in the documentation: written by a person, with a place for the tables of each suite.
//!
//! A place begins with `<!-- rem-evals:NAME -->` and ends with `<!-- rem-evals:end -->`; what stands between is replaced, and
//! nothing else of the page ever is.

/// The page with the place of `suite` filled anew.
///
/// # Errors
/// A message when the page has no such place.
pub fn update_page(page: &str, suite: &str, text: &str) -> Result<String, String> {
    let begin = format!("<!-- rem-evals:{suite} -->\n");
    let end = "<!-- rem-evals:end -->";
    let start = page.find(&begin).map(|at| at + begin.len());
    let place = start.and_then(|start| Some(start..start + page[start..].find(end)?));
    let place = place.ok_or_else(|| format!("the page has no place for `{suite}`"))?;
    Ok(format!("{}\n{}\n{}", &page[..place.start], text.trim_end(), &page[place.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_place_of_a_suite_is_replaced() {
        let page = "a\n<!-- rem-evals:one -->\nold\n<!-- rem-evals:end -->\nb\n<!-- rem-evals:two -->\n<!-- rem-evals:end -->\n";
        let updated = update_page(page, "one", "new\n").unwrap();
        assert_eq!(
            updated,
            "a\n<!-- rem-evals:one -->\n\nnew\n<!-- rem-evals:end -->\nb\n<!-- rem-evals:two -->\n<!-- rem-evals:end -->\n"
        );
        assert_eq!(update_page(&updated, "one", "new").unwrap(), updated, "writing again changes nothing");
        assert!(update_page(page, "three", "").is_err());
    }
}
