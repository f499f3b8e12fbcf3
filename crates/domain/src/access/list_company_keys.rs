//! List the API keys of all users of a company.

use super::{AccessError, ApiKey, Permissions};
use crate::context::{AccessPorts, Context};
use crate::email::Email;
use crate::page::{Page, PageRequest};

/// A key with what its user may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyKey {
    /// The key.
    pub key: ApiKey,
    /// The email of its user.
    pub email: Email,
    /// The permissions of its user, which are those of the key.
    pub permissions: Permissions,
}

/// A page of the keys of all users, including revoked and expired ones, by the users' emails and then the oldest first.
pub async fn list_company_keys(
    cx: &Context<'_, AccessPorts>,
    page: PageRequest,
) -> Result<Page<CompanyKey>, AccessError> {
    Ok(cx.ports.access.list_company_keys(cx.caller.company.id, page).await?)
}
