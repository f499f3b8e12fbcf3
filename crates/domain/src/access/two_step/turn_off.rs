//! Turn two-step verification off: the user's own, or that of a user who has lost app, recovery codes or passkeys.

use crate::access::{AccessError, SessionHolder};
use crate::author::{Author, Call};
use crate::context::AccessPorts;
use crate::ids::UserId;

/// Turns it off for the signed-in user.
pub async fn turn_off_two_step(
    ports: &AccessPorts,
    holder: &SessionHolder,
    call: &Call,
) -> Result<(), AccessError> {
    let (user, now) = (holder.session.user_id, ports.environment.clock.now());
    // Somebody may have reset it in the meantime, which is not an error.
    ports.two_step.turn_off_two_step(user, call.clone(), now).await?;
    Ok(())
}

/// Turns it off and deletes the passkeys for a user of the author's company; an operator (`None`) may name a user of
/// any company. Returns whether the user had either.
pub async fn reset_two_step(
    ports: &AccessPorts,
    by: Option<Author>,
    user: UserId,
) -> Result<bool, AccessError> {
    let now = ports.environment.clock.now();
    let was_on = ports.two_step.reset_two_step(by, user, now).await?;
    was_on.ok_or(AccessError::UserNotFound)
}
