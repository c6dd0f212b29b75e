//! `rem serve`

use anyhow::{Context, Result};
use rem_server::http::{HttpOptions, Listening, NewToken, Tokens, serve};
use serde_json::json;

use super::mcp::server_options;
use crate::arguments::{Arguments, Role};
use crate::environment;
use crate::failure::Hinted;
use crate::printer::Printer;

/// Serve the memory over HTTP: MCP, a JSON API, webhooks, metrics, and the jobs that are due
///
/// One server for a workspace, until it is interrupted; commands and MCP processes work beside it. It listens to this machine alone unless
/// told otherwise. Every request needs a token: the first one is made at the first start and shown once. docs/http.md says what there is.
/// Examples:
///   rem serve
///   rem serve token new scout --role sub
///   curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"query": "tea"}' http://127.0.0.1:7077/api/v1/search
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct ServeArgs {
    /// Where to listen; port 0 is any free one [default: server.address of CONFIG.md, 127.0.0.1:7077]
    #[arg(long, value_name = "ADDRESS")]
    addr: Option<String>,
    #[command(subcommand)]
    command: Option<ServeCommand>,
}

#[derive(Debug, clap::Subcommand)]
enum ServeCommand {
    /// The tokens that clients ask with
    #[command(subcommand)]
    Token(TokenCommand),
}

/// The tokens that clients ask with
#[derive(Debug, clap::Subcommand)]
enum TokenCommand {
    /// Make a token for an agent and show it, once
    New {
        /// The agent: the actor of what is done with it
        agent: String,
        /// What it is to the memory: a sub-agent's token reads and proposes, and every change is refused
        #[arg(long, value_enum, default_value_t = Role::Main)]
        role: Role,
    },
    /// List whose tokens there are; the tokens themselves cannot be shown again
    List,
    /// Take an agent's tokens away; a server that runs refuses them from then on
    Remove {
        /// The agent
        agent: String,
    },
}

pub(crate) fn run(args: &ServeArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    match &args.command {
        Some(ServeCommand::Token(command)) => token(command, arguments, printer),
        None => listen(args, arguments, printer),
    }
}

fn listen(args: &ServeArgs, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let root = arguments.workspace()?;
    let options =
        HttpOptions { server: server_options(arguments), address: args.addr.clone(), random: random()? };
    let announce = |listening: &Listening| {
        let Listening { address, token } = listening;
        let shape = json!({"workspace": root, "address": format!("http://{address}"), "token": token.as_ref().map(|made| &made.token)});
        let told = printer.answer(&shape, || {
            let made = token.as_ref().map_or_else(String::new, |made| format!("\n{}", shown(made)));
            format!("{} is served at http://{address}{made}\nInterrupt (Ctrl-C) to end.", root.display())
        });
        if let Err(error) = told {
            tracing::warn!("nobody reads what is said: {error}");
        }
    };
    Ok(serve(options, announce).map_err(Hinted::from)?)
}

fn token(command: &TokenCommand, arguments: &Arguments, printer: &Printer) -> Result<()> {
    let memory = arguments.open_quietly()?;
    let tokens = Tokens::of(&memory);
    match command {
        TokenCommand::New { agent, role } => {
            let made = tokens.add(agent, (*role).into(), random()?).map_err(Hinted::from)?;
            printer.answer(&made, || shown(&made))
        }
        TokenCommand::List => {
            let listed = tokens.list();
            let line = |agent: &str, sub: bool, made: &str| {
                format!("{agent}  {}  made {made}", if sub { "sub-agent" } else { "main" })
            };
            let shape: Vec<_> = listed
                .iter()
                .map(|token| json!({"agent": token.agent, "sub": token.sub, "made": token.made}))
                .collect();
            printer.answer(&shape, || match listed.is_empty() {
                true => "No tokens. `rem serve` makes the first one.".to_owned(),
                false => {
                    let lines = listed.iter().map(|token| line(&token.agent, token.sub, &token.made));
                    lines.collect::<Vec<_>>().join("\n")
                }
            })
        }
        TokenCommand::Remove { agent } => {
            let removed = tokens.remove(agent).map_err(Hinted::from)?;
            printer.answer(&json!({"agent": agent, "removed": removed}), || {
                format!("{removed} token{} of {agent} taken away", if removed == 1 { "" } else { "s" })
            })
        }
    }
}

fn shown(made: &NewToken) -> String {
    let NewToken { agent, token, .. } = made;
    format!("Token of {agent}, shown this once:\n{token}")
}

fn random() -> Result<[u8; 32]> {
    environment::random().context("the system gives no random bytes, and a token is made of them")
}
