//! `rem man`

use anyhow::Result;
use clap::CommandFactory;

use crate::arguments::Low;
use crate::printer::Printer;

/// Print the manual page
///
/// rem man | man -l -
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {}

pub(crate) fn run(_args: &ManArgs, printer: &Printer) -> Result<()> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Low::command()).render(&mut page)?;
    printer.bytes(&page)
}
