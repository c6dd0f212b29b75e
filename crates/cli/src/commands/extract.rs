//! `rem extract`

use anyhow::Result;
use rem_mind::lifecycle::extract::{Extraction, ExtractionKind, ExtractionPreview};

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Show what would be taken out of a closed transcript: decisions, lessons, people, procedures, facts, the day's journal
///
/// By rules alone, and nothing is written. Each line says what it is, what was said, and the lines of the transcript that say it.
///
/// Example: rem extract --kind decision
#[derive(Debug, clap::Args)]
pub(crate) struct ExtractArgs {
    /// A session's id, or the path of a transcript; the transcript that was begun last where there is none
    #[arg(value_name = "SESSION|PATH")]
    session_or_path: Option<String>,
    /// Only this kind; may be given several times
    #[arg(long, value_name = "KIND", value_parser = ["decision", "lesson", "person", "procedure", "fact", "journal"])]
    kind: Vec<String>,
}

pub(crate) fn run(args: &ExtractArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let mut previews = arguments.open()?.extract(args.session_or_path.as_deref())?;
    let is_wanted =
        |kind: ExtractionKind| args.kind.is_empty() || args.kind.iter().any(|wanted| wanted == kind.as_str());
    for preview in &mut previews {
        preview.extractions.retain(|extraction| is_wanted(extraction.kind));
    }
    printer.answer(&previews, || previews.iter().map(told).collect::<Vec<_>>().join("\n\n"))
}

/// The transcript, and a line for each extraction.
fn told(preview: &ExtractionPreview) -> String {
    let lines: Vec<String> = match preview.extractions.is_empty() {
        true => vec!["  nothing to take".to_owned()],
        false => preview.extractions.iter().map(line).collect(),
    };
    format!("{}\n{}", preview.path, lines.join("\n"))
}

fn line(extraction: &Extraction) -> String {
    let Extraction { kind, text, project, reason, person, confidence, source, flagged, .. } = extraction;
    let of = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!("  {name}: {value}")).unwrap_or_default()
    };
    let asked = if *flagged { "  asked for" } else { "" };
    let about = [of("person", person), of("project", project), of("reason", reason)].concat();
    format!("  {:<9}  {text}  (line {}, {confidence:.2}){about}{asked}", kind.as_str(), source.lines.start)
}
