//! How an instance uses read replicas.

use std::time::Duration;

use crate::connections::url::DatabaseUrl;

/// The maximum number of read replicas of an instance.
pub const MAX_REPLICAS: usize = 8;

/// How an instance uses read replicas.
#[derive(Clone, Debug, Default)]
pub struct ReplicaOptions {
    /// Their addresses, at most [`MAX_REPLICAS`].
    pub urls: Vec<DatabaseUrl>,
    /// One that is further behind the primary is left out.
    pub lag: Duration,
}
