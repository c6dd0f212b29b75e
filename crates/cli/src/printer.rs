//! The one printer: stdout is data, stderr is talk.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write};

use serde::Serialize;

use crate::review::harmless;

/// Prints answers, for a person or as JSON.
#[derive(Debug)]
pub(crate) struct Printer {
    json: bool,
    quiet: bool,
}

impl Printer {
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        Self { json, quiet }
    }

    /// Whether the answer is wanted as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether only what was asked for is to be said.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The answer of a command: its JSON, or the text for a person.
    pub(crate) fn answer<T: Serialize>(
        &self,
        answer: &T,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        if self.json {
            let mut json = serde_json::to_string(answer)?;
            json.push('\n');
            write_out(json.as_bytes())
        } else {
            self.text(&text())
        }
    }

    /// Text for stdout, as it is; a line end is added where there is none.
    pub(crate) fn text(&self, text: &str) -> anyhow::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let end = if text.ends_with('\n') { "" } else { "\n" };
        // What others wrote steers no terminal; a file or a program gets it as it is.
        let text =
            if std::io::stdout().is_terminal() { Cow::Owned(harmless(text)) } else { Cow::Borrowed(text) };
        write_out(format!("{text}{end}").as_bytes())
    }

    /// Bytes for stdout, as they are.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> anyhow::Result<()> {
        write_out(bytes)
    }

    /// A word on the side, on stderr.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("{text}\n"));
        }
    }

    /// A question to a person at the terminal, without a line's end.
    pub(crate) fn question(&self, text: &str) {
        say(text);
    }

    /// Why a command failed.
    pub(crate) fn failure(&self, causes: &[String], hint: Option<&str>) {
        if self.json {
            let error = serde_json::json!({"error": {"message": causes.first(), "causes": causes.get(1..), "hint": hint}});
            return say(&format!("{error}\n"));
        }
        let mut causes = causes.iter();
        let mut text = format!("error: {}\n", causes.next().map_or("unknown", String::as_str));
        for cause in causes {
            text.push_str(&format!("  because: {cause}\n"));
        }
        if let Some(hint) = hint {
            text.push_str(&format!("  hint: {hint}\n"));
        }
        say(&text);
    }
}

/// Writes to stderr. Where nobody reads it any more there is nobody to tell.
fn say(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to stdout. A reader that went away, as `head` does, is no error.
fn write_out(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
