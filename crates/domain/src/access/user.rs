//! API users.

use super::{Permission, Permissions};
use crate::email::Email;
use crate::ids::{CompanyId, UserId};
use crate::time::Timestamp;

/// A user of one company, with permissions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The service's id.
    pub id: UserId,
    /// The user's company.
    pub company_id: CompanyId,
    /// Unique in the company by its identity.
    pub email: Email,
    /// The permissions.
    pub permissions: Permissions,
    /// When the user was created.
    pub created_at: Timestamp,
}

impl User {
    /// Whether the user may manage access.
    #[must_use]
    pub fn manages_access(&self) -> bool {
        self.permissions.has(Permission::ManageAccess)
    }
}
