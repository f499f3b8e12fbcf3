//! Sign in with an email and a password.
//!
//! An email is unique in a company only, so the password determines the user. If several users have the same email and
//! password, the oldest signs in.

use std::net::IpAddr;

use serde_json::Map;

use super::attempt::Attempt;
use super::{
    AccessError, Password, PasswordHash, Session, SessionHolder, SessionToken, SignInCandidate,
};
use crate::audit::{AuditAction, NewAuditEntry};
use crate::author::{Author, Call};
use crate::context::AccessPorts;
use crate::email::Email;
use crate::ids::{CompanyId, SessionId, UserId};
use crate::input::FromText;

/// The maximum number of users with one email that are tried.
const MAX_CANDIDATES: u32 = 8;

/// The reason that the audit has for an attempt with the right password.
const PASSWORD_SIGN_IN_OFF: &str = "password_sign_in_off";

/// A new session.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignedIn {
    /// Its secret, for the cookie.
    pub token: SessionToken,
    /// The user, who is signed in unless the session awaits a code.
    pub holder: SessionHolder,
}

/// Begins a session of the user with this email and password, which awaits a code if the user has two-step verification.
/// The error does not reveal which of them is wrong. Only if both are right does it reveal that the company does not
/// allow sign-in by password, and the attempt still counts as failed. Failed attempts count for the network, and for
/// the email and network. A text that cannot be a password is rejected without being counted.
pub async fn sign_in(
    ports: &AccessPorts,
    email: &str,
    password: &str,
    address: IpAddr,
    call: &Call,
) -> Result<SignedIn, AccessError> {
    let password = Password::attempt(password).ok_or(AccessError::SignInRefused)?;
    let attempt = Attempt::from(ports, address).await?;
    // A malformed email gets an identity that no user has, and takes as long as any other email.
    let identity =
        Email::from_text(email).map(|email| email.identity().to_owned()).unwrap_or_default();
    let attempt = attempt.with(identity.clone()).await?;
    let candidates = ports.sessions.candidates(identity, MAX_CANDIDATES).await?;
    let known: Vec<_> = candidates.iter().map(|it| (it.company, it.user)).collect();
    let (user, compared) = match holder_of(ports, &password, candidates, address).await? {
        Holder::User(user, compared) => (user, compared),
        Holder::Nobody => {
            note_failure(ports, known, None, call);
            return Err(AccessError::SignInRefused);
        }
        Holder::MayNot(company, user) => {
            note_failure(ports, vec![(company, user)], Some(PASSWORD_SIGN_IN_OFF), call);
            return Err(AccessError::PasswordSignInOff(company));
        }
    };
    let signed_in = begin(ports, user, compared, call).await?;
    attempt.succeeded();
    Ok(signed_in)
}

/// Who has a password.
enum Holder {
    /// This user, with the hash of the password.
    User(UserId, Option<PasswordHash>),
    /// This user, whose company does not allow sign-in by password.
    MayNot(CompanyId, UserId),
    /// No user.
    Nobody,
}

/// The user with this password, preferably one who may sign in with it. The number of hashes that are compared for a
/// wrong password does not depend on whether a company allows that.
async fn holder_of(
    ports: &AccessPorts,
    password: &Password,
    candidates: Vec<SignInCandidate>,
    address: IpAddr,
) -> Result<Holder, AccessError> {
    let mut holder = Holder::Nobody;
    if candidates.is_empty() {
        ports.passwords.verify(password.clone(), None, address).await?;
    }
    for candidate in candidates {
        let hash = candidate.password;
        if ports.passwords.verify(password.clone(), hash.clone(), address).await? {
            if candidate.password_sign_in {
                return Ok(Holder::User(candidate.user, hash));
            }
            holder = Holder::MayNot(candidate.company, candidate.user);
        }
    }
    Ok(holder)
}

/// Notes the attempt for the audit of every user with the email, with the reason unless it is a wrong proof.
pub(super) fn note_failure(
    ports: &AccessPorts,
    known: Vec<(CompanyId, UserId)>,
    reason: Option<&'static str>,
    call: &Call,
) {
    let now = ports.environment.clock.now();
    ports.failed_sign_ins.note(known.into_iter().map(|(company, user)| {
        let by = Author { company, user: None, call: call.clone() };
        let mut entry = NewAuditEntry::of(&by, AuditAction::SignInFailed, user.uuid(), now);
        entry.new = reason.map(|reason| Map::from_iter([("reason".to_owned(), reason.into())]));
        entry
    }));
}

async fn begin(
    ports: &AccessPorts,
    user: UserId,
    compared: Option<PasswordHash>,
    call: &Call,
) -> Result<SignedIn, AccessError> {
    let (session, token) = fresh_session(ports, user);
    if ports.sessions.create_session(session, token.hash(), compared, call.clone()).await? {
        signed_in(ports, token).await
    } else {
        Err(AccessError::SignInRefused)
    }
}

/// A session of the user that begins now.
pub(super) fn fresh_session(ports: &AccessPorts, user: UserId) -> (Session, SessionToken) {
    let (id, now) = (SessionId::new(ports.environment.ids.next()), ports.environment.clock.now());
    let session = Session { id, user_id: user, created_at: now, seen_at: now, confirmed_at: now };
    (session, SessionToken::from_random(ports.environment.randomness.bytes()))
}

/// The session that was stored with this token.
pub(super) async fn signed_in(
    ports: &AccessPorts,
    token: SessionToken,
) -> Result<SignedIn, AccessError> {
    let holder = ports.sessions.session(token.hash()).await?.ok_or(AccessError::Unauthenticated)?;
    Ok(SignedIn { token, holder })
}
