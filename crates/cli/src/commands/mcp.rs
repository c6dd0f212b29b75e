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
    serve(ServerOptions { workspace: finder(arguments), memory, machine_time: environment::system_time })?;
    Ok(())
}

/// Finds the workspace of a server anew with every call.
pub(super) fn finder(arguments: &Arguments) -> Finder {
    let arguments = arguments.clone();
    Box::new(move || {
        arguments.workspace().map_err(|error| {
            let (message, hint) = cause_and_hint(&error);
            Failure::new(message, hint)
        })
    })
}
