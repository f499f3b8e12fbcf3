//! Look up contacts by id or by email identity.

use tokio::time::Instant;

use contact_hub_domain::contacts::{LookupOutcome, Wanted};
use contact_hub_domain::ids::CompanyId;

use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::dialect::{any_id, any_text, for_update_by_id, unindexed};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{Statement, sql};

/// Adds up the sizes of the values before any row is read. With `holds`, the contacts are not erased before the
/// transaction ends. Writers take the same lock: with a weaker one two transactions could each hold a version of a row that
/// the other waits for.
pub(super) fn look_up(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    wanted: &Wanted,
    bytes: u32,
    began: Instant,
    holds: bool,
) -> Result<LookupOutcome, Failure> {
    let sizes = sql!(
        "SELECT coalesce(CAST(sum(octet_length(CAST(field_values AS text))) AS bigint), 0) AS total \
         FROM contacts WHERE {}",
        condition(connection, company, wanted)
    );
    if total(connection, sizes)? > i64::from(bytes) {
        return Ok(LookupOutcome::TooLarge);
    }
    let select = sql!(
        "SELECT {} FROM contacts WHERE {}{}",
        COLUMNS,
        condition(connection, company, wanted),
        holds.then(|| for_update_by_id(connection)),
    );
    let rows: Vec<ContactRow> = connection.rows(select)?;
    let mut decoder = Decoder::new(storage, company).since(began);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values));
    }
    Ok(LookupOutcome::Found(contacts))
}

fn condition(connection: &Connection, company: CompanyId, wanted: &Wanted) -> Statement {
    let condition = match wanted {
        Wanted::Ids(ids) => sql!(
            "{}company_id = ? AND id {} AND deleted_at IS NULL",
            unindexed(connection),
            any_id(connection, ids.iter().map(|id| id.uuid())),
        ),
        Wanted::Identities(identities) => sql!(
            "company_id = ? AND email_identity {} AND deleted_at IS NULL",
            any_text(connection, identities.clone()),
        ),
    };
    condition.bind(company)
}
