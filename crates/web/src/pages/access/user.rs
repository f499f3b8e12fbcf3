//! `GET` and `POST /admin/company/users/{id}`: a user's permissions and keys.

use askama::Template;

use contact_hub_domain::access;
use contact_hub_domain::ids::UserId;

use super::keys::{KeyRow, is_fresh, keys_of};
use super::roles::{OWN_CHOICE, ROLES, Role};
use super::user_form::{draft, filled, permissions};
use crate::error::Answer;
use crate::extract::PathId;
use crate::pages::caller::PageCaller;
use crate::pages::form::Form;
use crate::pages::form_view::FormView;
use crate::pages::frame::{Frame, Section};
use crate::pages::notice::Notice;
use crate::pages::respond;

#[derive(Template)]
#[template(path = "access/user.html")]
struct UserPage {
    frame: Frame,
    form: FormView,
    key: FormView,
    id: String,
    email: String,
    is_own: bool,
    roles: &'static [Role],
    own_choice: &'static str,
    permissions: [(&'static str, &'static str); 5],
    keys: Vec<KeyRow>,
    is_fresh: bool,
}

pub(crate) async fn show(caller: PageCaller, PathId(id): PathId<UserId>) -> Answer {
    draw(&caller, id, None, FormView::default()).await
}

pub(crate) async fn handle(caller: PageCaller, PathId(id): PathId<UserId>, form: Form) -> Answer {
    match access::change_user(&caller.context(), id, draft(&form)).await {
        Ok(_user) => {
            let location = format!("/admin/company/users/{id}");
            Ok(respond::done(&caller, &location, Notice::UserChanged))
        }
        Err(error) => {
            draw(&caller, id, Some(FormView::refused(&form, error)?), FormView::default()).await
        }
    }
}

/// Draws the page with the form of the user, filled as the user is when there is none, and that of a new key.
pub(super) async fn draw(
    caller: &PageCaller,
    id: UserId,
    form: Option<FormView>,
    key: FormView,
) -> Answer {
    let status = form.as_ref().unwrap_or(&key).status();
    let user = access::read_user(&caller.context(), id).await?;
    let email = user.email.as_str().to_owned();
    let page = UserPage {
        frame: caller.frame(Section::Company, &email),
        form: form.unwrap_or_else(|| filled(&user)),
        key,
        id: id.to_string(),
        email,
        is_own: id == caller.holder().caller.user_id,
        roles: &ROLES,
        own_choice: OWN_CHOICE,
        permissions: permissions(),
        keys: keys_of(caller, id).await?,
        is_fresh: is_fresh(caller),
    };
    respond::page_with(status, &page)
}
