//! Checks the answers of authenticators.

use std::sync::Arc;

use super::port::{PasskeyUse, StoredPasskey};
use super::verifier::{PasskeyVerifier, Refused};
use crate::access::AccessError;
use crate::access::attempt::Attempt;
use crate::audit::{AuditAction, NewAuditEntry};
use crate::author::{Author, Call};
use crate::context::AccessPorts;
use crate::ids::UserId;

/// The verifier; an error when the service has no passkeys.
pub(super) fn verifier(ports: &AccessPorts) -> Result<&Arc<dyn PasskeyVerifier>, AccessError> {
    ports.passkey_verifier.as_ref().ok_or(AccessError::PasskeysOff)
}

/// The answer of an authenticator to an open challenge.
pub(super) struct Answered<'a> {
    /// The state that the verifier stored for the challenge.
    pub(super) state: String,
    /// The answer.
    pub(super) answer: &'a str,
    /// The only user whose passkeys count; `None` when somebody signs in.
    pub(super) only: Option<UserId>,
}

/// The use of a passkey that the answer proves. An error leaves an entry in the audit of the passkey's user.
pub(super) async fn prove<'a>(
    ports: &'a AccessPorts,
    mut attempt: Attempt<'a>,
    Answered { state, answer, only }: Answered<'_>,
    call: &Call,
) -> Result<(Attempt<'a>, PasskeyUse), AccessError> {
    let verifier = verifier(ports)?;
    let claim = verifier.claim(answer).ok_or(AccessError::SignInRefused)?;
    let stored = ports.passkeys.passkey(claim.credential).await?;
    let stored = stored.ok_or(AccessError::SignInRefused)?;
    attempt = attempt.with(stored.email.identity().to_owned()).await?;
    let belongs = |to: Option<UserId>| to.is_none_or(|user| user == stored.user);
    if !belongs(claim.user) || !belongs(only) {
        note(ports, &stored, AuditAction::SignInFailed, call);
        return Err(AccessError::SignInRefused);
    }
    match verifier.prove(&state, answer, &stored.key) {
        Ok(proven) => {
            let at = ports.environment.clock.now();
            let (id, user) = (stored.id, stored.user);
            Ok((attempt, PasskeyUse { id, user, key: proven.key, counter: proven.counter, at }))
        }
        Err(refused) => {
            let action = match refused {
                Refused::Invalid => AuditAction::SignInFailed,
                Refused::CounterWentBack => AuditAction::PasskeyCounterWentBack,
            };
            note(ports, &stored, action, call);
            Err(AccessError::SignInRefused)
        }
    }
}

fn note(ports: &AccessPorts, passkey: &StoredPasskey, action: AuditAction, call: &Call) {
    let by = Author { company: passkey.company, user: None, call: call.clone() };
    let object = match action {
        AuditAction::PasskeyCounterWentBack => passkey.id.uuid(),
        _ => passkey.user.uuid(),
    };
    let now = ports.environment.clock.now();
    ports.failed_sign_ins.note([NewAuditEntry::of(&by, action, object, now)]);
}
