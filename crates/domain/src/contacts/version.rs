//! Versions, by which a client says: only if it is still what I saw.

use crate::time::Timestamp;

/// The version at which a contact is expected. A contact's version is the moment of its last change, which rises with
/// every change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Whatever it is.
    #[default]
    Any,
    /// One of these.
    OneOf(Vec<Timestamp>),
}

impl ExpectedVersion {
    /// Whether a contact at this version is as expected.
    #[must_use]
    pub fn permits(&self, version: Timestamp) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(versions) => versions.contains(&version),
        }
    }
}
