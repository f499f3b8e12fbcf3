//! The second step of signing in.

use std::net::IpAddr;

use super::port::Completion;
use super::proof::proof_of;
use crate::access::attempt::Attempt;
use crate::access::sign_in::{note_failure, signed_in};
use crate::access::{AccessError, SessionHolder, SessionToken, SignedIn};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::time::Timestamp;

/// A session awaits its second step for this many seconds.
pub const SECOND_STEP_SECONDS: i64 = 10 * 60;

/// Opens the session that awaits a code, under a new token. Wrong codes count and are recorded as failed attempts to sign
/// in, and so are those that were used before. When the session no longer awaits one, signing in has to begin again.
pub async fn second_step(
    ports: &AccessPorts,
    token: &str,
    code: &str,
    address: IpAddr,
    call: &Call,
) -> Result<SignedIn, AccessError> {
    let token = SessionToken::parse(token).ok_or(AccessError::Unauthenticated)?;
    let holder = ports.sessions.session(token.hash()).await?;
    let now = ports.environment.clock.now();
    let holder = holder.filter(|it| awaits(it, now)).ok_or(AccessError::Unauthenticated)?;
    let mut attempt =
        Attempt::from(ports, address).await?.with(holder.email.identity().to_owned()).await?;
    let user = holder.session.user_id;
    let token = SessionToken::from_random(ports.environment.randomness.bytes());
    if let Some(proof) = proof_of(ports, &mut attempt, user, code, now).await? {
        let (session, hash, call) = (holder.session.id, token.hash(), call.clone());
        let completion = Completion { session, user, proof, token: hash, call, at: now };
        if ports.two_step.complete(completion).await? {
            attempt.succeeded();
            return signed_in(ports, token).await;
        }
    }
    note_failure(ports, vec![(holder.caller.company.id, user)], None, call);
    Err(AccessError::SignInRefused)
}

fn awaits(holder: &SessionHolder, now: Timestamp) -> bool {
    holder.awaits_code && now < holder.session.created_at.plus_seconds(SECOND_STEP_SECONDS)
}
