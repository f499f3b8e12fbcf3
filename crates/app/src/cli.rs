//! The command line.

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::commands::{
    api_key, backup, check, company, completions, contacts, demo, fields, migrate, openapi, rekey,
    serve, user,
};
use crate::output::UNWRITABLE;
use crate::settings::{DatabaseSettings, ServeSettings};
use crate::version::VERSION;
use crate::{file_owner, tied_program};

/// A contacts service with custom fields. Without a command it runs the service; `contact-hub serve --help` lists the
/// settings.
#[derive(Parser, Debug)]
#[command(name = "contact-hub", version = VERSION, override_usage = "contact-hub [OPTIONS] [COMMAND]")]
struct Cli {
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the service (the default command)
    Serve(Box<ServeSettings>),
    /// Show a sync to a custom platform from beginning to end, on a temporary database and with a sample receiver
    Demo(demo::DemoSettings),
    /// Apply the pending migrations
    Migrate(migrate::MigrateSettings),
    /// Back the database up into a file, while the service runs
    Backup(backup::BackUpSettings),
    /// Restore a backup into an empty database
    Restore(backup::RestoreSettings),
    /// Check the installation: exit code 0 when all is well, 1 with warnings, 2 with errors
    Check(check::CheckSettings),
    /// Seal all secrets under the first master key of the file, so that the other keys can be removed
    Rekey(rekey::RekeySettings),
    /// Print the OpenAPI document
    Openapi(openapi::OpenapiSettings),
    /// Print a script that completes commands and flags in a shell
    Completions(completions::CompletionSettings),
    /// Manage companies
    #[command(subcommand)]
    Company(company::CompanyCommand),
    /// Manage API users
    #[command(subcommand)]
    User(user::UserCommand),
    /// Manage API keys
    #[command(subcommand)]
    ApiKey(api_key::ApiKeyCommand),
    /// Manage contacts of a running service
    #[command(subcommand)]
    Contacts(contacts::ContactsCommand),
    /// List custom fields of a running service
    #[command(subcommand)]
    Fields(fields::FieldsCommand),
}

/// Enough for the maximum number of connections, for as many abandoned threads, and for other blocking work.
const BLOCKING_THREADS: usize = 2200;

/// How long a busy thread may delay the end of the process: a thread that waits for a silent database never ends.
const THREADS_END_WITHIN: Duration = Duration::from_secs(1);

/// Runs the command that the arguments name.
pub fn run() -> Result<ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = tied_program::become_named(&arguments) {
        return Ok(code);
    }
    let cli = match parse(&with_command(arguments)) {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .build()
        .context("the runtime cannot be started")?;
    let outcome = runtime.block_on(dispatch(cli));
    runtime.shutdown_timeout(THREADS_END_WITHIN);
    outcome
}

/// Without a command, and without a request for help, the command is `serve`. A first word that is no flag is meant as a
/// command, so that a misspelled one gets clap's advice.
fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let root = Cli::command();
    let names = root.get_subcommands().map(clap::Command::get_name);
    let known: Vec<&str> = names.chain(["help", "-h", "--help", "-V", "--version"]).collect();
    let is_word =
        |argument: &OsString| argument.to_str().is_some_and(|text| !text.starts_with('-'));
    let has_command = arguments.get(1).is_some_and(is_word)
        || arguments.iter().skip(1).any(|argument| known.iter().any(|known| argument == known));
    if !has_command {
        arguments.insert(1.min(arguments.len()), "serve".into());
    }
    arguments
}

fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().mut_args(|argument| {
        // clap reads the environment for the root command before a flag after the subcommand is passed up to it. So
        // without this, even a variable that the flag overrides would have to be well-formed.
        if is_given(&argument, arguments) { argument.env(None::<&str>) } else { argument }
    });
    let matches = command.try_get_matches_from_mut(arguments);
    let naming = |error| naming_the_variable(error, &command, arguments);
    Cli::from_arg_matches(&matches.map_err(naming)?)
}

/// The error with the name of the variable that has the wrong value; clap names only the flag that was not given.
fn naming_the_variable(
    mut error: clap::Error,
    command: &clap::Command,
    arguments: &[OsString],
) -> clap::Error {
    let variable = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) => variable_of(command, flag, arguments),
        _ => None,
    };
    if let Some(variable) = variable {
        error.insert(ContextKind::InvalidArg, ContextValue::String(variable));
    }
    error
}

/// The variable of a flag that was not given itself.
fn variable_of(command: &clap::Command, flag: &str, given: &[OsString]) -> Option<String> {
    let name = flag.strip_prefix("--")?.split([' ', '=']).next();
    let own = command.get_arguments().filter(|it| it.get_long() == name && !is_given(it, given));
    let mut variables = own.filter_map(|argument| argument.get_env()?.to_str());
    variables.next().map(str::to_owned).or_else(|| {
        let mut subcommands = command.get_subcommands();
        subcommands.find_map(|subcommand| variable_of(subcommand, flag, given))
    })
}

fn is_given(argument: &clap::Arg, arguments: &[OsString]) -> bool {
    let Some(flag) = argument.get_long().map(|name| format!("--{name}")) else {
        return false;
    };
    let texts = arguments.iter().filter_map(|input| input.to_str());
    texts
        .filter_map(|input| input.strip_prefix(&flag))
        .any(|rest| matches!(rest.as_bytes(), [] | [b'=', ..]))
}

async fn dispatch(cli: Cli) -> Result<ExitCode> {
    let database = cli.database;
    database.database_url.check_tls()?;
    let uses_database = !matches!(
        cli.command,
        Command::Demo(_)
            | Command::Openapi(_)
            | Command::Completions(_)
            | Command::Contacts(_)
            | Command::Fields(_)
    );
    let done = match cli.command {
        Command::Serve(settings) => serve::run(&database, &settings).await,
        Command::Demo(settings) => demo::run(&settings).await,
        Command::Migrate(settings) => migrate::run(&database, &settings),
        Command::Backup(settings) => backup::back_up(&database, &settings).await,
        Command::Restore(settings) => backup::restore(&database, &settings).await,
        Command::Check(settings) => return check::run(&database, &settings).await,
        Command::Rekey(settings) => rekey::run(&database, &settings).await,
        Command::Openapi(settings) => openapi::run(&settings),
        Command::Completions(settings) => completions::run(&settings, Cli::command()),
        Command::Company(command) => company::run(&database, command).await,
        Command::User(command) => user::run(&database, command).await,
        Command::ApiKey(command) => api_key::run(&database, command).await,
        Command::Contacts(command) => contacts::run(command).await,
        Command::Fields(command) => fields::run(command).await,
    };
    match done {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if uses_database => Err(file_owner::explained(error, &database.database_url)),
        Err(error) => Err(error),
    }
}

/// Help and version go to standard output; an error of usage, with clap's advice, to standard error.
fn refuse(error: &clap::Error) -> Result<ExitCode> {
    error.print().context(UNWRITABLE)?;
    Ok(u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from))
}
