//! The values of the contacts of a page, which are read once the page is known, and only if they are not too large.

use std::collections::HashMap;

use diesel::QueryableByName;
use uuid::Uuid;

use contact_hub_domain::contacts::Contact;
use contact_hub_domain::ids::CompanyId;

use crate::columns::{Id, IdValue, Json, JsonValue};
use crate::connection::Connection;
use crate::contacts::document::Decoder;
use crate::contacts::rows::ContactRow;
use crate::dialect::{Source, looked_up};
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

#[derive(QueryableByName)]
struct DocumentRow {
    #[diesel(sql_type = Id)]
    id: IdValue,
    #[diesel(sql_type = Json)]
    field_values: JsonValue,
}

/// The contacts of these rows with their values; `None` if those have more than this many bytes.
pub(super) fn with_values(
    mut decoder: Decoder<'_>,
    connection: &mut Connection,
    company: CompanyId,
    rows: Vec<ContactRow>,
    bytes: u32,
) -> Result<Option<Vec<Contact>>, Failure> {
    if rows.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let documents: Vec<DocumentRow> =
        connection.rows(documents(connection, company, &rows, bytes))?;
    if documents.is_empty() {
        return Ok(None);
    }
    let mut documents: HashMap<Uuid, JsonValue> =
        documents.into_iter().map(|row| (row.id.0, row.field_values)).collect();
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        // Both statements see the database at one moment, except on a cluster.
        let Some(document) = documents.remove(&row.id().uuid()) else { continue };
        let values = decoder.decode(connection, &document)?;
        contacts.push(row.into_contact(values));
    }
    Ok(Some(contacts))
}

/// The values of these contacts; none if all of them together have more than this many bytes.
fn documents(
    connection: &Connection,
    company: CompanyId,
    rows: &[ContactRow],
    bytes: u32,
) -> Statement {
    let these = || {
        let ids = Source::of(rows).ids("id", |row| row.id().uuid()).table(connection);
        let own = statement("contacts.company_id = ? AND contacts.id = source.id").bind(company);
        sql!("{} {}", ids, looked_up(connection, "contacts", own))
    };
    let select = sql!(
        "SELECT contacts.id, contacts.field_values FROM {} WHERE \
         (SELECT sum(octet_length(CAST(contacts.field_values AS text))) FROM {}) <= ?",
        these(),
        these(),
    );
    select.bind(i64::from(bytes))
}
