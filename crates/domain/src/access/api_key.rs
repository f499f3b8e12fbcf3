//! API keys, without their tokens.

use super::Caller;
use crate::ids::{ApiKeyId, UserId};
use crate::time::Timestamp;

/// A permanent key of an API user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The service's id.
    pub id: ApiKeyId,
    /// The user that it belongs to.
    pub user_id: UserId,
    /// A label.
    pub name: String,
    /// The first characters of the token, by which people recognize the key.
    pub start: String,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The holder of a key that is not revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key.
    pub key_id: ApiKeyId,
    /// The caller.
    pub caller: Caller,
    /// When the key expires.
    pub expires_at: Option<Timestamp>,
}
