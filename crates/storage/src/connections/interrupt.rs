//! Ends a statement of SQLite at once, and names the session of PostgreSQL whose statement is to be cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::session::{Backend, Session};

/// Ends the statements of one connection.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    flag: Arc<AtomicBool>,
    session: Option<Arc<Session>>,
}

impl Interrupt {
    /// For a connection to SQLite, or a session of PostgreSQL.
    pub(crate) const fn new(flag: Arc<AtomicBool>, session: Option<Arc<Session>>) -> Self {
        Self { flag, session }
    }

    /// Whether the connection no longer reaches the server.
    pub(crate) fn is_lost(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.is_lost())
    }

    /// Interrupts a statement of SQLite, and keeps further statements from starting on either database. Returns the
    /// PostgreSQL session whose statement still runs.
    pub(crate) fn set(&self) -> Option<Backend> {
        self.flag.store(true, Ordering::Relaxed);
        self.session.as_ref().map(|session| session.backend.clone())
    }
}
