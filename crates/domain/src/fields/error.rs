//! The errors of use cases on fields, in the interface's terms.

use super::Field;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on fields failed.
#[derive(Debug, thiserror::Error)]
pub enum FieldsError {
    /// The request has these violations.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The directory has this field with the derived key.
    #[error("the field \"{}\" already has the key {}", .0.name, .0.key)]
    AlreadyExists(Box<Field>),
    /// The company has no such field.
    #[error("the field does not exist")]
    NotFound,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for FieldsError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}
