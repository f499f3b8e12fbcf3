//! What can come of a use case on fields, in the interface's words.

use super::Field;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on fields was refused.
#[derive(Debug, thiserror::Error)]
pub enum FieldsError {
    /// The request breaks these rules.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The directory has this field with the derived key.
    #[error("the field \"{}\" already has the key {}", .0.name, .0.key)]
    AlreadyExists(Box<Field>),
    /// The company has no such field.
    #[error("the field does not exist")]
    NotFound,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for FieldsError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}
