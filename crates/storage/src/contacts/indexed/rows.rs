//! Rows of `indexed_values`.

use contact_hub_domain::fields::FieldValue;
use contact_hub_domain::ids::{CompanyId, ContactId, FieldId};
use contact_hub_domain::time::Timestamp;

use crate::connection::Connection;
use crate::dialect::{Source, portions};
use crate::failure::Failure;
use crate::statement::{joined, sql, statement};

/// A value of a contact.
pub(super) struct Row<'a> {
    pub(super) contact: ContactId,
    /// When the contact was created.
    pub(super) created_at: Timestamp,
    pub(super) field: FieldId,
    pub(super) value: &'a FieldValue,
}

/// Contacts whose ids have a time that is at most so many milliseconds from their creation are nearly in its order.
const NEAR: u128 = 1000;

impl Row<'_> {
    /// Whether the id has the time of the contact's creation, nearly (RFC 9562, section 5.7).
    fn is_in_order(&self) -> bool {
        let of_id = i128::try_from(self.contact.uuid().as_u128() >> 80).unwrap_or(i128::MAX);
        of_id.abs_diff(i128::from(self.created_at.micros()) / 1000) <= NEAR
    }
}

/// Writes rows, also in place of those of other values, in the order of the index of values: those of many contacts are on
/// the same pages. Nobody else writes rows of these contacts: the caller has locked or inserted them.
pub(super) fn put(
    connection: &mut Connection,
    company: CompanyId,
    rows: &[Row<'_>],
) -> Result<(), Failure> {
    let mut keyed: Vec<Keyed<'_>> =
        rows.iter().map(|row| (row.field, row.value.list_key(), row)).collect();
    keyed.sort_unstable_by(|(field, key, row), (other_field, other_key, other)| {
        (field, key, row.contact).cmp(&(other_field, other_key, other.contact))
    });
    match connection {
        Connection::Postgres(_) => put_with_ids(connection, company, &keyed),
        // So the number of a field is looked up once for all of its rows.
        Connection::Sqlite(_) => keyed
            .chunk_by(|(field, ..), (other, ..)| field == other)
            .try_for_each(|of_field| put_of_field(connection, company, of_field)),
    }
}

/// Whether [`put`] writes faster if the former rows of a field are removed before, when it writes so many of it.
pub(super) const fn removes_replaced(connection: &Connection, rows: usize) -> bool {
    matches!(connection, Connection::Sqlite(_)) && rows >= BOUND
}

/// A row with its field and sort key.
type Keyed<'a> = (FieldId, Vec<u8>, &'a Row<'a>);

const REPLACE: &str = "DO UPDATE SET sort_key = excluded.sort_key, sort_rest = excluded.sort_rest";

/// The columns of rows that both databases have.
fn common<'a>(keyed: &'a [Keyed<'a>]) -> Source<'a, Keyed<'a>> {
    Source::of(keyed)
        .ids("contact_id", |(_, _, row)| row.contact.uuid())
        .blobs("sort_key", |(_, key, _)| key.clone())
        .blobs("sort_rest", |(_, _, row)| row.value.list_rest())
        .moments("contact_created_at", |(_, _, row)| row.created_at)
}

fn put_with_ids(
    connection: &mut Connection,
    company: CompanyId,
    keyed: &[Keyed<'_>],
) -> Result<(), Failure> {
    for keyed in portions(connection, keyed) {
        let source = common(keyed).ids("field_id", |(field, _, _)| field.uuid());
        let insert = sql!(
            "INSERT INTO indexed_values (company_id, {columns}) SELECT ?, {columns} FROM {table} \
             ON CONFLICT (company_id, contact_id, field_id) {replace}",
            columns = source.names(),
            table = source.table(connection),
            replace = REPLACE,
        );
        connection.execute(insert.bind(company))?;
    }
    Ok(())
}

/// How many rows [`insert`] writes. It is one number, as the text of the statement depends on it.
const BOUND: usize = 100;

/// Writes rows of one field, or none if it was deleted with its company.
fn put_of_field(
    connection: &mut Connection,
    company: CompanyId,
    keyed: &[Keyed<'_>],
) -> Result<(), Failure> {
    for keyed in keyed.chunks(BOUND) {
        let [(field, ..), ..] = keyed else { continue };
        let is_written =
            keyed.len() == BOUND && insert(connection, company, *field, keyed)? == keyed.len();
        if !is_written {
            upsert(connection, company, *field, keyed)?;
        }
    }
    Ok(())
}

/// Inserts those rows that do not exist, and returns how many. After an error some may be inserted: the caller rolls back.
///
/// SQLite copies each page that a statement of several rows changes, so that it can undo the statement alone, if a function is
/// called or a constraint may abort it (`usesStmtJournal` in `vdbeaux.c`). So the rows are bound as they are, and those that
/// violate a constraint are ignored.
fn insert(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    keyed: &[Keyed<'_>],
) -> Result<usize, Failure> {
    let rows = keyed.iter().map(|(_, key, row)| {
        let cells = statement("(?, ?, ?, ?, ?)").bind(row.contact).bind(key.clone());
        let cells = cells.bind(row.value.list_rest()).bind(row.created_at);
        cells.bind(i64::from(row.is_in_order()))
    });
    let insert = sql!(
        "INSERT OR IGNORE INTO indexed_values \
         (field_number, contact_id, sort_key, sort_rest, contact_created_at, is_in_order) \
         SELECT (SELECT index_number FROM fields WHERE company_id = ? AND id = ?), \
         column1, column2, column3, column4, column5 FROM (VALUES {})",
        joined(rows, ", "),
    );
    Ok(connection.execute(insert.bind(company).bind(field))?)
}

fn upsert(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    keyed: &[Keyed<'_>],
) -> Result<(), Failure> {
    let source = common(keyed).ints("is_in_order", |(_, _, row)| i64::from(row.is_in_order()));
    let upsert = sql!(
        "INSERT INTO indexed_values (field_number, {columns}) SELECT index_number, {columns} \
         FROM fields CROSS JOIN {table} WHERE fields.company_id = ? AND fields.id = ? \
         ON CONFLICT (contact_id, field_number) {replace}",
        columns = source.names(),
        table = source.table(connection),
        replace = REPLACE,
    );
    connection.execute(upsert.bind(company).bind(field))?;
    Ok(())
}
