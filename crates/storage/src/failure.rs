//! Maps driver errors to the port's errors.
//!
//! PostgreSQL's messages are never read, since they are in the server's language; those of the extension Citus are in
//! English. Diesel has kinds for some of PostgreSQL's codes. The other temporary errors are recognised without them: time
//! limits by the time they took ([`crate::connections::pool`]), the end of a session by its dead connection, and deadlocks
//! and a lack of space or memory by `is_no_fault_of_statement`.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error};

use contact_hub_domain::ports::StoreError;

/// A unit of work that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The driver's error.
    #[error(transparent)]
    Driver(#[from] Error),
    /// A row breaks an invariant: where, and which one.
    #[error("{0}")]
    Corrupt(String),
    /// Another transaction created or changed the same row first; a new transaction sees it.
    #[error("another transaction wrote the row first")]
    Overtaken,
    /// The person who had an email was erased, and the email blocked, since the use case looked; or whether it was is
    /// unknown, because the use case has not looked.
    #[error("an email may have been blocked meanwhile")]
    Blocked,
    /// A call with an idempotency key cannot share a transaction, or was given up.
    #[error("a call with an idempotency key was given up")]
    Withdrawn,
}

/// SQLite's messages for temporary errors. Diesel gives no code for these, and SQLite's messages are never
/// translated.
const SQLITE_TEMPORARY: [&str; 7] = [
    "database is locked",
    "database table is locked",
    "database or disk is full",
    "disk I/O error",
    "unable to open database file",
    "interrupted",
    SQLITE_READ_ONLY,
];

/// SQLite's message for a file that it may not write to.
const SQLITE_READ_ONLY: &str = "attempt to write a readonly database";

/// How the errors of a cluster begin when a node stops during a transaction, in addition to those with the code of a
/// failed connection. The node itself sends the third one. The last ones are those of the coordinator's driver, without a
/// code, when it prepares the commit on a node whose connection is lost.
const NODE_PASSING: [&str; 6] = [
    "failure on connection marked as essential",
    "could not commit transaction for shard",
    "terminating connection due to ",
    "server closed the connection unexpectedly",
    "could not receive data from server",
    "could not send data to server",
];

/// How the error of a cluster for the victim of a deadlock between nodes begins.
const DISTRIBUTED_DEADLOCK: &str =
    "canceling the transaction since it was involved in a distributed deadlock";

impl Failure {
    /// Whether the same unit may succeed later.
    pub(crate) fn is_temporary(&self) -> bool {
        match self {
            Self::Driver(error) => is_temporary(error),
            Self::Overtaken | Self::Blocked | Self::Withdrawn => true,
            Self::Corrupt(_) => false,
        }
    }

    /// Whether the transaction was the victim of a deadlock. PostgreSQL's error then also has details: who waits for whom.
    pub(crate) fn is_deadlock(&self) -> bool {
        let Self::Driver(Error::DatabaseError(DatabaseErrorKind::Unknown, error)) = self else {
            return false;
        };
        (is_no_fault_of_statement(error.as_ref()) && error.details().is_some())
            || error.message().starts_with(DISTRIBUTED_DEADLOCK)
    }

    /// Whether an error of the port is that an email may be blocked.
    pub(crate) fn is_blocked(error: &StoreError) -> bool {
        let StoreError::Unavailable(source) = error else { return false };
        matches!(source.downcast_ref(), Some(Self::Blocked))
    }

    /// Whether the session is read-only, as after a fail-over to a standby.
    pub(crate) fn is_read_only(&self) -> bool {
        match self {
            Self::Driver(Error::DatabaseError(kind, information)) => {
                matches!(kind, DatabaseErrorKind::ReadOnlyTransaction)
                    || information.message() == SQLITE_READ_ONLY
            }
            _ => false,
        }
    }

    /// Whether the database or its driver reported it without a kind that marks it as permanent.
    pub(crate) const fn is_of_driver(&self) -> bool {
        match self {
            Self::Driver(Error::DatabaseError(kind, _)) => matches!(
                kind,
                DatabaseErrorKind::Unknown
                    | DatabaseErrorKind::UnableToSendCommand
                    | DatabaseErrorKind::ClosedConnection
                    | DatabaseErrorKind::SerializationFailure
                    | DatabaseErrorKind::ReadOnlyTransaction
            ),
            Self::Driver(Error::DeserializationError(_))
            | Self::Corrupt(_)
            | Self::Blocked
            | Self::Withdrawn => false,
            Self::Driver(_) | Self::Overtaken => true,
        }
    }

    /// The port's error for it.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Corrupt(what) => StoreError::Corrupt(what),
            failure @ (Self::Driver(_) | Self::Overtaken | Self::Blocked | Self::Withdrawn)
                if failure.is_temporary() =>
            {
                StoreError::Unavailable(Box::new(failure))
            }
            Self::Driver(Error::DeserializationError(error)) => {
                StoreError::Corrupt(error.to_string())
            }
            failure @ (Self::Driver(_) | Self::Overtaken | Self::Blocked | Self::Withdrawn) => {
                StoreError::Failed(Box::new(failure))
            }
        }
    }
}

fn is_temporary(error: &Error) -> bool {
    match error {
        Error::DatabaseError(kind, information) => match kind {
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure
            | DatabaseErrorKind::ReadOnlyTransaction => true,
            DatabaseErrorKind::Unknown => {
                let message = information.message();
                SQLITE_TEMPORARY.contains(&message)
                    || NODE_PASSING.iter().any(|beginning| message.starts_with(beginning))
                    || is_no_fault_of_statement(information.as_ref())
            }
            _ => false,
        },
        Error::BrokenTransactionManager => true,
        Error::RollbackErrorOnCommit { commit_error, .. } => is_temporary(commit_error),
        _ => false,
    }
}

/// Whether PostgreSQL found a deadlock, or lacks disk space or memory for locks. Its error then has a hint for the operator,
/// and no position in the statement, as an error in the statement's text would have.
fn is_no_fault_of_statement(information: &(dyn DatabaseErrorInformation + Send + Sync)) -> bool {
    information.hint().is_some() && information.statement_position().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error information of PostgreSQL, with messages in a server's language.
    struct OfPostgres {
        details: Option<&'static str>,
        hint: Option<&'static str>,
        position: Option<i32>,
    }

    impl DatabaseErrorInformation for OfPostgres {
        fn message(&self) -> &'static str {
            "konnte Datei »base/1/2« nicht erweitern"
        }

        fn details(&self) -> Option<&str> {
            self.details
        }

        fn hint(&self) -> Option<&str> {
            self.hint
        }

        fn table_name(&self) -> Option<&str> {
            None
        }

        fn column_name(&self) -> Option<&str> {
            None
        }

        fn constraint_name(&self) -> Option<&str> {
            None
        }

        fn statement_position(&self) -> Option<i32> {
            self.position
        }
    }

    fn of_postgres(hint: Option<&'static str>, position: Option<i32>) -> StoreError {
        let information = Box::new(OfPostgres { details: None, hint, position });
        let error = Error::DatabaseError(DatabaseErrorKind::Unknown, information);
        Failure::from(error).into_store_error()
    }

    #[test]
    fn a_full_disk_of_postgresql_is_temporary_and_a_wrong_statement_is_not() {
        let full = of_postgres(Some("Prüfen Sie den freien Festplattenplatz."), None);
        assert!(matches!(full, StoreError::Unavailable(_)), "{full:?}");
        for (hint, position) in [(None, None), (None, Some(8)), (Some("Meinten Sie …?"), Some(8))]
        {
            let wrong = of_postgres(hint, position);
            assert!(matches!(wrong, StoreError::Failed(_)), "{wrong:?}");
        }
    }

    #[test]
    fn a_deadlock_has_details_and_a_hint() {
        for (details, hint, position, is_deadlock) in [
            (Some("Prozess 1 wartet auf …"), Some("Einzelheiten im Serverlog."), None, true),
            (None, Some("Prüfen Sie den freien Festplattenplatz."), None, false),
            (Some("Schlüssel »(id)=(1)«"), None, None, false),
            (Some("…"), Some("Meinten Sie …?"), Some(8), false),
        ] {
            let information = Box::new(OfPostgres { details, hint, position });
            let error = Error::DatabaseError(DatabaseErrorKind::Unknown, information);
            assert_eq!(Failure::from(error).is_deadlock(), is_deadlock, "{details:?} {hint:?}");
        }
    }

    /// An error without a kind, as SQLite and Citus report them.
    fn of_message(message: &str) -> StoreError {
        let information = Box::new(message.to_owned());
        let error = Error::DatabaseError(DatabaseErrorKind::Unknown, information);
        Failure::from(error).into_store_error()
    }

    #[test]
    fn a_write_that_the_file_system_refuses_may_succeed_later() {
        for message in ["disk I/O error", "database or disk is full"] {
            let error = of_message(message);
            assert!(matches!(error, StoreError::Unavailable(_)), "{message}: {error:?}");
        }
        assert!(matches!(of_message("no such table: contacts"), StoreError::Failed(_)));
    }

    #[test]
    fn a_node_of_a_cluster_that_stopped_may_answer_later() {
        for lost in [
            "could not commit transaction for shard 102009 on at least one active node",
            "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
        ] {
            assert!(matches!(of_message(lost), StoreError::Unavailable(_)), "{lost}");
        }
    }
}
