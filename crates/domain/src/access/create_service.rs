//! Create an API user for a service, with its first key.

use super::create_key::fresh_key;
use super::create_user::created;
use super::{AccessError, CreatedKey, KeyDraft, UserDraft};
use crate::author::Author;
use crate::context::AccessPorts;
use crate::ids::UserId;

/// Creates a user of the company and a key of it; both or none.
///
/// Rejected as [`create_user`](super::create_user()) rejects, and when the key is invalid.
pub async fn create_service(
    ports: &AccessPorts,
    by: Author,
    user: &UserDraft,
    key: &KeyDraft,
) -> Result<CreatedKey, AccessError> {
    let environment = &ports.environment;
    let id = UserId::new(environment.ids.next());
    let user = user.validate(id, by.company, environment.clock.now())?;
    let key = fresh_key(ports, id, key)?;
    let max = environment.limits.users;
    let stored = (key.key.clone(), key.token.hash());
    created(ports.access.create_user_with_key(by, user, max, stored).await?, max)?;
    Ok(key)
}
