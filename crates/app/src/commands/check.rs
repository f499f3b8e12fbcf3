//! `contact-hub check`

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};

use super::progress::Progress;
use crate::check::{self, Finding, Level};
use crate::output::print_line;
use crate::settings::DatabaseSettings;

/// The exit codes of warnings and errors.
const HAS_WARNINGS: u8 = 1;
const HAS_ERRORS: u8 = 2;

/// How a check is printed.
#[derive(Args, Debug)]
pub struct CheckSettings {
    /// The file with the master keys, which must open the sealed secrets
    #[arg(long, env = "CONTACT_HUB_SECRET_KEY_FILE")]
    pub secret_key_file: Option<PathBuf>,
    /// Print JSON on a terminal too
    #[arg(long)]
    pub json: bool,
}

/// Checks the installation. The exit code is 0 when all is well, 1 with warnings, and 2 with errors.
pub async fn run(database: &DatabaseSettings, settings: &CheckSettings) -> Result<ExitCode> {
    let mut progress = Progress::start();
    let show = move |text: String| progress.show(|| text);
    let findings = check::run(database, settings.secret_key_file.clone(), show).await;
    let worst = findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Ok);
    if settings.json || !io::stdout().is_terminal() {
        let checks: Vec<Value> = findings.iter().map(Finding::object).collect();
        print_line(&json!({"level": worst.as_str(), "checks": checks}).to_string())?;
    } else {
        let lines: Vec<String> = findings.iter().map(Finding::lines).collect();
        print_line(&lines.join("\n"))?;
    }
    Ok(match worst {
        Level::Ok => ExitCode::SUCCESS,
        Level::Warning => ExitCode::from(HAS_WARNINGS),
        Level::Error => ExitCode::from(HAS_ERRORS),
    })
}
