//! Why a database was not copied, or a copy is not usable.

use std::io::ErrorKind;

use contact_hub_domain::ports::StoreError;
use rusqlite::ErrorCode;

use crate::failure::Failure;
use crate::migrate::AnyError;

/// Why a database was not copied, or a copy is not usable.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The caller cancelled it.
    #[error("it was cancelled")]
    Cancelled,
    /// No space is left for the copy.
    #[error("the disk is full")]
    DiskFull,
    /// The file is damaged; the first finding.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The file or archive is something else.
    #[error("it is not a database of Contact Hub")]
    Foreign,
    /// The database's error.
    #[error(transparent)]
    Database(AnyError),
}

impl From<rusqlite::Error> for BackupError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Self::Damaged(error.to_string()),
            _ => Self::Database(error.into()),
        }
    }
}

impl From<Failure> for BackupError {
    fn from(failure: Failure) -> Self {
        Self::Database(failure.into())
    }
}

impl From<diesel::result::Error> for BackupError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Database(error.into())
    }
}

impl From<StoreError> for BackupError {
    fn from(error: StoreError) -> Self {
        Self::Database(error.into())
    }
}

impl From<std::io::Error> for BackupError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                Self::DiskFull
            }
            _ => Self::Database(error.into()),
        }
    }
}
