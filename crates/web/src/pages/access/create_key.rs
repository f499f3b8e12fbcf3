//! `POST /account/api-access/keys`, and `POST /admin/company/users/{id}/keys` for another user.

use actix_web::HttpRequest;

use contact_hub_domain::access::{self, AccessError, CreatedKey};
use contact_hub_domain::ids::UserId;

use super::keys::{draft, draw_token};
use super::user::Forms;
use super::{api_access, user};
use crate::error::Answer;
use crate::extract::PathId;
use crate::origin::Origin;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::listing::Listing;

pub(crate) async fn own(caller: PageCaller, request: HttpRequest, form: Form) -> Answer {
    match create(&caller, &request, &form, caller.holder().caller.user_id).await {
        Ok(created) => draw_token(&caller, &created, "/account/api-access"),
        Err(error) => {
            let key = FormView::refused(&form, error)?.without("current");
            api_access::draw(&caller, &Listing::default(), key).await
        }
    }
}

pub(crate) async fn of_user(
    caller: PageCaller,
    PathId(id): PathId<UserId>,
    request: HttpRequest,
    form: Form,
) -> Answer {
    match create(&caller, &request, &form, id).await {
        Ok(created) => draw_token(&caller, &created, &user::path(id)),
        Err(error) => {
            let key = FormView::refused(&form, error)?.without("current");
            user::draw(&caller, id, &Listing::default(), Forms { key, ..Forms::default() }).await
        }
    }
}

/// Creates a key. It outlives the session, so the person must have signed in recently or type the password again.
async fn create(
    caller: &PageCaller,
    request: &HttpRequest,
    form: &Form,
    user: UserId,
) -> Result<CreatedKey, AccessError> {
    let (cx, address) = (caller.context(), Origin::of(request).address);
    let draft = draft(form, caller.now());
    access::confirm(cx.ports, caller.holder(), &form.input("current"), address).await?;
    access::create_key(cx.ports, Some(cx.author()), user, &draft).await
}
