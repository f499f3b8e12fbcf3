//! Why a call to the database failed before its unit of work ended.

use metrics::counter;

use contact_hub_domain::ports::StoreError;

use crate::permits::QueueFull;

/// Why a call failed before its unit ended.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(crate) enum DispatchError {
    #[error("no connection became free in time")]
    Busy,
    #[error("the database does not answer")]
    Silent,
    #[error("the connection to the database is lost")]
    Lost,
    #[error("the statement took too long")]
    Slow,
    #[error(transparent)]
    QueueFull(#[from] QueueFull),
}

impl DispatchError {
    /// Why a call failed, if its unit did not end.
    pub(crate) fn of(error: &StoreError) -> Option<Self> {
        match error {
            StoreError::Unavailable(cause) => cause.downcast_ref().copied(),
            StoreError::Corrupt(_) | StoreError::Failed(_) => None,
        }
    }

    /// The label of its metric.
    const fn cause(self) -> &'static str {
        match self {
            Self::Busy => "busy",
            Self::Silent => "silent",
            Self::Lost => "lost",
            Self::Slow => "slow",
            Self::QueueFull(_) => "queue_full",
        }
    }
}

impl From<DispatchError> for StoreError {
    fn from(error: DispatchError) -> Self {
        counter!("contact_hub_db_calls_failed_total", "cause" => error.cause()).increment(1);
        Self::Unavailable(Box::new(error))
    }
}
