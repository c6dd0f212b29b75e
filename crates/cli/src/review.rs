//! Going through things one by one with the person at the terminal, in the way of `git add -p`.
//!
//! One letter decides. Each decision is carried out at once, or all of them at the end where they depend on each other or are signed
//! together, and then each says so. What failed is said and left as it is. Must not know what is reviewed, nor whether there is a terminal.

use std::collections::BTreeMap;
use std::io::BufRead;

use anyhow::Result;
use rem_mind::ReviewDecision;
use serde::Serialize;

use crate::failure::Hinted;
use crate::printer::Printer;

const KEYS: &str = "y  yes\nn  no; a reason is asked for, and may be left out\ne  edit: yes, with other words, in your editor ($VISUAL, $EDITOR) if you have one\nl  later\nw  why: what speaks for and against it\nq  quit, and leave the rest as it is\n?  this help";

/// What is said of an answer that is carried out with the others.
pub(crate) const AT_THE_END: &str = "Noted; carried out with the others at the end (q: now).";

/// What a person decided on one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Yes.
    Yes,
    /// Yes, with these words.
    Edited(String),
    /// No, for this reason, which may be empty.
    No(String),
    /// Not now.
    Later,
}

/// A decision that approves these, some in other words (`ID=TEXT`), or everything where none is named. `shows` is the command that has the ids.
pub(crate) fn approving(ids: &[String], edits: &[String], shows: &str) -> Result<ReviewDecision> {
    let edit_of = |text: &String| -> Result<(String, String)> {
        let (id, words) = text.split_once('=').ok_or_else(|| {
            let hint = format!("write --edit ID=TEXT; `{shows}` has the ids");
            Hinted::usage(format!("{text:?} is no edit"), hint)
        })?;
        Ok((id.trim().to_owned(), words.to_owned()))
    };
    let edits = edits.iter().map(edit_of).collect::<Result<BTreeMap<_, _>>>()?;
    let approve_all = ids.is_empty() && edits.is_empty();
    Ok(ReviewDecision { approve_all, approve: ids.to_vec(), edits, ..ReviewDecision::default() })
}

/// A decision that rejects these, or everything where none is named.
pub(crate) fn rejecting(ids: &[String], reason: &str) -> ReviewDecision {
    let reject = ids.iter().map(|id| (id.clone(), String::new())).collect();
    ReviewDecision {
        reject_all: ids.is_empty(),
        reject,
        reason: reason.to_owned(),
        ..ReviewDecision::default()
    }
}

/// What is reviewed: how each is shown, explained, and decided.
pub(crate) struct Reviewed<'a, T> {
    /// The question after each, such as `Remember this?`.
    pub(crate) question: &'a str,
    /// How it is shown; nothing where it is gone meanwhile.
    pub(crate) show: &'a dyn Fn(&T) -> Result<Option<String>>,
    /// What speaks for and against it.
    pub(crate) why: &'a dyn Fn(&T) -> Result<String>,
    /// Its words, where they may be changed.
    pub(crate) words: &'a dyn Fn(&T) -> Result<Option<String>>,
    /// Has the person change a text; nothing where they have no editor, or changed nothing.
    pub(crate) edit: &'a dyn Fn(&str) -> Result<Option<String>>,
    /// Carries a decision out; gives what to say of it.
    pub(crate) decide: &'a dyn Fn(&T, &Verdict) -> Result<String>,
}

/// How many were decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    pub(crate) accepted: usize,
    pub(crate) rejected: usize,
    pub(crate) deferred: usize,
    /// Those on which nothing was decided.
    pub(crate) left: usize,
}

/// Goes through them. The end of the input is the same as `q`.
pub(crate) fn review<T>(
    items: &[T],
    reviewed: &Reviewed<'_, T>,
    input: &mut dyn BufRead,
    printer: &Printer,
) -> Result<Tally> {
    let mut tally = Tally::default();
    for (at, item) in items.iter().enumerate() {
        let Some(shown) = (reviewed.show)(item)? else { continue };
        printer.note(&shown);
        let verdict = loop {
            printer.question(&format!("({}/{}) {} [y,n,e,l,w,q,?] ", at + 1, items.len(), reviewed.question));
            let Some(answer) = line(input)? else { break None };
            match answer.to_lowercase().as_str() {
                "y" | "yes" => break Some(Verdict::Yes),
                "n" | "no" => {
                    printer.question("Why not? (may be empty) ");
                    break line(input)?.map(Verdict::No);
                }
                "e" | "edit" => match (reviewed.words)(item)? {
                    None => printer.note("It has no words that could be changed."),
                    Some(words) => match edited(&words, reviewed.edit, input, printer)? {
                        Some(words) if words.is_empty() => {}
                        words => break words.map(Verdict::Edited),
                    },
                },
                "l" | "later" => break Some(Verdict::Later),
                "w" | "why" => printer.note(&(reviewed.why)(item)?),
                "q" | "quit" => break None,
                _ => printer.note(KEYS),
            }
        };
        let Some(verdict) = verdict else {
            tally.left += items.len() - at;
            break;
        };
        match (reviewed.decide)(item, &verdict) {
            Ok(said) => {
                printer.note(&said);
                *match verdict {
                    Verdict::Yes | Verdict::Edited(_) => &mut tally.accepted,
                    Verdict::No(_) => &mut tally.rejected,
                    Verdict::Later => &mut tally.deferred,
                } += 1;
            }
            Err(error) => {
                printer.note(&format!("It stays as it is: {error:#}"));
                tally.left += 1;
            }
        }
    }
    Ok(tally)
}

/// Other words for a text: from an editor, else typed; empty where nothing was changed, nothing at the end of the input.
fn edited(
    words: &str,
    edit: &dyn Fn(&str) -> Result<Option<String>>,
    input: &mut dyn BufRead,
    printer: &Printer,
) -> Result<Option<String>> {
    if let Some(text) = edit(words)? {
        return Ok(Some(text.trim().to_owned()));
    }
    printer.question("In your words (empty: not edited): ");
    line(input)
}

/// A line without its end; nothing at the end of the input.
fn line(input: &mut dyn BufRead) -> Result<Option<String>> {
    let mut line = String::new();
    Ok((input.read_line(&mut line)? > 0).then(|| line.trim().to_owned()))
}

/// Text of others as a terminal may be given it: no character of it moves the cursor or hides another.
pub(crate) fn harmless(text: &str) -> String {
    let is_hiding = |each: char| {
        each.is_control() && !matches!(each, '\n' | '\t')
            || matches!(each, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut harmless = String::with_capacity(text.len());
    for each in text.chars() {
        // Joiners stay where they join letters or pictures.
        let joins = matches!(each, '\u{200c}' | '\u{200d}')
            && harmless.chars().next_back().is_some_and(|before| !before.is_ascii() && !is_hiding(before));
        match is_hiding(each) && !joins {
            true => harmless.extend(each.escape_unicode()),
            false => harmless.push(each),
        }
    }
    harmless
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn answered(answers: &str, items: &[&str]) -> (Tally, Vec<(String, Verdict)>) {
        let decided = RefCell::new(Vec::new());
        let tally = review(
            items,
            &Reviewed {
                question: "Keep it?",
                show: &|item| Ok((*item != "gone").then(|| (*item).to_owned())),
                why: &|_| Ok("because".to_owned()),
                words: &|item| Ok((*item != "d").then(|| (*item).to_owned())),
                edit: &|text| Ok((text == "e").then(|| "typed in an editor\n".to_owned())),
                decide: &|item, verdict| {
                    anyhow::ensure!(*item != "stuck", "it is stuck");
                    decided.borrow_mut().push(((*item).to_owned(), verdict.clone()));
                    Ok("done".to_owned())
                },
            },
            &mut answers.as_bytes(),
            &Printer::new(false, true),
        );
        (tally.unwrap(), decided.into_inner())
    }

    #[test]
    fn each_letter_decides_one_and_the_end_of_the_input_leaves_the_rest() {
        let items = ["a", "b", "gone", "c", "stuck", "d", "e", "f"];
        let answers = "?\nw\nY\nn\nsaid in jest\ne\n\ne\nother words\ny\ne\nlater\ne\n";
        let (tally, decided) = answered(answers, &items);
        let decided: Vec<(&str, &Verdict)> =
            decided.iter().map(|(item, verdict)| (item.as_str(), verdict)).collect();
        assert_eq!(
            decided,
            [
                ("a", &Verdict::Yes),
                ("b", &Verdict::No("said in jest".to_owned())),
                ("c", &Verdict::Edited("other words".to_owned())),
                ("d", &Verdict::Later),
                ("e", &Verdict::Edited("typed in an editor".to_owned())),
            ]
        );
        assert_eq!(tally, Tally { accepted: 3, rejected: 1, deferred: 1, left: 2 });
        assert_eq!(answered("q\n", &["a", "b"]).0.left, 2);
        assert_eq!(answered("n\n", &["a"]), (Tally { left: 1, ..Tally::default() }, vec![]));
    }

    #[test]
    fn words_of_others_do_not_move_the_cursor() {
        assert_eq!(harmless("a\u{1b}[2Jb\r\n\u{202e}c가"), "a\\u{1b}[2Jb\\u{d}\n\\u{202e}c가");
        assert_eq!(harmless("👨\u{200d}👩 a\u{200d}b\t\u{7}"), "👨\u{200d}👩 a\\u{200d}b\t\\u{7}");
    }
}
