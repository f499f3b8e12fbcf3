//! Sign in with an email and a password.
//!
//! An email is unique in a company only, so the password decides which user is meant. Who chose one password in two
//! companies is the older user.

use std::net::{IpAddr, Ipv6Addr};

use super::{
    AccessError, Bucket, Password, RateLimited, Session, SessionHolder, SessionToken,
    SignInCandidate,
};
use crate::contacts::Email;
use crate::context::Ports;
use crate::given::Given;
use crate::ids::{SessionId, UserId};

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

/// Begins a session of the user with this email and password. What was wrong is not told. Attempts count for each email
/// and address together, and a successful one clears the count.
pub async fn sign_in(
    ports: &Ports,
    email: &str,
    password: &str,
    address: IpAddr,
) -> Result<SignedIn, AccessError> {
    // What is no address is nobody's identity, but has an attempt's cost like any other.
    let email = Given::from(email).required::<Email>();
    let identity = email.map(|email| email.identity().to_owned()).unwrap_or_default();
    let client = attempt(ports, identity.clone(), address)?;
    let password = Password::attempt(password).ok_or(AccessError::SignInRefused)?;
    let candidates = ports.sessions.candidates(identity, MAX_CANDIDATES).await?;
    let user = holder_of(ports, &password, candidates).await?.ok_or(AccessError::SignInRefused)?;
    let signed_in = begin(ports, user).await?;
    ports.rate_limiter.forget(&client, Bucket::SignIn);
    Ok(signed_in)
}

/// Counts an attempt, and refuses it when there were too many.
pub(super) fn attempt(
    ports: &Ports,
    identity: String,
    address: IpAddr,
) -> Result<RateLimited, AccessError> {
    let client = RateLimited::SignIn { identity, network: network(address) };
    let admission = ports.rate_limiter.admit(client.clone(), Bucket::SignIn, ports.clock.now());
    match admission.filter(|admission| !admission.is_admitted) {
        Some(refused) => Err(AccessError::TooManyAttempts(refused)),
        None => Ok(client),
    }
}

/// The user whose password it is.
async fn holder_of(
    ports: &Ports,
    password: &Password,
    candidates: Vec<SignInCandidate>,
) -> Result<Option<UserId>, AccessError> {
    if candidates.is_empty() {
        ports.passwords.verify(password.clone(), None).await?;
    }
    for candidate in candidates {
        if ports.passwords.verify(password.clone(), Some(candidate.password)).await? {
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
    (session, SessionToken::from_random(ports.chance.bytes()))
}

/// The session that was stored with this token.
pub(super) async fn signed_in(ports: &Ports, token: SessionToken) -> Result<SignedIn, AccessError> {
    let holder = ports.sessions.session(token.hash()).await?.ok_or(AccessError::Unauthenticated)?;
    Ok(SignedIn { token, holder })
}

fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::network;

    #[test]
    fn a_network_is_an_address_or_half_of_one() {
        for (address, expected) in [
            ("192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ] {
            let address = address.parse().expect("an address");
            assert_eq!(network(address).to_string(), expected);
        }
    }
}
