//! `rem reflect`

use std::cell::RefCell;

use anyhow::{Context as _, Result};
use rem_mind::format::reflection::{Item, ItemKind, ReflectionTrigger};
use rem_mind::reflection::{ReflectionDecided, ReflectionMade, ReflectionShown};
use rem_mind::{Memory, ReviewDecision};

use crate::arguments::Arguments;
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;
use crate::review::{AT_THE_END, Reviewed, Verdict, approving, harmless, rejecting, review};

/// Look over the memory, and answer what it proposes
///
/// A reflection writes what should change into memory/meta/pending-reflection.md and changes nothing else: what goes into MEMORY.md, what
/// leaves it, what faded, what contradicts what, which entities are one, and questions. What you approve is applied as one change;
/// what you reject is not proposed again without new evidence. Without an answer nothing happens.
///
///   rem reflect start
///   rem reflect review
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ReflectCommand {
    /// Look over the memory and write down what should change
    Start {
        /// Drop a reflection that waits for an answer
        #[arg(long)]
        replace: bool,
        /// Only print what a model would be asked: answer it yourself, and submit the answer
        #[arg(long, conflicts_with = "replace")]
        hand_off: bool,
    },
    /// Look over the memory with your answer to a task that `start --hand-off` printed
    Submit {
        /// The task
        task: String,
        /// The file of the answer, a JSON object; - is standard input
        #[arg(default_value = "-")]
        answer: String,
        /// Drop a reflection that waits for an answer
        #[arg(long)]
        replace: bool,
    },
    /// Show the reflection that waits
    Show,
    /// Answer item by item at the terminal: yes, no, edit, later, why
    Review,
    /// Apply all items, or those named
    Approve {
        /// The ids of items
        ids: Vec<String>,
        /// An item in other words: only what goes into MEMORY.md has words of its own
        #[arg(long = "edit", value_name = "ID=TEXT")]
        edits: Vec<String>,
    },
    /// Reject all items, or those named
    Reject {
        /// The ids of items
        ids: Vec<String>,
        /// Why, for the log
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// What became of the reflections so far
    Log,
}

pub(crate) fn run(command: &ReflectCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    match command {
        ReflectCommand::Start { hand_off: true, .. } => {
            let task = memory.reflection_task(environment::system_time())?;
            task.notices.iter().for_each(|notice| printer.note(notice));
            printer.answer(&task, || {
                format!(
                    "{}\n\nSubmit the answer: rem reflect submit {} < ANSWER.json\n",
                    task.text, task.task
                )
            })
        }
        ReflectCommand::Start { replace, .. } => {
            let made = memory.reflect(ReflectionTrigger::Request, *replace, environment::system_time())?;
            printer.answer(&made, || written(&made))
        }
        ReflectCommand::Submit { task, answer, replace } => {
            let answer = match answer.as_str() {
                "-" => super::text_or_stdin("-")?,
                file => std::fs::read_to_string(file).with_context(|| format!("{file} cannot be read"))?,
            };
            let made = memory.submit_reflection(task, &answer, *replace, environment::system_time())?;
            printer.answer(&made, || written(&made))
        }
        ReflectCommand::Show => {
            let shown = memory.reflection()?;
            printer.answer(&shown, || shown.as_ref().map_or_else(nothing, document))
        }
        ReflectCommand::Review => reviewed(&memory, printer),
        ReflectCommand::Approve { ids, edits } => {
            decide(&memory, &approving(ids, edits, "rem reflect show")?, printer)
        }
        ReflectCommand::Reject { ids, reason } => decide(&memory, &rejecting(ids, reason), printer),
        ReflectCommand::Log => {
            let log = memory.reflection_log()?;
            printer.answer(&serde_json::json!({ "log": log }), || log.clone())
        }
    }
}

fn decide(memory: &Memory, decision: &ReviewDecision, printer: &Printer) -> Result<()> {
    memory.catch_up();
    let decided = memory.decide_reflection(decision, environment::system_time())?;
    printer.answer(&decided, || told(&decided))
}

fn reviewed(memory: &Memory, printer: &Printer) -> Result<()> {
    if printer.is_json() || !environment::is_asked_by_a_person() {
        return Err(Hinted::usage(
            "there is no terminal to ask a person at",
            "`rem reflect show` shows the items; `rem reflect approve ID…` and `rem reflect reject ID…` answer them",
        )
        .into());
    }
    memory.catch_up();
    let Some(shown) = memory.reflection()? else { return printer.text(&nothing()) };
    let rows: Vec<Row<'_>> = shown.pending.items.iter().map(|item| Row { item, shown: &shown }).collect();
    let answered = RefCell::new(ReviewDecision::default());
    let reviewed = Reviewed {
        question: "Apply this?",
        show: &|row: &Row<'_>| Ok(Some(harmless(&row.said()))),
        why: &|row| Ok(harmless(&row.why())),
        words: &|row| Ok(row.words()),
        edit: &environment::edited,
        // One answer changes what the others speak of: all are applied together.
        decide: &|row, verdict| {
            let (mut decision, id) = (answered.borrow_mut(), row.item.id.clone());
            match verdict {
                Verdict::Yes => decision.approve.push(id),
                Verdict::No(reason) => drop(decision.reject.insert(id, reason.clone())),
                Verdict::Edited(text) => drop(decision.edits.insert(id, text.clone())),
                Verdict::Later => {}
            }
            Ok(AT_THE_END.to_owned())
        },
    };
    review(&rows, &reviewed, &mut std::io::stdin().lock(), printer)?;
    let decision = answered.into_inner();
    if decision.approve.is_empty() && decision.reject.is_empty() && decision.edits.is_empty() {
        return printer.text("Nothing was answered; all of it waits.");
    }
    decide(memory, &decision, printer)
}

/// An item as it is asked about.
struct Row<'a> {
    item: &'a Item,
    shown: &'a ReflectionShown,
}

impl Row<'_> {
    fn said(&self) -> String {
        let Item { id, kind, says, path, .. } = self.item;
        let path = path.as_ref().map_or_else(String::new, |path| format!("\n  in {path}"));
        let conflict = self.shown.conflicts.iter().find(|conflict| conflict.id == *id);
        let conflict =
            conflict.map_or_else(String::new, |conflict| format!("\n  cannot be applied: {}", conflict.why));
        format!("{kind} {id}: {says}{path}{conflict}")
    }

    fn why(&self) -> String {
        let mut lines = vec![format!("  {}", self.item.reason)];
        let quoted = self.item.rests_on.iter();
        lines.extend(quoted.map(|line| format!("  {}:{}  {}", line.path, line.line, line.text)));
        if let Some(after) = &self.item.after {
            lines.push(format!("  afterwards: {after}"));
        }
        lines.join("\n")
    }

    fn words(&self) -> Option<String> {
        self.item.after.clone().filter(|_| self.item.kind == ItemKind::Promotion)
    }
}

fn nothing() -> String {
    "No reflection waits for an answer.".to_owned()
}

fn written(made: &ReflectionMade) -> String {
    let mut text = match made.number {
        None => "There is nothing to propose.".to_owned(),
        Some(number) => format!(
            "{}\nReflection #{number}: {} items wait for your answer  ({})\n`rem reflect review` goes through them.",
            made.document, made.items, made.change
        ),
    };
    if !made.unused.is_empty() {
        text.push_str("\nAnswered, and not among the items:");
        let unused = made.unused.iter();
        text.extend(unused.map(|each| format!("\n  {}: {}: {}", each.list, harmless(&each.text), each.why)));
    }
    text.extend(
        made.by_rules
            .iter()
            .map(|each| format!("\nThe rules looked alone, for no model answered: {}", each.why)),
    );
    text
}

fn document(shown: &ReflectionShown) -> String {
    let mut text = shown.text.clone();
    if shown.is_document_changed {
        text.push_str(
            "\nThe document was changed since it was written: it says no longer what would be applied.\n",
        );
    }
    for conflict in &shown.conflicts {
        text.push_str(&format!("\n{} cannot be applied: {}\n", conflict.id, conflict.why));
    }
    text
}

fn told(decided: &ReflectionDecided) -> String {
    let mut lines: Vec<String> = decided
        .conflicts
        .iter()
        .map(|conflict| format!("{} waits on: {}", conflict.id, conflict.why))
        .collect();
    lines.extend(decided.demoted.iter().map(|text| format!("made room in MEMORY.md: {text}")));
    let change = if decided.change.is_empty() { String::new() } else { format!("  ({})", decided.change) };
    let seen = match decided.asked.len() {
        0 => String::new(),
        count => format!(", {count} questions seen"),
    };
    lines.push(format!(
        "Reflection #{}: {} applied, {} rejected{seen}, {} wait{change}",
        decided.number,
        decided.applied.len(),
        decided.rejected.len(),
        decided.pending
    ));
    lines.join("\n")
}
