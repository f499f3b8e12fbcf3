//! Delete a user.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    USERS
        .on(DELETE, "/users/{id}", handle)
        .operation("deleteUser", "Delete a user", Success::Nothing)
        .details("The user's keys stop working at once. You cannot delete yourself.")
        .fails(&[Code::OwnAccess])
}

async fn handle(caller: Caller, PathId(id): PathId<UserId>) -> Answer {
    access::delete_user(&caller.context(), id).await?;
    Ok(HttpResponse::NoContent().finish())
}
