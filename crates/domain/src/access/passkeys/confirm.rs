//! Confirm who is signed in by a passkey.

use std::net::IpAddr;

use super::challenge::{Bound, ChallengePurpose, PasskeyRequest, begin, take};
use super::proof::{Answered, prove, verifier};
use crate::access::attempt::Attempt;
use crate::access::{AccessError, Session, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::violations::{Problem, Violations};

const fn bound(holder: &SessionHolder) -> Bound {
    Bound { purpose: ChallengePurpose::Confirm, session: Some(holder.session.id) }
}

/// Asks the browser for a proof with a passkey of the signed-in user.
pub async fn begin_passkey_confirmation(
    ports: &AccessPorts,
    holder: &SessionHolder,
    address: IpAddr,
) -> Result<PasskeyRequest, AccessError> {
    let verifier = verifier(ports)?;
    let own = ports.passkeys.credential_ids(holder.session.user_id).await?;
    if own.is_empty() {
        return Err(AccessError::PasskeyNotFound);
    }
    begin(ports, verifier.begin_proof(&own), bound(holder), address).await
}

/// Succeeds if the answer was made with a passkey of the signed-in user; the session is fresh from then on. Refused answers
/// count as failed attempts to sign in.
pub async fn confirm_with_passkey(
    ports: &AccessPorts,
    holder: &SessionHolder,
    token: &str,
    answer: &str,
    address: IpAddr,
    call: &Call,
) -> Result<Session, AccessError> {
    match confirmed(ports, holder, token, answer, address, call).await {
        Err(AccessError::SignInRefused) => Err(refused().into()),
        other => other,
    }
}

async fn confirmed(
    ports: &AccessPorts,
    holder: &SessionHolder,
    token: &str,
    answer: &str,
    address: IpAddr,
    call: &Call,
) -> Result<Session, AccessError> {
    let attempt = Attempt::from(ports, address).await?;
    let state = take(ports, token, bound(holder)).await?.ok_or(AccessError::SignInRefused)?;
    let answered = Answered { state, answer, only: Some(holder.session.user_id) };
    let (attempt, used) = prove(ports, attempt, answered, call).await?;
    let (session, now) = (holder.session, used.at);
    if !ports.passkeys.confirm_with_passkey(used, session.id).await? {
        return Err(AccessError::SignInRefused);
    }
    attempt.succeeded();
    Ok(Session { confirmed_at: now, ..session })
}

fn refused() -> Violations {
    Violations::one("passkey", Problem::new("was not accepted or took too long. Try again"))
}
