//! The errors of use cases on contacts, in the interface's terms.

use crate::ids::ContactId;
use crate::ports::StoreError;
use crate::violations::Violations;

/// Why a use case on contacts failed.
#[derive(Debug, thiserror::Error)]
pub enum ContactsError {
    /// The request has these violations.
    #[error("the request is invalid")]
    Invalid(Violations),
    /// The company has an allowlist of recipient domains, and this one is not on it.
    #[error("the email's domain is not on the company's recipient domain allowlist")]
    DomainNotAllowed,
    /// The company has no such active contact.
    #[error("the contact does not exist")]
    NotFound,
    /// This active contact has the email.
    #[error("the contact {0} already has this email")]
    AlreadyExists(ContactId),
    /// A deleted contact has the email.
    #[error("a deleted contact has this email")]
    EmailOfDeleted,
    /// The email is blocked, because the person who had it was erased.
    #[error("the person who had this email was erased")]
    Erased,
    /// The contact has changed since the version that the request names.
    #[error("the contact has changed since")]
    Stale,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Violations> for ContactsError {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}
