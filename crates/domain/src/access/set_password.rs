//! Set or change the password.

use std::net::IpAddr;

use super::attempt::Attempt;
use super::password_sign_in::password_sign_in_off;
use super::sign_in::note_failure;
use super::{AccessError, Password, PasswordChange, PasswordHash, PresentPassword, SessionHolder};
use crate::author::Call;
use crate::context::AccessPorts;
use crate::property::Property;
use crate::rules::{broken, optional, required, valid};
use crate::violations::Violations;

/// The input for a new password.
#[derive(Clone, Debug, Default, garde::Validate)]
pub struct PasswordDraft {
    /// The current password; required if there is one.
    #[garde(skip)]
    pub current: Property<PresentPassword>,
    /// The new password.
    #[garde(custom(required))]
    pub password: Property<Password>,
    /// Whether the user's API keys are revoked too, for example because somebody else may have them.
    #[garde(skip)]
    pub end_keys: bool,
}

impl PasswordDraft {
    /// Validates the input, and returns the new password.
    pub(super) fn validate(&self) -> Result<Password, Violations> {
        valid(self, (), |()| self.password.value())
    }
}

/// The input with which a signed-in user confirms who they are.
#[derive(garde::Validate)]
struct Confirmation {
    #[garde(custom(present))]
    current: Property<PresentPassword>,
}

fn present<T, C>(property: &Property<T>, context: &C) -> garde::Result {
    match property {
        Property::Absent | Property::Null => broken("is required"),
        property => optional(property, context),
    }
}

/// Sets a new password for the signed-in user, ends the user's other sessions, and revokes the user's keys if
/// requested. Wrong guesses at the current password count as attempts to sign in, and the audit records them as such.
pub async fn set_password(
    ports: &AccessPorts,
    holder: &SessionHolder,
    draft: &PasswordDraft,
    address: IpAddr,
    call: &Call,
) -> Result<(), AccessError> {
    if !holder.password_sign_in {
        return Err(password_sign_in_off("password").into());
    }
    let password = draft.validate()?;
    let user = holder.session.user_id;
    let current = ports.sessions.password_of(user).await?;
    if let Some(hash) = current.clone() {
        check_current(ports, holder, &draft.current, hash, address, call).await?;
    }
    let change = PasswordChange {
        user,
        current,
        new: ports.passwords.hash(password, address).await?,
        keep: holder.session.id,
        end_keys: draft.end_keys,
        call: call.clone(),
        at: ports.environment.clock.now(),
    };
    if ports.sessions.set_password(change).await? {
        Ok(())
    } else {
        Err(AccessError::Unauthenticated)
    }
}

/// Checks the current password of the signed-in user. The audit records a wrong one as a failed sign-in.
pub(super) async fn check_current(
    ports: &AccessPorts,
    holder: &SessionHolder,
    current: &Property<PresentPassword>,
    hash: PasswordHash,
    address: IpAddr,
    call: &Call,
) -> Result<(), AccessError> {
    let draft = Confirmation { current: current.clone() };
    let PresentPassword(current) = valid(&draft, (), |()| draft.current.value())?;
    let attempt =
        Attempt::from(ports, address).await?.with(holder.email.identity().to_owned()).await?;
    if ports.passwords.verify(current, Some(hash), address).await? {
        attempt.succeeded();
        Ok(())
    } else {
        note_failure(ports, vec![(holder.caller.company.id, holder.session.user_id)], None, call);
        Err(Violations::one("current", PresentPassword::wrong()).into())
    }
}
