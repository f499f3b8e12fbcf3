//! API keys, without their tokens.

use super::Caller;
use crate::ids::{ApiKeyId, UserId};
use crate::time::Timestamp;

/// A permanent key of an API user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiKey {
    /// The service's id.
    pub id: ApiKeyId,
    /// Whose key it is.
    pub user_id: UserId,
    /// A label.
    pub name: String,
    /// The first characters of the token, by which a person tells keys apart.
    pub start: String,
    /// From this moment on it is invalid.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Who holds a key that is not revoked, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key.
    pub key_id: ApiKeyId,
    /// The caller that the key stands for.
    pub caller: Caller,
    /// From this moment on the key is invalid.
    pub expires_at: Option<Timestamp>,
}
