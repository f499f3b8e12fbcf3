//! `contact-hub company export`

use std::io::{self, BufWriter, Write as _};

use anyhow::{Context as _, Result};
use contact_hub_domain::access::AccessError;
use contact_hub_domain::ids::CompanyId;
use contact_hub_web::{CompanyExportError, export_company};

use super::progress::{INCOMPLETE, Progress};
use super::{refused, storage_on};
use crate::output::UNWRITABLE;
use crate::settings::DatabaseSettings;
use crate::wire::command_ports;

/// Writes all data of a company to standard output, and its progress to standard error.
pub(super) async fn export(database: &DatabaseSettings, id: &str) -> Result<()> {
    let unknown = || refused(AccessError::CompanyNotFound);
    let company = CompanyId::parse(id).ok_or_else(unknown)?;
    let storage = storage_on(database)?;
    let ports = command_ports(&storage)?;
    let (mut out, mut progress) = (BufWriter::new(io::stdout()), Progress::start());
    let mut objects: u64 = 0;
    let mut write = |r#type: &'static str, line: &[u8]| {
        objects += 1;
        progress.show(|| format!("{objects} objects are written, now: {type}"));
        out.write_all(line)
    };
    match export_company(&ports, &storage, company, &mut write).await {
        Ok(()) => {}
        Err(CompanyExportError::Unknown) => return Err(unknown()),
        Err(CompanyExportError::Write(error)) => {
            return Err(anyhow::Error::from(error).context(UNWRITABLE).context(INCOMPLETE));
        }
        Err(error) => return Err(anyhow::Error::from(error).context(INCOMPLETE)),
    }
    out.flush().context(UNWRITABLE).context(INCOMPLETE)?;
    progress.end(&format!("{objects} objects are written"));
    Ok(())
}
