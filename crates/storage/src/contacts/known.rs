//! Read everything that is stored about one contact.

use contact_hub_domain::contacts::Known;
use contact_hub_domain::ids::{CompanyId, ContactId};

use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::sql;
use crate::{changes, webhooks};

/// A contact, active or deleted, with at most this many of its entries and deliveries.
pub(super) fn known(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
    limit: u32,
) -> Result<Option<Known>, Failure> {
    let select = sql!("SELECT {} FROM contacts WHERE id = ? AND company_id = ?", COLUMNS);
    let row: Option<ContactRow> = connection.first(select.bind(id).bind(company))?;
    let Some(row) = row else { return Ok(None) };
    let values = Decoder::new(storage, company).decode(connection, &row.field_values)?;
    let contact = row.into_contact(values);
    let changes = changes::of_object(connection, company, id.uuid(), limit)?;
    let deliveries = webhooks::deliveries_of_contact(connection, company, id, limit)?;
    Ok(Some(Known { contact, changes, deliveries }))
}
