//! All contacts of a company, active and deleted.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::access::StoredContact;
use contact_hub_domain::ids::CompanyId;

use super::document::Decoder;
use super::rows::{COLUMNS, ContactRow};
use crate::Storage;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::sql;

/// A part ends before the contact at which its stored values exceed this many bytes.
const MAX_BYTES: i64 = 512 << 10;

#[derive(QueryableByName)]
struct Size {
    #[diesel(sql_type = BigInt)]
    size: i64,
}

/// The contacts after the identity of an email: at least one if there is any, and fewer than `limit` if they are large.
pub(crate) fn stored_after(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    after: &str,
    limit: u32,
) -> Result<Vec<StoredContact>, Failure> {
    let limit = how_many(connection, company, after, limit)?;
    let select = sql!(
        "SELECT {} FROM contacts WHERE company_id = ? AND email_identity > ? ORDER BY email_identity LIMIT ?",
        COLUMNS
    );
    let rows: Vec<ContactRow> = connection.rows(select.bind(company).bind(after).bind(limit))?;
    let mut decoder = Decoder::new(storage, company);
    let stored = rows.into_iter().map(|row| {
        let (is_deleted, values) = (row.is_deleted, decoder.decode(connection, &row.field_values)?);
        Ok(StoredContact { contact: row.into_contact(values), is_deleted })
    });
    stored.collect()
}

fn how_many(
    connection: &mut Connection,
    company: CompanyId,
    after: &str,
    limit: u32,
) -> Result<i64, Failure> {
    let size = match connection {
        Connection::Postgres(_) => "octet_length(field_values::text)::bigint",
        Connection::Sqlite(_) => "octet_length(field_values)",
    };
    let select = sql!(
        "SELECT {} AS size FROM contacts WHERE company_id = ? AND email_identity > ? \
         ORDER BY email_identity LIMIT ?",
        size
    );
    let sizes: Vec<Size> =
        connection.rows(select.bind(company).bind(after).bind(i64::from(limit)))?;
    let ends = sizes.iter().scan(0_i64, |sum, it| {
        *sum = sum.saturating_add(it.size);
        Some(*sum)
    });
    let fit = ends.take_while(|end| *end <= MAX_BYTES).count().max(1);
    Ok(i64::try_from(fit).unwrap_or(i64::MAX))
}
