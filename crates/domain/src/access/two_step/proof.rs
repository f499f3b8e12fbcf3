//! Checks the codes that people enter.

use std::net::IpAddr;

use super::code::CodeSecret;
use super::port::Proof;
use super::recovery::RecoveryCode;
use crate::access::attempt::Attempt;
use crate::access::sign_in::note_failure;
use crate::access::{AccessError, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::ids::UserId;
use crate::ports::StoreError;
use crate::time::Timestamp;
use crate::violations::{Problem, Violations};

/// The longest text that is looked at; a recovery code with its dashes is shorter.
const MAX_TEXT: usize = 64;

/// The proof that was entered; `None` for any other text. It may have been used before. A recovery code cannot be guessed,
/// so only other texts count as codes of the user.
pub(super) async fn proof_of(
    ports: &AccessPorts,
    attempt: &mut Attempt<'_>,
    user: UserId,
    text: &str,
    now: Timestamp,
) -> Result<Option<Proof>, AccessError> {
    if text.len() > MAX_TEXT {
        return Ok(None);
    }
    if let Some(code) = RecoveryCode::parse(text) {
        return Ok(Some(Proof::Recovery(code.hash())));
    }
    attempt.with_code_of(user).await?;
    let Some(secret) = secret_of(ports, user).await? else { return Ok(None) };
    Ok(secret.step_of(&digits(text), now).map(Proof::Step))
}

/// A code as apps show it, often with a blank in the middle.
pub(super) fn digits(text: &str) -> String {
    text.chars().filter(|char| !char.is_whitespace()).collect()
}

async fn secret_of(ports: &AccessPorts, user: UserId) -> Result<Option<CodeSecret>, AccessError> {
    let Some((id, sealed)) = ports.two_step.code_secret(user).await? else { return Ok(None) };
    let failed = |error| StoreError::Failed(Box::new(error));
    let secret = ports.vault.open(id, &sealed).map_err(failed)?;
    Ok(CodeSecret::parse(secret.reveal()))
}

/// Checks a code of the signed-in user's app, and uses it up. Wrong codes count as attempts to sign in, and the audit
/// records them as such.
pub(in crate::access) async fn check_code(
    ports: &AccessPorts,
    holder: &SessionHolder,
    text: &str,
    address: IpAddr,
    call: &Call,
) -> Result<(), AccessError> {
    let mut attempt =
        Attempt::from(ports, address).await?.with(holder.email.identity().to_owned()).await?;
    let (user, now) = (holder.session.user_id, ports.environment.clock.now());
    if let Some(Proof::Step(step)) = proof_of(ports, &mut attempt, user, text, now).await?
        && ports.two_step.use_step(user, step).await?
    {
        attempt.succeeded();
        return Ok(());
    }
    note_failure(ports, vec![(holder.caller.company.id, user)], None, call);
    Err(Violations::one("current", wrong_code()).into())
}

/// The problem with a code that is wrong or was used.
pub(super) fn wrong_code() -> Problem {
    Problem::new("is wrong, expired or already used. Enter the code that your app shows now")
}
