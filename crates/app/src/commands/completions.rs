//! `contact-hub completions <shell>`

use anyhow::{Context as _, Result};
use clap::Args;
use clap_complete::{Shell, generate};

use crate::output::print_line;

/// For which shell.
#[derive(Args, Debug)]
pub struct CompletionSettings {
    /// The shell
    pub shell: Shell,
}

/// Prints the script that completes the words of this command.
pub fn run(settings: &CompletionSettings, mut command: clap::Command) -> Result<()> {
    let mut script = Vec::new();
    generate(settings.shell, &mut command, "contact-hub", &mut script);
    let script = String::from_utf8(script).context("the script is not UTF-8")?;
    print_line(script.trim_end())
}
