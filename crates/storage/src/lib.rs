//! The store ports on SQLite and PostgreSQL.
//!
//! A port method is one call of `Storage::read` or `write`: one hop to a blocking thread, one connection, one
//! transaction. The statements are in the capability's folder; the pieces in which the two databases differ are in
//! `dialect/`, which uses no capability. Statements are text with `?` for each bound value, and are prepared once for
//! each connection.
//!
//! # To add a table
//!
//! 1. A pair of migrations of one name, `migrations/{postgres,sqlite}/<date>_<what>/{up,down}.sql`. Every row belongs
//!    to a company, and every index that serves a list begins with it.
//! 2. The port method in the domain, with its contract; its statements and rows here, in the capability's folder.
//! 3. A contract test in `tests/contract/<capability>.rs`; it runs on both databases.
//!
//! # Never here
//!
//! No HTTP and no rule: the domain decides what a row may contain. Merges of old and new values are functions of the
//! domain that are called inside the transaction.

mod access;
mod alerts;
mod audit;
mod backlog;
mod backup;
mod changes;
mod checkpoints;
mod clock;
mod cluster;
mod columns;
mod company_walk;
mod connection;
mod connections;
mod contacts;
mod counts;
mod deferred;
mod dialect;
mod dispatch;
mod dispatch_error;
mod expiry;
mod failure;
mod fields;
mod health;
mod heartbeat;
mod idempotency;
mod inspection;
mod live;
mod live_watch;
mod log_upkeep;
mod migrate;
mod overview;
mod paged;
mod permits;
mod plans;
mod read_batcher;
mod reader;
mod recorded;
mod replicas;
mod room;
mod sealed;
mod seen;
mod shared_error;
mod sizes;
mod start;
mod statement;
mod statistics;
mod storage;
mod storage_options;
mod sync;
mod task;
#[cfg(test)]
mod tests;
mod transaction;
mod two_phases;
mod units;
mod waiting;
mod webhooks;
mod write_batches;

pub use access::{CompanyDeletion, DeletedRows, SharedQuotas};
pub use backup::{
    BackupError, CheckDepth, CopyProgress, DatabaseContents, Destination, ExportedSnapshot,
    check_copy, contents, copy_database, database_bytes, destination, export_snapshot,
    judge_schema,
};
pub use changes::{expire_cursors, expire_cursors_of_copy};
pub use checkpoints::Checkpoints;
pub use clock::DatabaseClock;
pub use cluster::distribute;
pub use connections::url::{DatabaseUrl, DatabaseUrlError};
pub use contacts::{ListLimits, ValueIndexing};
pub use deferred::DeferredWrites;
pub use expiry::Expiry;
pub use health::DatabaseHealth;
pub use inspection::{IndexedValues, Inspection, Queues, Recount};
pub use log_upkeep::WriteAheadLog;
pub use migrate::{MigrationState, migrate, migration_state};
pub use plans::{RecordedPlan, record_plans, take_plans};
pub use replicas::{MAX_REPLICAS, ReplicaOptions};
pub use seen::{SeenValue, seen_values};
pub use sizes::DatabaseSizes;
pub use statistics::Statistics;
pub use storage::Storage;
pub use storage_options::StorageOptions;
