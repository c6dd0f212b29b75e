//! How something is done (seed M7): trigger, steps, notes, and where it was learned.

use jiff::civil::Date;

use crate::annotation::Annotation;
use crate::fielded::one_line;
use crate::page::{Item, Page, PageError};

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

/// Gives a procedure other steps. What its steps were stands in the notes from then on, with the day until which it held; a step that
/// goes on keeps its lines.
///
/// # Errors
/// [`PageError::Swallowed`] where the steps would not be read back, or as [`Page::add`]; the page is as it was then.
pub fn renew(page: &mut Page, steps: &[String], learned_from: &str, today: Date) -> Result<(), PageError> {
    let before = page.clone();
    let old: Vec<Item> = page
        .items_in(STEPS)
        .filter(|(_, item)| item.ended().is_none())
        .map(|(_, item)| item.clone())
        .collect();
    let was: Vec<String> =
        old.iter().enumerate().map(|(at, item)| format!("{}. {}", at + 1, one_line(item.plain()))).collect();
    let text = page.as_str();
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut rest: Vec<&Item> = old.iter().collect();
    let mut lines = String::new();
    for (at, step) in steps.iter().map(|step| one_line(step)).enumerate() {
        lines.push_str(&format!("{}. ", at + 1));
        match rest.iter().position(|item| one_line(item.plain()) == step) {
            Some(own) => {
                let item = rest.remove(own);
                lines.push_str(text[item.mark().end..item.bytes().end].trim_end_matches(['\r', '\n']));
            }
            None => lines.push_str(&step),
        }
        lines.push_str(newline);
    }
    let mut changed = text.to_owned();
    for (at, item) in old.iter().enumerate().rev() {
        changed.replace_range(item.bytes(), if at == 0 { &lines } else { "" });
    }
    *page = Page::parse(changed.as_bytes())?;
    let there = page.items_in(STEPS).filter(|(_, item)| item.ended().is_none());
    let there: Vec<String> = there.map(|(_, item)| one_line(item.plain())).collect();
    let is_read_back = there == steps.iter().map(|step| one_line(step)).collect::<Vec<_>>();
    let note = format!("Until {today}: {}", was.join("; "));
    let held = Annotation::new().with("superseded", today.to_string());
    let kept = match is_read_back {
        true => page
            .add(NOTES, &note, &held)
            .and_then(|()| page.add(LEARNED_FROM, learned_from, &Annotation::new())),
        false => Err(PageError::Swallowed { section: STEPS.to_owned() }),
    };
    match kept {
        Ok(()) => page.set_header("Last used", today.to_string()),
        Err(_) => *page = before,
    }
    kept
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
    #[test]
    fn other_steps_take_the_place_of_the_old_ones_which_stay_readable() {
        let told = "# row\n\n## Steps\n1. Untie\n   the bow first\n2. Push off\n\nBy hand.\n\n## Notes\n- Mind the cat\n";
        let mut page = Page::parse(told.as_bytes()).expect("UTF-8");
        let steps = ["Board".to_owned(), "Untie\n   the bow first".to_owned(), "Row".to_owned()];
        renew(&mut page, &steps, "2026-02-01 — told", date(2026, 2, 1)).expect("renewed");
        let text = page.as_str();
        assert!(
            text.contains("## Steps\n1. Board\n2. Untie\n   the bow first\n3. Row\n\nBy hand.\n"),
            "{text}"
        );
        let note = "- Until 2026-02-01: 1. Untie the bow first; 2. Push off <!-- superseded:2026-02-01 -->";
        assert!(text.contains(note) && text.contains("- Mind the cat\n"), "{text}");
        let mut open = Page::parse(b"# row\n\n## Steps\n```\n").expect("UTF-8");
        let before = open.clone();
        assert!(renew(&mut open, &steps, "told", date(2026, 2, 1)).is_err());
        assert_eq!(open, before);
    }
}
