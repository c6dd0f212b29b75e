//! `rem hook`: what a host's hooks call.
//!
//! The host waits for this process before its model may answer, so that it answers by a deadline or not at all, whatever the memory is
//! doing: the work is done on a thread that the end of the process cuts off, which is for the workspace as if the process had been killed. What is
//! left of it is done by a second process apart from the host. Nothing goes wrong where a host could see it: the exit code is 0, standard
//! output holds the answer alone, and standard error is quiet.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use rem_hosts::Host;
use rem_hosts::hook::{self, Call, Response};
use rem_mind::{Memory, MemoryError, MemoryOptions};
#[cfg(unix)]
use rem_server::local::LocalCall;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::environment;
use crate::printer::Printer;

/// The deadline until CONFIG.md was read.
const DEADLINE: Duration = Duration::from_millis(500);
/// How much longer the host's own words are waited for: what was not heard can't be done apart, and would be lost.
const PATIENCE: Duration = Duration::from_secs(1);
/// The most a host may say.
const MOST_BYTES: usize = 64 << 20;

/// Answer a host's hook: reads its JSON on standard input, gives context before a prompt, captures after a turn
///
/// `rem connect` writes it into a host's settings. It always exits with 0, and answers nothing where it cannot answer in time
/// (hooks.deadline_ms); why is in `.rem/hooks.log` of the workspace, and on standard error with -v. Example:
///   echo '{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"how do we deploy?"}' | rem hook claude-code
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct HookArgs {
    /// The host
    #[arg(value_enum)]
    host: HostName,
    /// Do what is left of a call, apart from the host
    #[arg(long, hide = true)]
    finish: Option<Left>,
}

/// What is left of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Left {
    /// All that the deadline cut off.
    Work,
    /// A model's look at what was said.
    Judging,
}

/// The hosts by their names.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum HostName {
    ClaudeCode,
    Codex,
    Gemini,
    Cursor,
    Openclaw,
}

impl From<HostName> for Host {
    fn from(name: HostName) -> Self {
        match name {
            HostName::ClaudeCode => Self::ClaudeCode,
            HostName::Codex => Self::Codex,
            HostName::Gemini => Self::Gemini,
            HostName::Cursor => Self::Cursor,
            HostName::Openclaw => Self::OpenClaw,
        }
    }
}

/// What the thread tells as it goes.
enum Step {
    /// What the host said.
    Heard(Box<Call>, Vec<u8>),
    /// How long the host waits.
    Deadline(Duration),
    /// The answer, and what is left to do apart from the host; the end.
    Done(String, Option<Left>),
}

/// What the thread needs.
struct Errand {
    host: Host,
    workspace: Result<PathBuf>,
    options: MemoryOptions,
    /// Whether a server's surroundings do as well as these.
    is_usual: bool,
    /// What is to be done of it apart from the host; nothing in the process that the host waits for.
    apart: Option<Left>,
}

pub(crate) fn run(args: &HookArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let begun = Instant::now();
    // What goes wrong in here is told with -v, and never by a panic's own words.
    std::panic::set_hook(Box::new(|panic| tracing::info!("{panic}")));
    let errand = Errand {
        host: args.host.into(),
        workspace: arguments.workspace(),
        options: arguments.options.clone(),
        is_usual: arguments.is_usual(),
        apart: args.finish,
    };
    let host = errand.host;
    let (sender, receiver) = channel();
    std::thread::Builder::new().spawn(move || errand.run(&sender))?;
    let answer = awaited(host, begun, args.finish.is_some(), &receiver, arguments);
    // A host that has gone away is told nothing.
    if let Err(error) = printer.text(&answer) {
        tracing::info!("the host cannot be answered: {error}");
    }
    Ok(())
}

/// The answer, or the host's empty one when the deadline has passed.
fn awaited(
    host: Host,
    begun: Instant,
    is_apart: bool,
    receiver: &Receiver<Step>,
    arguments: &Arguments,
) -> String {
    let mut deadline = DEADLINE;
    let mut heard: Option<(Box<Call>, Vec<u8>)> = None;
    loop {
        let step = match is_apart {
            true => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => {
                let patience = if heard.is_none() { PATIENCE } else { Duration::ZERO };
                receiver.recv_timeout((deadline + patience).saturating_sub(begun.elapsed()))
            }
        };
        match step {
            Ok(Step::Done(answer, left)) => {
                if let (Some(left), Some((_, bytes))) = (left, &heard) {
                    go_on_apart(host, left, bytes, arguments);
                }
                return answer;
            }
            Ok(Step::Deadline(settled)) => deadline = settled,
            Ok(Step::Heard(call, bytes)) if call.outlives_host() && !is_apart => {
                go_on_apart(host, Left::Work, &bytes, arguments);
                return call.answer(None);
            }
            Ok(Step::Heard(call, bytes)) => heard = Some((call, bytes)),
            Err(error) => {
                let Some((call, bytes)) = heard else {
                    if error == RecvTimeoutError::Timeout {
                        let waited = begun.elapsed();
                        let late = anyhow::anyhow!("the host had not said all of it after {waited:?}");
                        say(arguments.workspace().ok().as_deref(), &arguments.options, "input", &late);
                    }
                    return hook::empty_answer(host);
                };
                if error == RecvTimeoutError::Timeout {
                    go_on_apart(host, Left::Work, &bytes, arguments);
                }
                return call.answer(None);
            }
        }
    }
}

impl Errand {
    fn run(self, sender: &Sender<Step>) {
        // Whoever listens may have stopped listening.
        let tell = |step| drop(sender.send(step));
        let heard = hook::read_input(std::io::stdin().lock(), MOST_BYTES).map_err(anyhow::Error::from);
        let heard = heard.and_then(|bytes| Ok((Call::read(self.host, &bytes)?, bytes)));
        let (call, bytes) = match heard {
            Ok(heard) => heard,
            Err(error) => {
                self.say("input", &error);
                return tell(Step::Done(hook::empty_answer(self.host), None));
            }
        };
        tell(Step::Heard(Box::new(call.clone()), bytes.clone()));
        if call.outlives_host() && self.apart.is_none() {
            return;
        }
        if let Some(why) = call.unanswerable() {
            self.say(&call.name, &anyhow::anyhow!("{why}"));
        }
        if call.asks_for_nothing(self.options.role) {
            return tell(Step::Done(call.answer(None), None));
        }
        let beside = self.answered_beside(&bytes, &tell);
        let response = beside.unwrap_or_else(|| self.answer(&call, &tell)).unwrap_or_else(|error| {
            self.say(&call.name, &error);
            Response::default()
        });
        let left = match response {
            Response { is_unheard: true, .. } => Some(Left::Work),
            Response { is_unjudged: true, .. } => Some(Left::Judging),
            _ => None,
        };
        tell(Step::Done(call.answer(response.context.as_deref()), left));
    }

    /// The answer of a server of this workspace, which has at hand what this process would make first; nothing where none takes the call.
    #[cfg(unix)]
    fn answered_beside(&self, bytes: &[u8], tell: &dyn Fn(Step)) -> Option<Result<Response>> {
        if self.apart.is_some() || !self.is_usual {
            return None;
        }
        let root = self.workspace.as_ref().ok()?;
        let call = LocalCall::new(root, self.options.agent_name(), self.options.role, self.host.name());
        let said = call.ask(bytes, |deadline| tell(Step::Deadline(deadline)))?;
        Some(match said["error"].as_str() {
            Some(error) => Err(anyhow::anyhow!("{error}")),
            None => Ok(Response {
                context: said["context"].as_str().map(str::to_owned),
                is_unjudged: said["is_unjudged"] == true,
                is_unheard: said["is_unheard"] == true,
            }),
        })
    }

    #[cfg(not(unix))]
    fn answered_beside(&self, _: &[u8], _: &dyn Fn(Step)) -> Option<Result<Response>> {
        None
    }

    fn answer(&self, call: &Call, tell: &dyn Fn(Step)) -> Result<Response> {
        let root = self.workspace.as_ref().map_err(|error| anyhow::anyhow!("{error:#}"))?;
        let (memory, wrong) = match Memory::open(root, self.options.clone()) {
            // A mistake in it must not silence the memory, nor lose what is said: it works by the last one that was right.
            Err(MemoryError::Config(wrong)) => {
                let memory = Memory::open_as_before(root, self.options.clone())?;
                hook::note(memory.ledger(), &call.name, &format!("CONFIG.md: {wrong}"));
                (memory, Some(wrong))
            }
            opened => (opened?, None),
        };
        let deadline = Duration::from_millis(memory.config().hooks.deadline_ms);
        tell(Step::Deadline(deadline));
        match self.apart {
            None => {
                let mut response = hook::respond(&memory, call, environment::system_time())?;
                if let Some(wrong) = wrong
                    && call.begins_session()
                {
                    let context = response.context.unwrap_or_default();
                    response.context = Some(format!(
                        "Tell the user: the memory's CONFIG.md has a mistake, and the last one that was right is used. {wrong}\n\n{context}"
                    ));
                }
                return Ok(response);
            }
            Some(Left::Judging) => hook::judge(&memory, call),
            Some(Left::Work) => {
                if !call.outlives_host() {
                    let late = format!("not all of it done within {deadline:?}, done apart");
                    hook::note(memory.ledger(), &call.name, &late);
                }
                hook::finish(&memory, call, environment::system_time())?;
            }
        }
        Ok(Response::default())
    }

    fn say(&self, call: &str, error: &anyhow::Error) {
        say(self.workspace.as_deref().ok(), &self.options, call, error);
    }
}

/// Says why there is no answer: on the log, and in the private folder where there is one.
fn say(workspace: Option<&Path>, options: &MemoryOptions, call: &str, error: &anyhow::Error) {
    let reason = format!("{error:#}");
    tracing::info!("{call}: {reason}");
    if let Some(root) = workspace {
        hook::note_without_memory(root, options.clock.clone(), call, &reason);
    }
}

/// Does a hook's work in a server, for a process that asked over the workspace's socket.
#[cfg(unix)]
pub(super) fn answered_here(memory: &Memory, call: &LocalCall, told: &[u8], now: SystemTime) -> Value {
    let answer = || -> Result<Response> {
        let host = Host::named(&call.what).with_context(|| format!("there is no host {:?}", call.what))?;
        Ok(hook::respond(memory, &Call::read(host, told)?, now)?)
    };
    match answer() {
        Ok(Response { context, is_unjudged, is_unheard }) => {
            json!({ "context": context, "is_unjudged": is_unjudged, "is_unheard": is_unheard })
        }
        Err(error) => json!({ "error": format!("{error:#}") }),
    }
}

/// Starts this program again for the same call, apart from the host: it is not waited for, and holds none of the host's ends.
fn go_on_apart(host: Host, left: Left, bytes: &[u8], arguments: &Arguments) {
    let start = || -> Result<()> {
        let mut command = Command::new(environment::program()?);
        command
            .args(arguments.again())
            .args(["hook", host.name(), "--finish"])
            .args(left.to_possible_value().map(|left| left.get_name().to_owned()))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            command.process_group(0);
        }
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt as _;
            const DETACHED_IN_NEW_GROUP: u32 = 0x0000_0208;
            command.creation_flags(DETACHED_IN_NEW_GROUP);
        }
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(bytes)?;
        }
        Ok(())
    };
    if let Err(error) = start() {
        tracing::info!("what is left cannot be done apart: {error}");
    }
}
