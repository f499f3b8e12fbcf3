//! Add, list, rename and delete the passkeys of the signed-in user.

use std::net::IpAddr;

use super::challenge::{Bound, ChallengePurpose, PasskeyRequest, begin, take};
use super::passkey::{MAX_PASSKEYS, Passkey, PasskeyDraft};
use super::port::{AddPasskeyOutcome, NewPasskey};
use super::proof::verifier;
use crate::access::{AccessError, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::ids::{PasskeyId, UserId};
use crate::limits::exceeded;
use crate::violations::{Problem, Violations};

const fn bound(holder: &SessionHolder) -> Bound {
    Bound { purpose: ChallengePurpose::Register, session: Some(holder.session.id) }
}

/// Asks the browser for a new passkey.
pub async fn begin_passkey(
    ports: &AccessPorts,
    holder: &SessionHolder,
    address: IpAddr,
) -> Result<PasskeyRequest, AccessError> {
    let (verifier, user) = (verifier(ports)?, holder.session.user_id);
    let known = ports.passkeys.credential_ids(user).await?;
    if known.len() >= MAX_PASSKEYS {
        return Err(full().into());
    }
    let ceremony = verifier.begin_registration(user, &holder.email, &known);
    begin(ports, ceremony, bound(holder), address).await
}

/// Stores the passkey that the browser's authenticator created.
pub async fn add_passkey(
    ports: &AccessPorts,
    holder: &SessionHolder,
    token: &str,
    answer: &str,
    draft: &PasskeyDraft,
    call: &Call,
) -> Result<(), AccessError> {
    let name = draft.validate()?;
    let refused = || Violations::one("passkey", Problem::new("was not accepted or took too long"));
    let state = take(ports, token, bound(holder)).await?.ok_or_else(refused)?;
    let credential = verifier(ports)?.register(&state, answer).map_err(|_refused| refused())?;
    let (id, now) = (PasskeyId::new(ports.environment.ids.next()), ports.environment.clock.now());
    let passkey = Passkey { id, name, created_at: now, last_used_at: None };
    let new = NewPasskey { passkey, user: holder.session.user_id, credential };
    match ports.passkeys.add_passkey(new, MAX_PASSKEYS, call.clone()).await? {
        AddPasskeyOutcome::Added => Ok(()),
        AddPasskeyOutcome::Full => Err(full().into()),
        AddPasskeyOutcome::Known => {
            Err(Violations::one("passkey", Problem::new("is in use already")).into())
        }
        AddPasskeyOutcome::UserUnknown => Err(AccessError::Unauthenticated),
    }
}

fn full() -> Violations {
    exceeded("passkey", "a user", MAX_PASSKEYS, "passkey")
}

/// The passkeys of a user, the oldest first.
pub async fn list_passkeys(ports: &AccessPorts, user: UserId) -> Result<Vec<Passkey>, AccessError> {
    Ok(ports.passkeys.passkeys_of(user).await?)
}

/// Renames a passkey of the user.
pub async fn rename_passkey(
    ports: &AccessPorts,
    user: UserId,
    id: PasskeyId,
    draft: &PasskeyDraft,
    call: &Call,
) -> Result<(), AccessError> {
    let (name, now) = (draft.validate()?, ports.environment.clock.now());
    let is_there = ports.passkeys.rename_passkey(user, id, name, call.clone(), now).await?;
    if is_there { Ok(()) } else { Err(AccessError::PasskeyNotFound) }
}

/// Deletes a passkey of the user. Sessions that began with it continue.
pub async fn delete_passkey(
    ports: &AccessPorts,
    user: UserId,
    id: PasskeyId,
    call: &Call,
) -> Result<(), AccessError> {
    let now = ports.environment.clock.now();
    let is_deleted = ports.passkeys.delete_passkey(user, id, call.clone(), now).await?;
    if is_deleted { Ok(()) } else { Err(AccessError::PasskeyNotFound) }
}
