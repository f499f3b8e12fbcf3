//! `POST /admin/company/users/{id}/reset-two-step`, for a user who has lost app and recovery codes.

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::user;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<UserId>) -> Answer {
    let cx = caller.context();
    access::reset_two_step(cx.ports, Some(cx.author()), id).await?;
    Ok(respond::done(&caller, &user::path(id), Notice::TwoStepReset))
}
