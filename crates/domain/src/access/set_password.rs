//! Set or change the password.

use std::net::IpAddr;

use super::attempt::Attempt;
use super::{AccessError, Password, PasswordHash, SessionHolder};
use crate::context::AccessPorts;
use crate::input::Input;
use crate::violations::{Problem, Violations};

/// The input for a new password.
#[derive(Clone, Debug, Default)]
pub struct PasswordDraft {
    /// The current password, required if there is one.
    pub current: Input,
    /// The new password.
    pub password: Input,
    /// Whether the user's API keys are revoked too, in case someone else has them.
    pub end_keys: bool,
}

/// Changes the password of the signed-in user. The user's other sessions end, and on request the user's keys are
/// revoked. Wrong guesses at the current password count as attempts to sign in.
pub async fn set_password(
    ports: &AccessPorts,
    holder: &SessionHolder,
    draft: &PasswordDraft,
    address: IpAddr,
) -> Result<(), AccessError> {
    let password = chosen(&draft.password)?;
    let user = holder.session.user_id;
    if let Some(hash) = ports.sessions.password_of(user).await? {
        check_current(ports, holder, &draft.current, hash, address).await?;
    }
    let hash = ports.passwords.hash(password, address).await?;
    let (keep, now) = (holder.session.id, ports.environment.clock.now());
    if ports.sessions.set_password(user, hash, keep, draft.end_keys, now).await? {
        Ok(())
    } else {
        Err(AccessError::Unauthenticated)
    }
}

/// A chosen password.
pub(super) fn chosen(input: &Input) -> Result<Password, Violations> {
    input.required().map_err(|problem| Violations::one("password", problem))
}

/// Checks the current password of the signed-in user.
pub(super) async fn check_current(
    ports: &AccessPorts,
    holder: &SessionHolder,
    input: &Input,
    hash: PasswordHash,
    address: IpAddr,
) -> Result<(), AccessError> {
    let wrong = || Violations::one("current", Problem::new("is not your present password"));
    let Input::Text(text) = input else {
        return Err(Violations::one("current", Problem::new("is required")).into());
    };
    let current = Password::attempt(text).ok_or_else(wrong)?;
    let attempt = Attempt::from(ports, address)?.with(holder.email.identity().to_owned())?;
    if ports.passwords.verify(current, Some(hash), address).await? {
        attempt.succeeded();
        Ok(())
    } else {
        Err(wrong().into())
    }
}
