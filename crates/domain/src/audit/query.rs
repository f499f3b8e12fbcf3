//! A request for entries of the audit.

use super::{AuditAction, AuditCursor};
use crate::ids::UserId;
use crate::page::DEFAULT_PAGE_SIZE;
use crate::time::Timestamp;
use uuid::Uuid;

/// Which entries are returned, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditQuery {
    /// Only those of this user.
    pub actor: Option<UserId>,
    /// Only this action.
    pub action: Option<AuditAction>,
    /// Only what was done to this thing.
    pub object: Option<Uuid>,
    /// Only those at this moment or later.
    pub from: Option<Timestamp>,
    /// Only those at this moment or earlier.
    pub to: Option<Timestamp>,
    /// Only those after this one in the list.
    pub after: Option<AuditCursor>,
    /// The maximum number of entries, from 1 to [`MAX_PAGE_SIZE`](crate::page::MAX_PAGE_SIZE).
    pub size: u32,
}

impl Default for AuditQuery {
    fn default() -> Self {
        let (actor, action, object, from, to, after) = (None, None, None, None, None, None);
        Self { actor, action, object, from, to, after, size: DEFAULT_PAGE_SIZE }
    }
}
