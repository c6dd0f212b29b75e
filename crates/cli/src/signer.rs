//! Asking the person at the terminal for their approval, with their key: its passphrase, or a word to ssh-agent.
//!
//! What is asked goes to the terminal itself and is answered there, whatever standard input and output are: an agent that reads and
//! writes those can answer nothing. What is signed is shown first, with every character that could move the cursor written out. Must
//! not decide what needs approval.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use rem_mind::ledger::{
    ConsentFile, ConsentRequest, EditError, KeyError, OperatorKey, Signer, UserState, fingerprint,
    keys_of_agent, public_half, sign_by_agent,
};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

/// How often a passphrase may be wrong.
const TRIES: usize = 3;
/// Fewer characters are guessed too soon.
const SHORTEST_PASSPHRASE: usize = 8;
const TERMINAL: &str = "/dev/tty";
/// Ctrl-C.
const INTERRUPT: u8 = 3;

/// Where a person's keys are.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    /// The folder of the user's own state.
    pub(crate) state: PathBuf,
    /// Where ssh-agent listens.
    pub(crate) agent: Option<PathBuf>,
}

impl Keys {
    /// The name of a key's file in the user's own state.
    fn file_name(key: &str) -> String {
        let name = fingerprint(key);
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
        format!("keys/{name}")
    }

    /// Where the file of a key lies, or would lie.
    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.state.join(Self::file_name(key))
    }

    fn file(&self, key: &str) -> Result<Option<String>> {
        let bytes = UserState::new(self.state.clone()).read(&Self::file_name(key))?;
        bytes.map(|bytes| String::from_utf8(bytes).context("the key's file is no text")).transpose()
    }

    /// The key that this user made last, by its public half.
    pub(crate) fn own(&self) -> Result<Option<String>> {
        let Some(named) = UserState::new(self.state.clone()).read("keys/own")? else { return Ok(None) };
        let key = String::from_utf8_lossy(&named).trim().to_owned();
        Ok(self.file(&key)?.map(|file| public_half(&file)).transpose()?.filter(|half| *half == key))
    }

    /// Makes a key, locked with a passphrase that is asked for twice.
    pub(crate) fn make(&self, random: impl Fn() -> Result<[u8; 32]>) -> Result<String> {
        let passphrase = new_passphrase()?;
        let key = OperatorKey::from_seed(&random()?)?;
        let public = key.public();
        let state = UserState::new(self.state.clone());
        state.write(&Self::file_name(&public), key.locked(&passphrase, &random()?)?.as_bytes())?;
        state.write("keys/own", format!("{public}\n").as_bytes())?;
        Ok(public)
    }

    /// Whether this machine can sign with a key.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.file(key).is_ok_and(|file| file.is_some()) || self.agent_has(key).is_some()
    }

    fn agent_has(&self, key: &str) -> Option<&Path> {
        let socket = self.agent.as_deref()?;
        keys_of_agent(socket).is_ok_and(|keys| keys.iter().any(|other| other == key)).then_some(socket)
    }
}

/// The person at the terminal.
pub(crate) struct AtTerminal {
    keys: Keys,
    /// The key to sign with, where it is not the one in force.
    key: Option<String>,
    /// Keys that were opened already, so that a passphrase is typed once.
    open: Mutex<Vec<Arc<OperatorKey>>>,
}

impl AtTerminal {
    pub(crate) fn new(keys: Keys) -> Self {
        Self { keys, key: None, open: Mutex::default() }
    }

    /// The same person with another key.
    pub(crate) fn with_key(&self, key: &str) -> Self {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { keys: self.keys.clone(), key: Some(key.to_owned()), open: Mutex::new(open) }
    }

    fn opened(&self, key: &str) -> Option<Arc<OperatorKey>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().find(|opened| opened.public() == key).cloned()
    }

    fn signed(&self, request: &ConsentRequest<'_>) -> Result<String> {
        let key = self.key.as_deref().unwrap_or(request.key);
        let mut terminal = Terminal::open()?;
        terminal.say(&shown(request))?;
        if let Some(opened) = self.opened(key) {
            return match terminal.asks("Sign this with the key you have opened? [y/N] ")? {
                true => Ok(opened.sign(request.statement.as_bytes())?),
                false => bail!("you said no"),
            };
        }
        if let Some(file) = self.keys.file(key)? {
            let opened = Arc::new(unlocked(&file, key, &mut terminal)?);
            let signature = opened.sign(request.statement.as_bytes())?;
            self.open.lock().unwrap_or_else(PoisonError::into_inner).push(opened);
            return Ok(signature);
        }
        let Some(socket) = self.keys.agent_has(key) else {
            bail!("the private half of {} is not on this machine, and no ssh-agent has it", fingerprint(key));
        };
        match terminal.asks(&format!("Sign this with {} of ssh-agent? [y/N] ", fingerprint(key)))? {
            true => Ok(sign_by_agent(socket, key, request.statement.as_bytes())?),
            false => bail!("you said no"),
        }
    }
}

impl Signer for AtTerminal {
    fn sign(&self, request: &ConsentRequest<'_>) -> Result<String, EditError> {
        Ok(self.signed(request)?)
    }
}

fn unlocked(file: &str, key: &str, terminal: &mut Terminal) -> Result<OperatorKey> {
    for _ in 0..TRIES {
        let passphrase = terminal.unseen(&format!("Passphrase of {}: ", fingerprint(key)))?;
        if passphrase.is_empty() {
            bail!("you gave no passphrase");
        }
        match OperatorKey::unlock(file, &passphrase) {
            Err(KeyError::Passphrase) => terminal.say("That is not it.\n")?,
            other => return Ok(other?),
        }
    }
    bail!("the passphrase was wrong {TRIES} times")
}

fn new_passphrase() -> Result<String> {
    let mut terminal = Terminal::open()?;
    loop {
        let first = terminal.unseen("A passphrase for your key: ")?;
        if first.is_empty() {
            bail!("you gave no passphrase, and a key without one would sign for anybody");
        }
        if first.chars().count() < SHORTEST_PASSPHRASE {
            terminal.say(&format!("At least {SHORTEST_PASSPHRASE} characters.\n"))?;
        } else if terminal.unseen("Once more: ")? == first {
            return Ok(first);
        } else {
            terminal.say("These are two different ones.\n")?;
        }
    }
}

/// What is asked for, as a person sees it: what for, and the difference of each file.
fn shown(request: &ConsentRequest<'_>) -> String {
    let mut text = format!("\nYour approval is asked for: {}\n\n", visible(request.what));
    for file in request.files {
        if file.holds_unsigned {
            let path = visible(file.path.as_str());
            text.push_str(&format!(
                "    {path} was changed past your approval since you signed it last; you would approve that too.\n    It is in the difference below. `rem operator undo {path}` takes it back.\n"
            ));
        }
        text.push_str(&difference(file));
    }
    text
}

/// How a file differs, in the form that `diff -u` has, with nothing in it that a terminal would obey.
pub(crate) fn difference(file: &ConsentFile) -> String {
    let text = |contents: &Option<Vec<u8>>| {
        String::from_utf8_lossy(contents.as_deref().unwrap_or_default()).into_owned()
    };
    let (before, after) = (text(&file.before), text(&file.after));
    if file.before == file.after {
        let lines = after.lines().count();
        return format!("    {} stays as it is ({lines} lines)\n", visible(file.path.as_str()));
    }
    let name = visible(file.path.as_str());
    let (from, to) = match (&file.before, &file.after) {
        (None, _) => ("nothing".to_owned(), name),
        (_, None) => (name, "nothing".to_owned()),
        _ => (name.clone(), name),
    };
    let difference = similar::TextDiff::from_lines(&before, &after);
    let difference = difference.unified_diff().header(&from, &to).to_string();
    difference.lines().map(|line| format!("    {}\n", visible(line))).collect()
}

/// A line with every character that could move the cursor, or turn the direction of writing, written out.
pub(crate) fn visible(line: &str) -> String {
    let is_hidden = |c: char| {
        (c.is_control() && c != '\t')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match is_hidden(c) {
            true => text.extend(c.escape_unicode()),
            false => text.push(c),
        }
    }
    text
}

/// The terminal itself, past standard input and output.
struct Terminal(std::fs::File);

impl Terminal {
    #[allow(clippy::disallowed_methods, reason = "a terminal is no file of the memory")]
    fn open() -> Result<Self> {
        let terminal = std::fs::OpenOptions::new().read(true).write(true).open(TERMINAL);
        Ok(Self(terminal.context("there is no terminal to ask a person at")?))
    }

    fn say(&mut self, text: &str) -> Result<()> {
        self.0.write_all(text.as_bytes())?;
        Ok(self.0.flush()?)
    }

    fn asks(&mut self, question: &str) -> Result<bool> {
        Ok(matches!(self.answer(question)?.to_lowercase().as_str(), "y" | "yes"))
    }

    fn answer(&mut self, question: &str) -> Result<String> {
        self.say(question)?;
        Ok(self.line()?.trim().to_owned())
    }

    /// What was typed, up to the key that ended the line: a terminal gives no more at once.
    fn line(&mut self) -> Result<String> {
        let mut typed = Vec::new();
        let mut piece = [0; 1024];
        while !typed.ends_with(b"\n") && !typed.ends_with(&[INTERRUPT]) {
            match self.0.read(&mut piece)? {
                0 => break,
                length => typed.extend_from_slice(&piece[..length]),
            }
        }
        String::from_utf8(typed).context("what was typed is no text")
    }

    /// As [`Self::answer`], and what is typed is not shown. Spaces around it belong to it.
    fn unseen(&mut self, question: &str) -> Result<String> {
        let before = tcgetattr(&self.0)?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ISIG);
        // Ctrl-C ends the line and not the program, which would leave the terminal silent.
        silent.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
        // First silent, then the question: whoever answers at once is not seen either.
        tcsetattr(&self.0, OptionalActions::Now, &silent)?;
        let read = self.say(question).and_then(|()| self.line());
        tcsetattr(&self.0, OptionalActions::Now, &before)?;
        self.say("\n")?;
        let answer = read?;
        if answer.contains(char::from(INTERRUPT)) {
            bail!("you broke it off");
        }
        Ok(answer.trim_end_matches(['\r', '\n']).to_owned())
    }
}

/// Asks at the terminal itself; gives what was typed.
pub(crate) fn ask(question: &str) -> Result<String> {
    Terminal::open()?.answer(question)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_moves_the_cursor() {
        let file = |before: Option<&str>, after: Option<&str>| ConsentFile {
            path: rem_format::path::MemoryPath::new("SOUL.md").unwrap(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: after.map(|text| text.as_bytes().to_vec()),
            holds_unsigned: false,
        };
        let shown =
            difference(&file(Some("# Soul\n"), Some("# Soul\n- obey\r- be kind\u{1b}[1A\u{202e}정\n")));
        assert!(shown.contains("+- obey\\u{d}+- be kind\\u{1b}[1A\\u{202e}정\n"), "{shown}");
        assert_eq!(difference(&file(Some("a\n"), Some("a\n"))), "    SOUL.md stays as it is (1 lines)\n");
        assert!(difference(&file(None, Some("a\n"))).starts_with("    --- nothing\n    +++ SOUL.md\n"));
    }
}
