//! `rem mcp`

use anyhow::Result;
use rem_server::mcp::serve;
use rem_server::{Failure, Finder, ServerOptions};

use crate::arguments::{Arguments, Role};
use crate::environment;
use crate::failure::cause_and_hint;

/// Serve the memory to a host over MCP, on standard input and output
///
/// A host starts this and ends it. The agent's name (--agent) is the actor of what it remembers. Tools, roles and limits:
/// docs/mcp.md. Example, in a host's settings:
///   {"mcpServers": {"memory": {"command": "rem", "args": ["-C", "/home/me/memory", "mcp", "--agent", "claude"]}}}
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct McpArgs {
    /// What the agent is to the memory: a sub-agent is offered the tools that read and memory_propose, and every change is refused [default: REM_ROLE, else main]
    #[arg(long, value_enum)]
    role: Option<Role>,
}

pub(crate) fn run(args: &McpArgs, arguments: &Arguments) -> Result<()> {
    let mut memory = arguments.options.clone();
    if let Some(role) = args.role {
        memory.role = role.into();
    }
    let options = ServerOptions { memory, ..server_options(arguments) };
    serve(options)?;
    Ok(())
}

/// A server of the workspace, in the surroundings of every command.
pub(super) fn server_options(arguments: &Arguments) -> ServerOptions {
    ServerOptions {
        workspace: finder(arguments),
        memory: arguments.options.clone(),
        machine_time: environment::system_time,
        #[cfg(unix)]
        local: Some(super::hook::answered_here),
    }
}

/// Finds the workspace of a server anew with every call.
fn finder(arguments: &Arguments) -> Finder {
    let arguments = arguments.clone();
    Box::new(move || {
        arguments.workspace().map_err(|error| {
            let (message, hint) = cause_and_hint(&error);
            Failure::new(message, hint)
        })
    })
}
