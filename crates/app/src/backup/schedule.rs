//! Backups of SQLite that the service makes by itself, and deletes when there are too many.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use contact_hub_domain::ports::Clock;
use contact_hub_domain::time::Timestamp;
use contact_hub_storage::DatabaseUrl;
use metrics::{counter, gauge};
use tokio::time::sleep;

use super::new_file::PARTIAL;
use super::{Run, create};

/// How long after a failure the next attempt follows, or the interval if that is shorter.
const RETRY_AFTER: Duration = Duration::from_mins(10);

/// Distinguishes the names of scheduled backups from those of other files.
const MARK: &str = ".scheduled-";

/// The end of their names.
const SUFFIX: &str = ".db";

/// When backups are made, and where.
#[derive(Clone)]
pub(crate) struct Schedule {
    /// The database.
    pub(crate) url: DatabaseUrl,
    /// Where the backups go.
    pub(crate) directory: PathBuf,
    /// The time between two of them.
    pub(crate) every: Duration,
    /// How many are kept.
    pub(crate) keep: usize,
    /// The clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// Is set to end a backup that is in progress.
    pub(crate) cancelled: Arc<AtomicBool>,
}

/// A scheduled backup in the directory.
struct Made {
    path: PathBuf,
    at: Timestamp,
}

impl Schedule {
    /// Makes backups until it is aborted. A failure is logged and counted, and the next attempt follows.
    pub(crate) async fn run(self) {
        gauge!("contact_hub_backup_interval_seconds").set(self.every.as_secs_f64());
        gauge!("contact_hub_backup_last_success_timestamp_seconds").set(0.0);
        for outcome in ["succeeded", "failed"] {
            counter!("contact_hub_backups_total", "outcome" => outcome).increment(0);
        }
        let mut wait = self.until_next().await;
        loop {
            sleep(wait).await;
            let began = Instant::now();
            let schedule = self.clone();
            let made = tokio::task::spawn_blocking(move || schedule.make()).await;
            let duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            match made.context("the backup panicked").flatten() {
                Ok((file, bytes)) => {
                    counter!("contact_hub_backups_total", "outcome" => "succeeded").increment(1);
                    tracing::info!(file, bytes, duration_ms, "the database was backed up");
                    wait = self.until_next().await;
                }
                Err(error) => {
                    counter!("contact_hub_backups_total", "outcome" => "failed").increment(1);
                    let cause = format!("{error:#}");
                    tracing::error!(cause, duration_ms, "the database was not backed up");
                    wait = RETRY_AFTER.min(self.every);
                }
            }
        }
    }

    /// How long it is until the next backup: it follows the newest one in the directory, also after a restart.
    async fn until_next(&self) -> Duration {
        let (schedule, now) = (self.clone(), self.clock.now());
        let newest = tokio::task::spawn_blocking(move || schedule.newest(now)).await;
        let Some(newest) = newest.ok().flatten() else { return Duration::ZERO };
        let age = now.micros().saturating_sub(newest.micros());
        gauge!("contact_hub_backup_last_success_timestamp_seconds").set(seconds(newest));
        self.every.saturating_sub(Duration::from_micros(u64::try_from(age).unwrap_or_default()))
    }

    /// When the newest backup was made. One from the future, made before the clock was set back, may be of any age.
    fn newest(&self, now: Timestamp) -> Option<Timestamp> {
        let made = self.made().ok()?.into_iter().map(|made| made.at);
        made.filter(|at| *at <= now).max()
    }

    /// Makes a backup, and deletes the oldest ones. Returns its name and size.
    fn make(&self) -> Result<(String, u64)> {
        self.delete_partial();
        let now = self.clock.now();
        let name = format!("{}{}{SUFFIX}", self.beginning(), stamp(now));
        let mut run = Run { cancelled: &self.cancelled, progress: &mut |_text| () };
        let copied = create(&self.url, &self.directory.join(&name), None, &mut run)?;
        self.delete_oldest(now);
        Ok((name, copied.bytes))
    }

    /// What the names of its backups begin with.
    fn beginning(&self) -> String {
        let DatabaseUrl::Sqlite(path) = &self.url else { return MARK.to_owned() };
        let stem = Path::new(path).file_stem().unwrap_or_default();
        format!("{}{MARK}", stem.to_string_lossy())
    }

    /// The backups that it has made: files whose whole name has its form.
    fn made(&self) -> Result<Vec<Made>> {
        let beginning = self.beginning();
        let made = self.entries()?.filter_map(|(name, path)| {
            let at = read_stamp(name.strip_prefix(&beginning)?.strip_suffix(SUFFIX)?)?;
            let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
            is_file.then_some(Made { path, at })
        });
        Ok(made.collect())
    }

    /// Keeps the newest ones. Those from the future count as the oldest, so that the one that was just made is kept. The
    /// next run tries again to delete one that cannot be deleted.
    fn delete_oldest(&self, now: Timestamp) {
        let mut made = match self.made() {
            Ok(made) => made,
            Err(error) => {
                let cause = format!("{error:#}");
                return tracing::warn!(cause, "old backups were not deleted");
            }
        };
        made.sort_unstable_by_key(|made| (made.at > now, Reverse(made.at)));
        for old in made.into_iter().skip(self.keep) {
            if let Err(error) = fs::remove_file(&old.path) {
                tracing::warn!(file = %old.path.display(), %error, "an old backup was not deleted");
            }
        }
    }

    /// Deletes the incomplete files of a process that was killed during a backup.
    fn delete_partial(&self) {
        let beginning = format!(".{}", self.beginning());
        let Ok(entries) = self.entries() else { return };
        for (name, path) in entries {
            if name.starts_with(&beginning) && name.contains(PARTIAL) {
                fs::remove_file(path).ok();
            }
        }
    }

    fn entries(&self) -> Result<impl Iterator<Item = (String, PathBuf)>> {
        let entries = fs::read_dir(&self.directory).with_context(|| {
            format!("the directory {} cannot be read", self.directory.display())
        })?;
        let named =
            |entry: fs::DirEntry| Some((entry.file_name().into_string().ok()?, entry.path()));
        Ok(entries.flatten().filter_map(named))
    }
}

/// A moment as part of a name, such as `20261123T084700Z`.
fn stamp(at: Timestamp) -> String {
    at.to_seconds_text().replace("+00:00", "Z").replace(['-', ':'], "")
}

fn read_stamp(text: &str) -> Option<Timestamp> {
    let (day, time) = text.split_once('T')?;
    let (year, month, date) = (day.get(..4)?, day.get(4..6)?, day.get(6..)?);
    let (hour, minute, second) = (time.get(..2)?, time.get(2..4)?, time.get(4..)?);
    let at = Timestamp::parse(&format!("{year}-{month}-{date}T{hour}:{minute}:{second}")).ok()?.at;
    (stamp(at) == text).then_some(at)
}

fn seconds(at: Timestamp) -> f64 {
    Duration::from_micros(u64::try_from(at.micros()).unwrap_or_default()).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;
    use std::time::Duration;

    use contact_hub_domain::time::Timestamp;
    use contact_hub_storage::{DatabaseUrl, migrate};
    use tempfile::TempDir;

    use super::{Schedule, read_stamp, stamp};
    use crate::adapters::SystemClock;

    #[test]
    fn a_new_backup_is_kept_even_if_others_are_from_the_future() {
        let place = TempDir::new().expect("a directory");
        let directory = place.path().join("backups");
        fs::create_dir(&directory).expect("a directory");
        for year in [2990, 2991] {
            let file = directory.join(format!("hub.scheduled-{year}0101T000000Z.db"));
            fs::write(file, "").expect("a file");
        }
        let database = place.path().join("hub.db");
        let url: DatabaseUrl =
            format!("sqlite://{}", database.display()).parse().expect("an address");
        migrate(&url).expect("a database");
        let (every, clock) = (Duration::from_hours(1), Arc::new(SystemClock));
        let cancelled = Arc::default();
        let schedule =
            Schedule { url, directory: directory.clone(), every, keep: 2, clock, cancelled };
        let (name, _) = schedule.make().expect("a backup");
        let left: Vec<String> =
            schedule.entries().expect("a directory").map(|(name, _)| name).collect();
        assert!(left.len() == 2 && left.contains(&name), "{left:?}");
        let newest = schedule.newest(Timestamp::MAX);
        assert!(newest.is_some());
        let before = Timestamp::from_micros(0).expect("a moment");
        assert_eq!(schedule.newest(before), None, "a backup from the future has no age");
    }

    #[test]
    fn only_a_complete_timestamp_is_parsed() {
        let at = Timestamp::from_micros(1_795_423_620_000_000).expect("a moment");
        assert_eq!(stamp(at), "20261123T084700Z");
        assert_eq!(read_stamp("20261123T084700Z"), Some(at));
        for other in [
            "",
            "20261123T084700",
            "20261123T0847000Z",
            "20261323T084700Z",
            "2026-1123T08470Z",
            "äöü",
        ] {
            assert_eq!(read_stamp(other), None, "{other}");
        }
    }
}
