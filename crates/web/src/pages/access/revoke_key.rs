//! `POST /account/api-access/keys/{key_id}/revoke`, and `POST /admin/company/users/{id}/keys/{key_id}/revoke`

use contact_hub_domain::access;
use contact_hub_domain::ids::{ApiKeyId, UserId};

use super::user;
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::notice::Notice;
use crate::pages::respond;

pub(crate) async fn own(caller: PageCaller, PathId(key_id): PathId<ApiKeyId>) -> Answer {
    let me = caller.holder().caller.user_id;
    access::revoke_key_of(&caller.context(), me, key_id).await?;
    Ok(respond::done(&caller, "/account/api-access", Notice::KeyRevoked))
}

pub(crate) async fn of_user(
    caller: PageCaller,
    PathId(id): PathId<UserId>,
    PathId(key_id): PathId<ApiKeyId>,
) -> Answer {
    access::revoke_key_of(&caller.context(), id, key_id).await?;
    Ok(respond::done(&caller, &user::path(id), Notice::KeyRevoked))
}
