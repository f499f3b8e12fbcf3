//! The servers of a database: the primary, and its read replicas.

/// A server, as metrics and logs name it. They never have its address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Server {
    /// The server that accepts writes, or the file of SQLite.
    Primary,
    /// A read replica.
    Replica(&'static str),
}

impl Server {
    /// Its name in metrics and logs.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Replica(name) => name,
        }
    }

    /// Logs that the server has stopped answering, or answers again.
    pub(crate) fn log_silence(self, is_silent: bool) {
        let server = self.name();
        match (self, is_silent) {
            (Self::Primary, true) => {
                tracing::error!("the database does not answer; calls fail at once until it does");
            }
            (Self::Primary, false) => tracing::info!("the database answers again"),
            (Self::Replica(_), true) => {
                tracing::warn!(server, "a read replica does not answer");
            }
            (Self::Replica(_), false) => tracing::info!(server, "a read replica answers again"),
        }
    }
}
