//! Sign in with a passkey. It counts as two steps: the authenticator is one, and verifies the user as the other.

use std::net::IpAddr;

use super::challenge::{Bound, ChallengePurpose, PasskeyRequest, begin, take};
use super::proof::{Answered, prove, verifier};
use crate::access::attempt::Attempt;
use crate::access::sign_in::{fresh_session, signed_in};
use crate::access::{AccessError, Bucket, ClientNetwork, RateLimited, SignedIn};
use crate::author::Call;
use crate::context::AccessPorts;

const BOUND: Bound = Bound { purpose: ChallengePurpose::SignIn, session: None };

/// Asks a browser for a proof with any passkey. Counts as a call of the network without a session.
pub async fn begin_passkey_sign_in(
    ports: &AccessPorts,
    address: IpAddr,
) -> Result<PasskeyRequest, AccessError> {
    let client = RateLimited::Network(ClientNetwork::from(address));
    let now = ports.environment.clock.now();
    let state = ports.rate_limiter.acquire(client, Bucket::Pages, now).await;
    if let Some(refused) = state.filter(|state| !state.is_admitted) {
        return Err(AccessError::TooManyCalls(refused));
    }
    begin(ports, verifier(ports)?.begin_proof(&[]), BOUND, address).await
}

/// Begins a session of the passkey's user, which awaits no code. Refused answers count as failed attempts to sign in.
pub async fn sign_in_with_passkey(
    ports: &AccessPorts,
    token: &str,
    answer: &str,
    address: IpAddr,
    call: &Call,
) -> Result<SignedIn, AccessError> {
    let attempt = Attempt::from(ports, address).await?;
    let state = take(ports, token, BOUND).await?.ok_or(AccessError::SignInRefused)?;
    let answered = Answered { state, answer, only: None };
    let (attempt, used) = prove(ports, attempt, answered, call).await?;
    let (session, token) = fresh_session(ports, used.user);
    let store = &ports.passkeys;
    if !store.sign_in_with_passkey(used, session, token.hash(), call.clone()).await? {
        return Err(AccessError::SignInRefused);
    }
    attempt.succeeded();
    signed_in(ports, token).await
}
