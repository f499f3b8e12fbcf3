//! The result of a backup or a restore, for people and for programs.

use std::time::Duration;

use anyhow::{Result, bail};
use contact_hub_storage::MigrationState;
use serde_json::{Map, Value, json};

use super::KeyCheck;
use super::run::Copied;

/// The report of a backup or a restore.
pub(crate) struct Report<'a> {
    /// What was done, such as "backed up to".
    pub(crate) done: &'static str,
    /// The file of the backup.
    pub(crate) file: String,
    /// What it contains.
    pub(crate) copied: &'a Copied,
    /// Whether the master keys here fit; `None` after a backup.
    pub(crate) keys: Option<&'a KeyCheck>,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Report<'_> {
    /// As a JSON object.
    pub(crate) fn object(&self) -> Value {
        let contents = &self.copied.contents;
        let mut object = Map::new();
        object.insert("file".to_owned(), json!(self.file));
        object.insert("bytes".to_owned(), json!(self.copied.bytes));
        object.insert("schema".to_owned(), json!(contents.schema));
        object.insert("pending_migrations".to_owned(), json!(pending(&contents.state)));
        object.insert("rows".to_owned(), json!(contents.rows));
        object.insert("master_keys".to_owned(), json!(contents.master_keys));
        if let Some(keys) = self.keys {
            object.insert("master_keys_fit".to_owned(), json!(keys.fits()));
        }
        let millis = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        object.insert("duration_ms".to_owned(), json!(millis));
        Value::Object(object)
    }

    /// In lines.
    pub(crate) fn lines(&self) -> String {
        let contents = &self.copied.contents;
        let filled = contents.rows.iter().filter(|(_, rows)| **rows > 0);
        let rows: Vec<String> = filled.map(|(table, rows)| format!("  {table} {rows}")).collect();
        let keys = match contents.master_keys.as_slice() {
            [] => "none".to_owned(),
            keys => keys.join(", "),
        };
        let fits = self.keys.map(|keys| format!(" ({})", keys.text())).unwrap_or_default();
        let pending = match pending(&contents.state) {
            0 => String::new(),
            pending => format!(" ({pending} migrations are pending)"),
        };
        format!(
            "{} {}: {} in {:.1} s, checked\nschema: {}{pending}\nmaster keys of its secrets: {keys}{fits}\nrows:\n{}",
            self.done,
            self.file,
            megabytes(self.copied.bytes),
            self.took.as_secs_f64(),
            contents.schema,
            rows.join("\n"),
        )
    }
}

/// A size for people.
#[must_use]
pub(crate) fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// Rejects a schema that this program cannot serve or migrate.
pub(super) fn require_usable(state: &MigrationState) -> Result<()> {
    match state {
        MigrationState::Current | MigrationState::Pending(_) => Ok(()),
        MigrationState::Empty => bail!("it has no schema of Contact Hub"),
        MigrationState::TooNew(version) => bail!(
            "its schema is newer than this program: migration {version} is not marked as compatible with older programs; \
             restore it with the newer program"
        ),
    }
}

const fn pending(state: &MigrationState) -> usize {
    match state {
        MigrationState::Pending(pending) => *pending,
        _ => 0,
    }
}
