//! The audit: who did what, and when.
//!
//! An entry is stored in the transaction of what it records. Entries are never changed, and deleted only by their age.

mod action;
mod cursor;
mod entry;
mod list;
mod port;
mod query;
mod settings;

pub use action::AuditAction;
pub use cursor::AuditCursor;
pub use entry::{AuditEntry, NewAuditEntry};
pub use list::{list, record_company_export, record_contact_export, record_export};
#[cfg(any(test, feature = "mocks"))]
pub use port::MockAuditStore;
pub use port::{AuditPage, AuditStore};
pub use query::AuditQuery;
pub use settings::Settings;
