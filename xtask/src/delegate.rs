//! Tasks that need the service's code. They are programs of other crates, so that this crate builds, and can run its
//! checks, even if the others do not compile.

use anyhow::Result;

use crate::{cargo, process};

/// The arguments after the task's name, passed on unchanged.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Arguments of the task
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs `contact-hub migrate`.
pub(crate) fn migrate(arguments: &Arguments) -> Result<()> {
    pass_on(
        &["run", "--quiet", "--release", "--package", "contact-hub", "--", "migrate"],
        arguments,
    )
}

/// Runs the seeding program of the test crate.
pub(crate) fn seed(arguments: &Arguments) -> Result<()> {
    pass_on(
        &["run", "--quiet", "--release", "--package", "contact-hub-tests", "--bin", "seed", "--"],
        arguments,
    )
}

fn pass_on(command: &[&str], arguments: &Arguments) -> Result<()> {
    let mut command = cargo::command(command);
    command.args(&arguments.rest).current_dir(std::env::current_dir()?);
    process::run(&mut command)
}
