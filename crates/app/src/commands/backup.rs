//! `contact-hub backup` and `contact-hub restore`

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::progress::Progress;
use crate::backup::{self, Copied, KeyCheck, KnownKeys, Replacing, Report, Run};
use crate::output::print_line;
use crate::settings::DatabaseSettings;
use crate::shutdown::StopSignals;

/// Where a backup goes.
#[derive(Args, Debug)]
pub struct BackUpSettings {
    /// The file of the backup
    pub file: PathBuf,
    /// Overwrite the file if it exists
    #[arg(long)]
    pub force: bool,
    /// The file with the master keys, which is not overwritten
    #[arg(long, env = "CONTACT_HUB_SECRET_KEY_FILE")]
    pub secret_key_file: Option<PathBuf>,
    /// Print JSON on a terminal too
    #[arg(long)]
    pub json: bool,
}

/// Where a backup comes from.
#[derive(Args, Debug)]
pub struct RestoreSettings {
    /// The file of the backup
    pub file: PathBuf,
    /// The file with the master keys, to see whether they open the secrets of the backup
    #[arg(long, env = "CONTACT_HUB_SECRET_KEY_FILE")]
    pub secret_key_file: Option<PathBuf>,
    /// Print JSON on a terminal too
    #[arg(long)]
    pub json: bool,
}

/// Backs the database up.
pub async fn back_up(database: &DatabaseSettings, settings: &BackUpSettings) -> Result<()> {
    require_direct(database)?;
    let (url, file) = (database.database_url.clone(), settings.file.clone());
    let replacing =
        settings.force.then(|| Replacing { key_file: settings.secret_key_file.clone() });
    let began = Instant::now();
    let copied = run(move |run| backup::create(&url, &file, replacing.as_ref(), run)).await?;
    let report = Report {
        done: "backed up to",
        file: settings.file.display().to_string(),
        copied: &copied,
        keys: None,
        took: began.elapsed(),
    };
    print(&report, settings.json)
}

/// Restores a backup into an empty database.
pub async fn restore(database: &DatabaseSettings, settings: &RestoreSettings) -> Result<()> {
    require_direct(database)?;
    let (url, file) = (database.database_url.clone(), settings.file.clone());
    // A malformed file is an error before anything is restored.
    let known = KnownKeys::read(settings.secret_key_file.as_deref(), &url)?;
    let began = Instant::now();
    let copied = run(move |run| backup::restore(&file, &url, run)).await?;
    let keys = KeyCheck::of(&copied.contents.master_keys, known);
    let report = Report {
        done: "restored from",
        file: settings.file.display().to_string(),
        copied: &copied,
        keys: Some(&keys),
        took: began.elapsed(),
    };
    print(&report, settings.json)
}

fn require_direct(database: &DatabaseSettings) -> Result<()> {
    if database.database_pooled {
        bail!(
            "a backup needs sessions of its own: give the address of the database, without --database-pooled"
        );
    }
    Ok(())
}

/// Runs the work on a thread, shows its progress, and cancels it on SIGTERM, Ctrl-C and the end of the terminal,
/// so that it deletes what is incomplete.
async fn run(work: impl FnOnce(&mut Run<'_>) -> Result<Copied> + Send + 'static) -> Result<Copied> {
    let mut signals = StopSignals::listen_with_hang_up()?;
    let cancelled = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&cancelled);
    let mut done = tokio::task::spawn_blocking(move || {
        let mut progress = Progress::start();
        let mut show = |text: String| progress.show(|| text);
        work(&mut Run { cancelled: &seen, progress: &mut show })
    });
    let done = tokio::select! {
        done = &mut done => done,
        () = signals.next() => {
            cancelled.store(true, Ordering::Relaxed);
            tokio::select! {
                done = &mut done => done,
                () = signals.next() => bail!("it was ended at once; an incomplete file may be left"),
            }
        }
    };
    done.context("the backup panicked")?
}

fn print(report: &Report<'_>, json: bool) -> Result<()> {
    if json || !io::stdout().is_terminal() {
        return print_line(&report.object().to_string());
    }
    print_line(&report.lines())
}
