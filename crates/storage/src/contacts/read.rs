//! Read one contact.

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::{CompanyId, ContactId};

use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// The active contact with this id.
pub(super) fn read(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    id: ContactId,
) -> Result<Option<Contact>, Failure> {
    let text = format!(
        "SELECT {COLUMNS} FROM contacts WHERE id = ? AND company_id = ? AND deleted_at IS NULL"
    );
    let row = connection.first::<ContactRow>(statement(text).bind(id).bind(company))?;
    let Some(row) = row else { return Ok(None) };
    let values = Decoder::new(storage, company).decode(connection, &row.field_values)?;
    row.into_contact(values).map(Some)
}
