//! Read one user.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::UserJson;
use super::shapes::USER;
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    USERS
        .on(GET, "/users/{id}", handle)
        .operation("readUser", "Read one user", Success::One(USER))
        .details("The user with all permissions.")
}

async fn handle(caller: Caller, PathId(id): PathId<UserId>) -> Answer {
    let user = access::read_user(&caller.context(), id).await?;
    Ok(envelope::ok(&UserJson::from(&user)))
}
