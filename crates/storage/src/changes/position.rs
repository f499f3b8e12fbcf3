//! The positions of transactions.

use diesel::QueryableByName;
use diesel::sql_types::BigInt;

use contact_hub_domain::changes::Position;
use contact_hub_domain::ids::CompanyId;

use super::rows::PositionRow;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::{Statement, sql, statement};

/// The parameter of a transaction of PostgreSQL that has its later position. It is empty once a transaction of the same
/// session has had one.
macro_rules! later {
    () => {
        "contact_hub.position"
    };
}

/// The id that is the position of a transaction of PostgreSQL.
const POSITION: &str = concat!(
    "(SELECT coalesce(nullif(current_setting('",
    later!(),
    "', true), '')::bigint, pg_current_xact_id()::text::bigint) + base FROM change_base WHERE id = 1)"
);

/// Sets the later position: the id of the latest subtransaction. A session holds a lock on each of its ids. Those in
/// `pg_locks` have 32 bits, and are less than 2^32 after the transaction's own.
const SET_LATER: &str = concat!(
    "SELECT set_config('",
    later!(),
    "', (own + max((transactionid::text::bigint - own) & 4294967295))::text, true) \
     FROM pg_locks, (SELECT pg_current_xact_id()::text::bigint AS own) AS transaction \
     WHERE pid = pg_backend_pid() AND locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted \
     GROUP BY own"
);

/// The position of the running transaction, for the rows of a table.
pub(crate) fn transaction_position(
    connection: &Connection,
    company: CompanyId,
    table: &'static str,
) -> Statement {
    match connection {
        Connection::Postgres(_) => statement(POSITION),
        Connection::Sqlite(_) => sql!(
            "(SELECT 1 + max(coalesce((SELECT position FROM {} WHERE company_id = ? AND position > 0 \
             ORDER BY position DESC LIMIT 1), 0), \
             coalesce((SELECT position FROM change_purges WHERE company_id = ?), 0)))",
            table
        )
        .bind(company)
        .bind(company),
    }
}

/// On PostgreSQL, gives a transaction a position after those of all transactions that have begun: the id of a subtransaction,
/// in which it then continues. What it writes from now on has that id. The position is safe for readers: they see no entry at
/// or after the id of the transaction itself, which is smaller, until it has ended.
pub(crate) fn take_later_position(connection: &mut Connection) -> Result<(), Failure> {
    if let Connection::Sqlite(_) = connection {
        return Ok(());
    }
    // A subtransaction gets its id when it first writes something, such as a message in the write-ahead log.
    connection.batch(
        "SAVEPOINT later_position; SELECT pg_logical_emit_message(true, 'contact-hub', 'later position')",
    )?;
    connection.execute(statement(SET_LATER))?;
    Ok(())
}

/// The ids of this database's transactions that are in progress. On a cluster one is in progress until its node has
/// committed too. Its session shows no id by then, but still holds the lock on it. The locks are read last, so a
/// transaction whose session drops the id in between is not missed.
const IN_PROGRESS: &str = "SELECT backend_xid AS id FROM pg_stat_activity \
     WHERE datname = current_database() AND backend_xid IS NOT NULL \
     UNION ALL SELECT transactionid FROM pg_locks JOIN pg_stat_activity USING (pid) \
     WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock' AND granted AND datname = current_database() \
     AND current_setting('citus.shard_count', true) IS NOT NULL";

/// The first position that may still get entries.
#[derive(Clone, Copy)]
pub(crate) struct Horizon(Option<i64>);

#[derive(QueryableByName)]
struct HorizonRow {
    #[diesel(sql_type = BigInt)]
    horizon: i64,
}

impl Horizon {
    /// Reads it. Entries must be read by a later statement with its own snapshot: a transaction that ends in between is
    /// then visible.
    ///
    /// On PostgreSQL it is the smallest id of a transaction of this database that is in progress, else the next id. The
    /// snapshot's own minimum would include transactions of other databases of the server, which may take hours. Ids in
    /// `pg_stat_activity` have 32 bits and are only shown to their own role, so all instances must use one role.
    pub(crate) fn read(connection: &mut Connection) -> Result<Self, Failure> {
        if let Connection::Sqlite(_) = connection {
            return Ok(Self(None));
        }
        let select = sql!(
            "SELECT base + next - coalesce((SELECT max(behind) FROM \
             (SELECT (next - running.id::text::bigint) & 4294967295 AS behind FROM ({}) AS running) AS distances \
             WHERE behind < 2147483648), 0) AS horizon \
             FROM change_base, (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next) AS snapshot \
             WHERE id = 1",
            IN_PROGRESS
        );
        let row: Option<HorizonRow> = connection.first(select)?;
        let row = row.ok_or_else(|| Failure::Corrupt("change_base has no row".to_owned()))?;
        Ok(Self(Some(row.horizon)))
    }

    /// The condition that an entry is before it. On SQLite every entry is.
    pub(crate) fn is_after_entry(self) -> Option<Statement> {
        self.0.map(|horizon| statement(" AND position < ?").bind(horizon))
    }

    /// Whether no transaction up to this position is in progress.
    pub(super) fn is_beyond(self, position: i64) -> bool {
        self.0.is_none_or(|horizon| position < horizon)
    }

    /// The position of the latest committed entry that is not before it.
    pub(super) fn last_held_back(
        self,
        connection: &mut Connection,
        company: CompanyId,
    ) -> Result<Option<i64>, Failure> {
        let Some(horizon) = self.0 else { return Ok(None) };
        let select = statement(
            "SELECT position, ordinal FROM changes WHERE company_id = ? AND position >= ? \
             ORDER BY position DESC, ordinal DESC LIMIT 1",
        );
        let last: Option<PositionRow> = connection.first(select.bind(company).bind(horizon))?;
        Ok(last.map(|last| Position::from(last).number))
    }

    /// The position itself.
    pub(super) fn position(self, connection: &Connection, company: CompanyId) -> Statement {
        match self.0 {
            Some(horizon) => statement("?").bind(horizon),
            None => transaction_position(connection, company, "changes"),
        }
    }
}

/// The highest position of a company in a table.
fn last_of(table: &'static str) -> Statement {
    sql!(
        "(SELECT position FROM {} WHERE company_id = companies.id AND position > 0 ORDER BY position DESC LIMIT 1)",
        table
    )
}

/// Raises the base if a stored position is not before those of new transactions, as when the database was restored on
/// another server.
pub(crate) fn raise_base(connection: &mut Connection) -> Result<(), Failure> {
    if let Connection::Postgres(_) = connection {
        let raise = sql!(
            "UPDATE change_base SET base = greatest(base, greatest((SELECT max(greatest({}, {}, {}, \
             (SELECT max(position) FROM feed_cursors WHERE company_id = companies.id))) FROM companies), 0) \
             + 1 - pg_current_xact_id()::text::bigint) WHERE id = 1",
            last_of("changes"),
            last_of("change_purges"),
            last_of("audit"),
        );
        connection.execute(raise)?;
    }
    Ok(())
}
