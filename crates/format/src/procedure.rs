//! How something is done (seed M7): trigger, steps, notes, and where it was learned.

use jiff::civil::Date;

use crate::annotation::Annotation;
use crate::fielded::one_line;
use crate::page::{Page, PageError};

/// The headings of a procedure's file.
pub const TRIGGER: &str = "Trigger";
/// What is done, in order.
pub const STEPS: &str = "Steps";
/// What else to mind.
pub const NOTES: &str = "Notes";
/// Which memories it comes from.
pub const LEARNED_FROM: &str = "Learned From";

/// A new file with its steps numbered.
#[must_use]
pub fn new_page(title: &str, trigger: &str, steps: &[String], learned_from: &str, today: Date) -> String {
    let header = Annotation::new()
        .with("Type", "procedure")
        .with("Learned", today.to_string())
        .with("Last used", today.to_string());
    let steps: String = steps
        .iter()
        .enumerate()
        .map(|(index, step)| format!("{}. {}\n", index + 1, one_line(step)))
        .collect();
    format!(
        "# {}\n\n{header}\n\n## {TRIGGER}\n{}\n\n## {STEPS}\n{steps}\n## {NOTES}\n\n## {LEARNED_FROM}\n- {}\n",
        one_line(title),
        one_line(trigger),
        one_line(learned_from)
    )
}

/// Adds a note to a procedure that is known already.
///
/// # Errors
/// As [`Page::add`].
pub fn refine(page: &mut Page, note: &str, learned_from: &str, today: Date) -> Result<(), PageError> {
    page.add(NOTES, note, &Annotation::new().with("since", today.to_string()))?;
    page.add(LEARNED_FROM, learned_from, &Annotation::new())?;
    page.set_header("Last used", today.to_string());
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_procedure_is_written_as_the_seed_has_it_and_refined_in_place() {
        let steps = ["Run the tests".to_owned(), "Deploy to\nstaging".to_owned()];
        let text = new_page(
            "how-to-deploy",
            "When asked to deploy.",
            &steps,
            "2026-01-25 — told",
            date(2026, 1, 25),
        );
        assert!(text.starts_with(
            "# how-to-deploy\n\n<!-- Type: procedure | Learned: 2026-01-25 | Last used: 2026-01-25 -->\n"
        ));
        assert!(text.contains("## Steps\n1. Run the tests\n2. Deploy to staging\n\n## Notes\n"), "{text}");
        let mut page = Page::parse(text.as_bytes()).expect("UTF-8");
        refine(&mut page, "Never on Fridays", "2026-02-01 — told", date(2026, 2, 1)).expect("added");
        assert_eq!(page.header().get("last used"), Some("2026-02-01"));
        assert_eq!(page.items_in(STEPS).count(), 2);
        assert_eq!(page.items_in(NOTES).count(), 1);
        assert_eq!(page.items_in(LEARNED_FROM).count(), 2);
    }
}
