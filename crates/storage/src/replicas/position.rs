//! The primary's position in its write-ahead log.

use std::collections::HashMap;
use std::sync::Arc;

use diesel::prelude::QueryableByName;
use diesel::sql_types::{BigInt, Integer, Text};

use contact_hub_domain::ports::StoreError;

use crate::Storage;
use crate::connection::Connection;
use crate::dispatch_error::DispatchError;
use crate::failure::Failure;
use crate::read_batcher::ReadBatcher;
use crate::reader::Reader;
use crate::statement::statement;

/// A replica that has replayed the log up to here has every commit that was acknowledged before the statement. With
/// `synchronous_commit` an acknowledged commit was written to the disk; without, only inserted into the log.
const POSITION: &str = "SELECT (SELECT system_identifier FROM pg_control_system())::text || '/' || current_database() \
         AS cluster, \
     ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer AS timeline, \
     (CASE WHEN current_setting('synchronous_commit') = 'off' THEN pg_current_wal_insert_lsn() \
     ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn)::bigint AS bytes";

/// Asks for the position once for all reads that wait.
pub(crate) type PositionReads = ReadBatcher<Reader, (), Arc<Position>>;

/// A place in the log of a cluster of servers.
#[derive(Debug, QueryableByName)]
pub(crate) struct Position {
    /// The identity of the log, and the name of the database.
    #[diesel(sql_type = Text)]
    pub(super) cluster: String,
    /// Raised when a replica is promoted. Places on different timelines cannot be compared.
    #[diesel(sql_type = Integer)]
    pub(super) timeline: i32,
    /// How many bytes of log precede it.
    #[diesel(sql_type = BigInt)]
    pub(super) bytes: i64,
}

pub(crate) fn position_reads() -> PositionReads {
    ReadBatcher::new(|reader: &Reader, _asked| {
        let position = reader.read(|_storage, connection| read(connection))?;
        Ok(HashMap::from([((), Arc::new(position))]))
    })
}

fn read(connection: &mut Connection) -> Result<Position, Failure> {
    let position = connection.first(statement(POSITION))?;
    position.ok_or_else(|| Failure::Corrupt("the position of the log".to_owned()))
}

impl Storage {
    /// A position of the primary at a moment after this call began.
    pub(super) async fn position(&self) -> Result<Arc<Position>, StoreError> {
        let pool = &self.pools().positions;
        let position = self.ask(self.position_reads(), pool, ()).await?;
        position.ok_or_else(|| DispatchError::Lost.into())
    }
}
