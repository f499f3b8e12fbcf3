//! Finds the sessions whose connection no longer reaches PostgreSQL, and terminates them on the server.
//!
//! Terminating a session rolls its transaction back, which releases its row locks at once. The router that dropped
//! one connection has probably dropped the others too, so no connection that was open by then is reused.

use std::collections::HashSet;
use std::time::Instant;

use diesel::prelude::QueryableByName;
use diesel::result::QueryResult;
use diesel::sql_types::{Integer, Text};

use super::manager::Generation;
use super::session::{Backend, Sessions};
use crate::connection::Connection;
use crate::statement::statement;

/// The sessions of this database role for which the server executes a statement. Where `state` is missing, a session
/// counts as busy.
const BUSY: &str = "SELECT pid, extract(epoch FROM backend_start)::text AS started \
     FROM pg_stat_activity \
     WHERE usename = current_user AND (state IS NULL OR state NOT LIKE 'idle%')";

const END: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
     WHERE pid = ? AND extract(epoch FROM backend_start)::text = ?";

/// Searches the sessions of one service.
pub(crate) struct LostSessions {
    sessions: Sessions,
    generation: Generation,
}

#[derive(QueryableByName)]
struct Busy {
    #[diesel(sql_type = Integer)]
    pid: i32,
    #[diesel(sql_type = Text)]
    started: String,
}

impl LostSessions {
    pub(crate) const fn new(sessions: Sessions, generation: Generation) -> Self {
        Self { sessions, generation }
    }

    /// Terminates the lost sessions. Returns how many were found.
    pub(crate) fn end(&self, connection: &mut Connection) -> QueryResult<usize> {
        let awaited = self.sessions.awaited();
        if awaited.is_empty() {
            return Ok(0);
        }
        let busy: Vec<Busy> = connection.rows(statement(BUSY))?;
        let busy: HashSet<Backend> =
            busy.into_iter().map(|Busy { pid, started }| Backend { pid, started }).collect();
        let lost = awaited.note(|backend| busy.contains(backend), Instant::now());
        if !lost.is_empty() {
            self.generation.give_up_all();
        }
        for session in &lost {
            let Backend { pid, started } = &session.backend;
            tracing::warn!(pid, "a connection to the database is lost");
            if let Err(error) = connection.execute(statement(END).bind(*pid).bind(started.as_str()))
            {
                tracing::warn!(%error, pid, "a lost session was not terminated");
            }
        }
        Ok(lost.len())
    }
}
