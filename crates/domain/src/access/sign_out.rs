//! End and list sessions.

use super::{AccessError, ListedSession, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::ids::{SessionId, UserId};

/// Ends the session.
pub async fn sign_out(
    ports: &AccessPorts,
    holder: &SessionHolder,
    call: &Call,
) -> Result<(), AccessError> {
    let session = &holder.session;
    // It may already have ended elsewhere, which is not an error.
    let now = ports.environment.clock.now();
    ports.sessions.end_session(session.user_id, session.id, call.clone(), now).await?;
    Ok(())
}

/// Ends another session of the user.
pub async fn end_session(
    ports: &AccessPorts,
    user: UserId,
    id: SessionId,
    call: &Call,
) -> Result<(), AccessError> {
    let now = ports.environment.clock.now();
    if ports.sessions.end_session(user, id, call.clone(), now).await? {
        Ok(())
    } else {
        Err(AccessError::SessionNotFound)
    }
}

/// Ends all sessions of the user.
pub async fn sign_out_everywhere(
    ports: &AccessPorts,
    user: UserId,
    call: &Call,
) -> Result<(), AccessError> {
    let now = ports.environment.clock.now();
    Ok(ports.sessions.end_sessions(user, call.clone(), now).await?)
}

/// The valid sessions of the user, the newest first.
pub async fn list_sessions(
    ports: &AccessPorts,
    user: UserId,
) -> Result<Vec<ListedSession>, AccessError> {
    let mut sessions = ports.sessions.sessions_of(user).await?;
    let now = ports.environment.clock.now();
    sessions.retain(|listed| listed.session.is_open(now));
    Ok(sessions)
}
