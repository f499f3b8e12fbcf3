//! The distinct values of a field in blocks of consecutive sort keys, each with the number of its values. So the total of
//! a list of values is a sum of few rows, and a page is found from the beginning of its block.
//!
//! A block ends where the next one of its field begins, and the first one begins with the empty key. Only the transaction
//! that applies changes writes blocks: it divides those that became large, and removes those that became empty.

use std::collections::BTreeMap;

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary};

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::Source;
use crate::failure::Failure;
use crate::paged::{TotalRow, total};
use crate::statement::{sql, statement};

/// A block with more values than this is divided.
const MOST: i64 = 2000;

/// How many values the divided block keeps.
const KEPT: i64 = 1000;

/// How often blocks are divided in one transaction.
const DIVISIONS: usize = 100;

/// By how much the number of values changes, by field and sort key.
pub(super) type Change = ((FieldId, Vec<u8>), i64);

#[derive(QueryableByName)]
struct Block {
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = Binary)]
    first_key: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// By how much the number of values of a block changes.
#[derive(QueryableByName)]
struct BlockChange {
    #[diesel(embed)]
    block: Block,
    #[diesel(sql_type = BigInt)]
    change: i64,
}

#[derive(QueryableByName)]
struct Key {
    #[diesel(sql_type = Binary)]
    sort_key: Vec<u8>,
}

/// The beginning of a block, and how many values precede it.
#[derive(QueryableByName)]
pub(crate) struct Start {
    #[diesel(sql_type = Binary)]
    pub(crate) first_key: Vec<u8>,
    #[diesel(sql_type = BigInt)]
    pub(crate) preceding: i64,
}

/// How many values of a field are counted.
pub(crate) fn counted(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
) -> Result<u64, Failure> {
    let text = "SELECT CAST(coalesce(sum(number), 0) AS bigint) AS total FROM field_value_blocks \
         WHERE company_id = ? AND field_id = ?";
    let counted = total(connection, statement(text).bind(company).bind(field))?;
    Ok(u64::try_from(counted).unwrap_or_default())
}

/// The block of the value at this place, or the last one.
pub(crate) fn start_of(
    connection: &mut Connection,
    company: CompanyId,
    field: FieldId,
    place: u64,
) -> Result<Start, Failure> {
    let text = "SELECT first_key, preceding FROM (SELECT first_key, \
         CAST(sum(number) OVER (ORDER BY first_key) - number AS bigint) AS preceding \
         FROM field_value_blocks WHERE company_id = ? AND field_id = ?) AS starts \
         WHERE preceding <= ? ORDER BY first_key DESC LIMIT 1";
    let place = i64::try_from(place).unwrap_or(i64::MAX);
    let select = statement(text).bind(company).bind(field).bind(place);
    let start = connection.first(select)?;
    Ok(start.unwrap_or(Start { first_key: Vec::new(), preceding: 0 }))
}

/// Changes the blocks of values that came into use or went out of it.
pub(super) fn change(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut fields: Vec<FieldId> = changes.iter().map(|((field, _), _)| *field).collect();
    fields.dedup();
    let fields = Source::of(&fields).ids("field_id", |field| field.uuid());
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    let first = sql!(
        "INSERT INTO field_value_blocks (company_id, field_id, first_key, number) \
         SELECT ?, field_id, ?, 0 FROM {} WHERE true \
         ON CONFLICT (company_id, field_id, first_key) DO NOTHING",
        fields.table(connection)
    );
    connection.execute(first.bind(company).bind(Vec::<u8>::new()))?;
    let blocks = changed(connection, company, changes)?;
    write(connection, company, &blocks)?;
    for block in &blocks {
        if block.number == 0 && !block.first_key.is_empty() {
            remove(connection, company, block)?;
        }
    }
    let large = blocks.into_iter().filter(|block| block.number > MOST);
    let mut divisions = DIVISIONS;
    for block in large {
        divide(connection, company, block, &mut divisions)?;
    }
    Ok(())
}

/// Lets every block that begins with a value that is no longer in use begin with its first value instead.
pub(super) fn begin_with_values(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<(), Failure> {
    let text = "UPDATE field_value_blocks SET first_key = coalesce((SELECT sort_key FROM field_value_uses \
         WHERE field_value_uses.company_id = ? AND field_value_uses.field_id = field_value_blocks.field_id \
         AND sort_key > first_key ORDER BY sort_key LIMIT 1), first_key) \
         WHERE company_id = ? AND first_key <> ? AND NOT EXISTS (SELECT 1 FROM field_value_uses \
         WHERE field_value_uses.company_id = ? AND field_value_uses.field_id = field_value_blocks.field_id \
         AND sort_key = first_key)";
    let update = statement(text).bind(company).bind(company).bind(Vec::<u8>::new()).bind(company);
    connection.execute(update)?;
    Ok(())
}

/// The blocks as they are after these changes.
fn changed(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<Vec<Block>, Failure> {
    let source = Source::of(changes)
        .ids("field_id", |((field, _), _)| field.uuid())
        .blobs("sort_key", |((_, key), _)| key.clone())
        .ints("change", |(_, change)| *change);
    let block = |column| {
        sql!(
            "(SELECT {} FROM field_value_blocks WHERE company_id = ? \
             AND field_value_blocks.field_id = source.field_id AND first_key <= sort_key \
             ORDER BY first_key DESC LIMIT 1)",
            column
        )
        .bind(company)
    };
    let select = sql!(
        "SELECT field_id, {} AS first_key, {} AS number, change FROM {}",
        block("first_key"),
        block("number"),
        source.table(connection)
    );
    let rows: Vec<BlockChange> = connection.rows(select)?;
    let mut blocks: BTreeMap<_, i64> = BTreeMap::new();
    for BlockChange { block, change } in rows {
        let number = blocks.entry((block.field_id.0, block.first_key)).or_insert(block.number);
        *number += change;
    }
    let blocks = blocks.into_iter().map(|((field, first_key), number)| Block {
        field_id: IdValue(field),
        first_key,
        number,
    });
    Ok(blocks.collect())
}

/// Writes the numbers of blocks.
fn write(connection: &mut Connection, company: CompanyId, blocks: &[Block]) -> Result<(), Failure> {
    let source = Source::of(blocks)
        .ids("field_id", |block| block.field_id.0)
        .blobs("first_key", |block| block.first_key.clone())
        .ints("number", |block| block.number);
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    let upsert = sql!(
        "INSERT INTO field_value_blocks (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
         ON CONFLICT (company_id, field_id, first_key) DO UPDATE SET number = excluded.number",
        columns = source.names(),
        table = source.table(connection),
    );
    connection.execute(upsert.bind(company))?;
    Ok(())
}

/// The values of an empty block, of which there are none, are the previous one's from now on.
fn remove(connection: &mut Connection, company: CompanyId, block: &Block) -> Result<(), Failure> {
    let text =
        "DELETE FROM field_value_blocks WHERE company_id = ? AND field_id = ? AND first_key = ?";
    let delete = statement(text).bind(company).bind(block.field_id).bind(block.first_key.clone());
    connection.execute(delete)?;
    Ok(())
}

/// Divides a block until none of its parts is large.
fn divide(
    connection: &mut Connection,
    company: CompanyId,
    block: Block,
    divisions: &mut usize,
) -> Result<(), Failure> {
    let mut rest = block;
    while rest.number > MOST && *divisions > 0 {
        *divisions -= 1;
        let key = "SELECT sort_key FROM field_value_uses WHERE company_id = ? AND field_id = ? AND sort_key >= ? \
             ORDER BY sort_key LIMIT 1 OFFSET ?";
        let key = statement(key)
            .bind(company)
            .bind(rest.field_id)
            .bind(rest.first_key.clone())
            .bind(KEPT);
        let Some(Key { sort_key }) = connection.first(key)? else { return Ok(()) };
        let kept = "SELECT count(*) AS total FROM field_value_uses \
             WHERE company_id = ? AND field_id = ? AND sort_key >= ? AND sort_key < ?";
        let kept = statement(kept).bind(company).bind(rest.field_id).bind(rest.first_key.clone());
        let kept = connection.first::<TotalRow>(kept.bind(sort_key.clone()))?;
        let kept = kept.map_or(0, |row| row.total);
        // All of these values have the same key.
        if kept == 0 {
            return Ok(());
        }
        let insert = "INSERT INTO field_value_blocks (company_id, field_id, first_key, number) \
             VALUES (?, ?, ?, ?)";
        let number = rest.number - kept;
        let insert = statement(insert).bind(company).bind(rest.field_id);
        connection.execute(insert.bind(sort_key.clone()).bind(number))?;
        let update = "UPDATE field_value_blocks SET number = ? \
             WHERE company_id = ? AND field_id = ? AND first_key = ?";
        let update = statement(update).bind(kept).bind(company).bind(rest.field_id);
        connection.execute(update.bind(rest.first_key))?;
        rest = Block { field_id: rest.field_id, first_key: sort_key, number };
    }
    Ok(())
}
