//! Backups of PostgreSQL, by its own programs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use contact_hub_storage::{
    DatabaseContents, DatabaseUrl, Destination, contents, destination, expire_cursors,
    export_snapshot, judge_schema,
};

use super::archive::{self, Archive};
use super::client;
use super::report::require_usable;
use super::run::Run;
use crate::postgres_address::Address;

/// Dumps the database, counts it in the same snapshot, and compares the archive with that.
pub(super) fn back_up(
    url: &DatabaseUrl,
    address: &str,
    to: &Path,
    run: &mut Run<'_>,
) -> Result<DatabaseContents> {
    let address = Address::of(address);
    let mut snapshot = export_snapshot(url)?;
    let mut command = client::command("pg_dump", Some(&address));
    command.args(["--format=custom", "--no-comments", "--snapshot", &snapshot.name]);
    command.arg("--file").arg(to);
    let child = client::start("pg_dump", &mut command)?;
    (run.progress)("pg_dump writes the archive".to_owned());
    // A cancelled run does not wait for the count, which ends with the process. The snapshot is kept until pg_dump has ended.
    let counting = std::thread::spawn(move || (snapshot.contents(), snapshot));
    client::finish("pg_dump", child, run.cancelled)?;
    let counted = counting.join().map_err(|_panic| anyhow::anyhow!("the count panicked"))?;
    let contents = counted.0.context("the rows cannot be counted")?;
    (run.progress)("the archive is read back".to_owned());
    let archive = archive::read(to, run.cancelled)?;
    compare(&contents.rows, &archive)?;
    Ok(contents)
}

/// Restores an archive in one transaction, and compares the database with it.
pub(super) fn restore(
    backup: &Path,
    url: &DatabaseUrl,
    address: &str,
    run: &mut Run<'_>,
) -> Result<DatabaseContents> {
    if destination(url)? != Destination::Free {
        bail!("the database {url} is not empty: create another one, and give its --database-url");
    }
    (run.progress)("the archive is read".to_owned());
    let archive = archive::read(backup, run.cancelled)?;
    if archive.applied.is_empty() {
        bail!("it is not an archive of a database of Contact Hub");
    }
    require_usable(&judge_schema(url, &archive.applied, &archive.compatible)?)?;
    let mut command = client::command("pg_restore", Some(&Address::of(address)));
    command.args(["--no-owner", "--no-privileges", "--no-comments"]);
    command.args(["--exit-on-error", "--single-transaction"]).arg(backup);
    (run.progress)("pg_restore fills the database".to_owned());
    let child = client::start("pg_restore", &mut command)?;
    client::finish("pg_restore", child, run.cancelled)?;
    (run.progress)("the rows are counted".to_owned());
    let restored = contents(url)?;
    compare(&restored.rows, &archive)?;
    if restored.has_feed() {
        expire_cursors(url)?;
    }
    Ok(restored)
}

/// Fails unless a database and an archive have the same number of rows in each table.
fn compare(database: &BTreeMap<String, u64>, archive: &Archive) -> Result<()> {
    let differs = database.iter().find(|(table, rows)| archive.rows.get(*table) != Some(rows));
    if let Some((table, rows)) = differs {
        let archived = archive.rows.get(table).copied().unwrap_or_default();
        bail!("the archive has {archived} rows of {table}, and the database {rows}");
    }
    Ok(())
}
