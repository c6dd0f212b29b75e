//! The surroundings: every environment variable, the clock, the home directory and the time zone are read here alone.

#![allow(clippy::disallowed_methods, reason = "this is the one place that reads the surroundings")]

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::SystemTime;

use jiff::Timestamp;
use rem_mind::Proxies;
use rem_mind::ledger::Clock;

use crate::signer::Keys;

/// The workspace, where `-C` is not given.
pub(crate) const WORKSPACE: &str = "REM_WORKSPACE";
/// A moment that takes the place of now.
pub(crate) const NOW: &str = "REM_NOW";
/// Who is at work, where `--agent` is not given.
pub(crate) const AGENT: &str = "REM_AGENT";
/// What they are to the memory: `main`, or `sub` for a sub-agent, whose changes are refused.
pub(crate) const ROLE: &str = "REM_ROLE";
/// The index that a commit is made from, told by git to its hooks.
const GIT_INDEX: &str = "GIT_INDEX_FILE";
/// The time zone, where it is not the machine's.
const TIME_ZONE: &str = "TZ";
/// Set to 1, every CONFIG.md may name other machines, keys and commands, whatever a person said of its workspace.
const TRUST_PROVIDERS: &str = "REM_TRUST_PROVIDERS";
/// Where programs keep a user's state (XDG Base Directory).
const STATE: &str = "XDG_STATE_HOME";
/// Where ssh-agent listens.
const SSH_AGENT: &str = "SSH_AUTH_SOCK";
/// Proxies, in the names and the order that other programs read them. `HTTP_PROXY` is left out, as curl does: a web server sets it
/// to what a request says.
const HTTPS_PROXY: [&str; 2] = ["https_proxy", "HTTPS_PROXY"];
const HTTP_PROXY: [&str; 1] = ["http_proxy"];
const ALL_PROXY: [&str; 2] = ["all_proxy", "ALL_PROXY"];
const NO_PROXY: [&str; 2] = ["no_proxy", "NO_PROXY"];
/// The editor of whoever sits at the terminal, in the order in which git asks.
const EDITORS: [&str; 2] = ["VISUAL", "EDITOR"];
/// Set to anything, it turns colours off (no-color.org).
const NO_COLOR: &str = "NO_COLOR";

/// Whether git calls us for a merge: it names what is merged to its drivers, and does not for a rebase or a stash.
pub(crate) fn is_merging() -> bool {
    std::env::vars_os().any(|(name, _)| name.to_string_lossy().starts_with("GITHEAD_"))
}

/// The index that git names to its hooks, where it names one.
pub(crate) fn git_index() -> Option<PathBuf> {
    std::env::var_os(GIT_INDEX).and_then(|index| std::path::absolute(index).ok())
}

/// The role that the surroundings give the agent, where they give one.
pub(crate) fn role() -> Option<String> {
    std::env::var(ROLE).ok().filter(|value| !value.is_empty())
}

/// A secret that CONFIG.md names, such as a provider's key. A library is told it through this function alone.
pub(crate) fn secret(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Whether CONFIG.md may have texts sent to other machines, and name the variables that hold keys.
pub(crate) fn trusts_providers() -> bool {
    std::env::var_os(TRUST_PROVIDERS).is_some_and(|value| value == "1")
}

/// The folder in which it is remembered what this user said of workspaces.
pub(crate) fn user_state() -> Option<PathBuf> {
    let named = std::env::var_os(STATE).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = named.or_else(|| std::env::home_dir().map(|home| home.join(".local/state")))?;
    Some(folder.join("rem"))
}

/// Where this user's keys are.
pub(crate) fn operator_keys() -> Option<Keys> {
    let agent = std::env::var_os(SSH_AGENT).map(PathBuf::from).filter(|socket| socket.is_absolute());
    Some(Keys { state: user_state()?, agent })
}

/// The proxies that other machines are reached through.
pub(crate) fn proxies() -> Proxies {
    fn first(names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
    }
    Proxies {
        https: first(&HTTPS_PROXY),
        http: first(&HTTP_PROXY),
        all: first(&ALL_PROXY),
        none: first(&NO_PROXY).unwrap_or_default(),
    }
}

/// Whether a person sits at a terminal and can be asked.
pub(crate) fn is_asked_by_a_person() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// A text as a person leaves it in their editor; nothing where none is set, or it ends in failure, or nothing was changed.
pub(crate) fn edited(text: &str) -> anyhow::Result<Option<String>> {
    use std::io::{Read as _, Seek as _, Write as _};
    let editor =
        EDITORS.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()));
    let Some(editor) = editor else { return Ok(None) };
    let mut words = editor.split_whitespace();
    let Some(program) = words.next() else { return Ok(None) };
    let mut file = tempfile::Builder::new().prefix("rem-").suffix(".md").tempfile()?;
    writeln!(file, "{text}")?;
    let status = std::process::Command::new(program).args(words).arg(file.path()).status()?;
    // Editors may put another file in its place.
    let mut after = String::new();
    match std::fs::File::open(file.path()) {
        Ok(mut again) => again.read_to_string(&mut after)?,
        Err(_) => {
            file.rewind()?;
            file.read_to_string(&mut after)?
        }
    };
    Ok((status.success() && after.trim() != text.trim()).then_some(after))
}

/// The machine's clock.
#[derive(Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The machine's time, never pinned: what file times are compared with.
pub(crate) fn system_time() -> SystemTime {
    SystemTime::now()
}

/// Bytes that nobody can guess, from the system.
pub(crate) fn random() -> Result<[u8; 32], getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// The machine's time zone.
pub(crate) fn time_zone() -> jiff::tz::TimeZone {
    linked_time_zone().unwrap_or_else(jiff::tz::TimeZone::system)
}

/// The zone that `/etc/localtime` is a link to. Looking it up by its name would list every zone there is first, which takes
/// longer than the rest of a short command.
fn linked_time_zone() -> Option<jiff::tz::TimeZone> {
    const LOCAL: &str = "/etc/localtime";
    if std::env::var_os(TIME_ZONE).is_some() {
        return None;
    }
    let target = std::fs::read_link(LOCAL).ok()?;
    let (_, name) = target.to_str()?.split_once("zoneinfo/")?;
    jiff::tz::TimeZone::tzif(name, &std::fs::read(LOCAL).ok()?).ok()
}

/// Where a workspace lies when none is named and none is near: `~/.rem`.
pub(crate) fn home_workspace() -> Option<PathBuf> {
    std::env::home_dir().map(|home| home.join(".rem"))
}

/// The home folder, where hosts keep their settings.
pub(crate) fn home() -> Option<PathBuf> {
    std::env::home_dir()
}

/// The folder that a variable names, where it names one.
pub(crate) fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// This program, for starting it again.
pub(crate) fn program() -> std::io::Result<PathBuf> {
    std::env::current_exe()
}

/// Whether this program was called as a host's hook, right or wrong: `rem hook …`, after options of every command.
pub(crate) fn is_hook() -> bool {
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("-C" | "--workspace" | "--agent" | "--now") => drop(arguments.next()),
            Some(option) if option.starts_with('-') => {}
            command => return command == Some("hook"),
        }
    }
    false
}

/// Whether `--` says that no option follows.
pub(crate) fn has_end_of_options() -> bool {
    std::env::args_os().any(|argument| argument == "--")
}

/// The folder the command runs in.
pub(crate) fn current_folder() -> std::io::Result<PathBuf> {
    std::env::current_dir()
}

/// Whether stderr shows colours.
pub(crate) fn stderr_has_colours() -> bool {
    std::env::var_os(NO_COLOR).is_none_or(|value| value.is_empty()) && std::io::stderr().is_terminal()
}
