//! `rem forget`

use anyhow::Result;
use rem_mind::stores::Located;

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// Forget memories: first the candidates, then those that are named
///
/// `rem forget QUESTION` shows what it means and changes nothing; `rem forget --id ID` puts it out of sight. Its file or its
/// words are kept in the archive, which `rem recall --include archived` finds. `--permanent` takes it off the disk; git and the audit log keep it.
#[derive(Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// What to forget, in words
    #[arg(num_args = 0.., value_name = "QUESTION", required_unless_present = "ids")]
    question: Vec<String>,
    /// A memory to forget; may be given again
    #[arg(long = "id", value_name = "ID", conflicts_with = "question")]
    ids: Vec<String>,
    /// Off the disk as well
    #[arg(long, requires = "ids")]
    permanent: bool,
}

pub(crate) fn run(args: &ForgetArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open()?;
    if args.ids.is_empty() {
        let question = args.question.join(" ");
        let candidates = memory.forget_candidates(&question, environment::system_time())?;
        return printer.answer(&candidates, || listed(&question, &candidates));
    }
    let outcome = memory.forget(&args.ids, args.permanent)?;
    printer.answer(&outcome, || {
        let count = outcome.forgotten.len();
        let kept = if outcome.permanent {
            "off the disk; git and the audit log keep it"
        } else {
            "kept in the archive"
        };
        let mut lines = vec![format!("Forgot {count}, {kept}  ({})", outcome.change)];
        if !outcome.proposals.is_empty() {
            let numbers: Vec<String> = outcome.proposals.iter().map(|number| format!("#{number}")).collect();
            lines.push(format!("Proposals that said it wait no more: {}", numbers.join(", ")));
        }
        for path in &outcome.still_said {
            lines.push(format!(
                "{path} says it still, for what is signed cannot be changed; no search answers with it"
            ));
        }
        lines.join("\n")
    })
}

fn listed(question: &str, candidates: &[Located]) -> String {
    if candidates.is_empty() {
        return format!("Nothing remembered matches {question:?}.");
    }
    let mut list = String::new();
    for candidate in candidates {
        let text: String =
            candidate.text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect();
        list.push_str(&format!("{}\n  {}:{}  {text}\n", candidate.id, candidate.path, candidate.start_line));
    }
    list.push_str("\nNothing was changed. `rem forget --id ID` forgets one of them.");
    list
}
