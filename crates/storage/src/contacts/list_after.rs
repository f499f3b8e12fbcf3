//! The next contacts of an export, read along the index of creation from the end of the previous part. The database
//! adds up the sizes of their values, so that no row past the end of the part is read.

use contact_hub_domain::contacts::{Contact, ExportPart, ListQuery};
use contact_hub_domain::ids::CompanyId;

use super::conditions::Conditions;
use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::dialect::unindexed;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

pub(super) fn list_after(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    query: &ListQuery,
    part: ExportPart,
) -> Result<Vec<Contact>, Failure> {
    let conditions = Conditions::of(connection, company, query);
    let rows: Vec<ContactRow> = connection.rows(select(connection, company, &conditions, part))?;
    let mut decoder = Decoder::new(storage, company);
    let mut contacts = Vec::with_capacity(rows.len());
    for row in rows {
        let values = decoder.decode(connection, &row.field_values)?;
        contacts.push(row.into_contact(values));
    }
    Ok(contacts)
}

fn select(
    connection: &Connection,
    company: CompanyId,
    conditions: &Conditions,
    part: ExportPart,
) -> Statement {
    let behind = part.after.map(|place| {
        statement(" AND (created_at, id) > (?, ?)").bind(place.created_at).bind(place.id)
    });
    // SQLite keeps the order of a CROSS JOIN: the part first, then its contacts by id.
    let select = sql!(
        "SELECT {} FROM (SELECT found, sum(size) OVER (ORDER BY moment, found ROWS UNBOUNDED PRECEDING) - size AS ahead \
         FROM (SELECT id AS found, created_at AS moment, octet_length(CAST(field_values AS text)) AS size \
         FROM contacts WHERE {}{} ORDER BY created_at, id LIMIT ?) AS sized) AS part \
         CROSS JOIN contacts WHERE {}company_id = ? AND contacts.id = part.found AND ahead < ? ORDER BY created_at, id",
        COLUMNS,
        conditions.all(),
        behind,
        unindexed(connection),
    );
    let select = select.uncached().bind(i64::from(part.contacts));
    select.bind(company).bind(i64::from(part.bytes))
}
