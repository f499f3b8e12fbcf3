//! `POST /account/api-access/keys`, and `POST /admin/company/users/{id}/keys` for another user.

use contact_hub_domain::access::{self, AccessError, CreatedKey};
use contact_hub_domain::ids::UserId;

use super::keys::{draft, draw_token};
use super::user::Forms;
use super::{api_access, user};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::listing::Listing;

pub(crate) async fn own(caller: PageCaller, form: Form) -> Answer {
    match create(&caller, &form, caller.holder().caller.user_id).await {
        Ok(created) => draw_token(&caller, &created, "/account/api-access"),
        Err(error) => {
            let key = FormView::refused(&form, error)?;
            api_access::draw(&caller, &Listing::default(), key).await
        }
    }
}

pub(crate) async fn of_user(caller: PageCaller, PathId(id): PathId<UserId>, form: Form) -> Answer {
    match create(&caller, &form, id).await {
        Ok(created) => draw_token(&caller, &created, &user::path(id)),
        Err(error) => {
            let key = FormView::refused(&form, error)?;
            user::draw(&caller, id, &Listing::default(), Forms { key, ..Forms::default() }).await
        }
    }
}

async fn create(caller: &PageCaller, form: &Form, user: UserId) -> Result<CreatedKey, AccessError> {
    let cx = caller.context();
    access::create_key(cx.ports, Some(cx.author()), user, &draft(form, caller.now())).await
}
