//! What a driver's error means to the port.

use diesel::result::{DatabaseErrorKind, Error};

use contact_hub_domain::ports::StoreError;

/// A unit of work that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The driver's error.
    #[error(transparent)]
    Driver(#[from] Error),
    /// A row breaks an invariant: where, and what.
    #[error("{0}")]
    Corrupt(String),
    /// Another transaction created what this one was about to; a fresh one sees it.
    #[error("another transaction came first")]
    Overtaken,
}

/// The messages by which the databases say that a later try may succeed; their drivers give no code for these.
const PASSING: [&str; 12] = [
    "statement timeout",
    "lock timeout",
    "deadlock detected",
    "database is locked",
    "database table is locked",
    "database or disk is full",
    "unable to open database file",
    "starting up",
    "shutting down",
    "terminating connection",
    "too many clients",
    "read-only transaction",
];

impl Failure {
    /// Whether the statement, not the service, may be at fault, so that the same unit may succeed later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Driver(Error::DatabaseError(kind, information)) => match kind {
                DatabaseErrorKind::ClosedConnection
                | DatabaseErrorKind::UnableToSendCommand
                | DatabaseErrorKind::SerializationFailure => true,
                _ => PASSING.iter().any(|passing| information.message().contains(passing)),
            },
            Self::Driver(Error::BrokenTransactionManager) | Self::Overtaken => true,
            Self::Driver(_) | Self::Corrupt(_) => false,
        }
    }

    /// The port's word for it.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Corrupt(what) => StoreError::Corrupt(what),
            failure @ (Self::Driver(_) | Self::Overtaken) if failure.is_passing() => {
                StoreError::Unavailable(Box::new(failure))
            }
            Self::Driver(Error::DeserializationError(error)) => {
                StoreError::Corrupt(error.to_string())
            }
            failure @ (Self::Driver(_) | Self::Overtaken) => StoreError::Failed(Box::new(failure)),
        }
    }
}
