//! The challenges of ceremonies. Each is stored until it is answered. Only the browser that asked for it can answer,
//! because its token is in a cookie. An answer uses up its challenge, even if the answer is refused.

use std::net::IpAddr;

use strum::{EnumCount, IntoStaticStr, VariantArray};

use super::verifier::{Ceremony, CeremonyError};
use crate::access::{AccessError, ClientNetwork, SessionToken, TokenHash};
use crate::context::AccessPorts;
use crate::ids::SessionId;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// A challenge can be answered for this many seconds.
pub const CHALLENGE_SECONDS: i64 = 5 * 60;

/// The maximum number of open challenges of one network. A further one replaces the oldest.
pub const MAX_CHALLENGES_OF_NETWORK: u32 = 100;

/// The maximum number of open challenges in total. A further one replaces the oldest.
pub const MAX_CHALLENGES: u32 = 10_000;

/// What an answer to a challenge is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumCount, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum ChallengePurpose {
    /// A new passkey.
    Register,
    /// Signing in.
    SignIn,
    /// Confirming who is signed in.
    Confirm,
}

/// What a challenge is bound to in addition to its browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// What the answer is for.
    pub purpose: ChallengePurpose,
    /// The session; `None` when somebody signs in.
    pub session: Option<SessionId>,
}

/// A challenge that has not been answered yet.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// The hash of the browser's token.
    pub token: TokenHash,
    /// What it is bound to.
    pub bound: Bound,
    /// The network from which it was requested.
    pub network: ClientNetwork,
    /// The state that the verifier needs at the end.
    pub state: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The data with which a browser can answer a challenge.
#[derive(Clone, Debug)]
pub struct PasskeyRequest {
    /// For the script, as JSON.
    pub options: String,
    /// For the cookie.
    pub token: SessionToken,
}

/// Stores the challenge of a ceremony that begins.
pub(super) async fn begin(
    ports: &AccessPorts,
    ceremony: Result<Ceremony, CeremonyError>,
    bound: Bound,
    address: IpAddr,
) -> Result<PasskeyRequest, AccessError> {
    let ceremony = ceremony.map_err(|error| StoreError::Failed(Box::new(error)))?;
    let token = SessionToken::from_random(ports.environment.randomness.bytes());
    let challenge = Challenge {
        token: token.hash(),
        bound,
        network: ClientNetwork::from(address),
        state: ceremony.state,
        created_at: ports.environment.clock.now(),
    };
    ports.passkeys.save_challenge(challenge).await?;
    Ok(PasskeyRequest { options: ceremony.options, token })
}

/// Uses up the challenge of this browser; `None` when it is used, expired, or bound to something else.
pub(super) async fn take(
    ports: &AccessPorts,
    token: &str,
    bound: Bound,
) -> Result<Option<String>, AccessError> {
    let Some(token) = SessionToken::parse(token) else { return Ok(None) };
    let after = ports.environment.clock.now().plus_seconds(-CHALLENGE_SECONDS);
    Ok(ports.passkeys.take_challenge(token.hash(), bound, after).await?)
}
