//! Change a user.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::json::{UserJson, user_change};
use super::shapes::{USER, USER_CHANGE};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    USERS
        .on(PATCH, "/users/{id}", handle)
        .operation("changeUser", "Change a user", Success::One(USER))
        .details(
            "What is absent stays; permissions are replaced as a whole. You cannot take \
             `manage_access` from yourself.",
        )
        .reads(USER_CHANGE)
        .fails(&[Code::UserAlreadyExists, Code::OwnAccess])
}

async fn handle(caller: Caller, PathId(id): PathId<UserId>, body: Body<STANDARD_BODY>) -> Answer {
    let change = user_change(&body.object()?);
    let user = access::change_user(&caller.context(), id, change).await?;
    Ok(envelope::ok(&UserJson::from(&user)))
}
