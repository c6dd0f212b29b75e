//! The commands, one file each.

mod adopt;
mod audit;
mod branch;
mod capture;
mod compact;
mod completions;
mod condense;
mod config;
mod conflicts;
mod connect;
mod context;
mod corrections;
mod decay;
mod demo;
mod docs;
mod doctor;
mod extract;
mod forget;
mod git_hook;
mod graph;
mod history;
mod hook;
mod identity;
mod import;
mod index;
mod init;
mod instructions;
mod jobs;
mod journal;
mod man;
mod mcp;
mod memory;
mod merge;
mod merge_driver;
mod mine;
mod move_file;
mod observe;
mod operator;
mod people;
mod procedures;
mod projects;
mod promote;
mod proposals;
mod prune;
mod recall;
mod reconstruct;
mod reflect;
mod remember;
mod rollback;
mod schedule;
mod serve;
mod show;
mod status;
mod tag;
mod topics;
mod triage;
mod trust;
mod usage;
mod verify;

use anyhow::Result;
use clap::Subcommand;

use crate::arguments::Arguments;
use crate::printer::Printer;

/// Every command, in the order of `rem help`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Demo(demo::DemoArgs),
    Init(init::InitArgs),
    Adopt(adopt::AdoptArgs),
    Status(status::StatusArgs),
    Import(import::ImportArgs),
    #[command(subcommand)]
    Capture(capture::CaptureCommand),
    Remember(remember::RememberArgs),
    Forget(forget::ForgetArgs),
    Show(show::ShowArgs),
    #[command(subcommand)]
    Graph(graph::GraphCommand),
    Move(move_file::MoveArgs),
    #[command(subcommand)]
    Projects(projects::ProjectsCommand),
    #[command(subcommand)]
    People(people::PeopleCommand),
    #[command(subcommand)]
    Procedures(procedures::ProceduresCommand),
    #[command(subcommand)]
    Journal(journal::JournalCommand),
    Promote(promote::PromoteArgs),
    Compact(compact::CompactArgs),
    Prune(prune::PruneArgs),
    Pin(show::PinArgs),
    /// Let a memory fade and make room again
    Unpin(show::PinArgs),
    #[command(alias = "search")]
    Recall(recall::RecallArgs),
    Context(context::ContextArgs),
    Observe(observe::ObserveArgs),
    Connect(connect::ConnectArgs),
    Hook(hook::HookArgs),
    Instructions(instructions::InstructionsArgs),
    #[command(subcommand)]
    Topics(topics::TopicsCommand),
    Triage(triage::TriageArgs),
    Extract(extract::ExtractArgs),
    Mine(mine::MineArgs),
    Condense(condense::CondenseArgs),
    #[command(subcommand)]
    Conflicts(conflicts::ConflictsCommand),
    #[command(subcommand)]
    Corrections(corrections::CorrectionsCommand),
    #[command(subcommand)]
    Identity(identity::IdentityCommand),
    #[command(subcommand)]
    Proposals(proposals::ProposalsCommand),
    #[command(subcommand)]
    Reflect(reflect::ReflectCommand),
    Reconstruct(reconstruct::ReconstructArgs),
    #[command(subcommand)]
    Branch(branch::BranchCommand),
    Merge(merge::MergeArgs),
    Decay(decay::DecayArgs),
    #[command(subcommand)]
    Jobs(jobs::JobsCommand),
    #[command(subcommand)]
    Schedule(schedule::ScheduleCommand),
    Index(index::IndexArgs),
    Audit(audit::AuditArgs),
    #[command(subcommand)]
    Rollback(rollback::RollbackCommand),
    #[command(subcommand)]
    History(history::HistoryCommand),
    #[command(subcommand)]
    Tag(tag::TagCommand),
    #[command(subcommand)]
    Memory(memory::MemoryCommand),
    Verify(verify::VerifyArgs),
    Doctor(doctor::DoctorArgs),
    #[command(subcommand)]
    Config(config::ConfigCommand),
    Trust(trust::TrustArgs),
    #[command(subcommand, verbatim_doc_comment)]
    Operator(operator::OperatorCommand),
    Usage(usage::UsageArgs),
    Mcp(mcp::McpArgs),
    Serve(serve::ServeArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    #[command(subcommand, hide = true)]
    Docs(docs::DocsCommand),
    #[command(hide = true)]
    GitHook(git_hook::GitHookArgs),
    #[command(hide = true)]
    MergeDriver(merge_driver::MergeDriverArgs),
}

impl Command {
    /// Whether it is a person's own doing, who may be asked for their approval. What works on an agent's behalf, or by the clock, asks nobody.
    pub(crate) fn may_ask(&self) -> bool {
        !matches!(
            self,
            Self::Demo(_)
                | Self::Capture(_)
                | Self::Observe(_)
                | Self::Hook(_)
                | Self::GitHook(_)
                | Self::Jobs(_)
                | Self::Mcp(_)
                | Self::Serve(_)
        )
    }
}

/// Runs a command.
pub(crate) fn run(command: Command, arguments: &Arguments, printer: &Printer) -> Result<()> {
    match command {
        Command::Demo(args) => demo::run(&args, arguments.options.clock.now(), printer),
        Command::Init(args) => init::run(&args, arguments, printer),
        Command::Adopt(args) => adopt::run(&args, arguments, printer),
        Command::Status(args) => status::run(&args, arguments, printer),
        Command::Import(args) => import::run(&args, arguments, printer),
        Command::Capture(command) => capture::run(&command, arguments, printer),
        Command::Remember(args) => remember::run(&args, arguments, printer),
        Command::Forget(args) => forget::run(&args, arguments, printer),
        Command::Graph(command) => graph::run(&command, arguments, printer),
        Command::Move(args) => move_file::run(&args, arguments, printer),
        Command::Projects(command) => projects::run(&command, arguments, printer),
        Command::People(command) => people::run(&command, arguments, printer),
        Command::Procedures(command) => procedures::run(&command, arguments, printer),
        Command::Journal(command) => journal::run(&command, arguments, printer),
        Command::Promote(args) => promote::run(&args, arguments, printer),
        Command::Compact(args) => compact::run(&args, arguments, printer),
        Command::Prune(args) => prune::run(&args, arguments, printer),
        Command::Show(args) => show::run(&args, arguments, printer),
        Command::Pin(args) => show::pin(&args, true, arguments, printer),
        Command::Unpin(args) => show::pin(&args, false, arguments, printer),
        Command::Recall(args) => recall::run(&args, arguments, printer),
        Command::Decay(args) => decay::run(&args, arguments, printer),
        Command::Jobs(command) => jobs::run(&command, arguments, printer),
        Command::Schedule(command) => schedule::run(&command, arguments, printer),
        Command::Topics(command) => topics::run(&command, arguments, printer),
        Command::Context(args) => context::run(&args, arguments, printer),
        Command::Observe(args) => observe::run(&args, arguments, printer),
        Command::Connect(args) => connect::run(&args, arguments, printer),
        Command::Hook(args) => hook::run(&args, arguments, printer),
        Command::Instructions(args) => instructions::run(&args, arguments, printer),
        Command::Triage(args) => triage::run(&args, arguments, printer),
        Command::Extract(args) => extract::run(&args, arguments, printer),
        Command::Mine(args) => mine::run(&args, arguments, printer),
        Command::Condense(args) => condense::run(&args, arguments, printer),
        Command::Conflicts(command) => conflicts::run(&command, arguments, printer),
        Command::Corrections(command) => corrections::run(&command, arguments, printer),
        Command::Identity(command) => identity::run(&command, arguments, printer),
        Command::Proposals(command) => proposals::run(&command, arguments, printer),
        Command::Reflect(command) => reflect::run(&command, arguments, printer),
        Command::Reconstruct(args) => reconstruct::run(&args, arguments, printer),
        Command::Branch(command) => branch::run(&command, arguments, printer),
        Command::Merge(args) => merge::run(&args, arguments, printer),
        Command::Index(args) => index::run(&args, arguments, printer),
        Command::Audit(args) => audit::run(&args, arguments, printer),
        Command::Rollback(command) => rollback::run(&command, arguments, printer),
        Command::History(command) => history::run(&command, arguments, printer),
        Command::Tag(command) => tag::run(&command, arguments, printer),
        Command::Memory(command) => memory::run(&command, arguments, printer),
        Command::Verify(args) => verify::run(&args, arguments, printer),
        Command::Doctor(args) => doctor::run(&args, arguments, printer),
        Command::Config(command) => config::run(&command, arguments, printer),
        Command::Trust(args) => trust::run(&args, arguments, printer),
        Command::Operator(command) => operator::run(&command, arguments, printer),
        Command::Usage(args) => usage::run(&args, arguments, printer),
        Command::Mcp(args) => mcp::run(&args, arguments),
        Command::Serve(args) => serve::run(&args, arguments, printer),
        Command::Completions(args) => completions::run(&args, printer),
        Command::Man(args) => man::run(&args, printer),
        Command::Docs(command) => docs::run(&command, printer),
        Command::GitHook(args) => git_hook::run(&args, arguments, printer),
        Command::MergeDriver(args) => merge_driver::run(&args, arguments),
    }
}

/// Text given as an argument, or from standard input for `-`.
fn text_or_stdin(text: &str) -> Result<String> {
    if text != "-" {
        return Ok(text.to_owned());
    }
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Who a command that answers is run for.
#[derive(Debug, clap::Args)]
pub(crate) struct OnBehalfOf {
    /// On behalf of this person or group: what is for others alone is left out; may be given again
    #[arg(long = "for", value_name = "NAME", value_parser = name)]
    names: Vec<String>,
}

impl OnBehalfOf {
    fn asking(&self) -> rem_mind::recall::Asking {
        rem_mind::recall::Asking::on_behalf_of(&self.names)
    }
}

/// The name of a person or a group: something that could be one.
fn name(text: &str) -> Result<String, String> {
    match rem_mind::recall::Addressees::of(&[text]).is_for_all() {
        true => Err("name a person or a group".to_owned()),
        false => Ok(text.to_owned()),
    }
}
