//! Invite a user of the company to sign in.

use super::{AccessError, CreatedLink, LinkPurpose, create_link};
use crate::context::{AccessPorts, Context};
use crate::ids::UserId;

/// Creates a link by which a user of the caller's company chooses a password. The caller passes it on to the user.
pub async fn invite(
    cx: &Context<'_, AccessPorts>,
    user: UserId,
) -> Result<CreatedLink, AccessError> {
    create_link(cx.ports, Some(cx.author()), user, LinkPurpose::SetPassword).await
}
