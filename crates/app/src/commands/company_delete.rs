//! `contact-hub company delete`

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use contact_hub_domain::access::AccessError;
use contact_hub_domain::ids::CompanyId;
use contact_hub_storage::{CompanyDeletion, DatabaseUrl, DeletedRows, Storage};
use serde_json::json;
use tokio::time::sleep;

use super::progress::Progress;
use super::{refused, storage_on};
use crate::database_flag::database_flag;
use crate::output::print_line;
use crate::settings::DatabaseSettings;
use crate::shutdown::StopSignals;
use crate::wire::command_ports;

/// How often a batch is retried, for example while another process writes for a long time, and the pause before each
/// retry.
const ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// Deletes a company with all its data. After an interruption the same command continues.
pub(super) async fn delete(database: &DatabaseSettings, id: &str, yes: bool) -> Result<()> {
    let unknown = || refused(AccessError::CompanyNotFound);
    let company = CompanyId::parse(id).ok_or_else(unknown)?;
    let storage = storage_on(database)?;
    if !yes {
        confirm(&storage, company).await?;
    }
    let now = command_ports(&storage)?.environment.clock.now();
    let begun = storage.delete_company(company, now).await;
    let mut deletion = begun.context("the company cannot be deleted")?.ok_or_else(unknown)?;
    let mut signals = StopSignals::listen()?;
    let interrupted = || {
        format!(
            "the deletion was interrupted; the company is unusable: `{}` continues",
            deletion_command(company, &database.database_url)
        )
    };
    let rows = tokio::select! {
        rows = run(&mut deletion) => rows.with_context(interrupted)?,
        () = signals.next() => bail!(interrupted()),
    };
    print_line(&json!({"id": company.to_string(), "rows": rows}).to_string())
}

/// The command that continues a deletion in this database.
pub(crate) fn deletion_command(company: CompanyId, url: &DatabaseUrl) -> String {
    format!("contact-hub company delete --yes --id {company}{}", database_flag(url))
}

/// Asks on the terminal.
async fn confirm(storage: &Storage, company: CompanyId) -> Result<()> {
    if !io::stdin().is_terminal() {
        bail!("this deletes the company and everything of it: add --yes to confirm");
    }
    let found = command_ports(storage)?.access.access.read_company(company).await?;
    let name = found.map_or_else(
        || "(unknown, or partly deleted)".to_owned(),
        |company| company.name.as_str().to_owned(),
    );
    write!(io::stderr(), "Delete the company {name} and everything of it? Type yes: ").ok();
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).context("the terminal cannot be read")?;
    if line.trim() != "yes" {
        bail!("nothing was deleted");
    }
    Ok(())
}

/// Deletes batch by batch; returns how many rows there were.
async fn run(deletion: &mut CompanyDeletion) -> Result<usize> {
    let mut progress = Progress::start();
    let mut deleted: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = 0;
    loop {
        let DeletedRows { table, rows } = match deletion.next().await {
            Ok(Some(batch)) => batch,
            Ok(None) => break,
            Err(_) if failures < ATTEMPTS => {
                failures += 1;
                sleep(PAUSE).await;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        failures = 0;
        let sum = deleted.entry(table).or_default();
        *sum += rows;
        progress.show(|| format!("{table}: {sum} rows deleted"));
    }
    let rows = deleted.values().sum();
    progress.end(&format!("the company and {rows} rows of it are deleted"));
    Ok(rows)
}
