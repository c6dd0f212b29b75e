//! Going through proposals item by item at a terminal, as `git add -p` does (U7).
//!
//! Asks and gives the answers back; knows neither what an item is nor what an answer does.

use std::io::BufRead;

use anyhow::Result;

use crate::printer::Printer;

/// Something that a person answers.
pub(crate) trait Reviewed {
    /// It, in a line or a few.
    fn said(&self) -> String;
    /// What speaks for it.
    fn why(&self) -> String;
    /// Its words, where they may be changed.
    fn words(&self) -> Option<String>;
}

/// What a person answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    /// With the reason, which may be empty.
    No(String),
    /// Yes, in these words.
    Edited(String),
    Later,
}

/// A person at a terminal.
pub(crate) struct Review<'a> {
    pub(crate) printer: &'a Printer,
    /// What they type.
    pub(crate) input: &'a mut dyn BufRead,
    /// Has them change a text; nothing where there is no editor or they changed nothing.
    pub(crate) edit: &'a dyn Fn(&str) -> Result<Option<String>>,
}

const HELP: &str = "  y  yes: apply it\n  n  no; `n REASON` says why\n  e  yes, in other words, in your editor ($VISUAL, $EDITOR)\n  l  later: it waits on\n  w  why it is proposed\n  q  stop here: what was answered counts, the rest waits on";

impl Review<'_> {
    /// An answer for each item, in their order. Whoever stops, or hangs up, leaves the rest for later.
    pub(crate) fn of(&mut self, items: &[impl Reviewed]) -> Result<Vec<Answer>> {
        let mut answers = Vec::new();
        for (number, item) in (1..).zip(items) {
            self.printer.note(&format!("\n({number}/{}) {}", items.len(), visible(&item.said())));
            match self.ask(item)? {
                Some(answer) => answers.push(answer),
                None => break,
            }
        }
        answers.resize(items.len(), Answer::Later);
        Ok(answers)
    }

    /// The answer for one item; nothing where a person stops.
    fn ask(&mut self, item: &impl Reviewed) -> Result<Option<Answer>> {
        loop {
            self.printer.question("[y,n,e,l,w,q,?] ");
            let mut line = String::new();
            if self.input.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word.to_lowercase().as_str(), item.words()) {
                ("y" | "yes", _) => return Ok(Some(Answer::Yes)),
                ("n" | "no", _) => return Ok(Some(Answer::No(rest.trim().to_owned()))),
                ("l" | "later", _) => return Ok(Some(Answer::Later)),
                ("q" | "quit", _) => return Ok(None),
                ("w" | "why", _) => self.printer.note(&visible(&item.why())),
                ("e" | "edit", None) => self.printer.note("  it has no words that could be changed"),
                ("e" | "edit", Some(words)) => match (self.edit)(&words)? {
                    Some(text) if !text.trim().is_empty() => {
                        return Ok(Some(Answer::Edited(text.trim().to_owned())));
                    }
                    _ => self.printer.note("  nothing was changed, or no editor is set ($VISUAL, $EDITOR)"),
                },
                _ => self.printer.note(HELP),
            }
        }
    }
}

/// A text with the signs spelt out that a terminal would act on: what is approved must be what is seen.
fn visible(text: &str) -> String {
    let acts = |each: char| {
        each.is_control() && each != '\n' || matches!(each, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let spelt = |each: char| if acts(each) { each.escape_unicode().to_string() } else { each.to_string() };
    text.chars().map(spelt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Row(bool);

    impl Reviewed for Row {
        fn said(&self) -> String {
            "row".to_owned()
        }
        fn why(&self) -> String {
            "because".to_owned()
        }
        fn words(&self) -> Option<String> {
            self.0.then(|| "as it is".to_owned())
        }
    }

    fn answers(typed: &str, rows: &[Row]) -> Vec<Answer> {
        let printer = Printer::new(false, true);
        let edit = |text: &str| Ok(Some(format!("{text}, changed\n")));
        Review { printer: &printer, input: &mut typed.as_bytes(), edit: &edit }.of(rows).expect("answers")
    }

    #[test]
    fn what_would_act_on_a_terminal_is_spelt_out() {
        assert_eq!(visible("a\u{1b}[2Kb\n\u{202e}c, 결정 é"), "a\\u{1b}[2Kb\n\\u{202e}c, 결정 é");
    }

    #[test]
    fn each_item_gets_its_answer_and_whoever_stops_leaves_the_rest_for_later() {
        let rows = || [Row(true), Row(false), Row(true), Row(true)];
        assert_eq!(
            answers("w\n?\ny\ne\nn  it is needed \nE\nq\n", &rows()),
            [
                Answer::Yes,
                Answer::No("it is needed".to_owned()),
                Answer::Edited("as it is, changed".to_owned()),
                Answer::Later
            ]
        );
        assert_eq!(answers("yes\nL\n", &rows()), [Answer::Yes, Answer::Later, Answer::Later, Answer::Later]);
        assert_eq!(answers("", &rows()), vec![Answer::Later; 4]);
    }
}
