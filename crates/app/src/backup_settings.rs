//! The settings of scheduled backups, each a flag and an environment variable.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use contact_hub_domain::ports::Clock;
use contact_hub_storage::DatabaseUrl;

use crate::backup::schedule::Schedule;
use crate::webhook_settings::delay;
use crate::whole_number::whole_number;

const EVERY: Duration = Duration::from_hours(24);
const MIN_EVERY: Duration = Duration::from_mins(1);
const KEEP: u16 = 7;

/// Backups that the service makes by itself.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Backups")]
pub struct BackupSettings {
    /// With SQLite: a directory of this service, in which backups are made
    #[arg(long, env = "CONTACT_HUB_BACKUP_DIR")]
    pub backup_dir: Option<PathBuf>,

    /// The time between two backups, such as `24h`, at least a minute
    #[arg(long, env = "CONTACT_HUB_BACKUP_EVERY", value_name = "TIME", default_value = "24h", value_parser = interval)]
    pub backup_every: Duration,

    /// How many backups are kept; older ones that the service made are deleted
    #[arg(long, env = "CONTACT_HUB_BACKUP_KEEP", default_value_t = KEEP,
          value_parser = whole_number::<u16>(1..=1000))]
    pub backup_keep: u16,
}

impl Default for BackupSettings {
    fn default() -> Self {
        Self { backup_dir: None, backup_every: EVERY, backup_keep: KEEP }
    }
}

impl BackupSettings {
    /// Rejects scheduled backups of PostgreSQL.
    pub(crate) fn check(&self, url: &DatabaseUrl) -> Result<()> {
        if self.backup_dir.is_some() && matches!(url, DatabaseUrl::Postgres(_)) {
            bail!(
                "--backup-dir is for SQLite: back PostgreSQL up with its own tools or `contact-hub backup`"
            );
        }
        Ok(())
    }

    /// When backups are made; `None` when they are not.
    pub(crate) fn schedule(&self, url: &DatabaseUrl, clock: &Arc<dyn Clock>) -> Option<Schedule> {
        Some(Schedule {
            url: url.clone(),
            directory: self.backup_dir.clone()?,
            every: self.backup_every,
            keep: self.backup_keep.into(),
            clock: Arc::clone(clock),
            cancelled: Arc::default(),
        })
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    let every = delay(text)?;
    if every < MIN_EVERY {
        return Err("it must be at least 1m".to_owned());
    }
    Ok(every)
}
