//! The permissions of users.

use strum::{EnumCount, IntoStaticStr, VariantArray};

use crate::input::FromText;
use crate::violations::Problem;
use crate::words::one_of;

/// One permission, granted to a user by an administrator.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumCount, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "snake_case")]
pub enum Permission {
    /// The contacts interface.
    ContactsApi,
    /// Asset content and sync status.
    DownloadEmail,
    /// The management interface.
    ManageIntegrations,
    /// Request a sync.
    Publish,
    /// Users, keys and the company. A user who has it can grant every other permission.
    ManageAccess,
}

impl Permission {
    const fn bit(self) -> i16 {
        match self {
            Self::ContactsApi => 1,
            Self::DownloadEmail => 1 << 1,
            Self::ManageIntegrations => 1 << 2,
            Self::Publish => 1 << 3,
            Self::ManageAccess => 1 << 4,
        }
    }
}

impl FromText for Permission {
    fn from_text(text: &str) -> Result<Self, Problem> {
        one_of(text, &Self::ALL)
    }
}

/// A set of permissions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions(i16);

impl Permissions {
    /// Every permission.
    #[must_use]
    pub fn all() -> Self {
        Permission::ALL.into_iter().collect()
    }

    /// Whether the set contains it.
    #[must_use]
    pub const fn has(self, permission: Permission) -> bool {
        self.0 & permission.bit() != 0
    }

    /// The permissions of the set.
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.into_iter().filter(move |permission| self.has(*permission))
    }

    /// The stored form: one bit for each permission.
    #[must_use]
    pub const fn bits(self) -> i16 {
        self.0
    }

    /// Reads the stored form; bits without a permission are ignored.
    #[must_use]
    pub fn from_bits(bits: i16) -> Self {
        Permission::ALL.into_iter().filter(|permission| bits & permission.bit() != 0).collect()
    }
}

impl FromIterator<Permission> for Permissions {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        Self(permissions.into_iter().fold(0, |bits, permission| bits | permission.bit()))
    }
}
