//! Companies, and a caller of one.

use std::sync::Arc;

use super::{AccessError, Allowlist, Permission, Permissions};
use crate::ids::{CompanyId, DirectoryId, UserId};
use crate::input::{FromInput, Input};
use crate::text;
use crate::texts::texts;
use crate::time::Timestamp;
use crate::violations::Problem;

/// The longest company name, in code points.
pub const MAX_COMPANY_NAME: usize = 255;

texts! {
    /// A company's name.
    CompanyName, |text| text::name(text, MAX_COMPANY_NAME);
}

/// The maximum number of days of [`Days`].
pub const MAX_DAYS: u16 = 3650;

/// A number of days, from 1 to [`MAX_DAYS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days(u16);

impl Days {
    /// A stored number.
    #[must_use]
    pub fn from_stored(days: i32) -> Option<Self> {
        u16::try_from(days).ok().map(Self)
    }

    /// The number.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.0
    }
}

impl FromInput for Days {
    fn from_input(input: &Input) -> Result<Self, Problem> {
        let days = match input {
            Input::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        let days = days.filter(|days| (1..=MAX_DAYS).contains(days));
        days.map(Self).ok_or_else(|| {
            Problem::new(format!("must be an integer from 1 to {MAX_DAYS}, or null"))
        })
    }
}

/// A tenant. All data belongs to exactly one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    /// The service's id.
    pub id: CompanyId,
    /// The API directory that holds its fields.
    pub directory_id: DirectoryId,
    /// The name.
    pub name: CompanyName,
    /// Whether the account has the sending product's access.
    pub product_access: bool,
    /// The domains to which it sends.
    pub allowed_domains: Allowlist,
    /// After how many days deleted contacts are erased; `None` keeps them.
    pub erase_deleted_after: Option<Days>,
    /// Whether its users have to set up two-step verification.
    pub requires_two_step: bool,
    /// Whether its users may sign in with a password.
    pub password_sign_in: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The part of the caller's company that every request needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallerCompany {
    /// The company.
    pub id: CompanyId,
    /// Its API directory.
    pub directory_id: DirectoryId,
    /// Whether the account has the sending product's access.
    pub product_access: bool,
    /// The domains to which it sends.
    pub allowed_domains: Arc<Allowlist>,
    /// Whether it has blocked emails.
    pub has_blocked_emails: bool,
}

/// A user who is authenticated by a key or a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The user.
    pub user_id: UserId,
    /// The user's company.
    pub company: CallerCompany,
    /// The permissions.
    pub permissions: Permissions,
}

/// The requirement of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The permission, in an account with the product access.
    Product(Permission),
    /// The permission only. So a user who manages access can switch the product access on again.
    Account(Permission),
}

impl Caller {
    /// Rejects a caller without the product access or without the permission.
    pub fn require(&self, permission: Permission) -> Result<(), AccessError> {
        self.meet(Need::Product(permission))
    }

    /// Rejects a caller who does not meet the requirement of a call.
    pub fn meet(&self, need: Need) -> Result<(), AccessError> {
        let met = match need {
            Need::Product(permission) => {
                self.company.product_access && self.permissions.has(permission)
            }
            Need::Account(permission) => self.permissions.has(permission),
        };
        if met { Ok(()) } else { Err(AccessError::Denied) }
    }
}
