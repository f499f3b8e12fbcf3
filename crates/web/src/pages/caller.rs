//! The signed-in person, from the guard.

use contact_hub_domain::access::{self, Need, Permission, SessionHolder};
use contact_hub_domain::ids::CompanyId;

use super::notice::ShownNotice;
use crate::extract::{CallerOf, Holder};

/// What the guard knows of a person.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// The session's holder.
    pub(crate) holder: SessionHolder,
    /// The token in the session's forms.
    pub(crate) csrf: String,
    /// The notice at the top of the page.
    pub(crate) notice: Option<ShownNotice>,
    /// Whether the browser takes secure cookies.
    pub(crate) is_secure: bool,
}

impl Person {
    /// The person's company.
    pub(crate) const fn company(&self) -> CompanyId {
        self.holder.caller.company.id
    }

    /// Whether the person manages users, keys and the company, for which the product access is not needed.
    pub(crate) fn manages_access(&self) -> bool {
        manages_access(&self.holder.caller)
    }

    /// Whether the person has one of these permissions.
    pub(crate) fn may_any(&self, permissions: &[Permission]) -> bool {
        may_any(&self.holder.caller, permissions)
    }
}

/// Whether a caller manages users, keys and the company.
pub(super) fn manages_access(caller: &access::Caller) -> bool {
    caller.meet(Need::Account(Permission::ManageAccess)).is_ok()
}

/// Whether a caller has one of these permissions.
pub(super) fn may_any(caller: &access::Caller, permissions: &[Permission]) -> bool {
    permissions.iter().any(|it| caller.require(*it).is_ok())
}

impl Holder for Person {
    fn caller(&self) -> &access::Caller {
        &self.holder.caller
    }
}

/// A caller with a session.
pub(crate) type PageCaller = CallerOf<Person>;

impl PageCaller {
    /// The session's holder.
    pub(crate) const fn holder(&self) -> &SessionHolder {
        &self.who.holder
    }

    /// Whether the person may do what needs this permission.
    pub(crate) fn may(&self, permission: Permission) -> bool {
        self.who.may_any(&[permission])
    }
}
