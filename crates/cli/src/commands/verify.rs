//! `rem verify`

use anyhow::Result;
use rem_mind::ledger::{Severity, VerifyReport};

use crate::arguments::Arguments;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Prove that files, git, audit log and transcripts agree
///
/// Changes nothing. Exit code 5 when something does not agree.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {}

pub(crate) fn run(_args: &VerifyArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let report = arguments.open_quietly()?.verify()?;
    printer.answer(&report, || render(&report))?;
    if report.is_well() {
        return Ok(());
    }
    let wrong = report.findings.iter().filter(|finding| finding.severity != Severity::Note).count();
    Err(Hinted::integrity(
        if wrong == 1 { "1 thing does not agree".to_owned() } else { format!("{wrong} things do not agree") },
        "`rem doctor` explains them, `rem doctor --fix` mends what can be mended",
    )
    .into())
}

/// The report for a person.
pub(crate) fn render(report: &VerifyReport) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let severity = match finding.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "ERROR",
        };
        let path = finding.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
        text.push_str(&format!("{severity:<8} {:<12} {path}{}\n", finding.check, finding.message));
    }
    if report.is_well() {
        text.push_str(&format!("All is well ({}).\n", report.checks.join(", ")));
    }
    text
}
