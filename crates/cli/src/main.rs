//! `rem`: the command line over the façade `Memory`.
//!
//! One file per command in `commands/`: its doc comment is its help, its `run` calls the façade and hands the answer to the
//! printer. This file only puts the pieces together: arguments, surroundings, log, command, exit code.

mod arguments;
mod commands;
mod environment;
mod failure;
mod printer;
mod progress;
mod review;
mod signer;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Low};
use crate::failure::Failure;
use crate::printer::Printer;

fn main() -> ExitCode {
    let low = match Low::try_parse() {
        Ok(low) => low,
        // A host takes an exit code of 2 for a word of its own: a hook that is called wrongly says so, and no more.
        Err(error) if environment::is_hook() => {
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => return failure::usage(&error),
    };
    // A host may show its user what a hook says on stderr.
    let is_silent = environment::is_hook() && low.global.verbose == 0;
    if !is_silent {
        start_log(low.global.verbose, low.global.quiet);
    }
    let printer = Printer::new(low.global.json, low.global.quiet);
    let outcome = Arguments::resolve(&low.global, low.command.may_ask())
        .and_then(|arguments| commands::run(low.command, &arguments, &printer));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) if is_silent => ExitCode::SUCCESS,
        Err(error) => Failure::from(error).report(&printer),
    }
}

/// Warnings go to stderr; `-v` shows more, `-q` errors alone.
fn start_log(verbose: u8, quiet: bool) {
    let level = match (quiet, verbose) {
        (true, _) => tracing::Level::ERROR,
        (false, 0) => tracing::Level::WARN,
        (false, 1) => tracing::Level::INFO,
        (false, _) => tracing::Level::DEBUG,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        // A closed pipe would end the program with a panic.
        .log_internal_errors(false)
        .with_ansi(environment::stderr_has_colours())
        .without_time()
        .with_target(verbose > 1)
        .init();
}
