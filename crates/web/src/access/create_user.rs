//! Create a user.

use contact_hub_domain::access;

use super::json::{UserJson, user_draft};
use super::shapes::{USER, USER_INPUT};
use crate::endpoint::prelude::*;

pub(crate) fn endpoint() -> Endpoint {
    USERS
        .on(POST, "/users", handle)
        .operation("createUser", "Create a user", Success::Created(USER))
        .details("Without permissions the user may do nothing yet.")
        .reads(USER_INPUT)
        .fails(&[Code::UserAlreadyExists])
}

async fn handle(caller: Caller, body: Body<STANDARD_BODY>) -> Answer {
    let (draft, cx) = (user_draft(&body.object()?), caller.context());
    let user = access::create_user(cx.ports, cx.author(), &draft).await?;
    let location = caller.manage_url(&format!("/users/{}", user.id));
    Ok(envelope::created(&UserJson::from(&user), &location))
}
