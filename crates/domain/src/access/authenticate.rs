//! Find the holder of a token.

use std::sync::Arc;

use super::{AccessError, KeyHolder, Need, Token, TokenHash};
use crate::context::AccessPorts;

/// The holder of a token that is known, not revoked and not expired.
pub async fn authenticate(ports: &AccessPorts, token: &str) -> Result<Arc<KeyHolder>, AccessError> {
    let token = Token::parse(token).ok_or(AccessError::Unauthenticated)?;
    authenticate_hash(ports, token.hash()).await
}

/// Checks that the holder of a token still meets the requirement of a call, before a call that waited is answered. The
/// check does not count as a further use of the key.
pub async fn authenticate_again(
    ports: &AccessPorts,
    token: &str,
    need: Need,
) -> Result<(), AccessError> {
    let token = Token::parse(token).ok_or(AccessError::Unauthenticated)?;
    valid(ports, token.hash()).await?.caller.meet(need)
}

/// The same as [`authenticate`] for the hash of a token.
pub(super) async fn authenticate_hash(
    ports: &AccessPorts,
    token: TokenHash,
) -> Result<Arc<KeyHolder>, AccessError> {
    let holder = valid(ports, token).await?;
    let now = ports.environment.clock.now();
    ports.key_uses.note(holder.key_id, now);
    ports.calls.note_key(holder.caller.company.id, holder.key_id, now);
    Ok(holder)
}

async fn valid(ports: &AccessPorts, token: TokenHash) -> Result<Arc<KeyHolder>, AccessError> {
    let holder = ports.access.holder(token).await?.ok_or(AccessError::Unauthenticated)?;
    let now = ports.environment.clock.now();
    if holder.expires_at.is_some_and(|expiry| expiry <= now) {
        return Err(AccessError::Unauthenticated);
    }
    Ok(holder)
}
