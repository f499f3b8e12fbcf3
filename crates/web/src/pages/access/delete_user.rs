//! `POST /admin/company/users/{id}/delete`

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<UserId>) -> Answer {
    access::delete_user(&caller.context(), id).await?;
    Ok(respond::done(&caller, "/admin/company", Notice::UserDeleted))
}
