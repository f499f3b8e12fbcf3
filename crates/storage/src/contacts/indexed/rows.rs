//! Rows of `indexed_values`.

use contact_hub_domain::fields::FieldValue;
use contact_hub_domain::ids::{CompanyId, ContactId, FieldId};
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::dialect::{Source, portions};
use crate::failure::Failure;
use crate::statement::sql;

/// A value of a contact.
pub(super) struct Row<'a> {
    pub(super) contact: ContactId,
    /// When the contact was created.
    pub(super) created_at: Timestamp,
    pub(super) field: FieldId,
    pub(super) value: &'a FieldValue,
}

/// Writes rows, also in place of those of other values, in the order of the index of values: those of many contacts are on
/// the same pages. Nobody else writes rows of these contacts: the caller has locked
/// or inserted them.
pub(super) fn put(
    connection: &mut Connection,
    company: CompanyId,
    rows: &[Row<'_>],
) -> Result<(), Failure> {
    let mut keyed: Vec<_> = rows.iter().map(|row| (row.field, row.value.list_key(), row)).collect();
    keyed.sort_unstable_by(|(field, key, row), (other_field, other_key, other)| {
        (field, key, row.contact).cmp(&(other_field, other_key, other.contact))
    });
    for keyed in portions(connection, &keyed) {
        let source = Source::of(keyed)
            .ids("contact_id", |(_, _, row)| row.contact.uuid())
            .ids("field_id", |(field, _, _)| field.uuid())
            .blobs("sort_key", |(_, key, _)| key.clone())
            .blobs("sort_rest", |(_, _, row)| row.value.list_rest())
            .moments("contact_created_at", |(_, _, row)| row.created_at);
        // WHERE true keeps SQLite from reading ON CONFLICT as a join condition.
        let insert = sql!(
            "INSERT INTO indexed_values (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
             ON CONFLICT (company_id, contact_id, field_id) \
             DO UPDATE SET sort_key = excluded.sort_key, sort_rest = excluded.sort_rest",
            columns = source.names(),
            table = source.table(connection),
        );
        connection.execute(insert.bind(company))?;
    }
    Ok(())
}
