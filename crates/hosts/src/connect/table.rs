//! Which host has what where.

use super::call::{Call, quoted};
use super::{HookShape, Part, Place, Scope, Target, plugin};
use crate::Host;
use crate::hook::AFTER_A_TOOL;

const CLAUDE_CODE: &[&str] =
    &["SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd", AFTER_A_TOOL];
const CODEX: &[&str] = &["SessionStart", "UserPromptSubmit", "Stop"];
const GEMINI: &[&str] = &["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd"];
const CURSOR: &[&str] = &["sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "stop", "sessionEnd"];

/// The time that a hook may take, far beyond its own deadline: for a machine that is busy.
const SECONDS: u32 = 10;

/// The files of a host with this program's parts in them; nothing for a host that keeps its settings itself.
pub(super) fn targets(place: &Place) -> Option<Vec<Target>> {
    let is_user = place.scope == Scope::User;
    let base = if is_user { &place.home } else { &place.project };
    let target = |path: &str, parts: Vec<Part>| Target { path: base.join(path), parts };
    // In the host's own folder, which a person may have put elsewhere.
    let own = place.own_folder.as_ref().filter(|_| is_user);
    let in_own = |usual: &str, name: &str, parts: Vec<Part>| Target {
        path: own.map_or_else(|| base.join(usual), Clone::clone).join(name),
        parts,
    };
    let mcp = || Part::McpJson { call: call(place) };
    let seconds = HookShape::Grouped { timeout: SECONDS };
    Some(match place.host {
        Host::ClaudeCode => vec![
            in_own(".claude", "settings.json", vec![hooks(place, CLAUDE_CODE, seconds)]),
            in_own("", if is_user { ".claude.json" } else { ".mcp.json" }, vec![mcp()]),
        ],
        Host::Codex => {
            let mut targets = vec![in_own(".codex", "hooks.json", vec![hooks(place, CODEX, seconds)])];
            // A project's servers are the user's business there.
            if is_user {
                targets.push(in_own(".codex", "config.toml", vec![Part::McpToml { call: call(place) }]));
            }
            targets
        }
        Host::Gemini => {
            let milliseconds = HookShape::Grouped { timeout: SECONDS * 1000 };
            vec![target(".gemini/settings.json", vec![hooks(place, GEMINI, milliseconds), mcp()])]
        }
        Host::Cursor => vec![
            target(".cursor/hooks.json", vec![hooks(place, CURSOR, HookShape::Flat)]),
            target(".cursor/mcp.json", vec![mcp()]),
        ],
        Host::OpenClaw => return None,
    })
}

/// The commands that connect a host which keeps its settings itself.
pub(super) fn commands(place: &Place) -> Vec<String> {
    let call = call(place);
    let arguments: String =
        call.server()[1..].iter().map(|argument| format!(" --arg {}", quoted(argument))).collect();
    let mut commands = vec![
        format!("openclaw mcp add rem --command {}{arguments}", quoted(&place.program)),
        format!("openclaw plugins install --link {}", quoted(&plugin::folder(&place.own).to_string_lossy())),
    ];
    // The plugin calls the program by itself: for the same memory as the server.
    let settings = [("program", Some(call.program)), ("workspace", call.workspace)];
    commands.extend(settings.into_iter().filter_map(|(name, value)| {
        let at = format!("plugins.entries.remembrancer.config.{name}");
        Some(format!("openclaw config set {at} {}", quoted(&value?)))
    }));
    commands
}

/// The commands that undo [`commands`].
pub(super) fn commands_to_undo(_: &Place) -> Vec<String> {
    vec!["openclaw mcp remove rem".to_owned(), "openclaw plugins uninstall remembrancer".to_owned()]
}

fn hooks(place: &Place, events: &'static [&'static str], shape: HookShape) -> Part {
    Part::Hooks { events, shape, call: call(place), host: place.host }
}

fn call(place: &Place) -> Call {
    Call {
        program: place.program.clone(),
        workspace: place.workspace.as_ref().map(|at| at.to_string_lossy().into_owned()),
        agent: place.agent.clone(),
    }
}
