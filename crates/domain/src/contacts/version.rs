//! Versions, by which a client makes a change conditional.

use crate::time::Timestamp;

/// The expected version of a contact. The version is the time of the last change, which increases with every change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Any version.
    #[default]
    Any,
    /// One of these.
    OneOf(Vec<Timestamp>),
}

impl ExpectedVersion {
    /// Whether this version is expected.
    #[must_use]
    pub fn permits(&self, version: Timestamp) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(versions) => versions.contains(&version),
        }
    }
}
