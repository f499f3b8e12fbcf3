//! Who shows this token?

use std::sync::Arc;

use super::{AccessError, KeyHolder, Token};
use crate::context::Ports;

/// The holder of a token that is known, not revoked and not expired.
pub async fn authenticate(ports: &Ports, token: &str) -> Result<Arc<KeyHolder>, AccessError> {
    let token = Token::parse(token).ok_or(AccessError::Unauthenticated)?;
    let holder = ports
        .access
        .holder(token.hash())
        .await?
        .ok_or(AccessError::Unauthenticated)?;
    match holder.expires_at {
        Some(expiry) if expiry <= ports.clock.now() => Err(AccessError::Unauthenticated),
        _ => Ok(holder),
    }
}
