//! `rem mcp`

use anyhow::Result;
use rem_server::mcp::{Failure, McpOptions, serve};

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
    /// What the agent is to the memory: a sub-agent is offered the tools that read, and every change is refused [default: REM_ROLE, else main]
    #[arg(long, value_enum)]
    role: Option<Role>,
}

pub(crate) fn run(args: &McpArgs, arguments: &Arguments) -> Result<()> {
    let mut memory = arguments.options.clone();
    if let Some(role) = args.role {
        memory.role = role.into();
    }
    let finder = arguments.clone();
    serve(McpOptions {
        workspace: Box::new(move || {
            finder.workspace().map_err(|error| {
                let (message, hint) = cause_and_hint(&error);
                Failure::new(message, hint)
            })
        }),
        memory,
        machine_time: environment::system_time,
    })?;
    Ok(())
}
