//! Where each interface begins.

/// Where the contacts interface begins.
pub(crate) const CONTACTS_BASE: &str = "/api/public/v1";

/// Where the management interface begins.
pub(crate) const MANAGE_BASE: &str = "/api/manage/v1";
