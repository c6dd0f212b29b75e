//! How settings call this program, written and recognised.

use crate::Host;

/// A call of this program, but for what it is called for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    /// The program.
    pub(super) program: String,
    /// The workspace it is told.
    pub(super) workspace: Option<String>,
    /// The agent it is told.
    pub(super) agent: Option<String>,
}

impl Call {
    /// The command line of a hook.
    pub(super) fn hook(&self, host: Host) -> String {
        let words: Vec<String> = self.words().iter().map(|word| quoted(word)).collect();
        format!("{} hook {host}", words.join(" "))
    }

    /// Program and arguments of the server.
    pub(super) fn server(&self) -> Vec<String> {
        let mut words = self.words();
        words.push("mcp".to_owned());
        words
    }

    fn words(&self) -> Vec<String> {
        let mut words = vec![self.program.clone()];
        let mut add = |flag: &str, value: &Option<String>| {
            words.extend(value.iter().flat_map(|value| [flag.to_owned(), value.clone()]));
        };
        add("-C", &self.workspace);
        add("--agent", &self.agent);
        words
    }

    /// What a hook's command line says, where it calls this program for a host's hooks and does nothing else.
    pub(super) fn of_hook(&self, command: &str, host: Host) -> Option<Call> {
        let words = shlex::split(command)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.of_words(&words, &["hook", host.name()])
    }

    /// What a server's entry says, where it is this program's.
    pub(super) fn of_server(&self, program: &str, arguments: &[&str]) -> Option<Call> {
        let words: Vec<&str> = std::iter::once(program).chain(arguments.iter().copied()).collect();
        self.of_words(&words, &["mcp"])
    }

    /// The same call for an agent that a person named before, where nobody names another.
    pub(super) fn for_agent_of(&self, found: &Call) -> Call {
        Call { agent: self.agent.clone().or_else(|| found.agent.clone()), ..self.clone() }
    }

    /// Reads words that call this program, or the one that is written, with options that do not make another thing of it.
    fn of_words(&self, words: &[&str], wanted: &[&str]) -> Option<Call> {
        let (program, mut rest) = words.split_first()?;
        if *program != self.program && !is_this_program(program) {
            return None;
        }
        let mut call = Call { program: (*program).to_owned(), workspace: None, agent: None };
        let mut wanted = wanted.iter().peekable();
        while let Some((word, after)) = rest.split_first() {
            if wanted.peek() == Some(&word) {
                wanted.next();
                rest = after;
                continue;
            }
            let (flag, value, after) = match word.split_once('=') {
                Some((flag, value)) => (flag, value, after),
                None => {
                    let (value, after) = after.split_first()?;
                    (*word, *value, after)
                }
            };
            match flag {
                "-C" | "--workspace" => call.workspace = Some(value.to_owned()),
                "--agent" => call.agent = Some(value.to_owned()),
                "--role" => {}
                _ => return None,
            }
            rest = after;
        }
        wanted.peek().is_none().then_some(call)
    }
}

/// `rem`, also with its version in its name.
fn is_this_program(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let is_version = |rest: &str| {
        rest.starts_with(|first: char| first.is_ascii_digit())
            && rest.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '.' | '-' | '_' | '+'))
    };
    match name.strip_prefix("rem") {
        Some("") => true,
        Some(rest) => {
            rest.strip_prefix(['-', '_']).is_some_and(|rest| is_version(rest.trim_start_matches('v')))
        }
        None => false,
    }
}

/// A word as a shell takes it for one.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |each: char| each.is_alphanumeric() || "/._-+:@,=\\".contains(each);
    if !word.is_empty() && word.chars().all(is_plain) && (cfg!(windows) || !word.contains('\\')) {
        return word.to_owned();
    }
    match cfg!(windows) {
        true => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
