//! What a server reports about itself, compared with the primary.

use diesel::prelude::QueryableByName;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text};

use super::position::Position;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::statement::statement;

/// The timeline is in the control file once a page of it was written. Roles that may read all statistics see it as soon
/// as the replica receives it.
const STATE: &str = "SELECT pg_is_in_recovery() AS is_replica, \
     (SELECT system_identifier FROM pg_control_system())::text || '/' || current_database() AS cluster, \
     greatest((SELECT timeline_id FROM pg_control_checkpoint()), \
     (SELECT min_recovery_end_timeline FROM pg_control_recovery()), \
     (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline, \
     (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint AS replayed";

/// The state of a server.
#[derive(QueryableByName)]
pub(super) struct ServerState {
    #[diesel(sql_type = Bool)]
    is_replica: bool,
    #[diesel(sql_type = Text)]
    cluster: String,
    #[diesel(sql_type = Integer)]
    timeline: i32,
    /// How many bytes of log are replayed: commits in them are visible to snapshots that begin later.
    #[diesel(sql_type = Nullable<BigInt>)]
    replayed: Option<i64>,
}

/// Why a server's answers may not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unfit {
    #[error("it is no replica, perhaps because it was promoted")]
    NotReplica,
    #[error("it is a replica of another server, or the database is another one")]
    OtherCluster,
    #[error("it has not followed the primary's fail-over")]
    OtherTimeline,
    #[error("it is too far behind")]
    TooLate,
    #[error("it does not answer")]
    Away,
    #[error("the primary does not say its position")]
    NoPosition,
}

/// The state of the server that a connection leads to.
pub(super) fn read(connection: &mut Connection) -> Result<ServerState, Failure> {
    let state = connection.first(statement(STATE))?;
    state.ok_or_else(|| Failure::Corrupt("the state of a replica".to_owned()))
}

impl ServerState {
    /// How much of the primary's log is replayed.
    pub(super) fn replayed(&self, primary: &Position) -> Result<i64, Unfit> {
        if !self.is_replica {
            return Err(Unfit::NotReplica);
        }
        if self.cluster != primary.cluster {
            return Err(Unfit::OtherCluster);
        }
        if self.timeline != primary.timeline {
            return Err(Unfit::OtherTimeline);
        }
        Ok(self.replayed.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUSTER: &str = "1/hub";

    fn replayed(is_replica: bool, cluster: &str, timeline: i32) -> Result<i64, Unfit> {
        let primary = Position { cluster: CLUSTER.to_owned(), timeline: 2, bytes: 9 };
        let cluster = cluster.to_owned();
        ServerState { is_replica, cluster, timeline, replayed: Some(7) }.replayed(&primary)
    }

    #[test]
    fn only_replicas_of_the_primary_on_its_timeline_are_used() {
        assert_eq!(replayed(true, CLUSTER, 2), Ok(7));
        assert_eq!(replayed(false, CLUSTER, 2), Err(Unfit::NotReplica));
        assert_eq!(replayed(true, "2/hub", 2), Err(Unfit::OtherCluster));
        assert_eq!(replayed(true, "1/other", 2), Err(Unfit::OtherCluster));
        for timeline in [1, 3] {
            assert_eq!(replayed(true, CLUSTER, timeline), Err(Unfit::OtherTimeline));
        }
    }
}
