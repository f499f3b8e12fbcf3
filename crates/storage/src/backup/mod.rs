//! Copies of a database: made while it is in use, read back, and checked before they replace anything.

mod contents;
mod copy;
mod destination;
mod error;
mod snapshot;

pub use contents::{CheckDepth, DatabaseContents, check_copy, contents, judge_schema};
pub use copy::{CopyProgress, copy_database, database_bytes};
pub use destination::{Destination, destination};
pub use error::BackupError;
pub use snapshot::{ExportedSnapshot, export_snapshot};
