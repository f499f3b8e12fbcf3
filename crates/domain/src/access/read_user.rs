//! Read a user.

use super::{AccessError, User};
use crate::context::{AccessPorts, Context};
use crate::ids::UserId;

/// A user of the caller's company.
pub async fn read_user(cx: &Context<'_, AccessPorts>, id: UserId) -> Result<User, AccessError> {
    let user = cx.ports.access.read_user(cx.caller.company.id, id).await?;
    user.ok_or(AccessError::UserNotFound)
}
