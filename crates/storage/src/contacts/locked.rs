//! Contacts that a transaction locks before it changes them.
//!
//! On PostgreSQL the position of a transaction in the feed is its id, which it gets with its first lock. While it waits for a
//! further lock, a later transaction may change that contact. Its own change would then be the later one, at the earlier
//! position. So once it has its locks, it [takes a later position](take_later_position).
//!
//! On a cluster it gets its id from the coordinator: after the locks on contacts, which are on a node, unless it has locked
//! its company before them.

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Nullable};

use super::rows::{COLUMNS, ContactRow};
use crate::changes::take_later_position;
use crate::connection::Connection;
use crate::dialect::for_update_by_id;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// The ids of transactions in rows have 32 bits.
const ROUND: i64 = 1 << 32;

/// Whether a row is on a cluster. There it has an id of its node, which says nothing about those of the coordinator.
const ON_NODE: &str = "current_setting('citus.shard_count', true) IS NOT NULL";

/// Whether a transaction of the coordinator that began after this one has ended, and so may have written a row that this one
/// has locked since. Not so if this one has no id yet.
const HAS_LATER: &str = "SELECT coalesce(pg_snapshot_xmax(pg_current_snapshot())::text::bigint \
     > pg_current_xact_id_if_assigned()::text::bigint + 1, false) AS yes";

#[derive(QueryableByName)]
struct LockedRow {
    #[diesel(embed)]
    contact: ContactRow,
    #[diesel(sql_type = Nullable<BigInt>)]
    own: Option<i64>,
    #[diesel(sql_type = BigInt)]
    written_by: i64,
    #[diesel(sql_type = Bool)]
    on_node: bool,
}

impl LockedRow {
    /// How much later than this transaction the one that wrote the row began; `None` if it began earlier. This transaction has
    /// an id if others may have written the row since it got it.
    fn ahead(&self) -> Option<i64> {
        let ahead = (self.written_by - self.own?).rem_euclid(ROUND);
        (1..ROUND / 2).contains(&ahead).then_some(ahead)
    }
}

#[derive(QueryableByName)]
struct HasLater {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

#[derive(QueryableByName)]
struct Next {
    #[diesel(sql_type = BigInt)]
    next: i64,
}

/// Locks the contacts of a company that meet a condition, in the order of their ids. The transaction has written no contact
/// yet: what it wrote would have its earlier id.
pub(super) fn lock(
    connection: &mut Connection,
    condition: Statement,
) -> Result<Vec<ContactRow>, Failure> {
    if let Connection::Sqlite(_) = connection {
        let select = sql!("SELECT {} FROM contacts WHERE {}", COLUMNS, condition);
        return Ok(connection.rows(select)?);
    }
    let select = sql!(
        "SELECT {}, pg_current_xact_id_if_assigned()::text::bigint AS own, xmin::text::bigint AS written_by, \
         {} AS on_node FROM contacts WHERE {}{}",
        COLUMNS,
        ON_NODE,
        condition,
        for_update_by_id(connection),
    );
    let rows: Vec<LockedRow> = connection.rows(select)?;
    if may_be_late(connection, &rows)? {
        take_later_position(connection)?;
    }
    Ok(rows.into_iter().map(|row| row.contact).collect())
}

/// Whether a transaction with a later id may have written one of the rows.
fn may_be_late(connection: &mut Connection, rows: &[LockedRow]) -> Result<bool, Failure> {
    if rows.iter().any(|row| row.on_node) {
        let later: Option<HasLater> = connection.first(statement(HAS_LATER))?;
        return Ok(later.is_some_and(|later| later.yes));
    }
    let ahead = rows.iter().filter_map(|row| row.ahead().zip(row.own)).max();
    ahead.map_or(Ok(false), |(ahead, own)| is_in_use(connection, own, ahead))
}

/// Whether there is a transaction so far ahead. For a row that was not written for very long, the difference says
/// nothing.
fn is_in_use(connection: &mut Connection, own: i64, ahead: i64) -> Result<bool, Failure> {
    let next = statement("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next");
    let next: Option<Next> = connection.first(next)?;
    Ok(next.is_some_and(|it| own + ahead < it.next))
}
