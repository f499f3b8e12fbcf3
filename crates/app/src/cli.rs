//! The command line.

use std::io::{self, Write};

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{
    Arg, ArgMatches, Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand,
};

use crate::commands::{api_key, company, migrate, openapi, serve, user};
use crate::settings::{DatabaseSettings, ServeSettings};

/// A contacts service with custom fields and custom platform sync.
#[derive(Parser, Debug)]
#[command(name = "contact-hub", version)]
struct Cli {
    #[command(flatten)]
    serve: ServeSettings,
    #[command(flatten)]
    database: DatabaseSettings,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run the service (what happens without a command)
    Serve(ServeSettings),
    /// Apply the pending migrations
    Migrate,
    /// Print the OpenAPI document of the contacts interface
    Openapi,
    /// Companies
    #[command(subcommand)]
    Company(company::CompanyCommand),
    /// API users
    #[command(subcommand)]
    User(user::UserCommand),
    /// API keys
    #[command(subcommand)]
    ApiKey(api_key::ApiKeyCommand),
}

/// Runs the command that the process was started with.
pub fn run() -> Result<()> {
    let parsed = Cli::command().try_get_matches().and_then(|matches| {
        refuse_misplaced(&matches)?;
        Cli::from_arg_matches(&matches)
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(1100)
        .build()
        .context("the runtime cannot be started")?;
    runtime.block_on(dispatch(cli))
}

/// A setting of the service that stands before a command would be ignored, so it is refused.
fn refuse_misplaced(matches: &ArgMatches) -> Result<(), clap::Error> {
    let Some(command) = matches.subcommand_name() else { return Ok(()) };
    let settings = ServeSettings::augment_args(clap::Command::new("settings"));
    let misplaced = settings.get_arguments().find(|setting| {
        matches.value_source(setting.get_id().as_str()) == Some(ValueSource::CommandLine)
    });
    match misplaced.and_then(Arg::get_long) {
        None => Ok(()),
        Some(flag) => {
            let message = format!("--{flag} must stand after the command {command}");
            Err(clap::Error::raw(ErrorKind::ArgumentConflict, message))
        }
    }
}

async fn dispatch(cli: Cli) -> Result<()> {
    let database = cli.database;
    match cli.command {
        None => serve::run(&database, &cli.serve).await,
        Some(Command::Serve(settings)) => serve::run(&database, &settings).await,
        Some(Command::Migrate) => migrate::run(&database),
        Some(Command::Openapi) => openapi::run(),
        Some(Command::Company(command)) => company::run(&database, command).await,
        Some(Command::User(command)) => user::run(&database, command).await,
        Some(Command::ApiKey(command)) => api_key::run(&database, command).await,
    }
}

/// Help and version go to standard output as they are; a mistake is told in one line.
fn refuse(error: &clap::Error) -> Result<()> {
    if !error.use_stderr() {
        error.print().context("standard output is closed")?;
        return Ok(());
    }
    let text = error.to_string();
    let mut lines = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let whole = lines.fold(first, |whole, line| format!("{whole} {line}"));
    Err(anyhow::anyhow!("{whole}; `contact-hub --help` lists the settings"))
}

/// Tells an error with its causes in one line on standard error.
pub fn report(error: &anyhow::Error) {
    // A database's own message may have several lines.
    let line = format!("{error:#}").split_whitespace().collect::<Vec<_>>().join(" ");
    writeln!(io::stderr(), "contact-hub: {line}").ok();
}

/// Prints a line on standard output.
pub fn print_line(line: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("standard output is closed")
}
