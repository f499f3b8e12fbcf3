//! Find the holder of a token.

use std::sync::Arc;

use super::{AccessError, KeyHolder, Token, TokenHash};
use crate::context::AccessPorts;

/// The holder of a token that is known, not revoked and not expired.
pub async fn authenticate(ports: &AccessPorts, token: &str) -> Result<Arc<KeyHolder>, AccessError> {
    let token = Token::parse(token).ok_or(AccessError::Unauthenticated)?;
    authenticate_hash(ports, token.hash()).await
}

/// The same for the hash of a token.
pub(super) async fn authenticate_hash(
    ports: &AccessPorts,
    token: TokenHash,
) -> Result<Arc<KeyHolder>, AccessError> {
    let holder = ports.access.holder(token).await?.ok_or(AccessError::Unauthenticated)?;
    let now = ports.environment.clock.now();
    if holder.expires_at.is_some_and(|expiry| expiry <= now) {
        return Err(AccessError::Unauthenticated);
    }
    ports.key_uses.note(holder.key_id, now);
    ports.calls.note_key(holder.caller.company.id, holder.key_id, now);
    Ok(holder)
}
