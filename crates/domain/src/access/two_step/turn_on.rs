//! Set up two-step verification.

use super::code::CodeSecret;
use super::port::{NewTwoStep, TwoStepState};
use super::proof::{digits, wrong_code};
use super::recovery::{RecoveryCode, fresh_codes};
use crate::access::{AccessError, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::ids::{UserId, WebhookSecretId};
use crate::ports::StoreError;
use crate::violations::{Problem, Violations};

/// A secret that a person may give to an app. It is stored once a code proves that the app has it.
#[must_use]
pub fn fresh_code_secret(ports: &AccessPorts) -> CodeSecret {
    CodeSecret::from_random(ports.environment.randomness.bytes())
}

/// The user's two-step verification; `None` when it is off.
pub async fn two_step_state(
    ports: &AccessPorts,
    user: UserId,
) -> Result<Option<TwoStepState>, AccessError> {
    Ok(ports.two_step.two_step_state(user).await?)
}

/// Turns two-step verification on for the signed-in user, if the code proves that the user's app has the secret.
/// Returns the recovery codes.
pub async fn turn_on_two_step(
    ports: &AccessPorts,
    holder: &SessionHolder,
    secret: &CodeSecret,
    code: &str,
    call: &Call,
) -> Result<Vec<RecoveryCode>, AccessError> {
    let (user, now) = (holder.session.user_id, ports.environment.clock.now());
    let step = secret.step_of(&digits(code), now);
    let step = step.ok_or_else(|| Violations::one("code", wrong_code()))?;
    let secret_id = WebhookSecretId::new(ports.environment.ids.next());
    let failed = |error| StoreError::Failed(Box::new(error));
    let sealed = ports.vault.seal(secret_id, &secret.to_secret()).map_err(failed)?;
    let codes = fresh_codes(ports);
    let hashes = codes.iter().map(RecoveryCode::hash).collect();
    let new = NewTwoStep { user, secret_id, sealed, step, codes: hashes };
    if ports.two_step.turn_on_two_step(new, call.clone(), now).await? {
        Ok(codes)
    } else {
        Err(Violations::one("code", Problem::new("is not needed: it is on already")).into())
    }
}

/// Replaces the recovery codes of the signed-in user; `None` when two-step verification is off.
pub async fn renew_recovery_codes(
    ports: &AccessPorts,
    holder: &SessionHolder,
    call: &Call,
) -> Result<Option<Vec<RecoveryCode>>, AccessError> {
    let (user, now) = (holder.session.user_id, ports.environment.clock.now());
    let codes = fresh_codes(ports);
    let hashes = codes.iter().map(RecoveryCode::hash).collect();
    let is_on = ports.two_step.renew_recovery_codes(user, hashes, call.clone(), now).await?;
    Ok(is_on.then_some(codes))
}
