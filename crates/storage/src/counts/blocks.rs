//! The distinct values of a field in blocks of consecutive sort keys, each with the number of its values and of the
//! contacts that have them. So the total of a list of values is a sum of few rows, and a page is found from the beginning
//! of its block. The number of contacts with a value in a range is a sum as well (`in_range`).
//!
//! A block ends where the next one of its field begins, and the first one begins with the empty key. Only the transaction
//! that applies changes writes blocks: it divides those that became large, and removes those that became empty.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Binary};
use uuid::Uuid;

use contact_hub_domain::ids::{CompanyId, FieldId};

use crate::columns::{Id, IdValue};
use crate::connection::Connection;
use crate::dialect::{Source, in_index_order, join_in_order};
use crate::failure::Failure;
use crate::paged::total;
use crate::statement::{sql, statement};

/// A block with more values than this is divided.
const MAX: i64 = 500;

/// How many values the divided block keeps.
const KEPT: i64 = 250;

/// How often blocks are divided in one transaction.
const DIVISIONS: usize = 100;

/// By how much the values with a sort key change.
pub(super) struct Change {
    pub(super) field: FieldId,
    pub(super) sort_key: Vec<u8>,
    /// How many more there are.
    pub(super) values: i64,
    /// How many more contacts have one of them.
    pub(super) uses: i64,
}

impl Change {
    fn place(&self) -> (Uuid, &[u8]) {
        (self.field.uuid(), &self.sort_key)
    }
}

#[derive(QueryableByName)]
struct Block {
    #[diesel(sql_type = Id)]
    field_id: IdValue,
    #[diesel(sql_type = Binary)]
    first_key: Vec<u8>,
    /// How many values it has.
    #[diesel(sql_type = BigInt)]
    number: i64,
    /// How many contacts have them. No contact has two values of a field.
    #[diesel(sql_type = BigInt)]
    uses: i64,
}

impl Block {
    fn place(&self) -> (Uuid, &[u8]) {
        (self.field_id.0, &self.first_key)
    }
}

/// The values that a divided block keeps.
#[derive(QueryableByName)]
struct Kept {
    #[diesel(sql_type = BigInt)]
    number: i64,
    #[diesel(sql_type = BigInt)]
    uses: i64,
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

/// Changes the blocks of values whose numbers of contacts changed. The changes are sorted by field.
pub(super) fn change(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    let mut fields: Vec<FieldId> = changes.iter().map(|change| change.field).collect();
    fields.dedup();
    let fields = Source::of(&fields).ids("field_id", |field| field.uuid());
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    let first = sql!(
        "INSERT INTO field_value_blocks (company_id, field_id, first_key, number, uses) \
         SELECT ?, field_id, ?, 0, 0 FROM {} WHERE true \
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
    let large = blocks.into_iter().filter(|block| block.number > MAX);
    let mut divisions = DIVISIONS;
    for block in large {
        divide(connection, company, block, &mut divisions)?;
    }
    Ok(())
}

/// Lets every block that begins with a value that is no longer in use begin with its first value instead.
///
/// The first value of each block is looked up. `NOT EXISTS` would be a join, for which PostgreSQL read all values for each
/// block as long as it knew the table as a small one: seconds, while the company's writers waited.
pub(super) fn begin_with_values(
    connection: &mut Connection,
    company: CompanyId,
) -> Result<(), Failure> {
    let text = "UPDATE field_value_blocks SET first_key = coalesce((SELECT sort_key FROM field_value_uses \
         WHERE field_value_uses.company_id = ? AND field_value_uses.field_id = field_value_blocks.field_id \
         AND sort_key > first_key ORDER BY sort_key LIMIT 1), first_key) \
         WHERE company_id = ? AND first_key <> ? AND (SELECT uses FROM field_value_uses \
         WHERE field_value_uses.company_id = ? AND field_value_uses.field_id = field_value_blocks.field_id \
         AND sort_key = first_key LIMIT 1) IS NULL";
    let update = statement(text).bind(company).bind(company).bind(Vec::<u8>::new()).bind(company);
    in_index_order(connection, |connection| Ok(connection.execute(update)?))?;
    Ok(())
}

/// The blocks as they are after these changes, which are sorted by field and key.
fn changed(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<Vec<Block>, Failure> {
    match between(connection, company, changes)? {
        Some(blocks) => Ok(with_changes(blocks, changes)),
        None => looked_up(connection, company, changes),
    }
}

/// All blocks of the changed fields from the lowest changed key to the highest; `None` if they are more than the changes.
/// Usually many of the changed values share a block, and to read the blocks is quicker than to look each value's block up.
fn between(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<Option<Vec<Block>>, Failure> {
    let fields = changes.chunk_by(|one, next| one.field == next.field);
    let ranges: Vec<_> = fields.filter_map(|of| of.first().zip(of.last())).collect();
    let source = Source::of(&ranges)
        .ids("field_id", |(lowest, _)| lowest.field.uuid())
        .blobs("lowest", |(lowest, _)| lowest.sort_key.clone())
        .blobs("highest", |(_, highest)| highest.sort_key.clone());
    let select = sql!(
        "WITH ranges AS MATERIALIZED (SELECT field_id, highest, (SELECT first_key FROM field_value_blocks \
         WHERE company_id = ? AND field_value_blocks.field_id = source.field_id AND first_key <= lowest \
         ORDER BY first_key DESC LIMIT 1) AS first_key FROM {}) \
         SELECT blocks.field_id, blocks.first_key, blocks.number, blocks.uses FROM ranges {} field_value_blocks AS blocks \
         ON blocks.company_id = ? AND blocks.field_id = ranges.field_id AND blocks.first_key >= ranges.first_key \
         AND blocks.first_key <= ranges.highest LIMIT ?",
        source.table(connection),
        join_in_order(connection),
    );
    let most = i64::try_from(changes.len()).unwrap_or(i64::MAX);
    let select = select.bind(company).bind(company).bind(most.saturating_add(1));
    let blocks: Vec<Block> = connection.rows(select)?;
    Ok((blocks.len() <= changes.len()).then_some(blocks))
}

/// Those of the blocks that have changed values, in order, with the changes. The blocks are all that are between the changes.
fn with_changes(mut blocks: Vec<Block>, changes: &[Change]) -> Vec<Block> {
    blocks.sort_unstable_by(|one, other| one.place().cmp(&other.place()));
    let (mut left, mut touched) = (changes, Vec::new());
    let mut blocks = blocks.into_iter().peekable();
    while let Some(mut block) = blocks.next() {
        let end = blocks.peek().map_or(left.len(), |next| {
            left.partition_point(|change| change.place() < next.place())
        });
        let (own, others) = left.split_at(end);
        left = others;
        if !own.is_empty() {
            block.number += own.iter().map(|change| change.values).sum::<i64>();
            block.uses += own.iter().map(|change| change.uses).sum::<i64>();
            touched.push(block);
        }
    }
    touched
}

/// The blocks as they are after these changes, by looking up the block of each changed value.
fn looked_up(
    connection: &mut Connection,
    company: CompanyId,
    changes: &[Change],
) -> Result<Vec<Block>, Failure> {
    let source = Source::of(changes)
        .ids("field_id", |change| change.field.uuid())
        .blobs("sort_key", |change| change.sort_key.clone())
        .ints("more_values", |change| change.values)
        .ints("more_uses", |change| change.uses);
    let select = sql!(
        "WITH placed AS MATERIALIZED (SELECT field_id, (SELECT first_key FROM field_value_blocks WHERE company_id = ? \
         AND field_value_blocks.field_id = source.field_id AND first_key <= sort_key \
         ORDER BY first_key DESC LIMIT 1) AS first_key, more_values, more_uses FROM {}) \
         SELECT changed.field_id, changed.first_key, CAST(blocks.number + changed.more_values AS bigint) AS number, \
         CAST(blocks.uses + changed.more_uses AS bigint) AS uses FROM \
         (SELECT field_id, first_key, sum(more_values) AS more_values, sum(more_uses) AS more_uses FROM placed \
         GROUP BY field_id, first_key) AS changed {} field_value_blocks AS blocks \
         ON blocks.company_id = ? AND blocks.field_id = changed.field_id AND blocks.first_key = changed.first_key \
         ORDER BY changed.field_id, changed.first_key",
        source.table(connection),
        join_in_order(connection),
    );
    Ok(connection.rows(select.bind(company).bind(company))?)
}

/// Writes the numbers of blocks.
fn write(connection: &mut Connection, company: CompanyId, blocks: &[Block]) -> Result<(), Failure> {
    let source = Source::of(blocks)
        .ids("field_id", |block| block.field_id.0)
        .blobs("first_key", |block| block.first_key.clone())
        .ints("number", |block| block.number)
        .ints("uses", |block| block.uses);
    // WHERE true keeps SQLite from reading ON CONFLICT as a join condition ("Parsing Ambiguity" of UPSERT).
    let upsert = sql!(
        "INSERT INTO field_value_blocks (company_id, {columns}) SELECT ?, {columns} FROM {table} WHERE true \
         ON CONFLICT (company_id, field_id, first_key) DO UPDATE SET number = excluded.number, uses = excluded.uses",
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
    while rest.number > MAX && *divisions > 0 {
        *divisions -= 1;
        let key = "SELECT sort_key FROM field_value_uses WHERE company_id = ? AND field_id = ? AND sort_key >= ? \
             ORDER BY sort_key LIMIT 1 OFFSET ?";
        let key = statement(key)
            .bind(company)
            .bind(rest.field_id)
            .bind(rest.first_key.clone())
            .bind(KEPT);
        let Some(Key { sort_key }) = connection.first(key)? else { return Ok(()) };
        let kept = "SELECT count(*) AS number, CAST(coalesce(sum(uses), 0) AS bigint) AS uses FROM field_value_uses \
             WHERE company_id = ? AND field_id = ? AND sort_key >= ? AND sort_key < ?";
        let kept = statement(kept).bind(company).bind(rest.field_id).bind(rest.first_key.clone());
        let kept: Option<Kept> = connection.first(kept.bind(sort_key.clone()))?;
        // If there are none, all of these values have the same key.
        let Some(kept) = kept.filter(|kept| kept.number > 0) else { return Ok(()) };
        let insert = "INSERT INTO field_value_blocks (company_id, field_id, first_key, number, uses) \
             VALUES (?, ?, ?, ?, ?)";
        let (number, uses) = (rest.number - kept.number, rest.uses - kept.uses);
        let insert = statement(insert).bind(company).bind(rest.field_id);
        connection.execute(insert.bind(sort_key.clone()).bind(number).bind(uses))?;
        let update = "UPDATE field_value_blocks SET number = ?, uses = ? \
             WHERE company_id = ? AND field_id = ? AND first_key = ?";
        let update = statement(update).bind(kept.number).bind(kept.uses).bind(company);
        connection.execute(update.bind(rest.field_id).bind(rest.first_key))?;
        rest = Block { field_id: rest.field_id, first_key: sort_key, number, uses };
    }
    Ok(())
}
