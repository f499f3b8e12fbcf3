//! Sign in with an email and a password.
//!
//! An email is unique in a company only, so the password decides which user is meant. Who chose one password in two
//! companies is the older user.

use std::net::IpAddr;

use super::attempt::Attempt;
use super::{AccessError, Password, Session, SessionHolder, SessionToken, SignInCandidate};
use crate::context::Ports;
use crate::email::Email;
use crate::ids::{SessionId, UserId};
use crate::input::FromText;

/// How many users with one email are tried.
const MAX_CANDIDATES: u32 = 8;

/// A session that began.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Its secret, for the cookie.
    pub token: SessionToken,
    /// Who is signed in.
    pub holder: SessionHolder,
}

/// Begins a session of the user with this email and password. What was wrong is not told. Attempts count for each
/// network, and for each email and network together; a successful one does not. A text that cannot be a password is refused
/// before anything is counted.
pub async fn sign_in(
    ports: &Ports,
    email: &str,
    password: &str,
    address: IpAddr,
) -> Result<SignedIn, AccessError> {
    let password = Password::attempt(password).ok_or(AccessError::SignInRefused)?;
    let attempt = Attempt::from(ports, address)?;
    // What is no address is nobody's identity, but has an attempt's cost like any other.
    let identity =
        Email::from_text(email).map(|email| email.identity().to_owned()).unwrap_or_default();
    let attempt = attempt.with(identity.clone())?;
    let candidates = ports.sessions.candidates(identity, MAX_CANDIDATES).await?;
    let user = holder_of(ports, &password, candidates, address).await?;
    let user = user.ok_or(AccessError::SignInRefused)?;
    let signed_in = begin(ports, user).await?;
    attempt.succeeded();
    Ok(signed_in)
}

/// The user whose password it is.
async fn holder_of(
    ports: &Ports,
    password: &Password,
    candidates: Vec<SignInCandidate>,
    address: IpAddr,
) -> Result<Option<UserId>, AccessError> {
    if candidates.is_empty() {
        ports.passwords.verify(password.clone(), None, address).await?;
    }
    for candidate in candidates {
        let hash = Some(candidate.password);
        if ports.passwords.verify(password.clone(), hash, address).await? {
            return Ok(Some(candidate.user));
        }
    }
    Ok(None)
}

async fn begin(ports: &Ports, user: UserId) -> Result<SignedIn, AccessError> {
    let (session, token) = fresh_session(ports, user);
    if ports.sessions.create_session(session, token.hash()).await? {
        signed_in(ports, token).await
    } else {
        Err(AccessError::SignInRefused)
    }
}

/// A session of the user that begins now.
pub(super) fn fresh_session(ports: &Ports, user: UserId) -> (Session, SessionToken) {
    let (id, now) = (SessionId::new(ports.ids.next()), ports.clock.now());
    let session = Session { id, user_id: user, created_at: now, seen_at: now };
    (session, SessionToken::from_random(ports.randomness.bytes()))
}

/// The session that was stored with this token.
pub(super) async fn signed_in(ports: &Ports, token: SessionToken) -> Result<SignedIn, AccessError> {
    let holder = ports.sessions.session(token.hash()).await?.ok_or(AccessError::Unauthenticated)?;
    Ok(SignedIn { token, holder })
}
