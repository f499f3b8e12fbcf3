//! Choose a password, or another one.

use std::net::IpAddr;

use super::attempt::Attempt;
use super::{AccessError, Password, PasswordHash, SessionHolder};
use crate::context::AccessPorts;
use crate::input::Input;
use crate::violations::{Problem, Violations};

/// What a request gave for a new password.
#[derive(Clone, Debug, Default)]
pub struct PasswordDraft {
    /// The present password; needed when there is one.
    pub current: Input,
    /// The one from now on.
    pub password: Input,
    /// Whether the user's API keys end too, as when somebody else may have them.
    pub end_keys: bool,
}

/// Gives the signed-in user another password and ends the user's other sessions, and the user's keys when that is asked
/// for. Wrong guesses at the present one count
/// as attempts to sign in.
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

/// A password that someone chose.
pub(super) fn chosen(input: &Input) -> Result<Password, Violations> {
    input.required().map_err(|problem| Violations::one("password", problem))
}

/// Checks the present password of who is signed in.
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
