//! How a service uses its database.

use std::time::Duration;

use crate::connections::url::DatabaseUrl;
use crate::replicas::ReplicaOptions;

/// How a service uses its database.
#[derive(Clone, Debug)]
pub struct StorageOptions {
    /// Where the data is.
    pub url: DatabaseUrl,
    /// How many connections requests may use; on SQLite, how many readers in addition to the one writer. A few more are
    /// reserved for work that must not wait for requests.
    pub connections: u32,
    /// Whether the address leads to a pooler that pools by transaction.
    pub pooled: bool,
    /// How long a call waits for a connection, or for a silent database, before it fails.
    pub wait: Duration,
    /// How long a statement may run before it is cancelled.
    pub statement: Duration,
    /// The read replicas of a PostgreSQL.
    pub replicas: ReplicaOptions,
}
