//! Applies appended changes to the counts.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary, Integer, Text};

use contact_hub_domain::ids::{CompanyId, FieldId};

use super::blocks;
use super::document::decode;
use super::zero_counts::CountTable;
use super::{TextCounts, ValueUse, ValueUses};
use crate::Storage;
use crate::backlog::{Batch, Left};
use crate::columns::{Id, IdValue, JsonValue};
use crate::connection::Connection;
use crate::dialect::{Lock, Source, portions};
use crate::failure::Failure;
use crate::paged::TotalRow;
use crate::statement::{sql, statement};

/// How many rows a batch has at most.
pub(super) const ROWS: u16 = 1000;

/// A batch ends with the row that brings it to this many values. Each of them is written on its own, so this bounds the
/// memory and the time of a batch whose changes are of as many values, while the company's other writers wait for it.
const VALUES: usize = 16 << 10;

/// The counts of values.
const USES: CountTable = CountTable {
    table: "field_value_uses",
    count: "uses",
    is_of_source: "field_value_uses.field_id = source.field_id \
         AND field_value_uses.sort_key = source.sort_key AND field_value_uses.identity = source.identity",
};

#[derive(QueryableByName)]
struct Size {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Integer)]
    size: i32,
}

#[derive(QueryableByName)]
struct Change {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = BigInt)]
    contacts: i64,
    #[diesel(sql_type = Integer)]
    size: i32,
    #[diesel(sql_type = Text)]
    text_counts: String,
    #[diesel(sql_type = Text)]
    value_uses: String,
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
    #[diesel(sql_type = Binary)]
    identity: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    uses: i64,
}

/// Applies the oldest changes of a company: about this size of them, but at least one row.
///
/// The lock on the company's count makes this the only transaction that writes its counts. A change that a later one
/// depends on was committed before it and has a lower id, so no count becomes negative on the way.
pub(crate) fn apply(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    size: u32,
) -> Result<Batch, Failure> {
    let lock = Lock::ForNoKeyUpdate.on(connection);
    let select = sql!("SELECT active AS total FROM contact_counts WHERE company_id = ?{}", lock);
    connection.first::<TotalRow>(select.bind(company))?;
    let oldest = "SELECT id, size FROM count_changes WHERE company_id = ? ORDER BY id LIMIT ?";
    let sizes: Vec<Size> =
        connection.rows(statement(oldest).bind(company).bind(i64::from(ROWS) + 1))?;
    let mut left = i64::from(size);
    let chosen = sizes.iter().take(ROWS.into()).take_while(|row| {
        let goes = left > 0;
        left -= i64::from(row.size);
        goes
    });
    let last = chosen.map(|size| size.id).last();
    let Some(last) = last else { return Ok(Batch::EMPTY) };
    let rows = "SELECT id, contacts, size, text_counts, value_uses FROM count_changes WHERE company_id = ? \
         AND id <= ? ORDER BY id LIMIT ?";
    let changes: Vec<Change> =
        connection.rows(statement(rows).bind(company).bind(last).bind(i64::from(ROWS)))?;
    let (changes, rest) = add(storage, connection, company, &changes)?;
    let ids = Source::of(changes).ints("id", |change| change.id);
    let delete = sql!(
        "DELETE FROM count_changes WHERE company_id = ? AND id IN (SELECT id FROM {})",
        ids.table(connection)
    );
    connection.execute(delete.bind(company))?;
    let size = sum(changes.iter().map(|change| change.size));
    let behind = sizes.iter().filter(|row| row.id > last).map(|row| row.size);
    let left = sum(rest.iter().map(|change| change.size).chain(behind));
    let are_all_seen = sizes.len() <= usize::from(ROWS);
    Ok(Batch { size, left: if are_all_seen { Left::Exactly(left) } else { Left::AtLeast(left) } })
}

/// The size of some rows. Each counts as 1 at least, so the size is 0 only without rows.
fn sum(sizes: impl Iterator<Item = i32>) -> usize {
    sizes.map(|size| usize::try_from(size).unwrap_or_default().max(1)).sum()
}

/// Writes the sums of the first of these changes; returns them, and those that are left.
fn add<'a>(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    changes: &'a [Change],
) -> Result<(&'a [Change], &'a [Change]), Failure> {
    let (mut uses, mut texts, mut added) = (ValueUses::default(), TextCounts::default(), 0);
    for change in changes {
        decode(&change.value_uses, None, &mut uses)?;
        texts.decode(&change.text_counts)?;
        added += 1;
        if uses.number() >= VALUES {
            break;
        }
    }
    let (changes, rest) = changes.split_at(added);
    texts.apply(storage, connection, company)?;
    let uses: Vec<ValueUse> = uses.into_changes().collect();
    if !uses.is_empty() {
        add_uses(storage, connection, company, &uses)?;
    }
    let contacts: i64 = changes.iter().map(|change| change.contacts).sum();
    if contacts != 0 {
        let text = "UPDATE contact_counts SET active = active + ? WHERE company_id = ?";
        connection.execute(statement(text).bind(contacts).bind(company))?;
    }
    Ok((changes, rest))
}

/// Adds to the counts of values, removes those whose count fell to zero, and counts the values in use and their contacts.
fn add_uses(
    storage: &Storage,
    connection: &mut Connection,
    company: CompanyId,
    uses: &[ValueUse],
) -> Result<(), Failure> {
    let mut counted: Vec<Counted> = Vec::with_capacity(uses.len());
    for uses in portions(connection, uses) {
        let counts = Source::of(uses)
            .ids("field_id", |it| it.field.uuid())
            .blobs("sort_key", |it| it.sort_key.clone())
            .blobs("identity", |it| it.identity.clone())
            .blobs("sort_rest", |it| it.sort_rest.clone())
            .jsons("value", |it| JsonValue(it.value.to_json()))
            .ints("uses", |it| it.delta);
        // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
        let upsert = sql!(
            "INSERT INTO field_value_uses AS known (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
             ON CONFLICT (company_id, field_id, sort_key, identity) DO UPDATE SET uses = known.uses + excluded.uses \
             RETURNING field_id, sort_key, identity, uses",
            columns = counts.names(),
            table = counts.table(connection),
        );
        counted.extend(connection.rows::<Counted>(upsert.bind(company))?);
    }
    let fallen: Vec<&Counted> = counted.iter().filter(|row| row.uses <= 0).collect();
    for fallen in portions(connection, &fallen) {
        let keys = Source::of(fallen)
            .ids("field_id", |row| row.field_id.0)
            .blobs("sort_key", |row| row.sort_key.clone())
            .blobs("identity", |row| row.identity.clone());
        USES.delete_zero_counts(storage, connection, company, keys)?;
    }
    blocks::change(connection, company, &block_changes(uses, counted))
}

/// What the counts after these changes mean for the blocks.
fn block_changes(uses: &[ValueUse], counted: Vec<Counted>) -> Vec<blocks::Change> {
    let deltas: BTreeMap<_, i64> =
        uses.iter().map(|it| ((it.field, &*it.sort_key, &*it.identity), it.delta)).collect();
    let mut changes: BTreeMap<(FieldId, Vec<u8>), (i64, i64)> = BTreeMap::new();
    for row in counted {
        let field = FieldId::new(row.field_id.0);
        let delta = deltas.get(&(field, &*row.sort_key, &*row.identity)).copied();
        let before = row.uses - delta.unwrap_or_default();
        let (values, more) = changes.entry((field, row.sort_key)).or_default();
        *values += i64::from(row.uses > 0) - i64::from(before > 0);
        *more += row.uses.max(0) - before.max(0);
    }
    let changes = changes.into_iter().filter(|(_, change)| *change != (0, 0));
    let change =
        |((field, sort_key), (values, uses))| blocks::Change { field, sort_key, values, uses };
    changes.map(change).collect()
}
